//! Rigid bodies: what they are made of and how they move.

use glam::{DMat3, DQuat, DVec3};
use tactum_geometry::{Pose, Shape};

/// Index of a body in its world, in the order of insertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId(pub u32);

/// What may move a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyKind {
    /// Nothing; it has no velocity.
    Static,
    /// Its own velocities, which contacts do not change.
    Kinematic,
    /// Forces and contacts.
    Dynamic,
}

/// Mass, centre of mass and inertia of a body in the frame of its shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// Mass \[kg\].
    pub mass: f64,
    /// Centre of mass in the shape's frame \[m\].
    pub center: DVec3,
    /// Inertia tensor about the centre of mass along the axes of the shape's frame \[kg m²\].
    pub inertia: DMat3,
}

/// What is needed to put a body into a world.
#[derive(Clone, Debug)]
pub struct BodyDesc {
    /// Name used in reports and errors; need not be unique.
    pub name: String,
    /// What may move it.
    pub kind: BodyKind,
    /// Its shape.
    pub shape: Shape,
    /// Pose of the shape's frame.
    pub w_from_shape: Pose,
    /// Mass properties; ignored for static and kinematic bodies.
    pub mass: MassProperties,
    /// Velocity of the centre of mass, world axes \[m/s\].
    pub linear_velocity: DVec3,
    /// Angular velocity, world axes \[rad/s\].
    pub angular_velocity: DVec3,
    /// Coefficient of friction; a pair uses the geometric mean of its two.
    pub friction: f64,
    /// Bits of the groups the body belongs to.
    pub groups: u32,
    /// Bits of the groups it meets: a pair is tested when each one's `groups` meet the other's `mask`.
    pub mask: u32,
}

/// A body of a world. Its state is the pose of its centre of mass with the axes of the shape's frame.
#[derive(Clone, Debug)]
pub struct Body {
    /// Name used in reports and errors.
    pub name: String,
    /// What may move it.
    pub kind: BodyKind,
    /// Its shape.
    pub shape: Shape,
    /// Mass properties in the shape's frame.
    pub mass: MassProperties,
    /// Position of the centre of mass, world \[m\].
    pub position: DVec3,
    /// Orientation of the shape's frame, unit quaternion.
    pub orientation: DQuat,
    /// Velocity of the centre of mass, world axes \[m/s\].
    pub linear_velocity: DVec3,
    /// Angular velocity, world axes \[rad/s\].
    pub angular_velocity: DVec3,
    /// External force through the centre of mass, world axes, held until changed \[N\].
    pub force: DVec3,
    /// External torque, world axes, held until changed \[N m\].
    pub torque: DVec3,
    /// Coefficient of friction.
    pub friction: f64,
    /// Bits of the groups the body belongs to.
    pub groups: u32,
    /// Bits of the groups it meets.
    pub mask: u32,
}

impl Body {
    /// Pose of the shape's frame in the world.
    pub fn w_from_shape(&self) -> Pose {
        Pose { rotation: self.orientation, translation: self.position - self.orientation * self.mass.center }
    }
}
