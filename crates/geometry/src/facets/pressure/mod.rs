//! Pressure between two spheres: which law, how it falls from the axis, what it adds up to over a polygon.
//!
//! | module | what it holds |
//! |---|---|
//! | `profile` | the terms that all laws are sums of |
//! | `oval` | contacts that are longer than wide |
//! | `adhesion` | the radii of contacts that draw |
//! | `integral` | force, moment and area over a polygon |

mod adhesion;
mod integral;
mod oval;
mod profile;

use std::f64::consts::PI;

pub(super) use integral::left_of_line;
pub use integral::{Load, Rim, over_polygon};
pub(super) use oval::Oval;
pub use profile::Profile;

use crate::quantity::Range;
use crate::words::number;

/// How the bodies press on each other where their spheres touch. Plain data; moduli are those of the pair,
/// 1/E* = (1 - nu_a²)/E_a + (1 - nu_b²)/E_b.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pressure {
    /// An elastic foundation (Winkler): pressure is the local overlap times a stiffness (Johnson 1985, section 4.3).
    Linear {
        /// Pressure per overlap \[Pa/m\].
        stiffness: f64,
    },
    /// Elastic half-spaces without adhesion (Hertz 1882; Johnson 1985, section 4.2).
    Hertz {
        /// E* \[Pa\].
        modulus: f64,
    },
    /// Adhesion of short range between soft bodies (Johnson, Kendall and Roberts 1971).
    Jkr {
        /// E* \[Pa\].
        modulus: f64,
        /// Work of adhesion, w \[J/m²\].
        work: f64,
    },
    /// A constant stress that acts until the surfaces are w / sigma0 apart (Maugis 1992): from DMT's limit for hard bodies to
    /// JKR's for soft ones.
    MaugisDugdale {
        /// E* \[Pa\].
        modulus: f64,
        /// Work of adhesion, w \[J/m²\].
        work: f64,
        /// Cohesive stress, sigma0 \[Pa\].
        stress: f64,
    },
}

/// The energy per area of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stored {
    /// u over -Psi \[1/m\].
    pub scale: f64,
    /// Twice the power of a² - r² that u goes by, and two.
    pub powers: f64,
}

/// A number of a law that is none.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{name} of the pressure is {}, has to be positive and finite", number(*found))]
pub struct PressureError {
    /// Its name.
    pub name: &'static str,
    /// Its value.
    pub found: f64,
}

impl Pressure {
    /// Refuses numbers that are not positive and finite.
    ///
    /// # Errors
    ///
    /// The first such number.
    pub fn check(&self) -> Result<(), PressureError> {
        let numbers = match *self {
            Self::Linear { stiffness } => [("stiffness", stiffness); 3],
            Self::Hertz { modulus } => [("modulus", modulus); 3],
            Self::Jkr { modulus, work } => [("modulus", modulus), ("work", work), ("work", work)],
            Self::MaugisDugdale { modulus, work, stress } => {
                [("modulus", modulus), ("work", work), ("stress", stress)]
            }
        };
        match numbers.into_iter().find(|(_, x)| !Range::POSITIVE.contains(*x)) {
            Some((name, found)) => Err(PressureError { name, found }),
            None => Ok(()),
        }
    }

    /// The pressure between two spheres of an overlap on their axis \[m\] and a sum of curvatures 1/R* \[1/m\]; `None` where
    /// they do not act on each other.
    ///
    /// Bodies that draw each other have two answers within some range of gaps, as they jump into contact at another gap than
    /// out of it: `in_touch` says whether they touched before.
    pub fn profile(&self, overlap: f64, curvature: f64, in_touch: bool) -> Option<Profile> {
        let hertz = |modulus: f64, contact: f64| Profile {
            contact,
            reach: contact,
            hertz: 2.0 * modulus * curvature / (3.0 * PI),
            ..Profile::default()
        };
        match *self {
            Self::Linear { stiffness } => (overlap > 0.0).then(|| {
                let contact = (2.0 * overlap / curvature).sqrt();
                let quadratic = stiffness * curvature / 8.0;
                Profile { contact, reach: contact, quadratic, ..Profile::default() }
            }),
            Self::Hertz { modulus } => (overlap > 0.0).then(|| hertz(modulus, (overlap / curvature).sqrt())),
            Self::Jkr { modulus, work } => {
                let is_held = in_touch || overlap >= 0.0;
                let contact = is_held.then(|| adhesion::jkr(modulus, work, overlap, curvature))??;
                let punch = -(2.0 * work * modulus * contact / PI).sqrt();
                Some(Profile { punch, ..hertz(modulus, contact) })
            }
            Self::MaugisDugdale { modulus, work, stress } => {
                let bond = adhesion::Bond { modulus, work, stress, curvature };
                let [contact, reach] = bond.radii(overlap, in_touch)?;
                let ring = (reach - contact) * (reach + contact);
                let punch = -stress / PI * ring.sqrt();
                Some(Profile { reach, punch, cohesion: stress, ..hertz(modulus, contact) })
            }
        }
    }

    /// Whether bodies draw each other.
    pub fn draws(&self) -> bool {
        matches!(self, Self::Jkr { .. } | Self::MaugisDugdale { .. })
    }

    /// The elastic energy u per area at a place, of a sum of curvatures 1/R* \[1/m\]; `None` for laws that draw.
    ///
    /// It is the integral of the pressure over the overlap d at a fixed distance r from the axis. Where the pressure goes by a power of a² - r², and a² is n d/k, that is k/n
    /// times the integral of p over a², which is -2 Psi. Contacts that draw take and leave hold at other depths, and have no such energy.
    pub(super) fn stored(&self, curvature: f64) -> Option<Stored> {
        match self {
            Self::Linear { .. } => Some(Stored { scale: curvature, powers: 6.0 }),
            Self::Hertz { .. } => Some(Stored { scale: 2.0 * curvature, powers: 5.0 }),
            Self::Jkr { .. } | Self::MaugisDugdale { .. } => None,
        }
    }

    /// A radius \[m\] that no pressure reaches beyond, without solving for it; `None` where spheres are too far apart
    /// to act on each other. At the end of any pressure the gap of the undeformed spheres, r²/(2 R*) - overlap, is
    /// within the range.
    pub fn widest(&self, overlap: f64, curvature: f64) -> Option<f64> {
        /// Rounding of roots that are a thousandth of their terms.
        const SLACK: f64 = 1.0 + 1e-12;
        let height = overlap + self.range(curvature);
        // Hertz' bodies give way beside their contact, which is narrower than what the undeformed spheres have in common.
        let wide = if matches!(self, Self::Hertz { .. }) { 1.0 } else { 2.0 };
        (height > 0.0).then(|| SLACK * (wide * height / curvature).sqrt())
    }

    /// Greatest distance of the undeformed spheres at which they act on each other \[m\], for a sum of curvatures 1/R*
    /// \[1/m\]: 0 for laws without adhesion.
    ///
    /// For JKR it is 3/4 k (k R*/2)^(1/3) with k = sqrt(2 pi w / E*), where k sqrt(a) - a²/(2 R*), the gap at the rim,
    /// is largest. Maugis' ring ends at least where its opening does, w / sigma0, and bodies give way to its stress by
    /// no more than JKR's do; the sum of both bounds it, as a scan of Maugis' lambda from 1e-4 to 1e4 shows.
    pub fn range(&self, curvature: f64) -> f64 {
        match *self {
            Self::Linear { .. } | Self::Hertz { .. } => 0.0,
            Self::Jkr { modulus, work } => adhesion::jkr_range(modulus, work, curvature),
            Self::MaugisDugdale { modulus, work, stress } => {
                work / stress + adhesion::jkr_range(modulus, work, curvature)
            }
        }
    }
}
