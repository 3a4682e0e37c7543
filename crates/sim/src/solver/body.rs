//! A body as the sweeps see it.

use glam::DMat3;

use crate::motion::FreeMotion;
use crate::twist::Twist;

/// The slot of a body that no constraint can move.
pub const NO_SLOT: u32 = u32::MAX;

/// A body while its island is solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolverBody {
    /// Its velocity, with all impulses applied so far.
    pub twist: Twist,
    /// 1 / mass \[1/kg\]; zero for a body that nothing can move.
    pub inverse_mass: f64,
    /// Inverse inertia about the centre of mass, world axes \[1/(kg m²)\]; zero for a body that nothing can move.
    pub inverse_inertia: DMat3,
    /// How far it goes besides its way with that velocity: displacement and rotation vector \[m, rad\].
    pub correction: Twist,
}

impl From<&FreeMotion> for SolverBody {
    fn from(free: &FreeMotion) -> Self {
        let FreeMotion { twist, inverse_mass, inverse_inertia, .. } = *free;
        Self { twist, inverse_mass, inverse_inertia, correction: Twist::default() }
    }
}
