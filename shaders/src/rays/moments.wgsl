// Puts the sums of three directions together, in box coordinates from the box's centre.

struct Moments {
    volume: f32,
    quarter_volume: f32,
    moment: vec3<f32>,
    diagonal: vec3<f32>,
    mixed: vec3<f32>,
}

fn is_aligned(state: u32) -> bool {
    return (state & STATE_ALIGNED) != 0u;
}

// Whether the sums are those of triangles. Their areas are known where rounding hides the volume.
fn is_exact() -> bool {
    return params.rays.z == 1u;
}

// One over the number of rays: the part of the box's face that a ray stands for.
fn ray_area(direction: u32) -> f32 {
    let n = f32(params.rays[direction]);
    return 1.0 / (n * n);
}

fn moments_of(pair: u32, d: u32) -> Moments {
    let total = sums[3u * pair + d];
    let area = ray_area(d);
    // A ray stands for a square.
    let square = total.sums[LENGTH] * area / 12.0;
    var found: Moments;
    found.volume = total.sums[LENGTH] * area;
    found.quarter_volume = total.sums[QUARTER_LENGTH] * area * 4.0;
    found.moment =
        by_axis(vec3<f32>(total.sums[LENGTH_X], total.sums[LENGTH_Y], total.sums[SQUARE]), d) * area;
    found.diagonal =
        by_axis(vec3<f32>(total.sums[LENGTH_XX] + square, total.sums[LENGTH_YY] + square, total.sums[CUBE]), d) * area;
    // Products xy, yz, zx are named by their first axis: that of x and y is the one two after the direction's.
    found.mixed = by_axis(vec3<f32>(total.sums[LENGTH_XY], total.sums[SQUARE_Y], total.sums[SQUARE_X]), d) * area;
    return found;
}

// How much each direction counts. In an aligned frame the depths along the normal say all; else directions count
// by the squared area of what they see of both bodies.
fn weights(pair: u32, state: u32, size: vec3<f32>) -> vec3<f32> {
    if (is_aligned(state)) {
        return vec3<f32>(0.0, 0.0, 1.0);
    }
    let seen = vec3<f32>(
        sums[3u * pair].sums[MIXED] * ray_area(0u),
        sums[3u * pair + 1u].sums[MIXED] * ray_area(1u),
        sums[3u * pair + 2u].sums[MIXED] * ray_area(2u),
    ) * faces(size);
    let squares = seen * seen;
    let total = squares.x + squares.y + squares.z;
    if (total > 0.0) {
        return squares / total;
    }
    return vec3<f32>(1.0 / 3.0);
}

// Areas of the box's faces across each axis, up to a common factor.
fn faces(size: vec3<f32>) -> vec3<f32> {
    return vec3<f32>(min(size.x, min(size.y, size.z))) / size;
}

fn combined(pair: u32, weight: vec3<f32>) -> Moments {
    var total: Moments;
    for (var d = 0u; d < 3u; d++) {
        let part = moments_of(pair, d);
        total.volume += weight[d] * part.volume;
        total.quarter_volume += weight[d] * part.quarter_volume;
        total.moment += weight[d] * part.moment;
        total.diagonal += weight[d] * part.diagonal;
        total.mixed += weight[d] * part.mixed;
    }
    return total;
}

// One of the sums of each direction, as a part of the box's faces.
fn face_parts(pair: u32, sum: u32) -> vec3<f32> {
    return vec3<f32>(
        sums[3u * pair].sums[sum] * ray_area(0u),
        sums[3u * pair + 1u].sums[sum] * ray_area(1u),
        sums[3u * pair + 2u].sums[sum] * ray_area(2u),
    );
}

// What the three directions say of a plain area, in units of the box's largest face.
fn plain_area(pair: u32, sum: u32, size: vec3<f32>) -> f32 {
    return dot(face_parts(pair, sum), faces(size));
}

// The contact normal, or zero where the area vector nearly cancels on both bodies.
fn normal_of(pair: u32, size: vec3<f32>) -> vec3<f32> {
    let area = face_parts(pair, AREA) * faces(size);
    let cover_a = face_parts(pair, ENDS_A) * faces(size);
    let cover_b = face_parts(pair, ENDS_B) * faces(size);
    let cover = min(dot(cover_a, cover_a), dot(cover_b, cover_b));
    let length = sqrt(dot(area, area));
    if (length > COHERENT * sqrt(cover) && length > 0.0) {
        return area / length;
    }
    return vec3<f32>(0.0);
}

// A unit vector across the normal, near the frame's first axis.
fn tangent_of(normal: vec3<f32>) -> vec3<f32> {
    // Written out by component: compilers may turn 0 - x into -x, which differs in the sign of zero.
    var across = vec3<f32>(1.0 - normal.x * normal.x, -(normal.y * normal.x), -(normal.z * normal.x));
    if (abs(normal.x) > 0.8) {
        across = vec3<f32>(-(normal.x * normal.y), 1.0 - normal.y * normal.y, -(normal.z * normal.y));
    }
    return across / sqrt(dot(across, across));
}
