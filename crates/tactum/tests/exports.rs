//! What other programs read of a run's folder: each file is read here by its own rules, as they are published, and says what the run did.

mod stage;

use std::collections::HashMap;

use serde_json::Value;
use stage::Stage;

/// A box that lies on the floor, a ball that rolls by, and a hull that falls and turns; steps of 10 ms.
const SCENE: &str = r##"
name = "three"
dt = 0.01
duration = 0.5
[[body]]
name = "floor"
kind = "static"
shape = { plane = {} }
[[body]]
name = "box"
shape = { box = [0.1, 0.1, 0.1] }
position = [0, 0, 0.05]
[[body]]
name = "ball <1>, \"red\""
shape = { sphere = 0.1 }
position = [0, 1, 0.1]
linear_velocity = [1, 0, 0]
angular_velocity = [0, 10, 0]
[[body]]
name = "twin"
color = "#ff8000"
shape = { sphere = 0.1 }
position = [0, -1, 3]
orientation = { euler_deg = [0, 0, 170] }
angular_velocity = [0, 0, 5]
[[expect]]
contacts = { above = 0 }
"##;

fn recorded() -> Stage {
    let stage = Stage::with_scene(SCENE);
    stage.ends("run scene.toml --out out --quiet", 0, &[]);
    stage
}

fn number(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes")) as usize
}

/// A glb file: its document, and its buffer.
fn glb(bytes: &[u8]) -> (Value, &[u8]) {
    assert_eq!((&bytes[..4], number(bytes, 4), number(bytes, 8)), (&b"glTF"[..], 2, bytes.len()));
    let length = number(bytes, 12);
    assert_eq!((&bytes[16..20], length % 4), (&b"JSON"[..], 0));
    let second = 20 + length;
    assert_eq!(&bytes[second + 4..second + 8], b"BIN\0");
    let buffer = &bytes[second + 8..];
    assert_eq!(number(bytes, second), buffer.len());
    (serde_json::from_slice(&bytes[20..second]).expect("a document"), buffer)
}

/// The floats of an accessor, which have to lie within the buffer and between the extremes that it states.
fn floats(document: &Value, buffer: &[u8], accessor: &Value) -> Vec<Vec<f32>> {
    let accessor = &document["accessors"][accessor.as_u64().expect("a number") as usize];
    let view = &document["bufferViews"][accessor["bufferView"].as_u64().expect("a number") as usize];
    let of = |key: &str| view[key].as_u64().expect("a number") as usize;
    let n = match accessor["type"].as_str() {
        Some("SCALAR") => 1,
        Some("VEC3") => 3,
        Some("VEC4") => 4,
        other => panic!("{other:?}"),
    };
    assert_eq!(accessor["componentType"], 5126);
    assert_eq!(
        (of("byteOffset") % 4, of("byteLength")),
        (0, 4 * n * accessor["count"].as_u64().expect("it") as usize)
    );
    let bytes = &buffer[of("byteOffset")..of("byteOffset") + of("byteLength")];
    let numbers: Vec<f32> =
        bytes.chunks(4).map(|b| f32::from_le_bytes(b.try_into().expect("four"))).collect();
    let rows: Vec<Vec<f32>> = numbers.chunks(n).map(<[f32]>::to_vec).collect();
    if let Some(least) = accessor["min"].as_array() {
        for k in 0..n {
            let found = rows.iter().map(|row| row[k]).fold(f32::INFINITY, f32::min);
            assert_eq!(least[k].as_f64(), Some(f64::from(found)));
        }
    }
    rows
}

#[test]
fn gltf_moves_as_the_run_did() {
    let stage = recorded();
    stage.ends("export out --gltf motion.glb --every-step", 0, &["wrote motion.glb"]);
    let bytes = std::fs::read(stage.root.join("motion.glb")).expect("the file");
    let (document, buffer) = glb(&bytes);
    let nodes = document["nodes"].as_array().expect("nodes");
    let names: Vec<&str> = nodes.iter().map(|node| node["name"].as_str().expect("a name")).collect();
    assert_eq!(names, ["floor", "box", "ball <1>, \"red\"", "twin", "three (z up)"]);
    // Up in the scene is up in the file: the quaternion of the root takes z to y.
    let q: Vec<f64> = nodes[4]["rotation"].as_array().expect("it").iter().filter_map(Value::as_f64).collect();
    let up = glam::DQuat::from_slice(&q) * glam::DVec3::Z;
    // Of 32-bit numbers.
    assert!(up.distance(glam::DVec3::Y) < 1e-6, "{up}");
    assert_eq!(nodes[4]["children"], serde_json::json!([0, 1, 2, 3]));
    assert!(nodes[0]["extras"]["endless_plane_shown_m"].as_f64().expect("a width") > 2.0);
    // The balls share their surface and differ in colour.
    let primitive = |node: usize| {
        let mesh = nodes[node]["mesh"].as_u64().expect("a mesh") as usize;
        &document["meshes"][mesh]["primitives"][0]
    };
    assert_eq!(primitive(2)["attributes"], primitive(3)["attributes"]);
    assert_ne!(primitive(2)["material"], primitive(3)["material"]);
    // "#ff8000" is sRGB; glTF's colours are linear: 128 / 255 is 0.215861 by IEC 61966-2-1.
    let material = primitive(3)["material"].as_u64().expect("a material") as usize;
    let asked = &document["materials"][material]["pbrMetallicRoughness"]["baseColorFactor"];
    let asked: Vec<f64> = asked.as_array().expect("a colour").iter().filter_map(Value::as_f64).collect();
    assert!(asked.iter().zip([1.0, 0.215861, 0.0, 1.0]).all(|(a, b)| (a - b).abs() < 1e-6), "{asked:?}");
    for node in 0..4 {
        floats(&document, buffer, &primitive(node)["attributes"]["POSITION"]);
        for normal in floats(&document, buffer, &primitive(node)["attributes"]["NORMAL"]) {
            assert!((glam::Vec3::from_slice(&normal).length() - 1.0).abs() < 1e-6);
        }
    }
    let report: Value = serde_json::from_str(&stage.read("out/report.json")).expect("a report");
    let animation = &document["animations"][0];
    let mut ends: HashMap<(u64, String), Vec<f32>> = HashMap::new();
    for channel in animation["channels"].as_array().expect("channels") {
        let sampler = &animation["samplers"][channel["sampler"].as_u64().expect("it") as usize];
        let times = floats(&document, buffer, &sampler["input"]);
        let values = floats(&document, buffer, &sampler["output"]);
        assert_eq!((times.len(), values.len()), (51, 51));
        assert!(times.is_sorted_by(|a, b| a[0] < b[0]) && times[0] == [0.0] && times[50] == [0.5]);
        let target = &channel["target"];
        if target["path"] == "rotation" {
            for (a, b) in values.iter().zip(&values[1..]) {
                let [a, b] = [a, b].map(|q| glam::Quat::from_slice(q));
                assert!((b.length() - 1.0).abs() < 1e-6 && a.dot(b) > 0.0, "a turn goes the short way");
            }
        }
        let node = target["node"].as_u64().expect("a node");
        ends.insert((node, target["path"].as_str().expect("a path").to_owned()), values[50].clone());
    }
    for (node, body) in [(2_u64, 2), (3, 3)] {
        let position =
            report["bodies"][body]["position"].as_array().expect("it").iter().filter_map(Value::as_f64);
        let position: Vec<f32> = position.map(|x| x as f32).collect();
        assert_eq!(ends[&(node, "translation".to_owned())], position);
    }
    // The second ball turns by 2.5 rad from 170 degrees on, past the half turn at which its quaternion changes its sign.
    let q = glam::Quat::from_slice(&ends[&(3, "rotation".to_owned())]);
    let wanted = glam::Quat::from_rotation_z(170_f32.to_radians() + 2.5);
    assert!(q.dot(wanted).abs() > 1.0 - 1e-6, "{q}");
}

/// An array of a VTK file: what the header says of it, and its numbers.
struct Array {
    bytes: Vec<u8>,
}

impl Array {
    fn numbers(&self) -> Vec<f64> {
        self.bytes.chunks(8).map(|b| f64::from_le_bytes(b.try_into().expect("eight"))).collect()
    }

    fn whole(&self) -> Vec<i32> {
        self.bytes.chunks(4).map(|b| i32::from_le_bytes(b.try_into().expect("four"))).collect()
    }
}

/// The number of points, and the arrays of a file of VTK by their elements and names.
fn vtp(bytes: &[u8]) -> (usize, HashMap<String, Array>) {
    let mark = b"<AppendedData encoding=\"raw\">\n_";
    let at = bytes.windows(mark.len()).position(|window| window == mark).expect("appended data");
    let (header, appended) = (std::str::from_utf8(&bytes[..at]).expect("text"), &bytes[at + mark.len()..]);
    let value =
        |line: &str, key: &str| line.split(&format!("{key}=\"")).nth(1)?.split('"').next().map(str::to_owned);
    let (mut arrays, mut within, mut n_points) = (HashMap::new(), String::new(), 0);
    for line in header.lines().map(str::trim) {
        if line.starts_with("<Piece") {
            n_points = value(line, "NumberOfPoints").expect("it").parse().expect("a number");
        }
        match line.strip_prefix("<DataArray") {
            Some(_) => {
                let offset: usize = value(line, "offset").expect("it").parse().expect("a number");
                let start = offset + 8;
                let n = u64::from_le_bytes(appended[offset..start].try_into().expect("eight")) as usize;
                let name = format!("{within}/{}", value(line, "Name").expect("a name"));
                arrays.insert(name, Array { bytes: appended[start..start + n].to_vec() });
            }
            None => within = line.trim_matches(['<', '>', '/']).split(' ').next().expect("it").to_owned(),
        }
    }
    (n_points, arrays)
}

#[test]
fn vtk_holds_velocities_and_forces() {
    let stage = recorded();
    stage.ends("export out --vtk vtk --fps 20", 0, &["wrote vtk of 11 times"]);
    let series = stage.read("vtk/contacts.pvd");
    assert_eq!(series.matches("<DataSet").count(), 11);
    assert!(series.contains("<DataSet timestep=\"0.5\" file=\"contacts_00000050.vtp\"/>"), "{series}");
    let read = |name: &str| std::fs::read(stage.root.join("vtk").join(name)).expect("the file");
    let (n, arrays) = vtp(&read("bodies_00000050.vtp"));
    let (points, velocities) = (arrays["Points/Points"].numbers(), arrays["PointData/velocity"].numbers());
    assert_eq!((points.len(), velocities.len()), (3 * n, 3 * n));
    let corners = arrays["Polys/connectivity"].whole();
    let (cells, ends) = (arrays["CellData/body"].whole(), arrays["Polys/offsets"].whole());
    assert_eq!(
        (cells.len() * 3, ends.len() * 3, ends.last()),
        (corners.len(), corners.len(), Some(&(corners.len() as i32)))
    );
    assert!(cells.is_sorted() && cells[0] == 1 && cells.last() == Some(&3), "the floor is no moving body");
    // The ball rolls: its lowest point stands, its highest goes twice as fast as its middle. The mesh has both poles of the
    // ball, but they have turned; among 64 meridians a vertex is within 0.05 rad of either place, where the speed differs by 5 %.
    let of_ball = |k: &usize| (points[3 * k + 1] - 1.0).abs() < 0.5;
    let speeds =
        (0..n).filter(of_ball).map(|k| glam::DVec3::from_slice(&velocities[3 * k..3 * k + 3]).length());
    let [least, most] = speeds.fold([f64::INFINITY, 0.0_f64], |[a, b], v| [a.min(v), b.max(v)]);
    assert!(least < 0.05 && (most - 2.0).abs() < 0.01, "{least} {most}");
    // The box weighs 1 kg times gravity; a step's impulse is known to the solver's tolerance.
    let (n, arrays) = vtp(&read("contacts_00000050.vtp"));
    let (points, forces) = (arrays["Points/Points"].numbers(), arrays["PointData/force"].numbers());
    let at_box = (0..n).filter(|k| points[3 * k + 1].abs() < 0.5);
    let weight: glam::DVec3 = at_box.map(|k| glam::DVec3::from_slice(&forces[3 * k..3 * k + 3])).sum();
    assert!((weight.z.abs() - 9.81).abs() < 0.02 && weight.truncate().length() < 1e-6, "{weight}");
    assert!(
        arrays["CellData/a"].whole().iter().zip(arrays["CellData/b"].whole()).all(|(a, b)| a.min(&b) == &0)
    );
    // Before the first step nothing has acted.
    assert_eq!(vtp(&read("contacts_00000000.vtp")).0, 0);
    let (n, arrays) = vtp(&read("static.vtp"));
    assert_eq!((n, arrays["CellData/body"].whole()), (4, vec![0, 0]));
    let names: Vec<u8> = String::from_utf8_lossy(&read("static.vtp"))
        .split("format=\"ascii\">")
        .nth(1)
        .and_then(|text| text.split("</Array>").next().map(str::to_owned))
        .expect("names")
        .split_whitespace()
        .map(|byte| byte.parse().expect("a byte"))
        .collect();
    assert_eq!(names, b"floor\0box\0ball <1>, \"red\"\0twin\0");
}

#[test]
fn parquet_holds_the_tables_with_their_units() {
    use parquet::file::reader::{FileReader, SerializedFileReader};

    let stage = recorded();
    stage.ends("export out --parquet tables", 0, &["poses.parquet", "energy.parquet"]);
    assert_eq!(stage.files("tables"), ["contacts.parquet", "energy.parquet", "poses.parquet"]);
    for table in ["poses", "contacts", "energy"] {
        let file = std::fs::File::open(stage.root.join(format!("tables/{table}.parquet"))).expect("the file");
        let reader = SerializedFileReader::new(file).expect("it is Parquet");
        let csv = stage.read(&format!("out/{table}.csv"));
        let mut lines = csv::Reader::from_reader(csv.as_bytes());
        let header = lines.headers().expect("a header").clone();
        let mut n = 0;
        for (row, line) in reader.get_row_iter(None).expect("rows").zip(lines.records()) {
            let (row, line) = (row.expect("a row"), line.expect("a line"));
            for ((name, field), (wanted, text)) in row.get_column_iter().zip(header.iter().zip(&line)) {
                // The unit is in the column's metadata.
                assert_eq!(Some(name.as_str()), wanted.split(" [").next());
                match field {
                    // The same bits.
                    parquet::record::Field::Double(x) => assert_eq!(text.parse(), Ok(*x), "{table} {name}"),
                    parquet::record::Field::Str(found) => assert_eq!(found, text, "{table} {name}"),
                    other => assert_eq!(other.to_string(), text, "{table} {name}"),
                }
            }
            n += 1;
        }
        assert_eq!(n, csv.lines().count() - 1, "{table}");
    }
}

/// The line of a page that says of something that it is no number, if any does; the folder's name is any letters.
fn no_number(stage: &Stage, page: &str) -> Option<String> {
    let folder = stage.root.to_str().expect("a path of text");
    page.replace(folder, "").lines().find(|line| line.contains("NaN")).map(str::to_owned)
}

#[test]
fn the_page_needs_nothing_else_and_says_how_to_repeat_the_run() {
    let stage = recorded();
    stage.ends("export out --html report.html", 0, &["wrote report.html"]);
    let page = stage.read("report.html");
    for word in ["src=", "href=", "<script", "@import", "url("] {
        assert!(!page.contains(word), "{word}");
    }
    // The name of the drawing language is no address that anyone opens.
    let addresses = page.replace("http://www.w3.org/2000/svg", "");
    assert!(!addresses.contains("http"));
    let report: Value = serde_json::from_str(&stage.read("out/report.json")).expect("a report");
    for fact in [
        report["state_hash"].as_str().expect("a hash"),
        "run scene.toml --quiet --out out-again",
        "tactum replay out",
        "nothing that was expected failed",
        "ball &lt;1&gt;, &quot;red&quot;",
        ">Energy<",
        ">Contacts<",
    ] {
        assert!(page.contains(fact), "{fact}");
    }
    assert_eq!((page.matches("<svg").count(), no_number(&stage, &page)), (5, None));
    // A run that failed says so first.
    let other = Stage::with_scene(&SCENE.replace("above = 0", "above = 100"));
    other.ends("run scene.toml --out out --quiet", 1, &[]);
    other.ends("export out --html report.html", 0, &[]);
    let page = other.read("report.html");
    assert!(
        page.contains("<p class=\"bad\">The run came to its end; 1 expectation was not met.")
            && page.contains("expect[0]")
    );
}

/// A plot for each sensor and unit: a contact sensor has newtons, newton metres and a number.
#[test]
fn what_sensors_measure_is_plotted() {
    let sensors = "\n[[sensor]]\nname = 'floor & ball'\nmeasures = { contact = ['floor'] }\n[[sensor]]\nname = 'all'\nmeasures = 'energy'\n";
    let stage = Stage::with_scene(&(SCENE.to_owned() + sensors));
    stage.ends("run scene.toml --out out --quiet", 0, &[]);
    stage.ends("export out --html report.html", 0, &[]);
    let page = stage.read("report.html");
    assert_eq!((page.matches("<svg").count(), no_number(&stage, &page)), (5 + 3 + 1, None));
    for fact in [
        ">floor &amp; ball<",
        ">fx, fy, fz [N]<",
        ">tx, ty, tz [N m]<",
        ">contacts<",
        ">kinetic, potential, total [J]<",
    ] {
        assert!(page.contains(fact), "{fact}");
    }
}

#[test]
fn what_is_there_stays() {
    let stage = recorded();
    stage.ends("export out --gltf a.glb --vtk vtk --parquet tables --html a.html", 0, &[]);
    for what in ["--gltf a.glb", "--vtk vtk", "--parquet tables", "--html a.html"] {
        stage.ends(&format!("export out {what}"), 2, &["is there already", "--overwrite"]);
        stage.ends(&format!("export out {what} --overwrite"), 0, &[]);
    }
    let before = stage.read("out/poses.csv");
    for (what, file) in [("--html", "out/poses.csv"), ("--html", "out/run.json"), ("--html", "scene.toml")] {
        stage.ends(&format!("export out {what} {file} --overwrite"), 2, &["would take the place of"]);
    }
    assert_eq!(stage.read("out/poses.csv"), before);
    // What else is in a folder is not ours to remove, and none of its business.
    std::fs::write(stage.root.join("vtk/bodies_notes.vtp"), "mine").expect("a file");
    stage.ends("export out --vtk vtk --overwrite --fps 10", 0, &[]);
    assert_eq!(stage.read("vtk/bodies_notes.vtp"), "mine");
    assert!(
        !stage.root.join("vtk/bodies_00000002.vtp").exists(),
        "a picture of an earlier export is none of this one"
    );
    std::fs::write(stage.root.join("file"), "").expect("a file");
    stage.ends("export out --vtk file", 5, &["cannot write 'file'"]);
    stage.ends("export out --gltf none/b.glb", 5, &["there is no folder 'none'"]);
    stage.ends("export out", 2, &["--gltf", "--html"]);
    stage.ends("export out --gltf b.gltf", 2, &["b.gltf", "ends in .glb"]);
    stage.ends("export out --gltf b.glb --fps 0", 2, &["needed is a number above 0"]);
    stage.ends("export none --gltf b.glb", 2, &["none/run.json", "there is no such file"]);
    std::fs::remove_file(stage.root.join("out/poses.csv")).expect("it is removed");
    stage.ends("export out --gltf b.glb", 2, &["out/poses.csv", "there is no such file", "--record"]);
}

const TETRAHEDRON: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";

/// The scene may have gone, meshes may not: they may lie elsewhere, and have to be those of the run.
#[test]
fn a_run_knows_its_scene_and_looks_for_its_meshes() {
    let stage = Stage::with_scene("[[body]]\nname = 'it'\nshape = { mesh = { file = 'm/it.obj' } }\n");
    for folder in ["m", "there/m"] {
        std::fs::create_dir_all(stage.root.join(folder)).expect("a folder");
    }
    std::fs::write(stage.root.join("m/it.obj"), TETRAHEDRON).expect("a mesh");
    stage.ends("run scene.toml --steps 3 --out out", 0, &[]);
    std::fs::remove_file(stage.root.join("scene.toml")).expect("it is removed");
    stage.ends("export out --gltf a.glb", 0, &[]);
    stage.ends("replay out", 0, &[]);
    std::fs::rename(stage.root.join("m/it.obj"), stage.root.join("there/m/it.obj")).expect("it is moved");
    stage.ends("export out --gltf b.glb", 2, &["there is no mesh file", "m/it.obj"]);
    stage.ends("export out --gltf b.glb --meshes there", 0, &[]);
    let larger = TETRAHEDRON.replace("v 1 0 0", "v 1.5 0 0");
    std::fs::write(stage.root.join("there/m/it.obj"), larger).expect("a mesh");
    stage.ends("replay out --meshes there", 2, &["are not those of the run in 'out'", "--meshes"]);
}
