//! Wavefront OBJ.

use super::polygon_mesh::Polygons;
use super::text::{lines, number, position, quoted, tokens};
use super::{Cause, Format, Imported, Problem};

/// Reads `v` and `f` lines; all other statements describe looks, groups, lines or curves and are skipped.
///
/// Faces may be any polygons, with `v`, `v/vt`, `v//vn` or `v/vt/vn` corners, with positive indices (also of vertices
/// that follow) or negative ones (relative to the vertices so far). A backslash continues a line.
pub fn parse(bytes: &[u8]) -> Result<Imported, Cause> {
    let mut vertices = Vec::new();
    let mut faces = Polygons::default();
    let mut joined = Vec::new();
    let mut joined_since = None;
    for (line, text) in lines(bytes) {
        if let Some(start) = text.strip_suffix(b"\\") {
            joined_since.get_or_insert(line);
            joined.extend_from_slice(start);
            joined.push(b' ');
            continue;
        }
        let line = joined_since.take().unwrap_or(line);
        joined.extend_from_slice(text);
        statement(&joined, line, &mut vertices, &mut faces)
            .map_err(|problem| Cause::Line { line, problem })?;
        joined.clear();
    }
    if vertices.is_empty() {
        return Err(Cause::NoVertices { format: Format::Obj });
    }
    let mesh = faces.into_mesh(vertices, 1, |line, problem| Cause::Line { line, problem })?;
    Ok(Imported { mesh, oddities: Vec::new() })
}

fn statement(
    text: &[u8],
    line: usize,
    vertices: &mut Vec<glam::DVec3>,
    faces: &mut Polygons,
) -> Result<(), Problem> {
    let code = text.split(|&b| b == b'#').next().unwrap_or_default();
    let mut words = tokens(code);
    match words.next() {
        Some(b"v") => {
            vertices.push(position(&mut words, vertices.len() + 1)?);
            // A weight or a colour may follow; it must be numbers all the same, or the line is no vertex.
            words.try_for_each(|word| number(word).map(drop))
        }
        Some(b"f") => {
            let corners = words.map(|word| corner(word, vertices.len())).collect::<Result<Vec<_>, _>>()?;
            faces.push(corners, line)
        }
        _ => Ok(()),
    }
}

/// The vertex index of one corner, from 0.
fn corner(word: &[u8], n_vertices: usize) -> Result<i64, Problem> {
    let token = word.split(|&b| b == b'/').next().unwrap_or_default();
    let index: i64 = std::str::from_utf8(token)
        .ok()
        .and_then(|text| text.parse().ok())
        .ok_or_else(|| Problem::BadIndex { token: quoted(token) })?;
    match index {
        0 => Err(Problem::IndexZero),
        1.. => Ok(index - 1),
        // No file in memory has 2⁶³ vertices.
        _ => match n_vertices as i64 + index {
            from_zero @ 0.. => Ok(from_zero),
            _ => Err(Problem::IndexOutOfRange { index, n_vertices }),
        },
    }
}
