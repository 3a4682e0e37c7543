struct StretchBody {
    velocity: vec3<f32>,
    inverse_mass: f32,
    spin: vec3<f32>,
    reach: f32,
    inertia: vec3<f32>,
    allowance: f32,
    products: vec3<f32>,
    lightness: f32,
    acceleration: vec3<f32>,
    first_link: u32,
    torque: vec3<f32>,
    end_link: u32,
    is_dynamic: u32,
    pad0: u32,
    pad1: u32,
    pad2: u32,
}

struct StretchState {
    kicked_shift: vec3<f32>,
    pad0: f32,
    kicked_turn: vec3<f32>,
    pad1: f32,
    shift: vec3<f32>,
    pad2: f32,
    turn: vec3<f32>,
    pad3: f32,
    velocity: vec3<f32>,
    pad4: f32,
    spin: vec3<f32>,
    pad5: f32,
}

struct BodyNow {
    center: vec3<f32>,
    pad0: f32,
    velocity: vec3<f32>,
    pad1: f32,
    angular: vec3<f32>,
    pad2: f32,
    inertia: vec3<f32>,
    pad3: f32,
    products: vec3<f32>,
    pad4: f32,
}

struct StretchPair {
    base_a: array<vec4<f32>, 3>,
    base_b: array<vec4<f32>, 3>,
    center_a: vec3<f32>,
    friction: f32,
    center_b: vec3<f32>,
    shear: f32,
    bodies: vec2<u32>,
    mass: f32,
    damping: f32,
    shear_root: f32,
    areal_normal: f32,
    areal_shear: f32,
    is_faint: u32,
    now: array<BodyNow, 2>,
}

struct Part {
    candidate: u32,
    on_a: u32,
    on_b: u32,
    first: u32,
}

struct PatchMemory {
    point: vec3<f32>,
    grip: f32,
    normal: vec3<f32>,
    n_springs: u32,
    springs: array<vec4<f32>, MAX_SPRINGS>,
}

struct PairMemory {
    in_touch: u32,
    n: u32,
    deepest: f32,
    pad: u32,
    patches: array<PatchMemory, MAX_PATCHES>,
}

struct PatchNow {
    point: vec3<f32>,
    grip: f32,
    normal: vec3<f32>,
    area: f32,
    force: vec3<f32>,
    deepest: f32,
    torque: vec3<f32>,
    n_facets: u32,
    spread: vec3<f32>,
    gyration: f32,
    products: vec3<f32>,
    lever: f32,
}

struct PairAction {
    force: vec3<f32>,
    stiffness: f32,
    torque_a: vec3<f32>,
    damper: f32,
    torque_b: vec3<f32>,
    n: u32,
    patches: array<PatchNow, MAX_PATCHES>,
}

struct PatchSeen {
    deepest: PatchNow,
    impulse: vec3<f32>,
    pad0: f32,
    turn: vec3<f32>,
    pad1: f32,
}

struct PairSeen {
    turn_a: vec3<f32>,
    n: u32,
    turn_b: vec3<f32>,
    pad: u32,
    patches: array<PatchSeen, MAX_PATCHES>,
}
