//! The joints of a step.

use glam::DVec3;

use crate::joint::constraint::{Parts, constraint};
use crate::joint::definition::{Joint, JointId, JointState};
use crate::joint::record::JointRecord;
use crate::solver::constraint::{Constraint, Rows};
use crate::solver::islands::{Island, Islands};
use crate::{Body, BodyState};

/// The joints that have not broken and hold a body that is awake, and their bodies.
pub fn holding(joints: &[Joint], states: &[JointState], bodies: &[Body]) -> (Vec<u32>, Vec<[u32; 2]>) {
    let holds = |joint: &Joint, state: &JointState| {
        !state.broken
            && joint.bodies().iter().any(|ix| bodies.get(*ix as usize).is_some_and(Body::is_movable))
    };
    let all = (0..).zip(joints.iter().zip(states)).filter(|(_, (joint, state))| holds(joint, state));
    all.map(|(ix, (joint, _))| (ix, joint.bodies())).unzip()
}

/// The constraints of an island's joints; `holding` are the world's numbers of those that hold.
pub fn constraints<'a>(
    parts: Parts<'a>,
    holding: &'a [u32],
    islands: &'a Islands,
    island: &Island,
) -> impl Iterator<Item = Constraint> + use<'a> {
    let has_contacts = !island.contacts.is_empty();
    islands.joints[island.joints.clone()].iter().map(move |member| {
        let slots = member.bodies.map(|ix| islands.slot_within(ix, member.first_slot));
        constraint(&parts, holding[member.ix as usize], slots, has_contacts)
    })
}

/// Records of the step's joints in their order, and what the next step has to know of them; `bodies` are those after the
/// step.
pub fn report(
    joints: &[Joint],
    dt: f64,
    constraints: &[Constraint],
    bodies: &[BodyState],
    after: &mut [JointState],
) -> Vec<JointRecord> {
    // What has broken carries nothing any more.
    for state in after.iter_mut().filter(|state| state.broken) {
        (state.force, state.torque) = (DVec3::ZERO, DVec3::ZERO);
    }
    let mut records: Vec<JointRecord> = constraints
        .iter()
        .filter_map(|constraint| {
            let Rows::Joint(law) = &constraint.rows else { return None };
            let joint = &joints[law.joint as usize];
            let force = constraint.w_from_c * constraint.impulse.linear();
            let torque = constraint.w_from_c * constraint.impulse.angular();
            let broke = force.length() > dt * joint.break_force || torque.length() > dt * joint.break_torque;
            let coordinate = joint.coordinate(bodies, law.coordinate);
            after[law.joint as usize] = JointState { coordinate, force, torque, broken: broke };
            Some(JointRecord { joint: JointId(law.joint), coordinate, impulse: constraint.impulse.0, broke })
        })
        .collect();
    records.sort_unstable_by_key(|record| record.joint);
    records
}
