//! Tactum: rigid-body simulation with contact measured from intersection volumes.

pub mod scene;
