//! Where around the axis of a cylinder or a cone its side meets another round body.
//!
//! The side is made of straight lines, its rulings, and whether one passes through the other body is a closed form. So the middle and
//! the width of a contact are found by asking single rulings, which costs little beside measuring.

use std::f64::consts::{PI, TAU};

use glam::DVec3;

use super::face::FULL_TURN;
use super::pieces::RoundBody;
use crate::Pose;
use crate::overlap::faceted::N_AROUND;
use crate::shape::Frustum;

/// Part to which a golden section narrows an interval.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// Part of a ruling to which its highest place in the other body is looked for, where rulings are compared that are far apart.
const ROUGHLY: f64 = 1e-3;

/// The same, and the angle in radians, where the one ruling is looked for that goes deepest.
const CLOSELY: f64 = 1e-9;

/// Where the side of a cylinder or a cone B meets another round body A.
#[derive(Clone, Copy, Debug)]
pub(super) enum SideContact {
    /// A plane is between the two bodies.
    Apart,
    /// About an azimuth of B's frame and so far to both sides, in radians. Without a width if no ruling is seen that passes through A, and
    /// it comes nearest there: if the bodies meet, B's ends alone do.
    At { middle: f64, half_width: f64 },
}

/// Where the side of B meets the body A.
///
/// The rulings that pass through A are next to each other where A meets the side from outside, as it does in a contact: they are those
/// that pass through a convex body. Of several places one is found.
pub(super) fn side_contact(a: &impl RoundBody, b: &Frustum, a_from_b: &Pose) -> SideContact {
    let b_from_a = a_from_b.inverse();
    let center_a = b_from_a.translation;
    let is_apart = |normal: DVec3| {
        let reach = a.reach(a_from_b.vector(-normal));
        b.reach(normal) - normal.dot(center_a) + reach <= FULL_TURN * FULL_TURN * b.bottom
    };
    let toward_a = center_a.with_z(0.0).try_normalize();
    let axes = [DVec3::Z, b_from_a.vector(DVec3::Z)];
    if axes.into_iter().flat_map(|axis| [axis, -axis]).chain(toward_a).any(is_apart) {
        return SideContact::Apart;
    }
    let step = TAU / f64::from(N_AROUND);
    let around = || (0..N_AROUND).map(|ix| f64::from(ix) * step);
    let normal = |azimuth: f64| DVec3::new(azimuth.cos(), azimuth.sin(), -b.slope()).normalize();
    // Of bodies whose boxes meet but that do not, most are told by one of these planes along the side.
    if around().map(normal).any(is_apart) {
        return SideContact::Apart;
    }
    let rulings = Rulings::new(a, b, a_from_b);
    let deepest = around().find(|&azimuth| rulings.passes(azimuth)).unwrap_or_else(|| {
        let heights = around().map(|azimuth| (rulings.height(azimuth, ROUGHLY), azimuth));
        let lowest = heights.min_by(|p, q| p.0.total_cmp(&q.0)).map_or(0.0, |(_, azimuth)| azimuth);
        least(lowest - step, lowest + step, CLOSELY, |x| rulings.height(x, CLOSELY), |x| rulings.passes(x))
    });
    if !rulings.passes(deepest) {
        return if is_apart(normal(deepest)) {
            SideContact::Apart
        } else {
            SideContact::At { middle: deepest, half_width: 0.0 }
        };
    }
    // The first of the rulings on either side that does not pass through A, and the last place before it that does.
    let end = |sign: f64| {
        let outside = (1..=N_AROUND / 2).map(|i| deepest + sign * f64::from(i) * step);
        outside.map(|x| (x - sign * step, x)).find(|x| !rulings.passes(x.1))
    };
    let ends = [-1.0, 1.0]
        .map(|sign| end(sign).map_or(deepest + sign * PI, |(inside, out)| rulings.rim(inside, out)));
    SideContact::At { middle: 0.5 * (ends[0] + ends[1]), half_width: 0.5 * (ends[1] - ends[0]) }
}

/// The rulings of a cylinder or a cone B, seen from another body A.
struct Rulings<'a, A> {
    body: &'a A,
    /// For the lower and the upper rim its centre and its radii along B's x and y axes, in A's frame.
    rims: [[DVec3; 3]; 2],
}

impl<'a, A: RoundBody> Rulings<'a, A> {
    fn new(body: &'a A, b: &Frustum, a_from_b: &Pose) -> Self {
        let r = a_from_b.matrix();
        let rim =
            |z: f64, radius: f64| [a_from_b.translation + z * r.z_axis, radius * r.x_axis, radius * r.y_axis];
        Self { body, rims: [rim(-b.half_height, b.bottom), rim(b.half_height, b.top)] }
    }

    /// The ends of the ruling at an azimuth.
    fn ends(&self, azimuth: f64) -> [DVec3; 2] {
        let (sin, cos) = azimuth.sin_cos();
        self.rims.map(|[center, x, y]| center + cos * x + sin * y)
    }

    /// Whether the ruling at an azimuth passes through A.
    fn passes(&self, azimuth: f64) -> bool {
        let [from, to] = self.ends(azimuth);
        self.body.is_passed(from, to)
    }

    /// How far outside of A the ruling at an azimuth is where it comes nearest, looked for to a part of its length \[m\].
    fn height(&self, azimuth: f64, part: f64) -> f64 {
        let [from, to] = self.ends(azimuth);
        let height = |t: f64| self.body.height(from.lerp(to, t));
        height(least(0.0, 1.0, part, height, |_| false)).min(height(0.0)).min(height(1.0))
    }

    /// Where between a ruling that passes through A and one that does not the last one passes.
    fn rim(&self, mut inside: f64, mut outside: f64) -> f64 {
        while (outside - inside).abs() > CLOSELY {
            let middle = 0.5 * (inside + outside);
            if self.passes(middle) {
                inside = middle;
            } else {
                outside = middle;
            }
        }
        inside
    }
}

/// Where a function with one minimum in an interval has it, to a tolerance, or a place that will do (Kiefer 1953).
fn least(
    mut from: f64,
    mut to: f64,
    tolerance: f64,
    value: impl Fn(f64) -> f64,
    will_do: impl Fn(f64) -> bool,
) -> f64 {
    let inner = |from: f64, to: f64| [to - GOLDEN * (to - from), from + GOLDEN * (to - from)];
    let [mut p, mut q] = inner(from, to);
    let (mut at_p, mut at_q) = (value(p), value(q));
    while to - from > tolerance {
        let lower = if at_p < at_q {
            (to, q, at_q) = (q, p, at_p);
            p = inner(from, to)[0];
            at_p = value(p);
            p
        } else {
            (from, p, at_p) = (p, q, at_q);
            q = inner(from, to)[1];
            at_q = value(q);
            q
        };
        if will_do(lower) {
            return lower;
        }
    }
    0.5 * (from + to)
}
