//! How much friction holds against what slides and turns at once.
//!
//! A load on a ring of radius r holds against sliding by f of its friction μN, and against turning about its axis by h of μNr, where the
//! two are, for a speed v of its centre and w of its rim, the mean over the angle t of
//!
//! ```text
//! f = (v - w sin t) / |(v - w sin t, w cos t)|,    h = (w - v sin t) / |(v - w sin t, w cos t)|.
//! ```
//!
//! All pairs of them lie on one curve, which `(1 + f²) (1 + h²) = 2` follows to 1.3 %, with the slopes and curvatures that it has on its axes; the motion
//! is normal to it, as it is to every limit surface of Coulomb's friction (Goyal, Ruina and Papadopoulos 1991). Of a given motion f and h are right to 0.04 then; of a load that lies on a disc
//! to 0.1, on a line to 0.2, which hold more of the smaller of both. An ellipsoid (Howe and Cutkosky 1996) is 11 % above the ring's in the middle, and near the axes it holds twice the smaller
//! part.

use glam::DVec3;

/// f and h where they are the same: the root of `sqrt(2) - 1`.
const DIAGONAL: f64 = 0.643_594_252_905_582_6;

/// Newton's steps to a place on the curve: of random ones, from just beyond it to a hundred times as far, the worst is off by 3e-6 with one less.
const STEPS: usize = 5;

/// What a load holds against sliding and turning.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// The axis that it turns about.
    pub normal: DVec3,
    /// Mean distance of the load from the axis, over the length that turns are measured with.
    pub lever: f64,
}

impl Limit {
    /// What is held of a pull \[N\], across the normal against sliding and along it against turning, where sliding takes `most` \[N\];
    /// `None` for all of it.
    ///
    /// It is the nearest of all that can be held: then what slips does so along the normal to the curve.
    pub fn slipping(&self, pull: DVec3, most: f64) -> Option<DVec3> {
        let turning = pull.dot(self.normal);
        let across = pull - self.normal * turning;
        let sliding = across.length();
        let most_turning = most * self.lever;
        let [f, h] = [sliding / most, turning.abs() / most_turning];
        if (1.0 + f * f) * (1.0 + h * h) <= 2.0 {
            return None;
        }
        let [sliding_held, turning_held] = nearest([sliding, turning.abs()], [most, most_turning]);
        let part = |held: f64, of: f64| if of > 0.0 { held / of } else { 0.0 };
        Some(
            across * part(sliding_held, sliding)
                + self.normal * (turning * part(turning_held, turning.abs())),
        )
    }

    /// The same; all of it where it can be held.
    pub fn held(&self, pull: DVec3, most: f64) -> DVec3 {
        self.slipping(pull, most).unwrap_or(pull)
    }
}

/// The place nearest to one beyond the curve of these semi-axes, no coordinate of which is negative.
fn nearest(at: [f64; 2], semi: [f64; 2]) -> [f64; 2] {
    // Nothing is held along an axis of no length, or where nothing pulls.
    for ix in [0, 1] {
        if semi[ix] <= 0.0 || at[ix] <= 0.0 {
            let mut held = [0.0; 2];
            held[1 - ix] = at[1 - ix].min(semi[1 - ix]);
            return held;
        }
    }
    // Where the curve meets its diagonal f and h are the same. The normal there tells on which side of it the place is: the smaller one of them is found.
    let beyond = [0, 1].map(|ix| semi[ix] * (at[ix] - DIAGONAL * semi[ix]));
    let [large, small] = if beyond[0] > beyond[1] { [0, 1] } else { [1, 0] };
    let part = smaller(at[large] / semi[large], at[small] / semi[small], semi[small] / semi[large]);
    let mut held = [0.0; 2];
    held[small] = semi[small] * part;
    held[large] = semi[large] * larger(part);
    held
}

/// The larger one of f and h, by the smaller one.
fn larger(smaller: f64) -> f64 {
    (2.0 / (1.0 + smaller * smaller) - 1.0).max(0.0).sqrt()
}

/// The smaller one s of f and h, c being the larger one, at the place nearest to one at (p, q) beyond the curve, both of which are in semi-axes; the second
/// one is so many times as long as the first.
///
/// With `1 + c² = 2 / (1 + s²)` it is the root of `(p - c) 2 s / (1 + s²) - ratio² (q - s) c (1 + s²)`, by Newton's steps within what is known of it, from the place
/// on the line to zero.
fn smaller(p: f64, q: f64, ratio: f64) -> f64 {
    let wide = ratio * ratio;
    let (squares, product) = (p * p + q * q, (p * q) * (p * q));
    let mut s = (q * (2.0 / (squares + (squares * squares + 4.0 * product).sqrt())).sqrt()).min(DIAGONAL);
    let (mut low, mut high) = (0.0, DIAGONAL);
    for _ in 0..STEPS {
        let rise = 1.0 + s * s;
        let c = larger(s);
        let bend = -2.0 * s / (rise * rise * c);
        let pull = 2.0 * s / rise;
        let offset = (p - c) * pull - wide * ((q - s) * (c * rise));
        let slope = (p - c) * (2.0 / rise - pull * pull) - bend * pull
            + wide * (c * rise - (q - s) * (bend * rise + 2.0 * s * c));
        if offset > 0.0 {
            high = s;
        } else {
            low = s;
        }
        let next = s - offset / slope;
        s = if next >= low && next <= high { next } else { 0.5 * (low + high) };
    }
    s
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use tactum_random::Rng;

    use super::*;

    /// What a load holds of its friction against sliding with v and turning with w, at distances from the axis that are 1 in the mean, by quadrature over
    /// them and the angle.
    fn coulomb(distances: &[f64], v: f64, w: f64) -> [f64; 2] {
        const N: usize = 2000;
        let mut held = [0.0; 2];
        for r in distances {
            for ix in 0..N {
                let (sin, cos) = (2.0 * PI * (ix as f64 + 0.5) / N as f64).sin_cos();
                let slip = [v - w * r * sin, w * r * cos];
                let speed = slip[0].hypot(slip[1]);
                held[0] += slip[0] / speed;
                held[1] += r * (w * r - v * sin) / speed;
            }
        }
        held.map(|x| x / (N * distances.len()) as f64)
    }

    /// Distances of equal parts of the load of Hertz' pressure over a disc.
    fn disc() -> Vec<f64> {
        let radius = 16.0 / (3.0 * PI);
        // Within r there is 1 - (1 - r²)^(3/2) of it.
        (0..50)
            .map(|ix| radius * (1.0 - (1.0 - (f64::from(ix) + 0.5) / 50.0_f64).powf(2.0 / 3.0)).sqrt())
            .collect()
    }

    /// What is held of a pull that goes far beyond the curve along a motion.
    fn held(v: f64, w: f64) -> [f64; 2] {
        let limit = Limit { normal: DVec3::Z, lever: 1.0 };
        let far = limit.held(DVec3::new(v, 0.0, w) * 1e7, 1.0);
        [far.x, far.z]
    }

    #[test]
    fn a_ring_holds_as_coulombs_friction_does() {
        for ix in 0..=60 {
            let (sin, cos) = (PI / 120.0 * f64::from(ix)).sin_cos();
            let (exact, found) = (coulomb(&[1.0], cos, sin), held(cos, sin));
            // Where both are alike a little of the motion decides which one is larger.
            for k in [0, 1] {
                assert!((found[k] - exact[k]).abs() < 0.04, "{ix}: {found:?}, {exact:?}");
            }
            let on_curve = exact.map(|x| 1.0 + x * x).iter().product::<f64>();
            assert!((0.5 * on_curve - 1.0).abs() < 0.013, "{ix}: {on_curve}");
        }
    }

    #[test]
    fn a_disc_holds_nearly_as_coulombs_friction_does() {
        for ix in 0..=60 {
            let (sin, cos) = (PI / 120.0 * f64::from(ix)).sin_cos();
            let (exact, found) = (coulomb(&disc(), cos, sin), held(cos, sin));
            for k in [0, 1] {
                assert!((found[k] - exact[k]).abs() < 0.1, "{ix}: {found:?}, {exact:?}");
            }
        }
    }

    #[test]
    fn the_nearest_of_all_that_can_be_held_is_held() {
        let mut rng = Rng::new(3);
        let mut vector = |size: f64| DVec3::from_array([(); 3].map(|()| rng.range(-size, size)));
        for ix in 0..2000 {
            let normal = vector(1.0).normalize();
            let limit = Limit { normal, lever: 0.1 + vector(1.0).x.abs() };
            let pull = vector(1.0) * 10_f64.powi(ix % 9 - 3);
            let Some(held) = limit.slipping(pull, 0.5) else { continue };
            let split = |x: DVec3| [(x - normal * x.dot(normal)).length(), x.dot(normal) / limit.lever];
            let [f, h] = split(held).map(|x| x / 0.5);
            assert!(((1.0 + f * f) * (1.0 + h * h) - 2.0).abs() < 1e-12);
            // What is taken off does not get less along anything else that can be held: the set is convex, and holds zero.
            let off = pull - held;
            assert!(off.dot(held) >= 0.0);
            for _ in 0..20 {
                let other = limit.held(vector(2.0), 0.5);
                // To what Newton's steps leave.
                assert!(off.dot(other - held) <= 1e-9 * off.length(), "{pull}: {held}, {other}");
            }
        }
    }

    #[test]
    fn nothing_is_held_of_what_there_is_nothing_to_hold_with() {
        let limit = Limit { normal: DVec3::Z, lever: 0.0 };
        let held = limit.held(DVec3::new(3.0, 4.0, 7.0), 1.0);
        assert!((held - DVec3::new(0.6, 0.8, 0.0)).length() < 1e-15);
        assert_eq!(limit.held(DVec3::new(3.0, 4.0, 7.0), 0.0), DVec3::ZERO);
        assert_eq!(limit.held(DVec3::ZERO, 0.0), DVec3::ZERO);
        let limit = Limit { normal: DVec3::Z, lever: 0.5 };
        assert_eq!(limit.held(DVec3::Z * -3.0, 2.0), DVec3::Z * -1.0);
        for huge in [1e-100, 1e100] {
            let held = limit.held(DVec3::new(1.0, 2.0, 3.0) * huge, 1e-9 * huge);
            assert!(held.is_finite() && held.length() > 0.5e-9 * huge);
        }
    }
}
