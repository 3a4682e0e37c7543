//! A stretch of sub-steps that somebody else goes through: what he is told of bodies and pairs, and what he gives back.
//!
//! The bodies move freely between kicks. Each sub-step they are kicked by what acts where they are, and drift on to the next one; the stretch
//! begins before a kick and ends after one. Whoever goes through it stops before the first sub-step that he cannot do.

use std::sync::Arc;

use glam::{DMat3, DQuat, DVec3};
use smallvec::SmallVec;
use tactum_geometry::Pose;
use tactum_geometry::facets::{Margins, Patch, RoundedMesh};

use super::elastic::PairElastic;
use super::hold::StoredPatch;

/// Sub-steps that are wanted in one go.
#[derive(Clone, Debug)]
pub struct Stretch {
    /// How many, at most.
    pub n: u32,
    /// Length of each \[s\].
    pub length: f64,
    /// Time that the bodies have moved since they were kicked last \[s\]: what springs are drawn by in the first one.
    pub since_kick: f64,
    /// Stiffness over mass that a sub-step can carry \[1/s²\].
    pub most_stiff: f64,
    /// Coefficient of dampers over mass that it can carry \[1/s\].
    pub most_damped: f64,
    /// All bodies of the world.
    pub bodies: Vec<Moving>,
    /// The pairs that may come to touch, sorted.
    pub pairs: Vec<MovingPair>,
}

/// A body at the start of a stretch, and what acts on it all along; world axes.
#[derive(Clone, Debug)]
pub struct Moving {
    /// Where its shape is.
    pub w_from_shape: Pose,
    /// Centre of mass \[m\].
    pub center: DVec3,
    /// Velocity \[m/s\].
    pub velocity: DVec3,
    /// Angular velocity \[rad/s\].
    pub angular: DVec3,
    /// Whether forces move it.
    pub is_dynamic: bool,
    /// 1 / mass \[1/kg\], and inverse inertia \[1/(kg m²)\], of a dynamic body.
    pub inverse_mass: f64,
    /// See `inverse_mass`.
    pub inverse_inertia: DMat3,
    /// Angular momentum of a dynamic body \[kg m²/s\].
    pub momentum: DVec3,
    /// By gravity and forces from outside \[m/s²\], and torque from outside \[N m\].
    pub acceleration: DVec3,
    /// See `acceleration`.
    pub torque: DVec3,
    /// Distance of its farthest vertex from the centre of mass \[m\].
    pub reach: f64,
    /// How far any of its points may come before it has to be asked anew which pairs there are \[m\].
    pub allowance: f64,
    /// How easily it gives way, at most \[1/kg\]: by this what it is held by is multiplied to be compared with the limits.
    pub lightness: f64,
}

/// Two bodies that may come to touch.
#[derive(Clone, Debug)]
pub struct MovingPair {
    /// The bodies A and B, the smaller index first.
    pub bodies: [u32; 2],
    /// Their meshes.
    pub meshes: [Arc<RoundedMesh>; 2],
    /// What they are to each other.
    pub law: PairElastic,
    /// How deep and how far apart facets that touch may be; the skin is in the allowances.
    pub margins: Margins,
    /// What is remembered of their patches; `None` if they do not act on each other.
    pub stored: Option<SmallVec<[StoredPatch; 1]>>,
}

/// What became of a stretch: the world after the last kick, before any drift that follows it.
#[derive(Clone, Debug, Default)]
pub struct Stretched {
    /// How many sub-steps were done.
    pub n_done: u32,
    /// Why not all of them; the next one is for the processor.
    pub stopped: Option<Stopped>,
    /// Each body's way since the start.
    pub bodies: Vec<Gone>,
    /// What the bodies of each pair did to each other.
    pub pairs: Vec<PairStretched>,
}

/// Why a stretch stopped early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// A body has come farther than it was allowed to.
    Way,
    /// Bodies hold each other by more than a sub-step can carry.
    Stiff,
    /// Anything else: a touch that is doubtful or has no law, more patches than there is room for.
    Unfit,
}

/// How far a body has come when it was kicked last.
#[derive(Clone, Copy, Debug)]
pub struct Gone {
    /// Shift of its centre of mass besides what its velocity at the start has led it to \[m\].
    pub shift: DVec3,
    /// Turn of its axes.
    pub turn: DQuat,
}

/// What two bodies did to each other.
#[derive(Clone, Debug, Default)]
pub struct PairStretched {
    /// Impulses on A and on B about their centres of mass \[N m s\].
    pub turns: [DVec3; 2],
    /// Its patches, by their numbers.
    pub patches: SmallVec<[PatchStretched; 1]>,
    /// What is remembered of them after the last kick; `None` if the bodies do not act on each other.
    pub stored: Option<SmallVec<[StoredPatch; 1]>>,
    /// Greatest overlap of their facets then \[m\].
    pub deepest: f64,
}

/// A patch in all sub-steps of a stretch.
#[derive(Clone, Copy, Debug)]
pub struct PatchStretched {
    /// As it was when it was deepest; the point in the world.
    pub deepest: Patch,
    /// Impulse on B in all sub-steps \[N s\], and about the point of the patch as it was when it was deepest \[N m s\].
    pub impulse: DVec3,
    /// See `impulse`.
    pub turn: DVec3,
}
