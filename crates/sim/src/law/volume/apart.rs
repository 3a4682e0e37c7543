//! In which direction two bodies are apart, and how far.
//!
//! Boxes along the world's axes would say something else of a scene that is turned as a whole, and of a ball's mesh something else
//! with each degree that it rolls. So bodies are asked how far they reach, along the normals of their own boxes, from the one to the
//! other, and only where all of these find them one in the other also across pairs of their boxes' edges (Gottschalk, Lin, Manocha 1996). What is
//! round is inside its box: two such bodies are asked along their shortest distance too.

use glam::DVec3;
use tactum_geometry::{Symmetry, separation};

use crate::Body;

/// A plane between two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Apart {
    /// Its normal, from A to B; unit, world axes.
    pub normal: DVec3,
    /// How far apart the bodies are along it, negative where each reaches beyond the other's end \[m\].
    pub gap: f64,
}

impl Apart {
    /// The plane that leaves two bodies farthest apart of those that are looked at.
    pub fn of(bodies: [&Body; 2]) -> Self {
        let [a, b] = bodies.map(middle);
        let across = b - a;
        let facing = |axis: DVec3| if axis.dot(across) < 0.0 { -axis } else { axis };
        let axes = bodies.map(|body| DVec3::AXES.map(|axis| body.w_from_shape().vector(axis)));
        let faces = axes.iter().flatten().map(|axis| facing(*axis));
        let of = |normal: DVec3| Self { normal, gap: Self::gap(bodies, normal, Body::reach) };
        let farther = |a: Self, b: Self| if b.gap > a.gap { b } else { a };
        let between = across.try_normalize().unwrap_or(axes[0][0]);
        let mut best = faces.map(of).fold(of(between), farther);
        if best.gap < 0.0 {
            let edges = axes[0].iter().flat_map(|a| axes[1].iter().map(|b| a.cross(*b)));
            best = edges.filter_map(DVec3::try_normalize).map(facing).map(of).fold(best, farther);
        }
        // What is round is inside its box, and apart from others that are in that. Over the edge of a box it may slide on, though it is nearest to it
        // across.
        let is_ball = |body: &&Body| body.shape.symmetry() == Some(Symmetry::Point);
        if bodies.iter().all(|body| body.shape.has_round_side()) && !bodies.iter().all(is_ball) {
            let [a, b] = bodies.map(|body| (&body.shape, body.w_from_shape()));
            let points = separation::nearest((a.0, &a.1), (b.0, &b.1));
            let direction = points.and_then(|[on_a, on_b]| (on_b - on_a).try_normalize());
            best = direction.map(of).map_or(best, |found| farther(best, found));
        }
        Self::along(bodies, best.normal)
    }

    /// The plane with this normal.
    pub fn along(bodies: [&Body; 2], normal: DVec3) -> Self {
        Self { normal, gap: Self::gap(bodies, normal, Body::farthest) }
    }

    /// How far apart bodies are along a normal that reach so far from their centres of mass.
    fn gap([a, b]: [&Body; 2], normal: DVec3, reach: impl Fn(&Body, DVec3) -> f64) -> f64 {
        (b.position - a.position).dot(normal) - reach(b, -normal) - reach(a, normal)
    }
}

/// The middle of a body's own box, world \[m\].
pub fn middle(body: &Body) -> DVec3 {
    body.w_from_shape().point(body.shape.own_aabb().center())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test stops where its scene cannot be built
mod tests {
    use std::f64::consts::FRAC_PI_4;

    use glam::{DMat3, DQuat};
    use tactum_geometry::mesh::generate;
    use tactum_geometry::{Cuboid, Pose, Shape};

    use super::*;
    use crate::world::material::Materials;
    use crate::{BodyDesc, BodyKind, MassProperties};

    /// Where two bodies are apart that are turned together, some metres out.
    fn apart(bodies: [(&Shape, Pose); 2], rotation: DQuat) -> Apart {
        let out = Pose::new(DVec3::new(3.0, -2.0, 1.0), rotation);
        let [a, b] = bodies.map(|(shape, pose)| {
            let desc = BodyDesc {
                name: String::new(),
                kind: BodyKind::Static,
                shape: shape.clone(),
                smooth: None,
                rounded: None,
                surface: None,
                w_from_shape: out.then(&pose),
                mass: MassProperties { mass: 1.0, center: DVec3::ZERO, inertia: DMat3::IDENTITY },
                linear_velocity: DVec3::ZERO,
                angular_velocity: DVec3::ZERO,
                material: None,
                friction: None,
                groups: 1,
                mask: 1,
            };
            desc.build(&Materials::default()).unwrap()
        });
        Apart::of([&a, &b])
    }

    const TURNS: [DVec3; 2] = [DVec3::ZERO, DVec3::new(0.4, -1.1, 0.3)];

    /// A plank over a mesh of a ball is apart from it across its own lower face, by what the ball's highest vertex leaves, however
    /// the ball has rolled under it and wherever up is.
    #[test]
    fn a_plank_and_a_ball_are_apart_across_the_plank() {
        let plank = Shape::Cuboid(Cuboid { half_size: DVec3::new(1.0, 0.2, 0.01) });
        let mesh = generate::sphere(0.05, 320).unwrap();
        let ball = Shape::from_mesh(mesh.clone()).unwrap();
        for (roll, turn) in [0.0, 0.1, 0.7, 2.0].into_iter().flat_map(|roll| TURNS.map(|turn| (roll, turn))) {
            let [rolled, turned] = [DQuat::from_rotation_y(roll), DQuat::from_scaled_axis(turn)];
            let top = mesh.vertices.iter().map(|x| (rolled * *x).z).fold(0.0, f64::max);
            let over = Pose::from_translation(DVec3::new(0.6, 0.05, 0.0601));
            let found = apart([(&ball, Pose::new(DVec3::ZERO, rolled)), (&plank, over)], turned);
            assert!(found.normal.distance(turned * DVec3::Z) < 1e-14, "{found:?}");
            // Roundings of places some metres out.
            assert!((found.gap - (0.0501 - top)).abs() < 1e-14, "{roll}: {found:?}");
        }
    }

    /// Cubes that stand on edge across each other are apart across both edges, where no face of theirs lies between.
    #[test]
    fn crossed_cubes_are_apart_across_their_edges() {
        let cube = Shape::Cuboid(Cuboid { half_size: DVec3::splat(0.5) });
        let lower = Pose::new(DVec3::ZERO, DQuat::from_rotation_x(FRAC_PI_4));
        let upper = Pose::new(DVec3::new(0.45, 0.45, 1.43), DQuat::from_rotation_y(FRAC_PI_4));
        for turned in TURNS.map(DQuat::from_scaled_axis) {
            let found = apart([(&cube, lower), (&cube, upper)], turned);
            assert!(found.normal.distance(turned * DVec3::Z) < 1e-14, "{found:?}");
            assert!((found.gap - (1.43 - 2.0_f64.sqrt())).abs() < 1e-14, "{found:?}");
        }
    }
}
