//! PLY, text and binary of either byte order.

use glam::DVec3;

use super::polygon_mesh::Polygons;
use super::text::{number, quoted, split_line, tokens};
use super::{Cause, Format, Imported, Oddity, Problem};

/// Reads the elements `vertex` (properties x, y and z of any type) and `face` (a list property `vertex_indices` or
/// `vertex_index`); other elements and properties are stepped over.
pub fn parse(bytes: &[u8]) -> Result<Imported, Cause> {
    let (header, body) = parse_header(bytes)?;
    let mut body = Body { encoding: header.encoding, rest: body, line: header.n_lines };
    let mut vertices = Vec::new();
    let mut faces = Polygons::default();
    for element in &header.elements {
        match element.name.as_str() {
            "vertex" => read_vertices(element, &mut body, &mut vertices)?,
            "face" => read_faces(element, &mut body, &mut faces)?,
            _ => body.each(element, |_, _| Ok(()))?,
        }
    }
    if vertices.is_empty() {
        return Err(Cause::NoVertices { format: Format::Ply });
    }
    let mesh = faces.into_mesh(vertices, 0, |number, problem| Cause::Element {
        element: "face".to_owned(),
        number,
        problem,
    })?;
    let n_bytes = match header.encoding {
        Encoding::Text => body.rest.trim_ascii().len(),
        Encoding::LittleEndian | Encoding::BigEndian => body.rest.len(),
    };
    let oddities = if n_bytes > 0 { vec![Oddity::TrailingBytes { n_bytes }] } else { Vec::new() };
    Ok(Imported { mesh, oddities })
}

#[derive(Clone, Copy)]
enum Encoding {
    Text,
    LittleEndian,
    BigEndian,
}

struct Header {
    encoding: Encoding,
    elements: Vec<Element>,
    n_lines: usize,
}

struct Element {
    name: String,
    count: u64,
    properties: Vec<Property>,
}

impl Element {
    fn property(&self, names: &[&str]) -> Option<usize> {
        self.properties.iter().position(|p| names.contains(&p.name.as_str()))
    }
}

struct Property {
    name: String,
    /// Type of a list's length; none for a single value.
    length: Option<Scalar>,
    value: Scalar,
}

#[derive(Clone, Copy)]
enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Scalar {
    fn of_name(name: &[u8]) -> Option<Self> {
        Some(match name {
            b"char" | b"int8" => Self::I8,
            b"uchar" | b"uint8" => Self::U8,
            b"short" | b"int16" => Self::I16,
            b"ushort" | b"uint16" => Self::U16,
            b"int" | b"int32" => Self::I32,
            b"uint" | b"uint32" => Self::U32,
            b"float" | b"float32" => Self::F32,
            b"double" | b"float64" => Self::F64,
            _ => return None,
        })
    }

    fn is_integer(self) -> bool {
        !matches!(self, Self::F32 | Self::F64)
    }

    fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }

    /// The value of a big-endian byte pattern of this type's size; every type fits an f64 exactly.
    fn decode(self, be: [u8; 8]) -> f64 {
        let [a, b, c, d, ..] = be;
        match self {
            Self::I8 => f64::from(a.cast_signed()),
            Self::U8 => f64::from(a),
            Self::I16 => f64::from(i16::from_be_bytes([a, b])),
            Self::U16 => f64::from(u16::from_be_bytes([a, b])),
            Self::I32 => f64::from(i32::from_be_bytes([a, b, c, d])),
            Self::U32 => f64::from(u32::from_be_bytes([a, b, c, d])),
            Self::F32 => f64::from(f32::from_be_bytes([a, b, c, d])),
            Self::F64 => f64::from_be_bytes(be),
        }
    }
}

fn parse_header(bytes: &[u8]) -> Result<(Header, &[u8]), Cause> {
    let mut rest = bytes;
    let mut encoding = None;
    let mut elements: Vec<Element> = Vec::new();
    // All lines of a header end as its first does: a binary body may begin with the byte of a line break.
    let (first, _) = split_line(bytes);
    let is_old_mac = bytes[first.len()..].starts_with(b"\r") && !bytes[first.len()..].starts_with(b"\r\n");
    let line_end = if is_old_mac { b'\r' } else { b'\n' };
    for line in 1.. {
        let Some(end) = rest.iter().position(|&b| b == line_end) else {
            return Err(Cause::NoEndHeader { line });
        };
        let text = rest[..end].trim_ascii();
        rest = &rest[end + 1..];
        let words: Vec<&[u8]> = tokens(text).collect();
        let unexpected =
            |expected| Cause::Line { line, problem: Problem::Unexpected { expected, found: quoted(text) } };
        match words[..] {
            [b"ply"] if line == 1 => {}
            _ if line == 1 => return Err(unexpected("\"ply\"")),
            [b"end_header"] => {
                let encoding = encoding.ok_or_else(|| Cause::PlyHeader("no format line".to_owned()))?;
                return Ok((Header { encoding, elements, n_lines: line }, rest));
            }
            [] | [b"comment" | b"obj_info", ..] => {}
            [b"format", name, _version] => {
                encoding = Some(match name {
                    b"ascii" => Encoding::Text,
                    b"binary_little_endian" => Encoding::LittleEndian,
                    b"binary_big_endian" => Encoding::BigEndian,
                    _ => return Err(unexpected("a known format")),
                });
            }
            [b"element", name, count] => {
                let count = std::str::from_utf8(count).ok().and_then(|text| text.parse().ok());
                elements.push(Element {
                    name: quoted(name),
                    count: count.ok_or_else(|| unexpected("an element count"))?,
                    properties: Vec::new(),
                });
            }
            [b"property", ref words @ ..] => {
                let property = parse_property(words).ok_or_else(|| unexpected("a property"))?;
                let element = elements.last_mut().ok_or_else(|| unexpected("an element"))?;
                element.properties.push(property);
            }
            _ => return Err(unexpected("a PLY header line")),
        }
    }
    unreachable!("the line counter does not end before the file")
}

fn parse_property(words: &[&[u8]]) -> Option<Property> {
    let (length, value, name) = match *words {
        [b"list", length, value, name] => {
            (Some(Scalar::of_name(length).filter(|l| l.is_integer())?), value, name)
        }
        [value, name] => (None, value, name),
        _ => return None,
    };
    let name = String::from_utf8_lossy(name).into_owned();
    Some(Property { name, length, value: Scalar::of_name(value)? })
}

fn read_vertices(element: &Element, body: &mut Body<'_>, vertices: &mut Vec<DVec3>) -> Result<(), Cause> {
    let mut axes = [0; 3];
    for (axis, name) in axes.iter_mut().zip(["x", "y", "z"]) {
        let ix = element.property(&[name]).filter(|&ix| element.properties[ix].length.is_none());
        *axis = ix.ok_or_else(|| Cause::PlyHeader(format!("element vertex has no property {name}")))?;
    }
    body.each(element, |_, values| {
        vertices.push(DVec3::from(axes.map(|axis| values.of(axis)[0])));
        Ok(())
    })
}

fn read_faces(element: &Element, body: &mut Body<'_>, faces: &mut Polygons) -> Result<(), Cause> {
    if element.count == 0 {
        return Ok(());
    }
    let list = element
        .property(&["vertex_indices", "vertex_index"])
        .filter(|&ix| element.properties[ix].length.is_some() && element.properties[ix].value.is_integer())
        .ok_or_else(|| Cause::PlyHeader("element face has no integer list vertex_indices".to_owned()))?;
    body.each(element, |number, values| faces.push(values.of(list).iter().map(|&ix| ix as i64), number))
}

/// The values of one element, one property after the other.
#[derive(Default)]
struct Values {
    all: Vec<f64>,
    /// End of each property in `all`.
    ends: Vec<usize>,
}

impl Values {
    fn of(&self, property: usize) -> &[f64] {
        let start = if property == 0 { 0 } else { self.ends[property - 1] };
        &self.all[start..self.ends[property]]
    }
}

/// What of the file follows the header and has not been read yet.
struct Body<'a> {
    encoding: Encoding,
    rest: &'a [u8],
    /// Lines read so far, for text.
    line: usize,
}

impl Body<'_> {
    /// Reads all elements of one kind; `take` gets the number of each and its values.
    fn each(
        &mut self,
        element: &Element,
        mut take: impl FnMut(usize, &Values) -> Result<(), Problem>,
    ) -> Result<(), Cause> {
        // An element without properties takes no bytes, whatever its count says.
        if element.properties.is_empty() {
            return Ok(());
        }
        let mut values = Values::default();
        for ix in 0..element.count {
            let read = match self.encoding {
                Encoding::Text => self.read_text(element, &mut values)?,
                Encoding::LittleEndian => self.read_binary::<true>(element, &mut values),
                Encoding::BigEndian => self.read_binary::<false>(element, &mut values),
            };
            if read.is_none() {
                let (element, announced) = (element.name.clone(), element.count);
                return Err(Cause::EndInElement { element, announced, complete: ix });
            }
            // As many elements as were read lie in memory, so the number fits.
            let number = ix as usize;
            take(number, &values).map_err(|problem| match self.encoding {
                Encoding::Text => Cause::Line { line: self.line, problem },
                _ => Cause::Element { element: element.name.clone(), number, problem },
            })?;
        }
        Ok(())
    }

    /// Reads one element; none where the file ends before it does.
    fn read_binary<const LITTLE: bool>(&mut self, element: &Element, values: &mut Values) -> Option<()> {
        let mut rest = self.rest;
        let mut scalar = |kind: Scalar| {
            let (bytes, after) = rest.split_at_checked(kind.size())?;
            rest = after;
            let mut be = [0; 8];
            be[..bytes.len()].copy_from_slice(bytes);
            if LITTLE {
                be[..bytes.len()].reverse();
            }
            Some(kind.decode(be))
        };
        values.all.clear();
        values.ends.clear();
        for property in &element.properties {
            // A negative length is an empty list; a length that exceeds the file ends with the file.
            let n = property.length.map_or(Some(1.0), &mut scalar)?;
            for _ in 0..n as u64 {
                values.all.push(scalar(property.value)?);
            }
            values.ends.push(values.all.len());
        }
        self.rest = rest;
        Some(())
    }

    /// Reads the line of one element, stepping over blank ones; none at the end of the file.
    fn read_text(&mut self, element: &Element, values: &mut Values) -> Result<Option<()>, Cause> {
        let text = loop {
            if self.rest.is_empty() {
                return Ok(None);
            }
            let (text, after) = split_line(self.rest);
            let text = text.trim_ascii();
            self.rest = after.unwrap_or_default();
            self.line += 1;
            if !text.is_empty() {
                break text;
            }
        };
        text_values(text, element, values)
            .map_err(|problem| Cause::Line { line: self.line, problem })
            .map(Some)
    }
}

fn text_values(text: &[u8], element: &Element, values: &mut Values) -> Result<(), Problem> {
    let mut words = tokens(text);
    let mut n_words = 0;
    let mut next = |kind: Scalar, needed: usize| {
        let word = words.next().ok_or(Problem::TooFew { what: "values", needed, found: n_words })?;
        n_words += 1;
        let value = number(word)?;
        // The fraction of NaN and of infinity is NaN.
        let is_of_kind = !kind.is_integer() || value.fract() == 0.0;
        if is_of_kind { Ok(value) } else { Err(Problem::BadNumber { token: quoted(word) }) }
    };
    values.all.clear();
    values.ends.clear();
    // A list of length zero still takes the word that says so.
    let mut needed = element.properties.len();
    for property in &element.properties {
        let mut n = 1;
        if let Some(length) = property.length {
            n = next(length, needed)? as usize;
            needed = needed.saturating_add(n);
        }
        for _ in 0..n {
            values.all.push(next(property.value, needed)?);
        }
        values.ends.push(values.all.len());
    }
    Ok(())
}
