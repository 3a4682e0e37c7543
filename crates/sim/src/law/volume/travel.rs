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

use glam::{DMat2, DMat3, DVec2, DVec3};

use crate::motion::{Course, mean_turned_by};

/// How a contact's point travels.
#[derive(Clone, Debug)]
pub struct Travel {
    /// Which body's point it is: that with the corner or the round side, or the smaller one.
    own: usize,
    /// The way out of that body.
    toward: DVec3,
    /// `(S_own + S_other)⁻¹`, zero in directions in which the point stays on its body or the bodies touch along a line; world axes \[m\].
    rounding: DMat3,
    /// `S_other`, world axes \[1/m\].
    bend: DMat3,
    /// Size of its body: how far the point can travel over it at most, for each radian where that turns by more \[m\].
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
    /// On the sides of A and B, with these axes `(n, u, w)`, which are `held` in each other \[m\]. Where neither bends they touch along a line, over
    /// which the patch lets the pressure move, and no point travels; a line is what comes apart by less than they are held over half of the body.
    pub fn between(sides: [Side; 2], held: f64, w_from_c: DMat3) -> Self {
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
        let line = 8.0 * held / sides[own].size.powi(2);
        Self {
            rounding: lift(inverse_beyond(bends[0] + bends[1], line)),
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
        let other = 1 - self.own;
        let Going { slip, over, arms: going } = self.going(arms, courses, h, last);
        let of = |side: usize| {
            let Course { twist, turning } = courses[side];
            (turning - twist.angular).cross(arms[side]) + mean_turned_by(h * turning, going[side])
        };
        // How fast that way out turns: as that of the other body, which the point travels over with `over + slip`.
        let turns = courses[other].turning.cross(self.toward) - self.bend * (over + slip);
        let parting = 0.5 * h * turns.dot(slip);
        of(1) - of(0) + self.toward * if self.own == 0 { -parting } else { parting }
    }

    /// Whether the bodies turn so far on a way of `h` that where the point is on its own one tells nothing of where it goes: that this turns by
    /// more than its own length, which comes to more than `accuracy`.
    pub fn is_lost(&self, arms: [DVec3; 2], courses: &[Course; 2], h: f64, accuracy: f64) -> bool {
        let going = self.going(arms, courses, h, DVec3::ZERO).arms[self.own];
        let off = mean_turned_by(h * courses[self.own].turning, going).length();
        off > going.length() && h * off > accuracy
    }

    fn going(&self, arms: [DVec3; 2], courses: &[Course; 2], h: f64, last: DVec3) -> Going {
        let (own, other) = (self.own, 1 - self.own);
        let velocity =
            |side: usize| courses[side].twist.linear + courses[side].twist.angular.cross(arms[side]);
        let of_b = velocity(1) - velocity(0) + last;
        let slip = if own == 1 { of_b } else { -of_b };
        let turning = courses[own].turning - courses[other].turning;
        let over = self.rounding * -(turning.cross(self.toward) + self.bend * slip);
        // A rim that lies nearly flat touches with another place of it altogether; a ball that spins runs round itself.
        let farthest = self.size * (h * turning.length()).max(1.0);
        let over = over * (farthest / (h * over.length()).max(farthest));
        let mut going = [DVec3::ZERO; 2];
        going[own] = courses[own].turning.cross(arms[own]) + over;
        going[other] = courses[other].turning.cross(arms[other]) + over + slip;
        Going { slip, over, arms: going }
    }
}

/// How a contact's point goes on.
struct Going {
    /// Velocity of its own body against the other there \[m/s\].
    slip: DVec3,
    /// How fast it travels over its own body \[m/s\].
    over: DVec3,
    /// How fast the arms from both centres of mass to it change \[m/s\].
    arms: [DVec3; 2],
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

/// The inverse of a symmetric matrix in the directions in which it is large against `small`, zero where it is small against it.
fn inverse_beyond(m: DMat2, small: f64) -> DMat2 {
    let inverse = |value: f64| if value == 0.0 { 0.0 } else { -(-(value / small).powi(2)).exp_m1() / value };
    let mean = 0.5 * (m.x_axis.x + m.y_axis.y);
    let apart = (0.5 * (m.x_axis.x - m.y_axis.y)).hypot(m.x_axis.y);
    let [high, low] = [mean + apart, mean - apart];
    let slope = if apart > 0.0 { (inverse(high) - inverse(low)) / (high - low) } else { 0.0 };
    DMat2::from_diagonal(DVec2::splat(inverse(low))) + (m - DMat2::from_diagonal(DVec2::splat(low))) * slope
}

fn outer(x: DVec3, y: DVec3) -> DMat3 {
    DMat3::from_cols(x * y.x, x * y.y, x * y.z)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::exp;
    use crate::twist::Twist;
    use glam::DQuat;

    const H: f64 = 1e-3;
    const HELD: f64 = 5e-6;
    const STILL: Course =
        Course { twist: Twist { linear: DVec3::ZERO, angular: DVec3::ZERO }, turning: DVec3::ZERO };

    fn steady(linear: DVec3, angular: DVec3) -> Course {
        Course::steady(Twist { linear, angular })
    }

    fn round(radius: f64) -> Side {
        Side { rounding: Some(DMat2::from_diagonal(DVec2::splat(radius))), size: radius }
    }

    /// Axes `(n, u, w)` with this normal.
    fn axes(normal: DVec3) -> DMat3 {
        let (u, w) = normal.any_orthonormal_pair();
        DMat3::from_cols(normal, u, w)
    }

    /// A ball that rolls, slides and spins over a floor touches it on the same side of its centre all the time, however often it turns.
    #[test]
    fn a_ball_on_a_floor_goes_on_as_it_is() {
        let travel = Travel::between([Side::default(), round(0.1)], HELD, axes(DVec3::Z));
        for faster in [1.0, 1e3, 1e5] {
            let ball = steady(DVec3::new(0.5, 2.0, 0.0), faster * DVec3::new(3.0, -1.0, 7.0));
            let besides = travel.besides([DVec3::ZERO, -0.1 * DVec3::Z], &[STILL, ball], H, DVec3::ZERO);
            assert!(besides.length() < 1e-14 * faster, "{faster}: {besides}");
        }
    }

    /// What stands on a turntable goes on the chord of its arc, to the last bit that is left of the difference of two sines.
    #[test]
    fn what_stands_on_a_turntable_goes_on_its_chord() {
        let (spin, at) = (2.0 * DVec3::Z, 0.5 * DVec3::X);
        let chord = (exp(H * spin) * at - at) / H;
        let travel = Travel::between(
            [Side { size: 2.0, ..Side::default() }, Side { size: 0.1, ..Side::default() }],
            HELD,
            axes(DVec3::Z),
        );
        let arms = [at, -0.05 * DVec3::Z];
        let courses = [steady(DVec3::ZERO, spin), steady(chord, spin)];
        // With what is found the block does not slip.
        let besides = spin.cross(at) - chord;
        let found = travel.besides(arms, &courses, H, besides);
        assert!((found - besides).length() < 1e-13, "{found} for {besides}");
    }

    /// Balls that slide over or roll round each other part by what their centres go on straight, `v² h / 2` over the distance of the centres
    /// times the velocity squared with which these pass; in both orders.
    #[test]
    fn balls_part_as_they_pass() {
        let (own, other) = (0.1, 0.3);
        let away = (own + other) * DVec3::Z;
        for spin in [0.0, 2.0 / own] {
            let ball = steady(2.0 * DVec3::X, spin * DVec3::Y);
            for is_b in [true, false] {
                let (sides, arms, courses, normal) = if is_b {
                    ([round(other), round(own)], [other * DVec3::Z, -own * DVec3::Z], [STILL, ball], DVec3::Z)
                } else {
                    (
                        [round(own), round(other)],
                        [-own * DVec3::Z, other * DVec3::Z],
                        [ball, STILL],
                        DVec3::NEG_Z,
                    )
                };
                let travel = Travel::between(sides, HELD, axes(normal));
                let parting = normal.dot(travel.besides(arms, &courses, H, DVec3::ZERO));
                let exact = ((away + H * 2.0 * DVec3::X).length() - away.length()) / H;
                assert!((parting / exact - 1.0).abs() < 1e-3, "{parting} for {exact}");
            }
        }
    }

    /// Cylinders that lie across each other, slide and turn part as the distance of their axes does.
    #[test]
    fn crossed_cylinders_part_as_their_axes() {
        let radii = [0.03, 0.05];
        for (angle, offset) in [(0.2, 0.01), (0.75, 0.02), (1.5, -0.03)] {
            let along = [DVec2::X, DVec2::from_angle(angle)];
            let side = |ix: usize| {
                let across = along[ix].perp();
                let rounding = DMat2::from_cols(across * across.x, across * across.y) * radii[ix];
                Side { rounding: Some(rounding), size: 0.2 }
            };
            let axis = along.map(|along| DVec3::new(0.0, along.x, along.y));
            // On axes (n, u, w), about the point of contact.
            let centers = [axis[0] * offset - DVec3::X * radii[0], axis[1] * 0.04 + DVec3::X * radii[1]];
            let twists = [([0.0, 0.3, -0.2], [2.0, 4.0, -3.0]), ([0.0, -0.4, 0.1], [-1.0, 3.0, 5.0])];
            let courses = twists.map(|(v, w)| steady(DVec3::from(v), DVec3::from(w)));
            let distance = |h: f64| {
                let [a, b] = [0, 1].map(|ix| exp(h * courses[ix].twist.angular) * axis[ix]);
                let [p, q] = [0, 1].map(|ix| centers[ix] + h * courses[ix].twist.linear);
                (q - p).dot(a.cross(b).normalize())
            };
            // By how much the mean velocity of a step differs from that at its start, to second order.
            let exact = (distance(H) - 2.0 * distance(0.0) + distance(-H)) / (2.0 * H);
            let travel = Travel::between([side(0), side(1)], HELD, DMat3::IDENTITY);
            let parting = travel.besides(centers.map(|center| -center), &courses, H, DVec3::ZERO).x;
            // What turns by 6e-3 in the step bends its way by about that part: 9e-4 measured.
            assert!((parting / exact - 1.0).abs() < 3e-3, "{angle}: {parting} for {exact}");
        }
    }

    /// A corner about which a body turns stays where it is on average: without it the centre would go on along the tangent.
    #[test]
    fn a_corner_stays_on_average() {
        let (spin, arm) = (5.0 * DVec3::Y, DVec3::new(0.2, 0.0, -0.3));
        let center = -spin.cross(arm);
        let travel = Travel::of_corner(1, DVec3::Z, DMat3::ZERO, 0.5);
        let besides = travel.besides([DVec3::ZERO, arm], &[STILL, steady(center, spin)], H, DVec3::ZERO);
        let exact = (exp(H * spin) * arm - arm) / H - spin.cross(arm);
        assert!((besides - exact).length() < 1e-12, "{besides} for {exact}");
    }

    /// Nothing hangs on the axes: turned as a whole it is turned.
    #[test]
    fn it_turns_with_the_scene() {
        let turn = DQuat::from_xyzw(0.3, -0.2, 0.5, 0.7).normalize();
        let besides = |turn: DQuat| {
            let sides =
                [round(0.3), Side { rounding: Some(DMat2::from_diagonal(DVec2::new(0.1, 0.0))), size: 0.1 }];
            let axes = DMat3::from_quat(turn) * axes(DVec3::Z);
            let course = |v: [f64; 3], w: [f64; 3]| steady(turn * DVec3::from(v), turn * DVec3::from(w));
            let courses =
                [course([0.1, 0.0, 0.2], [1.0, 2.0, 3.0]), course([-0.5, 0.4, 0.0], [4.0, 0.0, -2.0])];
            let arms = [[0.0, 0.1, 0.3], [0.02, 0.0, -0.1]].map(|x| turn * DVec3::from(x));
            Travel::between(sides, HELD, axes).besides(arms, &courses, 1e-2, DVec3::ZERO)
        };
        let [there, back] = [turn * besides(DQuat::IDENTITY), besides(turn)];
        assert!((there - back).length() < 1e-13, "{there} {back}");
    }
}
