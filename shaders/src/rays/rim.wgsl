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

// Clusters of the other body in the columns of this one.
var<workgroup> near: array<u32, MAX_NEAR>;
var<workgroup> n_near: atomic<u32>;
var<workgroup> n_listed: u32;

// How often each side of each own triangle goes through triangles of the other body, and the farthest such place as a part of the side.
var<workgroup> n_events: array<atomic<u32>, N_SIDES>;
var<workgroup> last_event: array<atomic<u32>, N_SIDES>;

const N_SIDES = 3u * CLUSTER;

const KEPT_SETS = 2u;

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

// Where a side crosses a triangle: the two ends of where that may be, or in the end the middle; and that as a part of the side.
struct Crossing {
    first: vec3<f32>,
    last: vec3<f32>,
    at: f32,
    n: u32,
}

fn crossing_of(
    begin: vec3<f32>, stop: vec3<f32>, at_from: vec2<f32>, at_to: vec2<f32>, t: Triangle, bounds: Extent, tolerance: vec3<f32>, is_final: bool,
) -> Crossing {
    var found: Crossing;
    if ((is_above(at_from) && is_above(at_to)) || (is_below(at_from) && is_below(at_to))) {
        return found;
    }
    let sides = sides_of(begin, stop, t.a, t.b, tolerance) | sides_of(begin, stop, t.b, t.c, tolerance)
        | sides_of(begin, stop, t.c, t.a, tolerance);
    if (sides == 3u) {
        return found;
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
    if (is_final) {
        first = 0.5 * (first + last);
        last = first;
    }
    found.first = place_between(begin, stop, first, bounds);
    found.last = place_between(begin, stop, last, bounds);
    found.at = last;
    let margin = tolerance + vec3<f32>(PLACE_BETWEEN);
    let is_above_box = any(min(found.first, found.last) - margin > vec3<f32>(1.0));
    if (!is_above_box && !any(max(found.first, found.last) + margin < vec3<f32>(0.0))) {
        found.n = 1u;
    }
    return found;
}

// The box around some crossings.
struct Range {
    lo: vec3<f32>,
    hi: vec3<f32>,
    n: u32,
}

fn widen(range: ptr<function, Range>, crossing: Crossing) {
    if (crossing.n > 0u) {
        (*range).lo = min((*range).lo, min(crossing.first, crossing.last));
        (*range).hi = max((*range).hi, max(crossing.first, crossing.last));
        (*range).n++;
    }
}

// Adds where a side of an own triangle crosses one of the other body, and returns at how many places.
fn add_crossing(sink: Sink, range: ptr<function, Range>, side: u32, crossing: Crossing) -> u32 {
    widen(range, crossing);
    if (crossing.n > 0u) {
        add_point(sink, clamp(crossing.first, vec3<f32>(0.0), vec3<f32>(1.0)));
        add_point(sink, clamp(crossing.last, vec3<f32>(0.0), vec3<f32>(1.0)));
        atomicAdd(&n_events[side], 1u);
        atomicMax(&last_event[side], bitcast<u32>(crossing.at));
    }
    return crossing.n;
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
    let pair = item.side / 2u;
    let body = item.side % 2u;
    let cluster = clusters[pairs[pair].boxes[body] + item.cluster - pairs[pair].first[body]];
    let found = extent_of(frame.reach, rows_of(frame, item.side), cluster);
    return Extent(max(found.lo, frame.lo), min(found.hi, frame.hi));
}

// What a cluster has in the box, and how the other body lies.
struct Query {
    first: u32,
    own: Extent,
    rows: array<vec4<f32>, 3>,
    reach: f32,
}

fn is_wanted(query: Query, cluster: Cluster) -> bool {
    let extent = extent_of(query.reach, query.rows, cluster);
    let lo = max(extent.lo, query.own.lo);
    let hi = min(extent.hi, query.own.hi);
    return lo.x <= hi.x && lo.y <= hi.y && extent.lo.z <= query.own.hi.z;
}

fn take(query: Query, ix: u32) {
    let slot = atomicAdd(&n_near, 1u);
    if (slot < MAX_NEAR) {
        near[slot] = query.first + ix;
    }
}

// Lists the clusters of the other body in the columns of space of what a cluster has in the box, and below.
fn list_near(lane: u32, frame: PairFrame, item: Item, own: Extent) {
    let pair = item.side / 2u;
    let other = 1u - item.side % 2u;
    let query = Query(pairs[pair].first[other], own, rows_of(frame, other), frame.reach);
    descend(lane, pairs[pair].boxes[other], pairs[pair].n[other], query);
}

fn fixed_triangle(place: FixedPlace, cluster: u32, lane: u32) -> Triangle {
    return Triangle(
        fixed_corner(place, cluster, lane, 0u),
        fixed_corner(place, cluster, lane, 1u),
        fixed_corner(place, cluster, lane, 2u),
    );
}

// Whether a triangle has nothing in the columns of the box, or only above it: no crossing with it is taken for one in the box.
fn is_out(bounds: Extent, tolerance: vec3<f32>) -> bool {
    let margin = tolerance + vec3<f32>(PLACE_BETWEEN);
    let last = bounds.hi + margin;
    return any(bounds.lo - margin > vec3<f32>(1.0)) || last.x < 0.0 || last.y < 0.0;
}

// What a thread has found: windings of its own triangle's corners, points of the pairs that it took, and their number.
struct Found {
    windings: vec3<i32>,
    n_points: u32,
    n_looked: u32,
}

// Which of some of 32 kept triangles of the other body from first on the own one may cross; those below its corners wind around them.
fn marks_of(found: ptr<function, Found>, own: Triangle, extent: Extent, first: u32, some: u32, tolerance: vec3<f32>) -> u32 {
    var mark = 0u;
    for (var left = some; left != 0u; left &= left - 1u) {
        let t = firstTrailingBit(left);
        let other = kept_triangle(1u, first + t);
        let bounds = bounds_of(other, tolerance);
        if (any(bounds.lo > extent.hi) || bounds.hi.x < extent.lo.x || bounds.hi.y < extent.lo.y) {
            continue;
        }
        (*found).windings.x += corner_winding(other, bounds.lo, own.a);
        (*found).windings.y += corner_winding(other, bounds.lo, own.b);
        (*found).windings.z += corner_winding(other, bounds.lo, own.c);
        if (bounds.hi.z >= extent.lo.z) {
            mark |= 1u << t;
        }
    }
    return mark;
}

// Adds where the sides of a triangle cross another, and returns at how many places. What the two have in common is between those and the
// places where the other's sides cross it.
fn look_at(sink: Sink, ix: u32, own: Triangle, other: Triangle, tolerance: vec3<f32>) -> u32 {
    let extent = bounds_of(own, tolerance);
    let bounds = bounds_of(other, tolerance);
    let plane = plane_through(other.a, other.b - other.a, other.c - other.a, tolerance);
    let at_a = height_above(plane, own.a, tolerance);
    let at_b = height_above(plane, own.b, tolerance);
    let at_c = height_above(plane, own.c, tolerance);
    var range = Range(vec3<f32>(FARTHEST_PLACE), vec3<f32>(-FARTHEST_PLACE), 0u);
    let is_final = sink.is_final;
    let n = add_crossing(sink, &range, 3u * ix, crossing_of(own.a, own.b, at_a, at_b, other, bounds, tolerance, is_final))
        + add_crossing(sink, &range, 3u * ix + 1u, crossing_of(own.b, own.c, at_b, at_c, other, bounds, tolerance, is_final))
        + add_crossing(sink, &range, 3u * ix + 2u, crossing_of(own.c, own.a, at_c, at_a, other, bounds, tolerance, is_final));
    if (is_final && n > 0u) {
        let own_plane = plane_through(own.a, own.b - own.a, own.c - own.a, tolerance);
        let a = height_above(own_plane, other.a, tolerance);
        let b = height_above(own_plane, other.b, tolerance);
        let c = height_above(own_plane, other.c, tolerance);
        widen(&range, crossing_of(other.a, other.b, a, b, own, extent, tolerance, true));
        widen(&range, crossing_of(other.b, other.c, b, c, own, extent, tolerance, true));
        widen(&range, crossing_of(other.c, other.a, c, a, own, extent, tolerance, true));
        if (range.n < 2u) {
            range.lo = max(bounds.lo, extent.lo);
            range.hi = min(bounds.hi, extent.hi);
        }
        let margin = tolerance + vec3<f32>(PLACE_BETWEEN);
        add_slices(sink, range.lo - margin, range.hi + margin);
    }
    return n;
}

fn sink_of(pair: u32) -> Sink {
    var sink: Sink;
    sink.first = pair * N_SPAN;
    sink.is_final = params.spans != 0u;
    sink.normal = blocks[pair].normal;
    sink.is_support = sink.is_final && any(sink.normal != vec3<f32>(0.0));
    if (sink.is_support) {
        sink.tangent = blocks[pair].tangent;
        sink.size = blocks[pair].hi - blocks[pair].lo;
        let volume = blocks[pair].volume;
        // Rounding may leave less than nothing of a volume; how far its points are from each other is known all the same.
        if (volume > 0.0) {
            sink.centroid = blocks[pair].moment / volume * sink.size;
        }
    }
    return sink;
}

// Adds the first end of a side if it is inside the other body, and the slices that hold what is inside of the side, by which of its ends
// are: up to the only place where it leaves the body, or all of it.
fn add_side(sink: Sink, side: u32, begin: vec3<f32>, end: vec3<f32>, begins_in: bool, ends_in: bool, tolerance: vec3<f32>) {
    if (begins_in) {
        add_point(sink, begin);
    }
    let n = atomicLoad(&n_events[side]);
    if (n == 0u && !begins_in && !ends_in) {
        return;
    }
    var first = begin;
    var last = end;
    if (n == 1u && begins_in != ends_in) {
        let at = vec3<f32>(bitcast<f32>(atomicLoad(&last_event[side])));
        let x = fma(at, end - begin, begin);
        if (begins_in) {
            last = x;
        } else {
            first = x;
        }
    }
    let margin = tolerance + vec3<f32>(PLACE_BETWEEN);
    add_slices(sink, min(first, last) - margin, max(first, last) + margin);
}

// A workgroup per item: a thread per triangle of it marks what it meets, then the threads share the pairs.
@compute @workgroup_size(WORKGROUP)
fn rim(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let ix = workgroup_ix(group);
    if (ix >= groups[ARGUMENT_ITEMS + ARGUMENT_COUNT]) {
        return;
    }
    let item = items[ix];
    let frame = frames[item.side / 2u];
    let sink = sink_of(item.side / 2u);
    let in_box = extent_in_box(frame, item);
    if (any(in_box.lo > in_box.hi)) {
        return;
    }
    let tolerance = place_error(frame);
    let own = fixed_triangle(fixed_place(frame, item.side), item.cluster, lane);
    let extent = bounds_of(own, tolerance);
    let is_busy = !is_point(own) && !(any(extent.lo > vec3<f32>(1.0)) || any(extent.hi < vec3<f32>(0.0)));
    if (!is_any(those_that(lane, is_busy))) {
        return;
    }
    list_near(lane, frame, item, in_box);
    workgroupBarrier();
    if (lane == 0u) {
        n_listed = atomicLoad(&n_near);
    }
    let n_wanted = workgroupUniformLoad(&n_listed);
    let other_place = fixed_place(frame, 1u - item.side % 2u);
    keep_triangle(0u, lane, own);
    var found: Found;
    for (var k = 0u; k < min(n_wanted, MAX_NEAR); k++) {
        let other = fixed_triangle(other_place, near[k], lane);
        let is_beside = is_point(other) || is_out(bounds_of(other, tolerance), tolerance);
        var some = those_that(lane, !is_beside);
        // Nobody reads what was kept before any more.
        keep_triangle(1u, lane, other);
        for (var word = 0u; word < CLUSTER_WORDS; word++) {
            if (some[word] == 0u) {
                continue;
            }
            let first = word * WORD_BITS;
            workgroupBarrier();
            var mark = 0u;
            if (is_busy) {
                mark = marks_of(&found, own, extent, first, some[word], tolerance);
            }
            let n = share_marks(lane, mark);
            for (var number = lane; number < n && found.n_points <= MAX_POINTS && found.n_looked <= MAX_LOOKED; number += WORKGROUP) {
                let at = marked_pair(number);
                found.n_looked++;
                found.n_points += look_at(sink, at.x, kept_triangle(0u, at.x), kept_triangle(1u, first + at.y), tolerance);
            }
        }
    }
    if (n_wanted > MAX_NEAR || found.n_points > MAX_POINTS || found.n_looked > MAX_LOOKED) {
        atomicMax(&spans[sink.first + SPAN_OVERFLOW], 1u);
    }
    workgroupBarrier();
    let is_in = found.windings > vec3<i32>(0);
    add_side(sink, 3u * lane, own.a, own.b, is_in.x, is_in.y, tolerance);
    add_side(sink, 3u * lane + 1u, own.b, own.c, is_in.y, is_in.z, tolerance);
    add_side(sink, 3u * lane + 2u, own.c, own.a, is_in.z, is_in.x, tolerance);
}
