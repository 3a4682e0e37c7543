//! Draws a frame of the simulation: the same for the window and for pictures without one.
//!
//! | module | what it holds |
//! |---|---|
//! | `canvas` | the device that draws |
//! | `scene` | a frame as the device sees it: what is solid, what is glass, light, ground |
//! | `buffers` | buffers that grow, surfaces, and bodies |
//! | `planes` | the ground |
//! | `hiding` | bodies at rest that hide those that move |
//! | `marks` | marks as corners of triangles |
//! | `pipelines` | which shader draws what, over or behind what |
//! | `backing_store` | a copy of the window that stays from picture to picture |
//! | `targets` | textures that are drawn into |
//! | `texture` | how a texture is made |
//! | `upscale` | pictures with fewer pixels, where the processor draws |
//! | `bindings` | what the shaders see besides vertices |
//!
//! Depth is stored in reverse, 1 near and 0 far, so that 32 bits resolve a millimetre beside a kilometre.

mod backing_store;
mod bindings;
mod buffers;
mod canvas;
mod hiding;
mod marks;
mod pipelines;
mod planes;
mod scene;
mod targets;
mod texture;
mod upscale;

use std::ops::Range;

use wgpu::{
    Color, LoadOp, Operations, RenderPass, RenderPassColorAttachment, RenderPassDepthStencilAttachment,
    RenderPassDescriptor, StoreOp,
};

use crate::camera::Camera;
use crate::frame::Frame;
use crate::overlay::Overlay;
use crate::palette::{Rgb, Theme};
use bindings::Bindings;
use buffers::{Growing, Indices, SurfaceBuffers};
use marks::Marks;
use pipelines::{Kind, Pipelines};
use planes::Parts;
use scene::{Batch, Prepared, Surfaces};
use targets::Targets;

pub use backing_store::BackingStore;
pub use canvas::{Canvas, DrawError, instance};
pub use upscale::Upscaler;

/// Effort put into a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quality {
    /// Samples a pixel, 1 or 4.
    pub samples: u32,
    /// Side of the shadow map \[texels\].
    pub shadow_map: u32,
    /// Whether the borders of shadows are softened.
    pub has_soft_shadows: bool,
    /// By how much corners of bodies may be moved to draw fewer triangles \[pixels\]; 0 for not at all.
    pub roughness: f64,
}

impl Quality {
    /// For pictures that are looked at for long.
    pub const FINE: Self = Self { samples: 4, shadow_map: 4096, has_soft_shadows: true, roughness: 0.0 };

    /// For the window on graphics hardware.
    pub const WINDOW: Self = Self { samples: 4, shadow_map: 2048, has_soft_shadows: true, roughness: 1.0 };

    /// For the window where the processor draws.
    pub const PLAIN: Self = Self { samples: 1, shadow_map: 768, has_soft_shadows: false, roughness: 4.0 };
}

/// How bodies are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    /// Colours of the surroundings.
    pub theme: Theme,
    /// Opacity of bodies that move, 0 to 1.
    pub opacity: f32,
    /// Opacity of bodies that do not.
    pub fixed_opacity: f32,
    /// Whether bodies at rest that hide those that move are drawn faintly.
    pub sees_into: bool,
    /// Whether edges are drawn.
    pub wireframe: bool,
    /// Whether bodies cast shadows.
    pub shadows: bool,
    /// Whether the ground has a grid.
    pub grid: bool,
    /// Height of the sheet that a scene without ground of its own stands on \[m\].
    pub floor: f64,
}

impl Default for Style {
    fn default() -> Self {
        Self {
            theme: Theme::default(),
            opacity: 1.0,
            fixed_opacity: 1.0,
            sees_into: true,
            wireframe: false,
            shadows: true,
            grid: true,
            floor: 0.0,
        }
    }
}

/// What a picture shows.
#[derive(Clone, Copy, Debug)]
pub struct Picture<'a> {
    /// The frame.
    pub frame: &'a Frame,
    /// Where it is looked at from.
    pub camera: &'a Camera,
    /// How bodies are drawn.
    pub style: &'a Style,
    /// Marks over it.
    pub overlay: &'a Overlay,
    /// The body with an outline.
    pub selected: Option<u32>,
    /// Width and height of the target \[pixels\].
    pub size: [u32; 2],
    /// The part of the target that the camera's picture fills: x, y, width, height \[pixels\].
    pub viewport: [u32; 4],
    /// The part of it that is drawn, the rest being under panels \[pixels\].
    pub clip: [u32; 4],
    /// Colour of the rest of the target.
    pub around: Rgb,
    /// Pixels per point: widths of lines are in points.
    pub scale: f32,
}

/// Draws pictures.
#[derive(Debug)]
pub struct Renderer {
    format: wgpu::TextureFormat,
    quality: Quality,
    pipelines: Pipelines,
    bindings: Bindings,
    targets: Option<Targets>,
    surfaces: Surfaces,
    bodies: Growing,
    bodies_group: Option<wgpu::BindGroup>,
    planes: Growing,
    strokes: Growing,
    areas: Growing,
    arrows: Growing,
}

impl Renderer {
    /// A renderer for targets of a format.
    pub fn new(canvas: &Canvas, format: wgpu::TextureFormat, quality: Quality) -> Self {
        let device = &canvas.device;
        let bindings = Bindings::new(device, quality.shadow_map);
        let kind = Kind {
            device,
            format,
            samples: quality.samples,
            has_soft_shadows: quality.has_soft_shadows,
            scene: &bindings.scene_layout,
            bodies: &bindings.bodies_layout,
            outline: &bindings.outline_layout,
        };
        let corners = |label| Growing::new(label, wgpu::BufferUsages::VERTEX);
        Self {
            format,
            quality,
            pipelines: Pipelines::new(&kind),
            targets: None,
            surfaces: Surfaces::default(),
            bodies: Growing::new("bodies", wgpu::BufferUsages::STORAGE),
            bodies_group: None,
            planes: corners("grounds"),
            strokes: corners("strokes"),
            areas: corners("areas"),
            arrows: corners("arrows"),
            bindings,
        }
    }

    /// Records the drawing of a picture into a view of its size and this renderer's format.
    ///
    /// # Errors
    /// If there is more to draw than the device can hold, or a body has no surface.
    pub fn draw(
        &mut self,
        canvas: &Canvas,
        encoder: &mut wgpu::CommandEncoder,
        view: &wgpu::TextureView,
        picture: &Picture<'_>,
    ) -> Result<(), DrawError> {
        let prepared = Prepared::new(picture, &self.quality);
        self.send(canvas, picture, &prepared)?;
        let known = self.targets.take().filter(|targets| targets.size == picture.size);
        let targets = known.unwrap_or_else(|| self.make_targets(&canvas.device, picture.size));
        if picture.style.shadows {
            self.draw_shadows(encoder, &prepared)?;
        }
        self.draw_scene(encoder, view, &prepared, &targets)?;
        if let Some(batch) = &prepared.selected {
            self.draw_outline(encoder, view, batch, &prepared, &targets)?;
        }
        self.targets = Some(targets);
        Ok(())
    }

    /// Sends what a picture shows to the device.
    fn send(&mut self, canvas: &Canvas, picture: &Picture<'_>, prepared: &Prepared) -> Result<(), DrawError> {
        let (device, queue) = (&canvas.device, &canvas.queue);
        self.surfaces.keep(device, queue, picture.frame)?;
        let marks = Marks::of(picture);
        if self.bodies.write(device, queue, &prepared.bodies)? {
            let group = |bodies: &wgpu::Buffer| self.bindings.bodies_group(device, bodies);
            self.bodies_group = self.bodies.get().map(group);
        }
        self.planes.write(device, queue, &prepared.planes.parts)?;
        self.strokes.write(device, queue, &marks.strokes)?;
        self.areas.write(device, queue, &marks.areas)?;
        self.arrows.write(device, queue, &marks.arrows)?;
        self.bindings.write(queue, &prepared.globals, picture);
        Ok(())
    }

    fn make_targets(&self, device: &wgpu::Device, size: [u32; 2]) -> Targets {
        Targets::new(device, size, self.format, self.quality.samples, &self.bindings)
    }

    fn draw_shadows(&self, encoder: &mut wgpu::CommandEncoder, prepared: &Prepared) -> Result<(), DrawError> {
        let mut pass = encoder.begin_render_pass(&RenderPassDescriptor {
            label: Some("shadows"),
            color_attachments: &[],
            depth_stencil_attachment: Some(depth(&self.bindings.shadow_map, 1.0, StoreOp::Store)),
            ..Default::default()
        });
        pass.set_bind_group(0, &self.bindings.globals_group, &[]);
        pass.set_pipeline(&self.pipelines.shadow);
        let cast = prepared.solid.iter().chain(&prepared.glass_shadows);
        cast.into_iter().try_for_each(|batch| self.draw_batch(&mut pass, batch, triangles))
    }

    fn draw_scene(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        view: &wgpu::TextureView,
        prepared: &Prepared,
        targets: &Targets,
    ) -> Result<(), DrawError> {
        let (target, resolve_target) = match &targets.colour {
            Some(samples) => (samples, Some(view)),
            None => (view, None),
        };
        let colour = RenderPassColorAttachment {
            view: target,
            depth_slice: None,
            resolve_target,
            ops: Operations { load: LoadOp::Clear(clear_colour(prepared.around)), store: StoreOp::Store },
        };
        let mut pass = encoder.begin_render_pass(&RenderPassDescriptor {
            label: Some("scene"),
            color_attachments: &[Some(colour)],
            depth_stencil_attachment: Some(depth(&targets.depth, 0.0, StoreOp::Discard)),
            ..Default::default()
        });
        pass.set_bind_group(0, &self.bindings.scene_group, &[]);
        set_viewport(&mut pass, prepared.viewport, prepared.clip);
        pass.set_pipeline(&self.pipelines.background);
        pass.draw(0..3, 0..1);
        self.draw_planes(&mut pass, &self.pipelines.sheer_ground, &prepared.planes.sheer);
        pass.set_pipeline(&self.pipelines.body);
        prepared.solid.iter().try_for_each(|batch| self.draw_batch(&mut pass, batch, triangles))?;
        self.draw_planes(&mut pass, &self.pipelines.ground, &prepared.planes.firm);
        if prepared.has_edges {
            pass.set_pipeline(&self.pipelines.edges);
            let all = prepared.solid.iter().chain(&prepared.glass);
            all.into_iter().try_for_each(|batch| self.draw_batch(&mut pass, batch, edges))?;
        }
        for batch in &prepared.glass {
            if batch.has_far_side {
                pass.set_pipeline(&self.pipelines.glass_back);
                self.draw_batch(&mut pass, batch, triangles)?;
            }
            pass.set_pipeline(&self.pipelines.glass_front);
            self.draw_batch(&mut pass, batch, triangles)?;
        }
        for marks in self.pipelines.marks.iter().rev() {
            draw_corners(&mut pass, &marks.areas, &self.areas);
            draw_corners(&mut pass, &marks.arrows, &self.arrows);
            draw_corners(&mut pass, &marks.strokes, &self.strokes);
        }
        Ok(())
    }

    fn draw_planes(&self, pass: &mut RenderPass<'_>, [near, far]: &[wgpu::RenderPipeline; 2], parts: &Parts) {
        let Some(planes) = self.planes.get() else { return };
        pass.set_vertex_buffer(0, planes.slice(..));
        for (pipeline, part) in [(near, &parts.near), (far, &parts.far)] {
            pass.set_pipeline(pipeline);
            pass.draw(0..6, part.clone());
        }
    }

    fn draw_outline(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        view: &wgpu::TextureView,
        batch: &Batch,
        prepared: &Prepared,
        targets: &Targets,
    ) -> Result<(), DrawError> {
        let colour = |view, load| {
            let ops = Operations { load, store: StoreOp::Store };
            Some(RenderPassColorAttachment { view, depth_slice: None, resolve_target: None, ops })
        };
        let mut pass = encoder.begin_render_pass(&RenderPassDescriptor {
            label: Some("mask"),
            color_attachments: &[colour(&targets.mask, LoadOp::Clear(Color::BLACK))],
            ..Default::default()
        });
        pass.set_bind_group(0, &self.bindings.globals_group, &[]);
        set_viewport(&mut pass, prepared.viewport, prepared.clip);
        pass.set_pipeline(&self.pipelines.mask);
        self.draw_batch(&mut pass, batch, triangles)?;
        drop(pass);
        let mut pass = encoder.begin_render_pass(&RenderPassDescriptor {
            label: Some("outline"),
            color_attachments: &[colour(view, LoadOp::Load)],
            ..Default::default()
        });
        let [x, y, width, height] = batch.pixels;
        pass.set_scissor_rect(x, y, width, height);
        pass.set_bind_group(0, &targets.outline_group, &[]);
        pass.set_pipeline(&self.pipelines.outline);
        pass.draw(0..3, 0..1);
        Ok(())
    }

    /// Draws bodies of one surface: their triangles, or their edges.
    fn draw_batch(
        &self,
        pass: &mut RenderPass<'_>,
        batch: &Batch,
        part: fn(&SurfaceBuffers) -> &Indices,
    ) -> Result<(), DrawError> {
        let surface = self.surfaces.get(batch)?;
        let indices = part(surface);
        pass.set_bind_group(1, &self.bodies_group, &[]);
        pass.set_vertex_buffer(0, surface.corners.slice(..));
        pass.set_index_buffer(indices.buffer.slice(..), wgpu::IndexFormat::Uint32);
        let Range { start, end } = batch.bodies;
        for first in (start..end).step_by(surface.n_copies as usize) {
            let n = surface.n_copies.min(end - first);
            pass.draw_indexed(0..n * indices.n, 0, first..first + 1);
        }
        Ok(())
    }
}

fn triangles(surface: &SurfaceBuffers) -> &Indices {
    &surface.triangles
}

fn edges(surface: &SurfaceBuffers) -> &Indices {
    &surface.edges
}

/// Colour of the outline of a selected body.
const OUTLINE: Rgb = crate::palette::mark::ORANGE;

/// A colour as the device clears with it.
pub fn clear_colour(colour: Rgb) -> Color {
    let [r, g, b] = colour.map(f64::from);
    Color { r, g, b, a: 1.0 }
}

fn set_viewport(pass: &mut RenderPass<'_>, [x, y, width, height]: [u32; 4], clip: [u32; 4]) {
    pass.set_viewport(x as f32, y as f32, width as f32, height as f32, 0.0, 1.0);
    let [x, y, width, height] = clip;
    pass.set_scissor_rect(x, y, width, height);
}

fn depth(view: &wgpu::TextureView, clear: f32, store: StoreOp) -> RenderPassDepthStencilAttachment<'_> {
    let depth_ops = Some(Operations { load: LoadOp::Clear(clear), store });
    RenderPassDepthStencilAttachment { view, depth_ops, stencil_ops: None }
}

fn draw_corners(pass: &mut RenderPass<'_>, pipeline: &wgpu::RenderPipeline, corners: &Growing) {
    if let Some(buffer) = corners.get() {
        pass.set_pipeline(pipeline);
        pass.set_vertex_buffer(0, buffer.slice(..));
        pass.draw(0..corners.n, 0..1);
    }
}
