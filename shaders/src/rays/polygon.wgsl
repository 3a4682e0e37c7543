// Joins the tiles' farthest points into the pair's support points.

@group(0) @binding(1) var<storage, read> parts: array<RaySums>;
@group(0) @binding(2) var<storage, read> supports: array<vec2<f32>>;
@group(0) @binding(3) var<storage, read_write> blocks: array<ContactBlock>;

fn is_farther(a: vec2<f32>, b: vec2<f32>) -> bool {
    return a.x > b.x || (a.x == b.x && a.y > b.y);
}

// A workgroup per pair, a thread per slot.
@compute @workgroup_size(WORKGROUP)
fn polygon(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let pair = workgroup_ix(group);
    if (pair >= params.n_pairs || lane >= SUPPORT_SLOTS) {
        return;
    }
    let normal = blocks[pair].normal;
    var best = vec2<f32>(NOWHERE, 0.0);
    if (dot(normal, normal) > 0.0) {
        for (var tile = 0u; tile < params.n_tiles; tile++) {
            let part = pair * params.n_tiles + tile;
            if (parts[part].columns != 0u) {
                let found = supports[part * SUPPORT_SLOTS + lane];
                if (is_farther(found, best)) {
                    best = found;
                }
            }
        }
    }
    if (best.x < SOMEWHERE) {
        best = vec2<f32>(0.0);
    }
    if (lane < SUPPORTS) {
        let direction = SUPPORT_DIRECTIONS[lane];
        best = vec2<f32>(
            best.x * direction.x - best.y * direction.y,
            best.x * direction.y + best.y * direction.x,
        );
    }
    blocks[pair].supports[lane] = best;
}
