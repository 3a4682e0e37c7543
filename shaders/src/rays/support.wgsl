// Finds, for each tile, the points of the overlap's surface that lie farthest in each direction of the contact plane and
// both ways along the normal.

@group(0) @binding(1) var<storage, read> blocks: array<ContactBlock>;
@group(0) @binding(2) var<storage, read> parts: array<RaySums>;
@group(0) @binding(3) var<storage, read_write> counts: array<u32>;
@group(0) @binding(4) var<storage, read> lists: array<u32>;
@group(0) @binding(5) var<storage, read_write> supports: array<vec2<f32>>;

// Axes in which a slot measures: the first is to be maximal, the second decides between equals.
struct Probe {
    along: vec3<f32>,
    across: vec3<f32>,
}

fn probe(slot: u32, normal: vec3<f32>, u: vec3<f32>) -> Probe {
    if (slot == SUPPORTS) {
        return Probe(normal, vec3<f32>(0.0));
    }
    if (slot > SUPPORTS) {
        return Probe(-normal, vec3<f32>(0.0));
    }
    let w = cross(normal, u);
    let direction = SUPPORT_DIRECTIONS[slot];
    return Probe(u * direction.x + w * direction.y, w * direction.x - u * direction.y);
}

fn is_farther(a: vec2<f32>, b: vec2<f32>) -> bool {
    return a.x > b.x || (a.x == b.x && a.y > b.y);
}

fn farthest_of_tile(part: u32, slot: u32) -> vec2<f32> {
    let pair = part / params.n_tiles;
    let size = blocks[pair].hi - blocks[pair].lo;
    let centroid = blocks[pair].moment / blocks[pair].volume * size;
    let axes = probe(slot, blocks[pair].normal, blocks[pair].tangent);
    let tile = part % params.n_tiles;
    let direction = direction_of_tile(tile);
    let in_direction = tile - params.first_tile[direction];
    let n = params.rays[direction];
    let corner = vec2<u32>(in_direction % (n / TILE), in_direction / (n / TILE)) * TILE;
    var best = vec2<f32>(NOWHERE, 0.0);
    for (var lane = 0u; lane < TILE * TILE; lane++) {
        let ray = part * (TILE * TILE) + lane;
        let n_ends = counts[ray];
        let j = corner.y + lane / TILE;
        let x = (f32(corner.x + lane % TILE) + row_offset(j, n)) / f32(n) - 0.5;
        let y = (f32(j) + 0.5) / f32(n) - 0.5;
        for (var k = 0u; k < n_ends; k++) {
            let z = bitcast<f32>(lists[ray * LIST_CAP + k] & RAY_DEPTH_MASK) - 0.5;
            let at = by_axis(vec3<f32>(x, y, z), direction) * size - centroid;
            let found = vec2<f32>(dot(at, axes.along), dot(at, axes.across));
            if (is_farther(found, best)) {
                best = found;
            }
        }
    }
    return best;
}

// A workgroup per tile, a thread per slot; then a thread per ray clears the ray's count.
@compute @workgroup_size(WORKGROUP)
fn support(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let part = workgroup_ix(group);
    if (part >= params.n_pairs * params.n_tiles || parts[part].columns == 0u) {
        return;
    }
    let normal = blocks[part / params.n_tiles].normal;
    if (lane < SUPPORT_SLOTS && dot(normal, normal) > 0.0) {
        supports[part * SUPPORT_SLOTS + lane] = farthest_of_tile(part, lane);
    }
    storageBarrier();
    counts[part * (TILE * TILE) + lane] = 0u;
}
