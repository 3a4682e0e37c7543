//! How a closed surface lies in space: crossings, winding numbers, and whether 32-bit numbers can hold it.

use glam::DVec3;

use super::crossings::{Crossings, State};
use super::exam::Exam;
use super::patches::{Patches, volume_of};
use super::report::Finding;
use super::surface::Surface;
use super::topology::Edges;
use super::turn_over;
use crate::TriangleMesh;
use crate::mesh::weld;

/// Step of 32-bit coordinates, in the size of the mesh, from which a mesh is called far from the origin: its form
/// would change by a thousandth.
const FAR_STEP: f64 = 1e-3;

/// Size below which a packed mesh would have fewer digits than a 32-bit float has \[m\].
const SMALLEST_32: f64 = f32::MIN_POSITIVE as f64 / f32::EPSILON as f64;

/// Examines a closed surface of positive volume; parts that look inward are turned over.
///
/// `repeats` lists triangles that repeat an earlier one, with that one, in ascending order.
pub fn examine(exam: &mut Exam, repeats: &[[u32; 2]]) {
    note_shared_edges(exam);
    let mut distinct = Distinct::of(exam, repeats);
    let surface = distinct.surface();
    note_flat(exam, &distinct, &surface);
    let crossings = Crossings::of(&surface, distinct.mesh.triangles.len());
    note_crossings(exam, &distinct, &crossings);
    let patches = Patches::of(&distinct.mesh, &surface);
    let is_known = patches.within_reach(&surface, &crossings.states);
    let mut windings = patches.windings(&distinct.mesh, &surface, &is_known);
    note_unknown(exam, &patches, &crossings.states, &is_known);
    drop(surface);

    // A patch with winding number -1 in front of it and 0 behind it is a part that was turned inside out. Its volume is
    // negative; where it is not, rounding has led the ray from a needle astray.
    let looks_inward =
        |ix: usize, windings: &[Option<i32>]| patches.is_closed(ix) && windings[ix].is_some_and(|w| w < 0);
    for ix in 0..patches.len() {
        if looks_inward(ix, &windings) && volume_of(&distinct.mesh, patches.triangles(ix)) >= 0.0 {
            windings[ix] = None;
        }
    }
    let inward = |ix: usize| looks_inward(ix, &windings);
    let turned: Vec<u32> =
        (0..patches.len()).filter(|&ix| inward(ix)).flat_map(|ix| patches.triangles(ix)).copied().collect();
    if let Some(&first) = turned.iter().min() {
        turned.iter().for_each(|&ix| turn_over(&mut distinct.mesh.triangles[ix as usize]));
        for (listed, &original) in exam.mesh.triangles.iter_mut().zip(&distinct.original) {
            *listed = distinct.mesh.triangles[original as usize];
        }
        let first = distinct.given(exam, first);
        exam.findings.push(Finding::PartsInsideOut { n_triangles: turned.len(), first });
        windings = patches.windings(&distinct.mesh, &distinct.surface(), &is_known);
    }

    let deepest = distinct.multiplicity.iter().copied().max().unwrap_or(1);
    if let Some(first) = repeats.first() {
        let first = first.map(|ix| exam.given[ix as usize]);
        exam.findings.push(Finding::Repeated { n: repeats.len(), first, winding: deepest as i32 });
    }
    let overlapping: Vec<usize> =
        (0..patches.len()).filter(|&ix| windings[ix].is_some_and(|w| w != 0)).collect();
    let behind = |ix: usize| {
        let multiplicity = distinct.multiplicity[patches.triangles(ix)[0] as usize] as i32;
        windings[ix].map_or(0, |before| before + multiplicity)
    };
    if let Some(winding) = overlapping.iter().map(|&ix| behind(ix)).max() {
        let triangles = || overlapping.iter().flat_map(|&ix| patches.triangles(ix)).copied();
        let first = distinct.given(exam, triangles().min().unwrap_or(0));
        exam.findings.push(Finding::Overlapping { n_triangles: triangles().count(), first, winding });
    }
}

/// The triangles of a mesh without repetitions.
struct Distinct {
    mesh: TriangleMesh,
    /// How often each is listed in the examined mesh.
    multiplicity: Vec<u32>,
    /// Where each is listed first.
    first: Vec<u32>,
    /// Which of them each triangle of the examined mesh is.
    original: Vec<u32>,
}

impl Distinct {
    fn of(exam: &Exam, repeats: &[[u32; 2]]) -> Self {
        let mut distinct = Self {
            mesh: TriangleMesh { vertices: exam.mesh.vertices.clone(), triangles: Vec::new() },
            multiplicity: Vec::new(),
            first: Vec::new(),
            original: Vec::new(),
        };
        let mut repeats = repeats.iter().peekable();
        for (ix, &corners) in (0..).zip(&exam.mesh.triangles) {
            if let Some(&[_, of]) = repeats.next_if(|[copy, _]| *copy == ix) {
                let original = distinct.original[of as usize];
                distinct.multiplicity[original as usize] += 1;
                distinct.original.push(original);
            } else {
                distinct.original.push(distinct.first.len() as u32);
                distinct.mesh.triangles.push(corners);
                distinct.multiplicity.push(1);
                distinct.first.push(ix);
            }
        }
        distinct
    }

    fn surface(&self) -> Surface<'_> {
        Surface::new(&self.mesh, &self.multiplicity)
    }

    /// The number of a triangle in the mesh that was handed in.
    fn given(&self, exam: &Exam, ix: u32) -> u32 {
        exam.given[self.first[ix as usize] as usize]
    }
}

fn note_shared_edges(exam: &mut Exam) {
    let edges = Edges::of(&exam.mesh.triangles);
    let mut shared = edges.groups().filter(|uses| uses.len() > 2);
    if let Some(uses) = shared.next() {
        let first = uses[0].edge.map(|ix| exam.given_vertices[ix as usize]);
        exam.findings.push(Finding::SharedEdges { n: 1 + shared.count(), first });
    }
}

fn note_flat(exam: &mut Exam, distinct: &Distinct, surface: &Surface<'_>) {
    let flat = surface.flat().map(|ix| distinct.given(exam, ix)).chain(exam.collapsed.iter().copied());
    let flat: Vec<u32> = flat.collect();
    if let Some(&first) = flat.iter().min() {
        exam.findings.push(Finding::ZeroAreaTriangles { n: flat.len(), first });
    }
}

fn note_crossings(exam: &mut Exam, distinct: &Distinct, crossings: &Crossings) {
    let n = crossings.states.len();
    let n_left = crossings.n_left();
    if n_left > 0 {
        exam.findings.push(Finding::SearchEnded { n_left, n });
    }
    if let Some(pair) = crossings.first {
        let [a, b, c] = distinct.mesh.corners(pair[0] as usize);
        exam.findings.push(Finding::SelfIntersecting {
            n_pairs: crossings.n_pairs,
            is_complete: n_left == 0,
            first: pair.map(|ix| distinct.given(exam, ix)),
            near: (a + b + c) / 3.0,
        });
    }
}

/// Says which parts may look either way: those not known to be crossed, whose winding number was not looked for. The
/// way of a mesh of one part is known from its volume.
fn note_unknown(exam: &mut Exam, patches: &Patches, states: &[State], is_known: &[bool]) {
    let is_crossed = |ix: usize| patches.triangles(ix).iter().any(|&t| states[t as usize] == State::Crossed);
    let n = (0..patches.len()).filter(|&ix| !is_known[ix] && !is_crossed(ix)).count();
    if n > 0 && patches.len() > 1 {
        exam.findings.push(Finding::PartsNotExamined { n, of: patches.len() });
    }
}

/// Judges size and place against the range and the step of 32-bit numbers.
pub fn examine_size(exam: &mut Exam) {
    let aabb = exam.mesh.aabb();
    let size = aabb.diagonal();
    if aabb.is_empty() {
        return;
    }
    if !(SMALLEST_32..f64::from(f32::MAX)).contains(&size) {
        exam.findings.push(Finding::OutOfRange32 { size });
        return;
    }
    let farthest = aabb.min.abs().max(aabb.max.abs()).max_element();
    if farthest * f64::from(f32::EPSILON) > FAR_STEP * size {
        let n = n_fallen_together(&exam.mesh, DVec3::ZERO);
        exam.findings.push(Finding::FarFromOrigin { n, distance: aabb.center().length(), size });
    }
    let n = n_fallen_together(&exam.mesh, aabb.center());
    if n > 0 {
        exam.findings.push(Finding::FineDetail { n });
    }
}

/// How many vertices have the same position as an earlier one once positions about `origin` are rounded to 32 bits.
fn n_fallen_together(mesh: &TriangleMesh, origin: DVec3) -> usize {
    let rounded: Vec<DVec3> = mesh.vertices.iter().map(|&x| (x - origin).as_vec3().as_dvec3()).collect();
    weld::equal(&rounded).iter().zip(0..).filter(|&(&first, ix)| first != ix).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mesh_far_from_its_origin_keeps_its_vertices_apart_about_its_own_centre() {
        let vertices = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
        let near = TriangleMesh { vertices, triangles: vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]] };
        let far = near.translated(DVec3::splat(1e9));
        assert_eq!(n_fallen_together(&far, far.aabb().center()), 0);
        // The step of 32-bit numbers at 1e9 is 64.
        assert_eq!(n_fallen_together(&far, DVec3::ZERO), 3);
    }
}
