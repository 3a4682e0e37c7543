//! Mesh files mended: `tactum repair`, and what `tactum check` says can be mended.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tactum_geometry::mesh::check::{self, MeshError};
use tactum_geometry::mesh::export::{self, ExportError};
use tactum_geometry::mesh::import::{self, Format, ImportError};
use tactum_geometry::mesh::repair::{
    Doubt, Mend, RepairError, RepairReport, RepairSettings, Repaired, repair,
};
use tactum_geometry::{TriangleMesh, words};
use thiserror::Error;

use crate::files::write_whole;
use crate::folder::{FolderError, check_folder_of};
use crate::inputs::{Inputs, ReplacesInput, Role};
use crate::mesh_file::mend_lines;

/// Why a mesh file was not mended.
#[derive(Debug, Error)]
pub enum RepairFileError {
    /// It could not be read.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// A setting is none.
    #[error("{name} has to be above zero and finite, found {found}")]
    Setting {
        /// What it sets.
        name: &'static str,
        /// Its value.
        found: f64,
    },
    /// Its mesh has a fault that cannot be mended.
    #[error("{}: {error}", words::path(path))]
    Repair {
        /// The file.
        path: PathBuf,
        /// What stood in the way.
        error: RepairError,
    },
    /// What came out cannot be written in this format.
    #[error("{}: {error}", words::path(path))]
    Export {
        /// The file that was to be written.
        path: PathBuf,
        /// Why not.
        error: ExportError,
    },
    /// In the numbers of the format the mesh encloses no volume any more.
    #[error(
        "{}: in the 32-bit numbers of STL the mended mesh is broken again: {error}; write .obj or .ply",
        words::path(path)
    )]
    Rounded {
        /// The file that was to be written.
        path: PathBuf,
        /// What is wrong with it.
        error: MeshError,
    },
    /// There is a file already.
    #[error(
        "there is a file '{}' already: name another one, or replace it with --overwrite",
        words::path(path)
    )]
    Occupied {
        /// The file.
        path: PathBuf,
    },
    /// The result would take the place of the mesh.
    #[error(transparent)]
    ReplacesInput(#[from] ReplacesInput),
    /// There is no folder for it.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// It could not be written.
    #[error("cannot write '{}': {}", words::path(path), words::cause(source))]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

/// What became of a mesh file.
#[derive(Clone, Debug)]
pub struct MendedFile {
    /// The file that was mended.
    pub input: PathBuf,
    /// The files that were written.
    pub outputs: Vec<PathBuf>,
    /// What was odd about the file.
    pub oddities: Vec<String>,
    /// What was mended.
    pub report: RepairReport,
    /// Whether the tolerance is the default one.
    has_own_tolerance: bool,
}

/// Mends a mesh file and writes what comes out; with `settings.split` into one file for each body, whose numbers follow the
/// name.
///
/// A mesh with nothing to mend is written as it is: into a file of the same format byte by byte.
///
/// # Errors
/// If the file cannot be read or mended, there is a file already and not `overwrite`, or it cannot be written.
pub fn repair_file(
    input: &Path,
    output: &Path,
    settings: &RepairSettings,
    overwrite: bool,
) -> Result<MendedFile, RepairFileError> {
    check_settings(settings)?;
    let at_output = |error| RepairFileError::Export { path: output.to_owned(), error };
    let format = export::format_of(output).map_err(at_output)?;
    check_folder_of(output)?;
    let imported = import::load(input)?;
    let Repaired { meshes, report } = repair(&imported.mesh, settings)
        .map_err(|error| RepairFileError::Repair { path: input.to_owned(), error })?;
    let outputs = outputs(output, settings.split.then_some(meshes.len()));
    let mut inputs = Inputs::default();
    inputs.add(Role::Mesh, input.to_owned());
    inputs.spare(outputs.clone())?;
    if let Some(path) = outputs.iter().find(|path| !overwrite && fs::symlink_metadata(path).is_ok()) {
        return Err(RepairFileError::Occupied { path: path.clone() });
    }
    let is_as_given = report.mends.is_empty() && !settings.split && imported.oddities.is_empty();
    let as_given =
        if is_as_given && Format::of_extension(input) == Some(format) { fs::read(input).ok() } else { None };
    let contents = match as_given {
        Some(bytes) => vec![bytes],
        None => meshes.iter().map(|mesh| content(mesh, format, output)).collect::<Result<_, _>>()?,
    };
    for (path, bytes) in outputs.iter().zip(contents) {
        write_whole(path, &bytes).map_err(|source| RepairFileError::Write { path: path.clone(), source })?;
    }
    Ok(MendedFile {
        input: input.to_owned(),
        outputs,
        oddities: imported.oddities.iter().map(ToString::to_string).collect(),
        report,
        has_own_tolerance: settings.tolerance.is_none(),
    })
}

fn check_settings(settings: &RepairSettings) -> Result<(), RepairFileError> {
    let named = [("--tolerance", settings.tolerance), ("--max-hole", settings.max_hole)];
    let wrong = named.into_iter().find_map(|(name, value)| {
        let found = value.filter(|x| !(x.is_finite() && *x > 0.0))?;
        Some(RepairFileError::Setting { name, found })
    });
    wrong.map_or(Ok(()), Err)
}

/// The files for so many bodies; for a mesh that is not split the one that was named.
fn outputs(output: &Path, n_bodies: Option<usize>) -> Vec<PathBuf> {
    let Some(n) = n_bodies else { return vec![output.to_owned()] };
    let numbered = |k: usize| {
        let mut name = output.file_stem().unwrap_or_default().to_owned();
        name.push(format!("_{k}."));
        name.push(output.extension().unwrap_or_default());
        output.with_file_name(name)
    };
    (1..=n).map(numbered).collect()
}

/// The content of a file; in numbers of fewer digits the mesh is examined once more.
fn content(mesh: &TriangleMesh, format: Format, output: &Path) -> Result<Vec<u8>, RepairFileError> {
    let at_output = |error| RepairFileError::Export { path: output.to_owned(), error };
    let bytes = export::write(mesh, format).map_err(at_output)?;
    if format == Format::Stl {
        let written = import::parse(&bytes, format, None)
            .map_err(|cause| ImportError { path: output.to_owned(), cause })?;
        check::examine(written.mesh)
            .map_err(|error| RepairFileError::Rounded { path: output.to_owned(), error })?;
    }
    Ok(bytes)
}

impl MendedFile {
    /// All that was done, for programs.
    pub fn to_json(&self) -> String {
        let path = |path: &PathBuf| path.to_string_lossy().into_owned();
        let mend = |mend: &Mend| {
            let mut entry = json!({
                "kind": mend.kind.name(), "n": mend.n, "at": mend.at.to_array(), "size": mend.size,
            });
            if let Some(perimeter) = mend.perimeter {
                entry["perimeter"] = json!(perimeter);
            }
            entry
        };
        let object = json!({
            "input": path(&self.input),
            "outputs": self.outputs.iter().map(path).collect::<Vec<String>>(),
            "oddities": self.oddities,
            "tolerance": self.report.tolerance,
            "volume_before": self.report.volume_before,
            "volume_after": self.report.volume_after,
            "mends": self.report.mends.iter().map(mend).collect::<Vec<Value>>(),
            "doubts": self.report.doubts.iter().map(Doubt::to_string).collect::<Vec<String>>(),
        });
        format!("{object:#}\n")
    }
}

impl fmt::Display for MendedFile {
    /// What was done, a line each; lengths are in the unit of the file.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let outputs: Vec<String> = self.outputs.iter().map(|path| words::path(path)).collect();
        let verdict = if self.report.mends.is_empty() { "nothing to mend" } else { "mended" };
        writeln!(f, "{}: {verdict}, wrote {}", words::path(&self.input), words::listed(&outputs))?;
        write_mends(f, &self.report.mends, &self.report.doubts)?;
        if !self.report.mends.is_empty() {
            let whose = if self.has_own_tolerance { " (the default, by the size of the mesh)" } else { "" };
            writeln!(f, "{:>10}  {}{whose}", "tolerance", words::number(self.report.tolerance))?;
        }
        let before = self.report.volume_before.map_or("not defined".to_owned(), words::number);
        writeln!(f, "{:>10}  {}; before: {before}", "volume", words::number(self.report.volume_after))?;
        writeln!(f, "{:>10}  lengths and volumes are in the unit of the file", "unit")
    }
}

/// Writes mends, a line each, of very many of a kind the largest; and what may be wrong about them.
fn write_mends(f: &mut impl fmt::Write, mends: &[Mend], doubts: &[Doubt]) -> fmt::Result {
    for line in mend_lines(mends) {
        writeln!(f, "{:>10}  {line}", "mend")?;
    }
    for doubt in doubts {
        writeln!(f, "{:>10}  {doubt}", "warning")?;
    }
    Ok(())
}

/// What `tactum repair` would do with a mesh file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prospect {
    /// Lines for a report.
    pub text: String,
    /// Whether it would mend the file.
    pub is_possible: bool,
}

/// What `tactum repair` would do with a mesh file; none for a file that cannot be read or that has
/// nothing to mend, and where only what `check` refuses is in the way.
pub fn prospect(path: &Path) -> Option<Prospect> {
    use fmt::Write;
    let imported = import::load(path).ok()?;
    let mut text = String::new();
    let outcome = repair(&imported.mesh, &RepairSettings::default());
    let is_possible = outcome.is_ok();
    // Writing into a string does not fail.
    let _ = match outcome {
        // What the doctor has said already.
        Err(RepairError::Mesh(_)) => return None,
        Err(RepairError::NoVolume) if check::examine(imported.mesh.clone()).is_ok() => return None,
        Err(error) => writeln!(text, "{:>10}  not possible: {error}", "repair"),
        Ok(Repaired { report, .. }) if report.mends.is_empty() => return None,
        Ok(Repaired { report, .. }) => {
            let ending = match export::format_of(path) {
                Ok(Format::Stl) => "stl",
                Ok(Format::Ply) => "ply",
                _ => "obj",
            };
            let mut name = path.file_stem().unwrap_or_default().to_owned();
            name.push(format!("_repaired.{ending}"));
            let command =
                [path.to_owned(), path.with_file_name(name)].map(|path| shell_word(&path)).join(" ");
            let volume = words::number(report.volume_after);
            writeln!(text, "{:>10}  would mend this, volume {volume}: tactum repair {command}", "repair")
                .and_then(|()| write_mends(&mut text, &report.mends, &report.doubts))
        }
    };
    Some(Prospect { text, is_possible })
}

/// A path as a word of a command line.
fn shell_word(path: &Path) -> String {
    let text = words::path(path);
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+=:,@".contains(c);
    if text.chars().all(is_plain) && !text.starts_with('-') {
        text
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}
