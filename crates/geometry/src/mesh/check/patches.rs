//! The pieces of a surface that have one winding number in front of all of them.

use std::ops::ControlFlow;

use rayon::prelude::*;

use super::crossings::State;
use super::surface::Surface;
use super::tree::Tree;
use super::{NO_VOLUME, area_of};
use crate::mesh::weld::Joined;
use crate::{Aabb, TriangleMesh};

/// Triangles of a patch that are tried before its winding number is left unknown.
const MAX_SAMPLES: usize = 8;

/// Tests of a triangle against a ray after which no more winding numbers are looked for, a second's work. Only a mesh of
/// thousands of parts inside each other has as many.
const MAX_RAY_TESTS: usize = 5_000_000;

/// The surface taken apart at the edges that more than two triangles share.
///
/// The winding number in front of a patch is the same all over it unless something crosses it.
pub struct Patches {
    /// Triangles, one patch after the other, in ascending order in each.
    triangles: Vec<u32>,
    ends: Vec<usize>,
    is_closed: Vec<bool>,
    /// Closed ones that lie in no other part, so that which way they look is known from their volume.
    is_apart: Vec<bool>,
}

impl Patches {
    pub fn of(mesh: &TriangleMesh, surface: &Surface<'_>) -> Self {
        let n = mesh.triangles.len();
        let mut joined = Joined::new(n);
        for ix in 0..n as u32 {
            surface.neighbours(ix).into_iter().flatten().for_each(|other| joined.join(ix, other));
        }
        let mut keyed: Vec<(u32, u32)> = (0..n as u32).map(|ix| (joined.root(ix), ix)).collect();
        keyed.sort_unstable();
        let mut patches =
            Self { triangles: Vec::new(), ends: Vec::new(), is_closed: Vec::new(), is_apart: Vec::new() };
        for patch in keyed.chunk_by(|a, b| a.0 == b.0) {
            patches.triangles.extend(patch.iter().map(|(_, ix)| *ix));
            patches.ends.push(patches.triangles.len());
            let is_closed = |&(_, ix): &(u32, u32)| surface.neighbours(ix).iter().all(Option::is_some);
            patches.is_closed.push(patch.iter().all(is_closed));
        }
        patches.is_apart = patches.lying_apart(mesh);
        patches
    }

    /// Which patches are closed, have a volume and lie in no other part of the surface: nothing winds round them but they
    /// themselves.
    ///
    /// Parts are what hangs together through vertices. Each is closed, so that it winds round nothing outside of its box, and
    /// a part that lies in another has its box within that one's.
    fn lying_apart(&self, mesh: &TriangleMesh) -> Vec<bool> {
        let mut joined = Joined::new(mesh.vertices.len());
        mesh.triangles.iter().for_each(|&[a, b, c]| {
            joined.join(a, b);
            joined.join(a, c);
        });
        let mut boxes = vec![Aabb::EMPTY; mesh.vertices.len()];
        let mut n_triangles = vec![0; mesh.vertices.len()];
        for (ix, &[corner, ..]) in mesh.triangles.iter().enumerate() {
            let part = joined.root(corner) as usize;
            mesh.corners(ix).into_iter().for_each(|x| boxes[part].insert(x));
            n_triangles[part] += 1;
        }
        let mut part_of = |ix: usize| joined.root(mesh.triangles[self.triangles(ix)[0] as usize][0]) as usize;
        let parts: Vec<usize> = (0..self.len()).map(&mut part_of).collect();
        let all: Vec<Aabb> = boxes.iter().filter(|aabb| !aabb.is_empty()).copied().collect();
        let tree = Tree::new(&all);
        let lies_apart = |ix: usize| {
            let own = boxes[parts[ix]];
            let is_whole = self.is_closed[ix] && self.triangles(ix).len() == n_triangles[parts[ix]];
            is_whole && has_volume(mesh, self.triangles(ix), &own) && !is_within_two(&tree, &own)
        };
        (0..self.len()).into_par_iter().map(lies_apart).collect()
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn triangles(&self, ix: usize) -> &[u32] {
        let start = if ix == 0 { 0 } else { self.ends[ix - 1] };
        &self.triangles[start..self.ends[ix]]
    }

    /// Whether a patch alone is a closed surface.
    pub fn is_closed(&self, ix: usize) -> bool {
        self.is_closed[ix]
    }

    /// The triangles of a patch from which rays are cast.
    fn samples(&self, ix: usize) -> impl Iterator<Item = u32> + '_ {
        let triangles = self.triangles(ix);
        triangles.iter().step_by(triangles.len().div_ceil(MAX_SAMPLES)).copied()
    }

    /// Which patches have one winding number in front of all of them that can be found: those that nothing crosses, for
    /// whose rays there is time. Those whose rays meet few triangles come first.
    pub fn within_reach(&self, surface: &Surface<'_>, states: &[State]) -> Vec<bool> {
        let cost = |ix: usize| {
            let is_free = self.triangles(ix).iter().all(|&t| states[t as usize] == State::Free);
            let first = self.samples(ix).next().filter(|_| is_free)?;
            Some((if self.is_apart[ix] { 0 } else { surface.n_near_ray(first) }, ix))
        };
        let mut costs: Vec<(usize, usize)> = (0..self.len()).into_par_iter().filter_map(cost).collect();
        costs.sort_unstable();
        let mut is_known = vec![false; self.len()];
        let mut left = MAX_RAY_TESTS;
        for (cost, ix) in costs {
            let Some(rest) = left.checked_sub(cost) else { break };
            left = rest;
            is_known[ix] = true;
        }
        is_known
    }

    /// The winding number in front of every patch of the mesh as it stands now; none where it is not known to be the same all
    /// over the patch or no ray was clear.
    pub fn windings(
        &self,
        mesh: &TriangleMesh,
        surface: &Surface<'_>,
        is_known: &[bool],
    ) -> Vec<Option<i32>> {
        let winding = |ix: usize| {
            let triangles = self.triangles(ix);
            if !self.is_apart[ix] {
                return self.samples(ix).find_map(|t| surface.winding_before(t));
            }
            // In front of a surface that looks inward lies what it encloses.
            let is_inward = volume_of(mesh, triangles) < 0.0;
            Some(if is_inward { -(surface.multiplicity(triangles[0]) as i32) } else { 0 })
        };
        (0..self.len()).into_par_iter().map(|ix| is_known[ix].then(|| winding(ix)).flatten()).collect()
    }
}

/// Signed volume that some triangles enclose \[m³\].
pub fn volume_of(mesh: &TriangleMesh, triangles: &[u32]) -> f64 {
    let Some(&first) = triangles.first() else { return 0.0 };
    // About a point of the part: far from it, products would cancel.
    let origin = mesh.corners(first as usize)[0];
    let sixfold = |&ix: &u32| {
        let [a, b, c] = mesh.corners(ix as usize).map(|x| x - origin);
        a.dot(b.cross(c))
    };
    triangles.iter().map(sixfold).sum::<f64>() / 6.0
}

/// Whether some triangles enclose more than rounding; `aabb` is their box.
fn has_volume(mesh: &TriangleMesh, triangles: &[u32], aabb: &Aabb) -> bool {
    let area = area_of(mesh, triangles.iter().map(|&ix| ix as usize));
    volume_of(mesh, triangles).abs() > NO_VOLUME * area * aabb.diagonal()
}

/// Whether at least two boxes of a tree hold all of the given one, which is one of them.
fn is_within_two(tree: &Tree, aabb: &Aabb) -> bool {
    let mut n = 0;
    let holds = |outer: &Aabb| outer.contains(aabb.min) && outer.contains(aabb.max);
    let (flow, _) = tree.visit(holds, |_| {
        n += 1;
        if n > 1 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    flow.is_break()
}
