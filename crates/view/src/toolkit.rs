//! What the toolkit of the panels has made, onto the device that draws.

use egui::{ClippedPrimitive, TexturesDelta};
use egui_wgpu::{Renderer, RendererOptions, ScreenDescriptor};

use crate::draw::Canvas;

/// A painter for targets of a format; a predictable one reads its letters the same way on every device, which is slower.
pub fn painter(canvas: &Canvas, format: wgpu::TextureFormat, is_predictable: bool) -> Renderer {
    let options = RendererOptions {
        dithering: false,
        predictable_texture_filtering: is_predictable,
        ..Default::default()
    };
    Renderer::new(&canvas.device, format, options)
}

/// Takes over new textures and gives back old ones.
pub fn keep_textures(renderer: &mut Renderer, canvas: &Canvas, textures: &mut TexturesDelta) {
    for (id, deltas) in &textures.set {
        for delta in deltas {
            renderer.update_texture(&canvas.device, &canvas.queue, *id, delta);
        }
    }
    for id in &textures.free {
        renderer.free_texture(id);
    }
    textures.clear();
}

/// Sends triangles, which are then there to be painted until others are sent.
pub fn send(
    renderer: &mut Renderer,
    canvas: &Canvas,
    encoder: &mut wgpu::CommandEncoder,
    jobs: &[ClippedPrimitive],
    screen: &ScreenDescriptor,
) {
    let commands = renderer.update_buffers(&canvas.device, &canvas.queue, encoder, jobs, screen);
    canvas.queue.submit(commands);
}

/// Records the painting of triangles that were sent over what a view shows.
pub fn paint(
    renderer: &Renderer,
    encoder: &mut wgpu::CommandEncoder,
    view: &wgpu::TextureView,
    jobs: &[ClippedPrimitive],
    screen: &ScreenDescriptor,
) {
    let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("panels"),
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations { load: wgpu::LoadOp::Load, store: wgpu::StoreOp::Store },
        })],
        ..Default::default()
    });
    renderer.render(&mut pass.forget_lifetime(), jobs, screen);
}
