// What two triangles have in common in the plane of contact (Sutherland and Hodgman 1974).

struct Polygon {
    corners: array<vec2<f32>, MAX_CORNERS>,
    // Whose side goes on from each corner.
    owners: array<u32, MAX_CORNERS>,
    n: u32,
}

// Twice the area of the triangle of two vectors.
fn turn_of(a: vec2<f32>, b: vec2<f32>) -> f32 {
    return a.x * b.y - a.y * b.x;
}

fn square(a: vec2<f32>) -> f32 {
    return dot(a, a);
}

fn push(polygon: ptr<function, Polygon>, x: vec2<f32>, owner: u32) {
    // A convex polygon gains a corner by a cut at most; rounding could make more, which are on a side then.
    if ((*polygon).n < MAX_CORNERS) {
        (*polygon).corners[(*polygon).n] = x;
        (*polygon).owners[(*polygon).n] = owner;
        (*polygon).n += 1u;
    }
}

fn next_of(polygon: ptr<function, Polygon>, i: u32) -> vec2<f32> {
    if (i + 1u < (*polygon).n) {
        return (*polygon).corners[i + 1u];
    }
    return (*polygon).corners[0];
}

// Whether a side is on a line, and long enough to count.
fn is_on_line(polygon: ptr<function, Polygon>, i: u32, start: vec2<f32>, along: vec2<f32>, room: f32, size_squared: f32) -> bool {
    let a = (*polygon).corners[i];
    let b = next_of(polygon, i);
    return abs(turn_of(along, a - start)) <= room && abs(turn_of(along, b - start)) <= room
        && square(b - a) > LONG * LONG * size_squared;
}

// What lies left of a line, whose sides are the second triangle's.
fn cut(polygon: ptr<function, Polygon>, start: vec2<f32>, end: vec2<f32>, size_squared: f32) -> Polygon {
    let along = end - start;
    let room = ON_LINE * sqrt(size_squared * square(along));
    var cutting = OF_SECOND;
    for (var i = 0u; i < (*polygon).n; i++) {
        if (is_on_line(polygon, i, start, along, room, size_squared)) {
            cutting = OF_BOTH;
        }
    }
    var left: Polygon;
    for (var i = 0u; i < (*polygon).n; i++) {
        let a = (*polygon).corners[i];
        let b = next_of(polygon, i);
        let ha = turn_of(along, a - start);
        let hb = turn_of(along, b - start);
        var owner = (*polygon).owners[i];
        if (cutting == OF_BOTH && is_on_line(polygon, i, start, along, room, size_squared)) {
            owner = OF_BOTH;
        }
        if (ha >= 0.0) {
            push(&left, a, select(owner, cutting, ha == 0.0 && hb < 0.0));
        }
        if ((ha > 0.0 && hb < 0.0) || (ha < 0.0 && hb > 0.0)) {
            push(&left, a + (b - a) * (ha / (ha - hb)), select(owner, cutting, hb < 0.0));
        }
    }
    return left;
}

// With one corner in place of neighbours that are nearer to each other than a distance, of which this is the square.
fn merged(polygon: ptr<function, Polygon>, squared: f32) -> Polygon {
    var found: Polygon;
    for (var i = 0u; i < (*polygon).n; i++) {
        let a = (*polygon).corners[i];
        if (square(next_of(polygon, i) - a) > squared) {
            push(&found, a, (*polygon).owners[i]);
        }
    }
    return found;
}

fn area_of(polygon: ptr<function, Polygon>) -> f32 {
    let first = (*polygon).corners[0];
    var area = 0.0;
    for (var i = 0u; i < (*polygon).n; i++) {
        area += turn_of((*polygon).corners[i] - first, next_of(polygon, i) - first);
    }
    return 0.5 * area;
}

fn longest_squared(t: array<vec2<f32>, 3>) -> f32 {
    return max(max(square(t[0] - t[1]), square(t[1] - t[2])), square(t[2] - t[0]));
}

fn counter_clockwise(t: array<vec2<f32>, 3>) -> array<vec2<f32>, 3> {
    if (turn_of(t[1] - t[0], t[2] - t[0]) < 0.0) {
        return array<vec2<f32>, 3>(t[0], t[2], t[1]);
    }
    return t;
}

// Without corners if they have no area in common.
fn common_polygon(first: array<vec2<f32>, 3>, second: array<vec2<f32>, 3>) -> Polygon {
    let p = counter_clockwise(first);
    let q = counter_clockwise(second);
    let size_squared = min(longest_squared(p), longest_squared(q));
    var polygon: Polygon;
    push(&polygon, p[0], OF_FIRST);
    push(&polygon, p[1], OF_FIRST);
    push(&polygon, p[2], OF_FIRST);
    var by_first = cut(&polygon, q[0], q[1], size_squared);
    var by_second = cut(&by_first, q[1], q[2], size_squared);
    var by_third = cut(&by_second, q[2], q[0], size_squared);
    var found = merged(&by_third, SAME * SAME * size_squared);
    if (found.n < 3u || area_of(&found) <= NO_AREA * size_squared) {
        found.n = 0u;
    }
    return found;
}

// The point next to the origin: the origin itself if that is inside.
fn nearest_to_origin(polygon: ptr<function, Polygon>) -> vec2<f32> {
    var is_inside = true;
    var nearest = (*polygon).corners[0];
    for (var i = 0u; i < (*polygon).n; i++) {
        let a = (*polygon).corners[i];
        let b = next_of(polygon, i);
        is_inside = is_inside && turn_of(a, b) >= 0.0;
        let along = b - a;
        let part = clamp(-dot(a, along) / square(along), 0.0, 1.0);
        let x = a + along * part;
        if (square(x) < square(nearest)) {
            nearest = x;
        }
    }
    if (is_inside) {
        return vec2<f32>(0.0);
    }
    return nearest;
}
