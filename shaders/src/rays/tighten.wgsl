// Bounds what each body has inside its pair's box: triangles clipped to the box, and the box's corners inside.

@group(0) @binding(1) var<storage, read> triangles: array<ClusterTriangles>;
@group(0) @binding(2) var<storage, read> frames: array<PairFrame>;
@group(0) @binding(3) var<storage, read> items: array<Item>;
@group(0) @binding(4) var<storage, read> groups: array<u32>;
@group(0) @binding(5) var<storage, read_write> bounds: array<atomic<u32>>;

var<workgroup> lower: array<atomic<u32>, 3>;
var<workgroup> upper: array<atomic<u32>, 3>;

// Places between 0 and 1 have bits in the order of their values.
fn include(x: vec3<f32>) {
    for (var k = 0u; k < 3u; k++) {
        let word = bitcast<u32>(clamp(x[k], 0.0, 1.0));
        atomicMin(&lower[k], word);
        atomicMax(&upper[k], word);
    }
}

// Clips a polygon to one side of the box: places along the axis not below 0, or not above 1.
fn clip(polygon: ptr<function, array<vec3<f32>, MAX_CORNERS>>, n: u32, axis: u32, bound: f32) -> u32 {
    var kept: array<vec3<f32>, MAX_CORNERS>;
    var m = 0u;
    let sign = 1.0 - 2.0 * bound;
    for (var i = 0u; i < n; i++) {
        let a = (*polygon)[i];
        let b = (*polygon)[(i + 1u) % n];
        let height_a = sign * (a[axis] - bound);
        let height_b = sign * (b[axis] - bound);
        if (height_a >= 0.0 && m < MAX_CORNERS) {
            kept[m] = a;
            m++;
        }
        if ((height_a >= 0.0) != (height_b >= 0.0) && m < MAX_CORNERS) {
            let k = height_a / (height_a - height_b);
            var cut = fma(vec3<f32>(k), b - a, a);
            cut[axis] = bound;
            kept[m] = cut;
            m++;
        }
    }
    *polygon = kept;
    return m;
}

fn include_clipped(a: vec3<f32>, b: vec3<f32>, c: vec3<f32>) {
    let lo = min(a, min(b, c));
    let hi = max(a, max(b, c));
    if (any(lo > vec3<f32>(1.0)) || any(hi < vec3<f32>(0.0))) {
        return;
    }
    if (all(lo >= vec3<f32>(0.0)) && all(hi <= vec3<f32>(1.0))) {
        include(lo);
        include(hi);
        return;
    }
    var polygon: array<vec3<f32>, MAX_CORNERS>;
    polygon[0] = a;
    polygon[1] = b;
    polygon[2] = c;
    var n = 3u;
    for (var axis = 0u; axis < 3u; axis++) {
        n = clip(&polygon, n, axis, 0.0);
        n = clip(&polygon, n, axis, 1.0);
    }
    for (var i = 0u; i < n; i++) {
        include(polygon[i]);
    }
}

// A crossing below a corner changes the corner's winding; corner 4 k + 2 j + i stands at (i, j, k).
fn wind_corners(side: u32, a: vec3<f32>, b: vec3<f32>, c: vec3<f32>) {
    for (var column = 0u; column < 4u; column++) {
        let x = f32(column % 2u);
        let span = cross_row(a, b, c, f32(column / 2u));
        if (span.is_crossed && min(span.up.x, span.down.x) <= x && x < max(span.up.x, span.down.x)) {
            let depth = depth_at(span, x);
            let one = select(1u, 0xffffffffu, is_exit(span));
            if (depth < 0.0) {
                atomicAdd(&bounds[side * BOUNDS + BOUND_WINDINGS + column], one);
            }
            if (depth < 1.0) {
                atomicAdd(&bounds[side * BOUNDS + BOUND_WINDINGS + 4u + column], one);
            }
        }
    }
}

// A workgroup per item, a thread per triangle.
@compute @workgroup_size(WORKGROUP)
fn tighten(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let ix = workgroup_ix(group);
    if (ix >= groups[ARGUMENT_ITEMS + ARGUMENT_COUNT]) {
        return;
    }
    if (lane < 3u) {
        atomicStore(&lower[lane], 0xffffffffu);
        atomicStore(&upper[lane], 0u);
    }
    workgroupBarrier();
    let item = items[ix];
    let frame = frames[item.side / 2u];
    let rows = rows_of(frame, item.side);
    let triangle = item.cluster * CLUSTER + lane;
    let a = corner(rows, frame.lo, frame.scale, triangle, 0u);
    let b = corner(rows, frame.lo, frame.scale, triangle, 1u);
    let c = corner(rows, frame.lo, frame.scale, triangle, 2u);
    include_clipped(a, b, c);
    wind_corners(item.side, a, b, c);
    workgroupBarrier();
    if (lane < 3u) {
        atomicMin(&bounds[item.side * BOUNDS + lane], atomicLoad(&lower[lane]));
        atomicMax(&bounds[item.side * BOUNDS + BOUND_UPPER + lane], atomicLoad(&upper[lane]));
    }
}
