//! What two bodies are to each other when they touch: moduli, friction and dampers.

use std::f64::consts::PI;

use tactum_geometry::facets::{Patch, Pressure};

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

    /// What a patch weighs among those of two bodies where their dampers are shared out: its load \[N\]. What draws may press nowhere, and weighs as much as it is
    /// stiff \[N/m\].
    pub fn weight(&self, patch: &Patch) -> f64 {
        match self.pressure.draws() {
            false => patch.force.dot(patch.normal).max(0.0),
            true => self.stiffness(patch.grip, patch.area),
        }
    }

    /// Square of the load of all patches over twice the energy that they hold \[N/m\]; of Hertz' contact 5/6 of its stiffness, by which laws go that draw and have no
    /// energy.
    ///
    /// No contact that stiffens while it is pressed has more than its stiffness: what is above that is rounding.
    pub fn secant(&self, load: f64, energy: f64, stiffness: f64) -> f64 {
        match self.pressure.draws() {
            false => (load * (load / (2.0 * energy))).min(stiffness),
            true => 5.0 / 6.0 * stiffness,
        }
    }

    /// Most of the coefficient that a damper has by the restitution \[N s/m\], along the normal and across, of a contact of a stiffness \[N/m\].
    pub fn most_damper(&self, stiffness: f64) -> [f64; 2] {
        let along = 2.0 * self.damping * (self.mass * stiffness).sqrt();
        [along, along * self.shear_part().sqrt()]
    }
}
