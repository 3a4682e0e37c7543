//! Textures that a picture is drawn into, made anew when its size changes.

use super::bindings::Bindings;
use super::pipelines::{DEPTH, MASK};

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

/// A texture's view.
pub fn texture(
    device: &wgpu::Device,
    label: &str,
    [width, height]: [u32; 2],
    format: wgpu::TextureFormat,
    sample_count: u32,
    usage: wgpu::TextureUsages,
) -> wgpu::TextureView {
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage,
        view_formats: &[],
    });
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}
