//! What a pair of features does to two bodies in a step.

use glam::{DMat3, DVec3};
use tactum_geometry::passage::Press;

use crate::twist::Twist;

/// What two bodies are to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairPenalty {
    /// The bodies A and B.
    pub bodies: [u32; 2],
    /// Penalty per depth of each pair of features \[N/m\].
    pub stiffness: f64,
    /// Coefficient of its damper \[N s/m\].
    pub damping: f64,
    /// Coefficient of friction.
    pub friction: f64,
}

/// Where a body's centre of mass goes in a step, world \[m\].
#[derive(Clone, Copy, Debug, Default)]
pub struct Way {
    /// At its start.
    pub start: DVec3,
    /// At its end.
    pub end: DVec3,
}

/// A body as impulses move it.
#[derive(Clone, Copy, Debug)]
pub struct Mover {
    /// Velocities, world axes.
    pub twist: Twist,
    /// 1 / mass; zero for what nothing can move \[1/kg\].
    pub inverse_mass: f64,
    /// Inverse inertia, world axes \[1/(kg m²)\].
    pub inverse_inertia: DMat3,
    /// Whether an impulse has acted on it.
    pub is_pushed: bool,
}

impl Mover {
    /// Acts on the body by an impulse \[N s\] at an arm from its centre of mass.
    pub fn push(&mut self, impulse: DVec3, arm: DVec3) {
        self.twist.linear += self.inverse_mass * impulse;
        self.twist.angular += self.inverse_inertia * arm.cross(impulse);
        self.is_pushed = true;
    }

    /// Velocity at an arm from the centre of mass \[m/s\].
    pub fn velocity(&self, arm: DVec3) -> DVec3 {
        self.twist.linear + self.twist.angular.cross(arm)
    }

    /// By how much an impulse of 1 N s along a unit vector changes the velocity along it \[1/kg\].
    pub fn lightness(&self, arm: DVec3, along: DVec3) -> f64 {
        let turn = arm.cross(along);
        self.inverse_mass + turn.dot(self.inverse_inertia * turn)
    }
}

/// A pair of features that press on each other in a part of a step.
#[derive(Clone, Copy, Debug)]
pub struct Contact {
    /// The bodies A and B.
    pub bodies: [u32; 2],
    /// When, in parts of the (sub-)step.
    pub interval: [f64; 2],
    /// Where, world \[m\].
    pub point: DVec3,
    /// The point as seen from the centres of mass of A and B when they are there \[m\].
    pub arms: [DVec3; 2],
    /// Unit normal from A to B.
    pub normal: DVec3,
    /// Impulse of the spring on B \[N s\].
    pub spring: DVec3,
    /// Impulse of the damper on B, along the normal \[N s\].
    pub damping: f64,
    /// What the damper acts by for each velocity with which the bodies come at each other \[kg\].
    pub damped: f64,
    /// Impulse of friction on B \[N s\].
    pub friction: DVec3,
    /// Its coefficient.
    pub coefficient: f64,
    /// Depth at most \[m\].
    pub depth: f64,
    /// Its stiffness times the part of the step in which it acts \[N/m\].
    pub stiffness: f64,
}

impl Contact {
    /// Impulse on B of all that presses \[N s\].
    pub fn pressing(&self) -> DVec3 {
        self.spring + self.damping * self.normal
    }
}

/// The contacts of two bodies in a step of h \[s\] in which their centres go these ways; `origin` is what the positions of the presses are
/// relative to.
pub fn contacts<'a>(
    presses: &'a [Press],
    pair: &'a PairPenalty,
    ways: [Way; 2],
    origin: DVec3,
    h: f64,
) -> impl Iterator<Item = Contact> + 'a {
    presses.iter().map(move |press| {
        let [from, to] = press.interval;
        let point = origin + press.point;
        let at = |way: Way| way.start.lerp(way.end, 0.5 * (from + to));
        let part = press.share * (to - from);
        // What parts without the other's push parts with it, and is not held back.
        let damping = if press.closing.dot(press.normal) > 0.0 { pair.damping * part } else { 0.0 };
        Contact {
            bodies: pair.bodies,
            interval: press.interval,
            point,
            arms: ways.map(|way| point - at(way)),
            normal: press.normal,
            spring: pair.stiffness * h * press.push,
            damping: 0.0,
            damped: h * damping,
            friction: DVec3::ZERO,
            coefficient: pair.friction,
            depth: press.depth,
            stiffness: pair.stiffness * part,
        }
    })
}
