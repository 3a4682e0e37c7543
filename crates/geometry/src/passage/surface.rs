//! A triangle mesh, closed or open, prepared for passages: what its features are, which lie side by side, and a tree over its faces.

use std::collections::BTreeMap;

use glam::DVec3;
use thiserror::Error;

use super::ridge::Ridge;
use crate::solid::bvh::{self, Bvh};
use crate::words::vector;
use crate::{Aabb, TriangleMesh};

/// Marks the absence of a face.
pub(super) const NONE: u32 = u32::MAX;

/// Sine of the angle between two faces up to which they are one plane, whose edge touches nothing that its faces do not.
const FLAT: f64 = 1e-6;

/// Part of the solid angle above which a point is inside of a closed surface.
const INSIDE: f64 = 0.5;

/// Why a mesh cannot be used.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SurfaceError {
    /// No triangle with an area.
    #[error("the mesh has no triangle with an area")]
    Empty,
    /// A triangle names a vertex that is not there.
    #[error("triangle {triangle} names vertex {vertex}, but the mesh has {n_vertices} vertices")]
    VertexIndex {
        /// Index of the triangle.
        triangle: usize,
        /// The index it names.
        vertex: u32,
        /// Number of vertices in the mesh.
        n_vertices: usize,
    },
    /// A coordinate that is infinite or not a number.
    #[error("vertex {vertex} is not finite")]
    NonFinite {
        /// Index of the vertex.
        vertex: usize,
    },
    /// Neighbours that look to opposite sides.
    #[error("{n} edges have triangles that look to opposite sides, the first from {} to {}", vector(*from), vector(*to))]
    Misoriented {
        /// How many.
        n: usize,
        /// Ends of the first \[m\].
        from: DVec3,
        /// The other end.
        to: DVec3,
    },
}

/// A face with what lies beside it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Face {
    /// Vertices, counter-clockwise from outside.
    pub corners: [u32; 3],
    /// Neighbour across the side opposite to each corner, or [`NONE`].
    pub across: [u32; 3],
    /// Which of its corners it owns: a vertex belongs to one face.
    pub owns: [bool; 3],
    /// The edges that it owns, which can touch other edges.
    pub edges: [Option<u32>; 3],
}

/// An edge that can touch other edges: one that sticks out, or the rim of an open surface.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// Its ends.
    pub ends: [u32; 2],
    /// Its faces, or [`NONE`] beyond a rim.
    pub faces: [u32; 2],
    /// Directions into its faces, across it: what pushes it out has no positive part along them. `None` where there is no face.
    pub into: [Option<DVec3>; 2],
    /// Where it sticks out to.
    pub ridge: Ridge,
}

/// A triangle mesh prepared for passages.
///
/// A closed surface has an inside. An open one, a sheet, has two sides alike: a vertex that has come through it is held on the side it
/// came from, until it goes back or leaves over the rim.
#[derive(Debug)]
pub struct Surface {
    pub(super) vertices: Vec<DVec3>,
    pub(super) faces: Vec<Face>,
    pub(super) edges: Vec<Edge>,
    /// The edges at each vertex.
    pub(super) edges_at: Vec<Vec<u32>>,
    pub(super) bvh: Bvh,
    is_closed: bool,
    n_dropped: usize,
    reach: (DVec3, f64),
    longest: f64,
}

impl Surface {
    /// Prepares a mesh. Vertices at the same place are taken as one, triangles without an area are left out.
    ///
    /// # Errors
    /// See [`SurfaceError`].
    pub fn new(mesh: &TriangleMesh) -> Result<Self, SurfaceError> {
        let (vertices, triangles) = welded(mesh)?;
        let corners: Vec<[DVec3; 3]> = triangles.iter().map(|t| t.map(|v| vertices[v as usize])).collect();
        if corners.is_empty() {
            return Err(SurfaceError::Empty);
        }
        let (bvh, order) = bvh::build(&corners);
        let ordered: Vec<[u32; 3]> = order.iter().map(|&ix| triangles[ix as usize]).collect();
        let sides = sides(&ordered);
        check_orientation(&vertices, &sides)?;
        let is_closed = sides.values().all(|uses| uses.len() == 2);
        let mut surface = Self {
            edges_at: vec![Vec::new(); vertices.len()],
            faces: ordered.iter().map(|&corners| Face::alone(corners)).collect(),
            edges: Vec::new(),
            bvh,
            is_closed,
            n_dropped: mesh.triangles.len() - triangles.len(),
            reach: (DVec3::ZERO, 0.0),
            longest: 0.0,
            vertices,
        };
        surface.join(&sides);
        surface.share_vertices();
        let middle = surface.bvh.nodes[0].aabb.center();
        let farthest = surface.vertices.iter().map(|x| x.distance(middle)).fold(0.0, f64::max);
        surface.reach = (middle, farthest);
        let length = |[a, b]: [u32; 2]| surface.vertices[a as usize].distance(surface.vertices[b as usize]);
        surface.longest = sides.keys().map(|side| length(*side)).fold(0.0, f64::max);
        Ok(surface)
    }

    /// Whether the surface encloses what is inside of it.
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Number of its faces.
    pub fn n_faces(&self) -> usize {
        self.faces.len()
    }

    /// Triangles of the mesh that have no area and were left out.
    pub fn n_dropped(&self) -> usize {
        self.n_dropped
    }

    /// The middle of its box and how far its vertices are from it at most, own frame \[m\].
    pub fn ball(&self) -> (DVec3, f64) {
        self.reach
    }

    /// Length of its longest edge \[m\].
    pub(super) fn longest(&self) -> f64 {
        self.longest
    }

    /// Its vertices, own frame \[m\].
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// The smallest box around it in its own frame.
    pub fn aabb(&self) -> Aabb {
        self.bvh.nodes[0].aabb
    }

    /// Whether a point of its frame is inside of a closed surface, by the solid angle that the surface takes up from there.
    pub(super) fn holds(&self, x: DVec3) -> bool {
        let angle = |face: &Face| {
            let [a, b, c] = face.corners.map(|v| self.vertices[v as usize] - x);
            let (la, lb, lc) = (a.length(), b.length(), c.length());
            let below = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
            2.0 * a.dot(b.cross(c)).atan2(below)
        };
        self.is_closed
            && self.aabb().contains(x)
            && self.faces.iter().map(angle).sum::<f64>() > INSIDE * 4.0 * std::f64::consts::PI
    }

    /// Says which faces lie beside which, and which edges can touch others.
    fn join(&mut self, sides: &Sides) {
        for (&[low, high], uses) in sides {
            let two = uses.len() == 2;
            if let [one, other] = uses[..] {
                self.faces[one.face as usize].across[one.opposite] = other.face;
                self.faces[other.face as usize].across[other.opposite] = one.face;
            }
            let into = |one: &Side| self.across_side(one, [low, high]);
            let first = into(&uses[0]);
            let second = uses.get(1).filter(|_| two).map(into);
            let sticks_out = second.is_none_or(|second| {
                let n = self.normal(uses[0].face);
                let rise = n.dot(second);
                if self.is_closed { rise < -FLAT } else { rise.abs() > FLAT }
            });
            if sticks_out {
                let ix = self.edges.len() as u32;
                let faces = [uses[0].face, uses.get(1).filter(|_| two).map_or(NONE, |side| side.face)];
                let ridge = second.filter(|_| self.is_closed).map_or(Ridge::ANYWHERE, |second| {
                    Ridge::between(faces.map(|face| self.normal(face)), [first, second])
                });
                self.edges.push(Edge { ends: [low, high], faces, into: [Some(first), second], ridge });
                self.faces[uses[0].face as usize].edges[uses[0].opposite] = Some(ix);
                [low, high].into_iter().for_each(|v| self.edges_at[v as usize].push(ix));
            }
        }
    }

    /// Unit normal of a face.
    pub(super) fn normal(&self, face: u32) -> DVec3 {
        let [a, b, c] = self.faces[face as usize].corners.map(|v| self.vertices[v as usize]);
        (b - a).cross(c - a).normalize_or_zero()
    }

    /// Unit vector from a side into its face, across it.
    fn across_side(&self, side: &Side, [low, high]: [u32; 2]) -> DVec3 {
        let at = |v: u32| self.vertices[v as usize];
        let along = (at(high) - at(low)).normalize_or_zero();
        let far = at(self.faces[side.face as usize].corners[side.opposite]) - at(low);
        (far - along * along.dot(far)).normalize_or_zero()
    }

    /// Gives every vertex to the first face that has it.
    fn share_vertices(&mut self) {
        let mut is_owned = vec![false; self.vertices.len()];
        for face in &mut self.faces {
            for (vertex, owns) in face.corners.into_iter().zip(&mut face.owns) {
                *owns = !std::mem::replace(&mut is_owned[vertex as usize], true);
            }
        }
    }
}

impl Face {
    fn alone(corners: [u32; 3]) -> Self {
        Self { corners, across: [NONE; 3], owns: [false; 3], edges: [None; 3] }
    }
}

/// A face at one of its sides.
#[derive(Clone, Copy, Debug)]
struct Side {
    face: u32,
    /// The corner that is not on the side.
    opposite: usize,
    /// Whether the face runs from the lower to the higher vertex.
    forward: bool,
}

/// The faces at each side, by its vertices, the lower first.
type Sides = BTreeMap<[u32; 2], Vec<Side>>;

fn sides(triangles: &[[u32; 3]]) -> Sides {
    let mut sides = Sides::new();
    for (face, t) in (0..).zip(triangles) {
        for opposite in 0..3 {
            let (from, to) = (t[(opposite + 1) % 3], t[(opposite + 2) % 3]);
            let side = Side { face, opposite, forward: from < to };
            sides.entry([from.min(to), from.max(to)]).or_default().push(side);
        }
    }
    sides
}

fn check_orientation(vertices: &[DVec3], sides: &Sides) -> Result<(), SurfaceError> {
    let is_wrong = |uses: &Vec<Side>| uses.len() == 2 && uses[0].forward == uses[1].forward;
    let wrong: Vec<[u32; 2]> =
        sides.iter().filter(|(_, uses)| is_wrong(uses)).map(|(ends, _)| *ends).collect();
    match wrong.first() {
        None => Ok(()),
        Some([from, to]) => Err(SurfaceError::Misoriented {
            n: wrong.len(),
            from: vertices[*from as usize],
            to: vertices[*to as usize],
        }),
    }
}

/// The vertices that triangles with an area use, those at the same place taken as one, and these triangles.
fn welded(mesh: &TriangleMesh) -> Result<(Vec<DVec3>, Vec<[u32; 3]>), SurfaceError> {
    let n_vertices = mesh.vertices.len();
    if let Some(vertex) = mesh.vertices.iter().position(|x| !x.is_finite()) {
        return Err(SurfaceError::NonFinite { vertex });
    }
    let mut places: BTreeMap<[u64; 3], u32> = BTreeMap::new();
    let mut vertices = Vec::new();
    let mut triangles = Vec::new();
    for (triangle, corners) in mesh.triangles.iter().enumerate() {
        if let Some(&vertex) = corners.iter().find(|&&v| v as usize >= n_vertices) {
            return Err(SurfaceError::VertexIndex { triangle, vertex, n_vertices });
        }
        let [a, b, c] = mesh.corners(triangle);
        let area = (b - a).cross(c - a).length();
        if !(area > 0.0 && area.is_finite()) {
            continue;
        }
        triangles.push([a, b, c].map(|x| {
            // The zeros of both signs are one place.
            let key = (x + DVec3::ZERO).to_array().map(f64::to_bits);
            *places.entry(key).or_insert_with(|| {
                vertices.push(x);
                vertices.len() as u32 - 1
            })
        }));
    }
    Ok((vertices, triangles))
}
