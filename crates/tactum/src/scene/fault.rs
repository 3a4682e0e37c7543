//! What can be wrong with a scene, and where.

use std::fmt;
use std::ops::Range;
use std::path::PathBuf;

use miette::{Diagnostic, LabeledSpan, Severity, SourceCode};
use thiserror::Error;

use super::excerpt::Excerpt;
use super::overrides::named;
use tactum_geometry::file::ReadError;
use tactum_geometry::words;

/// Why a scene cannot be used.
#[derive(Debug, Error)]
pub enum SceneError {
    /// There is no such file, it is none with an end, too large, or cannot be read.
    #[error("cannot read scene '{}': {cause}", words::path(path))]
    Read {
        /// Path as given.
        path: PathBuf,
        /// Why not.
        cause: ReadError,
    },
    /// The text is not a scene, or not one that can be simulated.
    #[error("{}", one_per_line(.0))]
    Faults(Vec<Fault>),
    /// The path of a value to be replaced leads nowhere.
    #[error("cannot set '{}': {why}; {help}", words::quoted(path))]
    Path {
        /// The path as given.
        path: String,
        /// What is wrong with it.
        why: String,
        /// What there is.
        help: String,
    },
    /// The scene would be one no more with values replaced.
    #[error("cannot set {}:\n{}", named(paths), one_per_line(faults))]
    Overrides {
        /// The paths of the values.
        paths: Vec<String>,
        /// What would be wrong then, at places of the text with the values in it.
        faults: Vec<Fault>,
    },
}

fn one_per_line(faults: &[Fault]) -> String {
    let lines: Vec<String> = faults.iter().map(|fault| format!("{}: {fault}", fault.location())).collect();
    lines.join("\n")
}

/// One thing that is wrong, or doubtful, at one place of a scene file.
///
/// What a user wrote may be part of any of its texts: none of them holds a character that would disturb a terminal.
#[derive(Clone, Debug)]
pub struct Fault {
    message: String,
    label: String,
    help: Option<String>,
    severity: Severity,
    file: String,
    place: Option<Excerpt>,
}

/// Longest text of a fault \[characters\]; a screen or so, which only a text with a user's own words in it can pass.
const LONGEST: usize = 2000;

fn harmless(text: impl Into<String>) -> String {
    words::printable(&words::cut(&text.into(), LONGEST))
}

impl Fault {
    /// A fault that makes the scene unusable.
    pub fn error(message: impl Into<String>, label: impl Into<String>) -> Self {
        Self {
            message: harmless(message),
            label: harmless(label),
            help: None,
            severity: Severity::Error,
            file: String::new(),
            place: None,
        }
    }

    /// A doubt that a user should hear of.
    pub fn warning(message: impl Into<String>, label: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(message, label) }
    }

    /// The fault with advice.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(harmless(help));
        self
    }

    /// The fault with its message changed.
    #[must_use]
    pub(super) fn reworded(mut self, change: impl FnOnce(&str) -> String) -> Self {
        self.message = harmless(change(&self.message));
        self
    }

    /// The fault at a byte range of a file.
    #[must_use]
    pub fn at(mut self, file: &str, text: &str, span: Option<Range<usize>>) -> Self {
        self.file = harmless(file);
        self.place = span.map(|span| Excerpt::of(text, &span));
        self
    }

    /// Whether the scene can be used in spite of it.
    pub fn is_warning(&self) -> bool {
        self.severity == Severity::Warning
    }

    /// Advice, if there is any.
    pub fn help_text(&self) -> Option<&str> {
        self.help.as_deref()
    }

    /// `file:line:column` counted from one, columns in characters; only the file where the place is not known.
    pub fn location(&self) -> String {
        match &self.place {
            Some(place) => format!("{}:{}:{}", self.file, place.line, place.column),
            None => self.file.clone(),
        }
    }

    /// Line and column, for sorting; a fault without a place comes last.
    pub(super) fn order(&self) -> (usize, usize) {
        self.place.as_ref().map_or((usize::MAX, usize::MAX), |place| (place.line, place.column))
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Fault {}

/// For a renderer that quotes the lines around the fault.
impl Diagnostic for Fault {
    fn severity(&self) -> Option<Severity> {
        Some(self.severity)
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let span = self.place.as_ref()?.span();
        Some(Box::new(std::iter::once(LabeledSpan::new_with_span(Some(self.label.clone()), span))))
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.place.as_ref().map(|place| place as &dyn SourceCode)
    }
}
