//! Single values of a scene against the schema: words for what they are, and what is wrong with them.

use serde_json::Value;
use toml::de::{DeFloat, DeInteger, DeValue};

use super::fault::Fault;
use tactum_geometry::words::{self, quoted};

/// A fault in want of the name of its key.
type Wording = Box<dyn FnOnce(&str) -> Fault>;

/// What a value is, in words.
pub fn found(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => format!("the text \"{}\"", quoted(text)),
        DeValue::Integer(integer) => quoted(&integer.to_string()),
        DeValue::Float(float) => quoted(&float.to_string()),
        DeValue::Boolean(truth) => truth.to_string(),
        DeValue::Datetime(date) => format!("the date {date}"),
        DeValue::Array(array) => format!("a list of length {}", array.len()),
        DeValue::Table(_) => "a table".to_owned(),
    }
}

/// What is wrong with a text or number that is of the right type.
pub fn check(value: &DeValue<'_>, node: &Value) -> Option<Wording> {
    match value {
        DeValue::String(text) => check_text(text, node),
        DeValue::Integer(integer) => check_integer(integer, node),
        DeValue::Float(float) => check_float(float),
        _ => None,
    }
}

fn check_text(text: &str, node: &Value) -> Option<Wording> {
    let most = node.get("maxLength").and_then(Value::as_u64).unwrap_or(u64::MAX);
    let n = text.chars().count() as u64;
    if n > most {
        return Some(Box::new(move |at| {
            Fault::error(format!("{at} has {n} characters, at most {most} can be used"), "too long")
        }));
    }
    let is_wrong: fn(char) -> bool = match node.get("pattern").and_then(Value::as_str) {
        Some(words::ONE_LINE) => words::is_unprintable,
        Some(words::SEVERAL_LINES) => |c| words::is_unprintable(c) && !matches!(c, '\n' | '\r' | '\t'),
        Some(words::NAME) => |c| words::is_unprintable(c) || words::is_shaping(c),
        _ => return None,
    };
    let wrong = text.chars().find(|c| is_wrong(*c))?;
    Some(Box::new(move |at| {
        let wrong = if words::is_shaping(wrong) {
            wrong.escape_unicode().to_string()
        } else {
            words::printable(&wrong.to_string())
        };
        let message = format!("{at} holds the character {wrong}, which is not seen");
        Fault::error(message, "letters, digits, signs and spaces")
    }))
}

fn check_integer(integer: &DeInteger<'_>, node: &Value) -> Option<Wording> {
    let exact = i128::from_str_radix(integer.as_str(), integer.radix()).ok();
    let is_number = node
        .get("type")
        .is_some_and(|t| t == "number" || t.as_array().is_some_and(|t| t.contains(&"number".into())));
    let (least, most) = if is_number {
        // What the reader of numbers takes without a point.
        (i128::from(i64::MIN), i128::from(u64::MAX))
    } else {
        let most = match node.get("format").and_then(Value::as_str) {
            Some("uint32") => i128::from(u32::MAX),
            _ => i128::from(u64::MAX),
        };
        (0, most)
    };
    if exact.is_some_and(|x| (least..=most).contains(&x)) {
        return None;
    }
    let shown = quoted(&integer.to_string());
    Some(Box::new(move |at| {
        if is_number {
            let message =
                format!("{at} is {shown}, which has too many digits: write it with an exponent, as in 1e23");
            return Fault::error(message, "too many digits");
        }
        let wanted = if most == i128::from(u32::MAX) { "4294967295" } else { "18446744073709551615" };
        let message = format!("{at} is {shown}, but has to be a whole number from 0 to {wanted}");
        Fault::error(message, "a whole number, zero or more")
    }))
}

/// A number that is rounded to infinity or to zero is not the one that was written.
fn check_float(float: &DeFloat<'_>) -> Option<Wording> {
    let text = float.as_str();
    let value: f64 = text.parse().ok()?;
    let mantissa = text.split(['e', 'E']).next().unwrap_or_default();
    let limit = if value.is_infinite() && !text.contains("inf") {
        "larger than the largest number of 64 bits, 1.8e308"
    } else if value == 0.0 && mantissa.contains(|c: char| ('1'..='9').contains(&c)) {
        "smaller than the smallest number of 64 bits, 5e-324"
    } else {
        return None;
    };
    let shown = quoted(text);
    Some(Box::new(move |at| Fault::error(format!("{at} is {shown}, {limit}"), "out of range")))
}
