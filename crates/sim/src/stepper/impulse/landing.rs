//! Who comes down on something in a step: a whole step knows neither when that is nor what comes next.

use glam::DVec3;

use super::Impulse;
use crate::constants::{EXACT_CONSTRAINTS, ROLLS_ON};
use crate::law::volume::{Contact, was_pressed};
use crate::solver::body::{NO_SLOT, SolverBody};
use crate::solver::islands::Island;
use crate::stepper::step::Input;
use crate::twist::Twist;
use crate::{Settings, motion};

fn is_small(island: &Island) -> bool {
    island.contacts.len() + island.joints.len() <= EXACT_CONSTRAINTS
}

impl Impulse {
    /// The bodies of the small islands in which some have come to touch in the step that is made, or a corner has come down on a plane, or
    /// some turn too far in it for its end to be known, or come at something so fast that the whole step has not met it; `None` where there
    /// are none. What bounces does so in time.
    pub fn landing(&self, input: &Input<'_>) -> Option<Vec<bool>> {
        let mut members = vec![false; self.measured.len()];
        let add = |members: &mut Vec<bool>, island: &Island| {
            for &ix in &self.islands.body_of_slot[island.slots.clone()] {
                members[ix as usize] = true;
            }
        };
        let islands = self.islands.islands.iter().zip(&self.are_lost);
        for (island, is_lost) in islands.filter(|(island, _)| is_small(island)) {
            if self.can_be_followed(island, input.settings) && (*is_lost || self.has_landing(island, input)) {
                add(&mut members, island);
            }
        }
        for ix in self.came_past(input.settings) {
            let slot = self.islands.slot_of_body[ix as usize] as usize;
            match self.islands.islands.iter().find(|island| island.slots.contains(&slot)) {
                Some(island) if is_small(island) => add(&mut members, island),
                Some(_) => {}
                None => members[ix as usize] = true,
            }
        }
        members.contains(&true).then_some(members)
    }

    /// The bodies that come at something so fast that the whole step does not follow them, but its parts do, and have no contact there.
    fn came_past(&self, settings: &Settings) -> impl Iterator<Item = u32> {
        let has_contact =
            |pair: usize| self.contacts.iter().any(|contact| contact.source.pair as usize == pair);
        let most = f64::from(settings.landing_substeps);
        let pairs = self.pairs.iter().enumerate();
        pairs
            .filter(move |(ix, pair)| pair.fast.is_some_and(|times| times <= most) && !has_contact(*ix))
            .flat_map(|(_, pair)| pair.bodies)
            .filter(|ix| self.measured[*ix as usize].is_movable())
    }

    /// Whether all contacts and joints of the step that is made are as few as those of a small island.
    pub fn is_small(&self) -> bool {
        self.n_constraints.iter().sum::<usize>() <= EXACT_CONSTRAINTS
    }

    /// Whether one of these bodies has a contact in the step that is made.
    pub fn touches(&self, is_sought: impl Fn(u32) -> bool) -> bool {
        self.contacts.iter().any(|contact| contact.bodies.iter().any(|ix| is_sought(*ix)))
    }

    /// Whether parts of the step are short enough for none of its bodies to come out on the other side of another; what is faster is kept on
    /// its side as a whole.
    fn can_be_followed(&self, island: &Island, settings: &Settings) -> bool {
        let ways = self.contacts[island.contacts.clone()]
            .iter()
            .filter_map(|contact| self.pairs[contact.source.pair as usize].fast);
        ways.fold(0.0, f64::max) <= f64::from(settings.landing_substeps)
    }

    /// Whether one of its contacts is that of a landing, or of bodies that come so fast that the whole step does not follow them.
    fn has_landing(&self, island: &Island, input: &Input<'_>) -> bool {
        let bodies = &self.bodies[island.slots.clone()];
        let lands = |contact: &Contact| {
            let back = contact.bodies.map(|ix| self.back(ix, input));
            let is_fast = self.pairs[contact.source.pair as usize].fast.is_some();
            let has_corners = contact.gaps.is_some();
            // Corners that are seen ahead are stopped in time, but what they set in motion goes on to others.
            let is_stopped = has_corners && contact.measured.is_none() && contact.slots.contains(&NO_SLOT);
            let comes_to_touch = || {
                contact.impulse(&self.constraints)[0] > 0.0
                    && contact.was_apart(back)
                    && !was_pressed(&input.memory.contacts, contact.bodies)
            };
            let rolls = || self.rolls_on(contact, bodies) && contact.lands(back, bodies, input.settings.dt);
            is_fast || (has_corners && rolls()) || (!is_stopped && comes_to_touch())
        };
        let contacts = self.contacts[island.contacts.clone()].iter();
        contacts.filter(|contact| contact.bounce.is_none()).any(lands)
    }

    /// Whether the bodies of a contact go on turning over each other: what stops on its next corner has no other to come down on.
    fn rolls_on(&self, contact: &Contact, island: &[SolverBody]) -> bool {
        let normal = contact.frame.normal();
        let across = |[a, b]: [DVec3; 2]| (b - a).cross(normal).length();
        let before = contact.bodies.map(|ix| self.measured[ix as usize].angular_velocity);
        let after = [0, 1].map(|side| match contact.slots[side] {
            NO_SLOT => before[side],
            slot => island[slot as usize].twist.angular,
        });
        across(after) > ROLLS_ON * across(before)
    }

    /// The way of a body from where it is measured back to where it was at the start: along and about its axes of the world \[m, rad\].
    fn back(&self, ix: u32, input: &Input<'_>) -> Twist {
        let [start, measured] = [&input.bodies[ix as usize], &self.measured[ix as usize]];
        Twist {
            linear: start.position - measured.position,
            angular: motion::log(start.orientation * measured.orientation.conjugate()),
        }
    }
}
