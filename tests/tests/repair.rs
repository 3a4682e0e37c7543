//! Repair of mesh files: every broken file is mended to the volume of what it was made from, or refused with the reason.

use glam::DVec3;
use tactum_geometry::TriangleMesh;
use tactum_geometry::mesh::MassMoments;
use tactum_geometry::mesh::import;
use tactum_geometry::mesh::repair::{RepairSettings, repair};
use tactum_tests::shared;

/// What becomes of a file.
#[derive(Clone, Copy, Debug)]
enum Outcome {
    /// It is mended in this many ways, to this volume.
    Mended(usize, f64),
    /// There is nothing to mend, and this volume.
    Good(f64),
    /// It is refused; the message holds this phrase.
    Refused(&'static str),
}
use Outcome::{Good, Mended, Refused};

/// Volume of the sphere of 320 triangles.
const SPHERE: f64 = 0.505_880_58;

/// Part of the volume by which a mended mesh may be off.
const VOLUME_TOLERANCE: f64 = 0.01;

/// All files of the folder that can be read.
const OUTCOMES: &[(&str, Outcome)] = &[
    ("open_surface.obj", Mended(1, SPHERE)),
    ("one_triangle.obj", Refused("encloses no volume")),
    ("flipped_face.obj", Mended(1, SPHERE)),
    ("inside_out.obj", Mended(1, SPHERE)),
    ("duplicated_face.obj", Mended(1, SPHERE)),
    ("doubled_wall.obj", Mended(1, SPHERE)),
    ("duplicated_mesh.obj", Mended(1, SPHERE)),
    ("zero_area_triangle.obj", Good(1.0)),
    ("degenerate_index.obj", Mended(1, SPHERE)),
    ("zero_thickness.obj", Refused("encloses no volume")),
    // Cubes of side 1, the second moved by (0.5, 0.3, 0.2).
    ("self_intersecting.obj", Mended(1, 2.0 - 0.5 * 0.7 * 0.8)),
    ("self_intersecting_eight.obj", Mended(1, 0.027_792)),
    // A cube of side 1 with a cavity of side 0.6.
    ("cavity_wrong_side.obj", Mended(1, 1.0 - 0.216)),
    ("nonmanifold_edge.obj", Good(2.0)),
    ("nonmanifold_edge_shared.obj", Good(2.0)),
    ("klein_bottle.obj", Refused("no consistent orientation")),
    ("cracked.obj", Mended(1, SPHERE)),
    ("unwelded.obj", Good(SPHERE)),
    ("unreferenced_vertices.obj", Good(SPHERE)),
    ("nan_vertex.ply", Refused("vertex 10 is not finite")),
    ("huge_1e9.obj", Good(SPHERE * 1e27)),
    ("far_1e9.obj", Good(SPHERE)),
    ("tiny_1e-9.obj", Good(SPHERE * 1e-27)),
    ("denormal_1e-40.obj", Good(SPHERE * 1e-120)),
    ("count_too_small.stl", Good(SPHERE)),
    ("ok_negative_indices.obj", Good(SPHERE)),
    ("ok_quads.obj", Good(1.0)),
    ("ok_slashes_crlf.obj", Good(1.0)),
    ("ok_ascii.ply", Good(1.0)),
    ("ok_big_endian.ply", Good(1.0)),
    ("ok_quads.ply", Good(1.0)),
    ("ok_solid_header.stl", Good(1.0)),
    ("ok_ascii.stl", Good(1.0)),
];

fn judge(file: &str, outcome: Outcome) -> Result<(), String> {
    let mesh = import::load(shared("meshes/bad").join(file)).map_err(|error| error.to_string())?.mesh;
    let repaired = repair(&mesh, &RepairSettings::default());
    let (n, whole) = match (&repaired, outcome) {
        (Err(error), Refused(phrase)) if error.to_string().contains(phrase) => return Ok(()),
        (Err(error), _) => return Err(format!("refused: {error}")),
        (Ok(_), Refused(_)) => return Err("not refused".to_owned()),
        (Ok(_), Mended(n, whole)) => (n, whole),
        (Ok(_), Good(whole)) => (0, whole),
    };
    let repaired = repaired.map_err(|error| error.to_string())?;
    if repaired.report.mends.len() != n || n == 0 && repaired.meshes[0] != mesh {
        return Err(format!("{:?}", repaired.report));
    }
    let volume = repaired.report.volume_after;
    let is_near = |found: f64| (found - whole).abs() <= VOLUME_TOLERANCE * whole;
    if is_near(volume) { Ok(()) } else { Err(format!("volume {volume} instead of {whole}")) }
}

#[test]
#[cfg_attr(not(shared), ignore = "needs the shared data folder beside the checkout")]
fn every_unusual_file_is_mended_or_refused() {
    let mut wrong: Vec<String> = OUTCOMES
        .iter()
        .filter_map(|&(file, outcome)| judge(file, outcome).err().map(|problem| format!("{file}: {problem}")))
        .collect();
    for entry in std::fs::read_dir(shared("meshes/bad")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let is_listed = OUTCOMES.iter().any(|(file, _)| *file == name);
        if !is_listed && import::load(shared("meshes/bad").join(&name)).is_ok() {
            wrong.push(format!("{name}: not listed here"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The tube that crosses itself encloses what a count of points finds that it winds round at least once.
#[test]
#[cfg_attr(not(shared), ignore = "needs the shared data folder beside the checkout")]
fn a_tube_that_crosses_itself_is_united_to_what_it_winds_round() {
    let mesh = import::load(shared("meshes/bad/self_intersecting_eight.obj")).unwrap().mesh;
    let united = &repair(&mesh, &RepairSettings::default()).unwrap().meshes[0];
    let aabb = mesh.aabb();
    let winding = |mesh: &TriangleMesh, x: DVec3| {
        let angles = (0..mesh.triangles.len()).map(|ix| {
            let [a, b, c] = mesh.corners(ix).map(|corner| corner - x);
            let (la, lb, lc) = (a.length(), b.length(), c.length());
            let below = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
            2.0 * a.dot(b.cross(c)).atan2(below)
        });
        (angles.sum::<f64>() / (4.0 * std::f64::consts::PI)).round() as i32
    };
    // Points of a lattice (Korobov) in the box.
    const N: u32 = 4000;
    let (mut n_inside, mut n_twice) = (0, 0);
    for k in 0..N {
        let part =
            |step: u64| (u64::from(k) * step % u64::from(N)) as f64 / f64::from(N) + 0.37 / f64::from(N);
        let x = aabb.min + (aabb.max - aabb.min) * DVec3::new(part(1), part(1571), part(2761));
        let (before, after) = (winding(&mesh, x), winding(united, x));
        assert_eq!(after, i32::from(before >= 1), "{x}: {before}");
        n_inside += after;
        n_twice += i32::from(before > 1);
    }
    assert!(n_inside > 100 && n_twice > 0, "{n_inside} {n_twice}");
    assert!(MassMoments::of(united).volume > 0.0);
}

/// Sound meshes come back bit by bit; with a hole torn into each they have their volume again.
#[test]
#[cfg_attr(not(shared), ignore = "needs the shared data folder beside the checkout")]
fn sound_files_stay_as_they_are() {
    for folder in ["meshes", "meshes/more"] {
        let index = std::fs::read_to_string(shared(folder).join("index.json")).unwrap();
        let index: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&index).unwrap();
        for file in index.keys() {
            let mesh = import::load(shared(folder).join(file)).unwrap().mesh;
            let repaired =
                repair(&mesh, &RepairSettings::default()).unwrap_or_else(|error| panic!("{file}: {error}"));
            assert!(repaired.report.mends.is_empty(), "{file}: {:?}", repaired.report);
            assert_eq!(repaired.meshes, [mesh], "{file}");
        }
    }
}

/// A mesh as an exporter that does everything wrong leaves it: facets with corners of their own in numbers of 32 bits and any
/// order, some gone, some turned over, some listed again, all corners off by a hundred-thousandth of the size.
fn damaged(mesh: &TriangleMesh) -> TriangleMesh {
    let n = mesh.triangles.len();
    let reach = 1e-5 * mesh.aabb().diagonal();
    // A step without a divisor in common with the number of facets visits each once.
    let step = (n / 3..)
        .find(|step| (2..=*step).all(|k| !step.is_multiple_of(k) || !n.is_multiple_of(k)))
        .unwrap_or(1);
    let mut broken = TriangleMesh::default();
    for k in 0..n {
        let ix = k * step % n;
        if (1..4).any(|hole| k == hole * n / 5) {
            continue;
        }
        let first = broken.vertices.len() as u32;
        for (corner, x) in mesh.corners(ix).into_iter().enumerate() {
            let wave = |s: f64| ((3 * k + corner) as f64 * s).sin();
            let off = DVec3::new(wave(12.9898), wave(78.233), wave(37.719)) * (reach / 3.0_f64.sqrt());
            broken.vertices.push((x + off).as_vec3().as_dvec3());
        }
        let turned = (1..6).any(|flip| k == flip * n / 7);
        let corners = if turned { [first, first + 2, first + 1] } else { [first, first + 1, first + 2] };
        broken.triangles.push(corners);
        if k % (n / 4) == 1 {
            broken.triangles.push(corners);
        }
    }
    broken
}

#[test]
#[cfg_attr(not(shared), ignore = "needs the shared data folder beside the checkout")]
fn sound_files_that_were_damaged_are_mended() {
    let index = std::fs::read_to_string(shared("meshes").join("index.json")).unwrap();
    let index: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&index).unwrap();
    let mut wrong = Vec::new();
    for (file, facts) in &index {
        let mesh = import::load(shared("meshes").join(file)).unwrap().mesh;
        // Of the other its corners say nothing any more: it has edges of a millionth of its size.
        if mesh.triangles.len() < 100 || file == "gear_medium_28k.ply" {
            continue;
        }
        let whole = facts["volume"].as_f64().unwrap();
        match repair(&damaged(&mesh), &RepairSettings::default()) {
            Err(error) => wrong.push(format!("{file}: refused: {error}")),
            Ok(repaired) => {
                let volume = repaired.report.volume_after;
                if (volume / whole - 1.0).abs() > VOLUME_TOLERANCE {
                    wrong.push(format!("{file}: {volume} instead of {whole}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
