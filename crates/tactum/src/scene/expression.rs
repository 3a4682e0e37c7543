//! Expressions in scenes: `= 2 * radius + 0.01` stands for the number that it gives.
//!
//! Numbers, `+ - * / ^`, parentheses, the names of parameters, `pi`, and the functions of [`FUNCTIONS`]. `^` binds more tightly
//! than a sign before it and goes from right to left: -2^2 is -4, 2^3^2 is 512. Angles are in radians.

use std::f64::consts::PI;
use std::ops::Range;

use super::suggest::advice;
use tactum_geometry::words::{counted, number, quoted};

/// What a text begins with that is an expression.
pub const MARK: char = '=';

/// Parentheses, signs and powers inside each other; more are no formula of anybody's.
const MAX_DEPTH: usize = 64;

/// What is wrong with an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// Bytes of the text, its mark included, that it is about.
    pub span: Range<usize>,
    /// In words.
    pub message: String,
    /// What to write instead.
    pub help: String,
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Meaning {
    /// A number.
    Value(f64),
    /// A parameter whose own value is not known yet.
    Pending,
    /// Nothing.
    Unknown,
}

/// Why an expression gives no number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unvalued {
    /// It needs a parameter that is not known yet.
    Pending,
    /// It gives none.
    Mistake(Mistake),
}

/// A function of one or two numbers.
#[derive(Clone, Copy)]
enum Function {
    One(fn(f64) -> f64),
    Two(fn(f64, f64) -> f64),
}

/// The functions by name.
const FUNCTIONS: [(&str, Function); 20] = [
    ("abs", Function::One(f64::abs)),
    ("acos", Function::One(f64::acos)),
    ("asin", Function::One(f64::asin)),
    ("atan", Function::One(f64::atan)),
    ("atan2", Function::Two(f64::atan2)),
    ("cbrt", Function::One(f64::cbrt)),
    ("ceil", Function::One(f64::ceil)),
    ("cos", Function::One(f64::cos)),
    ("deg", Function::One(f64::to_degrees)),
    ("exp", Function::One(f64::exp)),
    ("floor", Function::One(f64::floor)),
    ("ln", Function::One(f64::ln)),
    ("log10", Function::One(f64::log10)),
    ("max", Function::Two(f64::max)),
    ("min", Function::Two(f64::min)),
    ("rad", Function::One(f64::to_radians)),
    ("round", Function::One(f64::round)),
    ("sin", Function::One(f64::sin)),
    ("sqrt", Function::One(f64::sqrt)),
    ("tan", Function::One(f64::tan)),
];

/// The one name that always stands for a number.
const CONSTANT: (&str, f64) = ("pi", PI);

/// Whether a text is meant as an expression.
pub fn is_expression(text: &str) -> bool {
    text.starts_with(MARK)
}

/// Whether a parameter can have this name.
pub fn is_name(name: &str) -> bool {
    let is_taken = name == CONSTANT.0 || FUNCTIONS.iter().any(|(known, _)| *known == name);
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !is_taken
}

/// The number that an expression gives, where `meaning` says what the names in it stand for and `known` lists these.
///
/// # Errors
/// If it cannot be read, a name in it has no value, or what it gives is not finite.
pub fn value_of(text: &str, meaning: &dyn Fn(&str) -> Meaning, known: &[&str]) -> Result<f64, Unvalued> {
    let mut reader = Reader { text, at: MARK.len_utf8(), depth: 0, meaning, known };
    let value = reader.sum()?;
    reader.skip_spaces();
    if reader.at < text.len() {
        let found = quoted(&text[reader.at..]);
        let help = "between two numbers stands one of + - * / ^";
        return Err(mistake(reader.at..text.len(), format!("the expression goes on with '{found}'"), help));
    }
    if !value.is_finite() {
        let message = format!("the expression gives {}, which is no number to compute with", number(value));
        return Err(mistake(0..text.len(), message, "it may divide by zero, or be too large for 64 bits"));
    }
    Ok(value)
}

fn mistake(span: Range<usize>, message: impl Into<String>, help: impl Into<String>) -> Unvalued {
    Unvalued::Mistake(Mistake { span, message: message.into(), help: help.into() })
}

/// Reads an expression from left to right and computes on the way.
struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    meaning: &'a dyn Fn(&str) -> Meaning,
    known: &'a [&'a str],
}

impl<'a> Reader<'a> {
    fn skip_spaces(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Takes the next character if it is one of these.
    fn take(&mut self, wanted: &[char]) -> Option<char> {
        self.skip_spaces();
        let found = self.rest().chars().next().filter(|c| wanted.contains(c))?;
        self.at += found.len_utf8();
        Some(found)
    }

    fn sum(&mut self) -> Result<f64, Unvalued> {
        let mut value = self.product()?;
        while let Some(sign) = self.take(&['+', '-']) {
            let next = self.product()?;
            value = if sign == '+' { value + next } else { value - next };
        }
        Ok(value)
    }

    fn product(&mut self) -> Result<f64, Unvalued> {
        let mut value = self.signed()?;
        while let Some(sign) = self.take(&['*', '/']) {
            let next = self.signed()?;
            value = if sign == '*' { value * next } else { value / next };
        }
        Ok(value)
    }

    fn signed(&mut self) -> Result<f64, Unvalued> {
        self.skip_spaces();
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let message = format!("more than {MAX_DEPTH} signs, powers and parentheses stand in each other");
            return Err(mistake(self.at..self.text.len(), message, "divide it into several parameters"));
        }
        let value = match self.take(&['+', '-']) {
            Some('-') => -self.signed()?,
            Some(_) => self.signed()?,
            None => self.power()?,
        };
        self.depth -= 1;
        Ok(value)
    }

    fn power(&mut self) -> Result<f64, Unvalued> {
        let base = self.atom()?;
        match self.take(&['^']) {
            Some(_) => Ok(base.powf(self.signed()?)),
            None => Ok(base),
        }
    }

    fn atom(&mut self) -> Result<f64, Unvalued> {
        self.skip_spaces();
        let begin = self.at;
        match self.rest().chars().next() {
            Some('(') => {
                self.at += 1;
                let value = self.sum()?;
                self.close(begin)?;
                Ok(value)
            }
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_alphabetic() || c == '_' => self.named(),
            Some(c) => {
                let message = format!("'{}' stands where a number has to be", quoted(&c.to_string()));
                Err(mistake(begin..begin + c.len_utf8(), message, "a number, a parameter or a function"))
            }
            None => Err(mistake(
                begin..begin,
                "the expression ends where a number has to be",
                "as in \"= 2 * radius\"",
            )),
        }
    }

    /// The `)` to a `(` at a byte.
    fn close(&mut self, begin: usize) -> Result<(), Unvalued> {
        match self.take(&[')']) {
            Some(_) => Ok(()),
            None => Err(mistake(
                begin..self.at,
                "a parenthesis is not closed",
                "write ) behind what belongs to it",
            )),
        }
    }

    fn number(&mut self) -> Result<f64, Unvalued> {
        let (begin, rest) = (self.at, self.rest());
        let digits = |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let mut length = digits(rest);
        if rest[length..].starts_with('.') {
            length += 1 + digits(&rest[length + 1..]);
        }
        if let Some(exponent) = rest[length..].strip_prefix(['e', 'E']) {
            let n = digits(exponent.strip_prefix(['+', '-']).unwrap_or(exponent));
            if n > 0 {
                length += 1 + usize::from(exponent.starts_with(['+', '-'])) + n;
            }
        }
        self.at += length;
        let text = &rest[..length];
        text.parse().map_err(|_| mistake(begin..self.at, format!("'{text}' is no number"), "1, 0.5 or 1e-3"))
    }

    /// A parameter, `pi`, or a function of what stands in parentheses behind it.
    fn named(&mut self) -> Result<f64, Unvalued> {
        let begin = self.at;
        let rest = self.rest();
        let length = rest.len() - rest.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_').len();
        self.at += length;
        let (name, span) = (&rest[..length], begin..begin + length);
        if let Some((_, function)) = FUNCTIONS.iter().find(|(known, _)| *known == name) {
            return self.called(name, span, *function);
        }
        if name == CONSTANT.0 {
            return Ok(CONSTANT.1);
        }
        match (self.meaning)(name) {
            Meaning::Value(value) => Ok(value),
            Meaning::Pending => Err(Unvalued::Pending),
            Meaning::Unknown => {
                let functions = FUNCTIONS.iter().map(|(known, _)| *known);
                let known: Vec<&str> =
                    self.known.iter().copied().chain([CONSTANT.0]).chain(functions).collect();
                let message = format!("'{}' is no parameter of this scene", quoted(name));
                Err(mistake(span, message, advice(name, &known)))
            }
        }
    }

    fn called(&mut self, name: &str, span: Range<usize>, function: Function) -> Result<f64, Unvalued> {
        let open = self.at;
        let wanted = match function {
            Function::One(_) => 1,
            Function::Two(_) => 2,
        };
        if self.take(&['(']).is_none() {
            let message = format!("the function '{name}' is given nothing");
            return Err(mistake(span, message, format!("as in {name}({})", ["x", "x, y"][wanted - 1])));
        }
        let mut given = vec![self.sum()?];
        while self.take(&[',']).is_some() {
            given.push(self.sum()?);
        }
        self.close(open)?;
        match (function, given.as_slice()) {
            (Function::One(f), [x]) => Ok(f(*x)),
            (Function::Two(f), [x, y]) => Ok(f(*x, *y)),
            _ => {
                let wanted = counted(wanted as u64, "number", "numbers");
                let message = format!("'{name}' takes {wanted}, found {}", given.len());
                Err(mistake(
                    span.start..self.at,
                    message,
                    "a decimal comma? Numbers have a point: 0.5, not 0,5",
                ))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Result<f64, Unvalued> {
        let meaning = |name: &str| match name {
            "radius" => Meaning::Value(0.25),
            "later" => Meaning::Pending,
            _ => Meaning::Unknown,
        };
        value_of(text, &meaning, &["radius", "later"])
    }

    /// Each beside the same in Rust, whose precedence is written out.
    #[test]
    fn expressions_give_their_numbers() {
        let cases = [
            ("=1", 1.0),
            ("= 1 + 2 * 3", 7.0),
            ("= (1 + 2) * 3", 9.0),
            ("= 7 - 2 - 1", 4.0),
            ("= 8 / 2 / 2", 2.0),
            ("= -2^2", -4.0),
            ("= 2^3^2", 512.0),
            ("= 2^-1", 0.5),
            ("= 2 * -3", -6.0),
            ("= --3", 3.0),
            ("= 1.5e2 + .5 + 2e-1", 150.7),
            ("= 2*radius", 0.5),
            ("= radius^2 * pi", 0.0625 * PI),
            ("= sqrt(2) * sin(rad(30))", 2f64.sqrt() * 30f64.to_radians().sin()),
            ("= atan2(1, 2) + max(1, min(3, 2))", 1f64.atan2(2.0) + 2.0),
            ("= deg(pi)", 180.0),
        ];
        for (text, expected) in cases {
            assert_eq!(value(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn mistakes_are_named_at_their_place() {
        let cases = [
            ("= 2 * radus", 6..11, "'radus' is no parameter"),
            ("= 2 radius", 4..10, "goes on with 'radius'"),
            ("= (1 + 2", 2..8, "not closed"),
            ("= 1 +", 5..5, "ends where a number"),
            ("=", 1..1, "ends where a number"),
            ("= 1 + ? 2", 6..7, "'?' stands where"),
            ("= 1 / 0", 0..7, "gives inf"),
            ("= sqrt(-1)", 0..10, "no number to compute with"),
            ("= sqrt 2", 2..6, "is given nothing"),
            ("= max(1)", 2..8, "takes 2 numbers, found 1"),
            ("= sin(0,5)", 2..10, "takes 1 number, found 2"),
            ("= .", 2..3, "is no number"),
            ("= 2 * ß", 6..8, "'ß' is no parameter"),
        ];
        for (text, span, words) in cases {
            match value(text) {
                Err(Unvalued::Mistake(found)) => {
                    assert!(found.span == span && found.message.contains(words), "{text}: {found:?}");
                }
                other => panic!("{text}: {other:?}"),
            }
        }
        let Err(Unvalued::Mistake(found)) = value("= 2 * radus") else { panic!("it is a mistake") };
        assert!(found.help.starts_with("did you mean 'radius'?"), "{}", found.help);
        assert_eq!(value("= later + 1"), Err(Unvalued::Pending));
    }

    /// Nothing that can be written ends the program.
    #[test]
    fn deep_and_strange_texts_are_refused() {
        for text in ["(".repeat(100_000), "-".repeat(100_000), "2^".repeat(100_000), "sin(".repeat(100_000)] {
            assert!(matches!(value(&format!("={text}1")), Err(Unvalued::Mistake(_))));
        }
        assert!(matches!(value("= 1e999"), Err(Unvalued::Mistake(_))));
        assert_eq!(value(&format!("=1{}", "+1".repeat(100_000))), Ok(100_001.0), "length is no depth");
    }
}
