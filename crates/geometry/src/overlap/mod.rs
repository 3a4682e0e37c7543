//! The volume in which two posed shapes overlap: its size, moments, gradient and contact patch.

mod convex;
pub mod exact;
mod faceted;
mod flatness;
mod integrals;
mod intersection;
mod pair;
mod patch;
mod plane_side;
mod polyhedron;
pub mod rays;
mod regions;
mod round;
mod sphere;

pub use exact::half_space;
pub use flatness::Flatness;
pub use intersection::{Overlap, OverlapKind};
pub use pair::overlap;
pub use patch::Patch;
pub use plane_side::{Beside, PlaneSide};

#[cfg(test)]
mod tests;
