// Writes the support points of each pair's patch from the farthest places that its points have.

@group(0) @binding(1) var<storage, read_write> spans: array<u32>;
@group(0) @binding(2) var<storage, read_write> blocks: array<ContactBlock>;

fn place_of(whole: u32, largest: u32, axis: vec3<f32>, size: vec3<f32>) -> f32 {
    return fma(f32(whole) / f32(largest), 2.0, -1.0) * reach_along(axis, size);
}

// A workgroup per pair, a thread per slot.
@compute @workgroup_size(WORKGROUP)
fn hull(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let pair = workgroup_ix(group);
    if (pair >= params.n_pairs) {
        return;
    }
    let first = pair * N_SPAN;
    // Then only some of the points are in the words, and which ones depends on the order of threads.
    let is_full = spans[first + SPAN_OVERFLOW] != 0u;
    storageBarrier();
    if (lane < SUPPORT_SLOTS) {
        let normal = blocks[pair].normal;
        let tangent = blocks[pair].tangent;
        let size = blocks[pair].hi - blocks[pair].lo;
        let word = spans[first + SPAN_SUPPORTS + lane];
        let whole = word >> ACROSS_BITS;
        var place = vec2<f32>(0.0);
        if (whole > 0u && !is_full) {
            place = vec2<f32>(
                place_of(whole - 1u, SUPPORT_ALONG, probe_along(lane, normal, tangent), size),
                place_of(word & SUPPORT_ACROSS, SUPPORT_ACROSS, probe_across(lane, normal, tangent), size),
            );
        }
        if (lane < SUPPORTS) {
            let direction = SUPPORT_DIRECTIONS[lane];
            place = vec2<f32>(
                place.x * direction.x - place.y * direction.y,
                place.x * direction.y + place.y * direction.x,
            );
        }
        blocks[pair].supports[lane] = place;
        spans[first + SPAN_SUPPORTS + lane] = 0u;
    } else if (lane == SUPPORT_SLOTS) {
        blocks[pair].slices = vec3<u32>(spans[first + SPAN_SLICES], spans[first + SPAN_SLICES + 1u], spans[first + SPAN_SLICES + 2u]);
        if (is_full) {
            blocks[pair].slices = vec3<u32>(0xffffffffu);
            blocks[pair].overflow = 1.0;
        }
        for (var k = SPAN_BOUNDS; k < N_SPAN; k++) {
            spans[first + k] = 0u;
        }
    }
}
