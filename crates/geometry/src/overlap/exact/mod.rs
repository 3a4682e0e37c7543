//! The exact overlap of two posed closed meshes, by the curve along which their surfaces cross.
//!
//! The overlap is bounded by the part of each surface inside the other solid. One mesh, the *host*, stays in its frame
//! and the other, the *guest*, is moved there. Then, each in its module:
//!
//! | step | module |
//! |---|---|
//! | find the face pairs whose boxes meet, both trees at once | [`walk`] |
//! | cross each pair: nothing, or one segment with a start and an end | [`triangles`], with the signs of [`predicates`] |
//! | file events (edge through face) and segments | [`curve`] |
//! | divide each surface into cut faces and whole pieces between them | [`pieces`] |
//! | find how often the other surface is wound round each piece | [`windings`], [`ray`] |
//! | find the rims of the cut faces' inside parts, and what hangs together | [`outline`], [`holes`] |
//! | sum moments over cut faces and pieces | [`sums`] |
//! | collect points that span the overlap | [`support`] |
//!
//! Signs of determinants are exact and ties are broken consistently, so the combinatorial result is that of a real
//! configuration whatever is degenerate about the input; coordinates are rounded only where values are summed. The work
//! follows the length of the crossing curve, because whole subtrees between its branches are added by precomputed
//! surface integrals.
//!
//! Self-overlapping input gives the product of the two winding numbers integrated over space.

mod curve;
mod holes;
mod outline;
mod pieces;
mod placed;
mod predicates;
mod ray;
mod stamped;
mod sums;
mod support;
mod triangles;
mod walk;
mod windings;

use std::cell::RefCell;

use glam::DVec3;

use super::{Overlap, OverlapKind, Patch};
use crate::{Aabb, Pose, Solid};
use curve::Curve;
use outline::{Parts, Rims};
use pieces::Division;
use placed::{Placed, PlacedCache};
use sums::{PartSum, Sums};
use windings::Windings;

/// Mean thickness `2 V / S` of a closed surface, per unit of the largest coordinate, below which its volume is
/// rounding: moving and intersecting points costs a few units in the last place (1e-16) of their coordinates.
const TOUCHING: f64 = 1e-14;

/// Part of the smaller of the two surface areas that the gradient must reach to have a meaning as a normal.
const COHERENT: f64 = 0.5;

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
            workspace.overlap([Placed::host(a), Placed::guest(b, a_from_b, cache)])
        } else {
            let b_from_a = a_from_b.inverse();
            let swapped = workspace.overlap([Placed::host(b), Placed::guest(a, &b_from_a, cache)]);
            swapped.swapped(b_from_a.translation).rotated(a_from_b.rotation)
        }
    })
}

/// Memory kept from pair to pair; arrays of two hold the host's and the guest's.
#[derive(Debug, Default)]
struct Workspace {
    pair_stack: Vec<[u32; 2]>,
    node_stack: Vec<u32>,
    curve: Curve,
    divisions: [Division; 2],
    windings: [Windings; 2],
    rims: [Rims; 2],
    parts: Parts,
    sums: Sums,
    points: Vec<DVec3>,
}

impl Workspace {
    fn overlap(&mut self, mut bodies: [Placed<'_>; 2]) -> Overlap {
        let boxes = [bodies[0].node_box(0), bodies[1].node_box(0)];
        if !boxes[0].meets(&boxes[1]) {
            return Overlap::EMPTY;
        }
        self.curve.reset(&bodies);
        walk::find_curve(&mut bodies, &mut self.pair_stack, &mut self.curve);
        for of in 0..2 {
            let other_box = &boxes[1 - of];
            self.divisions[of].divide(&mut bodies[of], other_box, &self.curve);
            let stack = &mut self.node_stack;
            self.windings[of].find(&mut bodies, of, other_box, &self.divisions[of], &self.curve, stack);
        }
        self.parts.reset(&self.curve, &self.windings);
        for of in 0..2 {
            outline::trace_rims(
                &mut bodies[of],
                &self.divisions[of],
                &self.curve,
                &self.windings[of],
                &mut self.rims[of],
                &mut self.parts,
            );
        }
        self.parts.number();
        let bounds =
            support::bounds(&mut bodies, &self.curve, &self.divisions, &self.windings, &mut self.points);
        if bounds.is_empty() {
            return Overlap::EMPTY;
        }
        self.sums.reset(bounds.center(), self.parts.n_parts());
        for of in 0..2 {
            let body = &mut bodies[of];
            self.sums.add_cut_faces(body, &self.curve, &self.rims[of], &mut self.parts);
            self.sums.add_pieces(body, &self.divisions[of], &self.windings[of], &mut self.parts);
        }
        let reach =
            boxes.iter().fold(0.0, |reach: f64, b| reach.max(b.min.abs().max(b.max.abs()).max_element()));
        self.finish(&mut bodies, bounds, reach)
    }

    /// Puts the result together; `reach` is the largest coordinate.
    fn finish(&mut self, bodies: &mut [Placed<'_>; 2], bounds: Aabb, reach: f64) -> Overlap {
        let origin = bounds.center();
        let sums = &self.sums;
        check_sums(sums, reach, bounds.diagonal());
        let [host, guest] = &sums.surfaces;
        let thinnest = 0.5 * TOUCHING * reach;
        if sums.volume.volume <= thinnest * (host.area + guest.area) {
            return Overlap::EMPTY;
        }
        let (centroid, second_moment) = sums.volume.central();
        let mut overlap = Overlap {
            kind: OverlapKind::Swallowed,
            volume: sums.volume.volume,
            centroid: centroid + origin,
            second_moment,
            areas: [host.area, guest.area],
            bounds,
            n_components: 0,
            ..Overlap::EMPTY
        };
        if !self.curve.events.is_empty() {
            overlap.gradient = host.area_vector;
            overlap.angular_gradient = host.translated(origin).angular();
            let least = COHERENT * host.area.min(guest.area);
            let is_coherent = overlap.gradient.length() >= least;
            overlap.kind = if is_coherent { OverlapKind::Regular } else { OverlapKind::NoNormal };
        }
        overlap.n_components = self.n_components(thinnest);
        if overlap.kind == OverlapKind::Regular {
            support::add_far_points(
                bodies,
                &self.divisions,
                &self.windings,
                overlap.gradient,
                &mut self.points,
            );
            overlap.patch = Patch::new(
                &self.points,
                overlap.gradient,
                overlap.volume,
                overlap.centroid,
                &overlap.second_moment,
            );
        }
        overlap
    }

    /// Counts the pieces of the overlap: the parts of its surface that enclose volume, holes joined to what they are
    /// holes in, and neither cavities (negative volume) nor parts thinner than `thinnest` counted.
    fn n_components(&mut self, thinnest: f64) -> u32 {
        let sums = &mut self.sums;
        for part in (0..sums.parts.len() as u32).rev() {
            let root = sums.joined.find(part);
            if root != part {
                let PartSum { volume, area } = sums.parts[part as usize];
                let total = &mut sums.parts[root as usize];
                total.volume += volume;
                total.area += area;
                sums.parts[part as usize] = PartSum::default();
            }
        }
        sums.parts.iter().filter(|part| part.volume > thinnest * part.area).count() as u32
    }
}

/// What must hold of the sums of any two closed surfaces, to rounding; wrong windings, a missing face or a wrong sign
/// anywhere break it.
fn check_sums(sums: &Sums, reach: f64, size: f64) {
    /// Rounding of sums over many faces, in units of their magnitude.
    const ROUNDING: f64 = 1e-12;
    let [host, guest] = &sums.surfaces;
    let area = host.area.abs() + guest.area.abs();
    let closed = host.area_vector + guest.area_vector;
    debug_assert!(
        closed.length() <= ROUNDING * area * (1.0 + reach / size.max(f64::MIN_POSITIVE) * 1e-3),
        "N_A + N_B = {closed}, area {area}"
    );
    let arms = host.arms + guest.arms - glam::DMat3::IDENTITY * sums.volume.volume;
    let off = arms.to_cols_array().iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    debug_assert!(
        off <= ROUNDING * (sums.volume.volume.abs() + area * (size + 1e-3 * reach)),
        "T_A + T_B - V 1 = {arms}, volume {}, area {area}, size {size}",
        sums.volume.volume
    );
    debug_assert!(
        sums.volume.volume >= -TOUCHING * reach * area,
        "volume {} of area {area} must not be negative",
        sums.volume.volume
    );
}
