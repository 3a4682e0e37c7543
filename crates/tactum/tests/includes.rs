//! Scenes made of several files: bodies of included scenes, and tables of poses.

mod stage;

use std::path::Path;

use glam::{DQuat, DVec3};
use stage::Stage;
use tactum::scene::{Override, Scene, SceneError, included_files};
use tactum_geometry::Pose;
use tactum_sim::World;

/// A tray that swings as a table of a path says, two balls on it, a door on a servo that a force pushes, and a wedge from a file in another folder.
const PART: &str = r#"
dt = 0.01
duration = 0.3
[parameters]
push = 0.5
[contact]
friction = 0.4
[[material]]
name = "wood"
friction = 0.3
[[body]]
name = "tray"
kind = "kinematic"
material = "wood"
shape = { box = [0.4, 0.3, 0.02] }
groups = ["trays"]
motion = { file = "path.csv" }
[[body]]
name = "ball"
material = "wood"
shape = { sphere = 0.02 }
position = [0, 0, 0.03]
copies = { grid = [2, 1, 1], spacing = [0.1, 0, 0], random_orientation = true, seed = 4 }
touches = ["trays"]
[[body]]
name = "door"
shape = { box = [0.2, 0.02, 0.3] }
position = [0.1, 1, 0.5]
[[body]]
name = "wedge"
kind = "static"
shape = { mesh = { file = "meshes/wedge.obj" } }
position = [0, -1, 0]
[[pair]]
bodies = ["ball", "tray"]
friction = 0.2
[[joint]]
name = "hinge"
bodies = ["door"]
anchor = [0, 1, 0.5]
axis = [0, 0, 1]
kind = { revolute = { servo = { target_deg = 20, stiffness = 2, damping = 0.1 } } }
[[force]]
body = "door"
force = [[0, 0, "= push", 0], [1, 0, 0, 0]]
[[sensor]]
name = "load"
measures = { contact = ["ball-0", "tray"] }
"#;

const WEDGE: &str = "v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nv 0 0 0.1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

const PATH: &str = "time [s],x [m],y,z,qx,qy,qz,qw\n0,0,0,0,0,0,0,1\n0.3,0.05,0.01,0,0,0,0.1,0.995\n";

/// A frame that leaves what is up up: gravity is the including scene's.
const FRAME: &str = "position = [3, -2, 0.5]\norientation = { euler_deg = [0, 0, 70] }\n";

fn frame() -> Pose {
    Pose::new(DVec3::new(3.0, -2.0, 0.5), DQuat::from_rotation_z(70_f64.to_radians()))
}

/// `part/part.toml` with its files, and a scene that includes it.
fn stage(include: &str) -> Stage {
    let stage = Stage::with_scene(&format!(
        "dt = 0.01\nduration = 0.3\n[contact]\nfriction = 0.4\n[[body]]\nname = \"own\"\nshape = {{ sphere = 1 }}\n\
         position = [0, 0, 50]\n[[include]]\nname = \"there\"\nfile = \"part/part.toml\"\n{include}"
    ));
    std::fs::create_dir_all(stage.root.join("part/meshes")).expect("a folder");
    for (name, text) in [("part.toml", PART), ("path.csv", PATH), ("meshes/wedge.obj", WEDGE)] {
        std::fs::write(stage.root.join("part").join(name), text).expect("a file");
    }
    stage
}

fn scene(path: &Path) -> Scene {
    Scene::load(path).unwrap_or_else(|error| panic!("{error}"))
}

/// The world of a scene after its steps.
fn end(path: &Path) -> World {
    let options = tactum::run::RunOptions::default();
    let run = tactum::Run::prepare(scene(path), &options).unwrap_or_else(|error| panic!("{error}"));
    let mut detector = tactum::backend::Detector::exact();
    run.finish(&mut detector, &std::sync::atomic::AtomicBool::new(false), |_, _| {}).expect("no files").world
}

/// Each body of the part ends where its own scene ends, seen through the frame.
#[test]
fn an_included_scene_does_what_it_does_alone() {
    /// Thirty steps of bodies some metres away, turned: rounding of 1e-15 that contacts and servos hand on.
    const ROUNDING: f64 = 1e-11;
    let stage = stage(FRAME);
    let [alone, there] = ["part/part.toml", "scene.toml"].map(|name| end(&stage.root.join(name)));
    assert_eq!(there.bodies()[0].name, "own");
    assert_eq!(there.bodies().len(), 1 + alone.bodies().len());
    for (body, moved) in alone.bodies().iter().zip(&there.bodies()[1..]) {
        assert_eq!(moved.name, format!("there.{}", body.name));
        let [wanted, found] = [frame().then(&body.w_from_shape()), moved.w_from_shape()]
            .map(|pose| pose.point(DVec3::splat(0.1)));
        assert!(wanted.distance(found) < ROUNDING, "{}: {wanted} {found}", moved.name);
        assert_eq!((moved.friction, moved.mass.mass), (body.friction, body.mass.mass), "{}", moved.name);
    }
    let turned = [&alone, &there].map(|world| world.joint_states()[0].coordinate);
    assert!(turned[0].abs() > 0.01 && (turned[0] - turned[1]).abs() < ROUNDING, "{turned:?}");
    assert_eq!(there.joints()[0].name, "there.hinge");
}

#[test]
fn all_names_of_a_file_stand_behind_that_of_its_include() {
    let stage = stage("");
    let scene = scene(&stage.root.join("scene.toml"));
    let spec = scene.spec();
    assert!(scene.warnings().is_empty(), "{:?}", scene.warnings());
    let names = spec.expanded_names();
    assert_eq!(names, ["own", "there.tray", "there.ball-0", "there.ball-1", "there.door", "there.wedge"]);
    assert_eq!(
        (spec.materials[0].name.as_str(), spec.sensors[0].name.as_str()),
        ("there.wood", "there.load")
    );
    assert_eq!(spec.pairs[0].bodies, Some(["there.ball", "there.tray"].map(str::to_owned)));
    assert_eq!(spec.bodies[2].touches.as_deref(), Some(&["there.trays".to_owned()][..]));
    stage.ends("run scene.toml --out out", 0, &[]);
    assert!(stage.read("out/sensors.csv").contains("there.load"));
    stage.ends("check scene.toml", 0, &[]);
    // What a file says of its own run is not taken.
    assert!((spec.settings().dt - 0.01).abs() < 1e-15 && spec.expectations.is_empty());
}

#[test]
fn parameters_of_a_file_can_be_set_and_files_can_include_others() {
    let push = |include: &str| {
        let stage = stage(include);
        let scene = scene(&stage.root.join("scene.toml"));
        format!("{:?}", scene.spec().forces[0].force)
    };
    assert!(push("").contains("0.5") && push("parameters = { push = 0.25 }\n").contains("0.25"));
    // Through a file between, with frames one after the other.
    let stage = stage(FRAME);
    let between = format!("[[include]]\nname = \"in\"\nfile = \"part/part.toml\"\n{FRAME}");
    stage.write("between.toml", between);
    let outer = format!("[[include]]\nname = \"out\"\nfile = \"between.toml\"\n{FRAME}");
    stage.write("outer.toml", outer);
    let world = tactum::build::build(&scene(&stage.root.join("outer.toml"))).expect("a world").world;
    let door = world.bodies().iter().find(|body| body.name == "out.in.door").expect("it is there");
    let wanted = frame().point(frame().point(DVec3::new(0.1, 1.0, 0.5)));
    assert!(door.position.distance(wanted) < 1e-14, "{} {wanted}", door.position);
}

/// What is set by the name that a body has in the including scene is set in the file, however deep that is included, and stands in the
/// scene's text.
#[test]
fn bodies_of_included_files_are_set_by_their_whole_names() {
    let stage = stage("set = { \"joint.hinge.anchor\" = [0, 1, 0.25] }\n");
    stage.write("outer.toml", "[[include]]\nname = \"out\"\nfile = \"scene.toml\"\nposition = [0, 0, 9]\n");
    let load = |path: &str, set: &[&str]| {
        let set: Result<Vec<Override>, SceneError> = set.iter().map(|text| Override::parse(text)).collect();
        Scene::load_with(&stage.root.join(path), &set?)
    };
    let plain = load("outer.toml", &[]).expect("a scene");
    assert_eq!(plain.spec().joints[0].anchor, [0.0, 1.0, 9.25]);
    let set = [
        "body.out.there.door.shape.box[0]=0.3",
        "body.\"out.there.door\".friction=0.7",
        "material.out.there.wood.friction=0.1",
        "body.out.own.density=500",
        "body.out.there.ball.shape={ sphere = 0.01 }",
    ];
    let scene = load("outer.toml", &set).expect("a scene");
    let body = |name: &str| scene.spec().bodies.iter().find(|body| body.name == name).expect("it is there");
    assert_eq!(body("out.there.door").friction, Some(0.7));
    assert!(format!("{:?}", body("out.there.door").shape).contains("0.3"));
    assert_eq!(body("out.own").density, Some(500.0));
    assert!(format!("{:?}", body("out.there.ball").shape).contains("0.01"));
    assert_eq!(scene.spec().materials[0].friction, Some(0.1));
    let again = Scene::parse_with(scene.text(), &stage.root.join("outer.toml"), &[]).expect("its own text");
    assert_eq!(format!("{:?}", again.spec()), format!("{:?}", scene.spec()));

    for (change, words) in [
        ("body.out.there.dor.friction=1", "cannot set 'body.out.there.dor.friction': there is no body 'dor'"),
        ("body.out.there.door.frction=1", "cannot set 'body.out.there.door.frction'"),
        ("body.ot.there.door.friction=1", "there is no body 'ot'; did you mean 'out'?"),
    ] {
        let error = load("outer.toml", &[change]).expect_err(change).to_string();
        assert!(error.contains(words), "{change}: {error}");
    }
}

/// What an include sets that its file does not have is told where the including file says it.
#[test]
fn a_set_that_leads_nowhere_is_told_at_its_place() {
    let stage = stage("set = { \"body.dor.friction\" = 1 }\n");
    let error = Scene::load(&stage.root.join("scene.toml")).expect_err("no such body").to_string();
    let told = "include 'there': cannot set 'body.dor.friction': there is no body 'dor'";
    assert!(error.contains("scene.toml:") && error.contains(told), "{error}");
    // Also in a file that is included itself.
    stage.write("outer.toml", "[[include]]\nname = \"out\"\nfile = \"scene.toml\"\n");
    let error = Scene::load(&stage.root.join("outer.toml")).expect_err("no such body").to_string();
    assert!(error.contains("scene.toml:") && error.contains(told), "{error}");
}

/// Of a scene that is none the files are known all the same, missing ones and circles among them.
#[test]
fn files_that_are_included_are_known_before_they_are_right() {
    let stage = stage("");
    stage.write(
        "part/part.toml",
        "[[include]]\nname = 'up'\nfile = '../scene.toml'\n[[include]]\nfile = 'gone.toml'\n",
    );
    assert!(Scene::load(&stage.root.join("scene.toml")).is_err());
    let files = included_files(&stage.root.join("scene.toml"));
    let wanted = ["part/part.toml", "part/gone.toml", "part/../scene.toml"].map(|file| stage.root.join(file));
    assert!(wanted.iter().all(|file| files.contains(file)), "{files:?}");
}

#[test]
fn what_cannot_be_included_is_told_where_it_stands() {
    let own = "scene.toml:";
    for (include, words) in [
        ("parameters = { pusch = 1 }\n", vec![own, "no parameter 'pusch'", "did you mean 'push'?"]),
        ("position = [nan, 0, 0]\n", vec![own, "position[0] is NaN"]),
        (
            "[[include]]\nname = \"there\"\nfile = \"part/part.toml\"\n",
            vec!["two includes are named 'there'"],
        ),
        (
            "[[include]]\nname = \"b\"\nfile = \"none.toml\"\n",
            vec![own, "include 'b'", "cannot read", "none.toml"],
        ),
        ("[[include]]\nname = \"b\"\nfile = \"scene.toml\"\n", vec!["in a circle: scene.toml -> scene.toml"]),
        ("[[include]]\nname = \"b\"\nfile = \"bad.toml\"\n", vec!["bad.toml:3:1", "unknown key 'shap'"]),
        ("[[include]]\nname = \"b\"\nfile = \"circle.toml\"\n", vec!["circle.toml -> scene.toml"]),
        (
            "[[body]]\nname = \"there.door\"\nshape = { sphere = 1 }\n",
            vec!["two bodies are named 'there.door'"],
        ),
        ("[[include]]\nname = \"b\"\nfile = \"broken.toml\"\n", vec![own, "'b.x'", "there is no mesh file"]),
    ] {
        let stage = stage(include);
        for (name, text) in [
            ("bad.toml", "[[body]]\nname = 'x'\nshap = { sphere = 1 }\n"),
            ("circle.toml", "[[include]]\nname = 'c'\nfile = 'scene.toml'\n"),
            ("broken.toml", "[[body]]\nname = 'x'\nshape = { mesh = { file = 'no.obj' } }\n"),
        ] {
            stage.write(name, text);
        }
        stage.ends("check scene.toml", 2, &words);
    }
}

/// Included files decide how a run goes as the scene itself does.
#[test]
fn included_files_are_part_of_what_a_run_is_made_from() {
    let stage = stage("");
    std::fs::write(
        stage.root.join("sweep.toml"),
        "scene = 'scene.toml'\ncross.contact.friction = [0.1, 0.2]\n",
    )
    .expect("a file");
    stage.ends("run scene.toml --checkpoint-every 10 --out out", 0, &[]);
    stage.ends("batch sweep.toml --out many", 0, &[]);
    stage.ends("replay out", 0, &[]);
    stage.ends("export out --gltf part/part.toml --overwrite", 2, &["part.toml"]);
    let changed = PART.replace("position = [0.1, 1, 0.5]", "position = [0.1, 1, 0.6]");
    stage.write("part/part.toml", changed);
    stage.ends("run scene.toml --resume out --out out", 2, &["another"]);
    stage.ends("replay out", 2, &["included files"]);
    stage.ends("batch sweep.toml --out many --resume", 2, &["part/part.toml"]);
}

const TABLE: &str =
    "# bricks\nname,x [mm],y,z [m],qx,qy,qz,qw\na,0,0,1,0,0,0,1\n# the other one\nb,1000,0,1,0,0,3,3\n";

fn placed(table: &str, body: &str) -> Result<Scene, SceneError> {
    let stage = Stage::with_scene(&format!(
        "[[body]]\nname = \"brick\"\nshape = {{ box = [0.2, 0.1, 0.1] }}\nposes = \"table.csv\"\n{body}"
    ));
    stage.write("table.csv", table);
    Scene::load(&stage.root.join("scene.toml"))
}

#[test]
fn a_table_places_a_body_for_each_row() {
    let body = "position = [0, 0, 10]\norientation = { euler_deg = [0, 0, 90] }\n";
    let scene = placed(TABLE, body).unwrap_or_else(|error| panic!("{error}"));
    let world = tactum::build::build(&scene).expect("a world").world;
    let [a, b] = world.bodies() else { panic!("{} bodies", world.bodies().len()) };
    assert_eq!((a.name.as_str(), b.name.as_str()), ("brick-a", "brick-b"));
    // Turned by 90 degrees, what lies along x lies along y; the second one is turned by as much again.
    let ends = [a, b].map(|body| body.w_from_shape().point(DVec3::new(0.1, 0.0, 0.0)));
    assert!(ends[0].distance(DVec3::new(0.0, 0.1, 11.0)) < 1e-14, "{}", ends[0]);
    assert!(ends[1].distance(DVec3::new(-0.1, 1.0, 11.0)) < 1e-14, "{}", ends[1]);
    let unnamed = placed("x,y,z\n0,0,1\n1,0,1\n", "").unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(unnamed.spec().expanded_names(), ["brick-0", "brick-1"]);
}

#[test]
fn what_is_wrong_with_a_table_is_told_with_its_line() {
    for (table, body, words) in [
        ("x,y\n0,0\n", "", "table.csv:1: there is no column 'z'; the columns are x, y"),
        ("x,y,z\n0,0,1\n0,zero,1\n", "", "table.csv:3: y is 'zero', but has to be a finite number"),
        ("x,y,z\n0,inf,1\n", "", "table.csv:2: y is 'inf'"),
        (
            "x,y,z,qx,qy,qz,qw\n0,0,1,0,0,0,0\n",
            "",
            "table.csv:2: the quaternion qx, qy, qz, qw cannot be zero",
        ),
        ("x,y,z,qx\n0,0,1,0\n", "", "there is no column 'qy'"),
        ("name,x,y,z\n,0,0,1\n", "", "table.csv:2: '' is no name"),
        ("x,y,z\n", "", "the table has no rows"),
        ("x,y,z\n0,0\n", "", "table.csv:2: the row has 2 cells, but there are 3 columns"),
        (
            "x,y,z,rx,ry,rz\n0,0,0,0,0,9\n",
            "",
            "table.csv:1: there is no use for a column 'rx': known are name, x, y, z, qx",
        ),
        ("x [km],y,z\n0,0,0\n", "", "table.csv:1: the column 'x' is in 'km', but has to be in one of m, cm"),
        (
            "name,x,y,z\na,0,0,1\na,0,0,2\n",
            "",
            "rows 1 and 2 of the table 'table.csv' both name a body 'brick-a'",
        ),
        (TABLE, "copies = { grid = [1, 1, 1], spacing = [1, 1, 1] }\n", "both copies and a table of poses"),
    ] {
        let said = placed(table, body).expect_err(table).to_string();
        assert!(said.contains(words) && said.contains("scene.toml:"), "{table}: {said}");
    }
}
