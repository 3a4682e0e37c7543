// Where two spheres meet: see `ContactPlane` of tactum-geometry for the equations.

struct Plane {
    kind: u32,
    normal: vec3<f32>,
    center: vec3<f32>,
    overlap: f32,
    curvature: f32,
}

// How high above the plane of one triangle another is at least.
fn least_height(over: Cap, of_cap: Cap) -> f32 {
    let h0 = dot(of_cap.corners[0] - over.corners[0], over.normal);
    let h1 = dot(of_cap.corners[1] - over.corners[0], over.normal);
    let h2 = dot(of_cap.corners[2] - over.corners[0], over.normal);
    return min(min(h0, h1), h2);
}

// The largest coordinate of a corner.
fn largest(cap: Cap) -> f32 {
    let most = max(max(abs(cap.corners[0]), abs(cap.corners[1])), abs(cap.corners[2]));
    return max(max(most.x, most.y), most.z);
}

// What stands in the place of a plane where there is none: triangles that lie on each other are refused, unless all of one is before the other's plane.
fn no_plane(a: Cap, b: Cap) -> Plane {
    var plane: Plane;
    plane.kind = PLANE_NONE;
    let room = APART * (largest(a) + largest(b));
    if (dot(a.normal, b.normal) <= -OPPOSED && max(least_height(a, b), least_height(b, a)) <= room) {
        plane.kind = PLANE_REFUSED;
    }
    return plane;
}

fn plane_between(a: Cap, b: Cap) -> Plane {
    let ka = a.curvature;
    let kb = b.curvature;
    let curvature = ka + kb;
    if (curvature <= TIGHT * max(ka, kb)) {
        return no_plane(a, b);
    }
    let v = b.apex - a.apex;
    let crossed = a.normal * kb - b.normal * ka;
    let m = crossed + v * (ka * kb);
    var plane: Plane;
    if (!(dot(a.normal, m) > 0.0 && dot(b.normal, m) < 0.0)) {
        plane.kind = PLANE_NONE;
        return plane;
    }
    let d = sqrt(dot(m, m));
    let normal = m / d;
    let both = a.normal + b.normal;
    let apart = dot(both, both);
    let overlap = (apart - ka * kb * dot(v, v) - 2.0 * dot(v, crossed)) / (curvature + d);
    if (max(ka, kb) * overlap >= 1.0) {
        return no_plane(a, b);
    }
    plane.kind = PLANE_MEETS;
    plane.normal = normal;
    plane.overlap = overlap;
    plane.curvature = curvature;
    if (abs(ka) >= abs(kb)) {
        let pole = a.apex + (normal - a.normal) / ka;
        plane.center = pole - normal * (overlap * ka * (2.0 - kb * overlap) / (2.0 * d));
    } else {
        let pole = b.apex - (normal + b.normal) / kb;
        plane.center = pole + normal * (overlap * kb * (2.0 - ka * overlap) / (2.0 * d));
    }
    return plane;
}

// How far a sphere falls from its tangent plane.
fn sag(curvature: f32, h: f32) -> f32 {
    let part = curvature * h;
    return curvature * h * h / (1.0 + sqrt(max(1.0 - part * part, 0.0)));
}

fn local_overlap(plane: Plane, a: Cap, b: Cap, h: f32) -> f32 {
    return plane.overlap - sag(a.curvature, h) - sag(b.curvature, h);
}

// A vector across a unit vector (Duff et al. 2017).
fn across(n: vec3<f32>) -> vec3<f32> {
    var side = 1.0;
    if (n.z < 0.0) {
        side = -1.0;
    }
    let a = -1.0 / (side + n.z);
    return vec3<f32>(1.0 + side * n.x * n.x * a, side * (n.x * n.y * a), -(side * n.x));
}
