// Places along the directions in which a patch is supported, and words that hold them.

// The axis along which slot's places are to be largest.
fn probe_along(slot: u32, normal: vec3<f32>, u: vec3<f32>) -> vec3<f32> {
    if (slot == SUPPORTS) {
        return normal;
    }
    if (slot > SUPPORTS) {
        return -normal;
    }
    let direction = SUPPORT_DIRECTIONS[slot];
    return u * direction.x + cross(normal, u) * direction.y;
}

// The one that decides between equals.
fn probe_across(slot: u32, normal: vec3<f32>, u: vec3<f32>) -> vec3<f32> {
    if (slot >= SUPPORTS) {
        return vec3<f32>(0.0);
    }
    let direction = SUPPORT_DIRECTIONS[slot];
    return cross(normal, u) * direction.x - u * direction.y;
}

// How far a box of this size reaches from any point of it along an axis.
fn reach_along(axis: vec3<f32>, size: vec3<f32>) -> f32 {
    return dot(abs(axis), size);
}
