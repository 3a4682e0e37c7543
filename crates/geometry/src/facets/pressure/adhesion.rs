//! How large contacts are that draw.

use std::f64::consts::PI;

/// Most steps of Newton's method: it doubles its digits near the root, and takes a third off the way to it far from it.
const MAX_STEPS: usize = 60;

/// Change over the root at which Newton's method has arrived: rounding.
const ARRIVED: f64 = 1e-15;

/// Sections of a bracket by the golden ratio, which leave 1e-12 of it.
const SECTIONS: usize = 60;

/// Radius of a contact \[m\] by Johnson, Kendall and Roberts (1971), overlap = a²/R* - k sqrt(a) with k = sqrt(2 pi w /
/// E*), on the branch that holds; `None` beyond the gap 3/4 k (k R*/4)^(1/3), where it ends.
///
/// In x = sqrt(a) it is the largest root of a convex quartic, which Newton's method reaches from above without
/// overshooting.
pub(super) fn jkr(modulus: f64, work: f64, overlap: f64, curvature: f64) -> Option<f64> {
    let pull = (2.0 * PI * work / modulus).sqrt();
    if overlap < -0.75 * pull * (pull / (4.0 * curvature)).cbrt() {
        return None;
    }
    // Above the root, since each of the two terms that the quartic equals is at most half of it there.
    let quarter = (2.0 * overlap.max(0.0) / curvature).sqrt().sqrt();
    let mut x = quarter.max((2.0 * pull / curvature).cbrt());
    for _ in 0..MAX_STEPS {
        let value = (curvature * x * x * x - pull) * x - overlap;
        let slope = 4.0 * curvature * x * x * x - pull;
        if slope <= 0.0 {
            break;
        }
        let step = value / slope;
        x -= step;
        if step <= ARRIVED * x {
            break;
        }
    }
    Some(x * x)
}

/// Greatest undeformed gap at the rim of such a contact, 3/4 k (k R*/2)^(1/3) \[m\].
pub(super) fn jkr_range(modulus: f64, work: f64, curvature: f64) -> f64 {
    let pull = (2.0 * PI * work / modulus).sqrt();
    0.75 * pull * (pull / (2.0 * curvature)).cbrt()
}

/// What holds two spheres together in Maugis' (1992) law.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bond {
    pub modulus: f64,
    pub work: f64,
    pub stress: f64,
    pub curvature: f64,
}

impl Bond {
    /// Radii of the contact and of the ring around it \[m\], the first 0 where the bodies draw each other without touching;
    /// `None` where they are too far apart.
    pub fn radii(&self, overlap: f64, in_touch: bool) -> Option<[f64; 2]> {
        let apart = || self.apart(overlap).map(|c| [0.0, c]);
        if in_touch {
            self.touching(overlap).or_else(apart)
        } else if overlap < 0.0 {
            // What does not touch yet jumps into contact only when the gap at the axis is drawn shut.
            match apart() {
                None if self.is_beyond(overlap) => None,
                None => self.touching(overlap),
                some => some,
            }
        } else {
            self.touching(overlap)
        }
    }

    /// Whether the ring of spheres that do not touch has no radius: the gap is too wide.
    fn is_beyond(&self, overlap: f64) -> bool {
        self.lone_ring(overlap).is_none()
    }

    /// Radius of the ring of spheres that do not touch, c²/(2 R*) - 4 sigma0 c/(pi E*) = w/sigma0 + overlap: the
    /// opening at the rim of a uniform stress on a disc (Johnson 1985, section 3.4).
    fn lone_ring(&self, overlap: f64) -> Option<f64> {
        let open = self.work / self.stress + overlap;
        let soft = 4.0 * self.stress / (PI * self.modulus * self.curvature);
        let square = soft * soft + 2.0 * open / self.curvature;
        (square >= 0.0).then(|| soft + square.sqrt()).filter(|c| *c > 0.0)
    }

    /// The same where it leaves a gap at the axis: the stress draws the middle out by 2 sigma0 c / E*.
    fn apart(&self, overlap: f64) -> Option<f64> {
        self.lone_ring(overlap).filter(|c| -overlap >= 2.0 * self.stress * c / self.modulus)
    }

    /// Radii where the spheres touch. Lengths are in Maugis' units, (pi w R*²/K)^(1/3) for radii and (pi² w² R*/K²)^(1/3) for
    /// depths with K = 4 E*/3; lambda = 2 sigma0 (R*/(pi w K²))^(1/3).
    ///
    /// His equation of depths, delta = A² - 4/3 lambda A sqrt(m² - 1), gives the ring for a radius A, and with that his
    /// equation of the opening is one in A. Its largest root is the branch that holds.
    fn touching(&self, overlap: f64) -> Option<[f64; 2]> {
        let stiff = 4.0 / 3.0 * self.modulus;
        let drawn = PI * self.work;
        let wide = (drawn / (self.curvature * self.curvature * stiff)).cbrt();
        let deep = overlap / (drawn * drawn / (self.curvature * stiff * stiff)).cbrt();
        let lambda = 2.0 * self.stress / (self.curvature * drawn * stiff * stiff).cbrt();
        let ring = |a: f64| 0.75 * (a * a - deep) / lambda;
        let opening = |a: f64| {
            let [value, by_a, by_s] = opening(lambda, a, ring(a));
            [value - 1.0, by_a + by_s * 1.5 * a / lambda]
        };
        let lowest = deep.max(0.0).sqrt();
        let mut above = lowest + 1.0;
        while opening(above)[0] < 0.0 {
            above = lowest + 2.0 * (above - lowest);
            if !above.is_finite() {
                return None;
            }
        }
        let a = largest_root(opening, lowest, above)?;
        Some([a * wide, a.hypot(ring(a)) * wide])
    }
}

/// Opening at the end of the ring over w/sigma0 (Maugis 1992), for the radius A and S = sqrt(C² - A²) of the ring's
/// radius C, and its slopes by both: with tan T = S/A, lambda/2 (A S + (S² - A²) T) + 4/3 lambda² (S T - C + A).
/// Without a quotient by A, it holds for A = 0.
fn opening(lambda: f64, a: f64, s: f64) -> [f64; 3] {
    let t = s.atan2(a);
    let c = a.hypot(s);
    if c == 0.0 {
        return [0.0; 3];
    }
    let [part_a, part_s] = [a / c, s / c];
    let [rigid, soft] = [0.5 * lambda, 4.0 / 3.0 * lambda * lambda];
    // C - A without cancellation.
    let value = rigid * (a * s + (s * s - a * a) * t) + soft * (s * t - s * s / (c + a));
    // The derivatives of T are -S/C² and A/C².
    let by_a = 2.0 * rigid * a * (part_a * part_s - t) + soft * (part_a * part_a - part_a);
    let by_s = 2.0 * rigid * s * (part_a * part_s + t) + soft * (t + part_a * part_s - part_s);
    [value, by_a, by_s]
}

/// The largest root between two numbers of a function, given with its slope, that rises to the upper one, where it is positive.
///
/// Where the function is negative at the lower end there is one root. Else it falls first, or has no root: a place where it is
/// negative is looked for by golden section. Newton's steps from the upper end, halvings where they leave the bracket.
fn largest_root(f: impl Fn(f64) -> [f64; 2], lowest: f64, highest: f64) -> Option<f64> {
    let mut low = lowest;
    if f(low)[0] > 0.0 {
        low = least(|x| f(x)[0], lowest, highest);
        if f(low)[0] > 0.0 {
            return None;
        }
    }
    let (mut high, mut x) = (highest, highest);
    for _ in 0..MAX_STEPS {
        let [value, slope] = f(x);
        if value < 0.0 {
            low = x;
        } else {
            high = x;
        }
        let newton = x - value / slope;
        let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
        let step = (next - x).abs();
        x = next;
        if step <= ARRIVED * x {
            break;
        }
    }
    Some(x)
}

/// Where a function with one valley is least, or nearly zero or less on the way there.
fn least(f: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    const PART: f64 = 0.618_033_988_749_894_9;
    for _ in 0..SECTIONS {
        let left = high - PART * (high - low);
        let right = low + PART * (high - low);
        let [at_left, at_right] = [f(left), f(right)];
        if at_left.min(at_right) <= 0.0 {
            return if at_left <= 0.0 { left } else { right };
        }
        if at_left < at_right {
            high = right;
        } else {
            low = left;
        }
    }
    0.5 * (low + high)
}
