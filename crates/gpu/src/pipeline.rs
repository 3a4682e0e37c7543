//! A compute pipeline for each stage, from the stage's table of bindings.

use tactum_shaders::layout::Round;
use tactum_shaders::{Access, STAGES, Stage, facets, source};

use crate::device::Device;
use crate::error::{Fault, OpenError};

/// Distance of two rounds in the uniform buffer: the alignment that every device accepts.
pub const ROUND_STRIDE: u64 = 256;

/// A stage made ready for a device.
pub struct Pipeline {
    pub layout: wgpu::BindGroupLayout,
    pub pipeline: wgpu::ComputePipeline,
}

/// What a pipeline is built from.
struct Shader {
    name: &'static str,
    text: String,
    /// How it uses its storage buffers, in the order of their numbers.
    accesses: Vec<Access>,
    /// Bytes of the numbers that it gets in the uniform buffer.
    n_round_bytes: usize,
}

/// The pipelines of all ray stages, in the order of [`STAGES`].
pub fn build_all(device: &Device) -> Result<Vec<Pipeline>, OpenError> {
    STAGES.iter().map(|stage| build(device, stage)).collect()
}

/// The pipelines of all facet stages, in the order of [`facets::STAGES`].
pub fn build_facets(device: &Device) -> Result<Vec<Pipeline>, OpenError> {
    let shader = |stage: &facets::Stage| Shader {
        name: stage.name,
        text: facets::source(stage),
        accesses: stage.bindings.iter().map(|binding| binding.access).collect(),
        n_round_bytes: size_of::<facets::layout::FacetRound>(),
    };
    facets::STAGES.iter().map(|stage| build_shader(device, shader(stage))).collect()
}

fn build(device: &Device, stage: &Stage) -> Result<Pipeline, OpenError> {
    let shader = Shader {
        name: stage.name,
        text: source(stage),
        accesses: stage.bindings.iter().map(|binding| binding.access).collect(),
        n_round_bytes: size_of::<Round>(),
    };
    build_shader(device, shader)
}

fn build_shader(device: &Device, shader: Shader) -> Result<Pipeline, OpenError> {
    let label = Some(shader.name);
    let layout = device
        .handle
        .create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label, entries: &entries(&shader) });
    let pipeline_layout = device.handle.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label,
        bind_group_layouts: &[Some(&layout)],
        immediate_size: 0,
    });
    let module = device.handle.create_shader_module(wgpu::ShaderModuleDescriptor {
        label,
        source: wgpu::ShaderSource::Wgsl(shader.text.into()),
    });
    let pipeline = device.handle.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label,
        layout: Some(&pipeline_layout),
        module: &module,
        entry_point: Some(shader.name),
        compilation_options: wgpu::PipelineCompilationOptions::default(),
        cache: None,
    });
    match device.check() {
        Ok(()) => Ok(Pipeline { layout, pipeline }),
        Err(Fault::Refused(message)) => Err(OpenError::Shader { stage: shader.name, message }),
        Err(fault) => {
            Err(OpenError::Device { adapter: device.adapter.name.clone(), message: fault.to_string() })
        }
    }
}

fn entries(shader: &Shader) -> Vec<wgpu::BindGroupLayoutEntry> {
    let entry = |binding, ty, has_dynamic_offset, min_binding_size| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Buffer { ty, has_dynamic_offset, min_binding_size },
        count: None,
    };
    let n_round_bytes = wgpu::BufferSize::new(shader.n_round_bytes as u64);
    let round = entry(0, wgpu::BufferBindingType::Uniform, true, n_round_bytes);
    let storage = (1..).zip(&shader.accesses).map(|(number, access)| {
        let read_only = *access == Access::Read;
        entry(number, wgpu::BufferBindingType::Storage { read_only }, false, None)
    });
    std::iter::once(round).chain(storage).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tactum_shaders::StageId;

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
        assert_eq!(build_all(&without_driver()).unwrap().len(), STAGES.len());
        assert_eq!(build_facets(&without_driver()).unwrap().len(), facets::STAGES.len());
    }

    fn refusal(stage: &Stage) -> (&'static str, String) {
        match build(&without_driver(), stage) {
            Err(OpenError::Shader { stage, message }) => (stage, message),
            Err(other) => panic!("{other}"),
            Ok(_) => panic!("{} was accepted", stage.name),
        }
    }

    #[test]
    fn a_faulty_shader_is_named_with_the_compilers_words() {
        let faulty = Stage {
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
        let faulty = Stage { bindings: bindings.leak(), ..*StageId::Cull.stage() };
        assert_eq!(refusal(&faulty).0, "cull");
    }
}
