//! Where the facets of each pair are now, and how its bodies move.

use glam::Vec3;
use rayon::prelude::*;

use super::layout::{FacetRound, NOWHERE};
use super::memory::Memory;
use super::stretch_layout::{BodyNow, cause};
use super::threads::PAIRS;
use super::turn::{angular_of, turned_less, yielding};

type Rows = [[f32; 4]; 3];

fn moved(base: &Rows, center: Vec3, shift: Vec3, turn: Vec3) -> Rows {
    let column = |k: usize| Vec3::new(base[0][k], base[1][k], base[2][k]);
    let [u, v, w] = [0, 1, 2].map(|k| column(k) + turned_less(turn, column(k)));
    let at = column(3);
    let to = at + (shift + turned_less(turn, at - center));
    [0, 1, 2].map(|k| [u[k], v[k], w[k], to[k]])
}

fn shift_of(memory: &Memory, round: &FacetRound, ix: usize) -> Vec3 {
    Vec3::from(memory.bodies[ix].velocity) * round.time + Vec3::from(memory.states[ix].shift)
}

fn now_of(memory: &Memory, round: &FacetRound, ix: usize, center: Vec3) -> BodyNow {
    let (body, state) = (&memory.bodies[ix], &memory.states[ix]);
    let (mut inertia, mut products) = ([0.0; 3], [0.0; 3]);
    if body.is_dynamic != 0 {
        let [x, y, z] = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| yielding(body, state.turn.into(), axis));
        (inertia, products) = ([x.x, y.y, z.z], [y.z, x.z, x.y]);
    }
    BodyNow {
        center: (center + shift_of(memory, round, ix)).into(),
        velocity: (Vec3::from(body.velocity) + Vec3::from(state.velocity)).into(),
        angular: angular_of(body, state.spin.into(), state.turn.into()).into(),
        inertia,
        products,
        ..BodyNow::default()
    }
}

pub fn run(memory: &mut Memory, round: &FacetRound) {
    if memory.stop[0] >> cause::BITS < round.index {
        memory.starts[round.n_groups as usize] = NOWHERE;
        return;
    }
    let (mut pairs, mut courses) = (std::mem::take(&mut memory.pairs), std::mem::take(&mut memory.courses));
    let springs = &memory.springs[((round.index & 1) * round.n_pairs) as usize..];
    let of_pairs = pairs.par_iter_mut().zip(&mut courses).zip(springs);
    of_pairs.with_min_len(PAIRS).for_each(|((pair, course), springs)| {
        let [a, b] = course.bodies.map(|body| body as usize);
        let turn = |body: usize| memory.states[body].turn.into();
        let [of_a, of_b] = [course.center_a, course.center_b].map(Vec3::from);
        pair.frame_from_a = moved(&course.base_a, of_a, shift_of(memory, round, a), turn(a));
        pair.frame_from_b = moved(&course.base_b, of_b, shift_of(memory, round, b), turn(b));
        pair.in_touch = springs.in_touch;
        course.now = [now_of(memory, round, a, of_a), now_of(memory, round, b, of_b)];
    });
    (memory.pairs, memory.courses) = (pairs, courses);
}
