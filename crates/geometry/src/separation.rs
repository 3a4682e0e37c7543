//! Where two convex shapes are nearest to each other: the nearest point to the origin of the set of differences of their points, closed in on from
//! farthest points alone (Gilbert, Johnson and Keerthi 1988).

use glam::DVec3;

use crate::{Pose, Shape};

/// Part of the distance to which that is found, where rounding allows. No unit.
const ACCURACY: f64 = 1e-10;

/// Points that are looked at; of shapes that all but touch more would be needed.
const MAX_STEPS: usize = 48;

/// The points of A and of B, posed in one frame, that are nearest to each other \[m\]; `None` where the shapes overlap or all but touch, or one of them
/// is not convex. Round ones are looked at without their margins, see [`Shape::margin`].
pub fn nearest(a: (&Shape, &Pose), b: (&Shape, &Pose)) -> Option<[DVec3; 2]> {
    let [on_a, on_b] = nearest_cores(a, b)?;
    let toward = (on_b - on_a).try_normalize()?;
    let between = on_a.distance(on_b) - a.0.margin() - b.0.margin();
    (between > 0.0).then(|| [on_a + a.0.margin() * toward, on_b - b.0.margin() * toward])
}

/// A difference of points of B and A.
#[derive(Clone, Copy, Debug)]
struct Difference {
    of: DVec3,
    on_a: DVec3,
}

/// Up to four of them, and the point nearest to the origin between these.
#[derive(Clone, Copy, Debug)]
struct Simplex {
    corners: [Difference; 4],
    n_corners: usize,
    nearest: Difference,
}

fn nearest_cores(a: (&Shape, &Pose), b: (&Shape, &Pose)) -> Option<[DVec3; 2]> {
    let farthest = |(shape, pose): (&Shape, &Pose), toward: DVec3| {
        Some(pose.point(shape.farthest_of_core(pose.rotation.conjugate() * toward)?))
    };
    let start = Difference { of: b.1.translation - a.1.translation, on_a: a.1.translation };
    let mut simplex = Simplex { corners: [start; 4], n_corners: 0, nearest: start };
    for _ in 0..MAX_STEPS {
        let toward = simplex.nearest.of.try_normalize()?;
        let on_a = farthest(a, toward)?;
        let beyond = Difference { of: farthest(b, -toward)? - on_a, on_a };
        let (distance, bound) = (simplex.nearest.of.length(), beyond.of.dot(toward));
        // The start is no point of the set, and no bound.
        let is_known = simplex.corners().iter().any(|known| known.of == beyond.of);
        if simplex.n_corners > 0 && (is_known || distance - bound <= ACCURACY * distance) {
            break;
        }
        simplex = simplex.with(beyond)?;
    }
    let nearest = simplex.nearest;
    Some([nearest.on_a, nearest.on_a + nearest.of])
}

impl Simplex {
    fn corners(&self) -> &[Difference] {
        &self.corners[..self.n_corners]
    }

    /// The smallest part of it with one corner more, of three at most before, in which the point nearest to the origin lies; `None` where the origin
    /// is in a tetrahedron.
    fn with(mut self, corner: Difference) -> Option<Self> {
        self.corners[self.n_corners] = corner;
        self.n_corners += 1;
        let mut best: Option<Self> = None;
        for subset in 1_usize..1 << self.n_corners {
            let mut part = Self { n_corners: 0, ..self };
            for ix in (0..self.n_corners).filter(|ix| subset >> ix & 1 == 1) {
                part.corners[part.n_corners] = self.corners[ix];
                part.n_corners += 1;
            }
            let Some(weights) = foot(part.corners()) else { continue };
            if part.n_corners == 4 {
                return None;
            }
            let mean = |of: fn(&Difference) -> DVec3| {
                part.corners().iter().zip(weights).map(|(corner, weight)| of(corner) * weight).sum::<DVec3>()
            };
            part.nearest = Difference { of: mean(|corner| corner.of), on_a: mean(|corner| corner.on_a) };
            let square = |simplex: &Self| simplex.nearest.of.length_squared();
            if best.as_ref().is_none_or(|known| square(&part) < square(known)) {
                best = Some(part);
            }
        }
        best
    }
}

/// The foot of the origin on the point, line, plane or space through these corners, as weights of each, where it lies between all of them.
fn foot(corners: &[Difference]) -> Option<[f64; 4]> {
    let volume = |x: DVec3, y: DVec3, z: DVec3| x.cross(y).dot(z);
    let at = |ix: usize| corners[ix].of;
    let weights = match corners.len() {
        1 => [1.0, 0.0, 0.0, 0.0],
        2 => {
            let along = at(1) - at(0);
            [at(1).dot(along), -at(0).dot(along), 0.0, 0.0]
        }
        3 => {
            let (a, b, c) = (at(0), at(1), at(2));
            let normal = (b - a).cross(c - a);
            [volume(b, c, normal), volume(c, a, normal), volume(a, b, normal), 0.0]
        }
        _ => {
            let (a, b, c, d) = (at(0), at(1), at(2), at(3));
            [volume(b, c, d), -volume(a, c, d), volume(a, b, d), -volume(a, b, c)]
        }
    };
    let whole: f64 = weights.iter().sum();
    let weights = weights.map(|weight| weight / whole);
    weights[..corners.len()].iter().all(|weight| *weight > 0.0).then_some(weights)
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_2;

    use glam::DQuat;

    use super::*;
    use crate::{Capsule, Cuboid, Cylinder, Sphere};

    const TURNS: [DVec3; 3] = [DVec3::ZERO, DVec3::new(0.4, -1.1, 0.3), DVec3::new(-2.0, 0.7, 1.3)];

    /// The nearest points of shapes that are turned together, seen without the turn.
    fn found(a: (&Shape, Pose), b: (&Shape, Pose), turn: DVec3) -> Option<[DVec3; 2]> {
        let out = Pose::new(DVec3::new(0.3, -2.0, 1.0), DQuat::from_scaled_axis(turn));
        let points = nearest((a.0, &out.then(&a.1)), (b.0, &out.then(&b.1)))?;
        Some(points.map(|x| out.inverse().point(x)))
    }

    /// Crossed capsules are nearest on the shortest way between their axes, a ball and the corner of a box between the corner and the ball's centre,
    /// crossed cylinders where their axes cross.
    #[test]
    fn shapes_are_nearest_where_they_are() {
        let capsule = Shape::Capsule(Capsule { radius: 0.03, half_length: 0.05 });
        let cylinder = Shape::Cylinder(Cylinder { radius: 0.03, height: 0.2 });
        let cube = Shape::Cuboid(Cuboid { half_size: DVec3::splat(0.5) });
        let ball = Shape::Sphere(Sphere { radius: 0.1 });
        let upright = Pose::IDENTITY;
        let lying = Pose::new(DVec3::new(0.01, 0.08, 0.02), DQuat::from_rotation_y(FRAC_PI_2));
        let on_axis = DVec3::Z * 0.02;
        let crossing = [on_axis + DVec3::Y * 0.03, on_axis + DVec3::Y * 0.05];
        let corner = DVec3::splat(0.5);
        let off = DVec3::new(0.2, 0.1, 0.15);
        let over_corner = Pose::from_translation(corner + off);
        for turn in TURNS {
            let cases = [
                ((&capsule, upright), (&capsule, lying), crossing),
                ((&cylinder, upright), (&cylinder, lying), crossing),
                ((&cylinder, upright), (&capsule, lying), crossing),
                ((&cube, upright), (&ball, over_corner), [corner, corner + off - 0.1 * off.normalize()]),
            ];
            for (a, b, right) in cases {
                let found = found(a, b, turn).expect("apart");
                let error = found[0].distance(right[0]).max(found[1].distance(right[1]));
                // As the square root of the accuracy: how far a point moves over a side before it is farther away by as much.
                assert!(error < 1e-5, "{a:?} {b:?}: {found:?}, not {right:?}");
            }
        }
    }

    /// What overlaps has none, and what is not convex.
    #[test]
    fn what_overlaps_has_no_nearest_points() {
        let cylinder = Shape::Cylinder(Cylinder { radius: 0.1, height: 0.4 });
        let capsule = Shape::Capsule(Capsule { radius: 0.1, half_length: 0.2 });
        let turned = Pose::new(DVec3::new(0.05, 0.1, 0.2), DQuat::from_rotation_x(0.8));
        for (turn, shape) in TURNS.into_iter().flat_map(|turn| [(turn, &cylinder), (turn, &capsule)]) {
            assert_eq!(found((shape, Pose::IDENTITY), (shape, turned), turn), None);
            assert_eq!(found((shape, Pose::IDENTITY), (shape, Pose::IDENTITY), turn), None);
        }
        let above = Pose::from_translation(DVec3::Z);
        assert_eq!(found((&Shape::HalfSpace, Pose::IDENTITY), (&cylinder, above), DVec3::ZERO), None);
    }
}
