//! Volume and surface moments of the overlap from its cut faces and whole pieces.

use glam::DVec3;

use super::curve::{Curve, CutFace};
use super::holes;
use super::outline::{Parts, Rims};
use super::pieces::{Division, Piece};
use super::placed::Placed;
use super::predicates::Owner;
use super::stamped::Stamped;
use super::windings::Windings;
use crate::overlap::moments::{SurfaceMoments, VolumeMoments};
use crate::solid::bvh::NONE;
use crate::solid::flux::FluxMoments;
use crate::union_find::UnionFind;

/// Volume and surface of one part of the overlap's surface.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PartSum {
    /// Enclosed volume, negative for a cavity.
    pub volume: f64,
    /// Surface area.
    pub area: f64,
}

/// Sums over the surface of the overlap, all about one origin near to it.
#[derive(Debug, Default)]
pub(super) struct Sums {
    /// Moments of the overlap.
    pub volume: VolumeMoments,
    /// The host's surface inside the guest, and the guest's inside the host.
    pub surfaces: [SurfaceMoments; 2],
    /// Every part, by its number.
    pub parts: Vec<PartSum>,
    /// Parts that bound the same piece of the overlap: an outer surface and a hole through one of its faces.
    pub joined: UnionFind,
    origin: DVec3,
    chain: Vec<Link>,
    loops: Vec<Loop>,
    loop_of_part: Stamped<u32>,
}

/// An oriented line in the rim of a cut face's inside part, relative to the origin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub from: DVec3,
    pub to: DVec3,
    /// Index of the loop in the face.
    pub loop_ix: u32,
    /// How often the region on its left counts.
    pub weight: f64,
}

/// What of one part lies in one cut face: a closed chain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Loop {
    pub part: u32,
    /// Any point of the chain. It must be of this chain: from an apex far off, the moments of a small chain would
    /// drown in the rounding of large triangles.
    apex: DVec3,
    /// Vector area.
    area_vector: DVec3,
    /// Sum of the magnitudes that went into it.
    magnitude: f64,
    /// Volume of the cone over the chain.
    volume: f64,
}

impl Loop {
    /// Whether the chain runs clockwise round a hole in the face's inside part.
    pub fn is_hole(&self, unit_normal: DVec3) -> bool {
        /// Part of the magnitude that the rounding of an empty chain's area stays below.
        const ROUNDING: f64 = 1e-9;
        self.area_vector.dot(unit_normal) < -ROUNDING * self.magnitude
    }
}

impl Sums {
    /// Starts from zero about an origin.
    pub fn reset(&mut self, origin: DVec3, n_parts: usize) {
        self.origin = origin;
        self.volume = VolumeMoments::default();
        self.surfaces = [SurfaceMoments::default(); 2];
        self.parts.clear();
        self.parts.resize(n_parts, PartSum::default());
        self.joined.reset(n_parts);
    }

    /// Adds the cut faces of one mesh.
    pub fn add_cut_faces(&mut self, body: &mut Placed<'_>, curve: &Curve, rims: &Rims, parts: &mut Parts) {
        for cut_face in &curve.traces[body.owner as usize].cut_faces {
            self.collect_chain(body, cut_face, curve, rims, parts);
            self.add_chain(body, cut_face.face);
        }
    }

    /// Collects the rim of a cut face's inside part: segments of the curve and stretches of its sides.
    fn collect_chain(
        &mut self,
        body: &mut Placed<'_>,
        cut_face: &CutFace,
        curve: &Curve,
        rims: &Rims,
        parts: &mut Parts,
    ) {
        self.chain.clear();
        self.loops.clear();
        self.loop_of_part.reset(parts.n_parts());
        for segment in curve.segments_in(body.owner, cut_face) {
            let [start, end] = segment.ends.map(|e| curve.events[e as usize].x);
            let (from, to) = if body.owner == Owner::Host { (start, end) } else { (end, start) };
            self.push_link(from, to, 1, parts.of(segment.ends[0]));
        }
        let solid = body.solid;
        let face = &solid.faces()[cut_face.face as usize];
        for side in 0..3 {
            let runs_up = solid.edges()[face.sides[side] as usize].ends[0] == face.corners[side];
            for stretch in rims.on(face.sides[side]) {
                let [low, high] = stretch.ends;
                let (from, to) = if runs_up { (low, high) } else { (high, low) };
                self.push_link(from, to, stretch.winding, parts.of(stretch.point));
            }
        }
    }

    fn push_link(&mut self, from: DVec3, to: DVec3, winding: i32, part: u32) {
        let (from, to) = (from - self.origin, to - self.origin);
        let loop_ix = self.loop_of_part.get(part).unwrap_or_else(|| {
            let ix = self.loops.len() as u32;
            let zero = DVec3::ZERO;
            self.loops.push(Loop { part, apex: from, area_vector: zero, magnitude: 0.0, volume: 0.0 });
            self.loop_of_part.set(part, ix);
            ix
        });
        self.chain.push(Link { from, to, loop_ix, weight: f64::from(winding) });
    }

    /// Adds the region inside the collected chain as a fan from a point of each loop.
    fn add_chain(&mut self, body: &mut Placed<'_>, face: u32) {
        let surface = &mut self.surfaces[body.owner as usize];
        for link in &self.chain {
            let loop_sum = &mut self.loops[link.loop_ix as usize];
            let apex = loop_sum.apex;
            let volume_before = self.volume.volume;
            self.volume.add_triangle(apex, link.from, link.to, link.weight);
            loop_sum.volume += self.volume.volume - volume_before;
            let nu = (link.from - apex).cross(link.to - apex) * (0.5 * link.weight);
            surface.add_triangle(apex, link.from, link.to, link.weight);
            loop_sum.area_vector += nu;
            loop_sum.magnitude += nu.length();
        }
        let [a, b, c] = body.corners(face);
        let unit_normal = (b - a).cross(c - a).normalize_or_zero();
        for loop_sum in &self.loops {
            let area = loop_sum.area_vector.dot(unit_normal);
            surface.area += area;
            let part = &mut self.parts[loop_sum.part as usize];
            part.volume += loop_sum.volume;
            part.area += area;
        }
        if self.loops.len() > 1 {
            holes::join(&self.chain, &self.loops, unit_normal, &mut self.joined);
        }
    }

    /// Adds the pieces of one mesh that lie inside the other.
    pub fn add_pieces(
        &mut self,
        body: &Placed<'_>,
        division: &Division,
        windings: &Windings,
        parts: &mut Parts,
    ) {
        let origin = body.to_own_frame(self.origin);
        let mut total = FluxMoments::default();
        for (ix, piece) in division.pieces.iter().enumerate() {
            let element = windings.piece_element(ix as u32);
            let winding = f64::from(windings.of(element));
            if winding != 0.0 {
                let flux = piece_flux(body, piece, origin);
                total.add(&flux, winding);
                let number = parts.of(parts.element(body.owner, element));
                let part = &mut self.parts[number as usize];
                part.volume += winding * flux.volume_from(DVec3::ZERO);
                part.area += winding * flux.surface.area;
            }
        }
        let rotation = body.rotation();
        self.volume += total.volume().rotated(rotation);
        self.surfaces[body.owner as usize] += total.surface.rotated(rotation);
    }
}

/// Surface integrals of a piece about a point, both in the mesh's own frame.
fn piece_flux(body: &Placed<'_>, piece: &Piece, origin: DVec3) -> FluxMoments {
    let solid = body.solid;
    if piece.node != NONE && solid.bvh().flux_ix(piece.node).is_some() {
        let centre = solid.bvh().nodes[piece.node as usize].aabb.center();
        return solid.flux(piece.node).translated(centre - origin);
    }
    let faces = piece.first..piece.first + piece.len;
    FluxMoments::of_faces(faces.map(|face| solid.corners(face)), origin)
}
