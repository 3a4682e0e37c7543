//! `repr(C)` structures of a stretch of sub-steps, as the device sees them.
//!
//! All vectors are on the world's axes. A pair's places are counted from the origin of its frame, which stands still for a stretch; bodies
//! are told by how far they have come since its start, so that 32 bits hold small numbers.

use bytemuck::{Pod, Zeroable};

/// Most patches of a pair.
pub const MAX_PATCHES: usize = 4;

/// Most springs across a patch.
pub const MAX_SPRINGS: usize = 24;

/// Why a sub-step is for the processor. What stops a stretch is `index << BITS | cause` of the first such sub-step.
pub mod cause {
    /// Bits that a cause takes.
    pub const BITS: u32 = 3;
    /// The list of candidates is too short.
    pub const ROOM: u32 = 0;
    /// A touch that is doubtful, or has no law, or is too weak for 32 bits.
    pub const DOUBT: u32 = 1;
    /// Two bodies have more patches than there are places for.
    pub const PATCHES: u32 = 2;
    /// Bodies hold each other by more than the sub-step can carry.
    pub const STIFF: u32 = 3;
    /// A body has come farther than candidates were looked for.
    pub const WAY: u32 = 4;
    /// Nothing has stopped it.
    pub const NONE: u32 = u32::MAX;
}

/// A body at the start of a stretch, and what acts on it all along.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct StretchBody {
    /// Velocity of the centre of mass \[m/s\].
    pub velocity: [f32; 3],
    /// 1 / mass \[1/kg\]; zero for a body that nothing can move.
    pub inverse_mass: f32,
    /// Angular momentum \[kg m²/s\]; the angular velocity \[rad/s\] of a body that nothing can move.
    pub spin: [f32; 3],
    /// Distance of the farthest vertex from the centre of mass \[m\].
    pub reach: f32,
    /// Inverse inertia: xx, yy, zz \[1/(kg m²)\]; one for a body that nothing can move.
    pub inertia: [f32; 3],
    /// How far any of its points may come \[m\].
    pub allowance: f32,
    /// The rest of it: yz, xz, xy \[1/(kg m²)\].
    pub products: [f32; 3],
    /// How easily it gives way, at most \[1/kg\].
    pub lightness: f32,
    /// By gravity and the forces from outside \[m/s²\].
    pub acceleration: [f32; 3],
    /// Where its [`link`]s begin.
    pub first_link: u32,
    /// Torque from outside \[N m\].
    pub torque: [f32; 3],
    /// Where its links end.
    pub end_link: u32,
    /// 1 for a body that forces move.
    pub is_dynamic: u32,
    /// Fills the 16 bytes.
    pub pad0: u32,
    /// Fills the 16 bytes.
    pub pad1: u32,
    /// Fills the 16 bytes.
    pub pad2: u32,
}

/// A pair that a body belongs to: twice its number, and one more where the body is B.
pub fn link(pair: u32, is_b: bool) -> u32 {
    2 * pair + u32::from(is_b)
}

/// How far a body has come since the start, besides what its velocity then leads it to.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct StretchState {
    /// Shift when it was kicked last \[m\].
    pub kicked_shift: [f32; 3],
    /// Fills the 16 bytes.
    pub pad0: f32,
    /// Turn when it was kicked last: the vector part of its quaternion.
    pub kicked_turn: [f32; 3],
    /// Fills the 16 bytes.
    pub pad1: f32,
    /// Shift now \[m\].
    pub shift: [f32; 3],
    /// Fills the 16 bytes.
    pub pad2: f32,
    /// Turn now.
    pub turn: [f32; 3],
    /// Fills the 16 bytes.
    pub pad3: f32,
    /// Velocity gained \[m/s\].
    pub velocity: [f32; 3],
    /// Fills the 16 bytes.
    pub pad4: f32,
    /// Angular momentum gained \[kg m²/s\].
    pub spin: [f32; 3],
    /// Fills the 16 bytes.
    pub pad5: f32,
}

/// Two bodies: where their facets were at the start, what they are to each other, and how they move now.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct StretchPair {
    /// Rows of the map from A's packing coordinates to the pair frame at the start.
    pub base_a: [[f32; 4]; 3],
    /// The same for B.
    pub base_b: [[f32; 4]; 3],
    /// A's centre of mass at the start \[m\].
    pub center_a: [f32; 3],
    /// Coefficient of friction.
    pub friction: f32,
    /// B's centre of mass at the start \[m\].
    pub center_b: [f32; 3],
    /// Stiffness across the normal, over that along it.
    pub shear: f32,
    /// The bodies.
    pub bodies: [u32; 2],
    /// Mass that moves against the other \[kg\].
    pub mass: f32,
    /// Coefficient of the dampers along the normals, over the root of mass times secant stiffness.
    pub damping: f32,
    /// Of the damper across, over that along the normal: the root of `shear`.
    pub shear_root: f32,
    /// Dampers per area, along the normal \[Pa s/m\].
    pub areal_normal: f32,
    /// The same across.
    pub areal_shear: f32,
    /// 1 if they are the processor's as soon as they touch.
    pub is_faint: u32,
    /// How the bodies are and move now, which `stretch_place` writes; fourth parts are 0.
    pub now: [BodyNow; 2],
}

/// A body of a pair now.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct BodyNow {
    /// Its centre of mass in the pair frame \[m\].
    pub center: [f32; 3],
    /// Fills the 16 bytes.
    pub pad0: f32,
    /// Its velocity \[m/s\].
    pub velocity: [f32; 3],
    /// Fills the 16 bytes.
    pub pad1: f32,
    /// Its angular velocity \[rad/s\].
    pub angular: [f32; 3],
    /// Fills the 16 bytes.
    pub pad2: f32,
    /// Its inverse inertia: xx, yy, zz \[1/(kg m²)\]; zero for a body that no force turns.
    pub inertia: [f32; 3],
    /// Fills the 16 bytes.
    pub pad3: f32,
    /// The rest of it: yz, xz, xy \[1/(kg m²)\].
    pub products: [f32; 3],
    /// Fills the 16 bytes.
    pub pad4: f32,
}

/// A candidate that touches, at the place of a candidate of its pair; those that touch come first.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct Part {
    /// The candidate; [`super::layout::NOWHERE`] where there are no more.
    pub candidate: u32,
    /// The first part that its facet of A hangs together with.
    pub on_a: u32,
    /// The same for B.
    pub on_b: u32,
    /// The first part of its patch.
    pub first: u32,
}

/// A patch as it is remembered.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct PatchMemory {
    /// Where it is, in A's packing coordinates \[m\].
    pub point: [f32; 3],
    /// Its grip \[m\].
    pub grip: f32,
    /// Its normal.
    pub normal: [f32; 3],
    /// How many springs it has.
    pub n_springs: u32,
    /// The springs that hold it, those that came into touch first before the others: stretch \[m\] and stiffness \[N/m\].
    pub springs: [[f32; 4]; MAX_SPRINGS],
}

/// What is remembered of two bodies.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct PairMemory {
    /// 1 if they act on each other.
    pub in_touch: u32,
    /// How many patches are remembered.
    pub n: u32,
    /// Greatest overlap of all facets \[m\].
    pub deepest: f32,
    /// Fills the 16 bytes.
    pub pad: u32,
    /// The patches.
    pub patches: [PatchMemory; MAX_PATCHES],
}

/// A patch and what acts over it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct PatchNow {
    /// Where it holds \[m\].
    pub point: [f32; 3],
    /// Radius of the disc that it is \[m\].
    pub grip: f32,
    /// From A to B.
    pub normal: [f32; 3],
    /// Area in contact \[m²\].
    pub area: f32,
    /// Force on B \[N\].
    pub force: [f32; 3],
    /// Greatest overlap \[m\].
    pub deepest: f32,
    /// Torque on B about the point \[N m\].
    pub torque: [f32; 3],
    /// How many pairs of facets it has.
    pub n_facets: u32,
    /// Second moments of its discs' centres about its point, by grip: xx, yy, zz \[m²\].
    pub spread: [f32; 3],
    /// Radius of gyration about the normal of what holds it across \[m\].
    pub gyration: f32,
    /// The rest of them: yz, xz, xy \[m²\].
    pub products: [f32; 3],
    /// Mean distance from the normal of what presses \[m\].
    pub lever: f32,
}

/// What two bodies do to each other in a sub-step.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct PairAction {
    /// Force on B \[N\].
    pub force: [f32; 3],
    /// Stiffness against any shift \[N/m\].
    pub stiffness: f32,
    /// Torque on A about its centre of mass \[N m\].
    pub torque_a: [f32; 3],
    /// Coefficient of the dampers \[N s/m\].
    pub damper: f32,
    /// Torque on B about its centre of mass \[N m\].
    pub torque_b: [f32; 3],
    /// How many patches there are.
    pub n: u32,
    /// The patches.
    pub patches: [PatchNow; MAX_PATCHES],
}

/// A patch in all sub-steps of a stretch.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct PatchSeen {
    /// As it was when it was deepest.
    pub deepest: PatchNow,
    /// Impulse on B \[N s\].
    pub impulse: [f32; 3],
    /// Fills the 16 bytes.
    pub pad0: f32,
    /// Impulse on B about the origin of the pair's frame \[N m s\].
    pub turn: [f32; 3],
    /// Fills the 16 bytes.
    pub pad1: f32,
}

/// Two bodies in all sub-steps of a stretch.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct PairSeen {
    /// Impulse about the centre of mass on A \[N m s\].
    pub turn_a: [f32; 3],
    /// Most patches at a time.
    pub n: u32,
    /// Impulse about the centre of mass on B \[N m s\].
    pub turn_b: [f32; 3],
    /// Fills the 16 bytes.
    pub pad: u32,
    /// By their numbers.
    pub patches: [PatchSeen; MAX_PATCHES],
}
