//! Who comes down on something in a step: a whole step knows neither when that is nor what comes next.

use super::Impulse;
use crate::constants::{FOLLOWED_CONSTRAINTS, NEARING, ROLLS_ON};
use crate::law::volume::{Contact, is_pressed, was_pressed};
use crate::solver::body::{NO_SLOT, SolverBody};
use crate::solver::convergence::Convergence;
use crate::solver::islands::Island;
use crate::stepper::step::Input;
use crate::twist::Twist;
use crate::{Settings, motion};

impl Impulse {
    /// The bodies of the small islands in which some have come to touch in the step that is made, or a corner has come down on a plane, or
    /// some turn too far in it for its end to be known, or come at something so fast that the whole step has not met it; `None` where there
    /// are none. What bounces does so in time.
    pub fn landing(&self, input: &Input<'_>) -> Option<Vec<bool>> {
        let mut members = vec![false; self.measured.len()];
        let islands = self.islands.islands.iter().zip(&self.ends);
        for (island, _) in islands.filter(|(island, end)| self.lands(island, end, input)) {
            self.bodies_of(island).iter().for_each(|ix| members[*ix as usize] = true);
        }
        for ix in self.came_past(input.settings) {
            if self.island_of(ix).is_none_or(|island| self.is_small(island)) {
                members[ix as usize] = true;
            }
        }
        if !members.contains(&true) {
            return None;
        }
        self.add_led_together(&mut members);
        Some(members)
    }

    /// Whether the step of an island that is solved is made once more in parts.
    pub(super) fn lands(&self, island: &Island, end: &Convergence, input: &Input<'_>) -> bool {
        self.is_small(island)
            && self.can_be_followed(island, input.settings)
            && (end.is_lost || self.is_crossed(island) || self.has_landing(island, input))
    }

    fn bodies_of(&self, island: &Island) -> &[u32] {
        &self.islands.body_of_slot[island.slots.clone()]
    }

    /// The island of a body, where it has one.
    fn island_of(&self, body: u32) -> Option<&Island> {
        let slot = self.islands.slot_of_body[body as usize] as usize;
        self.islands.islands.iter().find(|island| island.slots.contains(&slot))
    }

    /// Adds those that the first half of the step has led as one with members, and all that share an island with these: their momentum is kept
    /// together.
    fn add_led_together(&self, members: &mut [bool]) {
        let islands = self.islands.islands.iter().map(|island| self.bodies_of(island));
        let groups: Vec<&[u32]> = islands.chain(self.led_together.iter().map(Vec::as_slice)).collect();
        loop {
            let is_split = |group: &&&[u32]| {
                let mut are_members = group.iter().map(|ix| members[*ix as usize]);
                are_members.clone().any(|is_member| is_member) && !are_members.all(|is_member| is_member)
            };
            let Some(group) = groups.iter().find(is_split) else { return };
            group.iter().for_each(|ix| members[*ix as usize] = true);
        }
    }

    /// Into how many parts the step that is made has to be divided for the bodies of its large islands to come nearer to each other by no
    /// more than [`NEARING`] of their size in each, where they come to touch; 0 where they do not.
    ///
    /// Among many, what is stopped sets others in motion within the step, which whole steps neither see nor stop in time. They are divided
    /// for all bodies at once.
    pub fn parts_for_piles(&self, input: &Input<'_>) -> f64 {
        let islands = self.islands.islands.iter().filter(|island| !self.is_small(island));
        let way = |island: &Island| {
            let contacts = self.contacts[island.contacts.clone()].iter();
            let bodies = &self.bodies[island.slots.clone()];
            contacts.map(|contact| self.way_together(contact, bodies, input)).fold(0.0, f64::max)
        };
        islands.map(way).fold(0.0, f64::max) / NEARING
    }

    /// How far the bodies of a contact that comes to touch come nearer to each other in the step: on their way to there, and by turning as
    /// it leaves them. As a part of their size.
    fn way_together(&self, contact: &Contact, island: &[SolverBody], input: &Input<'_>) -> f64 {
        let is_new = contact.bounce.is_none() && contact.impulse(&self.constraints)[0] > 0.0;
        if !is_new || was_pressed(&input.memory.contacts, contact.bodies) {
            return 0.0;
        }
        let turning = self.turning(contact, island);
        input.settings.dt * (contact.nearing(contact.arms) / self.size(contact) + turning)
    }

    /// Size of the smaller body of a contact \[m\].
    fn size(&self, contact: &Contact) -> f64 {
        let bodies = contact.bodies.map(|ix| &self.measured[ix as usize]);
        bodies.map(|body| body.mean_side).into_iter().fold(f64::INFINITY, f64::min)
    }

    /// Whether the bodies of a contact, each of them held by something already, come nearer to each other by no more than the depth in which they
    /// are held: what is a little in another and a little over it in turn lies on it.
    fn are_settled(&self, contact: &Contact, input: &Input<'_>) -> bool {
        let Settings { dt, target_depth, .. } = *input.settings;
        let is_near = dt * contact.nearing(contact.arms) <= target_depth * self.size(contact);
        let is_held =
            |ix: u32| !self.measured[ix as usize].is_movable() || is_pressed(&input.memory.contacts, ix);
        is_near && contact.bodies.into_iter().all(is_held)
    }

    /// How fast the bodies of a contact turn against each other across its normal, as an island's solve has left them \[rad/s\].
    fn turning(&self, contact: &Contact, island: &[SolverBody]) -> f64 {
        let [a, b] = [0, 1].map(|side| match contact.slots[side] {
            NO_SLOT => self.measured[contact.bodies[side] as usize].angular_velocity,
            slot => island[slot as usize].twist.angular,
        });
        (b - a).cross(contact.frame.normal()).length()
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

    /// Whether an island is followed closely: in parts of a step, and to where it is led.
    pub(super) fn is_small(&self, island: &Island) -> bool {
        self.size_of(island) <= FOLLOWED_CONSTRAINTS
    }

    /// How many contacts and joints an island has, besides what it did not foresee.
    pub(super) fn size_of(&self, island: &Island) -> usize {
        let contacts = self.contacts[island.contacts.clone()].iter();
        contacts.filter(|contact| !contact.is_unforeseen()).count() + island.joints.len()
    }

    /// Whether all contacts and joints of the step that is made are as few as those of a small island.
    pub fn are_few(&self) -> bool {
        self.n_constraints.iter().sum::<usize>() <= FOLLOWED_CONSTRAINTS
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

    /// Whether some of an island are led into each other across the normal that they have there: no impulse along it keeps them out of what is
    /// too deep already where contacts are measured, as that continues it.
    fn is_crossed(&self, island: &Island) -> bool {
        let mut contacts = island.contacts.clone();
        contacts.any(|ix| self.contacts[ix].is_unforeseen() && self.volumes[ix].is_too_deep())
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
                    && !self.are_settled(contact, input)
            };
            let rolls = || self.rolls_on(contact, bodies) && contact.lands(back, bodies, input.settings.dt);
            is_fast || (has_corners && rolls()) || (!is_stopped && comes_to_touch())
        };
        // What else acts goes on before the bounce and after it; the whole step does not tell the one from the other.
        let is_alone = island.joints.is_empty() && self.n_pressed(island) < 2;
        let mut contacts = self.contacts[island.contacts.clone()].iter();
        contacts.any(|contact| match contact.bounce {
            Some(bounce) => bounce.is_askew || !is_alone,
            None => lands(contact),
        })
    }

    /// How many contacts of an island act on its bodies.
    fn n_pressed(&self, island: &Island) -> usize {
        let contacts = self.contacts[island.contacts.clone()].iter();
        contacts.filter(|contact| contact.impulse(&self.constraints)[0] > 0.0).count()
    }

    /// Whether the bodies of a contact go on turning over each other: what stops on its next corner has no other to come down on.
    fn rolls_on(&self, contact: &Contact, island: &[SolverBody]) -> bool {
        let [a, b] = contact.bodies.map(|ix| self.measured[ix as usize].angular_velocity);
        let before = (b - a).cross(contact.frame.normal()).length();
        self.turning(contact, island) > ROLLS_ON * before
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
