//! What the schema asks of a value, in words.

use serde_json::{Map, Value};
use tactum_geometry::words::listed;

use super::structure::{is_type, resolve};
use super::suggest::{advice, closest};

/// The words of a choice, and the keys that take a table or a value.
pub(super) fn names_and_keys(choices: &'static [Value]) -> (Vec<&'static str>, Vec<&'static str>) {
    let words = |choice: &'static Value| {
        let several = choice.get("enum").and_then(Value::as_array).into_iter().flatten();
        choice.get("const").into_iter().chain(several).filter_map(Value::as_str)
    };
    let keys = |choice: &'static Value| {
        let properties = choice.get("properties").and_then(Value::as_object);
        properties.into_iter().flat_map(Map::keys).map(String::as_str)
    };
    (choices.iter().flat_map(words).collect(), choices.iter().flat_map(keys).collect())
}

/// What to say of a word that is none of the `known` ones of a choice. Where one of the choices is a choice of its own, the word may
/// be one of that.
pub(super) fn advice_on_choice(word: &str, known: &[&str], choices: &'static [Value]) -> String {
    let mut help = advice(word, known);
    let properties = |choice: &'static Value| choice.get("properties").and_then(Value::as_object);
    for (outer, property) in choices.iter().filter_map(properties).flatten() {
        let Some(inner) = resolve(property).get("oneOf").and_then(Value::as_array) else { continue };
        let (_, inner) = names_and_keys(inner);
        if inner.is_empty() {
            continue;
        }
        if inner.contains(&word) {
            return format!("write {outer} = {{ {word} = {{ ... }} }}");
        }
        match closest(word, &inner).filter(|_| closest(word, known).is_none()) {
            Some(best) => return format!("did you mean {outer} = {{ {best} = {{ ... }} }}?"),
            None => help += &format!("; {outer} = {{ ... }} takes one out of {}", listed(&inner)),
        }
    }
    help
}

/// What a value has to be, in words.
pub(super) fn wanted(node: &'static Value) -> String {
    let node = resolve(node);
    if let Some(choices) = node.get("oneOf").and_then(Value::as_array) {
        let (names, keys) = names_and_keys(choices);
        let names: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
        return match (names.is_empty(), keys.is_empty()) {
            (false, true) => format!("one of {}", listed(&names)),
            (true, _) => format!("a table with one key out of {}", listed(&keys)),
            (false, false) => format!("{}, or a table with one key out of {}", listed(&names), listed(&keys)),
        };
    }
    if let Some(choices) = node.get("anyOf").and_then(Value::as_array) {
        return choices.iter().map(wanted).collect::<Vec<_>>().join(", or ");
    }
    if is_type(node, "array") {
        let items = node.get("items").map_or("values", |items| plural(resolve(items)));
        let [least, most] = ["minItems", "maxItems"].map(|limit| node.get(limit).and_then(Value::as_u64));
        return match (least, most) {
            (_, None) => format!("a list of {items}"),
            (Some(least), Some(most)) if least == most => format!("a list of {most} {items}"),
            (_, Some(most)) => format!("a list of up to {most} {items}"),
        };
    }
    let words = [
        ("number", "a number"),
        ("integer", "a whole number, zero or more"),
        ("string", "a text in quotes"),
        ("boolean", "true or false"),
    ];
    if is_type(node, "object") {
        return table_in_words(node);
    }
    words.iter().find(|(name, _)| is_type(node, name)).map_or("something else", |(_, text)| text).to_owned()
}

/// A table with the keys that it has to have, or else some of those that it may have.
fn table_in_words(node: &'static Value) -> String {
    /// More keys than these are no help.
    const FEW: usize = 4;
    let required = node.get("required").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let optional = node.get("properties").and_then(Value::as_object);
    let mut keys: Vec<&str> = required.iter().filter_map(Value::as_str).collect();
    let has_more = optional.is_some_and(|all| all.len() > keys.len());
    if keys.is_empty() {
        keys.extend(optional.into_iter().flat_map(Map::keys).take(FEW).map(String::as_str));
    }
    match keys.as_slice() {
        [] => "a table: { }".to_owned(),
        keys if has_more => format!("a table: {{ {} = ..., ... }}", keys.join(" = ..., ")),
        keys => format!("a table: {{ {} = ... }}", keys.join(" = ..., ")),
    }
}

fn plural(items: &'static Value) -> &'static str {
    let words = [
        ("number", "numbers"),
        ("integer", "whole numbers, zero or more"),
        ("string", "texts in quotes"),
        ("object", "tables"),
        ("array", "lists"),
    ];
    if is_type(items, "array") && items.get("maxItems").and_then(Value::as_u64) == Some(2) {
        return "pairs of numbers";
    }
    words.iter().find(|(name, _)| is_type(items, name)).map_or("values", |(_, text)| text)
}
