//! What a mesh weighs and how it resists turning.

use glam::{DMat3, DVec3};
use nalgebra::{Matrix3, SymmetricEigen};

use super::TriangleMesh;
use crate::moments::VolumeMoments;

/// Volume, centre of mass and inertia of a mesh of density 1 kg/m³.
///
/// Multiply `volume` and `inertia` by the density. Parts that a mesh encloses twice count twice, and cavities, whose
/// surface looks inward, not at all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassMoments {
    /// Volume \[m³\]; negative for a mesh that is turned inside out.
    pub volume: f64,
    /// Centre of mass in the mesh's frame \[m\]; the centre of the box where the volume is zero.
    pub center: DVec3,
    /// Inertia tensor about the centre of mass, axes of the mesh's frame \[m⁵\].
    pub inertia: DMat3,
}

impl MassMoments {
    /// Sums a closed mesh by the divergence theorem (Mirtich 1996) in triangle order, about the centre of its box, so
    /// that a mesh far from the origin loses no more digits than its coordinates have lost.
    pub fn of(mesh: &TriangleMesh) -> Self {
        let origin = mesh.aabb().center();
        let mut sum = VolumeMoments { volume: 0.0, first: DVec3::ZERO, second: DMat3::ZERO };
        for ix in 0..mesh.triangles.len() {
            let [a, b, c] = mesh.corners(ix).map(|x| x - origin);
            sum.add_triangle(a, b, c, 1.0);
        }
        let (centroid, second) = sum.central();
        Self::from_central(sum.volume, origin + centroid, second)
    }

    /// From the volume, the centroid and the second moment about it.
    pub(crate) fn from_central(volume: f64, center: DVec3, second: DMat3) -> Self {
        Self { volume, center, inertia: inertia_of(second) }
    }

    /// Of a shape that is its own mirror image along all three axes, from its volume and mean square coordinates.
    pub(crate) fn symmetric(volume: f64, mean_squares: DVec3) -> Self {
        Self::from_central(volume, DVec3::ZERO, DMat3::from_diagonal(volume * mean_squares))
    }

    /// Principal moments and axes of the inertia.
    pub fn principal(&self) -> Principal {
        Principal::of(self.inertia)
    }
}

/// `tr(C) 1 - C`, with every diagonal element summed from the two it needs: the trace less the third would lose the
/// small one of a thin rod.
fn inertia_of(second: DMat3) -> DMat3 {
    let [x, y, z] = [second.x_axis.x, second.y_axis.y, second.z_axis.z];
    let mut inertia = -second;
    inertia.x_axis.x = y + z;
    inertia.y_axis.y = z + x;
    inertia.z_axis.z = x + y;
    inertia
}

/// Principal moments of inertia and the frame in which the tensor is diagonal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Principal {
    /// Moments in ascending order, in the unit of the tensor.
    pub moments: DVec3,
    /// Unit axes as columns, right-handed, in the frame of the tensor. In the first two the component of largest size
    /// is positive (the first of equal ones), which settles the signs.
    pub axes: DMat3,
}

impl Principal {
    /// Diagonalises a symmetric tensor.
    pub fn of(tensor: DMat3) -> Self {
        let scale = tensor.to_cols_array().into_iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
        if scale == 0.0 {
            return Self { moments: DVec3::ZERO, axes: DMat3::IDENTITY };
        }
        // Scaled to order one: the iteration's stopping rule is absolute.
        let eigen =
            SymmetricEigen::new(Matrix3::from_column_slice(&(tensor * (1.0 / scale)).to_cols_array()));
        let mut order = [0, 1, 2];
        order.sort_by(|&i, &j| eigen.eigenvalues[i].total_cmp(&eigen.eigenvalues[j]));
        let axis = |ix: usize| {
            let column = eigen.eigenvectors.column(order[ix]);
            upright(DVec3::new(column[0], column[1], column[2]).normalize())
        };
        let (x, y) = (axis(0), axis(1));
        Self {
            moments: DVec3::from(order.map(|ix| eigen.eigenvalues[ix])) * scale,
            axes: DMat3::from_cols(x, y, x.cross(y).normalize()),
        }
    }
}

/// The axis or its opposite, whichever has its component of largest size positive.
fn upright(axis: DVec3) -> DVec3 {
    let size = axis.abs().to_array();
    let largest = (1..3).fold(0, |best, ix| if size[ix] > size[best] { ix } else { best });
    if axis[largest] < 0.0 { -axis } else { axis }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cuboid(half: DVec3) -> TriangleMesh {
        let corner = |i: u32| {
            let sign = |bit: u32| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
            half * DVec3::new(sign(0), sign(1), sign(2))
        };
        let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        TriangleMesh {
            vertices: (0..8).map(corner).collect(),
            triangles: quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect(),
        }
    }

    /// An ellipsoid from a unit octahedron split `n` times in four; its moments tend to the smooth ones as 4⁻ⁿ.
    fn ellipsoid(half: DVec3, n: u32) -> TriangleMesh {
        let mut faces = Vec::new();
        for [x, y, z] in [[1., 1., 1.], [-1., -1., 1.], [-1., 1., -1.], [1., -1., -1.]] {
            let [a, b, c] = [DVec3::X * x, DVec3::Y * y, DVec3::Z * z];
            faces.extend([[a, b, c], [-a, -c, -b]]);
        }
        for _ in 0..n {
            faces = faces
                .into_iter()
                .flat_map(|[a, b, c]| {
                    let [p, q, r] = [a + b, b + c, c + a].map(DVec3::normalize);
                    [[a, p, r], [p, b, q], [r, q, c], [p, q, r]]
                })
                .collect();
        }
        TriangleMesh {
            triangles: (0..faces.len() as u32).map(|ix| [3 * ix, 3 * ix + 1, 3 * ix + 2]).collect(),
            vertices: faces.into_iter().flatten().map(|x| x * half).collect(),
        }
    }

    fn difference(a: DMat3, b: DMat3) -> f64 {
        (a - b).to_cols_array().into_iter().fold(0.0, |largest: f64, x| largest.max(x.abs()))
    }

    #[test]
    fn a_box_has_its_closed_form() {
        let half = DVec3::new(1.0, 2.0, 0.25);
        let mass = MassMoments::of(&cuboid(half).translated(DVec3::new(3.0, -4.0, 5.0)));
        let (square, volume) = (half * half, 4.0);
        let diagonal =
            DVec3::new(square.y + square.z, square.z + square.x, square.x + square.y) * volume / 3.0;
        // Two dozen tetrahedra of order ten.
        assert!((mass.volume - volume).abs() < 1e-14);
        assert!(mass.center.distance(DVec3::new(3.0, -4.0, 5.0)) < 1e-14);
        assert!(difference(mass.inertia, DMat3::from_diagonal(diagonal)) < 1e-13);
    }

    #[test]
    fn a_corner_tetrahedron_has_its_closed_form() {
        let mesh = TriangleMesh {
            vertices: vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z],
            triangles: vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
        };
        let mass = MassMoments::of(&mesh);
        assert!((mass.volume - 1.0 / 6.0).abs() < 1e-16);
        assert!(mass.center.distance(DVec3::splat(0.25)) < 1e-16);
        // ∫x² = 1/60 and ∫xy = 1/120 about the corner; less V/16 of each about the centroid.
        let expected = DMat3::from_diagonal(DVec3::splat(1.0 / 80.0 + 1.0 / 480.0))
            + DMat3::from_cols(DVec3::ONE, DVec3::ONE, DVec3::ONE) * (1.0 / 480.0)
            - DMat3::from_diagonal(DVec3::splat(1.0 / 480.0 + 1.0 / 480.0));
        assert!(difference(mass.inertia, expected) < 1e-17, "{:?}", mass.inertia);
    }

    /// Richardson's extrapolation of two subdivisions removes the leading 4⁻ⁿ of the chord error and leaves 16⁻ⁿ.
    #[test]
    fn an_ellipsoid_tends_to_its_closed_form() {
        let half = DVec3::new(1.0, 2.0, 0.5);
        let [coarse, fine] = [4, 5].map(|n| MassMoments::of(&ellipsoid(half, n)));
        let volume = 4.0 / 3.0 * std::f64::consts::PI * half.element_product();
        // What extrapolation leaves is of the order of the square of what it removes.
        let assert_extrapolates = |coarse: f64, fine: f64, exact: f64| {
            let error = fine / exact - 1.0;
            let rest = (fine + (fine - coarse) / 3.0) / exact - 1.0;
            assert!((-5e-3..-1e-4).contains(&error), "{error:e}");
            assert!(rest.abs() < 8.0 * error * error, "{error:e} {rest:e}");
        };
        assert_extrapolates(coarse.volume, fine.volume, volume);
        let square = half * half;
        let diagonal =
            DVec3::new(square.y + square.z, square.z + square.x, square.x + square.y) * volume / 5.0;
        for axis in 0..3 {
            let [coarse, fine] = [coarse, fine].map(|mass| mass.inertia.col(axis)[axis]);
            assert_extrapolates(coarse, fine, diagonal[axis]);
        }
    }

    /// The vertices of the moved box are exact, so nothing may be lost at all but in the last digits.
    #[test]
    fn a_box_a_million_metres_away_has_the_same_moments() {
        let half = DVec3::new(0.5, 0.25, 0.125);
        let offset = DVec3::new(1e6, -2e6, 3e6);
        let near = MassMoments::of(&cuboid(half));
        let far = MassMoments::of(&cuboid(half).translated(offset));
        assert_eq!(far.volume, near.volume);
        assert_eq!(far.center, offset);
        assert_eq!(far.inertia, near.inertia);
    }

    #[test]
    fn principal_axes_are_right_handed_and_do_not_depend_on_the_sign_of_the_eigenvectors() {
        let rotation = DMat3::from_quat(glam::DQuat::from_xyzw(0.1, -0.7, 0.4, 0.6).normalize());
        for scale in [1.0, 1e-30, 1e30] {
            let moments = DVec3::new(1.0, 2.5, 3.0) * scale;
            let tensor = rotation * DMat3::from_diagonal(moments) * rotation.transpose();
            let principal = Principal::of(tensor);
            assert!(principal.moments.distance(moments) < 1e-14 * scale);
            assert!((principal.axes.determinant() - 1.0).abs() < 1e-14);
            let back = principal.axes * DMat3::from_diagonal(principal.moments) * principal.axes.transpose();
            assert!(difference(back, tensor) < 1e-14 * scale);
            for axis in [principal.axes.x_axis, principal.axes.y_axis] {
                assert_eq!(axis.max_element(), axis.abs().max_element());
            }
        }
        assert_eq!(Principal::of(DMat3::ZERO).axes, DMat3::IDENTITY);
    }
}
