// Counts the facets of B that each facet of A may touch.

@group(0) @binding(1) var<storage, read> facets: array<Facet>;
@group(0) @binding(2) var<storage, read> boxes: array<FacetBox>;
@group(0) @binding(3) var<storage, read> pairs: array<FacetPair>;
@group(0) @binding(4) var<storage, read_write> counts: array<u32>;
@group(0) @binding(5) var<storage, read_write> starts: array<u32>;

var<workgroup> found: array<u32, WORKGROUP>;

fn count(pair: FacetPair, facet: Facet) -> u32 {
    let cap = cap_of(pair.frame_from_a, facet);
    let extent = extent_of(cap.corners);
    var n = 0u;
    for (var first = 0u; first < pair.n.y; first += GROUP) {
        let around = boxes[(pair.first.y + first) / GROUP];
        let margin = pair.near + SLANT * (cap.bulge + around.bulge);
        if (!is_box_near(cap, extent, extent_of_box(pair.frame_from_b, around), margin)) {
            continue;
        }
        let end = min(pair.n.y, first + GROUP);
        for (var b = first; b < end; b++) {
            let other = facets[pair.first.y + b];
            if (other.is_cap != 0u && is_near(cap, cap_of(pair.frame_from_b, other), pair.near)) {
                n++;
            }
        }
    }
    return n;
}

// A workgroup per group of A's facets of a pair, a thread for each of them.
@compute @workgroup_size(WORKGROUP)
fn tri_count(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let ix = workgroup_ix(group);
    if (ix >= params.n_groups) {
        return;
    }
    let pair = pairs[pair_of(ix)];
    let a = (ix - pair.first_group) * GROUP + lane;
    var n = 0u;
    if (a < pair.n.x) {
        let facet = facets[pair.first.x + a];
        if (facet.is_cap != 0u) {
            n = count(pair, facet);
        }
    }
    counts[ix * GROUP + lane] = n;
    found[lane] = n;
    workgroupBarrier();
    if (lane == 0u) {
        var total = 0u;
        for (var k = 0u; k < WORKGROUP; k++) {
            total = plus(total, found[k]);
        }
        starts[ix] = total;
    }
}
