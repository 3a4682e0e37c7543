// Counts the facets of B that each facet of A may touch.

@group(0) @binding(1) var<storage, read> facets: array<Facet>;
@group(0) @binding(2) var<storage, read> boxes: array<FacetBox>;
@group(0) @binding(3) var<storage, read> pairs: array<FacetPair>;
@group(0) @binding(4) var<storage, read_write> counts: array<u32>;
@group(0) @binding(5) var<storage, read_write> starts: array<u32>;

var<workgroup> found: array<u32, WORKGROUP>;

// Partners of the thread's facet.
var<private> n_partners: u32;

fn take_partner(b: u32) {
    n_partners++;
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
    n_partners = 0u;
    if (a < pair.n.x) {
        if (facets[pair.first.x + a].is_cap != 0u) {
            visit_partners(pair, a);
        }
    }
    counts[ix * GROUP + lane] = n_partners;
    found[lane] = n_partners;
    workgroupBarrier();
    if (lane == 0u) {
        var total = 0u;
        for (var k = 0u; k < WORKGROUP; k++) {
            total = plus(total, found[k]);
        }
        starts[ix] = total;
    }
}
