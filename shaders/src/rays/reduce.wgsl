// Adds up the tiles of each direction of each pair.

@group(0) @binding(1) var<storage, read> parts: array<RaySums>;
@group(0) @binding(2) var<storage, read_write> sums: array<RaySums>;

// Eight columns of a tile as slices: so many of them share the direction's rays.
fn slices(bits: u32, tile: u32, n_rays: u32) -> u32 {
    var mask = 0u;
    for (var k = 0u; k < TILE; k++) {
        if ((bits & (1u << k)) != 0u) {
            let place = tile * TILE + k;
            let end = ((place + 1u) * SLICES + n_rays - 1u) / n_rays;
            for (var slice = place * SLICES / n_rays; slice < end; slice++) {
                mask |= 1u << slice;
            }
        }
    }
    return mask;
}

// A workgroup per direction of a pair.
@compute @workgroup_size(WORKGROUP)
fn reduce(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let ix = workgroup_ix(group);
    if (ix >= 3u * params.n_pairs) {
        return;
    }
    let direction = ix % 3u;
    let n_rays = params.rays[direction];
    let tiles = n_rays / TILE;
    let base = (ix / 3u) * params.n_tiles + params.first_tile[direction];
    var total: RaySums;
    for (var tile = lane; tile < tiles * tiles; tile += WORKGROUP) {
        var part = parts[base + tile];
        part.columns = slices(part.columns, tile % tiles, n_rays);
        part.rows = slices(part.rows, tile / tiles, n_rays);
        total = add_sums(total, part);
    }
    let all = add_up(lane, total);
    if (lane == 0u) {
        sums[ix] = all;
    }
}
