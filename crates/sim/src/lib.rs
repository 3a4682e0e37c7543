//! Rigid bodies in time with six-dimensional frictional contact (Bouchard et al. 2015), in f64 on the CPU.
//!
//! A step is a conversation: [`World::begin_step`] hands out [`Questions`], the caller measures (with any back end) and
//! [`World::advance`] goes on with the [`Answers`] until the step is done. Nothing in a step depends on the thread count; a
//! step that fails leaves the world as it was.
//!
//! | module | what it holds |
//! |---|---|
//! | [`world`] | what there is: bodies, materials, joints, settings, clock, state |
//! | [`question`] | what a step asks and is answered |
//! | [`law`] | what acts between two bodies: which questions are asked of a pair, and what is made of the answers |
//! | [`joint`] | what holds two bodies together |
//! | [`stepper`] | what moves a world from one time to the next |
//! | [`solver`] | from rows and limits to impulses |
//! | [`report`] | what a step reports |

mod broad_phase;
mod constants;
pub mod joint;
pub mod law;
mod motion;
mod placement;
pub mod question;
pub mod report;
pub mod settings;
pub mod solver;
pub mod stepper;
mod twist;
pub mod world;

pub use constants::INERTIA_TOLERANCE;
pub use joint::{Drive, Joint, JointDesc, JointError, JointId, JointKind, JointState, ValueOverTime};
pub use law::volume::{
    ContactDetail, ContactMotion, ContactRecord, EquivalentBox, LookAhead, StoredContact, StoredPoint,
};
pub use law::{Asleep, Memory, StoredPassage, StoredPassages, StoredSubsteps};
pub use question::{Answers, FacetsAnswer, FacetsQuestion, OverlapQuestion, PassageQuestion, Questions};
pub use report::{FacetDoubts, JointRecord, StepReport};
pub use settings::{
    Accelerator, ContactLaw, ContactModel, FacetPressure, LocalSolver, NormalRule, PatchModel, PenaltyTime,
    RollingRule, Setting, Settings, SettingsError, SpinCoupling, SpinRule, SweepOrder,
};
pub use solver::{ContactFrame, ContactLimits, ContactPatch, LimitSurface};
pub use stepper::{PenaltyDetail, Progress, StepError};
pub use world::material::{
    CoefficientError, DEFAULT_FRICTION, Material, MaterialError, MaterialId, Materials, Pair, PairError,
    PairOverride, Touch,
};
pub use world::rest::Rest;
pub use world::state::{BodyState, RestoreError, Snapshot};
pub use world::{
    Between, Body, BodyDesc, BodyError, BodyId, BodyKind, CoarsePlace, MassProperties, Path, Push,
    StateArrays, World,
};
