//! How bodies go on between contacts.

use glam::{DQuat, DVec3};
use tactum_geometry::Pose;

use crate::law::volume::restitution::Bodies;
use crate::motion;

/// The free motion of a body about where it was measured. Positions from the origin of A's shape there.
pub struct Flight {
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
    /// Of both bodies of a contact, in a step of `h`.
    pub fn of_both(between: &Bodies<'_>, h: f64) -> [Self; 2] {
        [0, 1].map(|side| {
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
        })
    }

    /// The pose of its shape where it was measured.
    pub fn measured(&self) -> Pose {
        self.pose
    }

    /// Its centre of mass at a time. Contacts are measured where the velocities at the beginning of the step alone lead to, half a step after
    /// it.
    pub fn center(&self, time: f64) -> DVec3 {
        self.center + self.velocity * time + self.gain * (0.5 * (self.since + time).powi(2))
    }

    /// The pose of its shape.
    pub fn pose(&self, time: f64) -> Pose {
        let turn: DQuat = motion::exp(self.turning * time);
        let arm = turn * (self.pose.translation - self.center);
        Pose { rotation: turn * self.pose.rotation, translation: self.center(time) + arm }
    }

    /// Its angular velocity \[rad/s\].
    pub fn turning(&self) -> DVec3 {
        self.turning
    }

    /// Velocity of its point that is this far from its centre of mass \[m/s\].
    pub fn velocity(&self, arm: DVec3, time: f64) -> DVec3 {
        self.velocity + self.gain * (self.since + time) + self.turning.cross(arm)
    }

    /// Acceleration of such a point that is fixed to it \[m/s²\].
    pub fn acceleration(&self, arm: DVec3) -> DVec3 {
        self.gain + self.turning.cross(self.turning.cross(arm))
    }
}
