// The springs across a patch, those that came into touch first before the others: see `law::facets` of tactum-sim for what they are. Stretch
// and, fourth, stiffness.

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

// Lets each spring slip that pulls more than its share of the friction; what they pull B by then.
fn slip(law: u32, friction: f32) -> vec3<f32> {
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
        var stretch = held[k].xyz;
        let pull = stretch * stiffness;
        let square = dot(pull, pull);
        if (square > most * most) {
            stretch = stretch * (most / sqrt(square));
            held[k] = vec4<f32>(stretch, stiffness);
        }
        force += stretch * stiffness;
        within = next;
    }
    return force;
}

// A vector across a normal after it has turned to another one and about that by a small angle, less what is along it then. The tangent
// of half the angle stands for half the angle: off by a twelfth of its third power.
fn turned_across(x: vec3<f32>, before: vec3<f32>, normal: vec3<f32>, angle: f32) -> vec3<f32> {
    let axis = cross(before, normal);
    let sideways = cross(axis, x);
    // Opposite normals have no turn between them, and are none of one patch.
    let turned = (x + sideways) + cross(axis, sideways) / max(1.0 + dot(before, normal), 0.5);
    let t = 0.5 * angle;
    let spun = crossed(turned * (1.0 - t * t), normal * angle, turned) / (1.0 + t * t);
    return spun - normal * dot(normal, spun);
}

fn within(x: vec3<f32>, most: f32) -> vec3<f32> {
    let square = dot(x, x);
    if (square > most * most) {
        return x * (most / sqrt(square));
    }
    return x;
}

// A number, no larger than so much with either sign.
fn no_more_than(x: f32, most: f32) -> f32 {
    if (x > most) {
        return most;
    }
    if (x < -most) {
        return -most;
    }
    return x;
}
