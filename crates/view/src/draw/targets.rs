//! Textures that a picture is drawn into, made anew when its size changes.

use super::bindings::Bindings;
use super::pipelines::{DEPTH, MASK};
use super::texture::texture;

/// Textures of one size.
#[derive(Debug)]
pub struct Targets {
    pub size: [u32; 2],
    /// Several samples a pixel; `None` where one is enough.
    pub colour: Option<wgpu::TextureView>,
    pub depth: wgpu::TextureView,
    pub mask: wgpu::TextureView,
    /// What the outline sees: the mask.
    pub outline_group: wgpu::BindGroup,
}

impl Targets {
    pub fn new(
        device: &wgpu::Device,
        size: [u32; 2],
        format: wgpu::TextureFormat,
        samples: u32,
        bindings: &Bindings,
    ) -> Self {
        let attachment = wgpu::TextureUsages::RENDER_ATTACHMENT;
        let sampled = attachment | wgpu::TextureUsages::TEXTURE_BINDING;
        let mask = texture(device, "mask", size, MASK, 1, sampled);
        Self {
            size,
            colour: (samples > 1).then(|| texture(device, "colour", size, format, samples, attachment)),
            depth: texture(device, "depth", size, DEPTH, samples, attachment),
            outline_group: bindings.outline_group(device, &mask),
            mask,
        }
    }
}
