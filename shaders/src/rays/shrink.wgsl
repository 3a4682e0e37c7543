// Shrinks each pair's box to what both bodies have in it.

@group(0) @binding(1) var<storage, read_write> bounds: array<u32>;
@group(0) @binding(2) var<storage, read_write> frames: array<PairFrame>;

struct Bounds {
    lo: vec3<f32>,
    hi: vec3<f32>,
}

// Reads what a body has in the box and makes the words ready for the next time.
fn take_bounds(side: u32) -> Bounds {
    let base = side * BOUNDS;
    var found = Bounds(vec3<f32>(2.0), vec3<f32>(-1.0));
    if (bounds[base] != 0xffffffffu) {
        found.lo = vec3<f32>(bitcast<f32>(bounds[base]), bitcast<f32>(bounds[base + 1u]), bitcast<f32>(bounds[base + 2u]));
        found.hi =
            vec3<f32>(bitcast<f32>(bounds[base + BOUND_UPPER]), bitcast<f32>(bounds[base + BOUND_UPPER + 1u]), bitcast<f32>(bounds[base + BOUND_UPPER + 2u]));
    }
    for (var corner = 0u; corner < N_CORNERS; corner++) {
        if (bitcast<i32>(bounds[base + BOUND_WINDINGS + corner]) > 0) {
            let x = vec3<f32>(f32(corner & 1u), f32((corner >> 1u) & 1u), f32(corner >> 2u));
            found.lo = min(found.lo, x);
            found.hi = max(found.hi, x);
        }
    }
    for (var word = 0u; word < BOUNDS; word++) {
        bounds[base + word] = select(0u, 0xffffffffu, word < 3u);
    }
    return found;
}

@compute @workgroup_size(WORKGROUP)
fn shrink(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let pair = workgroup_ix(group) * WORKGROUP + lane;
    if (pair >= params.n_pairs) {
        return;
    }
    let a = take_bounds(2u * pair);
    let b = take_bounds(2u * pair + 1u);
    let frame = frames[pair];
    if ((frame.state & STATE_EMPTY) != 0u || (params.coarse != 0u && (frame.state & STATE_FIXED) != 0u)) {
        return;
    }
    let slack = vec3<f32>(BOX_SLACK) + frame.scale * (REACH_SLACK * frame.reach);
    let lo = max(max(a.lo, b.lo) - slack, vec3<f32>(0.0));
    let hi = min(min(a.hi, b.hi) + slack, vec3<f32>(1.0));
    if (any(lo >= hi)) {
        frames[pair].state = frame.state | STATE_EMPTY;
        return;
    }
    let size = frame.hi - frame.lo;
    let new_lo = fma(lo, size, frame.lo);
    let new_hi = fma(hi, size, frame.lo);
    frames[pair].lo = new_lo;
    frames[pair].hi = new_hi;
    frames[pair].scale = vec3<f32>(1.0) / (new_hi - new_lo);
}
