//! Constraints in groups of which no two share a body, so that a group can be solved on several threads.

use crate::solver::body::NO_SLOT;
use crate::solver::constraint::Constraint;

/// The constraints of an island of `n_bodies` by color: each has the first color that neither of its bodies has yet, so that the
/// colors depend on the order of the constraints alone. Within a color they keep their order.
pub fn colors(constraints: &[Constraint], n_bodies: usize) -> Vec<Vec<u32>> {
    // The colors of each body, a bit each; more than a word's have the last one, each in a group of its own.
    let mut taken = vec![0_u128; n_bodies];
    let mut colors: Vec<Vec<u32>> = Vec::new();
    let mut rest = Vec::new();
    for (ix, constraint) in (0..).zip(constraints) {
        let slots = || constraint.slots.into_iter().filter(|slot| *slot != NO_SLOT);
        let used = slots().fold(0, |used, slot| used | taken[slot as usize]);
        let color = used.trailing_ones();
        if color == u128::BITS {
            rest.push(vec![ix]);
            continue;
        }
        for slot in slots() {
            taken[slot as usize] |= 1 << color;
        }
        match colors.get_mut(color as usize) {
            Some(group) => group.push(ix),
            None => colors.push(vec![ix]),
        }
    }
    colors.append(&mut rest);
    colors
}

#[cfg(test)]
mod tests {
    use glam::{DMat3, DVec2, DVec3};

    use super::*;
    use crate::solver::constraint::Rows;
    use crate::solver::local::PointBlock;
    use crate::solver::{Mat6, Vec6};

    fn between(slots: [u32; 2]) -> Constraint {
        let point = Rows::Point(PointBlock::new(&Mat6::ZERO, DVec2::ZERO, 0.0, 0.0));
        Constraint::new(slots, DMat3::IDENTITY, [DVec3::ZERO; 2], Vec6::ZERO, point)
    }

    /// No two of a color share a body, none is lost, and a body with more neighbours than colors is no exception.
    #[test]
    fn a_color_holds_every_body_once() {
        let hub = (1..200).map(|ix| between([0, ix]));
        let chain = (1..199).map(|ix| between([ix, ix + 1]));
        let constraints: Vec<Constraint> = hub.chain(chain).chain([between([NO_SLOT, 5])]).collect();
        let colors = colors(&constraints, 200);
        let mut all: Vec<u32> = colors.concat();
        for color in &colors {
            let slots = color.iter().flat_map(|&ix| constraints[ix as usize].slots);
            let mut slots: Vec<u32> = slots.filter(|slot| *slot != NO_SLOT).collect();
            let n = slots.len();
            slots.sort_unstable();
            slots.dedup();
            assert_eq!(slots.len(), n);
        }
        all.sort_unstable();
        assert!(all.into_iter().eq(0..constraints.len() as u32));
    }
}
