//! From a file to its text.

use std::path::Path;

use super::fault::{Fault, SceneError};
use tactum_geometry::mesh::import::Format;
use tactum_geometry::{file, words};

/// Largest scene file \[bytes\]: a hundred times the text of the largest number of bodies that a world is meant for, and little
/// enough to be held in memory several times over.
const MAX_BYTES: u64 = 256 << 20;

/// The text of a scene file.
///
/// # Errors
/// If there is no such file, it is not a regular one, it is too large, it is a mesh, or it is not text.
pub fn text_of(path: &Path) -> Result<String, SceneError> {
    let bytes =
        file::read(path, MAX_BYTES).map_err(|cause| SceneError::Read { path: path.to_owned(), cause })?;
    if is_mesh(path, &bytes) {
        let file = words::path(path);
        let fault = Fault::error("this file is a mesh, not a scene", "").with_help(format!(
            "a scene names it: [[body]] with shape = {{ mesh = {{ file = \"{file}\", units = \"mm\" }} }}; `tactum check` tells about the mesh"
        ));
        return Err(SceneError::Faults(vec![fault.at(&file, "", None)]));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        SceneError::Faults(vec![not_text(path, error.as_bytes(), at)])
    })?;
    // A program's file may happen to be UTF-8, but no text holds a zero.
    match text.find('\0') {
        Some(at) => Err(SceneError::Faults(vec![not_text(path, text.as_bytes(), at)])),
        None => Ok(text),
    }
}

/// Whether a file's name or content is that of a mesh.
pub fn is_mesh(path: &Path, head: &[u8]) -> bool {
    let is_toml = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"));
    Format::of_extension(path).is_some() || !is_toml && Format::of_content(head).is_some()
}

fn not_text(path: &Path, bytes: &[u8], at: usize) -> Fault {
    let byte = bytes.get(at).copied().unwrap_or_default();
    let help = match bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => "the file looks like UTF-16: save it as UTF-8",
        _ => "save the file as UTF-8",
    };
    let text = String::from_utf8_lossy(bytes);
    Fault::error(format!("the file is no text in UTF-8: byte 0x{byte:02x} means nothing here"), "not text")
        .with_help(help)
        .at(&words::path(path), &text, Some(at..at + 1))
}
