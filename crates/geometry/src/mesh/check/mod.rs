//! The mesh doctor: proves that a mesh encloses a volume, or says exactly what is wrong and where.
//!
//! Contact is measured from volumes, and a volume is what a closed, consistently oriented surface has. [`examine`]
//! accepts a mesh whose every edge is used equally often in both directions (which includes edges shared by four faces
//! and parts that overlap), cleans it, and lists what it found; anything else it refuses with the cause, the place and
//! the count. It repairs only what cannot change a sound mesh.

mod crossings;
mod exam;
mod interior;
mod patches;
pub(super) mod prism;
mod repair;
mod report;
pub(super) mod surface;
#[cfg(test)]
mod tests;
pub(super) mod topology;
pub(super) mod tree;

use super::TriangleMesh;
use super::import::{Imported, Oddity};
use super::mass::MassMoments;
use exam::Exam;
use repair::Flaps;
pub use report::{Defect, Finding, MeshError, Severity};
use topology::diagnose;

/// A mesh that encloses a volume.
///
/// Every edge is used equally often in both directions, vertices are finite, distinct and used, no triangle names a
/// vertex twice, and the volume is not negative; it is zero only where [`Finding::NoVolume`] says so.
#[derive(Clone, Debug, PartialEq)]
pub struct Checked {
    /// The cleaned mesh. Triangles and vertices keep their order.
    pub mesh: TriangleMesh,
    /// Its volume, each part counted with its winding number \[m³\].
    pub volume: f64,
    /// What was found, in the order of the examination.
    pub findings: Vec<Finding>,
}

impl Checked {
    /// The findings that a user should be told without asking.
    pub fn warnings(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.severity() == Severity::Warning)
    }
}

/// Volume below which a mesh encloses nothing, in area times diagonal: the rounding of a sum of some hundred thousand
/// tetrahedra of both signs.
const NO_VOLUME: f64 = 1e-14;

/// Examines a mesh; see the [module](self) for what is accepted.
///
/// # Errors
/// If the mesh has no volume that could be computed; every cause is listed.
pub fn examine(mesh: TriangleMesh) -> Result<Checked, MeshError> {
    examine_with(mesh, Vec::new())
}

/// Examines a mesh from a file; what the reader found odd comes first among the findings.
///
/// # Errors
/// As [`examine`].
pub fn examine_imported(Imported { mesh, oddities }: Imported) -> Result<Checked, MeshError> {
    examine_with(mesh, oddities)
}

fn examine_with(mesh: TriangleMesh, oddities: Vec<Oddity>) -> Result<Checked, MeshError> {
    let findings = oddities.into_iter().map(Finding::File).collect();
    if let Some(defect) = unusable(&mesh) {
        return Err(MeshError { defects: vec![defect], findings });
    }
    let mut exam = Exam::weld(mesh, findings);
    if exam.mesh.triangles.is_empty() {
        return Err(exam.refuse(vec![Defect::NoTriangles]));
    }
    if exam.drop_flaps() == Flaps::All {
        exam.findings.push(Finding::NoVolume);
        return Ok(finish(exam, 0.0));
    }
    let mut repeats = exam.repeats();
    let defects = diagnose(&exam.mesh, &repeats);
    if !defects.is_empty() {
        if !exam.close_cracks() {
            return Err(exam.refuse(defects));
        }
        repeats = exam.repeats();
    }
    exam.drop_unused();
    let moments = MassMoments::of(&exam.mesh);
    let size = exam.mesh.aabb().diagonal();
    if !(moments.volume.is_finite() && moments.inertia.is_finite()) {
        return Err(exam.refuse(vec![Defect::TooLarge { size }]));
    }
    if moments.volume.abs() <= NO_VOLUME * area(&exam.mesh) * size {
        exam.findings.push(Finding::NoVolume);
        return Ok(finish(exam, 0.0));
    }
    if moments.volume < 0.0 {
        exam.findings.push(Finding::InsideOut { signed_volume: moments.volume });
        exam.mesh.triangles.iter_mut().for_each(turn_over);
    }
    interior::examine(&mut exam, &repeats);
    let volume = MassMoments::of(&exam.mesh).volume;
    if volume <= 0.0 {
        // Of needles even the sign can be rounding.
        exam.findings.push(Finding::NoVolume);
        return Ok(finish(exam, 0.0));
    }
    Ok(finish(exam, volume))
}

/// Ends the examination with a mesh that encloses the given volume.
fn finish(mut exam: Exam, volume: f64) -> Checked {
    exam.drop_unused();
    interior::examine_size(&mut exam);
    Checked { mesh: exam.mesh, volume, findings: exam.findings }
}

/// What makes any further look at a mesh impossible.
fn unusable(mesh: &TriangleMesh) -> Option<Defect> {
    let n_vertices = mesh.vertices.len();
    if mesh.triangles.is_empty() {
        return Some(Defect::NoTriangles);
    }
    let mut not_finite = (0..).zip(&mesh.vertices).filter(|(_, x)| !x.is_finite()).map(|(ix, _)| ix);
    if let Some(first) = not_finite.next() {
        return Some(Defect::NotFinite { n: 1 + not_finite.count(), first });
    }
    (0..).zip(&mesh.triangles).find_map(|(triangle, corners)| {
        let index = corners.iter().copied().find(|&ix| ix as usize >= n_vertices)?;
        Some(Defect::IndexOutOfRange { triangle, index, n_vertices })
    })
}

fn turn_over(corners: &mut [u32; 3]) {
    corners.swap(1, 2);
}

/// Area of all triangles \[m²\].
fn area(mesh: &TriangleMesh) -> f64 {
    area_of(mesh, 0..mesh.triangles.len())
}

/// Area of some triangles \[m²\].
fn area_of(mesh: &TriangleMesh, triangles: impl Iterator<Item = usize>) -> f64 {
    let twice = |ix| {
        let [a, b, c] = mesh.corners(ix);
        (b - a).cross(c - a).length()
    };
    triangles.map(twice).sum::<f64>() * 0.5
}
