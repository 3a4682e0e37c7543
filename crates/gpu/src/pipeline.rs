//! A compute pipeline for each stage, from the stage's table of bindings.

use tactum_shaders::{Access, Stage, facets, rays};

use crate::device::Device;
use crate::error::{Fault, OpenError};

/// Distance of two rounds in the uniform buffer: the alignment that every device accepts.
pub const ROUND_STRIDE: u64 = 256;

/// A stage made ready for a device.
pub struct Pipeline {
    pub layout: wgpu::BindGroupLayout,
    pub pipeline: wgpu::ComputePipeline,
}

impl Pipeline {
    /// Binds a stage's buffers, and the numbers of what is run.
    pub fn group<'a, B: Copy, T>(
        &self,
        device: &Device,
        stage: &Stage<B, T>,
        round: wgpu::BindingResource<'_>,
        buffer: impl Fn(B) -> &'a wgpu::Buffer,
    ) -> wgpu::BindGroup {
        let mut entries = vec![wgpu::BindGroupEntry { binding: 0, resource: round }];
        for (binding, bound) in (1..).zip(stage.bindings) {
            let resource = buffer(bound.buffer).as_entire_binding();
            entries.push(wgpu::BindGroupEntry { binding, resource });
        }
        let (label, layout) = (Some(stage.name), &self.layout);
        device.handle.create_bind_group(&wgpu::BindGroupDescriptor { label, layout, entries: &entries })
    }
}

/// The pipelines of all ray stages, in the order of [`rays::STAGES`].
pub fn build_rays(device: &Device) -> Result<Vec<Pipeline>, OpenError> {
    rays::STAGES.iter().map(|stage| build_ray_stage(device, stage)).collect()
}

fn build_ray_stage(device: &Device, stage: &rays::Stage) -> Result<Pipeline, OpenError> {
    build(device, stage, rays::source(stage), size_of::<rays::layout::Round>())
}

/// The pipelines of all facet stages, in the order of [`facets::STAGES`].
pub fn build_facets(device: &Device) -> Result<Vec<Pipeline>, OpenError> {
    let n_round_bytes = size_of::<facets::layout::FacetRound>();
    facets::STAGES.iter().map(|stage| build(device, stage, facets::source(stage), n_round_bytes)).collect()
}

/// The pipeline of a stage of any question, whose numbers in the uniform buffer take so many bytes.
fn build<B, T>(
    device: &Device,
    stage: &Stage<B, T>,
    text: String,
    n_round_bytes: usize,
) -> Result<Pipeline, OpenError> {
    let label = Some(stage.name);
    let layout = device.handle.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label,
        entries: &entries(stage, n_round_bytes),
    });
    let pipeline_layout = device.handle.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label,
        bind_group_layouts: &[Some(&layout)],
        immediate_size: 0,
    });
    let module = device.handle.create_shader_module(wgpu::ShaderModuleDescriptor {
        label,
        source: wgpu::ShaderSource::Wgsl(text.into()),
    });
    let pipeline = device.handle.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label,
        layout: Some(&pipeline_layout),
        module: &module,
        entry_point: Some(stage.name),
        compilation_options: wgpu::PipelineCompilationOptions::default(),
        cache: None,
    });
    match device.check() {
        Ok(()) => Ok(Pipeline { layout, pipeline }),
        Err(Fault::Refused(message)) => Err(OpenError::Shader { stage: stage.name, message }),
        Err(fault) => {
            Err(OpenError::Device { adapter: device.adapter.name.clone(), message: fault.to_string() })
        }
    }
}

fn entries<B, T>(stage: &Stage<B, T>, n_round_bytes: usize) -> Vec<wgpu::BindGroupLayoutEntry> {
    let entry = |binding, ty, has_dynamic_offset, min_binding_size| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Buffer { ty, has_dynamic_offset, min_binding_size },
        count: None,
    };
    let n_round_bytes = wgpu::BufferSize::new(n_round_bytes as u64);
    let round = entry(0, wgpu::BufferBindingType::Uniform, true, n_round_bytes);
    let storage = (1..).zip(stage.bindings).map(|(number, bound)| {
        let read_only = bound.access == Access::Read;
        entry(number, wgpu::BufferBindingType::Storage { read_only }, false, None)
    });
    std::iter::once(round).chain(storage).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tactum_shaders::rays::StageId;

    /// wgpu's own checks without any driver.
    fn without_driver() -> Device {
        let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
        descriptor.backends = wgpu::Backends::NOOP;
        descriptor.backend_options.noop.enable = true;
        let found =
            pollster::block_on(wgpu::Instance::new(descriptor).enumerate_adapters(wgpu::Backends::NOOP));
        Device::of(&found[0]).unwrap()
    }

    #[test]
    fn every_stage_agrees_with_its_table_of_bindings() {
        assert_eq!(build_rays(&without_driver()).unwrap().len(), rays::STAGES.len());
        assert_eq!(build_facets(&without_driver()).unwrap().len(), facets::STAGES.len());
    }

    fn refusal(stage: &rays::Stage) -> (&'static str, String) {
        match build_ray_stage(&without_driver(), stage) {
            Err(OpenError::Shader { stage, message }) => (stage, message),
            Err(other) => panic!("{other}"),
            Ok(_) => panic!("{} was accepted", stage.name),
        }
    }

    #[test]
    fn a_faulty_shader_is_named_with_the_compilers_words() {
        let faulty = rays::Stage {
            shader: "@compute @workgroup_size(1) fn reduce() { nonsense(); }",
            ..*StageId::Reduce.stage()
        };
        let (stage, message) = refusal(&faulty);
        assert_eq!(stage, "reduce");
        assert!(message.contains("nonsense"), "{message}");
    }

    #[test]
    fn a_binding_that_the_table_calls_read_only_cannot_be_written() {
        let bindings: Vec<_> = StageId::Cull
            .stage()
            .bindings
            .iter()
            .map(|binding| tactum_shaders::Binding { access: Access::Read, ..*binding })
            .collect();
        let faulty = rays::Stage { bindings: bindings.leak(), ..*StageId::Cull.stage() };
        assert_eq!(refusal(&faulty).0, "cull");
    }
}
