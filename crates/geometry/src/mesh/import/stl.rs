//! STL, binary and text.

use glam::DVec3;

use super::text::{lines, position, quoted, split_line, tokens};
use super::{Cause, Imported, Oddity, Problem};
use crate::TriangleMesh;

/// Bytes before the triangles of a binary file: a comment of 80 and a 32-bit count.
const HEADER: usize = 84;
/// Bytes of one triangle: normal and corners in 32-bit floats, and two bytes of attributes.
const RECORD: usize = 50;

/// Reads a binary or text STL. Every triangle gets corners of its own; normals and attributes are not used.
pub fn parse(bytes: &[u8]) -> Result<Imported, Cause> {
    if is_text(bytes) { parse_text(bytes) } else { parse_binary(bytes) }
}

/// Whether the content is a text STL.
///
/// Binary files too may start with "solid": a file that has exactly the size its count asks for is binary.
pub fn is_text(bytes: &[u8]) -> bool {
    let has_keyword = |keyword: &[u8]| {
        bytes.windows(keyword.len()).take(LOOKAHEAD).any(|w| w.eq_ignore_ascii_case(keyword))
    };
    let start = bytes.trim_ascii_start();
    start.len() >= 5
        && start[..5].eq_ignore_ascii_case(b"solid")
        && announced(bytes).is_none_or(|n| size_for(n) != bytes.len() as u64)
        && (has_keyword(b"facet") || has_keyword(b"endsolid"))
}

/// How far into a file its first `facet`, or what is no text, is looked for \[bytes\]: behind any sensible name of the solid.
const LOOKAHEAD: usize = 4096;

/// The triangle count of a binary file's header.
fn announced(bytes: &[u8]) -> Option<u64> {
    let count = bytes.get(80..HEADER)?;
    Some(u64::from(u32::from_le_bytes(count.try_into().expect("the slice has four bytes"))))
}

/// Bytes of a binary file with so many triangles.
fn size_for(n_triangles: u64) -> u64 {
    HEADER as u64 + RECORD as u64 * n_triangles
}

/// The first line of a text of another kind; none for what may be binary.
///
/// The header of a binary file may be any text, but not the numbers behind it. What does begin as a text
/// STL is left to the reader of the other kind, as ever.
fn other_text(bytes: &[u8]) -> Option<String> {
    let start = bytes.trim_ascii_start();
    let head = &bytes[..bytes.len().min(LOOKAHEAD)];
    let is_text = head.iter().all(|&b| b.is_ascii_whitespace() || !b.is_ascii_control());
    let is_solid = start.get(..5).is_some_and(|word| word.eq_ignore_ascii_case(b"solid"));
    (is_text && !start.is_empty() && !is_solid).then(|| quoted(split_line(start).0.trim_ascii_end()))
}

fn parse_binary(bytes: &[u8]) -> Result<Imported, Cause> {
    let is_whole = announced(bytes).is_some_and(|n| size_for(n) <= bytes.len() as u64);
    if !is_whole && let Some(start) = other_text(bytes) {
        return Err(Cause::OtherText { start });
    }
    let announced = announced(bytes).ok_or(Cause::StlHeaderTooShort { found: bytes.len() })?;
    let body = &bytes[HEADER..];
    let complete = (body.len() / RECORD) as u64;
    if announced > complete {
        let (needed, found) = (size_for(announced), bytes.len() as u64);
        return Err(Cause::StlTooShort { announced, complete, needed, found });
    }
    let n_bytes = body.len() - RECORD * announced as usize;
    let mut oddities = Vec::new();
    let mut read = announced;
    if n_bytes > 0 && n_bytes.is_multiple_of(RECORD) {
        // Writers that stream triangles and never correct the count leave whole records behind it.
        oddities.push(Oddity::CountTooSmall { announced, found: complete });
        read = complete;
    } else if n_bytes > 0 {
        oddities.push(Oddity::TrailingBytes { n_bytes });
    }
    let mut mesh = TriangleMesh::default();
    for record in body.chunks_exact(RECORD).take(read as usize) {
        let float = |ix: usize| {
            let at = 12 + 4 * ix;
            f64::from(f32::from_le_bytes([record[at], record[at + 1], record[at + 2], record[at + 3]]))
        };
        push([0, 3, 6].map(|ix| DVec3::new(float(ix), float(ix + 1), float(ix + 2))), &mut mesh)?;
    }
    Ok(Imported { mesh, oddities })
}

fn parse_text(bytes: &[u8]) -> Result<Imported, Cause> {
    let mut mesh = TriangleMesh::default();
    let mut corners: Vec<DVec3> = Vec::new();
    let mut in_solid = false;
    let mut last = 0;
    for (line, text) in lines(bytes) {
        let mut words = tokens(text);
        let Some(word) = words.next() else { continue };
        last = line;
        let at_line = |problem| Cause::Line { line, problem };
        match word.to_ascii_lowercase().as_slice() {
            b"solid" => in_solid = true,
            b"endsolid" => in_solid = false,
            b"outer" => corners.clear(),
            b"vertex" => {
                let vertex = mesh.vertices.len() + corners.len();
                corners.push(position(&mut words, vertex).map_err(at_line)?);
            }
            b"endloop" => {
                let [a, b, c] = corners[..] else {
                    let found = corners.len();
                    return Err(at_line(match found {
                        0..3 => Problem::FewCorners { found },
                        _ => {
                            Problem::Unexpected { expected: "3 vertices", found: format!("{found} vertices") }
                        }
                    }));
                };
                push([a, b, c], &mut mesh)?;
                corners.clear();
            }
            b"facet" | b"endfacet" => {}
            _ => {
                let expected = "an STL keyword";
                return Err(at_line(Problem::Unexpected { expected, found: quoted(word) }));
            }
        }
    }
    if in_solid || !corners.is_empty() {
        return Err(Cause::EndOfText { line: last, expected: "endsolid" });
    }
    Ok(Imported { mesh, oddities: Vec::new() })
}

fn push(corners: [DVec3; 3], mesh: &mut TriangleMesh) -> Result<(), Cause> {
    let n_vertices = mesh.vertices.len() + 3;
    let end = u32::try_from(n_vertices).map_err(|_| Cause::TooManyVertices { n_vertices })?;
    mesh.vertices.extend(corners);
    mesh.triangles.push([end - 3, end - 2, end - 1]);
    Ok(())
}
