// What two bodies do to each other, patch by patch: elastic forces, dampers and springs, and what is remembered of these. The equations are
// those of `law::facets` of tactum-sim, where they are explained.

@group(0) @binding(1) var<storage, read> pairs: array<FacetPair>;
@group(0) @binding(2) var<storage, read> courses: array<StretchPair>;
@group(0) @binding(3) var<storage, read> starts: array<u32>;
@group(0) @binding(4) var<storage, read> touches: array<FacetTouch>;
@group(0) @binding(5) var<storage, read> parts: array<Part>;
@group(0) @binding(6) var<storage, read_write> springs: array<PairMemory>;
@group(0) @binding(7) var<storage, read_write> actions: array<PairAction>;
@group(0) @binding(8) var<storage, read_write> stop: array<atomic<u32>>;

// Mean distance of Hertz' pressure from its disc's axis, over the radius of gyration of what holds across there.
const PRESSED = 0.1875 * PI * 1.2247448714;

// Secant stiffness of Hertz' contact over its stiffness.
const FIVE_SIXTHS = 5.0 / 6.0;

// The patches of the thread's pair, the places of A's shape that they are at, and which of those remembered they go on from.
var<private> found: array<PatchNow, MAX_PATCHES>;
var<private> discs: array<vec3<f32>, MAX_PATCHES>;
var<private> heirs: array<u32, MAX_PATCHES>;

// Energy that they all hold.
var<private> stored: f32;

// How far from its point and its axis a patch of some grip holds and presses.
fn add_spread(now: ptr<function, PatchNow>, first: u32, end: u32) {
    var squares = 0.0;
    var levers = 0.0;
    var load = 0.0;
    for (var k = first; k < end; k++) {
        if (parts[k].candidate == NOWHERE) {
            break;
        }
        if (parts[k].first != first) {
            continue;
        }
        let touch = touches[parts[k].candidate];
        let arm = touch.center - (*now).point;
        let across = arm - (*now).normal * dot(arm, (*now).normal);
        let beside = dot(across, across);
        let pressed = PRESSED * touch.gyration;
        (*now).spread += (arm * arm) * touch.grip;
        (*now).products += (arm.yxx * arm.zzy) * touch.grip;
        squares += touch.grip * (beside + touch.gyration * touch.gyration);
        levers += max(touch.force, 0.0) * sqrt(beside + pressed * pressed);
        load += max(touch.force, 0.0);
    }
    (*now).spread = (*now).spread / (*now).grip;
    (*now).products = (*now).products / (*now).grip;
    (*now).gyration = sqrt(squares / (*now).grip);
    if (load > 0.0) {
        (*now).lever = levers / load;
    }
}

// The patch whose first part is at a place.
fn patch_from(first: u32, end: u32) -> PatchNow {
    var now: PatchNow;
    for (var k = first; k < end; k++) {
        if (parts[k].candidate == NOWHERE) {
            break;
        }
        if (parts[k].first != first) {
            continue;
        }
        let touch = touches[parts[k].candidate];
        now.force += touch.push;
        now.torque = crossed(now.torque + touch.moment, touch.center, touch.push);
        now.point += touch.center * touch.grip;
        now.normal += touch.normal * touch.grip;
        stored += touch.energy;
        now.grip += touch.grip;
        now.area += touch.area;
        now.deepest = max(now.deepest, touch.overlap);
        now.n_facets += 1u;
    }
    if (now.grip > 0.0) {
        now.point = now.point / now.grip;
        let length = sqrt(dot(now.normal, now.normal));
        if (length > 0.0) {
            now.normal = now.normal / length;
        }
        add_spread(&now, first, end);
    }
    now.torque = crossed(now.torque, now.force, now.point);
    return now;
}

// A place of the pair frame in A's packing coordinates.
fn on_a(pair: FacetPair, x: vec3<f32>) -> vec3<f32> {
    let rows = pair.frame_from_a;
    let y = x - vec3<f32>(rows[0].w, rows[1].w, rows[2].w);
    return (rows[0].xyz * y.x + rows[1].xyz * y.y) + rows[2].xyz * y.z;
}

// The nearest patch remembered that a disc meets.
fn heir_of(before: u32, disc: vec3<f32>, radius: f32) -> u32 {
    var best = NOWHERE;
    var nearest = 0.0;
    for (var k = 0u; k < springs[before].n; k++) {
        let arm = springs[before].patches[k].point - disc;
        let distance = sqrt(dot(arm, arm));
        if (distance <= radius + springs[before].patches[k].grip && (best == NOWHERE || distance < nearest)) {
            best = k;
            nearest = distance;
        }
    }
    return best;
}

struct Slip {
    linear: vec3<f32>,
    angular: vec3<f32>,
    turning: vec3<f32>,
}

fn slip_at(course: StretchPair, at: vec3<f32>) -> Slip {
    let a = course.now[0];
    let b = course.now[1];
    let of_a = crossed(a.velocity, a.angular, at - a.center);
    let of_b = crossed(b.velocity, b.angular, at - b.center);
    return Slip(of_b - of_a, b.angular - a.angular, 0.5 * (a.angular + b.angular));
}

fn stiffness_of(pair: FacetPair, grip: f32, area: f32) -> f32 {
    if (pair.law == LAW_LINEAR) {
        return pair.modulus * area;
    }
    return 2.0 * pair.modulus * grip;
}

fn draws(pair: FacetPair) -> bool {
    return pair.law == LAW_JKR;
}

// What a patch weighs among those of its pair where dampers are shared out.
fn weight_of(pair: FacetPair, now: PatchNow) -> f32 {
    if (draws(pair)) {
        return stiffness_of(pair, now.grip, now.area);
    }
    return max(dot(now.force, now.normal), 0.0);
}

// The dampers along the normals of all patches.
struct Dampers {
    per_weight: f32,
    rate: f32,
}

fn dampers_of(ix: u32, n: u32) -> Dampers {
    let pair = pairs[ix];
    let course = courses[ix];
    var whole = 0.0;
    for (var k = 0u; k < n; k++) {
        if (found[k].grip > 0.0) {
            whole += weight_of(pair, found[k]);
        }
    }
    if (whole <= 0.0) {
        return Dampers(0.0, 0.0);
    }
    var force = vec3<f32>(0.0);
    var about_a = vec3<f32>(0.0);
    var about_b = vec3<f32>(0.0);
    var squares = vec3<f32>(0.0);
    var products = vec3<f32>(0.0);
    var stiffness = 0.0;
    var area = 0.0;
    for (var k = 0u; k < n; k++) {
        if (found[k].grip > 0.0) {
            let normal = found[k].normal;
            let push = normal * (weight_of(pair, found[k]) / whole);
            force += push;
            about_a = crossed(about_a, found[k].point - course.now[0].center, push);
            about_b = crossed(about_b, found[k].point - course.now[1].center, push);
            squares += push * normal;
            products += push.yxx * normal.zzy;
            stiffness += stiffness_of(pair, found[k].grip, found[k].area);
            area += found[k].area;
        }
    }
    let turning_a = dot(about_a, symmetric(course.now[0].inertia, course.now[0].products, about_a));
    let turning_b = dot(about_b, symmetric(course.now[1].inertia, course.now[1].products, about_b));
    let square_cosine = dot(squares, squares) + 2.0 * dot(products, products);
    let inverse_mass = max(dot(force, force) / course.mass + (turning_a + turning_b), square_cosine / course.mass);
    var secant = stiffness;
    if (draws(pair)) {
        secant = FIVE_SIXTHS * stiffness;
    } else if (stored > 0.0) {
        secant = min(whole * (whole / (2.0 * stored)), stiffness);
    }
    let coefficient = course.damping * sqrt(secant / inverse_mass);
    return Dampers(coefficient / whole, (coefficient + course.areal_normal * area) * inverse_mass);
}

// Force across the normal, and about it as the fourth part, of a patch under a load, and a damper across; what is remembered of it is written behind the others.
fn hold(ix: u32, before: u32, after: u32, m: u32, n: u32, motion: Slip, load: f32, damper: f32) -> vec4<f32> {
    let now = found[m];
    let course = courses[ix];
    let law = pairs[ix].law;
    let at = springs[after].n;
    springs[after].patches[at].point = discs[m];
    springs[after].patches[at].normal = now.normal;
    springs[after].patches[at].grip = now.grip;
    springs[after].patches[at].n_springs = 0u;
    springs[after].n = at + 1u;
    if (course.friction == 0.0) {
        return vec4<f32>(0.0);
    }
    let along = dot(now.normal, motion.linear);
    let across = motion.linear - now.normal * along;
    let moved = across + now.normal * (dot(motion.angular, now.normal) * now.gyration);
    let stiffness = stiffness_of(pairs[ix], now.grip, now.area) * course.shear;
    let most = course.friction * load;
    let heir = heirs[m];
    var share = 1.0;
    let way = -(moved * params.since_kick);
    n_held = 0u;
    var missing = stiffness;
    if (heir != NOWHERE) {
        if (n > 1u) {
            var taken = 0.0;
            for (var k = 0u; k < n; k++) {
                if (heirs[k] == heir) {
                    taken += found[k].grip;
                }
            }
            share = now.grip / taken;
        }
        let old_normal = springs[before].patches[heir].normal;
        let angle = dot(motion.turning, now.normal) * params.since_kick;
        for (var k = 0u; k < springs[before].patches[heir].n_springs; k++) {
            let old = springs[before].patches[heir].springs[k];
            let own = min(share * old.w, missing);
            missing -= own;
            if (own > 0.0) {
                hold_one(turned_with(old.xyz, old_normal, now.normal, angle) + way, own);
            }
        }
    }
    if (missing > 0.0) {
        hold_one(0.5 * way, missing);
    }
    even_out();
    let lever = now.lever / now.gyration;
    let pull = slip(law, most, now.normal, lever);
    let holds = held_of(pull - moved * damper, now.normal, lever, most);
    let about = dot(holds, now.normal);
    for (var k = 0u; k < min(n_held, MAX_SPRINGS); k++) {
        springs[after].patches[at].springs[k] = held[k];
    }
    springs[after].patches[at].n_springs = n_held;
    return vec4<f32>(holds - now.normal * about, about * now.gyration);
}

// What acts over a patch besides its pressure; its load is what presses with the damper.
fn act_over(ix: u32, before: u32, after: u32, m: u32, n: u32, dampers: Dampers) {
    let course = courses[ix];
    let normal = found[m].normal;
    let motion = slip_at(course, found[m].point);
    let stiffness = stiffness_of(pairs[ix], found[m].grip, found[m].area);
    let by_restitution = dampers.per_weight * weight_of(pairs[ix], found[m]);
    let damper = by_restitution + course.areal_normal * found[m].area;
    let shear_damper = by_restitution * course.shear_root + course.areal_shear * found[m].area;
    let part = dampers.rate * params.since_kick;
    let felt = 1.0 + 0.25 * part;
    let met = damper * (felt / (1.0 + 0.5 * part * felt));
    let force = found[m].force - normal * (met * dot(motion.linear, normal));
    let load = max(dot(force, normal), 0.0);
    let held_by = hold(ix, before, after, m, n, motion, load, shear_damper);
    let tilting = symmetric(found[m].spread, found[m].products, cross(normal, motion.angular));
    found[m].force = force + held_by.xyz;
    found[m].torque = crossed(found[m].torque + normal * held_by.w, normal * met, tilting);
    actions[ix].stiffness += stiffness * max(course.shear, 1.0);
    actions[ix].damper += max(damper, shear_damper);
}

// A thread per pair.
@compute @workgroup_size(WORKGROUP)
fn stretch_hold(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let ix = workgroup_ix(group) * WORKGROUP + lane;
    if (ix >= params.n_pairs) {
        return;
    }
    if (starts[params.n_groups] > params.cap) {
        atomicMin(&stop[0], (params.index << CAUSE_BITS) | CAUSE_ROOM);
        return;
    }
    let pair = pairs[ix];
    let start = starts[pair.first_group];
    let end = starts[pair.first_group + (pair.n.x + GROUP - 1u) / GROUP];
    let before = (params.index & 1u) * params.n_pairs + ix;
    let after = (1u - (params.index & 1u)) * params.n_pairs + ix;
    var n = 0u;
    stored = 0.0;
    for (var k = start; k < end; k++) {
        if (parts[k].candidate == NOWHERE) {
            break;
        }
        if (parts[k].first != k) {
            continue;
        }
        if (n == MAX_PATCHES) {
            atomicMin(&stop[0], (params.index << CAUSE_BITS) | CAUSE_PATCHES);
            break;
        }
        found[n] = patch_from(k, end);
        discs[n] = on_a(pair, found[n].point);
        heirs[n] = heir_of(before, discs[n], found[n].grip);
        n++;
    }
    if (n > 0u && courses[ix].is_faint != 0u) {
        atomicMin(&stop[0], (params.index << CAUSE_BITS) | CAUSE_DOUBT);
    }
    springs[after].in_touch = select(0u, 1u, n > 0u);
    springs[after].n = 0u;
    springs[after].deepest = 0.0;
    actions[ix].n = n;
    actions[ix].stiffness = 0.0;
    actions[ix].damper = 0.0;
    let dampers = dampers_of(ix, n);
    var sum = vec3<f32>(0.0);
    var about_a = vec3<f32>(0.0);
    var about_b = vec3<f32>(0.0);
    for (var m = 0u; m < n; m++) {
        if (found[m].grip > 0.0) {
            act_over(ix, before, after, m, n, dampers);
        }
        springs[after].deepest = max(springs[after].deepest, found[m].deepest);
        let force = found[m].force;
        sum += force;
        about_a = crossed(about_a, found[m].point - courses[ix].now[0].center, force) + found[m].torque;
        about_b = crossed(about_b, found[m].point - courses[ix].now[1].center, force) + found[m].torque;
        actions[ix].patches[m] = found[m];
    }
    actions[ix].force = sum;
    actions[ix].torque_a = -about_a;
    actions[ix].torque_b = about_b;
}
