//! Turns the numbers of items into numbers of workgroups, and starts counting anew.

use super::layout::{argument, counter};
use super::memory::Operands;
use crate::groups::fold_groups;

pub fn run(on: &mut Operands<'_>) {
    let [items, large_wanted, most_wanted] = on.memory.counters;
    let large = large_wanted.min(on.round.large_cap);
    for (at, n) in [(argument::ITEMS, items), (argument::LARGE, large)] {
        on.memory.arguments[at..at + argument::COUNT].copy_from_slice(&fold_groups(n));
        on.memory.arguments[at + argument::COUNT] = n;
    }
    on.work.groups += 1;
    on.work.reads::<u32>(counter::N);
    on.work.writes::<u32>(counter::N + argument::N);
    on.memory.counters = [0, 0, most_wanted.max(large_wanted)];
}
