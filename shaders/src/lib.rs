//! The contract between host and device: every structure that both sides read.
//!
//! This crate names no graphics interface and holds no geometry; it builds in seconds so that both sides can
//! depend on it.

pub mod layout;
