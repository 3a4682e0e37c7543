//! Integrals over a cylinder or a cone inside a polyhedron.

use std::f64::consts::{FRAC_PI_2, TAU};

use glam::{DMat3, DVec3};

use super::face::{Arc, Cut, Quadric, Section, WholeTurn, add_cones};
use super::rational::Rational;
use crate::moments::{VolumeMoments, outer};
use crate::shape::Frustum;

/// Points of a circle about the axis whose mean is the integral of what is on a cone's tip: products of up to three of the
/// cosine and sine of the azimuth, which any number above three does exactly.
const AROUND_TIP: u32 = 8;

impl Quadric for Frustum {
    fn value(&self, x: DVec3) -> f64 {
        let (distance, radius) = (x.truncate().length(), self.radius_at(x.z));
        (distance - radius) * (distance + radius)
    }

    fn products(&self, x: DVec3, d: DVec3) -> (f64, f64) {
        let change = self.slope() * d.z;
        let product = x.truncate().dot(d.truncate()) - self.radius_at(x.z) * change;
        (d.truncate().length_squared() - change * change, product)
    }

    fn misses(&self, polygon: &[DVec3]) -> bool {
        // All of it is beyond the plane along a line of the side.
        let toward = polygon.iter().sum::<DVec3>().truncate().normalize_or_zero();
        polygon.iter().all(|x| x.truncate().dot(toward) > self.radius_at(x.z))
    }

    fn section(&self, normal: DVec3, at: DVec3) -> Option<Section> {
        Some(Section::OfFrustum(PlaneSection { frustum: *self, normal, offset: normal.dot(at) }))
    }
}

/// The curve in which a plane cuts the round side.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlaneSection {
    frustum: Frustum,
    normal: DVec3,
    offset: f64,
}

impl PlaneSection {
    /// The point of the curve at an azimuth; not finite if there is none.
    ///
    /// In the half-plane at the azimuth both the side and the plane are lines: a radius linear in the height, and `across` times
    /// the radius and the normal's z times the height that are `offset` together.
    fn point(&self, azimuth: f64) -> DVec3 {
        let (sin, cos) = azimuth.sin_cos();
        let across = self.normal.x * cos + self.normal.y * sin;
        let (middle, slope) = (self.frustum.radius_at(0.0), self.frustum.slope());
        let z = (self.offset - across * middle) / (self.normal.z + slope * across);
        let radius = self.frustum.radius_at(z);
        DVec3::new(radius * cos, radius * sin, z)
    }

    /// Positive where the azimuth grows along the curve, counter-clockwise about the normal: on the side of the plane to which
    /// its normal points there is the tip of a cone, or the far end of a cylinder.
    fn sense(&self) -> f64 {
        let (middle, slope) = (self.frustum.radius_at(0.0), self.frustum.slope());
        (middle * self.normal.z + slope * self.offset).signum()
    }

    /// Whether the curve is closed and on the body's half of the cone.
    fn is_closed(&self) -> bool {
        let steepest = self.frustum.slope().abs() * self.normal.truncate().length();
        // On the other half the tip is on the side of the plane to which the slope leads.
        self.normal.z.abs() > steepest && self.sense() == self.normal.z.signum()
    }

    pub fn inner_point(&self) -> Option<DVec3> {
        let quarters = [0.0, 1.0, 2.0, 3.0].map(|k| self.point(k * FRAC_PI_2));
        self.is_closed().then(|| 0.25 * (quarters[0] + quarters[1] + quarters[2] + quarters[3]))
    }

    pub fn whole(&self) -> Vec<Arc> {
        let sense = self.sense();
        let corner = |k: u32| self.point(sense * FRAC_PI_2 * f64::from(k % 4));
        (0..4).map(|k| Arc::Rational(self.arc(corner(k), corner(k + 1)))).collect()
    }

    /// The arcs from one point of the curve to another, counter-clockwise about the normal, each at most a quarter turn about the
    /// axis; `is_in_face` says of points of the plane whether they are in the face that the arcs belong to.
    pub fn between(&self, leave: DVec3, enter: DVec3, is_in_face: impl Fn(DVec3) -> bool) -> Vec<Arc> {
        let azimuth = |x: DVec3| x.y.atan2(x.x);
        let (start, sense) = (azimuth(leave), self.sense());
        let angle = (sense * (azimuth(enter) - start)).rem_euclid(TAU);
        // The far side of a plane that is nearly along the axis is anywhere on it; the curve leaves the face on the way there.
        let far_side =
            || self.is_closed() && (1..4).all(|k| is_in_face(self.point(start + f64::from(k) * FRAC_PI_2)));
        let angle = match WholeTurn::of(angle, far_side) {
            WholeTurn::No => angle,
            WholeTurn::Yes(angle) => angle,
            // Lines along the side turn by no more than rounding, and are none the shorter for it.
            WholeTurn::Nothing(_) => 0.0,
        };
        let n = (angle / FRAC_PI_2).ceil().max(1.0);
        let mut points = vec![leave];
        points.extend((1..n as u32).map(|i| self.point(start + sense * angle * (f64::from(i) / n))));
        points.push(enter);
        points.retain(|x| x.is_finite());
        points.windows(2).map(|pair| Arc::Rational(self.arc(pair[0], pair[1]))).collect()
    }

    /// The curve from one of its points to another.
    ///
    /// Let B be the bilinear form of the side, `x·y` across the axis less the product of the radii, and V the vector in the plane
    /// across the chord. The middle `α from + β to + γ V` is conjugate to both ends, B = 0, and its own B is minus half of
    /// that of the ends, which puts the curve on the side.
    fn arc(&self, from: DVec3, to: DVec3) -> Rational {
        let chord = to - from;
        let across = chord.cross(self.normal);
        let (square, p) = self.frustum.products(from, across);
        let (_, q) = self.frustum.products(to, across);
        let [radius_from, radius_to] = [from, to].map(|x| self.frustum.radius_at(x.z));
        // Minus B of the ends, by the angle between them.
        let apart = from.truncate().normalize_or_zero() - to.truncate().normalize_or_zero();
        let ends = (0.5 * radius_from * radius_to * apart.length_squared()).max(0.0);
        let norm = (2.0 * (2.0 * p * q + ends * square)).sqrt();
        let (alpha, beta, gamma) = (q / norm, p / norm, ends / norm);
        let weight = alpha + beta;
        // A straight line leaves no norm.
        if !(weight.is_finite() && weight > -1.0 && gamma.is_finite()) {
            return Rational::line(from, to);
        }
        Rational { from, to, middle: alpha * from + beta * to + gamma * across, weight }
    }
}

impl Frustum {
    /// Volume moments, about the returned apex, of the part of a cylinder or cone bounded by the pieces and arcs of a
    /// polyhedron, and the area of the round side inside the polyhedron, which contains the tip of the cone or does not.
    ///
    /// The apex lies on the side at the height of `near` and in its direction. With y the position from the apex, τ its height,
    /// r the apex's radius and k the slope, y·n dS = r u (r + k τ) dφ dτ on the side, u = 1 - cos of the angle from the apex, and
    /// y = r (e - e_apex) + τ (k e + z), e the unit vector of the azimuth φ. The integrals over τ are made first and leave
    /// integrals along the rim over φ.
    pub(super) fn integrate(&self, cut: &Cut, near: DVec3, has_tip: bool) -> (VolumeMoments, DVec3, f64) {
        let z = near.z.clamp(-self.half_height, self.half_height);
        let toward = near.with_z(0.0).try_normalize().unwrap_or(DVec3::X);
        let apex = self.radius_at(z) * toward + DVec3::Z * z;
        let mut sums =
            SideSums { radius: self.radius_at(z), slope: self.slope(), toward, ..SideSums::default() };
        for arc in &cut.arcs {
            arc.integrate(|x, dx| {
                let across = x.with_z(0.0);
                let square = across.length_squared();
                if square > 0.0 {
                    sums.add(across / square.sqrt(), x.z - z, (x.x * dx.y - x.y * dx.x) / square);
                }
            });
        }
        if has_tip {
            for k in 0..AROUND_TIP {
                let angle = TAU / f64::from(AROUND_TIP);
                let (sin, cos) = (f64::from(k) * angle).sin_cos();
                sums.add(DVec3::new(cos, sin, 0.0), self.half_height - z, angle);
            }
        }
        let area = sums.area * (1.0 + sums.slope * sums.slope).sqrt();
        let mut moments =
            VolumeMoments { volume: sums.volume / 3.0, first: sums.first / 4.0, second: sums.second * 0.2 };
        add_cones(&mut moments, &cut.pieces, apex);
        (moments, apex, area)
    }
}

/// Integrals over a part of the side, as sums along its rim.
#[derive(Clone, Copy, Debug)]
struct SideSums {
    /// Radius at the apex's height.
    radius: f64,
    slope: f64,
    /// Unit vector from the axis to the apex.
    toward: DVec3,
    /// Seen along the side's normal, without the slope.
    area: f64,
    volume: f64,
    first: DVec3,
    second: DMat3,
}

impl Default for SideSums {
    fn default() -> Self {
        let zero = DVec3::ZERO;
        Self {
            radius: 0.0,
            slope: 0.0,
            toward: zero,
            area: 0.0,
            volume: 0.0,
            first: zero,
            second: DMat3::ZERO,
        }
    }
}

impl SideSums {
    /// Adds what is between the apex's height and the height `tau` above it, in the direction `e` from the axis, as wide as
    /// `angle`.
    fn add(&mut self, e: DVec3, tau: f64, angle: f64) {
        let Self { radius: r, slope: k, toward, .. } = *self;
        // Of 1, τ and τ² times the radius at τ.
        let zeroth = tau * (r + k * tau / 2.0);
        let first = tau * tau * (r / 2.0 + k * tau / 3.0);
        let second = tau * tau * tau * (r / 3.0 + k * tau / 4.0);
        let beside = e - toward;
        let weight = r * 0.5 * beside.length_squared() * angle;
        let (base, along) = (r * beside, k * e + DVec3::Z);
        self.area += zeroth * angle;
        self.volume += weight * zeroth;
        self.first += weight * (zeroth * base + first * along);
        let cross = outer(base, along);
        self.second += weight
            * (zeroth * outer(base, base)
                + first * (cross + cross.transpose())
                + second * outer(along, along));
    }
}
