//! Rays.

use glam::DVec3;

use crate::{Aabb, Pose};

/// The points `origin + t · direction` with t >= 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Where it starts \[m\].
    pub origin: DVec3,
    /// Unit vector.
    pub direction: DVec3,
}

impl Ray {
    /// The point at a distance along the ray \[m\].
    pub fn at(&self, distance: f64) -> DVec3 {
        self.origin + self.direction * distance
    }

    /// The same ray in the frame A, which is posed by `w_from_a`.
    #[must_use]
    pub fn seen_from(&self, w_from_a: &Pose) -> Self {
        let back = w_from_a.rotation.conjugate();
        Self { origin: back * (self.origin - w_from_a.translation), direction: back * self.direction }
    }

    /// Where the ray's line enters and leaves a box, by its three slabs (Kay and Kajiya 1986) \[m\]; negative behind the
    /// start. `None` if it misses the box.
    pub fn within(&self, aabb: &Aabb) -> Option<[f64; 2]> {
        let (mut enter, mut leave) = (f64::NEG_INFINITY, f64::INFINITY);
        for axis in 0..3 {
            let (o, d) = (self.origin[axis], self.direction[axis]);
            if d == 0.0 {
                if o < aabb.min[axis] || o > aabb.max[axis] {
                    return None;
                }
                continue;
            }
            let (s, t) = ((aabb.min[axis] - o) / d, (aabb.max[axis] - o) / d);
            enter = enter.max(s.min(t));
            leave = leave.min(s.max(t));
        }
        (enter <= leave).then_some([enter, leave])
    }

    /// Where the ray enters a ball from outside \[m\].
    pub(crate) fn enters_ball(&self, center: DVec3, radius: f64) -> Option<f64> {
        let to_center = center - self.origin;
        let along = to_center.dot(self.direction);
        let beside = (to_center - self.direction * along).length_squared();
        let distance = along - (radius * radius - beside).max(0.0).sqrt();
        (beside <= radius * radius && distance >= 0.0).then_some(distance)
    }
}
