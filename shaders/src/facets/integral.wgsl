// Pressure over a polygon, by integrals along its sides. Lengths are in contact radii, from the axis.
//
// With the potential Psi, D(r) = Psi(r) - Psi(r0) for the polygon's nearest point r0, and theta the angle about the axis,
//
//     integral of p dA   = sum over the sides of the integral of D dtheta
//     integral of p x dA = sum over the sides of the integral of D n ds
//
// as a closed line turns by nothing about an axis that it does not go around, and goes along nothing. So nothing that two polygons
// share has to cancel, as it would from the whole disc's Psi(0). Each term of -Psi is a power of q = sqrt(1 - r^2), so that
// D = T (r^2 - r0^2) = T (q0^2 - q^2) with a quotient T of sums, which has no difference in it either. Along a side r^2 = eta^2 + s^2 and
// dtheta = eta / r^2 ds, and
//
//     integral of D dtheta = eta (integral of T ds) - r0^2 (T1 turn + eta integral of (T - T1) / r^2 ds),
//
// T1 being T at the side's nearest point: near the axis 1/r^2 is too sharp for a quadrature, and its integral is the angle. What is
// left is smooth in u = tan(asin(s / half chord) / 4), in which ten points leave 2e-6 of the longest chord, and less of shorter ones.

// What sums go by: of the pressure and of the grip.
struct Load {
    force: vec2<f32>,
    first: vec2<f32>,
    area: f32,
    // Along the sides of either triangle.
    rim_a: Rim,
    rim_b: Rim,
}

// Integrals of -Psi along sides, n being their outward normals and y the places: of n, and of n y^T, the letters being those of n and of y.
struct Rim {
    flux: vec2<f32>,
    xx: f32,
    xy: f32,
    yx: f32,
    yy: f32,
}

fn part_of_rim(rim: Rim, part: f32) -> Rim {
    return Rim(kept_pair(rim.flux * part), kept(rim.xx * part), kept(rim.xy * part), kept(rim.yx * part), kept(rim.yy * part));
}

fn both_rims(a: Rim, b: Rim) -> Rim {
    return Rim(kept_pair(a.flux + b.flux), kept(a.xx + b.xx), kept(a.xy + b.xy), kept(a.yx + b.yx), kept(a.yy + b.yy));
}

// The angle of a vector from the first axis: the arc tangent by a polynomial of degree 9 (Moshier's Cephes), good to a digit of 32
// bits. The language leaves its own less exact, and different from device to device.
fn angle_of(y: f32, x: f32) -> f32 {
    let wide = abs(x);
    let high = abs(y);
    let large = max(wide, high);
    if (large == 0.0) {
        return 0.0;
    }
    var t = min(wide, high) / large;
    var angle = 0.0;
    if (t > TAN_EIGHTH) {
        angle = 0.25 * PI;
        t = (t - 1.0) / (t + 1.0);
    }
    let z = t * t;
    angle = angle + ((((ARC_9 * z + ARC_7) * z + ARC_5) * z + ARC_3) * z * t + t);
    if (high > wide) {
        angle = 0.5 * PI - angle;
    }
    if (x < 0.0) {
        angle = PI - angle;
    }
    if (y < 0.0) {
        angle = -angle;
    }
    return angle;
}

// T of the pressure and of the grip, from q and q^2. Optimisers take a root times itself for what is below it and take common factors out of
// sums; neither is written here, so that all devices round alike.
fn quotients(profile: Profile, inner: vec2<f32>, outer: vec2<f32>) -> vec2<f32> {
    let sum = inner.x + outer.x;
    let pressure = profile.quadratic * (inner.y + outer.y) + (profile.hertz * outer.y + profile.punch) / sum
        + profile.hertz * inner.x;
    return vec2<f32>(pressure, HALF_OVER_PI / sum);
}

// Angle under which a part of a side is seen from the axis.
fn turn(eta: f32, part: vec2<f32>) -> f32 {
    return angle_of(eta * (part.y - part.x), eta * eta + part.x * part.y);
}

// The parameter u of a place along a half chord.
fn quarter_tangent(half: f32, s: f32) -> f32 {
    let t = s / (half + sqrt(max((half - s) * (half + s), 0.0)));
    return t / (1.0 + sqrt(1.0 + t * t));
}

fn along_side(profile: Profile, start: vec2<f32>, end: vec2<f32>, near_squared: f32, owner: u32) -> Load {
    let length = sqrt(square(end - start));
    let along = (end - start) / length;
    let eta = turn_of(start, end) / length;
    let ends = vec2<f32>(dot(start, along), dot(end, along));
    let q0_squared = max(1.0 - near_squared, 0.0);
    let q0 = sqrt(q0_squared);
    let outer = vec2<f32>(
        q0 * (profile.punch + q0_squared * (profile.hertz + q0 * profile.quadratic)),
        HALF_OVER_PI * q0,
    );
    let half = sqrt(max((1.0 - eta) * (1.0 + eta), 0.0));
    let part = vec2<f32>(max(ends.x, -half), min(ends.y, half));
    var turn_out = turn(eta, ends);
    var length_out = ends.y - ends.x;
    var load: Load;
    var flux = 0.0;
    // Integrals of -Psi and of -Psi s.
    var held = vec2<f32>(0.0);
    if (part.x < part.y) {
        let turn_in = turn(eta, part);
        turn_out = turn_out - turn_in;
        length_out = length_out - (part.y - part.x);
        let nearest = clamp(0.0, part.x, part.y);
        let left = max((half - nearest) * (half + nearest), 0.0);
        let at_nearest = quotients(profile, vec2<f32>(q0, q0_squared), vec2<f32>(sqrt(left), left));
        let first = quarter_tangent(half, part.x);
        let last = quarter_tangent(half, part.y);
        let middle = 0.5 * (first + last);
        let width = 0.5 * (last - first);
        var smooth_sum = vec2<f32>(0.0);
        var rest = vec2<f32>(0.0);
        for (var k = 0u; k < N_POINTS; k++) {
            let u = middle + width * POINTS[k].x;
            let w = 1.0 / (1.0 + u * u);
            let cosine = 1.0 - 8.0 * (u * u) * (w * w);
            let q = half * cosine;
            let ds = POINTS[k].y * width * (4.0 * w * q);
            let t = quotients(profile, vec2<f32>(q0, q0_squared), vec2<f32>(q, q * q));
            smooth_sum += t * ds;
            flux += t.x * (q0 - q) * (q0 + q) * ds;
            let s = half * (4.0 * u * (1.0 - u * u) * (w * w));
            let potential = q * (profile.punch + q * q * (profile.hertz + q * profile.quadratic)) * ds;
            held += vec2<f32>(potential, potential * s);
            if (near_squared > 0.0) {
                // No nearer than the nearest point, whatever the rounding.
                rest += (t - at_nearest) * (ds / max(eta * eta + s * s, near_squared));
            }
        }
        load.force = smooth_sum * eta;
        load.area = 0.5 * (eta * (part.y - part.x));
        if (near_squared > 0.0) {
            load.force = load.force - (at_nearest * turn_in + rest * eta) * near_squared;
            load.area = load.area - 0.5 * near_squared * turn_in;
        }
    }
    load.force += outer * turn_out;
    load.area += 0.5 * q0_squared * turn_out;
    flux += outer.x * length_out;
    let outward = vec2<f32>(along.y, -along.x);
    load.first = outward * flux;
    let places = kept_pair(kept_pair(outward * (eta * held.x)) + kept_pair(along * held.y));
    let rim = Rim(
        outward * held.x,
        outward.x * places.x,
        outward.x * places.y,
        outward.y * places.x,
        outward.y * places.y,
    );
    var shares = vec2<f32>(1.0, 0.0);
    if (owner == OF_SECOND) {
        shares = vec2<f32>(0.0, 1.0);
    } else if (owner == OF_BOTH) {
        shares = vec2<f32>(0.5, 0.5);
    }
    load.rim_a = part_of_rim(rim, shares.x);
    load.rim_b = part_of_rim(rim, shares.y);
    return load;
}

// The polygon's nearest point to the axis decides what is subtracted.
fn over_polygon(profile: Profile, polygon: ptr<function, Polygon>, near_squared: f32) -> Load {
    var load: Load;
    for (var i = 0u; i < (*polygon).n; i++) {
        let side = along_side(profile, (*polygon).corners[i], next_of(polygon, i), near_squared, (*polygon).owners[i]);
        load.force += side.force;
        load.first += side.first;
        load.area += side.area;
        load.rim_a = both_rims(load.rim_a, side.rim_a);
        load.rim_b = both_rims(load.rim_b, side.rim_b);
    }
    return load;
}
