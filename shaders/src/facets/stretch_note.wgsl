// What two bodies have done to each other so far: impulses, and each patch as it was when it was deepest.

@group(0) @binding(1) var<storage, read> actions: array<PairAction>;
@group(0) @binding(2) var<storage, read> stop: array<u32>;
@group(0) @binding(3) var<storage, read_write> seen: array<PairSeen>;

// A thread per pair.
@compute @workgroup_size(WORKGROUP)
fn stretch_note(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let ix = workgroup_ix(group) * WORKGROUP + lane;
    if (ix >= params.n_pairs || (stop[0] >> CAUSE_BITS) <= params.index) {
        return;
    }
    let n = actions[ix].n;
    if (n == 0u) {
        return;
    }
    seen[ix].turn_a += actions[ix].torque_a * params.length;
    seen[ix].turn_b += actions[ix].torque_b * params.length;
    for (var k = 0u; k < n; k++) {
        let now = actions[ix].patches[k];
        if (k >= seen[ix].n || now.deepest >= seen[ix].patches[k].deepest.deepest) {
            seen[ix].patches[k].deepest = now;
        }
        seen[ix].patches[k].impulse += now.force * params.length;
        seen[ix].patches[k].turn += crossed(now.torque, now.point, now.force) * params.length;
    }
    seen[ix].n = max(seen[ix].n, n);
}
