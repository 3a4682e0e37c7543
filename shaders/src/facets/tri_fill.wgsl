// Writes the candidates of each facet of A where the counts before it end.

@group(0) @binding(1) var<storage, read> facets: array<Facet>;
@group(0) @binding(2) var<storage, read> boxes: array<FacetBox>;
@group(0) @binding(3) var<storage, read> pairs: array<FacetPair>;
@group(0) @binding(4) var<storage, read> counts: array<u32>;
@group(0) @binding(5) var<storage, read> starts: array<u32>;
@group(0) @binding(6) var<storage, read_write> candidates: array<Candidate>;

// An optimiser may round here in another way than where facets were counted, and see a pair more or less that lies on the margin and
// touches nothing. The places are as many as were counted; those left over hold no pair.
fn fill(pair_ix: u32, pair: FacetPair, a: u32, start: u32, n: u32) {
    let cap = cap_of(pair.frame_from_a, facets[pair.first.x + a]);
    let extent = extent_of(cap.corners);
    var at = start;
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
                if (at < start + n) {
                    candidates[at] = Candidate(pair_ix, a, b);
                    at++;
                }
            }
        }
    }
    for (; at < start + n; at++) {
        candidates[at] = Candidate(NOWHERE, 0u, 0u);
    }
}

// A workgroup per group of A's facets of a pair, a thread for each of them.
@compute @workgroup_size(WORKGROUP)
fn tri_fill(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let ix = workgroup_ix(group);
    // With too little room there is no list at all: the host makes room and asks again.
    if (ix >= params.n_groups || starts[params.n_groups] > params.cap) {
        return;
    }
    // A facet that touches nothing has nothing to write, and most are like that.
    let n = counts[ix * GROUP + lane];
    if (n == 0u) {
        return;
    }
    var start = starts[ix];
    for (var k = 0u; k < lane; k++) {
        start += counts[ix * GROUP + k];
    }
    let pair_ix = pair_of(ix);
    let pair = pairs[pair_ix];
    fill(pair_ix, pair, (ix - pair.first_group) * GROUP + lane, start, n);
}
