// Lists the clusters that may cross the box of their pair, or the columns of space below it.

@group(0) @binding(1) var<storage, read> clusters: array<Cluster>;
@group(0) @binding(2) var<storage, read> pairs: array<PairMeshes>;
@group(0) @binding(3) var<storage, read> frames: array<PairFrame>;
@group(0) @binding(4) var<storage, read_write> items: array<Item>;
@group(0) @binding(5) var<storage, read_write> counters: array<atomic<u32>>;

fn is_needed(frame: PairFrame, rows: array<vec4<f32>, 3>, cluster: Cluster) -> bool {
    let extent = extent_of(frame, rows, cluster);
    let lower = in_box(extent.lo, frame.lo, frame.scale);
    let upper = in_box(extent.hi, frame.lo, frame.scale);
    let below = lower <= vec3<f32>(1.0);
    let meets = below & (upper >= vec3<f32>(0.0));
    return ((params.columns & 1u) != 0u && below.x && meets.y && meets.z)
        || ((params.columns & 2u) != 0u && below.y && meets.z && meets.x)
        || ((params.columns & 4u) != 0u && below.z && meets.x && meets.y);
}

// A workgroup per body of a pair.
@compute @workgroup_size(WORKGROUP)
fn cull(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let side = workgroup_ix(group);
    if (side >= 2u * params.n_pairs) {
        return;
    }
    let pair = side / 2u;
    let frame = frames[pair];
    if ((frame.state & STATE_EMPTY) != 0u || (params.coarse != 0u && (frame.state & STATE_FIXED) != 0u)) {
        return;
    }
    let rows = rows_of(frame, side);
    let first = pairs[pair].first[side % 2u];
    let n = pairs[pair].n[side % 2u];
    for (var ix = lane; ix < n; ix += WORKGROUP) {
        if (is_needed(frame, rows, clusters[first + ix])) {
            let slot = atomicAdd(&counters[COUNTER_ITEMS], 1u);
            items[slot] = Item(side, first + ix);
        }
    }
}
