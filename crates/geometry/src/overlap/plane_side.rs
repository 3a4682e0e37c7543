//! Where one of the two surfaces inside an overlap is plane, the overlap's corners off that plane.

use std::f64::consts::TAU;

use glam::{DMat3, DVec2, DVec3};

use super::Flatness;
use super::patch::{Patch, hull_area};

/// Depth, as a part of the overlap's extent, up to which a corner lies in the plane, and part of the area that is beside it by rounding, for
/// overlaps as thin as a billionth of the shapes.
const IN_PLANE: f64 = 1e-6;

/// How many times as deep as its volume over the area of its plane an overlap over a plane that ends is at most: a cone is, and nothing convex is
/// deeper. Of one that hangs together only elsewhere, as where the feet of an animal stand on other facets of a bowl, the plane under one foot tells
/// nothing of how deep the others are. No unit.
const CONE: f64 = 3.0;

/// One of the two surfaces inside an overlap, where most of it that faces the other lies in one plane and nothing is beyond that.
///
/// Frame: as the [`Patch`]'s that it belongs to.
#[derive(Clone, Debug, PartialEq)]
pub struct PlaneSide {
    /// Normal of the plane, from A to B; unit, world axes. That of the patch where nothing of the surface is beside the plane.
    pub normal: DVec3,
    /// Tangent axes `(u, w)` of the plane with `normal = u × w`: those of the patch, seen along the normal.
    pub axes: [DVec3; 2],
    /// Where the plane is along the normal, about the centroid \[m\].
    pub height: f64,
    /// Extent of the overlap along the normal \[m\].
    pub extent: f64,
    /// What of the surface is beside the plane.
    pub beside: Beside,
    /// The overlap's corners off the plane, on `axes` and along the normal about the centroid, the farthest from the plane first,
    /// at most [`PlaneSide::MAX_TIPS`] \[m\]. The first is as far from the plane as the overlap extends. Of more, as where a face of thousands of
    /// triangles lies in the plane, those that are left out lie within the others, or all but so.
    pub tips: Vec<DVec3>,
}

/// What of a surface is beside the plane that most of it lies in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beside {
    /// Nothing: a floor.
    Nothing,
    /// Walls across the plane: a rail under a wheel that is wider, the end of a table.
    Walls,
    /// What may fall away from it: the same with edges that are rounded or broken, or with an outline that is not convex, whose corners
    /// do not tell how large it is.
    Slopes,
}

impl PlaneSide {
    /// Largest number of tips.
    pub const MAX_TIPS: usize = 256;

    /// That of the surface of A, or of B, for a surface all of which is plane: its normal is the patch's.
    fn all(patch: &Patch, is_of_b: bool, points: &[DVec3], centroid: DVec3) -> Self {
        let (side, places, _) = Self::farthest_out((patch.normal, patch.axes), is_of_b, points, centroid);
        Self { beside: Beside::Nothing, ..side }.with_tips(is_of_b, places)
    }

    /// That of a surface of this area that may face in the direction `outward` for the most part; `None` where it does not, or where most of
    /// what does is no plane. The points that lie farthest out span the plane, and the vector area says how large it has to be.
    fn of_most(
        patch: &Patch,
        is_of_b: bool,
        (outward, whole): (DVec3, f64),
        points: &[DVec3],
        centroid: DVec3,
        gradient: DVec3,
    ) -> Option<Self> {
        let normal = if is_of_b { -outward } else { outward };
        let facing = gradient.dot(normal);
        if facing <= (0.5 + IN_PLANE) * whole {
            return Self::between_walls(patch, is_of_b, points, centroid, gradient);
        }
        // Its normal is within 60 degrees of the gradient's direction, from which the patch's axes are a right angle.
        let u = (patch.axes[0] - normal * normal.dot(patch.axes[0])).normalize();
        let (side, places, area) =
            Self::farthest_out((normal, [u, normal.cross(u)]), is_of_b, points, centroid);
        let beside = if (area - facing).abs() > IN_PLANE * facing { Beside::Slopes } else { Beside::Walls };
        let is_under = side.is_over_all_of(patch, gradient, facing);
        (is_under && area > 0.5 * facing).then(|| Self { beside, ..side }.with_tips(is_of_b, places))
    }

    /// That of a surface most of which is walls that face each other, as a narrow rail's are deep down: what they leave of the vector area is the
    /// plane between them.
    fn between_walls(
        patch: &Patch,
        is_of_b: bool,
        points: &[DVec3],
        centroid: DVec3,
        gradient: DVec3,
    ) -> Option<Self> {
        let (side, places, area) = Self::farthest_out((patch.normal, patch.axes), is_of_b, points, centroid);
        let facing = gradient.length();
        let is_under = side.is_over_all_of(patch, gradient, facing);
        (is_under && (area - facing).abs() <= IN_PLANE * facing).then(|| side.with_tips(is_of_b, places))
    }

    /// Whether the overlap is no deeper off the plane than one that stands on so much of it may be, see [`CONE`].
    fn is_over_all_of(&self, patch: &Patch, gradient: DVec3, area: f64) -> bool {
        let volume = patch.mean_depth * gradient.length();
        self.extent * area <= (1.0 + IN_PLANE) * CONE * volume
    }

    /// That of the points which lie farthest out along a normal, without its tips, all points on its axes, and the area that the farthest span.
    fn farthest_out(
        (normal, axes): (DVec3, [DVec3; 2]),
        is_of_b: bool,
        points: &[DVec3],
        centroid: DVec3,
    ) -> (Self, Vec<DVec3>, f64) {
        let beside = Beside::Walls;
        let mut side = Self { normal, axes, height: 0.0, extent: 0.0, beside, tips: Vec::new() };
        let places = side.on_axes(points, centroid);
        let (low, high) = places
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x.z), high.max(x.z)));
        (side.height, side.extent) = (if is_of_b { low } else { high }, high - low);
        let in_plane = places.iter().filter(|x| (x.z - side.height).abs() <= IN_PLANE * side.extent);
        let area = hull_area(in_plane.map(|x| x.truncate()).collect());
        (side, places, area)
    }

    fn on_axes(&self, points: &[DVec3], centroid: DVec3) -> Vec<DVec3> {
        let place = |x: &DVec3| {
            let r = *x - centroid;
            DVec3::new(r.dot(self.axes[0]), r.dot(self.axes[1]), r.dot(self.normal))
        };
        points.iter().map(place).collect()
    }

    /// A's plane lies where the overlap ends along the normal, B's where it begins.
    fn with_tips(mut self, is_of_b: bool, mut places: Vec<DVec3>) -> Self {
        let away = if is_of_b { 1.0 } else { -1.0 };
        places.retain(|x| away * (x.z - self.height) > IN_PLANE * self.extent);
        let in_order = |a: &DVec3, b: &DVec3| {
            (away * b.z).total_cmp(&(away * a.z)).then(a.x.total_cmp(&b.x)).then(a.y.total_cmp(&b.y))
        };
        places.sort_unstable_by(in_order);
        places.dedup();
        self.tips = if places.len() > Self::MAX_TIPS { foremost(&places, away) } else { places };
        self
    }

    /// Whether half of a vector area or more lies in the plane, as the points tell that span the overlap.
    ///
    /// A piece of hardly any area elsewhere is none of the plane, and seen from it all of the overlap is deep.
    fn is_spanned(&self, is_of_b: bool, points: &[DVec3], centroid: DVec3, area: f64) -> bool {
        let (_, _, spanned) = Self::farthest_out((self.normal, self.axes), is_of_b, points, centroid);
        spanned >= 0.5 * area
    }

    /// The same with A and B exchanged.
    #[must_use]
    pub(super) fn swapped(mut self) -> Self {
        self.normal = -self.normal;
        self.axes[1] = -self.axes[1];
        self.height = -self.height;
        for tip in &mut self.tips {
            (tip.y, tip.z) = (-tip.y, -tip.z);
        }
        self
    }

    /// The same turned by a rotation matrix.
    #[must_use]
    pub(super) fn rotated(mut self, r: &DMat3) -> Self {
        self.normal = *r * self.normal;
        self.axes = self.axes.map(|axis| *r * axis);
        self
    }
}

/// Directions across the plane in which the foremost of many tips are found.
const DIRECTIONS: u32 = 64;

/// Slopes, as parts of how steeply an overlap rises over its width, under which those points of it are listed that may come down next, and in
/// how many directions: each half as steep as the one before, as what is round has another point at the bottom by as much as it leans, and in so
/// many that between two of them a circle reaches as much farther at every slope. No unit.
pub(super) const TILTS: [(f64, u32); 5] = [(1.0, 40), (0.5, 28), (0.25, 20), (0.125, 14), (0.0625, 10)];

/// Directions equally spaced from the first axis to the second and on around.
pub(super) fn around(n: u32) -> impl Iterator<Item = DVec2> {
    (0..n).map(move |k| DVec2::from_angle(f64::from(k) * (TAU / f64::from(n))))
}

/// Of tips, in the order from the farthest, those that are foremost in some direction, across the plane or away from it as steeply as they
/// rise over their width: however the bodies turn against each other, it is these that come down.
fn foremost(tips: &[DVec3], away: f64) -> Vec<DVec3> {
    let Some((first, last)) = tips.first().zip(tips.last()) else { return Vec::new() };
    let middle = tips.iter().map(|tip| tip.truncate()).sum::<DVec2>() / tips.len() as f64;
    let width = tips.iter().map(|tip| tip.truncate().distance(middle)).fold(0.0, f64::max);
    let rise = away * (first.z - last.z);
    let steep = if rise > 0.0 { away * width / rise } else { 0.0 };
    let tilted = |(tilt, n)| around(n).map(move |across| across.extend(steep / tilt));
    let across = around(DIRECTIONS).map(|across| across.extend(0.0));
    let mut is_foremost = vec![false; tips.len()];
    is_foremost[0] = true;
    for direction in across.chain(TILTS.into_iter().flat_map(tilted)) {
        let mut most = (f64::NEG_INFINITY, 0);
        for (ix, tip) in tips.iter().enumerate() {
            let far = direction.dot(*tip);
            if far > most.0 {
                most = (far, ix);
            }
        }
        is_foremost[most.1] = true;
    }
    tips.iter().zip(is_foremost).filter(|(_, is_foremost)| *is_foremost).map(|(tip, _)| *tip).collect()
}

impl Patch {
    /// The patch with its [`Patch::planes`]; `points`, `centroid` and `gradient` as in [`Patch::new`].
    ///
    /// `areas` are those of A's surface inside B and of B's inside A; [`Flatness`] says which is all plane. `facing` are the outward
    /// normals that most of them have, if that is known: others may be plane for the most part.
    #[must_use]
    pub fn with_planes(
        mut self,
        points: &[DVec3],
        centroid: DVec3,
        gradient: DVec3,
        areas: [f64; 2],
        facing: [Option<DVec3>; 2],
    ) -> Self {
        let is_plane = Flatness::new(areas, gradient.length(), None).are_plane();
        self.planes = [0, 1].map(|of| {
            if is_plane[of] {
                return Some(PlaneSide::all(&self, of == 1, points, centroid));
            }
            let outward = (facing[of]?, areas[of]);
            PlaneSide::of_most(&self, of == 1, outward, points, centroid, gradient)
        });
        self
    }

    /// Without planes that the points do not span: of an overlap that may be in several places, and all of whose corners are among them.
    #[must_use]
    pub(super) fn on_spanned_planes(mut self, points: &[DVec3], centroid: DVec3, gradient: DVec3) -> Self {
        for (of, plane) in self.planes.iter_mut().enumerate() {
            let is_spanned =
                |side: &PlaneSide| side.is_spanned(of == 1, points, centroid, gradient.dot(side.normal));
            *plane = plane.take().filter(is_spanned);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_2;

    use super::*;
    use crate::mesh::generate::{self, Prism};
    use crate::overlap::overlap;
    use crate::{Capsule, Cuboid, Cylinder, Pose, Shape, Sphere};
    use glam::DQuat;

    /// Corners off the plane are listed once each, the farthest first, and alike in both orders of the pair.
    #[test]
    fn tips_are_the_corners_off_the_plane() {
        // A wedge below z = 0, as of an edge that leans: A is the half-space above which B lies.
        let plane = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(x, y)| DVec3::new(x, y, 0.0));
        let edge = [DVec3::new(0.0, -1.0, -0.2), DVec3::new(0.0, 1.0, -0.5)];
        let points: Vec<DVec3> = plane.into_iter().chain(edge).chain(edge).collect();
        let (centroid, gradient) = (DVec3::Z * -0.1, DVec3::Z * 4.0);
        let patch = Patch::new(&points, gradient, 1.0, centroid, &DMat3::IDENTITY).unwrap();
        let of_b = patch.clone().with_planes(&points, centroid, gradient, [4.0, 5.0], [None; 2]);
        let found = places(of_b.planes[0].as_ref().expect("a plane"), centroid);
        assert!(of_b.planes[1].is_none());
        assert_eq!(found.len(), 2);
        assert!((found[0] - edge[1]).length() < 1e-15 && (found[1] - edge[0]).length() < 1e-15);
        // Seen from B, whose part of the surface is then the first.
        let other = Patch::new(&points, -gradient, 1.0, centroid, &DMat3::IDENTITY).unwrap();
        let swapped = other.with_planes(&points, centroid, -gradient, [5.0, 4.0], [None; 2]);
        assert_eq!(of_b.clone().swapped(), swapped);
        let curved = patch.with_planes(&points, centroid, gradient, [5.0, 5.0], [None; 2]);
        assert_eq!(curved.planes, [None, None]);
    }

    /// A piece of hardly any area, far above a wedge, is no plane that the wedge is deep under.
    #[test]
    fn a_piece_of_no_area_is_no_plane() {
        let square = |middle: DVec3, half: f64| {
            [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
                .map(|(x, y)| middle + DVec3::new(x, y, 0.0) * half)
        };
        let edge = [DVec3::new(0.0, -1.0, -0.2), DVec3::new(0.0, 1.0, -0.5)];
        let wedge: Vec<DVec3> = square(DVec3::ZERO, 1.0).into_iter().chain(edge).collect();
        let both: Vec<DVec3> =
            wedge.iter().copied().chain(square(DVec3::new(5.0, 0.0, 20.0), 1e-5)).collect();
        let (centroid, gradient) = (DVec3::Z * -0.1, DVec3::Z * 4.0);
        for (points, is_plane) in [(wedge, true), (both, false)] {
            let patch = Patch::new(&points, gradient, 1.0, centroid, &DMat3::IDENTITY).unwrap();
            let patch = patch.with_planes(&points, centroid, gradient, [4.0, 5.0], [None; 2]);
            assert!(patch.planes[0].is_some());
            assert_eq!(patch.on_spanned_planes(&points, centroid, gradient).planes[0].is_some(), is_plane);
        }
    }

    /// Nor is what stands on other ground, far below a plane that ends, deep under that plane; what is as deep as the walls of the plane is.
    #[test]
    fn what_stands_elsewhere_is_not_deep_under_a_plane() {
        let square = |middle: DVec3, half: f64| {
            [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
                .map(|(x, y)| middle + DVec3::new(x, y, 0.0) * half)
        };
        let plate = square(DVec3::ZERO, 1.0).into_iter().chain(square(DVec3::Z * -0.25, 1.0));
        let (centroid, gradient) = (DVec3::Z * -0.1, DVec3::new(0.1, 0.0, 4.3));
        for (down, is_plane) in [(0.25, true), (20.0, false)] {
            let other = square(DVec3::new(5.0, 0.0, -down), 0.3);
            let points: Vec<DVec3> = plate.clone().chain(other).collect();
            let patch = Patch::new(&points, gradient, 1.0, centroid, &DMat3::IDENTITY).unwrap();
            let facing = [Some(DVec3::Z), None];
            let patch = patch.with_planes(&points, centroid, gradient, [4.36, 5.0], facing);
            assert_eq!(patch.planes[0].is_some(), is_plane, "{down}");
        }
    }

    /// A disc of facets that lies on a plane, however many vertices its face has, has tips all around it: those of its face as they came were a
    /// part of it beside the middle, over which it tipped.
    #[test]
    fn tips_of_a_fine_face_are_all_around_it() {
        let turn = DQuat::from_xyzw(0.3, -0.2, 0.5, 0.7).normalize();
        for n_triangles in [2000, 4800, 16_000] {
            let disc = Shape::from_mesh(generate::cylinder(0.05, 0.004, n_triangles).unwrap()).unwrap();
            let at = turn * DVec3::Z * (0.002 - 1e-5);
            let found =
                overlap(&Shape::HalfSpace, &Pose::new(DVec3::ZERO, turn), &disc, &Pose::new(at, turn));
            let tips = places(found.patch.unwrap().planes[0].as_ref().unwrap(), found.centroid);
            assert!(tips.len() <= PlaneSide::MAX_TIPS, "{}", tips.len());
            let on_disc: Vec<DVec2> = tips.iter().map(|tip| (turn.inverse() * *tip).truncate()).collect();
            for toward in (0..90).map(|k| DVec2::from_angle(f64::from(k) * (TAU / 90.0))) {
                let reach = on_disc.iter().map(|x| x.dot(toward)).fold(0.0, f64::max);
                // Between two of 64 directions a circle reaches 0.12 % farther than its points in these, and facets lie within it.
                assert!(reach > 0.995 * 0.05, "{n_triangles} triangles, {toward}: {reach}");
            }
        }
    }

    /// Of a torus that lies in a plane nearly as deep as its tube the tips tell how low it is as it leans, by up to as much as the overlap rises
    /// over its width, and not only of the rims that are widest.
    #[test]
    fn tips_are_what_comes_down_as_a_body_leans() {
        for n_triangles in [500, 2000, 20_000] {
            let torus = Shape::from_mesh(generate::torus(0.12, 0.04, n_triangles).unwrap()).unwrap();
            let Shape::Mesh(mesh) = &torus else { panic!("a mesh") };
            for depth in [0.02, 0.047, 0.07] {
                let at = Pose::from_translation(DVec3::Z * (0.04 - depth));
                let found = overlap(&Shape::HalfSpace, &Pose::IDENTITY, &torus, &at);
                let tips = places(found.patch.unwrap().planes[0].as_ref().unwrap(), found.centroid);
                assert!(tips.len() <= PlaneSide::MAX_TIPS, "{}", tips.len());
                let mut missing: f64 = 0.0;
                for lean in [0.0, 0.05, 0.1, 0.3, 0.6, 1.0].map(|part| part * depth / 0.16) {
                    for toward in (0..90).map(|k| DVec2::from_angle(f64::from(k) * (TAU / 90.0))) {
                        let down = (toward * lean).extend(-1.0).normalize();
                        let of_tips = tips.iter().map(|tip| tip.dot(down)).fold(f64::NEG_INFINITY, f64::max);
                        let of_all = mesh.vertices().iter().map(|x| at.point(*x).dot(down));
                        missing = missing.max(of_all.fold(f64::NEG_INFINITY, f64::max) - of_tips);
                    }
                }
                println!("{n_triangles} triangles, {depth} m: {missing:.1e} m");
                // Half-way between two tilts a tube of 40 mm reaches 0.19 mm farther at the most, and half-way between two of 40 directions
                // a ring of 130 mm that leans by 24 degrees 0.16 mm.
                assert!(missing < 0.006 * depth, "{n_triangles} triangles, {depth} m: {missing}");
            }
        }
    }

    fn places(side: &PlaneSide, centroid: DVec3) -> Vec<DVec3> {
        let at = |tip: &DVec3| centroid + side.axes[0] * tip.x + side.axes[1] * tip.y + side.normal * tip.z;
        side.tips.iter().map(at).collect()
    }

    /// A wheel of many sides stands on a rail that is narrower, or over the end of a table: the top is plane but for its walls, in whatever
    /// direction the gradient leans, and the corners are those of the wheel.
    #[test]
    fn a_plane_may_have_walls() {
        let wheel =
            Shape::from_mesh(generate::prism(&Prism { sides: 64, radius: 0.1, height: 0.06 }, 0).unwrap());
        let (wheel, depth) = (wheel.expect("a wheel"), 2e-4);
        let turn = DQuat::from_xyzw(0.3, -0.2, 0.5, 0.7).normalize();
        let place = |x: DVec3, own: DQuat| Pose::new(turn * x, turn * own);
        for (size, middle) in [(DVec3::new(5.0, 0.015, 0.05), 0.0), (DVec3::new(1.0, 0.5, 0.05), 0.9995)] {
            let rail = Shape::Cuboid(Cuboid { half_size: size });
            let mesh = Shape::from_mesh(generate::cuboid(2.0 * size, 12).expect("a box")).expect("closed");
            // Lying on its side, not quite on a facet, and leaning by 0.01 degrees.
            let spin = DQuat::from_rotation_x(FRAC_PI_2 + 2e-4) * DQuat::from_rotation_z(0.02);
            let at = place(DVec3::new(middle, 0.0, 0.05 + 0.1 - depth), spin);
            for ground in [rail, mesh] {
                let under = place(DVec3::ZERO, DQuat::IDENTITY);
                let of_b = overlap(&ground, &under, &wheel, &at);
                let of_a = overlap(&wheel, &at, &ground, &under);
                for (found, side, up) in [(of_b, 0, 1.0), (of_a, 1, -1.0)] {
                    let patch = found.patch.as_ref().expect("a patch");
                    assert!(!found.flatness().has_plane());
                    let side = patch.planes[side].as_ref().expect("a plane");
                    assert!(
                        side.beside == Beside::Walls && side.normal.distance(turn * DVec3::Z * up) < 1e-9,
                        "{side:?}"
                    );
                    assert!(side.extent > 0.5 * depth && side.extent < 1.1 * depth);
                    assert!(side.tips.len() >= 2);
                }
            }
        }
    }

    /// A rail that stands so deep in a wheel that most of its surface is walls is a plane between them all the same, whichever comes first.
    #[test]
    fn a_rail_deep_in_a_wheel_is_a_plane_with_walls() {
        let wheel = generate::prism(&Prism { sides: 64, radius: 0.1, height: 0.06 }, 0).expect("a wheel");
        let wheel = Shape::from_mesh(wheel).expect("closed");
        let rail = Shape::Cuboid(Cuboid { half_size: DVec3::new(5.0, 0.01, 0.05) });
        let lying = DQuat::from_rotation_x(FRAC_PI_2);
        for depth in [0.005, 0.016, 0.04] {
            let at = Pose::new(DVec3::Z * (0.15 - depth), lying);
            for (of, up, found) in [
                (0, 1.0, overlap(&rail, &Pose::IDENTITY, &wheel, &at)),
                (1, -1.0, overlap(&wheel, &at, &rail, &Pose::IDENTITY)),
            ] {
                let patch = found.patch.expect("a patch");
                let side = patch.planes[of].as_ref().expect("a plane");
                assert!(
                    side.beside == Beside::Walls && side.normal.distance(up * DVec3::Z) < 1e-9,
                    "{depth}"
                );
            }
        }
    }

    /// What has a round side tells of the other's plane and its walls as meshes do: a cylinder, a capsule and a ball half over the end of a table.
    #[test]
    fn under_what_is_round_the_end_of_a_table_is_a_plane_with_walls() {
        let table = Shape::Cuboid(Cuboid { half_size: DVec3::new(1.0, 0.5, 0.05) });
        let mesh = Shape::from_mesh(generate::cuboid(DVec3::new(2.0, 1.0, 0.1), 12).expect("a table"));
        let (lying, turn) = (DQuat::from_rotation_y(FRAC_PI_2), DQuat::from_rotation_z(0.3));
        let cylinder = Shape::Cylinder(Cylinder { radius: 0.1, height: 0.3 });
        let capsule = Shape::Capsule(Capsule { radius: 0.1, half_length: 0.15 });
        let ball = Shape::Sphere(Sphere { radius: 0.1 });
        for (shape, over) in [(cylinder, 0.95), (capsule, 0.95), (ball, 0.9995)] {
            for ground in [&table, mesh.as_ref().expect("closed")] {
                let at = Pose::new(turn * DVec3::new(over, 0.0, 0.15 - 1e-5), turn * lying);
                let found = overlap(ground, &Pose::new(DVec3::ZERO, turn), &shape, &at);
                assert!(!found.flatness().has_plane());
                let patch = found.patch.expect("a patch");
                let side = patch.planes[0].as_ref().expect("a plane");
                assert!(side.normal.distance(DVec3::Z) < 1e-9, "{shape:?} {side:?}");
                assert!(patch.planes[1].is_none());
            }
        }
    }

    /// What begins to tip over the end of a table is deepest in the plane of its end wall, where its side is cut and has no end of its own.
    #[test]
    fn what_tips_over_an_end_is_as_thick_as_it_is_deep_there() {
        let table = Shape::Cuboid(Cuboid { half_size: DVec3::new(1.0, 0.5, 0.05) });
        let tipping = DQuat::from_rotation_y(FRAC_PI_2 + 2e-4);
        let cylinder = Shape::Cylinder(Cylinder { radius: 0.1, height: 0.4 });
        let capsule = Shape::Capsule(Capsule { radius: 0.1, half_length: 0.2 });
        for (shape, depth) in [cylinder, capsule].iter().flat_map(|shape| [(shape, 1e-5), (shape, 3e-6)]) {
            let at = Pose::new(DVec3::new(1.0, 0.0, 0.15 - depth), tipping);
            let found = overlap(&table, &Pose::IDENTITY, shape, &at);
            let patch = found.patch.expect("a patch");
            let side = patch.planes[0].as_ref().expect("a plane");
            assert!(side.normal.distance(DVec3::Z) < 1e-9);
            // That its side leans makes it 2e-9 m deeper, `R (1 / cos θ - 1)`, a thousandth of the smaller depth.
            assert!((side.extent / depth - 1.0).abs() < 1e-3, "{shape:?} {depth}: {}", side.extent);
        }
    }

    /// Two logs that lie side by side have many facets where they meet, none of which is all that faces the other, and ends that face across: no plane.
    #[test]
    fn facets_are_no_plane() {
        let log = generate::prism(&Prism { sides: 64, radius: 0.1, height: 0.3 }, 0).expect("a log");
        let log = Shape::from_mesh(log).expect("closed");
        for (apart, turn) in [(0.199, 0.0), (0.1999, 0.0), (0.199, 0.03), (0.1999, 0.01)] {
            let beside = Pose::new(DVec3::X * apart, DQuat::from_rotation_z(turn));
            let found = overlap(&log, &Pose::IDENTITY, &log, &beside);
            // At most the one of two facets that slants by less, to roll over.
            for side in found.patch.expect("a patch").planes.iter().flatten() {
                assert!(
                    side.beside == Beside::Slopes && side.normal.z.abs() < 1e-9,
                    "{apart} {turn}: {side:?}"
                );
            }
        }
    }
}
