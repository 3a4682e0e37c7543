//! Files that are there whole or not at all, which file a path leads to, and where the whole lines of a table end.

use std::fs::{self, File, Metadata};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tactum_geometry::words;

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
    let unfinished = unfinished(path);
    let written = write_synced(&unfinished, content).and_then(|()| fs::rename(&unfinished, path));
    if written.is_err() {
        // The first error is the one that matters.
        let _ = fs::remove_file(&unfinished);
    }
    written?;
    sync_folder(path)
}

/// The name of a file while it is being written.
pub fn unfinished(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(UNFINISHED);
    PathBuf::from(name)
}

/// What tells a file from all others, whatever paths and links lead to it: its device and its number there.
#[cfg(unix)]
pub type FileId = (u64, u64);

/// What tells a file from all others, whatever paths and links lead to it.
#[cfg(not(unix))]
pub type FileId = PathBuf;

/// The file that a path leads to, if there is one.
#[cfg(unix)]
pub fn id_of(path: &Path) -> Option<FileId> {
    fs::metadata(path).ok().map(|there| id(&there))
}

#[cfg(unix)]
fn id(there: &Metadata) -> FileId {
    use std::os::unix::fs::MetadataExt;
    (there.dev(), there.ino())
}

/// The file that a path leads to, if there is one. Hard links are not known to be one.
#[cfg(not(unix))]
pub fn id_of(path: &Path) -> Option<FileId> {
    path.canonicalize().ok()
}

/// In which way a path does not lead to a file that is held open, in words; none if it does. What is open stays so when its
/// name is removed or given to another file, and what is written there then is lost.
pub fn astray(file: &File, path: &Path) -> Option<String> {
    let found = fs::metadata(path).and_then(|there| Ok((there, file.metadata()?)));
    match found {
        Ok((there, open)) => (!is_one(&there, &open)).then(|| "another file is in its place".to_owned()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Some("it is not there any more".to_owned()),
        Err(error) => Some(format!("it cannot be looked at: {}", words::cause(&error))),
    }
}

#[cfg(unix)]
fn is_one(a: &Metadata, b: &Metadata) -> bool {
    id(a) == id(b)
}

/// Elsewhere a file that is open keeps its name.
#[cfg(not(unix))]
fn is_one(_: &Metadata, _: &Metadata) -> bool {
    true
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

/// Bytes from the end within which a whole row ends and begins: names have 128 characters at most, numbers 25.
const TAIL: u64 = 8192;

/// The last whole row of a table, as it is written; none if it has no row.
///
/// # Errors
/// If it cannot be read.
pub fn last_row(path: &Path) -> io::Result<Option<String>> {
    let mut file = File::open(path)?;
    let whole = whole_lines(&mut file)?;
    let from = whole.saturating_sub(TAIL);
    file.seek(SeekFrom::Start(from))?;
    let mut tail = Vec::new();
    file.take(whole - from).read_to_end(&mut tail)?;
    let text = String::from_utf8_lossy(&tail);
    let rows = text.trim_end_matches('\n');
    Ok(rows.rsplit_once('\n').map(|(_, last)| last.to_owned()))
}

/// The length of a table up to the end of its last whole line \[bytes\]; the file is then at its start.
///
/// # Errors
/// If it cannot be read.
pub fn whole_lines(file: &mut File) -> io::Result<u64> {
    let length = file.metadata()?.len();
    let from = length.saturating_sub(TAIL);
    file.seek(SeekFrom::Start(from))?;
    let mut tail = Vec::new();
    Read::by_ref(file).take(TAIL).read_to_end(&mut tail)?;
    file.seek(SeekFrom::Start(0))?;
    Ok(tail.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| from + at as u64 + 1))
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

    #[test]
    fn the_last_whole_row_is_found_in_its_tail() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("table.csv");
        let long = "1,2\n".repeat(5000);
        for (text, row) in [
            (String::new(), None),
            ("step,time\n".to_owned(), None),
            ("step,time\n1,\"a, b\"\n".to_owned(), Some("1,\"a, b\"")),
            ("step,time\n1,2\n27,3\n3".to_owned(), Some("27,3")),
            (format!("step,time\n{long}9,1\n10,"), Some("9,1")),
        ] {
            fs::write(&path, &text).expect("the table");
            assert_eq!(last_row(&path).expect("it is read").as_deref(), row, "{text}");
            let whole = whole_lines(&mut File::open(&path).expect("the table")).expect("it is read");
            assert!(text[..whole as usize].ends_with('\n') || whole == 0);
            assert!(!text[whole as usize..].contains('\n'));
        }
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

    #[cfg(unix)]
    #[test]
    fn an_open_file_knows_when_its_name_is_gone_or_another_s() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("file");
        let file = File::create(&path).expect("a file");
        assert_eq!(astray(&file, &path), None);
        fs::rename(&path, folder.path().join("elsewhere")).expect("it is renamed");
        assert_eq!(astray(&file, &path).as_deref(), Some("it is not there any more"));
        fs::write(&path, "").expect("a file");
        assert_eq!(astray(&file, &path).as_deref(), Some("another file is in its place"));
        fs::remove_file(&path).expect("it is removed");
        std::os::unix::fs::symlink(folder.path().join("elsewhere"), &path).expect("a link");
        assert_eq!(astray(&file, &path), None, "a link that leads to it");
    }
}
