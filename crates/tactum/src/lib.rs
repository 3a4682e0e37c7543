//! Tactum: rigid-body simulation with contact measured from intersection volumes.
//!
//! A [`scene::Scene`] says what there is; a [`run::Run`] builds its world and steps a [`session::Session`] to the end;
//! a [`report::RunReport`] says what came of it. [`query`] and [`doctor`] answer questions about meshes alone;
//! [`device_check`] says whether a device can be trusted.

pub mod backend;
pub mod bench;
pub mod build;
pub mod checkpoint;
pub mod device_check;
mod direction;
pub mod doctor;
pub mod expect;
mod files;
pub mod folder;
mod hash;
mod joints;
mod later;
pub mod query;
mod random;
pub mod report;
pub mod run;
pub mod scene;
pub mod session;
pub mod shapes;
pub mod tables;
