//! The world: bodies, materials, joints, settings and the clock, and the step as a conversation with whoever measures.

mod arrays;
mod body;
mod body_error;
mod body_state;
mod change;
pub(crate) mod hash;
mod leading;
pub mod material;
mod path;
mod place;
pub mod rest;
pub mod state;

use glam::{DMat3, DVec3};
use tactum_geometry::Overlap;

pub use arrays::StateArrays;
pub use body::{Body, BodyDesc, BodyId, BodyKind, MassProperties};
pub use body_error::BodyError;
use leading::Leading;
pub use leading::Push;
use material::{Material, MaterialError, MaterialId, Materials, Pair, PairError, PairOverride};
pub use path::{Between, Path};
pub use place::CoarsePlace;
use rest::Rest;
use state::{BodyState, RestoreError, Snapshot, state_hash};

use crate::law::Memory;
use crate::law::volume::ContactDetail;
use crate::question::{Answers, FacetsQuestion, Questions};
use crate::stepper::{self, After, Input, PenaltyDetail, Progress, StepError, Stepper};
use crate::{Joint, JointDesc, JointError, JointId, JointState, Settings, SettingsError, StepReport};

/// Bodies in time.
#[derive(Clone, Debug)]
pub struct World {
    settings: Settings,
    bodies: Vec<Body>,
    materials: Materials,
    /// Inverse inertia of each body in its shape's axes; zero for bodies that nothing can move.
    inverse_inertias: Vec<DMat3>,
    memory: Memory,
    joints: Vec<Joint>,
    joint_states: Vec<JointState>,
    /// Pairs of bodies that a joint keeps from touching, sorted.
    apart: Vec<[u32; 2]>,
    step_count: u64,
    /// Whether all velocities are those that the last step has left, found with the time step in force.
    is_continued: bool,
    stepper: Stepper,
    /// Paths and forces over time.
    leading: Leading,
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
            materials: Materials::default(),
            inverse_inertias: Vec::new(),
            memory: Memory::default(),
            joints: Vec::new(),
            joint_states: Vec::new(),
            apart: Vec::new(),
            step_count: 0,
            is_continued: false,
            stepper: Stepper::default(),
            leading: Leading::default(),
        })
    }

    /// Adds a body; a half-space may overlap anything, and so may any other body.
    ///
    /// # Errors
    /// What makes the description impossible, with the body's name; the world is then unchanged.
    pub fn add_body(&mut self, desc: BodyDesc) -> Result<BodyId, BodyError> {
        self.stepper.abandon();
        let body = desc.build(&self.materials)?;
        body.check_energy(self.settings.gravity, self.settings.dt)?;
        if let Some(place) = body.coarse_place() {
            return Err(BodyError::CoarsePlace { body: body.name, place });
        }
        let inverse = match body.kind {
            BodyKind::Dynamic => body.mass.inertia.inverse(),
            BodyKind::Static | BodyKind::Kinematic => DMat3::ZERO,
        };
        self.inverse_inertias.push(inverse);
        self.is_continued = false;
        self.bodies.push(body);
        Ok(BodyId(self.bodies.len() as u32 - 1))
    }

    /// Adds a material for bodies that are added later.
    ///
    /// # Errors
    /// A coefficient that is out of its range; the world is then unchanged.
    pub fn add_material(&mut self, material: Material) -> Result<MaterialId, MaterialError> {
        self.materials.add(material)
    }

    /// Says how two materials or two bodies touch from the next step on, in place of what was said of this pair before. What is
    /// said of two bodies beats what is said of their materials, and either beats what follows from the bodies themselves.
    ///
    /// # Errors
    /// A pair that there is not, or a coefficient that is out of its range; the world is then unchanged.
    pub fn set_pair(&mut self, pair: Pair, said: PairOverride) -> Result<(), PairError> {
        self.stepper.abandon();
        self.materials.set_pair(pair, said, &self.bodies)?;
        self.wake_all();
        Ok(())
    }

    /// The materials, and how pairs touch.
    pub fn materials(&self) -> &Materials {
        &self.materials
    }

    /// Joins two bodies, or a body and the world, where they stand now.
    ///
    /// # Errors
    /// What makes the description impossible, with the joint's name; the world is then unchanged.
    pub fn add_joint(&mut self, desc: JointDesc) -> Result<JointId, JointError> {
        self.stepper.abandon();
        let joint = desc.build(&self.bodies)?;
        self.wake_joined(joint.bodies());
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

    /// By how much the halves of each joint stand apart in what it locks: a distance \[m\] and an angle \[rad\], by index; zero
    /// for one that has broken. More than the solver leaves where joints ask for what cannot be.
    pub fn joint_gaps(&self) -> Vec<[f64; 2]> {
        let gap = |(joint, state): (&Joint, &JointState)| {
            if state.broken { [0.0; 2] } else { joint.gap(&self.bodies) }
        };
        self.joints.iter().zip(&self.joint_states).map(gap).collect()
    }

    /// The settings in force.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// All bodies, by index.
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// One body; `None` if the id is not of this world.
    pub fn try_body(&self, id: BodyId) -> Option<&Body> {
        self.bodies.get(id.0 as usize)
    }

    /// Wakes those of these bodies that sleep, what lies on those that never do, and all that sleeps as one with them. Whatever changes a
    /// body, a joint, what is said of them or the settings does so by itself.
    fn wake(&mut self, touched: &[u32]) {
        self.stepper.abandon();
        let links: Vec<[u32; 2]> = self.input().links().collect();
        rest::wake(&mut self.bodies, touched, links.into_iter());
    }

    /// Wakes the bodies of a joint. What lies on a fixed one of them sleeps on.
    fn wake_joined(&mut self, bodies: [u32; 2]) {
        let sleeps = |ix: &u32| self.bodies.get(*ix as usize).is_some_and(|body| body.rest.asleep);
        let asleep: Vec<u32> = bodies.into_iter().filter(sleeps).collect();
        self.wake(&asleep);
    }

    /// Wakes all bodies.
    pub fn wake_all(&mut self) {
        self.stepper.abandon();
        self.bodies.iter_mut().filter(|body| body.rest.asleep).for_each(|body| body.rest = Rest::default());
    }

    /// A body that is about to be changed.
    fn body_mut(&mut self, id: BodyId) -> Result<&mut Body, BodyError> {
        self.stepper.abandon();
        let needed = self.bodies.len();
        self.bodies.get_mut(id.0 as usize).ok_or(BodyError::Unknown { found: id.0, needed })
    }

    /// One body.
    ///
    /// # Panics
    /// If the id is not of this world; see [`World::try_body`].
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

    /// Begins a step of `Settings::dt`, and forgets one that has begun and is not done. Nothing of the world's state changes
    /// before the step is done.
    ///
    /// ```
    /// # use tactum_sim::{Progress, Settings, StepError, World};
    /// # use tactum_geometry::overlap::overlap;
    /// # fn main() -> Result<(), StepError> {
    /// # let mut world = World::new(Settings::default()).expect("the defaults are in range");
    /// let mut progress = world.begin_step()?;
    /// let report = loop {
    ///     match progress {
    ///         Progress::Done(report) => break report,
    ///         Progress::Ask(questions) => {
    ///             let overlaps = questions.overlaps.iter().map(|question| {
    ///                 let ([a, b], [w_from_a, w_from_b]) = (&question.shapes, &question.poses);
    ///                 overlap(a, w_from_a, b, w_from_b)
    ///             });
    ///             progress = world.advance(questions.answered(overlaps.collect()))?;
    ///         }
    ///     }
    /// };
    /// # assert!(report.contacts.is_empty());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`StepError::TooManyPairs`], before they are kept or measured; a path or a push whose velocity or force is not finite.
    pub fn begin_step(&mut self) -> Result<Progress, StepError> {
        self.lead()?;
        let mut stepper = std::mem::take(&mut self.stepper);
        let progress = stepper.begin(&self.input());
        self.stepper = stepper;
        Ok(self.take_over(progress?))
    }

    /// Goes on with the step that [`World::begin_step`] has begun. All results are the same for any number of threads.
    ///
    /// # Errors
    /// Answers to other questions than those that were asked last, or after the world has been changed; answers that are not
    /// finite; a state that would not be finite. The world is then bit for bit as before the step, which has to be begun
    /// anew.
    pub fn advance(&mut self, answers: Answers) -> Result<Progress, StepError> {
        let mut stepper = std::mem::take(&mut self.stepper);
        let progress = stepper.advance(&self.input(), answers);
        self.stepper = stepper;
        Ok(self.take_over(progress?))
    }

    /// Takes over the state after a step that is done.
    fn take_over(&mut self, progress: Progress) -> Progress {
        if let Progress::Done(_) = progress {
            let After { states, memory, joints } = self.stepper.after();
            for (state, body) in states.iter().zip(&mut self.bodies) {
                // What acts from outside over time is no state.
                let own = (body.force, body.torque);
                state.apply_to(body);
                (body.force, body.torque) = own;
            }
            self.leading.led.clear();
            std::mem::swap(&mut self.memory, memory);
            std::mem::swap(&mut self.joint_states, joints);
            self.step_count += 1;
            self.is_continued = true;
        }
        progress
    }

    /// One whole step with `measure` answering its questions in their order.
    ///
    /// # Errors
    /// As [`World::begin_step`] and [`World::advance`].
    pub fn step(
        &mut self,
        mut measure: impl FnMut(&Questions) -> Vec<Overlap>,
    ) -> Result<StepReport, StepError> {
        let mut progress = self.begin_step()?;
        loop {
            match progress {
                Progress::Done(report) => return Ok(report),
                Progress::Ask(questions) => {
                    progress = self.advance(questions.answered(measure(&questions)))?;
                }
            }
        }
    }

    fn input(&self) -> Input<'_> {
        let is_led = !self.leading.led.is_empty();
        Input {
            settings: &self.settings,
            bodies: if is_led { &self.leading.led } else { &self.bodies },
            materials: &self.materials,
            inverse_inertias: &self.inverse_inertias,
            apart: &self.apart,
            memory: &self.memory,
            joints: &self.joints,
            joint_states: &self.joint_states,
            end: (self.step_count + 1) as f64 * self.settings.dt,
            is_continued: if is_led { self.leading.is_continued } else { self.is_continued },
            n_sharing: 1,
            is_landing: false,
        }
    }

    /// What the solver knew of the contacts of the last step, in the order of its report, of which those of bodies that slept through
    /// the step are left out: for viewers and examinations, the simulation does not need it. Empty from the next [`World::begin_step`] or change of the world on.
    pub fn contact_details(&self) -> Vec<ContactDetail> {
        self.stepper.contact_details(&self.input())
    }

    /// What each pair of features, a vertex in a face or two edges, did in the last step under the law "continuous_penalty": of the first 4,096 of
    /// them, in the order of sub-steps and pairs. Nothing under other laws, nor once another step has begun or the world was changed.
    pub fn penalties(&self) -> &[PenaltyDetail] {
        self.stepper.penalties()
    }

    /// The questions whose answers are the touches of all pairs that touch under the law "facets", where the bodies are now, facet by
    /// facet: for those who want to see them. None under other laws.
    pub fn touching_facets(&self) -> Vec<FacetsQuestion> {
        stepper::touching(&self.input())
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

    /// Linear momentum of all dynamic bodies \[kg m/s\], and angular momentum about the world's origin \[kg m²/s\].
    pub fn momenta(&self) -> [DVec3; 2] {
        self.dynamic_bodies().fold([DVec3::ZERO; 2], |sums, body| {
            let p = body.mass.mass * body.linear_velocity;
            let turn = body.orientation.conjugate() * body.angular_velocity;
            let spin = body.orientation * (body.mass.inertia * turn);
            [sums[0] + p, sums[1] + body.position.cross(p) + spin]
        })
    }

    fn dynamic_bodies(&self) -> impl Iterator<Item = &Body> {
        self.bodies.iter().filter(|body| body.kind == BodyKind::Dynamic)
    }

    /// Hash of the dynamic state, bit by bit: poses, velocities, external wrenches, remembered contacts, step count.
    /// Two worlds with equal hashes, settings, bodies and materials go on equally.
    pub fn state_hash(&self) -> u64 {
        state_hash(
            [self.step_count, u64::from(self.is_continued)],
            &self.bodies,
            &self.memory,
            &self.joint_states,
        )
    }

    /// The full dynamic state as plain data.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            step_count: self.step_count,
            is_continued: self.is_continued,
            bodies: self.bodies.iter().map(BodyState::of).collect(),
            memory: self.memory.clone(),
            joints: self.joint_states.clone(),
        }
    }

    /// Goes back to a snapshot of a world with the same bodies; the next steps repeat those after the snapshot bit
    /// for bit.
    ///
    /// # Errors
    /// A snapshot of other bodies or with numbers that are not finite; the world is then unchanged.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), RestoreError> {
        self.stepper.abandon();
        snapshot.check(&self.bodies, &self.joints)?;
        for (state, body) in snapshot.bodies.iter().zip(&mut self.bodies) {
            state.apply_to(body);
        }
        self.memory.clone_from(&snapshot.memory);
        self.joint_states.clone_from(&snapshot.joints);
        (self.step_count, self.is_continued) = (snapshot.step_count, snapshot.is_continued);
        Ok(())
    }
}

/// Kinetic energy of one body \[J\].
pub fn kinetic_energy(body: &Body) -> f64 {
    BodyState::of(body).kinetic_energy(&body.mass)
}
