//! Who wakes before a step's contacts act, and who falls asleep at its end.

use glam::DVec3;

use super::Impulse;
use crate::solver::islands::Island;
use crate::stepper::step::{After, Input};
use crate::world::rest;
use crate::{Body, BodyId, BodyState, Joint, Settings, StepReport};

impl Impulse {
    /// Wakes what lies on or hangs from bodies that move by themselves: they may go where they touch nothing.
    pub(super) fn wake_on_driven(&mut self, input: &Input<'_>) {
        let driven = (0..).zip(&self.measured).filter(|(_, body)| body.is_driven());
        let driven: Vec<u32> = driven.map(|(ix, _)| ix).collect();
        rest::wake(&mut self.measured, &driven, input.links());
    }

    /// Wakes what a body that moves comes to touch; whether anything wakes, which then has questions of its own.
    pub(super) fn wake_touched(&mut self, input: &Input<'_>) -> bool {
        let bodies = self.regions.iter().flat_map(|region| self.pairs[region.pair as usize].bodies);
        let touched: Vec<u32> = bodies.filter(|ix| self.measured[*ix as usize].rest.asleep).collect();
        rest::wake(&mut self.measured, &touched, input.links())
    }

    /// Counts for how long bodies have been still, and lets islands fall asleep.
    pub(super) fn fall_asleep(&mut self, input: &Input<'_>) {
        let Settings { sleep_after, dt, .. } = *input.settings;
        if sleep_after == 0.0 {
            return;
        }
        let states = &mut self.after.states;
        for (state, body) in states.iter_mut().zip(&self.measured).filter(|(_, body)| body.is_movable()) {
            state.rest = state.rest.after(state, body.mean_side, dt);
        }
        for island in &self.islands.islands {
            let bodies = &self.islands.body_of_slot[island.slots.clone()];
            let are_still = bodies.iter().all(|ix| self.after.states[*ix as usize].rest.time >= sleep_after);
            if !are_still || !self.is_carried(island) || self.is_about_to_move(input, island) {
                continue;
            }
            for &ix in bodies {
                let state = &mut self.after.states[ix as usize];
                state.rest.asleep = true;
                (state.linear_velocity, state.angular_velocity) = (DVec3::ZERO, DVec3::ZERO);
            }
        }
    }

    /// Whether something takes up what acts on an island, and all that does stands.
    fn is_carried(&self, island: &Island) -> bool {
        let contacts = self.contacts[island.contacts.clone()].iter();
        let pressing = contacts.filter(|contact| contact.impulse(&self.constraints)[0] > 0.0);
        let holding = self.islands.joints[island.joints.clone()].iter().map(|member| member.bodies);
        let bodies = pressing.map(|contact| contact.bodies).chain(holding).flatten();
        let mut supports = bodies.map(|ix| self.measured.get(ix as usize)).filter(|body| match body {
            // The world.
            None => true,
            Some(body) => !body.is_movable(),
        });
        let first = supports.next();
        first.is_some() && !first.into_iter().chain(supports).flatten().any(Body::is_driven)
    }

    /// Whether a joint's drive will ask something else of an island than it does now.
    fn is_about_to_move(&self, input: &Input<'_>, island: &Island) -> bool {
        let slot = |ix: u32| self.islands.slot_of_body.get(ix as usize).map(|slot| *slot as usize);
        let is_of_island = |joint: &Joint| {
            joint.bodies().iter().any(|ix| slot(*ix).is_some_and(|slot| island.slots.contains(&slot)))
        };
        let changes = |joint: &Joint| joint.kind.drive().is_some_and(|drive| drive.changes_after(input.end));
        !island.joints.is_empty() && input.joints.iter().any(|joint| changes(joint) && is_of_island(joint))
    }

    /// Adds what is known of bodies that have slept through the step to its report and to what the next step remembers.
    pub(super) fn keep_asleep(&mut self, input: &Input<'_>, report: &mut StepReport) {
        let After { states, memory, .. } = &mut self.after;
        (memory.asleep, memory.landed, memory.parts) = Default::default();
        (memory.facets, memory.passages) = Default::default();
        report.asleep = states.iter().filter(|state| state.rest.asleep).count() as u32;
        if report.asleep == 0 {
            return;
        }
        let slept = |bodies: &[u32; 2]| {
            bodies.iter().any(|ix| self.measured.get(*ix as usize).is_some_and(|body| body.rest.asleep))
        };
        let sleeps = |bodies: &[u32; 2]| {
            let sleeps = |state: &BodyState| state.rest.asleep;
            bodies.iter().any(|ix| states.get(*ix as usize).is_some_and(sleeps))
        };
        let bodies_of = |[a, b]: [BodyId; 2]| [a.0, b.0];
        let of_joint = |ix: u32| input.joints[ix as usize].bodies();
        let (before, dt) = (input.memory, input.settings.dt);

        memory.contacts.extend(before.contacts.iter().filter(|contact| slept(&contact.bodies)).cloned());
        memory.contacts.sort_by_key(|contact| (contact.bodies, contact.region));
        // Those that sleep on, as they were, and those that have just fallen asleep.
        let kept = before.asleep.contacts.iter().filter(|contact| slept(&bodies_of(contact.bodies)));
        let fallen = report.contacts.iter().filter(|contact| sleeps(&bodies_of(contact.bodies)));
        memory.asleep.contacts.extend(kept.clone().cloned());
        memory.asleep.contacts.extend(fallen.map(|contact| contact.scaled(dt.recip())));
        memory.asleep.contacts.sort_by_key(|contact| (contact.bodies, contact.region));
        report.contacts.extend(kept.map(|contact| contact.scaled(dt)));
        report.contacts.sort_by_key(|contact| (contact.bodies, contact.region));

        let kept = before.asleep.joints.iter().filter(|record| slept(&of_joint(record.joint.0)));
        let fallen = report.joints.iter().filter(|record| sleeps(&of_joint(record.joint.0)));
        memory.asleep.joints.extend(kept.clone());
        memory.asleep.joints.extend(fallen.map(|record| record.scaled(dt.recip())));
        memory.asleep.joints.sort_by_key(|record| record.joint);
        report.joints.extend(kept.map(|record| record.scaled(dt)));
        report.joints.sort_by_key(|record| record.joint);
    }
}
