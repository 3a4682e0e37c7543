//! The contract between host and device: the stages that answer questions there, as shaders and as their CPU twins.
//!
//! Each question has a folder: [`rays`] for the volume that two meshes share, [`facets`] for caps of spheres that touch. Every stage
//! is a WGSL file and a Rust file of the same stem: the same operations on the same memory in the same order, so that
//! results agree bit for bit where the device rounds as IEEE 754 asks. What questions have in common stands beside the folders: what a
//! stage is, how its text is joined, how a device's memory is compared with a twin's.
//!
//! This crate names no graphics interface and no shapes; it builds in seconds so that both sides can depend on it.

pub mod compare;
mod compose;
pub mod facets;
mod groups;
pub mod rays;
mod stage;

pub use groups::fold_groups;
pub use stage::{Access, Binding, Stage};
