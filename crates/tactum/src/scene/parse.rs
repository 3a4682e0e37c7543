//! From TOML text to [`SceneSpec`], with the deserialiser's errors turned into words for people.

use std::sync::Arc;

use serde_json::Value;

use super::fault::Fault;
use super::locate::{KeyPath, Step, path_at};
use super::schema::SceneSpec;
use super::suggest::closest;

/// Reads the text of a scene file.
pub fn parse(file: &str, text: &Arc<str>) -> Result<SceneSpec, Box<Fault>> {
    toml::from_str(text).map_err(|error| Box::new(explain(text, &error).at(file, text, error.span())))
}

fn explain(text: &str, error: &toml::de::Error) -> Fault {
    let message = error.message();
    let quoted: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    let (wrong, right) = quoted.split_first().map_or(("", &[][..]), |(first, rest)| (*first, rest));
    if message.starts_with("unknown field") {
        return Fault::error(format!("unknown key '{wrong}'"), "no such key here")
            .with_help(choices(wrong, right));
    }
    if message.starts_with("unknown variant") {
        return Fault::error(format!("'{wrong}' is none of the choices here"), "not a choice")
            .with_help(choices(wrong, right));
    }
    if message.starts_with("missing field") {
        let fault = Fault::error(format!("the key '{wrong}' is missing"), "in this table");
        return match error.span().and_then(|span| describe(&path_at(text, span.start).key(wrong))) {
            Some(help) => fault.with_help(format!("{wrong}: {help}")),
            None => fault,
        };
    }
    let path = error.span().map(|span| path_at(text, span.start)).unwrap_or_default();
    let fault = Fault::error(plain_words(message), "here");
    match described_ancestor(&path) {
        Some((key, help)) => fault.with_help(format!("{key}: {help}")),
        None => fault,
    }
}

fn choices(wrong: &str, right: &[&str]) -> String {
    match closest(wrong, right) {
        Some(best) => format!("did you mean '{best}'? Known here: {}", right.join(", ")),
        None if right.is_empty() => "no key is known here".to_owned(),
        None => format!("known here: {}", right.join(", ")),
    }
}

/// The deserialiser names Rust types; a scene's author knows numbers and texts.
fn plain_words(message: &str) -> String {
    const WORDS: [(&str, &str); 10] = [
        ("expected f64", "expected a number"),
        ("expected u32", "expected a whole number, zero or more"),
        ("expected u64", "expected a whole number, zero or more"),
        ("expected an array of length", "expected a list of length"),
        ("expected a sequence", "expected a list in [ ]"),
        ("expected a string", "expected a text in quotes"),
        ("expected a boolean", "expected true or false"),
        ("invalid type: ", "found "),
        ("invalid value: ", "found "),
        ("invalid length ", "found length "),
    ];
    let mut text = message.lines().next().unwrap_or_default().to_owned();
    for (rust, plain) in WORDS {
        text = text.replace(rust, plain);
    }
    if let Some(at) = text.find("expected struct ") {
        text.truncate(at);
        text.push_str("expected a table in { }");
    }
    text
}

/// The documentation of the closest key on the way up from `path`, and that key's name.
fn described_ancestor(path: &KeyPath) -> Option<(String, String)> {
    let mut path = path.clone();
    while let Some(last) = path.0.last() {
        if let Step::Key(key) = last
            && let Some(text) = describe(&path)
        {
            return Some((key.clone(), text));
        }
        path.0.pop();
    }
    None
}

/// What the schema says of a key.
fn describe(path: &KeyPath) -> Option<String> {
    let schema = schemars::schema_for!(SceneSpec);
    let root = schema.as_value();
    let mut here = root;
    for step in &path.0 {
        here = match step {
            Step::Key(key) => property(root, here, key)?,
            Step::Ix(_) => resolve(root, here).get("items")?,
        };
    }
    let text = here.get("description").or_else(|| resolve(root, here).get("description"))?.as_str()?;
    Some(text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// The schema that `node` refers to, through references and the wrapping of optional values.
fn resolve<'a>(root: &'a Value, node: &'a Value) -> &'a Value {
    let mut node = node;
    loop {
        let next = match node.get("$ref").and_then(Value::as_str) {
            Some(reference) => root.pointer(reference.trim_start_matches('#')),
            None => node.get("anyOf").and_then(|choices| choices.get(0)),
        };
        match next {
            Some(inner) => node = inner,
            None => return node,
        }
    }
}

fn property<'a>(root: &'a Value, node: &'a Value, key: &str) -> Option<&'a Value> {
    let node = resolve(root, node);
    if let Some(found) = node.get("properties").and_then(|properties| properties.get(key)) {
        return Some(found);
    }
    // A table with one key out of several is a choice of objects with one property each. The choice's own text says
    // more than that of its only property.
    let choices = node.get("oneOf")?.as_array()?;
    let choice =
        choices.iter().find(|choice| choice.get("properties").is_some_and(|p| p.get(key).is_some()))?;
    let inner = &choice["properties"][key];
    Some(if inner.get("$ref").is_some() || inner.get("properties").is_some() { inner } else { choice })
}
