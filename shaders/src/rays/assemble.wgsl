// Writes what the rays of each pair found.

@group(0) @binding(1) var<storage, read> sums: array<RaySums>;
@group(0) @binding(2) var<storage, read> frames: array<PairFrame>;
@group(0) @binding(3) var<storage, read_write> blocks: array<ContactBlock>;

// Component d of all arms comes from the rays along d.
fn arms_of(pair: u32, d: u32) -> vec3<f32> {
    let total = sums[3u * pair + d];
    return by_axis(vec3<f32>(total.sums[AREA_X], total.sums[AREA_Y], total.sums[AREA_Z]), d) * ray_area(d);
}

fn count(pair: u32, sum: u32) -> f32 {
    return sums[3u * pair].sums[sum] + sums[3u * pair + 1u].sums[sum] + sums[3u * pair + 2u].sums[sum];
}

// A thread per pair.
@compute @workgroup_size(WORKGROUP)
fn assemble(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let pair = workgroup_ix(group) * WORKGROUP + lane;
    if (pair >= params.n_pairs) {
        return;
    }
    let frame = frames[pair];
    let size = frame.hi - frame.lo;
    let found = combined(pair, weights(pair, frame.state, size));
    var block: ContactBlock;
    block.frame_from_a = frame.frame_from_a;
    block.lo = frame.lo;
    block.state = frame.state;
    block.hi = frame.hi;
    block.volume = found.volume;
    block.moment = found.moment;
    block.second_diagonal = found.diagonal;
    block.second_mixed = found.mixed;
    block.overflow = count(pair, OVERFLOW);
    block.area = face_parts(pair, AREA);
    block.quarter_volume = found.quarter_volume;
    var floors = vec3<f32>();
    if (is_exact()) {
        block.quarter_area = block.area;
        floors = vec3<f32>(sums[3u * pair].longest, sums[3u * pair + 1u].longest, sums[3u * pair + 2u].longest);
        block.area_b = face_parts(pair, AREA_B);
        block.plain_a = plain_area(pair, PLAIN_A, size);
        block.plain_b = plain_area(pair, PLAIN_B, size);
    } else {
        block.longest = sums[3u * pair + 2u].longest;
        block.negative = count(pair, NEGATIVE);
        block.open = count(pair, OPEN);
        block.quarter_area = face_parts(pair, QUARTER_AREA) * 4.0;
    }
    let x = arms_of(pair, 0u);
    let y = arms_of(pair, 1u);
    let z = arms_of(pair, 2u);
    block.arms[0] = vec4<f32>(x.x, y.x, z.x, floors.x);
    block.arms[1] = vec4<f32>(x.y, y.y, z.y, floors.y);
    block.arms[2] = vec4<f32>(x.z, y.z, z.z, floors.z);
    block.cover_a = face_parts(pair, ENDS_A);
    block.cover_b = face_parts(pair, ENDS_B);
    if (found.volume > 0.0 || is_exact()) {
        block.normal = normal_of(pair, size);
        if (dot(block.normal, block.normal) > 0.0) {
            block.tangent = tangent_of(block.normal);
        }
    }
    // Rays along d see slices across the two axes after it.
    block.slices = vec3<u32>(
        sums[3u * pair + 2u].columns | sums[3u * pair + 1u].rows,
        sums[3u * pair].columns | sums[3u * pair + 2u].rows,
        sums[3u * pair + 1u].columns | sums[3u * pair].rows,
    );
    blocks[pair] = block;
}
