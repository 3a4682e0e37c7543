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

// A cross product. Its parts, and all sums here that are added to something, are kept: drivers put a difference that is added into two sums.
fn cross_kept(a: vec3<f32>, b: vec3<f32>) -> vec3<f32> {
    return kept_vector(kept_vector(a.yzx * b.zxy) - kept_vector(a.zxy * b.yzx));
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
    let rise = kept_pair(kept_pair(vec2<f32>(dot(cap.normal, held.u) / held.stretch, dot(cap.normal, held.w) * held.stretch)) / -steep);
    let raised = kept_pair(vec2<f32>(rim.xx * rise.x + rim.xy * rise.y, rim.yx * rise.x + rim.yy * rise.y));
    return Sides(
        lifted(held, rim.flux),
        lifted(held, kept_pair(kept_pair(rim.flux * height) + raised)),
        kept(rim.yx / held.ratio - rim.xy * held.ratio),
    );
}

// What curvature and bend do to the energy: by the round contact's curvature, and by the stretch of the places.
fn add_bend(slopes: ptr<function, Slopes>, pair: FacetPair, held: Held, load: Load, both: Rim, energy: f32) {
    if (held.plane.bend == 0.0) {
        return;
    }
    let of_oval = oval_slopes(pair, held.plane.curvature, held.plane.bend, held.ratio);
    let by_curvature = kept(2.0 * energy - kept(held.plane.overlap * load.force.x));
    let by_ratio = kept(0.5 * (both.xx - both.yy));
    (*slopes).curvature = kept(kept(by_curvature * of_oval.curvature.x) + kept(by_ratio * of_oval.ratio.x));
    (*slopes).bend = kept(kept(by_curvature * of_oval.curvature.y) + kept(by_ratio * of_oval.ratio.y));
}

// How a swell changes as the contact's centre moves along the triangle, and with the spread of the disc.
struct Swelling {
    along: vec3<f32>,
    by_disc: f32,
}

// By how much the height over a facet changes with a part of a corner, of the other two parts and the ordinates of the sides to these.
fn by_part(next: f32, last: f32, of_next: vec2<f32>, of_last: vec2<f32>, middle: f32) -> f32 {
    let sides = kept(kept(next * kept(kept(of_next.x) + kept(of_next.y))) + kept(last * kept(kept(of_last.x) + kept(of_last.y))));
    return kept(kept(3.0 * sides) + kept(kept(next * last) * middle));
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
    let middle = kept(6.0 * cap.swell_middle);
    let by_x = by_part(y, z, vec2<f32>(2.0 * x * cap.swell.x, y * cap.swell.y), vec2<f32>(z * cap.swell_last.x, 2.0 * x * cap.swell_last.y), middle);
    let by_y = by_part(z, x, vec2<f32>(2.0 * y * cap.swell.z, z * cap.swell.w), vec2<f32>(x * cap.swell.x, 2.0 * y * cap.swell.y), middle);
    let by_z = by_part(x, y, vec2<f32>(2.0 * z * cap.swell_last.x, x * cap.swell_last.y), vec2<f32>(y * cap.swell.z, 2.0 * z * cap.swell.w), middle);
    let by_s = kept(by_y - by_x);
    let by_t = kept(by_z - by_x);
    let way_s = kept_vector(cross_kept(kept_vector(cap.corners[2] - cap.corners[0]), at.twice) / at.whole);
    let way_t = kept_vector(cross_kept(at.twice, kept_vector(cap.corners[1] - cap.corners[0])) / at.whole);
    let by_weight = kept(kept(by_s * at.s) + kept(by_t * at.t));
    swelling.along = kept_vector(kept_vector(kept_vector(way_s * by_s) + kept_vector(way_t * by_t)) * at.weight);
    let room = cap.spread + disc_of(plane);
    if (cap.spread / room < 1.0 / max(3.0 * max(max(at.s + at.t, -at.s), -at.t), 1.0)) {
        swelling.by_disc = kept(kept(-by_weight * at.weight) / room);
        return swelling;
    }
    // The side that the pole is farthest beyond.
    var way = kept_vector(way_s + way_t);
    if (-at.s > at.s + at.t && -at.s >= -at.t) {
        way = -way_s;
    } else if (-at.t > at.s + at.t) {
        way = -way_t;
    }
    swelling.along = kept_vector(swelling.along - kept_vector(way * kept(kept(3.0 * at.weight) * at.weight * by_weight)));
    return swelling;
}

fn add_swells(slopes: ptr<function, Slopes>, a: Cap, b: Cap, bent: Plane) {
    let force = (*slopes).overlap;
    let of_a = swelling_of(a, bent);
    let of_b = swelling_of(b, bent);
    (*slopes).center = kept_vector((*slopes).center + kept_vector(of_a.along * force) + kept_vector(of_b.along * force));
    (*slopes).shift = kept_vector((*slopes).shift - kept_vector(of_b.along * force));
    if (bent.overlap > 0.0) {
        let by_disc = kept(kept(kept(of_a.by_disc + of_b.by_disc) * force) * kept(disc_of(bent)));
        (*slopes).overlap = kept((*slopes).overlap + kept(by_disc / bent.overlap));
        (*slopes).curvature = kept((*slopes).curvature - kept(by_disc / bent.curvature));
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
    return kept_vector(kept_vector(cap.ridge * kept(dot(cap.ridge, x))) - kept_vector(valley * kept(dot(valley, x))));
}

fn by_steep_way(bending: Bending, by_steep: vec2<f32>) -> ByTensor {
    let xx = kept(bending.of_a.xx + bending.of_b.xx);
    let odd = kept(bending.of_a.xy + bending.of_b.xy);
    let yy = kept(bending.of_a.yy + bending.of_b.yy);
    let even = kept(0.5 * (xx - yy));
    let size = bending.plane.bend;
    let way = kept_pair(kept_pair(bending.way) / kept(sqrt(square(bending.way))));
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
    let along = kept_vector(kept_vector(u * by_pull.x) + kept_vector(w * by_pull.y));
    let slope = kept_vector(saddle.slope);
    let place = kept_vector(tensor_times(cap, along) - kept_vector(slope * force));
    let across_normal = tensor_times(cap, normal);
    let low = kept_pair(vec2<f32>(dot(u, across_normal), dot(w, across_normal)));
    let bent = kept_pair(vec2<f32>(by.xx * low.x + by.xy * low.y, by.xy * low.x + by.yy * low.y));
    let tilt = kept_pair(by_pull * -kept(dot(normal, slope))) - bent * 2.0;
    return ByCap(place, kept_pair(tilt));
}

fn add_shape(slopes: ptr<function, Slopes>, bending: Bending, spheres: Plane, a: Cap, b: Cap, pole: vec3<f32>) -> Places {
    let u = bending.u;
    let w = bending.w;
    let normal = spheres.normal;
    let shift = bending.shift;
    let lean = kept_pair(bending.lean);
    let force = (*slopes).overlap;
    let half = 0.5 * (*slopes).curvature;
    var by = ByTensor(half, 0.0, half);
    var by_normal = vec3<f32>(0.0);
    if (bending.plane.bend > 0.0) {
        let side = cross_kept(kept_vector(bending.plane.steep), kept_vector(bending.plane.normal));
        let by_steep = kept_vector(kept_vector(bending.plane.steep * (*slopes).bend) - kept_vector(side * kept((*slopes).turn / bending.plane.bend)));
        let way = kept_pair(kept_pair(bending.way) * kept(bending.plane.bend / kept(sqrt(square(bending.way)))));
        let steep = kept_vector(u * way.x + w * way.y);
        (*slopes).normal = kept_vector((*slopes).normal - kept_vector(by_steep * kept(dot(bending.plane.normal, steep))));
        by_normal = -kept_vector(steep * kept(dot(normal, by_steep)));
        let more = by_steep_way(bending, kept_pair(vec2<f32>(dot(u, by_steep), dot(w, by_steep))));
        by = ByTensor(kept(by.xx + more.xx), more.xy, kept(by.yy + more.yy));
    }
    let lean_w = kept_vector(u * lean.x + w * lean.y);
    let shift_w = kept_vector(u * shift.x + w * shift.y);
    let tilted = kept_vector(normal + lean_w);
    let level = kept_vector((*slopes).normal - kept_vector(bending.plane.normal * kept(dot(bending.plane.normal, (*slopes).normal))));
    let by_lean_w = kept_vector(level / sqrt(dot(tilted, tilted)));
    by_normal = kept_vector(kept_vector(by_normal + by_lean_w) - kept_vector(lean_w * kept(dot(normal, by_lean_w))));
    by_normal = kept_vector(by_normal - kept_vector(shift_w * kept(dot(normal, (*slopes).center))));
    let by_lean = kept_pair(vec2<f32>(dot(u, by_lean_w), dot(w, by_lean_w)));
    let at_lean = kept_pair(vec2<f32>(
        bending.of_a.xx * by_lean.x + bending.of_a.xy * by_lean.y,
        bending.of_a.xy * by_lean.x + bending.of_a.yy * by_lean.y,
    ));
    let by_center = kept_pair(vec2<f32>(dot(u, (*slopes).center), dot(w, (*slopes).center)));
    let by_shift = kept_pair(kept_pair(by_center + kept_pair(by_lean * a.curvature)) + at_lean);
    let xx = kept(bending.of_a.xx + bending.of_b.xx);
    let xy = kept(bending.of_a.xy + bending.of_b.xy);
    let yy = kept(bending.of_a.yy + bending.of_b.yy);
    let steep_x = kept(spheres.curvature + xx);
    let steep_y = kept(spheres.curvature + yy);
    let determinant = kept(kept(steep_x * steep_y) - kept(xy * xy));
    let back = kept_pair(vec2<f32>(
        (steep_y * by_shift.x - xy * by_shift.y) / determinant,
        (steep_x * by_shift.y - xy * by_shift.x) / determinant,
    ));
    let by_pull = kept_pair(-back - kept_pair(shift * force));
    let from_shift = kept_pair(kept_pair(shift * (0.5 * force)) + back);
    by.xx = kept(by.xx - kept(from_shift.x * shift.x));
    by.xy = kept(by.xy - kept(0.5 * (from_shift.x * shift.y + from_shift.y * shift.x)));
    by.yy = kept(by.yy - kept(from_shift.y * shift.y));
    let by_a = ByTensor(
        kept(by.xx + kept(by_lean.x * shift.x)),
        kept(by.xy + kept(0.5 * (by_lean.x * shift.y + by_lean.y * shift.x))),
        kept(by.yy + kept(by_lean.y * shift.y)),
    );
    let on_a = by_cap(a, bending.of_a, normal, u, w, kept_pair(by_pull + by_lean), by_a, force);
    let on_b = by_cap(b, bending.of_b, normal, u, w, by_pull, by, force);
    let about = kept(kept(kept(turn_of(bending.of_b.pull, by_pull)) + kept(2.0 * kept(by.yy - by.xx) * bending.of_b.xy))
        + kept(2.0 * by.xy * kept(bending.of_b.xx - bending.of_b.yy)));
    let tilt_a = kept_vector(u * on_a.tilt.x + w * on_a.tilt.y);
    let tilt_b = kept_vector(u * on_b.tilt.x + w * on_b.tilt.y);
    (*slopes).normal = kept_vector(kept_vector(by_normal + tilt_a) + tilt_b);
    let turned = kept_vector(kept_vector((*slopes).spin + cross_kept(tilt_b, normal)) + kept_vector(normal * about));
    (*slopes).spin = kept_vector(turned - cross_kept(pole, on_b.place));
    (*slopes).shift = kept_vector((*slopes).shift - on_b.place);
    return Places(on_a.place, on_b.place);
}

// From the plane of two spheres to how B moves.
fn add_spheres(slopes: ptr<function, Slopes>, places: Places, spheres: Plane, a: Cap, b: Cap, center: vec3<f32>) {
    let ka = a.curvature;
    let kb = b.curvature;
    let normal = spheres.normal;
    let overlap = kept(spheres.overlap);
    let d = kept(spheres.curvature - kept(ka * kb * overlap));
    let below = kept(kept(overlap * ka) * kept(2.0 - kb * overlap) / (2.0 * d));
    let lower = kept(kept(kept(ka * kept(1.0 - kb * overlap)) + kept(below * ka * kb)) / d);
    let by_overlap = kept((*slopes).overlap - kept(dot(normal, places.on_b)) - kept(dot(normal, (*slopes).center) * lower));
    let by_normal = kept_vector(kept_vector((*slopes).normal - kept_vector(places.on_b * overlap)) - kept_vector((*slopes).center * below));
    let by_places = kept_vector(kept_vector(places.on_a + places.on_b) + (*slopes).center);
    let by_pole = kept_vector(by_places + kept_vector(by_normal * ka));
    let level = kept_vector(kept_vector(by_pole - kept_vector(normal * kept(dot(normal, by_pole)))) / d);
    let by_velocity = kept_vector(kept_vector(level * kb) - kept_vector(normal * by_overlap));
    let reach = kept(1.0 - kept(kept(kb * kb * overlap) * kept(2.0 - ka * overlap) / (2.0 * d)));
    (*slopes).shift = kept_vector((*slopes).shift + by_velocity);
    let turned = kept_vector((*slopes).spin + cross_kept(center, by_velocity));
    (*slopes).spin = kept_vector(turned + cross_kept(normal, kept_vector(level * reach)));
}

fn wrench_of(pair: FacetPair, a: Cap, b: Cap, held: Held, curvature: f32, load: Load) -> Wrench {
    if (pair.law == LAW_JKR) {
        let first = kept_vector(kept_vector(held.u / held.stretch) * load.first.x + kept_vector(held.w * held.stretch) * load.first.y);
        return Wrench(held.plane.normal * load.force.x, cross_kept(kept_vector(first * held.contact), held.plane.normal), 0.0);
    }
    let stored = stored_of(pair, curvature);
    let wide = held.contact * held.contact;
    var powers = 5.0;
    if (pair.law == LAW_LINEAR) {
        powers = 6.0;
    }
    let out = both_rims(load.rim_a, load.rim_b);
    let energy = kept(kept(kept(stored * wide) * kept(load.force.x + kept(out.xx + out.yy))) / powers);
    let rim_a = scaled_rim(load.rim_a, stored * held.contact, stored * wide);
    let rim_b = scaled_rim(load.rim_b, stored * held.contact, stored * wide);
    let of_a = sides_of(held, a, rim_a);
    let of_b = sides_of(held, b, rim_b);
    var slopes: Slopes;
    slopes.overlap = load.force.x;
    slopes.normal = -kept_vector(of_a.raised + of_b.raised);
    slopes.center = -kept_vector(of_a.flux + of_b.flux);
    slopes.turn = -kept(of_a.turned + of_b.turned);
    slopes.shift = of_b.flux;
    slopes.spin = kept_vector(kept_vector(held.plane.normal * of_b.turned) + cross_kept(held.plane.normal, of_b.raised));
    var spheres = held.plane;
    var places: Places;
    if (!is_round(a, b)) {
        let found = spheres_between(a, b);
        let bending = bending_of(found, a, b);
        spheres = found.plane;
        add_bend(&slopes, pair, held, load, both_rims(rim_a, rim_b), energy);
        add_swells(&slopes, a, b, bending.plane);
        if (bending.is_bent) {
            let pole = kept_vector(kept_vector(b.apex + kept_vector(found.arm_b)) - kept_vector(held.plane.center));
            places = add_shape(&slopes, bending, spheres, a, b, pole);
        }
    }
    add_spheres(&slopes, places, spheres, a, b, kept_vector(kept_vector(spheres.center) - kept_vector(held.plane.center)));
    return Wrench(-slopes.shift, -slopes.spin, energy);
}

fn scaled_rim(rim: Rim, flux: f32, moment: f32) -> Rim {
    return Rim(kept_pair(rim.flux * flux), kept(rim.xx * moment), kept(rim.xy * moment), kept(rim.yx * moment), kept(rim.yy * moment));
}
