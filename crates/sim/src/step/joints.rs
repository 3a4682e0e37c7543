//! The joints of a step.

use glam::DVec3;

use crate::joint::{self, Parts};
use crate::solver::block_gs::SolverBody;
use crate::solver::constraint::{Constraint, Law};
use crate::solver::islands::{Island, Islands, JointRef};
use crate::state::BodyState;
use crate::step::Input;
use crate::{JointId, JointRecord, JointState};

/// The joints that have not broken.
pub fn holding(input: &Input<'_>) -> Vec<JointRef> {
    let joints = (0..).zip(input.joints.iter().zip(input.joint_states));
    joints
        .filter(|(_, (_, state))| !state.broken)
        .map(|(ix, (joint, _))| JointRef { joint: ix, bodies: joint.bodies() })
        .collect()
}

/// The constraints of an island's joints.
pub fn constraints<'a>(
    input: &'a Input<'_>,
    free: &'a [SolverBody],
    islands: &'a Islands,
    island: &Island,
) -> impl Iterator<Item = Constraint> + use<'a> {
    let parts = Parts {
        settings: input.settings,
        bodies: input.bodies,
        free,
        inverse_inertias: input.inverse_inertias,
        end: input.end,
    };
    islands.joints[island.joints.clone()].iter().map(move |&(JointRef { joint, bodies }, first_slot)| {
        let slots = bodies.map(|ix| islands.slot_within(ix, first_slot));
        let (joint_of, state) = (&input.joints[joint as usize], &input.joint_states[joint as usize]);
        joint::constraint(&parts, joint, joint_of, state, slots)
    })
}

/// Records of the step's joints in their order, and what the next step has to know of them; `bodies` are those after the
/// step.
pub fn report(
    input: &Input<'_>,
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
            let Law::Joint(law) = &constraint.law else { return None };
            let joint = &input.joints[law.joint as usize];
            let force = constraint.w_from_c * constraint.impulse.linear();
            let torque = constraint.w_from_c * constraint.impulse.angular();
            let dt = input.settings.dt;
            let broke = force.length() > dt * joint.break_force || torque.length() > dt * joint.break_torque;
            let coordinate = joint.coordinate(bodies, law.coordinate);
            after[law.joint as usize] = JointState { coordinate, force, torque, broken: broke };
            Some(JointRecord { joint: JointId(law.joint), coordinate, impulse: constraint.impulse.0, broke })
        })
        .collect();
    records.sort_unstable_by_key(|record| record.joint);
    records
}
