//! Faults as they are found: the first few in full, the rest as a number.

use std::ops::Range;

use super::document::Document;
use super::fault::Fault;
use super::key_path::{KeyPath, Step};

/// Errors, and likewise warnings, that are told in full; nobody mends more than this before trying again.
const TOLD: usize = 20;

/// Where a fault is, before it is looked up in the text.
#[derive(Clone, Debug)]
pub enum Place {
    /// At a key, or the closest key around it that the text spells out.
    Key(KeyPath),
    /// At bytes of the text, at or below a key.
    Bytes(KeyPath, Range<usize>),
}

/// A fault that has not been looked up in the text.
#[derive(Debug)]
struct Found {
    place: Place,
    /// Another place that the fault is about, and what to say of it.
    other: Option<(KeyPath, &'static str)>,
    fault: Fault,
}

/// Collects faults.
#[derive(Debug, Default)]
pub struct Gathered {
    told: Vec<Found>,
    n_errors: usize,
    n_warnings: usize,
}

impl Gathered {
    /// Adds an error; its words, which may take a while to find, are made only if they are told.
    pub fn error(&mut self, place: impl FnOnce() -> Place, make: impl FnOnce() -> Fault) {
        self.n_errors += 1;
        if self.n_errors <= TOLD {
            self.told.push(Found { place: place(), other: None, fault: make() });
        }
    }

    /// Adds an error that is about two places, and what the other one is.
    pub fn error_of_two(
        &mut self,
        at: impl FnOnce() -> KeyPath,
        other: impl FnOnce() -> (KeyPath, &'static str),
        make: impl FnOnce() -> Fault,
    ) {
        self.n_errors += 1;
        if self.n_errors <= TOLD {
            self.told.push(Found { place: Place::Key(at()), other: Some(other()), fault: make() });
        }
    }

    /// Adds a warning.
    pub fn warning(&mut self, place: impl FnOnce() -> Place, make: impl FnOnce() -> Fault) {
        self.n_warnings += 1;
        if self.n_warnings <= TOLD {
            self.told.push(Found { place: place(), other: None, fault: make() });
        }
    }

    /// Whether anything makes the scene unusable.
    pub fn has_errors(&self) -> bool {
        self.n_errors > 0
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.n_errors + self.n_warnings == 0
    }

    /// The same without warnings at places that somebody else tells of.
    #[must_use]
    pub fn without_warnings(mut self, is_told: impl Fn(&KeyPath) -> bool) -> Self {
        let is_kept = |found: &Found| {
            let (Place::Key(path) | Place::Bytes(path, _)) = &found.place;
            !(found.fault.is_warning() && is_told(path))
        };
        let n = self.told.len();
        self.told.retain(is_kept);
        self.n_warnings -= n - self.told.len();
        self
    }

    /// The same with faults moved that are about what the text does not hold: `other` gives for the place of such a one where it is told, and
    /// what it is about.
    #[must_use]
    pub fn moved(mut self, other: impl Fn(&KeyPath) -> Option<(KeyPath, String)>) -> Self {
        for found in &mut self.told {
            let (Place::Key(path) | Place::Bytes(path, _)) = &found.place;
            if let Some((at, what)) = other(path) {
                let rest = KeyPath(path.0[2..].to_vec());
                let here = format!("{}.", KeyPath(path.0[..2].to_vec()));
                let fault = found.fault.clone().reworded(|message| match message.strip_prefix(&here) {
                    Some(rest) => format!("{what}: {rest}"),
                    None if message.contains(&what) || rest.0.is_empty() => message.to_owned(),
                    None => format!("{what}: {message}"),
                });
                (found.place, found.fault) = (Place::Key(at), fault);
            }
            if let Some((at, what)) = &found.other
                && let Some((at, _)) = other(at)
            {
                found.other = Some((at, what));
            }
        }
        self
    }

    /// All faults at their places, in the order of the text; the last one says how many there are besides.
    pub fn located(self, file: &str, document: &Document<'_>) -> Vec<Fault> {
        let locate = |found: Found| {
            let (path, span) = match found.place {
                Place::Key(path) => {
                    let span = document.span_of(&path);
                    (path, span)
                }
                Place::Bytes(path, span) => (path, Some(span)),
            };
            let fault = found.fault.reworded(|message| with_name(message, &path, document));
            let fault = match &found.other {
                Some((other, what)) => {
                    let there = Fault::error("", "").at(file, document.text(), document.span_of(other));
                    fault.reworded(|message| format!("{message}; {what} at {}", there.location()))
                }
                None => fault,
            };
            fault.at(file, document.text(), span)
        };
        let mut faults: Vec<Fault> = self.told.into_iter().map(locate).collect();
        faults.sort_by_key(Fault::order);
        for (n, what) in [(self.n_errors, "errors"), (self.n_warnings, "warnings")] {
            if n > TOLD {
                let message = format!("{} more {what} of {n} are not listed", n - TOLD);
                let more =
                    if what == "errors" { Fault::error(message, "") } else { Fault::warning(message, "") };
                faults.push(more.at(file, "", None));
            }
        }
        faults
    }
}

/// The message with the name of the body or joint that it is about in place of its number.
fn with_name(message: &str, path: &KeyPath, document: &Document<'_>) -> String {
    let [Step::Key(list), Step::Ix(ix), ..] = path.0.as_slice() else { return message.to_owned() };
    let Some(name) = document.name_of(list, *ix) else { return message.to_owned() };
    let name = tactum_geometry::words::quoted(name);
    if message.contains(&format!("'{name}'")) {
        return message.to_owned();
    }
    let number = format!("{list}[{ix}].");
    format!("{list} '{name}': {}", message.strip_prefix(&number).unwrap_or(message))
}
