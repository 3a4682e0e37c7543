//! Joints: what holds two bodies together, or a body to the world.
//!
//! A joint is one block of rows of the contact solver, so that grasps, hinges and stacks are solved as one system. It is
//! made where the bodies stand; from then on each of them carries its half along. Joints hold where contacts are measured next and not
//! only to first order where they are now (the SHAKE scheme of Ryckaert, Ciccotti and Berendsen 1977), so that a pendulum keeps
//! its energy over any number of swings.

mod check;
mod constraint;
mod definition;
mod kind;
mod motion;
mod offset;
mod record;
mod step;
mod stiffness;
mod value_over_time;

pub use crate::placement::Placement;
pub use check::JointError;
pub(crate) use check::check_drive;
pub(crate) use constraint::{Parts, WORLD};
pub use definition::{Joint, JointDesc, JointId, JointState};
pub use kind::{Drive, JointKind};
pub(crate) use motion::JointLaw;
pub use record::JointRecord;
pub(crate) use step::{constraints, holding, report};
pub(crate) use stiffness::{STABLE_PHASE, STEADY_PHASE, last_pulls, pulls, steady};
pub use value_over_time::ValueOverTime;
