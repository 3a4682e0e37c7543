//! "Did you mean ...?"

use tactum_geometry::words::{listed, quoted};

/// Longest word that a suggestion is looked for \[characters\]: longer ones are no slip of the keyboard, and the time to
/// compare two words grows with the product of their lengths.
const LONGEST: usize = 200;

/// The candidate that a slip of the keyboard most likely turned into `word`: the one with the fewest edits, at most
/// a third of the word's length and always one; `None` if no candidate is that close.
pub fn closest<'a>(word: &str, candidates: &[&'a str]) -> Option<&'a str> {
    let length = word.chars().count();
    if length > LONGEST {
        return None;
    }
    let singular = singular(word);
    if let Some(one) = candidates.iter().find(|candidate| singular.as_deref() == Some(candidate)) {
        return Some(one);
    }
    let limit = (length / 3).max(1);
    let distance = |&candidate: &&'a str| {
        let apart = candidate.chars().count().abs_diff(length);
        let alike = starts_alike(word, candidate);
        // Words whose lengths differ by more than the limit need more edits than that.
        let edits = if apart > limit && !alike { return None } else { edits(word, candidate) };
        (edits <= limit || alike).then_some((edits, candidate))
    };
    candidates.iter().filter_map(distance).min_by_key(|&(edits, _)| edits).map(|(_, candidate)| candidate)
}

/// The word without the ending of a plural: lists are headed by what each entry is.
fn singular(word: &str) -> Option<String> {
    let stem = word.strip_suffix('s')?;
    Some(stem.strip_suffix("ie").map_or_else(|| stem.to_owned(), |stem| format!("{stem}y")))
}

/// What to say of a word that is none of the known ones.
pub fn advice(word: &str, known: &[&str]) -> String {
    match closest(word, known) {
        Some(best) => format!("did you mean '{}'? Known here: {}", quoted(best), listed(known)),
        None if known.is_empty() => "there are none here".to_owned(),
        None => format!("known here: {}", listed(known)),
    }
}

/// One is the beginning of the other, as in `pos` and `position`.
fn starts_alike(a: &str, b: &str) -> bool {
    const ENOUGH_LETTERS: usize = 3;
    a.len().min(b.len()) >= ENOUGH_LETTERS && (a.starts_with(b) || b.starts_with(a))
}

/// Number of insertions, deletions, replacements and swaps of neighbours between two words (optimal string
/// alignment distance).
fn edits(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().collect();
    let b: Vec<char> = b.chars().collect();
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let change = usize::from(a[i - 1] != b[j - 1]);
            let mut best = (rows[i - 1][j] + 1).min(row[j - 1] + 1).min(rows[i - 1][j - 1] + change);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_recognised_and_other_words_are_not() {
        let keys = ["position", "orientation", "density", "mass"];
        assert_eq!(closest("positon", &keys), Some("position"));
        assert_eq!(closest("densitiy", &keys), Some("density"));
        assert_eq!(closest("msas", &keys), Some("mass"));
        assert_eq!(closest("pos", &keys), Some("position"));
        assert_eq!(closest("colour", &keys), None);
        assert_eq!(closest("bodies", &["body", "bodice"]), Some("body"));
        assert_eq!(closest("joints", &["join", "joint"]), Some("joint"));
    }
}
