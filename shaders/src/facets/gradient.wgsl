// What two caps do to each other, from the energy that they hold: see `gradient` of tactum-geometry. Places are from the plane's centre.

struct Wrench {
    // Force on B, and its moment about the plane's centre.
    force: vec3<f32>,
    moment: vec3<f32>,
    energy: f32,
}

// By how much the energy changes with what decides it.
struct Slopes {
    overlap: f32,
    curvature: f32,
    bend: f32,
    turn: f32,
    normal: vec3<f32>,
    center: vec3<f32>,
    shift: vec3<f32>,
    spin: vec3<f32>,
}

fn kept_vector(x: vec3<f32>) -> vec3<f32> {
    return vec3<f32>(kept(x.x), kept(x.y), kept(x.z));
}

// A cross product whose parts drivers do not put in another order.
fn cross_kept(a: vec3<f32>, b: vec3<f32>) -> vec3<f32> {
    return kept_vector(a.yzx * b.zxy) - kept_vector(a.zxy * b.yzx);
}

// A contact in its plane: the plane's axes, the round contact's radius, how places are stretched from it.
struct Held {
    plane: Plane,
    u: vec3<f32>,
    w: vec3<f32>,
    contact: f32,
    ratio: f32,
    stretch: f32,
}

// What the sides of a triangle do when they move.
struct Sides {
    flux: vec3<f32>,
    raised: vec3<f32>,
    turned: f32,
}

fn lifted(held: Held, x: vec2<f32>) -> vec3<f32> {
    return kept_vector(held.u * (held.stretch * x.x) + held.w * (x.y / held.stretch));
}

fn sides_of(held: Held, cap: Cap, rim: Rim) -> Sides {
    let steep = dot(cap.normal, held.plane.normal);
    let height = kept(dot(cap.normal, cap.corners[0] - held.plane.center) / steep);
    let rise = kept_pair(vec2<f32>(dot(cap.normal, held.u) / held.stretch, dot(cap.normal, held.w) * held.stretch) / -steep);
    let raised = kept_pair(vec2<f32>(rim.xx * rise.x + rim.xy * rise.y, rim.yx * rise.x + rim.yy * rise.y));
    return Sides(
        lifted(held, rim.flux),
        lifted(held, rim.flux * height + raised),
        kept(rim.yx / held.ratio - rim.xy * held.ratio),
    );
}

// What curvature and bend do to the energy: by the round contact's curvature, and by the stretch of the places.
fn add_bend(slopes: ptr<function, Slopes>, pair: FacetPair, held: Held, load: Load, both: Rim, energy: f32) {
    if (held.plane.bend == 0.0) {
        return;
    }
    let of_oval = oval_slopes(pair, held.plane.curvature, held.plane.bend, held.ratio);
    let by_curvature = kept(2.0 * energy - held.plane.overlap * load.force.x);
    let by_ratio = kept(0.5 * (both.xx - both.yy));
    (*slopes).curvature = kept(by_curvature * of_oval.curvature.x + by_ratio * of_oval.ratio.x);
    (*slopes).bend = kept(by_curvature * of_oval.curvature.y + by_ratio * of_oval.ratio.y);
}

// How a swell changes as the contact's centre moves along the triangle, and with the spread of the disc.
struct Swelling {
    along: vec3<f32>,
    by_disc: f32,
}

fn swelling_of(cap: Cap, plane: Plane) -> Swelling {
    var swelling: Swelling;
    if (!swells(cap)) {
        return swelling;
    }
    let at = swell_place(cap, plane);
    let x = at.parts.x;
    let y = at.parts.y;
    let z = at.parts.z;
    let middle = 6.0 * cap.swell_middle;
    let by_x = kept(3.0 * (y * (2.0 * x * cap.swell.x + y * cap.swell.y) + z * (z * cap.swell_last.x + 2.0 * x * cap.swell_last.y)) + y * z * middle);
    let by_y = kept(3.0 * (z * (2.0 * y * cap.swell.z + z * cap.swell.w) + x * (x * cap.swell.x + 2.0 * y * cap.swell.y)) + x * z * middle);
    let by_z = kept(3.0 * (x * (2.0 * z * cap.swell_last.x + x * cap.swell_last.y) + y * (y * cap.swell.z + 2.0 * z * cap.swell.w)) + x * y * middle);
    let by_s = kept(by_y - by_x);
    let by_t = kept(by_z - by_x);
    let way_s = kept_vector(cross_kept(cap.corners[2] - cap.corners[0], at.twice) / at.whole);
    let way_t = kept_vector(cross_kept(at.twice, cap.corners[1] - cap.corners[0]) / at.whole);
    let by_weight = kept(by_s * at.s + by_t * at.t);
    swelling.along = kept_vector((way_s * by_s + way_t * by_t) * at.weight);
    let room = cap.spread + disc_of(plane);
    if (cap.spread / room < 1.0 / max(3.0 * max(max(at.s + at.t, -at.s), -at.t), 1.0)) {
        swelling.by_disc = kept(-by_weight * at.weight / room);
        return swelling;
    }
    // The side that the pole is farthest beyond.
    var way = way_s + way_t;
    if (-at.s > at.s + at.t && -at.s >= -at.t) {
        way = -way_s;
    } else if (-at.t > at.s + at.t) {
        way = -way_t;
    }
    swelling.along = swelling.along - kept_vector(way * (3.0 * at.weight * at.weight * by_weight));
    return swelling;
}

fn add_swells(slopes: ptr<function, Slopes>, a: Cap, b: Cap, bent: Plane) {
    let force = (*slopes).overlap;
    let of_a = swelling_of(a, bent);
    let of_b = swelling_of(b, bent);
    (*slopes).center = (*slopes).center + kept_vector(of_a.along * force) + kept_vector(of_b.along * force);
    (*slopes).shift = (*slopes).shift - kept_vector(of_b.along * force);
    if (bent.overlap > 0.0) {
        let by_disc = kept((of_a.by_disc + of_b.by_disc) * force * disc_of(bent));
        (*slopes).overlap = kept((*slopes).overlap + by_disc / bent.overlap);
        (*slopes).curvature = kept((*slopes).curvature - by_disc / bent.curvature);
    }
}

// By how much the energy changes with a symmetric tensor, each of its parts counted as often as it is there.
struct ByTensor {
    xx: f32,
    xy: f32,
    yy: f32,
}

// What the places of the spheres' axis on both surfaces do.
struct Places {
    on_a: vec3<f32>,
    on_b: vec3<f32>,
}

fn tensor_times(cap: Cap, x: vec3<f32>) -> vec3<f32> {
    let valley = cross(cap.axis, cap.ridge);
    return kept_vector(cap.ridge * kept(dot(cap.ridge, x)) - valley * kept(dot(valley, x)));
}

fn by_steep_way(bending: Bending, by_steep: vec2<f32>) -> ByTensor {
    let xx = bending.of_a.xx + bending.of_b.xx;
    let odd = bending.of_a.xy + bending.of_b.xy;
    let yy = bending.of_a.yy + bending.of_b.yy;
    let even = 0.5 * (xx - yy);
    let size = bending.plane.bend;
    let way = kept_pair(bending.way / sqrt(square(bending.way)));
    let longer = kept(dot(way, by_steep));
    let turned = kept(0.5 * turn_of(way, by_steep));
    let by_even = kept((longer * even - turned * odd) / size);
    let by_odd = kept((longer * odd + turned * even) / size);
    return ByTensor(0.5 * by_even, 0.5 * by_odd, -0.5 * by_even);
}

// What a cap's tensor, place and tilt in the spheres' plane do.
struct ByCap {
    place: vec3<f32>,
    tilt: vec2<f32>,
}

fn by_cap(cap: Cap, saddle: Saddle, normal: vec3<f32>, u: vec3<f32>, w: vec3<f32>, by_pull: vec2<f32>, by: ByTensor, force: f32) -> ByCap {
    let place = tensor_times(cap, u * by_pull.x + w * by_pull.y) - kept_vector(saddle.slope * force);
    let across_normal = tensor_times(cap, normal);
    let low = kept_pair(vec2<f32>(dot(u, across_normal), dot(w, across_normal)));
    let bent = kept_pair(vec2<f32>(by.xx * low.x + by.xy * low.y, by.xy * low.x + by.yy * low.y));
    let tilt = kept_pair(by_pull * -kept(dot(normal, saddle.slope))) - bent * 2.0;
    return ByCap(place, kept_pair(tilt));
}

fn add_shape(slopes: ptr<function, Slopes>, bending: Bending, spheres: Plane, a: Cap, b: Cap, pole: vec3<f32>) -> Places {
    let u = bending.u;
    let w = bending.w;
    let normal = spheres.normal;
    let shift = bending.shift;
    let lean = bending.lean;
    let force = (*slopes).overlap;
    let half = 0.5 * (*slopes).curvature;
    var by = ByTensor(half, 0.0, half);
    var by_normal = vec3<f32>(0.0);
    if (bending.plane.bend > 0.0) {
        let side = cross_kept(bending.plane.steep, bending.plane.normal);
        let by_steep = kept_vector(bending.plane.steep * (*slopes).bend - side * ((*slopes).turn / bending.plane.bend));
        let way = kept_pair(bending.way * (bending.plane.bend / sqrt(square(bending.way))));
        let steep = kept_vector(u * way.x + w * way.y);
        (*slopes).normal = (*slopes).normal - kept_vector(by_steep * dot(bending.plane.normal, steep));
        by_normal = -kept_vector(steep * dot(normal, by_steep));
        let more = by_steep_way(bending, kept_pair(vec2<f32>(dot(u, by_steep), dot(w, by_steep))));
        by = ByTensor(by.xx + more.xx, more.xy, by.yy + more.yy);
    }
    let lean_w = kept_vector(u * lean.x + w * lean.y);
    let shift_w = kept_vector(u * shift.x + w * shift.y);
    let tilted = normal + lean_w;
    let level = (*slopes).normal - kept_vector(bending.plane.normal * dot(bending.plane.normal, (*slopes).normal));
    let by_lean_w = kept_vector(level / sqrt(dot(tilted, tilted)));
    by_normal = by_normal + by_lean_w - kept_vector(lean_w * dot(normal, by_lean_w));
    by_normal = by_normal - kept_vector(shift_w * dot(normal, (*slopes).center));
    let by_lean = kept_pair(vec2<f32>(dot(u, by_lean_w), dot(w, by_lean_w)));
    let at_lean = kept_pair(vec2<f32>(
        bending.of_a.xx * by_lean.x + bending.of_a.xy * by_lean.y,
        bending.of_a.xy * by_lean.x + bending.of_a.yy * by_lean.y,
    ));
    let by_center = kept_pair(vec2<f32>(dot(u, (*slopes).center), dot(w, (*slopes).center)));
    let by_shift = kept_pair(by_center + kept_pair(by_lean * a.curvature) + at_lean);
    let xx = bending.of_a.xx + bending.of_b.xx;
    let xy = bending.of_a.xy + bending.of_b.xy;
    let yy = bending.of_a.yy + bending.of_b.yy;
    let steep_x = spheres.curvature + xx;
    let steep_y = spheres.curvature + yy;
    let determinant = kept(steep_x * steep_y - xy * xy);
    let back = kept_pair(vec2<f32>(
        (steep_y * by_shift.x - xy * by_shift.y) / determinant,
        (steep_x * by_shift.y - xy * by_shift.x) / determinant,
    ));
    let by_pull = -back - kept_pair(shift * force);
    let from_shift = kept_pair(shift * (0.5 * force) + back);
    by.xx = by.xx - kept(from_shift.x * shift.x);
    by.xy = by.xy - kept(0.5 * (from_shift.x * shift.y + from_shift.y * shift.x));
    by.yy = by.yy - kept(from_shift.y * shift.y);
    let by_a = ByTensor(
        by.xx + kept(by_lean.x * shift.x),
        by.xy + kept(0.5 * (by_lean.x * shift.y + by_lean.y * shift.x)),
        by.yy + kept(by_lean.y * shift.y),
    );
    let on_a = by_cap(a, bending.of_a, normal, u, w, by_pull + by_lean, by_a, force);
    let on_b = by_cap(b, bending.of_b, normal, u, w, by_pull, by, force);
    let about = kept(turn_of(bending.of_b.pull, by_pull)) + kept(2.0 * (by.yy - by.xx) * bending.of_b.xy)
        + kept(2.0 * by.xy * (bending.of_b.xx - bending.of_b.yy));
    let tilt_a = kept_vector(u * on_a.tilt.x + w * on_a.tilt.y);
    let tilt_b = kept_vector(u * on_b.tilt.x + w * on_b.tilt.y);
    (*slopes).normal = by_normal + tilt_a + tilt_b;
    (*slopes).spin = (*slopes).spin + cross_kept(tilt_b, normal) + kept_vector(normal * about) - cross_kept(pole, on_b.place);
    (*slopes).shift = (*slopes).shift - on_b.place;
    return Places(on_a.place, on_b.place);
}

// From the plane of two spheres to how B moves.
fn add_spheres(slopes: ptr<function, Slopes>, places: Places, spheres: Plane, a: Cap, b: Cap, center: vec3<f32>) {
    let ka = a.curvature;
    let kb = b.curvature;
    let normal = spheres.normal;
    let overlap = spheres.overlap;
    let d = kept(spheres.curvature - ka * kb * overlap);
    let below = kept(overlap * ka * (2.0 - kb * overlap) / (2.0 * d));
    let lower = kept((ka * (1.0 - kb * overlap) + below * ka * kb) / d);
    let by_overlap = kept((*slopes).overlap - kept(dot(normal, places.on_b)) - kept(dot(normal, (*slopes).center) * lower));
    let by_normal = (*slopes).normal - kept_vector(places.on_b * overlap) - kept_vector((*slopes).center * below);
    let by_pole = places.on_a + places.on_b + (*slopes).center + kept_vector(by_normal * ka);
    let level = kept_vector((by_pole - kept_vector(normal * dot(normal, by_pole))) / d);
    let by_velocity = kept_vector(level * kb) - kept_vector(normal * by_overlap);
    let reach = kept(1.0 - kb * kb * overlap * (2.0 - ka * overlap) / (2.0 * d));
    (*slopes).shift = (*slopes).shift + by_velocity;
    (*slopes).spin = (*slopes).spin + cross_kept(center, by_velocity) + cross_kept(normal, level * reach);
}

fn wrench_of(pair: FacetPair, a: Cap, b: Cap, held: Held, curvature: f32, load: Load) -> Wrench {
    if (pair.law == LAW_JKR) {
        let first = (held.u / held.stretch) * load.first.x + (held.w * held.stretch) * load.first.y;
        return Wrench(held.plane.normal * load.force.x, cross_kept(first * held.contact, held.plane.normal), 0.0);
    }
    let stored = stored_of(pair, curvature);
    let wide = held.contact * held.contact;
    var powers = 5.0;
    if (pair.law == LAW_LINEAR) {
        powers = 6.0;
    }
    let out = both_rims(load.rim_a, load.rim_b);
    let energy = kept(stored * wide * (load.force.x + kept(out.xx + out.yy)) / powers);
    let rim_a = scaled_rim(load.rim_a, stored * held.contact, stored * wide);
    let rim_b = scaled_rim(load.rim_b, stored * held.contact, stored * wide);
    let of_a = sides_of(held, a, rim_a);
    let of_b = sides_of(held, b, rim_b);
    var slopes: Slopes;
    slopes.overlap = load.force.x;
    slopes.normal = -(of_a.raised + of_b.raised);
    slopes.center = -(of_a.flux + of_b.flux);
    slopes.turn = -(of_a.turned + of_b.turned);
    slopes.shift = of_b.flux;
    slopes.spin = kept_vector(held.plane.normal * of_b.turned) + cross_kept(held.plane.normal, of_b.raised);
    var spheres = held.plane;
    var places: Places;
    if (!is_round(a, b)) {
        let found = spheres_between(a, b);
        let bending = bending_of(found, a, b);
        spheres = found.plane;
        add_bend(&slopes, pair, held, load, both_rims(rim_a, rim_b), energy);
        add_swells(&slopes, a, b, bending.plane);
        if (bending.is_bent) {
            places = add_shape(&slopes, bending, spheres, a, b, b.apex + found.arm_b - held.plane.center);
        }
    }
    add_spheres(&slopes, places, spheres, a, b, spheres.center - held.plane.center);
    return Wrench(-slopes.shift, -slopes.spin, energy);
}

fn scaled_rim(rim: Rim, flux: f32, moment: f32) -> Rim {
    return Rim(rim.flux * flux, rim.xx * moment, rim.xy * moment, rim.yx * moment, rim.yy * moment);
}
