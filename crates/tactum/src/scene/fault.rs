//! What can be wrong with a scene, and where.

use std::fmt;
use std::ops::Range;
use std::path::PathBuf;

use miette::{Diagnostic, LabeledSpan, NamedSource, Severity, SourceCode};
use thiserror::Error;

/// Why a scene cannot be used.
#[derive(Debug, Error)]
pub enum SceneError {
    /// The file cannot be read.
    #[error("cannot read scene '{}': {source}", path.display())]
    Read {
        /// Path as given.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The text is not a scene, or not one that can be simulated.
    #[error("{}", one_per_line(.0))]
    Faults(Vec<Fault>),
}

fn one_per_line(faults: &[Fault]) -> String {
    let lines: Vec<String> = faults.iter().map(|fault| format!("{}: {fault}", fault.location())).collect();
    lines.join("\n")
}

/// One thing that is wrong, or doubtful, at one place of a scene file.
#[derive(Clone, Debug)]
pub struct Fault {
    message: String,
    label: String,
    help: Option<String>,
    severity: Severity,
    file: String,
    text: std::sync::Arc<str>,
    span: Option<Range<usize>>,
}

impl Fault {
    /// A fault that makes the scene unusable.
    pub fn error(message: impl Into<String>, label: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            label: label.into(),
            help: None,
            severity: Severity::Error,
            file: String::new(),
            text: "".into(),
            span: None,
        }
    }

    /// A doubt that a user should hear of.
    pub fn warning(message: impl Into<String>, label: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(message, label) }
    }

    /// The fault with advice.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The fault at a byte range of a file.
    #[must_use]
    pub fn at(mut self, file: &str, text: &std::sync::Arc<str>, span: Option<Range<usize>>) -> Self {
        file.clone_into(&mut self.file);
        self.text = text.clone();
        self.span = span;
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
        let Some(span) = &self.span else { return self.file.clone() };
        let before = self.text.get(..span.start).unwrap_or(&self.text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().map_or(0, |tail| tail.chars().count()) + 1;
        format!("{}:{line}:{column}", self.file)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Fault {}

impl Diagnostic for Fault {
    fn severity(&self) -> Option<Severity> {
        Some(self.severity)
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let span = self.span.clone()?;
        Some(Box::new(std::iter::once(LabeledSpan::new_with_span(Some(self.label.clone()), span))))
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        None
    }
}

impl Fault {
    /// The file's text under the file's name, for a renderer that quotes the lines around the fault.
    pub fn source(&self) -> NamedSource<std::sync::Arc<str>> {
        NamedSource::new(&self.file, self.text.clone())
    }
}
