// Putting a crossing into its ray's list.

// First ray at or after a place; ray i stands at i + offset.
fn ray_from(x: f32, offset: f32, n: f32) -> u32 {
    return u32(clamp(ceil(x - offset), 0.0, n));
}

fn ray_ix(pair: u32, direction: u32, i: u32, j: u32) -> u32 {
    let tile = params.first_tile[direction] + (j / TILE) * (params.rays[direction] / TILE) + i / TILE;
    return (pair * params.n_tiles + tile) * (TILE * TILE) + (j % TILE) * TILE + i % TILE;
}

// Below the box a crossing only changes the winding the ray begins with; above it, nothing.
fn add_hit(ray: u32, depth: f32, leaves: bool, body: u32) {
    if (depth < 0.0) {
        let one = 1u << (RAY_COUNT_BITS + RAY_WINDING_BITS * body);
        if (leaves) {
            atomicSub(&counts[ray], one);
        } else {
            atomicAdd(&counts[ray], one);
        }
    } else if (depth < 1.0) {
        let slot = atomicAdd(&counts[ray], 1u) & RAY_COUNT_MASK;
        if (slot < LIST_CAP) {
            var word = (bitcast<u32>(depth) & RAY_DEPTH_MASK) | body;
            if (!leaves) {
                word = word | 2u;
            }
            lists[ray * LIST_CAP + slot] = word;
        }
    }
}
