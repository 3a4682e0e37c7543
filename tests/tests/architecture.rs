//! The invariants of ARCHITECTURE.md that can be read off the sources.

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// Names in a manifest's `[dependencies]` table.
fn dependencies(manifest: &str) -> Vec<String> {
    let text = read(manifest);
    let table = text.split("[dependencies]").nth(1).unwrap_or_default();
    let table = table.split("\n[").next().unwrap_or_default();
    table
        .lines()
        .filter_map(|line| line.split(['.', ' ', '=']).next())
        .filter(|name| !name.is_empty() && !name.starts_with('#'))
        .map(str::to_owned)
        .collect()
}

/// Data flows one way: shaders <- geometry <- sim <- tactum <- view, and shaders <- gpu <- tactum, view. Only the viewer
/// knows a window, and besides it only one crate a device.
#[test]
fn crates_depend_in_one_direction_only() {
    let allowed: [(&str, &[&str]); 6] = [
        ("shaders", &[]),
        ("crates/geometry", &["tactum-shaders"]),
        ("crates/sim", &["tactum-geometry"]),
        ("crates/gpu", &["tactum-shaders"]),
        ("crates/tactum", &["tactum-shaders", "tactum-geometry", "tactum-sim", "tactum-gpu"]),
        ("crates/view", &["tactum", "tactum-geometry", "tactum-sim", "tactum-gpu"]),
    ];
    for (package, allowed) in allowed {
        let names = dependencies(&format!("{package}/Cargo.toml"));
        assert!(!names.is_empty(), "{package} lists no dependencies: is the manifest read rightly?");
        for name in names {
            assert!(
                !name.starts_with("tactum") || allowed.contains(&name.as_str()),
                "{package} may not depend on {name}"
            );
            for absent in ["wgpu", "winit", "egui", "eframe"] {
                let is_its_purpose = package == "crates/view" || package == "crates/gpu" && absent == "wgpu";
                assert!(is_its_purpose || !name.starts_with(absent), "{package} may not depend on {name}");
            }
        }
    }
}

/// The viewer is one of the crates that cargo does not build unless it is asked to.
#[test]
fn the_window_is_not_built_by_default() {
    let text = read("Cargo.toml");
    let default = text.lines().find(|line| line.starts_with("default-members")).expect("default members");
    assert_eq!(default.trim(), "default-members = [\"crates/tactum\"]");
}

fn sources(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).expect("a source folder can be read") {
        let path = entry.expect("a folder entry can be read").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs" || e == "wgsl") {
            found.push(path);
        }
    }
}

/// A file that outgrows 550 lines has more than one purpose.
#[test]
fn source_files_stay_readable() {
    let mut files = Vec::new();
    for dir in ["shaders/src", "crates", "tests", "xtask/src"] {
        sources(&root().join(dir), &mut files);
    }
    assert!(files.len() > 20, "found only {} source files", files.len());
    let long: Vec<_> = files
        .iter()
        .map(|path| (path, std::fs::read_to_string(path).expect("source text").lines().count()))
        .filter(|(_, n_lines)| *n_lines > 550)
        .collect();
    assert!(long.is_empty(), "too long: {long:?}");
}
