// Where two spheres meet: see `ContactPlane` of tactum-geometry for the equations.

struct Plane {
    kind: u32,
    normal: vec3<f32>,
    center: vec3<f32>,
    overlap: f32,
    curvature: f32,
    // Unit vector along which the gap is most curved, and how much more than on the mean.
    steep: vec3<f32>,
    bend: f32,
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

// The plane of two spheres.
struct Spheres {
    plane: Plane,
    // From either apex to where the axis leaves its sphere.
    arm_a: vec3<f32>,
    arm_b: vec3<f32>,
}

fn is_round(a: Cap, b: Cap) -> bool {
    return all(a.ridge == vec3<f32>(0.0)) && all(b.ridge == vec3<f32>(0.0));
}

fn plane_between(a: Cap, b: Cap) -> Plane {
    let spheres = spheres_between(a, b);
    if (spheres.plane.kind != PLANE_MEETS || is_round(a, b)) {
        return spheres.plane;
    }
    let found = bending_of(spheres, a, b).plane;
    var swollen = found;
    swollen.overlap = found.overlap + (swell_at(a, found) + swell_at(b, found));
    return swollen;
}

fn spheres_between(a: Cap, b: Cap) -> Spheres {
    var spheres: Spheres;
    let ka = a.curvature;
    let kb = b.curvature;
    let curvature = ka + kb;
    if (curvature <= TIGHT * max(ka, kb)) {
        spheres.plane = no_plane(a, b);
        return spheres;
    }
    let v = b.apex - a.apex;
    let crossed = a.axis * kb - b.axis * ka;
    let m = crossed + v * (ka * kb);
    var plane: Plane;
    if (!(dot(a.axis, m) > 0.0 && dot(b.axis, m) < 0.0)) {
        plane.kind = PLANE_NONE;
        spheres.plane = plane;
        return spheres;
    }
    let d = sqrt(dot(m, m));
    let normal = m / d;
    let both = a.axis + b.axis;
    let apart = dot(both, both);
    let overlap = (apart - ka * kb * dot(v, v) - 2.0 * dot(v, crossed)) / (curvature + d);
    if (max(ka, kb) * overlap >= 1.0) {
        spheres.plane = no_plane(a, b);
        return spheres;
    }
    plane.kind = PLANE_MEETS;
    plane.normal = normal;
    plane.overlap = overlap;
    plane.curvature = curvature;
    // From either apex to where the axis leaves its sphere.
    let reach = v + normal * overlap;
    var arm_a: vec3<f32>;
    var arm_b: vec3<f32>;
    if (abs(ka) >= abs(kb)) {
        arm_a = (normal - a.axis) / ka;
        arm_b = arm_a - reach;
        let pole = a.apex + arm_a;
        plane.center = pole - normal * (overlap * ka * (2.0 - kb * overlap) / (2.0 * d));
    } else {
        let fall = (normal + b.axis) / kb;
        arm_a = reach - fall;
        arm_b = -fall;
        let pole = b.apex - fall;
        plane.center = pole + normal * (overlap * kb * (2.0 - ka * overlap) / (2.0 * d));
    }
    spheres.plane = plane;
    spheres.arm_a = arm_a;
    spheres.arm_b = arm_b;
    return spheres;
}

// The place of a cap that its swell is taken at: see `Cap::swelling` of tactum-geometry.
struct SwellPlace {
    // Parts of the corners.
    parts: vec3<f32>,
    // From the facet's middle to the contact's pole, in sides, and how much of that way it is.
    s: f32,
    t: f32,
    weight: f32,
    // The triangle's cross product, and its square.
    twice: vec3<f32>,
    whole: f32,
}

fn swells(cap: Cap) -> bool {
    return !(all(cap.swell == vec4<f32>(0.0)) && all(cap.swell_last == vec2<f32>(0.0)) && cap.swell_middle == 0.0);
}

// Mean square of how far the pressure is from the axis, one way.
fn disc_of(plane: Plane) -> f32 {
    return max(plane.overlap, 0.0) / (5.0 * plane.curvature);
}

fn swell_place(cap: Cap, plane: Plane) -> SwellPlace {
    let p = cap.corners[1] - cap.corners[0];
    let q = cap.corners[2] - cap.corners[0];
    let twice = cross(p, q);
    let whole = dot(twice, twice);
    let arm = plane.center - (cap.corners[0] + cap.corners[1] + cap.corners[2]) / 3.0;
    let s = kept(dot(cross(arm, q), twice) / whole);
    let t = kept(dot(cross(p, arm), twice) / whole);
    let beyond = 3.0 * max(max(s + t, -s), -t);
    let weight = kept(min(cap.spread / (cap.spread + disc_of(plane)), 1.0 / max(beyond, 1.0)));
    let third = 1.0 / 3.0;
    let parts = vec3<f32>(kept(third - weight * (s + t)), kept(third + weight * s), kept(third + weight * t));
    return SwellPlace(parts, s, t, weight, twice, whole);
}

fn swell_at(cap: Cap, plane: Plane) -> f32 {
    if (!swells(cap)) {
        return 0.0;
    }
    let at = swell_place(cap, plane).parts;
    let xy = kept(at.x * at.y * (at.x * cap.swell.x + at.y * cap.swell.y));
    let yz = kept(at.y * at.z * (at.y * cap.swell.z + at.z * cap.swell.w));
    let zx = kept(at.z * at.x * (at.z * cap.swell_last.x + at.x * cap.swell_last.y));
    return kept(3.0 * (xy + yz + zx) + 6.0 * at.x * at.y * at.z * cap.swell_middle);
}

// A number that drivers do not see through, so that they do not put the sums that it comes from and those that it goes into in another order.
fn kept(x: f32) -> f32 {
    return bitcast<f32>(bitcast<u32>(x) ^ params.zero);
}

fn kept_pair(x: vec2<f32>) -> vec2<f32> {
    return vec2<f32>(kept(x.x), kept(x.y));
}

// What a cap that is curved more one way than the other adds to its sphere, at a way from its apex, in a plane.
struct Saddle {
    // Its tensor.
    xx: f32,
    xy: f32,
    yy: f32,
    // The tensor times the way from the apex, in space and in the plane.
    slope: vec3<f32>,
    pull: vec2<f32>,
    // How far it is below the sphere.
    fall: f32,
}

fn saddle_of(cap: Cap, arm: vec3<f32>, u: vec3<f32>, w: vec3<f32>) -> Saddle {
    let valley = cross(cap.axis, cap.ridge);
    let ridge_way = dot(cap.ridge, arm);
    let valley_way = dot(valley, arm);
    let r = vec2<f32>(dot(cap.ridge, u), dot(cap.ridge, w));
    let v = vec2<f32>(dot(valley, u), dot(valley, w));
    return Saddle(
        kept(r.x * r.x - v.x * v.x),
        kept(r.x * r.y - v.x * v.y),
        kept(r.y * r.y - v.y * v.y),
        cap.ridge * ridge_way - valley * valley_way,
        kept_pair(r * ridge_way - v * valley_way),
        kept(0.5 * (ridge_way * ridge_way - valley_way * valley_way)),
    );
}

// Whether a contact's pole is as far from a bent cap's apex as its sphere reaches: no quadric is a surface there.
fn is_far(cap: Cap, arm: vec3<f32>) -> bool {
    return any(cap.ridge != vec3<f32>(0.0)) && cap.curvature * sqrt(dot(arm, arm)) >= 1.0;
}

// Whether a cap bends away from the body one way, and towards it the other.
fn is_saddle(cap: Cap) -> bool {
    return dot(cap.ridge, cap.ridge) > abs(cap.curvature);
}

// Whether the other may fit into a cap: see `Cap::may_fit` of tactum-geometry.
fn may_fit(cap: Cap, other: Cap) -> bool {
    return !is_saddle(cap)
        || ONE_WAY * dot(cap.ridge, cap.ridge) <= cap.curvature + other.curvature + dot(other.ridge, other.ridge);
}

// What the plane of two spheres is where their caps have none: of a saddle that the other does not fit into the spheres tell nothing.
fn unbent(spheres: Plane, a: Cap, b: Cap, fits: bool) -> Plane {
    var plane = spheres;
    if (!fits && (is_saddle(a) || is_saddle(b)) && !(a.is_flattened || b.is_flattened)) {
        plane.kind = PLANE_NONE;
    }
    return plane;
}

// What leads from the plane of two spheres to that of their caps: see `Bending` of tactum-geometry.
struct Bending {
    // Without what caps swell.
    plane: Plane,
    // Whether it is another one than the spheres'.
    is_bent: bool,
    u: vec3<f32>,
    w: vec3<f32>,
    of_a: Saddle,
    of_b: Saddle,
    shift: vec2<f32>,
    lean: vec2<f32>,
    // Along the steepest way, of no given length.
    way: vec2<f32>,
}

fn bending_of(spheres: Spheres, a: Cap, b: Cap) -> Bending {
    var bending: Bending;
    var plane = spheres.plane;
    let u = across(plane.normal);
    let w = cross(plane.normal, u);
    let of_a = saddle_of(a, spheres.arm_a, u, w);
    let of_b = saddle_of(b, spheres.arm_b, u, w);
    let xx = of_a.xx + of_b.xx;
    let xy = of_a.xy + of_b.xy;
    let yy = of_a.yy + of_b.yy;
    let half = 0.5 * (xx - yy);
    let whole = sqrt(half * half + xy * xy);
    let mean = plane.curvature + 0.5 * (xx + yy);
    if (whole > ONE_WAY * mean) {
        bending.plane = unbent(plane, a, b, may_fit(a, b) && may_fit(b, a) && ONE_WAY * whole <= mean);
        return bending;
    }
    let steep_x = plane.curvature + xx;
    let steep_y = plane.curvature + yy;
    let pull = of_a.pull + of_b.pull;
    let determinant = steep_x * steep_y - xy * xy;
    let shift = kept_pair(vec2<f32>(
        (xy * pull.y - steep_y * pull.x) / determinant,
        (xy * pull.x - steep_x * pull.y) / determinant,
    ));
    let moved = u * shift.x + w * shift.y;
    if (is_far(a, spheres.arm_a + moved) || is_far(b, spheres.arm_b + moved)) {
        bending.plane = unbent(plane, a, b, false);
        return bending;
    }
    plane.overlap = plane.overlap - (of_a.fall + of_b.fall) - 0.5 * (pull.x * shift.x + pull.y * shift.y);
    let at_pole = saddle_of(a, spheres.arm_a + moved, u, w);
    let lean = shift * a.curvature + at_pole.pull;
    let tilted = plane.normal + u * lean.x + w * lean.y;
    plane.normal = tilted / sqrt(dot(tilted, tilted));
    plane.center = plane.center + moved;
    plane.curvature = plane.curvature + 0.5 * (xx + yy);
    plane.bend = whole;
    var way = vec2<f32>(half + whole, xy);
    if (half <= 0.0) {
        way = vec2<f32>(xy, whole - half);
    }
    let along = u * way.x + w * way.y;
    let steep = along - plane.normal * dot(along, plane.normal);
    let size = sqrt(dot(steep, steep));
    if (size > 0.0) {
        plane.steep = steep / size;
    } else {
        plane.bend = 0.0;
    }
    return Bending(plane, true, u, w, of_a, of_b, shift, lean, way);
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
