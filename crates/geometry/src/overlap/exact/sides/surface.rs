//! The surface of an overlap, in chunks as large as whoever looks at it can use.

use std::ops::Range;

use glam::DVec3;

use super::triangle::Triangle;
use crate::Aabb;
use crate::moments::{SurfaceMoments, VolumeMoments};
use crate::overlap::exact::curve::Curve;
use crate::overlap::exact::outline::{Parts, Rims};
use crate::overlap::exact::pieces::{Division, Piece};
use crate::overlap::exact::placed::Placed;
use crate::overlap::exact::predicates::Owner;
use crate::overlap::exact::ray::winding;
use crate::overlap::exact::sums::{CutSum, Sums};
use crate::overlap::exact::windings::Windings;
use crate::solid::bvh::NONE;
use crate::solid::flux::FluxMoments;

/// What the stages before the regions know of an overlap.
#[derive(Debug)]
pub(in crate::overlap::exact) struct Surface<'s, 'm> {
    pub bodies: &'s mut [Placed<'m>; 2],
    pub curve: &'s Curve,
    pub rims: &'s [Rims; 2],
    pub divisions: &'s [Division; 2],
    pub windings: &'s [Windings; 2],
    pub parts: &'s mut Parts,
    pub sums: &'s mut Sums,
}

/// A chunk of the surface whose sums are known without looking at its triangles.
#[derive(Debug)]
pub(super) struct Chunk<'a, 'm> {
    body: &'a mut Placed<'m>,
    origin: DVec3,
    content: Content<'a>,
}

#[derive(Debug)]
enum Content<'a> {
    /// The part of a cut face.
    Cut { face: u32, sum: &'a CutSum },
    /// A subtree.
    Node { node: u32, weight: f64 },
}

impl Chunk<'_, '_> {
    pub fn owner(&self) -> Owner {
        self.body.owner
    }

    /// The subtree that holds just its faces, if it is whole faces.
    pub fn node(&self) -> Option<u32> {
        match self.content {
            Content::Cut { .. } => None,
            Content::Node { node, .. } => Some(node),
        }
    }

    /// A box around it about the origin of the sums.
    pub fn bounds(&mut self) -> Aabb {
        let Aabb { min, max } = match self.content {
            Content::Cut { face, .. } => Aabb::from_points(self.body.corners(face)),
            Content::Node { node, .. } => self.body.node_box(node),
        };
        Aabb { min: min - self.origin, max: max - self.origin }
    }

    /// Moments of the chunk and of the cone from the origin over it.
    pub fn moments(&self) -> (VolumeMoments, SurfaceMoments) {
        match self.content {
            Content::Cut { sum, .. } => (sum.volume, sum.surface),
            Content::Node { node, weight } => {
                let (flux, rotation) = (self.flux(node, weight), self.body.rotation());
                (flux.volume().rotated(rotation), flux.surface.rotated(rotation))
            }
        }
    }

    /// Moments of the chunk alone.
    pub fn surface(&self) -> SurfaceMoments {
        match self.content {
            Content::Cut { sum, .. } => sum.surface,
            Content::Node { node, weight } => self.flux(node, weight).surface.rotated(self.body.rotation()),
        }
    }

    /// Integrals over a subtree in its own frame, about the origin of the sums.
    fn flux(&self, node: u32, weight: f64) -> FluxMoments {
        let solid = self.body.solid;
        let centre = solid.bvh().nodes[node as usize].aabb.center();
        let offset = centre - self.body.to_own_frame(self.origin);
        let mut flux = FluxMoments::default();
        flux.add(&solid.flux(node).translated(offset), weight);
        flux
    }
}

/// Somebody who looks at a surface.
pub(super) trait Visitor {
    /// Whether a part of the surface matters.
    fn wants(&self, part: u32) -> bool;
    /// Takes a chunk as a whole, or says `false` to see what it is made of.
    fn take(&mut self, part: u32, chunk: &mut Chunk<'_, '_>) -> bool;
    /// Takes a triangle.
    fn take_triangle(&mut self, part: u32, triangle: &Triangle);
}

impl Surface<'_, '_> {
    /// Shows the whole surface to a visitor, in an order that depends on the overlap alone.
    pub(super) fn visit(&mut self, visitor: &mut impl Visitor) {
        for of in 0..2 {
            self.visit_cut_faces(of, visitor);
            for (ix, piece) in self.divisions[of].pieces.iter().enumerate() {
                let element = self.windings[of].piece_element(ix as u32);
                let winding = self.windings[of].of(element);
                if winding != 0 {
                    let part = self.parts.of(self.parts.element(self.bodies[of].owner, element));
                    if visitor.wants(part) {
                        self.visit_piece(of, piece, (part, f64::from(winding)), visitor);
                    }
                }
            }
        }
    }

    fn visit_cut_faces(&mut self, of: usize, visitor: &mut impl Visitor) {
        let body = &mut self.bodies[of];
        let origin = self.sums.origin;
        for ix in 0..self.sums.cut_sums[of].len() {
            let sum = &self.sums.cut_sums[of][ix];
            let part = sum.part;
            if !visitor.wants(part) {
                continue;
            }
            let cut_face = &self.curve.traces[of].cut_faces[sum.cut_face as usize];
            let content = Content::Cut { face: cut_face.face, sum };
            if visitor.take(part, &mut Chunk { body, origin, content }) {
                continue;
            }
            let owner = Some(body.owner);
            let normal = unit_normal(body.corners(cut_face.face));
            let chain = self.sums.collect_chain(body, cut_face, self.curve, &self.rims[of], self.parts);
            let links = chain.iter().filter(|link| link.part == part);
            // The triangles next to the apex have no area.
            let Some(apex) = links.clone().next().map(|link| link.from) else { continue };
            for link in links {
                let corners = [apex, link.from, link.to];
                visitor.take_triangle(part, &Triangle { corners, weight: link.weight, normal, owner });
            }
        }
    }

    fn visit_piece(
        &mut self,
        of: usize,
        piece: &Piece,
        (part, weight): (u32, f64),
        visitor: &mut impl Visitor,
    ) {
        let body = &mut self.bodies[of];
        let (bvh, origin) = (body.solid.bvh(), self.sums.origin);
        let is_kept = |node: u32| node != NONE && bvh.flux_ix(node).is_some();
        if !is_kept(piece.node) {
            let faces = piece.first..piece.first + piece.len;
            return show_faces(body, faces, origin, (part, weight), visitor);
        }
        let mut stack = vec![piece.node];
        while let Some(node) = stack.pop() {
            if !is_kept(node) {
                show_faces(body, bvh.nodes[node as usize].faces(), origin, (part, weight), visitor);
                continue;
            }
            let content = Content::Node { node, weight };
            if !visitor.take(part, &mut Chunk { body, origin, content }) {
                let [first, second] = bvh.children(node);
                stack.extend([second, first]);
            }
        }
    }

    /// Shows the points that span the overlap, each once and with its part, about the origin of the sums: events and
    /// the vertices of cut faces.
    pub(super) fn visit_points(&mut self, mut take: impl FnMut(u32, DVec3)) {
        let origin = self.sums.origin;
        for (ix, event) in self.curve.events.iter().enumerate() {
            take(self.parts.of(ix as u32), event.x - origin);
        }
        for (body, windings) in self.bodies.iter_mut().zip(self.windings) {
            for (vertex, element) in windings.inside_vertices() {
                let part = self.parts.of(self.parts.element(body.owner, element));
                take(part, body.point(vertex) - origin);
            }
        }
    }

    /// Whether a point about the origin of the sums is in both bodies.
    pub(super) fn encloses(&mut self, x: DVec3) -> bool {
        let (x, mut stack) = (x + self.sums.origin, Vec::new());
        self.bodies.iter_mut().all(|body| winding(body, x, &mut stack) != 0)
    }
}

/// Shows whole faces one by one.
fn show_faces(
    body: &mut Placed<'_>,
    faces: Range<u32>,
    origin: DVec3,
    (part, weight): (u32, f64),
    visitor: &mut impl Visitor,
) {
    for face in faces {
        let corners = body.corners(face).map(|x| x - origin);
        let triangle = Triangle { corners, weight, normal: unit_normal(corners), owner: Some(body.owner) };
        visitor.take_triangle(part, &triangle);
    }
}

/// Normal of a triangle, zero for one without area.
fn unit_normal([a, b, c]: [DVec3; 3]) -> DVec3 {
    (b - a).cross(c - a).normalize_or_zero()
}
