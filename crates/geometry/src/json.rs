//! What is wrong with a file of JSON, in words for people.

use serde_json::error::{Category, Error};

use crate::words::quoted;

/// Where the document goes wrong and why.
pub fn explained(error: &Error) -> String {
    let place = format!("line {} column {}", error.line(), error.column());
    match error.classify() {
        Category::Eof => format!("the document breaks off in {place}"),
        Category::Data => format!("{place}: {}", in_words(&error.to_string())),
        Category::Syntax | Category::Io => match syntax(&error.to_string()) {
            Some(problem) => format!("{place}: {problem}"),
            None => format!("{place}: not valid JSON"),
        },
    }
}

fn syntax(message: &str) -> Option<&'static str> {
    let known = [
        ("number out of range", "a number that is too large"),
        ("recursion limit", "lists within lists too deep"),
        ("trailing characters", "more follows after the end of the document"),
    ];
    known.iter().find(|(start, _)| message.starts_with(start)).map(|(_, problem)| *problem)
}

/// The parser's message about a value that is not what the format has in its place.
fn in_words(message: &str) -> String {
    let message = message.rsplit_once(" at line ").map_or(message, |(text, _)| text);
    let key = |text: &str| quoted(text.trim_matches('`'));
    if let Some(field) = message.strip_prefix("missing field ") {
        return format!("the key \"{}\" is missing", key(field));
    }
    if let Some(field) = message.strip_prefix("duplicate field ") {
        return format!("the key \"{}\" is there twice", key(field));
    }
    if let Some((field, known)) =
        message.strip_prefix("unknown field ").and_then(|m| m.split_once(", expected "))
    {
        let known = known.trim_start_matches("one of ").replace('`', "");
        return format!("the key \"{}\" is unknown here, known are {known}", key(field));
    }
    let unexpected = ["invalid type: ", "invalid value: ", "invalid length "]
        .iter()
        .find_map(|start| Some((*start, message.strip_prefix(start)?.rsplit_once(", expected ")?)));
    match unexpected {
        Some(("invalid length ", (n, needed))) => format!("a list of {n}, needs {}", needed_in_words(needed)),
        Some((_, (found, needed))) => {
            format!("{} where {} is needed", found_in_words(found), needed_in_words(needed))
        }
        None => "a value of the wrong kind".to_owned(),
    }
}

fn found_in_words(found: &str) -> String {
    match found.split_once(' ') {
        Some(("string", text)) => format!("the text \"{}\"", quoted(text.trim_matches('"'))),
        Some(("integer" | "boolean", value)) => quoted(value.trim_matches('`')),
        Some(("floating", value)) => quoted(value.trim_start_matches("point ").trim_matches('`')),
        _ => match found {
            "map" => "an object".to_owned(),
            "sequence" => "a list".to_owned(),
            "null" => "null".to_owned(),
            _ => "something else".to_owned(),
        },
    }
}

fn needed_in_words(needed: &str) -> String {
    match needed {
        "a sequence" => "a list".to_owned(),
        "a string" => "a text".to_owned(),
        "an object" => "an object".to_owned(),
        "usize" | "u32" => "a whole number, 0 or more,".to_owned(),
        "f64" => "a number".to_owned(),
        _ if needed.starts_with("struct ") => "an object".to_owned(),
        _ => match needed.strip_prefix("an array of length ") {
            Some(n) => format!("a list of {n} numbers"),
            None => "something else".to_owned(),
        },
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize)]
    #[allow(dead_code, reason = "read, not used")]
    struct Document {
        asset: Asset,
        #[serde(default)]
        nodes: Vec<Node>,
        #[serde(default)]
        meshes: Vec<Mesh>,
        scene: Option<usize>,
    }

    #[derive(Deserialize)]
    #[allow(dead_code, reason = "read, not used")]
    struct Asset {
        version: String,
    }

    #[derive(Deserialize)]
    #[allow(dead_code, reason = "read, not used")]
    struct Node {
        mesh: Option<usize>,
        scale: Option<[f64; 3]>,
    }

    #[derive(Deserialize)]
    #[allow(dead_code, reason = "read, not used")]
    struct Mesh {
        primitives: Vec<usize>,
    }

    #[test]
    fn wrong_documents_are_explained_in_plain_words() {
        let explain = |text: &str| match serde_json::from_str::<Document>(text) {
            Ok(_) => panic!("the document is wrong"),
            Err(error) => explained(&error),
        };
        let asset = r#"{"asset":{"version":"2.0"},"#;
        for (rest, expected) in [
            (r#""nodes":{}}"#, "an object where a list is needed"),
            (r#""nodes":[{"mesh":-1}]}"#, "-1 where a whole number, 0 or more, is needed"),
            (r#""nodes":[{"mesh":"x"}]}"#, "the text \"x\" where a whole number, 0 or more, is needed"),
            (r#""nodes":[{"scale":[1,2]}]}"#, "a list of 2, needs a list of 3 numbers"),
            (r#""nodes":[{"scale":[1,2,1e999]}]}"#, "a number that is too large"),
            (r#""nodes":[3]}"#, "3 where an object is needed"),
            (r#""meshes":[{}]}"#, "the key \"primitives\" is missing"),
            (r#""scene":0"#, "the document breaks off in line 1 column"),
            (r#""scene";0"#, "not valid JSON"),
        ] {
            let found = explain(&format!("{asset}{rest}"));
            assert!(found.contains(expected), "{found}");
        }
        assert_eq!(explain("{\n \"asset\": 3}"), "line 2 column 11: 3 where an object is needed");
    }
}
