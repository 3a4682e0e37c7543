//! What a step that is solved again keeps of the solve before: the groups to which nothing has come, as they are, and of the others the impulses
//! for their contacts and joints to start from.

use std::collections::BTreeMap;

use super::Impulse;
use crate::law::volume::{Contact, Seen};
use crate::solver::Vec6;
use crate::solver::body::{NO_SLOT, SolverBody};
use crate::solver::constraint::{Constraint, Rows};
use crate::solver::convergence::Convergence;
use crate::solver::islands::{Island, Islands};
use crate::solver::position::VolumeRow;

/// A step as it was solved before contacts came to it that it had not foreseen; empty where it is solved for the first time.
#[derive(Clone, Debug, Default)]
pub struct Before {
    islands: Islands,
    contacts: Vec<Contact>,
    volumes: Vec<VolumeRow>,
    constraints: Vec<Constraint>,
    /// The constraints of each island begin here.
    first_constraints: Vec<usize>,
    bodies: Vec<SolverBody>,
    ends: Vec<Convergence>,
    /// How many contacts of what was not foreseen it had.
    n_unforeseen: u32,
}

/// An island of it.
pub struct Kept<'a> {
    pub contacts: &'a [Contact],
    pub volumes: &'a [VolumeRow],
    /// Those of its contacts, then those of its joints.
    pub constraints: &'a [Constraint],
    pub bodies: &'a [SolverBody],
    pub end: &'a Convergence,
    /// Number of the first of its constraints among all.
    pub first_constraint: usize,
}

impl Impulse {
    /// Puts aside what was solved, before more contacts come to it.
    pub(super) fn put_aside(&mut self) {
        let first = |next: &mut usize, n: &usize| {
            *next += n;
            Some(*next - n)
        };
        self.before = Before {
            first_constraints: self.n_constraints.iter().scan(0, first).collect(),
            islands: std::mem::take(&mut self.islands),
            contacts: std::mem::take(&mut self.contacts),
            volumes: std::mem::take(&mut self.volumes),
            constraints: std::mem::take(&mut self.constraints),
            bodies: std::mem::take(&mut self.bodies),
            ends: std::mem::take(&mut self.ends),
            n_unforeseen: self.unforeseen.len() as u32,
        };
    }

    /// Which island of the solve before each island is, where nothing has come to it.
    pub(super) fn unchanged(&self) -> Vec<Option<u32>> {
        let Before { islands: before, n_unforeseen, .. } = &self.before;
        let is_new = |seen| matches!(seen, Seen::Unforeseen(ix) if ix >= *n_unforeseen);
        let unchanged = |island: &Island| {
            let mut members = self.islands.contacts[island.contacts.clone()].iter();
            if members.any(|member| is_new(self.regions[member.ix as usize].seen)) {
                return None;
            }
            let body = self.islands.body_of_slot[island.slots.start];
            let slot = *before.slot_of_body.get(body as usize).filter(|slot| **slot != NO_SLOT)?;
            let ix = before.islands.partition_point(|island| island.slots.end <= slot as usize);
            Some(ix as u32)
        };
        self.islands.islands.iter().map(unchanged).collect()
    }
}

impl Before {
    /// An island by its number.
    pub fn island(&self, ix: u32) -> Kept<'_> {
        let ix = ix as usize;
        let Island { contacts, slots, .. } = self.islands.islands[ix].clone();
        let first_constraint = self.first_constraints[ix];
        let end = self.first_constraints.get(ix + 1).copied().unwrap_or(self.constraints.len());
        Kept {
            contacts: &self.contacts[contacts.clone()],
            volumes: &self.volumes[contacts],
            constraints: &self.constraints[first_constraint..end],
            bodies: &self.bodies[slots],
            end: &self.ends[ix],
            first_constraint,
        }
    }

    /// The impulses that were found.
    pub fn found(&self) -> Found {
        let of_contact = |contact: &Contact| {
            let constraints = &self.constraints[contact.constraints.clone()];
            (key(contact), constraints.iter().map(|constraint| constraint.impulse).collect())
        };
        let of_joint = |constraint: &Constraint| match &constraint.rows {
            Rows::Joint(law) => Some((law.joint, constraint.impulse)),
            _ => None,
        };
        Found {
            of_contacts: self.contacts.iter().map(of_contact).collect(),
            of_joints: self.constraints.iter().filter_map(of_joint).collect(),
        }
    }
}

/// The impulses found so far in a step, for a solve with more contacts to start from.
pub struct Found {
    of_contacts: BTreeMap<Key, Vec<Vec6>>,
    of_joints: BTreeMap<u32, Vec6>,
}

impl Found {
    /// Lets the constraints of a contact start from them.
    pub fn start_contact(&self, contact: &Contact, constraints: &mut [Constraint]) {
        let found = self.of_contacts.get(&key(contact)).filter(|found| found.len() == constraints.len());
        for (constraint, impulse) in constraints.iter_mut().zip(found.into_iter().flatten()) {
            constraint.impulse = *impulse;
        }
    }

    /// Lets the constraint of a joint do so.
    pub fn start_joint(&self, mut constraint: Constraint) -> Constraint {
        if let Rows::Joint(law) = &constraint.rows
            && let Some(impulse) = self.of_joints.get(&law.joint)
        {
            constraint.impulse = *impulse;
        }
        constraint
    }
}

/// Which contact of a step it is, whatever pairs and contacts come to it.
type Key = ([u32; 2], u32, u32, u32);

fn key(contact: &Contact) -> Key {
    let (_, seen, place, region) = contact.source.order();
    (contact.bodies, seen, place, region)
}
