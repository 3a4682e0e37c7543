//! Where and when bodies that bounce off each other meet.
//!
//! Contacts are measured at one time of the step, and bodies may meet at any other. What is round, an edge or a corner is touched elsewhere
//! then, along another normal: the directions in which two balls part would be right to first order in the step. So the time is sought at which
//! the surfaces that face each other touch, with the normal that they have then, by Newton's method: two convex bodies that pass each other
//! straight are apart by a convex function of time, so that it comes down on the first of its zeros, whichever side it starts from; in a hollow
//! it comes down on its only one from the other side.

use glam::{DQuat, DVec3};
use tactum_geometry::Pose;

use crate::law::volume::bulging::turned_to_face;
use crate::law::volume::geometry::ContactGeometry;
use crate::law::volume::restitution::Bodies;
use crate::law::volume::rolling::RoundSide;
use crate::motion;
use crate::solver::ContactFrame;

/// How two bodies meet. Frame: world axes, positions relative to where the origin of A's shape was when the contact was measured.
pub struct Meeting<'a> {
    /// When, since contacts were measured \[s\].
    pub time: f64,
    /// The contact then.
    pub geometry: ContactGeometry<'a>,
    /// The round sides on which they touch.
    pub round: [Option<RoundSide>; 2],
    /// Their centres of mass then \[m\].
    pub centers: [DVec3; 2],
}

/// Steps of Newton's method; six are usual.
const MAX_STEPS: u32 = 20;

impl<'a> Meeting<'a> {
    /// How bodies meet on their free motion within `h` of where their contact was measured, and `seen` with B moved by `shift`; `None` where they
    /// do not, or where nothing that is round or sharp faces the other.
    pub fn of(between: &Bodies<'_>, seen: &ContactGeometry<'a>, shift: DVec3, h: f64) -> Option<Self> {
        let flights = [0, 1].map(|side| Flight::of(between, side, h));
        let (mut time, mut last) = (0.0, f64::INFINITY);
        let mut geometry = seen.clone();
        for n_steps in 0..MAX_STEPS {
            let centers = flights.each_ref().map(|flight| flight.center(time));
            let [a, b] = flights.each_ref().map(|flight| flight.pose(time));
            let origin = a.translation;
            let poses = [a, b].map(|pose| Pose { translation: pose.translation - origin, ..pose });
            // What was seen has gone as far as the bodies have since.
            let [from, to] = [between.centers, centers].map(|[a, b]| b - a);
            geometry.extent = seen.extent + (to - from - shift).length();
            let (found, touching) = turned_to_face(between.bodies, &poses, &geometry)?;
            let at = origin + touching.middle();
            let [of_a, of_b] = [0, 1].map(|side| flights[side].velocity(at - centers[side], time));
            let closing = found.normal.dot(of_a - of_b);
            let step = touching.depth(&found) / closing;
            if closing <= 0.0 || step.is_nan() {
                return None;
            }
            if step.abs() >= last || time - step == time {
                let geometry = ContactGeometry { point: at, extent: seen.extent, ..found };
                return Some(Self { time, geometry, round: touching.sides(), centers });
            }
            let next = (time - step).clamp(-h, h);
            if next == time {
                return None;
            }
            // The first step leads to the side from which on steps are ever shorter.
            last = if n_steps > 0 { step.abs() } else { last };
            time = next;
            geometry = found;
        }
        None
    }
}

impl Meeting<'_> {
    /// The contact's point and axes.
    pub fn frame(&self) -> ContactFrame {
        let ContactGeometry { point, normal, axes, pitch, .. } = self.geometry;
        ContactFrame::new(point, normal, axes).with_pitch(pitch)
    }
}

/// The free motion of a body about where it was measured.
struct Flight {
    /// Pose of its shape and centre of mass there.
    pose: Pose,
    center: DVec3,
    velocity: DVec3,
    turning: DVec3,
    /// By what it accelerates \[m/s²\].
    gain: DVec3,
    /// How long before the step began \[s\].
    since: f64,
}

impl Flight {
    fn of(between: &Bodies<'_>, side: usize, h: f64) -> Self {
        let (body, free, center) = (between.bodies[side], between.free[side], between.centers[side]);
        let pose = body.w_from_shape();
        Self {
            pose: Pose { translation: center + (pose.translation - body.position), ..pose },
            center,
            velocity: body.linear_velocity,
            turning: body.angular_velocity,
            gain: (free.twist.linear - body.linear_velocity) / h,
            since: 0.5 * h,
        }
    }

    /// Contacts are measured where the velocities at the beginning of the step alone lead to, half a step after it.
    fn center(&self, time: f64) -> DVec3 {
        self.center + self.velocity * time + self.gain * (0.5 * (self.since + time).powi(2))
    }

    fn pose(&self, time: f64) -> Pose {
        let turn: DQuat = motion::exp(self.turning * time);
        let arm = turn * (self.pose.translation - self.center);
        Pose { rotation: turn * self.pose.rotation, translation: self.center(time) + arm }
    }

    /// Velocity of its point that is this far from its centre of mass \[m/s\].
    fn velocity(&self, arm: DVec3, time: f64) -> DVec3 {
        self.velocity + self.gain * (self.since + time) + self.turning.cross(arm)
    }
}
