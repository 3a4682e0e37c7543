// Which candidates of a pair touch, and which of them hang together by their corners on both bodies: see `patches` of tactum-geometry.
// Corners of one vertex have the same bits.

@group(0) @binding(1) var<storage, read> facets: array<Facet>;
@group(0) @binding(2) var<storage, read> pairs: array<FacetPair>;
@group(0) @binding(3) var<storage, read> starts: array<u32>;
@group(0) @binding(4) var<storage, read> candidates: array<Candidate>;
@group(0) @binding(5) var<storage, read> touches: array<FacetTouch>;
@group(0) @binding(6) var<storage, read_write> parts: array<Part>;
@group(0) @binding(7) var<storage, read_write> stop: array<atomic<u32>>;

fn is_one_of(x: vec3<f32>, facet: u32) -> bool {
    return all(x == facets[facet].corner0) || all(x == facets[facet].corner1) || all(x == facets[facet].corner2);
}

fn share_a_corner(one: u32, other: u32) -> bool {
    return one == other || is_one_of(facets[one].corner0, other) || is_one_of(facets[one].corner1, other)
        || is_one_of(facets[one].corner2, other);
}

// Joins a part to those before it, from the pair's start on.
fn join(pair: FacetPair, start: u32, at: u32) {
    let own = candidates[parts[at].candidate];
    for (var k = start; k < at; k++) {
        let other = candidates[parts[k].candidate];
        let on_a = parts[k].on_a;
        let mine_on_a = parts[at].on_a;
        if (on_a != mine_on_a && share_a_corner(pair.first.x + own.a, pair.first.x + other.a)) {
            for (var j = start; j <= at; j++) {
                if (parts[j].on_a == max(on_a, mine_on_a)) {
                    parts[j].on_a = min(on_a, mine_on_a);
                }
            }
        }
        let on_b = parts[k].on_b;
        let mine_on_b = parts[at].on_b;
        if (on_b != mine_on_b && share_a_corner(pair.first.y + own.b, pair.first.y + other.b)) {
            for (var j = start; j <= at; j++) {
                if (parts[j].on_b == max(on_b, mine_on_b)) {
                    parts[j].on_b = min(on_b, mine_on_b);
                }
            }
        }
    }
}

// A thread per pair.
@compute @workgroup_size(WORKGROUP)
fn stretch_group(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let ix = workgroup_ix(group) * WORKGROUP + lane;
    if (ix >= params.n_pairs || starts[params.n_groups] > params.cap) {
        return;
    }
    let pair = pairs[ix];
    let start = starts[pair.first_group];
    let end = starts[pair.first_group + (pair.n.x + GROUP - 1u) / GROUP];
    var at = start;
    for (var k = start; k < end; k++) {
        let state = touches[k].state;
        if ((state & ~STATE_TOUCHES) != 0u) {
            atomicMin(&stop[0], (params.index << CAUSE_BITS) | CAUSE_DOUBT);
        }
        if ((state & STATE_TOUCHES) != 0u) {
            parts[at] = Part(k, at, at, at);
            join(pair, start, at);
            at++;
        }
    }
    if (at < end) {
        parts[at] = Part(NOWHERE, 0u, 0u, 0u);
    }
    for (var k = start; k < at; k++) {
        for (var first = start; first <= k; first++) {
            if (parts[first].on_a == parts[k].on_a && parts[first].on_b == parts[k].on_b) {
                parts[k].first = first;
                break;
            }
        }
    }
}
