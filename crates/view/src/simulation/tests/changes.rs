//! Parameters that are changed while a scene runs.

use super::*;

/// With another coefficient of friction the cube stops after another time, `v0 / (mu g)`.
#[test]
fn friction_changes_while_the_scene_runs() {
    for mu in [0.25, 1.0] {
        let mut engine = open("slide");
        apply(&mut engine, &SimCommand::Set(Parameter::Friction(mu)));
        let time = 1.0 / (mu * 9.81);
        // A step takes mu g h from the speed: two steps before the time it moves, one step after it stands.
        run(&mut engine, (time / 0.01).floor() as u32 - 1);
        assert!(engine.world().bodies()[1].linear_velocity.length() > 0.5 * mu * 9.81 * 0.01);
        run(&mut engine, 3);
        assert!(engine.world().bodies()[1].linear_velocity.length() < 1e-9, "mu = {mu}");
    }
}

/// A servo goes where it is told, stays there over a reset and in a saved scene, and goes back to what the scene says; a body weighs what it is told.
#[test]
fn drives_and_masses_are_changed_while_it_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    let [path, saved] = ["scene.toml", "saved.toml"].map(|name| folder.path().join(name));
    let text = "dt = 0.01\ngravity = [0, 0, -10]\n[[body]]\nname = 'floor'\nkind = 'static'\nshape = { plane = {} }\n\
                [[body]]\nname = 'box'\nmass = 2\nshape = { box = [1, 1, 1] }\nposition = [0, 0, 0.5]\n\
                [[body]]\nname = 'door'\nmass = 1\nshape = { box = [1, 0.1, 1] }\nposition = [9.5, 0, 5]\n\
                [[joint]]\nname = 'hinge'\nbodies = ['door']\nanchor = [9, 0, 5]\n\
                kind = { revolute = { servo = { target_deg = 0, stiffness = 50, damping = 10 } } }\n";
    std::fs::write(&path, text).expect("a scene");
    let mut engine = Engine::open(&path, &exact()).unwrap_or_else(|error| panic!("{error}"));
    let angle = |engine: &Engine| engine.world().joint_states()[0].coordinate;
    let weight = |engine: &Engine| engine.frame().contacts[0].force(0.01).z;
    let wanted = 0.6;
    apply(&mut engine, &SimCommand::Set(Parameter::Drive(0, Some(wanted))));
    apply(&mut engine, &SimCommand::Set(Parameter::Mass(1, Some(5.0))));
    run(&mut engine, 500);
    // Overdamped, with a time constant of a sixth of a second; on its last way of less than 1e-5 rad it falls asleep. Weights are known to the tolerance
    // of the solver.
    assert!((angle(&engine) - wanted).abs() < 1e-5, "{}", angle(&engine));
    assert!((weight(&engine) - 50.0).abs() < 1e-6, "{}", weight(&engine));
    apply(&mut engine, &SimCommand::Save(saved.clone()));
    let mut again = Engine::open(&saved, &exact()).unwrap_or_else(|error| panic!("{error}"));
    run(&mut again, 100);
    assert!(
        angle(&again).abs() < 1e-5 && (weight(&again) - 50.0).abs() < 1e-6,
        "it stands where it was saved"
    );
    apply(&mut engine, &SimCommand::Reset);
    run(&mut engine, 500);
    assert!((angle(&engine) - wanted).abs() < 1e-5 && (weight(&engine) - 50.0).abs() < 1e-6);
    for parameter in [Parameter::Drive(0, None), Parameter::Mass(1, None)] {
        apply(&mut engine, &SimCommand::Set(parameter));
    }
    run(&mut engine, 500);
    assert!(angle(&engine).abs() < 1e-5 && (weight(&engine) - 20.0).abs() < 1e-6);
    for wrong in
        [Parameter::Drive(3, Some(1.0)), Parameter::Mass(9, Some(1.0)), Parameter::Mass(1, Some(-1.0))]
    {
        let error = engine.apply(&SimCommand::Set(wrong)).expect_err("refused");
        assert!(error.to_string().len() > 10, "{error}");
    }
}

/// Things that happen at times: a lift that stops, a force that begins, an expectation at a time.
fn at_times(folder: &Path, name: &str, dt: f64) -> PathBuf {
    let path = folder.join(name);
    let text = format!(
        "dt = {dt:?}\nduration = 0.5\n[contact]\nfriction = 0.5\n\
         [[body]]\nname = 'lift'\nkind = 'kinematic'\nshape = {{ box = [1, 1, 0.1] }}\n\
         motion = {{ places = [[0, 0, 0, 0], [0.2, 0, 0, 0.1], [0.4, 0, 0, 0.1]] }}\n\
         [[body]]\nname = 'crate'\nmass = 1\nshape = {{ box = [0.2, 0.2, 0.2] }}\nposition = [0, 0, 0.15]\n\
         [[force]]\nbody = 'crate'\nforce = [[0.2, 0, 0, 0], [0.3, 6, 0, 0]]\n\
         [[expect]]\nwhy = 'the lift is up'\ntime = 0.4\nbody = 'lift'\nz = {{ is = 0.1, within = 1e-9 }}\n\
         [[expect]]\nwhy = 'the force is more than friction'\nbody = 'crate'\nx = {{ above = 0.01 }}\n"
    );
    std::fs::write(&path, text).expect("a scene");
    path
}

fn time_step(dt: f64) -> SimCommand {
    SimCommand::Set(Parameter::setting("dt", Value::Number(dt)))
}

/// With another time step a scene begins anew, as if its file said so, with all else that was changed; and back again.
#[test]
fn a_scene_begins_anew_with_another_time_step() {
    let folder = tempfile::tempdir().expect("a folder");
    let open = |name: &str, dt| {
        let path = at_times(folder.path(), name, dt);
        let mut engine = Engine::open(&path, &exact()).unwrap_or_else(|error| panic!("{error}"));
        apply(&mut engine, &SimCommand::Set(Parameter::Friction(0.4)));
        apply(&mut engine, &SimCommand::Set(Parameter::Mass(1, Some(1.1))));
        engine
    };
    let hash_at_end = |engine: &mut Engine, n_steps: u32| {
        run(engine, n_steps);
        let outcomes = [0, 1].map(|ix| engine.frame().expected.outcome(ix).0);
        assert_eq!(outcomes, ["met", "met"], "after {n_steps} steps");
        engine.world().state_hash()
    };
    let mut engine = open("long.toml", 0.01);
    let long = hash_at_end(&mut engine, 50);
    let early = engine.frame().id;
    apply(&mut engine, &SimCommand::Drop(ball(DVec3::new(0.0, 0.0, 1.0))));
    apply(&mut engine, &time_step(0.0025));
    let frame = engine.frame();
    assert_eq!((frame.step(), frame.time, frame.dt), (0, 0.0, 0.0025));
    assert!(frame.id > early && frame.after.is_none(), "what was recorded is another time's");
    assert!(matches!(engine.apply(&SimCommand::GoTo(early)), Err(EngineError::NoFrame(_))));
    assert_eq!((engine.parameters().friction, engine.scene_parameters().settings.dt), (0.4, 0.01));
    assert_eq!(engine.world().bodies().len(), 2, "what was dropped is no part of the start");
    assert_eq!(hash_at_end(&mut engine, 200), hash_at_end(&mut open("short.toml", 0.0025), 200));
    assert_eq!(engine.n_steps(), 250);
    apply(&mut engine, &time_step(0.01));
    assert_eq!(hash_at_end(&mut engine, 50), long);
    // The same one is none to begin anew for.
    let here = engine.frame().id;
    assert!(!engine.apply(&time_step(0.01)).expect("it stays"));
    assert_eq!(engine.frame().id, here);
}

/// A time step that a scene cannot have changes nothing.
#[test]
fn a_wrong_time_step_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = at_times(folder.path(), "scene.toml", 0.01);
    let mut engine = Engine::open(&path, &exact()).unwrap_or_else(|error| panic!("{error}"));
    run(&mut engine, 5);
    let hash = engine.world().state_hash();
    for (dt, words) in [(0.0, "dt"), (-0.01, "dt"), (f64::NAN, "dt"), (1e-200, "dt")] {
        let said = engine.apply(&time_step(dt)).expect_err("refused").to_string();
        assert!(said.contains(words), "{said}");
        assert_eq!((engine.world().state_hash(), engine.parameters().settings.dt), (hash, 0.01));
    }
}

/// A state that is saved after the time step was changed goes on with that step.
#[test]
fn a_saved_state_has_the_time_step_that_was_chosen() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("saved.toml");
    let mut engine = open("drop");
    apply(&mut engine, &time_step(0.002));
    run(&mut engine, 3);
    apply(&mut engine, &SimCommand::Save(path.clone()));
    let saved = Engine::open(&path, &exact()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(saved.parameters().settings.dt, 0.002);
}

/// A recorded run whose time step was changed on the way, twice, is done again bit for bit.
#[test]
fn time_steps_are_recorded() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("log.jsonl");
    let options = Options { backend: exact(), log: Some(log.clone()) };
    let simulation = Simulation::start(&options, || ()).expect("a thread");
    let sim = |command| simulation.send(Command::Sim(command));
    let after = |dt: f64, n: u64| {
        let is_there =
            |update: &Update| matches!(update, Update::Frame(frame) if frame.dt == dt && frame.step() >= n);
        wait_for(&simulation, "a step", is_there);
    };
    sim(SimCommand::Open(scene("drop")));
    sim(SimCommand::Speed(100.0));
    sim(SimCommand::Play);
    after(0.005, 20);
    sim(time_step(0.002));
    after(0.002, 30);
    sim(SimCommand::Kick { body: 1, point: DVec3::ZERO, impulse: DVec3::new(0.0, 2.0, 5.0) });
    sim(time_step(0.01));
    after(0.01, 25);
    sim(SimCommand::Pause);
    drop(simulation);
    let again = replay(&log, &exact()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(again.is_equal(), Some(true), "{:?}", again.state_hash);
    assert_eq!(again.engine.frame().dt, 0.01);
    assert!(again.engine.n_steps() >= 75 && again.engine.frame().step() < again.engine.n_steps());
}
