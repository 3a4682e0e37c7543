//! How much more a mesh is curved one way than the other.

use glam::{DMat2, DMat3, DVec2, DVec3};
use nalgebra::{SMatrix, SVector};

use super::plane::steepest;
use crate::Solid;

/// What is fitted around a vertex: the mean, the two parts of the bend, and the two of a tilt.
const TERMS: usize = 5;

/// The part without trace of the curvature at each vertex \[1/m\], in space; `None` where it has no normal, or too few neighbours.
///
/// Along the chord d to a neighbour a surface with the normal m is curved by -2 d.m / d² (Meyer, Desbrun, Schröder and Barr 2003, section 5.3), which on a sphere is 1/R for any chord. To
/// the chords of a vertex the least squares fit
///
/// ```text
/// H + x^T D x / d² + t.x / d²,
/// ```
///
/// x being d along the surface, D symmetric and without trace; the tilt t takes up what the normal is off, and the change of the
/// curvature from one side to the other. On spheres D is rounding; H is left to cotangents.
pub(super) fn of_vertices(solid: &Solid, normals: &[Option<DVec3>]) -> Vec<Option<DMat3>> {
    let zero = (SMatrix::<f64, TERMS, TERMS>::zeros(), SVector::<f64, TERMS>::zeros());
    let mut fits = vec![zero; normals.len()];
    for edge in solid.edges() {
        for (at, to) in [(edge.ends[0], edge.ends[1]), (edge.ends[1], edge.ends[0])] {
            let Some(normal) = normals[at as usize] else { continue };
            let d = solid.vertices()[to as usize] - solid.vertices()[at as usize];
            let (u, w) = normal.any_orthonormal_pair();
            let length = d.length();
            let way = DVec2::new(d.dot(u), d.dot(w)) / length;
            let terms =
                [1.0, way.x * way.x - way.y * way.y, 2.0 * way.x * way.y, way.x / length, way.y / length];
            let row = SVector::from(terms);
            let (matrix, right) = &mut fits[at as usize];
            *matrix += row * row.transpose();
            *right -= row * (2.0 * d.dot(normal) / (length * length));
        }
    }
    let solved =
        |((matrix, right), normal): (&(SMatrix<f64, TERMS, TERMS>, SVector<f64, TERMS>), &Option<DVec3>)| {
            let (u, w) = (*normal)?.any_orthonormal_pair();
            let found = matrix.cholesky()?.solve(right);
            let outer = |p: DVec3, q: DVec3| DMat3::from_cols(p * q.x, p * q.y, p * q.z);
            let bend = (outer(u, u) - outer(w, w)) * found[1] + (outer(u, w) + outer(w, u)) * found[2];
            bend.is_finite().then_some(bend)
        };
    fits.iter().zip(normals).map(solved).collect()
}

/// The ridge of a facet with a unit normal, see [`super::Cap::ridge`], of a tensor in space.
pub(super) fn ridge(bend: DMat3, normal: DVec3) -> DVec3 {
    let (u, w) = normal.any_orthonormal_pair();
    let (along_u, along_w) = (bend * u, bend * w);
    let of = |x: DVec3| DVec2::new(u.dot(x), w.dot(x));
    let way = steepest(DMat2::from_cols(of(along_u), of(along_w)));
    let way = way / way.length().sqrt().max(f64::MIN_POSITIVE);
    u * way.x + w * way.y
}
