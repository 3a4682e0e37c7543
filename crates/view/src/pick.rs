//! Which body lies under the mouse.

use glam::DVec3;
use tactum_geometry::{Aabb, Pose, Shape, TriangleMesh};

use crate::camera::Ray;
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
        let local = to_shape(ray, pose);
        let limit = best.map_or(f64::INFINITY, |hit| hit.distance);
        if let Some(distance) = meet(&body.shape, &local)
            && distance < limit
        {
            best =
                Some(Hit { body: ix, distance, point_in_shape: local.origin + local.direction * distance });
        }
    }
    best
}

fn to_shape(ray: &Ray, w_from_shape: &Pose) -> Ray {
    let back = w_from_shape.rotation.conjugate();
    Ray { origin: back * (ray.origin - w_from_shape.translation), direction: back * ray.direction }
}

/// Distance along a ray of the shape's frame at which it meets the shape from outside \[m\].
fn meet(shape: &Shape, ray: &Ray) -> Option<f64> {
    match shape {
        Shape::HalfSpace => None,
        Shape::Sphere { radius } => meet_sphere(ray, DVec3::ZERO, *radius),
        Shape::Capsule { radius, half_length } => meet_capsule(ray, *radius, *half_length),
        Shape::Cuboid { half_size } => meet_box(ray, &Aabb { min: -*half_size, max: *half_size }),
        Shape::Convex(hull) => meet_mesh(ray, hull.solid().mesh(), &hull.aabb()),
        Shape::Mesh(solid) => meet_mesh(ray, solid.mesh(), &solid.aabb()),
    }
}

fn meet_sphere(ray: &Ray, center: DVec3, radius: f64) -> Option<f64> {
    let to_center = center - ray.origin;
    let along = to_center.dot(ray.direction);
    let beside = (to_center - ray.direction * along).length_squared();
    let distance = along - (radius * radius - beside).max(0.0).sqrt();
    (beside <= radius * radius && distance >= 0.0).then_some(distance)
}

fn meet_capsule(ray: &Ray, radius: f64, half_length: f64) -> Option<f64> {
    let (o, d) = (ray.origin.truncate(), ray.direction.truncate());
    let (a, b, c) = (d.length_squared(), o.dot(d), o.length_squared() - radius * radius);
    let discriminant = b * b - a * c;
    let side = (a > 0.0 && discriminant >= 0.0).then(|| (-b - discriminant.sqrt()) / a).filter(|t| {
        let z = ray.origin.z + t * ray.direction.z;
        *t >= 0.0 && z.abs() <= half_length
    });
    let end = |z| meet_sphere(ray, DVec3::Z * z, radius);
    [side, end(half_length), end(-half_length)].into_iter().flatten().min_by(f64::total_cmp)
}

/// Entry of a ray into a box by its three slabs (Kay and Kajiya 1986).
fn meet_box(ray: &Ray, bounds: &Aabb) -> Option<f64> {
    let (mut enter, mut leave) = (0.0_f64, f64::INFINITY);
    for axis in 0..3 {
        let (o, d) = (ray.origin[axis], ray.direction[axis]);
        if d == 0.0 {
            if o < bounds.min[axis] || o > bounds.max[axis] {
                return None;
            }
            continue;
        }
        let (s, t) = ((bounds.min[axis] - o) / d, (bounds.max[axis] - o) / d);
        enter = enter.max(s.min(t));
        leave = leave.min(s.max(t));
    }
    (enter <= leave).then_some(enter)
}

fn meet_mesh(ray: &Ray, mesh: &TriangleMesh, bounds: &Aabb) -> Option<f64> {
    meet_box(ray, bounds)?;
    (0..mesh.triangles.len()).filter_map(|ix| meet_triangle(ray, mesh.corners(ix))).min_by(f64::total_cmp)
}

/// Möller and Trumbore 1997, for either side of the triangle.
fn meet_triangle(ray: &Ray, [a, b, c]: [DVec3; 3]) -> Option<f64> {
    let (e1, e2) = (b - a, c - a);
    let p = ray.direction.cross(e2);
    let det = e1.dot(p);
    if det == 0.0 {
        return None;
    }
    let s = ray.origin - a;
    let u = s.dot(p) / det;
    let q = s.cross(e1);
    let v = ray.direction.dot(q) / det;
    let t = e2.dot(q) / det;
    (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t >= 0.0).then_some(t)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::DQuat;

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
        let ball = Shape::Sphere { radius: 0.5 };
        let cube = Shape::Cuboid { half_size: DVec3::splat(0.25) };
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
        let frame = frame(&[(Shape::Capsule { radius: 0.1, half_length: 0.5 }, lying)]);
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
