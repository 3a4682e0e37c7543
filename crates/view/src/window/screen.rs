//! The window's surface and what draws into it.

use std::sync::Arc;
use std::time::Duration;

use wgpu::CurrentSurfaceTexture;
use winit::event::WindowEvent;
use winit::event_loop::OwnedDisplayHandle;
use winit::window::Window;

use super::WindowError;
use super::app::App;
use super::panes::Panes;
use super::rate::{Parts, Stopwatch};
use crate::draw::{
    BackingStore, Canvas, DrawError, Picture, Quality, Renderer, Upscaler, clear_colour, instance,
};
use crate::frame::Frame;

/// Time after the last motion at which a picture may take longer.
const SETTLED: Duration = Duration::from_millis(350);

/// Age that figures in the panels may have where the processor draws.
const PATIENCE: Duration = Duration::from_millis(120);

/// A window that can be drawn into.
pub struct Screen {
    window: Arc<Window>,
    surface: wgpu::Surface<'static>,
    configuration: wgpu::SurfaceConfiguration,
    canvas: Canvas,
    renderer: Renderer,
    panes: Panes,
    /// Where the processor draws.
    economy: Option<Economy>,
}

/// What spares a processor that draws while it simulates.
struct Economy {
    upscaler: Upscaler,
    /// Keeps the panels from picture to picture, if the surface can be copied into.
    backing: Option<BackingStore>,
    /// Whether the last picture was drawn with fewer pixels.
    is_reduced: bool,
}

impl Screen {
    /// Prepares drawing into a window.
    pub fn new(
        window: Arc<Window>,
        display: Box<OwnedDisplayHandle>,
        adapter: Option<&str>,
        context: &egui::Context,
    ) -> Result<Self, WindowError> {
        let instance = instance(Some(display));
        let surface = instance
            .create_surface(window.clone())
            .map_err(|error| WindowError::System(error.to_string()))?;
        let canvas = Canvas::open(&instance, adapter, Some(&surface))?;
        let capabilities = capabilities(&instance, &surface, &canvas);
        let format = format(&capabilities, &canvas)?;
        let is_software = canvas.adapter.is_software();
        let has_backing = is_software && capabilities.usages.contains(wgpu::TextureUsages::COPY_DST);
        let drawn = wgpu::TextureUsages::RENDER_ATTACHMENT;
        let size = window.inner_size();
        let max = canvas.max_side();
        let configuration = wgpu::SurfaceConfiguration {
            usage: if has_backing { drawn | wgpu::TextureUsages::COPY_DST } else { drawn },
            format,
            color_space: Default::default(),
            width: size.width.clamp(1, max),
            height: size.height.clamp(1, max),
            present_mode: wgpu::PresentMode::AutoVsync,
            desired_maximum_frame_latency: 2,
            alpha_mode: wgpu::CompositeAlphaMode::Auto,
            view_formats: Vec::new(),
        };
        surface.configure(&canvas.device, &configuration);
        let quality = if is_software { Quality::PLAIN } else { Quality::WINDOW };
        let renderer = Renderer::new(&canvas, format, quality);
        let size = [configuration.width, configuration.height];
        let economy = is_software.then(|| Economy {
            upscaler: Upscaler::new(&canvas, format),
            backing: has_backing.then(|| BackingStore::new(&canvas.device, size, format)),
            is_reduced: false,
        });
        let panes = Panes::new(&canvas, format, &window, context);
        Ok(Self { window, surface, configuration, canvas, renderer, panes, economy })
    }

    /// The window.
    pub fn window(&self) -> &Arc<Window> {
        &self.window
    }

    /// Whether the processor draws.
    pub fn is_software(&self) -> bool {
        self.economy.is_some()
    }

    /// The device that draws, in words.
    pub fn device(&self) -> String {
        self.canvas.adapter.to_string()
    }

    /// Gives the device up as if it had failed, for tests of what happens then.
    pub fn lose_device(&self) {
        self.canvas.lose();
    }

    /// The panels, whose input outlives a device.
    pub fn panes(&mut self) -> &mut Panes {
        &mut self.panes
    }

    fn size(&self) -> [u32; 2] {
        [self.configuration.width, self.configuration.height]
    }

    /// Takes on a size; returns whether it is another one.
    pub fn resize(&mut self, [width, height]: [u32; 2]) -> bool {
        let max = self.canvas.max_side();
        let size = [width.clamp(1, max), height.clamp(1, max)];
        if size == self.size() {
            return false;
        }
        [self.configuration.width, self.configuration.height] = size;
        self.surface.configure(&self.canvas.device, &self.configuration);
        true
    }

    /// Hands an event to the panels; returns whether a picture is wanted for it.
    pub fn take(&mut self, event: &WindowEvent) -> bool {
        self.panes.take(&self.window, event)
    }

    /// Draws the scene and the panels over it; returns after which time the next picture is wanted without any event.
    pub fn draw(&mut self, app: &mut App) -> Result<Duration, DrawError> {
        self.canvas.check()?;
        let mut watch = Stopwatch::start();
        app.begin_picture();
        let patience = if self.is_software() { PATIENCE } else { Duration::ZERO };
        let has_new_panels = self.panes.refresh(app, &self.window, &self.canvas, patience);
        if let Some(title) = app.title() {
            self.window.set_title(&title);
        }
        let panels = if has_new_panels { watch.lap() } else { Duration::ZERO };
        let texture = match self.surface.get_current_texture() {
            CurrentSurfaceTexture::Success(texture) | CurrentSurfaceTexture::Suboptimal(texture) => texture,
            CurrentSurfaceTexture::Timeout | CurrentSurfaceTexture::Occluded => {
                return Ok(self.panes.rest().max(Duration::from_millis(100)));
            }
            CurrentSurfaceTexture::Outdated | CurrentSurfaceTexture::Lost => {
                self.surface.configure(&self.canvas.device, &self.configuration);
                return Ok(Duration::ZERO);
            }
            CurrentSurfaceTexture::Validation => {
                self.canvas.check()?;
                return Err(DrawError::Failed("it refused the window's surface".to_owned()));
            }
        };
        let wait = watch.lap();
        let commands = self.record(app, &texture.texture, has_new_panels)?;
        let scene = watch.lap();
        self.canvas.queue.submit([commands]);
        self.window.pre_present_notify();
        self.canvas.queue.present(texture);
        let hand_over = watch.lap();
        app.rate.count(Parts { panels, wait, scene, hand_over });
        let reduced = self.economy.as_mut().filter(|economy| economy.is_reduced);
        let is_reduced = reduced.is_some();
        if let Some(economy) = reduced {
            economy.upscaler.took(wait + scene + hand_over);
        }
        let rest = if app.is_measuring() { Duration::ZERO } else { self.panes.rest() };
        // What was drawn with fewer pixels is drawn with all of them as soon as it stands still.
        Ok(if is_reduced { rest.min(SETTLED) } else { rest })
    }

    /// Records the drawing of a picture, on the backing store where there is one.
    fn record(
        &mut self,
        app: &App,
        texture: &wgpu::Texture,
        has_new_panels: bool,
    ) -> Result<wgpu::CommandBuffer, DrawError> {
        let size = self.size();
        let mut encoder = self.canvas.device.create_command_encoder(&Default::default());
        let mut backing = self.economy.as_mut().and_then(|economy| economy.backing.take());
        let mut is_fresh = has_new_panels;
        if backing.as_ref().is_some_and(|backing| backing.size() != size) {
            backing = Some(BackingStore::new(&self.canvas.device, size, self.configuration.format));
            is_fresh = true;
        }
        match backing {
            Some(backing) => {
                self.draw_all(app, &mut encoder, backing.view(), !is_fresh)?;
                backing.copy_to(&mut encoder, texture);
                if let Some(economy) = &mut self.economy {
                    economy.backing = Some(backing);
                }
            }
            None => self.draw_all(app, &mut encoder, &texture.create_view(&Default::default()), false)?,
        }
        Ok(encoder.finish())
    }

    /// Draws the scene and then the panels into a view; `keeps_around` says that the panels are there already.
    fn draw_all(
        &mut self,
        app: &App,
        encoder: &mut wgpu::CommandEncoder,
        view: &wgpu::TextureView,
        keeps_around: bool,
    ) -> Result<(), DrawError> {
        let size = self.size();
        let scale = self.panes.scale();
        let has_kept = match (app.shown_frame(), app.viewport(size, scale)) {
            (Some(frame), Some(areas)) => self.draw_scene(app, encoder, view, &frame, areas, keeps_around)?,
            _ => {
                clear(encoder, view, app);
                false
            }
        };
        let within = has_kept.then(|| app.clear_area());
        self.panes.paint(&self.canvas, encoder, view, size, within);
        Ok(())
    }

    /// Draws the scene; returns whether it kept to its part of the view, as it was asked to.
    fn draw_scene(
        &mut self,
        app: &App,
        encoder: &mut wgpu::CommandEncoder,
        view: &wgpu::TextureView,
        frame: &Frame,
        [viewport, clip]: [[u32; 4]; 2],
        keeps_around: bool,
    ) -> Result<bool, DrawError> {
        let overlay = app.overlay(frame);
        let style = app.view.style();
        let picture = Picture {
            frame,
            camera: &app.view.camera,
            style: &style,
            overlay: &overlay,
            selected: app.view.selected,
            around: app.panel_colour(),
            size: self.size(),
            viewport,
            clip,
            scale: self.panes.scale(),
        };
        if let Some(economy) = &mut self.economy {
            economy.is_reduced = app.is_moving();
        }
        match &mut self.economy {
            Some(economy) if economy.is_reduced => {
                let upscaler = &mut economy.upscaler;
                upscaler.draw(&mut self.renderer, &self.canvas, encoder, view, &picture, keeps_around)?;
                Ok(keeps_around)
            }
            _ => {
                self.renderer.draw(&self.canvas, encoder, view, &picture)?;
                Ok(false)
            }
        }
    }
}

/// What the surface offers on the device that draws.
fn capabilities(
    instance: &wgpu::Instance,
    surface: &wgpu::Surface<'_>,
    canvas: &Canvas,
) -> wgpu::SurfaceCapabilities {
    let adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::all()));
    let own = adapters.iter().find(|adapter| tactum_gpu::Adapter::of(adapter) == canvas.adapter);
    own.map(|adapter| surface.get_capabilities(adapter)).unwrap_or_default()
}

/// A format of the surface whose colours are as a screen shows them, as the shaders write them.
fn format(
    capabilities: &wgpu::SurfaceCapabilities,
    canvas: &Canvas,
) -> Result<wgpu::TextureFormat, DrawError> {
    use wgpu::TextureFormat::{Bgra8Unorm, Rgba8Unorm};
    let found = capabilities.formats.iter().copied().find(|found| [Bgra8Unorm, Rgba8Unorm].contains(found));
    found.ok_or_else(|| DrawError::Surface {
        adapter: canvas.adapter.name.clone(),
        message: format!(
            "it offers the formats {:?}, needed is Bgra8Unorm or Rgba8Unorm",
            capabilities.formats
        ),
    })
}

/// Fills a window that has nothing to show.
fn clear(encoder: &mut wgpu::CommandEncoder, view: &wgpu::TextureView, app: &App) {
    let load = wgpu::LoadOp::Clear(clear_colour(app.panel_colour()));
    drop(encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("empty"),
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations { load, store: wgpu::StoreOp::Store },
        })],
        ..Default::default()
    }));
}
