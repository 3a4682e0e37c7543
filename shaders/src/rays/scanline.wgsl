// Where a row of rays crosses a triangle.
//
// Each edge is evaluated from its lower end, so it gives both of its triangles the same numbers, and a row is crossed
// by half-open rule: the crossings of a closed surface cancel on every ray whatever the rounding.

// Ends of a row inside a triangle: (place along the row, depth) on the rising and on the falling edge.
struct Span {
    up: vec2<f32>,
    down: vec2<f32>,
    is_crossed: bool,
}

// Corners are (along the row, across the rows, depth).
fn edge_at(lo: vec3<f32>, hi: vec3<f32>, y: f32) -> vec2<f32> {
    let k = (y - lo.y) / (hi.y - lo.y);
    return vec2<f32>(fma(k, hi.x - lo.x, lo.x), fma(k, hi.z - lo.z, lo.z));
}

fn cross_edge(span: ptr<function, Span>, a: vec3<f32>, b: vec3<f32>, y: f32) {
    if (a.y <= y && y < b.y) {
        (*span).up = edge_at(a, b, y);
        (*span).is_crossed = true;
    } else if (b.y <= y && y < a.y) {
        (*span).down = edge_at(b, a, y);
    }
}

fn cross_row(a: vec3<f32>, b: vec3<f32>, c: vec3<f32>, y: f32) -> Span {
    var span = Span(vec2<f32>(0.0), vec2<f32>(0.0), false);
    cross_edge(&span, a, b, y);
    cross_edge(&span, b, c, y);
    cross_edge(&span, c, a, y);
    return span;
}

fn depth_at(span: Span, x: f32) -> f32 {
    return fma(x - span.down.x, (span.up.y - span.down.y) / (span.up.x - span.down.x), span.down.y);
}

// A ray that finds the rising edge on its right leaves the body.
fn is_exit(span: Span) -> bool {
    return span.up.x > span.down.x;
}
