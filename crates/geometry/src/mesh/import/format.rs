//! Formats of mesh files, and how they are told apart.

use std::fmt;
use std::path::Path;

use super::stl;

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

    /// Its name after the article that goes with it.
    pub fn with_article(self) -> String {
        let article = if matches!(self, Self::Obj | Self::Stl) { "an" } else { "a" };
        format!("{article} {self}")
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
