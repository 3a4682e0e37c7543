// The springs that hold a patch, those that came into touch first before the others, and how much friction holds against sliding and turning at once: see
// `law::facets` of tactum-sim for what they are. Stretch and, fourth, stiffness.

// One more than are kept: what is new comes before two are joined.
var<private> held: array<vec4<f32>, MAX_SPRINGS + 1>;
var<private> n_held: u32;

fn hold_one(stretch: vec3<f32>, stiffness: f32) {
    // No patch has more: what is remembered has at most MAX_SPRINGS, and one is new.
    if (n_held <= MAX_SPRINGS) {
        held[n_held] = vec4<f32>(stretch, stiffness);
        n_held++;
    }
}

fn halve() {
    for (var k = n_held; k > 0u; k--) {
        let half = vec4<f32>(held[k - 1u].xyz, 0.5 * held[k - 1u].w);
        held[2u * k - 1u] = half;
        held[2u * k - 2u] = half;
    }
    n_held *= 2u;
}

fn join_narrowest() {
    var narrowest = 0u;
    for (var k = 1u; k + 1u < n_held; k++) {
        if (held[k].w + held[k + 1u].w < held[narrowest].w + held[narrowest + 1u].w) {
            narrowest = k;
        }
    }
    let inner = held[narrowest];
    let outer = held[narrowest + 1u];
    let stiffness = inner.w + outer.w;
    held[narrowest] = vec4<f32>(inner.xyz + (outer.xyz - inner.xyz) * (outer.w / stiffness), stiffness);
    n_held--;
    for (var k = narrowest + 1u; k < n_held; k++) {
        held[k] = held[k + 1u];
    }
}

// Brings the number of springs between half of the most and the most.
fn even_out() {
    // Each turn doubles what there is, so there are no more turns than a word has bits.
    for (var step = 0u; step < WORD_BITS; step++) {
        if (n_held == 0u || 2u * n_held > MAX_SPRINGS) {
            break;
        }
        halve();
    }
    if (n_held > MAX_SPRINGS) {
        join_narrowest();
    }
}

fn load_within(law: u32, part: f32) -> f32 {
    if (law == LAW_LINEAR) {
        return part * (2.0 - part);
    }
    return 0.5 * part * (3.0 - part * part);
}

// f and h where they are the same: the root of sqrt(2) - 1.
const DIAGONAL: f32 = 0.6435942529;

// Newton's steps to a place on the limit: 3e-6 of it are left at worst.
const LIMIT_STEPS: u32 = 4u;

// The larger one of f and h, by the smaller one.
fn larger(smaller: f32) -> f32 {
    return sqrt(max(2.0 / (1.0 + smaller * smaller) - 1.0, 0.0));
}

// The smaller one of f and h at the place nearest to one beyond the limit.
fn smaller(p: f32, q: f32, ratio: f32) -> f32 {
    let wide = ratio * ratio;
    let squares = p * p + q * q;
    let product = p * q;
    var s = min(q * sqrt(2.0 / (squares + sqrt(squares * squares + 4.0 * (product * product)))), DIAGONAL);
    var low = 0.0;
    var high = DIAGONAL;
    for (var step = 0u; step < LIMIT_STEPS; step++) {
        let rise = 1.0 + s * s;
        let c = larger(s);
        let bend = -2.0 * s / (rise * rise * c);
        let pull = 2.0 * s / rise;
        let offset = (p - c) * pull - wide * ((q - s) * (c * rise));
        let slope = ((p - c) * (2.0 / rise - pull * pull) - bend * pull) + wide * (c * rise - (q - s) * (bend * rise + 2.0 * s * c));
        if (offset > 0.0) {
            high = s;
        } else {
            low = s;
        }
        let next = s - offset / slope;
        s = select(0.5 * (low + high), next, next >= low && next <= high);
    }
    return s;
}

// The place nearest to one beyond the limit of these semi-axes.
fn nearest_held(at: vec2<f32>, semi: vec2<f32>) -> vec2<f32> {
    if (semi.x <= 0.0 || at.x <= 0.0) {
        return vec2<f32>(0.0, min(at.y, semi.y));
    }
    if (semi.y <= 0.0 || at.y <= 0.0) {
        return vec2<f32>(min(at.x, semi.x), 0.0);
    }
    if (semi.x * (at.x - DIAGONAL * semi.x) > semi.y * (at.y - DIAGONAL * semi.y)) {
        let part = smaller(at.x / semi.x, at.y / semi.y, semi.y / semi.x);
        return vec2<f32>(semi.x * larger(part), semi.y * part);
    }
    let part = smaller(at.y / semi.y, at.x / semi.x, semi.x / semi.y);
    return vec2<f32>(semi.x * part, semi.y * larger(part));
}

// What is held of a pull, across the normal against sliding and along it against turning, where sliding takes so much and turning `lever` times as much.
fn held_of(pull: vec3<f32>, normal: vec3<f32>, lever: f32, most: f32) -> vec3<f32> {
    let turning = dot(pull, normal);
    let across = pull - normal * turning;
    let at = vec2<f32>(sqrt(dot(across, across)), abs(turning));
    let semi = vec2<f32>(most, most * lever);
    let parts = at / semi;
    if ((1.0 + parts.x * parts.x) * (1.0 + parts.y * parts.y) <= 2.0) {
        return pull;
    }
    let held = nearest_held(at, semi);
    var part = vec2<f32>(0.0);
    if (at.x > 0.0) {
        part.x = held.x / at.x;
    }
    if (at.y > 0.0) {
        part.y = held.y / at.y;
    }
    return across * part.x + normal * (turning * part.y);
}

// Lets each spring slip that pulls more than its share of the friction; what they pull B by then.
fn slip(law: u32, friction: f32, normal: vec3<f32>, lever: f32) -> vec3<f32> {
    var total = 0.0;
    for (var k = 0u; k < n_held; k++) {
        total += held[k].w;
    }
    let part_of = 1.0 / total;
    var reached = 0.0;
    var within = 0.0;
    var force = vec3<f32>(0.0);
    for (var k = 0u; k < n_held; k++) {
        let stiffness = held[k].w;
        reached += stiffness;
        let next = load_within(law, min(reached * part_of, 1.0));
        let most = friction * max(next - within, 0.0);
        let pull = held[k].xyz * stiffness;
        let now = held_of(pull, normal, lever, most);
        if (any(now != pull)) {
            held[k] = vec4<f32>(now / stiffness, stiffness);
        }
        force += now;
        within = next;
    }
    return force;
}

// A vector after a normal has turned to another one and about that by a small angle. The tangent
// of half the angle stands for half the angle: off by a twelfth of its third power.
fn turned_with(x: vec3<f32>, before: vec3<f32>, normal: vec3<f32>, angle: f32) -> vec3<f32> {
    let axis = cross(before, normal);
    let sideways = cross(axis, x);
    // Opposite normals have no turn between them, and are none of one patch.
    let turned = (x + sideways) + cross(axis, sideways) / max(1.0 + dot(before, normal), 0.5);
    let t = 0.5 * angle;
    let spun = crossed(turned * (1.0 - t * t), normal * angle, turned);
    return (spun + normal * (2.0 * (t * t) * dot(normal, turned))) / (1.0 + t * t);
}
