//! Pictures drawn with half the pixels along each side, for a processor that draws while it simulates.

use super::targets::texture;
use super::{Canvas, Picture, Renderer};

/// Pixels of the window for each pixel drawn, along each side.
const REDUCTION: u32 = 2;

/// Draws small and spreads.
#[derive(Debug)]
pub struct Upscaler {
    format: wgpu::TextureFormat,
    layout: wgpu::BindGroupLayout,
    pipeline: wgpu::RenderPipeline,
    sampler: wgpu::Sampler,
    small: Option<([u32; 2], wgpu::TextureView, wgpu::BindGroup)>,
}

impl Upscaler {
    /// An upscaler for targets of a format.
    pub fn new(canvas: &Canvas, format: wgpu::TextureFormat) -> Self {
        let device = &canvas.device;
        let entry = |binding, ty| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::FRAGMENT,
            ty,
            count: None,
        };
        let colour = wgpu::BindingType::Texture {
            sample_type: wgpu::TextureSampleType::Float { filterable: true },
            view_dimension: wgpu::TextureViewDimension::D2,
            multisampled: false,
        };
        let filtering = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering);
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("upscale"),
            entries: &[entry(0, colour), entry(1, filtering)],
        });
        let pipeline = pipeline(device, &layout, format);
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("upscale"),
            mag_filter: wgpu::FilterMode::Linear,
            ..Default::default()
        });
        Self { format, layout, pipeline, sampler, small: None }
    }

    /// Records the drawing of a picture with fewer pixels into the picture's viewport. What is around it keeps its colours
    /// if `keeps_around` says so.
    pub fn draw(
        &mut self,
        renderer: &mut Renderer,
        canvas: &Canvas,
        encoder: &mut wgpu::CommandEncoder,
        view: &wgpu::TextureView,
        picture: &Picture<'_>,
        keeps_around: bool,
    ) {
        let [x, y, width, height] = picture.viewport;
        let size = [width.div_ceil(REDUCTION), height.div_ceil(REDUCTION)];
        if self.small.as_ref().is_none_or(|(known, ..)| *known != size) {
            self.small = Some(self.target(&canvas.device, size));
        }
        let Some((_, small, group)) = &self.small else { return };
        let reduced = Picture {
            size,
            viewport: [0, 0, size[0], size[1]],
            scale: picture.scale / REDUCTION as f32,
            ..*picture
        };
        renderer.draw(canvas, encoder, small, &reduced);
        let load = if keeps_around {
            wgpu::LoadOp::Load
        } else {
            wgpu::LoadOp::Clear(super::clear_colour(picture.around))
        };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("upscale"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load, store: wgpu::StoreOp::Store },
            })],
            ..Default::default()
        });
        pass.set_viewport(x as f32, y as f32, width as f32, height as f32, 0.0, 1.0);
        pass.set_bind_group(0, group, &[]);
        pass.set_pipeline(&self.pipeline);
        pass.draw(0..3, 0..1);
    }

    fn target(
        &self,
        device: &wgpu::Device,
        size: [u32; 2],
    ) -> ([u32; 2], wgpu::TextureView, wgpu::BindGroup) {
        let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING;
        let view = texture(device, "small picture", size, self.format, 1, usage);
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("upscale"),
            layout: &self.layout,
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::TextureView(&view) },
                wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::Sampler(&self.sampler) },
            ],
        });
        (size, view, group)
    }
}

fn pipeline(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    format: wgpu::TextureFormat,
) -> wgpu::RenderPipeline {
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some("upscale"),
        source: wgpu::ShaderSource::Wgsl(include_str!("upscale.wgsl").into()),
    });
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some("upscale"),
        bind_group_layouts: &[Some(layout)],
        immediate_size: 0,
    });
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("upscale"),
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: Some("vs_upscale"),
            compilation_options: Default::default(),
            buffers: &[],
        },
        primitive: wgpu::PrimitiveState::default(),
        depth_stencil: None,
        multisample: wgpu::MultisampleState::default(),
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: Some("fs_upscale"),
            compilation_options: Default::default(),
            targets: &[Some(format.into())],
        }),
        multiview_mask: None,
        cache: None,
    })
}
