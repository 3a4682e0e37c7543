// Kicks each body by what acts on it, and drifts to the middle of the next sub-step.

@group(0) @binding(1) var<storage, read> bodies: array<StretchBody>;
@group(0) @binding(2) var<storage, read> links: array<u32>;
@group(0) @binding(3) var<storage, read> actions: array<PairAction>;
@group(0) @binding(4) var<storage, read> stop: array<u32>;
@group(0) @binding(5) var<storage, read_write> states: array<StretchState>;

// A thread per body.
@compute @workgroup_size(WORKGROUP)
fn stretch_move(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let ix = workgroup_ix(group) * WORKGROUP + lane;
    if (ix >= params.n_bodies || (stop[0] >> CAUSE_BITS) <= params.index) {
        return;
    }
    let body = bodies[ix];
    var state = states[ix];
    state.kicked_shift = state.shift;
    state.kicked_turn = state.turn;
    if (body.is_dynamic != 0u) {
        var force = vec3<f32>(0.0);
        var torque = body.torque;
        for (var k = body.first_link; k < body.end_link; k++) {
            let pair = links[k] >> 1u;
            if ((links[k] & 1u) != 0u) {
                force += actions[pair].force;
                torque += actions[pair].torque_b;
            } else {
                force -= actions[pair].force;
                torque += actions[pair].torque_a;
            }
        }
        state.velocity += (body.acceleration + force * body.inverse_mass) * params.length;
        state.spin += torque * params.length;
    }
    state.shift += state.velocity * params.length;
    // At constant angular momentum, by the midpoint rule.
    let half_way = turned_on(state.turn, angular_of(body, state.spin, state.turn), 0.5 * params.length);
    state.turn = turned_on(state.turn, angular_of(body, state.spin, half_way), params.length);
    states[ix] = state;
}
