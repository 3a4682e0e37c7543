//! How a contact goes on over the step: where its point travels on both bodies, and how fast they then are there.
//!
//! Contacts are measured in the middle of a step, and the velocities that they leave hold until the middle of the next one. What sticks or
//! rolls does so on average over that way: `∫ v(t) dt = 0` for the velocity of B against A where they touch at each time (the
//! constraint at the midpoint of its interval, as discrete mechanics of rolling has it: Cortés and Martínez 2001). With the velocity
//! at the start of the way alone, a ball on a turntable spirals out, what stands on one creeps, and whatever runs over a curved
//! surface is damped, all to first order.
//!
//! The point of contact travels over a body with the surface velocity `u`, where the normals of both surfaces stay opposite each
//! other (Montana 1988, with the shape operators `S`):
//!
//! `(S_own + S_other) u = -(ω_own - ω_other) × t - S_other v`,
//!
//! `t` the way out of the own body and `v` its velocity against the other one. A corner stays where it is on its body, and a face on
//! the smaller one.

use glam::{DMat2, DMat3, DVec3};

use crate::motion::{Course, mean_turned_by};

/// How a contact's point travels.
#[derive(Clone, Debug)]
pub struct Travel {
    /// Which body's point it is: that with the corner or the round side, or the smaller one.
    own: usize,
    /// The way out of that body.
    toward: DVec3,
    /// `(S_own + S_other)⁻¹`, zero in directions in which the point stays on its body; world axes \[m\].
    rounding: DMat3,
    /// `S_other`, world axes \[1/m\].
    bend: DMat3,
    /// How far the point can travel over its body at most \[m\].
    size: f64,
}

/// A body's side as what touches it travels over it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Side {
    /// How far a contact moves over it when it turns, per angle: the inverse of its shape operator, zero where it has an edge or none; on
    /// the contact's axes \[m\].
    pub rounding: Option<DMat2>,
    /// Size of the body \[m\].
    pub size: f64,
}

impl Travel {
    /// On the sides of A and B, with these axes `(n, u, w)`.
    pub fn between(sides: [Side; 2], w_from_c: DMat3) -> Self {
        let bends = sides.map(|side| side.rounding.map_or(DMat2::ZERO, pseudo_inverse));
        let own = match sides.map(|side| side.rounding.is_some()) {
            [true, false] => 0,
            [false, true] => 1,
            _ => usize::from(sides[1].size < sides[0].size),
        };
        let [u, w] = [w_from_c.y_axis, w_from_c.z_axis];
        let lift = |m: DMat2| {
            let [x, y] = [u * m.x_axis.x + w * m.x_axis.y, u * m.y_axis.x + w * m.y_axis.y];
            outer(x, u) + outer(y, w)
        };
        Self {
            rounding: lift(pseudo_inverse(bends[0] + bends[1])),
            bend: lift(bends[1 - own]),
            ..Self::of_corner(own, w_from_c.x_axis, DMat3::ZERO, sides[own].size)
        }
    }

    /// Of a corner of the body `own`, or of a smooth point of it with this rounding, on a plane of the other one; `normal` is the contact's.
    pub fn of_corner(own: usize, normal: DVec3, rounding: DMat3, size: f64) -> Self {
        let toward = if own == 0 { normal } else { -normal };
        Self { own, toward, rounding, bend: DMat3::ZERO, size }
    }

    /// By how much the mean velocity of B against A, over a way of `h` and where they touch at each time, differs from that where they
    /// touch now, along the normal as it is at each time, and along the tangents: `arms` from the centres of mass, `last` what was found
    /// for this before, world axes.
    pub fn besides(&self, arms: [DVec3; 2], courses: &[Course; 2], h: f64, last: DVec3) -> DVec3 {
        let (own, other) = (self.own, 1 - self.own);
        let velocity =
            |side: usize| courses[side].twist.linear + courses[side].twist.angular.cross(arms[side]);
        let of_b = velocity(1) - velocity(0) + last;
        let slip = if own == 1 { of_b } else { -of_b };
        let turning = courses[own].turning - courses[other].turning;
        let over = self.rounding * -(turning.cross(self.toward) + self.bend * slip);
        // A rim that lies nearly flat touches with another place of it altogether.
        let over = over * (self.size / (h * over.length()).max(self.size));
        let mut going = [DVec3::ZERO; 2];
        going[own] = courses[own].turning.cross(arms[own]) + over;
        going[other] = courses[other].turning.cross(arms[other]) + over + slip;
        let of = |side: usize| {
            let Course { twist, turning } = courses[side];
            (turning - twist.angular).cross(arms[side]) + mean_turned_by(h * turning, going[side])
        };
        // How fast that way out turns: as that of the other body, which the point travels over with `over + slip`.
        let turns = courses[other].turning.cross(self.toward) - self.bend * (over + slip);
        let parting = 0.5 * h * turns.dot(slip);
        of(1) - of(0) + self.toward * if self.own == 0 { -parting } else { parting }
    }
}

/// The inverse of a symmetric matrix where it is not zero.
fn pseudo_inverse(m: DMat2) -> DMat2 {
    let trace = m.x_axis.x + m.y_axis.y;
    let determinant = m.determinant();
    if trace == 0.0 {
        return DMat2::ZERO;
    }
    // Of one that is zero in a direction, but for rounding, the other eigenvalue is the trace.
    if determinant.abs() <= 1e-12 * trace * trace {
        return m * (trace * trace).recip();
    }
    m.inverse()
}

fn outer(x: DVec3, y: DVec3) -> DMat3 {
    DMat3::from_cols(x * y.x, x * y.y, x * y.z)
}
