// Adds up what the facets of a pair do to each other: each thread every 64th candidate, then the threads one after the other.

@group(0) @binding(1) var<storage, read> pairs: array<FacetPair>;
@group(0) @binding(2) var<storage, read> starts: array<u32>;
@group(0) @binding(3) var<storage, read> candidates: array<Candidate>;
@group(0) @binding(4) var<storage, read> touches: array<FacetTouch>;
@group(0) @binding(5) var<storage, read_write> blocks: array<FacetBlock>;

struct Share {
    force: vec3<f32>,
    area: f32,
    moment: vec3<f32>,
    deepest: f32,
    n_facets: u32,
    n_refused: u32,
    n_doubts: array<u32, N_DOUBTS>,
    // The first candidate that has the doubt.
    firsts: array<u32, N_DOUBTS>,
}

var<workgroup> shares: array<Share, WORKGROUP>;

fn add_touch(share: ptr<function, Share>, ix: u32, touch: FacetTouch) {
    if ((touch.state & STATE_REFUSED) != 0u) {
        (*share).n_refused += 1u;
    }
    if ((touch.state & STATE_TOUCHES) == 0u) {
        return;
    }
    (*share).force += touch.push;
    // Their cross product, one product after the other: in this order optimisers would put a sum with a difference.
    let moment = (*share).moment + touch.moment;
    (*share).moment = (moment + touch.center.yzx * touch.push.zxy) - touch.center.zxy * touch.push.yzx;
    (*share).area += touch.area;
    (*share).deepest = max((*share).deepest, touch.overlap);
    (*share).n_facets += 1u;
    for (var k = 0u; k < N_DOUBTS; k++) {
        if ((touch.state & (STATE_DOUBT << k)) != 0u) {
            (*share).n_doubts[k] += 1u;
            (*share).firsts[k] = min((*share).firsts[k], ix);
        }
    }
}

fn add_share(total: ptr<function, Share>, share: Share) {
    (*total).force += share.force;
    (*total).area += share.area;
    (*total).moment += share.moment;
    (*total).deepest = max((*total).deepest, share.deepest);
    (*total).n_facets += share.n_facets;
    (*total).n_refused += share.n_refused;
    var other = share;
    for (var k = 0u; k < N_DOUBTS; k++) {
        (*total).n_doubts[k] += other.n_doubts[k];
        (*total).firsts[k] = min((*total).firsts[k], other.firsts[k]);
    }
}

fn nothing() -> Share {
    var share: Share;
    for (var k = 0u; k < N_DOUBTS; k++) {
        share.firsts[k] = NOWHERE;
    }
    return share;
}

// A workgroup per pair.
@compute @workgroup_size(WORKGROUP)
fn tri_sum(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let ix = workgroup_ix(group);
    if (ix >= params.n_pairs) {
        return;
    }
    let pair = pairs[ix];
    let start = starts[pair.first_group];
    let end = starts[pair.first_group + (pair.n.x + GROUP - 1u) / GROUP];
    let n_wanted = starts[params.n_groups];
    var share = nothing();
    if (n_wanted <= params.cap) {
        for (var k = start + lane; k < end; k += WORKGROUP) {
            add_touch(&share, k, touches[k]);
        }
    }
    shares[lane] = share;
    workgroupBarrier();
    if (lane == 0u) {
        var total = shares[0];
        for (var k = 1u; k < WORKGROUP; k++) {
            add_share(&total, shares[k]);
        }
        var block: FacetBlock;
        block.force = total.force;
        block.area = total.area;
        block.moment = total.moment;
        block.deepest = total.deepest;
        block.n_facets = total.n_facets;
        block.n_refused = total.n_refused;
        block.n_wanted = n_wanted;
        block.n_candidates = end - start;
        for (var k = 0u; k < N_DOUBTS; k++) {
            var doubt = FacetDoubt(total.n_doubts[k], NOWHERE, NOWHERE);
            if (doubt.n > 0u) {
                let candidate = candidates[total.firsts[k]];
                doubt.a = candidate.a;
                doubt.b = candidate.b;
            }
            block.doubts[k] = doubt;
        }
        blocks[ix] = block;
    }
}
