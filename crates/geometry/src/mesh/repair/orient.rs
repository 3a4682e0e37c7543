//! Facets that look another way than their neighbours.

use super::report::{MendKind, RepairError};
use super::work::{Work, grouped};
use crate::Aabb;
use crate::mesh::check::topology::Edges;
use crate::mesh::weld::Joined;

/// Turns over, in every patch, the facets that look another way than most of its facets do.
///
/// # Errors
/// If a patch has one side only.
pub fn turn_facets(work: &mut Work) -> Result<(), RepairError> {
    let n = work.mesh.triangles.len();
    // The orientation double cover: side 2t is facet t as it stands, side 2t + 1 the same turned over.
    let mut cover = Joined::new(2 * n);
    let mut pieces = Joined::new(n);
    for (a, b) in Edges::of(&work.mesh.triangles).manifold() {
        let turned = u32::from(a.is_forward == b.is_forward);
        cover.join(2 * a.triangle, 2 * b.triangle + turned);
        cover.join(2 * a.triangle + 1, 2 * b.triangle + 1 - turned);
        pieces.join(a.triangle, b.triangle);
    }
    let mut turned = Vec::new();
    for facets in grouped(n, |ix| pieces.root(ix)) {
        if cover.root(2 * facets[0]) == cover.root(2 * facets[0] + 1) {
            let corners = facets.iter().flat_map(|&ix| work.mesh.corners(ix as usize));
            return Err(RepairError::OneSided { n: facets.len(), at: Aabb::from_points(corners).center() });
        }
        let side = cover.root(2 * facets[0]);
        let (with, against): (Vec<u32>, Vec<u32>) =
            facets.into_iter().partition(|&ix| cover.root(2 * ix) == side);
        turned.extend(if against.len() <= with.len() { against } else { with });
    }
    turned.sort_unstable();
    work.note(MendKind::TurnedFacets, &turned);
    turned.iter().for_each(|&ix| work.mesh.triangles[ix as usize].swap(1, 2));
    Ok(())
}
