//! Contacts of surfaces that are curved more one way than the other.

use super::Pressure;

/// Steps to an ellipse's width over its length: at the greatest bend 1.4e-5 of the force is left, at half of it 1e-8.
const STEPS: usize = 3;

/// Steps of the arithmetic and geometric mean, each of which doubles the digits: 1e-13 where the width is a quarter of the length.
const MEANS: usize = 3;

/// A contact that is longer than wide, told by a round one: with its places stretched by 1/sqrt(ratio) one way and by sqrt(ratio) the other it is this one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::facets) struct Oval {
    /// Curvature of the round contact, which has the same force and the same stiffness at any depth \[1/m\].
    pub curvature: f64,
    /// Width over length, which lies across the bend.
    pub ratio: f64,
}

/// How an oval contact changes with the curvature of its gap and with how much more that is one way \[m\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::facets) struct OvalSlopes {
    /// Of the logarithm of the round contact's curvature, by the curvature and by the bend.
    pub curvature: [f64; 2],
    /// Of the logarithm of the ratio.
    pub ratio: [f64; 2],
}

impl Pressure {
    /// A distance from the axis \[m\] that no pressure reaches beyond, told without the ellipse; `None` where the surfaces are apart.
    ///
    /// The longer semi-axis squared of Hertz' contact is 2 S/e² of depth over the least curvature, and that of the stretched round contact AGM²/kappa times as much: together
    /// from 1 where it is a circle to 1.7 at the greatest bend, and less than one and the bend over the curvature. That of a foundation is 2.
    pub(in crate::facets) fn farthest(&self, overlap: f64, curvature: f64, bend: f64) -> Option<f64> {
        /// Rounding of roots and places.
        const SLACK: f64 = 1.0 + 1e-9;
        let wide = match self {
            Self::Linear { .. } => 2.0,
            Self::Hertz { .. } => 1.0 + bend / curvature,
            Self::Jkr { .. } | Self::MaugisDugdale { .. } => return Some(f64::INFINITY),
        };
        (overlap > 0.0).then(|| SLACK * (wide * overlap / (curvature - bend)).sqrt())
    }

    /// The slopes of [`Pressure::oval`].
    ///
    /// A gap that is higher by dg takes from the energy of a Hertzian contact at a given depth the integral of p dg, as that is least for its shape: of dg = dA x² + dB y² that is F/5 (a² dA
    /// + b² dB) with the semi-axes a and b. So the curvature k of the round contact, on which the energy 2/5 F delta goes as k^(-1/2), changes by
    ///
    /// ```text
    /// dk / k = (a² d(k_g - bend) + b² d(k_g + bend)) / (2 delta).
    /// ```
    pub(in crate::facets) fn oval_slopes(&self, curvature: f64, bend: f64, ratio: f64) -> OvalSlopes {
        let (steep, shallow) = (curvature + bend, curvature - bend);
        // Of the logarithm of steep over shallow, by the curvature and by the bend.
        let apart = [-2.0 * bend, 2.0 * curvature].map(|x| x / (steep * shallow));
        if matches!(self, Self::Linear { .. }) {
            let of_curvature = [curvature, -bend].map(|x| x / (steep * shallow));
            return OvalSlopes { curvature: of_curvature, ratio: apart.map(|x| -0.5 * x) };
        }
        let ellipse = Ellipse::of(ratio);
        let long = 0.5 * ellipse.length / shallow;
        let wide = ratio * ratio;
        OvalSlopes {
            curvature: [long * (1.0 + wide), long * (wide - 1.0)],
            ratio: apart.map(|x| -x / ellipse.steepness),
        }
    }

    /// The contact of a gap that is curved by `curvature + bend` one way and by `curvature - bend` the other \[1/m\].
    ///
    /// An elastic foundation presses by the gap's depth. Hertz' contact is an ellipse (Johnson 1985, equations 4.28 to 4.32); with the ratio kappa of
    /// its semi-axes a and kappa a, e² = 1 - kappa², the complete elliptic integrals K and E, and S = 1 - E/K,
    ///
    /// ```text
    /// (k + bend) / (k - bend) = (e² - S) / (kappa² S),    a² = 2 delta S / ((k - bend) e²),    F = 4/3 E* AGM(a, kappa a) delta,
    /// ```
    ///
    /// as K = pi / (2 AGM(1, kappa)). A round contact of radius AGM(a, kappa a) has this force, and its stiffness. What draws as JKR and Maugis have it is
    /// taken to be stretched alike (Johnson and Greenwood 2005 find it nearly so).
    pub(in crate::facets) fn oval(&self, curvature: f64, bend: f64) -> Oval {
        if bend == 0.0 {
            return Oval { curvature, ratio: 1.0 };
        }
        let (steep, shallow) = (curvature + bend, curvature - bend);
        if matches!(self, Self::Linear { .. }) {
            return Oval { curvature: (steep * shallow).sqrt(), ratio: (shallow / steep).sqrt() };
        }
        // The ratio is nearly that of the curvatures to the power -2/3.
        let first = bend / (1.5 * curvature);
        let mut ratio = (1.0 - first) / (1.0 + first);
        for _ in 0..STEPS {
            let off = Ellipse::of(ratio).bend * shallow / steep;
            ratio *= (5.0 * off + 1.0) / (off + 5.0);
        }
        let ellipse = Ellipse::of(ratio);
        Oval { curvature: shallow / (ellipse.length * ellipse.mean * ellipse.mean), ratio }
    }
}

/// Hertz' contact of a given ratio of its semi-axes.
struct Ellipse {
    /// The larger over the smaller curvature of its gap.
    bend: f64,
    /// Longer semi-axis squared times the smaller curvature over the depth.
    length: f64,
    /// AGM(1, ratio).
    mean: f64,
    /// How fast the logarithm of `bend` falls with that of the ratio: 3/2 where that is 1.
    steepness: f64,
}

impl Ellipse {
    /// By S = sum of 2^(n-1) c_n² (Abramowitz and Stegun 1964, 17.6.4), all over 1 - ratio, so that a circle is no special case.
    fn of(ratio: f64) -> Self {
        let (half, difference) = (0.5 * (1.0 + ratio), 0.5 * (1.0 - ratio));
        let (mut mean, mut root) = (half, ratio.sqrt());
        // c_n, c_n over c_1, and 2^(n-1).
        let (mut c, mut part, mut power) = (difference, 1.0, 1.0);
        let mut sum = 0.5 * difference;
        // The same over the difference.
        let mut share = 0.5;
        for _ in 0..MEANS {
            let next = 0.5 * (mean + root);
            let less = c / (4.0 * next);
            part *= less;
            c *= less;
            power *= 2.0;
            sum += 0.5 * power * c * part;
            share += 0.5 * power * part * part;
            root = (mean * root).sqrt();
            mean = next;
        }
        let (more, less) = (half + sum, half - sum);
        // With dS / d(e²) = (e² + S² - 2 S e²) / (2 e² kappa²), from the derivatives of K and E.
        let steepness = 2.0 + (share - more * more) / (more * less);
        Self { bend: less / (ratio * ratio * more), length: more / half, mean, steepness }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facets::plane::ONE_WAY;

    #[test]
    fn no_pressure_reaches_farther_than_is_said() {
        for pressure in [Pressure::Hertz { modulus: 1.0 }, Pressure::Linear { stiffness: 1.0 }] {
            for step in 0..=80 {
                let (depth, curvature) = (0.01, 3.0);
                let bend = f64::from(step) / 80.0 * ONE_WAY * curvature;
                let oval = pressure.oval(curvature, bend);
                let widest = pressure.widest(depth, oval.curvature).expect("a contact");
                let farthest = pressure.farthest(depth, curvature, bend).expect("a contact");
                assert!(widest / oval.ratio.sqrt() <= farthest, "{pressure:?} {bend}");
            }
            assert_eq!(pressure.farthest(0.0, 3.0, 1.0), None);
        }
    }
}
