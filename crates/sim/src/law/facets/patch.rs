//! Facets that touch side by side, taken together.

use glam::DVec3;
use tactum_geometry::facets::{FacetTouch, RoundedMesh, Touch};
use tactum_geometry::union_find::UnionFind;

/// A patch of contact: touching facets of A and of B that hang together on both bodies. World axes, positions relative to the origin of
/// A's shape.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Patch {
    /// Where it holds: the mean of its discs' centres, by grip \[m\].
    pub point: DVec3,
    /// From A to B.
    pub normal: DVec3,
    /// Elastic force on B \[N\].
    pub force: DVec3,
    /// Moment of it about the point \[N m\].
    pub moment: DVec3,
    /// Part of the contact discs' radii that is in it, see [`CapTouch::grip`](tactum_geometry::facets::CapTouch::grip): the radius of
    /// a whole disc \[m\].
    pub grip: f64,
    /// Area in contact \[m²\].
    pub area: f64,
    /// Greatest overlap \[m\].
    pub deepest: f64,
    /// How many pairs of facets it has.
    pub n_facets: u32,
}

/// The patches of a touch with facets, in the order of their first facets.
pub fn patches(touch: &Touch, meshes: [&RoundedMesh; 2]) -> Vec<Patch> {
    let facets = &touch.facets;
    if facets.len() == 1 || [0, 1].into_iter().all(|side| share_a_corner(facets, side, meshes[side])) {
        return vec![sum(facets.iter())];
    }
    let [on_a, on_b] = [0, 1].map(|side| connected(facets, side, meshes[side]));
    let mut labels: Vec<[u32; 2]> = Vec::new();
    let mut members: Vec<Vec<&FacetTouch>> = Vec::new();
    for (facet, label) in facets.iter().zip(on_a.into_iter().zip(on_b).map(<[u32; 2]>::from)) {
        match labels.iter().position(|known| *known == label) {
            Some(ix) => members[ix].push(facet),
            None => {
                labels.push(label);
                members.push(vec![facet]);
            }
        }
    }
    members.into_iter().map(|facets| sum(facets.into_iter())).collect()
}

/// Whether all facets that touch on this side have a corner in common, as most contacts of few facets do.
fn share_a_corner(facets: &[FacetTouch], side: usize, mesh: &RoundedMesh) -> bool {
    let [first, others @ ..] = facets else { return false };
    let shared = |corner: &u32| others.iter().all(|facet| corners(facet, side, mesh).contains(corner));
    corners(first, side, mesh).iter().any(shared)
}

/// The vertices of a facet that touches.
fn corners(facet: &FacetTouch, side: usize, mesh: &RoundedMesh) -> [u32; 3] {
    let triangle = mesh.triangle(facet.facets[side]).expect("a facet that touches is a triangle");
    mesh.solid().mesh().triangles[triangle as usize]
}

/// For each touch a number that those share whose facets on this side hang together by their corners.
fn connected(facets: &[FacetTouch], side: usize, mesh: &RoundedMesh) -> Vec<u32> {
    let mut at_corners: Vec<(u32, u32)> = Vec::with_capacity(3 * facets.len());
    for (ix, facet) in (0..).zip(facets) {
        at_corners.extend(corners(facet, side, mesh).map(|corner| (corner, ix)));
    }
    at_corners.sort_unstable();
    let mut sets = UnionFind::new(facets.len());
    for of_corner in at_corners.chunk_by(|a, b| a.0 == b.0) {
        of_corner.windows(2).for_each(|two| {
            sets.join(two[0].1, two[1].1);
        });
    }
    (0..facets.len() as u32).map(|ix| sets.find(ix)).collect()
}

/// One patch of these facets.
fn sum<'a>(facets: impl Iterator<Item = &'a FacetTouch>) -> Patch {
    let mut patch = Patch::default();
    let mut about_origin = DVec3::ZERO;
    for FacetTouch { touch, .. } in facets {
        let force = touch.plane.normal * touch.force;
        patch.force += force;
        about_origin += touch.plane.center.cross(force) + touch.moment();
        patch.point += touch.plane.center * touch.grip;
        patch.normal += touch.plane.normal * touch.grip;
        patch.grip += touch.grip;
        patch.area += touch.area;
        patch.deepest = patch.deepest.max(touch.overlap);
        patch.n_facets += 1;
    }
    // Bodies that only attract each other at a distance press nowhere: nothing holds there but the attraction.
    if patch.grip > 0.0 {
        patch.point /= patch.grip;
        patch.normal = patch.normal.normalize_or_zero();
    }
    patch.moment = about_origin - patch.point.cross(patch.force);
    patch
}
