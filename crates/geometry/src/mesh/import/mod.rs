//! Reading mesh files: OBJ, STL, PLY and glTF.
//!
//! [`load`] reads a file into a [`TriangleMesh`] in f64, polygons split into triangles, and nothing repaired: whether
//! the surface is closed and what it encloses is for [`check`](super::check) to say. OBJ, STL and PLY have readers of
//! their own here because the file is the user's and the message matters: every error names the line or the element,
//! with what was needed and what was found; coordinates keep the digits the file has (a part modelled 10⁹ m from the
//! origin survives); and no count in a header is believed before the bytes behind it were seen. Which files are read
//! at all, and how much of them, is decided in [`file`].

mod gltf;
mod obj;
mod ply;
mod polygon;
mod stl;

use std::fmt;
use std::path::{Path, PathBuf};

use super::TriangleMesh;

/// A mesh as its file describes it, and what the reader found odd about the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// Vertices in file order, triangles in file order with each polygon's triangles in a row.
    pub mesh: TriangleMesh,
    /// Oddities that leave the mesh usable.
    pub oddities: Vec<Oddity>,
}

/// Something odd about a file that was read nevertheless.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Oddity {
    /// Bytes after the announced end; they were not read.
    TrailingBytes {
        /// How many.
        n_bytes: usize,
    },
    /// A binary STL holds more whole triangles than its header announces; all were read.
    CountTooSmall {
        /// Triangles announced.
        announced: u64,
        /// Triangles in the file.
        found: u64,
    },
    /// glTF primitives that are points, lines, strips or fans; they were not read.
    PrimitivesSkipped {
        /// How many.
        n: usize,
    },
    /// glTF nodes with a skin, or with morph targets that have weight; their meshes were read as they are stored.
    DeformationsSkipped {
        /// How many.
        n: usize,
    },
    /// glTF nodes that place their mesh many times (`EXT_mesh_gpu_instancing`); each was read once.
    InstancesSkipped {
        /// How many.
        n: usize,
    },
}

impl fmt::Display for Oddity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TrailingBytes { n_bytes } => {
                write!(f, "{n_bytes} trailing bytes after the announced end were not read")
            }
            Self::CountTooSmall { announced, found } => write!(
                f,
                "trailing bytes: {announced} triangles announced but the file holds {found}; all {found} were read"
            ),
            Self::PrimitivesSkipped { n } => {
                write!(f, "{n} primitives that are not triangle lists were not read")
            }
            Self::DeformationsSkipped { n } => write!(
                f,
                "skins and morph targets are not applied: {n} nodes have some, and their meshes were read as they are stored"
            ),
            Self::InstancesSkipped { n } => write!(
                f,
                "instances (EXT_mesh_gpu_instancing) are not placed: {n} nodes have some, and their meshes were read once"
            ),
        }
    }
}

/// The file formats that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Wavefront OBJ: `v` and `f` lines; everything else is skipped.
    Obj,
    /// STL, binary or text.
    Stl,
    /// PLY, text or binary of either byte order.
    Ply,
    /// glTF 2.0, text or binary (GLB). Its axes are kept: y is up in the format.
    Gltf,
}

impl Format {
    /// The format a file name's extension stands for, in any case.
    pub fn of_extension(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "obj" => Some(Self::Obj),
            "stl" => Some(Self::Stl),
            "ply" => Some(Self::Ply),
            "gltf" | "glb" => Some(Self::Gltf),
            _ => None,
        }
    }

    /// The format that the first bytes prove; OBJ and most binary STL files carry no proof.
    pub fn of_content(bytes: &[u8]) -> Option<Self> {
        if bytes.starts_with(b"ply\n") || bytes.starts_with(b"ply\r") {
            Some(Self::Ply)
        } else if bytes.starts_with(b"glTF") {
            Some(Self::Gltf)
        } else if stl::is_text(bytes) {
            Some(Self::Stl)
        } else {
            None
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Obj => "OBJ",
            Self::Stl => "STL",
            Self::Ply => "PLY",
            Self::Gltf => "glTF",
        })
    }
}

/// Why a mesh file could not be read.
#[derive(Debug, thiserror::Error)]
#[error("{}: {cause}", crate::words::path(path))]
pub struct ImportError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub cause: Cause,
}

/// What is wrong with a mesh file. Lines count from 1, elements from 0.
#[derive(Debug, thiserror::Error)]
pub enum Cause {
    /// The file could not be read.
    #[error(transparent)]
    Read(#[from] crate::file::ReadError),
    /// No bytes.
    #[error("empty file")]
    Empty,
    /// Neither the name nor the first bytes tell the format.
    #[error("unknown mesh format (known are .obj, .stl, .ply, .gltf and .glb)")]
    UnknownFormat,
    /// The content belongs to another format than the name.
    #[error("not an {expected} file: its content is {found}")]
    WrongFormat {
        /// Format by file name.
        expected: Format,
        /// Format by content.
        found: Format,
    },
    /// Nothing in the file is a vertex.
    #[error("not an {format} file: no vertices")]
    NoVertices {
        /// Format by file name.
        format: Format,
    },
    /// Vertices but no triangles.
    #[error("no triangles ({n_vertices} vertices)")]
    NoTriangles {
        /// Vertices found.
        n_vertices: usize,
    },
    /// A line of a text file is wrong.
    #[error("line {line}: {problem}")]
    Line {
        /// Line number from 1.
        line: usize,
        /// What is wrong in it.
        problem: Problem,
    },
    /// An element of a binary file is wrong.
    #[error("{element} {number}: {problem}")]
    Element {
        /// Kind of element, such as `face`.
        element: String,
        /// Its number from 0.
        number: usize,
        /// What is wrong with it.
        problem: Problem,
    },
    /// A binary STL ends before its announced end.
    #[error(
        "file too short for its triangle count: {announced} triangles announced ({needed} bytes), \
         {complete} complete ({found} bytes)"
    )]
    StlTooShort {
        /// Triangles announced.
        announced: u64,
        /// Triangles present in full.
        complete: u64,
        /// Bytes needed for the announced count.
        needed: u64,
        /// Bytes found.
        found: u64,
    },
    /// Too short to hold even the header.
    #[error("file too short for a binary STL header: {found} bytes of 84")]
    StlHeaderTooShort {
        /// Bytes found.
        found: usize,
    },
    /// The header of a PLY file never ends.
    #[error("no end_header: the PLY header breaks off in line {line}")]
    NoEndHeader {
        /// Line in which the file ends.
        line: usize,
    },
    /// A PLY header lacks something a mesh needs.
    #[error("PLY header: {0}")]
    PlyHeader(String),
    /// The file ends inside an element.
    #[error("unexpected end of file in element {element}: {announced} announced, {complete} complete")]
    EndInElement {
        /// Kind of element.
        element: String,
        /// Elements announced.
        announced: u64,
        /// Elements present in full.
        complete: u64,
    },
    /// A text file stops in the middle.
    #[error("unexpected end of file after line {line}: {expected} expected")]
    EndOfText {
        /// Last line present.
        line: usize,
        /// What should have followed.
        expected: &'static str,
    },
    /// A glTF file is malformed or uses what is not supported.
    #[error("glTF: {0}")]
    Gltf(String),
    /// More vertices than 32-bit indices can name.
    #[error("{n_vertices} vertices are more than 32-bit indices can name")]
    TooManyVertices {
        /// Vertices found.
        n_vertices: usize,
    },
}

/// What is wrong with one line or element.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// A token that should be a number is none.
    #[error("bad number \"{token}\"")]
    BadNumber {
        /// The token.
        token: String,
    },
    /// A token that should be an index is none, or does not fit 64 bits.
    #[error("bad index \"{token}\"")]
    BadIndex {
        /// The token.
        token: String,
    },
    /// OBJ counts from 1.
    #[error("index 0 (OBJ counts from 1)")]
    IndexZero,
    /// An index that no vertex has.
    #[error("vertex index {index} out of range ({n_vertices} vertices)")]
    IndexOutOfRange {
        /// The index as the file has it.
        index: i64,
        /// Vertices in the file.
        n_vertices: usize,
    },
    /// A coordinate that is NaN or infinite, or overflows 64 bits.
    #[error("vertex {vertex} is not finite")]
    NotFinite {
        /// The vertex as the file counts it.
        vertex: usize,
    },
    /// Too few values.
    #[error("{found} of {needed} {what}")]
    TooFew {
        /// Kind of value.
        what: &'static str,
        /// Values needed.
        needed: usize,
        /// Values found.
        found: usize,
    },
    /// A face without three corners.
    #[error("face with fewer than 3 vertices ({found})")]
    FewCorners {
        /// Corners found.
        found: usize,
    },
    /// Something else was due here.
    #[error("{expected} expected, found \"{found}\"")]
    Unexpected {
        /// What was due.
        expected: &'static str,
        /// What stands there.
        found: String,
    },
}

/// What some editors put in front of a text in UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Reads a mesh file; the extension tells the format, or the content where there is no known extension.
///
/// A file whose content proves another format than its extension is refused.
///
/// # Errors
/// With the path and the cause, if the file cannot be read, is malformed or holds no triangles.
pub fn load(path: impl AsRef<Path>) -> Result<Imported, ImportError> {
    let path = path.as_ref();
    let read = || {
        let bytes = crate::file::read(path, crate::file::MAX_MESH_BYTES)?;
        if bytes.is_empty() {
            return Err(Cause::Empty);
        }
        let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&bytes);
        let by_content = Format::of_content(bytes);
        let format = match (Format::of_extension(path), by_content) {
            (Some(expected), Some(found)) if expected != found => {
                return Err(Cause::WrongFormat { expected, found });
            }
            (Some(format), _) | (None, Some(format)) => format,
            (None, None) => return Err(Cause::UnknownFormat),
        };
        parse(bytes, format, path.parent())
    };
    read().map_err(|cause| ImportError { path: path.to_owned(), cause })
}

/// Reads a mesh from the content of a file. `folder` is where glTF looks for buffers beside the file; without one
/// only embedded buffers are found.
///
/// # Errors
/// If the content is malformed or holds no triangles.
pub fn parse(bytes: &[u8], format: Format, folder: Option<&Path>) -> Result<Imported, Cause> {
    if bytes.is_empty() {
        return Err(Cause::Empty);
    }
    let imported = match format {
        Format::Obj => obj::parse(bytes),
        Format::Stl => stl::parse(bytes),
        Format::Ply => ply::parse(bytes),
        Format::Gltf => gltf::parse(bytes, folder),
    }?;
    if imported.mesh.triangles.is_empty() {
        return Err(Cause::NoTriangles { n_vertices: imported.mesh.vertices.len() });
    }
    Ok(imported)
}

/// Polygons over a common vertex list, as OBJ and PLY have them, before they become triangles.
#[derive(Default)]
struct Polygons {
    /// Corners of all polygons in a row, as the file numbers them but counted from 0.
    corners: Vec<i64>,
    /// End of each polygon in `corners`, and where the file has it.
    ends: Vec<(usize, usize)>,
}

impl Polygons {
    /// Adds a polygon found at `place` (a line or an element number).
    fn push(&mut self, corners: impl IntoIterator<Item = i64>, place: usize) -> Result<(), Problem> {
        let start = self.corners.len();
        self.corners.extend(corners);
        let found = self.corners.len() - start;
        if found < 3 {
            return Err(Problem::FewCorners { found });
        }
        self.ends.push((self.corners.len(), place));
        Ok(())
    }

    /// Splits all polygons into triangles. `first_number` is what the file calls its first vertex; `at` turns the
    /// place of a polygon into an error about it.
    fn into_mesh(
        self,
        vertices: Vec<glam::DVec3>,
        first_number: i64,
        at: impl Fn(usize, Problem) -> Cause,
    ) -> Result<TriangleMesh, Cause> {
        let n_vertices = vertices.len();
        if u32::try_from(n_vertices).is_err() {
            return Err(Cause::TooManyVertices { n_vertices });
        }
        let mut triangles = Vec::with_capacity(self.corners.len() - 2 * self.ends.len());
        let mut polygon = Vec::new();
        let mut start = 0;
        for (end, place) in self.ends {
            polygon.clear();
            for &corner in &self.corners[start..end] {
                let ix = u32::try_from(corner).ok().filter(|&ix| (ix as usize) < n_vertices);
                polygon.push(ix.ok_or_else(|| {
                    at(
                        place,
                        Problem::IndexOutOfRange { index: corner.saturating_add(first_number), n_vertices },
                    )
                })?);
            }
            polygon::triangulate(&polygon, &vertices, &mut triangles);
            start = end;
        }
        Ok(TriangleMesh { vertices, triangles })
    }
}

/// The lines of a text file, from 1, without their line breaks (`\n` or `\r\n`).
fn lines(bytes: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    bytes.split(|&b| b == b'\n').enumerate().map(|(ix, line)| (ix + 1, line.trim_ascii()))
}

/// The tokens of a line, separated by blanks or tabs.
fn tokens(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|token| !token.is_empty())
}

/// A token for an error message: readable, and short even where the file is garbage.
fn quoted(token: &[u8]) -> String {
    crate::words::quoted(&String::from_utf8_lossy(token))
}

/// A token as an f64.
fn number(token: &[u8]) -> Result<f64, Problem> {
    std::str::from_utf8(token)
        .ok()
        .and_then(|text| text.parse().ok())
        .ok_or_else(|| Problem::BadNumber { token: quoted(token) })
}

/// Three coordinates from the next three tokens; `vertex` is how the file counts the vertex.
fn position<'a>(tokens: &mut impl Iterator<Item = &'a [u8]>, vertex: usize) -> Result<glam::DVec3, Problem> {
    let mut xyz = [0.0; 3];
    for (found, x) in xyz.iter_mut().enumerate() {
        let token = tokens.next().ok_or(Problem::TooFew { what: "coordinates", needed: 3, found })?;
        *x = number(token)?;
    }
    let position = glam::DVec3::from(xyz);
    if position.is_finite() { Ok(position) } else { Err(Problem::NotFinite { vertex }) }
}

#[cfg(test)]
mod tests;
