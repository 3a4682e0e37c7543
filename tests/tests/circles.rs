//! No circle of files across folders: whatever a file builds on knows nothing of it, so that a folder can be read, moved or
//! replaced without the folders above it.
//!
//! The test reads the `use` lines of each file and follows `pub use` to the file that defines a name. It does not see what is
//! named by its full path within code, what comes by `pub use ...::*`, methods of a type defined elsewhere, nor what macros
//! make. Modules of tests are left out: they may use everything.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Names on the way to an item, such as `["crate", "scene", "Fault"]`.
type Names = Vec<String>;

/// The files of a crate by the module that each is; the root is the empty path.
type Modules = BTreeMap<Names, String>;

fn names(path: &str) -> Names {
    path.split("::").map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect()
}

/// The text of a file without comments and without its tests.
fn without_comments(text: &str) -> String {
    let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    code.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// The `use` lines of a file, as paths with the names they go by here; and whether they are public.
fn uses(text: &str) -> Vec<(Names, String, bool)> {
    let code = without_comments(text);
    let mut found = Vec::new();
    let mut rest = code.as_str();
    while let Some(at) = rest.find("use ") {
        let line = rest[..at].rsplit(['\n', ';', '}', '{']).next().unwrap_or_default().trim();
        let is_public = line.starts_with("pub");
        let is_use = line.is_empty() || is_public && (line == "pub" || line.ends_with(')'));
        rest = &rest[at + 4..];
        if is_use && let Some(end) = rest.find(';') {
            expand("", &rest[..end], &mut |path, name| found.push((names(path), name, is_public)));
            rest = &rest[end..];
        }
    }
    found
}

/// Takes a tree such as `a::{b, c::{d as e}}` apart.
fn expand(before: &str, tree: &str, found: &mut impl FnMut(&str, String)) {
    let tree = tree.trim();
    let Some((head, body)) = tree.split_once('{') else {
        let (path, name) =
            tree.split_once(" as ").unwrap_or((tree, tree.rsplit("::").next().unwrap_or(tree)));
        let path = format!("{before}{path}");
        let path = path.trim().trim_end_matches("::self");
        return found(path, name.trim().to_owned());
    };
    let before = format!("{before}{}", head.trim());
    let body = body.trim_end().strip_suffix('}').unwrap_or(body);
    let (mut depth, mut from) = (0, 0);
    for (at, c) in body.char_indices().chain([(body.len(), ',')]) {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                if !body[from..at].trim().is_empty() {
                    expand(&before, &body[from..at], found);
                }
                from = at + 1;
            }
            _ => {}
        }
    }
}

struct Crate {
    modules: Modules,
    texts: BTreeMap<Names, String>,
}

impl Crate {
    /// Reads the files of a crate, given with their paths from `src/`.
    fn new(files: impl IntoIterator<Item = (String, String)>) -> Self {
        let (mut modules, mut texts) = (Modules::new(), BTreeMap::new());
        for (path, text) in files {
            let mut module = names(&path.trim_end_matches(".rs").replace('/', "::"));
            let is_test = module.iter().any(|name| name == "tests");
            if module.last().is_some_and(|name| ["mod", "lib"].contains(&name.as_str())) {
                module.pop();
            }
            if !is_test {
                texts.insert(module.clone(), text);
                modules.insert(module, path);
            }
        }
        Self { modules, texts }
    }

    /// The module whose file defines what a path names, seen from a module; `None` for what is in another crate.
    fn find(&self, from: &Names, path: &Names, n_left: u32) -> Option<Names> {
        let n_up = path.iter().take_while(|name| *name == "super").count();
        let (mut module, mut rest) = match path.first()?.as_str() {
            "crate" => (Names::new(), &path[1..]),
            "self" => (from.clone(), &path[1..]),
            "super" => (from[..from.len().checked_sub(n_up)?].to_vec(), &path[n_up..]),
            child => {
                let mut module = from.clone();
                module.push(child.to_owned());
                self.modules.contains_key(&module).then_some((module, &path[1..]))?
            }
        };
        while let Some((name, after)) = rest.split_first() {
            let mut child = module.clone();
            child.push(name.clone());
            if !self.modules.contains_key(&child) {
                break;
            }
            (module, rest) = (child, after);
        }
        let text = self.texts.get(&module)?;
        let again = rest.first().filter(|_| n_left > 0).and_then(|wanted| {
            let (mut path, ..) =
                uses(text).into_iter().find(|(_, name, is_public)| *is_public && name == wanted)?;
            path.extend(rest[1..].iter().cloned());
            self.find(&module, &path, n_left - 1)
        });
        Some(again.unwrap_or(module))
    }

    /// The modules whose files each file uses.
    fn edges(&self) -> BTreeMap<&Names, Vec<Names>> {
        let edges = self.texts.iter().map(|(module, text)| {
            let found = uses(text).into_iter().filter_map(|(path, ..)| self.find(module, &path, 8));
            let mut found: Vec<Names> = found.filter(|other| other != module).collect();
            found.sort();
            found.dedup();
            (module, found)
        });
        edges.collect()
    }

    /// The folder of a module's file; one with children stands for the folder that they are in.
    fn folder(&self, module: &Names) -> Names {
        let has_children =
            self.modules.keys().any(|other| other.len() > module.len() && other.starts_with(module));
        module[..module.len() - usize::from(!has_children && !module.is_empty())].to_vec()
    }

    /// The circles of files that do not all lie in one folder, each as its files with what they use of the circle.
    fn circles(&self) -> Vec<Vec<String>> {
        let edges = self.edges();
        let reach: BTreeMap<&Names, Vec<&Names>> =
            edges.keys().map(|from| (*from, reached(&edges, from))).collect();
        let mut known: Vec<&Names> = Vec::new();
        let mut circles = Vec::new();
        for from in edges.keys() {
            let circle: Vec<&Names> =
                reach[*from].iter().copied().filter(|to| reach[to].contains(from)).collect();
            let folder = self.folder(from);
            let is_new = !known.contains(from) && circle.iter().any(|module| self.folder(module) != folder);
            known.extend(&circle);
            if is_new {
                let describe = |module: &&Names| {
                    let used = edges[*module].iter().filter(|other| circle.contains(other));
                    let used: Vec<&str> = used.map(|other| self.modules[other].as_str()).collect();
                    format!("{} uses {}", self.modules[*module], used.join(", "))
                };
                let mut lines: Vec<String> = circle.iter().map(describe).collect();
                lines.sort();
                circles.push(lines);
            }
        }
        circles
    }
}

/// All modules that one uses, directly or not.
fn reached<'a>(edges: &'a BTreeMap<&'a Names, Vec<Names>>, from: &Names) -> Vec<&'a Names> {
    let mut found: Vec<&Names> = Vec::new();
    let mut open: Vec<&Names> = edges[from].iter().collect();
    while let Some(next) = open.pop() {
        if !found.contains(&next) {
            found.push(next);
            open.extend(&edges[next]);
        }
    }
    found
}

fn files(dir: &Path, below: &str, found: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(dir).expect("a source folder can be read") {
        let path = entry.expect("a folder entry can be read").path();
        let name = path.file_name().expect("an entry has a name").to_string_lossy().into_owned();
        if path.is_dir() {
            files(&path, &format!("{below}{name}/"), found);
        } else if name.ends_with(".rs") {
            found.push((format!("{below}{name}"), std::fs::read_to_string(&path).expect("source text")));
        }
    }
}

#[test]
fn no_files_of_different_folders_use_each_other() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
    let text = std::fs::read_to_string(root.join("Cargo.toml")).expect("the workspace's manifest");
    let workspace: toml::Table = text.parse().expect("a manifest");
    let members = workspace["workspace"]["members"].as_array().expect("a list of members");
    for member in members.iter().map(|member| member.as_str().expect("a path")) {
        let mut found = Vec::new();
        files(&root.join(member).join("src"), "", &mut found);
        let circles = Crate::new(found).circles();
        assert!(circles.is_empty(), "circles of files in {member}: {circles:#?}");
    }
}

/// A crate of files with these texts.
fn of(files: &[(&str, &str)]) -> Crate {
    Crate::new(files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())))
}

#[test]
fn a_circle_is_found_through_whatever_names_it() {
    let seen = |a: &str, b: &str| {
        let lib = ("lib.rs", "mod a;\nmod b;\npub use b::deep::{Other, Thing as Named};\n");
        let circles = of(&[lib, ("a.rs", a), ("b/mod.rs", "mod deep;\n"), ("b/deep.rs", b)]).circles();
        circles.iter().flatten().filter(|line| !line.starts_with("lib")).cloned().collect::<Vec<_>>()
    };
    let back = "use crate::a::part;\n";
    let both = ["a.rs uses b/deep.rs", "b/deep.rs uses a.rs"];
    assert_eq!(seen("use crate::b::deep::Thing;", back), both);
    assert_eq!(seen("use std::fmt;\nuse crate::{\n    b::{deep::{self, Thing}},\n};", back), both);
    assert_eq!(
        seen("pub(crate) use super::b::deep::Thing as X;", "fn f() {\n    use super::super::a::part;\n}"),
        both
    );
    // By the names that the root of the crate hands on.
    assert_eq!(seen("use crate::Named;", back), both);
    // One way is no circle, nor are words in comments and tests.
    assert!(seen("use crate::b::deep::Thing;", "use std::fmt;").is_empty());
    assert!(seen("// use crate::b::deep::Thing;", back).is_empty());
    assert!(seen("#[cfg(test)]\nmod tests {\n    use crate::b::deep::Thing;\n}", back).is_empty());
}

#[test]
fn files_of_one_folder_may_use_each_other() {
    let lib = ("lib.rs", "mod a;\nmod b;\n");
    let circles = of(&[lib, ("a.rs", "use crate::b::B;"), ("b.rs", "use crate::a::A;")]).circles();
    assert!(circles.is_empty(), "{circles:?}");
    let parts = [("b/mod.rs", "mod deep;\nuse deep::Thing;\n"), ("b/deep.rs", "use super::Error;\n")];
    let circles = of(&[lib, parts[0], parts[1]]).circles();
    assert!(circles.is_empty(), "{circles:?}");
}
