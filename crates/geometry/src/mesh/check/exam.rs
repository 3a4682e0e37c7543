//! A mesh on its way through the examination: its triangles with three corners, and what was found.

use super::report::{Defect, Finding, MeshError};
use crate::TriangleMesh;
use crate::mesh::weld;

/// A mesh on its way through the examination.
pub struct Exam {
    /// The mesh as it stands.
    pub mesh: TriangleMesh,
    /// The number each triangle had in the mesh that was handed in.
    pub given: Vec<u32>,
    /// The number each vertex had there.
    pub given_vertices: Vec<u32>,
    /// Dropped triangles whose corners, though different vertices, were not three points.
    pub collapsed: Vec<u32>,
    /// What was found so far.
    pub findings: Vec<Finding>,
}

/// Whether a triangle has three different corners.
pub(super) fn has_three_corners(&[a, b, c]: &[u32; 3]) -> bool {
    a != b && b != c && c != a
}

impl Exam {
    /// Makes equal positions one vertex and drops the triangles that this or their maker left without three corners.
    pub fn weld(mesh: TriangleMesh, mut findings: Vec<Finding>) -> Self {
        let TriangleMesh { vertices, triangles } = mesh;
        let mut is_used = vec![false; vertices.len()];
        triangles.iter().flatten().for_each(|&v| is_used[v as usize] = true);
        if let Some(first) = is_used.iter().position(|is| !is) {
            let n = is_used.iter().filter(|is| !**is).count();
            findings.push(Finding::UnusedVertices { n, first: first as u32 });
        }
        let first_of = weld::equal(&vertices);
        let n = (0..).zip(&first_of).filter(|&(ix, &first)| first != ix && is_used[ix as usize]).count();
        if n > 0 {
            findings.push(Finding::Welded { n });
        }
        let (mut degenerate, mut collapsed, mut given, mut kept) = (vec![], vec![], vec![], vec![]);
        for (ix, corners) in (0..).zip(&triangles) {
            let welded = corners.map(|v| first_of[v as usize]);
            if !has_three_corners(corners) {
                degenerate.push(ix);
            } else if !has_three_corners(&welded) {
                collapsed.push(ix);
            } else {
                given.push(ix);
                kept.push(welded);
            }
        }
        if let Some(&first) = degenerate.first() {
            findings.push(Finding::DegenerateTriangles { n: degenerate.len(), first });
        }
        let given_vertices = (0..vertices.len() as u32).collect();
        Self { mesh: TriangleMesh { vertices, triangles: kept }, given, given_vertices, collapsed, findings }
    }

    /// Every triangle with its corners in ascending order and whether they run that way round, sorted.
    pub(super) fn by_corners(&self) -> Vec<([u32; 3], bool, u32)> {
        let mut keyed: Vec<([u32; 3], bool, u32)> = (0..)
            .zip(&self.mesh.triangles)
            .map(|(ix, &corners)| {
                let mut sorted = corners;
                sorted.sort_unstable();
                let at = corners.iter().position(|&v| v == sorted[0]).unwrap_or(0);
                (sorted, corners[(at + 1) % 3] == sorted[1], ix)
            })
            .collect();
        keyed.sort_unstable();
        keyed
    }

    /// Triangles that repeat an earlier one with the same orientation, with the first such, in ascending order.
    pub fn repeats(&self) -> Vec<[u32; 2]> {
        let keyed = self.by_corners();
        let mut repeats: Vec<[u32; 2]> = keyed
            .chunk_by(|a, b| (a.0, a.1) == (b.0, b.1))
            .flat_map(|group| group[1..].iter().map(|copy| [copy.2, group[0].2]))
            .collect();
        repeats.sort_unstable();
        repeats
    }

    /// Drops the vertices that no triangle uses any more.
    pub fn drop_unused(&mut self) {
        let mut is_used = vec![false; self.mesh.vertices.len()];
        self.mesh.triangles.iter().flatten().for_each(|&v| is_used[v as usize] = true);
        let kept: Vec<usize> = (0..is_used.len()).filter(|&ix| is_used[ix]).collect();
        let mut new_ix = vec![0; is_used.len()];
        (0..).zip(&kept).for_each(|(new, &old)| new_ix[old] = new);
        self.mesh.triangles.iter_mut().flatten().for_each(|v| *v = new_ix[*v as usize]);
        self.mesh.vertices = kept.iter().map(|&ix| self.mesh.vertices[ix]).collect();
        self.given_vertices = kept.iter().map(|&ix| self.given_vertices[ix]).collect();
    }

    /// Ends the examination with a refusal; triangles get the numbers they had in the mesh that was handed in.
    pub fn refuse(self, mut defects: Vec<Defect>) -> MeshError {
        let given = |ix: &mut u32| *ix = self.given[*ix as usize];
        for defect in &mut defects {
            match defect {
                Defect::DuplicateFaces { first, .. } => first.iter_mut().for_each(given),
                Defect::Misoriented { first, .. } | Defect::NotOrientable { first, .. } => given(first),
                _ => {}
            }
        }
        MeshError { defects, findings: self.findings }
    }
}
