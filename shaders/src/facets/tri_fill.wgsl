// Writes the candidates of each facet of A where the counts before it end.

@group(0) @binding(1) var<storage, read> facets: array<Facet>;
@group(0) @binding(2) var<storage, read> boxes: array<FacetBox>;
@group(0) @binding(3) var<storage, read> pairs: array<FacetPair>;
@group(0) @binding(4) var<storage, read> counts: array<u32>;
@group(0) @binding(5) var<storage, read> starts: array<u32>;
@group(0) @binding(6) var<storage, read_write> candidates: array<Candidate>;

// The pair and the facet of A whose partners the thread writes, the next of their places, and where they end.
var<private> written: Candidate;
var<private> at: u32;
var<private> end_at: u32;

// An optimiser may round here in another way than where facets were counted, and see a pair more or less that lies on the margin and
// touches nothing. The places are as many as were counted; those left over hold no pair.
fn take_partner(b: u32) {
    if (at < end_at) {
        candidates[at] = Candidate(written.pair, written.a, b);
        at++;
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
    at = start;
    end_at = start + n;
    let pair_ix = pair_of(ix);
    let pair = pairs[pair_ix];
    written = Candidate(pair_ix, (ix - pair.first_group) * GROUP + lane, NOWHERE);
    visit_partners(pair, written.a);
    for (; at < end_at; at++) {
        candidates[at] = Candidate(NOWHERE, 0u, 0u);
    }
}
