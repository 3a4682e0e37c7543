//! Buffers that grow, surfaces, and bodies.

use bytemuck::{Pod, Zeroable, cast_slice};
use glam::DVec3;
use tactum_geometry::Pose;

use super::DrawError;
use crate::mesh::{Surface, Vertex};
use crate::palette::Rgb;

/// A buffer that is replaced by a larger one when it is full.
#[derive(Debug)]
pub struct Growing {
    label: &'static str,
    usage: wgpu::BufferUsages,
    buffer: Option<wgpu::Buffer>,
    /// Number of entries written last.
    pub n: u32,
}

impl Growing {
    /// An empty buffer.
    pub fn new(label: &'static str, usage: wgpu::BufferUsages) -> Self {
        Self { label, usage: usage | wgpu::BufferUsages::COPY_DST, buffer: None, n: 0 }
    }

    /// Puts entries into the buffer in place of what it held; returns whether it is another buffer now.
    ///
    /// # Errors
    /// If no buffer of the device holds as many.
    pub fn write<T: Pod>(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        entries: &[T],
    ) -> Result<bool, DrawError> {
        let bytes: &[u8] = cast_slice(entries);
        let room = room(self.label, bytes.len(), limit(device, self.usage))?;
        // A buffer holds less than 2^32 entries.
        self.n = entries.len() as u32;
        if bytes.is_empty() {
            return Ok(false);
        }
        let known = self.buffer.take().filter(|buffer| buffer.size() >= bytes.len() as u64);
        let is_new = known.is_none();
        let buffer = self.buffer.insert(known.unwrap_or_else(|| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(self.label),
                size: room,
                usage: self.usage,
                mapped_at_creation: false,
            })
        }));
        queue.write_buffer(buffer, 0, bytes);
        Ok(is_new)
    }

    /// The buffer, if anything was written.
    pub fn get(&self) -> Option<&wgpu::Buffer> {
        self.buffer.as_ref().filter(|_| self.n > 0)
    }
}

/// Bytes of a buffer that is to hold `needed` bytes: with some to spare, so that it need not be replaced soon.
fn room(what: &'static str, needed: usize, limit: u64) -> Result<u64, DrawError> {
    let needed = needed as u64;
    if needed > limit {
        return Err(DrawError::Full { what, needed, limit });
    }
    Ok(needed.checked_next_power_of_two().unwrap_or(limit).min(limit))
}

/// Bytes that a buffer of the device can hold.
fn limit(device: &wgpu::Device, usage: wgpu::BufferUsages) -> u64 {
    let limits = device.limits();
    if usage.contains(wgpu::BufferUsages::STORAGE) {
        limits.max_buffer_size.min(limits.max_storage_buffer_binding_size)
    } else {
        limits.max_buffer_size
    }
}

/// Triangles or edges that are drawn together, a surface of more than that by itself.
const TOGETHER: usize = 4096;

/// Copies of a surface at most.
const COPIES: usize = 64;

/// A surface on the device, several times over: a draw of one body takes as long as one of dozens of small bodies where the
/// processor draws, and hardly less elsewhere.
#[derive(Debug)]
pub struct SurfaceBuffers {
    pub corners: wgpu::Buffer,
    pub triangles: Indices,
    pub edges: Indices,
    pub n_copies: u32,
}

/// Which corners are joined, in one copy of a surface after the other.
#[derive(Debug)]
pub struct Indices {
    pub buffer: wgpu::Buffer,
    /// Number of indices in one copy.
    pub n: u32,
}

/// A corner of a surface as the device sees it.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct Corner {
    pub vertex: Vertex,
    /// Number of the copy: the body is that many places behind the first one of the draw.
    pub copy: u32,
}

impl SurfaceBuffers {
    /// # Errors
    /// If no buffer of the device holds the surface.
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue, surface: &Surface) -> Result<Self, DrawError> {
        let n_copies = (3 * TOGETHER / surface.triangles.len().max(1)).clamp(1, COPIES) as u32;
        let buffer = |label, bytes: &[u8], usage| -> Result<wgpu::Buffer, DrawError> {
            room(label, bytes.len(), limit(device, usage))?;
            let buffer = device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: (bytes.len() as u64).max(4),
                usage: usage | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            });
            queue.write_buffer(&buffer, 0, bytes);
            Ok(buffer)
        };
        let corner = |copy| surface.vertices.iter().map(move |vertex| Corner { vertex: *vertex, copy });
        let corners: Vec<Corner> = (0..n_copies).flat_map(corner).collect();
        let n_corners = surface.vertices.len() as u32;
        let indices = |label, list: &[u32]| -> Result<Indices, DrawError> {
            let copies = (0..n_copies).flat_map(|copy| list.iter().map(move |ix| ix + copy * n_corners));
            let copies: Vec<u32> = copies.collect();
            let buffer = buffer(label, cast_slice(&copies), wgpu::BufferUsages::INDEX)?;
            Ok(Indices { buffer, n: list.len() as u32 })
        };
        Ok(Self {
            corners: buffer("corners of a body", cast_slice(&corners), wgpu::BufferUsages::VERTEX)?,
            triangles: indices("triangles of a body", &surface.triangles)?,
            edges: indices("edges of a body", &surface.edges)?,
            n_copies,
        })
    }
}

/// How a body looks besides its surface.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    pub colour: Rgb,
    /// Opacity, 0 to 1.
    pub alpha: f32,
    /// The point of its shape's frame \[m\] about which a round body carries a pattern that turns with it.
    pub pattern_about: Option<DVec3>,
}

/// A body as the device sees it: rows of a matrix to positions relative to the target, colour and opacity; the centre of its
/// pattern, and 1 where it has one.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct Body {
    pub rows: [[f32; 4]; 3],
    pub colour: [f32; 4],
    pub pattern: [f32; 4],
}

impl Body {
    /// A body at a pose.
    pub fn at(w_from_shape: &Pose, target: DVec3, look: &Look) -> Self {
        let [r, g, b] = look.colour.map(linear);
        let turned = w_from_shape.matrix().transpose();
        let origin = w_from_shape.translation - target;
        let row = |v: DVec3, x: f64| v.extend(x).as_vec4().to_array();
        Self {
            rows: [row(turned.x_axis, origin.x), row(turned.y_axis, origin.y), row(turned.z_axis, origin.z)],
            colour: [r, g, b, look.alpha],
            pattern: look.pattern_about.map_or([0.0; 4], |x| row(x, 1.0)),
        }
    }
}

/// A component of a colour without the curve of sRGB (IEC 61966-2-1).
fn linear(c: f32) -> f32 {
    if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_have_some_room_to_spare_but_not_more_than_the_device_grants() {
        let rooms = [0, 1, 100, 129, 200].map(|needed| room("marks", needed, 200).expect("it fits"));
        assert_eq!(rooms, [1, 1, 128, 200, 200]);
        let error = room("marks", 201, 200).expect_err("there is no room").to_string();
        assert!(error.contains("marks") && error.contains("201") && error.contains("200"), "{error}");
    }
}
