//! One step, from overlaps to the next state. Nothing of the world is written here: the results wait in [`Step`]
//! until all of them are known to be finite.

mod joints;
mod overlaps;
mod records;

use std::time::Instant;

use glam::{DMat3, DVec3};
use rayon::prelude::*;
use tactum_geometry::Overlap;

use crate::constants::{PARALLEL_BODIES, PARALLEL_CHUNK, PARALLEL_CONTACTS};
use crate::contact::assemble::{Assembly, can_look_ahead};
use crate::contact::{Contact, RegionRef};
use crate::insight::ContactInsight;
use crate::integrate::{self, Drift, Twist};
use crate::record::{IslandRecord, PhaseTimes};
use crate::solver::block_gs::{self, Convergence, SolverBody};
use crate::solver::constraint::Constraint;
use crate::solver::islands::{Island, Islands, NO_SLOT};
use crate::stabilize::{self, Pressure};
use crate::state::{BodyState, StoredContact};
use crate::step::overlaps::{check_overlaps, depth_of_size, is_deep_enough};
use crate::step::records::{is_recorded, record, remember};
use crate::{Body, BodyId, BodyKind, Joint, JointState, PairJob, Settings, StepError, StepReport};

/// What a step is made from.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// Settings of the world.
    pub settings: &'a Settings,
    /// Bodies before the step.
    pub bodies: &'a [Body],
    /// Their inverse inertias in their shapes' axes.
    pub inverse_inertias: &'a [DMat3],
    /// Contacts of the last step.
    pub memory: &'a [StoredContact],
    /// Joints of the world.
    pub joints: &'a [Joint],
    /// Their states before the step.
    pub joint_states: &'a [JointState],
    /// When the step ends, since the world's start \[s\].
    pub end: f64,
    /// Pairs of the step.
    pub jobs: &'a [PairJob],
    /// Their overlaps.
    pub overlaps: &'a [Overlap],
}

/// Results of a step and the memory it works in, kept from step to step.
#[derive(Clone, Debug, Default)]
pub struct Step {
    /// State of each body after the step.
    pub states: Vec<BodyState>,
    /// Contacts of the step as the next one remembers them, sorted by pair and region.
    pub contacts_after: Vec<StoredContact>,
    /// State of each joint after the step.
    pub joints_after: Vec<JointState>,
    free: Vec<SolverBody>,
    active: Vec<RegionRef>,
    islands: Islands,
    contacts: Vec<Contact>,
    /// Island by island those of its contacts, then those of its joints.
    constraints: Vec<Constraint>,
    /// How many constraints each island has.
    n_constraints: Vec<usize>,
    by_job: Vec<u32>,
    bodies: Vec<SolverBody>,
    pressures: Vec<Pressure>,
}

impl Step {
    /// Computes the state after a step.
    pub fn advance(&mut self, input: &Input<'_>) -> Result<StepReport, StepError> {
        check_overlaps(input)?;
        let start = Instant::now();
        self.free_motion(input);
        self.assemble(input);
        let assembled = Instant::now();
        let ends = self.solve(input.settings);
        let solved = Instant::now();
        self.integrate(input)?;
        let mut report = self.report(input, &ends);
        report.times = PhaseTimes {
            assemble: (assembled - start).as_secs_f64(),
            solve: (solved - assembled).as_secs_f64(),
            integrate: solved.elapsed().as_secs_f64(),
            ..PhaseTimes::default()
        };
        Ok(report)
    }

    /// Velocities without contacts, and inverse masses in world axes.
    fn free_motion(&mut self, input: &Input<'_>) {
        let settings = input.settings;
        let motion = |(body, inverse_inertia): (&Body, &DMat3)| {
            let held = Twist { linear: body.linear_velocity, angular: body.angular_velocity };
            let mut free = SolverBody {
                twist: held,
                inverse_mass: 0.0,
                inverse_inertia: DMat3::ZERO,
                correction: Twist::default(),
            };
            if body.kind == BodyKind::Dynamic {
                free.inverse_mass = body.mass.mass.recip();
                free.inverse_inertia = integrate::to_world(inverse_inertia, body.orientation);
                free.twist =
                    integrate::free_twist(body, &free.inverse_inertia, settings.gravity, settings.dt);
            }
            free
        };
        if input.bodies.len() < PARALLEL_BODIES {
            self.free.clear();
            self.free.extend(input.bodies.iter().zip(input.inverse_inertias).map(motion));
        } else {
            let pairs = input.bodies.par_iter().zip(input.inverse_inertias);
            pairs.map(motion).collect_into_vec(&mut self.free);
        }
    }

    /// Contacts of all overlaps that are not empty and joints, island by island.
    fn assemble(&mut self, input: &Input<'_>) {
        self.choose_regions(input);
        let joints = joints::holding(input);
        self.islands.rebuild(input.bodies, input.jobs, &self.active, &joints);
        let islands = &self.islands;
        let assembly = Assembly {
            settings: input.settings,
            bodies: input.bodies,
            free: &self.free,
            jobs: input.jobs,
            overlaps: input.overlaps,
            memory: input.memory,
        };
        let make = |&(source, first_slot): &(RegionRef, u32)| assembly.contact(source, islands, first_slot);
        let mut made: Vec<_> = if self.active.len() < PARALLEL_CONTACTS {
            islands.contacts.iter().map(make).collect()
        } else {
            islands.contacts.par_iter().with_min_len(PARALLEL_CHUNK).map(make).collect()
        };
        let mut made = made.drain(..);
        self.contacts.clear();
        self.constraints.clear();
        self.n_constraints.clear();
        for island in &islands.islands {
            let first = self.constraints.len();
            for (mut contact, rows) in made.by_ref().take(island.contacts.len()) {
                contact.constraints = self.constraints.len()..self.constraints.len() + rows.len();
                self.contacts.push(contact);
                self.constraints.extend(rows);
            }
            self.constraints.extend(joints::constraints(input, &self.free, islands, island));
            self.n_constraints.push(self.constraints.len() - first);
        }
        self.bodies.clear();
        self.bodies.extend(islands.body_of_slot.iter().map(|&ix| self.free[ix as usize]));
        self.pressures.clear();
        self.pressures.resize(self.contacts.len(), Pressure::default());
    }

    /// Lists the regions that make contacts: those of overlaps as they are, and of overlaps ahead of pairs that have none
    /// yet.
    fn choose_regions(&mut self, input: &Input<'_>) {
        self.active.clear();
        let mut last = None;
        for (ix, (job, overlap)) in (0..).zip(input.jobs.iter().zip(input.overlaps)) {
            if last == Some(job.bodies) {
                continue;
            }
            for (region, overlap) in (0..).zip(overlap.regions()) {
                let counts = if job.is_ahead() {
                    can_look_ahead(job, overlap)
                } else {
                    is_deep_enough(input, job, overlap)
                };
                if counts {
                    self.active.push(RegionRef { job: ix, region });
                    last = Some(job.bodies);
                }
            }
        }
    }

    /// Solves all islands; how each one ended.
    fn solve(&mut self, settings: &Settings) -> Vec<Convergence> {
        let contacts = &self.contacts;
        let mut constraints = self.constraints.as_mut_slice();
        let mut bodies = self.bodies.as_mut_slice();
        let mut pressures = self.pressures.as_mut_slice();
        let mut tasks = Vec::with_capacity(self.islands.islands.len());
        for (island, &n_constraints) in self.islands.islands.iter().zip(&self.n_constraints) {
            let n_joints = island.joints.len();
            tasks.push(IslandTask {
                contacts: &contacts[island.contacts.clone()],
                n_contact_constraints: n_constraints - n_joints,
                constraints: constraints
                    .split_off_mut(..n_constraints)
                    .expect("islands partition the constraints"),
                pressures: pressures
                    .split_off_mut(..island.contacts.len())
                    .expect("one pressure per contact"),
                bodies: bodies.split_off_mut(..island.slots.len()).expect("islands partition the slots"),
            });
        }
        if tasks.len() < 2 || self.active.len() < PARALLEL_CONTACTS {
            tasks.iter_mut().map(|task| task.run(settings)).collect()
        } else {
            tasks.par_iter_mut().map(|task| task.run(settings)).collect()
        }
    }

    /// Moves the bodies with their solved velocities.
    fn integrate(&mut self, input: &Input<'_>) -> Result<(), StepError> {
        let dt = input.settings.dt;
        let advance = |ix: usize| {
            let body = &input.bodies[ix];
            let moved = match self.islands.slot_of_body[ix] {
                NO_SLOT => &self.free[ix],
                slot => &self.bodies[slot as usize],
            };
            move_body(body, moved, &input.inverse_inertias[ix], dt)
        };
        let n_bodies = input.bodies.len();
        if n_bodies < PARALLEL_BODIES {
            self.states.clear();
            self.states.extend((0..n_bodies).map(advance));
        } else {
            (0..n_bodies).into_par_iter().map(advance).collect_into_vec(&mut self.states);
        }
        let mut energy = 0.0;
        for (state, body) in self.states.iter().zip(input.bodies) {
            let bad = |what| Err(StepError::NotFinite { body: body.name.clone(), what });
            if !state.linear_velocity.is_finite() {
                return bad("linear velocity");
            }
            if !state.angular_velocity.is_finite() {
                return bad("angular velocity");
            }
            if !state.position.is_finite() {
                return bad("position");
            }
            if !state.orientation.is_finite() {
                return bad("orientation");
            }
            if body.kind == BodyKind::Dynamic {
                // Of all bodies so far: a sum of finite energies can overflow as well.
                let potential = state.potential_energy(&body.mass, input.settings.gravity);
                energy += state.kinetic_energy(&body.mass) + potential.abs();
                if !energy.is_finite() {
                    return bad("energy");
                }
            }
        }
        Ok(())
    }

    /// Whether the contacts of the last step can have been made from these overlaps.
    pub fn is_made_from(&self, overlaps: &[Overlap]) -> bool {
        let has = |source: &RegionRef| {
            let overlap = overlaps.get(source.job as usize);
            overlap.is_some_and(|overlap| (source.region as usize) < overlap.regions().len())
        };
        self.contacts.iter().all(|contact| has(&contact.source))
    }

    /// What the solver knew of the step's contacts, in the order of their records.
    pub fn insights(&self, input: &Input<'_>) -> Vec<ContactInsight> {
        let mut insights = Vec::with_capacity(self.contacts_after.len());
        let mut by_contact: Vec<&[SolverBody]> = Vec::with_capacity(self.contacts.len());
        for island in &self.islands.islands {
            by_contact.extend(island.contacts.clone().map(|_| &self.bodies[island.slots.clone()]));
        }
        for &ix in &self.by_job {
            let contact = &self.contacts[ix as usize];
            if is_recorded(contact, &contact.impulse(&self.constraints)) {
                let job = contact.source.job as usize;
                let region = &input.overlaps[job].regions()[contact.source.region as usize];
                let bodies = input.jobs[job].bodies;
                let island = by_contact[ix as usize];
                insights.push(ContactInsight::of(
                    contact,
                    &self.constraints,
                    island,
                    bodies,
                    input.bodies,
                    region,
                    input.settings,
                ));
            }
        }
        insights
    }

    /// Records of the contacts in the order of their pairs and regions; fills in what the next step remembers.
    fn report(&mut self, input: &Input<'_>, ends: &[Convergence]) -> StepReport {
        self.by_job.clear();
        self.by_job.extend(0..self.contacts.len() as u32);
        let contacts = &self.contacts;
        self.by_job.sort_unstable_by_key(|&ix| contacts[ix as usize].source);
        self.contacts_after.clear();
        let mut records = Vec::with_capacity(contacts.len());
        for &ix in &self.by_job {
            let contact = &contacts[ix as usize];
            let impulse = contact.impulse(&self.constraints);
            let bodies = input.jobs[contact.source.job as usize].bodies;
            let recorded = is_recorded(contact, &impulse);
            if recorded || contact.on_tips {
                self.contacts_after.push(remember(contact, bodies, &impulse, &self.constraints));
            }
            if recorded {
                records.push(record(contact, bodies, &impulse));
            }
        }
        self.joints_after.clear();
        self.joints_after.extend_from_slice(input.joint_states);
        StepReport {
            joints: joints::report(input, &self.constraints, &self.states, &mut self.joints_after),
            max_depth: records.iter().fold(0.0, |m, r| m.max(r.depth)),
            depth_of_size: depth_of_size(input),
            contacts: records,
            sweeps: ends.iter().map(|end| end.sweeps).max().unwrap_or(0),
            update_norm: ends.iter().fold(0.0, |m, end| m.max(end.update_norm)),
            update_norms: ends
                .iter()
                .rev()
                .max_by_key(|end| end.sweeps)
                .map(|end| end.update_norms.clone())
                .unwrap_or_default(),
            unconverged_islands: ends.iter().filter(|end| !end.converged).count() as u32,
            islands: self
                .islands
                .islands
                .iter()
                .zip(ends)
                .map(|(island, end)| self.island(island, end))
                .collect(),
            times: PhaseTimes::default(),
        }
    }

    fn island(&self, island: &Island, end: &Convergence) -> IslandRecord {
        IslandRecord {
            body: BodyId(self.islands.body_of_slot[island.slots.start]),
            n_bodies: island.slots.len() as u32,
            n_contacts: island.contacts.len() as u32,
            n_joints: island.joints.len() as u32,
            sweeps: end.sweeps,
            update_norm: end.update_norm,
            converged: end.converged,
        }
    }
}

/// One island's part of the step's arrays.
struct IslandTask<'a> {
    contacts: &'a [Contact],
    /// Those of its contacts, then those of its joints.
    constraints: &'a mut [Constraint],
    n_contact_constraints: usize,
    bodies: &'a mut [SolverBody],
    pressures: &'a mut [Pressure],
}

impl IslandTask<'_> {
    fn run(&mut self, settings: &Settings) -> Convergence {
        let end = block_gs::solve(self.constraints, self.bodies, settings);
        if settings.stabilization > 0.0 {
            let contacts = if settings.compliance == 0.0 {
                self.contacts
            } else {
                // A compliant contact finds its own depth.
                &[]
            };
            let joints = &self.constraints[self.n_contact_constraints..];
            let (strength, dt) = (settings.stabilization, settings.dt);
            stabilize::correct(contacts, joints, self.bodies, self.pressures, strength, dt);
        }
        end
    }
}

/// The state of a body after moving for `dt` with its solved velocity and its position correction.
fn move_body(body: &Body, moved: &SolverBody, inverse_inertia: &DMat3, dt: f64) -> BodyState {
    let mut state = BodyState::of(body);
    let (after, angular) = Drift::of(body, inverse_inertia).after(&moved.twist, dt);
    (state.position, state.orientation) = (after.origin, after.rotation);
    if body.kind == BodyKind::Dynamic {
        let Twist { linear: shift, angular: turn } = moved.correction;
        (state.linear_velocity, state.angular_velocity) = (moved.twist.linear, angular);
        state.position += shift;
        if turn != DVec3::ZERO {
            state.orientation = (integrate::exp(turn) * state.orientation).normalize();
        }
    }
    state
}
