// Hands the box around the points that span an overlap to the stage that shrinks the pair's box.

@group(0) @binding(1) var<storage, read> frames: array<PairFrame>;
@group(0) @binding(2) var<storage, read_write> spans: array<u32>;
@group(0) @binding(3) var<storage, read_write> bounds: array<u32>;

// A thread per pair.
@compute @workgroup_size(WORKGROUP)
fn bound(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let pair = workgroup_ix(group) * WORKGROUP + lane;
    if (pair >= params.n_pairs) {
        return;
    }
    let first = pair * N_SPAN;
    let is_whole = spans[first + SPAN_OVERFLOW] != 0u || (frames[pair].state & STATE_CELL) != 0u;
    for (var k = 0u; k < 3u; k++) {
        var lower = ~spans[first + SPAN_BOUNDS + k];
        var upper = spans[first + SPAN_BOUNDS + 3u + k];
        if (is_whole) {
            lower = 0u;
            upper = bitcast<u32>(1.0);
        }
        for (var side = 2u * pair; side < 2u * pair + 2u; side++) {
            bounds[side * BOUNDS + k] = lower;
            bounds[side * BOUNDS + BOUND_UPPER + k] = upper;
        }
        spans[first + SPAN_BOUNDS + k] = 0u;
        spans[first + SPAN_BOUNDS + 3u + k] = 0u;
    }
}
