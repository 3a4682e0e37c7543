//! Harness, independent oracles and fixtures of the cross-crate tests.

use std::path::PathBuf;

/// A path in the data folder beside the checkout, which holds meshes and exact overlaps that the project itself
/// does not carry.
pub fn shared(path: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared")).join(path)
}
