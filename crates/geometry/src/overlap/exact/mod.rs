//! The exact overlap of two posed closed meshes, by the curve along which their surfaces cross.
//!
//! The overlap is bounded by the part of each surface inside the other solid. One mesh, the *host*, stays in its frame
//! and the other, the *guest*, is moved there. Then, each in its module:
//!
//! | step | module |
//! |---|---|
//! | find the face pairs whose boxes meet, both trees at once | `walk` |
//! | cross each pair: nothing, or one segment with a start and an end | `triangles`, with the signs of `predicates` |
//! | file events (edge through face) and segments | `curve` |
//! | divide each surface into cut faces and whole pieces between them | `pieces` |
//! | find how often the other surface is wound round each piece | `windings`, `ray` |
//! | find the rims of the cut faces' inside parts, and what hangs together | `outline`, `holes` |
//! | sum moments over cut faces and pieces | `sums` |
//! | put the result together, collect points that span the overlap | `totals`, `components`, `support` |
//! | divide it where the bodies meet in several places or from several sides | `sides` |
//!
//! Signs of determinants are exact and ties are broken consistently, so the combinatorial result is that of a real
//! configuration whatever is degenerate about the input; coordinates are rounded only where values are summed. The work
//! follows the length of the crossing curve, because whole subtrees between its branches are added by precomputed
//! surface integrals.
//!
//! Self-overlapping input gives the product of the two winding numbers integrated over space.

mod components;
mod curve;
pub mod half_space;
mod holes;
mod outline;
mod pieces;
mod placed;
mod predicates;
mod ray;
mod reusable_map;
mod sides;
mod sums;
mod support;
#[cfg(test)]
mod tests;
mod totals;
mod triangles;
mod walk;
mod windings;

use std::cell::RefCell;

use glam::DVec3;

use super::regions::may_be_several;
use super::{Overlap, OverlapKind, Patch};
use crate::{Aabb, Pose, Solid};
use curve::Curve;
use outline::{Parts, Rims};
use pieces::Division;
use placed::{Placed, PlacedCache};
use reusable_map::ReusableMap;
use sides::Surface;
use sums::Sums;
use totals::Totals;
use walk::Walk;
use windings::Windings;

/// The overlap of mesh A with mesh B, in A's frame: axes and origin.
///
/// Volume, moments and gradient hold to rounding for every pair of solids, degenerate ones included: coplanar faces
/// are treated as if one mesh were moved by an infinitely small distance, so a gradient that jumps takes a value
/// between its one-sided limits. Overlaps thinner than 1e-14 of the coordinates count as touching, which is empty.
pub fn overlap(a: &Solid, b: &Solid, a_from_b: &Pose) -> Overlap {
    thread_local! {
        static MEMORY: RefCell<(PlacedCache, Workspace)> = RefCell::default();
    }
    MEMORY.with_borrow_mut(|(cache, workspace)| {
        if a.faces().len() >= b.faces().len() {
            let guest = Placed::guest(b, a_from_b, cache);
            workspace.overlap([Placed::host(a), guest], a_from_b.translation)
        } else {
            let b_from_a = a_from_b.inverse();
            let guest = Placed::guest(a, &b_from_a, cache);
            let swapped = workspace.overlap([Placed::host(b), guest], b_from_a.translation);
            swapped.swapped(b_from_a.translation).rotated(a_from_b.rotation)
        }
    })
}

/// Whether a point of the solid's frame is inside, by a ray through the tree.
pub(in crate::overlap) fn contains(solid: &Solid, x: DVec3) -> bool {
    ray::winding(&mut Placed::host(solid), x, &mut Vec::new()) > 0
}

/// Memory kept from pair to pair; arrays of two hold the host's and the guest's.
#[derive(Debug, Default)]
struct Workspace {
    walk: Walk,
    node_stack: Vec<u32>,
    curve: Curve,
    divisions: [Division; 2],
    windings: [Windings; 2],
    rims: [Rims; 2],
    parts: Parts,
    sums: Sums,
    seen: ReusableMap<()>,
    points: Vec<DVec3>,
}

impl Workspace {
    /// `shift` is where the guest's origin is: far away if it was modelled far from its origin.
    fn overlap(&mut self, mut bodies: [Placed<'_>; 2], shift: DVec3) -> Overlap {
        let boxes = [bodies[0].node_box(0), bodies[1].node_box(0)];
        if !boxes[0].meets(&boxes[1]) {
            return Overlap::EMPTY;
        }
        self.curve.reset(&bodies);
        self.walk.find_curve(&mut bodies, &mut self.curve);
        for of in 0..2 {
            let other_box = &boxes[1 - of];
            self.divisions[of].divide_by_curve(&mut bodies[of], other_box, &self.curve);
            let stack = &mut self.node_stack;
            self.windings[of].find(&mut bodies, of, other_box, &self.divisions[of], &self.curve, stack);
        }
        self.parts.reset(&self.curve, &self.windings);
        for (of, body) in bodies.iter_mut().enumerate() {
            let (division, windings) = (&self.divisions[of], &self.windings[of]);
            outline::trace_rims(body, division, &self.curve, windings, &mut self.rims[of], &mut self.parts);
        }
        self.parts.number();
        let corners = boxes.iter().flat_map(|b| [b.min, b.max]);
        let reach = corners.fold(shift.abs(), |reach, x| reach.max(x.abs())).max_element();
        self.add_up(&mut bodies, reach)
    }

    /// Sums over the overlap's surface and puts the result together.
    fn add_up(&mut self, bodies: &mut [Placed<'_>; 2], reach: f64) -> Overlap {
        self.points.clear();
        self.points.extend(self.curve.events.iter().map(|event| event.x));
        let mut bounds = Aabb::EMPTY;
        for (of, body) in bodies.iter_mut().enumerate() {
            let windings = &self.windings[of];
            self.points.extend(windings.inside_vertices().map(|(vertex, _)| body.point(vertex)));
            let pieces = windings.inside(&self.divisions[of]);
            bounds = bounds.union(&support::add_corners(body, pieces, &mut self.seen, &mut self.points));
        }
        bounds = bounds.union(&Aabb::from_points(self.points.iter().copied()));
        if bounds.is_empty() {
            return Overlap::EMPTY;
        }
        let origin = bounds.center();
        self.sums.reset(origin, self.parts.n_parts());
        for (of, body) in bodies.iter_mut().enumerate() {
            self.sums.add_cut_faces(body, &self.curve, &self.rims[of], &mut self.parts);
            self.sums.add_pieces(body, &self.divisions[of], &self.windings[of], &mut self.parts);
        }
        let totals = Totals {
            origin,
            volume: &self.sums.volume,
            surfaces: &self.sums.surfaces,
            bounds,
            reach,
            has_curve: !self.curve.events.is_empty(),
        };
        let Some(mut overlap) = totals.overlap() else { return Overlap::EMPTY };
        let thinnest = totals.thinnest();
        overlap.n_components = self.sums.components.count(thinnest);
        if overlap.kind == OverlapKind::Regular {
            let pieces = [0, 1].map(|of| support::large(self.windings[of].inside(&self.divisions[of])));
            support::add_far_points(bodies, &pieces, overlap.gradient, &mut self.points);
            overlap.patch = Patch::new(
                &self.points,
                overlap.gradient,
                overlap.volume,
                overlap.centroid,
                &overlap.second_moment,
            )
            .map(|patch| {
                let facing = self.sums.surfaces.each_ref().map(|surface| surface.facing.leader());
                let Overlap { centroid, gradient, areas, .. } = overlap;
                let patch = patch.with_planes(&self.points, centroid, gradient, areas, facing);
                patch.on_spanned_planes(&self.points, centroid, gradient)
            });
        }
        let size = bodies.each_ref().map(|body| body.solid.aabb().diagonal());
        if may_be_several(&overlap, size[0].min(size[1])) {
            let mut surface = Surface {
                bodies,
                curve: &self.curve,
                rims: &self.rims,
                divisions: &self.divisions,
                windings: &self.windings,
                parts: &mut self.parts,
                sums: &mut self.sums,
            };
            overlap.regions = sides::find(&mut surface, bounds.diagonal(), thinnest);
        }
        overlap
    }
}
