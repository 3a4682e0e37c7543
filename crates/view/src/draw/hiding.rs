//! Bodies at rest that hide those that move, a bowl before its salad, let them shine through.

use glam::DVec3;
use tactum_geometry::{Aabb, Ray};
use tactum_sim::BodyKind;

use crate::camera::Camera;
use crate::frame::Frame;

/// Bodies that are looked for at most, evenly among all that move: a hidden pile is found by a few of it.
const LOOKED_FOR: usize = 64;

/// Points of each, so that one that comes into sight does so bit by bit: where it is seen through its middle, and through four points
/// about that, this part of its half diagonal away.
const ASIDE: f64 = 0.4;

/// Part of the points behind a body from which on it is as faint as can be. No unit.
const MANY: f64 = 0.15;

/// Opacity of such a body, as a part of its own.
const FAINT: f64 = 0.15;

/// For each body of a frame the part of its opacity that is left to it: 1, or less for one at rest that hides from the camera what
/// moves.
pub fn kept_opacity(frame: &Frame, camera: &Camera) -> Vec<f32> {
    let mut kept = vec![1.0; frame.model.bodies.len()];
    let bodies = || (0_u32..).zip(&frame.model.bodies).filter(|(_, body)| body.shape.is_bounded());
    let at_rest: Vec<(u32, Aabb)> = bodies()
        .filter(|(_, body)| body.kind == BodyKind::Static)
        .map(|(ix, _)| (ix, frame.bounds_of(ix)))
        .collect();
    if at_rest.is_empty() {
        return kept;
    }
    let points = points(frame, camera);
    let each = (MANY * points.len() as f64).max(1.0).recip();
    for (body, bounds) in at_rest {
        let is_hidden = |point: &&DVec3| is_behind(frame, body, &bounds, camera.eye(), **point);
        let part = (points.iter().filter(is_hidden).count() as f64 * each).min(1.0);
        kept[body as usize] = (1.0 - (1.0 - FAINT) * part) as f32;
    }
    kept
}

/// Points of the bodies that move: of their surfaces, as seen if nothing stood before them.
fn points(frame: &Frame, camera: &Camera) -> Vec<DVec3> {
    let is_moving = |ix: &u32| {
        let body = &frame.model.bodies[*ix as usize];
        body.kind != BodyKind::Static && body.shape.is_bounded()
    };
    let moving: Vec<u32> = (0..frame.model.bodies.len() as u32).filter(is_moving).collect();
    let stride = moving.len().div_ceil(LOOKED_FOR).max(1);
    let [right, up, _] = camera.axes();
    let mut points = Vec::new();
    for &ix in moving.iter().step_by(stride) {
        let bounds = frame.bounds_of(ix);
        let (middle, reach) = (bounds.center(), ASIDE * bounds.half_size().length());
        let ways = [DVec3::ZERO, right, -right, up, -up].map(|aside| middle + aside * reach);
        let before = points.len();
        points.extend(ways.into_iter().filter_map(|through| seen(frame, ix, camera.eye(), through)));
        if points.len() == before && middle.is_finite() {
            points.push(middle);
        }
    }
    points
}

/// Where a body is seen on the way from the eye through a point.
fn seen(frame: &Frame, body: u32, eye: DVec3, through: DVec3) -> Option<DVec3> {
    let ray = Ray { origin: eye, direction: (through - eye).try_normalize()? };
    let distance = first_hit(frame, body, &ray)?;
    Some(eye + ray.direction * distance)
}

/// How far along a ray it meets a body.
fn first_hit(frame: &Frame, body: u32, ray: &Ray) -> Option<f64> {
    frame.model.bodies[body as usize].shape.ray(&ray.seen_from(&frame.poses[body as usize]))
}

/// Whether a body, with a box around it, lies between the eye and a point.
fn is_behind(frame: &Frame, body: u32, bounds: &Aabb, eye: DVec3, point: DVec3) -> bool {
    let (away, length) = (point - eye, (point - eye).length());
    // The box of the way to the point is apart from that of most bodies.
    let way = Aabb::from_points([eye, point]);
    if way.min.cmpgt(bounds.max).any() || way.max.cmplt(bounds.min).any() || length == 0.0 {
        return false;
    }
    let ray = Ray { origin: eye, direction: away / length };
    first_hit(frame, body, &ray).is_some_and(|distance| distance < length)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tactum_geometry::{Cuboid, Pose, Shape, Sphere};

    use super::*;
    use crate::frame::{BodyInfo, Model};

    /// A ball that moves between two walls, seen along x from the side of the first.
    #[test]
    fn the_wall_before_a_ball_is_faint_and_the_one_behind_it_is_not() {
        let wall = Shape::Cuboid(Cuboid { half_size: DVec3::new(0.05, 2.0, 2.0) });
        let ball = BodyInfo {
            kind: BodyKind::Dynamic,
            ..BodyInfo::of_shape("ball", Shape::Sphere(Sphere { radius: 0.1 }))
        };
        let bodies = vec![BodyInfo::of_shape("front", wall.clone()), ball, BodyInfo::of_shape("back", wall)];
        let at = |x| Pose::from_translation(DVec3::X * x);
        let poses = vec![at(1.0), at(0.0), at(-1.0)];
        let frame =
            Frame { model: Arc::new(Model { bodies, ..Model::default() }), poses, ..Frame::default() };
        let mut camera = Camera { yaw: 0.0, pitch: 0.0, distance: 5.0, ..Camera::default() };
        assert_eq!(kept_opacity(&frame, &camera), [FAINT as f32, 1.0, 1.0]);
        // From the other side it is the other wall, and from above neither.
        camera.yaw = std::f64::consts::PI;
        assert_eq!(kept_opacity(&frame, &camera), [1.0, 1.0, FAINT as f32]);
        camera.pitch = 1.5;
        assert_eq!(kept_opacity(&frame, &camera), [1.0; 3]);
    }
    #[test]
    fn what_a_body_stands_on_does_not_hide_it() {
        let cuboid = |half_size| Shape::Cuboid(Cuboid { half_size });
        let slab = BodyInfo::of_shape("slab", cuboid(DVec3::new(2.0, 2.0, 0.1)));
        // So flat that points about its middle lie below the slab's top.
        let plate = BodyInfo {
            kind: BodyKind::Dynamic,
            ..BodyInfo::of_shape("plate", cuboid(DVec3::new(0.3, 0.3, 0.01)))
        };
        let poses = vec![Pose::from_translation(DVec3::Z * -0.1), Pose::from_translation(DVec3::Z * 0.01)];
        let model = Arc::new(Model { bodies: vec![slab, plate], ..Model::default() });
        let frame = Frame { model, poses, ..Frame::default() };
        for pitch in [0.3, 0.6, 1.0] {
            let camera = Camera { yaw: 0.4, pitch, distance: 3.0, ..Camera::default() };
            assert_eq!(kept_opacity(&frame, &camera), [1.0; 2], "{pitch}");
        }
    }
}
