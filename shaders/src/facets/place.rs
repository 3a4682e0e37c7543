//! Where things are: the twin of `place.wgsl`, the maps from bodies to the pair's frame.

use glam::{Vec2, Vec3, Vec4};

use super::layout::{FLATTENED, Facet};

/// A facet in the pair's frame.
pub struct Cap {
    pub corners: [Vec3; 3],
    pub normal: Vec3,
    pub apex: Vec3,
    pub axis: Vec3,
    pub ridge: Vec3,
    pub curvature: f32,
    pub bulge: f32,
    pub swell: Vec4,
    pub swell_last: Vec2,
    pub swell_middle: f32,
    pub spread: f32,
    pub is_flattened: bool,
}

#[inline]
pub fn turned(rows: &[[f32; 4]; 3], x: Vec3) -> Vec3 {
    let row = |r: &[f32; 4]| Vec3::new(r[0], r[1], r[2]).dot(x);
    Vec3::new(row(&rows[0]), row(&rows[1]), row(&rows[2]))
}

#[inline]
pub fn in_frame(rows: &[[f32; 4]; 3], x: Vec3) -> Vec3 {
    turned(rows, x) + Vec3::new(rows[0][3], rows[1][3], rows[2][3])
}

#[inline]
pub fn corners_of(rows: &[[f32; 4]; 3], facet: &Facet) -> [Vec3; 3] {
    [facet.corner0, facet.corner1, facet.corner2].map(|x| in_frame(rows, x.into()))
}

pub fn cap_of(rows: &[[f32; 4]; 3], facet: &Facet) -> Cap {
    Cap {
        corners: corners_of(rows, facet),
        normal: turned(rows, facet.normal.into()),
        apex: in_frame(rows, facet.apex.into()),
        axis: turned(rows, facet.axis.into()),
        ridge: turned(rows, Vec3::new(facet.ridge_x, facet.ridge_y, facet.ridge_z)),
        curvature: facet.curvature,
        bulge: facet.bulge,
        swell: facet.swell.into(),
        swell_last: facet.swell_last.into(),
        swell_middle: facet.swell_middle,
        spread: facet.spread,
        is_flattened: facet.is_cap == FLATTENED,
    }
}
