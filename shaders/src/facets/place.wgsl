// Where things are: indices of workgroups, maps from bodies to the pair's frame.

fn workgroup_ix(group: vec3<u32>) -> u32 {
    return group.y * MAX_GROUPS + group.x;
}

fn turned(rows: array<vec4<f32>, 3>, x: vec3<f32>) -> vec3<f32> {
    return vec3<f32>(dot(rows[0].xyz, x), dot(rows[1].xyz, x), dot(rows[2].xyz, x));
}

fn in_frame(rows: array<vec4<f32>, 3>, x: vec3<f32>) -> vec3<f32> {
    return turned(rows, x) + vec3<f32>(rows[0].w, rows[1].w, rows[2].w);
}

// A facet in the pair's frame.
struct Cap {
    corners: array<vec3<f32>, 3>,
    normal: vec3<f32>,
    apex: vec3<f32>,
    axis: vec3<f32>,
    ridge: vec3<f32>,
    curvature: f32,
    bulge: f32,
    swell: vec4<f32>,
    swell_last: vec2<f32>,
    swell_middle: f32,
    spread: f32,
    is_flattened: bool,
}

fn cap_of(rows: array<vec4<f32>, 3>, facet: Facet) -> Cap {
    let corners = array<vec3<f32>, 3>(
        in_frame(rows, facet.corner0),
        in_frame(rows, facet.corner1),
        in_frame(rows, facet.corner2),
    );
    var cap: Cap;
    cap.corners = corners;
    cap.normal = turned(rows, facet.normal);
    cap.apex = in_frame(rows, facet.apex);
    cap.axis = turned(rows, facet.axis);
    cap.ridge = turned(rows, vec3<f32>(facet.ridge_x, facet.ridge_y, facet.ridge_z));
    cap.curvature = facet.curvature;
    cap.bulge = facet.bulge;
    cap.swell = facet.swell;
    cap.swell_last = facet.swell_last;
    cap.swell_middle = facet.swell_middle;
    cap.spread = facet.spread;
    cap.is_flattened = facet.is_cap == FLATTENED;
    return cap;
}

// A sum that stays at the largest number: more candidates than can be counted are too many in any case.
fn plus(a: u32, b: u32) -> u32 {
    let sum = a + b;
    if (sum < a) {
        return NOWHERE;
    }
    return sum;
}
