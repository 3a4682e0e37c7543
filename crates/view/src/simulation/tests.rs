//! The engine, its commands and their replay, and the thread.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use glam::DVec3;
use tactum::backend::{Backend, BackendOptions};
use tactum::scene::schema::{BodySpec, ShapeSpec};
use tactum_sim::ContactMotion;

use tactum_sim::settings::Value;

use super::*;
use crate::command::{Command, SimCommand, ViewCommand};

mod changes;
mod tables;

fn scene(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(format!("{name}.toml"))
}

fn exact() -> BackendOptions {
    BackendOptions { backend: Backend::Exact, ..BackendOptions::default() }
}

fn open(name: &str) -> Engine {
    Engine::open(&scene(name), &exact()).unwrap_or_else(|error| panic!("{error}"))
}

fn run(engine: &mut Engine, n_steps: u32) {
    for _ in 0..n_steps {
        engine.step().expect("a step");
    }
}

fn apply(engine: &mut Engine, command: &SimCommand) {
    engine.apply(command).unwrap_or_else(|error| panic!("{command:?}: {error}"));
}

fn ball(at: DVec3) -> Box<BodySpec> {
    let text = format!("name = \"new\"\nshape = {{ sphere = 0.1 }}\nposition = {:?}", at.to_array());
    Box::new(toml::from_str(&text).expect("a body"))
}

/// Going back to a frame and on again makes the same steps.
#[test]
fn the_past_is_left_behind_and_made_again() {
    let mut engine = open("drop");
    run(&mut engine, 40);
    let early = engine.frame().id;
    run(&mut engine, 60);
    let hash = engine.world().state_hash();
    apply(&mut engine, &SimCommand::GoTo(early));
    assert_eq!(engine.frame().step(), 40);
    run(&mut engine, 60);
    assert_eq!(engine.world().state_hash(), hash);
    apply(&mut engine, &SimCommand::Reset);
    run(&mut engine, 100);
    assert_eq!(engine.world().state_hash(), hash);
    // What was recorded before the reset is gone.
    assert!(matches!(engine.apply(&SimCommand::GoTo(early)), Err(EngineError::NoFrame(_))));
}

/// A frame from before a body was dropped in has fewer bodies, and one from after has more.
#[test]
fn dropped_bodies_come_and_go_with_time() {
    let mut engine = open("stack10");
    run(&mut engine, 3);
    let before = engine.frame().id;
    apply(&mut engine, &SimCommand::Drop(ball(DVec3::new(0.0, 0.0, 1.5))));
    run(&mut engine, 3);
    let (after, hash) = (engine.frame().id, engine.world().state_hash());
    assert_eq!(engine.world().bodies().len(), 12);
    apply(&mut engine, &SimCommand::GoTo(before));
    assert_eq!(engine.world().bodies().len(), 11);
    assert!(engine.apply(&SimCommand::GoTo(after)).is_err(), "that future is forgotten");
    apply(&mut engine, &SimCommand::Drop(ball(DVec3::new(0.0, 0.0, 1.5))));
    run(&mut engine, 3);
    assert_eq!(engine.world().state_hash(), hash);
    assert_eq!(engine.frame().model.n_scene_bodies, 11);
}

#[test]
fn wrong_commands_change_nothing_and_say_why() {
    let mut engine = open("slide");
    run(&mut engine, 2);
    let hash = engine.world().state_hash();
    let before = engine.parameters().clone();
    let wrong = [
        SimCommand::Set(Parameter::Friction(f64::NAN)),
        SimCommand::Set(Parameter::setting("restitution", Value::Number(2.0))),
        SimCommand::Set(Parameter::setting("max_sweeps", Value::Count(0))),
        SimCommand::Grab { body: 9, point: DVec3::ZERO, target: DVec3::ZERO },
        SimCommand::Kick { body: 9, point: DVec3::ZERO, impulse: DVec3::X },
        SimCommand::Kick { body: 1, point: DVec3::ZERO, impulse: DVec3::NAN },
        SimCommand::GoTo(77),
        SimCommand::Open(PathBuf::from("no such scene.toml")),
        SimCommand::Drop(Box::new(BodySpec { shape: ShapeSpec::Sphere(-1.0), ..*ball(DVec3::ZERO) })),
        SimCommand::Save(PathBuf::from("no such folder/x.toml")),
        SimCommand::Tables(scene("slide").join("below a file")),
    ];
    for command in &wrong {
        let error = engine.apply(command).err().unwrap_or_else(|| panic!("{command:?} was obeyed"));
        assert!(error.to_string().len() > 10, "{error}");
    }
    assert_eq!(engine.parameters(), &before);
    assert_eq!(engine.world().state_hash(), hash);
}

/// A box pulled by its middle comes to rest where it is pulled to: the hand carries its weight.
#[test]
fn a_pulled_body_follows() {
    let mut engine = open("drop");
    let target = DVec3::new(0.2, -0.1, 0.7);
    apply(&mut engine, &SimCommand::Grab { body: 1, point: DVec3::ZERO, target });
    run(&mut engine, 400);
    let body = &engine.world().bodies()[1];
    assert!(body.position.distance(target) < 1e-4, "{}", body.position);
    assert!(engine.frame().pull.is_some_and(|pull| pull.anchor.distance(target) < 1e-4));
    apply(&mut engine, &SimCommand::Release);
    run(&mut engine, 20);
    // Free fall in steps: v = g n h.
    let fallen = engine.world().bodies()[1].linear_velocity.z;
    assert!((fallen + 9.81 * 20.0 * 0.005).abs() < 1e-2, "{fallen}");
}

/// An impulse at a point changes momentum by itself and angular momentum by its moment.
#[test]
fn a_kick_is_an_impulse() {
    let mut engine = open("drop");
    let body = engine.world().bodies()[1].clone();
    let (point, impulse) = (DVec3::new(0.1, 0.05, -0.02), DVec3::new(0.3, -1.0, 2.0));
    apply(&mut engine, &SimCommand::Kick { body: 1, point, impulse });
    let kicked = &engine.world().bodies()[1];
    let dv = kicked.linear_velocity - body.linear_velocity;
    assert!((dv * body.mass.mass).distance(impulse) < 1e-12);
    let q = body.orientation;
    let spin = q.conjugate() * (kicked.angular_velocity - body.angular_velocity);
    let moment = q * (body.mass.inertia * spin);
    assert!(moment.distance((q * (point - body.mass.center)).cross(impulse)) < 1e-12);
}

/// Joints of a saved state go on from the angle that they have: a scene's joints begin at 0. Remembered contacts are not saved, so pads and
/// teeth settle again; teeth go to and fro in their backlash, 0.2 mm on the small gear's 40 mm, and do so by another way: by less in most steps
/// than the 9e-4 rad that they do in any step (root mean square, of 1,000), and by no more than the backlash. Of 27 states, as what is five steps later often goes
/// the same way.
#[test]
fn joints_of_a_saved_state_go_on() {
    const BACKLASH: f64 = 5e-3;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("saved.toml");
    let coordinates = |engine: &Engine| -> Vec<f64> {
        engine.world().joint_states().iter().map(|joint| joint.coordinate).collect()
    };
    for scene in ["gear_pair", "pinch"] {
        let mut engine = open(scene);
        run(&mut engine, 450);
        let mut saved = Vec::new();
        for _ in 0..27 {
            apply(&mut engine, &SimCommand::Save(path.clone()));
            let resumed = Engine::open(&path, &exact()).unwrap_or_else(|error| panic!("{error}"));
            saved.push((resumed, coordinates(&engine)));
            run(&mut engine, 5);
        }
        let mut off: Vec<f64> = Vec::new();
        for (ix, (mut resumed, before)) in saved.into_iter().enumerate() {
            run(&mut resumed, 135 - 5 * ix as u32);
            let now = coordinates(&engine).into_iter().zip(before);
            let pairs = now.zip(coordinates(&resumed));
            off.push(pairs.map(|((now, before), goes)| (now - before - goes).abs()).fold(0.0, f64::max));
        }
        off.sort_by(f64::total_cmp);
        assert!(off[13] < 9e-4 && off[26] < BACKLASH, "{scene}: {off:?} rad");
    }
}

/// A saved state is a scene that goes on as the original does.
#[test]
fn a_saved_state_is_a_scene() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("saved.toml");
    let mut engine = open("drop");
    apply(&mut engine, &SimCommand::Drop(ball(DVec3::new(0.0, 0.4, 1.0))));
    apply(&mut engine, &SimCommand::Set(Parameter::Friction(0.2)));
    run(&mut engine, 30);
    apply(&mut engine, &SimCommand::Save(path.clone()));
    let mut saved = Engine::open(&path, &exact()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(saved.parameters().friction, 0.2);
    run(&mut engine, 10);
    run(&mut saved, 10);
    assert_eq!(saved.world().bodies().len(), 5);
    for (a, b) in engine.world().bodies().iter().zip(saved.world().bodies()) {
        // All are still in free fall, where nothing is remembered from step to step; the orientation is normalised again.
        assert!(
            a.position.distance(b.position) < 1e-12 && a.orientation.dot(b.orientation).abs() > 1.0 - 1e-12
        );
        assert_eq!(a.name, b.name);
    }
}

/// Materials and pairs of a saved state are those of the running one, whose copies are bodies of their own in it, and whatever a
/// body that was dropped in is called.
#[test]
fn pairs_of_a_saved_state_are_between_the_same_bodies() {
    let folder = tempfile::tempdir().expect("a folder");
    let [path, saved_path] = ["a.toml", "b.toml"].map(|name| folder.path().join(name));
    let text = r#"
material = [{ name = "steel", friction = 0.6, restitution = 0.3 }, { name = "ice", friction = 0.1 }]
pair = [
    { materials = ["steel", "ice"], friction = 0.02 },
    { bodies = ["floor", "ball"], friction = 0.3 },
    { bodies = ["ball", "ball"], restitution = 0.9 },
]
body = [
    { name = "floor", kind = "static", material = "steel", shape = { plane = {} } },
    { name = "ball", material = "ice", shape = { sphere = 0.1 }, position = [0, 0, 1], copies = { grid = [3, 1, 1], spacing = [1, 0, 0] } },
    { name = "box", material = "ice", friction = 0.4, shape = { box = [1, 1, 1] }, position = [0, 5, 1] },
    { name = "other", shape = { box = [1, 1, 1] }, position = [0, 9, 1] },
]
"#;
    std::fs::write(&path, text).expect("a scene");
    for dropped in ["dropped-1", "ball-x"] {
        let mut engine = Engine::open(&path, &exact()).unwrap_or_else(|error| panic!("{error}"));
        let material = Some("ice".to_owned());
        let body = BodySpec { name: dropped.to_owned(), material, ..*ball(DVec3::new(0.0, 7.0, 1.0)) };
        apply(&mut engine, &SimCommand::Drop(Box::new(body.clone())));
        let unknown = BodySpec { material: Some("glass".to_owned()), ..body };
        let error = engine.apply(&SimCommand::Drop(Box::new(unknown))).expect_err("an unknown material");
        assert!(error.to_string().contains("no material is named 'glass'"), "{error}");
        apply(&mut engine, &SimCommand::Set(Parameter::Friction(0.2)));
        apply(&mut engine, &SimCommand::Save(saved_path.clone()));
        let saved = Engine::open(&saved_path, &exact()).unwrap_or_else(|error| panic!("{error}"));
        let [a, b] = [&engine, &saved].map(Engine::world);
        let touch = |world: &tactum_sim::World, pair: [u32; 2]| {
            let bodies = pair.map(|ix| world.body(tactum_sim::BodyId(ix)));
            world.materials().between(pair, bodies, world.settings())
        };
        let n = a.bodies().len() as u32;
        for pair in (0..n).flat_map(|j| (0..j).map(move |i| [i, j])) {
            assert_eq!(touch(a, pair), touch(b, pair), "{pair:?}");
        }
        let friction = [[0, 1], [0, 4], [0, 5], [0, 6]].map(|pair| touch(b, pair).friction);
        assert_eq!(friction, [0.3, 0.02, (0.6_f64 * 0.2).sqrt(), 0.02]);
        assert_eq!(touch(b, [1, 3]).restitution, 0.9);
        let info = |ix: usize| saved.frame().model.bodies[ix].clone();
        assert_eq!((info(4).material.as_deref(), info(4).friction), (Some("ice"), Some(0.4)));
        assert_eq!((info(5).friction, info(0).restitution), (None, Some(0.3)));
    }
}

/// What the viewer shows of a sliding, a standing and a tipping box.
#[test]
fn contacts_tell_what_they_do() {
    let motion = |engine: &Engine| engine.frame().contacts[0].insight.motion;
    let mut sliding = open("slide");
    run(&mut sliding, 5);
    let free = ContactMotion { presses: true, slides: true, spins: false, rolls: false };
    assert_eq!(motion(&sliding), free);
    let contact = &sliding.frame().contacts[0];
    let force = contact.force(0.01);
    assert!((force.z - 9810.0).abs() < 1.0 && (force.x + 4905.0).abs() < 1.0, "{force}");
    run(&mut sliding, 30);
    assert_eq!(motion(&sliding), ContactMotion { slides: false, ..free });
    let mut tipping = open("tip");
    run(&mut tipping, 60);
    let mut n_free = 0;
    for _ in 0..80 {
        run(&mut tipping, 1);
        let contacts = &tipping.frame().contacts;
        let states: Vec<bool> = contacts.iter().map(|contact| contact.insight.motion.rolls).collect();
        assert_eq!(states, [false, true]);
        let falling = &contacts[1];
        assert!(falling.insight.patch.contains(falling.record.cop));
        if let Some(free) = falling.insight.free_cop {
            n_free += 1;
            assert!(!falling.insight.patch.contains(free));
        }
    }
    assert!(n_free > 0, "a centre of pressure without a border was never found");
}

/// The equivalent box of a box that stands in the floor is the part below the floor.
#[test]
fn the_equivalent_box_of_a_prism_is_the_prism() {
    let mut engine = open("slide");
    run(&mut engine, 1);
    let contact = &engine.frame().contacts[0];
    let equivalent = contact.insight.equivalent_box.expect("it overlaps");
    let [thin, a, b] = equivalent.half_size;
    assert!((2.0 * thin / contact.record.extent - 1.0).abs() < 1e-6);
    assert!((a - 0.5).abs() < 1e-6 && (b - 0.5).abs() < 1e-6, "{a} {b}");
    assert!(equivalent.axes[0].z.abs() > 1.0 - 1e-9);
}

fn wait_for(simulation: &Simulation, what: &str, mut found: impl FnMut(&Update) -> bool) {
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_secs(60) {
        if simulation.wait(Duration::from_millis(100)).is_some_and(|update| found(&update)) {
            return;
        }
    }
    panic!("waited in vain for {what}");
}

/// What the thread did is done again from its log, bit for bit, whenever the commands came.
#[test]
fn a_recorded_run_is_done_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("log.jsonl");
    let options = Options { backend: exact(), log: Some(log.clone()) };
    let simulation = Simulation::start(&options, || ()).expect("a thread");
    let sim = |command| simulation.send(Command::Sim(command));
    let after_step = |n: u64| {
        wait_for(&simulation, "a step", |update| matches!(update, Update::Frame(frame) if frame.step() >= n));
    };
    sim(SimCommand::Open(scene("drop")));
    sim(SimCommand::Speed(100.0));
    sim(SimCommand::Play);
    after_step(50);
    sim(SimCommand::Grab { body: 2, point: DVec3::new(0.0, 0.05, 0.0), target: DVec3::new(0.3, 0.0, 0.6) });
    after_step(90);
    sim(SimCommand::Drag(DVec3::new(0.0, 0.3, 0.6)));
    sim(SimCommand::Set(Parameter::Friction(0.1)));
    simulation.send(Command::View(ViewCommand::Select(Some(2))));
    after_step(130);
    sim(SimCommand::Release);
    sim(SimCommand::Drop(ball(DVec3::new(0.0, 0.0, 0.8))));
    sim(SimCommand::Kick { body: 1, point: DVec3::ZERO, impulse: DVec3::new(0.0, 2.0, 5.0) });
    after_step(200);
    sim(SimCommand::Pause);
    sim(SimCommand::Step);
    drop(simulation);
    let again = replay(&log, &exact()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(again.is_equal(), Some(true), "{:?}", again.state_hash);
    assert_eq!(again.n_commands, 12);
    assert_eq!(again.engine.world().bodies().len(), 5);
}

/// What is wrong with a mesh is told as the program `tactum` does: place, body, file, fault and advice.
#[test]
fn a_bad_mesh_is_told_with_place_and_advice() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("bad.toml");
    let text = "duration = 1\n[[body]]\nname = \"part\"\nshape = { mesh = { file = \"open.obj\" } }\n";
    std::fs::write(&path, text).expect("a scene");
    std::fs::write(folder.path().join("open.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").expect("a mesh");
    let simulation = Simulation::start(&Options { backend: exact(), log: None }, || ()).expect("a thread");
    simulation.send(Command::Sim(SimCommand::Open(path)));
    let words =
        ["bad.toml:4:9: ", "body 'part'", "open.obj: not closed: 3 boundary edges", "\nhelp: repair = true"];
    let is_told = |update: &Update| matches!(update, Update::Trouble(text) if words.iter().all(|word| text.contains(word)));
    wait_for(&simulation, "the message", is_told);
}

/// The window hears of a scene that does not work, and a working one can be opened afterwards.
#[test]
fn a_bad_scene_is_told_and_nothing_ends() {
    let simulation = Simulation::start(&Options { backend: exact(), log: None }, || ()).expect("a thread");
    simulation.send(Command::Sim(SimCommand::Open(PathBuf::from("missing.toml"))));
    wait_for(
        &simulation,
        "the message",
        |update| matches!(update, Update::Trouble(text) if text.contains("missing.toml")),
    );
    simulation.send(Command::Sim(SimCommand::Play));
    simulation.send(Command::Sim(SimCommand::Open(scene("roll"))));
    wait_for(
        &simulation,
        "the scene",
        |update| matches!(update, Update::Opened(opened) if opened.name == "roll"),
    );
}

/// A scene file that is changed is read again.
#[test]
fn a_changed_scene_is_read_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mine.toml");
    let write = |radius: f64| {
        let text = format!("[[body]]\nname = \"a\"\nshape = {{ sphere = {radius} }}\n");
        std::fs::write(&path, text).expect("written");
    };
    write(0.1);
    let simulation = Simulation::start(&Options { backend: exact(), log: None }, || ()).expect("a thread");
    simulation.send(Command::Sim(SimCommand::Open(path.clone())));
    wait_for(&simulation, "the scene", |update| matches!(update, Update::Opened(_)));
    // Times of files may be as coarse as a hundredth of a second.
    std::thread::sleep(Duration::from_millis(50));
    write(0.2);
    wait_for(&simulation, "the scene again", |update| {
        matches!(update, Update::Opened(opened)
            if matches!(opened.bodies[0].shape, ShapeSpec::Sphere(radius) if radius == 0.2))
    });
}

/// A device that measures overlaps is timed stage by stage, also after it was chosen while the scene ran.
#[test]
#[cfg_attr(not(software_vulkan), ignore = "needs a Vulkan driver; see `cargo xtask help`")]
fn a_device_tells_how_long_its_stages_take() {
    let mut engine = open("wedged");
    // Until the cone has reached the ring.
    run(&mut engine, 60);
    assert!(engine.frame().figures.stages.is_empty());
    apply(&mut engine, &SimCommand::Set(Parameter::Backend("gpu".to_owned())));
    run(&mut engine, 2);
    let stages = &engine.frame().figures.stages;
    assert!(stages.iter().any(|(name, time)| *name == "sweep" && !time.is_zero()), "{stages:?}");
}

/// A simulation that is held makes no step, obeys, and goes on where it was.
#[test]
fn a_held_simulation_waits() {
    let simulation = Simulation::start(&Options { backend: exact(), log: None }, || ()).expect("a thread");
    simulation.hold(true);
    simulation.send(Command::Sim(SimCommand::Open(scene("roll"))));
    simulation.send(Command::Sim(SimCommand::Play));
    wait_for(&simulation, "a run", |update| matches!(update, Update::Status(status) if status.is_running));
    // Ten times as long as it takes to look whether it may go on.
    let begin = Instant::now();
    while let Some(left) = Duration::from_millis(200).checked_sub(begin.elapsed()) {
        let update = simulation.wait(left);
        assert!(!matches!(update, Some(Update::Frame(frame)) if frame.step() > 0));
    }
    simulation.hold(false);
    wait_for(&simulation, "a step", |update| matches!(update, Update::Frame(frame) if frame.step() == 1));
}

/// Expectations are watched while a scene runs, told again after going back, and are over with its duration.
#[test]
fn expectations_go_with_the_steps() {
    let mut engine = open("slide");
    let n = engine.scene().spec().expectations.len();
    let n_steps = (engine.scene().spec().duration / engine.scene().spec().dt).round() as u64;
    let outcomes =
        |engine: &Engine| -> Vec<String> { (0..n).map(|ix| engine.frame().expected.outcome(ix).0).collect() };
    assert!(n > 0 && outcomes(&engine).contains(&"to come".to_owned()), "{:?}", outcomes(&engine));
    engine.step().expect("a step");
    let (early, then) = (engine.frame().id, outcomes(&engine));
    for _ in 1..n_steps {
        engine.step().expect("a step");
    }
    assert_eq!(outcomes(&engine), vec!["met"; n]);
    // What comes later changes nothing.
    engine.step().expect("a step");
    assert_eq!(outcomes(&engine), vec!["met"; n]);
    engine.apply(&SimCommand::GoTo(early)).expect("it is recorded");
    assert_eq!(outcomes(&engine), then);
    // Without friction the cube slides farther than it may.
    engine.apply(&SimCommand::Set(Parameter::Friction(0.0))).expect("a friction");
    for _ in 1..n_steps {
        engine.step().expect("a step");
    }
    assert!((0..n).any(|ix| engine.frame().expected.outcome(ix).1), "{:?}", outcomes(&engine));
}
