//! Cracks, slits and T-junctions: open edges that lie along one another.
//!
//! Vertices at open edges are welded, nearest first. Where one side of a crack has a vertex that the other has not, the
//! facet there is divided at it. Nothing but open edges is touched.

use std::collections::HashMap;
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
    let mut open = OpenEdges::of(work);
    let mut log = Log::new(work, &open);
    let widest = STAGES[STAGES.len() - 1] * tolerance;
    let pairs = near_pairs(work, &open, widest);
    for part in STAGES {
        if weld(work, &open, &pairs, part * tolerance, &mut log) > 0 {
            open = OpenEdges::of(work);
        }
    }
    for _ in 0..MAX_ROUNDS {
        let pairs = near_pairs(work, &open, tolerance);
        let n_welded = weld(work, &open, &pairs, tolerance, &mut log);
        if n_welded > 0 {
            open = OpenEdges::of(work);
        }
        let n_divided = divide(work, &open, tolerance, &mut log);
        if n_divided > 0 {
            open = OpenEdges::of(work);
        }
        if n_welded + n_divided == 0 {
            break;
        }
    }
    log.note(work);
}

/// The edges that an odd number of facets has.
struct OpenEdges {
    all: Edges,
    /// Each with one of its facets.
    edges: Vec<([u32; 2], u32)>,
    /// Their vertices in ascending order.
    vertices: Vec<u32>,
}

impl OpenEdges {
    fn of(work: &Work) -> Self {
        let all = Edges::of(&work.mesh.triangles);
        let edges: Vec<([u32; 2], u32)> = all
            .groups()
            .filter(|uses| uses.len() % 2 == 1 && uses[0].edge[0] != uses[0].edge[1])
            .map(|uses| (uses[0].edge, uses[0].triangle))
            .collect();
        let mut vertices: Vec<u32> = edges.iter().flat_map(|(edge, _)| *edge).collect();
        vertices.sort_unstable();
        vertices.dedup();
        Self { all, edges, vertices }
    }

    fn has(&self, v: u32) -> bool {
        self.vertices.binary_search(&v).is_ok()
    }

    /// Whether an edge, open or not, joins two vertices.
    fn are_joined(&self, a: u32, b: u32) -> bool {
        !self.all.uses([a.min(b), a.max(b)]).is_empty()
    }
}

/// What was joined, by connected rims.
struct Log {
    rims: Joined,
    /// A vertex of the rim, how far it was from what it was joined with, and where.
    joins: Vec<(u32, f64, DVec3)>,
}

impl Log {
    fn new(work: &Work, open: &OpenEdges) -> Self {
        let mut rims = Joined::new(work.mesh.vertices.len());
        open.edges.iter().for_each(|([a, b], _)| rims.join(*a, *b));
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

/// Two vertices and how far they are apart.
type Pair = (f64, u32, u32);

/// Vertices at open edges that are no farther apart than a distance, nearest first.
fn near_pairs(work: &Work, open: &OpenEdges, distance: f64) -> Vec<Pair> {
    let x = |v: u32| work.mesh.vertices[v as usize];
    let boxes: Vec<Aabb> = open.vertices.iter().map(|&v| Aabb::from_points([x(v)])).collect();
    let mut pairs: Vec<Pair> = Vec::new();
    if boxes.is_empty() {
        return pairs;
    }
    let tree = Tree::new(&boxes);
    let mut near = Vec::new();
    for (at, &v) in open.vertices.iter().enumerate() {
        tree.each_meeting(&boxes[at].inflated(distance), |other| {
            let other = open.vertices[other as usize];
            let apart = x(v).distance(x(other));
            if v < other && apart <= distance {
                near.push((apart, v, other));
            }
        });
        near.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.2.cmp(&b.2)));
        pairs.extend(near.drain(..).take(MAX_NEAR));
    }
    pairs.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    pairs
}

/// Welds the vertices at open edges of some pairs, given nearest first, that are within the tolerance; returns how many.
///
/// What was welded stays within the tolerance, so that no chain of near vertices folds up, and the ends of an edge are
/// never made one.
fn weld(work: &mut Work, open: &OpenEdges, pairs: &[Pair], tolerance: f64, log: &mut Log) -> usize {
    let x = &work.mesh.vertices;
    // What stands for a vertex that was welded, and all that those stand for that some were welded to.
    let mut stands_for: HashMap<u32, u32> = HashMap::new();
    let mut members: HashMap<u32, Vec<u32>> = HashMap::new();
    let within = pairs.iter().take_while(|(distance, ..)| *distance <= tolerance);
    for &(distance, a, b) in within.filter(|(_, a, b)| open.has(*a) && open.has(*b)) {
        let [a, b] = [a, b].map(|v| stands_for.get(&v).copied().unwrap_or(v));
        let (kept, gone) = (a.min(b), a.max(b));
        let [of_kept, of_gone] = [kept, gone].map(|v| members.get(&v).map_or_else(|| vec![v], Clone::clone));
        let is_near = |v: &u32| {
            of_kept.iter().all(|other| {
                x[*v as usize].distance(x[*other as usize]) <= tolerance && !open.are_joined(*v, *other)
            })
        };
        if a == b || !of_gone.iter().all(is_near) {
            continue;
        }
        log.join(gone, kept, distance, x[gone as usize]);
        stands_for.extend(of_gone.iter().map(|&v| (v, kept)));
        members.insert(kept, [of_kept, of_gone].concat());
    }
    if stands_for.is_empty() {
        return 0;
    }
    for v in work.mesh.triangles.iter_mut().flatten() {
        *v = stands_for.get(v).copied().unwrap_or(*v);
    }
    stands_for.len()
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
