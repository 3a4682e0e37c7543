//! Numbers and texts of a user in messages for people: short, and harmless on a terminal.

use std::path::Path;

use glam::DVec3;

/// Digits of a number in a message: enough to find it again in a file, few enough to be read.
const DIGITS: usize = 9;

/// Digits that tell any two numbers of 64 bits apart.
const ALL_DIGITS: usize = 17;

/// Characters of a quoted text in a message.
const QUOTED: usize = 60;

/// First and last of the characters that a line of plain text has no use for: they move the cursor, begin a terminal's
/// commands, turn the direction of writing, or are never seen (soft hyphens, fillers, marks of a format, tags).
const UNPRINTABLE: [(char, char); 15] = [
    ('\u{0}', '\u{1f}'),
    ('\u{7f}', '\u{9f}'),
    ('\u{ad}', '\u{ad}'),
    ('\u{61c}', '\u{61c}'),
    ('\u{115f}', '\u{1160}'),
    ('\u{200b}', '\u{200b}'),
    ('\u{200e}', '\u{200f}'),
    ('\u{2028}', '\u{202e}'),
    ('\u{2060}', '\u{206f}'),
    ('\u{3164}', '\u{3164}'),
    ('\u{feff}', '\u{feff}'),
    ('\u{ffa0}', '\u{ffa0}'),
    ('\u{fff0}', '\u{fffb}'),
    ('\u{1d173}', '\u{1d17a}'),
    ('\u{e0000}', '\u{e00ff}'),
];

/// First and last of the characters that only change how their neighbours look: joiners and selectors of a variant. Some
/// scripts need them in a text, but two names may differ by nothing else and look alike. With [`UNPRINTABLE`] these are all that
/// Unicode calls ignorable where it cannot be shown (`Default_Ignorable_Code_Point`, version 16).
const SHAPING: [(char, char); 7] = [
    ('\u{34f}', '\u{34f}'),
    ('\u{17b4}', '\u{17b5}'),
    ('\u{180b}', '\u{180f}'),
    ('\u{200c}', '\u{200d}'),
    ('\u{fe00}', '\u{fe0f}'),
    ('\u{1bca0}', '\u{1bca3}'),
    ('\u{e0100}', '\u{e0fff}'),
];

/// The characters of [`is_unprintable`], for a regular expression.
macro_rules! unprintable {
    () => {
        r"\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f-\u1160\u200b\u200e-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e00ff}"
    };
}

/// What a text of one line looks like, as a regular expression of JSON Schema: no character of [`is_unprintable`].
pub const ONE_LINE: &str = concat!("^[^", unprintable!(), "]*$");

/// What a text of several lines looks like: as [`ONE_LINE`], with tabs and ends of lines.
pub const SEVERAL_LINES: &str = concat!("^([^", unprintable!(), r"]|[\t\n\r])*$");

/// What a name looks like: as [`ONE_LINE`], and no character of [`is_shaping`].
pub const NAME: &str = concat!(
    "^[^",
    unprintable!(),
    r"\u034f\u17b4-\u17b5\u180b-\u180f\u200c-\u200d\ufe00-\ufe0f\u{1bca0}-\u{1bca3}\u{e0100}-\u{e0fff}]*$"
);

/// A number in up to nine digits, with an exponent where it is large or small.
pub fn number(x: f64) -> String {
    digits(x, DIGITS)
}

/// A vector in short numbers.
pub fn vector(v: DVec3) -> String {
    let [x, y, z] = v.to_array().map(number);
    format!("[{x}, {y}, {z}]")
}

/// A part of a whole in percent, in two digits.
pub fn percent(part: f64) -> String {
    format!("{} %", digits(100.0 * part, 2))
}

/// A number beside a limit that it violates: in as many digits as it takes to see that the two differ.
pub fn number_beside(x: f64, limit: f64) -> String {
    (DIGITS..=ALL_DIGITS)
        .map(|n| digits(x, n))
        .find(|text| *text != number(limit))
        .unwrap_or_else(|| digits(x, ALL_DIGITS))
}

fn digits(x: f64, n: usize) -> String {
    // Between these a number is shorter, or as easily read, without an exponent.
    const PLAIN: std::ops::Range<f64> = 1e-4..1e9;
    let rounded: f64 = format!("{x:.*e}", n - 1).parse().unwrap_or(x);
    if rounded == 0.0 || !rounded.is_finite() || PLAIN.contains(&rounded.abs()) {
        format!("{rounded}")
    } else {
        format!("{rounded:e}")
    }
}

/// Whether a character has no place in a line of plain text.
pub fn is_unprintable(c: char) -> bool {
    UNPRINTABLE.iter().any(|&(first, last)| (first..=last).contains(&c))
}

/// Whether a character is seen by what it does to its neighbours only, and has no place in a name.
pub fn is_shaping(c: char) -> bool {
    SHAPING.iter().any(|&(first, last)| (first..=last).contains(&c))
}

/// A number of things: "1 step", "2 steps".
pub fn counted(n: impl Into<u64>, one: &str, more: &str) -> String {
    let n = n.into();
    format!("{n} {}", if n == 1 { one } else { more })
}

/// A text whose unprintable characters are spelled out, such as `\u{1b}` or `\n`.
pub fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' | '\t' => out.extend(c.escape_default()),
            _ if is_unprintable(c) => out.extend(c.escape_unicode()),
            _ => out.push(c),
        }
    }
    out
}

/// The beginning of a text, up to `n` characters, with an ellipsis where something is left away.
pub fn cut(text: &str, n: usize) -> String {
    match text.char_indices().nth(n) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A text of a user for use in a message, between quotes of the caller's: printable and not long.
pub fn quoted(text: &str) -> String {
    printable(&cut(text, QUOTED))
}

/// A path for a message: printable, and without the middle of a very long one.
pub fn path(path: &Path) -> String {
    /// Characters of each end of a long path: most of a file name, and of the folder that it starts in.
    const END: usize = 200;
    let all: Vec<char> = printable(&path.to_string_lossy()).chars().collect();
    if all.len() <= 2 * END {
        return all.into_iter().collect();
    }
    let (start, end) = (&all[..END], &all[all.len() - END..]);
    start.iter().chain(&['…']).chain(end).collect()
}

/// The first of some words, and how many there are besides.
pub fn listed<S: AsRef<str>>(words: &[S]) -> String {
    /// More than this are not read.
    const SHOWN: usize = 40;
    let first: Vec<String> = words.iter().take(SHOWN).map(|word| quoted(word.as_ref())).collect();
    let first = first.join(", ");
    if words.len() > SHOWN { format!("{first} and {} more", words.len() - SHOWN) } else { first }
}

/// What the system says of a file, without its number for it.
pub fn cause(error: &std::io::Error) -> String {
    let text = error.to_string();
    text.split_once(" (os error").map_or(text.as_str(), |(words, _)| words).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_not_wrong() {
        for (x, text) in [
            (0.0, "0"),
            (-3.0, "-3"),
            (0.01, "0.01"),
            (1e300, "1e300"),
            (-2.5e-7, "-2.5e-7"),
            (0.1 + 0.2, "0.3"),
            (1.0 / 3.0, "0.333333333"),
            (123_456_789.0, "123456789"),
            (12_345_678_912.0, "1.23456789e10"),
            (f64::MAX, "1.79769313e308"),
            (f64::NAN, "NaN"),
            (f64::INFINITY, "inf"),
        ] {
            assert_eq!(number(x), text);
        }
        assert_eq!(number_beside(0.1 + 0.2, 0.3), "0.30000000000000004");
        assert_eq!(number_beside(2.0, 1.0), "2");
    }

    #[test]
    fn texts_cannot_command_a_terminal() {
        assert_eq!(printable("a\u{1b}[2Jb\nc\u{202e}"), "a\\u{1b}[2Jb\\nc\\u{202e}");
        assert_eq!(printable("Würfel 立方体 🎲"), "Würfel 立方体 🎲");
        assert_eq!(cut("abc", 3), "abc");
        assert_eq!(cut("äöüß", 3), "äöü…");
    }

    #[test]
    fn one_thing_is_not_many() {
        assert_eq!(counted(1_u64, "step", "steps"), "1 step");
        assert_eq!(
            counted(0_u64, "step", "steps") + &counted(2_u64, "vertex", "vertices"),
            "0 steps2 vertices"
        );
    }

    #[test]
    fn paths_stay_on_one_line_and_lose_their_middle() {
        let shown = |name: &str| path(Path::new(name));
        assert_eq!(shown("Räder/it's \"one\".obj"), "Räder/it's \"one\".obj");
        assert_eq!(shown("a\nb\u{1b}[31m\u{202e}.obj"), "a\\nb\\u{1b}[31m\\u{202e}.obj");
        let long = shown(&format!("start{}end", "x".repeat(5000)));
        assert_eq!(long.chars().count(), 401);
        assert!(long.starts_with("startx") && long.ends_with("xend"), "{long}");
    }

    /// The schema's patterns and the check are about the same characters.
    #[test]
    fn patterns_name_every_unprintable_range() {
        let code = |c: char| match u32::from(c) {
            c if c > 0xffff => format!("\\u{{{c:x}}}"),
            c => format!("\\u{c:04x}"),
        };
        let range = |(first, last): (char, char)| {
            if first == last { code(first) } else { format!("{}-{}", code(first), code(last)) }
        };
        let unprintable = UNPRINTABLE.map(range).concat();
        assert_eq!(ONE_LINE, format!("^[^{unprintable}]*$"));
        assert_eq!(SEVERAL_LINES, format!("^([^{unprintable}]|[\\t\\n\\r])*$"));
        assert_eq!(NAME, format!("^[^{unprintable}{}]*$", SHAPING.map(range).concat()));
    }
}
