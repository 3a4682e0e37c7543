// Small turns: the vector part of a quaternion whose fourth part is not negative.

// A sum with a cross product, one product after the other: in any other order optimisers would put the sum into the difference.
fn crossed(sum: vec3<f32>, a: vec3<f32>, b: vec3<f32>) -> vec3<f32> {
    return (sum + a.yzx * b.zxy) - a.zxy * b.yzx;
}

// A vector times a symmetric tensor: its xx, yy, zz and its yz, xz, xy.
fn symmetric(d: vec3<f32>, e: vec3<f32>, x: vec3<f32>) -> vec3<f32> {
    return vec3<f32>(
        d.x * x.x + e.z * x.y + e.y * x.z,
        e.z * x.x + d.y * x.y + e.x * x.z,
        e.y * x.x + e.x * x.y + d.z * x.z,
    );
}

// What a turn takes a vector by.
fn turned_less(turn: vec3<f32>, x: vec3<f32>) -> vec3<f32> {
    let w = sqrt(max(1.0 - dot(turn, turn), 0.0));
    let sideways = cross(turn, x);
    let twice = sideways * w + cross(turn, sideways);
    return twice + twice;
}

// A turn after which a body turns on with an angular velocity for a time. The tangent of half the angle by its series, the next term of
// which is 17/315 of the sixth power of that angle.
fn turned_on(turn: vec3<f32>, angular: vec3<f32>, time: f32) -> vec3<f32> {
    let half = angular * (0.5 * time);
    let square = dot(half, half);
    let tangent = half * (1.0 + square * (THIRD + TWO_FIFTEENTHS * square));
    let old = sqrt(max(1.0 - dot(turn, turn), 0.0));
    return crossed(tangent * old + turn, tangent, turn) / sqrt(1.0 + dot(tangent, tangent));
}

// Inverse inertia of a body that is turned since the start, times a vector; one for a body that nothing can move.
fn yielding(body: StretchBody, turn: vec3<f32>, x: vec3<f32>) -> vec3<f32> {
    let own = x + turned_less(-turn, x);
    let rate = symmetric(body.inertia, body.products, own);
    return rate + turned_less(turn, rate);
}

// Angular velocity of a body with what its momentum has gained, turned since the start: of one that nothing can move the momentum is the
// angular velocity and the inertia is one.
fn angular_of(body: StretchBody, gained: vec3<f32>, turn: vec3<f32>) -> vec3<f32> {
    return yielding(body, turn, body.spin + gained);
}
