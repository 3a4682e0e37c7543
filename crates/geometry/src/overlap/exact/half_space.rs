//! The exact overlap of a posed closed mesh with a half-space.
//!
//! The mesh keeps its frame. Moments are summed about a point of the plane: the lid, that part of the plane which
//! closes the overlap, then adds nothing to them, because `x·n = 0` on it, and its vector area is the negative of the
//! mesh's. So only the faces below the plane are visited, whole subtrees at once, and of the lid only the rim is
//! needed, to see which of its loops are holes.

use std::cell::RefCell;

use glam::{DMat3, DVec3};

use super::components::Components;
use super::holes::{self, Link};
use super::pieces::{Division, Piece, Visit};
use super::placed::Placed;
use super::reusable_map::ReusableMap;
use super::sums::piece_flux;
use super::support;
use super::totals::Totals;
use crate::moments::{SurfaceMoments, VolumeMoments};
use crate::overlap::{Overlap, OverlapKind, Patch};
use crate::solid::bvh::NONE;
use crate::solid::flux::FluxMoments;
use crate::union_find::UnionFind;
use crate::{Aabb, Pose, Solid};

/// The overlap of a mesh (A) with a half-space (B), in the mesh's frame: axes and origin.
///
/// The half-space is the points with z <= 0 of its own frame. A vertex exactly in the plane counts as above it.
pub fn overlap(mesh: &Solid, mesh_from_plane: &Pose) -> Overlap {
    thread_local! {
        static WORKSPACE: RefCell<Workspace> = RefCell::default();
    }
    let plane = Plane { normal: mesh_from_plane.vector(DVec3::Z), point: mesh_from_plane.translation };
    if plane.heights_of_box(&mesh.aabb())[0] >= 0.0 {
        return Overlap::EMPTY;
    }
    WORKSPACE.with_borrow_mut(|workspace| {
        workspace.divide(mesh, &plane);
        workspace.join_parts(mesh, &plane);
        workspace.add_up(mesh, &plane)
    })
}

/// The boundary of the half-space.
#[derive(Clone, Copy, Debug)]
struct Plane {
    /// Out of the half-space, unit.
    normal: DVec3,
    point: DVec3,
}

impl Plane {
    fn height(&self, x: DVec3) -> f64 {
        self.normal.dot(x - self.point)
    }

    /// Lowest and highest height in a box, with a margin for the rounding of either.
    fn heights_of_box(&self, aabb: &Aabb) -> [f64; 2] {
        /// A few units in the last place.
        const ROUNDING: f64 = 1e-15;
        let half = aabb.half_size().dot(self.normal.abs());
        let offset = (aabb.center() - self.point).abs().element_sum();
        let margin = ROUNDING * (offset + half);
        let middle = self.height(aabb.center());
        [middle - half - margin, middle + half + margin]
    }
}

/// The part below the plane of a face that the plane cuts.
#[derive(Clone, Copy, Debug)]
struct CutFace {
    face: u32,
    /// The corners below, one or two, in the face's order.
    below: [DVec3; 2],
    n_below: usize,
    /// Where the plane cuts the face: the lid's rim runs from the first point to the second, the face's back.
    cut: [DVec3; 2],
    /// The edges that those points lie on.
    edges: [u32; 2],
}

impl CutFace {
    /// The corners of the part below as triangles of a fan.
    fn triangles(&self) -> impl Iterator<Item = [DVec3; 3]> {
        let [from, to] = self.cut;
        let [first, second] = self.below;
        let quad = (self.n_below == 2).then_some([from, first, second]);
        let last = if self.n_below == 2 { second } else { first };
        quad.into_iter().chain([[from, last, to]])
    }
}

/// How a face lies to the plane.
enum Side {
    Whole { is_below: bool },
    Cut(CutFace),
}

/// Cuts a face. Corners in the plane count as above, so every face has none or two crossed sides.
fn cut(mesh: &Solid, face_ix: u32, plane: &Plane) -> Side {
    let face = &mesh.faces()[face_ix as usize];
    let corners = mesh.corners(face_ix);
    let is_below = corners.map(|x| plane.height(x) < 0.0);
    let n_below = is_below.iter().filter(|&&below| below).count();
    if n_below == 0 || n_below == 3 {
        return Side::Whole { is_below: n_below == 3 };
    }
    // The side that leads down and the one that leads up again.
    let crossed = |from_below: bool| {
        let leads = |i: &usize| is_below[*i] == from_below && is_below[(*i + 1) % 3] != from_below;
        (0..3).find(leads).expect("corners on both sides leave two crossed sides")
    };
    let (down, up) = (crossed(false), crossed(true));
    let below = [corners[(down + 1) % 3], corners[(down + 2) % 3]];
    let edges = [face.sides[down], face.sides[up]];
    let cut = edges.map(|edge| crossing(mesh, edge, plane));
    Side::Cut(CutFace { face: face_ix, below, n_below, cut, edges })
}

/// Where an edge goes through the plane; the same point for both of its faces.
fn crossing(mesh: &Solid, edge: u32, plane: &Plane) -> DVec3 {
    let [low, high] = mesh.edges()[edge as usize].ends.map(|v| mesh.vertices()[v as usize]);
    let [from, to] = [low, high].map(|x| plane.height(x).abs());
    low + (high - low) * (from / (from + to))
}

/// Memory kept from query to query.
#[derive(Debug, Default)]
struct Workspace {
    division: Division,
    cut_faces: Vec<CutFace>,
    /// Parts of the surface: the pieces of the division, then the cut faces.
    parts: UnionFind,
    components: Components,
    seen: ReusableMap<()>,
    points: Vec<DVec3>,
}

impl Workspace {
    /// Divides the mesh into pieces above ("far"), pieces below and cut faces, all in the order of their faces.
    fn divide(&mut self, mesh: &Solid, plane: &Plane) {
        let bvh = mesh.bvh();
        let Self { division, cut_faces, .. } = self;
        cut_faces.clear();
        let visit = |node: u32| {
            let [lowest, highest] = plane.heights_of_box(&bvh.nodes[node as usize].aabb);
            let is_far = lowest >= 0.0;
            if is_far || highest < 0.0 && bvh.is_connected(node) {
                Visit::Piece { is_far }
            } else {
                Visit::Divide
            }
        };
        division.divide(mesh, visit, |face| match cut(mesh, face, plane) {
            Side::Whole { is_below } => Some(!is_below),
            Side::Cut(cut_face) => {
                cut_faces.push(cut_face);
                None
            }
        });
    }

    /// Joins pieces and cut faces across the edges that reach below the plane.
    fn join_parts(&mut self, mesh: &Solid, plane: &Plane) {
        let n_pieces = self.division.pieces.len();
        self.parts.reset(n_pieces + self.cut_faces.len());
        for border in &self.division.borders {
            let edge = &mesh.edges()[border.edge as usize];
            if edge.ends.iter().any(|&v| plane.height(mesh.vertices()[v as usize]) < 0.0) {
                let [a, b] = [0, 1].map(|side| {
                    if border.pieces[side] != NONE {
                        return border.pieces[side];
                    }
                    let cut = self.cut_faces.binary_search_by_key(&edge.faces[side], |cut| cut.face);
                    (n_pieces + cut.expect("a face without a piece is cut")) as u32
                });
                self.parts.join(a, b);
            }
        }
    }

    /// Sums over the surface below the plane and puts the result together.
    fn add_up(&mut self, mesh: &Solid, plane: &Plane) -> Overlap {
        let mut bodies = [Placed::host(mesh)];
        self.points.clear();
        for cut_face in &self.cut_faces {
            self.points.extend(cut_face.cut);
            self.points.extend(&cut_face.below[..cut_face.n_below]);
        }
        let bounds =
            support::add_corners(&mut bodies[0], below(&self.division), &mut self.seen, &mut self.points);
        let bounds = bounds.union(&Aabb::from_points(self.points.iter().copied()));
        if bounds.is_empty() {
            return Overlap::EMPTY;
        }
        let origin = bounds.center() - plane.height(bounds.center()) * plane.normal;
        let (volume, surfaces) = self.sums(mesh, plane, origin);
        let aabb = mesh.aabb();
        let totals = Totals {
            origin,
            volume: &volume,
            surfaces: &surfaces,
            bounds,
            reach: aabb.min.abs().max(aabb.max.abs()).max_element().max(plane.normal.dot(plane.point).abs()),
            has_curve: !self.cut_faces.is_empty(),
        };
        let Some(mut overlap) = totals.overlap() else { return Overlap::EMPTY };
        overlap.n_components = self.components.count(totals.thinnest());
        if overlap.kind == OverlapKind::Regular {
            support::add_far_points(
                &mut bodies,
                &[support::large(below(&self.division))],
                overlap.gradient,
                &mut self.points,
            );
            let Overlap { gradient, volume, centroid, second_moment, areas, .. } = overlap;
            overlap.patch = Patch::new(&self.points, gradient, volume, centroid, &second_moment)
                .map(|patch| patch.with_planes(&self.points, centroid, gradient, areas, [None; 2]));
        }
        overlap
    }

    /// Moments about an origin in the plane.
    fn sums(&mut self, mesh: &Solid, plane: &Plane, origin: DVec3) -> (VolumeMoments, [SurfaceMoments; 2]) {
        let n_pieces = self.division.pieces.len();
        self.components.reset(self.parts.count());
        let mut pieces = FluxMoments::default();
        for (ix, piece) in self.division.pieces.iter().enumerate().filter(|(_, piece)| !piece.is_far) {
            let flux = piece_flux(mesh, piece, origin);
            pieces.add(&flux, 1.0);
            let part = self.parts.find(ix as u32);
            self.components.add(part, flux.volume_from(DVec3::ZERO), flux.surface.area);
        }
        let mut volume = pieces.volume();
        let mut surface = pieces.surface;
        let mut rim = Vec::with_capacity(self.cut_faces.len());
        for (ix, cut_face) in self.cut_faces.iter().enumerate() {
            let part = self.parts.find((n_pieces + ix) as u32);
            for corners in cut_face.triangles() {
                let [a, b, c] = corners.map(|x| x - origin);
                volume.add_triangle(a, b, c, 1.0);
                surface.add_triangle(a, b, c, 1.0);
                let area = 0.5 * (b - a).cross(c - a).length();
                surface.area += area;
                self.components.add(part, a.dot(b.cross(c)) / 6.0, area);
            }
            let [from, to] = cut_face.cut.map(|x| x - origin);
            rim.push(Link { from, to, points: cut_face.edges, part, weight: 1.0 });
        }
        holes::join(&rim, plane.normal, &mut self.components);
        let lid = SurfaceMoments {
            area_vector: -surface.area_vector,
            arms: DMat3::IDENTITY * volume.volume - surface.arms,
            area: -surface.area_vector.dot(plane.normal),
            ..Default::default()
        };
        (volume, [surface, lid])
    }
}

/// The pieces below the plane.
fn below(division: &Division) -> impl Iterator<Item = &Piece> + Clone {
    division.pieces.iter().filter(|piece| !piece.is_far)
}
