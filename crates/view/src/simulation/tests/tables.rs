//! Recorded steps as the tables of a run.

use tactum::Session;
use tactum::backend::Detector;
use tactum::build::build;
use tactum::scene::Scene;
use tactum::tables::{Recorder, Sensors, TableEnds, Tables};

use super::*;

fn read(folder: &Path, name: &str) -> Option<String> {
    std::fs::read_to_string(folder.join(name)).ok()
}

/// What the window recorded is written as a run of the program writes it, bit for bit, with joints and without.
#[test]
fn recorded_steps_are_the_tables_of_a_run() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, n_steps) in [("pinch", 40), ("stack10", 60)] {
        let [own, other] = ["own", "other"].map(|kind| folder.path().join(name).join(kind));
        let mut engine = open(name);
        run(&mut engine, n_steps);
        apply(&mut engine, &SimCommand::Tables(own.clone()));
        let world = build(&Scene::load(&scene(name)).expect("a scene")).expect("a world").world;
        let (tables, sensors) = (Tables { energy: false, ..Tables::default() }, Sensors::default());
        std::fs::create_dir_all(&other).expect("a folder");
        let mut recorder = Recorder::open(&other, tables, (&world, &sensors), 0, &TableEnds::default())
            .unwrap_or_else(|error| panic!("{error}"));
        let mut session = Session::new(world, Detector::open(&exact()).expect("no device"));
        for step in 1..=u64::from(n_steps) {
            let report = session.step().expect("a step");
            recorder.record(step, session.world().time(), session.world(), &report).expect("a row");
        }
        recorder.sync().expect("written");
        for table in ["poses.csv", "contacts.csv", "joints.csv"] {
            let [own, other] = [&own, &other].map(|folder| read(folder, table));
            assert_eq!(own, other, "{name}: {table}");
            assert_eq!(own.is_some(), table != "joints.csv" || name == "pinch", "{name}: {table}");
        }
    }
}

/// A step that was changed by hand is in the tables as it went on, and a body from when it was there.
#[test]
fn changes_by_hand_are_in_the_tables() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut engine = open("drop");
    run(&mut engine, 2);
    apply(&mut engine, &SimCommand::Kick { body: 1, point: DVec3::ZERO, impulse: DVec3::new(0.0, 2.0, 5.0) });
    apply(&mut engine, &SimCommand::Drop(ball(DVec3::new(0.0, 0.0, 2.0))));
    run(&mut engine, 1);
    apply(&mut engine, &SimCommand::Tables(folder.path().to_owned()));
    let text = read(folder.path(), "poses.csv").expect("a table");
    let rows: Vec<Vec<&str>> = text.lines().skip(1).map(|row| row.split(',').collect()).collect();
    let of = |body: &str| rows.iter().filter(|row| row[2] == body).map(|row| row[0]).collect::<Vec<_>>();
    assert_eq!(of("new"), ["2", "3"]);
    let kicked = &engine.world().bodies()[1].name;
    assert_eq!(of(kicked), ["0", "1", "2", "3"]);
    let speed = |step: &str| {
        let row = rows.iter().find(|row| row[0] == step && row[2] == kicked);
        row.and_then(|row| row[11].parse::<f64>().ok()).expect("a velocity")
    };
    assert!(speed("1") == 0.0 && speed("2") > 0.1, "{} {}", speed("1"), speed("2"));
}
