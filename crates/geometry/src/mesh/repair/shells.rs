//! Shells: the closed surfaces that a mesh is made of, and which of them lie in others.

use std::ops::ControlFlow;

use glam::DVec3;
use rayon::prelude::*;

use super::report::RepairError;
use super::through::winding;
use super::work::grouped;
use crate::Aabb;
use crate::mesh::TriangleMesh;
use crate::mesh::check::topology::{Edges, Use};
use crate::mesh::check::tree::Tree;
use crate::mesh::weld::Joined;

/// Facets of a shell from which it is looked whether it lies in another one.
const SAMPLES: usize = 7;

/// Solid angles after which it is left open which shells lie in which: some ten seconds' work.
const MAX_ANGLES: usize = 500_000_000;

/// A mesh of which every vertex belongs to one fan of facets, every edge to two facets, and every facet to one shell.
pub struct Shells {
    pub mesh: TriangleMesh,
    /// Facets of each shell, in ascending order.
    pub facets: Vec<Vec<u32>>,
    boxes: Vec<Aabb>,
}

impl Shells {
    /// Takes a closed, oriented surface apart. Where more than two facets meet in an edge, those two belong together that hang together
    /// elsewhere; of others those that have what is solid between them.
    pub fn of(mesh: &TriangleMesh) -> Self {
        let n = mesh.triangles.len();
        let mut corners = Joined::new(3 * n);
        let mut shells = Joined::new(n);
        let mut join = |a: &Use, b: &Use| {
            let ends = |u: &Use| {
                let (here, next) =
                    (3 * u.triangle + u32::from(u.side), 3 * u.triangle + (u32::from(u.side) + 1) % 3);
                if u.is_forward { [here, next] } else { [next, here] }
            };
            let ([a_low, a_high], [b_low, b_high]) = (ends(a), ends(b));
            corners.join(a_low, b_low);
            corners.join(a_high, b_high);
            shells.join(a.triangle, b.triangle);
        };
        let edges = Edges::of(&mesh.triangles);
        let mut patches = Joined::new(n);
        edges.manifold().for_each(|(a, b)| patches.join(a.triangle, b.triangle));
        for uses in edges.groups() {
            match uses {
                [a, b] => join(a, b),
                many => {
                    let (pairs, rest) = of_one_patch(many, |facet| patches.root(facet));
                    pairs.iter().for_each(|(a, b)| join(a, b));
                    wedges(mesh, &rest).into_iter().for_each(|(a, b)| join(&rest[a], &rest[b]));
                }
            }
        }
        let facets = grouped(n, |ix| shells.root(ix));
        let mut new_ix = vec![u32::MAX; 3 * n];
        let mut split = TriangleMesh { vertices: Vec::new(), triangles: vec![[0; 3]; n] };
        for corner in 0..3 * n as u32 {
            let root = corners.root(corner) as usize;
            if new_ix[root] == u32::MAX {
                new_ix[root] = split.vertices.len() as u32;
                let (facet, k) = (corner as usize / 3, corner as usize % 3);
                split.vertices.push(mesh.vertices[mesh.triangles[facet][k] as usize]);
            }
            split.triangles[corner as usize / 3][corner as usize % 3] = new_ix[root];
        }
        let boxes = facets.iter().map(|of| box_of(&split, of)).collect();
        Self { mesh: split, facets, boxes }
    }

    /// The box around a shell.
    pub fn aabb(&self, shell: usize) -> Aabb {
        self.boxes[shell]
    }

    /// Signed volume of a shell.
    pub fn volume(&self, shell: usize) -> f64 {
        let facets = &self.facets[shell];
        let origin = self.mesh.corners(facets[0] as usize)[0];
        let sixfold = |&ix: &u32| {
            let [a, b, c] = self.mesh.corners(ix as usize).map(|x| x - origin);
            a.dot(b.cross(c))
        };
        facets.iter().map(sixfold).sum::<f64>() / 6.0
    }

    /// The shell of each facet.
    pub fn shell_of(&self) -> Vec<u32> {
        let mut of = vec![0; self.mesh.triangles.len()];
        for (shell, facets) in (0..).zip(&self.facets) {
            facets.iter().for_each(|&ix| of[ix as usize] = shell);
        }
        of
    }

    /// Turns a shell over.
    pub fn turn(&mut self, shell: usize) {
        for &ix in &self.facets[shell] {
            self.mesh.triangles[ix as usize].swap(1, 2);
        }
    }

    /// For each shell those that it lies in, in ascending order.
    ///
    /// # Errors
    /// If so many have their boxes within those of others that it takes too long to tell.
    pub fn containers(&self) -> Result<Vec<Vec<u32>>, RepairError> {
        let n = self.facets.len();
        let tree = Tree::new(&self.boxes);
        let mut around: Vec<Vec<u32>> = Vec::with_capacity(n);
        let (mut n_pairs, mut n_angles) = (0_usize, 0_usize);
        for (own, shell) in self.boxes.iter().zip(0..) {
            let mut near = Vec::new();
            let holds = |outer: &Aabb| outer.contains(own.min) && outer.contains(own.max);
            let _ = tree.visit(holds, |other| {
                near.extend((other != shell).then_some(other));
                ControlFlow::Continue(())
            });
            near.sort_unstable();
            n_pairs += near.len();
            n_angles += near.iter().map(|&other| SAMPLES * self.facets[other as usize].len()).sum::<usize>();
            if n_angles > MAX_ANGLES {
                return Err(RepairError::Nested { n: n_pairs });
            }
            around.push(near);
        }
        around.par_iter_mut().enumerate().for_each(|(shell, near)| {
            near.retain(|&other| self.lies_in(shell, other as usize));
        });
        Ok(around)
    }

    /// Whether most of some points of a shell lie in another one.
    fn lies_in(&self, shell: usize, other: usize) -> bool {
        let facets = &self.facets[shell];
        let step = facets.len().div_ceil(SAMPLES);
        let points = facets.iter().step_by(step).map(|&ix| self.mesh.corners(ix as usize));
        let is_in = |[a, b, c]: [DVec3; 3]| {
            winding(&self.mesh, self.facets[other].iter().copied(), (a + b + c) / 3.0).abs() > 0.5
        };
        let (inside, outside): (Vec<bool>, Vec<bool>) = points.map(is_in).partition(|is| *is);
        inside.len() > outside.len()
    }
}

/// The box around some facets.
pub fn box_of(mesh: &TriangleMesh, facets: &[u32]) -> Aabb {
    Aabb::from_points(facets.iter().flat_map(|&ix| mesh.corners(ix as usize)))
}

/// Of the facets at an edge the pairs that are alone in their patch to run one way and the other; and the rest.
fn of_one_patch(uses: &[Use], mut patch: impl FnMut(u32) -> u32) -> (Vec<(Use, Use)>, Vec<Use>) {
    let mut keyed: Vec<(u32, Use)> = uses.iter().map(|u| (patch(u.triangle), *u)).collect();
    keyed.sort_by_key(|(patch, u)| (*patch, u.triangle));
    let (mut pairs, mut rest) = (Vec::new(), Vec::new());
    for same in keyed.chunk_by(|a, b| a.0 == b.0) {
        match same {
            [(_, a), (_, b)] if a.is_forward != b.is_forward => pairs.push((*a, *b)),
            others => rest.extend(others.iter().map(|(_, u)| *u)),
        }
    }
    (pairs, rest)
}

/// Which facets at an edge have what is solid between them, as pairs of their places in `uses`.
///
/// About the edge, seen against its direction, the solid begins behind a facet that runs backward and ends behind one that
/// runs forward, as brackets do.
fn wedges(mesh: &TriangleMesh, uses: &[Use]) -> Vec<(usize, usize)> {
    let Some(first) = uses.first() else { return Vec::new() };
    let [a, b] = first.edge.map(|v| mesh.vertices[v as usize]);
    let axis = (b - a).normalize_or_zero();
    let (u, v) = axis.any_orthonormal_pair();
    let angle = |of: &Use| {
        let apex = mesh.triangles[of.triangle as usize][(usize::from(of.side) + 2) % 3];
        let out = mesh.vertices[apex as usize] - a;
        out.dot(v).atan2(out.dot(u))
    };
    let mut order: Vec<(f64, usize)> = uses.iter().map(angle).zip(0..).collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut pairs = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut is_used = vec![false; uses.len()];
    // Twice round: what begins before the first angle ends behind it.
    for &(_, ix) in order.iter().chain(&order) {
        if is_used[ix] {
            continue;
        }
        if !uses[ix].is_forward {
            if !open.contains(&ix) {
                open.push(ix);
            }
        } else if let Some(start) = open.pop() {
            pairs.push((start, ix));
            is_used[start] = true;
            is_used[ix] = true;
        }
    }
    pairs
}
