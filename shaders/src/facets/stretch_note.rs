//! What two bodies have done to each other so far: impulses, and each patch as it was when it was deepest.

use glam::Vec3;
use rayon::prelude::*;

use super::layout::FacetRound;
use super::memory::Memory;
use super::stretch_layout::cause;
use super::threads::PAIRS;
use super::turn::crossed;

fn add(sum: &mut [f32; 3], of: [f32; 3], length: f32) {
    *sum = (Vec3::from(*sum) + Vec3::from(of) * length).into();
}

pub fn run(memory: &mut Memory, round: &FacetRound) {
    if memory.stop[0] >> cause::BITS <= round.index {
        return;
    }
    let both = memory.actions.par_iter().zip(&mut memory.seen).with_min_len(PAIRS);
    both.filter(|(action, _)| action.n > 0).for_each(|(action, seen)| {
        add(&mut seen.turn_a, action.torque_a, round.length);
        add(&mut seen.turn_b, action.torque_b, round.length);
        for (k, now) in (0..action.n).zip(&action.patches) {
            let patch = &mut seen.patches[k as usize];
            if k >= seen.n || now.deepest >= patch.deepest.deepest {
                patch.deepest = *now;
            }
            add(&mut patch.impulse, now.force, round.length);
            let about_origin = crossed(now.torque.into(), now.point.into(), now.force.into());
            add(&mut patch.turn, about_origin.into(), round.length);
        }
        seen.n = seen.n.max(action.n);
    });
}
