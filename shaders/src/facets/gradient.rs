//! What two caps do to each other, from the energy that they hold: the twin of `gradient.wgsl`.

use glam::{Vec2, Vec3};

use super::integral::{Load, Rim, both_rims};
use super::layout::{FacetPair, law};
use super::place::Cap;
use super::plane::{
    Bending, Bent, Plane, Saddle, bending_of, disc_of, is_round, spheres_between, swell_place, swells,
};
use super::polygon::{square, turn_of};
use super::pressure::{oval_slopes, stored_of};

/// A force on B, its moment about the plane's centre, and the energy whose slopes they are.
pub struct Wrench {
    pub force: Vec3,
    pub moment: Vec3,
    pub energy: f32,
}

/// A contact in its plane: the plane's axes, the round contact's radius, how places are stretched from it.
pub struct Held {
    pub plane: Plane,
    pub u: Vec3,
    pub w: Vec3,
    pub contact: f32,
    pub ratio: f32,
    pub stretch: f32,
}

struct Slopes {
    overlap: f32,
    curvature: f32,
    bend: f32,
    turn: f32,
    normal: Vec3,
    center: Vec3,
    shift: Vec3,
    spin: Vec3,
}

struct Sides {
    flux: Vec3,
    raised: Vec3,
    turned: f32,
}

fn cross(a: Vec3, b: Vec3) -> Vec3 {
    Vec3::new(a.y, a.z, a.x) * Vec3::new(b.z, b.x, b.y) - Vec3::new(a.z, a.x, a.y) * Vec3::new(b.y, b.z, b.x)
}

fn lifted(held: &Held, x: Vec2) -> Vec3 {
    held.u * (held.stretch * x.x) + held.w * (x.y / held.stretch)
}

fn flat(u: Vec3, w: Vec3, x: Vec3) -> Vec2 {
    Vec2::new(u.dot(x), w.dot(x))
}

fn sides_of(held: &Held, cap: &Cap, rim: &Rim) -> Sides {
    let steep = cap.normal.dot(held.plane.normal);
    let height = cap.normal.dot(cap.corners[0] - held.plane.center) / steep;
    let rise =
        Vec2::new(cap.normal.dot(held.u) / held.stretch, cap.normal.dot(held.w) * held.stretch) / -steep;
    let raised = Vec2::new(rim.xx * rise.x + rim.xy * rise.y, rim.yx * rise.x + rim.yy * rise.y);
    Sides {
        flux: lifted(held, rim.flux),
        raised: lifted(held, rim.flux * height + raised),
        turned: rim.yx / held.ratio - rim.xy * held.ratio,
    }
}

fn add_bend(slopes: &mut Slopes, pair: &FacetPair, held: &Held, load: &Load, both: &Rim, energy: f32) {
    if held.plane.bend == 0.0 {
        return;
    }
    let of_oval = oval_slopes(pair, held.plane.curvature, held.plane.bend, held.ratio);
    let by_curvature = 2.0 * energy - held.plane.overlap * load.force.x;
    let by_ratio = 0.5 * (both.xx - both.yy);
    slopes.curvature = by_curvature * of_oval.curvature.x + by_ratio * of_oval.ratio.x;
    slopes.bend = by_curvature * of_oval.curvature.y + by_ratio * of_oval.ratio.y;
}

struct Swelling {
    along: Vec3,
    by_disc: f32,
}

fn swelling_of(cap: &Cap, plane: &Plane) -> Swelling {
    if !swells(cap) {
        return Swelling { along: Vec3::ZERO, by_disc: 0.0 };
    }
    let at = swell_place(cap, plane);
    let (x, y, z) = (at.parts.x, at.parts.y, at.parts.z);
    let (side, last, middle) = (cap.swell, cap.swell_last, 6.0 * cap.swell_middle);
    let by_x =
        3.0 * (y * (2.0 * x * side.x + y * side.y) + z * (z * last.x + 2.0 * x * last.y)) + y * z * middle;
    let by_y =
        3.0 * (z * (2.0 * y * side.z + z * side.w) + x * (x * side.x + 2.0 * y * side.y)) + x * z * middle;
    let by_z =
        3.0 * (x * (2.0 * z * last.x + x * last.y) + y * (y * side.z + 2.0 * z * side.w)) + x * y * middle;
    let (by_s, by_t) = (by_y - by_x, by_z - by_x);
    let way_s = cross(cap.corners[2] - cap.corners[0], at.twice) / at.whole;
    let way_t = cross(at.twice, cap.corners[1] - cap.corners[0]) / at.whole;
    let by_weight = by_s * at.s + by_t * at.t;
    let along = (way_s * by_s + way_t * by_t) * at.weight;
    let room = cap.spread + disc_of(plane);
    if cap.spread / room < 1.0 / (3.0 * (at.s + at.t).max(-at.s).max(-at.t)).max(1.0) {
        return Swelling { along, by_disc: -by_weight * at.weight / room };
    }
    let mut way = way_s + way_t;
    if -at.s > at.s + at.t && -at.s >= -at.t {
        way = -way_s;
    } else if -at.t > at.s + at.t {
        way = -way_t;
    }
    Swelling { along: along - way * (3.0 * at.weight * at.weight * by_weight), by_disc: 0.0 }
}

fn add_swells(slopes: &mut Slopes, a: &Cap, b: &Cap, bent: &Plane) {
    let force = slopes.overlap;
    let (of_a, of_b) = (swelling_of(a, bent), swelling_of(b, bent));
    slopes.center = slopes.center + of_a.along * force + of_b.along * force;
    slopes.shift -= of_b.along * force;
    if bent.overlap > 0.0 {
        let by_disc = (of_a.by_disc + of_b.by_disc) * force * disc_of(bent);
        slopes.overlap += by_disc / bent.overlap;
        slopes.curvature -= by_disc / bent.curvature;
    }
}

/// By how much the energy changes with a symmetric tensor, each of its parts counted as often as it is there.
#[derive(Clone, Copy)]
struct ByTensor {
    xx: f32,
    xy: f32,
    yy: f32,
}

/// What the places of the spheres' axis on both surfaces do.
struct Places {
    on_a: Vec3,
    on_b: Vec3,
}

fn tensor_times(cap: &Cap, x: Vec3) -> Vec3 {
    let valley = cap.axis.cross(cap.ridge);
    cap.ridge * cap.ridge.dot(x) - valley * valley.dot(x)
}

fn by_steep_way(bent: &Bent, size: f32, by_steep: Vec2) -> ByTensor {
    let (xx, yy) = (bent.of_a.xx + bent.of_b.xx, bent.of_a.yy + bent.of_b.yy);
    let odd = bent.of_a.xy + bent.of_b.xy;
    let even = 0.5 * (xx - yy);
    let way = bent.way / square(bent.way).sqrt();
    let longer = way.dot(by_steep);
    let turned = 0.5 * turn_of(way, by_steep);
    let by_even = (longer * even - turned * odd) / size;
    let by_odd = (longer * odd + turned * even) / size;
    ByTensor { xx: 0.5 * by_even, xy: 0.5 * by_odd, yy: -0.5 * by_even }
}

/// What a cap's tensor, place and tilt in the spheres' plane do.
struct ByCap {
    place: Vec3,
    tilt: Vec2,
}

fn by_cap(
    (cap, saddle): (&Cap, &Saddle),
    [normal, u, w]: [Vec3; 3],
    by_pull: Vec2,
    by: &ByTensor,
    force: f32,
) -> ByCap {
    let place = tensor_times(cap, u * by_pull.x + w * by_pull.y) - saddle.slope * force;
    let low = flat(u, w, tensor_times(cap, normal));
    let bent = Vec2::new(by.xx * low.x + by.xy * low.y, by.xy * low.x + by.yy * low.y);
    ByCap { place, tilt: by_pull * -normal.dot(saddle.slope) - bent * 2.0 }
}

fn add_shape(
    slopes: &mut Slopes,
    (plane, bent): (&Plane, &Bent),
    spheres: &Plane,
    [a, b]: [&Cap; 2],
    pole: Vec3,
) -> Places {
    let Bent { u, w, shift, lean, of_a, of_b, .. } = *bent;
    let normal = spheres.normal;
    let force = slopes.overlap;
    let half = 0.5 * slopes.curvature;
    let mut by = ByTensor { xx: half, xy: 0.0, yy: half };
    let mut by_normal = Vec3::ZERO;
    if plane.bend > 0.0 {
        let side = cross(plane.steep, plane.normal);
        let by_steep = plane.steep * slopes.bend - side * (slopes.turn / plane.bend);
        let way = bent.way * (plane.bend / square(bent.way).sqrt());
        let steep = u * way.x + w * way.y;
        slopes.normal -= by_steep * plane.normal.dot(steep);
        by_normal = -(steep * normal.dot(by_steep));
        let more = by_steep_way(bent, plane.bend, flat(u, w, by_steep));
        by = ByTensor { xx: by.xx + more.xx, xy: more.xy, yy: by.yy + more.yy };
    }
    let lean_w = u * lean.x + w * lean.y;
    let shift_w = u * shift.x + w * shift.y;
    let tilted = normal + lean_w;
    let level = slopes.normal - plane.normal * plane.normal.dot(slopes.normal);
    let by_lean_w = level / tilted.dot(tilted).sqrt();
    by_normal = by_normal + by_lean_w - lean_w * normal.dot(by_lean_w);
    by_normal -= shift_w * normal.dot(slopes.center);
    let by_lean = flat(u, w, by_lean_w);
    let at_lean =
        Vec2::new(of_a.xx * by_lean.x + of_a.xy * by_lean.y, of_a.xy * by_lean.x + of_a.yy * by_lean.y);
    let by_shift = flat(u, w, slopes.center) + by_lean * a.curvature + at_lean;
    let (xx, xy, yy) = (of_a.xx + of_b.xx, of_a.xy + of_b.xy, of_a.yy + of_b.yy);
    let (steep_x, steep_y) = (spheres.curvature + xx, spheres.curvature + yy);
    let determinant = steep_x * steep_y - xy * xy;
    let back = Vec2::new(
        (steep_y * by_shift.x - xy * by_shift.y) / determinant,
        (steep_x * by_shift.y - xy * by_shift.x) / determinant,
    );
    let by_pull = -back - shift * force;
    let from_shift = shift * (0.5 * force) + back;
    by.xx -= from_shift.x * shift.x;
    by.xy -= 0.5 * (from_shift.x * shift.y + from_shift.y * shift.x);
    by.yy -= from_shift.y * shift.y;
    let by_a = ByTensor {
        xx: by.xx + by_lean.x * shift.x,
        xy: by.xy + 0.5 * (by_lean.x * shift.y + by_lean.y * shift.x),
        yy: by.yy + by_lean.y * shift.y,
    };
    let on_a = by_cap((a, &of_a), [normal, u, w], by_pull + by_lean, &by_a, force);
    let on_b = by_cap((b, &of_b), [normal, u, w], by_pull, &by, force);
    let about =
        turn_of(of_b.pull, by_pull) + 2.0 * (by.yy - by.xx) * of_b.xy + 2.0 * by.xy * (of_b.xx - of_b.yy);
    let tilt_a = u * on_a.tilt.x + w * on_a.tilt.y;
    let tilt_b = u * on_b.tilt.x + w * on_b.tilt.y;
    slopes.normal = by_normal + tilt_a + tilt_b;
    slopes.spin = slopes.spin + cross(tilt_b, normal) + normal * about - cross(pole, on_b.place);
    slopes.shift -= on_b.place;
    Places { on_a: on_a.place, on_b: on_b.place }
}

fn add_spheres(slopes: &mut Slopes, places: &Places, spheres: &Plane, [a, b]: [&Cap; 2], center: Vec3) {
    let (ka, kb) = (a.curvature, b.curvature);
    let (normal, overlap) = (spheres.normal, spheres.overlap);
    let d = spheres.curvature - ka * kb * overlap;
    let below = overlap * ka * (2.0 - kb * overlap) / (2.0 * d);
    let lower = (ka * (1.0 - kb * overlap) + below * ka * kb) / d;
    let by_overlap = slopes.overlap - normal.dot(places.on_b) - normal.dot(slopes.center) * lower;
    let by_normal = slopes.normal - places.on_b * overlap - slopes.center * below;
    let by_pole = places.on_a + places.on_b + slopes.center + by_normal * ka;
    let level = (by_pole - normal * normal.dot(by_pole)) / d;
    let by_velocity = level * kb - normal * by_overlap;
    let reach = 1.0 - kb * kb * overlap * (2.0 - ka * overlap) / (2.0 * d);
    slopes.shift += by_velocity;
    slopes.spin = slopes.spin + cross(center, by_velocity) + cross(normal, level * reach);
}

/// What B is pushed by, of a contact whose round one has this curvature.
pub fn wrench_of(pair: &FacetPair, caps: [&Cap; 2], held: &Held, curvature: f32, load: &Load) -> Wrench {
    let [a, b] = caps;
    if pair.law == law::JKR {
        let first = (held.u / held.stretch) * load.first.x + (held.w * held.stretch) * load.first.y;
        return Wrench {
            force: held.plane.normal * load.force.x,
            moment: cross(first * held.contact, held.plane.normal),
            energy: 0.0,
        };
    }
    let stored = stored_of(pair, curvature);
    let wide = held.contact * held.contact;
    let powers = if pair.law == law::LINEAR { 6.0 } else { 5.0 };
    let out = both_rims(&load.rim_a, &load.rim_b);
    let energy = stored * wide * (load.force.x + (out.xx + out.yy)) / powers;
    let [rim_a, rim_b] =
        [&load.rim_a, &load.rim_b].map(|rim| scaled_rim(rim, stored * held.contact, stored * wide));
    let (of_a, of_b) = (sides_of(held, a, &rim_a), sides_of(held, b, &rim_b));
    let mut slopes = Slopes {
        overlap: load.force.x,
        curvature: 0.0,
        bend: 0.0,
        turn: -(of_a.turned + of_b.turned),
        normal: -(of_a.raised + of_b.raised),
        center: -(of_a.flux + of_b.flux),
        shift: of_b.flux,
        spin: held.plane.normal * of_b.turned + cross(held.plane.normal, of_b.raised),
    };
    let mut spheres = held.plane;
    let mut places = Places { on_a: Vec3::ZERO, on_b: Vec3::ZERO };
    if !is_round(a, b) {
        let found = spheres_between(a, b);
        let Bending { plane, of } = bending_of(&found, a, b);
        spheres = found.plane;
        add_bend(&mut slopes, pair, held, load, &both_rims(&rim_a, &rim_b), energy);
        add_swells(&mut slopes, a, b, &plane);
        if let Some(bent) = &of {
            let pole = b.apex + found.arm_b - held.plane.center;
            places = add_shape(&mut slopes, (&plane, bent), &spheres, caps, pole);
        }
    }
    add_spheres(&mut slopes, &places, &spheres, caps, spheres.center - held.plane.center);
    Wrench { force: -slopes.shift, moment: -slopes.spin, energy }
}

fn scaled_rim(rim: &Rim, flux: f32, moment: f32) -> Rim {
    Rim {
        flux: rim.flux * flux,
        xx: rim.xx * moment,
        xy: rim.xy * moment,
        yx: rim.yx * moment,
        yy: rim.yy * moment,
    }
}
