//! The mesh doctor on files: every broken or unusual file gets the verdict it deserves, every sound one its volume.

use std::collections::BTreeMap;

use tactum::run::{Run, RunOptions};
use tactum::scene::Scene;
use tactum_geometry::mesh::check::Severity;
use tactum_geometry::mesh::{Checked, load_checked};
use tactum_tests::shared;

/// What a file deserves.
#[derive(Clone, Copy, Debug)]
enum Verdict {
    /// Refused; the message holds all these phrases.
    Error(&'static [&'static str]),
    /// Usable with exactly one warning, which holds all these phrases, and this volume.
    Warning(f64, &'static [&'static str]),
    /// Usable without a warning, with this volume.
    Accept(f64),
}
use Verdict::{Accept, Error, Warning};

/// Volume of the sphere of 320 triangles, all digits that its files agree in.
const SPHERE: f64 = 0.505_880_58;

/// Every file in the folder.
const VERDICTS: &[(&str, Verdict)] = &[
    ("open_surface.obj", Error(&["not closed: 14 boundary edges", "between vertices 0 and 42"])),
    ("one_triangle.obj", Error(&["not closed: 3 boundary edges"])),
    (
        "flipped_face.obj",
        Error(&["not consistently oriented: 3 edges used twice in the same direction", "near face 7"]),
    ),
    ("inside_out.obj", Warning(SPHERE, &["oriented inward (signed volume -0.505880578)"])),
    ("duplicated_face.obj", Error(&["duplicate face", "copy of face 5", "3 edges have three faces"])),
    ("doubled_wall.obj", Warning(SPHERE, &["non-manifold edges", "1 doubled wall"])),
    ("duplicated_mesh.obj", Warning(2.0 * SPHERE, &["overlaps itself", "320 triangles", "winding number 2"])),
    ("zero_area_triangle.obj", Accept(1.0)),
    ("degenerate_index.obj", Warning(SPHERE, &["1 degenerate triangle dropped", "triangle 320"])),
    ("zero_thickness.obj", Warning(0.0, &["volume is zero", "nothing can overlap it"])),
    ("self_intersecting.obj", Warning(2.0, &["intersects itself", "15 pairs", "count twice"])),
    (
        "self_intersecting_eight.obj",
        Warning(0.028_883_552, &["intersects itself", "pairs of triangles cross"]),
    ),
    ("cavity_wrong_side.obj", Warning(1.216, &["same orientation", "winding number 2"])),
    ("nonmanifold_edge.obj", Accept(2.0)),
    ("nonmanifold_edge_shared.obj", Accept(2.0)),
    ("klein_bottle.obj", Error(&["no consistent orientation exists"])),
    ("cracked.obj", Warning(SPHERE, &["not closed by exact positions", "welding 19 vertices within 1.7e-6"])),
    ("unwelded.obj", Accept(SPHERE)),
    ("unreferenced_vertices.obj", Accept(SPHERE)),
    ("nan_vertex.obj", Error(&["line 1", "vertex 1 is not finite"])),
    ("inf_vertex.obj", Error(&["line 1", "vertex 1 is not finite"])),
    ("nan_vertex.ply", Error(&["vertex 10 is not finite"])),
    ("huge_1e9.obj", Accept(SPHERE * 1e27)),
    ("far_1e9.obj", Warning(SPHERE, &["far from the origin", "vertices would fall together"])),
    ("tiny_1e-9.obj", Accept(SPHERE * 1e-27)),
    ("denormal_1e-40.obj", Warning(SPHERE * 1e-120, &["too small for 32-bit numbers"])),
    ("empty.obj", Error(&["empty file"])),
    ("empty.stl", Error(&["empty file"])),
    ("empty.ply", Error(&["empty file"])),
    ("no_faces.obj", Error(&["no triangles (162 vertices)"])),
    ("no_triangles.stl", Error(&["no triangles"])),
    ("no_faces.ply", Error(&["no triangles (162 vertices)"])),
    ("truncated.stl", Error(&["file too short", "320 triangles announced", "100 complete"])),
    ("truncated.ply", Error(&["unexpected end of file in element face", "320 announced, 243 complete"])),
    ("truncated_header.ply", Error(&["no end_header", "line 4"])),
    ("truncated.obj", Error(&["line 482: face with fewer than 3 vertices"])),
    ("count_too_large.stl", Error(&["file too short", "4294967295 triangles announced", "320 complete"])),
    ("count_too_large.ply", Error(&["unexpected end of file in element face", "2000000000 announced"])),
    (
        "count_too_small.stl",
        Warning(SPHERE, &["trailing bytes", "300 triangles announced", "all 320 were read"]),
    ),
    ("index_out_of_range.obj", Error(&["line 482: vertex index 10000 out of range (162 vertices)"])),
    ("index_zero.obj", Error(&["line 483: index 0"])),
    ("index_overflow.obj", Error(&["line 483: bad index"])),
    ("index_out_of_range.ply", Error(&["face 319: vertex index 9999 out of range (162 vertices)"])),
    ("index_negative.ply", Error(&["face 319: vertex index -1 out of range"])),
    ("garbage.obj", Error(&["not an OBJ file: no vertices"])),
    ("garbage.stl", Error(&["file too short for its triangle count", "4000 bytes"])),
    ("wrong_type.stl", Error(&["not an STL file", "PLY"])),
    ("letters.obj", Error(&["line 2: bad number"])),
    ("ok_negative_indices.obj", Accept(SPHERE)),
    ("ok_quads.obj", Accept(1.0)),
    ("ok_slashes_crlf.obj", Accept(1.0)),
    ("ok_ascii.ply", Accept(1.0)),
    ("ok_big_endian.ply", Accept(1.0)),
    ("ok_quads.ply", Accept(1.0)),
    ("ok_solid_header.stl", Accept(1.0)),
    ("ok_ascii.stl", Accept(1.0)),
];

/// Relative tolerance of volumes: coordinates are 32-bit floats or were shifted by 1e-6, and moved to 1e9 they keep
/// seven digits.
const VOLUME_TOLERANCE: f64 = 1e-6;

fn judge(file: &str, verdict: Verdict) -> Result<(), String> {
    let found = load_checked(shared("meshes/bad").join(file));
    let has_volume = |checked: &Checked, volume: f64| {
        if (checked.volume - volume).abs() <= VOLUME_TOLERANCE * volume {
            Ok(())
        } else {
            Err(format!("volume {} instead of {volume}", checked.volume))
        }
    };
    let has_phrases =
        |text: &str, phrases: &[&str]| match phrases.iter().find(|phrase| !text.contains(*phrase)) {
            Some(phrase) => Err(format!("\"{phrase}\" missing in: {text}")),
            None => Ok(()),
        };
    match (found, verdict) {
        (Err(error), Error(phrases)) => has_phrases(&error.to_string(), phrases),
        (Err(error), _) => Err(format!("refused: {error}")),
        (Ok(_), Error(_)) => Err("not refused".to_owned()),
        (Ok(checked), Warning(volume, phrases)) => {
            let warnings: Vec<String> = checked.warnings().map(ToString::to_string).collect();
            let [warning] = &warnings[..] else { return Err(format!("warnings: {warnings:?}")) };
            has_phrases(warning, phrases)?;
            has_volume(&checked, volume)?;
            is_balanced(&checked)
        }
        (Ok(checked), Accept(volume)) => {
            if let Some(warning) = checked.warnings().next() {
                return Err(format!("warned: {warning}"));
            }
            has_volume(&checked, volume)?;
            is_balanced(&checked)
        }
    }
}

/// Whether an accepted mesh keeps the doctor's promise: all edges cancel, all vertices are used, none twice.
fn is_balanced(checked: &Checked) -> Result<(), String> {
    let mut balance: BTreeMap<(u32, u32), i32> = BTreeMap::new();
    let mut is_used = vec![false; checked.mesh.vertices.len()];
    for corners in &checked.mesh.triangles {
        for (a, b) in [(0, 1), (1, 2), (2, 0)].map(|(i, j)| (corners[i], corners[j])) {
            *balance.entry((a.min(b), a.max(b))).or_default() += if a < b { 1 } else { -1 };
            is_used[a as usize] = true;
        }
    }
    match (balance.values().all(|&sum| sum == 0), is_used.iter().all(|&is| is)) {
        (true, true) => Ok(()),
        (false, _) => Err("accepted with edges that do not cancel".to_owned()),
        (_, false) => Err("accepted with unused vertices".to_owned()),
    }
}

#[test]
#[cfg_attr(not(shared), ignore = "needs the shared data folder beside the checkout")]
fn every_unusual_file_gets_its_verdict() {
    let mut listed: Vec<String> = VERDICTS.iter().map(|(file, _)| (*file).to_owned()).collect();
    listed.push("README.md".to_owned());
    listed.sort();
    let mut present: Vec<String> = std::fs::read_dir(shared("meshes/bad"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    present.sort();
    assert_eq!(present, listed);
    let wrong: Vec<String> = VERDICTS
        .iter()
        .filter_map(|&(file, verdict)| judge(file, verdict).err().map(|problem| format!("{file}: {problem}")))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
#[cfg_attr(not(shared), ignore = "needs the shared data folder beside the checkout")]
fn vertices_that_no_triangle_uses_do_not_enlarge_the_box() {
    let checked = load_checked(shared("meshes/bad/unreferenced_vertices.obj")).unwrap();
    assert_eq!(checked.mesh.aabb().max.to_array(), [0.5; 3]);
    assert!(checked.findings.iter().all(|finding| finding.severity() == Severity::Note));
}

#[test]
#[cfg_attr(not(shared), ignore = "needs the shared data folder beside the checkout")]
fn every_sound_file_is_accepted_without_warning_and_with_its_volume() {
    for folder in ["meshes", "meshes/more"] {
        let index = std::fs::read_to_string(shared(folder).join("index.json")).unwrap();
        let index: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&index).unwrap();
        assert!(index.len() > 60);
        for (file, facts) in &index {
            let checked = load_checked(shared(folder).join(file)).unwrap_or_else(|error| panic!("{error}"));
            if let Some(warning) = checked.warnings().next() {
                panic!("{file}: {warning}");
            }
            let volume = facts["volume"].as_f64().unwrap();
            // The volumes were summed about the origin, which costs digits where a mesh lies off it.
            assert!((checked.volume / volume - 1.0).abs() < 1e-9, "{file}: {} {volume}", checked.volume);
            assert_eq!(checked.mesh.triangles.len() as u64, facts["tri"].as_u64().unwrap(), "{file}");
            assert_eq!(checked.mesh.vertices.len() as u64, facts["vert"].as_u64().unwrap(), "{file}");
        }
    }
}

/// A file that `tactum check` calls unusable is refused in a scene, and one that it calls usable is not.
#[test]
#[cfg_attr(not(shared), ignore = "needs the shared data folder beside the checkout")]
fn check_and_run_say_the_same_of_every_file() {
    for folder in ["meshes/bad", "meshes"] {
        for entry in std::fs::read_dir(shared(folder)).unwrap() {
            let path = entry.unwrap().path().canonicalize().unwrap();
            let extension = path.extension().and_then(|extension| extension.to_str());
            if !extension.is_some_and(|extension| ["obj", "stl", "ply"].contains(&extension)) {
                continue;
            }
            let scene = format!(
                "dt = 0.01\nduration = 0.01\n[[body]]\nname = \"thing\"\nshape = {{ mesh = {{ file = {path:?} }} }}\n"
            );
            let place = std::env::temp_dir().join(format!("tactum-agree-{}.toml", std::process::id()));
            std::fs::write(&place, scene).unwrap();
            let scene = Scene::load(&place).unwrap();
            let refusal = Run::prepare(scene, &RunOptions::default()).err().map(|error| error.to_string());
            std::fs::remove_file(&place).unwrap();
            let checked = tactum::doctor::examine(&path);
            assert_eq!(checked.is_ok(), refusal.is_none(), "{}: {refusal:?}", path.display());
        }
    }
}
