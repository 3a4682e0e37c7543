//! Values of a scene replaced by path, as in `body.box.friction = 0.3`.
//!
//! An override edits the scene's text where the value stands, or adds a line where it does not: what comes out is a scene file, whose
//! faults have their places, and which runs by itself. Entries of lists go by the names that they give themselves, or by their
//! numbers from zero.

use std::fmt;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::document::Document;
use super::fault::{Fault, SceneError};
use super::structure;
use super::suggest::advice;
use tactum_geometry::words::{listed, quoted};

/// Lists of a scene whose entries have names, those of included files behind an include's.
const NAMED: [&str; 4] = ["body", "joint", "material", "sensor"];

/// A value to be put in the place of the one at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Override {
    path: String,
    steps: Vec<String>,
    /// A value of TOML.
    value: String,
}

impl Override {
    /// An override from `path=value`. What is no value of TOML is taken for a text: `material=steel` needs no quotes.
    ///
    /// # Errors
    /// If there is no path or no value.
    pub fn parse(text: &str) -> Result<Self, SceneError> {
        let (path, value) = text.split_once('=').ok_or_else(|| {
            refused(text, "there is no value", "write path=value, as in body.box.friction=0.3")
        })?;
        let (path, value) = (path.trim(), value.trim());
        let is_value = !value.is_empty() && DeValue::parse(value).is_ok();
        let value =
            if is_value { value.to_owned() } else { toml::Value::String(value.to_owned()).to_string() };
        Self::new(path, value)
    }

    /// An override of the value at a path by a value of TOML.
    ///
    /// # Errors
    /// If the path cannot be read.
    pub fn new(path: &str, value: String) -> Result<Self, SceneError> {
        Ok(Self { path: path.to_owned(), steps: steps_of(path)?, value })
    }

    /// The path, as it was given.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The text of a scene with the value in its place.
    ///
    /// # Errors
    /// If a part of the path leads nowhere, or to something that cannot be replaced. A key that a scene does not know is not noticed.
    fn apply(&self, text: &str, document: &Document<'_>) -> Result<String, SceneError> {
        if let Some(within) = self.within_include(document) {
            return within.apply(text, document);
        }
        let mut at = Table { table: document.root(), place: Insertion::Top, prefix: Vec::new() };
        let mut found: Option<&Spanned<DeValue<'_>>> = None;
        for (ix, step) in self.steps.iter().enumerate() {
            let next = match found.map(Spanned::get_ref) {
                None => document.root().get(step.as_str()),
                Some(DeValue::Table(table)) => table.get(step.as_str()),
                Some(DeValue::Array(array)) => Some(self.entry(ix, array, document)?),
                Some(_) => {
                    let why = format!("'{}' is a single value", self.upto(ix));
                    return Err(refused(&self.path, &why, &format!("set {} itself", self.upto(ix))));
                }
            };
            let Some(next) = next else {
                if ix == 0 && NAMED.contains(&step.as_str()) && names(document, "include").next().is_some() {
                    self.entry(1, &[], document)?;
                }
                self.refuse_entries_of_nothing(ix)?;
                return Ok(at.insert(text, &self.steps[ix..], &self.value));
            };
            found = Some(next);
            match next.get_ref() {
                DeValue::Table(table) => at.enter(text, step, next, table),
                DeValue::Array(_) => at.prefix.push(step.clone()),
                _ => {}
            }
        }
        let span = found.map(Spanned::span).unwrap_or_default();
        let written = text.get(span.clone()).unwrap_or_default();
        let has_heading = match found.map(Spanned::get_ref) {
            Some(DeValue::Table(_)) => !written.starts_with('{'),
            Some(DeValue::Array(_)) => written.starts_with("[["),
            _ => false,
        };
        if has_heading {
            let why = "a table with a heading of its own cannot be replaced as a whole";
            return Err(refused(&self.path, why, "set its keys one by one"));
        }
        Ok(format!("{}{}{}", &text[..span.start], self.value, &text[span.end..]))
    }

    /// What sets the same for an include, if the path leads to one of its bodies, or of what else is named there: for
    /// `body.left.finger.friction` that is `include.left.set."body.finger.friction"`.
    fn within_include(&self, document: &Document<'_>) -> Option<Self> {
        let [list, name, rest @ ..] = self.steps.as_slice() else { return None };
        if list == "include" || names(document, list).any(|own| own == name) {
            return None;
        }
        let inside = |include| match name.strip_prefix(include)? {
            "" => Some((include, None)),
            inner => Some((include, Some(inner.strip_prefix('.')?))),
        };
        let (include, inner) = names(document, "include").find_map(inside)?;
        let steps = std::iter::once(list.as_str()).chain(inner).chain(rest.iter().map(String::as_str));
        let path: Vec<String> = steps.map(key).collect();
        let steps = ["include", include, "set", &path.join(".")].map(str::to_owned).to_vec();
        Some(Self { steps, ..self.clone() })
    }

    /// The value at the path in a text.
    pub(super) fn value_in<'d, 't>(&self, document: &'d Document<'t>) -> Option<&'d DeValue<'t>> {
        let (first, rest) = self.steps.split_first()?;
        let root = document.root().get(first.as_str())?;
        let next = |here: &'d Spanned<DeValue<'t>>, (ix, step): (usize, &String)| match here.get_ref() {
            DeValue::Table(table) => table.get(step.as_str()),
            DeValue::Array(array) => self.entry(ix + 1, array, document).ok(),
            _ => None,
        };
        Some(rest.iter().enumerate().try_fold(root, next)?.get_ref())
    }

    /// Refuses to set an entry of a list that the text does not have: what the others are nobody has said.
    fn refuse_entries_of_nothing(&self, ix: usize) -> Result<(), SceneError> {
        let Some(entry) = self.steps[ix + 1..].iter().find(|step| step.parse::<usize>().is_ok()) else {
            return Ok(());
        };
        let list = self.upto(ix + 1);
        let why = format!("{list} is not in the text of the scene, so that it has no entry {entry}");
        Err(refused(&self.path, &why, &format!("set {list} as a whole, or write it into the scene")))
    }

    /// The entry of a list that a step names.
    fn entry<'d, 't>(
        &self,
        ix: usize,
        array: &'d [Spanned<DeValue<'t>>],
        document: &'d Document<'t>,
    ) -> Result<&'d Spanned<DeValue<'t>>, SceneError> {
        let step = self.steps[ix].as_str();
        let named = array.iter().find(|entry| name_of(entry) == Some(step));
        let numbered = || step.parse().ok().and_then(|n: usize| array.get(n));
        if let Some(entry) = named.or_else(numbered) {
            return Ok(entry);
        }
        let list = self.upto(ix);
        // Behind an include's name are those of its bodies.
        let includes = names(document, "include").filter(|_| ix == 1 && self.steps[0] != "include");
        let names: Vec<&str> = array.iter().filter_map(name_of).chain(includes).collect();
        Err(if step.parse::<usize>().is_ok() {
            let why = format!("{list} has {} entries", array.len());
            refused(&self.path, &why, "they are counted from 0")
        } else if names.is_empty() {
            let why = format!("the entries of {list} have no names, so there is no '{}'", quoted(step));
            refused(&self.path, &why, &format!("name one by its number from 0, as in {list}[0]"))
        } else {
            refused(&self.path, &format!("there is no {list} '{}'", quoted(step)), &advice(step, &names))
        })
    }

    /// The path up to a step.
    fn upto(&self, ix: usize) -> String {
        self.steps[..ix].join(".")
    }
}

impl fmt::Display for Override {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}", self.path, self.value)
    }
}

/// The text of a scene with values replaced, one after the other.
///
/// # Errors
/// As [`Override::apply`], and if what it leads to is none of the keys of a scene, or takes no such value.
pub fn apply_all(text: &str, overrides: &[Override]) -> Result<String, SceneError> {
    let mut text = text.to_owned();
    // A text that is wrong by itself is none of an override's fault.
    let mut was_right = errors_in(&text).is_empty();
    for change in overrides {
        let document = match Document::parse(super::OVERRIDDEN, &text) {
            Ok(document) => document,
            // As it was found; reading it says why.
            Err(_) => return Ok(text),
        };
        let changed = change.apply(&text, &document)?;
        let errors = errors_in(&changed);
        if was_right && !errors.is_empty() {
            return Err(SceneError::Overrides { paths: vec![change.path.clone()], faults: errors });
        }
        was_right = errors.is_empty();
        text = changed;
    }
    Ok(text)
}

/// The text of a scene with values replaced, whether or not it is a scene with them.
///
/// # Errors
/// If a path leads nowhere, or the text is not TOML.
pub fn with_values(text: &str, overrides: &[Override]) -> Result<String, SceneError> {
    overrides.iter().try_fold(text.to_owned(), |text, change| {
        let document =
            Document::parse(super::OVERRIDDEN, &text).map_err(|fault| SceneError::Faults(vec![*fault]))?;
        change.apply(&text, &document)
    })
}

/// What is wrong with the structure of a text.
fn errors_in(text: &str) -> Vec<Fault> {
    match Document::parse(super::OVERRIDDEN, text) {
        Ok(document) => {
            let faults = structure::check(document.root()).faults;
            if faults.has_errors() { faults.located(super::OVERRIDDEN, &document) } else { Vec::new() }
        }
        Err(fault) => vec![*fault],
    }
}

fn refused(path: &str, why: &str, help: &str) -> SceneError {
    SceneError::Path { path: path.to_owned(), why: why.to_owned(), help: help.to_owned() }
}

/// The steps of a path: keys and names between points, names with points in quotes, numbers of entries in brackets.
pub(super) fn steps_of(path: &str) -> Result<Vec<String>, SceneError> {
    let bad = |why: &str| {
        refused(path, why, "a path is as body.box.friction, body.\"my box\".friction or body[0].position[2]")
    };
    let mut steps = Vec::new();
    let mut rest = path;
    loop {
        let step;
        if let Some(quote) = rest.chars().next().filter(|c| matches!(c, '"' | '\'')) {
            (step, rest) = rest[1..].split_once(quote).ok_or_else(|| bad("a quote is not closed"))?;
        } else {
            let end = rest.find(['.', '[']).unwrap_or(rest.len());
            (step, rest) = rest.split_at(end);
        }
        if step.trim().is_empty() {
            return Err(bad("a part of it is empty"));
        }
        steps.push(step.trim().to_owned());
        while let Some(inner) = rest.strip_prefix('[') {
            let (number, after) = inner.split_once(']').ok_or_else(|| bad("a bracket is not closed"))?;
            if number.parse::<usize>().is_err() {
                return Err(bad("in brackets stands no number from 0"));
            }
            steps.push(number.to_owned());
            rest = after;
        }
        match rest.strip_prefix('.') {
            Some(after) => rest = after,
            None if rest.is_empty() => return Ok(steps),
            None => return Err(bad("something stands behind a quote or a bracket")),
        }
    }
}

/// A path within an included file as the including one has it: see [`Override::within_include`].
pub(super) fn path_through(include: &str, path: &str) -> String {
    match path.split_once('.') {
        Some((list, rest)) if NAMED.contains(&list) => format!("{list}.{}.{rest}", key(include)),
        Some(("parameters", _)) => format!("include.{}.{path}", key(include)),
        _ => format!("include.{}.set.{}", key(include), key(path)),
    }
}

/// A step as a key of TOML.
fn key(step: &str) -> String {
    let is_bare = step.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    if is_bare { step.to_owned() } else { toml::Value::String(step.to_owned()).to_string() }
}

/// The name that an entry of a list gives itself.
fn name_of<'d>(entry: &'d Spanned<DeValue<'_>>) -> Option<&'d str> {
    entry.get_ref().as_table()?.get("name")?.get_ref().as_str()
}

/// The names that the entries of a list of a scene give themselves.
fn names<'d>(document: &'d Document<'_>, list: &str) -> impl Iterator<Item = &'d str> {
    let entries = document.root().get(list).and_then(|list| list.get_ref().as_array());
    entries.into_iter().flatten().filter_map(name_of)
}

/// Where a key can be added to a table.
#[derive(Clone, Copy)]
enum Insertion {
    /// At the top of the file.
    Top,
    /// On the line after the one that ends its heading, which holds this byte.
    AfterLineOf(usize),
    /// Within braces, the first of which is before this byte.
    Within(usize, bool),
}

/// The innermost table on a path so far, and where a key can be added to it.
struct Table<'d, 't> {
    table: &'d DeTable<'t>,
    place: Insertion,
    /// The keys from the table of that place to this one.
    prefix: Vec<String>,
}

impl<'d, 't> Table<'d, 't> {
    /// Goes on into a table. One that has neither heading nor braces is added to where the one around it is.
    fn enter(&mut self, text: &str, key: &str, value: &Spanned<DeValue<'t>>, table: &'d DeTable<'t>) {
        self.table = table;
        let span = value.span();
        let written = text.get(span.clone()).unwrap_or_default();
        let heading = written.trim_start_matches('[').trim_end_matches(']').trim();
        let last = heading.rsplit('.').next().unwrap_or_default().trim().trim_matches(['"', '\'']);
        // The entry of a list has the heading of the list.
        let is_own = last == key || self.prefix.last().is_some_and(|list| list == last);
        self.place = if written.starts_with('{') {
            Insertion::Within(span.start + 1, table.is_empty())
        } else if written.starts_with('[') && is_own {
            Insertion::AfterLineOf(span.end)
        } else {
            self.prefix.push(key.to_owned());
            return;
        };
        self.prefix.clear();
    }

    /// The text with a key added, whose last steps lead through tables that are not there yet.
    fn insert(&self, text: &str, steps: &[String], value: &str) -> String {
        let keys: Vec<String> = self.prefix.iter().chain(steps).map(|step| key(step)).collect();
        let entry = format!("{} = {value}", keys.join("."));
        let (at, added) = match self.place {
            Insertion::Top => (text.len() - text.trim_start_matches('\u{feff}').len(), format!("{entry}\n")),
            Insertion::AfterLineOf(end) => {
                (text[end..].find('\n').map_or(text.len(), |n| end + n), format!("\n{entry}"))
            }
            Insertion::Within(begin, true) => (begin, format!(" {entry} ")),
            Insertion::Within(begin, false) => (begin, format!(" {entry},")),
        };
        format!("{}{added}{}", &text[..at], &text[at..])
    }
}

/// Paths as they are listed in a message.
pub fn named(paths: &[String]) -> String {
    let quoted: Vec<String> = paths.iter().map(|path| format!("'{}'", quoted(path))).collect();
    listed(&quoted)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "dt = 0.01\n[contact] # how bodies touch\nfriction = 0.5\n[[body]]\nname = \"floor\"\nkind = \"static\"\n\
        shape = { plane = {} }\n[[body]]\nname = \"my box\"\nshape = { box = [1, 2, 3] }\n";

    fn changed(path_and_value: &str) -> Result<String, String> {
        let change = Override::parse(path_and_value).map_err(|error| error.to_string())?;
        apply_all(TEXT, &[change]).map_err(|error| error.to_string())
    }

    #[test]
    fn values_are_replaced_where_they_stand_and_added_where_they_do_not() {
        let cases = [
            ("dt=0.002", "dt = 0.01\n", "dt = 0.002\n"),
            ("contact.friction = 0.3", "friction = 0.5", "friction = 0.3"),
            ("body.floor.kind=kinematic", "kind = \"static\"", "kind = \"kinematic\""),
            ("body.\"my box\".shape.box[1]=0.5", "[1, 2, 3]", "[1, 0.5, 3]"),
            ("body[1].shape.box.0==2*pi", "[1, 2, 3]", "[\"=2*pi\", 2, 3]"),
            ("duration=2", "dt = 0.01", "duration = 2\ndt = 0.01"),
            ("contact.compliance=1e-6", "touch\n", "touch\ncompliance = 1e-6\n"),
            ("solver.tolerance=1e-6", "dt = 0.01", "solver.tolerance = 1e-6\ndt = 0.01"),
            ("body.my box.density=500", "[[body]]\nname = \"my", "[[body]]\ndensity = 500\nname = \"my"),
            ("body.floor.shape={ sphere = 1 }", "{ plane = {} }", "{ sphere = 1 }"),
            ("parameters.size=2", "dt = 0.01", "parameters.size = 2\ndt = 0.01"),
        ];
        for (change, before, after) in cases {
            assert_eq!(changed(change), Ok(TEXT.replacen(before, after, 1)), "{change}");
        }
    }

    #[test]
    fn paths_that_lead_nowhere_are_named_with_what_is_there() {
        let cases = [
            ("body.bix.friction=1", "there is no body 'bix'; known here: floor, my box"),
            ("body.flor.friction=1", "did you mean 'floor'?"),
            ("body[7].friction=1", "body has 2 entries"),
            ("body.floor.frction=1", "'body.floor.frction'"),
            ("contct.friction=1", "'contct.friction'"),
            ("dt.x=1", "'dt' is a single value"),
            ("contact=1", "heading of its own"),
            ("body=1", "heading of its own"),
            ("dt=\"fast\"", "dt is the text"),
            ("body..x=1", "a part of it is empty"),
            ("body[x]=1", "no number from 0"),
            ("dt", "there is no value"),
            ("=3", "a part of it is empty"),
        ];
        for (change, words) in cases {
            let error = changed(change).expect_err(change);
            assert!(error.contains(words) && error.contains("cannot set"), "{change}: {error}");
        }
        let error = changed("body.floor.frction=1").expect_err("no such key");
        assert!(error.contains("unknown key 'frction'"), "{error}");
    }
}
