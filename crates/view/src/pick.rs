//! Which body lies under the mouse.

use glam::DVec3;
use tactum_geometry::Ray;

use crate::frame::Frame;

/// Where a ray meets a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Index of the body.
    pub body: u32,
    /// Distance along the ray \[m\].
    pub distance: f64,
    /// The point met, in the frame of the body's shape \[m\].
    pub point_in_shape: DVec3,
}

/// The first body that a ray meets; half-spaces are scenery and are not picked.
pub fn pick(frame: &Frame, ray: &Ray) -> Option<Hit> {
    let mut best: Option<Hit> = None;
    for (ix, (body, pose)) in (0..).zip(frame.model.bodies.iter().zip(&frame.poses)) {
        let local = ray.seen_from(pose);
        let limit = best.map_or(f64::INFINITY, |hit| hit.distance);
        if body.shape.is_bounded()
            && let Some(distance) = body.shape.ray(&local)
            && distance < limit
        {
            best = Some(Hit { body: ix, distance, point_in_shape: local.at(distance) });
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::DQuat;
    use tactum_geometry::{Capsule, Cuboid, Pose, Shape, Sphere, TriangleMesh};

    use super::*;
    use crate::frame::{BodyInfo, Model};

    fn frame(shapes: &[(Shape, Pose)]) -> Frame {
        let bodies = shapes.iter().map(|(shape, _)| BodyInfo::of_shape("x", shape.clone())).collect();
        let model = Arc::new(Model { n_scene_bodies: shapes.len(), bodies, ..Model::default() });
        Frame { model, poses: shapes.iter().map(|(_, pose)| *pose).collect(), ..Frame::default() }
    }

    fn ray(origin: [f64; 3], direction: [f64; 3]) -> Ray {
        Ray { origin: DVec3::from_array(origin), direction: DVec3::from_array(direction).normalize() }
    }

    #[test]
    fn the_nearest_body_is_picked() {
        let at = |x| Pose::from_translation(DVec3::new(x, 0.0, 0.0));
        let ball = Shape::Sphere(Sphere { radius: 0.5 });
        let cube = Shape::Cuboid(Cuboid { half_size: DVec3::splat(0.25) });
        let frame = frame(&[(ball, at(4.0)), (cube, at(2.0)), (Shape::HalfSpace, at(0.0))]);
        let hit = pick(&frame, &ray([0.0, 0.0, 0.1], [1.0, 0.0, 0.0])).expect("a hit");
        assert_eq!((hit.body, hit.distance), (1, 1.75));
        assert!(hit.point_in_shape.distance(DVec3::new(-0.25, 0.0, 0.1)) < 1e-15);
        // Above the cube the ray meets the ball: at x = 4 - sqrt(0.25 - 0.16).
        let hit = pick(&frame, &ray([0.0, 0.0, 0.4], [1.0, 0.0, 0.0])).expect("a hit");
        assert_eq!(hit.body, 0);
        assert!((hit.distance - 3.7).abs() < 1e-12);
        assert_eq!(pick(&frame, &ray([0.0, 0.0, 1.0], [0.0, 0.0, -1.0])), None);
    }

    #[test]
    fn a_turned_capsule_is_met_on_its_side_and_its_end() {
        let lying = Pose::new(DVec3::ZERO, DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2));
        let frame = frame(&[(Shape::Capsule(Capsule { radius: 0.1, half_length: 0.5 }), lying)]);
        let side = pick(&frame, &ray([0.3, 0.0, 1.0], [0.0, 0.0, -1.0])).expect("a hit");
        assert!((side.distance - 0.9).abs() < 1e-12);
        let end = pick(&frame, &ray([2.0, 0.0, 0.0], [-1.0, 0.0, 0.0])).expect("a hit");
        assert!((end.distance - 1.4).abs() < 1e-12);
        assert_eq!(pick(&frame, &ray([0.65, 0.0, 1.0], [0.0, 0.0, -1.0])), None);
    }

    /// A mesh with a hole is met where it is, not where its box is.
    #[test]
    fn meshes_are_met_by_their_triangles() {
        let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let mesh = TriangleMesh {
            vertices: corners.map(DVec3::from_array).to_vec(),
            triangles: vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
        };
        let shape = Shape::from_mesh(mesh).expect("a tetrahedron is a solid");
        let frame = frame(&[(shape, Pose::IDENTITY)]);
        let hit = pick(&frame, &ray([0.2, 0.2, 5.0], [0.0, 0.0, -1.0])).expect("a hit");
        assert!((hit.distance - 4.4).abs() < 1e-12);
        assert_eq!(pick(&frame, &ray([0.8, 0.8, 5.0], [0.0, 0.0, -1.0])), None);
    }
}
