//! One report and one world of several: of the parts of a step, and of those who moved in parts and those who did not.

use super::parts::Group;
use crate::report::{IslandRecord, PhaseTimes};
use crate::stepper::step::{After, Input};
use crate::{BodyId, BodyState, ContactRecord, JointId, JointRecord, StepReport};

/// What two parts, one after the other, report together: impulses, sweeps and times are sums, errors the largest; how
/// contacts and joints stand, and how deep contacts are, is told by the last part that had them, how islands were solved by the one that was off most.
pub fn of_parts(before: StepReport, part: StepReport) -> StepReport {
    let contacts = contacts_of_parts(before.contacts, part.contacts);
    StepReport {
        sweeps: part.sweeps + before.sweeps,
        update_norm: part.update_norm.max(before.update_norm),
        velocity_error: part.velocity_error.max(before.velocity_error),
        unconverged_islands: part.unconverged_islands.max(before.unconverged_islands),
        max_depth: deepest(&contacts),
        depth_of_size: part.depth_of_size.max(before.depth_of_size),
        fast: [before.fast, part.fast].concat(),
        times: sum(&part.times, &before.times),
        contacts,
        joints: joints_of_parts(&before.joints, part.joints),
        islands: if part.velocity_error >= before.velocity_error { part.islands } else { before.islands },
        ..part
    }
}

/// The largest of their mean depths \[m\].
fn deepest(contacts: &[ContactRecord]) -> f64 {
    contacts.iter().map(|contact| contact.depth).fold(0.0, f64::max)
}

fn contacts_of_parts(before: Vec<ContactRecord>, mut part: Vec<ContactRecord>) -> Vec<ContactRecord> {
    for earlier in before {
        let key = |contact: &ContactRecord| (contact.bodies, contact.region);
        match part.binary_search_by_key(&key(&earlier), key) {
            Ok(at) => part[at].add_impulse(&earlier),
            Err(at) => part.insert(at, earlier),
        }
    }
    part
}

fn joints_of_parts(before: &[JointRecord], mut part: Vec<JointRecord>) -> Vec<JointRecord> {
    for earlier in before {
        match part.binary_search_by_key(&earlier.joint, |joint| joint.joint) {
            Ok(at) => part[at].impulse.iter_mut().zip(earlier.impulse).for_each(|(sum, more)| *sum += more),
            Err(at) => part.insert(at, *earlier),
        }
    }
    part
}

/// What a step reports that the members of a group have made in parts, and all others in one, after which the bodies are in these states.
pub fn of_both(
    members: &[bool],
    whole: StepReport,
    parts: StepReport,
    input: &Input<'_>,
    states: &[BodyState],
) -> StepReport {
    let is_of_group = |ids: &[BodyId]| ids.iter().any(|id| members.get(id.0 as usize) == Some(&true));
    let is_held = |joint: JointId| Group::has_any(members, input.joints[joint.0 as usize].bodies());
    let StepReport { mut contacts, mut joints, mut fast, mut islands, .. } = whole;
    contacts.retain(|contact| !is_of_group(&contact.bodies));
    contacts.extend(parts.contacts.into_iter().filter(|contact| is_of_group(&contact.bodies)));
    contacts.sort_by_key(|contact| (contact.bodies, contact.region));
    joints.retain(|record| !is_held(record.joint));
    joints.extend(parts.joints.into_iter().filter(|record| is_held(record.joint)));
    joints.sort_by_key(|record| record.joint);
    fast.retain(|pair| !is_of_group(&pair.bodies));
    fast.extend(parts.fast);
    islands.retain(|island| !is_of_group(&[island.body]));
    let most = |of: fn(&IslandRecord) -> f64| islands.iter().map(of).fold(0.0, f64::max);
    StepReport {
        sweeps: islands.iter().map(|island| island.sweeps).max().unwrap_or(0).max(parts.sweeps),
        update_norm: most(|island| island.update_norm).max(parts.update_norm),
        velocity_error: most(|island| island.velocity_error).max(parts.velocity_error),
        unconverged_islands: parts.unconverged_islands
            + islands.iter().filter(|island| !island.converged).count() as u32,
        max_depth: deepest(&contacts),
        depth_of_size: whole.depth_of_size.max(parts.depth_of_size),
        asleep: states.iter().filter(|state| state.rest.asleep).count() as u32,
        times: sum(&whole.times, &parts.times),
        islands: [islands, parts.islands].concat(),
        contacts,
        joints,
        fast,
        ..whole
    }
}

/// Puts the members of a group, with what is remembered of them, into a world as they are in another.
pub fn take_over(members: &[bool], world: &mut After, other: &mut After, input: &Input<'_>) {
    let is_of_group = |bodies: [u32; 2]| Group::has_any(members, bodies);
    let is_recorded = |contact: &ContactRecord| is_of_group(contact.bodies.map(|id| id.0));
    let is_held = |joint: JointId| is_of_group(input.joints[joint.0 as usize].bodies());
    for ((state, theirs), is_member) in world.states.iter_mut().zip(&other.states).zip(members) {
        if *is_member {
            *state = *theirs;
        }
    }
    for ((joint, state), theirs) in input.joints.iter().zip(&mut world.joints).zip(&other.joints) {
        if is_of_group(joint.bodies()) {
            *state = *theirs;
        }
    }
    let (mine, theirs) = (&mut world.memory, &mut other.memory);
    mine.contacts.retain(|contact| !is_of_group(contact.bodies));
    mine.contacts.extend(theirs.contacts.drain(..).filter(|contact| is_of_group(contact.bodies)));
    mine.contacts.sort_by_key(|contact| (contact.bodies, contact.region));
    std::mem::swap(&mut mine.landed, &mut theirs.landed);
    let (mine, theirs) = (&mut mine.asleep, &mut theirs.asleep);
    mine.contacts.retain(|contact| !is_recorded(contact));
    mine.contacts.extend(theirs.contacts.drain(..).filter(is_recorded));
    mine.contacts.sort_by_key(|contact| (contact.bodies, contact.region));
    mine.joints.retain(|record| !is_held(record.joint));
    mine.joints.extend(theirs.joints.drain(..).filter(|record| is_held(record.joint)));
    mine.joints.sort_by_key(|record| record.joint);
}

fn sum(a: &PhaseTimes, b: &PhaseTimes) -> PhaseTimes {
    PhaseTimes {
        broad: a.broad + b.broad,
        detect: a.detect + b.detect,
        assemble: a.assemble + b.assemble,
        solve: a.solve + b.solve,
        integrate: a.integrate + b.integrate,
    }
}
