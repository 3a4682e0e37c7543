//! A surface on its way through a motion, and what has been worked out of that: only of the parts that something comes near to.

use std::cell::OnceCell;

use super::motion::Mover;
use super::path::{Path, Quadratic};
use super::ridge::Ridge;
use super::surface::Surface;
use crate::Aabb;

/// A face on its way.
#[derive(Clone, Copy, Debug)]
pub struct MovingFace {
    /// Paths of its corners.
    pub corners: [Path; 3],
    /// Unnormalised outward normal.
    pub normal: Quadratic,
    /// The box around its paths.
    pub aabb: Aabb,
}

/// An edge on its way.
#[derive(Clone, Copy, Debug)]
pub struct MovingEdge {
    /// Paths of its ends.
    pub ends: [Path; 2],
    /// The box around them.
    pub aabb: Aabb,
    /// Where it sticks out to at the start.
    pub ridge: Ridge,
}

/// A surface on its way.
///
/// Paths and boxes are kept from when they are first asked for: a walk comes to each of them from many sides.
#[derive(Debug)]
pub struct Placed<'a> {
    pub surface: &'a Surface,
    pub mover: Mover,
    vertices: Vec<OnceCell<Box<Path>>>,
    faces: Vec<OnceCell<Box<MovingFace>>>,
    edges: Vec<OnceCell<Box<MovingEdge>>>,
    nodes: Vec<OnceCell<Box<Aabb>>>,
}

impl<'a> Placed<'a> {
    /// A surface on its way.
    pub fn new(surface: &'a Surface, mover: Mover) -> Self {
        Self {
            surface,
            mover,
            vertices: unknown(surface.vertices.len()),
            faces: unknown(surface.faces.len()),
            edges: unknown(surface.edges.len()),
            nodes: unknown(surface.bvh.nodes.len()),
        }
    }

    /// Path of a vertex.
    pub fn vertex(&self, vertex: u32) -> Path {
        let path = || Box::new(self.mover.path(self.surface.vertices[vertex as usize]));
        **self.vertices[vertex as usize].get_or_init(path)
    }

    /// A face on its way.
    pub fn face(&self, face: u32) -> &MovingFace {
        self.faces[face as usize].get_or_init(|| {
            let corners = self.surface.faces[face as usize].corners.map(|v| self.vertex(v));
            let [a, b, c] = &corners;
            let normal = Quadratic::cross(&b.from(a), &c.from(a));
            Box::new(MovingFace { corners, normal, aabb: around(&corners) })
        })
    }

    /// An edge on its way.
    pub fn edge(&self, edge: u32) -> &MovingEdge {
        self.edges[edge as usize].get_or_init(|| {
            let own = &self.surface.edges[edge as usize];
            let ends = own.ends.map(|v| self.vertex(v));
            Box::new(MovingEdge { ends, aabb: around(&ends), ridge: own.ridge.placed(&self.mover) })
        })
    }

    /// The box around the paths of all faces of a node of the tree.
    pub fn node(&self, node: u32) -> &Aabb {
        let swept = || Box::new(self.mover.swept(&self.surface.bvh.nodes[node as usize].aabb));
        self.nodes[node as usize].get_or_init(swept)
    }
}

/// As many things that are not known yet.
fn unknown<T>(n: usize) -> Vec<OnceCell<T>> {
    let mut all = Vec::new();
    all.resize_with(n, OnceCell::new);
    all
}

/// The box around paths.
fn around<const N: usize>(paths: &[Path; N]) -> Aabb {
    paths[1..].iter().fold(paths[0].aabb(), |all, path| all.union(&path.aabb()))
}
