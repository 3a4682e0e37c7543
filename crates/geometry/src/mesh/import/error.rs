//! Why a mesh file could not be read.

use std::path::PathBuf;

use super::format::Format;
use crate::file::ReadError;
use crate::words;

/// So many vertices, in words.
pub(super) fn vertices(n: usize) -> String {
    words::counted(n as u64, "vertex", "vertices")
}

/// Why a mesh file could not be read.
#[derive(Debug, thiserror::Error)]
#[error("{}: {cause}", words::path(path))]
pub struct ImportError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub cause: Cause,
}

/// What is wrong with a mesh file. Lines count from 1, elements from 0.
#[derive(Debug, thiserror::Error)]
pub enum Cause {
    /// The file could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// No bytes.
    #[error("empty file")]
    Empty,
    /// Neither the name nor the first bytes tell the format.
    #[error("unknown mesh format (known are .obj, .stl, .ply, .gltf and .glb)")]
    UnknownFormat,
    /// The content belongs to another format than the name.
    #[error("not {} file: its content is {found}", expected.with_article())]
    WrongFormat {
        /// Format by file name.
        expected: Format,
        /// Format by content.
        found: Format,
    },
    /// Nothing in the file is a vertex.
    #[error("not {} file: no vertices", format.with_article())]
    NoVertices {
        /// Format by file name.
        format: Format,
    },
    /// Vertices but no triangles.
    #[error("no triangles ({})", vertices(*.n_vertices))]
    NoTriangles {
        /// Vertices found.
        n_vertices: usize,
    },
    /// A line of a text file is wrong.
    #[error("line {line}: {problem}")]
    Line {
        /// Line number from 1.
        line: usize,
        /// What is wrong in it.
        problem: Problem,
    },
    /// An element of a binary file is wrong.
    #[error("{element} {number}: {problem}")]
    Element {
        /// Kind of element, such as `face`.
        element: String,
        /// Its number from 0.
        number: usize,
        /// What is wrong with it.
        problem: Problem,
    },
    /// A text that is no STL.
    #[error("not an STL file: a text that begins with \"{start}\", not with \"solid\"")]
    OtherText {
        /// Its first line with something in it.
        start: String,
    },
    /// A binary STL ends before its announced end.
    #[error(
        "file too short for its triangle count: {announced} triangles announced ({needed} bytes), \
         {complete} complete ({found} bytes)"
    )]
    StlTooShort {
        /// Triangles announced.
        announced: u64,
        /// Triangles present in full.
        complete: u64,
        /// Bytes needed for the announced count.
        needed: u64,
        /// Bytes found.
        found: u64,
    },
    /// Too short to hold even the header.
    #[error("file too short for a binary STL header: {found} bytes of 84")]
    StlHeaderTooShort {
        /// Bytes found.
        found: usize,
    },
    /// The header of a PLY file never ends.
    #[error("no end_header: the PLY header breaks off in line {line}")]
    NoEndHeader {
        /// Line in which the file ends.
        line: usize,
    },
    /// A PLY header lacks something a mesh needs.
    #[error("PLY header: {0}")]
    PlyHeader(String),
    /// The file ends inside an element.
    #[error("unexpected end of file in element {element}: {announced} announced, {complete} complete")]
    EndInElement {
        /// Kind of element.
        element: String,
        /// Elements announced.
        announced: u64,
        /// Elements present in full.
        complete: u64,
    },
    /// A text file stops in the middle.
    #[error("unexpected end of file after line {line}: {expected} expected")]
    EndOfText {
        /// Last line present.
        line: usize,
        /// What should have followed.
        expected: &'static str,
    },
    /// A glTF file is malformed or uses what is not supported.
    #[error("glTF: {0}")]
    Gltf(String),
    /// More vertices than 32-bit indices can name.
    #[error("{n_vertices} vertices are more than 32-bit indices can name")]
    TooManyVertices {
        /// Vertices found.
        n_vertices: usize,
    },
}

/// What is wrong with one line or element.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// A token that should be a number is none.
    #[error("bad number \"{token}\"")]
    BadNumber {
        /// The token.
        token: String,
    },
    /// A token that should be an index is none, or does not fit 64 bits.
    #[error("bad index \"{token}\"")]
    BadIndex {
        /// The token.
        token: String,
    },
    /// OBJ counts from 1.
    #[error("index 0 (OBJ counts from 1)")]
    IndexZero,
    /// An index that no vertex has.
    #[error("vertex index {index} out of range ({})", vertices(*.n_vertices))]
    IndexOutOfRange {
        /// The index as the file has it.
        index: i64,
        /// Vertices in the file.
        n_vertices: usize,
    },
    /// A coordinate that is NaN or infinite, or overflows 64 bits.
    #[error("vertex {vertex} is not finite")]
    NotFinite {
        /// The vertex as the file counts it.
        vertex: usize,
    },
    /// Too few values.
    #[error("{found} of {needed} {what}")]
    TooFew {
        /// Kind of value.
        what: &'static str,
        /// Values needed.
        needed: usize,
        /// Values found.
        found: usize,
    },
    /// A face without three corners.
    #[error("face with fewer than 3 vertices ({found})")]
    FewCorners {
        /// Corners found.
        found: usize,
    },
    /// Something else was due here.
    #[error("{expected} expected, found \"{found}\"")]
    Unexpected {
        /// What was due.
        expected: &'static str,
        /// What stands there.
        found: String,
    },
}
