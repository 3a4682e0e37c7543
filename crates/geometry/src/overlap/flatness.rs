//! Whether the two surfaces inside an overlap are plane or curved.

use super::{Overlap, Patch};

/// Part by which a surface's area may exceed its vector area for it to be plane: the rounding of both.
pub(super) const PLANE: f64 = 1e-9;

/// Part by which the area of both surfaces has to exceed their vector area for them to count as curved: 2 % are a shell that
/// spans 32 degrees.
const CURVED: f64 = 1e-3;

/// The same for a shell whose normals spread so far, 0.2 rad in the mean of squares, that no patch of it pushes along one of them. In
/// the scene `nut_runs_down` at 10 ms, parts up to 0.04 let the nut run and 0.1 does not; of the scene `salad`'s shells one in a hundred
/// exceeds it.
const WIDE: f64 = 0.02;

/// How many times its mean depth an overlap of curved surfaces has to extend along its normal to be a shell: a cap has two, a
/// corner three.
const THIN: f64 = 4.0;

/// How flat A's surface inside B and B's inside A are.
///
/// A surface that is plane is as large as its vector area `|∫ n dS|`, which both surfaces of an overlap share as they close
/// it together; a curved or bent one is larger. So all that is asked here are the two areas and the gradient.
///
/// Measured exactly, plane surfaces are told from others down to 1e-9 of their area, whatever triangles they are made of: a
/// sphere's cap passes for plane where it spans less than a hundredth of a degree.
///
/// By rays the answer is coarser. Areas are sums over the rays' cells of lower bounds from three projections, exact for plane
/// pieces, and the vector area of both surfaces is the one found on A's. A plane surface of A within one cell is found plane, but so is
/// a curved one all of whose normals are in one octant of the rays' axes. On B's surface, and over several cells, the two numbers err
/// apart by a part of some 1e-2 to 1e-3, as the rays do: whether such a surface is found plane is then chance, and `excess` is
/// known to no more than that.
#[derive(Clone, Copy, Debug)]
pub struct Flatness {
    /// Of A's surface inside B and of B's inside A \[m²\].
    areas: [f64; 2],
    /// \[m²\]
    vector_area: f64,
    /// Whether the overlap is thin for its extent along the normal.
    is_thin: bool,
}

impl Flatness {
    /// From the plain areas, the vector area and the patch if there is one.
    pub(super) fn new(areas: [f64; 2], vector_area: f64, patch: Option<&Patch>) -> Self {
        let is_thin = patch.is_some_and(|patch| patch.extent >= THIN * patch.mean_depth);
        Self { areas, vector_area, is_thin }
    }

    /// Whether A's surface inside B is plane, and whether B's inside A is.
    pub fn are_plane(&self) -> [bool; 2] {
        self.areas.map(|area| area <= (1.0 + PLANE) * self.vector_area)
    }

    /// Whether one of the two surfaces is plane.
    pub fn has_plane(&self) -> bool {
        self.flatter() <= (1.0 + PLANE) * self.vector_area
    }

    /// Part by which the area of the flatter surface exceeds its vector area.
    pub fn excess(&self) -> f64 {
        self.flatter() / self.vector_area - 1.0
    }

    /// Whether the overlap is a thin shell between two curved surfaces.
    pub fn is_shell(&self) -> bool {
        self.is_thin && self.both_exceed(CURVED)
    }

    /// Whether it is one whose normals spread so far that none of them is that of a patch.
    pub fn is_wide_shell(&self) -> bool {
        self.is_thin && self.both_exceed(WIDE)
    }

    fn flatter(&self) -> f64 {
        self.areas[0].min(self.areas[1])
    }

    fn both_exceed(&self, part: f64) -> bool {
        self.flatter() > (1.0 + part) * self.vector_area
    }
}

impl Overlap {
    /// Whether the two surfaces inside the overlap are plane or curved.
    pub fn flatness(&self) -> Flatness {
        Flatness::new(self.areas, self.gradient.length(), self.patch.as_ref())
    }
}

#[cfg(test)]
mod tests {
    use glam::{DQuat, DVec3};

    use crate::mesh::generate;
    use crate::overlap::overlap;
    use crate::{Capsule, Cuboid, Overlap, Pose, Shape, Sphere};

    fn on_floor(shape: &Shape, height: f64, turn: DQuat) -> Overlap {
        overlap(&Shape::HalfSpace, &Pose::IDENTITY, shape, &Pose::new(DVec3::Z * height, turn))
    }

    /// Of shapes on a floor A's side is the floor's plane; B's is plane only where a face lies in it evenly.
    #[test]
    fn the_floor_is_plane_whatever_stands_on_it() {
        let cuboid = Shape::Cuboid(Cuboid { half_size: DVec3::new(0.5, 0.4, 0.3) });
        let ball = Shape::Sphere(Sphere { radius: 0.5 });
        let capsule = Shape::Capsule(Capsule { radius: 0.5, half_length: 0.4 });
        let mesh = Shape::from_mesh(generate::sphere(0.5, 1280).unwrap()).unwrap();
        let of_mesh = on_floor(&mesh, 0.4, DQuat::IDENTITY).flatness();
        assert_eq!(of_mesh.are_plane(), [true, false]);
        let turn = DQuat::from_xyzw(0.3, 0.1, 0.2, 0.9).normalize();
        let corner = on_floor(&cuboid, 0.45, turn).flatness();
        assert_eq!(corner.are_plane(), [true, false]);
        for depth in [1e-6, 1e-3, 0.1] {
            for (shape, height) in [(&ball, 0.5), (&capsule, 0.9)] {
                let flatness = on_floor(shape, height - depth, DQuat::IDENTITY).flatness();
                assert!(flatness.has_plane() && flatness.are_plane()[0], "{shape:?}");
                assert!(flatness.excess().abs() < 1e-9 && !flatness.is_shell());
            }
            // A cap of a ball has the area 2 π r h over a rim of π h (2 r - h).
            let cap = on_floor(&ball, 0.5 - depth, DQuat::IDENTITY).flatness();
            assert_eq!(cap.are_plane(), [true, false]);
            let swapped = on_floor(&ball, 0.5 - depth, DQuat::IDENTITY).swapped(DVec3::ZERO).flatness();
            assert_eq!(swapped.are_plane(), [false, true]);
            assert!((cap.areas[1] / cap.vector_area - 1.0 / (1.0 - depth)).abs() < 1e-9);
        }
    }

    /// Two balls meet in a lens: both sides curved, but as deep as caps are.
    #[test]
    fn lenses_are_curved_and_no_shells() {
        let ball = Shape::Sphere(Sphere { radius: 0.5 });
        let lens = overlap(&ball, &Pose::IDENTITY, &ball, &Pose::from_translation(DVec3::Z * 0.8));
        let flatness = lens.flatness();
        assert_eq!(flatness.are_plane(), [false, false]);
        // Caps of height 0.1 on balls of radius 0.5: 2 r / (2 r - h) - 1.
        assert!((flatness.excess() - 1.0 / 9.0).abs() < 1e-12);
        assert!(!flatness.is_shell() && !flatness.is_wide_shell());
        let shell = super::Flatness { is_thin: true, ..flatness };
        assert!(shell.is_shell() && shell.is_wide_shell());
        let little = super::Flatness { areas: [1.005, 1.01], vector_area: 1.0, is_thin: true };
        assert!(little.is_shell() && !little.is_wide_shell() && !little.has_plane());
    }
}
