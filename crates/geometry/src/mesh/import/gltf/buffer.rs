//! The bytes behind a document: in the container, in the document, or in files beside it.

use std::path::{Component, Path, PathBuf};

use super::document::Buffer;
use super::fault;
use crate::mesh::import::Cause;
use crate::words::quoted;

/// Loads all buffers. `blob` is the container's binary chunk, `folder` the folder of the document; without it files are
/// out of reach. All files together may have as many bytes as a mesh file.
pub fn load_all(
    buffers: &[Buffer],
    blob: Option<&[u8]>,
    folder: Option<&Path>,
) -> Result<Vec<Vec<u8>>, Cause> {
    let mut bytes_left = crate::file::MAX_MESH_BYTES;
    let load = |(ix, buffer): (usize, &Buffer)| {
        let bytes = match &buffer.uri {
            None if ix == 0 && blob.is_some() => blob.unwrap_or_default().to_vec(),
            None => return Err(fault(format!("buffer {ix} has no bytes"))),
            Some(uri) => load_uri(buffer, uri, folder, &mut bytes_left)
                .map_err(|problem| fault(format!("buffer {ix}: {problem}")))?,
        };
        if bytes.len() < buffer.byte_length {
            let needed = buffer.byte_length;
            return Err(fault(format!("buffer {ix} has {} bytes, needs {needed}", bytes.len())));
        }
        Ok(bytes)
    };
    buffers.iter().enumerate().map(load).collect()
}

fn load_uri(
    buffer: &Buffer,
    uri: &str,
    folder: Option<&Path>,
    bytes_left: &mut u64,
) -> Result<Vec<u8>, String> {
    // Schemes are the same in small and capital letters (RFC 3986).
    if uri.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:")) {
        let (_, text) =
            uri[5..].split_once(";base64,").ok_or("its data is not in base64, the only form that is read")?;
        return base64(text).ok_or_else(|| "bad base64".to_owned());
    }
    let name = file_name(uri).map_err(|problem| format!("\"{}\" {problem}", quoted(uri)))?;
    let folder = folder.ok_or_else(|| format!("\"{}\" is not beside the file", quoted(uri)))?;
    let path = confined(folder, &name)?;
    let bytes = crate::file::read_start(&path, buffer.byte_length as u64, *bytes_left)
        .map_err(|error| format!("{}: {error}", crate::words::path(&path)))?;
    *bytes_left -= bytes.len() as u64;
    Ok(bytes)
}

/// The file that a URI names, if it is there and may be read.
pub fn file(uri: &str, folder: &Path) -> Option<PathBuf> {
    confined(folder, &file_name(uri).ok()?).ok()
}

/// The file name that a URI stands for, relative to the document's folder and not leading out of it.
fn file_name(uri: &str) -> Result<PathBuf, &'static str> {
    let name = percent_decoded(uri).ok_or("is no name of a file")?;
    if name.is_empty() || name.chars().any(char::is_control) {
        return Err("is no name of a file");
    }
    // A colon makes a scheme or a drive, and a backslash separates folders on some systems.
    if name.contains([':', '\\']) {
        return Err("is not beside the file: a buffer's name has neither ':' nor '\\'");
    }
    let path = PathBuf::from(name);
    if path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)) {
        Ok(path)
    } else {
        Err("is not beside the file: a buffer's name must not lead out of its folder")
    }
}

/// The path of a file in a folder or below it, wherever links lead.
fn confined(folder: &Path, name: &Path) -> Result<PathBuf, String> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let path = folder.join(name);
    let canonical = |path: &Path| {
        path.canonicalize()
            .map_err(|error| format!("{}: {}", crate::words::path(path), crate::file::ReadError::from(error)))
    };
    let (root, target) = (canonical(folder)?, canonical(&path)?);
    if target.starts_with(&root) {
        return Ok(target);
    }
    Err(format!(
        "{} is a link to {}, out of the document's folder",
        crate::words::path(&path),
        crate::words::path(&target)
    ))
}

/// The bytes that a base64 text stands for (RFC 4648), padded to groups of four or not padded; none where it is no such
/// text.
fn base64(text: &str) -> Option<Vec<u8>> {
    let digits = text.trim_end_matches('=');
    let n_padding = text.len() - digits.len();
    if n_padding > 0 && (n_padding > 2 || !text.len().is_multiple_of(4)) {
        return None;
    }
    let mut bytes = Vec::with_capacity(digits.len() / 4 * 3 + 3);
    for group in digits.as_bytes().chunks(4) {
        let mut bits = 0_u32;
        for &digit in group {
            let value = match digit {
                b'A'..=b'Z' => digit - b'A',
                b'a'..=b'z' => digit - b'a' + 26,
                b'0'..=b'9' => digit - b'0' + 52,
                b'+' => 62,
                b'/' => 63,
                _ => return None,
            };
            bits = bits << 6 | u32::from(value);
        }
        // Six bits are no byte.
        let n_bytes = group.len() * 6 / 8;
        if n_bytes == 0 {
            return None;
        }
        let aligned = bits << (32 - 6 * group.len());
        bytes.extend(&aligned.to_be_bytes()[..n_bytes]);
    }
    Some(bytes)
}

/// The text with every `%XX` replaced by that byte; none where that is no text.
fn percent_decoded(uri: &str) -> Option<String> {
    let mut bytes = uri.bytes();
    let mut decoded = Vec::with_capacity(uri.len());
    while let Some(byte) = bytes.next() {
        decoded.push(if byte == b'%' {
            let mut digit = || char::from(bytes.next()?).to_digit(16);
            u8::try_from(16 * digit()? + digit()?).ok()?
        } else {
            byte
        });
    }
    String::from_utf8(decoded).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_read_with_and_without_padding_and_nothing_else_is() {
        // The vectors of RFC 4648, section 10.
        for (text, bytes) in [("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYg==", "foob")]
        {
            assert_eq!(base64(text).unwrap(), bytes.as_bytes(), "{text}");
            assert_eq!(base64(text.trim_end_matches('=')).unwrap(), bytes.as_bytes(), "{text}");
        }
        for text in
            ["Z", "Zm9vY", "Zg=", "Z===", "====", "Zm=8", "Zm9v=", "Zm9v====", "Zm 9", "Zm9*", "Zg==Zg=="]
        {
            assert_eq!(base64(text), None, "{text}");
        }
    }

    #[test]
    fn names_of_buffers_stay_in_their_folder() {
        for (uri, name) in
            [("a.bin", "a.bin"), ("a%20b.bin", "a b.bin"), ("parts/./a.bin", "parts/a.bin"), ("a..b", "a..b")]
        {
            assert_eq!(file_name(uri).unwrap(), Path::new(name), "{uri}");
        }
        let out = [
            "../a.bin",
            "parts/../../a.bin",
            "parts/..",
            "%2e%2e%2fa.bin",
            "%2E%2E/a.bin",
            "/dev/zero",
            "%2Fdev%2Fzero",
            "//host/share/a.bin",
            "file:///etc/passwd",
            "http://host/a.bin",
            "C:a.bin",
            "C%3A%5Ca.bin",
            "\\\\host\\share",
            "..\\a.bin",
            "%5c%5chost",
            "a.bin%00",
            "a\n.bin",
            "%zz",
            "%ff%fe",
            "%",
            "",
        ];
        for uri in out {
            assert!(file_name(uri).is_err(), "{uri}");
        }
    }
}
