//! What of a body changes from step to step.

use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

use crate::twist::Twist;
use crate::world::body::{Body, MassProperties};
use crate::world::rest::Rest;

/// State of a body; the entries are those of [`Body`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BodyState {
    /// Position of the centre of mass, world \[m\].
    pub position: DVec3,
    /// Orientation of the shape's frame, unit quaternion.
    pub orientation: DQuat,
    /// Velocity of the centre of mass, world axes \[m/s\].
    pub linear_velocity: DVec3,
    /// Angular velocity, world axes \[rad/s\].
    pub angular_velocity: DVec3,
    /// External force \[N\].
    pub force: DVec3,
    /// External torque \[N m\].
    pub torque: DVec3,
    /// For how long it has been still, and whether it sleeps.
    #[serde(default)]
    pub rest: Rest,
}

impl BodyState {
    /// The state of a body.
    pub fn of(body: &Body) -> Self {
        Self {
            position: body.position,
            orientation: body.orientation,
            linear_velocity: body.linear_velocity,
            angular_velocity: body.angular_velocity,
            force: body.force,
            torque: body.torque,
            rest: body.rest,
        }
    }

    /// Its velocities.
    pub(crate) fn twist(&self) -> Twist {
        Twist { linear: self.linear_velocity, angular: self.angular_velocity }
    }

    /// Kinetic energy of a body with this mass \[J\].
    pub fn kinetic_energy(&self, mass: &MassProperties) -> f64 {
        let w = self.orientation.conjugate() * self.angular_velocity;
        0.5 * (mass.mass * self.linear_velocity.length_squared() + w.dot(mass.inertia * w))
    }

    /// Potential energy of a body with this mass in uniform gravity \[m/s²\], zero at the world's origin \[J\].
    pub fn potential_energy(&self, mass: &MassProperties, gravity: DVec3) -> f64 {
        -mass.mass * gravity.dot(self.position)
    }

    /// Gives the state to a body.
    pub(crate) fn apply_to(&self, body: &mut Body) {
        body.position = self.position;
        body.orientation = self.orientation;
        body.linear_velocity = self.linear_velocity;
        body.angular_velocity = self.angular_velocity;
        body.force = self.force;
        body.torque = self.torque;
        body.rest = self.rest;
    }

    pub(super) fn is_finite(&self) -> bool {
        self.orientation.is_finite() && self.rest.is_finite() && self.vectors().iter().all(|v| v.is_finite())
    }

    pub(super) fn vectors(&self) -> [DVec3; 5] {
        [self.position, self.linear_velocity, self.angular_velocity, self.force, self.torque]
    }
}
