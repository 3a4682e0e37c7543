//! Contact points: the corners of an overlap's support polygon, each with three rows.
//!
//! The corners of two convex faces' overlap are where a corner of one lies on the other (vertex on face) and where
//! their sides cross (edge on edge): the points that a point-contact engine finds for the same overlap. Torques come from
//! the points alone, so what the volume law says of patch, rolling and spinning has no effect.

use glam::{DVec2, DVec3};

use crate::law::volume::{Prepared, StoredPoint};
use crate::solver::Vec6;
use crate::solver::constraint::{Constraint, Rows};
use crate::solver::frame::{in_plane, shift_twist};
use crate::solver::local::PointBlock;

/// One constraint of three rows at each corner of the support polygon.
///
/// Springs of several points act side by side, so each is as many times more compliant.
pub(crate) fn at_corners(prepared: &Prepared<'_>) -> Vec<Constraint> {
    let Prepared { contact, geometry, .. } = prepared;
    let frame = &contact.frame;
    let corners = &geometry.polygon;
    let compliance = prepared.compliance * corners.len() as f64;
    let (stored, last) =
        prepared.remembered.map_or((&[][..], DVec3::ZERO), |(last, point)| (&last.points, point));
    let arms: Vec<DVec3> =
        corners.iter().map(|&x| frame.point - last + frame.to_world(in_plane(x))).collect();
    let starts = nearest_impulses(stored, &arms);
    let constraint = |(&x, start): (&DVec2, DVec3)| {
        let arm = frame.to_world(in_plane(x));
        let impulse = Vec6::from_parts(frame.to_contact(start), DVec3::ZERO);
        let rows = Rows::Point(PointBlock::new(&prepared.matrix, x, compliance, prepared.friction));
        Constraint {
            bias: Vec6::from_parts(shift_twist(&prepared.bias, in_plane(x)).linear(), DVec3::ZERO),
            compliance,
            ..Constraint::new(
                contact.slots,
                frame.w_from_c,
                contact.arms.map(|to_contact| to_contact + arm),
                impulse,
                rows,
            )
        }
    };
    corners.iter().zip(starts).map(constraint).collect()
}

/// The impulses that points start from: each takes that of the nearest stored point that no earlier one took; zero
/// where none is left.
fn nearest_impulses(stored: &[StoredPoint], arms: &[DVec3]) -> Vec<DVec3> {
    let mut open: Vec<&StoredPoint> = stored.iter().collect();
    let mut take = |&arm: &DVec3| {
        let distance = |point: &StoredPoint| point.arm.distance_squared(arm);
        let nearest = (0..open.len()).min_by(|&i, &j| distance(open[i]).total_cmp(&distance(open[j])));
        nearest.map_or(DVec3::ZERO, |ix| open.remove(ix).impulse)
    };
    arms.iter().map(&mut take).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points find the nearest of the last step, each once; a new one starts from nothing.
    #[test]
    fn points_take_the_impulse_of_the_nearest() {
        let point = |x: f64| StoredPoint { arm: DVec3::X * x, impulse: DVec3::Z * (x + 1.0) };
        let arms = [1.1, -0.1, 0.9].map(|x| DVec3::X * x);
        let found = nearest_impulses(&[point(0.0), point(1.0)], &arms);
        assert_eq!(found, [DVec3::Z * 2.0, DVec3::Z, DVec3::ZERO]);
    }
}
