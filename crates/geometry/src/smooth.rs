//! The smooth surface that a mesh stands for, as far as touching a plane needs it.
//!
//! A wheel of 64 sides and an icosphere are polyhedra that stand for round bodies. Over an edge whose faces turn by no more than an
//! angle the surface counts as smooth: vertices lie on it, and its normals there are the means of the faces around. What touches a
//! plane that comes from a direction `d` is the support point `p(d)`, and how far it reaches the support function `h(d) = p·d`.
//! Around a vertex with normal `n` it is `h = p·d + (d - n)·H (d - n) / 2` with `H` the Hessian, whose eigenvalues are the radii of
//! curvature; differences of vertices and normals over a facet give `H` (Minkowski's support function, Bonnesen and Fenchel 1934).
//! This is exact for a sphere, whatever its facets.
//!
//! A chain of sharp edges that turns little from one to the next is a smooth curve as well: the rim of a coin.

mod directions;
mod parts;
mod topology;
mod tree;

use glam::{DMat3, DVec3};

use crate::{Aabb, Ridge, Solid, TriangleMesh};
use parts::{Corner, Curve, Facet, Part, Span};
use topology::Topology;
use tree::Tree;

pub use parts::Bend;

/// A point in which the smooth surface touches a plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SmoothPoint {
    /// Where it is, in the mesh's axes \[m\].
    pub place: DVec3,
    /// Hessian of the support function: how the point moves when the direction turns \[m\].
    pub rounding: DMat3,
    /// Between which places the surface may touch in its stead where it does so along a line: the ends of the edge that stands for it there;
    /// twice the same of what bends in all directions \[m\].
    pub ends: [DVec3; 2],
}

/// The smooth parts of a mesh's surface.
#[derive(Clone, Debug, PartialEq)]
pub struct SmoothSurface {
    curves: Tree<Curve>,
    facets: Tree<Facet>,
    edges: Tree<Span>,
    corners: Tree<Corner>,
    ridges: Tree<Ridge>,
    angle: f64,
    bulge: f64,
    facet: f64,
    size: f64,
    is_oval: bool,
}

/// Where points of a surface are looked for: a ball about a place, in the mesh's axes \[m\].
#[derive(Clone, Copy, Debug)]
pub struct Near {
    /// Its middle.
    pub place: DVec3,
    /// Its radius, infinite for everywhere.
    pub radius: f64,
}

impl Near {
    /// All of space.
    pub const ANYWHERE: Self = Self { place: DVec3::ZERO, radius: f64::INFINITY };

    pub(crate) fn meets(&self, bounds: &Aabb) -> bool {
        let nearest = self.place.clamp(bounds.min, bounds.max);
        nearest.distance_squared(self.place) <= self.radius * self.radius
    }
}

impl SmoothSurface {
    /// The smooth surface of a mesh whose faces turn by no more than `angle` \[rad\] over a smooth edge; `None` where no edge is
    /// smooth. Faces without area and edges without exactly two faces are sharp.
    pub fn new(mesh: &TriangleMesh, angle: f64) -> Option<Self> {
        let topology = Topology::new(mesh, angle);
        let facets = topology.facets();
        let edges = topology.spans();
        let curves = topology.curves(angle);
        let bulge =
            curves.iter().map(Part::bulge).chain(edges.iter().map(Span::bends_away)).fold(0.0, f64::max);
        let chords = curves.iter().map(|curve| curve.ends).chain(edges.iter().map(|edge| edge.ends));
        let facet = chords.map(|[from, to]| from.distance(to)).fold(0.0, f64::max);
        let bulges_out = |edge: &Span| edge.bends_by() >= 0.0;
        let is_oval = topology.sharp.is_empty() && edges.iter().all(bulges_out);
        let is_smooth = bulge > 0.0;
        is_smooth.then(|| Self {
            curves: Tree::new(curves),
            facets: Tree::new(facets),
            edges: Tree::new(edges),
            corners: Tree::new(topology.corners(angle)),
            ridges: Tree::new(Vec::new()),
            angle,
            bulge,
            facet,
            size: mesh.aabb().diagonal(),
            is_oval,
        })
    }

    /// That of a solid, with the edges at which that juts out and turns by more than `angle`.
    pub(crate) fn of(solid: &Solid, angle: f64) -> Option<Self> {
        let surface = Self::new(solid.mesh(), angle)?;
        let mut ridges = solid.ridges(&Near::ANYWHERE);
        ridges.retain(|ridge| ridge.turn() > angle);
        Some(Self { ridges: Tree::new(ridges), ..surface })
    }

    /// Whether it is smooth all over and bulges out everywhere, as a ball and an egg do.
    pub fn is_oval(&self) -> bool {
        self.is_oval
    }

    /// By how much faces turn over a smooth edge at most \[rad\].
    pub fn angle(&self) -> f64 {
        self.angle
    }

    /// About how far the surface lies outside the facets at most \[m\].
    pub fn bulge(&self) -> f64 {
        self.bulge
    }

    /// About how far it does so near a place at most \[m\].
    pub fn bulge_near(&self, near: &Near) -> f64 {
        let Self { curves, facets, edges, .. } = self;
        curves.bulge(near).max(facets.bulge(near)).max(edges.bulge(near))
    }

    /// Length of the longest of its edges: so far from what a facet shows of it may it touch \[m\].
    pub fn facet(&self) -> f64 {
        self.facet
    }

    /// Diagonal of the box around the mesh \[m\].
    pub fn size(&self) -> f64 {
        self.size
    }

    /// Adds the points in which the surface touches planes that come from the unit direction `toward`, as far as they reach `least`
    /// or farther along it \[m\]; all of those that are `near`, others perhaps. The mesh's axes.
    pub fn touching(&self, toward: DVec3, least: f64, near: &Near, points: &mut Vec<SmoothPoint>) {
        let (out, wide) =
            (least - 2.0 * self.bulge, Near { radius: near.radius + 2.0 * self.bulge, ..*near });
        let bulging = (toward, Bend::Out);
        self.curves.touching(bulging, out, &wide, points);
        self.facets.touching(bulging, out, &wide, points);
        self.edges.touching(bulging, out, &wide, points);
        points.retain(|point| point.place.dot(toward) >= least);
    }

    /// The same of points in which it is hollow, as a bowl is inside, however far it reaches elsewhere. Their roundings are negative.
    pub fn hollows(&self, toward: DVec3, near: &Near, points: &mut Vec<SmoothPoint>) {
        let hollow = (toward, Bend::In);
        let wide = Near { radius: near.radius + 2.0 * self.bulge, ..*near };
        self.facets.touching(hollow, f64::NEG_INFINITY, &wide, points);
        self.edges.touching(hollow, f64::NEG_INFINITY, &wide, points);
    }

    /// The sharp edges at which the solid that it was made of juts out, as far as they come near a place.
    pub fn ridges<'a>(&'a self, near: &'a Near) -> impl Iterator<Item = &'a Ridge> {
        self.ridges.near(near).filter(|ridge| ridge.comes_near(near))
    }

    /// The vertices near a place from which sharp edges do not go on as a curve, and some more \[m\].
    pub fn corners<'a>(&'a self, near: &'a Near) -> impl Iterator<Item = DVec3> + 'a {
        self.corners.near(near).map(|Corner(place)| *place)
    }
}

#[cfg(test)]
mod tests;
