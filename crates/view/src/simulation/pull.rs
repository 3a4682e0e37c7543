//! A body pulled by the mouse.

use glam::DVec3;
use tactum_sim::{Body, BodyError, BodyId, BodyKind, World};

use crate::frame;

/// Angular frequency of the spring with the body on it \[rad/s\]: it follows the hand within half a second.
const FREQUENCY: f64 = 12.0;

/// The largest frequency as a part of the step's own, so that the explicit force stays stable. No unit.
const MAX_FREQUENCY_PER_STEP: f64 = 0.5;

/// Damping of the body's turning while it is held, as a part of the critical one. No unit.
const TURN_DAMPING: f64 = 0.15;

/// A spring from a point of a body to a point of the world. The hand also carries the body's weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pull {
    /// Index of the body, which is dynamic.
    pub body: u32,
    /// Where the spring is fastened, in the frame of the body's shape \[m\].
    pub point: DVec3,
    /// Where it is pulled to, world \[m\].
    pub target: DVec3,
}

impl Pull {
    /// Sets the force that acts on the body in the next step.
    pub fn apply(&self, world: &mut World) -> Result<(), BodyError> {
        let id = BodyId(self.body);
        let gravity = world.settings().gravity;
        let dt = world.settings().dt;
        let body = world.body(id);
        if body.kind != BodyKind::Dynamic {
            return Ok(());
        }
        let (force, arm) = self.spring(body, dt);
        let omega = FREQUENCY.min(MAX_FREQUENCY_PER_STEP / dt);
        let turning = angular_momentum(body) * (2.0 * TURN_DAMPING * omega);
        let weight = gravity * body.mass.mass;
        world.set_wrench(id, force - weight, arm.cross(force) - turning)
    }

    /// Force of a critically damped spring \[N\], and from the centre of mass to where it acts \[m\].
    fn spring(&self, body: &Body, dt: f64) -> (DVec3, DVec3) {
        let arm = body.orientation * (self.point - body.mass.center);
        let stretch = self.target - (body.position + arm);
        let velocity = body.linear_velocity + body.angular_velocity.cross(arm);
        // The least mass that the point can show in any direction.
        let least_inertia = body.mass.principal_moments().x;
        let mass = (body.mass.mass.recip() + arm.length_squared() / least_inertia).recip();
        let omega = FREQUENCY.min(MAX_FREQUENCY_PER_STEP / dt);
        (mass * omega * (omega * stretch - 2.0 * velocity), arm)
    }

    /// Lets the body go.
    pub fn release(&self, world: &mut World) -> Result<(), BodyError> {
        world.set_wrench(BodyId(self.body), DVec3::ZERO, DVec3::ZERO)
    }

    /// The spring as it is shown.
    pub fn view(&self, world: &World) -> frame::Pull {
        let pose = world.body(BodyId(self.body)).w_from_shape();
        frame::Pull { body: self.body, anchor: pose.point(self.point), target: self.target }
    }
}

/// Angular momentum about the centre of mass, world axes \[N m s\].
fn angular_momentum(body: &Body) -> DVec3 {
    let q = body.orientation;
    q * (body.mass.inertia * (q.conjugate() * body.angular_velocity))
}

/// Changes a body's velocity by an impulse at a point of its shape's frame.
pub fn kick(world: &mut World, body: u32, point: DVec3, impulse: DVec3) -> Result<(), BodyError> {
    let id = BodyId(body);
    let b = world.body(id);
    if b.kind != BodyKind::Dynamic {
        return Ok(());
    }
    let q = b.orientation;
    let arm = q * (point - b.mass.center);
    let turn = q * (b.mass.inertia.inverse() * (q.conjugate() * arm.cross(impulse)));
    let (v, w) = (b.linear_velocity + impulse / b.mass.mass, b.angular_velocity + turn);
    world.set_velocity(id, v, w)
}
