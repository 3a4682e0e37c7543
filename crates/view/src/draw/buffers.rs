//! Buffers that grow, and what lies in them.

use bytemuck::{Pod, Zeroable, cast_slice};
use glam::{DMat3, DVec3};
use tactum_geometry::Pose;

use crate::mesh::{Surface, Vertex};
use crate::overlay::{Area, Arrow, Overlay, Stroke};
use crate::palette::Rgb;

/// A buffer of vertices or instances that is replaced by a larger one when it is full.
#[derive(Debug)]
pub struct Growing {
    label: &'static str,
    buffer: Option<wgpu::Buffer>,
    /// Number of entries written last.
    pub n: u32,
}

impl Growing {
    /// An empty buffer.
    pub fn new(label: &'static str) -> Self {
        Self { label, buffer: None, n: 0 }
    }

    /// Puts entries into the buffer in place of what it held.
    pub fn write<T: Pod>(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, entries: &[T]) {
        self.n = entries.len() as u32;
        let bytes: &[u8] = cast_slice(entries);
        if bytes.is_empty() {
            return;
        }
        if self.buffer.as_ref().is_none_or(|buffer| buffer.size() < bytes.len() as u64) {
            self.buffer = Some(device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(self.label),
                size: (bytes.len() as u64).next_power_of_two(),
                usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }));
        }
        if let Some(buffer) = &self.buffer {
            queue.write_buffer(buffer, 0, bytes);
        }
    }

    /// The buffer, if anything was written.
    pub fn get(&self) -> Option<&wgpu::Buffer> {
        self.buffer.as_ref().filter(|_| self.n > 0)
    }
}

/// A surface on the device.
#[derive(Debug)]
pub struct SurfaceBuffers {
    pub vertices: wgpu::Buffer,
    pub triangles: wgpu::Buffer,
    pub n_triangles: u32,
    pub edges: wgpu::Buffer,
    pub n_edges: u32,
}

impl SurfaceBuffers {
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue, surface: &Surface) -> Self {
        let buffer = |label, bytes: &[u8], usage| {
            let buffer = device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: (bytes.len() as u64).max(4),
                usage: usage | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            });
            queue.write_buffer(&buffer, 0, bytes);
            buffer
        };
        let (vertex, index) = (wgpu::BufferUsages::VERTEX, wgpu::BufferUsages::INDEX);
        Self {
            vertices: buffer("corners", cast_slice::<Vertex, u8>(&surface.vertices), vertex),
            triangles: buffer("triangles", cast_slice(&surface.triangles), index),
            n_triangles: surface.triangles.len() as u32,
            edges: buffer("edges", cast_slice(&surface.edges), index),
            n_edges: surface.edges.len() as u32,
        }
    }
}

/// A body as the device sees it: rows of a matrix to positions relative to the target, colour and opacity.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct Instance {
    pub rows: [[f32; 4]; 3],
    pub colour: [f32; 4],
}

impl Instance {
    /// A body at a pose.
    pub fn of_body(w_from_shape: &Pose, target: DVec3, colour: Rgb, alpha: f32) -> Self {
        Self::new(&w_from_shape.matrix(), w_from_shape.translation - target, colour, alpha)
    }

    fn new(columns: &DMat3, origin: DVec3, colour: Rgb, alpha: f32) -> Self {
        let [r, g, b] = colour.map(linear);
        let turned = columns.transpose();
        let row = |v: DVec3, x: f64| v.extend(x).as_vec4().to_array();
        Self {
            rows: [row(turned.x_axis, origin.x), row(turned.y_axis, origin.y), row(turned.z_axis, origin.z)],
            colour: [r, g, b, alpha],
        }
    }
}

/// A component of a colour without the curve of sRGB (IEC 61966-2-1).
fn linear(c: f32) -> f32 {
    if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
}

/// A corner of a stroke as the device sees it; the fourth component of `b` tells which one.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct StrokeCorner {
    a: [f32; 4],
    b: [f32; 4],
    colour: [f32; 4],
}

/// A corner of an area as the device sees it.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct AreaVertex {
    at: [f32; 3],
    colour: [f32; 4],
}

/// The ground as the device sees it.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct PlaneInstance {
    pub origin: [f32; 4],
    pub u: [f32; 4],
    pub v: [f32; 4],
    pub foot: [f32; 4],
    /// The rectangle that is drawn, from the foot: least and greatest (u, v) \[m\].
    pub part: [f32; 4],
}

/// The overlay in the layouts of the device.
pub struct Marks {
    pub strokes: Vec<StrokeCorner>,
    pub areas: Vec<AreaVertex>,
    /// Arrows as triangles in the world: their number changes from step to step, and an instance costs more than its
    /// corners where the processor draws.
    pub arrows: Vec<MarkCorner>,
}

impl Marks {
    /// Arrows are no thinner than `least_radius` \[m\], so that far ones are seen.
    pub fn of(overlay: &Overlay, target: DVec3, least_radius: f64) -> Self {
        let solids = ArrowParts::for_many(overlay.arrows.len());
        let mut marks = Self {
            strokes: overlay.strokes.iter().flat_map(|stroke| place_stroke(stroke, target)).collect(),
            areas: overlay.areas.iter().flat_map(|area| place_area(area, target)).collect(),
            arrows: Vec::new(),
        };
        for arrow in &overlay.arrows {
            let radius = arrow.radius.max(least_radius);
            marks.place_arrow(&Arrow { radius, ..*arrow }, target, &solids);
        }
        marks
    }

    /// An arrow is a shaft and a tip five radii long, or two; a short one is all tip.
    fn place_arrow(&mut self, arrow: &Arrow, target: DVec3, solids: &ArrowParts) {
        let along = arrow.to - arrow.from;
        let length = along.length();
        let z = along / length;
        let x = z.any_orthonormal_vector();
        let axes = DMat3::from_cols(x, z.cross(x), z);
        let n_tips = if arrow.is_double { 1.6 } else { 1.0 };
        let tip = (5.0 * arrow.radius).min(0.6 * length / n_tips);
        let tip_size = DVec3::new(2.2 * arrow.radius, 2.2 * arrow.radius, tip);
        let shaft_size = DVec3::new(arrow.radius, arrow.radius, length - 0.9 * tip);
        let from = arrow.from - target;
        self.place_part(&solids.shaft, &axes, shaft_size, from, arrow.colour);
        self.place_part(&solids.tip, &axes, tip_size, from + z * (length - tip), arrow.colour);
        if arrow.is_double {
            self.place_part(&solids.tip, &axes, tip_size, from + z * (length - 1.6 * tip), arrow.colour);
        }
    }

    fn place_part(&mut self, part: &Surface, axes: &DMat3, size: DVec3, origin: DVec3, [r, g, b]: Rgb) {
        let vector = |v: [f32; 3]| DVec3::from(v.map(f64::from));
        for ix in &part.triangles {
            let corner = part.vertices[*ix as usize];
            let normal = *axes * (vector(corner.normal) / size).normalize_or_zero();
            self.arrows.push(MarkCorner {
                at: (origin + *axes * (vector(corner.position) * size)).as_vec3().to_array(),
                normal: normal.as_vec3().to_array(),
                colour: [r, g, b, 1.0],
            });
        }
    }
}

/// The parts that arrows are made of.
#[derive(Debug)]
struct ArrowParts {
    shaft: Surface,
    tip: Surface,
}

impl ArrowParts {
    /// Parts of arrows, smooth ones where there are few of them.
    fn for_many(n_arrows: usize) -> Self {
        /// From this number on arrows have fewer sides.
        const MANY: usize = 100;
        let [shaft, tip] = if n_arrows < MANY { [12, 16] } else { [5, 6] };
        Self { shaft: Surface::shaft(shaft), tip: Surface::tip(tip) }
    }
}

/// A corner of an arrow as the device sees it.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct MarkCorner {
    at: [f32; 3],
    normal: [f32; 3],
    colour: [f32; 4],
}

/// Two triangles; the corners are numbered along the first end and then along the second.
fn place_stroke(stroke: &Stroke, target: DVec3) -> [StrokeCorner; 6] {
    let [r, g, b] = stroke.colour;
    let [from, to] = stroke.ends.map(|x| (x - target).as_vec3());
    [0.0, 2.0, 3.0, 0.0, 3.0, 1.0].map(|corner| StrokeCorner {
        a: from.extend(stroke.width).to_array(),
        b: to.extend(corner).to_array(),
        colour: [r, g, b, stroke.alpha],
    })
}

fn place_area(area: &Area, target: DVec3) -> [AreaVertex; 3] {
    let [r, g, b] = area.colour;
    area.corners.map(|x| AreaVertex { at: (x - target).as_vec3().to_array(), colour: [r, g, b, area.alpha] })
}
