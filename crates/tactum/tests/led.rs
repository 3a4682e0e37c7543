//! Paths of kinematic bodies, forces over time, and sensors, as scenes state them.

mod stage;

use stage::Stage;

/// A plate that rises, moves aside and turns, with a box on it.
const LIFT: &str = r#"
dt = 0.01
duration = 2
[[body]]
name = "plate"
kind = "kinematic"
shape = { box = [1, 1, 0.1] }
position = [0, 0, -0.05]
motion = { places = [[0, 0, 0, 0], [1, 0, 0, 0.3], [2, 0.2, 0, 0.3]], turns_deg = [[0, 0, 0, 0], [2, 0, 0, 60]] }
[[body]]
name = "box"
shape = { box = [0.1, 0.1, 0.1] }
position = [0, 0, 0.05]
[[sensor]]
name = "load"
measures = { contact = ["box", "plate"] }
[[sensor]]
name = "plate"
measures = { pose = "plate" }
[[sensor]]
name = "energy"
measures = "energy"
"#;

/// The values of a sensor's quantity, from the start on.
fn sensor(table: &str, name: &str, quantity: &str) -> Vec<f64> {
    let middle = format!(",{name},{quantity},");
    let rows = table.lines().filter_map(|row| row.split_once(&middle));
    rows.map(|(_, rest)| rest.split(',').next().expect("a value").parse().expect("a number")).collect()
}

#[test]
fn a_body_follows_its_path_and_carries_what_lies_on_it() {
    let stage = Stage::with_scene(LIFT);
    let report = stage.json("run scene.toml --out out --json", 0);
    let at = |body: usize, axis: usize| report["bodies"][body]["position"][axis].as_f64().expect("a number");
    // A path is reached at the end of each step to rounding.
    for (axis, expected) in [0.2, 0.0, 0.25].into_iter().enumerate() {
        assert!((at(0, axis) - expected).abs() < 1e-12, "{axis}: {}", at(0, axis));
    }
    // Friction of 0.5 is more than the 0.8 m/s² aside, so that the box goes along; with steps of 10 ms it slips by some 1e-3 m, measured, as the
    // plate falls away below it and its weight comes in every other step.
    assert!((at(1, 0) - 0.2).abs() < 3e-3 && (at(1, 2) - 0.35).abs() < 1e-3, "{report}");
    let table = stage.read("out/sensors.csv");
    let z = sensor(&table, "plate", "z");
    assert_eq!(z.len(), 201);
    // Its first span begins and ends at rest, in its second one it stays.
    for (step, height) in [(25, 0.3 * (3.0 - 0.5) / 16.0), (50, 0.15), (100, 0.3), (150, 0.3), (200, 0.3)] {
        assert!((z[step] + 0.05 - height).abs() < 1e-12, "{step}: {}", z[step]);
    }
    // The plate lifts 1 kg by what it gains in height and speed: the mean force is its weight.
    let load = sensor(&table, "load", "fz");
    let mean = load[1..].iter().sum::<f64>() / 200.0;
    assert!((mean - 9.81).abs() < 0.02, "{mean}");
}

/// A crate that slides without friction does not turn, so nothing turns it, however fast it is: to what impulses are
/// solved to, once it has come to the depth at which it is held.
#[test]
fn what_carries_a_sliding_crate_has_no_torque_about_it() {
    for dt in [0.01, 0.002] {
        let stage = Stage::with_scene(&format!(
            r#"
dt = {dt}
duration = 0.1
[contact]
friction = 0
[[body]]
name = "floor"
kind = "static"
shape = {{ plane = {{}} }}
[[body]]
name = "crate"
mass = 24
shape = {{ box = [0.4, 0.3, 0.2] }}
position = [0, 0, 0.1]
linear_velocity = [2, 0, 0]
[[sensor]]
name = "load"
measures = {{ contact = ["crate"] }}
"#
        ));
        stage.ends("run scene.toml --out out", 0, &[]);
        let table = stage.read("out/sensors.csv");
        for (force, torque) in
            sensor(&table, "load", "fz").into_iter().zip(sensor(&table, "load", "ty")).skip(2)
        {
            assert!((force - 24.0 * 9.81).abs() < 1e-6 && torque.abs() < 1e-6, "{force} N, {torque} N m");
        }
    }
}

#[test]
fn a_run_that_goes_on_follows_the_same_path() {
    let stage = Stage::with_scene(LIFT);
    stage.ends("run scene.toml --out whole", 0, &[]);
    stage.ends("run scene.toml --steps 77 --checkpoint-every 77 --out parts", 0, &[]);
    stage.ends("run scene.toml --resume parts --out parts", 0, &[]);
    for table in ["poses.csv", "contacts.csv", "energy.csv", "sensors.csv"] {
        assert_eq!(stage.read(&format!("whole/{table}")), stage.read(&format!("parts/{table}")), "{table}");
    }
}

/// A table of poses is a path: the same motion comes out, from row to row.
#[test]
fn a_recorded_motion_is_a_path() {
    let stage = Stage::with_scene(LIFT);
    stage.ends("run scene.toml --out out", 0, &[]);
    let again = LIFT.replace("motion = { places = [[0, 0, 0, 0], [1, 0, 0, 0.3], [2, 0.2, 0, 0.3]], turns_deg = [[0, 0, 0, 0], [2, 0, 0, 60]] }",
        "motion = { file = \"out/poses.csv\", of = \"plate\", between = \"straight\" }").replace("position = [0, 0, -0.05]", "");
    std::fs::write(stage.root.join("again.toml"), again).expect("a scene");
    stage.ends("run again.toml --out again", 0, &[]);
    let z = |folder: &str| sensor(&stage.read(&format!("{folder}/sensors.csv")), "plate", "z");
    for (found, expected) in z("again").iter().zip(z("out")) {
        assert!((found - expected).abs() < 1e-12, "{found} for {expected}");
    }
    // A path that is a table of the run's own folder would be overwritten.
    stage.ends("run again.toml --out out --overwrite", 2, &["would take the place of the path"]);
    stage.ends("check again.toml", 0, &[]);
    std::fs::write(
        stage.root.join("again.toml"),
        LIFT.replace("motion = {", "motion = { file = \"x.csv\" } # {"),
    )
    .expect("a scene");
    for (text, words) in [
        ("time,x,y\n0,0,0\n", "no column 'z'"),
        ("time,x,y,z\n0,0,0,nan\n", "x.csv:2: z is 'nan'"),
        (
            "time,x,y,z\n1,0,0,0\n0,0,0,0\n",
            "x.csv:3: the time is 0 s after 1 s: times have to grow from row to row",
        ),
        ("time,qx,qy,qz,qw\n0,0,0,0,0\n", "x.csv:2: the quaternion qx, qy, qz, qw cannot be zero"),
        ("time,x,y,z,w\n0,0,0,0,0\n", "x.csv:1: there is no use for a column 'w'"),
        ("time [h],x,y,z\n0,0,0,0\n", "x.csv:1: the column 'time' is in 'h', but has to be in one of s, ms"),
        ("time;x;y;z\n0;0;0;0\n", "columns are separated by commas, not by semicolons"),
        ("time,x,y,z\n", "there are no rows"),
        ("time,body,x,y,z\n0,a,0,0,0\n1,b,0,0,0\n", "rows of 'a' and of 'b'"),
        ("time,x,y,z\n0,0\n", "x.csv:2: the row has 2 cells, but there are 4 columns, time, x, y, z"),
    ] {
        std::fs::write(stage.root.join("x.csv"), text).expect("a table");
        let ended = stage.tactum("check again.toml");
        let said = String::from_utf8_lossy(&ended.stderr).replace("\n  │ ", " ");
        assert_eq!(ended.status.code(), Some(2), "{said}");
        assert!(said.contains(words), "{words} in {said}");
    }
}

/// A path in milliseconds and millimetres is that in seconds and metres, and one of turns only goes nowhere.
#[test]
fn tables_have_units() {
    let scene = "dt = 0.01\nduration = 1\n[[body]]\nname = \"plate\"\nkind = \"kinematic\"\nshape = { box = [1, 1, 0.1] }\n\
                 motion = { file = \"path.csv\", between = \"straight\" }\n";
    let stage = Stage::with_scene(scene);
    let end = |table: &str| {
        std::fs::write(stage.root.join("path.csv"), table).expect("a table");
        let report = stage.json("run scene.toml --json", 0);
        let body = &report["bodies"][0];
        (body["position"].clone(), body["orientation"].clone())
    };
    let (place, _) = end("# a path\ntime [ms],x [mm],y [cm],z [ft]\n0,0,0,0\n1000,1000,50,1\n");
    let near = |ix: usize, wanted: f64| (place[ix].as_f64().expect("a number") - wanted).abs() < 1e-12;
    assert!(near(0, 1.0) && near(1, 0.5) && near(2, 0.3048), "{place}");
    let (place, _) = end("time,qx,qy,qz,qw\n0,0,0,0,1\n1,0,0,1,1\n");
    assert_eq!(place, serde_json::json!([0.0, 0.0, 0.0]));
}

/// Impulse is force by time: also where the force jumps within a step, and off the centre it turns.
#[test]
fn forces_change_momentum_by_their_area() {
    let scene = r#"
dt = 0.01
duration = 1
gravity = [0, 0, 0]
[[body]]
name = "ball"
mass = 2
shape = { sphere = 0.5 }
[[force]]
body = "ball"
force = [[0, 3, 0, 0], [0.105, 3, 0, 0], [0.105, 0, 0, 0], [0.5, 0, 4, 0], [1, 0, 0, 0]]
torque = [0, 0, 0.1]
"#;
    let stage = Stage::with_scene(scene);
    let report = stage.json("run scene.toml --json", 0);
    let velocity = |key: &str, axis: usize| report["bodies"][0][key][axis].as_f64().expect("a number");
    // Areas: 3 * 0.105 along x; triangles of 0.395 and of 0.5 s below 4 N along y.
    for (axis, area) in [3.0 * 0.105, 0.5 * 4.0 * (0.395 + 0.5), 0.0].into_iter().enumerate() {
        assert!((velocity("linear_velocity", axis) - area / 2.0).abs() < 1e-12, "{axis}: {report}");
    }
    // The inertia of the ball is 0.4 m r² = 0.2 kg m².
    assert!((velocity("angular_velocity", 2) * 0.2 - 0.1).abs() < 1e-12, "{report}");
    // Off the centre, 3 N on a lever of 0.25 m for one step.
    let aside = Stage::with_scene(&scene.replace("torque", "at = [0, 0, 0.25]\ntorque"));
    let report = aside.json("run scene.toml --json --steps 1", 0);
    let turning = report["bodies"][0]["angular_velocity"][1].as_f64().expect("a number");
    assert!((turning * 0.2 - 3.0 * 0.25 * 0.01).abs() < 1e-12, "{report}");
}

/// A turn of 360 degrees ends where one of 0 begins.
/// A thruster on a disc that spins at 3 rad/s turns with it: its velocity goes round a circle, `F / (m w) (sin wt, 1 - cos wt)`. A force along
/// the axes in the middle of each step makes that longer by `(w dt)² / 24`, 4e-5 in steps of 10 ms, and no more.
#[test]
fn a_force_along_the_axes_of_a_body_turns_with_it_in_second_order() {
    let stage = Stage::with_scene(
        "dt = 0.01\nduration = 1\ngravity = [0, 0, 0]\n[[body]]\nname = 'disc'\nmass = 2\nshape = { cylinder = { radius = 0.1, height = 0.02 } }\n\
         position = [0, 0, 1]\nangular_velocity = [0, 0, 3]\n[[force]]\nbody = 'disc'\nforce = [5, 0, 0]\naxes = 'body'\n\
         [[sensor]]\nname = 'disc'\nmeasures = { velocity = 'disc' }\n",
    );
    stage.ends("run scene.toml --out out --quiet", 0, &[]);
    let table = stage.read("out/sensors.csv");
    let (w, amplitude) = (3.0_f64, 5.0 / (2.0 * 3.0));
    let [vx, vy] = ["vx", "vy"].map(|quantity| sensor(&table, "disc", quantity));
    for (step, (vx, vy)) in vx.into_iter().zip(vy).enumerate() {
        let (sin, cos) = (w * 0.01 * step as f64).sin_cos();
        let error = (vx - amplitude * sin).hypot(vy - amplitude * (1.0 - cos));
        let size = amplitude * sin.hypot(1.0 - cos);
        assert!(error <= 4e-5 * size + 1e-12, "{step}: {error} of {size}");
    }
}

#[test]
fn a_full_turn_may_be_repeated() {
    let text = "[[body]]\nname = 'a'\nkind = 'kinematic'\nshape = { box = [1, 1, 1] }\n\
                motion = { repeat = true, turns_deg = [[0, 0, 0, 0], [1, 0, 0, 120], [2, 0, 0, 240], [3, 0, 0, 360]] }\n";
    Stage::with_scene(text).ends("check scene.toml", 0, &[]);
}

#[test]
fn what_makes_no_sense_is_refused() {
    for (from, to, words) in [
        ("kind = \"kinematic\"", "kind = \"static\"", "has a motion, but is not kinematic"),
        ("[1, 0, 0, 0.3]", "[2.5, 0, 0, 0.3]", "goes back in time: 2 s after 2.5 s"),
        (
            "places = [[0, 0, 0, 0], [1, 0, 0, 0.3], [2, 0.2, 0, 0.3]]",
            "repeat = true, places = [[0, 0, 0, 0], [1, 0, 0, 1]]",
            "does not end where it begins",
        ),
        (
            "places = [[0, 0, 0, 0], [1, 0, 0, 0.3], [2, 0.2, 0, 0.3]]",
            "repeat = true, places = [[0, 0, 0, 0], [2, 0, 0, 0]]",
            "does not end where it begins",
        ),
        ("motion = {", "motion = { file = \"a.csv\",", "both lists and a file"),
        ("motion = {", "motion = {} # {", "is empty"),
        ("[\"box\", \"plate\"]", "[\"box\", \"plte\"]", "did you mean 'plate'?"),
        ("[\"box\", \"plate\"]", "[\"box\", \"box\"]", "one body, or two different ones"),
        ("name = \"energy\"", "name = \"load\"", "two sensors are named 'load'"),
        ("measures = \"energy\"", "measures = \"heat\"", "'heat' is none of the choices here"),
        (
            "[[sensor]]\nname = \"load\"",
            "[[force]]\nbody = \"plate\"\nforce = [1, 0, 0]\n[[sensor]]\nname = \"load\"",
            "no force moves 'plate'",
        ),
        (
            "[[sensor]]\nname = \"load\"",
            "[[force]]\nbody = \"bx\"\nforce = [1, 0, 0]\n[[sensor]]\nname = \"load\"",
            "did you mean 'box'?",
        ),
        (
            "[[sensor]]\nname = \"load\"",
            "[[force]]\nbody = \"box\"\nforce = [[1, 0, 0]]\n[[sensor]]\nname = \"load\"",
            "found length 3",
        ),
    ] {
        assert!(LIFT.contains(from), "{from}");
        let stage = Stage::with_scene(&LIFT.replacen(from, to, 1));
        let ended = stage.tactum("check scene.toml");
        let said = String::from_utf8_lossy(&ended.stderr).replace("\n  │ ", " ");
        assert_eq!(ended.status.code(), Some(2), "{to}: {said}");
        assert!(said.contains(words), "{to}: {words} in {said}");
    }
}
