//! Two round surfaces that touch in a point, one of them at least that of a mesh.
//!
//! The facets of two meshes cross as they happen to lie: the normal of their overlap is off by a part of the angle between facets, and
//! the force of one ball on another misses their centres and makes them spin. The surfaces that the meshes stand for touch where
//! they face each other: where the normal through a point of the one meets the other in the point that has it too. With the support
//! points `p` of both and their roundings `ρ` (the Hessians of the support functions) that normal is found by Newton's method,
//!
//! `(ρ_A + ρ_B) dn = -(p_A(n) - p_B(-n))` across `n`,
//!
//! for two balls in one step, whatever their facets.

use glam::{DMat2, DVec2, DVec3};
use tactum_geometry::{Pose, Shape, SmoothSurface};

use crate::Body;
use crate::law::Situation;
use crate::law::volume::choose::Chosen;
use crate::law::volume::geometry::ContactGeometry;
use crate::law::volume::normal::along;
use crate::law::volume::overlaps::PairOverlaps;
use crate::law::volume::rolling::{RoundSide, SurfacePoint, bends_both_ways, on_axes};
use crate::{ContactModel, LocalSolver, RollingRule};

/// The contact of a region of two surfaces that bulge out to each other, as seen along the normal on which they face each other; `None` of
/// any other. B is moved by `shift` for it.
pub fn facing<'a>(
    situation: &Situation<'_>,
    pair: &PairOverlaps<'a>,
    region: &ContactGeometry<'a>,
    shift: DVec3,
) -> Option<Chosen<'a>> {
    let settings = situation.settings;
    let bodies = pair.bodies.map(|ix| &situation.bodies[ix as usize]);
    let is_told = settings.contact == ContactModel::Patch
        && settings.rolling == RollingRule::Auto
        && settings.local == LocalSolver::Cone;
    let may_bulge = |body: &Body| body.smooth.is_some() || matches!(body.shape, Shape::Sphere(_));
    if !is_told
        || !bodies.iter().all(|body| may_bulge(body))
        || bodies.iter().all(|body| body.smooth.is_none())
        || region.flatness.is_shell()
    {
        return None;
    }
    let poses = pair.poses(situation.bodies, shift);
    let mut geometry = ContactGeometry { tips: &[], ..region.clone() };
    let mut last = f64::INFINITY;
    loop {
        let [a, b] = [0, 1].map(|side| point_of(bodies[side], &poses[side], side == 1, &geometry));
        let points = [a?, b?];
        let [a, b] = points;
        let aside = on_axes(&geometry, a.place - b.place);
        let turn = (a.bends + b.bends).inverse() * -aside;
        // Between facets surfaces are not smooth to the last bit.
        if turn.length() >= last || turn == DVec2::ZERO {
            let round = points.map(|point| Some(RoundSide::of_point(point)));
            return Some(Chosen { round, ..Chosen::new(geometry, shift) });
        }
        last = 0.5 * turn.length();
        let normal = geometry.normal + geometry.axes[0] * turn.x + geometry.axes[1] * turn.y;
        geometry = along(&geometry, normal.normalize(), geometry.extent);
    }
}

/// Where a body touches a plane across the contact's normal, if it bulges out to it.
fn point_of(body: &Body, pose: &Pose, is_b: bool, geometry: &ContactGeometry<'_>) -> Option<SurfacePoint> {
    match &body.shape {
        Shape::Sphere(sphere) => {
            let out = if is_b { -geometry.normal } else { geometry.normal };
            Some(SurfacePoint {
                place: pose.translation + out * sphere.radius,
                bends: DMat2::from_diagonal(DVec2::splat(sphere.radius)),
            })
        }
        _ => smooth_point(body.smooth.as_ref()?, pose, is_b, geometry),
    }
}

/// Where the smooth surface of a mesh touches that plane, nearest to the patch: not farther from it than facets are wide, as the normal that
/// it is sought along may be that of one.
fn smooth_point(
    surface: &SmoothSurface,
    pose: &Pose,
    is_b: bool,
    geometry: &ContactGeometry<'_>,
) -> Option<SurfacePoint> {
    let out = if is_b { -geometry.normal } else { geometry.normal };
    // A chord that a circle of radius R bulges out from by `b` is √(8 R b) wide.
    let width = |radius: f64| (8.0 * radius * surface.bulge()).sqrt() + surface.bulge();
    let points = SurfacePoint::all(surface, pose, out, geometry, width(surface.size()));
    let off = |point: &SurfacePoint| point.place.distance(geometry.point);
    let bulging = points.into_iter().filter(|point| bends_both_ways(point.bends));
    let nearest = bulging.min_by(|a, b| off(a).total_cmp(&off(b)))?;
    let across = geometry.polygon.iter().fold(geometry.extent, |most, x| x.length().max(most));
    (off(&nearest) <= across + width(nearest.bends.x_axis.x + nearest.bends.y_axis.y)).then_some(nearest)
}
