//! What the impulse of a contact over a patch has to keep to.

use super::friction::LimitSurface;
use super::patch::ContactPatch;
use crate::{SpinCoupling, SpinRule};

/// Patch and friction of a contact.
#[derive(Clone, Debug)]
pub struct ContactLimits {
    /// Patch that bounds the centre of pressure.
    pub patch: ContactPatch,
    /// Coefficient of friction.
    pub friction: f64,
    /// Rule of the spin radius.
    pub spin: SpinRule,
    /// Limit of sliding and spinning friction together, per coefficient of friction.
    pub surface: LimitSurface,
}

impl ContactLimits {
    /// The limits of a contact over `patch`.
    pub fn new(patch: ContactPatch, friction: f64, spin: SpinRule, coupling: SpinCoupling) -> Self {
        let surface = LimitSurface::new(&patch, spin, coupling);
        Self { patch, friction, spin, surface }
    }
}
