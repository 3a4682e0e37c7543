//! Files that are there whole or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// What the name of a file ends with while it is being written.
pub const UNFINISHED: &str = ".unfinished";

/// Writes a file in one piece: a program that is killed meanwhile, or a disk that is full, leaves what was there before.
/// When it returns, the file is on the disk.
///
/// What is no ordinary file, such as a device, a pipe or a link, is written to and not replaced.
///
/// # Errors
/// What the system says.
pub fn write_whole(path: &Path, content: &[u8]) -> io::Result<()> {
    let is_special = fs::symlink_metadata(path).is_ok_and(|there| !there.is_file());
    if is_special {
        let mut there = File::options().write(true).truncate(true).open(path)?;
        return there.write_all(content).and_then(|()| there.flush());
    }
    let mut name = path.as_os_str().to_owned();
    name.push(UNFINISHED);
    let unfinished = PathBuf::from(name);
    let written = write_synced(&unfinished, content).and_then(|()| fs::rename(&unfinished, path));
    if written.is_err() {
        // The first error is the one that matters.
        let _ = fs::remove_file(&unfinished);
    }
    written?;
    sync_folder(path)
}

/// Refuses what has a name but is no file: a pipe would be waited for, a device would swallow what is written.
///
/// # Errors
/// If it is there and is no file.
pub fn file_or_nothing(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(there) if !there.is_file() => Err(io::Error::other("it is not a file")),
        _ => Ok(()),
    }
}

fn write_synced(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(content)?;
    file.sync_all()
}

/// Makes the name of a file in its folder as durable as its content.
#[cfg(unix)]
fn sync_folder(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => File::open(folder)?.sync_all(),
        _ => File::open(".")?.sync_all(),
    }
}

/// Elsewhere folders cannot be opened, and renaming is durable by itself.
#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_as_a_whole_and_leaves_nothing_beside_it() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("result.json");
        for content in ["first and longer", "second"] {
            write_whole(&path, content.as_bytes()).expect("the file is written");
            assert_eq!(fs::read_to_string(&path).expect("the file"), content);
        }
        assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 1);
        // A folder in the file's place cannot be replaced.
        let taken = folder.path().join("taken");
        fs::create_dir(&taken).expect("a folder");
        assert!(write_whole(&taken, b"x").is_err());
        assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 2);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (path, link) = (folder.path().join("real"), folder.path().join("link"));
        fs::write(&path, "before").expect("a file");
        std::os::unix::fs::symlink(&path, &link).expect("a link");
        write_whole(&link, b"after!").expect("the file is written");
        assert_eq!(fs::read_to_string(&path).expect("the file"), "after!");
        assert!(fs::symlink_metadata(&link).expect("the link").is_symlink());
    }
}
