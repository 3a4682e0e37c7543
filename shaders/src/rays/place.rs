//! Where things are: the twin of `place.wgsl`, the maps from bodies to the pair's box.

use glam::Vec3;

use super::layout::{ClusterTriangles, PairFrame, Round};

/// `a b + c` where a shader says `fma`: software devices round the product, so twins do.
#[inline]
pub fn fma(a: f32, b: f32, c: f32) -> f32 {
    a * b + c
}

#[inline]
pub fn in_frame(rows: &[[f32; 4]; 3], x: Vec3) -> Vec3 {
    let row = |r: &[f32; 4]| fma(r[0], x.x, fma(r[1], x.y, fma(r[2], x.z, r[3])));
    Vec3::new(row(&rows[0]), row(&rows[1]), row(&rows[2]))
}

#[inline]
pub fn in_box(x: Vec3, lo: Vec3, scale: Vec3) -> Vec3 {
    (x - lo) * scale
}

/// The rows of the body that a side stands for.
#[inline]
pub fn rows(frame: &PairFrame, side: u32) -> &[[f32; 4]; 3] {
    if side.is_multiple_of(2) { &frame.frame_from_a } else { &frame.frame_from_b }
}

/// A corner of a triangle in box coordinates.
#[inline]
pub fn box_corners(frame: &PairFrame, side: u32, triangles: &ClusterTriangles, lane: usize) -> [Vec3; 3] {
    let (lo, scale) = (Vec3::from(frame.lo), Vec3::from(frame.scale));
    [0, 1, 2].map(|k| {
        let x = Vec3::new(
            triangles.corners[3 * k][lane],
            triangles.corners[3 * k + 1][lane],
            triangles.corners[3 * k + 2][lane],
        );
        in_box(in_frame(rows(frame, side), x), lo, scale)
    })
}

/// Where the rays of a row stand between the columns' left sides: the row's number with its bits reversed, as in
/// Hammersley's set (1960), so that an edge along the columns is not met by all rows in the same way. Exact in 32 bits,
/// and the same from both ends.
#[inline]
pub fn row_offset(row: u32, n_rays: u32) -> f32 {
    ((row.reverse_bits() >> (n_rays.leading_zeros() + 1)) as f32 + 0.5) / n_rays as f32
}

/// The axis of the rays a tile belongs to.
#[inline]
pub fn direction_of_tile(round: &Round, tile: u32) -> u32 {
    u32::from(tile >= round.first_tile[1]) + u32::from(tile >= round.first_tile[2])
}

/// Coordinates in the order of a direction: the two axes after it, then the direction itself.
#[inline]
pub fn by_direction(x: Vec3, direction: u32) -> Vec3 {
    match direction {
        0 => Vec3::new(x.y, x.z, x.x),
        1 => Vec3::new(x.z, x.x, x.y),
        _ => x,
    }
}

/// The inverse of [`by_direction`].
#[inline]
pub fn by_axis(x: Vec3, direction: u32) -> Vec3 {
    match direction {
        0 => Vec3::new(x.z, x.x, x.y),
        1 => Vec3::new(x.y, x.z, x.x),
        _ => x,
    }
}
