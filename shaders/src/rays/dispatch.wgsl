// Turns the numbers of items into numbers of workgroups, and starts counting anew.

@group(0) @binding(1) var<storage, read_write> counters: array<u32>;
@group(0) @binding(2) var<storage, read_write> groups: array<u32>;

fn write_groups(at: u32, n: u32) {
    groups[at] = min(n, MAX_GROUPS);
    groups[at + 1u] = (n + MAX_GROUPS - 1u) / MAX_GROUPS;
    groups[at + 2u] = 1u;
    groups[at + ARGUMENT_COUNT] = n;
}

@compute @workgroup_size(1)
fn dispatch() {
    write_groups(ARGUMENT_ITEMS, counters[COUNTER_ITEMS]);
    write_groups(ARGUMENT_LARGE, min(counters[COUNTER_LARGE], params.large_cap));
    counters[COUNTER_LARGE_WANTED] = max(counters[COUNTER_LARGE_WANTED], counters[COUNTER_LARGE]);
    counters[COUNTER_ITEMS] = 0u;
    counters[COUNTER_LARGE] = 0u;
}
