struct ClusterTriangles {
    corners: array<array<f32, CLUSTER>, 9>,
    low: array<array<u32, CLUSTER>, 3>,
}

struct Cluster {
    lo: vec3<f32>,
    shell: u32,
    hi: vec3<f32>,
    pad: f32,
}

struct PairMeshes {
    first: vec2<u32>,
    n: vec2<u32>,
    boxes: vec2<u32>,
}

struct PairFrame {
    frame_from_a: array<vec4<f32>, 3>,
    frame_from_b: array<vec4<f32>, 3>,
    lo: vec3<f32>,
    state: u32,
    hi: vec3<f32>,
    reach: f32,
    scale: vec3<f32>,
    pad: f32,
    fixed_from_a: array<vec4<i32>, 3>,
    fixed_from_b: array<vec4<i32>, 3>,
    low_a: vec3<u32>,
    unit_a: f32,
    low_b: vec3<u32>,
    unit_b: f32,
}

struct Round {
    rays: vec3<u32>,
    n_pairs: u32,
    first_tile: vec3<u32>,
    n_tiles: u32,
    columns: u32,
    coarse: u32,
    large_cap: u32,
    spans: u32,
}

struct Item {
    side: u32,
    cluster: u32,
}

struct LargeItem {
    side: u32,
    triangle: u32,
    direction: u32,
    tile: u32,
}

struct RaySums {
    sums: array<f32, N_SUMS>,
    longest: f32,
    columns: u32,
    rows: u32,
}

struct ContactBlock {
    frame_from_a: array<vec4<f32>, 3>,
    lo: vec3<f32>,
    state: u32,
    hi: vec3<f32>,
    volume: f32,
    moment: vec3<f32>,
    longest: f32,
    second_diagonal: vec3<f32>,
    overflow: f32,
    second_mixed: vec3<f32>,
    negative: f32,
    area: vec3<f32>,
    open: f32,
    arms: array<vec4<f32>, 3>,
    normal: vec3<f32>,
    quarter_volume: f32,
    quarter_area: vec3<f32>,
    plain_a: f32,
    tangent: vec3<f32>,
    plain_b: f32,
    area_b: vec3<f32>,
    pad0: f32,
    cover_a: vec3<f32>,
    pad1: f32,
    cover_b: vec3<f32>,
    pad2: f32,
    slices: vec3<u32>,
    pad3: u32,
    supports: array<vec2<f32>, SUPPORT_SLOTS>,
}

@group(0) @binding(0) var<uniform> params: Round;
