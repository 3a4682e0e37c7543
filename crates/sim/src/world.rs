//! The world: bodies, settings and the step.

use std::time::Instant;

use glam::{DMat3, DVec3};
use tactum_geometry::{Overlap, Pose};
use thiserror::Error;

use crate::body::{check_finite, unit_orientation};
use crate::joint::check_drive;
use crate::state::{BodyState, RestoreError, Snapshot, StateHash, StoredContact};
use crate::step::Step;
use crate::{
    Body, BodyDesc, BodyError, BodyId, BodyKind, ContactInsight, Drive, Joint, JointDesc, JointError,
    JointId, JointState, Settings, SettingsError, StepReport, broad_phase,
};

/// One overlap that the step needs: of a pair as it is, or of a pair as it may soon be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairJob {
    /// Indices of the bodies A and B, the smaller first.
    pub bodies: [u32; 2],
    /// How far B is moved before it is measured against A, world axes \[m\]; zero to measure where the bodies are.
    ///
    /// A step takes such an overlap for the measured one of the shifted pair, so [`PairJob::poses`] has to be kept to.
    /// An empty overlap in its place is always allowed; the contact is then found once the bodies have sunk into each
    /// other.
    pub shift: DVec3,
}

impl PairJob {
    /// Whether the pair is measured where it may soon be instead of where it is.
    pub fn is_ahead(&self) -> bool {
        self.shift != DVec3::ZERO
    }

    /// Poses of the shapes' frames of A and B at which the overlap is to be measured.
    pub fn poses(&self, bodies: &[Body]) -> [Pose; 2] {
        let [a, mut b] = self.bodies.map(|ix| bodies[ix as usize].w_from_shape());
        b.translation += self.shift;
        [a, b]
    }
}

/// The pairs of a step, sorted by body indices.
#[derive(Clone, Debug, Default)]
pub struct StepPlan {
    /// Pairs whose boxes meet and whose overlap has to be measured.
    pub jobs: Vec<PairJob>,
    /// Wall time of the broad phase \[s\].
    pub broad_time: f64,
}

/// Why a step could not be made; the world is left as it was before the step.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum StepError {
    /// The plan and the measured overlaps do not go together.
    #[error("the step's plan has {needed} pairs, but {found} overlaps were given")]
    OverlapCount {
        /// Pairs of the plan.
        needed: usize,
        /// Overlaps given.
        found: usize,
    },
    /// A pair of the plan is not one of this world.
    #[error("the step's plan pairs bodies {bodies:?}: unknown, in the wrong order or with nothing dynamic")]
    UnknownPair {
        /// The indices it names.
        bodies: [u32; 2],
    },
    /// An overlap holds an infinite, undefined or impossible number.
    #[error("the overlap of bodies '{a}' and '{b}' has an unusable {what}")]
    BadOverlap {
        /// Name of the first body.
        a: String,
        /// Name of the second body.
        b: String,
        /// Which quantity.
        what: &'static str,
    },
    /// A state is not finite.
    #[error("body '{body}' would reach a non-finite {what}")]
    NotFinite {
        /// Name of the body.
        body: String,
        /// Which quantity.
        what: &'static str,
    },
}

/// Bodies in time.
#[derive(Clone, Debug)]
pub struct World {
    settings: Settings,
    bodies: Vec<Body>,
    /// Inverse inertia of each body in its shape's axes; zero for bodies that nothing can move.
    inverse_inertias: Vec<DMat3>,
    contacts: Vec<StoredContact>,
    joints: Vec<Joint>,
    joint_states: Vec<JointState>,
    /// Pairs of bodies that a joint keeps from touching, sorted.
    apart: Vec<[u32; 2]>,
    step_count: u64,
    step: Step,
}

impl World {
    /// A world without bodies.
    ///
    /// # Errors
    /// The first setting that is out of its range.
    pub fn new(settings: Settings) -> Result<Self, SettingsError> {
        settings.check()?;
        Ok(Self {
            settings,
            bodies: Vec::new(),
            inverse_inertias: Vec::new(),
            contacts: Vec::new(),
            joints: Vec::new(),
            joint_states: Vec::new(),
            apart: Vec::new(),
            step_count: 0,
            step: Step::default(),
        })
    }

    /// Adds a body; a half-space may overlap anything, and so may any other body.
    ///
    /// # Errors
    /// What makes the description impossible, with the body's name; the world is then unchanged.
    pub fn add_body(&mut self, desc: BodyDesc) -> Result<BodyId, BodyError> {
        let body = desc.build()?;
        body.check_energy(self.settings.gravity, self.settings.dt)?;
        let inverse = match body.kind {
            BodyKind::Dynamic => body.mass.inertia.inverse(),
            BodyKind::Static | BodyKind::Kinematic => DMat3::ZERO,
        };
        self.inverse_inertias.push(inverse);
        self.bodies.push(body);
        Ok(BodyId(self.bodies.len() as u32 - 1))
    }

    /// Joins two bodies, or a body and the world, where they stand now.
    ///
    /// # Errors
    /// What makes the description impossible, with the joint's name; the world is then unchanged.
    pub fn add_joint(&mut self, desc: JointDesc) -> Result<JointId, JointError> {
        let joint = desc.build(&self.bodies)?;
        if let Some(BodyId(a)) = joint.a
            && !joint.bodies_touch
        {
            let pair = [a.min(joint.b.0), a.max(joint.b.0)];
            if let Err(place) = self.apart.binary_search(&pair) {
                self.apart.insert(place, pair);
            }
        }
        self.joints.push(joint);
        self.joint_states.push(JointState::default());
        Ok(JointId(self.joints.len() as u32 - 1))
    }

    /// All joints, by index.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// State of each joint, by index.
    pub fn joint_states(&self) -> &[JointState] {
        &self.joint_states
    }

    /// Changes what moves a joint from the next step on.
    ///
    /// # Errors
    /// A drive for a joint that is neither revolute nor prismatic, or one with a number out of its range; the joint is then
    /// unchanged.
    ///
    /// # Panics
    /// If the id is not of this world.
    pub fn set_drive(&mut self, id: JointId, drive: Option<Drive>) -> Result<(), JointError> {
        let joint = &mut self.joints[id.0 as usize];
        if let Some(drive) = &drive {
            check_drive(&joint.name, drive)?;
        }
        match joint.kind.drive_mut() {
            Some(place) => *place = drive,
            None if drive.is_some() => return Err(JointError::NoDrive { joint: joint.name.clone() }),
            None => {}
        }
        Ok(())
    }

    /// The settings in force.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// All bodies, by index.
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// One body.
    ///
    /// # Panics
    /// If the id is not of this world.
    pub fn body(&self, id: BodyId) -> &Body {
        &self.bodies[id.0 as usize]
    }

    /// Steps made.
    pub fn step_count(&self) -> u64 {
        self.step_count
    }

    /// Simulated time \[s\].
    pub fn time(&self) -> f64 {
        self.step_count as f64 * self.settings.dt
    }

    /// Sets the velocity of a dynamic or kinematic body, world axes \[m/s, rad/s\].
    ///
    /// # Errors
    /// A velocity that is not finite, or any but zero for a static body; the body is then unchanged.
    ///
    /// # Panics
    /// If the id is not of this world.
    pub fn set_velocity(&mut self, id: BodyId, linear: DVec3, angular: DVec3) -> Result<(), BodyError> {
        let body = &mut self.bodies[id.0 as usize];
        check_finite(&body.name, "linear velocity", linear)?;
        check_finite(&body.name, "angular velocity", angular)?;
        if body.kind == BodyKind::Static && (linear != DVec3::ZERO || angular != DVec3::ZERO) {
            return Err(BodyError::StaticMoves { body: body.name.clone() });
        }
        body.linear_velocity = linear;
        body.angular_velocity = angular;
        Ok(())
    }

    /// Sets the force through the centre of mass and the torque that act on a body from now on, world axes
    /// \[N, N m\]; they have no effect on static and kinematic bodies.
    ///
    /// # Errors
    /// A wrench that is not finite; the body is then unchanged.
    ///
    /// # Panics
    /// If the id is not of this world.
    pub fn set_wrench(&mut self, id: BodyId, force: DVec3, torque: DVec3) -> Result<(), BodyError> {
        let body = &mut self.bodies[id.0 as usize];
        check_finite(&body.name, "force", force)?;
        check_finite(&body.name, "torque", torque)?;
        body.force = force;
        body.torque = torque;
        Ok(())
    }

    /// Moves a body to a pose of its shape's frame, without giving it a velocity.
    ///
    /// # Errors
    /// A pose that is not finite or has no direction; the body is then unchanged.
    ///
    /// # Panics
    /// If the id is not of this world.
    pub fn set_pose(&mut self, id: BodyId, w_from_shape: &Pose) -> Result<(), BodyError> {
        let body = &mut self.bodies[id.0 as usize];
        check_finite(&body.name, "position", w_from_shape.translation)?;
        let orientation = unit_orientation(&body.name, w_from_shape.rotation)?;
        body.position = w_from_shape.translation + orientation * body.mass.center;
        body.orientation = orientation;
        Ok(())
    }

    /// The overlaps that the next step needs: of pairs whose boxes meet, with at least one body dynamic and groups that
    /// allow it, and of pairs that may come to touch during the step (see [`PairJob::shift`]).
    pub fn plan(&self) -> StepPlan {
        let start = Instant::now();
        let jobs = broad_phase::pairs(&broad_phase::Input {
            bodies: &self.bodies,
            memory: &self.contacts,
            gravity: self.settings.gravity,
            dt: self.settings.dt,
            apart: &self.apart,
            // A compliant contact wants its overlap before it pushes.
            look_ahead: self.settings.compliance == 0.0,
        });
        StepPlan { jobs, broad_time: start.elapsed().as_secs_f64() }
    }

    /// Makes one step of `Settings::dt` from the overlaps of the plan's jobs, in the plan's order, each measured at
    /// [`PairJob::poses`].
    ///
    /// Order: free velocities, contact blocks, block Gauss-Seidel island by island, position correction, poses
    /// (semi-implicit). All results are the same for any number of threads.
    ///
    /// # Errors
    /// Overlaps that do not fit the plan or are not finite, or a state that would not be finite. The world is then
    /// bit for bit as before.
    pub fn solve(&mut self, plan: &StepPlan, overlaps: &[Overlap]) -> Result<StepReport, StepError> {
        let mut step = std::mem::take(&mut self.step);
        let result = step.advance(&self.input(plan, overlaps));
        self.step = step;
        let mut report = result?;
        report.times.broad = plan.broad_time;
        for (state, body) in self.step.states.iter().zip(&mut self.bodies) {
            state.apply_to(body);
        }
        std::mem::swap(&mut self.contacts, &mut self.step.contacts_after);
        std::mem::swap(&mut self.joint_states, &mut self.step.joints_after);
        self.step_count += 1;
        Ok(report)
    }

    fn input<'a>(&'a self, plan: &'a StepPlan, overlaps: &'a [Overlap]) -> crate::step::Input<'a> {
        crate::step::Input {
            settings: &self.settings,
            bodies: &self.bodies,
            inverse_inertias: &self.inverse_inertias,
            memory: &self.contacts,
            joints: &self.joints,
            joint_states: &self.joint_states,
            end: (self.step_count + 1) as f64 * self.settings.dt,
            jobs: &plan.jobs,
            overlaps,
        }
    }

    /// What the solver knew of the contacts of the step that [`World::solve`] has just made from this plan and these
    /// overlaps, in the order of its report: for viewers and examinations, the simulation does not need it. Empty where
    /// the plan or the overlaps are not those of the step.
    pub fn insights(&self, plan: &StepPlan, overlaps: &[Overlap]) -> Vec<ContactInsight> {
        if plan.jobs.len() != overlaps.len() || !self.step.is_made_from(overlaps) {
            return Vec::new();
        }
        self.step.insights(&self.input(plan, overlaps))
    }

    /// Changes the settings from the next step on. A changed `dt` changes [`World::time`] for the steps already made.
    ///
    /// # Errors
    /// The first setting that is out of its range; the settings are then unchanged.
    pub fn set_settings(&mut self, settings: Settings) -> Result<(), SettingsError> {
        settings.check()?;
        self.settings = settings;
        Ok(())
    }

    /// Sets the coefficient of friction of a body; a pair uses the geometric mean of its two.
    ///
    /// # Errors
    /// A coefficient that is negative or not finite; the body is then unchanged.
    ///
    /// # Panics
    /// If the id is not of this world.
    pub fn set_friction(&mut self, id: BodyId, friction: f64) -> Result<(), BodyError> {
        let body = &mut self.bodies[id.0 as usize];
        if !friction.is_finite() || friction < 0.0 {
            return Err(BodyError::Friction { body: body.name.clone(), found: friction });
        }
        body.friction = friction;
        Ok(())
    }

    /// Kinetic energy of all dynamic bodies \[J\].
    pub fn kinetic_energy(&self) -> f64 {
        self.dynamic_bodies().map(kinetic_energy).sum()
    }

    /// Potential energy of all dynamic bodies in uniform gravity, zero at the world's origin \[J\].
    pub fn potential_energy(&self) -> f64 {
        let gravity = self.settings.gravity;
        self.dynamic_bodies().map(|body| BodyState::of(body).potential_energy(&body.mass, gravity)).sum()
    }

    fn dynamic_bodies(&self) -> impl Iterator<Item = &Body> {
        self.bodies.iter().filter(|body| body.kind == BodyKind::Dynamic)
    }

    /// Hash of the dynamic state, bit by bit: poses, velocities, external wrenches, remembered contacts, step count.
    /// Two worlds with equal hashes, settings and bodies go on equally.
    pub fn state_hash(&self) -> u64 {
        StateHash::of(self.step_count, &self.bodies, &self.contacts, &self.joint_states)
    }

    /// The full dynamic state as plain data.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            step_count: self.step_count,
            bodies: self.bodies.iter().map(BodyState::of).collect(),
            contacts: self.contacts.clone(),
            joints: self.joint_states.clone(),
        }
    }

    /// Goes back to a snapshot of a world with the same bodies; the next steps repeat those after the snapshot bit
    /// for bit.
    ///
    /// # Errors
    /// A snapshot of other bodies or with numbers that are not finite; the world is then unchanged.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), RestoreError> {
        snapshot.check(&self.bodies, &self.joints)?;
        for (state, body) in snapshot.bodies.iter().zip(&mut self.bodies) {
            state.apply_to(body);
        }
        self.contacts.clone_from(&snapshot.contacts);
        self.joint_states.clone_from(&snapshot.joints);
        self.step_count = snapshot.step_count;
        Ok(())
    }
}

/// Kinetic energy of one body \[J\].
pub fn kinetic_energy(body: &Body) -> f64 {
    BodyState::of(body).kinetic_energy(&body.mass)
}
