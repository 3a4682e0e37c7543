//! What the shaders see besides vertices: the globals, the shadow map, the mask of the outline.

use bytemuck::{Pod, Zeroable, bytes_of};
use wgpu::{BindGroupEntry, BindGroupLayoutEntry, BindingResource, BindingType, ShaderStages};

use super::pipelines::DEPTH;
use super::texture::texture;
use super::{OUTLINE, Picture};

/// What all shaders of a scene see; the fields are explained in `common.wgsl`.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct Globals {
    pub clip_from_target: [[f32; 4]; 4],
    pub light_from_target: [[f32; 4]; 4],
    pub eye: [f32; 4],
    pub light: [f32; 4],
    pub sky: [f32; 4],
    pub horizon: [f32; 4],
    pub ground: [f32; 4],
    pub grid: [f32; 4],
    pub picture: [f32; 4],
    pub scale: [f32; 4],
}

/// Width of the outline \[points\].
const OUTLINE_WIDTH: f32 = 2.0;

/// Layouts, groups and what is in them.
#[derive(Debug)]
pub struct Bindings {
    pub scene_layout: wgpu::PipelineLayout,
    pub bodies_layout: wgpu::PipelineLayout,
    pub outline_layout: wgpu::PipelineLayout,
    /// Globals and the shadow map.
    pub scene_group: wgpu::BindGroup,
    /// Globals alone, while the shadow map itself is drawn; the map bound is a stand-in.
    pub globals_group: wgpu::BindGroup,
    pub shadow_map: wgpu::TextureView,
    globals: wgpu::Buffer,
    outline: wgpu::Buffer,
    bodies_group_layout: wgpu::BindGroupLayout,
    outline_group_layout: wgpu::BindGroupLayout,
}

fn entry(binding: u32, ty: BindingType) -> BindGroupLayoutEntry {
    BindGroupLayoutEntry { binding, visibility: ShaderStages::VERTEX_FRAGMENT, ty, count: None }
}

const UNIFORM: BindingType = buffer(wgpu::BufferBindingType::Uniform);

const STORAGE: BindingType = buffer(wgpu::BufferBindingType::Storage { read_only: true });

const fn buffer(ty: wgpu::BufferBindingType) -> BindingType {
    BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None }
}

fn sampled(sample_type: wgpu::TextureSampleType) -> BindingType {
    BindingType::Texture { sample_type, view_dimension: wgpu::TextureViewDimension::D2, multisampled: false }
}

impl Bindings {
    pub fn new(device: &wgpu::Device, shadow_side: u32) -> Self {
        let comparison = BindingType::Sampler(wgpu::SamplerBindingType::Comparison);
        let group_layout = |label, entries: &[BindGroupLayoutEntry]| {
            device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(label), entries })
        };
        let scene = group_layout(
            "scene",
            &[entry(0, UNIFORM), entry(1, sampled(wgpu::TextureSampleType::Depth)), entry(2, comparison)],
        );
        let bodies = BindGroupLayoutEntry { visibility: ShaderStages::VERTEX, ..entry(0, STORAGE) };
        let bodies_group_layout = group_layout("bodies", &[bodies]);
        let mask = sampled(wgpu::TextureSampleType::Float { filterable: false });
        let outline_group_layout = group_layout("outline", &[entry(0, mask), entry(1, UNIFORM)]);
        let layout = |label, groups: &[Option<&wgpu::BindGroupLayout>]| {
            device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some(label),
                bind_group_layouts: groups,
                immediate_size: 0,
            })
        };
        let uniform = |label, size: usize| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: size as u64,
                usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        };
        let globals = uniform("globals", size_of::<Globals>());
        let map = |label, side| {
            let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING;
            texture(device, label, [side, side], DEPTH, 1, usage)
        };
        let shadow_map = map("shadow map", shadow_side);
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("shadow"),
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            compare: Some(wgpu::CompareFunction::LessEqual),
            ..Default::default()
        });
        let group = |label, map: &wgpu::TextureView| {
            device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some(label),
                layout: &scene,
                entries: &[
                    BindGroupEntry { binding: 0, resource: globals.as_entire_binding() },
                    BindGroupEntry { binding: 1, resource: BindingResource::TextureView(map) },
                    BindGroupEntry { binding: 2, resource: BindingResource::Sampler(&sampler) },
                ],
            })
        };
        Self {
            scene_layout: layout("scene", &[Some(&scene)]),
            bodies_layout: layout("bodies", &[Some(&scene), Some(&bodies_group_layout)]),
            outline_layout: layout("outline", &[Some(&outline_group_layout)]),
            scene_group: group("scene", &shadow_map),
            globals_group: group("globals", &map("no shadows", 1)),
            outline: uniform("outline", size_of::<[[f32; 4]; 2]>()),
            shadow_map,
            globals,
            bodies_group_layout,
            outline_group_layout,
        }
    }

    /// What bodies see besides the scene: where each of them is.
    pub fn bodies_group(&self, device: &wgpu::Device, bodies: &wgpu::Buffer) -> wgpu::BindGroup {
        device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("bodies"),
            layout: &self.bodies_group_layout,
            entries: &[BindGroupEntry { binding: 0, resource: bodies.as_entire_binding() }],
        })
    }

    /// What the outline sees: the mask of a picture's size.
    pub fn outline_group(&self, device: &wgpu::Device, mask: &wgpu::TextureView) -> wgpu::BindGroup {
        device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("outline"),
            layout: &self.outline_group_layout,
            entries: &[
                BindGroupEntry { binding: 0, resource: BindingResource::TextureView(mask) },
                BindGroupEntry { binding: 1, resource: self.outline.as_entire_binding() },
            ],
        })
    }

    /// Sends what a picture needs.
    pub fn write(&self, queue: &wgpu::Queue, globals: &Globals, picture: &Picture<'_>) {
        queue.write_buffer(&self.globals, 0, bytes_of(globals));
        let [r, g, b] = OUTLINE;
        let outline = [[r, g, b, 1.0], [OUTLINE_WIDTH * picture.scale, 0.0, 0.0, 0.0]];
        queue.write_buffer(&self.outline, 0, bytes_of(&outline));
    }
}
