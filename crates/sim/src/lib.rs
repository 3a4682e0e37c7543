//! Rigid bodies in time with six-dimensional frictional contact (Bouchard et al. 2015), in f64 on the CPU.
//!
//! One step goes one way: [`World::plan`] lists the pairs whose boxes meet, the caller measures their overlaps
//! (with any back end), [`World::solve`] turns the overlaps into contact wrenches and moves the bodies. Nothing in
//! a step depends on the thread count; a step that fails leaves the world as it was.

pub mod body;
mod broad_phase;
mod constants;
pub mod contact;
pub mod insight;
mod integrate;
pub mod joint;
pub mod record;
pub mod settings;
pub mod solver;
mod stabilize;
pub mod state;
mod step;
pub mod world;

pub use body::{Body, BodyDesc, BodyError, BodyId, BodyKind, MassProperties};
pub use constants::INERTIA_TOLERANCE;
pub use insight::{ContactInsight, ContactMotion, EquivalentBox};
pub use joint::{Course, Drive, Joint, JointDesc, JointError, JointId, JointKind, JointState};
pub use record::{ContactRecord, JointRecord, StepReport};
pub use settings::{
    Accelerator, ContactModel, LocalSolver, NormalRule, PatchModel, RollingRule, Setting, Settings,
    SettingsError, SpinCoupling, SpinRule, SweepOrder,
};
pub use state::{BodyState, Outlook, RestoreError, Snapshot, StoredContact, StoredPoint};
pub use world::{PairJob, StepError, StepPlan, World};
