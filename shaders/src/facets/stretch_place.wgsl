// Where the facets of each pair are now, and how its bodies move.

@group(0) @binding(1) var<storage, read> bodies: array<StretchBody>;
@group(0) @binding(2) var<storage, read> states: array<StretchState>;
@group(0) @binding(3) var<storage, read> springs: array<PairMemory>;
@group(0) @binding(4) var<storage, read> stop: array<u32>;
@group(0) @binding(5) var<storage, read_write> pairs: array<FacetPair>;
@group(0) @binding(6) var<storage, read_write> courses: array<StretchPair>;
@group(0) @binding(7) var<storage, read_write> starts: array<u32>;

// A map that is shifted, and turned about a place.
fn moved(base: array<vec4<f32>, 3>, center: vec3<f32>, shift: vec3<f32>, turn: vec3<f32>) -> array<vec4<f32>, 3> {
    let x = vec3<f32>(base[0].x, base[1].x, base[2].x);
    let y = vec3<f32>(base[0].y, base[1].y, base[2].y);
    let z = vec3<f32>(base[0].z, base[1].z, base[2].z);
    let at = vec3<f32>(base[0].w, base[1].w, base[2].w);
    let u = x + turned_less(turn, x);
    let v = y + turned_less(turn, y);
    let w = z + turned_less(turn, z);
    let to = at + (shift + turned_less(turn, at - center));
    return array<vec4<f32>, 3>(
        vec4<f32>(u.x, v.x, w.x, to.x),
        vec4<f32>(u.y, v.y, w.y, to.y),
        vec4<f32>(u.z, v.z, w.z, to.z),
    );
}

fn shift_of(ix: u32) -> vec3<f32> {
    return bodies[ix].velocity * params.time + states[ix].shift;
}

fn now_of(ix: u32, center: vec3<f32>) -> BodyNow {
    var now: BodyNow;
    now.center = center + shift_of(ix);
    now.velocity = bodies[ix].velocity + states[ix].velocity;
    now.angular = angular_of(bodies[ix], states[ix].spin, states[ix].turn);
    if (bodies[ix].is_dynamic != 0u) {
        let x = yielding(bodies[ix], states[ix].turn, vec3<f32>(1.0, 0.0, 0.0));
        let y = yielding(bodies[ix], states[ix].turn, vec3<f32>(0.0, 1.0, 0.0));
        let z = yielding(bodies[ix], states[ix].turn, vec3<f32>(0.0, 0.0, 1.0));
        now.inertia = vec3<f32>(x.x, y.y, z.z);
        now.products = vec3<f32>(y.z, x.z, x.y);
    }
    return now;
}

// A thread per pair.
@compute @workgroup_size(WORKGROUP)
fn stretch_place(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let ix = workgroup_ix(group) * WORKGROUP + lane;
    let is_over = (stop[0] >> CAUSE_BITS) < params.index;
    if (is_over && ix == 0u) {
        // So that no stage looks at candidates any more.
        starts[params.n_groups] = NOWHERE;
    }
    if (is_over || ix >= params.n_pairs) {
        return;
    }
    let course = courses[ix];
    let a = course.bodies.x;
    let b = course.bodies.y;
    pairs[ix].frame_from_a = moved(course.base_a, course.center_a, shift_of(a), states[a].turn);
    pairs[ix].frame_from_b = moved(course.base_b, course.center_b, shift_of(b), states[b].turn);
    pairs[ix].in_touch = springs[(params.index & 1u) * params.n_pairs + ix].in_touch;
    courses[ix].now[0] = now_of(a, course.center_a);
    courses[ix].now[1] = now_of(b, course.center_b);
}
