//! Text formats: lines, tokens and the numbers that they stand for.

use glam::DVec3;

use super::error::Problem;
use crate::words;

/// The lines of a text file, from 1, without their line breaks (`\n`, `\r\n`, or `\r` as old Macs wrote them).
pub fn lines(bytes: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut rest = Some(bytes);
    let next = move || {
        let (line, after) = split_line(rest?);
        rest = after;
        Some(line)
    };
    std::iter::from_fn(next).zip(1..).map(|(line, number)| (number, line.trim_ascii()))
}

/// The first line, and what follows its line break; none where there is no line break.
pub fn split_line(bytes: &[u8]) -> (&[u8], Option<&[u8]>) {
    let Some(end) = bytes.iter().position(|b| matches!(b, b'\n' | b'\r')) else { return (bytes, None) };
    let n_break = if bytes[end..].starts_with(b"\r\n") { 2 } else { 1 };
    (&bytes[..end], Some(&bytes[end + n_break..]))
}

/// The tokens of a line, separated by blanks or tabs.
pub fn tokens(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|token| !token.is_empty())
}

/// A token for an error message: readable, and short even where the file is garbage.
pub fn quoted(token: &[u8]) -> String {
    words::quoted(&String::from_utf8_lossy(token))
}

/// A token as an f64.
pub fn number(token: &[u8]) -> Result<f64, Problem> {
    std::str::from_utf8(token)
        .ok()
        .and_then(|text| text.parse().ok())
        .ok_or_else(|| Problem::BadNumber { token: quoted(token) })
}

/// Three coordinates from the next three tokens; `vertex` is how the file counts the vertex.
pub fn position<'a>(tokens: &mut impl Iterator<Item = &'a [u8]>, vertex: usize) -> Result<DVec3, Problem> {
    let mut xyz = [0.0; 3];
    for (found, x) in xyz.iter_mut().enumerate() {
        let token = tokens.next().ok_or(Problem::TooFew { what: "coordinates", needed: 3, found })?;
        *x = number(token)?;
    }
    let position = DVec3::from(xyz);
    if position.is_finite() { Ok(position) } else { Err(Problem::NotFinite { vertex }) }
}
