//! How much more a mesh is curved one way than the other.

use glam::{DMat2, DMat3, DVec2, DVec3};
use nalgebra::{SMatrix, SVector};

use super::plane::steepest;
use crate::Solid;

/// What is fitted around a vertex: the mean, the two parts of the bend, and the two of a tilt.
const TERMS: usize = 5;

/// What the chords of a vertex tell besides its mean curvature.
#[derive(Clone, Copy)]
pub(super) struct Fit {
    /// The part without trace of the curvature \[1/m\], in space.
    pub bend: DMat3,
    /// What a chord is curved more for the way that it goes, over its length; along the surface.
    pub tilt: DVec3,
}

/// The fit at each vertex; `None` where it has no normal, or too few neighbours.
///
/// Along the chord d to a neighbour a surface with the normal m is curved by -2 d.m / d² (Meyer, Desbrun, Schröder and Barr 2003, section 5.3), which on a sphere is 1/R for any chord. To
/// the chords of a vertex the least squares fit
///
/// ```text
/// H + x^T D x / d² + t.x / d²,
/// ```
///
/// x being d along the surface, D symmetric and without trace; the tilt t takes up what the normal is off, and the change of the
/// curvature from one side to the other. On spheres D is rounding; H is left to cotangents, which are told of D and t.
pub(super) fn of_vertices(solid: &Solid, normals: &[Option<DVec3>]) -> Vec<Option<Fit>> {
    // So that numbers of all terms are about as large, whatever the unit.
    let unit = solid.aabb().diagonal();
    let zero = (SMatrix::<f64, TERMS, TERMS>::zeros(), SVector::<f64, TERMS>::zeros());
    let mut fits = vec![zero; normals.len()];
    for edge in solid.edges() {
        for (at, to) in [(edge.ends[0], edge.ends[1]), (edge.ends[1], edge.ends[0])] {
            let Some(normal) = normals[at as usize] else { continue };
            let d = solid.vertices()[to as usize] - solid.vertices()[at as usize];
            let (u, w) = normal.any_orthonormal_pair();
            let length = d.length();
            let way = DVec2::new(d.dot(u), d.dot(w)) / length;
            let terms = [
                1.0,
                way.x * way.x - way.y * way.y,
                2.0 * way.x * way.y,
                way.x * unit / length,
                way.y * unit / length,
            ];
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
            let tilt = (u * found[3] + w * found[4]) * unit;
            (bend.is_finite() && tilt.is_finite()).then_some(Fit { bend, tilt })
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

/// What the change of the curvature over a facet adds to the height of its cap, see [`super::Cap::swell`]; of the tensors of curvature at its corners, in space.
///
/// A height whose second derivatives are those tensors' mean in the facet's middle and change towards the corners as they do has the third derivatives, along x, y and z,
///
/// ```text
/// T(x, y, z) = -(x.K_z y + y.K_x z + z.K_y x) / 3,
/// ```
///
/// K_x being by how much the tensor is more than the mean at x: of the six differences, which no surface need have, the symmetric part, which is nearest to them. What -T(x, x, x) / 6 has at
/// the corners is taken from it as a plane.
pub(super) fn swell(corners: [DVec3; 3], tensors: [DMat3; 3]) -> [f64; 7] {
    let middle = corners.iter().sum::<DVec3>() / 3.0;
    let mean = (tensors[0] + tensors[1] + tensors[2]) * (1.0 / 3.0);
    let (arms, changes) = (corners.map(|x| x - middle), tensors.map(|tensor| tensor - mean));
    let fall = |i: usize, j: usize, k: usize| {
        let of = |i: usize, j: usize, k: usize| arms[i].dot(changes[k] * arms[j]);
        (of(i, j, k) + of(j, k, i) + of(k, i, j)) / 18.0
    };
    let at_corners = [0, 1, 2].map(|i| fall(i, i, i));
    super::cap::ORDINATES
        .map(|[i, j, k]| (at_corners[i] + at_corners[j] + at_corners[k]) / 3.0 - fall(i, j, k))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facets::cap::Cap;

    /// A surface of third order between three corners, and the quadric of its mean tensor through them: the swell is all that is between the two.
    #[test]
    fn swells_are_what_third_derivatives_make() {
        let [p, q, r, t] = [0.3, -0.5, 0.2, 0.7];
        let height = |x: f64, y: f64| {
            -0.5 * x * x - 0.2 * x * y - 0.4 * y * y
                + p * x * x * x
                + q * x * x * y
                + r * x * y * y
                + t * y * y * y
        };
        let tensor = |x: f64, y: f64| {
            let xx = 1.0 - 6.0 * p * x - 2.0 * q * y;
            let xy = 0.2 - 2.0 * q * x - 2.0 * r * y;
            let yy = 0.8 - 2.0 * r * x - 6.0 * t * y;
            DMat3::from_cols(DVec3::new(xx, xy, 0.0), DVec3::new(xy, yy, 0.0), DVec3::ZERO)
        };
        let corners = [DVec3::new(0.1, 0.0, 0.0), DVec3::new(0.5, 0.1, 0.0), DVec3::new(0.2, 0.4, 0.0)];
        let tensors = corners.map(|x| tensor(x.x, x.y));
        let mean = (tensors[0] + tensors[1] + tensors[2]) * (1.0 / 3.0);
        let swell = swell(corners, tensors);
        let cap = Cap { swell, ..Cap::through(corners, 0.0).expect("a plane") };
        for weights in [
            [0.2, 0.3, 0.5],
            [0.6, 0.4, 0.0],
            [0.0, 0.9, 0.1],
            [0.3, 0.0, 0.7],
            [1.0 / 3.0; 3],
            [0.0, 1.0, 0.0],
        ] {
            let over = |of: &dyn Fn(DVec3) -> f64| (0..3).map(|i| weights[i] * of(corners[i])).sum::<f64>();
            let x: DVec3 = (0..3).map(|i| corners[i] * weights[i]).sum();
            let surface = |x: DVec3| height(x.x, x.y);
            let quadric = |x: DVec3| -0.5 * x.dot(mean * x);
            let expected = surface(x) - over(&surface) - (quadric(x) - over(&quadric));
            let (found, _) = cap.swell_over(weights);
            assert!((found - expected).abs() < 1e-15, "{found} {expected}");
            assert!(found.abs() <= cap.greatest_swell());
        }
        assert!(cap.greatest_swell() > 1e-3);
    }
}
