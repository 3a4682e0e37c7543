//! The JSON Schema of scenes as pages for people.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write;

use serde_json::Value;

use super::structure::{SCHEMA, description, is_type, resolve};
use super::wanted::names_and_keys;

const HEAD: &str = "# Scene files: every key

Written by `cargo xtask assets` from the schema that scenes are checked against; edit the texts there. [The guide](guide.md) shows how keys work
together. Lengths are in metres, masses in kilograms, times in seconds, unless a unit in brackets says otherwise; z points up.
";

/// All keys of scene files as Markdown: a section for each table, in the order in which they are met.
pub fn reference() -> String {
    let mut pages = Pages { text: HEAD.to_owned(), ..Pages::default() };
    pages.open.push_back(("Scene".to_owned(), String::new(), &SCHEMA));
    while let Some((heading, path, node)) = pages.open.pop_front() {
        pages.section(&heading, &path, node);
    }
    pages.text
}

/// A table that has no section yet: its heading, the way to it, its schema.
type Open = (String, String, &'static Value);

#[derive(Default)]
struct Pages {
    text: String,
    open: VecDeque<Open>,
    /// Headings by the names that schemas refer to.
    headings: BTreeMap<&'static str, String>,
}

impl Pages {
    fn section(&mut self, heading: &str, path: &str, node: &'static Value) {
        let node = resolve(node);
        let mut lines = Vec::new();
        if let Some(choices) = node.get("oneOf").and_then(Value::as_array) {
            for choice in choices {
                let about = description(choice).unwrap_or_default();
                let (words, _) = names_and_keys(std::slice::from_ref(choice));
                lines.extend(words.iter().map(|word| format!("| `\"{word}\"` | | {} |", cell(&about))));
                for (key, property) in
                    choice.get("properties").and_then(Value::as_object).into_iter().flatten()
                {
                    lines.push(self.line(path, key, property, &about));
                }
            }
        }
        for (key, property) in node.get("properties").and_then(Value::as_object).into_iter().flatten() {
            let needed = node.get("required").and_then(Value::as_array);
            let is_needed = needed.is_some_and(|keys| keys.iter().any(|needed| needed == key));
            let about = description(property).unwrap_or_default();
            let about = if is_needed { format!("**Needed.** {about}") } else { about };
            lines.push(self.line(path, key, property, &about));
        }
        // Writing into a text does not fail.
        let _ = write!(self.text, "\n## {heading}\n\n");
        if let Some(about) = description(node) {
            let _ = write!(self.text, "{about}\n\n");
        }
        let _ = writeln!(self.text, "| key | value | |\n|---|---|---|\n{}", lines.join("\n"));
    }

    fn line(&mut self, path: &str, key: &str, node: &'static Value, about: &str) -> String {
        let path = if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
        format!("| `{key}` | {} | {} |", self.kind(node, &path), cell(about))
    }

    /// What a value is, in words, with the section of a table.
    fn kind(&mut self, node: &'static Value, path: &str) -> String {
        let inner = resolve(node);
        if let Some(choices) = inner.get("anyOf").and_then(Value::as_array) {
            let kinds: Vec<String> = choices.iter().map(|choice| self.kind(choice, path)).collect();
            return kinds.join(", or ");
        }
        if let Some(choices) = inner.get("oneOf").and_then(Value::as_array) {
            let (words, keys) = names_and_keys(choices);
            let words: Vec<String> = words.iter().map(|word| format!("`\"{word}\"`")).collect();
            return if keys.is_empty() { words.join(", ") } else { self.link(node, path, "one of") };
        }
        if is_type(inner, "array") {
            let Some(items) = inner.get("items") else { return "list".to_owned() };
            let n = inner
                .get("maxItems")
                .and_then(Value::as_u64)
                .filter(|n| inner.get("minItems") == Some(&(*n).into()));
            let n = n.map_or(String::new(), |n| format!("{n} × "));
            return format!("list of {n}{}", self.kind(items, path));
        }
        if inner.get("properties").is_some() {
            return self.link(node, path, "table");
        }
        let words = [
            ("number", "number"),
            ("integer", "whole number"),
            ("string", "text"),
            ("boolean", "true or false"),
        ];
        let word = words.iter().find(|(name, _)| is_type(inner, name)).map_or("table", |(_, word)| word);
        format!("{word}{}", range(inner))
    }

    /// A link to the section of a table, which is opened if it is new.
    fn link(&mut self, node: &'static Value, path: &str, word: &str) -> String {
        let name = reference_of(node);
        let known = name.and_then(|name| self.headings.get(name)).cloned();
        let heading = known.unwrap_or_else(|| {
            let heading = format!("`{path}`");
            self.open.push_back((heading.clone(), path.to_owned(), node));
            if let Some(name) = name {
                self.headings.insert(name, heading.clone());
            }
            heading
        });
        format!("{word}: [{heading}](#{})", anchor(&heading))
    }
}

/// The name by which a schema refers to another one, also where the value may be left out.
fn reference_of(node: &'static Value) -> Option<&'static str> {
    let of_option = || node.get("anyOf")?.as_array()?.first()?.get("$ref");
    node.get("$ref").or_else(of_option)?.as_str()
}

/// Which numbers are taken, in words that follow the type.
fn range(node: &Value) -> String {
    let words = [
        ("exclusiveMinimum", "above"),
        ("minimum", "from"),
        ("exclusiveMaximum", "below"),
        ("maximum", "up to"),
    ];
    let end = |(key, word): (&str, &str)| Some(format!(" {word} {}", node.get(key)?.as_f64()?));
    words.into_iter().filter_map(end).collect()
}

/// Text for a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

/// The anchor that Markdown makes of a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || "-_ ".contains(*c));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every link leads to a heading, every heading is there once, and keys that are deep inside are not lost.
    #[test]
    fn links_lead_to_sections() {
        let text = reference();
        let anchors: Vec<String> =
            text.lines().filter_map(|line| line.strip_prefix("## ")).map(anchor).collect();
        let mut distinct = anchors.clone();
        distinct.sort();
        distinct.dedup();
        assert_eq!(distinct.len(), anchors.len());
        let mut n = 0;
        for link in text.split("](#").skip(1) {
            let target = link.split(')').next().expect("a target");
            assert!(anchors.iter().any(|anchor| anchor == target), "{target}");
            n += 1;
        }
        assert!(n > 20, "{n} links");
        for key in [
            "`ground_depth`",
            "`max_torque`",
            "`\"estimated\"`",
            "`inner_radius`",
            "`sleep_after`",
            "`contact`",
        ] {
            assert!(text.contains(&format!("| {key} |")), "{key}");
        }
    }
}
