//! A folder with a scene in it, in which the program runs.

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// The folder; it is removed in the end.
pub struct Stage {
    _folder: TempDir,
    /// Where it is.
    pub root: PathBuf,
}

#[allow(dead_code, reason = "every file of tests uses a part of it")]
impl Stage {
    /// A folder with `scene.toml`.
    pub fn with_scene(text: &str) -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let root = folder.path().to_owned();
        std::fs::write(root.join("scene.toml"), text).expect("the scene");
        Self { _folder: folder, root }
    }

    /// The program with arguments, without a standard input.
    pub fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tactum"));
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
