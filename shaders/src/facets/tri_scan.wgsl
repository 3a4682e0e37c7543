// Where the candidates of each group begin: the sum of those of the groups before it. Whole numbers, so the order of the sums
// does not matter.

@group(0) @binding(1) var<storage, read_write> starts: array<u32>;

var<workgroup> sums: array<u32, WORKGROUP>;

// One workgroup; each thread has a run of groups.
@compute @workgroup_size(WORKGROUP)
fn tri_scan(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    if (workgroup_ix(group) != 0u) {
        return;
    }
    let run = (params.n_groups + WORKGROUP - 1u) / WORKGROUP;
    let first = min(lane * run, params.n_groups);
    let end = min(first + run, params.n_groups);
    var sum = 0u;
    for (var k = first; k < end; k++) {
        sum = plus(sum, starts[k]);
    }
    sums[lane] = sum;
    workgroupBarrier();
    var start = 0u;
    for (var k = 0u; k < lane; k++) {
        start = plus(start, sums[k]);
    }
    for (var k = first; k < end; k++) {
        let n = starts[k];
        starts[k] = start;
        start = plus(start, n);
    }
    if (lane == WORKGROUP - 1u) {
        starts[params.n_groups] = start;
    }
}
