//! The overlap of two round bodies of which one is a cylinder or a cone: that one, B, is replaced by a prism or pyramid whose sides
//! are the narrower the nearer they are to the contact.
//!
//! A side that is narrow in proportion to the contact errs by the same part of the depth there, however thin the contact is.
//! The flat ends of B are exact but for their outline.

use glam::DVec3;

use super::pieces::RoundBody;
use super::side_contact::{SideContact, side_contact};
use super::{capsule_polyhedron, frustum_polyhedron};
use crate::Pose;
use crate::overlap::faceted::{Faceted, NARROWEST};
use crate::overlap::polyhedron::Polyhedron;
use crate::overlap::{Overlap, OverlapKind};
use crate::shape::{Capsule, Frustum};

/// Times that the middle of the contact is looked for anew. Every time it is found to a tenth of what it was off before.
const N_SEARCHES: u32 = 3;

/// The overlap of a ball or capsule A and a cylinder or cone B; see [`crate::overlap::overlap`].
pub(in crate::overlap) fn capsule_overlap(
    a: &Capsule,
    w_from_a: &Pose,
    b: &Frustum,
    w_from_b: &Pose,
) -> Overlap {
    if a.half_length == 0.0 && b.top == 0.0 {
        // A ball's contact is in the direction of its centre.
        let middle = azimuth(w_from_b, w_from_a.translation);
        let pyramid = Faceted::graded(b, middle);
        return capsule_polyhedron::overlap(a, w_from_a, &Polyhedron::Faceted(&pyramid), w_from_b);
    }
    with_narrow_sides(a, w_from_a, b, w_from_b, |b| capsule_polyhedron::overlap(a, w_from_a, b, w_from_b))
}

/// The overlap of two cylinders or cones; see [`crate::overlap::overlap`].
pub(in crate::overlap) fn overlap(a: &Frustum, w_from_a: &Pose, b: &Frustum, w_from_b: &Pose) -> Overlap {
    if b.top == 0.0 && a.top > 0.0 {
        // The sides of a prism need to be narrow in one direction only where those of a pyramid come together in the tip.
        let origin_a = w_from_a.translation - w_from_b.translation;
        return overlap(b, w_from_b, a, w_from_a).swapped(origin_a);
    }
    with_narrow_sides(a, w_from_a, b, w_from_b, |b| frustum_polyhedron::overlap(a, w_from_a, b, w_from_b))
}

/// Measures with sides of B that are narrow where the contact is.
fn with_narrow_sides(
    a: &impl RoundBody,
    w_from_a: &Pose,
    b: &Frustum,
    w_from_b: &Pose,
    measure: impl Fn(&Polyhedron<'_>) -> Overlap,
) -> Overlap {
    if b.top == 0.0 {
        return search(b, w_from_a, w_from_b, measure);
    }
    let faceted = match side_contact(a, b, &w_from_a.relative(w_from_b)) {
        SideContact::Apart => return Overlap::EMPTY,
        SideContact::At { middle, half_width } => Faceted::fitted(b, middle, half_width),
    };
    measure(&Polyhedron::Faceted(&faceted))
}

/// Measures with sides that are narrow where the contact is, which is found by measuring: the sides of a cone all meet in its tip, so
/// that a contact there says nothing of one farther down.
fn search(
    b: &Frustum,
    w_from_a: &Pose,
    w_from_b: &Pose,
    measure: impl Fn(&Polyhedron<'_>) -> Overlap,
) -> Overlap {
    // What is around B misses no contact.
    let mut found = measure(&Polyhedron::Faceted(&Faceted::around(b)));
    let mut middle = f64::INFINITY;
    for _ in 0..N_SEARCHES {
        if found.kind == OverlapKind::Empty {
            break;
        }
        let next = azimuth(w_from_b, w_from_a.translation + found.centroid);
        if (next - middle).abs() < NARROWEST {
            break;
        }
        middle = next;
        found = measure(&Polyhedron::Faceted(&Faceted::graded(b, middle)));
    }
    found
}

/// In which direction from B's axis a point of the world is.
fn azimuth(w_from_b: &Pose, x_w: DVec3) -> f64 {
    let x = w_from_b.rotation.conjugate() * (x_w - w_from_b.translation);
    x.y.atan2(x.x)
}
