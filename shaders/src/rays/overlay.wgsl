// Adds up what pairs of triangles have in meeting, seen along a direction: volume, moments and surface of the overlap, without rays.

@group(0) @binding(1) var<storage, read> triangles: array<ClusterTriangles>;
@group(0) @binding(2) var<storage, read> frames: array<PairFrame>;
@group(0) @binding(3) var<storage, read> large: array<LargeItem>;
@group(0) @binding(4) var<storage, read> groups: array<u32>;
@group(0) @binding(5) var<storage, read_write> spans: array<atomic<u32>>;

const KEPT_SETS = 4u;
// From this set on, of each kept triangle the part that has its plane.
const PLANES = 2u;

var<private> totals: array<f32, N_SUMS>;

// The box around a triangle as seen along the direction: places across, then the depth; and twice the area that is seen.
struct Outline {
    lo: vec3<f32>,
    hi: vec3<f32>,
    twice_area: f32,
}

// A triangle with a part of it that is about as large as the box and near it.
struct Face {
    whole: Triangle,
    plane: Triangle,
    outline: Outline,
    plane_area: f32,
    deepest: f32,
    along: f32,
}

fn twice_area_of(t: Triangle) -> f32 {
    let u = t.b - t.a;
    let v = t.c - t.a;
    return fma(u.x, v.y, -(u.y * v.x));
}

fn outline_of(t: Triangle) -> Outline {
    return Outline(min(t.a, min(t.b, t.c)), max(t.a, max(t.b, t.c)), twice_area_of(t));
}

// The part of a triangle's unit normal that is along the direction it is seen in, without its sign; stretch brings it from box
// coordinates into space.
fn along_normal(t: Triangle, stretch: vec3<f32>) -> f32 {
    let u = t.b - t.a;
    let v = t.c - t.a;
    let across = vec3<f32>(fma(u.y, v.z, -(u.z * v.y)), fma(u.z, v.x, -(u.x * v.z)), fma(u.x, v.y, -(u.y * v.x)));
    let normal = across * stretch;
    let square = fma(normal.x, normal.x, fma(normal.y, normal.y, normal.z * normal.z));
    if (square > 0.0) {
        return abs(normal.z) / sqrt(square);
    }
    return 0.0;
}

fn kept_face(body: u32, lane: u32, stretch: vec3<f32>) -> Face {
    let whole = kept_triangle(body, lane);
    let plane = kept_triangle(PLANES + body, lane);
    let deepest = max(abs(plane.a.z), max(abs(plane.b.z), abs(plane.c.z)));
    return Face(whole, plane, outline_of(whole), twice_area_of(plane), deepest, along_normal(plane, stretch));
}

// How far a place is from a triangle's first corner to its second and to its third; at the first of one that is on edge.
fn places_in(t: Triangle, twice_area: f32, x: f32, y: f32) -> vec2<f32> {
    if (twice_area == 0.0) {
        return vec2<f32>(0.0);
    }
    let u = t.b - t.a;
    let v = t.c - t.a;
    let dx = x - t.a.x;
    let dy = y - t.a.y;
    return vec2<f32>(fma(dx, v.y, -(dy * v.x)), fma(dy, u.x, -(dx * u.y))) / twice_area;
}

struct FixedTriangle {
    a: FixedPoint,
    b: FixedPoint,
    c: FixedPoint,
}

fn fixed_triangle(place: FixedPlace, cluster: u32, lane: u32) -> FixedTriangle {
    return FixedTriangle(
        fixed_point(place, cluster, lane, 0u),
        fixed_point(place, cluster, lane, 1u),
        fixed_point(place, cluster, lane, 2u),
    );
}

fn seen_triangle(place: FixedPlace, t: FixedTriangle, direction: u32) -> Triangle {
    return Triangle(
        by_direction(in_box_of(place, t.a), direction),
        by_direction(in_box_of(place, t.b), direction),
        by_direction(in_box_of(place, t.c), direction),
    );
}

// The part of a triangle that is nearest to the middle of the box's face, after as many halvings of its sides as bring it to the size
// of the box. It is halved in whole numbers, so that of a triangle a thousand times as large no digit is lost.
fn halved(place: FixedPlace, whole: FixedTriangle, direction: u32) -> Triangle {
    var t = whole;
    var seen = seen_triangle(place, t, direction);
    for (var n = 0u; n < MAX_HALVINGS; n++) {
        let size = max(seen.a, max(seen.b, seen.c)) - min(seen.a, min(seen.b, seen.c));
        if (max(size.x, size.y) <= HALVED_TO) {
            break;
        }
        let at = places_in(seen, twice_area_of(seen), 0.5, 0.5);
        let ab = middle_of(t.a, t.b);
        let bc = middle_of(t.b, t.c);
        let ca = middle_of(t.c, t.a);
        if (at.x > 0.5) {
            t = FixedTriangle(ab, t.b, bc);
        } else if (at.y > 0.5) {
            t = FixedTriangle(ca, bc, t.c);
        } else if (at.x + at.y < 0.5) {
            t = FixedTriangle(t.a, ab, ca);
        } else {
            t = FixedTriangle(bc, ca, ab);
        }
        seen = seen_triangle(place, t, direction);
    }
    return seen;
}

// What crossing the surface upwards adds to the winding: one where the body is entered.
fn step_of(face: Face) -> f32 {
    return select(1.0, -1.0, face.outline.twice_area > 0.0);
}

fn is_unseen(t: Outline) -> bool {
    return t.twice_area == 0.0 || t.lo.x >= 1.0 || t.lo.y >= 1.0 || t.hi.x <= 0.0 || t.hi.y <= 0.0 || t.lo.z >= 1.0;
}

fn is_beside(a: Outline, b: Outline) -> bool {
    return a.lo.x >= b.hi.x || a.lo.y >= b.hi.y || b.lo.x >= a.hi.x || b.lo.y >= a.hi.y;
}

// The depth at a place.
fn depth_in(face: Face, x: f32, y: f32) -> f32 {
    let at = clamp(places_in(face.plane, face.plane_area, x, y), vec2<f32>(-FARTHEST), vec2<f32>(FARTHEST));
    let along = fma(at.x, face.plane.b.z - face.plane.a.z, face.plane.a.z);
    return clamp(fma(at.y, face.plane.c.z - face.plane.a.z, along), face.outline.lo.z, face.outline.hi.z);
}

// A polygon: places across, and there the depths of both triangles.
struct Polygon {
    corners: array<vec4<f32>, MAX_POLYGON>,
    n: u32,
}

fn is_before(a: vec2<f32>, b: vec2<f32>) -> bool {
    return a.x < b.x || (a.x == b.x && a.y < b.y);
}

// Where a function that has these values at two corners is zero; the same from both ends.
fn between(a: vec4<f32>, b: vec4<f32>, at_a: f32, at_b: f32) -> vec4<f32> {
    if (is_before(a.xy, b.xy)) {
        return fma(vec4<f32>(at_a / (at_a - at_b)), b - a, a);
    }
    return fma(vec4<f32>(at_b / (at_b - at_a)), a - b, b);
}

fn is_in(height: f32, is_strict: bool) -> bool {
    return height > 0.0 || (height == 0.0 && !is_strict);
}

// What is left of a polygon where a linear function is not negative; with is_strict where it is positive.
fn cut(polygon: ptr<function, Polygon>, heights: ptr<function, array<f32, MAX_POLYGON>>, is_strict: bool) {
    var kept: array<vec4<f32>, MAX_POLYGON>;
    var m = 0u;
    let n = (*polygon).n;
    for (var i = 0u; i < n; i++) {
        let j = select(i + 1u, 0u, i + 1u == n);
        let in_i = is_in((*heights)[i], is_strict);
        let in_j = is_in((*heights)[j], is_strict);
        if (in_i && m < MAX_POLYGON) {
            kept[m] = (*polygon).corners[i];
            m++;
        }
        if (in_i != in_j && m < MAX_POLYGON) {
            kept[m] = between((*polygon).corners[i], (*polygon).corners[j], (*heights)[i], (*heights)[j]);
            m++;
        }
    }
    (*polygon).corners = kept;
    (*polygon).n = m;
}

// Cuts a polygon by a side of the box's face: side 2 k is at 0 of axis k, side 2 k + 1 at 1.
fn cut_by_square(polygon: ptr<function, Polygon>, side: u32) {
    let axis = side / 2u;
    let is_upper = side % 2u == 1u;
    var heights: array<f32, MAX_POLYGON>;
    for (var i = 0u; i < (*polygon).n; i++) {
        let place = (*polygon).corners[i][axis];
        heights[i] = select(place, 1.0 - place, is_upper);
    }
    cut(polygon, &heights, false);
    // A long side rounds its crossing by much more than the box may be off.
    for (var i = 0u; i < (*polygon).n; i++) {
        let place = (*polygon).corners[i][axis];
        if (is_upper && place > 1.0) {
            (*polygon).corners[i][axis] = 1.0;
        } else if (!is_upper && place < 0.0) {
            (*polygon).corners[i][axis] = 0.0;
        }
    }
}

// The part of a triangle that is seen through the box's face.
fn seen_in_square(face: Face) -> Polygon {
    var seen: Polygon;
    seen.corners[0] = vec4<f32>(face.whole.a.xy, 0.0, 0.0);
    seen.corners[1] = vec4<f32>(face.whole.b.xy, 0.0, 0.0);
    seen.corners[2] = vec4<f32>(face.whole.c.xy, 0.0, 0.0);
    seen.n = 3u;
    let is_whole = all(face.outline.lo.xy >= vec2<f32>(0.0)) && all(face.outline.hi.xy <= vec2<f32>(1.0));
    for (var side = 0u; side < 4u && !is_whole; side++) {
        cut_by_square(&seen, side);
    }
    return seen;
}

// Cuts a polygon by a side of a triangle. Both triangles at the side take the same heights, with the other sign.
fn cut_by_side(polygon: ptr<function, Polygon>, begin: vec3<f32>, stop: vec3<f32>, turn: f32) {
    var start = stop;
    var end = begin;
    var sign = -turn;
    if (is_before(begin.xy, stop.xy)) {
        start = begin;
        end = stop;
        sign = turn;
    }
    let along = end.xy - start.xy;
    var heights: array<f32, MAX_POLYGON>;
    for (var i = 0u; i < (*polygon).n; i++) {
        let x = (*polygon).corners[i].xy - start.xy;
        heights[i] = sign * fma(along.x, x.y, -(along.y * x.x));
    }
    cut(polygon, &heights, false);
}

fn add(k: u32, x: f32) {
    totals[k] += x;
}

// The sum over a triangle's corners of products of two of their coordinates, and of three.
fn dot_of(a: vec3<f32>, b: vec3<f32>, c: vec3<f32>, i: u32, j: u32) -> f32 {
    return fma(a[i], a[j], fma(b[i], b[j], c[i] * c[j]));
}

fn triple_of(a: vec3<f32>, b: vec3<f32>, c: vec3<f32>, i: u32, j: u32) -> f32 {
    return fma(a.z * a[i], a[j], fma(b.z * b[i], b[j], (c.z * c[i]) * c[j]));
}

// Integrals of products of two and three linear functions over a triangle, by their values at its corners.
fn second(a: vec3<f32>, b: vec3<f32>, c: vec3<f32>, total: vec3<f32>, twelfth: f32, j: u32) -> f32 {
    return twelfth * fma(total.z, total[j], dot_of(a, b, c, 2u, j));
}

fn cubic(a: vec3<f32>, b: vec3<f32>, c: vec3<f32>, total: vec3<f32>, sixtieth: f32, i: u32, j: u32) -> f32 {
    // Equal terms are added up by hand: some drivers do it in a way of their own.
    var across = 2.0 * fma(total[i], dot_of(a, b, c, 2u, i), triple_of(a, b, c, i, i));
    if (i != j) {
        across = fma(total[i], dot_of(a, b, c, 2u, j), fma(total[j], dot_of(a, b, c, 2u, i), 2.0 * triple_of(a, b, c, i, j)));
    }
    return sixtieth * fma(total.z, fma(total[i], total[j], dot_of(a, b, c, i, j)), across);
}

// Adds the column above a triangle, up to the upper face of the box; the third coordinate is its height below that.
fn add_column(a: vec3<f32>, b: vec3<f32>, c: vec3<f32>, area: f32) {
    let total = a + b + c;
    let third = area * (1.0 / 3.0);
    let twelfth = area * (1.0 / 12.0);
    let sixtieth = area * (1.0 / 60.0);
    totals[LENGTH] = fma(third, total.z, totals[LENGTH]);
    add(LENGTH_X, second(a, b, c, total, twelfth, 0u));
    add(LENGTH_Y, second(a, b, c, total, twelfth, 1u));
    add(SQUARE, second(a, b, c, total, twelfth, 2u));
    add(LENGTH_XX, cubic(a, b, c, total, sixtieth, 0u, 0u));
    add(LENGTH_YY, cubic(a, b, c, total, sixtieth, 1u, 1u));
    add(LENGTH_XY, cubic(a, b, c, total, sixtieth, 0u, 1u));
    add(SQUARE_X, cubic(a, b, c, total, sixtieth, 2u, 0u));
    add(SQUARE_Y, cubic(a, b, c, total, sixtieth, 2u, 1u));
    add(CUBE, cubic(a, b, c, total, sixtieth, 2u, 2u));
}

// Adds a triangle of A's surface, or of B's, times the winding that the other body's triangle adds above it.
fn add_surface(total: vec3<f32>, area: f32, own: f32, other: f32, on_b: bool, part: f32) {
    let along = -(own * other * area);
    if (on_b) {
        let covered = own * area;
        add(ENDS_B, covered);
        totals[PLAIN_B] = fma(part, covered, totals[PLAIN_B]);
        add(AREA_B, along);
        return;
    }
    let covered = other * area;
    add(ENDS_A, covered);
    totals[PLAIN_A] = fma(part, covered, totals[PLAIN_A]);
    let third = along * (1.0 / 3.0);
    add(AREA, along);
    totals[AREA_X] = fma(third, total.x, totals[AREA_X]);
    totals[AREA_Y] = fma(third, total.y, totals[AREA_Y]);
    totals[AREA_Z] = fma(third, 1.5 - total.z, totals[AREA_Z]);
}

fn fan_corner(x: vec4<f32>, on_b: bool) -> vec3<f32> {
    return vec3<f32>(x.x - 0.5, x.y - 0.5, 1.0 - max(select(x.z, x.w, on_b), 0.0));
}

// Adds a polygon, in triangles from its first corner, and returns its area. Part is the part of the surface's normal along the direction.
// A polygon that is not on the surface lies on the lower face of the box.
fn add_fan(polygon: ptr<function, Polygon>, own: f32, other: f32, on_b: bool, on_surface: bool, part: f32) -> f32 {
    var covered = 0.0;
    let turn = -0.5 * own;
    let product = own * other;
    for (var i = 2u; i < (*polygon).n; i++) {
        let a = fan_corner((*polygon).corners[0], on_b);
        let b = fan_corner((*polygon).corners[i - 1u], on_b);
        let c = fan_corner((*polygon).corners[i], on_b);
        let u = b - a;
        let v = c - a;
        let area = turn * fma(u.x, v.y, -(u.y * v.x));
        add_column(a, b, c, product * area);
        covered += abs(area);
        if (on_surface) {
            add_surface(a + b + c, area, own, other, on_b, part);
        } else {
            totals[FLOOR] = fma(product, area, totals[FLOOR]);
        }
    }
    return covered;
}

// Adds the part of a polygon in which one triangle is the higher one.
fn add_part(polygon: Polygon, own: f32, other: f32, on_b: bool, error: f32, along: f32) {
    var part = polygon;
    var heights: array<f32, MAX_POLYGON>;
    let sign = select(1.0, -1.0, on_b);
    for (var i = 0u; i < part.n; i++) {
        heights[i] = sign * (part.corners[i].z - part.corners[i].w);
    }
    cut(&part, &heights, on_b);
    if (part.n < 3u) {
        return;
    }
    for (var i = 0u; i < part.n; i++) {
        heights[i] = 1.0 - select(part.corners[i].z, part.corners[i].w, on_b);
    }
    cut(&part, &heights, false);
    var above = part;
    for (var i = 0u; i < part.n; i++) {
        heights[i] = select(part.corners[i].z, part.corners[i].w, on_b);
    }
    cut(&above, &heights, false);
    let covered = add_fan(&above, own, other, on_b, true, along);
    totals[QUARTER_LENGTH] = fma(error, covered, totals[QUARTER_LENGTH]);
    for (var i = 0u; i < part.n; i++) {
        heights[i] = -heights[i];
    }
    cut(&part, &heights, true);
    add_fan(&part, own, other, on_b, false, along);
}

// Adds what two triangles have in meeting.
fn add_pair(own: Face, other: Face, place_error: f32) {
    let turn = -step_of(other);
    var meeting = seen_in_square(own);
    cut_by_side(&meeting, other.whole.a, other.whole.b, turn);
    if (meeting.n < 3u) {
        return;
    }
    cut_by_side(&meeting, other.whole.b, other.whole.c, turn);
    if (meeting.n < 3u) {
        return;
    }
    cut_by_side(&meeting, other.whole.c, other.whole.a, turn);
    if (meeting.n < 3u) {
        return;
    }
    for (var i = 0u; i < meeting.n; i++) {
        let x = meeting.corners[i];
        meeting.corners[i] = vec4<f32>(x.xy, depth_in(own, x.x, x.y), depth_in(other, x.x, x.y));
    }
    // How far off the lower one of the two is does not matter.
    add_part(meeting, step_of(own), step_of(other), false, fma(HEIGHT_ERROR, own.deepest, place_error), own.along);
    add_part(meeting, step_of(own), step_of(other), true, fma(HEIGHT_ERROR, other.deepest, place_error), other.along);
}

fn add_to_sum(at: u32, share: f32) {
    let x = to_fixed(clamp(share, -LARGEST_SUM, LARGEST_SUM) * ONE_SUM);
    let old = atomicAdd(&spans[at], x.x);
    let carry = select(0u, 1u, old + x.x < old);
    atomicAdd(&spans[at + 1u], x.y + carry);
}

// Which of 32 triangles of B from first on, of which some are seen, a triangle of A may have something in common with.
fn marks_of(own: Outline, first: u32, seen: u32) -> u32 {
    var mark = 0u;
    for (var left = seen; left != 0u; left &= left - 1u) {
        let t = firstTrailingBit(left);
        if (!is_beside(own, outline_of(kept_triangle(1u, first + t)))) {
            mark |= 1u << t;
        }
    }
    return select(mark, 0u, is_unseen(own));
}

// Keeps a triangle of a body, and what has its plane unless nothing is seen of it. Returns its outline.
fn keep_seen(frame: PairFrame, body: u32, cluster: u32, lane: u32, direction: u32) -> Outline {
    let place = fixed_place(frame, body);
    let whole = fixed_triangle(place, cluster, lane);
    let seen = seen_triangle(place, whole, direction);
    let outline = outline_of(seen);
    keep_triangle(body, lane, seen);
    if (!is_unseen(outline)) {
        keep_triangle(PLANES + body, lane, halved(place, whole, direction));
    }
    return outline;
}

// A workgroup per two clusters that meet: a thread per triangle of A marks what it meets, then the threads share the pairs.
@compute @workgroup_size(WORKGROUP)
fn overlay(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let ix = workgroup_ix(group);
    if (ix >= groups[ARGUMENT_LARGE + ARGUMENT_COUNT]) {
        return;
    }
    let item = large[ix];
    let pair = item.side / 2u;
    let frame = frames[pair];
    let error = (frame.scale.x + frame.scale.y + frame.scale.z) * (LIKELY_ERROR * frame.reach);
    let stretch = by_direction(frame.scale / max(frame.scale.x, max(frame.scale.y, frame.scale.z)), item.direction);
    let own = keep_seen(frame, 0u, item.triangle, lane, item.direction);
    if (!is_any(those_that(lane, !is_unseen(own)))) {
        return;
    }
    let other = keep_seen(frame, 1u, item.tile, lane, item.direction);
    var seen = those_that(lane, !is_unseen(other));
    var n_met = 0u;
    for (var word = 0u; word < CLUSTER_WORDS; word++) {
        if (seen[word] == 0u) {
            continue;
        }
        let first = word * WORD_BITS;
        let n = share_marks(lane, marks_of(own, first, seen[word]));
        n_met += n;
        for (var number = lane; number < n; number += WORKGROUP) {
            let at = marked_pair(number);
            add_pair(kept_face(0u, at.x, stretch), kept_face(1u, first + at.y, stretch), error);
        }
    }
    if (n_met == 0u) {
        return;
    }
    var share: RaySums;
    share.sums = totals;
    let total = add_up(lane, share);
    if (lane == 0u) {
        let first = pair * N_SPAN + SPAN_SUMS + item.direction * 2u * N_SUMS;
        for (var k = 0u; k < N_SUMS; k++) {
            add_to_sum(first + 2u * k, total.sums[k]);
        }
    }
}
