//! Sweep files: what is said of those that are wrong, values that are expressions, and bodies that only some runs have.

mod stage;

use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use stage::Stage;

/// A box that slides, and a row of balls of which runs may have more or fewer.
const SCENE: &str = r#"
dt = 0.01
duration = 0.05
[parameters]
size = 0.2
[contact]
friction = 0.5
[[body]]
name = "floor"
kind = "static"
shape = { plane = {} }
[[body]]
name = "box"
mass = 1
shape = { box = ["= size", 0.1, 0.1] }
position = [0, 0, 0.05]
linear_velocity = [1, 0, 0]
[[body]]
name = "ball"
shape = { sphere = 0.05 }
position = [5, 0, 0.05]
copies = { grid = [1, 1, 1], spacing = [1, 1, 1] }
"#;

fn stage(sweep: &str) -> Stage {
    let stage = Stage::with_scene(SCENE);
    stage.write("sweep.toml", sweep);
    stage
}

/// The values of a column of a table of comma-separated values, none of which holds a comma.
fn column(stage: &Stage, table: &str, name: &str) -> Vec<String> {
    let text = stage.read(table);
    let mut lines = text.lines();
    let ix = lines.next().and_then(|head| head.split(',').position(|known| known == name));
    let ix = ix.unwrap_or_else(|| panic!("no column '{name}' in {text}"));
    lines.map(|line| line.split(',').nth(ix).expect("a cell").to_owned()).collect()
}

#[test]
fn slips_in_a_sweep_are_told_with_what_was_meant() {
    for (text, words) in [
        ("[[kep]]\nquantity = 'contacts'", ["unknown key 'kep'", "did you mean 'keep'?"]),
        ("[[keep]]\nquantiy = 'contacts'", ["unknown key 'quantiy'", "did you mean 'quantity'?"]),
        (
            "[[keep]]\nquantity = 'contacts'\nreduce = 'maxi'",
            ["'maxi' is none of the choices", "did you mean 'max'?"],
        ),
        ("[[event]]\nname = 'e'\nkinetic_enery = { below = 1 }", ["unknown key", "'kinetic_energy'"]),
        ("[random]\nn = 2\nsed = 1\n[random.draw]", ["unknown key 'sed'", "did you mean 'seed'?"]),
        ("[keep]\nquantity = 'contacts'", ["keep is a table", "write [[keep]], with two brackets"]),
        ("[random]\nn = 'two'\n[random.draw]", ["random.n is", "a whole number"]),
        ("cross = 3", ["cross is", "has to be a table"]),
        ("x = [1", ["sweep.toml:2:7", "a list is not closed"]),
    ] {
        stage(&format!("scene = 'scene.toml'\n{text}\n")).ends("batch sweep.toml --out out", 2, &words);
    }
}

#[test]
fn one_number_of_a_course_needs_no_list() {
    let sweep = "scene = 'scene.toml'\ncross.contact.friction = [0.2]\n[[keep]]\nquantity = 'travel'\nbody = 'box'\nreduce = 'max'\n";
    let stage = stage(sweep);
    stage.ends("batch sweep.toml --out out --csv", 0, &[]);
    assert_eq!(column(&stage, "out/runs.csv", "box.travel.max").len(), 1);
}

#[test]
fn scenes_and_sweeps_are_told_apart() {
    let stage = stage("scene = 'scene.toml'\ncross.contact.friction = [0.2, 0.4]\n");
    let sweep = ["this file is a sweep, not a scene", "`tactum batch`"];
    stage.ends("run sweep.toml", 2, &sweep);
    stage.ends("check sweep.toml", 2, &sweep);
    stage.ends("batch scene.toml --out out", 2, &["this file is a scene, not a sweep", "`tactum run`"]);
    stage.ends("batch sweep.toml --out out", 0, &[]);
    for command in ["replay out", "export out --gltf x.glb"] {
        stage.ends(command, 2, &["is the folder of a batch", "runs.parquet"]);
    }
}

/// Two thirds of 0.3, and the number itself.
#[test]
fn expressions_are_kept_as_the_numbers_that_they_give() {
    let sweep = "scene = 'scene.toml'\n[zip]\nparameters.size = [0.3, 0.5]\nbody.box.friction = ['= 2 * size / 3', 0.7]\n";
    let stage = stage(sweep);
    stage.ends("batch sweep.toml --out out --csv", 0, &[]);
    let found = column(&stage, "out/runs.csv", "body.box.friction");
    let found: Vec<f64> = found.iter().map(|cell| cell.parse().expect("a number")).collect();
    assert!((found[0] - 0.2).abs() < 1e-15 && found[1] == 0.7, "{found:?}");
}

#[test]
fn what_only_some_runs_have_has_no_value_in_the_others() {
    let keep = "[[keep]]\nquantity = 'z'\nbody = 'ball-1'\n[[event]]\nname = 'slow'\nbody = 'ball-1'\nspeed = { below = 1e-3 }\n";
    let sweep = format!(
        "scene = 'scene.toml'\ncross.body.ball.copies.grid = [[1, 1, 1], [2, 1, 1], [3, 1, 1]]\n{keep}"
    );
    let stage = stage(&sweep);
    stage.ends("batch sweep.toml --out out --csv", 0, &[]);
    // From the end of each row, for the lists among the values hold commas: the event's time, and the height.
    let rows = stage.read("out/runs.csv");
    for (run, row) in rows.lines().skip(1).enumerate() {
        let cells: Vec<&str> = row.rsplit(',').take(2).collect();
        let [z, slow] = cells.as_slice() else { panic!("{row}") };
        if run == 0 {
            assert_eq!([*z, *slow], ["", ""], "{rows}");
            continue;
        }
        // It lies on the floor, sunk in by less than a thousandth of its radius, and is slow from the start.
        assert!((z.parse::<f64>().expect("a number") - 0.05).abs() < 5e-5, "{rows}");
        assert_eq!(slow.parse(), Ok(0.0), "{rows}");
    }
    // What no run has is a slip.
    stage.write("slip.toml", sweep.replace("ball-1", "bal-1"));
    stage.ends("batch slip.toml --out slip", 2, &["there is no body 'bal-1'"]);
}

#[test]
fn columns_of_paths_have_the_units_of_their_keys() {
    let sweep = "scene = 'scene.toml'\n[cross]\nbody.box.linear_velocity.0 = [1, 2]\nbody.box.mass = { log_range = [1, 2], n = 2 }\n\
                 parameters.size = [0.2]\n";
    let stage = stage(sweep);
    stage.ends("batch sweep.toml --out out", 0, &[]);
    let file = std::fs::File::open(stage.root.join("out/runs.parquet")).expect("the table");
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).expect("it is Parquet");
    let unit = |name: &str| {
        let field = reader.schema().field_with_name(name).unwrap_or_else(|error| panic!("{error}"));
        field.metadata().get("unit").cloned()
    };
    assert_eq!(unit("body.box.linear_velocity.0").as_deref(), Some("m/s"));
    assert_eq!(unit("body.box.mass").as_deref(), Some("kg"));
    assert_eq!(unit("parameters.size"), None);
}
