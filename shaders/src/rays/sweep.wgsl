// Walks along each ray of a tile, finds the intervals inside both bodies and adds up their moments.

@group(0) @binding(1) var<storage, read_write> counts: array<u32>;
@group(0) @binding(2) var<storage, read_write> lists: array<u32>;
@group(0) @binding(3) var<storage, read_write> parts: array<RaySums>;

var<workgroup> n_busy: atomic<u32>;
var<workgroup> is_busy: u32;

// The crossings in order of depth; exits come before entries at the same depth.
fn sorted_list(ray: u32, n: u32) -> array<u32, LIST_CAP> {
    var words: array<u32, LIST_CAP>;
    for (var k = 0u; k < n; k++) {
        let word = lists[ray * LIST_CAP + k];
        var at = k;
        for (; at > 0u; at--) {
            if (words[at - 1u] <= word) {
                break;
            }
            words[at] = words[at - 1u];
        }
        words[at] = word;
    }
    return words;
}

// An end of an interval adds its part of the integrals along the ray.
fn add_end(total: ptr<function, RaySums>, z: f32, s: f32) {
    (*total).sums[LENGTH] = fma(s, z, (*total).sums[LENGTH]);
    (*total).sums[SQUARE] = fma(s * z, 0.5 * z, (*total).sums[SQUARE]);
    (*total).sums[CUBE] = fma(s * z * z, z * (1.0 / 3.0), (*total).sums[CUBE]);
}

fn add_surface(total: ptr<function, RaySums>, z: f32, s: f32, body: u32) {
    if (body == 0u) {
        (*total).sums[AREA] += s;
        (*total).sums[AREA_Z] = fma(s, z, (*total).sums[AREA_Z]);
        (*total).sums[ENDS_A] += 1.0;
    } else {
        (*total).sums[ENDS_B] += 1.0;
    }
}

// The sums of one ray without its place; the ends of its intervals replace its crossings.
fn walk(ray: u32, count: u32) -> RaySums {
    var total: RaySums;
    let n = count & RAY_COUNT_MASK;
    if (n > LIST_CAP) {
        total.sums[OVERFLOW] = 1.0;
        counts[ray] = 0u;
        return total;
    }
    var winding_a = bitcast<i32>(count << RAY_WINDING_BITS) >> (RAY_COUNT_BITS + RAY_WINDING_BITS);
    var winding_b = bitcast<i32>(count - (bitcast<u32>(winding_a) << RAY_COUNT_BITS)) >> (RAY_COUNT_BITS + RAY_WINDING_BITS);
    let words = sorted_list(ray, n);
    var inside = winding_a > 0 && winding_b > 0;
    var is_negative = winding_a < 0 || winding_b < 0;
    // An interval that is open where the box begins has no surface there.
    var opener = 2u;
    var opened = -0.5;
    if (inside) {
        add_end(&total, -0.5, -1.0);
    }
    var n_ends = 0u;
    for (var k = 0u; k < n; k++) {
        let word = words[k];
        let body = word & 1u;
        let step = select(-1, 1, (word & 2u) != 0u);
        if (body == 0u) {
            winding_a += step;
        } else {
            winding_b += step;
        }
        let now = winding_a > 0 && winding_b > 0;
        if (now != inside) {
            let z = bitcast<f32>(word & RAY_DEPTH_MASK) - 0.5;
            let s = select(1.0, -1.0, now);
            add_end(&total, z, s);
            add_surface(&total, z, s, body);
            if (now) {
                opener = body;
                opened = z;
            } else {
                total.longest = max(total.longest, z - opened);
                if (opener + body == 1u) {
                    total.sums[MIXED] += 1.0;
                }
            }
            lists[ray * LIST_CAP + n_ends] = word;
            n_ends++;
            inside = now;
        }
    }
    if (inside) {
        add_end(&total, 0.5, 1.0);
        total.longest = max(total.longest, 0.5 - opened);
    }
    // In between, crossings at one depth may come in the wrong order: thin edges do not count.
    is_negative = is_negative || winding_a < 0 || winding_b < 0;
    total.sums[NEGATIVE] = select(0.0, 1.0, is_negative);
    total.sums[OPEN] = select(0.0, 1.0, winding_a != 0 || winding_b != 0);
    // Later stages pass over tiles whose intervals have no length, so those must leave no ends.
    counts[ray] = select(0u, n_ends, params.coarse == 0u && total.longest > 0.0);
    return total;
}

// Multiplies the sums along a ray by its place.
fn spread(total: ptr<function, RaySums>, x: f32, y: f32) {
    let length = (*total).sums[LENGTH];
    (*total).sums[LENGTH_X] = length * x;
    (*total).sums[LENGTH_Y] = length * y;
    (*total).sums[LENGTH_XX] = length * x * x;
    (*total).sums[LENGTH_YY] = length * y * y;
    (*total).sums[LENGTH_XY] = length * x * y;
    (*total).sums[SQUARE_X] = (*total).sums[SQUARE] * x;
    (*total).sums[SQUARE_Y] = (*total).sums[SQUARE] * y;
    (*total).sums[AREA_X] = (*total).sums[AREA] * x;
    (*total).sums[AREA_Y] = (*total).sums[AREA] * y;
}

// A workgroup per tile, a thread per ray.
@compute @workgroup_size(WORKGROUP)
fn sweep(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let part = workgroup_ix(group);
    if (part >= params.n_pairs * params.n_tiles) {
        return;
    }
    let ray = part * (TILE * TILE) + lane;
    let count = counts[ray];
    if (count != 0u) {
        atomicAdd(&n_busy, 1u);
    }
    workgroupBarrier();
    if (lane == 0u) {
        is_busy = atomicLoad(&n_busy);
    }
    if (workgroupUniformLoad(&is_busy) == 0u) {
        if (lane == 0u) {
            parts[part] = RaySums();
        }
        return;
    }
    var total: RaySums;
    if (count != 0u) {
        total = walk(ray, count);
        let tile = part % params.n_tiles;
        let direction = direction_of_tile(tile);
        let in_direction = tile - params.first_tile[direction];
        let n = params.rays[direction];
        let i = (in_direction % (n / TILE)) * TILE + lane % TILE;
        let j = (in_direction / (n / TILE)) * TILE + lane / TILE;
        // The number of rays is a power of two, so places are exact.
        spread(&total, (f32(i) + row_offset(j, n)) / f32(n) - 0.5, (f32(j) + 0.5) / f32(n) - 0.5);
        if (i % 2u == 0u && j % 2u == 0u) {
            total.sums[QUARTER_LENGTH] = total.sums[LENGTH];
            total.sums[QUARTER_AREA] = total.sums[AREA];
        }
        if (total.longest > 0.0) {
            total.columns = 1u << (lane % TILE);
            total.rows = 1u << (lane / TILE);
        }
    }
    let all = add_up(lane, total);
    if (lane == 0u) {
        parts[part] = all;
    }
}
