//! The overlap of two round bodies of which one is a cylinder or a cone: that one, B, is replaced by a prism or pyramid whose sides
//! are the narrower the nearer they are to the contact.
//!
//! A side that is narrow in proportion to its angle from the middle of the contact errs by the same part of the depth there,
//! however thin the contact is. The flat ends of B are exact but for their outline.

use glam::DVec3;

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
    let measure = |b: &Polyhedron<'_>| capsule_polyhedron::overlap(a, w_from_a, b, w_from_b);
    if a.half_length == 0.0 {
        // A ball's contact is in the direction of its centre.
        let center = w_from_a.translation;
        return measure(&Polyhedron::Faceted(&Faceted::graded(b, azimuth(w_from_b, center))));
    }
    search(b, w_from_a, w_from_b, measure)
}

/// The overlap of two cylinders or cones; see [`crate::overlap::overlap`].
pub(in crate::overlap) fn overlap(a: &Frustum, w_from_a: &Pose, b: &Frustum, w_from_b: &Pose) -> Overlap {
    search(b, w_from_a, w_from_b, |b| frustum_polyhedron::overlap(a, w_from_a, b, w_from_b))
}

/// Measures with sides that are narrow where the contact is, which is found by measuring.
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
