//! Worlds of scenes in a test's text, and who measures in them.
#![allow(dead_code, reason = "every file of tests uses a part of it")]

use tactum::backend::{Backend, BackendOptions, Detector};
use tactum::build::build;
use tactum::scene::Scene;
use tactum::session::{Stepped, step_together};
use tactum_sim::World;

pub fn scene(text: &str) -> Scene {
    Scene::parse(text, "scene.toml".as_ref()).unwrap_or_else(|error| panic!("{error}"))
}

pub fn world(text: &str) -> World {
    build(&scene(text)).unwrap_or_else(|error| panic!("{error}")).world
}

/// One that needs no device.
pub fn detector(backend: Backend) -> Detector {
    Detector::open(&BackendOptions { backend, ..BackendOptions::default() }).expect("it needs no device")
}

/// A step that has to be made.
pub fn step(world: &mut World, detector: &mut Detector) -> Stepped {
    let step = step_together(&mut [world], detector).pop().expect("one world, one step");
    assert!(step.report.is_ok(), "{:?}", step.report);
    step
}
