//! The few lines of a file that a message quotes.

use std::ops::Range;

use miette::{MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

use tactum_geometry::words;

/// Longest line that is quoted whole \[characters\]; of a longer one, as much around the place.
const WIDTH: usize = 90;

/// How much of a long line is quoted before the place \[characters\].
const BEFORE: usize = 40;

/// A place in a file: the line, the ones next to it, and what to underline.
#[derive(Clone, Debug)]
pub struct Excerpt {
    /// Line and column of the place, counted from one; the column in characters.
    pub line: usize,
    pub column: usize,
    /// Number of the first line quoted, from zero.
    first_line: usize,
    quoted: String,
    /// Bytes of `quoted` to underline.
    span: Range<usize>,
}

impl Excerpt {
    /// What to quote of a text for a byte range of it; of a range over several lines, the first one is underlined.
    pub fn of(text: &str, span: &Range<usize>) -> Self {
        let start = text.floor_char_boundary(span.start.min(text.len()));
        let end = text.floor_char_boundary(span.end.clamp(start, text.len()));
        let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let line = &text[line_start..];
        let line = &line[..line.find('\n').unwrap_or(line.len())];
        let end = end.min(line_start + line.len());
        let number = text.as_bytes()[..line_start].iter().filter(|&&byte| byte == b'\n').count();
        // A byte order mark is no column that an editor shows.
        let column = text[line_start..start].trim_start_matches('\u{feff}').chars().count() + 1;
        let mut excerpt =
            Self { line: number + 1, column, first_line: number, quoted: String::new(), span: 0..0 };
        if let Some(before) = text[..line_start].strip_suffix('\n') {
            excerpt.first_line -= 1;
            excerpt.push(&before[before.rfind('\n').map_or(0, |at| at + 1)..]);
        }
        excerpt.push_marked(line, start - line_start..end.max(start) - line_start);
        let after = text[line_start + line.len()..].strip_prefix('\n').unwrap_or_default();
        if !after.is_empty() {
            excerpt.push(&after[..after.find('\n').unwrap_or(after.len())]);
        }
        excerpt
    }

    fn push(&mut self, line: &str) {
        self.quoted += &shown(&words::cut(line, WIDTH));
        self.quoted.push('\n');
    }

    /// Adds the line of the place, cut to its surroundings if it is long.
    fn push_marked(&mut self, line: &str, place: Range<usize>) {
        let n_before = line[..place.start].chars().count();
        let from = if n_before < WIDTH - BEFORE / 2 { 0 } else { back(line, place.start, BEFORE) };
        if from > 0 {
            self.quoted.push('…');
        }
        let rest = line[from..].char_indices().nth(WIDTH);
        let to = rest.map_or(line.len(), |(at, _)| from + at);
        self.quoted += &shown(&line[from..place.start]);
        let start = self.quoted.len();
        self.quoted += &shown(&line[place.start..place.end.min(to)]);
        self.span = start..self.quoted.len();
        self.quoted += &shown(&line[place.end.min(to)..to]);
        if to < line.len() {
            self.quoted.push('…');
        }
        self.quoted.push('\n');
    }

    /// Bytes of the quoted text to underline.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }
}

/// The byte `n` characters before byte `at`, or the first one.
fn back(line: &str, at: usize, n: usize) -> usize {
    line[..at].char_indices().rev().take(n).last().map_or(at, |(ix, _)| ix)
}

/// A line as it can be shown: each tab as a space, what would disturb a terminal as a replacement character.
fn shown(line: &str) -> String {
    let show = |c| match c {
        '\t' => ' ',
        _ if words::is_unprintable(c) => char::REPLACEMENT_CHARACTER,
        _ => c,
    };
    line.trim_end_matches('\r').chars().map(show).collect()
}

impl SourceCode for Excerpt {
    /// All that is quoted, whichever part is asked for: it is short. Without lines around it a renderer wants to know
    /// where the place is.
    fn read_span<'a>(
        &'a self,
        _span: &SourceSpan,
        lines_before: usize,
        lines_after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let whole = SourceSpan::from(0..self.quoted.len());
        let n_lines = self.quoted.lines().count();
        let place_only = lines_before == 0 && lines_after == 0;
        let (line, column) = if place_only { (self.line - 1, self.column - 1) } else { (self.first_line, 0) };
        Ok(Box::new(MietteSpanContents::new(self.quoted.as_bytes(), whole, line, column, n_lines)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_lines_are_quoted_with_their_neighbours() {
        let text = "a = 1\nb = 2\nc = 3\nd = 4\n";
        let excerpt = Excerpt::of(text, &(10..11));
        assert_eq!((excerpt.line, excerpt.column), (2, 5));
        assert_eq!(excerpt.quoted, "a = 1\nb = 2\nc = 3\n");
        assert_eq!(&excerpt.quoted[excerpt.span()], "2");
    }

    #[test]
    fn of_a_long_line_the_surroundings_are_quoted() {
        let text = format!("{}ß!{}", "ä".repeat(1_000_000), "ü".repeat(1_000_000));
        let at = text.find('!').expect("it is there");
        let excerpt = Excerpt::of(&text, &(at..at + 1));
        assert_eq!((excerpt.line, excerpt.column), (1, 1_000_002));
        assert!(excerpt.quoted.chars().count() < WIDTH + 5, "{}", excerpt.quoted);
        assert_eq!(&excerpt.quoted[excerpt.span()], "!");
        assert!(excerpt.quoted.starts_with('…') && excerpt.quoted.ends_with("…\n"));
    }

    #[test]
    fn nothing_of_a_line_reaches_a_terminal_as_a_command() {
        let excerpt = Excerpt::of("x = \"\u{1b}[31m\t\u{202e}\"", &(4..8));
        assert!(!excerpt.quoted.trim_end().chars().any(words::is_unprintable), "{:?}", excerpt.quoted);
    }

    #[test]
    fn any_range_of_any_text_can_be_quoted() {
        let text = "\u{feff}ä\r\n\nß\n";
        for start in 0..text.len() + 3 {
            for end in 0..text.len() + 3 {
                let excerpt = Excerpt::of(text, &(start..end));
                assert!(excerpt.quoted.is_char_boundary(excerpt.span().start));
                assert!(excerpt.span().end <= excerpt.quoted.len());
            }
        }
    }
}
