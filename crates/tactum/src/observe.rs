//! A quantity of `[[expect]]` read after any step: of which body or joint is found out once.

use tactum_geometry::words::quoted;
use tactum_sim::World;
use thiserror::Error;

use crate::expect::Moment;
use crate::scene::schema::{About, Observable, Reading, SoFar, Start};
use crate::scene::suggestion;

/// A quantity of a certain body or joint, or of the world.
#[derive(Clone, Copy, Debug)]
pub struct Probe {
    observable: Observable,
    /// Index of the body or joint.
    target: usize,
}

/// Why a quantity cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ProbeError {
    /// There is no such body or joint.
    #[error("there is no {what} '{}'; {advice}", quoted(name))]
    Nobody {
        /// "body" or "joint".
        what: &'static str,
        /// Its name.
        name: String,
        /// What there is.
        advice: String,
    },
    /// It is not said of what.
    #[error("'{quantity}' is a quantity of a {what}: name one, as in {what} = \"part\"")]
    OfWhat {
        /// The quantity.
        quantity: &'static str,
        /// "body" or "joint".
        what: &'static str,
    },
}

impl Probe {
    /// The quantity of the body or joint of a name.
    ///
    /// # Errors
    /// If there is none, or none is named where one is needed.
    pub fn find(
        observable: Observable,
        body: Option<&str>,
        joint: Option<&str>,
        world: &World,
    ) -> Result<Self, ProbeError> {
        let (what, name, names): (_, _, Vec<&str>) = match observable.about() {
            About::World => return Ok(Self { observable, target: 0 }),
            About::Body => ("body", body, world.bodies().iter().map(|body| body.name.as_str()).collect()),
            About::Joint => {
                ("joint", joint, world.joints().iter().map(|joint| joint.name.as_str()).collect())
            }
        };
        let name = name.ok_or(ProbeError::OfWhat { quantity: observable.name(), what })?;
        match names.iter().position(|known| *known == name) {
            Some(target) => Ok(Self { observable, target }),
            None => {
                let advice = suggestion(name, &names);
                Err(ProbeError::Nobody { what, name: name.to_owned(), advice })
            }
        }
    }

    /// Its value; none before the first step of what only a step gives.
    pub fn read(&self, now: &Moment<'_>, starts: &[Start], so_far: &SoFar) -> Option<f64> {
        let (world, ix) = (now.world, self.target);
        match self.observable.facts().reading {
            Reading::Body(read) => Some(read(&world.bodies()[ix], &starts[ix])),
            Reading::Coordinate(_, read) => Some(read(&world.joint_states()[ix])),
            Reading::Load(read) => now.last.map(|_| read(&world.joint_states()[ix], world.settings().dt)),
            Reading::World(read) => Some(read(world, so_far)),
            Reading::Step(read) => now.last.map(read),
        }
    }
}

/// Where all bodies of a world stand at its start.
pub fn starts(world: &World) -> Vec<Start> {
    let start = |body: &tactum_sim::Body| Start { position: body.position, orientation: body.orientation };
    world.bodies().iter().map(start).collect()
}
