//! Turns the numbers of items into numbers of workgroups, and starts counting anew.

use crate::groups::Groups;
use crate::memory::Operands;

pub fn run(on: &mut Operands<'_>) {
    let [items, large_wanted, most_wanted] = on.memory.counters;
    let large = large_wanted.min(on.round.large_cap);
    for (at, n) in [(0, items), (4, large)] {
        on.memory.arguments[at..at + 3].copy_from_slice(&Groups::fold(n));
        on.memory.arguments[at + 3] = n;
    }
    on.memory.counters = [0, 0, most_wanted.max(large_wanted)];
}
