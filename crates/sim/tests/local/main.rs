//! One contact block: frames, patches, the projection and the exact cone solver.

mod cone;
mod found;
mod frame;
mod patch;
mod project;
mod random;
