//! The overlap of a ball or capsule A with a capsule B.
//!
//! Contact frame: z from A to B along the shortest line between the axes, x along the contact's longer side, the origin
//! in the middle of the overlap. There [`PolarSum`] integrates over it.

use glam::{DMat3, DVec2, DVec3};

use super::polar::{Body, PolarSum};
use crate::overlap::Overlap;
use crate::overlap::integrals::Integrals;
use crate::{Aabb, Capsule, Pose};

/// Depth over the smaller radius up to which the overlap is a lens between one surface on each side; a little below one,
/// where the smaller body's axis comes into the other.
const LENS: f64 = 0.99;

/// Times that the origin is moved to the middle of the chords through it.
const N_CENTERINGS: u32 = 3;

/// The overlap of a ball or capsule A and a capsule B; see [`crate::overlap::overlap`].
pub(in crate::overlap) fn overlap(a: &Capsule, w_from_a: &Pose, b: &Capsule, w_from_b: &Pose) -> Overlap {
    let body = |capsule: &Capsule, pose: &Pose| Body {
        center: pose.translation - w_from_a.translation,
        axis: pose.vector(DVec3::Z),
        radius: capsule.radius,
        half_length: capsule.half_length,
    };
    let bodies = [body(a, w_from_a), body(b, w_from_b)];
    let [on_a, on_b] = nearest(&bodies);
    let distance = on_a.distance(on_b);
    let depth = a.radius + b.radius - distance;
    if depth <= 0.0 {
        return Overlap::EMPTY;
    }
    let axes = bodies.map(|body| if body.half_length > 0.0 { body.axis } else { DVec3::ZERO });
    let across = axes[0].cross(axes[1]);
    let normal = (on_b - on_a)
        .try_normalize()
        .or_else(|| across.try_normalize())
        .unwrap_or_else(|| axes[1].any_orthonormal_vector());
    let w_from_contact = contact_axes(normal, axes, [a.radius, b.radius]);
    // The middle of the overlap on the line between the axes.
    let low = (-a.radius).max(distance - b.radius);
    let high = a.radius.min(distance + b.radius);
    let mut origin = on_a + 0.5 * (low + high) * normal;
    let contact_from_w = w_from_contact.transpose();
    let mut placed = bodies.map(|body| Body {
        center: contact_from_w * (body.center - origin),
        axis: contact_from_w * body.axis,
        ..body
    });
    let Some((shift, scale)) = center(&mut placed) else { return Overlap::EMPTY };
    origin += w_from_contact * shift;
    let is_lens = depth < LENS * a.radius.min(b.radius);
    let sums = PolarSum::new(placed, scale, is_lens).integrate();
    let mut points: Vec<DVec3> = sums.outline.iter().map(|&x| w_from_contact * x).collect();
    for direction in [DVec3::Z, DVec3::NEG_Z] {
        points.push(w_from_contact * (direction * exit(&placed, direction)));
    }
    // Both surfaces together are closed: half the difference of the integrals over them is either's, with less error.
    let [surface_a, surface_b] = sums.surfaces;
    let size = |capsule: &Capsule| 2.0 * (capsule.radius + capsule.half_length);
    Integrals {
        origin,
        volume: sums.volume.rotated(w_from_contact),
        gradient: w_from_contact * (0.5 * (surface_a.vector - surface_b.vector)),
        angular_gradient: w_from_contact * (0.5 * (surface_a.arms - surface_b.arms)),
        areas: [surface_a.area, surface_b.area],
        facing: [None; 2],
        bounds: bounds(&bodies, origin),
    }
    .into_overlap(&points, size(a).min(size(b)))
}

/// A box around the overlap, relative to `origin`: the common part of the boxes around the two capsules. It is a little
/// too large where the capsules meet aslant.
fn bounds(bodies: &[Body; 2], origin: DVec3) -> Aabb {
    let [a, b] = bodies.map(|body| {
        let reach = body.half_length * body.axis.abs() + body.radius;
        Aabb { min: body.center - origin - reach, max: body.center - origin + reach }
    });
    a.intersection(&b)
}

/// The nearest points of two capsules' axes (Ericson 2005, section 5.1.9).
fn nearest([a, b]: &[Body; 2]) -> [DVec3; 2] {
    let arm = a.center - b.center;
    let product = a.axis.dot(b.axis);
    let square = a.axis.cross(b.axis).length_squared();
    let unbounded = (product * b.axis.dot(arm) - a.axis.dot(arm)) / square;
    // Any point will do on parallel axes.
    let s = if unbounded.is_nan() { 0.0 } else { unbounded.clamp(-a.half_length, a.half_length) };
    let t = (b.axis.dot(arm) + s * product).clamp(-b.half_length, b.half_length);
    let s = (t * product - a.axis.dot(arm)).clamp(-a.half_length, a.half_length);
    [a.center + s * a.axis, b.center + t * b.axis]
}

/// Axes of the contact frame: `normal`, and across it first the direction in which the surfaces part most slowly, as
/// far as the axes say.
fn contact_axes(normal: DVec3, axes: [DVec3; 2], radii: [f64; 2]) -> DMat3 {
    let (u, w) = normal.any_orthonormal_pair();
    let (mut difference, mut product) = (0.0, 0.0);
    for (axis, radius) in axes.into_iter().zip(radii) {
        let across = DVec2::new(axis.dot(u), axis.dot(w));
        difference += (across.x * across.x - across.y * across.y) / radius;
        product += 2.0 * across.x * across.y / radius;
    }
    let (sin, cos) = (0.5 * product.atan2(difference)).sin_cos();
    let u = cos * u + sin * w;
    DMat3::from_cols(u, normal.cross(u), normal)
}

/// Moves the origin to the middle of the overlap; returns by how much, and the half-widths there. `None` if rounding
/// leaves nothing around the origin.
fn center(bodies: &mut [Body; 2]) -> Option<(DVec3, DVec3)> {
    let (mut shift, mut scale) = (DVec3::ZERO, DVec3::ZERO);
    for _ in 0..N_CENTERINGS {
        for ix in [2, 0, 1] {
            let axis = DVec3::AXES[ix];
            let (ahead, behind) = (exit(bodies, axis), exit(bodies, -axis));
            let step = 0.5 * (ahead - behind) * axis;
            scale[ix] = 0.5 * (ahead + behind);
            shift += step;
            for body in &mut *bodies {
                body.center -= step;
            }
        }
    }
    (scale.is_finite() && scale.min_element() > 0.0).then_some((shift, scale))
}

/// How many times `direction` it is from the origin to the overlap's surface.
fn exit(bodies: &[Body; 2], direction: DVec3) -> f64 {
    bodies[0].exit(direction).min(bodies[1].exit(direction))
}
