//! What the mesh doctor can say.

use std::fmt;

use glam::DVec3;

use crate::mesh::import::Oddity;
use crate::words::{counted, number, vector};

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Legal; said for completeness.
    Note,
    /// The mesh can be used, but probably is not what its maker meant.
    Warning,
}

/// Something about a mesh that can be used.
///
/// Triangles and vertices are numbered from 0 as in the mesh that was examined.
#[derive(Clone, Debug, PartialEq)]
pub enum Finding {
    /// The file is odd.
    File(Oddity),
    /// Vertices at exactly the same position were made one.
    Welded {
        /// Vertices that another one now stands for.
        n: usize,
    },
    /// Vertices that no triangle uses were dropped.
    UnusedVertices {
        /// How many.
        n: usize,
        /// The first.
        first: u32,
    },
    /// Triangles with three corners in a line; those with two corners in one point were dropped.
    ZeroAreaTriangles {
        /// How many.
        n: usize,
        /// The first.
        first: u32,
    },
    /// Edges at which more than two triangles meet, as many in one direction as in the other.
    SharedEdges {
        /// How many.
        n: usize,
        /// Ends of the first.
        first: [u32; 2],
    },
    /// Triangles that name a vertex twice; dropped.
    DegenerateTriangles {
        /// How many.
        n: usize,
        /// The first.
        first: u32,
    },
    /// Hairline cracks were closed.
    CracksWelded {
        /// Vertices that were moved onto another one.
        n: usize,
        /// Up to which distance vertices at open edges were joined \[m\].
        tolerance: f64,
    },
    /// Walls without thickness, two triangles back to back, were dropped; they enclose nothing.
    FlapsDropped {
        /// Pairs of triangles.
        n: usize,
        /// The first pair.
        first: [u32; 2],
    },
    /// The whole mesh looked inward and was turned over.
    InsideOut {
        /// Volume before \[m³\].
        signed_volume: f64,
    },
    /// Some closed parts looked inward without lying in another and were turned over.
    PartsInsideOut {
        /// Triangles turned over.
        n_triangles: usize,
        /// The first.
        first: u32,
    },
    /// Triangles that are listed more than once with the same orientation, in closed parts.
    Repeated {
        /// Triangles that another one repeats.
        n: usize,
        /// The first repetition and what it repeats.
        first: [u32; 2],
        /// Largest winding number behind them.
        winding: i32,
    },
    /// A part of the surface has a winding number other than 0 in front of it and 1 behind it.
    Overlapping {
        /// Triangles of such parts.
        n_triangles: usize,
        /// The first.
        first: u32,
        /// Winding number behind it.
        winding: i32,
    },
    /// Triangles cross each other.
    SelfIntersecting {
        /// Pairs that cross.
        n_pairs: usize,
        /// Whether all pairs were looked at; otherwise there may be more.
        is_complete: bool,
        /// The first pair.
        first: [u32; 2],
        /// Where it is: the centroid of the pair's first triangle \[m\].
        near: DVec3,
    },
    /// Triangles lie so close together that not all were compared with one another.
    SearchEnded {
        /// Triangles that were compared with the others only, not with one another.
        n_left: usize,
        /// Triangles of the mesh.
        n: usize,
    },
    /// So many parts lie within others that some were not looked at to see whether they look inward.
    PartsNotExamined {
        /// How many.
        n: usize,
        /// Parts of the mesh, taken apart where more than two triangles meet in an edge.
        of: usize,
    },
    /// The mesh is closed and encloses nothing.
    NoVolume,
    /// Too small or too large for 32-bit numbers.
    OutOfRange32 {
        /// Diagonal of the box \[m\].
        size: f64,
    },
    /// So far from the origin that 32-bit coordinates of the mesh's frame could not tell vertices apart.
    FarFromOrigin {
        /// Vertices that would have the same 32-bit position as another one.
        n: usize,
        /// Distance of the box's centre from the origin \[m\].
        distance: f64,
        /// Diagonal of the box \[m\].
        size: f64,
    },
    /// Vertices closer together than the 32-bit resolution of the packed mesh.
    FineDetail {
        /// Vertices that have the same packed position as another one.
        n: usize,
    },
}

impl Finding {
    /// How much it matters.
    pub fn severity(&self) -> Severity {
        match self {
            Self::Welded { .. }
            | Self::UnusedVertices { .. }
            | Self::ZeroAreaTriangles { .. }
            | Self::SharedEdges { .. }
            | Self::SearchEnded { .. }
            | Self::FineDetail { .. } => Severity::Note,
            _ => Severity::Warning,
        }
    }
}

/// What follows messages that name a vertex or a triangle by its number: mesh files count in different ways, and messages
/// about lines count as their file does.
const FROM_ZERO: &str = " (vertices and triangles counted from 0)";

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.describe(f)?;
        f.write_str(if self.names_a_place() { FROM_ZERO } else { "" })
    }
}

impl Finding {
    fn names_a_place(&self) -> bool {
        matches!(
            self,
            Self::UnusedVertices { .. }
                | Self::ZeroAreaTriangles { .. }
                | Self::SharedEdges { .. }
                | Self::DegenerateTriangles { .. }
                | Self::FlapsDropped { .. }
                | Self::PartsInsideOut { .. }
                | Self::Repeated { .. }
                | Self::Overlapping { .. }
                | Self::SelfIntersecting { .. }
        )
    }

    fn describe(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(oddity) => write!(f, "{oddity}"),
            Self::Welded { n } => write!(f, "{} at the position of another one welded to it", vertices(*n)),
            Self::UnusedVertices { n, first } => {
                write!(f, "{} that no triangle uses dropped, first vertex {first}", vertices(*n))
            }
            Self::ZeroAreaTriangles { n, first } => {
                write!(f, "{n} zero-area triangle{}, first triangle {first}", plural(*n))
            }
            Self::SharedEdges { n, first: [a, b] } => {
                write!(
                    f,
                    "{n} non-manifold edge{}, closed all the same, first between vertices {a} and {b}",
                    plural(*n)
                )
            }
            Self::DegenerateTriangles { n, first } => {
                write!(
                    f,
                    "{n} degenerate triangle{} dropped that use a vertex twice, first triangle {first}",
                    plural(*n)
                )
            }
            Self::CracksWelded { n, tolerance } => write!(
                f,
                "not closed by exact positions: hairline cracks closed by welding {} within {tolerance:.1e}",
                vertices(*n)
            ),
            Self::FlapsDropped { n, first: [a, b] } => write!(
                f,
                "non-manifold edges: {n} doubled wall{} without thickness dropped, first triangles {a} and {b} back to back",
                plural(*n)
            ),
            Self::InsideOut { signed_volume } => {
                write!(f, "oriented inward (signed volume {}): turned over", number(*signed_volume))
            }
            Self::PartsInsideOut { n_triangles, first } => write!(
                f,
                "parts that lie in no other are oriented inward: {} turned over, first triangle {first}",
                triangles(*n_triangles)
            ),
            Self::Repeated { n, first: [copy, of], winding } => write!(
                f,
                "overlaps itself: {} listed again, first triangle {copy} as a copy of {of}; what they enclose counts with its \
                 winding number {winding}",
                triangles(*n)
            ),
            Self::Overlapping { n_triangles, first, winding } => write!(
                f,
                "overlaps itself: {} inside another part with the same orientation, first triangle {first}; what they enclose \
                 counts with winding number {winding}",
                triangles(*n_triangles)
            ),
            Self::SelfIntersecting { n_pairs, is_complete, first, near } => {
                write_crossings(f, (*n_pairs, *is_complete), *first, *near)
            }
            Self::SearchEnded { n_left, n } => write_not_compared(f, *n_left, *n),
            Self::PartsNotExamined { n, of } => write_not_examined(f, *n, *of),
            Self::NoVolume => f.write_str("zero thickness: volume is zero, so nothing can overlap it"),
            Self::OutOfRange32 { size } => {
                let extreme = if *size < 1.0 { "small" } else { "large" };
                write!(
                    f,
                    "too {extreme} for 32-bit numbers (size {size:.3e}): a device cannot represent it; scale it"
                )
            }
            Self::FarFromOrigin { n, distance, size } => write!(
                f,
                "far from the origin (size {size:.3e} at distance {distance:.3e}): in 32-bit coordinates {} would fall \
                 together; kept in 64 bits",
                vertices(*n)
            ),
            Self::FineDetail { n } => {
                let n = vertices(*n);
                write!(f, "32-bit packing about the mesh's centre lays {n} on another one")
            }
        }
    }
}

/// Writes the message about triangles that were not compared.
fn write_not_compared(f: &mut fmt::Formatter<'_>, n: usize, of: usize) -> fmt::Result {
    write!(
        f,
        "{n} of {of} triangles lie too close together to be compared with one another: crossings among them were not \
         searched for"
    )
}

/// Writes the message about parts that may look either way.
fn write_not_examined(f: &mut fmt::Formatter<'_>, n: usize, of: usize) -> fmt::Result {
    write!(
        f,
        "too many parts that touch or lie within the bounds of others: {n} of {of} parts were not examined for looking \
         inward; they are used as they stand"
    )
}

/// Writes the message about triangles that cross.
fn write_crossings(
    f: &mut fmt::Formatter<'_>,
    (n, is_complete): (usize, bool),
    [a, b]: [u32; 2],
    near: DVec3,
) -> fmt::Result {
    let at_least = if is_complete { "" } else { "at least " };
    write!(
        f,
        "intersects itself: {at_least}{n} pair{} of triangles cross, first {a} and {b} near ",
        plural(n)
    )?;
    write!(f, "{}; parts that are enclosed twice count twice", vector(near))
}

/// Why a mesh encloses no volume that could be computed.
///
/// Triangles and vertices are numbered from 0 as in the mesh that was examined.
#[derive(Clone, Debug, PartialEq)]
pub enum Defect {
    /// Nothing to examine.
    NoTriangles,
    /// A triangle names a vertex that does not exist.
    IndexOutOfRange {
        /// The triangle.
        triangle: u32,
        /// The index it names.
        index: u32,
        /// Vertices there are.
        n_vertices: usize,
    },
    /// Coordinates that are NaN or infinite.
    NotFinite {
        /// Vertices that have such.
        n: usize,
        /// The first.
        first: u32,
    },
    /// So large that volume or inertia overflow 64-bit numbers.
    TooLarge {
        /// Diagonal of the box \[m\].
        size: f64,
    },
    /// Triangles that are listed twice, so that edges have an odd number of faces.
    DuplicateFaces {
        /// Triangles that another one repeats.
        n: usize,
        /// The first repetition and what it repeats.
        first: [u32; 2],
        /// Edges left with too many faces.
        n_edges: usize,
    },
    /// Edges with an odd number of triangles.
    NotClosed {
        /// How many.
        n_edges: usize,
        /// Among them those with three triangles or more.
        n_crowded: usize,
        /// Ends of the first.
        first: [u32; 2],
        /// Their positions \[m\].
        at: [DVec3; 2],
    },
    /// Triangles turned over against their neighbours.
    Misoriented {
        /// Edges used more often in one direction than in the other, though by an even number of triangles.
        n_edges: usize,
        /// Fewest triangles that would have to be turned over.
        n_triangles: usize,
        /// The first of them.
        first: u32,
    },
    /// No choice of orientations fits, as on a Klein bottle.
    NotOrientable {
        /// A triangle at which the contradiction shows.
        first: u32,
        /// Triangles of the surfaces that have none.
        n_triangles: usize,
    },
}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoTriangles => f.write_str("no triangles"),
            Self::IndexOutOfRange { triangle, index, n_vertices } => {
                write!(
                    f,
                    "triangle {triangle}: vertex index {index} out of range ({})",
                    vertices(*n_vertices)
                )
            }
            Self::NotFinite { n: 1, first } => write!(f, "vertex {first} is not finite"),
            Self::NotFinite { n, first } => write!(f, "vertex {first} is not finite ({n} vertices in all)"),
            Self::TooLarge { size } => {
                write!(f, "too large (size {size:.3e}): its volume or inertia overflows")
            }
            Self::DuplicateFaces { n, first: [copy, of], n_edges } => {
                write!(f, "duplicate face: triangle {copy} is a copy of face {of}")?;
                if *n > 1 {
                    write!(f, " ({n} copies in all)")?;
                }
                write!(
                    f,
                    "; {} {} three faces or another odd number",
                    edges(*n_edges),
                    if *n_edges == 1 { "has" } else { "have" }
                )
            }
            Self::NotClosed { n_edges, n_crowded, first: [a, b], at: [x, y] } => {
                if n_crowded == n_edges {
                    write!(f, "not closed: {} with an odd number of faces", edges(*n_edges))?;
                } else {
                    write!(
                        f,
                        "not closed: {} boundary edge{}",
                        n_edges - n_crowded,
                        plural(n_edges - n_crowded)
                    )?;
                    if *n_crowded > 0 {
                        write!(f, " and {n_crowded} with three faces or another odd number")?;
                    }
                }
                write!(f, ", first between vertices {a} and {b}, from {} to {}", vector(*x), vector(*y))
            }
            Self::Misoriented { n_edges, n_triangles, first } => write!(
                f,
                "not consistently oriented: {n_edges} edge{} used twice in the same direction, {n_triangles} triangle{} turned \
                 over, first near face {first}",
                plural(*n_edges),
                plural(*n_triangles)
            ),
            Self::NotOrientable { first, n_triangles } => write!(
                f,
                "no consistent orientation exists for a surface of {} (it has one side, as a Klein bottle has): the \
                 contradiction shows at face {first}",
                triangles(*n_triangles)
            ),
        }
    }
}

/// Why a mesh was refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}", listed(defects))]
pub struct MeshError {
    /// At least one; the first is the cause to look at first.
    pub defects: Vec<Defect>,
    /// What else was found before.
    pub findings: Vec<Finding>,
}

fn listed(defects: &[Defect]) -> String {
    let names_a_place = |defect: &Defect| !matches!(defect, Defect::NoTriangles | Defect::TooLarge { .. });
    let text = defects.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
    if defects.iter().any(names_a_place) { text + FROM_ZERO } else { text }
}

fn vertices(n: usize) -> String {
    counted(n as u64, "vertex", "vertices")
}

fn triangles(n: usize) -> String {
    counted(n as u64, "triangle", "triangles")
}

fn edges(n: usize) -> String {
    counted(n as u64, "edge", "edges")
}

fn plural(n: usize) -> &'static str {
    if n == 1 { "" } else { "s" }
}
