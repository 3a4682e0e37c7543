//! Writing mesh files: OBJ, binary STL and binary PLY.
//!
//! OBJ and PLY keep every digit of the coordinates. STL has numbers of 32 bits: [`write()`] refuses a mesh whose facets would lose
//! a corner in them.

mod obj;
mod ply;
mod stl;

use std::path::Path;

use super::TriangleMesh;
use super::import::Format;

/// Why a mesh cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExportError {
    /// The name tells no format that can be written.
    #[error("meshes are written as .obj, .stl or .ply; this name ends in none of these")]
    UnknownFormat,
    /// Facets would lose a corner in numbers of 32 bits.
    #[error(
        "{n} facets have corners that are one point in the 32-bit numbers of STL: write .obj or .ply, or move the mesh to its origin"
    )]
    LostCorners {
        /// How many.
        n: usize,
    },
    /// Coordinates are beyond numbers of 32 bits.
    #[error("the mesh is too large for the 32-bit numbers of STL: write .obj or .ply")]
    TooLarge,
    /// More triangles than the format counts.
    #[error("{n} triangles are more than STL and PLY can count")]
    TooMany {
        /// How many.
        n: usize,
    },
}

/// The format of a file name, if meshes can be written in it.
///
/// # Errors
/// If they cannot.
pub fn format_of(path: &Path) -> Result<Format, ExportError> {
    match Format::of_extension(path) {
        Some(format @ (Format::Obj | Format::Stl | Format::Ply)) => Ok(format),
        _ => Err(ExportError::UnknownFormat),
    }
}

/// The content of a file with this mesh.
///
/// # Errors
/// If the format cannot hold it.
pub fn write(mesh: &TriangleMesh, format: Format) -> Result<Vec<u8>, ExportError> {
    match format {
        Format::Obj => Ok(obj::write(mesh)),
        Format::Stl => stl::write(mesh),
        Format::Ply => ply::write(mesh),
        Format::Gltf => Err(ExportError::UnknownFormat),
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::mesh::{generate, import};

    #[test]
    fn what_is_written_is_read_again_with_all_its_digits() {
        let mesh = generate::sphere(1.0 / 3.0, 100).expect("a ball").translated(DVec3::splat(0.1));
        for format in [Format::Obj, Format::Ply] {
            let bytes = write(&mesh, format).expect("a file");
            assert_eq!(import::parse(&bytes, format, None).expect("a mesh").mesh, mesh);
        }
        let bytes = write(&mesh, Format::Stl).expect("a file");
        assert_eq!(bytes.len(), 84 + 50 * mesh.triangles.len());
        let read = import::parse(&bytes, Format::Stl, None).expect("a mesh").mesh;
        for ix in 0..mesh.triangles.len() {
            assert_eq!(read.corners(ix), mesh.corners(ix).map(|x| x.as_vec3().as_dvec3()));
        }
    }

    #[test]
    fn what_32_bits_cannot_hold_is_not_written_as_stl() {
        let far = generate::cuboid(DVec3::splat(0.001), 12).expect("a cube").translated(DVec3::X * 1e6);
        assert_eq!(write(&far, Format::Stl), Err(ExportError::LostCorners { n: 8 }));
        assert_eq!(write(&far.scaled(1e40), Format::Stl), Err(ExportError::TooLarge));
    }

    #[test]
    fn the_name_tells_the_format() {
        assert_eq!(format_of(Path::new("a.STL")), Ok(Format::Stl));
        for name in ["a.glb", "a", "a.txt"] {
            assert_eq!(format_of(Path::new(name)), Err(ExportError::UnknownFormat));
        }
    }
}
