//! `repr(C)` structures as the device sees them, in f32 and u32 only.
//!
//! A WGSL `vec3<f32>` is aligned to 16 bytes; each structure here therefore fills its padding with a named field
//! or holds three scalars in an array. The tests pin every offset.

use bytemuck::{Pod, Zeroable};

/// A mesh vertex in the mesh's packing frame.
///
/// `position` is the vertex minus the mesh's packing origin, rounded to f32 \[m\].
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct PackedVertex {
    /// Offset from the packing origin \[m\].
    pub position: [f32; 3],
}

/// A triangle as three vertex indices, counter-clockwise seen from outside.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
pub struct PackedTriangle {
    /// Indices into the vertex array of the same mesh.
    pub vertices: [u32; 3],
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_have_the_offsets_a_tightly_packed_storage_array_expects() {
        assert_eq!(size_of::<PackedVertex>(), 12);
        assert_eq!(size_of::<PackedTriangle>(), 12);
        assert_eq!(std::mem::offset_of!(PackedVertex, position), 0);
        assert_eq!(std::mem::offset_of!(PackedTriangle, vertices), 0);
    }
}
