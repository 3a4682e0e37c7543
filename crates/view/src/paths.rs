//! Paths as they are told.

use std::path::Path;

/// A file's whole path, wherever the program was started.
pub fn whole(path: &Path) -> String {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).display().to_string()
}
