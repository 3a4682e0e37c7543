//! The examples of docs/guide.md: its files are written, its commands run, and the columns that it reads are there.

mod stage;

use stage::Stage;
use tactum::tables::{TABLE_FILES, header_of};

const GUIDE: &str = include_str!("../../../docs/guide.md");

/// The fenced blocks with their kinds, in their order.
fn blocks() -> Vec<(&'static str, &'static str)> {
    let fenced = GUIDE.split("\n```").skip(1).step_by(2);
    fenced.map(|block| block.split_once('\n').expect("a kind and lines")).collect()
}

#[test]
fn every_file_and_command_of_the_guide_works() {
    let stage = Stage::with_scene("");
    let (mut n_files, mut n_commands) = (0, 0);
    for (kind, text) in blocks() {
        match kind {
            "toml" | "obj" | "csv" => {
                let (name, _) = text.split_once('\n').expect("lines");
                let name = name.strip_prefix("# ").expect("its name");
                std::fs::write(stage.root.join(name), text).expect("a file");
                n_files += 1;
            }
            "sh" => {
                for line in text.lines() {
                    let arguments =
                        line.strip_prefix("tactum ").unwrap_or_else(|| panic!("a command: {line}"));
                    let ended = stage.ends(arguments, 0, &[]);
                    let said = String::from_utf8_lossy(&ended.stderr);
                    assert!(!said.contains("warning:"), "{line}: {said}");
                    n_commands += 1;
                }
            }
            "python" => {}
            other => panic!("a block of {other}"),
        }
    }
    assert_eq!((n_files, n_commands), (7, 12));
}

#[test]
fn columns_that_the_guide_reads_are_there() {
    let headers: Vec<String> = TABLE_FILES.iter().map(|file| header_of(file)).collect();
    let columns: Vec<&str> = headers.iter().flat_map(|header| header.trim_end().split(',')).collect();
    let python: String =
        blocks().into_iter().filter(|(kind, _)| *kind == "python").map(|(_, text)| text).collect();
    let quoted = python.split('"').skip(1).step_by(2).filter(|text| text.ends_with(']'));
    let quoted: Vec<&str> = quoted.collect();
    assert!(quoted.len() >= 5, "{quoted:?}");
    for name in quoted {
        assert!(columns.contains(&name), "{name}");
    }
}
