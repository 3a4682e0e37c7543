//! Pictures drawn with a half or a third of the pixels along each side, for a processor that draws while it simulates.

use std::ops::RangeInclusive;
use std::time::Duration;

use super::texture::texture;
use super::{Canvas, DrawError, Picture, Renderer};

/// Pixels of the window for each pixel drawn, along each side.
const REDUCTIONS: RangeInclusive<u32> = 2..=3;

/// Mean time of a picture above which there are fewer pixels, and below which there are more. A picture with a third of the
/// pixels along each side takes half the time, so the two do not chase each other.
const BOUNDS: [Duration; 2] = [Duration::from_millis(45), Duration::from_millis(15)];

/// Weight of the last picture in the mean.
const WEIGHT: f32 = 0.1;

/// Draws small and spreads.
#[derive(Debug)]
pub struct Upscaler {
    format: wgpu::TextureFormat,
    layout: wgpu::BindGroupLayout,
    pipeline: wgpu::RenderPipeline,
    sampler: wgpu::Sampler,
    pace: Pace,
    small: Option<Small>,
}

/// A target with fewer pixels, and what spreads it.
#[derive(Debug)]
struct Small {
    size: [u32; 2],
    view: wgpu::TextureView,
    group: wgpu::BindGroup,
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
        Self { format, layout, pipeline, sampler, pace: Pace::new(), small: None }
    }

    /// Takes note of how long the last picture took.
    pub fn took(&mut self, time: Duration) {
        self.pace.took(time);
    }

    /// Records the drawing of a picture with fewer pixels into the picture's viewport. What is around it keeps its colours
    /// if `keeps_around` says so.
    ///
    /// # Errors
    /// As [`Renderer::draw`].
    pub fn draw(
        &mut self,
        renderer: &mut Renderer,
        canvas: &Canvas,
        encoder: &mut wgpu::CommandEncoder,
        view: &wgpu::TextureView,
        picture: &Picture<'_>,
        keeps_around: bool,
    ) -> Result<(), DrawError> {
        let [x, y, width, height] = picture.viewport;
        let [left, top, clip_width, clip_height] = picture.clip;
        let reduction = self.pace.reduction;
        let size = [width.div_ceil(reduction), height.div_ceil(reduction)];
        let known = self.small.take().filter(|small| small.size == size);
        let small = known.unwrap_or_else(|| self.target(&canvas.device, size));
        let reduced = Picture {
            size,
            viewport: [0, 0, size[0], size[1]],
            clip: [0, 0, size[0], size[1]],
            scale: picture.scale / reduction as f32,
            ..*picture
        };
        renderer.draw(canvas, encoder, &small.view, &reduced)?;
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
        pass.set_scissor_rect(left, top, clip_width, clip_height);
        pass.set_bind_group(0, &small.group, &[]);
        pass.set_pipeline(&self.pipeline);
        pass.draw(0..3, 0..1);
        drop(pass);
        self.small = Some(small);
        Ok(())
    }

    fn target(&self, device: &wgpu::Device, size: [u32; 2]) -> Small {
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
        Small { size, view, group }
    }
}

/// How many pixels there is time for.
#[derive(Debug)]
struct Pace {
    reduction: u32,
    mean: Duration,
}

impl Pace {
    fn new() -> Self {
        Self { reduction: *REDUCTIONS.start(), mean: Self::middle() }
    }

    /// The mean to begin with: no reason for a change.
    fn middle() -> Duration {
        (BOUNDS[0] + BOUNDS[1]) / 2
    }

    fn took(&mut self, time: Duration) {
        self.mean = self.mean.mul_f32(1.0 - WEIGHT) + time.mul_f32(WEIGHT);
        let wanted = match self.mean {
            mean if mean > BOUNDS[0] => self.reduction + 1,
            mean if mean < BOUNDS[1] => self.reduction - 1,
            _ => return,
        };
        if REDUCTIONS.contains(&wanted) {
            (self.reduction, self.mean) = (wanted, Self::middle());
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_are_as_many_as_there_is_time_for() {
        let mut pace = Pace::new();
        let mut after = |ms: u64, n: u32| {
            (0..n).for_each(|_| pace.took(Duration::from_millis(ms)));
            pace.reduction
        };
        // One slow picture is no reason, many are.
        assert_eq!([after(100, 1), after(100, 30), after(1000, 30)], [2, 3, 3]);
        // Between the bounds nothing changes.
        assert_eq!([after(30, 100), after(5, 1), after(5, 60), after(5, 60)], [3, 3, 2, 2]);
    }
}
