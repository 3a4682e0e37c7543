//! Mesh files as they come: in other units, with another axis up, mirrored, of several parts, or open ground.

mod stage;

use std::fmt::Write;
use std::path::Path;

use glam::DVec3;
use stage::{Folder, tactum};
use tactum::build::build;
use tactum::scene::{Scene, SceneError};
use tactum_sim::World;

/// Boxes given by their corners, as one OBJ file.
fn boxes(corners: &[[[f64; 3]; 2]]) -> String {
    let mut text = String::new();
    for (n, [min, max]) in corners.iter().enumerate() {
        for k in 0..8 {
            let [x, y, z] = [0, 1, 2].map(|axis| if k >> axis & 1 == 0 { min[axis] } else { max[axis] });
            writeln!(text, "v {x} {y} {z}").expect("text grows");
        }
        for face in [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]] {
            let [a, b, c, d] = face.map(|ix| 8 * n + ix + 1);
            writeln!(text, "f {a} {b} {c} {d}").expect("text grows");
        }
    }
    text
}

/// A bracket of an L of 60 by 40 by 10, in millimetres, upright along y: its mass leans to one side along each axis.
const L: [[[f64; 3]; 2]; 2] = [[[0.0, 0.0, 0.0], [60.0, 10.0, 10.0]], [[0.0, 10.0, 0.0], [10.0, 40.0, 10.0]]];

/// A scene with one body of a mesh file, `keys` beside the file's name and `body` beside the shape.
fn scene(folder: &Folder, mesh: &str, keys: &str, body: &str) -> Result<Scene, SceneError> {
    folder.write("part.obj", mesh);
    let text =
        format!("[[body]]\nname = \"part\"\nshape = {{ mesh = {{ file = \"part.obj\"{keys} }} }}\n{body}\n");
    Scene::load(Path::new(&folder.write("scene.toml", text)))
}

fn world(mesh: &str, keys: &str, body: &str) -> World {
    let folder = Folder::new();
    let scene = scene(&folder, mesh, keys, body).unwrap_or_else(|error| panic!("{keys}: {error}"));
    build(&scene).unwrap_or_else(|error| panic!("{keys}: {error}")).world
}

/// All that is said of a scene that is refused, when it is read or when its bodies are made.
fn refusal(mesh: &str, keys: &str, body: &str) -> String {
    let folder = Folder::new();
    let error = match scene(&folder, mesh, keys, body) {
        Ok(scene) => build(&scene).map(|_| ()).expect_err(keys),
        Err(error) => error,
    };
    let SceneError::Faults(faults) = error else { panic!("{keys}: {error}") };
    faults.iter().map(|fault| format!("{fault:?}\n")).collect()
}

/// Mass and centre of mass of the only body.
fn heavy(world: &World) -> (f64, DVec3) {
    let [body] = world.bodies() else { panic!("{} bodies", world.bodies().len()) };
    (body.mass.mass, body.mass.center)
}

/// Volume 60*10*10 + 10*30*10 mm³ of water, and the middle of both boxes weighted with 6 and 3.
const L_MASS: f64 = 0.009;
const L_CENTER: DVec3 = DVec3::new(21.666_666_666_666_668e-3, 11.666_666_666_666_666e-3, 5e-3);

/// Integrals over some twenty triangles lose a few digits of the last place of 60 mm.
const ROUNDING: f64 = 1e-15;

#[test]
fn units_axes_and_mirrors_move_mass_as_they_move_points() {
    let c = L_CENTER;
    let cases: [(&str, f64, DVec3); 9] = [
        (", units = \"mm\"", 1.0, c),
        (", scale = 0.001", 1.0, c),
        (", units = \"mm\", scale = [2, 1, 3]", 6.0, c * DVec3::new(2.0, 1.0, 3.0)),
        (", units = \"mm\", mirror = \"x\"", 1.0, c * DVec3::new(-1.0, 1.0, 1.0)),
        (", units = \"mm\", up = \"y\"", 1.0, DVec3::new(c.x, -c.z, c.y)),
        (", units = \"mm\", up = \"x\"", 1.0, DVec3::new(-c.z, c.y, c.x)),
        (", units = \"mm\", rotate = { euler_deg = [0, 0, 90] }", 1.0, DVec3::new(-c.y, c.x, c.z)),
        (", units = \"mm\", center = true", 1.0, c - DVec3::new(0.03, 0.02, 0.005)),
        (", units = \"mm\", up = \"y\", center = \"base\"", 1.0, DVec3::new(c.x - 0.03, 0.005 - c.z, c.y)),
    ];
    for (keys, times, center) in cases {
        let (mass, found) = heavy(&world(&boxes(&L), &format!("{keys}, union = true"), ""));
        assert!((mass / (times * L_MASS) - 1.0).abs() < 1e-13, "{keys}: {mass} kg");
        assert!((found - center).length() < ROUNDING * 3.0, "{keys}: {found} for {center}");
    }
    // The middle of the part, not of the file.
    let apart = boxes(&[L[0], [[0.0, 500.0, 0.0], [20.0, 520.0, 20.0]]]);
    let (mass, rest) = heavy(&world(&apart, ", units = \"mm\", part = 1, center = true", ""));
    assert!((mass / 0.008 - 1.0).abs() < 1e-13 && rest.length() < ROUNDING, "{mass} kg at {rest}");
    let (_, rest) = heavy(&world(&boxes(&L), ", units = \"mm\", center = \"mass\"", ""));
    assert!(rest.length() < ROUNDING, "{rest}");
}

#[test]
fn a_part_in_millimetres_without_a_unit_is_asked_about() {
    let folder = Folder::new();
    let warnings = |keys: &str, body: &str| {
        let scene = scene(&folder, &boxes(&L[..1]), keys, body).expect("a scene");
        let built = build(&scene).expect("a world");
        built.warnings.iter().map(|fault| format!("{fault:?}\n")).collect::<String>()
    };
    let said = warnings("", "");
    assert!(said.contains("is 60 m long and weighs 6000000 kg: millimetres?"), "{said}");
    // 9 m long, but of 810 t.
    let said = warnings(", scale = 0.15", "density = 40000");
    assert!(said.contains("is 9 m long and weighs 810000 kg: millimetres?"), "{said}");
    for (keys, body) in [
        (", units = \"mm\"", ""),
        (", units = \"m\"", ""),
        ("", "kind = \"static\""),
        (", scale = 0.15", "density = 10"),
    ] {
        assert_eq!(warnings(keys, body), "", "{keys} {body}");
    }
}

/// A part of 60 mm whose mass is said to be in its corner, on its side, and beyond it.
#[test]
fn a_centre_of_mass_outside_is_doubted() {
    let folder = Folder::new();
    let warnings = |x: f64| {
        let body = format!("center_of_mass = [{x}, 0, 0]");
        let scene = scene(&folder, &boxes(&L[..1]), ", units = \"mm\"", &body).expect("a scene");
        build(&scene)
            .expect("a world")
            .warnings
            .iter()
            .map(|fault| format!("{fault:?}\n"))
            .collect::<String>()
    };
    assert_eq!(warnings(0.0), "");
    assert_eq!(warnings(0.06), "");
    let said = warnings(0.5);
    assert!(
        said.contains("the centre of mass of 'part' is 0.44 m outside the box around its shape"),
        "{said}"
    );
    assert!(said.contains("scene.toml\"") && said.contains("line: 4,"), "{said}");
}

/// What repair mends is refused with the advice to let it.
#[test]
fn facets_turned_over_or_twice_can_be_repaired() {
    let good = boxes(&L[..1]);
    let turned = good.replacen("f 1 3 4 2", "f 2 4 3 1", 1);
    let twice = format!("{good}f 1 3 4 2\n");
    for mesh in [turned, twice] {
        assert_ne!(mesh, good);
        let said = refusal(&mesh, ", units = \"mm\"", "");
        assert!(said.contains("repair = true turns over what looks the other way"), "{said}");
        let mended = world(&mesh, ", units = \"mm\", repair = true", "");
        assert!((heavy(&mended).0 / 0.006 - 1.0).abs() < 1e-12);
    }
}

/// `check` asks what scenes ask, and says what becomes of an open sheet there.
#[test]
fn files_alone_are_asked_about_as_in_scenes() {
    let folder = Folder::new();
    let part = folder.write("part.obj", boxes(&L[..1]));
    let ended = tactum(&["check", &part]);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    let asked =
        "unit  a body of it is 60 m long and weighs 6000000 kg: millimetres? in a scene units = \"mm\"";
    assert!(ended.stdout.contains("part.obj: good") && ended.stdout.contains(asked), "{}", ended.stdout);
    let sheet = folder.write("sheet.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0.1\nf 1 2 3\nf 1 3 4\n");
    let ended = tactum(&["check", &sheet]);
    assert_eq!(ended.code, 2, "{}", ended.stderr);
    assert!(
        ended.stdout.contains("ground_depth = 1") && ended.stdout.contains("sheet_thickness = 0.001"),
        "{}",
        ended.stdout
    );
    assert!(!tactum(&["check", &part]).stdout.contains("ground_depth"));
}

#[test]
fn parts_of_a_file_become_bodies_or_one_body() {
    let apart = boxes(&[
        [[0.0; 3], [1.0; 3]],
        [[2.0, 0.0, 0.0], [4.0, 1.0, 1.0]],
        [[5.0, 0.0, 0.0], [6.0, 2.0, 2.0]],
    ]);
    let world = world(&apart, ", split = true", "position = [0, 0, 7]");
    let masses: Vec<(&str, f64)> =
        world.bodies().iter().map(|body| (body.name.as_str(), body.mass.mass.round())).collect();
    assert_eq!(masses, [("part-0", 1000.0), ("part-1", 2000.0), ("part-2", 4000.0)]);
    let centers: Vec<DVec3> = world.bodies().iter().map(|body| body.position).collect();
    // Each stands where it is in the file.
    for (center, expected) in centers.iter().zip([[0.5, 0.5, 7.5], [3.0, 0.5, 7.5], [5.5, 1.0, 8.0]]) {
        assert!((*center - DVec3::from(expected)).length() < 1e-14, "{center}");
    }
    let (mass, _) = heavy(&self::world(&apart, ", part = 2", ""));
    assert_eq!(mass.round(), 4000.0);
    // Joints, pairs and expectations know the parts by their names; copies come with all parts.
    let text = "copies = { grid = [2, 1, 1], spacing = [10, 0, 0] }\n[[expect]]\nbody = \"part-5\"\nz = { below = 100 }";
    let copied = self::world(&apart, ", split = true, center = \"base\"", text);
    let xs: Vec<f64> = copied.bodies().iter().map(|body| body.position.x).collect();
    // All parts are moved alike: the middle of the file is at -5 and 5.
    assert_eq!(
        xs.iter().map(|x| (2.0 * x).round() / 2.0).collect::<Vec<_>>(),
        [-7.5, -5.0, -2.5, 2.5, 5.0, 7.5]
    );
}

/// Boxes of 1 and 0.64 m³ that share 0.064 m³ weigh what they fill, once they are united.
#[test]
fn united_parts_have_their_mass_once() {
    let crossing = boxes(&[[[0.0; 3], [1.0; 3]], [[0.9, 0.1, 0.1], [1.9, 0.9, 0.9]]]);
    let folder = Folder::new();
    let as_it_is = build(&scene(&folder, &crossing, "", "").expect("a scene")).expect("a world");
    assert_eq!(as_it_is.world.bodies()[0].mass.mass.round(), 1640.0);
    assert!(!as_it_is.warnings.is_empty(), "that a part counts twice is said");
    let united = build(&scene(&folder, &crossing, ", union = true", "").expect("a scene")).expect("a world");
    // To unite parts, the repair moves vertices by a ten-billionth of the size.
    assert!((united.world.bodies()[0].mass.mass / 1576.0 - 1.0).abs() < 1e-9);
    assert!(united.warnings.is_empty(), "{:?}", united.warnings);
}

/// A sheet of 2 by 1 squares of side 10 m, its middle 3 m higher.
const SHEET: &str = "v 0 0 0\nv 10 0 3\nv 20 0 0\nv 0 10 0\nv 10 10 3\nv 20 10 0\nf 1 2 5 4\nf 2 3 6 5\n";

#[test]
fn an_open_sheet_is_ground() {
    let keys = ", ground_depth = 2";
    let world = world(SHEET, keys, "kind = \"static\"");
    let bounds = world.bodies()[0].shape.aabb(&tactum_geometry::Pose::IDENTITY);
    // A body's box is wider than its surface by its rounding.
    assert!((bounds.min.z + 2.0).abs() < 1e-14 && (bounds.max.z - 3.0).abs() < 1e-14, "{bounds:?}");
    let volume = world.bodies()[0].shape.unit_mass().expect("a solid").volume;
    // 20 by 10 by 2, and a roof of height 3.
    assert!((volume - (400.0 + 300.0)).abs() < 1e-10, "{volume}");
    // A ball that falls on the roof's slope rolls down on it.
    let folder = Folder::new();
    folder.write("hill.obj", SHEET);
    let text = "duration = 1\n[[body]]\nname = \"hill\"\nkind = \"static\"\nshape = { mesh = { file = \"hill.obj\", ground_depth = 2 } }\n\
                [[body]]\nname = \"ball\"\nshape = { sphere = 0.5 }\nposition = [5, 5, 2.05]\n\
                [[expect]]\nwhy = \"it lies on the slope\"\nbody = \"ball\"\nx = { below = 4.2 }\nz = { above = 0, below = 1.8 }\n";
    let ended = tactum(&["run", &folder.write("scene.toml", text), "--quiet"]);
    assert_eq!(ended.code, 0, "{}{}", ended.stdout, ended.stderr);
}

/// A ball that falls on a fixed sheet lies on it, as deep as its springs give way; on a closed shell of its thickness it would be held too,
/// but the sheet has no inside that it could get into.
#[test]
fn an_open_sheet_is_a_body() {
    let world = world(SHEET, ", sheet_thickness = 0.01", "kind = \"static\"");
    let body = &world.bodies()[0];
    // Two slopes of 10 m by 10 m and 3 m of height.
    let area = 2.0 * 10.0 * 10.0_f64.hypot(3.0);
    let volume = body.shape.unit_mass().expect("a shell").volume;
    // Along the ridge it is thinner by 1 - cos 16.7°, half of that on average.
    assert!((volume / (0.01 * area) - 1.0).abs() < 0.03, "{volume}");
    for (at, side) in [([5.0, 5.0, 3.0], "x = { below = 4.2 }"), ([5.0, 5.0, -0.5], "z = { below = -0.5 }")] {
        let folder = Folder::new();
        folder.write("roof.obj", SHEET);
        // From below it falls off, from above it rolls down the roof.
        let text = format!(
            "duration = 1\n[contact]\nlaw = \"continuous_penalty\"\nfriction = 0\nstiffness = 1e4\n\
             [[body]]\nname = \"roof\"\nkind = \"static\"\nshape = {{ mesh = {{ file = \"roof.obj\", sheet_thickness = 0.01 }} }}\n\
             [[body]]\nname = \"ball\"\nshape = {{ sphere = 0.5 }}\nmass = 10\nposition = {at:?}\n\
             [[expect]]\nwhy = \"it is on its side\"\nbody = \"ball\"\n{side}\n"
        );
        let ended = tactum(&["run", &folder.write("scene.toml", &text), "--quiet"]);
        assert_eq!(ended.code, 0, "{}{}", ended.stdout, ended.stderr);
    }
}

#[test]
fn what_makes_no_sense_is_refused_with_its_reason() {
    let cube = boxes(&L[..1]);
    let still = "kind = \"static\"";
    let cases = [
        (cube.as_str(), ", units = \"inch\"", "", "'inch' is none of the choices here"),
        (&cube, ", center = \"middle\"", "", "known here: box, base, mass"),
        (
            &cube,
            ", center = 3",
            "",
            "shape.mesh.center is 3, but has to be true or false, or one of \\\"box\\\"",
        ),
        (&cube, ", scale = [1, 0, 1]", "", "scale[1] is 0, but has to be"),
        (&cube, ", split = true, union = true", "", "has both split and union"),
        (&cube, ", split = true, part = 0", "", "has both part and split"),
        (&cube, ", part = 1", "", "there is no part 1 among 1, counted from 0"),
        (&cube, ", ground_depth = 1", "", "the ground 'part' has to be static"),
        (&cube, ", ground_depth = 1", still, "the mesh is closed: it is a solid already"),
        (&cube, ", ground_depth = 1, union = true", still, "has both union and ground_depth"),
        (SHEET, ", ground_depth = 1, center = \"mass\"", still, "an open sheet has no centre of mass"),
        (SHEET, ", ground_depth = 1, up = \"x\"", still, "triangles do not look up"),
        (SHEET, ", ground_depth = 1, up = \"y\"", still, "4 of 4 triangles do not look up"),
        (&cube, ", sheet_thickness = 1", "", "the mesh is closed: it is a solid already"),
        (SHEET, ", sheet_thickness = 0", "", "sheet_thickness is 0, but has to be"),
        (SHEET, ", sheet_thickness = 1, center = \"mass\"", "", "an open sheet has no centre of mass"),
        (SHEET, ", sheet_thickness = 1, split = true", "", "has both split and sheet_thickness"),
        (
            SHEET,
            ", sheet_thickness = 1, ground_depth = 1",
            still,
            "has both ground_depth and sheet_thickness",
        ),
        (SHEET, "", "", "sheet_thickness = 0.001 makes it a shell of 1 mm"),
        (SHEET, "", still, "ground_depth = 1 makes an open sheet the surface of solid ground"),
        (SHEET, ", split = true", "", "not closed"),
    ];
    for (mesh, keys, body, words) in cases {
        let said = refusal(mesh, keys, body);
        assert!(said.contains(words), "{keys}: {words} in {said}");
    }
}
