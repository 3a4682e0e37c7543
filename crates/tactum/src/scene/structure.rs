//! Whether a text has the keys, types and lengths that the schema asks for.
//!
//! The JSON Schema made from the types of [`schema`](super::schema) is the one measure, so that what is refused here and what
//! an editor underlines is the same, and a new key is checked without a line of code. The types' own deserialisation comes
//! after it: it takes lists for tables and more numbers than it needs.

use std::sync::LazyLock;

use serde_json::{Map, Value};
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use super::expression::is_expression;
use super::fault::Fault;
use super::gathered::{Gathered, Place};
use super::key_path::{KeyPath, Step};
use super::parameters::Expression;
use super::scalar;
use super::schema::SceneSpec;
use super::suggest::{advice, closest};
use super::wanted::{advice_on_choice, names_and_keys, wanted};
use tactum_geometry::words::quoted;

/// The schema of scenes.
pub(super) static SCHEMA: LazyLock<Value> = LazyLock::new(|| schemars::schema_for!(SceneSpec).to_value());

/// What was found of a text's structure.
#[derive(Debug)]
pub struct Structure {
    /// All that is not as the schema asks.
    pub faults: Gathered,
    /// Where expressions stand for numbers.
    pub expressions: Vec<Expression>,
}

/// Holds a scene's structure against its schema. An expression is taken for the number that it stands for.
pub fn check(root: &DeTable<'_>) -> Structure {
    check_against(root, &SCHEMA)
}

/// Holds a text's structure against a schema; one that is not that of scenes refers to no part of itself.
pub fn check_against(root: &DeTable<'_>, whole: &'static Value) -> Structure {
    let (path, told, expressions) = (Vec::new(), Vec::new(), Vec::new());
    let mut walk = Walk { whole, path, told, faults: Gathered::default(), expressions };
    walk.table(root, 0..0, whole);
    Structure { faults: walk.faults, expressions: walk.expressions }
}

/// A step of the way to a value, without copies of its keys.
#[derive(Clone, Copy)]
enum At<'a> {
    Key(&'a str),
    Ix(usize),
}

struct Walk<'a> {
    /// What the whole file is held against.
    whole: &'static Value,
    path: Vec<At<'a>>,
    /// The keys on the way that are described, with what the schema says of them.
    told: Vec<(&'a str, &'a str)>,
    faults: Gathered,
    expressions: Vec<Expression>,
}

type Span = std::ops::Range<usize>;

impl<'a> Walk<'a> {
    fn value(&mut self, value: &'a Spanned<DeValue<'_>>, node: &'static Value) {
        let node = resolve(node);
        let span = value.span();
        if let Some(choices) = node.get("oneOf").and_then(Value::as_array) {
            return self.choice(value.get_ref(), &span, node, choices);
        }
        if let Some(choices) = node.get("anyOf").and_then(Value::as_array) {
            let fitting = |inside: bool| {
                let choice = |choice: &&'static Value| {
                    fits(value.get_ref(), choice) && (!inside || fits_inside(value.get_ref(), choice))
                };
                choices.iter().find(choice)
            };
            return match fitting(true).or_else(|| fitting(false)) {
                Some(choice) => self.value(value, choice),
                None => self.wrong(value.get_ref(), &span, node),
            };
        }
        if !fits(value.get_ref(), node) {
            return self.wrong(value.get_ref(), &span, node);
        }
        match value.get_ref() {
            DeValue::Table(table) => self.table(table, span, node),
            DeValue::Array(array) => self.array(array, &span, node),
            DeValue::String(_) if !is_type(node, "string") => {
                let is_whole = !is_type(node, "number");
                self.expressions.push(Expression { path: path(&self.path), is_whole });
            }
            scalar => {
                if let Some(fault) = scalar::check(scalar, node) {
                    self.refuse(&span, |at, help| fault(at).with_help(help));
                }
            }
        }
    }

    fn table(&mut self, table: &'a DeTable<'_>, span: Span, node: &'static Value) {
        let properties = node.get("properties").and_then(Value::as_object);
        // Of a table whose keys are names of the user's choice.
        let others = node.get("additionalProperties").filter(|others| others.is_object());
        let takes_all = node.get("additionalProperties") == Some(&Value::Bool(true));
        for (key, value) in table {
            match properties.and_then(|properties| properties.get(key.get_ref().as_ref())).or(others) {
                Some(property) => self.below(key.get_ref(), property, |walk| walk.value(value, property)),
                None if takes_all => {}
                None => self.unknown(key, properties),
            }
        }
        for key in node.get("required").and_then(Value::as_array).into_iter().flatten() {
            let Some(key) = key.as_str().filter(|key| !table.contains_key(*key)) else { continue };
            let help = properties.and_then(|properties| description(properties.get(key)?));
            self.faults.error(
                || Place::Bytes(path(&self.path), span.clone()),
                || {
                    let fault = Fault::error(format!("the key '{key}' is missing"), "in this table");
                    help.map_or(fault.clone(), |help| fault.with_help(format!("{key}: {help}")))
                },
            );
        }
    }

    /// Goes on to the value of a key.
    fn below(&mut self, key: &'a str, property: &'static Value, go_on: impl FnOnce(&mut Self)) {
        self.path.push(At::Key(key));
        let text = property.get("description").or_else(|| resolve(property).get("description"));
        let text = text.and_then(Value::as_str);
        self.told.extend(text.map(|text| (key, text)));
        go_on(self);
        if text.is_some() {
            self.told.pop();
        }
        self.path.pop();
    }

    fn array(&mut self, array: &'a DeArray<'_>, span: &Span, node: &'static Value) {
        let limit = |key: &str| node.get(key).and_then(Value::as_u64).map(|n| n as usize);
        let (least, most) = (limit("minItems").unwrap_or(0), limit("maxItems").unwrap_or(usize::MAX));
        if !(least..=most).contains(&array.len()) {
            let found = array.len();
            self.refuse(span, |at, help| {
                let fault = Fault::error(
                    format!("{at} has to be {}, found length {found}", wanted(node)),
                    format!("length {found}"),
                );
                let comma = if found > most && array.iter().all(|entry| entry.get_ref().is_integer()) {
                    "a decimal comma? Numbers have a point: 0.2, not 0,2. "
                } else {
                    ""
                };
                fault.with_help(format!("{comma}{help}"))
            });
            return;
        }
        let Some(items) = node.get("items") else { return };
        for (ix, entry) in array.iter().enumerate() {
            self.path.push(At::Ix(ix));
            self.value(entry, items);
            self.path.pop();
        }
    }

    /// A word out of several, or a table with one key out of several.
    fn choice(
        &mut self,
        value: &'a DeValue<'_>,
        span: &Span,
        node: &'static Value,
        choices: &'static [Value],
    ) {
        let (names, keys) = names_and_keys(choices);
        match value {
            DeValue::String(word) if names.contains(&word.as_ref()) => {}
            DeValue::String(word) => self.refuse(span, |_, help| {
                let fault =
                    Fault::error(format!("'{}' is none of the choices here", quoted(word)), "not a choice");
                match keys.contains(&word.as_ref()) {
                    true => fault.with_help(format!("'{word}' takes a table: {{ {word} = ... }}; {help}")),
                    false => {
                        fault.with_help(advice_on_choice(word, &[names.as_slice(), &keys].concat(), choices))
                    }
                }
            }),
            DeValue::Table(table) if !keys.is_empty() => self.one_key(table, span, node, choices),
            _ => self.wrong(value, span, node),
        }
    }

    fn one_key(
        &mut self,
        table: &'a DeTable<'_>,
        span: &Span,
        node: &'static Value,
        choices: &'static [Value],
    ) {
        let mut known = 0;
        for (key, value) in table {
            let found = choices.iter().find_map(|choice| {
                let property = choice.get("properties")?.get(key.get_ref().as_ref())?;
                Some((choice, property))
            });
            let Some((choice, property)) = found else {
                let (names, keys) = names_and_keys(choices);
                if let Some(name) = names.iter().find(|name| *name == key.get_ref()) {
                    self.refuse(&key.span(), |_, _| {
                        Fault::error(format!("'{name}' takes no table"), "a text in quotes")
                            .with_help(format!("write \"{name}\" in place of {{ {name} = ... }}"))
                    });
                    return;
                }
                self.unknown_of(key, |name| {
                    advice_on_choice(name, &[keys.as_slice(), &names].concat(), choices)
                });
                continue;
            };
            known += 1;
            // The choice's own text says more than that of its only property, unless that is a table.
            let property_says = property.get("$ref").is_some() || property.get("properties").is_some();
            let described = if property_says { property } else { choice };
            self.below(key.get_ref(), described, |walk| walk.value(value, property));
        }
        if known > 1 || table.is_empty() {
            let n = table.len();
            self.refuse(span, |at, _| {
                Fault::error(format!("{at} has to be {}, found {n} keys", wanted(node)), "one key")
            });
        }
    }

    fn unknown(
        &mut self,
        key: &Spanned<std::borrow::Cow<'_, str>>,
        properties: Option<&'static Map<String, Value>>,
    ) {
        let known: Vec<&str> = properties.into_iter().flat_map(Map::keys).map(String::as_str).collect();
        let whole = self.whole;
        self.unknown_of(key, |name| {
            let homes = if closest(name, &known).is_none() { homes(whole, name) } else { Vec::new() };
            match homes.is_empty() {
                true => advice(name, &known),
                false => {
                    format!("'{name}' is a key of {}; {}", homes.join(" and of "), advice(name, &known))
                }
            }
        });
    }

    fn unknown_of(&mut self, key: &Spanned<std::borrow::Cow<'_, str>>, advice: impl FnOnce(&str) -> String) {
        let is_inside = !self.path.is_empty();
        let of_whole = |name: &str| {
            let node = self.whole.get("properties").and_then(|keys| keys.get(name));
            node.filter(|_| is_inside).map(|node| heading(name, resolve(node)))
        };
        self.faults.error(
            || Place::Bytes(path(&self.path), key.span()),
            || {
                let name = key.get_ref();
                let help = match of_whole(name) {
                    Some(None) => {
                        format!(
                            "'{name}' is a key of the whole file: it stands above the first heading in [ ]"
                        )
                    }
                    Some(Some(heading)) => {
                        format!("{heading} is a table of the whole file; {}", advice(name))
                    }
                    None => advice(name),
                };
                Fault::error(format!("unknown key '{}'", quoted(name)), "no such key here").with_help(help)
            },
        );
    }

    fn wrong(&mut self, value: &DeValue<'_>, span: &Span, node: &'static Value) {
        let wanted = wanted(node);
        let heading = match (value, self.path.as_slice()) {
            (DeValue::Table(_), [.., At::Key(key)]) if is_type(node, "array") && items_are_tables(node) => {
                format!("write [[{key}]], with two brackets. ")
            }
            (DeValue::Array(_), [.., At::Key(key)]) if is_type(node, "object") => {
                format!("write {key} = {{ ... }}, or [{key}] with one bracket. ")
            }
            (_, [.., At::Key(key), At::Ix(_)]) if is_type(node, "object") => {
                format!("write [[{key}]] above the keys of each. ")
            }
            _ => String::new(),
        };
        self.refuse(span, |at, help| {
            Fault::error(format!("{at} is {}, but has to be {wanted}", scalar::found(value)), wanted.clone())
                .with_help(heading + help)
        });
    }

    /// Refuses the present value; the words are made from its path and from what its key is about.
    fn refuse(&mut self, span: &Span, make: impl FnOnce(&str, &str) -> Fault) {
        let steps = &self.path;
        let help = self.told.last();
        self.faults.error(
            || Place::Bytes(path(steps), span.clone()),
            || {
                let help = help.map_or_else(String::new, |(key, text)| {
                    format!("{key}: {}", text.split_whitespace().collect::<Vec<_>>().join(" "))
                });
                make(&path(steps).to_string(), &help)
            },
        );
    }
}

fn path(steps: &[At<'_>]) -> KeyPath {
    let owned = |at: &At<'_>| match at {
        At::Key(key) => Step::Key((*key).to_owned()),
        At::Ix(ix) => Step::Ix(*ix),
    };
    KeyPath(steps.iter().map(owned).collect())
}

/// The headings of a file under which a key stands.
fn homes(whole: &'static Value, name: &str) -> Vec<String> {
    let headings = whole.get("properties").and_then(Value::as_object).into_iter().flatten();
    let home = |(key, node): (&String, &'static Value)| {
        let node = resolve(node);
        let of_each = node.get("items").map_or(node, resolve);
        of_each.get("properties")?.get(name).and_then(|_| heading(key, node))
    };
    headings.filter_map(home).collect()
}

/// How the heading of a table or of each of several is written; none of what is no table.
fn heading(key: &str, node: &'static Value) -> Option<String> {
    if items_are_tables(node) {
        Some(format!("[[{key}]]"))
    } else {
        is_type(node, "object").then(|| format!("[{key}]"))
    }
}

/// The schema that `node` refers to, through references and the wrapping of values that may be left out.
pub(super) fn resolve(node: &'static Value) -> &'static Value {
    let mut node = node;
    loop {
        let next = match node.get("$ref").and_then(Value::as_str) {
            Some(reference) => SCHEMA.pointer(reference.trim_start_matches('#')),
            None => match node.get("anyOf").and_then(Value::as_array).map(Vec::as_slice) {
                Some([inner, null]) if is_type(null, "null") => Some(inner),
                _ => None,
            },
        };
        match next {
            Some(inner) => node = inner,
            None => return node,
        }
    }
}

pub(super) fn description(node: &'static Value) -> Option<String> {
    let text = node.get("description").or_else(|| resolve(node).get("description"))?.as_str()?;
    Some(text.split_whitespace().collect::<Vec<_>>().join(" "))
}

pub(super) fn is_type(node: &Value, name: &str) -> bool {
    match node.get("type") {
        Some(Value::String(one)) => one == name,
        Some(Value::Array(several)) => several.iter().any(|one| one == name),
        _ => false,
    }
}

fn items_are_tables(node: &'static Value) -> bool {
    node.get("items").is_some_and(|items| is_type(resolve(items), "object"))
}

/// Whether a value is of a type that a schema allows.
fn fits(value: &DeValue<'_>, node: &'static Value) -> bool {
    let node = resolve(node);
    if let Some(choices) = node.get("oneOf").and_then(Value::as_array) {
        return choices.iter().any(|choice| fits(value, choice));
    }
    match value {
        DeValue::String(text) => {
            is_type(node, "string")
                || (is_expression(text) && (is_type(node, "number") || is_type(node, "integer")))
        }
        DeValue::Integer(_) => is_type(node, "integer") || is_type(node, "number"),
        DeValue::Float(_) => is_type(node, "number"),
        DeValue::Boolean(_) => is_type(node, "boolean"),
        DeValue::Datetime(_) => false,
        DeValue::Array(_) => is_type(node, "array"),
        DeValue::Table(_) => is_type(node, "object"),
    }
}

/// Whether the first entry of a list is of the type that a schema allows: lists of numbers and lists of lists are told apart by it.
fn fits_inside(value: &DeValue<'_>, node: &'static Value) -> bool {
    let DeValue::Array(array) = value else { return true };
    let items = resolve(node).get("items");
    array.first().zip(items).is_none_or(|(first, items)| fits(first.get_ref(), items))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the walk does not understand it would not check: a new kind of rule in the schema has to be taught to it.
    #[test]
    fn every_rule_of_the_schema_is_understood() {
        // Ranges are checked once the numbers are read, where their names and units are at hand.
        const KNOWN: [&str; 24] = [
            "$defs",
            "$ref",
            "$schema",
            "additionalProperties",
            "anyOf",
            "const",
            "default",
            "description",
            "enum",
            "exclusiveMaximum",
            "exclusiveMinimum",
            "format",
            "items",
            "maxItems",
            "maxLength",
            "minItems",
            "minimum",
            "oneOf",
            "pattern",
            "properties",
            "required",
            "title",
            "type",
            "maximum",
        ];
        fn look(node: &Value) {
            for (key, inner) in node.as_object().into_iter().flatten() {
                assert!(KNOWN.contains(&key.as_str()), "{key} in {node}");
                match key.as_str() {
                    "properties" | "$defs" => {
                        inner.as_object().into_iter().flatten().for_each(|(_, inner)| look(inner));
                    }
                    "items" => look(inner),
                    "anyOf" | "oneOf" => inner.as_array().into_iter().flatten().for_each(look),
                    "additionalProperties" if inner.is_object() => look(inner),
                    // What takes a value of any type hands it on to where that is checked.
                    "additionalProperties" => {
                        assert_eq!(inner, &Value::Bool(node["type"].is_array()), "{node}");
                    }
                    _ => {}
                }
            }
            // A table that takes any key would take every slip of the keyboard.
            let is_table = is_type(node, "object");
            assert!(
                !is_table || node.get("additionalProperties").is_some(),
                "unknown keys are taken by {node}"
            );
        }
        look(&SCHEMA);
    }
}
