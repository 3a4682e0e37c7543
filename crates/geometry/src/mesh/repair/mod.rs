//! Mending a mesh until it encloses a volume, or saying what keeps it from that.
//!
//! What is good is not touched: a mesh without a fault of those below comes back as it was. The order is that of the
//! functions in [`repair`]; each fault mended is a [`Mend`] of the report with its place and size. The judge at the end is
//! [`check`]: what it would still refuse is refused here.
//!
//! | file | what it mends |
//! |---|---|
//! | `facets` | degenerate and repeated facets, doubled walls, facets of no closed surface |
//! | `cracks` | gaps below the weld tolerance, T-junctions |
//! | `orient` | facets that look another way than their neighbours |
//! | `holes`, `annular`, `fill`, `creased` | holes |
//! | `guess`, `certain` | how wrong fillings may be; refuses those that too much hangs on |
//! | `bodies` | which shells are one body |
//! | `shells`, `settle` | shells that look the wrong way; which go through which |
//! | `through` | finds what goes through something |
//! | `unite` | what goes through something |

mod annular;
mod bodies;
mod certain;
mod cracks;
mod creased;
mod facets;
mod fill;
mod guess;
mod holes;
mod orient;
mod report;
mod settle;
mod shells;
#[cfg(test)]
mod tests;
mod through;
mod unite;
mod work;

pub use report::{Doubt, Ends, EndsOf, Mend, MendKind, RepairError};

use super::TriangleMesh;
use super::check::{self, Checked, Defect, Finding, MeshError};
use super::mass::MassMoments;
use bodies::containers;
use settle::{bodies, turn_shells, unite_crossing};
use shells::Shells;
use through::{Crossing, overlapping};
use work::Work;

/// Weld tolerance in the diagonal of the mesh's box where none is given: 0.04 mm of a part of 80 mm, wider than what
/// exporters and printed coordinates leave open, narrower than any feature that is made.
pub const WELD_PART: f64 = 5e-4;

/// Largest weld tolerance that may be given, in the diagonal of the mesh's box: wider gaps are holes.
pub const MAX_WELD_PART: f64 = 1e-2;

/// Largest area of a hole that is filled unasked, in the area of the surface that it is in. A cube without a face has a fifth,
/// a tetrahedron a third.
pub const MAX_HOLE_PART: f64 = 0.35;

/// What a repair may do.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RepairSettings {
    /// Distance below which vertices and edges at gaps are joined, in the unit of the mesh; by default [`WELD_PART`] of its size.
    pub tolerance: Option<f64>,
    /// Largest diameter of a hole that is filled, in the unit of the mesh; by default any of up to [`MAX_HOLE_PART`].
    pub max_hole: Option<f64>,
    /// Whether every body becomes a mesh of its own; shells that go through each other are then not united.
    pub split: bool,
}

/// A mended mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Repaired {
    /// The mesh; with [`RepairSettings::split`] one for every body.
    pub meshes: Vec<TriangleMesh>,
    /// What was done.
    pub report: RepairReport,
}

/// What a repair did. Lengths and volumes are in the unit of the mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct RepairReport {
    /// What was mended, in the order in which it was; empty if there was nothing to mend.
    pub mends: Vec<Mend>,
    /// What may be wrong about it and nobody can tell.
    pub doubts: Vec<Doubt>,
    /// The weld tolerance.
    pub tolerance: f64,
    /// Volume as `check` finds it in the mesh that was given; none where it finds none.
    pub volume_before: Option<f64>,
    /// Volume of what came out.
    pub volume_after: f64,
}

/// Mends a mesh.
///
/// # Errors
/// If it has a fault that cannot be mended, or nothing in it encloses a volume.
pub fn repair(mesh: &TriangleMesh, settings: &RepairSettings) -> Result<Repaired, RepairError> {
    let examined = check::examine(mesh.clone());
    if let Err(error) = &examined
        && error.defects.iter().any(is_beyond_repair)
    {
        return Err(RepairError::Mesh(error.clone()));
    }
    let size = mesh.aabb().diagonal();
    if !size.is_finite() {
        let defects = vec![Defect::TooLarge { size }];
        return Err(RepairError::Mesh(MeshError { defects, findings: Vec::new() }));
    }
    let tolerance = settings.tolerance.unwrap_or(WELD_PART * size);
    if tolerance > MAX_WELD_PART * size {
        return Err(RepairError::Tolerance { found: tolerance, size });
    }
    let volume_before = examined.as_ref().ok().map(|checked| checked.volume);
    if let Ok(checked) = &examined
        && !checked.findings.iter().any(is_a_fault)
        && (settings.split || overlapping(&checked.mesh, Crossing::of(&checked.mesh)?).is_empty())
    {
        let meshes = if settings.split { bodies(&checked.mesh)? } else { vec![mesh.clone()] };
        let report = RepairReport {
            mends: Vec::new(),
            doubts: Vec::new(),
            tolerance,
            volume_before,
            volume_after: checked.volume,
        };
        return Ok(Repaired { meshes, report });
    }
    let parts = if settings.tolerance.is_some() { &NARROWER[..1] } else { &NARROWER[..] };
    let (mut refused, mut folded) = (None, None);
    for tolerance in parts.iter().map(|part| part * tolerance) {
        match mend(mesh, tolerance, settings) {
            Ok(mended) if mended.has_folds() => {
                folded = folded.or_else(|| Some(mended.reported(tolerance, volume_before)));
            }
            Ok(mended) => return Ok(mended.reported(tolerance, volume_before)),
            // The first reason is that of the tolerance that was announced.
            Err(error) => refused = refused.or(Some(error)),
        }
    }
    if let Some(folded) = folded {
        return Ok(folded);
    }
    let error = refused.unwrap_or(RepairError::NoVolume);
    Err(match settings.tolerance {
        None => advised(mesh, tolerance, settings, error),
        Some(_) => error,
    })
}

/// Multiples of the default tolerance that are tried where it does not mend a mesh; the largest is [`MAX_WELD_PART`].
const WIDER: [f64; 3] = [2.0, 5.0, MAX_WELD_PART / WELD_PART];

/// An error with the wider tolerance that would mend the mesh, if that closes cracks only: a hole that is filled with it is a guess.
fn advised(
    mesh: &TriangleMesh,
    tolerance: f64,
    settings: &RepairSettings,
    error: RepairError,
) -> RepairError {
    let is_sure = |mended: &Mended| {
        let kinds = || mended.mends.iter().map(|mend| mend.kind);
        kinds().any(|kind| kind == MendKind::Crack)
            && !kinds()
                .any(|kind| matches!(kind, MendKind::Hole | MendKind::LooseFacets | MendKind::DoubledWall))
    };
    // Rounded up to two digits: a number to be typed.
    let short = |x: f64| {
        let unit = 10_f64.powf(x.log10().floor() - 1.0);
        ((x / unit).ceil() * unit).min(MAX_WELD_PART * mesh.aabb().diagonal())
    };
    let mut wider = WIDER.iter().map(|factor| short(factor * tolerance));
    match wider.find(|wide| mend(mesh, *wide, settings).is_ok_and(|mended| is_sure(&mended))) {
        Some(tolerance) => RepairError::WideCracks { error: Box::new(error), tolerance },
        None => error,
    }
}

/// What came out of a mesh with a fault.
struct Mended {
    meshes: Vec<TriangleMesh>,
    mends: Vec<Mend>,
    doubts: Vec<Doubt>,
    volume: f64,
}

impl Mended {
    /// Whether surfaces that cross were left as they are.
    fn has_folds(&self) -> bool {
        self.doubts.iter().any(|doubt| matches!(doubt, Doubt::Folds { .. }))
    }

    fn reported(self, tolerance: f64, volume_before: Option<f64>) -> Repaired {
        let Self { meshes, mends, doubts, volume: volume_after } = self;
        Repaired { meshes, report: RepairReport { mends, doubts, tolerance, volume_before, volume_after } }
    }
}

/// Parts of the default tolerance that are tried one after the other: a mesh with facets smaller than it may be joined wrongly.
const NARROWER: [f64; 3] = [1.0, 0.1, 0.01];

/// Mends a mesh that has a fault.
fn mend(mesh: &TriangleMesh, tolerance: f64, settings: &RepairSettings) -> Result<Mended, RepairError> {
    let mut work = Work::new(mesh.clone());
    let mut doubts = close(&mut work, tolerance, settings)?;
    let meshes = settle(&mut work, settings, &mut doubts)?;
    let has_folds = doubts.iter().any(|doubt| matches!(doubt, Doubt::Folds { .. }));
    let volume = meshes.iter().map(|mesh| judge(mesh, has_folds)).sum::<Result<f64, RepairError>>()?;
    let is_as_given = work.mends.is_empty() && !settings.split;
    let meshes = if is_as_given { vec![mesh.clone()] } else { meshes };
    Ok(Mended { meshes, mends: work.mends, doubts, volume })
}

/// Whether a defect leaves nothing to work with.
fn is_beyond_repair(defect: &Defect) -> bool {
    matches!(
        defect,
        Defect::NoTriangles
            | Defect::NotFinite { .. }
            | Defect::IndexOutOfRange { .. }
            | Defect::TooLarge { .. }
    )
}

/// Whether a finding is a fault that a repair mends.
fn is_a_fault(finding: &Finding) -> bool {
    matches!(
        finding,
        Finding::DegenerateTriangles { .. }
            | Finding::CracksWelded { .. }
            | Finding::FlapsDropped { .. }
            | Finding::InsideOut { .. }
            | Finding::PartsInsideOut { .. }
            | Finding::Repeated { .. }
            | Finding::Overlapping { .. }
            | Finding::SelfIntersecting { .. }
            | Finding::NoVolume
    )
}

/// Makes a surface closed and consistently oriented; what is doubtful about it.
fn close(work: &mut Work, tolerance: f64, settings: &RepairSettings) -> Result<Vec<Doubt>, RepairError> {
    facets::drop_useless(work);
    cracks::close(work, tolerance);
    facets::drop_useless(work);
    orient::turn_facets(work)?;
    let dropped = facets::drop_loose(work, tolerance)?;
    let doubts = holes::fill_all(work, settings, tolerance, &dropped)?;
    facets::drop_useless(work);
    work.compact();
    let edges = check::topology::Edges::of(&work.mesh.triangles);
    if edges.unbalanced().next().is_some() {
        let left = check::topology::diagnose(&work.mesh, &[]);
        return Err(RepairError::Mesh(MeshError { defects: left, findings: Vec::new() }));
    }
    if work.mesh.triangles.is_empty() { Err(RepairError::NoVolume) } else { Ok(doubts) }
}

/// Makes the shells of a closed surface enclose what they enclose once.
fn settle(
    work: &mut Work,
    settings: &RepairSettings,
    doubts: &mut Vec<Doubt>,
) -> Result<Vec<TriangleMesh>, RepairError> {
    let mut shells = Shells::of(&work.mesh);
    let crossing = Crossing::of(&shells.mesh)?;
    let containers = containers(&shells, &crossing)?;
    doubts.extend(turn_shells(&mut shells, &containers, &mut work.mends));
    let (united, inverted) = unite_crossing(&shells, crossing, &containers, settings.split, &mut work.mends)?;
    doubts.extend(inverted);
    let mesh = Work::new(united).mesh;
    Ok(if settings.split { bodies(&mesh)? } else { vec![mesh] }).map(|meshes| {
        meshes
            .into_iter()
            .map(|mut mesh| {
                work::compact(&mut mesh);
                mesh
            })
            .collect()
    })
}

/// The volume of a mended mesh, if the doctor finds no fault in it but folds that were left.
fn judge(mesh: &TriangleMesh, may_fold: bool) -> Result<f64, RepairError> {
    let Checked { mesh, findings, .. } = check::examine(mesh.clone()).map_err(RepairError::Mesh)?;
    if findings.contains(&Finding::NoVolume) {
        return Err(RepairError::NoVolume);
    }
    let crossing = through::deep(&mesh)?;
    if !may_fold && !crossing.is_empty() {
        let corners = crossing.iter().flatten().flat_map(|&ix| mesh.corners(ix as usize));
        let Mend { n, at, size, .. } = Mend::of(MendKind::United, crossing.len(), corners);
        return Err(RepairError::Crossed { n, size, at, why: "they still cross after the repair" });
    }
    Ok(MassMoments::of(&mesh).volume)
}
