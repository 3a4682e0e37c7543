//! The pipelines: which shader draws what, over or behind what.

use wgpu::{
    BlendState, ColorTargetState, ColorWrites, CompareFunction, DepthBiasState, DepthStencilState, Face,
    FragmentState, MultisampleState, PrimitiveState, PrimitiveTopology, RenderPipeline,
    RenderPipelineDescriptor, ShaderModule, StencilState, TextureFormat, VertexAttribute, VertexBufferLayout,
    VertexFormat, VertexState, VertexStepMode,
};

use super::buffers::{Corner, PlaneInstance};
use super::marks::{AreaCorner, ArrowCorner, StrokeCorner};

/// Format of depth, in the picture and in the shadow map.
pub const DEPTH: TextureFormat = TextureFormat::Depth32Float;

/// Format of the mask of selected bodies.
pub const MASK: TextureFormat = TextureFormat::R8Unorm;

/// Opacity of marks behind something, as a part of that in sight.
const HIDDEN: f64 = 0.4;

/// Shaders of marks, whose opacity depends on whether they are in sight.
const SIGHTED: [&str; 3] = ["fs_mark", "fs_stroke", "fs_area"];

/// Shaders that look up shadows.
const SHADED: [&str; 3] = ["fs_body", "fs_glass", "fs_ground"];

/// All pipelines of a picture.
#[derive(Debug)]
pub struct Pipelines {
    pub background: RenderPipeline,
    /// Ground where shadows may fall, and where none does; the same as a background that hides nothing.
    pub sheer_ground: [RenderPipeline; 2],
    pub ground: [RenderPipeline; 2],
    pub body: RenderPipeline,
    pub glass_back: RenderPipeline,
    pub glass_front: RenderPipeline,
    pub edges: RenderPipeline,
    pub shadow: RenderPipeline,
    pub mask: RenderPipeline,
    pub outline: RenderPipeline,
    /// Marks in sight, and where something is before them.
    pub marks: [MarkPipelines; 2],
}

/// Pipelines of the overlay.
#[derive(Debug)]
pub struct MarkPipelines {
    pub arrows: RenderPipeline,
    pub strokes: RenderPipeline,
    pub areas: RenderPipeline,
}

/// What the pipelines are made for.
pub struct Kind<'a> {
    pub device: &'a wgpu::Device,
    pub format: TextureFormat,
    pub samples: u32,
    pub has_soft_shadows: bool,
    /// Layout of what is drawn without bodies.
    pub scene: &'a wgpu::PipelineLayout,
    /// Layout of the bodies.
    pub bodies: &'a wgpu::PipelineLayout,
    pub outline: &'a wgpu::PipelineLayout,
}

const fn attribute(format: VertexFormat, offset: u64, shader_location: u32) -> VertexAttribute {
    VertexAttribute { format, offset, shader_location }
}

const CORNER: [VertexAttribute; 3] = [
    attribute(VertexFormat::Float32x3, 0, 0),
    attribute(VertexFormat::Float32x3, 12, 1),
    attribute(VertexFormat::Uint32, 24, 2),
];

const STROKE: [VertexAttribute; 3] = [
    attribute(VertexFormat::Float32x4, 0, 0),
    attribute(VertexFormat::Float32x4, 16, 1),
    attribute(VertexFormat::Float32x4, 32, 2),
];

const MARK: [VertexAttribute; 3] = [
    attribute(VertexFormat::Float32x3, 0, 0),
    attribute(VertexFormat::Float32x3, 12, 1),
    attribute(VertexFormat::Float32x4, 24, 2),
];

const PLANE: [VertexAttribute; 5] = [
    attribute(VertexFormat::Float32x4, 64, 4),
    attribute(VertexFormat::Float32x4, 0, 0),
    attribute(VertexFormat::Float32x4, 16, 1),
    attribute(VertexFormat::Float32x4, 32, 2),
    attribute(VertexFormat::Float32x4, 48, 3),
];

const AREA: [VertexAttribute; 2] =
    [attribute(VertexFormat::Float32x3, 0, 0), attribute(VertexFormat::Float32x4, 12, 1)];

fn layout<T>(step_mode: VertexStepMode, attributes: &[VertexAttribute]) -> Option<VertexBufferLayout<'_>> {
    Some(VertexBufferLayout { array_stride: size_of::<T>() as u64, step_mode, attributes })
}

/// What is drawn by a pipeline, and over what.
#[derive(Clone, Copy)]
struct Recipe<'a> {
    module: &'a ShaderModule,
    vertex: &'static str,
    fragment: Option<&'static str>,
    buffers: &'a [Option<VertexBufferLayout<'a>>],
    topology: PrimitiveTopology,
    cull: Option<Face>,
    /// Comparison of depths (reversed: greater is nearer), and whether they are written.
    depth: Option<(CompareFunction, bool)>,
    target: Option<(TextureFormat, Option<BlendState>)>,
    samples: u32,
    bias: DepthBiasState,
    layout: &'a wgpu::PipelineLayout,
    /// Factor on the opacity of marks.
    sight: f64,
    /// How shadows are softened, see `common.wgsl`.
    softness: f64,
}

impl Recipe<'_> {
    /// The same, mixed with what is behind it.
    fn blended(self, writes_depth: bool) -> Self {
        let target = self.target.map(|(format, _)| (format, Some(BlendState::ALPHA_BLENDING)));
        Self { target, depth: Some((CompareFunction::Greater, writes_depth)), ..self }
    }

    fn build(self, device: &wgpu::Device, label: &str) -> RenderPipeline {
        let target = self.target.map(|(format, blend)| ColorTargetState {
            format,
            blend,
            write_mask: ColorWrites::ALL,
        });
        let targets = [target];
        let sight = [("sight", self.sight)];
        let softness = [("softness", self.softness)];
        let reads = |list: &[&str]| self.fragment.is_some_and(|entry| list.contains(&entry));
        let compilation_options = wgpu::PipelineCompilationOptions {
            constants: match () {
                () if reads(&SIGHTED) => &sight,
                () if reads(&SHADED) => &softness,
                () => &[],
            },
            ..Default::default()
        };
        device.create_render_pipeline(&RenderPipelineDescriptor {
            label: Some(label),
            layout: Some(self.layout),
            vertex: VertexState {
                module: self.module,
                entry_point: Some(self.vertex),
                compilation_options: Default::default(),
                buffers: self.buffers,
            },
            primitive: PrimitiveState {
                topology: self.topology,
                cull_mode: self.cull,
                ..PrimitiveState::default()
            },
            depth_stencil: self.depth.map(|(compare, write)| DepthStencilState {
                format: DEPTH,
                depth_write_enabled: Some(write),
                depth_compare: Some(compare),
                stencil: StencilState::default(),
                bias: self.bias,
            }),
            multisample: MultisampleState { count: self.samples, ..MultisampleState::default() },
            fragment: self.fragment.map(|entry| FragmentState {
                module: self.module,
                entry_point: Some(entry),
                compilation_options: compilation_options.clone(),
                targets: &targets,
            }),
            multiview_mask: None,
            cache: None,
        })
    }
}

fn module(device: &wgpu::Device, label: &str, source: &str) -> ShaderModule {
    let common = if label == "outline" { "" } else { include_str!("common.wgsl") };
    device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some(label),
        source: wgpu::ShaderSource::Wgsl(format!("{common}\n{source}").into()),
    })
}

impl Pipelines {
    /// Compiles all shaders.
    pub fn new(kind: &Kind<'_>) -> Self {
        let device = kind.device;
        let body = module(device, "body", include_str!("body.wgsl"));
        let ground_module = module(device, "ground", include_str!("ground.wgsl"));
        let overlay = module(device, "overlay", include_str!("overlay.wgsl"));
        let outline = module(device, "outline", include_str!("outline.wgsl"));
        let surfaces = [layout::<Corner>(VertexStepMode::Vertex, &CORNER)];
        let planes = [layout::<PlaneInstance>(VertexStepMode::Instance, &PLANE)];
        let solid = solid(kind, &body, &surfaces);
        // The underside of what stands on something lies in one plane with it, and is seen through glass.
        let nearer = DepthBiasState { constant: 2, slope_scale: 1.0, clamp: 0.0 };
        let glass = |cull| Recipe {
            fragment: Some("fs_glass"),
            cull: Some(cull),
            bias: nearer,
            ..solid.blended(false)
        };
        let flat = Recipe {
            module: &ground_module,
            vertex: "vs_background",
            fragment: Some("fs_background"),
            buffers: &[],
            cull: None,
            depth: Some((CompareFunction::Always, false)),
            layout: kind.scene,
            ..solid
        };
        let plane =
            Recipe { vertex: "vs_ground", fragment: Some("fs_ground"), buffers: &planes, cull: None, ..flat };
        let plane = Recipe { module: &ground_module, ..plane.blended(true) };
        let ground = |plane: Recipe<'_>| {
            ["fs_ground", "fs_far_ground"]
                .map(|entry| Recipe { fragment: Some(entry), ..plane }.build(device, entry))
        };
        let edges = Recipe {
            vertex: "vs_edge",
            fragment: Some("fs_edge"),
            topology: PrimitiveTopology::LineList,
            cull: None,
            depth: Some((CompareFunction::GreaterEqual, false)),
            ..solid.blended(false)
        };
        let line = Recipe {
            module: &outline,
            vertex: "vs_outline",
            fragment: Some("fs_outline"),
            buffers: &[],
            cull: None,
            depth: None,
            samples: 1,
            layout: kind.outline,
            ..solid.blended(false)
        };
        let marks = Recipe { layout: kind.scene, ..solid };
        let mask =
            Recipe { vertex: "vs_mask", fragment: Some("fs_mask"), target: Some((MASK, None)), ..line };
        let mask = Recipe { module: &body, buffers: &surfaces, layout: kind.bodies, ..mask };
        Self {
            background: flat.build(device, "background"),
            sheer_ground: ground(plane.blended(false)),
            ground: ground(plane),
            body: solid.build(device, "body"),
            glass_back: glass(Face::Front).build(device, "glass, far side"),
            glass_front: glass(Face::Back).build(device, "glass, near side"),
            edges: edges.build(device, "edges"),
            shadow: shadow(solid).build(device, "shadow"),
            mask: mask.build(device, "mask"),
            outline: line.build(device, "outline"),
            marks: [CompareFunction::GreaterEqual, CompareFunction::Less]
                .map(|compare| MarkPipelines::new(device, marks, &overlay, compare)),
        }
    }
}

/// Surfaces that hide what is behind them.
fn solid<'a>(
    kind: &Kind<'a>,
    module: &'a ShaderModule,
    buffers: &'a [Option<VertexBufferLayout<'a>>],
) -> Recipe<'a> {
    Recipe {
        module,
        vertex: "vs_body",
        fragment: Some("fs_body"),
        buffers,
        topology: PrimitiveTopology::TriangleList,
        cull: Some(Face::Back),
        depth: Some((CompareFunction::Greater, true)),
        target: Some((kind.format, None)),
        samples: kind.samples,
        bias: DepthBiasState::default(),
        layout: kind.bodies,
        sight: 1.0,
        softness: if kind.has_soft_shadows { 1.0 } else { -1.0 },
    }
}

/// The same surfaces seen from the light.
fn shadow(solid: Recipe<'_>) -> Recipe<'_> {
    Recipe {
        vertex: "vs_shadow",
        fragment: None,
        // The sides that face away from the light cast the shadow, so that no lit side can shade itself.
        cull: Some(Face::Front),
        depth: Some((CompareFunction::Less, true)),
        target: None,
        samples: 1,
        // A few units of depth and of slope keep a surface from shading itself.
        bias: DepthBiasState { constant: 2, slope_scale: 1.5, clamp: 0.0 },
        ..solid
    }
}

impl MarkPipelines {
    fn new(
        device: &wgpu::Device,
        solid: Recipe<'_>,
        overlay: &ShaderModule,
        compare: CompareFunction,
    ) -> Self {
        // Marks that are hidden let through what hides them.
        let is_hidden = compare == CompareFunction::Less;
        let sight = if is_hidden { HIDDEN } else { 1.0 };
        let blend = BlendState::ALPHA_BLENDING;
        let depth = Some((compare, false));
        let target = solid.target.map(|(format, _)| (format, Some(blend)));
        let strokes = [layout::<StrokeCorner>(VertexStepMode::Vertex, &STROKE)];
        let marks = [layout::<ArrowCorner>(VertexStepMode::Vertex, &MARK)];
        let areas = [layout::<AreaCorner>(VertexStepMode::Vertex, &AREA)];
        let flat = Recipe {
            module: overlay,
            vertex: "vs_stroke",
            fragment: Some("fs_stroke"),
            buffers: &strokes,
            cull: None,
            depth,
            target,
            sight,
            ..solid
        };
        let arrows = Recipe {
            vertex: "vs_mark",
            fragment: Some("fs_mark"),
            buffers: &marks,
            depth: if is_hidden { depth } else { Some((compare, true)) },
            target,
            sight,
            ..solid
        };
        Self {
            arrows: arrows.build(device, "arrows"),
            strokes: flat.build(device, "strokes"),
            areas: Recipe { vertex: "vs_area", fragment: Some("fs_area"), buffers: &areas, ..flat }
                .build(device, "areas"),
        }
    }
}
