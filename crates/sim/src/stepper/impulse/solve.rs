//! Contacts and joints of a step, and their impulses, island by island.

use std::ops::Range;

use rayon::prelude::*;

use super::Impulse;
use super::end::is_dynamic;
use crate::Settings;
use crate::constants::{MESH_CONTACT, PARALLEL_CHUNK, PARALLEL_CONTACTS};
use crate::joint::{self, Parts};
use crate::law;
use crate::law::volume::{Bounce, Contact, RegionRef};
use crate::solver::block_gs;
use crate::solver::body::{NO_SLOT, SolverBody};
use crate::solver::constraint::Constraint;
use crate::solver::convergence::Convergence;
use crate::solver::islands::{Island, Member};
use crate::solver::position::{self, VolumeRow};
use crate::stepper::step::Input;

impl Impulse {
    /// Contacts of all regions and joints, island by island; islands to which nothing has come since they were solved stay as they are.
    pub(super) fn assemble(&mut self, input: &Input<'_>) {
        let bodies_of = |region: &RegionRef| self.pairs[region.pair as usize].bodies;
        let between: Vec<[u32; 2]> = self.regions.iter().map(bodies_of).collect();
        let (holding, joined) = joint::holding(input.joints, input.joint_states, input.bodies);
        self.islands.rebuild(&is_dynamic(input.bodies), &between, &joined);
        self.kept = self.unchanged();
        let mut made = self.make_contacts(input).into_iter();
        let found = self.before.found();
        let Self { contacts, volumes, constraints, n_constraints, bodies, islands, .. } = self;
        contacts.clear();
        volumes.clear();
        constraints.clear();
        n_constraints.clear();
        bodies.clear();
        let parts = Parts {
            settings: input.settings,
            bodies: input.bodies,
            free: &self.free,
            inverse_inertias: input.inverse_inertias,
            joints: input.joints,
            states: input.joint_states,
            end: input.end,
        };
        for (island, kept) in islands.islands.iter().zip(&self.kept) {
            let first = constraints.len();
            if let Some(kept) = kept.map(|ix| self.before.island(ix)) {
                let members = &islands.contacts[island.contacts.clone()];
                for (contact, member) in kept.contacts.iter().zip(members) {
                    let moved = |at: usize| at - kept.first_constraint + first;
                    let Range { start, end } = contact.constraints;
                    let constraints = moved(start)..moved(end);
                    let source = self.regions[member.ix as usize];
                    contacts.push(Contact { source, constraints, ..contact.clone() });
                }
                volumes.extend_from_slice(kept.volumes);
                constraints.extend_from_slice(kept.constraints);
                bodies.extend_from_slice(kept.bodies);
            } else {
                for (mut contact, volume, mut rows) in made.by_ref().take(island.contacts.len()) {
                    found.start_contact(&contact, &mut rows);
                    contact.constraints = constraints.len()..constraints.len() + rows.len();
                    contacts.push(contact);
                    volumes.push(volume);
                    constraints.extend(rows);
                }
                let joints = joint::constraints(parts, &holding, islands, island);
                constraints.extend(joints.map(|joint| found.start_joint(joint)));
                let ids = &islands.body_of_slot[island.slots.clone()];
                bodies.extend(ids.iter().map(|&ix| SolverBody::from(&self.free[ix as usize])));
            }
            n_constraints.push(constraints.len() - first);
        }
    }

    /// The contacts of all islands that are solved with their volumes and constraints, island by island.
    fn make_contacts(&self, input: &Input<'_>) -> Vec<(Contact, VolumeRow, Vec<Constraint>)> {
        let assembly = self.assembly(input);
        let islands = &self.islands;
        let is_solved =
            |(island, kept): (&Island, &Option<u32>)| kept.is_none().then(|| island.contacts.clone());
        let solved = islands.islands.iter().zip(&self.kept).filter_map(is_solved);
        let members: Vec<&Member> = solved.flat_map(|contacts| &islands.contacts[contacts]).collect();
        let make = |member: &&Member| {
            let slots = member.bodies.map(|ix| islands.slot_within(ix, member.first_slot));
            law::contact(&assembly, self.regions[member.ix as usize], slots)
        };
        let work: usize =
            members.iter().map(|member| self.work(input, &self.regions[member.ix as usize])).sum();
        if work < PARALLEL_CONTACTS {
            return members.iter().map(make).collect();
        }
        let at_a_time = (PARALLEL_CHUNK * members.len() / work).max(1);
        members.par_iter().with_min_len(at_a_time).map(make).collect()
    }

    /// As how many contacts of simple shapes the one of a region counts where it is made.
    fn work(&self, input: &Input<'_>, region: &RegionRef) -> usize {
        let bodies = self.pairs[region.pair as usize].bodies;
        let is_mesh = |ix: u32| input.bodies[ix as usize].shape.solid().is_some();
        if bodies.into_iter().any(is_mesh) { MESH_CONTACT } else { 1 }
    }

    /// Solves the islands that are not kept, as one of so many parts that share a step's sweeps.
    pub(super) fn solve(&mut self, settings: &Settings, n_sharing: u32) {
        let remaining = self.remaining;
        let volumes = &self.volumes;
        let mut constraints = self.constraints.as_mut_slice();
        let mut bodies = self.bodies.as_mut_slice();
        let mut tasks = Vec::with_capacity(self.islands.islands.len());
        let mut first_constraint = 0;
        for ((island, &n_constraints), kept) in
            self.islands.islands.iter().zip(&self.n_constraints).zip(&self.kept)
        {
            let n_joints = island.joints.len();
            let task = IslandTask {
                contacts: &self.contacts[island.contacts.clone()],
                first_constraint,
                volumes: &volumes[island.contacts.clone()],
                n_contact_constraints: n_constraints - n_joints,
                constraints: constraints
                    .split_off_mut(..n_constraints)
                    .expect("islands partition the constraints"),
                bodies: bodies.split_off_mut(..island.slots.len()).expect("islands partition the slots"),
            };
            tasks.push((task, kept.map(|ix| self.before.island(ix).end)));
            first_constraint += n_constraints;
        }
        let run = |(task, kept): &mut (IslandTask<'_>, Option<&Convergence>)| match *kept {
            Some(end) => end.clone(),
            None => task.run(settings, remaining, n_sharing),
        };
        self.ends = if tasks.len() < 2 || self.regions.len() < PARALLEL_CONTACTS {
            tasks.iter_mut().map(run).collect()
        } else {
            tasks.par_iter_mut().map(run).collect()
        };
    }
}

/// One island's part of the step's arrays.
pub(super) struct IslandTask<'a> {
    pub contacts: &'a [Contact],
    /// Number of its first constraint among those of the step.
    pub first_constraint: usize,
    volumes: &'a [VolumeRow],
    /// Those of its contacts, then those of its joints.
    pub constraints: &'a mut [Constraint],
    n_contact_constraints: usize,
    pub bodies: &'a mut [SolverBody],
}

impl IslandTask<'_> {
    /// Solves the island; its bodies then move on for the remaining time \[s\].
    fn run(&mut self, settings: &Settings, remaining: f64, n_sharing: u32) -> Convergence {
        let end = self.solve_without_gain(settings, n_sharing);
        self.delay_bounces();
        if settings.stabilization > 0.0 {
            let volumes = self.rows_to_correct(settings);
            // Joints are closed on their own, but where contacts are in the way.
            let joints =
                if volumes.is_empty() { &[] } else { &self.constraints[self.n_contact_constraints..] };
            let strength = settings.stabilization;
            position::correct(&volumes, joints, self.bodies, strength, remaining);
        }
        end
    }

    /// What may be too deep where contacts are measured next: until there the bodies keep their velocities.
    fn rows_to_correct(&self, settings: &Settings) -> Vec<VolumeRow> {
        let mut rows = Vec::new();
        // A compliant contact finds its own depth.
        if settings.compliance > 0.0 {
            return rows;
        }
        let contacts = || self.contacts.iter().zip(self.volumes);
        for (contact, volume) in contacts() {
            contact.rows_to_correct(volume, self.bodies, settings.dt, &mut rows);
        }
        let has_joints = self.constraints.len() > self.n_contact_constraints;
        if has_joints || rows.iter().any(VolumeRow::is_too_deep) {
            for (contact, volume) in contacts() {
                let (constraints, first) = (&*self.constraints, self.first_constraint);
                contact.rows_to_keep(volume, constraints, first, self.bodies, settings.dt, &mut rows);
            }
        }
        rows
    }

    /// Solves contacts and joints, with corners that end where the velocities lead them.
    pub fn solve(&mut self, settings: &Settings, n_sharing: u32) -> Convergence {
        let (contacts, first) = (self.contacts, self.first_constraint);
        let adapt = |constraints: &mut [Constraint], bodies: &[SolverBody]| {
            let adapts = |contact: &Contact| contact.adapts(constraints, first, bodies, settings.dt);
            contacts.iter().map(adapts).fold(false, |any, one| any | one)
        };
        let mut end = block_gs::solve(self.constraints, self.bodies, settings, n_sharing, adapt);
        end.is_lost |= contacts.iter().any(|contact| contact.is_lost(self.bodies, settings.dt));
        end
    }

    /// What bounces does so when it touches, not where contacts are measured: until then the bodies go as before.
    ///
    /// A blow that goes on through many contacts gives and takes far more than it leaves: of those, all bodies go as before until one time, the
    /// mean by impulses of when the blows are. Each by its own time they would be led through each other.
    fn delay_bounces(&mut self) {
        let pressing = |contact: &&Contact| contact.sum(self.own(contact))[0] > 0.0;
        if self.contacts.iter().filter(pressing).count() > 1
            || self.constraints.len() > self.n_contact_constraints
        {
            return self.delay_blow();
        }
        for contact in self.contacts {
            let Some(Bounce { time, .. }) = contact.bounce else { continue };
            let first = self.first_constraint;
            for constraint in
                &self.constraints[contact.constraints.start - first..contact.constraints.end - first]
            {
                constraint.push(&(constraint.impulse * -time), self.bodies, |body| &mut body.correction);
            }
        }
    }

    /// The same of all bodies at one time.
    fn delay_blow(&mut self) {
        let (mut given, mut moment) = (0.0, 0.0);
        for contact in self.contacts {
            let Some(Bounce { time, .. }) = contact.bounce else { continue };
            let impulse = contact.sum(self.own(contact))[0];
            given += impulse;
            moment += impulse * time;
        }
        if moment == 0.0 {
            return;
        }
        let time = moment / given;
        // What stands on something is held by it the whole step, whatever strikes.
        let stands = self.contacts.iter().any(|contact| contact.slots.contains(&NO_SLOT));
        let mut is_delayed = vec![false; self.bodies.len()];
        for contact in self.contacts {
            for (slot, mover) in contact.slots.into_iter().zip(contact.movers) {
                let Some(is_delayed) = is_delayed.get_mut(slot as usize).filter(|is_delayed| !**is_delayed)
                else {
                    continue;
                };
                *is_delayed = true;
                let SolverBody { twist, correction, .. } = &mut self.bodies[slot as usize];
                let as_before = if stands { mover.before } else { mover.free };
                correction.linear -= time * (twist.linear - as_before.linear);
                correction.angular -= time * (twist.angular - as_before.angular);
            }
        }
    }

    /// The constraints of a contact.
    fn own(&self, contact: &Contact) -> &[Constraint] {
        let Range { start, end } = contact.constraints;
        &self.constraints[start - self.first_constraint..end - self.first_constraint]
    }
}
