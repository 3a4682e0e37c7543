//! Mesh files in the hands of the program: what is read at all, what `tactum check` and `tactum run` say of one file, and
//! how long they take over many corners, triangles and parts.

mod stage;

use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use stage::{Ended, Folder, tactum};

/// Runs no step of a scene with one dynamic body of the mesh.
fn run(folder: &Folder, mesh: &str) -> Ended {
    let scene = format!(
        "dt = 0.01\nduration = 0.01\ngravity = [0, 0, 0]\n[[body]]\nname = \"thing\"\n\
         shape = {{ mesh = {{ file = {mesh:?} }} }}\n"
    );
    tactum(&["run", &folder.write("scene.toml", scene), "--steps", "0", "--quiet"])
}

/// Asserts that a mesh file is called unusable and refused in a scene, with all of `words` each time.
fn assert_unusable(folder: &Folder, mesh: &str, words: &[&str]) {
    let check = tactum(&["check", mesh]);
    let ran = run(folder, mesh);
    for (what, ended) in [("check", &check), ("run", &ran)] {
        assert_eq!(ended.code, 2, "{what}: {}{}", ended.stdout, ended.stderr);
        // The lines of a scene's message are wrapped.
        let text: Vec<&str> = ended.stderr.split_whitespace().filter(|word| *word != "│").collect();
        let text = text.join(" ");
        assert!(words.iter().all(|word| text.contains(word)), "{what}: {words:?} in {}", ended.stderr);
        assert!(!text.contains("panicked"), "{text}");
    }
    assert!(check.stdout.ends_with(": unusable\n"), "{}", check.stdout);
}

fn assert_usable(folder: &Folder, mesh: &str) {
    for ended in [tactum(&["check", mesh]), run(folder, mesh)] {
        assert_eq!(ended.code, 0, "{}{}", ended.stdout, ended.stderr);
    }
}

/// The text of an OBJ file.
fn obj(vertices: impl IntoIterator<Item = [f64; 3]>, faces: impl IntoIterator<Item = Vec<usize>>) -> String {
    let mut text = String::new();
    for [x, y, z] in vertices {
        writeln!(text, "v {x:e} {y:e} {z:e}").expect("text grows");
    }
    for face in faces {
        let corners: Vec<String> = face.iter().map(|ix| (ix + 1).to_string()).collect();
        writeln!(text, "f {}", corners.join(" ")).expect("text grows");
    }
    text
}

const CUBE: [[usize; 4]; 6] =
    [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];

/// A box with its lower corner at `min`.
fn cuboid(min: [f64; 3], size: [f64; 3]) -> String {
    let corner = |k: usize| [0, 1, 2].map(|axis| min[axis] + size[axis] * (k >> axis & 1) as f64);
    obj((0..8).map(corner), CUBE.map(Vec::from))
}

fn node(transform: &str) -> String {
    let number = |x: f32| x.to_le_bytes();
    let positions: Vec<u8> =
        (0..8).flat_map(|k| [0, 1, 2].map(|axis| (k >> axis & 1) as f32)).flat_map(number).collect();
    let corners = CUBE.iter().flat_map(|&[a, b, c, d]| [a, b, c, a, c, d]);
    let bytes: Vec<u8> = positions.into_iter().chain(corners.map(|ix| ix as u8)).collect();
    let hex: String = bytes.iter().map(|byte| format!("{byte:08b}")).collect();
    let digit = |bits: &[u8]| {
        let value = bits.iter().fold(0, |value, bit| 2 * value + usize::from(bit - b'0'));
        char::from(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[value])
    };
    // 132 bytes are 176 digits without padding.
    let base64: String = hex.as_bytes().chunks(6).map(digit).collect();
    gltf(transform, &format!("data:;base64,{base64}"))
}

/// A cube of 96 bytes of positions and 36 of indices, under a node.
fn gltf(transform: &str, uri: &str) -> String {
    format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{{"mesh":0,"name":"lid"{transform}}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":8,"type":"VEC3"}},
                     {{"bufferView":1,"componentType":5121,"count":36,"type":"SCALAR"}}],
        "bufferViews":[{{"buffer":0,"byteLength":96}},{{"buffer":0,"byteOffset":96,"byteLength":36}}],
        "buffers":[{{"byteLength":132,"uri":"{uri}"}}]}}"#
    )
}

#[test]
fn buffers_of_gltf_lie_beside_their_document() {
    let folder = Folder::new();
    folder.write("secret.bin", [0; 200]);
    for uri in [
        "../secret.bin",
        "%2e%2e%2fsecret.bin",
        "..\\\\secret.bin",
        "/dev/zero",
        "%2Fdev%2Fzero",
        "file:///etc/passwd",
        "C:\\\\secret.bin",
        "//host/share",
        "a%00.bin",
    ] {
        let mesh = folder.write("in/cube.gltf", gltf("", uri));
        assert_unusable(&folder, &mesh, &["buffer 0"]);
    }
    let mesh = folder.write("in/cube.gltf", gltf("", "none.bin"));
    assert_unusable(&folder, &mesh, &["buffer 0", "none.bin: there is no such file"]);
    folder.write("in/short.bin", [0; 20]);
    let mesh = folder.write("in/cube.gltf", gltf("", "short.bin"));
    assert_unusable(&folder, &mesh, &["has 20 bytes, needs 132"]);
    let huge = gltf("", "short.bin").replace("\"byteLength\":132", "\"byteLength\":18000000000000000000");
    assert_unusable(
        &folder,
        &folder.write("in/cube.gltf", huge),
        &["has 20 bytes, needs 18000000000000000000"],
    );
}

/// A scene names files of its author's, wherever they lie; only a document that names others is kept to its folder.
#[test]
fn meshes_of_a_scene_lie_anywhere() {
    let folder = Folder::new();
    folder.write("out/box.obj", cuboid([0.0; 3], [1.0; 3]));
    let scene = |file: &str| {
        format!(
            "dt = 0.01\nduration = 0.01\n[[body]]\nname = 'b'\nshape = {{ mesh = {{ file = {file:?} }} }}\n"
        )
    };
    for file in ["../out/box.obj", &folder.path("out/box.obj")] {
        let ended = tactum(&["check", &folder.write("in/scene.toml", scene(file))]);
        assert_eq!(ended.code, 0, "{}", ended.stderr);
    }
}

#[cfg(unix)]
#[test]
fn links_pipes_devices_and_folders_are_refused_at_once() {
    let folder = Folder::new();
    folder.write("secret.bin", [0; 200]);
    let mesh = folder.write("in/cube.gltf", gltf("", "link.bin"));
    std::os::unix::fs::symlink(folder.path("secret.bin"), folder.path("in/link.bin")).expect("a link");
    assert_unusable(&folder, &mesh, &["out of the document's folder"]);
    let pipe = |name: &str| {
        let made = Command::new("mkfifo").arg(folder.path(name)).status();
        made.is_ok_and(|status| status.success()).then(|| folder.path(name))
    };
    if let (Some(_), Some(obj)) = (pipe("in/pipe.bin"), pipe("pipe.obj")) {
        let mesh = folder.write("in/cube.gltf", gltf("", "pipe.bin"));
        assert_unusable(&folder, &mesh, &["is a pipe, not a file"]);
        assert_unusable(&folder, &obj, &["is a pipe, not a file"]);
    }
    assert_unusable(&folder, "/dev/zero", &["is a device, not a file"]);
    assert_unusable(&folder, &folder.path("in"), &["is a folder, not a file"]);
    let sparse = folder.path("sparse.stl");
    std::fs::File::create(&sparse).and_then(|file| file.set_len(1 << 40)).expect("a sparse file");
    assert_unusable(&folder, &sparse, &["1099511627776 bytes"]);
}

#[test]
fn nodes_of_gltf_turn_by_unit_quaternions_and_flatten_nothing() {
    let folder = Folder::new();
    let mesh = |transform: &str| folder.write("cube.gltf", node(transform));
    for transform in [
        "",
        r#","rotation":[0,0,0.70710677,0.70710677]"#,
        r#","rotation":[0,0,0.5,0.8700]"#,
        r#","scale":[1e-3,1e3,-1]"#,
        r#","matrix":[0,1,0,0,-1,0,0,0,0,0,1,0,5,6,7,1]"#,
    ] {
        assert_usable(&folder, &mesh(transform));
    }
    for (transform, words) in [
        (r#","rotation":[0,0,3,4]"#, "length 5,"),
        (r#","rotation":[0,0,0,0]"#, "length 0,"),
        (r#","rotation":[0,0,0,0.98]"#, "length 0.98,"),
        (r#","scale":[1,0,1]"#, "scale is [1, 0, 1]"),
        (r#","scale":[1e300,1e300,1e300],"translation":[1,0,1e308]"#, "lid"),
        (r#","matrix":[1,0,0,0,0,1,0,0,0,0,0,0,0,0,0,1]"#, "flat"),
        (r#","matrix":[1,2,3,0,1,2,3,0,0,0,1,0,0,0,0,1]"#, "flat"),
        (r#","matrix":[1,0,0,0.5,0,1,0,0,0,0,1,0,0,0,0,1]"#, "last row"),
        (r#","matrix":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,2]"#, "last row"),
        (r#","matrix":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],"scale":[2,2,2]"#, "matrix and also"),
    ] {
        if words == "lid" {
            assert_unusable(&folder, &mesh(transform), &["large"]);
        } else {
            assert_unusable(&folder, &mesh(transform), &["node 0", "lid", words]);
        }
    }
    let broken = folder.write("cube.gltf", r#"{"asset":{"version":"2.0"},"nodes":{}}"#);
    assert_unusable(&folder, &broken, &["line 1 column 35: an object where a list is needed"]);
}

#[test]
fn check_and_run_agree_about_sizes_and_forms() {
    let folder = Folder::new();
    let one = [1.0; 3];
    for (min, size) in [([0.0; 3], one), ([1e6, -1e6, 1e6], one), ([0.0; 3], [1.0, 1e-4, 1e-4])] {
        assert_usable(&folder, &folder.write("box.obj", cuboid(min, size)));
    }
    for (size, words) in [
        ([1e50; 3], "large"),
        ([1e80; 3], "large"),
        ([1e-40; 3], "too small"),
        ([1e-70; 3], "too small"),
        ([1e-120; 3], "too small"),
        ([1.0, 1e-9, 1e-9], "too thin"),
        ([1.0, 1.0, 0.0], "encloses no volume"),
    ] {
        assert_unusable(&folder, &folder.write("box.obj", cuboid([0.0; 3], size)), &[words]);
    }
}

#[test]
fn names_with_control_characters_cannot_write_to_the_terminal() {
    let folder = Folder::new();
    for content in [cuboid([0.0; 3], [1.0; 3]), "nothing".to_owned()] {
        let mesh = folder.write("a\u{1b}[31m\nb.obj", content);
        let ended = tactum(&["check", &mesh]);
        let text = ended.stdout + &ended.stderr;
        assert!(text.contains("a\\u{1b}[31m\\nb.obj") && !text.contains('\u{1b}'), "{text}");
    }
}

/// What each of these takes grew with the square of its size; a slow machine takes some seconds for one.
const LONG: Duration = Duration::from_secs(60);

fn assert_quick(folder: &Folder, name: &str, text: &str, words: &str) {
    let mesh = folder.write(name, text);
    let start = Instant::now();
    let ended = tactum(&["check", &mesh]);
    assert!(start.elapsed() < LONG, "{name}: {:?}", start.elapsed());
    assert!((ended.stdout.clone() + &ended.stderr).contains(words), "{}{}", ended.stdout, ended.stderr);
}

#[test]
fn large_polygons_and_tangles_are_examined_in_bounded_time() {
    let folder = Folder::new();
    let n = 20_000;
    let corner = |ix: usize, z: f64| {
        let (radius, angle) =
            (if ix.is_multiple_of(2) { 0.5 } else { 1.0 }, ix as f64 * std::f64::consts::TAU / n as f64);
        [radius * angle.cos(), radius * angle.sin(), z]
    };
    let sides = (0..n).map(|ix| vec![ix, (ix + 1) % n, n + (ix + 1) % n, n + ix]);
    let caps = [(0..n).rev().collect::<Vec<_>>(), (n..2 * n).collect()];
    let star = obj((0..2 * n).map(|ix| corner(ix % n, (ix / n) as f64)), caps.into_iter().chain(sides));
    assert_quick(&folder, "star.obj", &star, ": good");

    // Marsaglia's xorshift (2003).
    let mut state = 1_u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as f64 / u64::MAX as f64
    };
    let tetrahedra = 5000;
    let vertices: Vec<[f64; 3]> = (0..4 * tetrahedra).map(|_| [random(), random(), random()]).collect();
    let faces = (0..tetrahedra).flat_map(|ix| {
        let side = |k: usize| vertices[4 * ix + k];
        let [a, b, c] = [1, 2, 3].map(|k| [0, 1, 2].map(|axis| side(k)[axis] - side(0)[axis]));
        let cross = [b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]];
        let is_right = a[0] * cross[0] + a[1] * cross[1] + a[2] * cross[2] > 0.0;
        let faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
        faces.map(|[i, j, k]| if is_right { [i, j, k] } else { [i, k, j] }.map(|v| 4 * ix + v).to_vec())
    });
    let tangle = obj(vertices.iter().copied(), faces);
    assert_quick(&folder, "tangle.obj", &tangle, "intersects itself: at least");
    assert!(Path::new(&folder.path("tangle.obj")).is_file());
}
