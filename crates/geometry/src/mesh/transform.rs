//! Meshes brought from the frame and unit of their file into the one in which they are wanted.

use glam::{DMat3, DQuat, DVec3};

use super::{MassMoments, TriangleMesh};

/// How a mesh is scaled, turned and moved, in this order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshTransform {
    /// Factors along the axes of the file, none of them zero; an odd number of negative ones makes a mirror image.
    pub scale: DVec3,
    /// Turns the scaled mesh.
    pub rotation: DQuat,
    /// Which point of the turned mesh is moved into the origin; none for the origin of the file.
    pub center: Option<Center>,
}

/// A point of a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Center {
    /// The middle of the box around it, along the axes.
    Box,
    /// The middle of the lower side of that box: the mesh then stands on z = 0.
    Base,
    /// The centre of mass of what it encloses.
    Mass,
}

impl MeshTransform {
    /// Leaves a mesh as it is.
    pub const IDENTITY: Self = Self { scale: DVec3::ONE, rotation: DQuat::IDENTITY, center: None };

    /// The mesh where it is wanted. A mirror image has its triangles turned over, so that they still look outward. Without turning, every
    /// coordinate is rounded once for scaling and once for moving.
    #[must_use]
    pub fn apply(&self, mut mesh: TriangleMesh) -> TriangleMesh {
        let turn = (self.rotation != DQuat::IDENTITY).then(|| exact_where_it_can_be(self.rotation));
        for x in &mut mesh.vertices {
            *x *= self.scale;
            if let Some(turn) = turn {
                *x = turn * *x;
            }
        }
        if self.scale.x * self.scale.y * self.scale.z < 0.0 {
            mesh.triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
        }
        match self.center {
            Some(center) => {
                let to_origin = -center.of(&mesh);
                mesh.translated(to_origin)
            }
            None => mesh,
        }
    }
}

impl Center {
    fn of(self, mesh: &TriangleMesh) -> DVec3 {
        let bounds = mesh.aabb();
        let middle = 0.5 * (bounds.min + bounds.max);
        match self {
            Self::Box => middle,
            Self::Base => middle.with_z(bounds.min.z),
            Self::Mass => MassMoments::of(mesh).center,
        }
    }
}

/// The matrix of a rotation. Entries within rounding of -1, 0 and 1 are these, so that quarter turns, which swap axes, round nothing:
/// faces along the axes stay there.
fn exact_where_it_can_be(rotation: DQuat) -> DMat3 {
    /// What the sines and cosines of a quarter turn are off by, with room for the product of a few turns.
    const ROUNDING: f64 = 8.0 * f64::EPSILON;
    let exact = |x: f64| if (x - x.round()).abs() <= ROUNDING { x.round() } else { x };
    DMat3::from_cols_array(&DMat3::from_quat(rotation).to_cols_array().map(exact))
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_2;

    use super::*;
    use crate::mesh::generate;

    /// A box of 1 by 2 by 3 whose lower corner is in the origin.
    fn corner_box() -> TriangleMesh {
        let size = DVec3::new(1.0, 2.0, 3.0);
        generate::cuboid(size, 12).expect("a box").translated(0.5 * size)
    }

    fn moved(transform: MeshTransform) -> TriangleMesh {
        transform.apply(corner_box())
    }

    #[test]
    fn a_mirror_image_still_encloses_its_volume() {
        let scale = DVec3::new(-2.0, 1.0, 0.5);
        let mesh = moved(MeshTransform { scale, ..MeshTransform::IDENTITY });
        let mass = MassMoments::of(&mesh);
        // 6 times 2 times 0.5; the middle at half the sides. All are sums of a few exact products.
        assert_eq!(mass.volume, 6.0);
        assert_eq!(mass.center, DVec3::new(-1.0, 1.0, 0.75));
    }

    #[test]
    fn quarter_turns_round_nothing() {
        let rotation = DQuat::from_rotation_x(FRAC_PI_2) * DQuat::from_rotation_z(-FRAC_PI_2);
        let mesh = moved(MeshTransform { rotation, ..MeshTransform::IDENTITY });
        // z: x -> -y, y -> x; then x: y -> z, z -> -y.
        let bounds = mesh.aabb();
        assert_eq!([bounds.min, bounds.max], [DVec3::new(0.0, -3.0, -1.0), DVec3::new(2.0, 0.0, 0.0)]);
    }

    #[test]
    fn the_chosen_point_is_the_origin() {
        let centered = |center| moved(MeshTransform { center: Some(center), ..MeshTransform::IDENTITY });
        let [of_box, base] = [Center::Box, Center::Base].map(|center| centered(center).aabb());
        assert_eq!([of_box.min, of_box.max], [DVec3::new(-0.5, -1.0, -1.5), DVec3::new(0.5, 1.0, 1.5)]);
        assert_eq!([base.min.z, base.max.z], [0.0, 3.0]);
        let rest = MassMoments::of(&centered(Center::Mass)).center;
        // Sums of twelve triangles, each exact to a few units of the last digit of lengths up to 3.
        assert!(rest.length() < 1e-14, "{rest}");
    }
}
