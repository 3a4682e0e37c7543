//! The bodies at the end of a step, and what is reported of it.

use std::collections::BTreeMap;

use glam::{DQuat, DVec3};
use rayon::prelude::*;

use super::Impulse;
use crate::constants::PARALLEL_BODIES;
use crate::joint;
use crate::law::volume::{self, ContactDetail, RegionRef, Solved};
use crate::motion::{self, Drift};
use crate::report::IslandRecord;
use crate::solver::body::{NO_SLOT, SolverBody};
use crate::solver::convergence::Convergence;
use crate::solver::islands::{Island, Islands, Member};
use crate::solver::momentum;
use crate::stepper::step::{After, Input, StepError};
use crate::twist::Twist;
use crate::{Body, BodyId, BodyState, StepReport};

impl Impulse {
    /// Moves the bodies with their solved velocities.
    pub(super) fn integrate(&mut self, input: &Input<'_>) -> Result<(), StepError> {
        let remaining = self.remaining;
        let advance = |ix: usize| {
            let body = &input.bodies[ix];
            if body.rest.asleep {
                return BodyState::of(body);
            }
            let moved = match self.islands.slot_of_body[ix] {
                NO_SLOT => SolverBody::from(&self.free[ix]),
                slot => self.bodies[slot as usize],
            };
            move_body(body, &moved, &Drift::of(body, &input.inverse_inertias[ix]), remaining)
        };
        let n_bodies = input.bodies.len();
        if n_bodies < PARALLEL_BODIES {
            self.after.states.clear();
            self.after.states.extend((0..n_bodies).map(advance));
        } else {
            (0..n_bodies).into_par_iter().map(advance).collect_into_vec(&mut self.after.states);
        }
        let elsewhere = self.given_elsewhere(input);
        let gained = |slot: usize, body: &Body, state: &BodyState| {
            let (moved, free) = (&self.bodies[slot], &self.free[self.islands.body_of_slot[slot] as usize]);
            momentum::gained_by_correction(body, state, &moved.correction)
                - free.steadying_inertia * (moved.twist.angular - free.twist.angular)
                + elsewhere.get(&slot).copied().unwrap_or_default()
        };
        keep_angular_momentum(&self.islands, input.bodies, &mut self.after.states, gained);
        check_states(&self.after.states, input)
    }

    /// What the bodies seem to gain in angular momentum, by slot, because impulses are given where they meet and not where they are measured: the
    /// way between the two times the impulse. Their way until they bounce, which is corrected, takes it back.
    fn given_elsewhere(&self, input: &Input<'_>) -> BTreeMap<usize, DVec3> {
        let mut given = BTreeMap::<usize, DVec3>::new();
        for contact in self.contacts.iter().filter(|contact| contact.bounce.is_some()) {
            let force = contact.frame.to_world(contact.impulse(&self.constraints).linear());
            for (side, force) in [-force, force].into_iter().enumerate() {
                let ix = contact.bodies[side] as usize;
                let measured = contact.origin + contact.frame.point - input.bodies[ix].position;
                let slot = self.islands.slot_of_body[ix];
                if slot != NO_SLOT {
                    *given.entry(slot as usize).or_default() += (contact.arms[side] - measured).cross(force);
                }
            }
        }
        given
    }

    /// Records of the contacts in the order of their pairs and regions; fills in what the next step remembers.
    pub(super) fn report(&mut self, input: &Input<'_>) -> StepReport {
        self.in_order.clear();
        self.in_order.extend(0..self.contacts.len() as u32);
        let contacts = &self.contacts;
        self.in_order.sort_unstable_by_key(|&ix| contacts[ix as usize].source.order());
        let remembered = &mut self.after.memory.contacts;
        remembered.clear();
        let mut records = Vec::with_capacity(contacts.len());
        let pair = |ix: &u32| contacts[*ix as usize].source.pair;
        for of_pair in self.in_order.chunk_by(|a, b| pair(a) == pair(b)) {
            let before = remembered.len();
            let mut meets = false;
            for &ix in of_pair {
                let contact = &contacts[ix as usize];
                let impulse = contact.impulse(&self.constraints);
                let is_recorded = volume::is_recorded(contact, &impulse);
                if is_recorded {
                    records.push(volume::record(contact, &impulse));
                }
                meets |= is_recorded || contact.look_ahead == volume::LookAhead::NextCorner;
                remembered.push(volume::remember(
                    contact,
                    self.places[ix as usize],
                    &impulse,
                    &self.constraints,
                ));
            }
            // What has met in one place is remembered in all where it may soon meet, what has not, in none.
            if !meets && !hops_in_groove(contacts[of_pair[0] as usize].bodies, input) {
                remembered.truncate(before);
            }
        }
        let After { states, joints, .. } = &mut self.after;
        joints.clear();
        joints.extend_from_slice(input.joint_states);
        let (dt, ends) = (input.settings.dt, &self.ends);
        let mut report = StepReport {
            joints: joint::report(input.joints, dt, &self.constraints, states, joints),
            depth_of_size: volume::depth_of_size(&self.pairs, &self.answers, input.bodies),
            contacts: records,
            fast: volume::fast_pairs(&self.pairs),
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
            ..StepReport::default()
        };
        self.keep_asleep(input, &mut report);
        report.max_depth = report.contacts.iter().fold(0.0, |m, contact| m.max(contact.depth));
        report
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

    /// What the solver knew of the contacts of the last step, in the order of their records, of which those of bodies that slept through
    /// it are left out; nothing once another has begun or failed, or the world was changed.
    pub fn contact_details(&self, input: &Input<'_>) -> Vec<ContactDetail> {
        if !self.is_made {
            return Vec::new();
        }
        let input = &Input { bodies: &self.measured, ..*input };
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
            let overlaps = overlaps.at(contact.source, &self.unforeseen);
            let solved = Solved {
                constraints: &self.constraints,
                island: island_of[ix as usize],
                free: &self.free,
                region: overlaps.regions(contact.source).get(region as usize),
                spin: input.settings.spin,
                touch: self.situation(input).touch(contact.bodies),
            };
            ContactDetail::of(contact, &solved)
        };
        recorded.map(detail).collect()
    }
}

/// Whether one of a pair is a ball of facets that had met the other in several places: over these it hops off both walls of a groove, and nothing
/// but where it was leads it back to both.
fn hops_in_groove(bodies: [u32; 2], input: &Input<'_>) -> bool {
    let is_ball =
        |ix: u32| input.bodies[ix as usize].smooth.as_ref().is_some_and(|surface| surface.is_oval());
    bodies.into_iter().any(is_ball) && volume::of_pair(&input.memory.contacts, bodies).len() > 1
}

/// The state of a body after moving for `dt` with its solved velocity and its position correction.
fn move_body(body: &Body, moved: &SolverBody, drift: &Drift, dt: f64) -> BodyState {
    let mut state = BodyState::of(body);
    let (after, angular) = drift.after(&moved.twist, dt);
    (state.position, state.orientation) = (after.origin, after.rotation);
    (state.linear_velocity, state.angular_velocity) = (moved.twist.linear, angular);
    if body.is_movable() {
        go_besides(&moved.correction, &mut state.position, &mut state.orientation);
    }
    state
}

/// Takes back what the bodies of islands that touch nothing fixed have `gained` in angular momentum, by slot, body and state.
pub fn keep_angular_momentum(
    islands: &Islands,
    bodies: &[Body],
    states: &mut [BodyState],
    gained: impl Fn(usize, &Body, &BodyState) -> DVec3,
) {
    let Islands { islands, contacts, joints, body_of_slot, slot_of_body, .. } = islands;
    let is_free = |member: &Member| {
        member.bodies.iter().all(|&ix| slot_of_body.get(ix as usize).is_some_and(|slot| *slot != NO_SLOT))
    };
    for island in islands {
        let members = contacts[island.contacts.clone()].iter().chain(&joints[island.joints.clone()]);
        if !members.into_iter().all(is_free) {
            continue;
        }
        let member = |slot: usize| {
            let ix = body_of_slot[slot] as usize;
            let (body, state) = (&bodies[ix], states[ix]);
            momentum::Member { body, state, gained: gained(slot, body, &state) }
        };
        let mut group: Vec<_> = island.slots.clone().map(member).collect();
        momentum::keep_angular_momentum(&mut group);
        for (&ix, member) in body_of_slot[island.slots.clone()].iter().zip(group) {
            states[ix as usize] = member.state;
        }
    }
}

/// Moves a pose by a position correction.
pub fn go_besides(correction: &Twist, position: &mut DVec3, orientation: &mut DQuat) {
    *position += correction.linear;
    if correction.angular != DVec3::ZERO {
        *orientation = (motion::exp(correction.angular) * *orientation).normalize();
    }
}

/// Which bodies impulses move.
pub fn is_dynamic(bodies: &[Body]) -> Vec<bool> {
    bodies.iter().map(Body::is_movable).collect()
}

/// Refuses states that are no numbers, or whose energies are none.
pub fn check_states(states: &[BodyState], input: &Input<'_>) -> Result<(), StepError> {
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
        if body.is_movable() {
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
