//! Pressure between two spheres, as it falls with the distance from their axis.

use std::f64::consts::{FRAC_PI_2, PI};

/// A pressure that depends on the distance r from an axis, told by what it adds up to outside of r.
///
/// With the potential Psi(r) = - integral of p(s) s ds from r outward, so that dPsi/dr = p r, integrals over a polygon
/// are integrals along its sides ([`super::over_polygon`]). All laws here are sums of the same four terms,
///
/// ```text
/// -Psi(r) = P2 (a² - r²)² + P32 (a² - r²)^(3/2) + P12 (a² - r²)^(1/2)  -  (sigma0 / pi) W(c² - r²)
/// W(y)    = y asin(sqrt((c² - a²) / y))      for r < a,    y pi / 2    for a < r < c
/// ```
///
/// the last of which is what Maugis' (1992) cohesive stress inside and outside of the contact adds up to, less its share in
/// P12.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Profile {
    /// Radius within which the bodies press on each other, a \[m\].
    pub contact: f64,
    /// Radius within which there is any pressure, c \[m\]: beyond `contact` only where bodies attract each other at a
    /// distance.
    pub reach: f64,
    /// P2 \[Pa/m²\]: an elastic foundation.
    pub quadratic: f64,
    /// P32 \[Pa/m\]: Hertz.
    pub hertz: f64,
    /// P12 \[Pa m\]: the flat punch, which draws at the rim.
    pub punch: f64,
    /// sigma0 \[Pa\]: stress in the ring between `contact` and `reach`.
    pub cohesion: f64,
}

impl Profile {
    /// Force of the whole disc \[N\]: -2 pi Psi(0).
    pub fn force(&self) -> f64 {
        -2.0 * PI * self.potential(0.0)
    }

    /// Psi \[N\] at a distance from the axis \[m\].
    pub fn potential(&self, r: f64) -> f64 {
        let left = (self.contact - r).max(0.0) * (self.contact + r);
        let root = left.sqrt();
        let cohesive = self.cohesion / PI * self.cohesive(r);
        cohesive - root * (self.punch + left * (self.hertz + root * self.quadratic))
    }

    /// W \[m²\] at a distance from the axis \[m\].
    pub(super) fn cohesive(&self, r: f64) -> f64 {
        if self.cohesion == 0.0 || r >= self.reach {
            return 0.0;
        }
        let all = (self.reach - r) * (self.reach + r);
        if r >= self.contact {
            return all * FRAC_PI_2;
        }
        let ring = (self.reach - self.contact) * (self.reach + self.contact);
        let inside = (self.contact - r) * (self.contact + r);
        all * ring.sqrt().atan2(inside.sqrt())
    }

    /// Pressure \[Pa\] at a distance from the axis \[m\]; infinite at the rim of a contact that draws without reach (Johnson,
    /// Kendall and Roberts 1971).
    pub fn pressure(&self, r: f64) -> f64 {
        if r >= self.reach {
            return 0.0;
        }
        if r >= self.contact {
            return -self.cohesion;
        }
        let inside = (self.contact - r) * (self.contact + r);
        let root = inside.sqrt();
        let ring = (self.reach - self.contact) * (self.reach + self.contact);
        // The punch holds the root that Maugis' stress has in its potential: here it has none.
        let punch = if self.cohesion > 0.0 { 0.0 } else { self.punch / root };
        let cohesive = 2.0 * self.cohesion / PI * ring.sqrt().atan2(root);
        4.0 * self.quadratic * inside + 3.0 * self.hertz * root + punch - cohesive
    }
}
