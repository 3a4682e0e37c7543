// Lists the clusters of both bodies that meet as seen along a direction, in the columns of space through the box and below it.

@group(0) @binding(1) var<storage, read> clusters: array<Cluster>;
@group(0) @binding(2) var<storage, read> pairs: array<PairMeshes>;
@group(0) @binding(3) var<storage, read> frames: array<PairFrame>;
@group(0) @binding(4) var<storage, read> items: array<Item>;
@group(0) @binding(5) var<storage, read> groups: array<u32>;
@group(0) @binding(6) var<storage, read_write> counters: array<atomic<u32>>;
@group(0) @binding(7) var<storage, read_write> large: array<LargeItem>;

// The box of a cluster in box coordinates.
fn seen_extent(frame: PairFrame, rows: array<vec4<f32>, 3>, cluster: Cluster) -> Extent {
    let extent = extent_of(frame, rows, cluster);
    return Extent(in_box(extent.lo, frame.lo, frame.scale), in_box(extent.hi, frame.lo, frame.scale));
}

// Whether two clusters have something in one column through the pair's box, and neither is above it.
fn is_met(own: Extent, other: Extent, direction: u32) -> bool {
    let lo = by_direction(max(own.lo, other.lo), direction);
    let hi = by_direction(min(own.hi, other.hi), direction);
    return max(lo.x, 0.0) <= min(hi.x, 1.0) && max(lo.y, 0.0) <= min(hi.y, 1.0) && lo.z <= 1.0;
}

// A workgroup per item of a body A, a thread for every 64th cluster of B.
@compute @workgroup_size(WORKGROUP)
fn meet(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let ix = workgroup_ix(group);
    if (ix >= groups[ARGUMENT_ITEMS + ARGUMENT_COUNT] || items[ix].side % 2u == 1u) {
        return;
    }
    let item = items[ix];
    let pair = item.side / 2u;
    let frame = frames[pair];
    let own = seen_extent(frame, frame.frame_from_a, clusters[item.cluster]);
    let first = pairs[pair].first[1];
    for (var cluster = first + lane; cluster < first + pairs[pair].n[1]; cluster += WORKGROUP) {
        let other = seen_extent(frame, frame.frame_from_b, clusters[cluster]);
        for (var direction = 0u; direction < 3u; direction++) {
            if (is_met(own, other, direction)) {
                let slot = atomicAdd(&counters[COUNTER_LARGE], 1u);
                if (slot < params.large_cap) {
                    large[slot] = LargeItem(item.side, item.cluster, direction, cluster);
                }
            }
        }
    }
}
