//! Where a key stands in the text of a scene.

use std::fmt;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// One step of a [`KeyPath`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Into a table.
    Key(String),
    /// Into an array.
    Ix(usize),
}

/// The way from the top of a scene to one of its values, such as `body[3].shape.mesh`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyPath(pub Vec<Step>);

impl KeyPath {
    /// The path extended by a key.
    #[must_use]
    pub fn key(&self, key: &str) -> Self {
        self.step(Step::Key(key.to_owned()))
    }

    /// The path extended by an array index.
    #[must_use]
    pub fn ix(&self, ix: usize) -> Self {
        self.step(Step::Ix(ix))
    }

    fn step(&self, step: Step) -> Self {
        let mut steps = self.0.clone();
        steps.push(step);
        Self(steps)
    }
}

impl fmt::Display for KeyPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, step) in self.0.iter().enumerate() {
            match step {
                Step::Key(key) if n == 0 => write!(f, "{key}")?,
                Step::Key(key) => write!(f, ".{key}")?,
                Step::Ix(ix) => write!(f, "[{ix}]")?,
            }
        }
        Ok(())
    }
}

/// Byte range of the value at `path`, or of its closest ancestor that the text spells out; `None` where that is the
/// whole text or the text is not TOML.
pub fn span_of(text: &str, path: &KeyPath) -> Option<Range<usize>> {
    let root = DeTable::parse(text).ok()?;
    let mut span = None;
    let mut here = Node::Table(root.get_ref());
    for step in &path.0 {
        let Some(value) = here.child(step) else { break };
        // The span of a [table] is its header: exactly what should be underlined.
        span = Some(value.span());
        here = Node::of(value.get_ref());
    }
    span
}

/// The deepest key path whose value contains byte `at`.
pub fn path_at(text: &str, at: usize) -> KeyPath {
    let mut path = KeyPath::default();
    if let Ok(root) = DeTable::parse(text) {
        descend(Node::Table(root.get_ref()), at, &mut path);
    }
    path
}

fn descend(here: Node<'_, '_>, at: usize, path: &mut KeyPath) {
    for (step, value) in here.children() {
        if value.span().contains(&at) {
            path.0.push(step);
            descend(Node::of(value.get_ref()), at, path);
            return;
        }
    }
    // A [table] and its keys are written one after the other, so the header's span does not contain the keys: look
    // into every table and keep the way to the first hit.
    for (step, value) in here.children() {
        let depth = path.0.len();
        path.0.push(step);
        let before = path.0.len();
        descend(Node::of(value.get_ref()), at, path);
        if path.0.len() > before {
            return;
        }
        path.0.truncate(depth);
    }
}

/// What can have children in a TOML document.
#[derive(Clone, Copy)]
enum Node<'a, 'i> {
    Table(&'a DeTable<'i>),
    Array(&'a [Spanned<DeValue<'i>>]),
    Leaf,
}

impl<'a, 'i> Node<'a, 'i> {
    fn of(value: &'a DeValue<'i>) -> Self {
        match value {
            DeValue::Table(table) => Node::Table(table),
            DeValue::Array(array) => Node::Array(array),
            _ => Node::Leaf,
        }
    }

    fn child(self, step: &Step) -> Option<&'a Spanned<DeValue<'i>>> {
        match (self, step) {
            (Node::Table(table), Step::Key(key)) => table.get(key.as_str()),
            (Node::Array(array), Step::Ix(ix)) => array.get(*ix),
            _ => None,
        }
    }

    fn children(self) -> Vec<(Step, &'a Spanned<DeValue<'i>>)> {
        match self {
            Node::Table(table) => {
                table.iter().map(|(key, value)| (Step::Key(key.get_ref().to_string()), value)).collect()
            }
            Node::Array(array) => array.iter().enumerate().map(|(ix, value)| (Step::Ix(ix), value)).collect(),
            Node::Leaf => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "dt = 0.01\n[contact]\nfriction = 0.5\n[[body]]\nname = \"a\"\n[[body]]\nname = \"b\"\n\
                        shape = { box = [1, 2, -3] }\n";

    fn at(path: &KeyPath) -> &str {
        &TEXT[span_of(TEXT, path).expect("the key is there")]
    }

    #[test]
    fn spans_of_keys_in_tables_arrays_and_inline_tables() {
        let root = KeyPath::default();
        assert_eq!(at(&root.key("dt")), "0.01");
        assert_eq!(at(&root.key("contact").key("friction")), "0.5");
        assert_eq!(at(&root.key("body").ix(1).key("shape").key("box").ix(2)), "-3");
        // A key that is not spelled out points at its table.
        assert_eq!(at(&root.key("body").ix(1).key("density")), "[[body]]");
    }

    #[test]
    fn a_position_leads_back_to_its_key() {
        let offset = |needle: &str| TEXT.find(needle).expect("the text holds it");
        assert_eq!(path_at(TEXT, offset("0.5")).to_string(), "contact.friction");
        assert_eq!(path_at(TEXT, offset("-3")).to_string(), "body[1].shape.box[2]");
        assert_eq!(path_at(TEXT, offset("0.01")).to_string(), "dt");
    }
}
