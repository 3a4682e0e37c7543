//! Where a round side ends.

use glam::{DMat3, DVec3};

use crate::Pose;
use crate::moments::outer;

/// An end of a round side, or what it is between its ends: a circle about an axis, or a ball. Frame: its user's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoundEnd {
    /// The centre \[m\].
    pub center: DVec3,
    /// The direction of the circle's axis, a unit vector; `None` for a ball.
    pub axis: Option<DVec3>,
    /// The radius \[m\].
    pub radius: f64,
}

impl RoundEnd {
    /// The point that is farthest out in a unit direction \[m\]; the centre of a circle that lies across it, all of which is.
    pub fn point(&self, direction: DVec3) -> DVec3 {
        let out =
            self.axis.map_or(direction, |axis| direction.reject_from_normalized(axis).normalize_or_zero());
        self.center + self.radius * out
    }

    /// How far out that is from the centre \[m\].
    pub fn reach(&self, direction: DVec3) -> f64 {
        self.radius * self.axis.map_or(1.0, |axis| direction.reject_from_normalized(axis).length())
    }

    /// How that point moves when the direction turns, the Hessian of the support function \[m\]: over a ball as on any, round a circle the faster
    /// the more its axis leans towards the direction.
    pub fn rounding(&self, direction: DVec3) -> DMat3 {
        let Some(axis) = self.axis else {
            return (DMat3::IDENTITY - outer(direction, direction)) * self.radius;
        };
        let across = axis.cross(direction);
        let sine = across.length();
        if sine > 0.0 { outer(across, across) * (self.radius / sine.powi(3)) } else { DMat3::ZERO }
    }

    /// The same in the frame in which its own has this pose.
    pub fn posed(&self, pose: &Pose) -> Self {
        Self {
            center: pose.point(self.center),
            axis: self.axis.map(|axis| pose.vector(axis)),
            radius: self.radius,
        }
    }

    /// The side between two ends, 0 being the one and 1 the other: a circle about the line through both centres.
    pub fn between([from, to]: [Self; 2], part: f64) -> Self {
        if part <= 0.0 {
            return from;
        }
        if part >= 1.0 {
            return to;
        }
        Self {
            center: from.center.lerp(to.center, part),
            axis: from.axis.or_else(|| (to.center - from.center).try_normalize()),
            radius: from.radius + part * (to.radius - from.radius),
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::DQuat;

    use super::*;

    const LEAN: DVec3 = DVec3::new(0.6, 0.0, 0.8);

    fn ends() -> [RoundEnd; 2] {
        let center = DVec3::new(0.3, -0.2, 0.5);
        [None, Some(DVec3::new(0.0, 0.6, 0.8))].map(|axis| RoundEnd { center, axis, radius: 0.1 })
    }

    /// Its reach is that of its point, and its rounding how that moves.
    #[test]
    fn the_point_moves_as_the_rounding_says() {
        const H: f64 = 1e-5;
        for end in ends() {
            assert!(((end.point(LEAN) - end.center).dot(LEAN) - end.reach(LEAN)).abs() < 1e-15);
            for turn in DVec3::AXES {
                let turned = |by: f64| DQuat::from_scaled_axis(turn * by) * LEAN;
                let moved = (end.point(turned(H)) - end.point(turned(-H))) / (2.0 * H);
                // Central differences are off by the third derivatives, some R/sine⁵ times H².
                assert!((moved - end.rounding(LEAN) * turn.cross(LEAN)).length() < 1e-9, "{end:?} {turn}");
            }
        }
    }

    /// What lies between two balls is round about the line through them, and the ends are themselves.
    #[test]
    fn between_balls_is_a_circle() {
        let ball = |z| RoundEnd { center: DVec3::Z * z, axis: None, radius: 0.1 };
        let ends = [ball(-1.0), ball(1.0)];
        assert_eq!(RoundEnd::between(ends, 0.0), ends[0]);
        assert_eq!(RoundEnd::between(ends, 1.0), ends[1]);
        let middle = RoundEnd::between(ends, 0.5);
        assert_eq!(middle, RoundEnd { center: DVec3::ZERO, axis: Some(DVec3::Z), radius: 0.1 });
    }
}
