//! Surfaces of shapes, to be drawn or to stand for them.

use std::borrow::Cow;
use std::f64::consts::{FRAC_PI_2, TAU};

use glam::DVec3;

use crate::TriangleMesh;

/// A point of a surface of revolution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfacePoint {
    /// Where it is \[m\].
    pub position: DVec3,
    /// Outward unit normal there.
    pub normal: DVec3,
}

/// Points at one height, counter-clockwise seen from above, the first of them once more at the end.
pub type Ring = Vec<SurfacePoint>;

/// The surface of a shape.
#[derive(Clone, Debug)]
pub enum Surface<'a> {
    /// One plane without end.
    Endless,
    /// Plane triangles: all there is to know of it.
    Faces(Cow<'a, TriangleMesh>),
    /// A surface of revolution by points of it, in rings about the z axis from below to above; the first and the last ring are
    /// points. A rim between two parts of it is there twice, with the normals of both.
    Rings(Vec<Ring>),
}

impl Surface<'_> {
    pub(super) fn faces(mesh: TriangleMesh) -> Self {
        Self::Faces(Cow::Owned(mesh))
    }

    /// The triangles between its points, counter-clockwise from outside; `None` without end.
    ///
    /// Those of rings are inscribed: with n meridians some (2 π / n)² / 2 of a ball's volume is missing.
    pub fn into_mesh(self) -> Option<TriangleMesh> {
        match self {
            Self::Endless => None,
            Self::Faces(mesh) => Some(mesh.into_owned()),
            Self::Rings(rings) => Some(mesh_of_rings(&rings)),
        }
    }
}

/// The ring of a surface of revolution at the height `z`, of `n` points and the first once more; `normal` is the part of
/// the normal away from the axis and that along it.
pub fn ring(n: u32, radius: f64, z: f64, normal: [f64; 2]) -> Ring {
    let point = |i| {
        let (sin, cos) = (f64::from(i) / f64::from(n) * TAU).sin_cos();
        let [away, along] = normal;
        SurfacePoint {
            position: DVec3::new(radius * cos, radius * sin, z),
            normal: DVec3::new(away * cos, away * sin, along).normalize_or(DVec3::Z),
        }
    };
    (0..=n).map(point).collect()
}

/// The rings of a capsule from pole to pole, or of a ball where `half_length` is zero: half as many steps of latitude as there
/// are `meridians`, an even number.
pub(super) fn capsule_rings(radius: f64, half_length: f64, meridians: u32) -> Vec<Ring> {
    let n_rows = meridians / 2;
    let row = |k: u32, z: f64| {
        let latitude = -FRAC_PI_2 + f64::from(k) / f64::from(n_rows) * 2.0 * FRAC_PI_2;
        let (sin, cos) = latitude.sin_cos();
        let cos = if k == 0 || k == n_rows { 0.0 } else { cos };
        ring(meridians, radius * cos, z + radius * sin, [cos, sin])
    };
    // Both halves keep the equator, where there is one, and the straight part lies between them.
    let below = (0..=n_rows / 2).map(|k| row(k, -half_length));
    let above = (n_rows.div_ceil(2)..=n_rows).map(|k| row(k, half_length));
    let has_two_equators = half_length == 0.0 && n_rows.is_multiple_of(2);
    below.chain(above.skip(usize::from(has_two_equators))).collect()
}

fn mesh_of_rings(rings: &[Ring]) -> TriangleMesh {
    let n = rings.first().map_or(0, |ring| ring.len() - 1) as u32;
    let vertices = rings.iter().flat_map(|ring| &ring[..n as usize]).map(|point| point.position).collect();
    let mut mesh = TriangleMesh { vertices, triangles: Vec::new() };
    for row in 1..rings.len() as u32 {
        for i in 0..n {
            let (here, next) = (row * n + i, row * n + (i + 1) % n);
            // At a pole one of the two has no area.
            let both = [[here - n, next - n, next], [here - n, next, here]];
            let has_area = |t: &[u32; 3]| {
                let [a, b, c] = t.map(|v| mesh.vertices[v as usize]);
                a != b && b != c && c != a
            };
            mesh.triangles.extend(both.into_iter().filter(has_area));
        }
    }
    mesh
}
