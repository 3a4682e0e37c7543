// Finds the points that span what two bodies share: where sides of triangles of one go through triangles of the other, and corners
// inside the other body. What rounding does not tell apart counts as crossing.

@group(0) @binding(1) var<storage, read> triangles: array<ClusterTriangles>;
@group(0) @binding(2) var<storage, read> clusters: array<Cluster>;
@group(0) @binding(3) var<storage, read> pairs: array<PairMeshes>;
@group(0) @binding(4) var<storage, read> frames: array<PairFrame>;
@group(0) @binding(5) var<storage, read> items: array<Item>;
@group(0) @binding(6) var<storage, read> groups: array<u32>;
@group(0) @binding(7) var<storage, read> blocks: array<ContactBlock>;
@group(0) @binding(8) var<storage, read_write> spans: array<atomic<u32>>;

// Clusters of the other body in the columns of this one, and the triangles of one of them.
var<workgroup> near: array<u32, MAX_NEAR>;
var<workgroup> n_near: atomic<u32>;
var<workgroup> n_listed: u32;
var<workgroup> corners: array<vec3<f32>, N_CLUSTER_CORNERS>;

const N_CLUSTER_CORNERS = 3u * CLUSTER;

struct Triangle {
    a: vec3<f32>,
    b: vec3<f32>,
    c: vec3<f32>,
}

// Where points go.
struct Sink {
    first: u32,
    is_final: bool,
    is_support: bool,
    size: vec3<f32>,
    centroid: vec3<f32>,
    normal: vec3<f32>,
    tangent: vec3<f32>,
}

fn scalar(a: vec3<f32>, b: vec3<f32>) -> f32 {
    return fma(a.x, b.x, fma(a.y, b.y, a.z * b.z));
}

fn vector(a: vec3<f32>, b: vec3<f32>) -> vec3<f32> {
    return vec3<f32>(fma(a.y, b.z, -(a.z * b.y)), fma(a.z, b.x, -(a.x * b.z)), fma(a.x, b.y, -(a.y * b.x)));
}

// The magnitudes that go into a cross product of two vectors of these magnitudes.
fn magnitudes(a: vec3<f32>, b: vec3<f32>) -> vec3<f32> {
    return vec3<f32>(fma(a.y, b.z, a.z * b.y), fma(a.z, b.x, a.x * b.z), fma(a.x, b.y, a.y * b.x));
}

// What is normal to two vectors, with what its products with others are off by.
struct Plane {
    origin: vec3<f32>,
    normal: vec3<f32>,
    sizes: vec3<f32>,
    errors: vec3<f32>,
}

fn plane_through(origin: vec3<f32>, u: vec3<f32>, v: vec3<f32>, tolerance: vec3<f32>) -> Plane {
    return Plane(origin, vector(u, v), magnitudes(abs(u), abs(v)), magnitudes(abs(u) + abs(v), tolerance));
}

// The product of a plane's normal with the way from its origin to a point, and a bound of its error.
fn height_above(plane: Plane, x: vec3<f32>, tolerance: vec3<f32>) -> vec2<f32> {
    let d = x - plane.origin;
    let off = vec3<f32>(PRODUCT_ERROR) * (abs(d) + abs(x)) + tolerance;
    return vec2<f32>(scalar(plane.normal, d), scalar(plane.sizes, off) + scalar(plane.errors, abs(d)));
}

fn is_above(height: vec2<f32>) -> bool {
    return height.x > height.y;
}

fn is_below(height: vec2<f32>) -> bool {
    return height.x < -height.y;
}

fn is_in_box(x: vec3<f32>) -> bool {
    return all(x >= vec3<f32>(0.0)) && all(x <= vec3<f32>(1.0));
}

// Unused places of a cluster repeat one point.
fn is_point(t: Triangle) -> bool {
    return all(t.a == t.b) && all(t.b == t.c);
}

// The box around a triangle, grown by what rounding may move its corners.
fn bounds_of(t: Triangle, tolerance: vec3<f32>) -> Extent {
    let lo = min(t.a, min(t.b, t.c));
    let hi = max(t.a, max(t.b, t.c));
    let margin = tolerance + PLACE_BETWEEN * max(abs(lo), abs(hi));
    return Extent(lo - margin, hi + margin);
}

// How often a triangle makes a ray to a point from below enter its body.
fn winding_of(t: Triangle, x: vec3<f32>) -> i32 {
    let span = cross_row(t.a, t.b, t.c, x.y);
    if (span.is_crossed && min(span.up.x, span.down.x) <= x.x && x.x < max(span.up.x, span.down.x)) {
        if (depth_at(span, x.x) < x.z) {
            return select(1, -1, is_exit(span));
        }
    }
    return 0;
}

fn add_support(sink: Sink, x: vec3<f32>) {
    let at = (x - vec3<f32>(0.5)) * sink.size - sink.centroid;
    for (var slot = 0u; slot < SUPPORT_SLOTS; slot++) {
        let along = probe_along(slot, sink.normal, sink.tangent);
        let across = probe_across(slot, sink.normal, sink.tangent);
        let word = ((whole_place(at, along, sink.size, SUPPORT_ALONG) + 1u) << ACROSS_BITS)
            | whole_place(at, across, sink.size, SUPPORT_ACROSS);
        atomicMax(&spans[sink.first + SPAN_SUPPORTS + slot], word);
    }
}

// A place along an axis as a part of what the box reaches along it.
fn whole_place(at: vec3<f32>, axis: vec3<f32>, size: vec3<f32>, largest: u32) -> u32 {
    let reach = reach_along(axis, size);
    var part = 0.0;
    if (reach > 0.0) {
        part = dot(at, axis) / reach;
    }
    return u32(fma(clamp(part, -1.0, 1.0), 0.5, 0.5) * f32(largest));
}

fn add_bound(sink: Sink, x: vec3<f32>) {
    for (var k = 0u; k < 3u; k++) {
        let word = bitcast<u32>(clamp(x[k], 0.0, 1.0));
        atomicMax(&spans[sink.first + SPAN_BOUNDS + k], ~word);
        atomicMax(&spans[sink.first + SPAN_BOUNDS + 3u + k], word);
    }
}

fn add_point(sink: Sink, x: vec3<f32>) {
    if (sink.is_support) {
        add_support(sink, x);
    } else if (!sink.is_final) {
        add_bound(sink, x);
    }
}

fn slice_of(x: f32) -> u32 {
    return min(u32(max(x * f32(SLICES), 0.0)), SLICES - 1u);
}

// Marks the slices from one corner of a box to the other.
fn add_slices(sink: Sink, lo: vec3<f32>, hi: vec3<f32>) {
    if (!sink.is_final) {
        return;
    }
    for (var k = 0u; k < 3u; k++) {
        atomicOr(&spans[sink.first + SPAN_SLICES + k], (2u << slice_of(hi[k])) - (1u << slice_of(lo[k])));
    }
}

// Whether a triangle's side is certainly on one side of a line, or on the other: bits 1 and 2.
fn sides_of(begin: vec3<f32>, stop: vec3<f32>, start: vec3<f32>, end: vec3<f32>, tolerance: vec3<f32>) -> u32 {
    let height = height_above(plane_through(begin, stop - begin, end - start, tolerance), start, tolerance);
    return select(0u, 1u, is_above(height)) | select(0u, 2u, is_below(height));
}

// Adds where a side may cross a triangle, and returns the number of crossings.
fn add_crossing(
    sink: Sink, own: Extent, begin: vec3<f32>, stop: vec3<f32>, at_from: vec2<f32>, at_to: vec2<f32>, t: Triangle, bounds: Extent,
    tolerance: vec3<f32>,
) -> u32 {
    if ((is_above(at_from) && is_above(at_to)) || (is_below(at_from) && is_below(at_to))) {
        return 0u;
    }
    let sides = sides_of(begin, stop, t.a, t.b, tolerance) | sides_of(begin, stop, t.b, t.c, tolerance)
        | sides_of(begin, stop, t.c, t.a, tolerance);
    if (sides == 3u) {
        return 0u;
    }
    let fall = at_from.x - at_to.x;
    let error = max(at_from.y, at_to.y);
    var first = 0.0;
    var last = 1.0;
    if (abs(fall) > error) {
        let k = at_from.x / fall;
        let spread = error / abs(fall);
        first = clamp(k - spread, 0.0, 1.0);
        last = clamp(k + spread, 0.0, 1.0);
    }
    if (sink.is_final) {
        first = 0.5 * (first + last);
        last = first;
    }
    let x = place_between(begin, stop, first, bounds);
    let y = place_between(begin, stop, last, bounds);
    let margin = tolerance + vec3<f32>(PLACE_BETWEEN);
    if (any(min(x, y) - margin > vec3<f32>(1.0)) || any(max(x, y) + margin < vec3<f32>(0.0))) {
        return 0u;
    }
    add_point(sink, clamp(x, vec3<f32>(0.0), vec3<f32>(1.0)));
    if (!sink.is_final) {
        add_point(sink, clamp(y, vec3<f32>(0.0), vec3<f32>(1.0)));
    }
    add_slices(sink, max(own.lo, bounds.lo), min(own.hi, bounds.hi));
    return 1u;
}

fn place_between(begin: vec3<f32>, stop: vec3<f32>, k: f32, bounds: Extent) -> vec3<f32> {
    return min(max(fma(vec3<f32>(k), stop - begin, begin), bounds.lo), bounds.hi);
}

fn corner_winding(t: Triangle, lo: vec3<f32>, x: vec3<f32>) -> i32 {
    if (is_in_box(x) && lo.z <= x.z) {
        return winding_of(t, x);
    }
    return 0;
}

// What a cluster has in the box.
fn extent_in_box(frame: PairFrame, item: Item) -> Extent {
    let found = extent_of(frame, rows_of(frame, item.side), clusters[item.cluster]);
    return Extent(max(found.lo, frame.lo), min(found.hi, frame.hi));
}

// Lists the clusters of the other body in the columns of space of what a cluster has in the box, and below.
fn list_near(lane: u32, frame: PairFrame, item: Item, own: Extent) {
    let pair = item.side / 2u;
    let other = 1u - item.side % 2u;
    let other_rows = rows_of(frame, other);
    let first = pairs[pair].first[other];
    for (var ix = first + lane; ix < first + pairs[pair].n[other]; ix += WORKGROUP) {
        let extent = extent_of(frame, other_rows, clusters[ix]);
        let lo = max(extent.lo, own.lo);
        let hi = min(extent.hi, own.hi);
        if (lo.x <= hi.x && lo.y <= hi.y && extent.lo.z <= own.hi.z) {
            let slot = atomicAdd(&n_near, 1u);
            if (slot < MAX_NEAR) {
                near[slot] = ix;
            }
        }
    }
}

// A workgroup per item, a thread per triangle of it.
@compute @workgroup_size(WORKGROUP)
fn rim(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let ix = workgroup_ix(group);
    if (ix >= groups[ARGUMENT_ITEMS + ARGUMENT_COUNT]) {
        return;
    }
    let item = items[ix];
    let pair = item.side / 2u;
    let frame = frames[pair];
    var sink: Sink;
    sink.first = pair * N_SPAN;
    sink.is_final = params.spans != 0u;
    let volume = blocks[pair].volume;
    sink.normal = blocks[pair].normal;
    sink.is_support = sink.is_final && volume > 0.0 && any(sink.normal != vec3<f32>(0.0));
    if (sink.is_support) {
        sink.tangent = blocks[pair].tangent;
        sink.size = blocks[pair].hi - blocks[pair].lo;
        sink.centroid = blocks[pair].moment / volume * sink.size;
    }
    let in_box = extent_in_box(frame, item);
    if (any(in_box.lo > in_box.hi)) {
        return;
    }
    list_near(lane, frame, item, in_box);
    workgroupBarrier();
    if (lane == 0u) {
        n_listed = atomicLoad(&n_near);
    }
    let n_wanted = workgroupUniformLoad(&n_listed);
    let tolerance = place_error(frame);
    let place = fixed_place(frame, item.side);
    let own = Triangle(
        fixed_corner(place, item.cluster, lane, 0u),
        fixed_corner(place, item.cluster, lane, 1u),
        fixed_corner(place, item.cluster, lane, 2u),
    );
    let extent = bounds_of(own, tolerance);
    let is_busy = !is_point(own) && !(any(extent.lo > vec3<f32>(1.0)) || any(extent.hi < vec3<f32>(0.0)));
    let other_place = fixed_place(frame, 1u - item.side % 2u);
    var windings = vec3<i32>(0);
    var n_points = 0u;
    for (var k = 0u; k < min(n_wanted, MAX_NEAR); k++) {
        workgroupBarrier();
        for (var c = 0u; c < 3u; c++) {
            corners[3u * lane + c] = fixed_corner(other_place, near[k], lane, c);
        }
        workgroupBarrier();
        for (var t = 0u; t < CLUSTER && is_busy && n_points <= MAX_POINTS; t++) {
            let other = Triangle(corners[3u * t], corners[3u * t + 1u], corners[3u * t + 2u]);
            let bounds = bounds_of(other, tolerance);
            if (is_point(other) || any(bounds.lo > extent.hi) || bounds.hi.x < extent.lo.x || bounds.hi.y < extent.lo.y) {
                continue;
            }
            windings.x += corner_winding(other, bounds.lo, own.a);
            windings.y += corner_winding(other, bounds.lo, own.b);
            windings.z += corner_winding(other, bounds.lo, own.c);
            if (bounds.hi.z < extent.lo.z) {
                continue;
            }
            let plane = plane_through(other.a, other.b - other.a, other.c - other.a, tolerance);
            let at_a = height_above(plane, own.a, tolerance);
            let at_b = height_above(plane, own.b, tolerance);
            let at_c = height_above(plane, own.c, tolerance);
            n_points += add_crossing(sink, extent, own.a, own.b, at_a, at_b, other, bounds, tolerance);
            n_points += add_crossing(sink, extent, own.b, own.c, at_b, at_c, other, bounds, tolerance);
            n_points += add_crossing(sink, extent, own.c, own.a, at_c, at_a, other, bounds, tolerance);
        }
    }
    if (n_wanted > MAX_NEAR || n_points > MAX_POINTS) {
        atomicMax(&spans[sink.first + SPAN_OVERFLOW], 1u);
    }
    if (any(windings > vec3<i32>(0))) {
        add_slices(sink, extent.lo, extent.hi);
    }
    if (windings.x > 0) {
        add_point(sink, own.a);
    }
    if (windings.y > 0) {
        add_point(sink, own.b);
    }
    if (windings.z > 0) {
        add_point(sink, own.c);
    }
}
