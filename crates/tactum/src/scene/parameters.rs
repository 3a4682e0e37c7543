//! `[parameters]`: numbers with names of their own, and the expressions that they are used in.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use toml::de::DeValue;

use super::document::{Document, Filling};
use super::expression::{Meaning, Mistake, Unvalued, is_expression, is_name, value_of};
use super::fault::Fault;
use super::gathered::{Gathered, Place};
use super::key_path::{KeyPath, Step};
use super::suggest::closest;
use tactum_geometry::words::{counted, listed, quoted};

/// The key of the table.
pub const PARAMETERS: &str = "parameters";

/// Parameters of a scene; each may need all others.
const MOST: usize = 1000;

/// A place whose value is an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    /// The place.
    pub path: KeyPath,
    /// Whether a whole number has to stand there.
    pub is_whole: bool,
}

impl Expression {
    /// The name of the parameter that it is the value of.
    fn parameter(&self) -> Option<&str> {
        match self.path.0.as_slice() {
            [Step::Key(table), Step::Key(name)] if table == PARAMETERS => Some(name),
            _ => None,
        }
    }
}

/// The numbers that the expressions of a scene give, and what is wrong or doubtful about them and the parameters.
pub fn values(document: &Document<'_>, expressions: &[Expression]) -> (Vec<Filling>, Gathered) {
    let mut faults = Gathered::default();
    check_names(document, &mut faults);
    if faults.has_errors() {
        return (Vec::new(), faults);
    }
    let parameters = Parameters::of(document);
    let (of_parameters, others): (Vec<_>, Vec<_>) =
        expressions.iter().partition(|expression| expression.parameter().is_some());
    let mut filled = parameters.settle(of_parameters, &mut faults);
    if faults.has_errors() {
        return (Vec::new(), faults);
    }
    for expression in others {
        match parameters.value(expression) {
            Ok(value) => filled.push(filling(expression, value)),
            Err(Unvalued::Pending) => unreachable!("all parameters are settled"),
            Err(Unvalued::Mistake(mistake)) => refuse(document, expression, mistake, &mut faults),
        }
    }
    // A name that is misspelt may be that of a parameter that seems unused.
    if !faults.has_errors() {
        parameters.warn_of_idle(&mut faults);
    }
    (filled, faults)
}

/// Refuses parameters that no expression could name.
fn check_names(document: &Document<'_>, faults: &mut Gathered) {
    let Some(table) = table(document) else { return };
    if table.len() > MOST {
        let message = format!(
            "the scene has {}, at most {MOST} can be",
            counted(table.len() as u64, "parameter", "parameters")
        );
        faults.error(|| Place::Key(KeyPath::default().key(PARAMETERS)), || Fault::error(message, "here"));
    }
    for (key, _) in table.iter().filter(|(key, _)| !is_name(key.get_ref())) {
        let place = || Place::Bytes(KeyPath::default().key(PARAMETERS), key.span());
        faults.error(place, || {
            let message = format!("'{}' cannot be the name of a parameter", quoted(key.get_ref()));
            let help = "letters, digits and _, no digit in front; pi and the names of functions are taken";
            Fault::error(message, "not a name").with_help(help)
        });
    }
}

fn table<'d, 't>(document: &'d Document<'t>) -> Option<&'d toml::de::DeTable<'t>> {
    document.root().get(PARAMETERS)?.get_ref().as_table()
}

/// The parameters of a scene.
struct Parameters<'d, 't> {
    document: &'d Document<'t>,
    names: Vec<&'d str>,
    /// Those whose values are known.
    known: RefCell<BTreeMap<&'d str, f64>>,
    /// Those that an expression names.
    used: RefCell<BTreeSet<&'d str>>,
}

impl<'d, 't> Parameters<'d, 't> {
    fn of(document: &'d Document<'t>) -> Self {
        let entries = table(document).into_iter().flatten();
        let entries: Vec<_> = entries.map(|(key, value)| (key.get_ref().as_ref(), value.get_ref())).collect();
        let number = |&(name, value): &(&'d str, &DeValue<'_>)| Some((name, number(value)?));
        Self {
            document,
            names: entries.iter().map(|(name, _)| *name).collect(),
            known: RefCell::new(entries.iter().filter_map(number).collect()),
            used: RefCell::default(),
        }
    }

    /// Finds the values of those that are expressions themselves: round by round, each as soon as all that it needs is known.
    fn settle(&self, mut open: Vec<&Expression>, faults: &mut Gathered) -> Vec<Filling> {
        let mut filled = Vec::new();
        loop {
            let n_before = open.len();
            open.retain(|expression| match self.value(expression) {
                Ok(value) => {
                    let name =
                        expression.parameter().and_then(|name| self.names.iter().find(|n| **n == name));
                    self.known.borrow_mut().extend(name.map(|name| (*name, value)));
                    filled.push(filling(expression, value));
                    false
                }
                Err(Unvalued::Pending) => true,
                Err(Unvalued::Mistake(mistake)) => {
                    refuse(self.document, expression, mistake, faults);
                    false
                }
            });
            if open.len() == n_before {
                break;
            }
        }
        // What needs a parameter that is wrong is not wrong itself.
        if let Some(first) = open.first().filter(|_| !faults.has_errors()) {
            let names: Vec<String> =
                open.iter().filter_map(|expression| expression.parameter()).map(quoted).collect();
            let message =
                format!("parameters need each other in a circle, and so have no values: {}", listed(&names));
            faults.error(|| Place::Key(first.path.clone()), || Fault::error(message, "one of them"));
        }
        filled
    }

    fn value(&self, expression: &Expression) -> Result<f64, Unvalued> {
        let text = self.document.value_at(&expression.path).and_then(|value| value.get_ref().as_str());
        let meaning = |name: &str| {
            let Some(name) = self.names.iter().find(|known| **known == name) else { return Meaning::Unknown };
            self.used.borrow_mut().insert(name);
            self.known.borrow().get(name).map_or(Meaning::Pending, |value| Meaning::Value(*value))
        };
        value_of(text.unwrap_or_default(), &meaning, &self.names)
    }

    fn warn_of_idle(&self, faults: &mut Gathered) {
        for name in self.names.iter().filter(|name| !self.used.borrow().contains(**name)) {
            let place = || Place::Key(KeyPath::default().key(PARAMETERS).key(name));
            let message = format!("no expression uses the parameter '{}'", quoted(name));
            let used: Vec<&str> =
                self.names.iter().copied().filter(|name| self.used.borrow().contains(name)).collect();
            let help = match closest(name, &used) {
                Some(best) => format!("did you mean '{}'?", quoted(best)),
                None => format!("as in friction = \"= 2 * {}\"", quoted(name)),
            };
            faults.warning(place, || Fault::warning(message, "has no effect").with_help(help));
        }
    }
}

fn filling(expression: &Expression, value: f64) -> Filling {
    /// Whole numbers up to here are those that they seem.
    const EXACT: f64 = (1_u64 << 53) as f64;
    let is_whole = expression.is_whole && value.fract() == 0.0 && value.abs() <= EXACT;
    let text = if is_whole { format!("{value:.0}") } else { format!("{value:?}") };
    Filling { path: expression.path.clone(), text }
}

/// The number that a value of the text is.
pub fn number(value: &DeValue<'_>) -> Option<f64> {
    match value {
        DeValue::Integer(integer) => {
            i128::from_str_radix(integer.as_str(), integer.radix()).ok().map(|value| value as f64)
        }
        DeValue::Float(float) => float.as_str().parse().ok(),
        _ => None,
    }
}

fn refuse(document: &Document<'_>, expression: &Expression, mistake: Mistake, faults: &mut Gathered) {
    let span = span_of(document, expression, &mistake.span);
    let place = || match span {
        Some(span) => Place::Bytes(expression.path.clone(), span),
        None => Place::Key(expression.path.clone()),
    };
    let message = format!("{}: {}", expression.path, mistake.message);
    faults.error(place, || Fault::error(message, "here").with_help(mistake.help));
}

/// Where a part of an expression stands in the text of the scene; none where it is written with escapes.
fn span_of(document: &Document<'_>, expression: &Expression, part: &Range<usize>) -> Option<Range<usize>> {
    let value = document.value_at(&expression.path)?;
    let written = value.get_ref().as_str().filter(|text| is_expression(text))?;
    let span = value.span();
    let begin = span.start + document.text().get(span)?.find(written)?;
    Some(begin + part.start..begin + part.end)
}
