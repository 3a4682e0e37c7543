//! The penalty of a pair of features integrated over an interval, in closed form (Tang et al. 2012, supplement B).
//!
//! Over an interval the length of the normal and the weights are held as they are in its middle, so that `(n · r) n` is a polynomial of
//! fifth degree in τ. Its integral is taken about the middle of the interval, where the odd powers drop out and nothing cancels. What
//! is held makes a relative error of the order of the interval's length squared: an interval over which the normal or the weights
//! move far is halved, which divides the error by four.
//!
//! Of the print, `d` and `e` are swapped, the coefficient `d'` lacks `(c · e) a`, and the impulse on the vertex has the opposite sign.

use glam::DVec3;

use super::features::Features;

/// Change of the normal over an interval, as a part of its length, above which the interval is halved.
const MOST_TURN: f64 = 0.2;

/// Change of a weight over an interval above which it is halved.
const MOST_SHIFT: f64 = 0.1;

/// Halvings at most: intervals of a thousandth.
const MAX_HALVINGS: u32 = 10;

/// What a pair of features adds to the penalty in an interval of τ. `r` is from B's point to A's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Press {
    /// The interval of τ.
    pub interval: [f64; 2],
    /// `∫ (n · r) n dτ` \[m\]: times stiffness and step it is the impulse on B.
    pub push: DVec3,
    /// `∫ (n · r') n dτ` with the derivative r' by τ \[m\]: times the damper's coefficient it is the impulse on B.
    pub closing: DVec3,
    /// Where they touch in the middle of the interval, half-way between the two points, world axes, relative to A's origin at τ = 0 \[m\].
    pub point: DVec3,
    /// Unit normal in the middle of the interval from A to B.
    pub normal: DVec3,
    /// How B's point moves against A's in the whole of the step, `-r'` \[m\].
    pub slip: DVec3,
    /// How the middle of the two points moves in the whole of the step \[m\].
    pub way: DVec3,
    /// How deep they are in each other at most, of both ends and the middle, from where the rest of their spring is \[m\].
    pub depth: f64,
    /// Which part of a spring and a damper this is: less than 1 where other features press at the same place.
    pub share: f64,
}

/// Appends what a pair of features adds in an interval; the unit normal from A to B is `sign` times that of the features.
pub fn integrate(features: &Features, interval: [f64; 2], sign: f64, presses: &mut Vec<Press>) {
    halve(features, interval, sign, MAX_HALVINGS, presses);
}

fn halve(features: &Features, [from, to]: [f64; 2], sign: f64, halvings: u32, presses: &mut Vec<Press>) {
    let middle = 0.5 * (from + to);
    if halvings > 0 && is_wide(features, [from, to]) {
        halve(features, [from, middle], sign, halvings - 1, presses);
        halve(features, [middle, to], sign, halvings - 1, presses);
        return;
    }
    presses.extend(over(features, [from, to], sign));
}

/// Whether the normal or the weights move far in an interval.
fn is_wide(features: &Features, [from, to]: [f64; 2]) -> bool {
    let normal = features.normal();
    let (a, b) = (normal.at(from), normal.at(to));
    if (a - b).length() > MOST_TURN * normal.at(0.5 * (from + to)).length() {
        return true;
    }
    match (features.weights_at(from), features.weights_at(to)) {
        (Some(a), Some(b)) => a.iter().zip(&b).any(|(a, b)| (a - b).abs() > MOST_SHIFT),
        // Where it has no normal at an end, halving would not find one.
        _ => false,
    }
}

/// What a pair of features adds in an interval taken as one; nothing where it has no normal in its middle. The unit normal is `sign` times
/// that of the features.
pub fn over(features: &Features, [from, to]: [f64; 2], sign: f64) -> Option<Press> {
    let middle = 0.5 * (from + to);
    let half = 0.5 * (to - from);
    let normal = features.normal();
    let length = normal.at(middle).length();
    let weights = features.weights_at(middle).filter(|_| length > 0.0)?;
    let [on_a, on_b] = features.points(weights);
    let r = on_a.from(&on_b);
    let [a, b, c] = normal.powers_about(middle).map(|n| n / length);
    let (d, e) = (r.slope(), r.at(middle));
    // n · r = s3 s³ + s2 s² + s1 s + s0, and (n · r) n of it: only even powers are left over an interval about its middle.
    let (s3, s2, s1, s0) = (a.dot(d), a.dot(e) + b.dot(d), b.dot(e) + c.dot(d), c.dot(e));
    let of_fourth = s3 * b + s2 * a;
    let of_second = s2 * c + s1 * b + s0 * a;
    let of_zeroth = s0 * c;
    let even = |zeroth: DVec3, second: DVec3, fourth: DVec3| {
        let square = half * half;
        2.0 * half * (zeroth + square * (second / 3.0 + square * fourth / 5.0))
    };
    let (ad, bd, cd) = (a.dot(d), b.dot(d), c.dot(d));
    let unit = sign * c;
    let depth = |t: f64| r.at(t).dot(normal.at(t).normalize_or_zero()) * sign;
    Some(Press {
        interval: [from, to],
        push: even(of_zeroth, of_second, of_fourth),
        closing: even(cd * c, ad * c + bd * b + cd * a, ad * a),
        point: 0.5 * (on_a.at(middle) + on_b.at(middle)),
        normal: unit,
        slip: -d,
        way: 0.5 * (on_a.slope() + on_b.slope()),
        depth: [from, middle, to].into_iter().map(depth).fold(0.0, f64::max),
        share: 1.0,
    })
}

/// The penalty as it is at the start, as if it stayed so for the whole step; nothing where the features have no normal then.
pub fn at_start(features: &Features, sign: f64) -> Option<Press> {
    let normal = features.normal().at(0.0).try_normalize()?;
    let [on_a, on_b] = features.points(features.weights_at(0.0)?);
    let r = on_a.from(&on_b);
    Some(Press {
        interval: [0.0, 1.0],
        push: normal * normal.dot(r.start),
        closing: normal * normal.dot(r.slope()),
        point: 0.5 * (on_a.start + on_b.start),
        normal: sign * normal,
        slip: -r.slope(),
        way: 0.5 * (on_a.slope() + on_b.slope()),
        depth: sign * normal.dot(r.start),
        share: 1.0,
    })
}
