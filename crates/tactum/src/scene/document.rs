//! A scene's text, taken apart into keys and values with their places.

use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::fault::Fault;
use super::key_path::{KeyPath, Step};
use super::schema::SceneSpec;
use super::syntax;

/// A number in the place of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filling {
    /// The place.
    pub path: KeyPath,
    /// The number, as a text of TOML.
    pub text: String,
}

fn value_at_mut<'d, 't>(root: &'d mut DeTable<'t>, path: &KeyPath) -> Option<&'d mut Spanned<DeValue<'t>>> {
    let (Step::Key(first), rest) = path.0.split_first()? else { return None };
    let mut here = root.get_mut(first.as_str())?;
    for step in rest {
        here = match (here.get_mut(), step) {
            (DeValue::Table(table), Step::Key(key)) => table.get_mut(key.as_str())?,
            (DeValue::Array(array), Step::Ix(ix)) => array.get_mut(*ix)?,
            _ => return None,
        };
    }
    Some(here)
}

/// A text that is TOML.
#[derive(Debug)]
pub struct Document<'t> {
    text: &'t str,
    root: Spanned<DeTable<'t>>,
}

impl<'t> Document<'t> {
    /// Takes a text apart.
    ///
    /// # Errors
    /// The first place where it is not TOML.
    pub fn parse(file: &str, text: &'t str) -> Result<Self, Box<Fault>> {
        match DeTable::parse(text) {
            Ok(root) => Ok(Self { text, root }),
            Err(error) => Err(Box::new(syntax::explain(text, &error).at(file, text, error.span()))),
        }
    }

    /// The text.
    pub fn text(&self) -> &'t str {
        self.text
    }

    /// The table of all keys.
    pub fn root(&self) -> &DeTable<'t> {
        self.root.get_ref()
    }

    /// What a text says whose structure has been checked.
    ///
    /// # Errors
    /// Where the check let something pass that it should not have.
    pub fn into_spec(self, file: &str) -> Result<SceneSpec, Box<Fault>> {
        SceneSpec::deserialize(toml::Deserializer::from(self.root)).map_err(|error| {
            let message = format!("this is not what a scene says here: {}", error.message());
            Box::new(Fault::error(message, "here").at(file, self.text, error.span()))
        })
    }

    /// The value at `path`, if the text spells it out.
    pub fn value_at(&self, path: &KeyPath) -> Option<&Spanned<DeValue<'t>>> {
        let (Step::Key(first), rest) = path.0.split_first()? else { return None };
        rest.iter().try_fold(self.root().get(first.as_str())?, |here, step| match (here.get_ref(), step) {
            (DeValue::Table(table), Step::Key(key)) => table.get(key.as_str()),
            (DeValue::Array(array), Step::Ix(ix)) => array.get(*ix),
            _ => None,
        })
    }

    /// Puts numbers in the place of expressions, which stay where they are in the text.
    pub fn fill_in(&mut self, fillings: &'t [Filling]) {
        for Filling { path, text } in fillings {
            let place = value_at_mut(self.root.get_mut(), path);
            if let (Some(place), Ok(value)) = (place, DeValue::parse(text)) {
                *place.get_mut() = value.into_inner();
            }
        }
    }

    /// Byte range of the value at `path`, or of its closest ancestor that the text spells out; `None` where that is the
    /// whole text.
    pub fn span_of(&self, path: &KeyPath) -> Option<Range<usize>> {
        let mut span = None;
        let mut here: Option<&DeValue<'_>> = None;
        for step in &path.0 {
            let next = match (here, step) {
                (None, Step::Key(key)) => self.root().get(key.as_str()),
                (Some(DeValue::Table(table)), Step::Key(key)) => table.get(key.as_str()),
                (Some(DeValue::Array(array)), Step::Ix(ix)) => array.get(*ix),
                _ => None,
            };
            let Some(value) = next else { break };
            // The span of a [table] is its header: exactly what should be underlined.
            span = Some(value.span());
            here = Some(value.get_ref());
        }
        span
    }

    /// The name that an entry of a list, such as the bodies, gives itself.
    pub fn name_of(&self, list: &str, ix: usize) -> Option<&str> {
        self.root().get(list)?.get_ref().get(ix)?.get_ref().as_table()?.get("name")?.get_ref().as_str()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "dt = 0.01\n[contact]\nfriction = 0.5\n[[body]]\nname = \"a\"\n[[body]]\nname = \"b\"\n\
                        shape = { box = [1, 2, -3] }\n";

    #[test]
    fn spans_of_keys_in_tables_arrays_and_inline_tables() {
        let document = Document::parse("x.toml", TEXT).expect("the text is TOML");
        let at = |path: &KeyPath| &TEXT[document.span_of(path).expect("the key is there")];
        let root = KeyPath::default();
        assert_eq!(at(&root.key("dt")), "0.01");
        assert_eq!(at(&root.key("contact").key("friction")), "0.5");
        assert_eq!(at(&root.key("body").ix(1).key("shape").key("box").ix(2)), "-3");
        // A key that is not spelled out points at its table.
        assert_eq!(at(&root.key("body").ix(1).key("density")), "[[body]]");
        assert_eq!(document.name_of("body", 1), Some("b"));
    }
}
