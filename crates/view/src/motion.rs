//! What of a scene there is to look at, at a moment and over time.

use tactum_geometry::Aabb;
use tactum_sim::BodyKind;

use crate::frame::Frame;

/// How far a body may go and still be part of the picture: so many diagonals of the picture's start from its box. What flies off
/// would make all others dots.
const FAR: f64 = 8.0;

/// Simulated time between two looks at where bodies are \[s\]: a body falls by 5 mm in it from rest, and one that is fast is seen
/// where it begins and ends.
const INTERVAL: f64 = 1.0 / 30.0;

/// The room that a scene's motion takes.
#[derive(Clone, Copy, Debug)]
pub struct Motion {
    /// Box around it \[m\].
    pub bounds: Aabb,
    /// Height of its lowest point, and of the bodies around it, on which a sheet is put where the scene has no ground \[m\].
    pub floor: f64,
    /// Where bodies may be to count \[m\].
    reach: Aabb,
    /// When it was looked at last \[s\].
    looked: f64,
}

impl Motion {
    /// The motion that begins with a frame.
    pub fn from(frame: &Frame) -> Self {
        let bounds = interesting(frame);
        let room = glam::DVec3::splat(FAR * bounds.diagonal());
        let reach = Aabb { min: bounds.min - room, max: bounds.max + room };
        Self { bounds, floor: floor_of(frame), reach, looked: frame.time }
    }

    /// Takes in a later frame, unless one of about the same time was taken in.
    pub fn add(&mut self, frame: &Frame) {
        if frame.time - self.looked >= INTERVAL {
            self.end(frame);
        }
    }

    /// Takes in a frame in any case, such as the last one.
    pub fn end(&mut self, frame: &Frame) {
        self.looked = frame.time;
        for ix in 0..frame.model.bodies.len() as u32 {
            let bounds = frame.bounds_of(ix);
            let is_moving = frame.model.bodies[ix as usize].kind != BodyKind::Static;
            let is_near = bounds.min.cmpge(self.reach.min).all() && bounds.max.cmple(self.reach.max).all();
            if is_moving && is_near {
                self.bounds = self.bounds.union(&bounds);
                self.floor = self.floor.min(bounds.min.z);
            }
        }
    }
}

/// Height of the lowest point of a frame's bodies \[m\].
pub fn floor_of(frame: &Frame) -> f64 {
    frame.bounds().min.z
}

/// The box around what moves and what is not much larger than that; of larger bodies at rest what is near.
pub fn interesting(frame: &Frame) -> Aabb {
    /// A body at rest is part of the picture unless it is this many times larger than all that moves.
    const MUCH: f64 = 8.0;
    /// It is a whole part unless it is this many times larger.
    const LARGER: f64 = 3.0;
    /// Of a larger one what is so far from all that moves is one, in the diagonal of that.
    const NEAR: f64 = 0.4;
    let bodies = || (0_u32..).zip(&frame.model.bodies);
    let moving = bodies()
        .filter(|(_, body)| body.kind != BodyKind::Static)
        .fold(Aabb::EMPTY, |all, (ix, _)| all.union(&frame.bounds_of(ix)));
    if moving.is_empty() {
        return frame.bounds();
    }
    let size = moving.diagonal();
    let around = Aabb { min: moving.min - NEAR * size, max: moving.max + NEAR * size };
    let part = |aabb: Aabb| match aabb.diagonal() {
        diagonal if diagonal < LARGER * size => aabb,
        _ => Aabb { min: aabb.min.max(around.min), max: aabb.max.min(around.max) },
    };
    let near = bodies().map(|(ix, _)| frame.bounds_of(ix)).filter(|aabb| aabb.diagonal() < MUCH * size);
    near.map(part).filter(|aabb| !aabb.is_empty()).fold(moving, |all, one| all.union(&one))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::DVec3;
    use tactum_geometry::{Pose, Shape, Sphere};

    use super::*;
    use crate::frame::{BodyInfo, Model};

    fn frame(time: f64, places: [DVec3; 2]) -> Frame {
        let ball = |name| BodyInfo {
            kind: BodyKind::Dynamic,
            ..BodyInfo::of_shape(name, Shape::Sphere(Sphere { radius: 0.5 }))
        };
        let model = Model { bodies: vec![ball("a"), ball("b")], ..Model::default() };
        let poses = places.map(Pose::from_translation).to_vec();
        Frame { model: Arc::new(model), poses, time, ..Frame::default() }
    }

    /// A slab that is several times larger than what stands on it is seen as far as it is near, one of about the same size whole.
    #[test]
    fn large_bodies_at_rest_are_seen_in_part() {
        let slab = |side: f64| {
            let mut frame = frame(0.0, [DVec3::new(0.0, 0.0, 0.5), DVec3::new(0.0, 0.0, -0.1)]);
            let half_size = DVec3::new(0.5 * side, 0.5 * side, 0.1);
            let shape = Shape::Cuboid(tactum_geometry::Cuboid { half_size });
            let bodies = vec![frame.model.bodies[0].clone(), BodyInfo::of_shape("slab", shape)];
            frame.model = Arc::new(Model { bodies, ..Model::default() });
            interesting(&frame)
        };
        let close = |x: f64, wanted: f64| (x - wanted).abs() < 1e-9;
        assert!(close(slab(3.0).max.x, 1.5));
        let part = slab(8.0);
        assert!((0.6..2.0).contains(&part.max.x) && part.min.z < -0.19, "{part:?}");
        assert!(close(slab(100.0).max.x, 0.5));
    }

    /// A ball that falls is followed down, and one that flies off is left.
    #[test]
    fn a_motion_is_seen_whole_and_what_flies_off_is_not() {
        let at = |x, z| DVec3::new(x, 0.0, z);
        let mut motion = Motion::from(&frame(0.0, [at(0.0, 0.0), at(2.0, 0.0)]));
        motion.add(&frame(0.1, [at(0.0, -2.0), at(4.0, 0.0)]));
        motion.add(&frame(0.2, [at(0.0, -3.0), at(1e3, 0.0)]));
        let near = |a: DVec3, b: DVec3| a.distance(b) < 1e-9;
        assert!(near(motion.bounds.min, DVec3::new(-0.5, -0.5, -3.5)), "{motion:?}");
        assert!(near(motion.bounds.max, DVec3::new(4.5, 0.5, 0.5)), "{motion:?}");
        assert!((motion.floor + 3.5).abs() < 1e-9);
    }
}
