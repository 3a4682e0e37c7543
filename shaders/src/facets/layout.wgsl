struct Facet {
    corner0: vec3<f32>,
    curvature: f32,
    corner1: vec3<f32>,
    bulge: f32,
    corner2: vec3<f32>,
    is_cap: u32,
    apex: vec3<f32>,
    ridge_x: f32,
    normal: vec3<f32>,
    ridge_y: f32,
    axis: vec3<f32>,
    ridge_z: f32,
    swell: vec4<f32>,
    swell_last: vec2<f32>,
    swell_middle: f32,
    spread: f32,
}

struct FacetBox {
    lo: vec3<f32>,
    bulge: f32,
    hi: vec3<f32>,
    pad: f32,
}

struct FacetPair {
    frame_from_a: array<vec4<f32>, 3>,
    frame_from_b: array<vec4<f32>, 3>,
    first: vec2<u32>,
    n: vec2<u32>,
    near: f32,
    depth: f32,
    gap: f32,
    first_group: u32,
    law: u32,
    in_touch: u32,
    modulus: f32,
    work: f32,
}

struct FacetRound {
    n_pairs: u32,
    n_groups: u32,
    cap: u32,
    with_polygons: u32,
    n_bodies: u32,
    index: u32,
    length: f32,
    since_kick: f32,
    time: f32,
    most_stiff: f32,
    most_damped: f32,
    zero: u32,
}

struct Candidate {
    pair: u32,
    a: u32,
    b: u32,
}

struct FacetTouch {
    normal: vec3<f32>,
    force: f32,
    center: vec3<f32>,
    area: f32,
    moment: vec3<f32>,
    overlap: f32,
    nearest: vec3<f32>,
    grip: f32,
    push: vec3<f32>,
    gyration: f32,
    depth: f32,
    energy: f32,
    n_corners: u32,
    state: u32,
}

struct FacetPolygon {
    corners: array<vec4<f32>, MAX_CORNERS>,
}

struct FacetDoubt {
    n: u32,
    a: u32,
    b: u32,
}

struct FacetBlock {
    force: vec3<f32>,
    area: f32,
    moment: vec3<f32>,
    deepest: f32,
    n_facets: u32,
    n_refused: u32,
    n_wanted: u32,
    n_candidates: u32,
    doubts: array<FacetDoubt, N_DOUBTS>,
    pad0: u32,
    pad1: u32,
    pad2: u32,
}

@group(0) @binding(0) var<uniform> params: FacetRound;
