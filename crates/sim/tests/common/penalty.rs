//! Bodies and steps of continuous penalty forces.

use std::sync::Arc;

use glam::DVec3;
use tactum_geometry::TriangleMesh;
use tactum_geometry::mesh::generate;
use tactum_geometry::passage::Surface;
use tactum_sim::{BodyDesc, ContactLaw, PassageQuestion, Progress, Settings, StepError, StepReport, World};

use super::cuboid;

/// Mass of the bodies \[kg\] and the penalty \[N/m\] of the validation cases.
pub const MASS: f64 = 1.0;
pub const STIFFNESS: f64 = 1e4;

pub fn settings(dt: f64) -> Settings {
    let law = ContactLaw::ContinuousPenalty;
    Settings { law, dt, stiffness: STIFFNESS, gravity: DVec3::ZERO, ..Settings::default() }
}

pub fn try_step(world: &mut World) -> Result<StepReport, StepError> {
    let mut progress = world.begin_step()?;
    loop {
        match progress {
            Progress::Done(report) => return Ok(report),
            Progress::Ask(questions) => {
                let passages = questions.passages.iter().map(PassageQuestion::answer).collect();
                progress = world.advance(questions.answered(Vec::new()).with_passages(passages))?;
            }
        }
    }
}

pub fn step(world: &mut World) -> StepReport {
    try_step(world).unwrap()
}

pub fn of_mesh(desc: BodyDesc, mesh: &TriangleMesh) -> BodyDesc {
    BodyDesc { surface: Some(Arc::new(Surface::new(mesh).unwrap())), ..desc }
}

/// A box of 12 triangles.
pub fn block(name: &str, sides: DVec3, mass: f64, at: DVec3) -> BodyDesc {
    of_mesh(cuboid(name, sides, mass, at), &generate::cuboid(sides, 12).unwrap())
}
