//! What two bodies are to each other when they touch: moduli, friction and dampers.

use std::f64::consts::PI;

use tactum_geometry::facets::Pressure;

use crate::settings::{FacetPressure, Settings};
use crate::world::material::Touch;

/// What a body is made of, as far as it decides how it gives way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elastic {
    /// Young's modulus \[Pa\].
    pub young: f64,
    /// Poisson's ratio.
    pub poisson: f64,
}

/// What two bodies are to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairElastic {
    /// How they press on each other.
    pub pressure: Pressure,
    /// 1 / E* = (1 - ν_a²) / E_a + (1 - ν_b²) / E_b \[Pa\].
    pub modulus: f64,
    /// 1 / G* = (2 - ν_a) / G_a + (2 - ν_b) / G_b with the shear moduli G = E / (2 (1 + ν)) \[Pa\].
    pub shear: f64,
    /// Coefficient of friction.
    pub friction: f64,
    /// Part of critical damping: -ln e / sqrt(π² + ln² e) with the coefficient of restitution e.
    pub damping: f64,
    /// Dampers per area, along the normal and across \[Pa s/m\].
    pub areal: [f64; 2],
    /// Mass that moves against the other, 1 / (1/m_a + 1/m_b) \[kg\].
    pub mass: f64,
}

impl PairElastic {
    /// Of two bodies with these moduli and inverse masses \[1/kg\].
    pub fn new(of: [Elastic; 2], inverse_masses: [f64; 2], touch: Touch, settings: &Settings) -> Self {
        let sum = |part: fn(&Elastic) -> f64| of.iter().map(part).sum::<f64>().recip();
        let modulus = sum(|body| (1.0 - body.poisson * body.poisson) / body.young);
        let shear = sum(|body| (2.0 - body.poisson) * 2.0 * (1.0 + body.poisson) / body.young);
        let Settings { adhesion: work, cohesive_stress: stress, .. } = *settings;
        let pressure = match settings.pressure {
            FacetPressure::Hertz => Pressure::Hertz { modulus },
            FacetPressure::Foundation => Pressure::Linear { stiffness: settings.foundation },
            FacetPressure::Jkr => Pressure::Jkr { modulus, work },
            FacetPressure::Maugis => Pressure::MaugisDugdale { modulus, work, stress },
        };
        let log = touch.restitution.ln();
        // No restitution at all: the limit of critical damping.
        let damping = if touch.restitution > 0.0 { -log / PI.hypot(log) } else { 1.0 };
        Self {
            pressure,
            modulus,
            shear,
            friction: touch.friction,
            damping,
            areal: [settings.areal_damping, settings.areal_shear_damping],
            mass: (inverse_masses[0] + inverse_masses[1]).recip(),
        }
    }

    /// The same for a patch that has a part of the stiffness between them: as much of the mass is its own, so that all dampers together are those of one
    /// patch that is as stiff.
    pub fn bearing(&self, part: f64) -> Self {
        Self { mass: part * self.mass, ..*self }
    }

    /// Stiffness along the normal of a patch that grips on a length (of a whole disc its radius) and has an area \[N/m\].
    pub fn stiffness(&self, grip: f64, area: f64) -> f64 {
        match self.pressure {
            Pressure::Linear { stiffness } => stiffness * area,
            _ => 2.0 * self.modulus * grip,
        }
    }

    /// The same across the normal \[N/m\]: in the ratio of 8 G* a to 2 E* a.
    pub fn shear_stiffness(&self, grip: f64, area: f64) -> f64 {
        self.stiffness(grip, area) * self.shear_part()
    }

    /// Stiffness across the normal over that along it.
    pub fn shear_part(&self) -> f64 {
        4.0 * self.shear / self.modulus
    }

    /// Part of the load that is on the part of a round patch's stiffness that came into touch first.
    ///
    /// The spring that touched at a depth s bears `d - s` at a depth d: Hertz' radius grows as the root of the depth, the area of a
    /// foundation as the depth.
    pub fn load_within(&self, part: f64) -> f64 {
        match self.pressure {
            Pressure::Linear { .. } => part * (2.0 - part),
            _ => 0.5 * part * (3.0 - part * part),
        }
    }

    /// Coefficient of the damper along the normal of a patch of this stiffness and area \[N s/m\].
    ///
    /// With a force `k d^n` and a damper `c d^((n-1)/2)` the motion in the variables `y = d^((n+1)/2)` and `dt d^((n-1)/2)` is that of
    /// a linear oscillator, `y'' + c/m y' + (n+1)/2 k/m y = 0`: so `c = 2 β sqrt((n+1)/2 k m)` gives back the part e of the approach
    /// whatever that is (for Hertz, n = 3/2, Antypov and Elliott 2011). Of the stiffness `n k d^(n-1)` here it is the root of
    /// `(n+1) / (2n)` times `2 β sqrt(m stiffness)`. A foundation under a sphere has n = 2.
    pub fn normal_damper(&self, stiffness: f64, area: f64) -> f64 {
        self.normal_damping() * (self.mass * stiffness).sqrt() + self.areal[0] * area
    }

    /// The same without what is by area, over the root of mass times stiffness.
    pub fn normal_damping(&self) -> f64 {
        let power: f64 = match self.pressure {
            Pressure::Linear { .. } => 2.0,
            _ => 1.5,
        };
        (2.0 * (power + 1.0) / power).sqrt() * self.damping
    }

    /// What acts per velocity before a kick that is `dt` \[s\] after the one before, of a damper along the normal \[N s/m\].
    ///
    /// It acts on the mean of the velocities before and after, by which a velocity v becomes `D v + K`, K being the elastic kick and `D = (1 - g) / (1 + g)`, `g = c dt / 2m`.
    /// But for the ends of the contact, where g is nothing, that is half of the damper, the kick and the other half, with drifts longer by `1 + g`: as if the contact were so much
    /// stiffer, to which the damper goes as the root. What is at rest is not touched by it.
    pub fn met_damper(&self, damper: f64, dt: f64) -> f64 {
        let felt = damper * (1.0 + 0.25 * damper * dt / self.mass);
        felt / (1.0 + 0.5 * felt * dt / self.mass)
    }

    /// Coefficient of the damper across the normal \[N s/m\].
    pub fn shear_damper(&self, stiffness: f64, area: f64) -> f64 {
        self.shear_damping() * (self.mass * stiffness).sqrt() + self.areal[1] * area
    }

    /// The same without what is by area, over the root of mass times stiffness.
    pub fn shear_damping(&self) -> f64 {
        2.0 * self.damping
    }
}
