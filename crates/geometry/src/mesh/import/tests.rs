//! Small files of every format, sound and broken, written out here.

use super::*;
use glam::DVec3;
use tactum_random::Rng;

const TETRA_OBJ: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
const TETRA: [[usize; 3]; 4] = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];

fn corners() -> [[f32; 3]; 4] {
    [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
}

fn binary_stl(announced: u32) -> Vec<u8> {
    let mut bytes = b"solid by name only".to_vec();
    bytes.resize(80, b' ');
    bytes.extend(announced.to_le_bytes());
    for triangle in TETRA {
        bytes.extend([0; 12]);
        bytes.extend(triangle.iter().flat_map(|&ix| corners()[ix]).flat_map(f32::to_le_bytes));
        bytes.extend([0; 2]);
    }
    bytes
}

fn text_stl() -> String {
    let mut text = "solid tetra\r\n".to_owned();
    for triangle in TETRA {
        text += "facet normal 0 0 0\r\n outer loop\r\n";
        for [x, y, z] in triangle.map(|ix| corners()[ix]) {
            text += &format!("  vertex {x} {y} {z:e}\r\n");
        }
        text += " endloop\r\nendfacet\r\n";
    }
    text + "endsolid tetra\r\n"
}

/// Line breaks of `\n`, `\r\n` and `\r` make no difference, nor for the numbers of lines.
#[test]
fn lines_end_as_on_any_system() {
    let mut ply = ply_header("ascii", 4);
    ply.extend(b"0 0 0 1\n1 0 0 1\n0 1 0 1\n0 0 1 1\n");
    ply.extend(b"3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n");
    for (text, format) in [(TETRA_OBJ.as_bytes(), Format::Obj), (&ply, Format::Ply)] {
        let text = String::from_utf8(text.to_vec()).unwrap();
        let expected = parse(text.as_bytes(), format, None).unwrap();
        for line_end in ["\r\n", "\r"] {
            let other = text.replace('\n', line_end);
            assert_eq!(parse(other.as_bytes(), format, None).unwrap(), expected, "{format} {line_end:?}");
        }
    }
    let mut binary = binary_ply(true);
    let end = binary.windows(11).position(|w| w == b"end_header\n").unwrap() + 11;
    let expected = parse(&binary, Format::Ply, None).unwrap();
    binary[..end].iter_mut().filter(|b| **b == b'\n').for_each(|b| *b = b'\r');
    assert_eq!(parse(&binary, Format::Ply, None).unwrap(), expected);
    let error = parse(b"v 0 0 0\rv 1 x 0\r", Format::Obj, None).unwrap_err().to_string();
    assert!(error.starts_with("line 2: "), "{error}");
}

#[test]
fn a_text_that_is_no_stl_is_no_broken_one() {
    for (text, start) in [(TETRA_OBJ, "v 0 0 0"), ("\n  # made here\r\nv 1 2 3\n", "# made here")] {
        let error = parse(text.as_bytes(), Format::Stl, None).unwrap_err().to_string();
        assert!(error.contains("not an STL file") && error.contains(start), "{error}");
    }
    // A header of text is no reason to refuse a binary file.
    assert!(parse(&binary_stl(4), Format::Stl, None).is_ok());
    let cut = parse(&binary_stl(4)[..100], Format::Stl, None).unwrap_err();
    assert!(matches!(cut, Cause::StlTooShort { announced: 4, .. }), "{cut}");
}

fn ply_header(format: &str, n_faces: u64) -> Vec<u8> {
    format!(
        "ply\nformat {format} 1.0\ncomment made here\nelement vertex 4\nproperty double x\nproperty float y\n\
         property float z\nproperty uchar red\nelement note 7\nelement face {n_faces}\n\
         property list uchar int vertex_indices\nend_header\n"
    )
    .into_bytes()
}

fn binary_ply(little: bool) -> Vec<u8> {
    let mut bytes = ply_header(if little { "binary_little_endian" } else { "binary_big_endian" }, 4);
    let mut push = |mut be: Vec<u8>| {
        if little {
            be.reverse();
        }
        bytes.extend(be);
    };
    for [x, y, z] in corners() {
        push(f64::from(x).to_be_bytes().to_vec());
        push(y.to_be_bytes().to_vec());
        push(z.to_be_bytes().to_vec());
        push(vec![255]);
    }
    for triangle in TETRA {
        push(vec![3]);
        triangle.iter().for_each(|&ix| push((ix as i32).to_be_bytes().to_vec()));
    }
    bytes
}

fn text_ply() -> Vec<u8> {
    let mut bytes = ply_header("ascii", 4);
    corners().iter().for_each(|[x, y, z]| bytes.extend(format!("{x} {y} {z} 9\n").into_bytes()));
    TETRA.iter().for_each(|[a, b, c]| bytes.extend(format!("3 {a} {b} {c}\n").into_bytes()));
    bytes
}

/// A tetrahedron with 16-bit indices, under a node that doubles it under a node that mirrors and moves it.
fn gltf_parts(uri: &str) -> (String, Vec<u8>) {
    let mut buffer: Vec<u8> = corners().iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
    buffer.extend(TETRA.iter().flatten().flat_map(|&ix| (ix as u16).to_le_bytes()));
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],
        "nodes":[{{"children":[1],"scale":[-1,1,1],"translation":[5,0,0]}},{{"mesh":0,"scale":[2,2,2]}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}},
                                  {{"attributes":{{"POSITION":0}},"mode":1}}]}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3","min":[0,0,0],"max":[1,1,1]}},
                     {{"bufferView":1,"componentType":5123,"count":12,"type":"SCALAR"}}],
        "bufferViews":[{{"buffer":0,"byteOffset":0,"byteLength":48}},
                       {{"buffer":0,"byteOffset":48,"byteLength":24}}],
        "buffers":[{{"byteLength":72{uri}}}]}}"#
    );
    (json, buffer)
}

fn glb() -> Vec<u8> {
    let (mut json, buffer) = gltf_parts("");
    while json.len() % 4 != 0 {
        json.push(' ');
    }
    let total = 12 + 8 + json.len() + 8 + buffer.len();
    let word = |n: usize| (n as u32).to_le_bytes();
    [
        b"glTF",
        &word(2)[..],
        &word(total),
        &word(json.len()),
        b"JSON",
        json.as_bytes(),
        &word(buffer.len()),
        b"BIN\0",
        &buffer,
    ]
    .concat()
}

/// All sound files of the tetrahedron.
fn sound_files() -> Vec<(Format, Vec<u8>)> {
    vec![
        (Format::Obj, TETRA_OBJ.into()),
        (Format::Stl, binary_stl(4)),
        (Format::Stl, text_stl().into()),
        (Format::Ply, binary_ply(true)),
        (Format::Ply, binary_ply(false)),
        (Format::Ply, text_ply()),
        (Format::Gltf, glb()),
    ]
}

fn refusal(bytes: &[u8], format: Format) -> String {
    parse(bytes, format, None).expect_err("the file is broken").to_string()
}

#[test]
fn every_format_gives_the_same_corners() {
    let expected: Vec<[DVec3; 3]> =
        TETRA.iter().map(|t| t.map(|ix| DVec3::from(corners()[ix].map(f64::from)))).collect();
    for (format, bytes) in sound_files() {
        let Imported { mesh, oddities } = parse(&bytes, format, None).unwrap();
        let mut found: Vec<[DVec3; 3]> = (0..4).map(|ix| mesh.corners(ix)).collect();
        if format == Format::Gltf {
            // Undo the nodes: a mirrored triangle has two corners exchanged.
            assert_eq!(oddities, [Oddity::PrimitivesSkipped { n: 1 }]);
            let undo = |x: DVec3| (x - DVec3::X * 5.0) * DVec3::new(-0.5, 0.5, 0.5);
            found = found.into_iter().map(|[a, b, c]| [undo(a), undo(c), undo(b)]).collect();
        } else {
            assert_eq!(oddities, []);
        }
        assert_eq!(found, expected, "{format}");
    }
}

#[test]
fn gltf_finds_buffers_embedded_and_beside_the_file() {
    let folder = std::env::temp_dir().join(format!("tactum-gltf-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (json, buffer) = gltf_parts(r#","uri":"a%20b.bin""#);
    std::fs::write(folder.join("a b.bin"), buffer).unwrap();
    std::fs::write(folder.join("tetra.gltf"), &json).unwrap();
    let beside = load(folder.join("tetra.gltf"));
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(beside.unwrap().mesh.triangles.len(), 4);
    assert!(refusal(json.as_bytes(), Format::Gltf).contains("not beside the file"));

    assert_eq!(parse(embedded_gltf().as_bytes(), Format::Gltf, None).unwrap().mesh.triangles.len(), 4);
}

/// The tetrahedron as a document that holds its buffer.
fn embedded_gltf() -> String {
    let base64 = concat!(
        "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/",
        "AAACAAEAAAABAAMAAAADAAIAAQACAAMA"
    );
    gltf_parts(&format!(r#","uri":"data:application/octet-stream;base64,{base64}""#)).0
}

/// What a document says of its mesh beyond the triangles is reported where it is not done.
#[test]
fn gltf_names_what_it_leaves_out() {
    let lines = Oddity::PrimitivesSkipped { n: 1 };
    let deformed = [lines.clone(), Oddity::DeformationsSkipped { n: 1 }];
    let instanced = [lines.clone(), Oddity::InstancesSkipped { n: 1 }];
    let node = r#"{"mesh":0,"#;
    let mesh = r#"{"primitives":[{"#;
    let with_target = format!(r#"{mesh}"targets":[{{"POSITION":0}}],"#);
    let weighted = with_target.replacen('{', r#"{"weights":[0.5],"#, 1);
    let instances = r#"{"extensions":{"EXT_mesh_gpu_instancing":{"attributes":{}}},"mesh":0,"#;
    let cases = [
        (node, r#"{"mesh":0,"skin":0,"#.to_owned(), &deformed[..]),
        (mesh, with_target, std::slice::from_ref(&lines)),
        (mesh, weighted, &deformed),
        (node, instances.to_owned(), &instanced),
    ];
    for (from, to, expected) in cases {
        let json = embedded_gltf().replacen(from, &to, 1);
        let imported = parse(json.as_bytes(), Format::Gltf, None).unwrap();
        assert_eq!((imported.mesh.triangles.len(), &imported.oddities[..]), (4, expected), "{to}");
    }
    let strips = embedded_gltf().replacen(r#""indices":1}"#, r#""indices":1,"mode":5}"#, 1);
    let message = refusal(strips.as_bytes(), Format::Gltf);
    assert!(message.contains("only strips, fans, lines or points (2 primitives)"), "{message}");
}

#[test]
fn broken_gltf_says_what_reaches_too_far() {
    let with = |from: &str, to: &str| {
        let (json, buffer) = gltf_parts(r#","uri":"data:;base64,AAAA""#);
        assert!(json.contains(from), "{from}");
        let padding = "A".repeat(buffer.len().div_ceil(3) * 4);
        refusal(json.replace(from, to).replace("AAAA", &padding).as_bytes(), Format::Gltf)
    };
    assert!(with(r#""count":4"#, r#""count":5"#).contains("accessor 0 reaches beyond its buffer"));
    assert!(with(r#""count":4"#, r#""count":18446744073709551615"#).contains("accessor 0 reaches"));
    assert!(with(r#""byteLength":24"#, r#""byteLength":2400"#).contains("accessor 1 reaches beyond"));
    assert!(with(r#""byteLength":72"#, r#""byteLength":7200"#).contains("needs 7200"));
    assert!(with(r#""children":[1]"#, r#""children":[0]"#).contains("node 0 has two parents"));
    assert!(with("5126", "5125").contains("accessor 0"));
}

#[test]
fn obj_reads_all_digits_all_index_forms_and_continued_lines() {
    let text = "# c\r\no x\r\nv 1000000000.25 0 0 0.5 0.5 0.5 # colour\r\nv 1 0 \\\r\n0\nv 0 1 0\nv 0 0 1\n\
                vn 0 0 1\nf -4//1 3/7/1 2\nf 1 2 4\nf 1/2 4/2 3/2\nf 2 3 4";
    let mesh = parse(text.as_bytes(), Format::Obj, None).unwrap().mesh;
    assert_eq!(mesh.triangles, TETRA.map(|t| t.map(|ix| ix as u32)));
    assert_eq!(mesh.vertices[0].x, 1_000_000_000.25);
    assert_eq!(mesh.vertices[1], DVec3::X);
}

#[test]
fn broken_obj_names_the_line() {
    let after = |line: &str| refusal(format!("{TETRA_OBJ}{line}\n").as_bytes(), Format::Obj);
    assert_eq!(after("f 1 2 10000"), "line 9: vertex index 10000 out of range (4 vertices)");
    assert_eq!(after("f 1 2 -5"), "line 9: vertex index -5 out of range (4 vertices)");
    assert_eq!(after("f 1 0 2"), "line 9: index 0 (OBJ counts from 1)");
    assert_eq!(after("f 1 2 99999999999999999999"), "line 9: bad index \"99999999999999999999\"");
    assert_eq!(after("f 1 2"), "line 9: face with fewer than 3 vertices (2)");
    assert_eq!(after("v 1 abc 2"), "line 9: bad number \"abc\"");
    assert_eq!(after("v 1 2"), "line 9: 2 of 3 coordinates");
    assert_eq!(after("v 0 1e400 0"), "line 9: vertex 5 is not finite");
    assert_eq!(after("v nan 0 0"), "line 9: vertex 5 is not finite");
    assert_eq!(refusal(b"v 0 0 0\n", Format::Obj), "no triangles (1 vertex)");
    assert_eq!(refusal(b"\x80 nothing\n", Format::Obj), "not an OBJ file: no vertices");
}

#[test]
fn stl_believes_the_bytes_and_not_the_count() {
    assert!(refusal(&binary_stl(u32::MAX), Format::Stl).contains("4294967295 triangles announced"));
    assert!(
        refusal(&binary_stl(5), Format::Stl)
            .ends_with("5 triangles announced (334 bytes), 4 complete (284 bytes)")
    );
    let fewer = parse(&binary_stl(1), Format::Stl, None).unwrap();
    assert_eq!(fewer.oddities, [Oddity::CountTooSmall { announced: 1, found: 4 }]);
    assert_eq!(fewer.mesh.triangles.len(), 4);
    let longer = parse(&[&binary_stl(4)[..], b"trailer"].concat(), Format::Stl, None).unwrap();
    assert_eq!(longer.oddities, [Oddity::TrailingBytes { n_bytes: 7 }]);
    let mut none = binary_stl(0);
    none.truncate(84);
    assert_eq!(refusal(&none, Format::Stl), "no triangles (0 vertices)");
    assert!(refusal(b"\x01\x02", Format::Stl).contains("2 bytes of 84"));
}

#[test]
fn broken_text_stl_names_the_line() {
    let with = |from: &str, to: &str| refusal(text_stl().replacen(from, to, 1).as_bytes(), Format::Stl);
    assert_eq!(with("vertex 0 0", "vertex 0 x"), "line 4: bad number \"x\"");
    assert_eq!(with("  vertex 0 0 0e0\r\n", ""), "line 6: face with fewer than 3 vertices (2)");
    assert_eq!(with("endsolid tetra", ""), "unexpected end of file after line 29: endsolid expected");
    assert_eq!(with(" endloop", " loop's end"), "line 7: an STL keyword expected, found \"loop's\"");
}

#[test]
fn broken_ply_names_the_element() {
    let whole = binary_ply(true);
    let cut = refusal(&whole[..whole.len() - 20], Format::Ply);
    assert_eq!(cut, "unexpected end of file in element face: 4 announced, 2 complete");
    let many =
        [ply_header("binary_little_endian", 2_000_000_000), whole[whole.len() - 120..].to_vec()].concat();
    assert!(refusal(&many, Format::Ply).contains("2000000000 announced"));
    assert_eq!(
        refusal(&ply_header("ascii", 4)[..60], Format::Ply),
        "no end_header: the PLY header breaks off in line 5"
    );
    let mut wrong = whole.clone();
    let last = wrong.len() - 4;
    wrong[last..].copy_from_slice(&(-1i32).to_le_bytes());
    assert_eq!(refusal(&wrong, Format::Ply), "face 3: vertex index -1 out of range (4 vertices)");
    let text = String::from_utf8(text_ply()).unwrap();
    let with = |from: &str, to: &str| refusal(text.replacen(from, to, 1).as_bytes(), Format::Ply);
    assert_eq!(with("0 1 0 9", "0 1 0"), "line 15: 3 of 4 values");
    assert_eq!(with("0 1 0 9", "0 1 0.x 9"), "line 15: bad number \"0.x\"");
    assert_eq!(with("3 0 1 3", "3 0 1.5 3"), "line 18: bad number \"1.5\"");
    assert_eq!(with("property float z\n", ""), "PLY header: element vertex has no property z");
    assert_eq!(with("ascii", "utf8"), "line 2: a known format expected, found \"format utf8 1.0\"");
    let twice = parse(&[&text_ply()[..], b"3 0 1 2\n"].concat(), Format::Ply, None).unwrap();
    assert_eq!(twice.oddities, [Oddity::TrailingBytes { n_bytes: 7 }]);
}

#[test]
fn a_file_of_another_format_is_refused_by_name() {
    let path = std::env::temp_dir().join(format!("tactum-wrong-{}.stl", std::process::id()));
    std::fs::write(&path, binary_ply(true)).unwrap();
    let refused = load(&path);
    std::fs::remove_file(&path).unwrap();
    let message = refused.unwrap_err().to_string();
    assert!(message.ends_with(".stl: not an STL file: its content is PLY"), "{message}");
    assert!(matches!(
        load("/nonexistent/x.obj").unwrap_err().cause,
        Cause::Read(crate::file::ReadError::Missing)
    ));
}

#[test]
fn a_byte_order_mark_does_not_hide_the_first_vertex() {
    let path = std::env::temp_dir().join(format!("tactum-mark-{}.obj", std::process::id()));
    std::fs::write(&path, format!("\u{feff}{TETRA_OBJ}")).unwrap();
    let read = load(&path);
    std::fs::remove_file(&path).unwrap();
    assert_eq!(read.unwrap().mesh.vertices.len(), 4);
}

/// Ten thousand random mutations of the sound files are read and examined or refused, in bounded memory and without a
/// panic.
#[test]
fn no_bytes_make_the_reader_or_the_doctor_panic() {
    let mut rng = Rng::new(1);
    let mut files = sound_files();
    let (json, _) = gltf_parts(r#","uri":"data:;base64,AAAAAAAAAAAAAAAA""#);
    files.push((Format::Gltf, json.into_bytes()));
    let n_mutants = rng.cases(10_000) / files.len();
    let mut random = |n: usize| rng.below(n);
    for (format, bytes) in files {
        for _ in 0..n_mutants {
            let mut bytes = bytes.clone();
            for _ in 0..=random(4) {
                let at = random(bytes.len());
                match random(5) {
                    0 => bytes[at] = random(256) as u8,
                    1 => bytes[at] ^= 1 << random(8),
                    2 => bytes[at] = [b'9', b'-', b' ', b'\n', 255][random(5)],
                    3 => bytes.truncate(at.max(1)),
                    _ => drop(bytes.splice(at..at, std::iter::repeat_n(b'9', random(20))).count()),
                }
            }
            if let Ok(imported) = parse(&bytes, format, None) {
                let checked = crate::mesh::check::examine_imported(imported);
                let _ = checked.map(|checked| crate::Shape::from_mesh(checked.mesh));
            }
        }
    }
}
