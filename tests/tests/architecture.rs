//! The invariants of ARCHITECTURE.md that can be read off the sources.

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

fn manifest(path: &str) -> toml::Table {
    read(path).parse().unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// Folders of all packages, by the workspace's manifest.
fn members() -> Vec<String> {
    let workspace = manifest("Cargo.toml");
    let members = workspace["workspace"]["members"].as_array().expect("a list of members");
    let name = |member: &toml::Value| member.as_str().expect("a member is a path").to_owned();
    let members: Vec<String> = members.iter().map(name).collect();
    assert!(members.iter().all(|member| !member.contains('*')), "patterns hide which packages there are");
    members
}

/// What a package depends on, for any system and in builds, but not for its own tests alone.
fn dependencies(manifest: &toml::Table) -> Vec<String> {
    let systems = manifest.get("target").and_then(toml::Value::as_table).into_iter().flat_map(|t| t.values());
    let tables = systems.filter_map(toml::Value::as_table).chain([manifest]);
    let lists = tables.flat_map(|table| ["dependencies", "build-dependencies"].map(|kind| table.get(kind)));
    let entries = lists.flatten().filter_map(toml::Value::as_table).flatten();
    // A dependency may go by another name here.
    let package = |(key, value): (&String, &toml::Value)| {
        value.get("package").and_then(toml::Value::as_str).unwrap_or(key).to_owned()
    };
    entries.map(package).collect()
}

/// What each of our packages may depend on of ours. Data flows one way: shaders <- geometry <- sim <- tactum <- view, and
/// shaders <- gpu <- tactum, view. Nothing depends on the viewer.
const DIRECTIONS: [(&str, &[&str]); 9] = [
    ("tactum-shaders", &[]),
    ("tactum-geometry", &["tactum-shaders"]),
    ("tactum-sim", &["tactum-geometry"]),
    ("tactum-gpu", &["tactum-shaders"]),
    ("tactum", &["tactum-shaders", "tactum-geometry", "tactum-sim", "tactum-gpu"]),
    ("tactum-view", &["tactum", "tactum-geometry", "tactum-sim", "tactum-gpu"]),
    (
        "tactum-tests",
        &["tactum", "tactum-shaders", "tactum-geometry", "tactum-sim", "tactum-gpu", "tactum-random"],
    ),
    ("tactum-random", &[]),
    ("xtask", &[]),
];

/// Who may name what draws, computes or opens windows: only the viewer knows a window, and besides it only one crate a
/// device.
const OUTSIDE: [(&str, &[&str]); 4] = [
    ("wgpu", &["tactum-gpu", "tactum-view"]),
    ("winit", &["tactum-view"]),
    ("egui", &["tactum-view"]),
    ("eframe", &[]),
];

#[test]
fn crates_depend_in_one_direction_only() {
    let manifests: Vec<toml::Table> =
        members().iter().map(|folder| manifest(&format!("{folder}/Cargo.toml"))).collect();
    let name_of = |manifest: &toml::Table| manifest["package"]["name"].as_str().expect("a name").to_owned();
    let ours: Vec<String> = manifests.iter().map(name_of).collect();
    for (package, manifest) in ours.iter().zip(&manifests) {
        let direction = DIRECTIONS.iter().find(|(name, _)| name == package);
        let (_, allowed) =
            direction.unwrap_or_else(|| panic!("{package} is new: say in DIRECTIONS what it may depend on"));
        for name in dependencies(manifest) {
            assert!(
                !ours.contains(&name) || allowed.contains(&name.as_str()),
                "{package} may not depend on {name}"
            );
            for (absent, purposes) in OUTSIDE {
                assert!(
                    !name.starts_with(absent) || purposes.contains(&package.as_str()),
                    "{package} may not depend on {name}"
                );
            }
        }
    }
    for (name, _) in DIRECTIONS {
        assert!(ours.iter().any(|package| package == name), "there is no package {name} any more");
    }
}

#[test]
fn dependencies_are_found_wherever_a_manifest_may_name_them() {
    let text = r#"
        [dependencies]
        a.workspace = true
        other = { package = "b", version = "1" }
        [dependencies.c]
        version = "1"
        [build-dependencies]
        d = "1"
        [target.'cfg(windows)'.dependencies]
        e = "1"
        [dev-dependencies]
        f = "1"
    "#;
    let mut found = dependencies(&text.parse().expect("a manifest"));
    found.sort();
    assert_eq!(found, ["a", "b", "c", "d", "e"]);
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
