// Lists the clusters that may cross the box of their pair, or the columns of space below it or below its corners.

@group(0) @binding(1) var<storage, read> clusters: array<Cluster>;
@group(0) @binding(2) var<storage, read> pairs: array<PairMeshes>;
@group(0) @binding(3) var<storage, read> frames: array<PairFrame>;
@group(0) @binding(4) var<storage, read_write> items: array<Item>;
@group(0) @binding(5) var<storage, read_write> counters: array<atomic<u32>>;

// A body of a pair, and where the pair's box is.
struct Query {
    side: u32,
    first: u32,
    rows: array<vec4<f32>, 3>,
    reach: f32,
    lo: vec3<f32>,
    scale: vec3<f32>,
}

fn is_wanted(query: Query, cluster: Cluster) -> bool {
    let extent = extent_of(query.reach, query.rows, cluster);
    let lower = in_box(extent.lo, query.lo, query.scale);
    let upper = in_box(extent.hi, query.lo, query.scale);
    let below = lower <= vec3<f32>(1.0);
    let meets = below & (upper >= vec3<f32>(0.0));
    let has_corner = ((lower <= vec3<f32>(0.0)) & (upper >= vec3<f32>(0.0))) | (below & (upper >= vec3<f32>(1.0)));
    return all(meets)
        || ((params.columns & CORNERS) != 0u && below.z && has_corner.x && has_corner.y)
        || ((params.columns & 1u) != 0u && below.x && meets.y && meets.z)
        || ((params.columns & 2u) != 0u && below.y && meets.z && meets.x)
        || ((params.columns & 4u) != 0u && below.z && meets.x && meets.y);
}

fn take(query: Query, ix: u32) {
    let slot = atomicAdd(&counters[COUNTER_ITEMS], 1u);
    items[slot] = Item(query.side, query.first + ix);
}

// A workgroup per body of a pair.
@compute @workgroup_size(WORKGROUP)
fn cull(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let side = workgroup_ix(group);
    if (side >= 2u * params.n_pairs) {
        return;
    }
    let pair = side / 2u;
    let body = side % 2u;
    let frame = frames[pair];
    if ((frame.state & STATE_EMPTY) != 0u || (params.coarse != 0u && (frame.state & STATE_FIXED) != 0u)) {
        return;
    }
    let query = Query(side, pairs[pair].first[body], rows_of(frame, side), frame.reach, frame.lo, frame.scale);
    descend(lane, pairs[pair].boxes[body], pairs[pair].n[body], query);
}
