//! Pressure over a polygon: closed forms along its sides.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use glam::{DMat2, DVec2};

use super::profile::Profile;
use crate::facets::polygon::{Owner, Polygon};

/// What a pressure about the origin adds up to over a polygon.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Load {
    /// Integral of the pressure \[N\].
    pub force: f64,
    /// Integral of pressure times position \[N m\].
    pub first: DVec2,
    /// Area within the contact radius \[m²\].
    pub area: f64,
    /// Integral of 1 / (2 pi sqrt(a² - r²)) within the contact radius a \[m\]: the part of it that is in the polygon.
    pub grip: f64,
    /// What moving the sides of either triangle does to the integral of -Psi, without what draws at a distance.
    pub rims: [Rim; 2],
}

/// Integrals of -Psi along sides of a polygon, n being their outward normals and y the places.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rim {
    /// Of n \[N m\].
    pub flux: DVec2,
    /// Of n y^T \[N m²\].
    pub moment: DMat2,
}

impl Default for Rim {
    fn default() -> Self {
        Self { flux: DVec2::ZERO, moment: DMat2::ZERO }
    }
}

impl Load {
    /// Over a polygon that holds all of the pressure.
    pub fn of_disc(profile: &Profile) -> Self {
        let radius = profile.contact;
        Self { force: profile.force(), area: PI * radius * radius, grip: radius, ..Self::default() }
    }
}

impl Load {
    /// What sides beyond the pressure add that turn about the axis by an angle together.
    fn of_turn(profile: &Profile, turn: f64) -> Self {
        Self {
            force: -profile.potential(0.0) * turn,
            area: 0.5 * profile.contact * profile.contact * turn,
            grip: profile.contact * GRIP * turn,
            ..Self::default()
        }
    }

    /// Adds a side of a triangle along a direction, but for its turn.
    fn add(&mut self, profile: &Profile, side: &Side, along: DVec2, owner: Owner) {
        let [mut force, mut flux] = if profile.cohesion > 0.0 { side.cohesion(profile) } else { [0.0; 2] };
        let outward = DVec2::new(along.y, -along.x);
        let (mut area, mut grip) = (0.0, 0.0);
        if let Some(part) = side.within(profile.contact) {
            let [more_force, more_flux, more_grip, more_moment] = side.powers(profile, &part);
            grip += more_grip;
            force += more_force;
            flux += more_flux;
            let places = outward * (side.eta * more_flux) + along * more_moment;
            let shares = match owner {
                Owner::First => [1.0, 0.0],
                Owner::Second => [0.0, 1.0],
                Owner::Both => [0.5; 2],
            };
            for (rim, share) in self.rims.iter_mut().zip(shares) {
                rim.flux -= outward * (share * more_flux);
                rim.moment -= DMat2::from_cols(outward * places.x, outward * places.y) * share;
            }
            let [from, to] = part.ends;
            area += 0.5 * (side.eta * (to - from) - profile.contact.powi(2) * side.turn(part.ends));
        }
        self.first += outward * flux;
        // A side that runs through the axis has no angle, and its two ends no angles of their own.
        if side.eta != 0.0 {
            self.force += force;
            self.area += area;
            self.grip += grip;
        }
    }
}

/// The punch whose pressure is the integrand of [`Load::grip`] \[1/m\].
const GRIP: f64 = 0.5 / PI;

/// Half of the points and weights of Gauss and Legendre's rule with 16 points between -1 and 1.
const GAUSS: [(f64, f64); 8] = [
    (0.095_012_509_837_637_44, 0.189_450_610_455_068_5),
    (0.281_603_550_779_258_9, 0.182_603_415_044_923_6),
    (0.458_016_777_657_227_4, 0.169_156_519_395_002_54),
    (0.617_876_244_402_643_7, 0.149_595_988_816_576_73),
    (0.755_404_408_355_003, 0.124_628_971_255_533_87),
    (0.865_631_202_387_831_7, 0.095_158_511_682_492_78),
    (0.944_575_023_073_232_6, 0.062_253_523_938_647_894),
    (0.989_400_934_991_649_9, 0.027_152_459_411_754_095),
];

/// Distance from the axis over the radius, squared, below which a quotient of differences is taken as the slope: their
/// rounding is as large as what the slope leaves out, some 1e-8 of a term that counts with the width of that distance.
const NEAR_AXIS: f64 = 1e-8;

/// Integrals of a pressure over a polygon, side by side in the order of its corners. Positions are relative to the axis.
///
/// By Gauss' theorem, with the potential Psi, the sides' outward normals n, and theta the angle about the axis,
///
/// ```text
/// integral of p dA   = sum over the sides of the integral of (Psi(r) - Psi(0)) dtheta
/// integral of p x dA = sum over the sides of the integral of Psi(r) n ds
/// ```
///
/// On a side at the distance eta from the axis r² = eta² + s², and both are elementary but for Maugis' cohesive stress, whose
/// integrals are by 16 points in asin(s / half chord), where they are smooth. What a side adds to one polygon it takes from the
/// next, so that tilings add up to the whole. Sides beyond the pressure add to the turn about the axis alone, for which no angle is
/// computed: see `turn_about_axis`.
pub fn over_polygon(profile: &Profile, polygon: &Polygon) -> Load {
    let mut load = Load::of_turn(profile, turn_about_axis(polygon));
    for ((p, q), owner) in polygon.owned_sides() {
        let (moment, length_squared) = (p.perp_dot(q), p.distance_squared(q));
        if moment * moment < profile.reach * profile.reach * length_squared {
            let length = length_squared.sqrt();
            let along = (q - p) / length;
            let side = Side { eta: moment / length, ends: [p.dot(along), q.dot(along)] };
            load.add(profile, &side, along, owner);
        }
    }
    load
}

/// The same over all that lies left of the line through two points, a side of this triangle, if the axis is not on it.
pub fn left_of_line(profile: &Profile, [p, q]: [DVec2; 2], owner: Owner) -> Load {
    let length = p.distance(q);
    let along = (q - p) / length;
    let side = Side { eta: p.perp_dot(q) / length, ends: [f64::NEG_INFINITY, f64::INFINITY] };
    let mut load = Load::of_turn(profile, if side.eta > 0.0 { TAU } else { 0.0 });
    load.add(profile, &side, along, owner);
    load
}

/// The angle by which a polygon's sides turn about the axis together, without those that run through it.
///
/// It is a whole number of turns, counted where sides cross the half-line y = 0, x > 0 with the same signs of their distances as in the integrals
/// along them: so what rounding makes of an axis on a side is the same in both. Only a side through the axis leaves a part of a turn, which
/// is the sum of the others' angles.
fn turn_about_axis(polygon: &Polygon) -> f64 {
    let (mut turns, mut runs_through) = (0_i32, false);
    for (p, q) in polygon.sides() {
        let moment = p.perp_dot(q);
        runs_through |= moment == 0.0;
        match (p.y < 0.0, q.y < 0.0) {
            (true, false) => turns += i32::from(moment > 0.0),
            (false, true) => turns -= i32::from(moment < 0.0),
            _ => {}
        }
    }
    if runs_through {
        let others = polygon.sides().filter(|(p, q)| p.perp_dot(*q) != 0.0);
        return others.map(|(p, q)| p.perp_dot(q).atan2(p.dot(q))).sum();
    }
    TAU * f64::from(turns)
}

/// A side of a polygon about the axis.
struct Side {
    /// Distance of its line from the axis, positive if the axis is left of it.
    eta: f64,
    /// Its ends along the line, from the foot of the axis.
    ends: [f64; 2],
}

/// The part of a side that lies within a radius.
struct Part {
    /// Its ends along the side's line.
    ends: [f64; 2],
    /// Which of them are on the circle.
    on_rim: [bool; 2],
}

impl Side {
    /// The part of it within a radius.
    fn within(&self, radius: f64) -> Option<Part> {
        let half = ((radius - self.eta) * (radius + self.eta)).max(0.0).sqrt();
        let on_rim = [self.ends[0] <= -half, self.ends[1] >= half];
        let ends =
            [if on_rim[0] { -half } else { self.ends[0] }, if on_rim[1] { half } else { self.ends[1] }];
        (ends[0] < ends[1]).then_some(Part { ends, on_rim })
    }

    /// Angle under which a part of it is seen from the axis.
    fn turn(&self, [from, to]: [f64; 2]) -> f64 {
        (self.eta * (to - from)).atan2(self.eta * self.eta + from * to)
    }

    /// Integrals of Psi dtheta and Psi ds of all terms but the cohesive one, of the grip's Psi dtheta, and of Psi s ds, over a part within the
    /// contact.
    fn powers(&self, profile: &Profile, part: &Part) -> [f64; 4] {
        let [from, to] = [0, 1].map(|k| self.power_primitives(profile, part.ends[k], part.on_rim[k]));
        [0, 1, 2, 3].map(|i| from[i] - to[i])
    }

    /// Primitives of -Psi eta / r² and -Psi, of the first for the grip, zero at the foot, and of -Psi s, zero at the rim.
    fn power_primitives(&self, profile: &Profile, s: f64, on_rim: bool) -> [f64; 4] {
        let (eta, a) = (self.eta, profile.contact);
        let half = ((a - eta) * (a + eta)).max(0.0);
        // Of sqrt(half - s²), and of it times eta / r²; on the rim both angles are right ones.
        let (root, arc, seen) = if on_rim {
            let right = FRAC_PI_2.copysign(s);
            (0.0, right, right)
        } else {
            let root = (half - s * s).max(0.0).sqrt();
            (root, s.atan2(root), (a * s).atan2(eta.abs() * root))
        };
        let sqrt = 0.5 * (s * root + half * arc);
        let sqrt_turn = eta.signum() * (a * seen - eta.abs() * arc);
        let cube = 0.25 * s * root.powi(3) + 0.75 * half * sqrt;
        let cube_turn = a * a * sqrt_turn - eta * sqrt;
        let mut turn = profile.hertz * cube_turn + profile.punch * sqrt_turn;
        let mut flux = profile.hertz * cube + profile.punch * sqrt;
        let mut moment = -root.powi(3) * (profile.hertz / 5.0 * root * root + profile.punch / 3.0);
        if profile.quadratic != 0.0 {
            let (ss, ee) = (s * s, eta * eta);
            flux += profile.quadratic * s * (half * half - ss * (2.0 * half / 3.0 - ss / 5.0));
            let angle = eta.signum() * s.atan2(eta.abs());
            turn += profile.quadratic * (a.powi(4) * angle + eta * s * (ee + ss / 3.0 - 2.0 * a * a));
            moment -= profile.quadratic / 6.0 * root.powi(6);
        }
        [turn, flux, GRIP * sqrt_turn, moment]
    }

    /// Integrals of Psi dtheta and Psi ds of the cohesive term over all of the side.
    fn cohesion(&self, profile: &Profile) -> [f64; 2] {
        let Some(Part { ends: all, .. }) = self.within(profile.reach) else { return [0.0; 2] };
        let stress = profile.cohesion / PI;
        let at_axis = profile.cohesive(0.0);
        let mut sums = [0.0; 2];
        let mut ring = |part: [f64; 2]| {
            let [force, flux] = self.ring(profile, part);
            sums[0] += force;
            sums[1] += flux;
        };
        let Some(Part { ends: inner, .. }) = self.within(profile.contact) else {
            ring(all);
            return sums;
        };
        if all[0] < inner[0] {
            ring([all[0], inner[0]]);
        }
        if inner[1] < all[1] {
            ring([inner[1], all[1]]);
        }
        let half = ((profile.contact - self.eta) * (profile.contact + self.eta)).sqrt();
        let angles = inner.map(|s| (s / half).clamp(-1.0, 1.0).asin());
        let (middle, width) = (0.5 * (angles[0] + angles[1]), 0.5 * (angles[1] - angles[0]));
        let scale = NEAR_AXIS * profile.reach * profile.reach;
        for (place, weight) in GAUSS.into_iter().flat_map(|(x, w)| [(-x, w), (x, w)]) {
            let (sin, cos) = (middle + width * place).sin_cos();
            let weight = weight * width * half * cos;
            let rr = self.eta * self.eta + half * half * sin * sin;
            let value = profile.cohesive(rr.sqrt());
            let near = rr.max(scale);
            let slope = (profile.cohesive(near.sqrt()) - at_axis) / near;
            sums[0] += stress * weight * self.eta * slope;
            sums[1] += stress * weight * value;
        }
        sums[0] += stress * at_axis * self.turn(inner);
        sums
    }

    /// As [`Side::cohesion`] for a part in the ring, where Psi is sigma0 (c² - r²) / 2.
    fn ring(&self, profile: &Profile, part: [f64; 2]) -> [f64; 2] {
        let (from, to) = (part[0], part[1]);
        let length = to - from;
        let c = profile.reach;
        let force = c * c * self.turn(part) - self.eta * length;
        let half = (c - self.eta) * (c + self.eta);
        let flux = length * (half - (from * from + from * to + to * to) / 3.0);
        [force, flux].map(|sum| 0.5 * profile.cohesion * sum)
    }
}
