// Whether a body has come farther than candidates were looked for, or is held by more than the sub-step can carry.

@group(0) @binding(1) var<storage, read> bodies: array<StretchBody>;
@group(0) @binding(2) var<storage, read> states: array<StretchState>;
@group(0) @binding(3) var<storage, read> links: array<u32>;
@group(0) @binding(4) var<storage, read> actions: array<PairAction>;
@group(0) @binding(5) var<storage, read_write> stop: array<atomic<u32>>;

// A thread per body.
@compute @workgroup_size(WORKGROUP)
fn stretch_judge(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let ix = workgroup_ix(group) * WORKGROUP + lane;
    if (ix >= params.n_bodies || (atomicLoad(&stop[0]) >> CAUSE_BITS) < params.index) {
        return;
    }
    let body = bodies[ix];
    let shift = body.velocity * params.time + states[ix].shift;
    let turn = states[ix].turn;
    let way = sqrt(dot(shift, shift)) + 2.0 * sqrt(dot(turn, turn)) * body.reach;
    if (way > body.allowance) {
        atomicMin(&stop[0], (params.index << CAUSE_BITS) | CAUSE_WAY);
    }
    var stiffness = 0.0;
    var damper = 0.0;
    for (var k = body.first_link; k < body.end_link; k++) {
        stiffness += actions[links[k] >> 1u].stiffness;
        damper += actions[links[k] >> 1u].damper;
    }
    if (stiffness * body.lightness > params.most_stiff || damper * body.lightness > params.most_damped) {
        atomicMin(&stop[0], (params.index << CAUSE_BITS) | CAUSE_STIFF);
    }
}
