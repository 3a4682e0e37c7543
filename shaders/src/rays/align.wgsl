// Turns the axes of pairs without a known normal: the third along the normal, the second along the patch.

@group(0) @binding(1) var<storage, read> sums: array<RaySums>;
@group(0) @binding(2) var<storage, read_write> frames: array<PairFrame>;

// The direction in the contact plane in which the overlap is largest.
fn long_axis(found: Moments, size: vec3<f32>, normal: vec3<f32>) -> vec3<f32> {
    let c = found.moment / found.volume;
    let diagonal = (found.diagonal / found.volume - c * c) * size * size;
    let mixed = (found.mixed / found.volume - c * c.yzx) * size * size.yzx;
    let u = tangent_of(normal);
    let w = cross(normal, u);
    let along_u = covariance_along(diagonal, mixed, u);
    let along_w = covariance_along(diagonal, mixed, w);
    let half_difference = 0.5 * (dot(u, along_u) - dot(w, along_w));
    let product = dot(w, along_u);
    let root = sqrt(half_difference * half_difference + product * product);
    var axis = vec2<f32>(half_difference + root, product);
    if (half_difference < 0.0) {
        axis = vec2<f32>(product, root - half_difference);
    }
    let length = sqrt(dot(axis, axis));
    // A round patch keeps to the axes it is in, which are a body's own.
    if (root < ROUND_PATCH * (dot(u, along_u) + dot(w, along_w)) || length == 0.0) {
        return w;
    }
    return (u * axis.x + w * axis.y) / length;
}

fn covariance_along(diagonal: vec3<f32>, mixed: vec3<f32>, x: vec3<f32>) -> vec3<f32> {
    return vec3<f32>(
        diagonal.x * x.x + mixed.x * x.y + mixed.z * x.z,
        mixed.x * x.x + diagonal.y * x.y + mixed.y * x.z,
        mixed.z * x.x + mixed.y * x.y + diagonal.z * x.z,
    );
}

fn turn_rows(axis: vec3<f32>, rows: array<vec4<f32>, 3>) -> vec4<f32> {
    return axis.x * rows[0] + axis.y * rows[1] + axis.z * rows[2];
}

fn turn(axes: array<vec3<f32>, 3>, rows: array<vec4<f32>, 3>) -> array<vec4<f32>, 3> {
    return array<vec4<f32>, 3>(turn_rows(axes[0], rows), turn_rows(axes[1], rows), turn_rows(axes[2], rows));
}

// A thread per pair.
@compute @workgroup_size(WORKGROUP)
fn align(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let pair = workgroup_ix(group) * WORKGROUP + lane;
    if (pair >= params.n_pairs) {
        return;
    }
    var frame = frames[pair];
    if ((frame.state & (STATE_EMPTY | STATE_FIXED)) != 0u) {
        return;
    }
    let size = frame.hi - frame.lo;
    let normal = normal_of(pair, size);
    let found = combined(pair, weights(pair, frame.state, size));
    if (dot(normal, normal) == 0.0 || found.volume <= 0.0) {
        return;
    }
    // Rows run across a long patch: its long edges are then met at a different place by each of them.
    let long = long_axis(found, size, normal);
    let axes = array<vec3<f32>, 3>(cross(long, normal), long, normal);
    let center = 0.5 * (frame.lo + frame.hi);
    let half = 0.5 * size;
    let new_center = vec3<f32>(dot(axes[0], center), dot(axes[1], center), dot(axes[2], center));
    let new_half = vec3<f32>(dot(abs(axes[0]), half), dot(abs(axes[1]), half), dot(abs(axes[2]), half))
        + vec3<f32>(REACH_SLACK * frame.reach);
    frame.frame_from_a = turn(axes, frame.frame_from_a);
    frame.frame_from_b = turn(axes, frame.frame_from_b);
    frame.lo = new_center - new_half;
    frame.hi = new_center + new_half;
    frame.scale = vec3<f32>(1.0) / (frame.hi - frame.lo);
    frame.state |= STATE_ALIGNED | STATE_FIXED;
    frames[pair] = frame;
}
