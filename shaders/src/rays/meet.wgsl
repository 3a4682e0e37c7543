// Lists the clusters of both bodies that meet as seen along a direction, in the columns of space through the box and below it.

@group(0) @binding(1) var<storage, read> clusters: array<Cluster>;
@group(0) @binding(2) var<storage, read> pairs: array<PairMeshes>;
@group(0) @binding(3) var<storage, read> frames: array<PairFrame>;
@group(0) @binding(4) var<storage, read> items: array<Item>;
@group(0) @binding(5) var<storage, read> groups: array<u32>;
@group(0) @binding(6) var<storage, read_write> counters: array<atomic<u32>>;
@group(0) @binding(7) var<storage, read_write> large: array<LargeItem>;

// A cluster of A, and where the pair's box is.
struct Query {
    side: u32,
    cluster: u32,
    first: u32,
    first_box: u32,
    own: Extent,
    rows: array<vec4<f32>, 3>,
    reach: f32,
    lo: vec3<f32>,
    scale: vec3<f32>,
}

// The box of a cluster in box coordinates.
fn seen_extent(reach: f32, lo: vec3<f32>, scale: vec3<f32>, rows: array<vec4<f32>, 3>, cluster: Cluster) -> Extent {
    let extent = extent_of(reach, rows, cluster);
    return Extent(in_box(extent.lo, lo, scale), in_box(extent.hi, lo, scale));
}

// Whether two clusters have something in one column through the pair's box, and neither is above it.
fn is_met(own: Extent, other: Extent, direction: u32) -> bool {
    let lo = by_direction(max(own.lo, other.lo), direction);
    let hi = by_direction(min(own.hi, other.hi), direction);
    return max(lo.x, 0.0) <= min(hi.x, 1.0) && max(lo.y, 0.0) <= min(hi.y, 1.0) && lo.z <= 1.0;
}

fn is_wanted(query: Query, cluster: Cluster) -> bool {
    let other = seen_extent(query.reach, query.lo, query.scale, query.rows, cluster);
    return is_met(query.own, other, 0u) || is_met(query.own, other, 1u) || is_met(query.own, other, 2u);
}

fn take(query: Query, ix: u32) {
    let other = seen_extent(query.reach, query.lo, query.scale, query.rows, clusters[query.first_box + ix]);
    for (var direction = 0u; direction < 3u; direction++) {
        if (is_met(query.own, other, direction)) {
            let slot = atomicAdd(&counters[COUNTER_LARGE], 1u);
            if (slot < params.large_cap) {
                large[slot] = LargeItem(query.side, query.cluster, direction, query.first + ix);
            }
        }
    }
}

// A workgroup per item of a body A.
@compute @workgroup_size(WORKGROUP)
fn meet(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let ix = workgroup_ix(group);
    if (ix >= groups[ARGUMENT_ITEMS + ARGUMENT_COUNT] || items[ix].side % 2u == 1u) {
        return;
    }
    let item = items[ix];
    let pair = item.side / 2u;
    let frame = frames[pair];
    let held = pairs[pair];
    let cluster = clusters[held.boxes.x + item.cluster - held.first.x];
    var query: Query;
    query.side = item.side;
    query.cluster = item.cluster;
    query.first = held.first.y;
    query.first_box = held.boxes.y;
    query.own = seen_extent(frame.reach, frame.lo, frame.scale, frame.frame_from_a, cluster);
    query.rows = frame.frame_from_b;
    query.reach = frame.reach;
    query.lo = frame.lo;
    query.scale = frame.scale;
    descend(lane, held.boxes.y, held.n.y, query);
}
