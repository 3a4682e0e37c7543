//! What is said of a text that is not TOML.

use super::fault::Fault;
use tactum_geometry::words;

/// What the parser's messages begin with, what to say instead, and what to write.
///
/// The first one that fits counts, so longer beginnings come before shorter ones.
const PLAIN: [(&str, &str, &str); 41] = [
    ("unclosed array table", "a heading [[...]] is not closed", "write ]] behind it"),
    ("unclosed table", "a heading [...] is not closed", "write ] behind it"),
    ("unclosed array", "a list is not closed", "write ] behind its last entry"),
    ("unclosed inline table", "a table is not closed", "write } behind its last entry"),
    ("missing comma between array elements", "a comma is missing in a list", "[1, 2, 3]"),
    ("missing comma between key-value pairs", "a comma is missing in a table", "{ x = 1, y = 2 }"),
    ("missing key for inline table", "a key is missing in a table", "{ key = value }"),
    ("missing assignment", "the = is missing behind a key of a table", "{ key = value }"),
    ("invalid inline table element", "this is not a key and its value", "{ key = value }"),
    ("key with no value", "a key has no value", "key = value"),
    ("missing value for key", "a key has no value", "key = value"),
    ("missing value", "a value is missing behind the =", "key = value"),
    ("extra comma", "there is a comma too many", "one comma between two entries"),
    ("extra `=`", "there is a = too many", "key = value"),
    ("extra assignment", "there is a = too many", "key = value"),
    ("unexpected `=` in array", "a list holds values, not keys", "[ ] for a list, { } for a table"),
    (
        "unexpected content between comment",
        "a comment ends in the middle of its line",
        "# to the end of the line",
    ),
    ("unexpected key or value", "something stands behind the value", "each key begins a line of its own"),
    ("unexpected content", "something stands where nothing can", "each key begins a line of its own"),
    ("string values must be quoted", "this is no value", "one number, or a text in quotes: \"text\""),
    ("invalid value", "this is no value", "texts stand in quotes: \"text\""),
    ("missing opening quote", "a text in quotes does not begin", "\"text\""),
    (
        "missing escaped value",
        "a \\ in a text begins no character",
        "write \\\\ for a \\, or put the text in single quotes",
    ),
    (
        "too few unicode value digits",
        "the number of a character has too few digits",
        "\\u and 4 digits, or \\U and 8",
    ),
    ("keys cannot be multi-line", "a key in quotes has to end on its line", "\"key\" = value"),
    ("unquoted keys cannot be empty", "a key is missing", "key = value"),
    ("invalid unquoted key", "a key is letters, digits, _ and -, or a text in quotes", "key = value"),
    ("missing array opening", "a list does not begin", "[1, 2, 3]"),
    ("missing inline table opening", "a table does not begin", "{ key = value }"),
    ("missing table open", "a heading does not begin", "[table]"),
    ("invalid key-value pair", "this is not a key and its value", "key = value"),
    (
        "integers with a radix cannot be signed",
        "0x, 0o and 0b take no sign",
        "write the number with its digits",
    ),
    ("radix must be lowercase", "0x, 0o and 0b take small letters", "0x1f"),
    ("unexpected leading zero", "a number begins with a zero too many", "7, not 07"),
    ("redundant", "a number begins with something too much", "1.5, -2, 1e-3"),
    ("unexpected sign", "a number has a sign too many", "1.5, -2, 1e-3"),
    ("`_` may only go between digits", "a number has a _ that is not between two digits", "1_000"),
    ("invalid comment character", "a comment holds a character that is not text", "remove it"),
    ("carriage return", "a line ends half", "save the file with plain ends of lines"),
    ("recursion limit", "lists and tables are nested too deeply", "80 levels at most"),
    ("cannot recurse further", "lists and tables are nested too deeply", "80 levels at most"),
];

/// A fault in the words of people who write scenes.
pub fn explain(text: &str, error: &toml::de::Error) -> Fault {
    let at = error.span().map_or(0, |span| span.start);
    let here = text.get(at..).unwrap_or_default();
    let message = error.message();
    if let Some(c) = here.chars().next()
        && words::is_unprintable(c)
        && !matches!(c, '\n' | '\r' | '\t')
    {
        return Fault::error(format!("a character that is not text stands here: {c}"), "remove it");
    }
    if message.starts_with("duplicate key") {
        let key = error.span().and_then(|span| text.get(span)).unwrap_or_default();
        let fault = Fault::error(format!("the key '{}' is given twice", words::quoted(key)), "a second time");
        let (before, heading) = (text.get(..at).unwrap_or_default(), format!("[[{key}]]"));
        let is_one_of_many = before.ends_with('[') && before.contains(&heading);
        return if is_one_of_many {
            fault.with_help(format!("for one more of them: {heading}"))
        } else {
            fault
        };
    }
    if message.starts_with("cannot extend") {
        return Fault::error("what this would add to is complete already", "already given")
            .with_help("give each key once, all of a table in one place");
    }
    if is_decimal_comma(text, at) {
        return Fault::error("a number with a comma", "here")
            .with_help("a decimal comma? Numbers have a point: 0.5, not 0,5");
    }
    let marked = error.span().and_then(|span| text.get(span)).unwrap_or_default();
    let is_numbers = |word: &str| word.parse::<f64>().is_ok();
    if marked.split_whitespace().count() > 1 && marked.split_whitespace().all(is_numbers) {
        return Fault::error("several numbers stand where one can", "here")
            .with_help("in a list, a comma between two: [1, 2, 3]");
    }
    let word = here.split([' ', '\t', '\r', '\n', ',', ']', '}', '#']).next().unwrap_or_default();
    if let Some(right) = meant(word) {
        return Fault::error(format!("'{}' is no value", words::quoted(word)), "here")
            .with_help(format!("write {}", words::quoted(&right)));
    }
    let plain = PLAIN.iter().find(|(start, ..)| message.starts_with(start));
    let (_, what, help) =
        plain.copied().unwrap_or(("", of_value(message), "1.5, true, \"text\", [1, 2], { x = 1 }"));
    let label = if here.trim().is_empty() { "the file ends" } else { "here" };
    let is_within = message.starts_with("missing comma") || message.starts_with("unclosed");
    match opened_before(text, at).filter(|_| is_within) {
        Some((close, line)) => Fault::error(what, label)
            .with_help(format!("{help}; or is the {close} missing of what begins in line {line}?")),
        None => Fault::error(what, label).with_help(help),
    }
}

/// What would close the list or table, begun in an earlier line, that the byte `at` stands in, and that line, counted from one.
fn opened_before(text: &str, at: usize) -> Option<(char, usize)> {
    let (mut open, mut line, mut quote) = (Vec::new(), 1, None);
    let mut rest = text.get(..at)?;
    while let Some(c) = rest.chars().next() {
        // Texts may have one quote at each end, or three, and then go over several lines.
        let mark = ["\"\"\"", "'''", "\"", "'"].into_iter().find(|mark| rest.starts_with(mark));
        let mut n = c.len_utf8();
        match (quote, mark, c) {
            (Some("\"" | "\"\"\""), _, '\\') => n += rest[n..].chars().next().map_or(0, char::len_utf8),
            (Some(end), Some(mark), _) if end == mark => (quote, n) = (None, mark.len()),
            (Some(_), ..) => {}
            (None, Some(mark), _) => (quote, n) = (Some(mark), mark.len()),
            (None, None, '#') => n = rest.find('\n').unwrap_or(rest.len()),
            (None, None, '{') => open.push(('}', line)),
            (None, None, '[') => open.push((']', line)),
            (None, None, '}' | ']') => drop(open.pop()),
            _ => {}
        }
        line += rest[..n].matches('\n').count();
        rest = &rest[n..];
    }
    open.pop().filter(|&(_, began)| began < line)
}

/// What is written in other languages for a value that can be written.
fn meant(word: &str) -> Option<String> {
    if let Some(bare) = word.strip_suffix(';') {
        return (bare.parse::<f64>().is_ok() || bare.parse::<bool>().is_ok()).then(|| bare.to_owned());
    }
    let small = word.to_ascii_lowercase();
    if small != word && matches!(small.as_str(), "true" | "false" | "nan" | "inf") {
        return Some(small);
    }
    let is_number = word.bytes().any(|byte| byte.is_ascii_digit()) && word.parse::<f64>().is_ok();
    if is_number && (word.starts_with('.') || word.ends_with('.')) {
        let before = if word.starts_with('.') { "0" } else { "" };
        let after = if word.ends_with('.') { "0" } else { "" };
        return Some(format!("{before}{word}{after}"));
    }
    None
}

/// What is wrong with a value that the parser calls invalid in one of many ways.
fn of_value(message: &str) -> &'static str {
    if message.contains("string") {
        "a text in quotes is not closed, or holds a character that has to be written as \\n, \\t or \\\\"
    } else if message.contains("date") || message.contains("time") {
        "this is neither a number nor a date"
    } else if message.contains("number") || message.contains("integer") || message.contains("float") {
        "this is not a number"
    } else {
        "this cannot be read"
    }
}

/// Whether byte `at` is the comma of `0,5`, outside of any list, or stands next to it.
fn is_decimal_comma(text: &str, at: usize) -> bool {
    let bytes = text.as_bytes();
    let digit = |ix: Option<usize>| ix.and_then(|ix| bytes.get(ix)).is_some_and(u8::is_ascii_digit);
    (at.saturating_sub(1)..=at)
        .any(|comma| bytes.get(comma) == Some(&b',') && digit(comma.checked_sub(1)) && digit(Some(comma + 1)))
}
