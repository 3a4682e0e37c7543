//! Cracks, slits and T-junctions: open edges that lie along one another.
//!
//! Vertices at open edges are welded, nearest first. Where one side of a crack has a vertex that the other has not, the
//! facet there is divided at it. Nothing but open edges is touched.

use std::ops::ControlFlow;

use glam::DVec3;

use super::report::{Mend, MendKind};
use super::work::{Work, grouped};
use crate::Aabb;
use crate::mesh::check::topology::Edges;
use crate::mesh::check::tree::Tree;
use crate::mesh::weld::Joined;

/// Rounds of welding and dividing. Each division lets two edges become one; a crack with T-junctions on both sides takes
/// two rounds.
const MAX_ROUNDS: usize = 8;

/// Parts of the tolerance up to which vertices are welded one stage after the other: what a narrow one closes is no edge of a gap any
/// more, so that a wide one does not join facets smaller than itself. Facets are divided only after that: corners that are
/// one point would each divide the other's edges.
const STAGES: [f64; 7] = [1e-3, 3e-3, 1e-2, 3e-2, 1e-1, 0.2, 0.4];

/// Nearest vertices with which one is compared: more corners than meet in a vertex.
const MAX_NEAR: usize = 64;

/// Closes what is narrower than `tolerance`.
pub fn close(work: &mut Work, tolerance: f64) {
    if tolerance <= 0.0 {
        return;
    }
    let mut log = Log::new(work);
    for part in STAGES {
        let open = OpenEdges::of(work);
        weld(work, &open, part * tolerance, &mut log);
    }
    for _ in 0..MAX_ROUNDS {
        let open = OpenEdges::of(work);
        let n_changed = weld(work, &open, tolerance, &mut log);
        let open = OpenEdges::of(work);
        if n_changed + divide(work, &open, tolerance, &mut log) == 0 {
            break;
        }
    }
    log.note(work);
}

/// The edges that an odd number of facets has.
struct OpenEdges {
    /// Each with one of its facets.
    edges: Vec<([u32; 2], u32)>,
    /// Their vertices in ascending order.
    vertices: Vec<u32>,
}

impl OpenEdges {
    fn of(work: &Work) -> Self {
        let edges: Vec<([u32; 2], u32)> = Edges::of(&work.mesh.triangles)
            .groups()
            .filter(|uses| uses.len() % 2 == 1 && uses[0].edge[0] != uses[0].edge[1])
            .map(|uses| (uses[0].edge, uses[0].triangle))
            .collect();
        let mut vertices: Vec<u32> = edges.iter().flat_map(|(edge, _)| *edge).collect();
        vertices.sort_unstable();
        vertices.dedup();
        Self { edges, vertices }
    }
}

/// What was joined, by connected rims.
struct Log {
    rims: Joined,
    /// A vertex of the rim, how far it was from what it was joined with, and where.
    joins: Vec<(u32, f64, DVec3)>,
}

impl Log {
    fn new(work: &Work) -> Self {
        let mut rims = Joined::new(work.mesh.vertices.len());
        OpenEdges::of(work).edges.iter().for_each(|([a, b], _)| rims.join(*a, *b));
        Self { rims, joins: Vec::new() }
    }

    fn join(&mut self, a: u32, b: u32, width: f64, at: DVec3) {
        self.rims.join(a, b);
        self.joins.push((a, width, at));
    }

    /// Notes one crack for each connected rim.
    fn note(mut self, work: &mut Work) {
        let joins = self.joins;
        for crack in grouped(joins.len(), |ix| self.rims.root(joins[ix as usize].0)) {
            let of = |ix: &u32| joins[*ix as usize];
            let mut mend = Mend::of(MendKind::Crack, crack.len(), crack.iter().map(|ix| of(ix).2));
            mend.size = crack.iter().map(|ix| of(ix).1).fold(0.0, f64::max);
            work.mends.push(mend);
        }
    }
}

/// Welds vertices at open edges, nearest first; returns how many.
///
/// What was welded stays within the tolerance, so that no chain of near vertices folds up, and the ends of an edge are
/// never made one.
fn weld(work: &mut Work, open: &OpenEdges, tolerance: f64, log: &mut Log) -> usize {
    let x = &work.mesh.vertices;
    let boxes: Vec<Aabb> = open.vertices.iter().map(|&v| Aabb::from_points([x[v as usize]])).collect();
    if boxes.is_empty() {
        return 0;
    }
    let tree = Tree::new(&boxes);
    let mut pairs = Vec::new();
    let mut near = Vec::new();
    for (at, &v) in open.vertices.iter().enumerate() {
        tree.each_meeting(&boxes[at].inflated(tolerance), |other| {
            let other = open.vertices[other as usize];
            let distance = x[v as usize].distance(x[other as usize]);
            if v < other && distance <= tolerance {
                near.push((distance, v, other));
            }
        });
        near.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.2.cmp(&b.2)));
        pairs.extend(near.drain(..).take(MAX_NEAR));
    }
    pairs.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    if pairs.is_empty() {
        return 0;
    }
    let neighbours = neighbours(work);
    // Members and neighbours of what a vertex stands for.
    let mut members: Vec<Vec<u32>> = (0..x.len() as u32).map(|v| vec![v]).collect();
    let mut stands_for: Vec<u32> = (0..x.len() as u32).collect();
    let mut n = 0;
    for (distance, a, b) in pairs {
        let (a, b) = (stands_for[a as usize], stands_for[b as usize]);
        let (kept, gone) = (a.min(b), a.max(b));
        let is_near = |v: &u32| {
            members[kept as usize].iter().all(|other| {
                x[*v as usize].distance(x[*other as usize]) <= tolerance
                    && neighbours[*v as usize].binary_search(other).is_err()
            })
        };
        if a == b || !members[gone as usize].iter().all(is_near) {
            continue;
        }
        log.join(gone, kept, distance, x[gone as usize]);
        let moved = std::mem::take(&mut members[gone as usize]);
        moved.iter().for_each(|&v| stands_for[v as usize] = kept);
        members[kept as usize].extend(moved);
        n += 1;
    }
    work.mesh.triangles.iter_mut().flatten().for_each(|v| *v = stands_for[*v as usize]);
    n
}

/// The vertices at the other ends of each vertex's edges, in ascending order.
fn neighbours(work: &Work) -> Vec<Vec<u32>> {
    let mut neighbours = vec![Vec::new(); work.mesh.vertices.len()];
    for uses in Edges::of(&work.mesh.triangles).groups() {
        let [a, b] = uses[0].edge;
        neighbours[a as usize].push(b);
        neighbours[b as usize].push(a);
    }
    neighbours.iter_mut().for_each(|of| of.sort_unstable());
    neighbours
}

/// Divides facets at vertices of open edges that lie on one of their open sides; returns how many.
fn divide(work: &mut Work, open: &OpenEdges, tolerance: f64, log: &mut Log) -> usize {
    let x = &work.mesh.vertices;
    let boxes: Vec<Aabb> = open.vertices.iter().map(|&v| Aabb::from_points([x[v as usize]])).collect();
    if boxes.is_empty() {
        return 0;
    }
    let tree = Tree::new(&boxes);
    // One side of a facet at a time: the next round sees to the others.
    let mut is_divided = vec![false; work.mesh.triangles.len()];
    let mut added = Vec::new();
    let mut changed = Vec::new();
    for &([a, b], facet) in &open.edges {
        let corners = work.mesh.triangles[facet as usize];
        let (p, q) = (x[a as usize], x[b as usize]);
        let along = (q - p) / (q - p).length_squared();
        let mut on_side: Vec<(f64, u32)> = Vec::new();
        let _ = tree.visit(
            |aabb| aabb.meets(&Aabb::from_points([p, q]).inflated(tolerance)),
            |item| {
                let v = open.vertices[item as usize];
                let t = (x[v as usize] - p).dot(along);
                let distance = x[v as usize].distance(p + (q - p) * t);
                if !corners.contains(&v) && t > 0.0 && t < 1.0 && distance <= tolerance {
                    on_side.push((t, v));
                }
                ControlFlow::Continue(())
            },
        );
        if on_side.is_empty() || is_divided[facet as usize] {
            continue;
        }
        is_divided[facet as usize] = true;
        on_side.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for &(t, v) in &on_side {
            log.join(v, a, x[v as usize].distance(p + (q - p) * t), x[v as usize]);
        }
        let apex = corners.into_iter().find(|v| *v != a && *v != b).unwrap_or(a);
        let mut chain: Vec<u32> = [a].into_iter().chain(on_side.iter().map(|(_, v)| *v)).chain([b]).collect();
        let runs_forward = (0..3).any(|k| corners[k] == a && corners[(k + 1) % 3] == b);
        if !runs_forward {
            chain.reverse();
        }
        changed.push((facet, [chain[0], chain[1], apex]));
        added.extend(chain[1..].windows(2).map(|pair| [pair[0], pair[1], apex]));
    }
    let n = added.len();
    changed.into_iter().for_each(|(facet, corners)| work.mesh.triangles[facet as usize] = corners);
    work.mesh.triangles.extend(added);
    n
}
