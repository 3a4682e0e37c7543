//! Tactum: rigid-body simulation with contact measured from intersection volumes.
//!
//! A [`Scene`] says what there is; a [`Run`] builds its world, watches it and steps it to the end, alone or
//! [together with others](run::finish_together); a [`report::RunReport`] says what came of it. A [`Session`] steps a world by hand. [`query`] and [`doctor`] answer questions about meshes alone; [`device_check`] says whether a device can be trusted.
//! Every error turns into an [`Error`].
//!
//! ```
//! use std::path::Path;
//! use std::sync::atomic::AtomicBool;
//!
//! use tactum::backend::{BackendOptions, Detector};
//! use tactum::run::{RunOptions, Stop};
//! use tactum::{Run, Scene, Session};
//!
//! fn main() -> Result<(), tactum::Error> {
//!     let text = r#"
//!         duration = 0.5
//!
//!         [[body]]
//!         name = "floor"
//!         kind = "static"
//!         shape = { plane = {} }
//!
//!         [[body]]
//!         name = "box"
//!         shape = { box = [0.1, 0.1, 0.1] }
//!         position = [0, 0, 0.06]
//!     "#;
//!     // A scene in a file is read by `Scene::load`; meshes are looked up in the folder of this path.
//!     let scene = Scene::parse(text, Path::new("box.toml"))?;
//!     let run = Run::prepare(scene, &RunOptions::default())?;
//!     let mut detector = Detector::open(&BackendOptions::default())?;
//!     let outcome = run.finish(&mut detector, &AtomicBool::new(false), |_step, _report| {})?;
//!     assert!(matches!(outcome.stop, Stop::Finished));
//!     let body = &outcome.world.bodies()[1];
//!     assert_eq!(body.name, "box");
//!     assert!((body.position.z - 0.05).abs() < 1e-4 && body.linear_velocity.length() < 1e-6);
//!     // Or step by step, with a look at each.
//!     let mut session = Session::new(outcome.world, detector);
//!     let report = session.step()?;
//!     assert_eq!(report.contacts.len(), 1);
//!     Ok(())
//! }
//! ```

pub mod backend;
pub mod batch;
pub mod bench;
pub mod build;
pub mod checkpoint;
pub mod device_check;
pub mod doctor;
pub mod error;
pub mod expect;
pub mod export;
mod files;
pub mod folder;
mod given_table;
mod hash;
pub mod inputs;
mod joints;
mod lost_results;
pub mod materials;
pub mod mesh_file;
pub mod observe;
mod ordinary_length;
mod over_time;
pub mod page;
pub mod plot;
pub mod query;
mod random;
pub mod recorded;
pub mod repair;
pub mod replay;
pub mod report;
pub mod rounded;
pub mod run;
pub mod scene;
pub mod session;
pub mod shape_store;
pub mod shapes;
pub mod surfaces;
pub mod tables;

pub use error::{Error, Result};
pub use run::Run;
pub use scene::Scene;
pub use session::Session;
