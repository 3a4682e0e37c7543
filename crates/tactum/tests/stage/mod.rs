//! Folders in which the program runs, and how it ended.
#![allow(dead_code, reason = "every file of tests uses a part of it")]

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// How the program ended.
pub struct Ended {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

pub fn program() -> &'static str {
    env!("CARGO_BIN_EXE_tactum")
}

/// Runs the program with arguments to its end.
pub fn tactum(arguments: &[&str]) -> Ended {
    let output = Command::new(program()).args(arguments).output().expect("the program starts");
    Ended {
        code: output.status.code().expect("the program was not killed"),
        stdout: String::from_utf8(output.stdout).expect("stdout is text"),
        stderr: String::from_utf8(output.stderr).expect("stderr is text"),
    }
}

/// A folder that is removed in the end.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(TempDir::new().expect("a temporary folder"))
    }

    pub fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().expect("a path of text").to_owned()
    }

    /// Writes a file, be it in a folder below that is not there yet; where it is.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.0.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder can be made");
        std::fs::write(path, content).expect("a file can be written");
        self.path(name)
    }
}

/// A folder with a scene in it.
pub struct Stage {
    _folder: Folder,
    /// Where it is.
    pub root: PathBuf,
}

impl Stage {
    /// A folder with `scene.toml`.
    pub fn with_scene(text: &str) -> Self {
        let folder = Folder::new();
        folder.write("scene.toml", text);
        Self { root: folder.0.path().to_owned(), _folder: folder }
    }

    /// The program with arguments, without a standard input.
    pub fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(program());
        command.current_dir(&self.root).args(arguments.split_whitespace()).stdin(Stdio::null());
        command
    }

    pub fn tactum(&self, arguments: &str) -> Output {
        self.command(arguments).output().expect("the program starts")
    }

    /// Asserts how the program ends and that it says all of `words` on stderr, and never panics.
    pub fn ends(&self, arguments: &str, code: i32, words: &[&str]) -> Output {
        let output = self.tactum(arguments);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{arguments}: {stderr}");
        for word in words {
            assert!(stderr.contains(word), "{arguments}: '{word}' is missing in:\n{stderr}");
        }
        assert!(!stderr.contains("panicked"), "{stderr}");
        output
    }

    pub fn json(&self, arguments: &str, code: i32) -> Value {
        let output = self.ends(arguments, code, &[]);
        serde_json::from_slice(&output.stdout).expect("one JSON object on stdout")
    }

    /// Writes a file.
    pub fn write(&self, file: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.root.join(file), content).expect("a file");
    }

    /// All files of a folder and of those in it, by their paths within it.
    pub fn contents(&self, folder: &str) -> BTreeMap<String, Vec<u8>> {
        let mut all = BTreeMap::new();
        for entry in std::fs::read_dir(self.root.join(folder)).expect("the folder") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            if path.is_dir() {
                let inner = self.contents(&format!("{folder}/{name}"));
                all.extend(inner.into_iter().map(|(inner, bytes)| (format!("{name}/{inner}"), bytes)));
            } else {
                all.insert(name, std::fs::read(&path).expect("the file"));
            }
        }
        all
    }

    pub fn read(&self, file: &str) -> String {
        std::fs::read_to_string(self.root.join(file)).expect("the file")
    }

    pub fn files(&self, folder: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.root.join(folder)).expect("the folder");
        let name = |entry: std::io::Result<std::fs::DirEntry>| {
            entry.expect("an entry").file_name().into_string().expect("text")
        };
        let mut names: Vec<String> = entries.map(name).collect();
        names.sort();
        names
    }
}
