//! A mesh of a scene from its file: mended, brought into the unit and frame that the scene asks for, closed below or split.

use std::path::{Path, PathBuf};

use tactum_geometry::TriangleMesh;
use tactum_geometry::file::ReadError;
use tactum_geometry::mesh::check::{self, Checked, Defect, Finding};
use tactum_geometry::mesh::ground::{GroundError, ground_below};
use tactum_geometry::mesh::import::{self, Cause, ImportError, Imported};
use tactum_geometry::mesh::repair::{
    Doubt, Mend, MendKind, RepairError, RepairReport, RepairSettings, Repaired, repair,
};
use tactum_geometry::mesh::shell::{ShellError, shell_around};
use tactum_geometry::mesh::{LoadError, load_checked};
use tactum_geometry::words;
use thiserror::Error;

use crate::scene::schema::MeshSpec;

/// What a scene's mesh comes to.
#[derive(Debug)]
pub struct LoadedMesh {
    /// The mesh, or each part of it.
    pub meshes: Vec<TriangleMesh>,
    /// What the doctor found in it.
    pub findings: Vec<Finding>,
    /// What was mended.
    pub mends: Vec<Mend>,
    /// What may be wrong about that.
    pub doubts: Vec<Doubt>,
    /// The open sheet that the mesh is the shell of.
    pub sheet: Option<TriangleMesh>,
}

/// Why a mesh file gives no mesh that a scene could use.
#[derive(Debug, Error)]
pub enum MeshFileError {
    /// There is no such file.
    #[error("there is no mesh file '{}'", words::path(path))]
    Missing {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// The file is not a mesh that encloses a volume.
    #[error(transparent)]
    Mesh(#[from] LoadError),
    /// The mesh was to be mended, united or split and cannot be.
    #[error("{}: {error}", words::path(path))]
    Repair {
        /// The file.
        path: PathBuf,
        /// What stands in the way.
        error: RepairError,
    },
    /// The mesh is no sheet that ground could be below.
    #[error("{}: {error}", words::path(path))]
    Ground {
        /// The file.
        path: PathBuf,
        /// Why not.
        error: GroundError,
    },
    /// The mesh is no sheet that a shell could be around.
    #[error("{}: {error}", words::path(path))]
    Shell {
        /// The file.
        path: PathBuf,
        /// Why not.
        error: ShellError,
    },
    /// The file has fewer parts.
    #[error("{}: there is no part {found} among {needed}, counted from 0", words::path(path))]
    NoPart {
        /// The file.
        path: PathBuf,
        /// The part that was asked for.
        found: u32,
        /// Parts there are.
        needed: usize,
    },
}

impl MeshFileError {
    /// What to do about it, if that is known.
    pub fn help(&self) -> Option<String> {
        match self {
            Self::Missing { path } => {
                let full = std::path::absolute(path).unwrap_or_else(|_| path.clone());
                Some(format!("looked for {}; paths start from the folder of the scene file", full.display()))
            }
            Self::Mesh(LoadError::Import(_)) | Self::NoPart { .. } => None,
            Self::Ground { error: GroundError::Closed, .. } => Some("leave ground_depth out".to_owned()),
            Self::Ground { error: GroundError::Overhangs { n, of, .. }, .. } if n == of => {
                Some("up = \"y\", or \"x\", if that is what is up in the file".to_owned())
            }
            Self::Shell { error: ShellError::Closed, .. } => Some("leave sheet_thickness out".to_owned()),
            Self::Mesh(LoadError::Check { error, .. }) if error.defects.iter().any(is_open) => {
                Some(format!("repair = true mends holes and cracks; {OPEN_SHEETS}; {TELLS_MORE}"))
            }
            Self::Mesh(LoadError::Check { error, .. }) if error.defects.iter().any(is_untidy) => {
                Some(format!(
                    "repair = true turns over what looks the other way and drops what is there twice; {TELLS_MORE}"
                ))
            }
            Self::Mesh(_) | Self::Repair { .. } | Self::Ground { .. } | Self::Shell { .. } => {
                Some(TELLS_MORE.to_owned())
            }
        }
    }
}

/// Where more is to be found out about a mesh.
pub const TELLS_MORE: &str = "`tactum check FILE` tells more about a mesh";

/// What a scene makes of a mesh that is open for good.
pub const OPEN_SHEETS: &str = "of a static body, ground_depth = 1 makes an open sheet the surface of solid ground, down to 1 m below its \
                               lowest point; sheet_thickness = 0.001 makes it a shell of 1 mm";

/// Most mends of a kind that are listed one by one in texts; JSON has all.
const MAX_LISTED: usize = 12;

/// What was mended, in words; of very many of a kind the largest.
pub fn mend_lines(mends: &[Mend]) -> Vec<String> {
    let mut lines = Vec::new();
    for same in mends.chunk_by(|a, b| a.kind == b.kind) {
        let mut by_size: Vec<&Mend> = same.iter().collect();
        by_size.sort_by(|a, b| b.size.total_cmp(&a.size));
        lines.extend(by_size.iter().take(MAX_LISTED).map(ToString::to_string));
        if let Some(n @ 1..) = same.len().checked_sub(MAX_LISTED) {
            let smaller = words::counted(n as u64, "smaller one", "smaller ones");
            lines.push(format!("and {smaller} (`tactum repair --json` lists all)"));
        }
    }
    lines
}

/// Whether a defect is that of a surface with a border.
pub fn is_open(defect: &Defect) -> bool {
    matches!(defect, Defect::NotClosed { .. })
}

/// Whether a defect is that of facets that are there, but turned over or twice.
fn is_untidy(defect: &Defect) -> bool {
    matches!(defect, Defect::Misoriented { .. } | Defect::DuplicateFaces { .. })
}

/// Loads what a scene says of a mesh; `path` is where its file is.
///
/// # Errors
/// If there is no such file, its mesh encloses no volume, cannot be mended or is no ground, or there is no such part of it.
pub fn load_as(spec: &MeshSpec, path: &Path) -> Result<LoadedMesh, MeshFileError> {
    if let Some(depth) = spec.ground_depth {
        return load_ground(spec, path, depth);
    }
    if let Some(thickness) = spec.sheet_thickness {
        return load_shell(spec, path, thickness);
    }
    let is_apart = spec.split || spec.part.is_some();
    let LoadedMesh { meshes, findings, mends, doubts, .. } = match spec.repair.settings() {
        Some(settings) => load_mended(path, &RepairSettings { split: is_apart, ..settings })?,
        None => {
            let (mesh, findings) = load_mesh(path)?;
            if is_apart || spec.union {
                let settings = RepairSettings { split: is_apart, ..RepairSettings::default() };
                let Repaired { meshes, report: RepairReport { mends, doubts, .. } } =
                    mend(&mesh, &settings, path)?;
                LoadedMesh {
                    meshes,
                    findings: without_the_united(findings, spec.union),
                    mends,
                    doubts,
                    sheet: None,
                }
            } else {
                LoadedMesh {
                    meshes: vec![mesh],
                    findings,
                    mends: Vec::new(),
                    doubts: Vec::new(),
                    sheet: None,
                }
            }
        }
    };
    let asked_for = |mend: &Mend| spec.union && mend.kind == MendKind::United;
    let mends: Vec<Mend> = mends.into_iter().filter(|mend| !asked_for(mend)).collect();
    let meshes = match spec.part {
        Some(part) => {
            let needed = meshes.len();
            let missing = || MeshFileError::NoPart { path: path.to_owned(), found: part, needed };
            vec![meshes.into_iter().nth(part as usize).ok_or_else(missing)?]
        }
        None => meshes,
    };
    Ok(LoadedMesh { meshes: placed(spec, meshes), findings, mends, doubts, sheet: None })
}

/// Loads a mesh file; the second part is what a user should be told of it.
///
/// # Errors
/// If there is no such file, or it is not a mesh that encloses a volume.
pub fn load_mesh(path: &Path) -> Result<(TriangleMesh, Vec<Finding>), MeshFileError> {
    let checked = load_checked(path).map_err(|error| match error {
        LoadError::Import(error) => of_import(error),
        other => other.into(),
    })?;
    Ok(with_warnings(checked))
}

/// Loads a mesh file and mends its mesh; the other parts are what a user should be told of it and what was mended.
fn load_mended(path: &Path, settings: &RepairSettings) -> Result<LoadedMesh, MeshFileError> {
    let Imported { mesh, oddities } = import::load(path).map_err(of_import)?;
    let Repaired { meshes, report: RepairReport { mends, doubts, .. } } = mend(&mesh, settings, path)?;
    let mut findings: Vec<Finding> = oddities.into_iter().map(Finding::File).collect();
    let mut examined = Vec::new();
    for mesh in meshes {
        let refused =
            |error| MeshFileError::Repair { path: path.to_owned(), error: RepairError::Mesh(error) };
        let (mesh, found) = with_warnings(check::examine(mesh).map_err(refused)?);
        examined.push(mesh);
        findings.extend(found);
    }
    findings.retain(|finding| finding.severity() == check::Severity::Warning);
    Ok(LoadedMesh { meshes: examined, findings, mends, doubts, sheet: None })
}

/// Loads an open sheet and closes it below.
fn load_ground(spec: &MeshSpec, path: &Path, depth: f64) -> Result<LoadedMesh, MeshFileError> {
    let Imported { mesh, oddities } = import::load(path).map_err(of_import)?;
    let no_ground = |error: GroundError| MeshFileError::Ground { path: path.to_owned(), error };
    let solid = ground_below(&spec.transform().apply(mesh), depth).map_err(no_ground)?;
    let checked = check::examine_imported(Imported { mesh: solid, oddities })
        .map_err(|error| MeshFileError::Repair { path: path.to_owned(), error: RepairError::Mesh(error) })?;
    let (solid, findings) = with_warnings(checked);
    Ok(LoadedMesh { meshes: vec![solid], findings, mends: Vec::new(), doubts: Vec::new(), sheet: None })
}

/// Loads an open sheet and makes a shell of it.
fn load_shell(spec: &MeshSpec, path: &Path, thickness: f64) -> Result<LoadedMesh, MeshFileError> {
    let Imported { mesh, oddities } = import::load(path).map_err(of_import)?;
    let sheet = spec.transform().apply(mesh);
    let no_shell = |error: ShellError| MeshFileError::Shell { path: path.to_owned(), error };
    let shell = shell_around(&sheet, thickness).map_err(no_shell)?;
    let checked = check::examine_imported(Imported { mesh: shell, oddities })
        .map_err(|error| MeshFileError::Repair { path: path.to_owned(), error: RepairError::Mesh(error) })?;
    let (shell, findings) = with_warnings(checked);
    Ok(LoadedMesh {
        meshes: vec![shell],
        findings,
        mends: Vec::new(),
        doubts: Vec::new(),
        sheet: Some(sheet),
    })
}

fn mend(mesh: &TriangleMesh, settings: &RepairSettings, path: &Path) -> Result<Repaired, MeshFileError> {
    repair(mesh, settings).map_err(|error| MeshFileError::Repair { path: path.to_owned(), error })
}

/// The parts where the scene wants them. All parts are moved alike, so that they stand to each other as in the file.
fn placed(spec: &MeshSpec, parts: Vec<TriangleMesh>) -> Vec<TriangleMesh> {
    let transform = spec.transform();
    let sizes: Vec<[usize; 2]> =
        parts.iter().map(|part| [part.vertices.len(), part.triangles.len()]).collect();
    if let [_] = sizes.as_slice() {
        return parts.into_iter().map(|part| transform.apply(part)).collect();
    }
    let mut all = TriangleMesh::default();
    for part in parts {
        let first = all.vertices.len() as u32;
        all.vertices.extend(part.vertices);
        all.triangles.extend(part.triangles.into_iter().map(|triangle| triangle.map(|v| first + v)));
    }
    let TriangleMesh { vertices, triangles } = transform.apply(all);
    let [mut first_vertex, mut first_triangle] = [0, 0];
    let cut = |[n_vertices, n_triangles]: [usize; 2]| {
        let own = vertices[first_vertex..first_vertex + n_vertices].to_vec();
        let corners = triangles[first_triangle..first_triangle + n_triangles].iter();
        let part = corners.map(|triangle| triangle.map(|v| v - first_vertex as u32)).collect();
        first_vertex += n_vertices;
        first_triangle += n_triangles;
        TriangleMesh { vertices: own, triangles: part }
    };
    sizes.into_iter().map(cut).collect()
}

/// Whether uniting the parts of a mesh mends what was found.
pub fn is_of_parts(finding: &Finding) -> bool {
    matches!(
        finding,
        Finding::Overlapping { .. } | Finding::SelfIntersecting { .. } | Finding::Repeated { .. }
    )
}

/// The findings but for what uniting has mended.
fn without_the_united(findings: Vec<Finding>, united: bool) -> Vec<Finding> {
    findings.into_iter().filter(|finding| !(united && is_of_parts(finding))).collect()
}

fn with_warnings(checked: Checked) -> (TriangleMesh, Vec<Finding>) {
    let warnings = checked.warnings().cloned().collect();
    (checked.mesh, warnings)
}

fn of_import(error: ImportError) -> MeshFileError {
    match error {
        ImportError { path, cause: Cause::Read(ReadError::Missing) } => MeshFileError::Missing { path },
        other => LoadError::Import(other).into(),
    }
}
