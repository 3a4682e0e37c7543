//! Everything that changes a state, as data: what the window does can be recorded and done again without it.

use std::path::PathBuf;

use glam::DVec3;
use serde::{Deserialize, Serialize};
use tactum::scene::schema::BodySpec;

use crate::camera::Camera;
use crate::layers::Layer;
use crate::palette::Theme;
use crate::simulation::Parameter;

/// A change of the simulation or of the view.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// A change of the simulation.
    Sim(SimCommand),
    /// A change of what is shown.
    View(ViewCommand),
}

/// A change of the simulation. Bodies are given by index, points of them in the frame of their shape.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SimCommand {
    /// Loads a scene and stands at its start.
    Open(PathBuf),
    /// Runs.
    Play,
    /// Stands still after the present step.
    Pause,
    /// Makes one step and stands still.
    Step,
    /// Simulated seconds per second, where the machine is fast enough.
    Speed(f64),
    /// Goes back to the scene's start; parameters stay as they are.
    Reset,
    /// Goes back to a recorded frame and forgets the later ones.
    GoTo(u64),
    /// Changes a parameter from the next step on.
    Set(Parameter),
    /// Pulls a body by a spring that is fastened at a point of it.
    Grab {
        /// The body.
        body: u32,
        /// The point.
        point: DVec3,
        /// Where it is pulled to, world \[m\].
        target: DVec3,
    },
    /// Moves the spring's other end, world \[m\].
    Drag(DVec3),
    /// Lets the spring go.
    Release,
    /// Changes a body's velocity by an impulse at a point of it.
    Kick {
        /// The body.
        body: u32,
        /// The point.
        point: DVec3,
        /// The impulse, world axes \[N s\].
        impulse: DVec3,
    },
    /// Puts a new body into the world.
    Drop(Box<BodySpec>),
    /// Writes the present state as a scene.
    Save(PathBuf),
    /// Writes poses, contacts and joints of all recorded steps as tables into a folder.
    Tables(PathBuf),
}

/// A change of what is shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ViewCommand {
    /// Selects a body, or none.
    Select(Option<u32>),
    /// Looks from elsewhere.
    Look(Camera),
    /// Has the camera go with a body, or with none.
    Follow(Option<u32>),
    /// Shows a layer or hides it.
    Layer(Layer, bool),
    /// Length of force arrows, as a factor of the automatic one.
    ForceScale(f64),
    /// How much of the trail is shown \[s\].
    TrailTime(f64),
    /// How opaque bodies that move are, and those that do not, 0 to 1.
    Opacity(f32, f32),
    /// Shows only the contacts of the selected body, or all.
    OnlySelected(bool),
    /// Light or dark.
    Theme(Theme),
    /// Shows a plot or hides it.
    Plot(Plot, bool),
    /// Shows the panels around the scene or hides them.
    Panels(bool),
    /// Shows the list of keys or hides it.
    Help(bool),
    /// Shows a recorded frame without going back to it; `None` follows the simulation.
    Show(Option<u64>),
    /// The picture's size \[pixels\].
    Resize(u32, u32),
    /// Writes the picture.
    Screenshot(PathBuf),
    /// Writes a picture of every so many simulated seconds into a folder; `None` ends that.
    Pictures(Option<PathBuf>),
    /// Writes figures of all recorded steps, those that are plotted among them, as tables into a folder.
    Export(PathBuf),
    /// Ends the program.
    Close,
}

/// The plots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Plot {
    /// Energies over time.
    Energy,
    /// Overlap depths over time.
    Depth,
    /// Sweeps and update norm over time.
    Solver,
    /// Update norm of each sweep of the step.
    Sweeps,
    /// Wall time of the phases and the device's stages over time.
    Times,
    /// Where a body is, how it moves and what its contacts do to it, over time.
    Body(u32),
    /// What all contacts of two bodies carry, over time; the smaller index first.
    Pair(u32, u32),
    /// How far a joint has moved and what it carries, over time.
    Joint(u32),
    /// What a sensor of the scene measures, over time.
    Sensor(u32),
}

impl Plot {
    /// Those of the whole scene, in the order of the panel.
    pub const OF_SCENE: [Self; 5] = [Self::Energy, Self::Depth, Self::Solver, Self::Sweeps, Self::Times];
}
