//! Reading whole files that a user names, within bounds.
//!
//! A name may lead anywhere: to a folder, to a pipe that nobody writes to, to a device that never ends. [`read`] takes
//! none of these, and never more bytes than it was told.

use std::fs::{self, File};
use std::io::{ErrorKind, Read};
use std::path::Path;

/// Most bytes that are read of a mesh file, 1 GiB: twenty million triangles of a binary STL, ten times what can be
/// simulated with. A file is held in memory while it is read, beside the mesh that it becomes.
pub const MAX_MESH_BYTES: u64 = 1 << 30;

/// Why a file was not read. The message does not name the file: see [`words::path`](crate::words::path) for that.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// There is nothing of this name.
    #[error("there is no such file")]
    Missing,
    /// What has this name is not a file with an end.
    #[error("is {kind}, not a file")]
    NotAFile {
        /// What it is, such as `a folder`.
        kind: &'static str,
    },
    /// The file is larger than what is read.
    #[error("has {n_bytes} bytes, more than the {max_bytes} that are read of such a file")]
    TooLarge {
        /// Bytes of the file.
        n_bytes: u64,
        /// Bytes that are allowed.
        max_bytes: u64,
    },
    /// The file has fewer bytes than are needed of it.
    #[error("has {n_bytes} bytes, needs {needed}")]
    TooShort {
        /// Bytes of the file.
        n_bytes: u64,
        /// Bytes that are needed.
        needed: u64,
    },
    /// The file grew while it was read.
    #[error("grew beyond {max_bytes} bytes while it was read")]
    Grew {
        /// Bytes that are allowed.
        max_bytes: u64,
    },
    /// The operating system could not read it.
    #[error("cannot be read: {}", crate::words::cause(.0))]
    Io(std::io::Error),
}

impl From<std::io::Error> for ReadError {
    fn from(error: std::io::Error) -> Self {
        if error.kind() == ErrorKind::NotFound { Self::Missing } else { Self::Io(error) }
    }
}

/// All bytes of a file that has at most `max_bytes`.
///
/// The kind and the size of the file are looked at before it is opened, so that neither a pipe nor a device is waited
/// for and no memory is taken for a file that is too large; a file that grows while it is read is refused at
/// `max_bytes`.
///
/// # Errors
/// If there is no such file, it is not a regular file (a link to one is), has more bytes or cannot be read.
pub fn read(path: &Path, max_bytes: u64) -> Result<Vec<u8>, ReadError> {
    let (file, n_bytes) = open(path)?;
    if n_bytes > max_bytes {
        return Err(ReadError::TooLarge { n_bytes, max_bytes });
    }
    let mut bytes = Vec::new();
    file.take(max_bytes.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max_bytes {
        return Err(ReadError::Grew { max_bytes });
    }
    Ok(bytes)
}

/// The first `n_bytes` of a file that has at least as many; what follows is not read.
///
/// # Errors
/// As [`read`], and if `n_bytes` exceeds `max_bytes` or the file is shorter.
pub fn read_start(path: &Path, n_bytes: u64, max_bytes: u64) -> Result<Vec<u8>, ReadError> {
    let (file, found) = open(path)?;
    if found < n_bytes {
        return Err(ReadError::TooShort { n_bytes: found, needed: n_bytes });
    }
    if n_bytes > max_bytes {
        return Err(ReadError::TooLarge { n_bytes, max_bytes });
    }
    let mut bytes = Vec::new();
    file.take(n_bytes).read_to_end(&mut bytes)?;
    match bytes.len() as u64 {
        found if found < n_bytes => Err(ReadError::TooShort { n_bytes: found, needed: n_bytes }),
        _ => Ok(bytes),
    }
}

/// Opens a regular file; the second part is its size.
fn open(path: &Path) -> Result<(File, u64), ReadError> {
    // Opening a pipe waits for a writer, so what it is has to be known before.
    kind_must_be_file(&fs::metadata(path)?)?;
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    kind_must_be_file(&metadata)?;
    Ok((file, metadata.len()))
}

fn kind_must_be_file(metadata: &fs::Metadata) -> Result<(), ReadError> {
    if metadata.is_file() { Ok(()) } else { Err(ReadError::NotAFile { kind: kind(metadata.file_type()) }) }
}

#[cfg(unix)]
fn kind(file_type: fs::FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    if file_type.is_dir() {
        "a folder"
    } else if file_type.is_fifo() {
        "a pipe"
    } else if file_type.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}

#[cfg(not(unix))]
fn kind(file_type: fs::FileType) -> &'static str {
    if file_type.is_dir() { "a folder" } else { "a device" }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Folder(std::path::PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("tactum-file-{name}-{}", std::process::id()));
            fs::create_dir_all(&path).unwrap();
            Self(path)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn files_are_read_up_to_their_bound() {
        let folder = Folder::new("bound");
        let path = folder.0.join("ten");
        fs::write(&path, b"0123456789").unwrap();
        assert_eq!(read(&path, 10).unwrap(), b"0123456789");
        assert!(matches!(read(&path, 9), Err(ReadError::TooLarge { n_bytes: 10, max_bytes: 9 })));
        assert_eq!(read_start(&path, 4, 10).unwrap(), b"0123");
        assert!(matches!(read_start(&path, 11, 100), Err(ReadError::TooShort { n_bytes: 10, needed: 11 })));
        // A size that is only announced takes neither time nor memory.
        assert!(matches!(read_start(&path, u64::MAX, u64::MAX), Err(ReadError::TooShort { .. })));
        let sparse = folder.0.join("sparse");
        File::create(&sparse).unwrap().set_len(1 << 40).unwrap();
        assert!(matches!(read(&sparse, MAX_MESH_BYTES), Err(ReadError::TooLarge { .. })));
        assert!(matches!(read(&folder.0.join("none"), 9), Err(ReadError::Missing)));
        assert!(matches!(read(&path.join("below"), 9), Err(ReadError::Io(_))));
    }

    #[test]
    fn what_has_no_end_is_named_and_not_opened() {
        let folder = Folder::new("kinds");
        let refusal = |path: &Path| read(path, 1000).expect_err("no file").to_string();
        assert_eq!(refusal(&folder.0), "is a folder, not a file");
        if cfg!(unix) {
            assert_eq!(refusal(Path::new("/dev/zero")), "is a device, not a file");
            let pipe = folder.0.join("pipe");
            let made = std::process::Command::new("mkfifo").arg(&pipe).status();
            if made.is_ok_and(|status| status.success()) {
                assert_eq!(refusal(&pipe), "is a pipe, not a file");
            }
        }
    }
}
