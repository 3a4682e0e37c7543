//! Sets `cfg(shared)` where the data folder lies beside the checkout, so that tests that need it are reported as
//! ignored elsewhere.

fn main() {
    let shared = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/meshes");
    println!("cargo::rustc-check-cfg=cfg(shared)");
    println!("cargo::rerun-if-changed={shared}");
    if std::path::Path::new(shared).is_dir() {
        println!("cargo::rustc-cfg=shared");
    }
}
