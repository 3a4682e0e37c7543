//! Repair of meshes that are open by hairline cracks, or have walls without thickness.

use super::exam::{Exam, has_three_corners};
use super::report::Finding;
use super::topology::Edges;
use crate::TriangleMesh;
use crate::mesh::weld;

/// Tolerances at which hairline cracks are closed, in the diagonal of the box: the smallest that closes all is taken.
/// They span the rounding of 32-bit and of printed coordinates, and stay below any intended feature.
const CRACK_TOLERANCES: [f64; 3] = [1e-7, 1e-6, 1e-5];

/// Part of the shortest open edge that the tolerance must not exceed, so that welding never folds up an edge.
const CRACK_PART_OF_EDGE: f64 = 0.125;

/// How many of the triangles are walls without thickness.
#[derive(PartialEq, Eq)]
pub enum Flaps {
    /// Not all.
    Few,
    /// The whole mesh.
    All,
}

impl Exam {
    /// Drops pairs of triangles that lie back to back, unless the whole mesh is such pairs.
    pub fn drop_flaps(&mut self) -> Flaps {
        let keyed = self.by_corners();
        let mut pairs = Vec::new();
        for group in keyed.chunk_by(|a, b| a.0 == b.0) {
            let (one_way, other_way) = group.split_at(group.partition_point(|(_, runs, _)| !runs));
            pairs.extend(one_way.iter().zip(other_way).map(|(a, b)| [a.2.min(b.2), a.2.max(b.2)]));
        }
        pairs.sort_unstable();
        if 2 * pairs.len() == self.mesh.triangles.len() {
            return Flaps::All;
        }
        if let Some(first) = pairs.first() {
            let first = first.map(|ix| self.given[ix as usize]);
            self.findings.push(Finding::FlapsDropped { n: pairs.len(), first });
            let mut is_kept = vec![true; self.mesh.triangles.len()];
            pairs.iter().flatten().for_each(|&ix| is_kept[ix as usize] = false);
            let mut flags = is_kept.iter();
            self.mesh.triangles.retain(|_| flags.next() == Some(&true));
            let mut flags = is_kept.iter();
            self.given.retain(|_| flags.next() == Some(&true));
        }
        Flaps::Few
    }

    /// Welds vertices at open edges within a small tolerance; only a mesh that this closes is changed.
    pub fn close_cracks(&mut self) -> bool {
        let TriangleMesh { vertices, triangles } = &self.mesh;
        let edges = Edges::of(triangles);
        let mut open: Vec<u32> = edges.unbalanced().flat_map(|uses| uses[0].edge).collect();
        open.sort_unstable();
        open.dedup();
        let length = |[a, b]: [u32; 2]| vertices[a as usize].distance(vertices[b as usize]);
        let shortest = edges.unbalanced().map(|uses| length(uses[0].edge)).fold(f64::INFINITY, f64::min);
        let size = self.mesh.aabb().diagonal();
        for tolerance in CRACK_TOLERANCES.map(|part| part * size) {
            if !(tolerance > 0.0 && tolerance <= CRACK_PART_OF_EDGE * shortest) {
                return false;
            }
            let stands_for = weld::near(vertices, &open, tolerance);
            let welded: Vec<[u32; 3]> = triangles.iter().map(|t| t.map(|v| stands_for[v as usize])).collect();
            let is_closed = || Edges::of(&welded).unbalanced().next().is_none();
            if welded.iter().all(has_three_corners) && is_closed() {
                let n = open.iter().filter(|&&ix| stands_for[ix as usize] != ix).count();
                self.findings.push(Finding::CracksWelded { n, tolerance });
                self.mesh.triangles = welded;
                return true;
            }
        }
        false
    }
}
