//! Impulses at velocity level: one question a step, contacts and joints solved together by block Gauss-Seidel, then
//! semi-implicit Euler.
//!
//! Nothing of the world is written here: the results wait in [`Impulse`] until all of them are known to be finite.

use std::time::Instant;

use rayon::prelude::*;
use tactum_geometry::Overlap;

use crate::broad_phase::{self, TooManyPairs};
use crate::constants::{PARALLEL_BODIES, PARALLEL_CHUNK, PARALLEL_CONTACTS};
use crate::joint::{self, Parts};
use crate::law::volume::{self, Assembly, Contact, ContactDetail, PairAsked, RegionRef, Solved};
use crate::law::{self, Situation};
use crate::motion::{self, Drift, FreeMotion, Twist};
use crate::question::{Answers, Questions, Ticket};
use crate::report::{IslandRecord, PhaseTimes};
use crate::solver::block_gs;
use crate::solver::body::{NO_SLOT, SolverBody};
use crate::solver::constraint::Constraint;
use crate::solver::convergence::Convergence;
use crate::solver::islands::{Island, Islands, Member};
use crate::solver::momentum::{self, Moved};
use crate::solver::position::{self, Pressure, VolumeRow};
use crate::stepper::{After, Input, StepError};
use crate::{Body, BodyId, BodyKind, BodyState, Settings, StepReport};

/// A step by impulses: what it knows so far, its results, and the memory it works in, kept from step to step.
#[derive(Clone, Debug, Default)]
pub struct Impulse {
    /// The world after the step.
    pub after: After,
    /// The questions that were asked last and are not answered yet, and when.
    open: Option<(Ticket, Instant)>,
    /// Whether contacts, pairs and answers are those of a step that is done.
    is_made: bool,
    /// Wall time of free motion and broad phase \[s\].
    broad_time: f64,
    free: Vec<FreeMotion>,
    pairs: Vec<PairAsked>,
    answers: Vec<Overlap>,
    regions: Vec<RegionRef>,
    islands: Islands,
    contacts: Vec<Contact>,
    /// The volume of each contact.
    volumes: Vec<VolumeRow>,
    /// Island by island those of its contacts, then those of its joints.
    constraints: Vec<Constraint>,
    /// How many constraints each island has.
    n_constraints: Vec<usize>,
    /// The contacts in the order of their pairs and regions.
    in_order: Vec<u32>,
    bodies: Vec<SolverBody>,
    pressures: Vec<Pressure>,
}

impl Impulse {
    /// Begins a step: free motion, broad phase, and what has to be measured.
    ///
    /// # Errors
    /// More pairs than a step may have.
    pub fn begin(&mut self, input: &Input<'_>) -> Result<Questions, StepError> {
        let start = Instant::now();
        self.abandon();
        self.free_motion(input);
        let (bodies, free) = (input.bodies, &self.free);
        let candidates = broad_phase::candidates(&broad_phase::Input { bodies, free, apart: input.apart });
        let n_bodies = bodies.len();
        let candidates = candidates.map_err(|TooManyPairs { found, limit }| StepError::TooManyPairs {
            found,
            limit,
            n_bodies,
        })?;
        self.pairs = volume::ask(&self.situation(input), &candidates);
        let questions = Questions::new(volume::questions(&self.pairs, bodies));
        self.broad_time = start.elapsed().as_secs_f64();
        self.open = Some((questions.ticket(), Instant::now()));
        Ok(questions)
    }

    /// Forgets a step that has begun.
    pub fn abandon(&mut self) {
        (self.open, self.is_made) = (None, false);
    }

    /// Goes on with the answers: computes the state after the step.
    ///
    /// Order: contact blocks, block Gauss-Seidel island by island, position correction, poses (semi-implicit). All results
    /// are the same for any number of threads.
    pub fn advance(&mut self, input: &Input<'_>, answers: Answers) -> Result<StepReport, StepError> {
        let start = Instant::now();
        self.is_made = false;
        let asked = self.open.take().filter(|(ticket, _)| *ticket == answers.ticket);
        let Some((_, asked_at)) = asked else { return Err(StepError::NotAsked) };
        self.take_answers(input, answers.overlaps)?;
        self.assemble(input);
        let assembled = Instant::now();
        let ends = self.solve(input.settings);
        let solved = Instant::now();
        self.integrate(input)?;
        let mut report = self.report(input, &ends);
        report.times = PhaseTimes {
            broad: self.broad_time,
            detect: (start - asked_at).as_secs_f64(),
            assemble: (assembled - start).as_secs_f64(),
            solve: (solved - assembled).as_secs_f64(),
            integrate: solved.elapsed().as_secs_f64(),
        };
        self.is_made = true;
        Ok(report)
    }

    fn situation<'a>(&'a self, input: &Input<'a>) -> Situation<'a> {
        let Input { settings, bodies, materials, memory, .. } = *input;
        Situation { settings, bodies, materials, free: &self.free, memory }
    }

    fn free_motion(&mut self, input: &Input<'_>) {
        let Settings { gravity, dt, .. } = *input.settings;
        let of = |(body, inverse_inertia)| FreeMotion::of(body, inverse_inertia, gravity, dt);
        if input.bodies.len() < PARALLEL_BODIES {
            self.free.clear();
            self.free.extend(input.bodies.iter().zip(input.inverse_inertias).map(of));
        } else {
            input.bodies.par_iter().zip(input.inverse_inertias).map(of).collect_into_vec(&mut self.free);
        }
    }

    /// Refuses answers that are too few or too many, or that hold numbers no contact can be made from.
    fn take_answers(&mut self, input: &Input<'_>, answers: Vec<Overlap>) -> Result<(), StepError> {
        let needed = self.pairs.last().map_or(0, |pair| pair.first + pair.n_questions());
        if answers.len() != needed {
            return Err(StepError::AnswerCount { needed, found: answers.len() });
        }
        volume::check(&answers).map_err(|(ix, what)| {
            let pair = self.pairs.partition_point(|pair| pair.first <= ix) - 1;
            let [a, b] = self.pairs[pair].bodies.map(|ix| input.bodies[ix as usize].name.clone());
            StepError::BadOverlap { a, b, what }
        })?;
        self.answers = answers;
        Ok(())
    }

    /// Contacts of all regions and joints, island by island.
    fn assemble(&mut self, input: &Input<'_>) {
        volume::regions_in_contact(&self.pairs, &self.answers, input.bodies, &mut self.regions);
        let is_dynamic: Vec<bool> = input.bodies.iter().map(|body| body.kind == BodyKind::Dynamic).collect();
        let bodies_of = |region: &RegionRef| self.pairs[region.pair as usize].bodies;
        let between: Vec<[u32; 2]> = self.regions.iter().map(bodies_of).collect();
        let (holding, joined) = joint::holding(input.joints, input.joint_states);
        self.islands.rebuild(&is_dynamic, &between, &joined);
        let made = self.make_contacts(input);
        let mut made = made.into_iter();
        let Self { contacts, volumes, constraints, n_constraints, islands, .. } = self;
        contacts.clear();
        volumes.clear();
        constraints.clear();
        n_constraints.clear();
        let parts = Parts {
            settings: input.settings,
            bodies: input.bodies,
            free: &self.free,
            inverse_inertias: input.inverse_inertias,
            joints: input.joints,
            states: input.joint_states,
            end: input.end,
        };
        for island in &islands.islands {
            let first = constraints.len();
            for (mut contact, volume, rows) in made.by_ref().take(island.contacts.len()) {
                contact.constraints = constraints.len()..constraints.len() + rows.len();
                contacts.push(contact);
                volumes.push(volume);
                constraints.extend(rows);
            }
            constraints.extend(joint::constraints(parts, &holding, islands, island));
            n_constraints.push(constraints.len() - first);
        }
        self.bodies.clear();
        self.bodies.extend(islands.body_of_slot.iter().map(|&ix| SolverBody::from(&self.free[ix as usize])));
        self.pressures.clear();
        self.pressures.resize(self.contacts.len(), Pressure::default());
    }

    /// The contacts of all regions with their volumes and constraints, island by island.
    fn make_contacts(&self, input: &Input<'_>) -> Vec<(Contact, VolumeRow, Vec<Constraint>)> {
        let assembly =
            Assembly { situation: self.situation(input), pairs: &self.pairs, answers: &self.answers };
        let islands = &self.islands;
        let make = |member: &Member| {
            let slots = member.bodies.map(|ix| islands.slot_within(ix, member.first_slot));
            law::contact(&assembly, self.regions[member.ix as usize], slots)
        };
        if self.regions.len() < PARALLEL_CONTACTS {
            islands.contacts.iter().map(make).collect()
        } else {
            islands.contacts.par_iter().with_min_len(PARALLEL_CHUNK).map(make).collect()
        }
    }

    /// Solves all islands; how each one ended.
    fn solve(&mut self, settings: &Settings) -> Vec<Convergence> {
        let volumes = &self.volumes;
        let mut constraints = self.constraints.as_mut_slice();
        let mut bodies = self.bodies.as_mut_slice();
        let mut pressures = self.pressures.as_mut_slice();
        let mut tasks = Vec::with_capacity(self.islands.islands.len());
        for (island, &n_constraints) in self.islands.islands.iter().zip(&self.n_constraints) {
            let n_joints = island.joints.len();
            tasks.push(IslandTask {
                volumes: &volumes[island.contacts.clone()],
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
        if tasks.len() < 2 || self.regions.len() < PARALLEL_CONTACTS {
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
                NO_SLOT => SolverBody::from(&self.free[ix]),
                slot => self.bodies[slot as usize],
            };
            move_body(body, &moved, &Drift::of(body, &input.inverse_inertias[ix]), dt)
        };
        let n_bodies = input.bodies.len();
        if n_bodies < PARALLEL_BODIES {
            self.after.states.clear();
            self.after.states.extend((0..n_bodies).map(advance));
        } else {
            (0..n_bodies).into_par_iter().map(advance).collect_into_vec(&mut self.after.states);
        }
        self.keep_angular_momentum(input);
        check_states(&self.after.states, input)
    }

    /// Undoes what position corrections have done to the angular momentum of islands that touch nothing fixed.
    fn keep_angular_momentum(&mut self, input: &Input<'_>) {
        let Islands { islands, contacts, joints, body_of_slot, slot_of_body, .. } = &self.islands;
        let is_free = |member: &Member| {
            member.bodies.iter().all(|&ix| slot_of_body.get(ix as usize).is_some_and(|slot| *slot != NO_SLOT))
        };
        for island in islands {
            let members = contacts[island.contacts.clone()].iter().chain(&joints[island.joints.clone()]);
            if !members.into_iter().all(is_free) {
                continue;
            }
            let states = &mut self.after.states;
            let slots =
                island.slots.clone().map(|slot| (body_of_slot[slot] as usize, self.bodies[slot].correction));
            let moved = |(ix, correction): (usize, Twist)| Moved {
                body: &input.bodies[ix],
                state: states[ix],
                correction,
            };
            let mut group: Vec<Moved<'_>> = slots.map(moved).collect();
            momentum::keep_angular_momentum(&mut group);
            for (&ix, moved) in body_of_slot[island.slots.clone()].iter().zip(group) {
                states[ix as usize] = moved.state;
            }
        }
    }

    /// What the solver knew of the contacts of the last step, in the order of their records; nothing once another has begun or
    /// failed, or the world was changed.
    pub fn contact_details(&self, input: &Input<'_>) -> Vec<ContactDetail> {
        if !self.is_made {
            return Vec::new();
        }
        let mut island_of: Vec<&[SolverBody]> = Vec::with_capacity(self.contacts.len());
        for island in &self.islands.islands {
            island_of.extend(island.contacts.clone().map(|_| &self.bodies[island.slots.clone()]));
        }
        let recorded = self.in_order.iter().filter(|&&ix| {
            let contact = &self.contacts[ix as usize];
            volume::is_recorded(contact, &contact.impulse(&self.constraints))
        });
        let detail = |&ix: &u32| {
            let contact = &self.contacts[ix as usize];
            let RegionRef { pair, region, .. } = contact.source;
            let overlaps = volume::PairOverlaps::of(&self.pairs[pair as usize], &self.answers);
            let solved = Solved {
                constraints: &self.constraints,
                island: island_of[ix as usize],
                free: &self.free,
                region: &overlaps.regions(contact.source)[region as usize],
                spin: input.settings.spin,
                touch: self.situation(input).touch(contact.bodies),
            };
            ContactDetail::of(contact, &solved)
        };
        recorded.map(detail).collect()
    }

    /// Records of the contacts in the order of their pairs and regions; fills in what the next step remembers.
    fn report(&mut self, input: &Input<'_>, ends: &[Convergence]) -> StepReport {
        self.in_order.clear();
        self.in_order.extend(0..self.contacts.len() as u32);
        let contacts = &self.contacts;
        self.in_order.sort_unstable_by_key(|&ix| contacts[ix as usize].source);
        let remembered = &mut self.after.memory.contacts;
        remembered.clear();
        let mut records = Vec::with_capacity(contacts.len());
        for &ix in &self.in_order {
            let contact = &contacts[ix as usize];
            let impulse = contact.impulse(&self.constraints);
            let recorded = volume::is_recorded(contact, &impulse);
            if recorded || contact.look_ahead == volume::LookAhead::NextCorner {
                remembered.push(volume::remember(contact, &impulse, &self.constraints));
            }
            if recorded {
                records.push(volume::record(contact, &impulse));
            }
        }
        let After { states, joints, .. } = &mut self.after;
        joints.clear();
        joints.extend_from_slice(input.joint_states);
        let dt = input.settings.dt;
        StepReport {
            joints: joint::report(input.joints, dt, &self.constraints, states, joints),
            max_depth: records.iter().fold(0.0, |m, r| m.max(r.depth)),
            depth_of_size: volume::depth_of_size(&self.pairs, &self.answers, input.bodies),
            contacts: records,
            sweeps: ends.iter().map(|end| end.sweeps).max().unwrap_or(0),
            update_norm: ends.iter().fold(0.0, |m, end| m.max(end.update_norm)),
            velocity_error: ends.iter().fold(0.0, |m, end| m.max(end.velocity_error)),
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
            velocity_error: end.velocity_error,
            converged: end.converged,
            fell_back: end.fell_back,
            friction_residual: end.friction_residual,
            n_frictionless: end.n_frictionless,
        }
    }
}

/// One island's part of the step's arrays.
struct IslandTask<'a> {
    volumes: &'a [VolumeRow],
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
            // A compliant contact finds its own depth.
            let volumes = if settings.compliance == 0.0 { self.volumes } else { &[] };
            let joints = &self.constraints[self.n_contact_constraints..];
            let (strength, dt) = (settings.stabilization, settings.dt);
            position::correct(volumes, joints, self.bodies, self.pressures, strength, dt);
        }
        end
    }
}

/// The state of a body after moving for `dt` with its solved velocity and its position correction.
fn move_body(body: &Body, moved: &SolverBody, drift: &Drift, dt: f64) -> BodyState {
    let mut state = BodyState::of(body);
    let (after, angular) = drift.after(&moved.twist, dt);
    (state.position, state.orientation) = (after.origin, after.rotation);
    if body.kind == BodyKind::Dynamic {
        let Twist { linear: shift, angular: turn } = moved.correction;
        (state.linear_velocity, state.angular_velocity) = (moved.twist.linear, angular);
        state.position += shift;
        if turn != glam::DVec3::ZERO {
            state.orientation = (motion::exp(turn) * state.orientation).normalize();
        }
    }
    state
}

/// Refuses states that are no numbers, or whose energies are none.
fn check_states(states: &[BodyState], input: &Input<'_>) -> Result<(), StepError> {
    let mut energy = 0.0;
    for (state, body) in states.iter().zip(input.bodies) {
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
