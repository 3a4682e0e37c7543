//! What measures the overlaps of a step.

pub mod caster;
pub mod rays;
