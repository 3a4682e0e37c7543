// Turns the numbers of items into numbers of workgroups, and starts counting anew.

@group(0) @binding(1) var<storage, read_write> counters: array<u32>;
@group(0) @binding(2) var<storage, read_write> groups: array<u32>;

fn write_groups(at: u32, n: u32) {
    groups[at] = min(n, MAX_GROUPS);
    groups[at + 1u] = (n + MAX_GROUPS - 1u) / MAX_GROUPS;
    groups[at + 2u] = 1u;
    groups[at + 3u] = n;
}

@compute @workgroup_size(1)
fn dispatch() {
    write_groups(0u, counters[0]);
    write_groups(4u, min(counters[1], params.large_cap));
    counters[2] = max(counters[2], counters[1]);
    counters[0] = 0u;
    counters[1] = 0u;
}
