//! What two caps do to each other: how the energy between them changes when the bodies move.
//!
//! The contact of a pair holds the energy U, the integral of an energy per area u over the polygon that both triangles have in common. The force on B and its
//! moment are what U falls by when B moves by a shift and a turn: so what bodies press into each other they get back, wherever caps that differ meet in an
//! edge, and on the way over it. That is more than the pressure's force F along the normal:
//!
//! ```text
//! dU = F d(delta) + dU/dk dk + sum over the sides of the integral of u n.dy ds
//! ```
//!
//! with the places y in the plane, relative to the contact's axis, and the sides' outward normals n. Where caps tile a sphere the sides' parts of neighbours cancel, and F along the axis of
//! the spheres is all; where the curvature changes they are what it adds up to. Depth, axis and curvatures of the contact are functions of the two caps' places
//! (`ContactPlane`), whose derivatives are gone through here in reverse.

use glam::{DMat2, DVec2, DVec3};

use super::cap::{Cap, Swelling};
use super::plane::{Bending, Bent, ContactPlane};
use super::pressure::{Load, Oval, Pressure, Rim, Stored};

/// A contact in its plane.
pub(super) struct Held<'a> {
    pub caps: [&'a Cap; 2],
    pub plane: &'a ContactPlane,
    /// What the plane comes from, unless the caps are spheres.
    pub bent: Option<&'a Bent>,
    pub oval: Oval,
    /// The plane's axes, the second one along the bend.
    pub axes: [DVec3; 2],
    pub load: &'a Load,
    /// Radius of the round contact that this one is stretched from \[m\].
    pub contact: f64,
}

/// A force on B \[N\] and its moment about the plane's centre \[N m\].
#[derive(Clone, Copy, Debug)]
pub(super) struct Wrench {
    pub force: DVec3,
    pub moment: DVec3,
}

/// By how much the energy changes with what decides it, in the frame of the caps; places are from the plane's centre.
#[derive(Default)]
struct Slopes {
    /// By the overlap of the spheres with their bends \[N\].
    overlap: f64,
    /// By the sum of curvatures \[J m\], and by the bend.
    curvature: f64,
    bend: f64,
    /// By a turn of the ridge about the normal \[J\].
    turn: f64,
    /// By the plane's normal \[J\], and by its centre \[N\].
    normal: DVec3,
    center: DVec3,
    /// By a shift of B \[N\], and by a turn of it about the plane's centre \[J\], with all else where it is.
    shift: DVec3,
    spin: DVec3,
}

/// Force and moment, and the energy \[J\]; `None` for laws that have none.
pub(super) fn wrench(held: &Held<'_>, pressure: &Pressure) -> Option<(Wrench, f64)> {
    let Held { caps, plane, oval, .. } = held;
    let stored = pressure.stored(oval.curvature)?;
    let energy = energy(held, &stored);
    let stored = stored.scale;
    let mut slopes = of_sides(held, stored);
    let mut places = Places::default();
    let mut spheres = **plane;
    let from_here = |x: DVec3| x - plane.center;
    if let Some(bent) = held.bent {
        spheres = bent.spheres;
        add_bend(&mut slopes, held, pressure, stored, energy);
        add_swells(&mut slopes, bent);
        if let Some(bending) = &bent.bending {
            add_shape(&mut slopes, &mut places, (bending, &bent.plane), *caps, from_here(bent.poles[1]));
        }
    }
    add_spheres(&mut slopes, &places, *caps, &spheres, from_here(spheres.center));
    Some((Wrench { force: -slopes.shift, moment: -slopes.spin }, energy))
}

/// The energy. With u = c (a² - r²)^m, whose pressure p is 2 m u / (a² - r²), the divergence of u y is 2 u + y.grad u = (2 + 2 m) u - a² p, both but for the scale.
fn energy(held: &Held<'_>, stored: &Stored) -> f64 {
    let Held { load, contact, .. } = held;
    let out: f64 = load.rims.iter().map(|rim| rim.moment.x_axis.x + rim.moment.y_axis.y).sum();
    stored.scale * (contact * contact * load.force + out) / stored.powers
}

/// What the sides of either triangle do when they move, and the plane under them. How high a triangle lies over the plane is linear in its places.
fn of_sides(held: &Held<'_>, stored: f64) -> Slopes {
    let Held { caps, plane, oval, axes: [u, w], load, .. } = held;
    let stretch = oval.ratio.sqrt();
    let lift = |q: DVec2| *u * (stretch * q.x) + *w * (q.y / stretch);
    let mut slopes = Slopes { overlap: load.force, ..Slopes::default() };
    for (ix, (cap, rim)) in caps.iter().zip(&load.rims).enumerate() {
        // None of its sides cuts the contact.
        if *rim == Rim::default() {
            continue;
        }
        let flux = lift(rim.flux * stored);
        let moment = rim.moment * stored;
        let steep = cap.normal.dot(plane.normal);
        let height = cap.normal.dot(cap.corners[0] - plane.center) / steep;
        let rise = DVec2::new(cap.normal.dot(*u) / stretch, cap.normal.dot(*w) * stretch) / -steep;
        let raised = lift(rim.flux * (stored * height) + moment * rise);
        let turned = moment.x_axis.y / oval.ratio - moment.y_axis.x * oval.ratio;
        slopes.center -= flux;
        slopes.normal -= raised;
        slopes.turn -= turned;
        if ix == 1 {
            slopes.shift += flux;
            slopes.spin += plane.normal * turned + plane.normal.cross(raised);
        }
    }
    slopes
}

/// What curvature and bend do to the energy: by the round contact's curvature, and by the stretch of the places.
fn add_bend(slopes: &mut Slopes, held: &Held<'_>, pressure: &Pressure, stored: f64, energy: f64) {
    let Held { plane, oval, load, .. } = held;
    let bend = plane.bend.length();
    if bend == 0.0 {
        return;
    }
    let of_oval = pressure.oval_slopes(plane.curvature, bend, oval.ratio);
    // At a fixed depth and place u goes as the curvature squared times a power of a² - r².
    let by_curvature = 2.0 * energy - plane.overlap * load.force;
    let moment = load.rims[0].moment + load.rims[1].moment;
    let by_ratio = 0.5 * stored * (moment.x_axis.x - moment.y_axis.y);
    let of = |ix: usize| by_curvature * of_oval.curvature[ix] + by_ratio * of_oval.ratio[ix];
    slopes.curvature += of(0);
    slopes.bend += of(1);
}

/// What the swells at the contact's place add to the overlap.
fn add_swells(slopes: &mut Slopes, bent: &Bent) {
    let (force, plane) = (slopes.overlap, &bent.plane);
    for (ix, swelling) in bent.swellings.iter().enumerate() {
        let Some(Swelling { along, by_disc, .. }) = *swelling else { continue };
        slopes.center += along * force;
        if ix == 1 {
            slopes.shift -= along * force;
        }
        let disc = plane.disc();
        if disc > 0.0 {
            slopes.overlap += force * by_disc * disc / plane.overlap;
            slopes.curvature -= force * by_disc * disc / plane.curvature;
        }
    }
}

/// By how much the energy changes with the places of the spheres' axis on both surfaces, as the bodies see them \[N\].
#[derive(Default)]
struct Places {
    on: [DVec3; 2],
}

/// From the plane of what is curved more one way than the other to that of its spheres, see [`Bending`]. `pole` is where the spheres' axis leaves B's.
fn add_shape(
    slopes: &mut Slopes,
    places: &mut Places,
    (bending, plane): (&Bending, &ContactPlane),
    caps: [&Cap; 2],
    pole: DVec3,
) {
    let Bending { spheres, of, shift, axes: [u, w], .. } = bending;
    let normal = spheres.normal;
    let flat = |x: DVec3| DVec2::new(u.dot(x), w.dot(x));
    let space = |x: DVec2| *u * x.x + *w * x.y;
    let tensor = of[0].tensor + of[1].tensor;
    let mut by_tensor = symmetric(0.5 * slopes.curvature, 0.0, 0.5 * slopes.curvature);
    let mut by_normal = DVec3::ZERO;
    if let Some(way) = plane.bend.try_normalize() {
        let across = way.cross(plane.normal);
        let by_steep = way * slopes.bend - across * (slopes.turn / plane.bend.length());
        let steep = space(bending.steep);
        slopes.normal -= by_steep * plane.normal.dot(steep);
        by_normal -= steep * normal.dot(by_steep);
        by_tensor += by_deviator(tensor, bending.steep, flat(by_steep));
    }
    let lean = bending.lean;
    let by_lean = slopes.normal.reject_from_normalized(plane.normal) / (normal + space(lean)).length();
    by_normal += by_lean - space(lean) * normal.dot(by_lean) - space(*shift) * normal.dot(slopes.center);
    let by_lean = flat(by_lean);
    let [tensor_a, _] = of.map(|saddle| saddle.tensor);
    let by_shift = flat(slopes.center) + by_lean * caps[0].curvature + tensor_a * by_lean;
    // The overlap is greatest where the shift leads to: by what decides the shift it changes at a fixed one.
    let force = slopes.overlap;
    let back = bending.inverse * by_shift;
    let by_pull = -back - *shift * force;
    by_tensor -= outer(*shift, *shift) * (0.5 * force) + sym(outer(back, *shift));
    let of_each = [(by_pull + by_lean, by_tensor + sym(outer(by_lean, *shift))), (by_pull, by_tensor)];
    for (ix, (by_pull, by_tensor)) in of_each.into_iter().enumerate() {
        let saddle = &of[ix];
        let by_place = caps[ix].saddle(space(by_pull)) - saddle.slope * force;
        let by_tilt = by_pull * -normal.dot(saddle.slope) - by_tensor * flat(caps[ix].saddle(normal)) * 2.0;
        places.on[ix] = by_place;
        by_normal += space(by_tilt);
        if ix == 1 {
            let [xx, xy, yy] = [by_tensor.x_axis.x, by_tensor.x_axis.y, by_tensor.y_axis.y];
            let t = saddle.tensor;
            let about = saddle.pull.perp_dot(by_pull)
                + 2.0 * (yy - xx) * t.x_axis.y
                + 2.0 * xy * (t.x_axis.x - t.y_axis.y);
            slopes.spin += space(by_tilt).cross(normal) + normal * about - pole.cross(by_place);
            slopes.shift -= by_place;
        }
    }
    slopes.normal = by_normal;
}

/// By how much the energy changes with a tensor if it does so with the way in which that is largest, whose length is that of its deviator.
fn by_deviator(tensor: DMat2, steep: DVec2, by_steep: DVec2) -> DMat2 {
    let (even, odd) = (0.5 * (tensor.x_axis.x - tensor.y_axis.y), tensor.x_axis.y);
    let size = steep.length();
    let way = steep / size;
    let (longer, turned) = (way.dot(by_steep), 0.5 * way.perp_dot(by_steep));
    let by_even = (longer * even - turned * odd) / size;
    let by_odd = (longer * odd + turned * even) / size;
    symmetric(0.5 * by_even, 0.5 * by_odd, -0.5 * by_even)
}

fn symmetric(xx: f64, xy: f64, yy: f64) -> DMat2 {
    DMat2::from_cols(DVec2::new(xx, xy), DVec2::new(xy, yy))
}

fn outer(p: DVec2, q: DVec2) -> DMat2 {
    DMat2::from_cols(p * q.x, p * q.y)
}

fn sym(matrix: DMat2) -> DMat2 {
    (matrix + matrix.transpose()) * 0.5
}

/// From the plane of two spheres to how B moves. With the velocity v of B at the plane's centre c and its turn omega, D = k_a + k_b - k_a k_b delta,
///
/// ```text
/// d(delta) = -N.v,    dP = (k_b v + e omega x N) / D across N,    dN = k_a dP,
/// e = 1 - k_b² delta (2 - k_a delta) / (2 D),
/// ```
///
/// P being where the axis leaves A's sphere, and delta from there to where it leaves B's.
fn add_spheres(slopes: &mut Slopes, places: &Places, caps: [&Cap; 2], spheres: &ContactPlane, center: DVec3) {
    let [ka, kb] = caps.map(|cap| cap.curvature);
    let (normal, overlap) = (spheres.normal, spheres.overlap);
    let d = spheres.span(caps);
    let [on_a, on_b] = places.on;
    // The centre is this far below P.
    let below = overlap * ka * (2.0 - kb * overlap) / (2.0 * d);
    let lower = (ka * (1.0 - kb * overlap) + below * ka * kb) / d;
    let by_overlap = slopes.overlap - normal.dot(on_b) - normal.dot(slopes.center) * lower;
    let by_normal = slopes.normal - on_b * overlap - slopes.center * below;
    let by_pole = on_a + on_b + slopes.center + by_normal * ka;
    let by_pole = by_pole.reject_from_normalized(normal) / d;
    let by_velocity = by_pole * kb - normal * by_overlap;
    let reach = 1.0 - kb * kb * overlap * (2.0 - ka * overlap) / (2.0 * d);
    slopes.shift += by_velocity;
    slopes.spin += center.cross(by_velocity) + normal.cross(by_pole * reach);
}
