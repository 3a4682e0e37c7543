//! Reading mesh files: OBJ, STL, PLY and glTF.
//!
//! [`load`] reads a file into a [`TriangleMesh`](crate::TriangleMesh) in f64, polygons split into triangles, and nothing repaired: whether
//! the surface is closed and what it encloses is for [`check`](super::check) to say. OBJ, STL and PLY have readers of
//! their own here because the file is the user's and the message matters: every error names the line or the element,
//! with what was needed and what was found; coordinates keep the digits the file has (a part modelled 10⁹ m from the
//! origin survives); and no count in a header is believed before the bytes behind it were seen. Which files are read
//! at all, and how much of them, is decided in [`file`].

mod error;
mod format;
mod gltf;
mod imported;
mod obj;
mod ply;
pub(super) mod polygon;
mod polygon_mesh;
mod stl;
mod text;

use std::path::{Path, PathBuf};

pub use error::{Cause, ImportError, Problem};
pub use format::Format;
pub use imported::{Imported, Oddity};

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

/// The files that a mesh is read from: its own, and those of the buffers that a glTF document names and that are there.
pub fn files_of(path: impl AsRef<Path>) -> Vec<PathBuf> {
    let path = path.as_ref();
    let mut files = vec![path.to_owned()];
    // Of the formats, glTF alone names other files.
    if matches!(Format::of_extension(path), None | Some(Format::Gltf))
        && let Ok(bytes) = crate::file::read(path, crate::file::MAX_MESH_BYTES)
    {
        let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&bytes);
        files.extend(gltf::buffer_files(bytes, path.parent().unwrap_or(Path::new(""))));
    }
    files
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

#[cfg(test)]
mod tests;
