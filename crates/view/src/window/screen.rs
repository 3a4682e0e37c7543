//! The window's surface and what draws into it.

use std::sync::Arc;
use std::time::Duration;

use egui::ViewportId;
use egui_wgpu::{RendererOptions, ScreenDescriptor};
use wgpu::CurrentSurfaceTexture;
use winit::event::WindowEvent;
use winit::event_loop::OwnedDisplayHandle;
use winit::window::Window;

use super::WindowError;
use super::app::App;
use crate::draw::{Canvas, DrawError, Picture, Quality, Renderer, Upscaler, clear_colour, instance};
use crate::legend::paint_jobs;

/// Time after the last motion at which a picture may take longer.
const SETTLED: Duration = Duration::from_millis(350);

/// A window that can be drawn into.
pub struct Screen {
    window: Arc<Window>,
    surface: wgpu::Surface<'static>,
    configuration: wgpu::SurfaceConfiguration,
    canvas: Canvas,
    renderer: Renderer,
    /// Where the processor draws.
    upscaler: Option<Upscaler>,
    panels: egui_wgpu::Renderer,
    input: egui_winit::State,
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
        let found = instance_adapter_formats(&instance, &surface, &canvas)?;
        let size = window.inner_size();
        let max = canvas.max_side();
        let configuration = wgpu::SurfaceConfiguration {
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
            format: found,
            color_space: Default::default(),
            width: size.width.clamp(1, max),
            height: size.height.clamp(1, max),
            present_mode: wgpu::PresentMode::AutoVsync,
            desired_maximum_frame_latency: 2,
            alpha_mode: wgpu::CompositeAlphaMode::Auto,
            view_formats: Vec::new(),
        };
        surface.configure(&canvas.device, &configuration);
        let is_software = canvas.adapter.is_software();
        let quality = if is_software { Quality::PLAIN } else { Quality::WINDOW };
        let upscaler = is_software.then(|| Upscaler::new(&canvas, found));
        let renderer = Renderer::new(&canvas, found, quality);
        let options = RendererOptions { dithering: false, ..RendererOptions::default() };
        let panels = egui_wgpu::Renderer::new(&canvas.device, found, options);
        let max_side = canvas.max_side() as usize;
        let scale = window.scale_factor() as f32;
        let input = egui_winit::State::new(
            context.clone(),
            ViewportId::ROOT,
            &window,
            Some(scale),
            window.theme(),
            Some(max_side),
        );
        Ok(Self { window, surface, configuration, canvas, renderer, upscaler, panels, input })
    }

    /// The window.
    pub fn window(&self) -> &Window {
        &self.window
    }

    /// Whether the processor draws.
    pub fn is_software(&self) -> bool {
        self.canvas.adapter.is_software()
    }

    /// The device that draws, in words.
    pub fn device(&self) -> String {
        self.canvas.adapter.to_string()
    }

    /// Takes on a size; returns whether it is another one.
    pub fn resize(&mut self, [width, height]: [u32; 2]) -> bool {
        let max = self.canvas.max_side();
        let size = [width.clamp(1, max), height.clamp(1, max)];
        if size == [self.configuration.width, self.configuration.height] {
            return false;
        }
        [self.configuration.width, self.configuration.height] = size;
        self.surface.configure(&self.canvas.device, &self.configuration);
        true
    }

    /// Hands an event to the panels; returns whether a picture is wanted for it.
    pub fn take(&mut self, event: &WindowEvent) -> bool {
        self.input.on_window_event(&self.window, event).repaint
    }

    /// Draws the scene and the panels over it; returns after which time the next picture is wanted without any event.
    pub fn draw(&mut self, app: &mut App) -> Result<Duration, DrawError> {
        self.canvas.check()?;
        app.begin_picture();
        let input = self.input.take_egui_input(&self.window);
        let context = app.context().clone();
        let mut output = context.run_ui(input, |ui| app.ui(ui));
        self.input.handle_platform_output(&self.window, output.platform_output);
        let root = output.viewport_output.get(&ViewportId::ROOT);
        let after = root.map_or(Duration::MAX, |viewport| viewport.repaint_delay);
        if let Some(title) = app.title() {
            self.window.set_title(&title);
        }
        let texture = match self.surface.get_current_texture() {
            CurrentSurfaceTexture::Success(texture) | CurrentSurfaceTexture::Suboptimal(texture) => texture,
            CurrentSurfaceTexture::Timeout | CurrentSurfaceTexture::Occluded => {
                self.keep_textures(&mut output.textures_delta);
                return Ok(after.max(Duration::from_millis(100)));
            }
            CurrentSurfaceTexture::Outdated | CurrentSurfaceTexture::Lost => {
                self.keep_textures(&mut output.textures_delta);
                self.surface.configure(&self.canvas.device, &self.configuration);
                return Ok(Duration::ZERO);
            }
            CurrentSurfaceTexture::Validation => {
                output.textures_delta.clear();
                self.canvas.check()?;
                return Err(DrawError::Failed("it refused the window's surface".to_owned()));
            }
        };
        let view = texture.texture.create_view(&wgpu::TextureViewDescriptor::default());
        let mut encoder =
            self.canvas.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let size = [self.configuration.width, self.configuration.height];
        let scale = output.pixels_per_point;
        self.draw_scene(app, &mut encoder, &view, size, scale);
        let jobs = context.tessellate(std::mem::take(&mut output.shapes), scale);
        let screen = ScreenDescriptor { size_in_pixels: size, pixels_per_point: scale };
        let textures = &mut output.textures_delta;
        paint_jobs(&mut self.panels, &self.canvas, &mut encoder, &view, textures, &jobs, &screen);
        self.canvas.queue.submit([encoder.finish()]);
        self.window.pre_present_notify();
        self.canvas.queue.present(texture);
        app.count_picture();
        // What was drawn with fewer pixels is drawn with all of them as soon as it stands still.
        Ok(if self.is_software() && app.is_moving() { after.min(SETTLED) } else { after })
    }

    fn draw_scene(
        &mut self,
        app: &App,
        encoder: &mut wgpu::CommandEncoder,
        view: &wgpu::TextureView,
        size: [u32; 2],
        scale: f32,
    ) {
        let (Some(frame), Some(viewport)) = (app.shown_frame(), app.viewport(size, scale)) else {
            clear(encoder, view, app);
            return;
        };
        let overlay = app.overlay(&frame);
        let style = app.view.style();
        let picture = Picture {
            frame: &frame,
            camera: &app.view.camera,
            style: &style,
            overlay: &overlay,
            selected: app.view.selected,
            around: app.panel_colour(),
            size,
            viewport,
            scale,
        };
        match &mut self.upscaler {
            Some(upscaler) if app.is_moving() => {
                upscaler.draw(&mut self.renderer, &self.canvas, encoder, view, &picture);
            }
            _ => self.renderer.draw(&self.canvas, encoder, view, &picture),
        }
    }

    /// Takes over textures of a pass that is not painted.
    fn keep_textures(&mut self, textures: &mut egui::TexturesDelta) {
        for (id, deltas) in &textures.set {
            for delta in deltas {
                self.panels.update_texture(&self.canvas.device, &self.canvas.queue, *id, delta);
            }
        }
        textures.clear();
    }
}

/// A format of the surface whose colours are as a screen shows them, as the shaders write them.
fn instance_adapter_formats(
    instance: &wgpu::Instance,
    surface: &wgpu::Surface<'_>,
    canvas: &Canvas,
) -> Result<wgpu::TextureFormat, DrawError> {
    use wgpu::TextureFormat::{Bgra8Unorm, Rgba8Unorm};
    let adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::all()));
    let own = adapters.iter().find(|adapter| tactum_gpu::Adapter::of(adapter) == canvas.adapter);
    let formats = own.map(|adapter| surface.get_capabilities(adapter).formats).unwrap_or_default();
    formats.iter().copied().find(|format| [Bgra8Unorm, Rgba8Unorm].contains(format)).ok_or_else(|| {
        DrawError::Surface {
            adapter: canvas.adapter.name.clone(),
            message: format!("it offers the formats {formats:?}, needed is Bgra8Unorm or Rgba8Unorm"),
        }
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
