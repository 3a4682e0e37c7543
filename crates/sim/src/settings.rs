//! What a world can be told about how to simulate.
//!
//! Each setting is defined once, in the list below: name, type, unit, default, range and what it means to a user. The check, the
//! keys of a scene, their schema and the viewer's sliders come from it.

mod choice;
mod table;
mod value;

use glam::DVec3;
use tactum_geometry::quantity::Range;
use thiserror::Error;

use ContactLaw::{ContinuousPenalty, Facets, Volume};
pub use choice::{
    Accelerator, ContactLaw, ContactModel, FacetPressure, LocalSolver, NormalRule, PatchModel, PenaltyTime,
    RollingRule, SpinCoupling, SpinRule, SweepOrder,
};
pub use table::{Implied, Section, Setting};
use table::{contact, of_scene, solver, unnamed};
pub use value::{Choice, ChoiceNumber, Kind, Value};

table::settings! {
    /// Time step.
    dt: f64 ["s"] = 0.01 => of_scene().range(Range::POSITIVE).usual(1e-4, 0.02);

    /// Parts of a step, each measured and solved by itself. A wheel that is a true polyhedron wants four from corner to corner.
    substeps: u32 = 1 => solver().of(&[Volume]).range(Range::between(1.0, 1000.0)).usual(1.0, 32.0);

    /// Parts into which a step is divided for those alone who land in it: groups of up to 32 contacts and joints in which bodies come to
    /// touch, or a corner comes down on a plane, as of a polyhedron that rolls from side to side; 1 for none. Where bodies of a larger group
    /// collide, the step is divided for all, into no more of these parts than that takes. Where `substeps` divides all steps, these are
    /// not divided further.
    landing_substeps: u32 = 16 => solver().of(&[Volume]).range(Range::between(1.0, 1000.0)).usual(1.0, 32.0);

    /// How often a solved step is followed at most to where its velocities lead, to be solved once more for those who get into something
    /// there that no contact foresaw; 0 for never. With 4, unlike bodies that fall on each other in large steps get into each other by hundredths
    /// of a millimetre and not by millimetres. Groups of more than 32 contacts and joints are not followed.
    foresight: u32 = 4 => solver().of(&[Volume]).range(Range::between(0.0, 16.0)).usual(0.0, 4.0);

    /// Acceleration of gravity. Turn it to tilt the whole scene.
    gravity: DVec3 ["m/s²"] = DVec3::new(0.0, 0.0, -9.81) => of_scene();

    /// What acts between bodies that touch.
    law: ContactLaw = Volume => contact();

    /// Young's modulus of bodies whose material states none; law "facets".
    young: f64 ["Pa"] = 1e7 => contact().of(&[Facets]).range(Range::POSITIVE).usual(1e4, 1e11);

    /// Poisson's ratio of bodies whose material states none; law "facets".
    poisson: f64 = 0.3 => contact().of(&[Facets]).range(Range::between(0.0, 0.5)).usual(0.0, 0.5);

    /// How bodies press on each other; law "facets".
    pressure: FacetPressure = FacetPressure::Hertz => contact().of(&[Facets]);

    /// Pressure per overlap of the pressure "foundation".
    foundation: f64 ["Pa/m"] = 1e9 => contact().of(&[Facets]).range(Range::POSITIVE).usual(1e6, 1e13);

    /// Work of adhesion of the pressures "jkr" and "maugis".
    adhesion: f64 ["J/m²"] = 0.05 => contact().of(&[Facets]).range(Range::POSITIVE).usual(1e-4, 10.0);

    /// Stress with which surfaces draw each other under the pressure "maugis".
    cohesive_stress: f64 ["Pa"] = 1e6 => contact().of(&[Facets]).range(Range::POSITIVE).usual(1e3, 1e9);

    /// Damper along the normal, per area in contact, besides that of the restitution; law "facets".
    areal_damping: f64 ["Pa s/m"] = 0.0 => contact().of(&[Facets]).range(Range::NOT_NEGATIVE).usual(1.0, 1e9);

    /// The same across the normal; law "facets".
    areal_shear_damping: f64 ["Pa s/m"] = 0.0 => contact().of(&[Facets]).range(Range::NOT_NEGATIVE).usual(1.0, 1e9);

    /// Penalty force per depth of a vertex or a pair of edges in the other body; law "continuous_penalty". A body that lies on n vertices is
    /// held by n times as much.
    stiffness: f64 ["N/m"] = 1e5 => contact().of(&[ContinuousPenalty]).range(Range::POSITIVE).usual(1e2, 1e8);

    /// What of a step's motion penalty forces look at; law "continuous_penalty".
    penalty: PenaltyTime = PenaltyTime::Continuous => contact().of(&[ContinuousPenalty]);

    /// Longest sub-step of the law "facets", as the phase of the fastest oscillation that contacts allow; 2 is where it would become unstable.
    substep_phase: f64 ["rad"] = 0.15 => solver().of(&[Facets]).range(Range::between(1e-4, 1.0)).usual(0.01, 0.5);

    /// Largest number of sub-steps that the laws "facets" and "continuous_penalty" may take in a step.
    max_substeps: u32 = 100_000 => solver().of(&[Facets, ContinuousPenalty]).range(Range::at_least(1.0)).usual(10.0, 1e6);

    /// Which rows a contact is solved with: "patch" or, to compare with, "points".
    contact: ContactModel = ContactModel::Patch => contact().of(&[Volume]).named("model");

    /// What bounds the centre of pressure: "polygon" or { ellipse = 3 }.
    patch: PatchModel = PatchModel::Polygon => contact().of(&[Volume]);

    /// Which way a contact pushes.
    normal: NormalRule = NormalRule::Blend => contact().of(&[Volume]);

    /// Over how much of its patch a contact resists rolling.
    rolling: RollingRule = RollingRule::Auto => contact().of(&[Volume]);

    /// How far from the centre of pressure friction resists spinning.
    spin: SpinRule = SpinRule::Uniform => contact().of(&[Volume]);

    /// How friction against sliding and against spinning limit each other. Used by the local solver "cone".
    coupling: SpinCoupling = SpinCoupling::Surface => contact().of(&[Volume]);

    /// What solves one contact block.
    local: LocalSolver = LocalSolver::Cone => solver().of(&[Volume]);

    /// Mean depth at which a resting contact is held. A body's size is the geometric mean of the sides of its own box, a cube's
    /// side; the target volume of a contact is this depth times its patch area.
    target_depth: f64 ["of the smaller body's size"] = 5e-5 => contact().of(&[Volume]).range(Range::between(0.0, 0.1)).usual(1e-6, 0.05);

    /// Overlap volume at which every contact is held; replaces `target_depth`.
    target_volume: Option<f64> ["m³"] = None => contact().of(&[Volume]).range(Range::NOT_NEGATIVE).usual(1e-6, 1.0);

    /// Compliance of a contact along its normal, by which its deepest point gives way; 0 is rigid.
    compliance: f64 ["m/N"] = 0.0 => contact().of(&[Volume]).range(Range::NOT_NEGATIVE).usual(1e-9, 0.01);

    /// Damping of a compliant contact along its normal; under the law "continuous_penalty" of each vertex or pair of edges that comes deeper.
    damping: f64 ["N s/m"] = 0.0 => contact().of(&[Volume, ContinuousPenalty]).range(Range::NOT_NEGATIVE).usual(1e-2, 1e4);

    /// Coefficient of restitution.
    restitution: f64 = 0.0 => contact().range(Range::FRACTION).usual(0.0, 1.0);

    /// Approach speed below which nothing bounces.
    restitution_threshold: f64 ["m/s"] = 0.05 => contact().of(&[Volume]).range(Range::NOT_NEGATIVE).usual(0.0, 1.0);

    /// Part of the volume above target that is taken out per step by moving the bodies apart.
    stabilization: f64 = 1.0 => contact().of(&[Volume]).range(Range::FRACTION).usual(0.0, 1.0);

    /// Whether a step starts from the impulses of the last one.
    warm_start: bool = true => solver().of(&[Volume]);

    /// The solver stops when the norm of a sweep's impulse updates falls to this. Light bodies are held too: it goes on until the
    /// updates are below a millionth of the impulses themselves. Torques count in N m s.
    tolerance: f64 ["N s"] = 1e-9 => solver().of(&[Volume]).range(Range::POSITIVE).usual(1e-12, 1e-2);

    /// The solver also stops when that norm falls to this part of the norm of the impulses. Heavy bodies cannot be solved to an
    /// absolute tolerance below their rounding.
    relative_tolerance: f64 = 1e-12 => unnamed().of(&[Volume]).range(Range::NOT_NEGATIVE);

    /// A group of more than 16 contacts and joints is also solved when its velocities are off by no more than this part of them, root
    /// mean square, as estimated from how the changes of the last sweeps fall; a smaller one, after 20 sweeps, when they are off by
    /// no more than this part of a thousandth of what contacts and joints have changed of them or, without joints and with half of
    /// `max_solves` made, when no contact changes them by more than this part of that. 0 for never.
    motion_tolerance: f64 = 1e-4 => solver().of(&[Volume]).range(Range::FRACTION).usual(1e-6, 0.1)
        .implied("tolerance", Value::Number(0.0), "0 (never)");

    /// How long all bodies of a group have to be still, within half a ten-thousandth of their size, on what does not move, until they fall
    /// asleep: from then on they cost nothing, until something touches or changes one of them. 0 for never.
    sleep_after: f64 ["s"] = 0.5 => solver().of(&[Volume]).range(Range::NOT_NEGATIVE).usual(0.1, 10.0);

    /// Whether `tolerance` is per row: the norm is divided by the square root of the number of rows.
    tolerance_per_row: bool = false => solver().of(&[Volume]).named("per_row");

    /// Largest number of sweeps in a step.
    max_sweeps: u32 = 1_000 => solver().of(&[Volume]).range(Range::at_least(1.0)).usual(1.0, 2000.0);

    /// Largest number of blocks solved in a step per group of touching bodies. A large pile gets fewer sweeps, though twenty at
    /// least; what is left is solved in the next steps, which start from it.
    max_solves: u64 = 2_000 => solver().of(&[Volume]).range(Range::NOT_NEGATIVE).usual(100.0, 1e6)
        .implied("max_sweeps", Value::Count(u64::MAX), "any number");

    /// What speeds the sweeps up.
    accelerator: Accelerator = Accelerator::Newton => solver().of(&[Volume]);

    /// In which order a sweep takes the contacts.
    order: SweepOrder = SweepOrder::Forward => solver().of(&[Volume]);

    /// Factor on every change of an impulse (successive over-relaxation). It is 1 from where the sweeps' updates have grown, and in
    /// the last sweep.
    relaxation: f64 = 1.0 => solver().of(&[Volume]).range(Range::inside(0.0, 2.0)).usual(0.0, 2.0);
}

/// A setting out of its range.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("setting '{name}' is {found}, needed {needed}")]
pub struct SettingsError {
    /// Name of the setting.
    pub name: &'static str,
    /// What it has to be, in words, with its unit.
    pub needed: String,
    /// What was given.
    pub found: f64,
}

impl Settings {
    /// Checks all settings.
    ///
    /// # Errors
    /// The first one that is out of its range.
    pub fn check(&self) -> Result<(), SettingsError> {
        Self::ALL.iter().try_for_each(|setting| setting.check(setting.get(self)))
    }
}
