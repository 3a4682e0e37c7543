//! Velocities.

use glam::DVec3;

/// Linear and angular velocity, world axes \[m/s, rad/s\].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Twist {
    /// Velocity of the centre of mass.
    pub linear: DVec3,
    /// Angular velocity.
    pub angular: DVec3,
}
