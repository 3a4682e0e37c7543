//! Facets that touch side by side, taken together.

use glam::{DMat3, DVec3};
use smallvec::SmallVec;

use super::pair::CapTouch;
use super::rounded::RoundedMesh;
use super::touch::FacetTouch;
use crate::union_find::UnionFind;

/// A patch of contact: touching facets of A and of B that hang together on both bodies. World axes, positions relative to the origin of
/// A's mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Patch {
    /// Where it holds: the mean of its discs' centres, by grip \[m\].
    pub point: DVec3,
    /// From A to B.
    pub normal: DVec3,
    /// Elastic force on B \[N\].
    pub force: DVec3,
    /// Moment of it about the point \[N m\].
    pub moment: DVec3,
    /// Second moments of its discs' centres about the point, by grip \[m²\].
    pub spread: DMat3,
    /// Part of the contact discs' radii that is in it, see [`CapTouch::grip`]: the radius of a whole disc \[m\].
    pub grip: f64,
    /// Radius of gyration about the normal of what holds it across: the root of the mean square distance, by grip \[m\].
    pub gyration: f64,
    /// Mean distance from the normal of what presses \[m\].
    pub lever: f64,
    /// Area in contact \[m²\].
    pub area: f64,
    /// Greatest overlap \[m\].
    pub deepest: f64,
    /// How many pairs of facets it has.
    pub n_facets: u32,
}

/// Of no facets.
impl Default for Patch {
    fn default() -> Self {
        Self {
            point: DVec3::ZERO,
            normal: DVec3::ZERO,
            force: DVec3::ZERO,
            moment: DVec3::ZERO,
            spread: DMat3::ZERO,
            grip: 0.0,
            gyration: 0.0,
            lever: 0.0,
            area: 0.0,
            deepest: 0.0,
            n_facets: 0,
        }
    }
}

/// The patches of two bodies, of which nearly all have one: a list that takes no memory of its own for it.
pub type Patches = SmallVec<[Patch; 1]>;

/// What a pair of facets is in its patch; vectors in any frame, positions from its origin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    facets: [u32; 2],
    force: DVec3,
    /// Moment of the force about the origin.
    moment: DVec3,
    /// Centre and normal of the contact plane, times the grip.
    center: DVec3,
    normal: DVec3,
    grip: f64,
    /// See [`CapTouch::gyration`].
    gyration: f64,
    /// What presses, without what draws \[N\].
    load: f64,
    area: f64,
    overlap: f64,
}

impl Part {
    pub fn of(facets: [u32; 2], touch: &CapTouch) -> Self {
        let CapTouch { plane, grip, area, overlap, push: force, .. } = *touch;
        Self {
            facets,
            force,
            moment: plane.center.cross(force) + touch.moment,
            center: plane.center * grip,
            normal: plane.normal * grip,
            grip,
            gyration: touch.gyration(),
            load: touch.force.max(0.0),
            area,
            overlap,
        }
    }

    /// Where its disc is from a place \[m\]; the part has some grip.
    fn arm(&self, point: DVec3) -> DVec3 {
        self.center / self.grip - point
    }
}

/// The patches of touching facets, in the order of their first ones and in the frame that these are in.
pub fn patches(facets: &[FacetTouch], meshes: [&RoundedMesh; 2]) -> Patches {
    let parts: Vec<Part> = facets.iter().map(|facet| Part::of(facet.facets, &facet.touch)).collect();
    of_parts(&parts, meshes)
}

/// The same of what they are in them.
pub(super) fn of_parts(parts: &[Part], meshes: [&RoundedMesh; 2]) -> Patches {
    if parts.is_empty() {
        return Patches::new();
    }
    if parts.len() == 1 || [0, 1].into_iter().all(|side| share_a_corner(parts, side, meshes[side])) {
        return std::iter::once(sum(parts.iter())).collect();
    }
    let [on_a, on_b] = [0, 1].map(|side| connected(parts, side, meshes[side]));
    let mut labels: Vec<[u32; 2]> = Vec::new();
    let mut members: Vec<Vec<&Part>> = Vec::new();
    for (part, label) in parts.iter().zip(on_a.into_iter().zip(on_b).map(<[u32; 2]>::from)) {
        match labels.iter().position(|known| *known == label) {
            Some(ix) => members[ix].push(part),
            None => {
                labels.push(label);
                members.push(vec![part]);
            }
        }
    }
    members.iter().map(|parts| sum(parts.iter().copied())).collect()
}

/// Whether all facets that touch on this side have a corner in common, as most contacts of few facets do.
fn share_a_corner(parts: &[Part], side: usize, mesh: &RoundedMesh) -> bool {
    let [first, others @ ..] = parts else { return false };
    let shared = |corner: &u32| others.iter().all(|part| corners(part, side, mesh).contains(corner));
    corners(first, side, mesh).iter().any(shared)
}

/// The vertices of a facet that touches.
fn corners(part: &Part, side: usize, mesh: &RoundedMesh) -> [u32; 3] {
    let triangle = mesh.triangle(part.facets[side]).expect("a facet that touches is a triangle");
    mesh.solid().mesh().triangles[triangle as usize]
}

/// For each touch a number that those share whose facets on this side hang together by their corners.
fn connected(parts: &[Part], side: usize, mesh: &RoundedMesh) -> Vec<u32> {
    let mut at_corners: Vec<(u32, u32)> = Vec::with_capacity(3 * parts.len());
    for (ix, part) in (0..).zip(parts) {
        at_corners.extend(corners(part, side, mesh).map(|corner| (corner, ix)));
    }
    at_corners.sort_unstable();
    let mut sets = UnionFind::new(parts.len());
    for of_corner in at_corners.chunk_by(|a, b| a.0 == b.0) {
        of_corner.windows(2).for_each(|two| {
            sets.join(two[0].1, two[1].1);
        });
    }
    (0..parts.len() as u32).map(|ix| sets.find(ix)).collect()
}

/// One patch of these facets.
fn sum<'a>(parts: impl Iterator<Item = &'a Part> + Clone) -> Patch {
    let mut patch = Patch::default();
    for part in parts.clone() {
        patch.force += part.force;
        patch.moment += part.moment;
        patch.point += part.center;
        patch.normal += part.normal;
        patch.grip += part.grip;
        patch.area += part.area;
        patch.deepest = patch.deepest.max(part.overlap);
        patch.n_facets += 1;
    }
    // Bodies that only attract each other at a distance press nowhere: nothing holds there but the attraction.
    if patch.grip > 0.0 {
        patch.point /= patch.grip;
        patch.normal = patch.normal.normalize_or_zero();
        patch.add_spread(parts.filter(|part| part.grip > 0.0));
    }
    patch.moment -= patch.point.cross(patch.force);
    patch
}

/// Mean distance of Hertz' pressure from the axis of its disc, 3 π / 16 of its radius (Johnson 1985, section 3.9), over the radius of gyration of what holds across there,
/// the root of 2/3 of it.
const PRESSED: f64 = 3.0 * std::f64::consts::PI / 16.0 * 1.224_744_871_391_589;

impl Patch {
    /// Finds how far from the point and the axis it holds and presses.
    fn add_spread<'a>(&mut self, parts: impl Iterator<Item = &'a Part>) {
        let (mut squares, mut levers, mut load) = (0.0, 0.0, 0.0);
        let weight = self.grip.recip();
        for part in parts {
            let arm = part.arm(self.point);
            let beside = (arm - self.normal * arm.dot(self.normal)).length();
            let held = arm * (part.grip * weight);
            self.spread += DMat3::from_cols(arm * held.x, arm * held.y, arm * held.z);
            squares += part.grip * (beside * beside + part.gyration * part.gyration);
            // Exact on the disc's own axis, and far from it.
            levers += part.load * beside.hypot(PRESSED * part.gyration);
            load += part.load;
        }
        self.gyration = (squares / self.grip).sqrt();
        if load > 0.0 {
            self.lever = levers / load;
        }
    }

    /// Turns its vectors from a body's axes to the world's.
    pub(super) fn turn(&mut self, turn: &DMat3) {
        for x in [&mut self.point, &mut self.normal, &mut self.force, &mut self.moment] {
            *x = *turn * *x;
        }
        self.spread = *turn * self.spread * turn.transpose();
    }
}
