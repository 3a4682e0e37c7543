//! Where the candidates of each group begin: the sum of those of the groups before it.

use super::layout::FacetRound;
use super::memory::Memory;

pub fn run(memory: &mut Memory, round: &FacetRound) {
    let mut start = 0_u32;
    for group in &mut memory.starts[..round.n_groups as usize] {
        let n = *group;
        *group = start;
        start = start.saturating_add(n);
    }
    memory.starts[round.n_groups as usize] = start;
}
