//! What a repair did, and why one was refused.

use std::fmt;

use glam::DVec3;

use crate::Aabb;
use crate::mesh::check::MeshError;
use crate::words::{counted, number, percent, vector};

/// What kind of fault was mended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MendKind {
    /// Facets with two corners in one point were dropped.
    DegenerateFacets,
    /// Facets that repeat another one were dropped.
    DuplicateFacets,
    /// Facets back to back, which enclose nothing, were dropped.
    DoubledWall,
    /// Facets that belong to no closed surface, fins and walls within, were dropped.
    LooseFacets,
    /// A gap narrower than the weld tolerance was closed.
    Crack,
    /// A hole was filled.
    Hole,
    /// Single facets that looked the other way than their neighbours were turned over.
    TurnedFacets,
    /// A shell that looked inward was turned over.
    TurnedShell,
    /// A shell within another one that looked outward was made a cavity.
    Cavity,
    /// Shells, or parts of one, that went through each other were united.
    United,
}

impl MendKind {
    /// Its name in reports for programs.
    pub fn name(self) -> &'static str {
        match self {
            Self::DegenerateFacets => "degenerate_facets",
            Self::DuplicateFacets => "duplicate_facets",
            Self::DoubledWall => "doubled_wall",
            Self::LooseFacets => "loose_facets",
            Self::Crack => "crack",
            Self::Hole => "hole",
            Self::TurnedFacets => "turned_facets",
            Self::TurnedShell => "turned_shell",
            Self::Cavity => "cavity",
            Self::United => "united",
        }
    }
}

/// One thing that was mended. Lengths are in the unit of the mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Mend {
    /// What it was.
    pub kind: MendKind,
    /// How many: facets; of a crack vertices, of a hole edges round it, of united ones pairs of facets that crossed.
    pub n: usize,
    /// The middle of its bounding box.
    pub at: DVec3,
    /// Its size: of a crack the largest width, of a hole the largest distance of two of its corners, else the diagonal of
    /// the bounding box.
    pub size: f64,
    /// Length of the rim of a hole.
    pub perimeter: Option<f64>,
}

impl Mend {
    /// A mend of so many facets with these corners.
    pub(super) fn of(kind: MendKind, n: usize, corners: impl IntoIterator<Item = DVec3>) -> Self {
        let aabb = Aabb::from_points(corners);
        Self { kind, n, at: aabb.center(), size: aabb.diagonal(), perimeter: None }
    }
}

impl fmt::Display for Mend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let facets = counted(self.n as u64, "facet", "facets");
        let size = number(self.size);
        match self.kind {
            MendKind::DegenerateFacets => {
                write!(f, "{facets} without three different corners dropped, first")
            }
            MendKind::DuplicateFacets => write!(f, "{facets} listed again dropped, within {size}"),
            MendKind::DoubledWall => write!(f, "{facets} back to back with another dropped, within {size}"),
            MendKind::LooseFacets => write!(f, "{facets} of no closed surface dropped, size {size}"),
            MendKind::Crack => {
                let n = counted(self.n as u64, "vertex", "vertices");
                write!(f, "crack up to {size} wide closed at {n},")
            }
            MendKind::Hole => {
                let perimeter = number(self.perimeter.unwrap_or(0.0));
                write!(f, "hole of {} edges filled, diameter {size}, perimeter {perimeter},", self.n)
            }
            MendKind::TurnedFacets => write!(f, "{facets} turned over, within {size}"),
            MendKind::TurnedShell => {
                write!(f, "shell of {facets} that looked inward turned over, size {size}")
            }
            MendKind::Cavity => {
                write!(f, "shell of {facets} within another made a cavity, size {size}")
            }
            MendKind::United => {
                let n = counted(self.n as u64, "pair", "pairs");
                write!(f, "surfaces that crossed united: {n} of facets within {size}")
            }
        }?;
        write!(f, " at {}", vector(self.at))
    }
}

/// What may be wrong about a mended mesh and nobody can tell. Lengths and volumes are in the unit of the mesh.
#[derive(Clone, Debug, PartialEq)]
pub enum Doubt {
    /// Ends alike were closed between which a part may be missing.
    Ends(Ends),
    /// Closed parts within others that looked outward were made cavities; they may be solid.
    Cavities {
        /// How many.
        n: usize,
        /// The middle of the box of the largest, and its diagonal.
        at: DVec3,
        /// Its size.
        size: f64,
        /// Volume of all of them.
        volume: f64,
    },
    /// Parts with holes that were filled looked inward, with nothing around them, and were turned over; other parts of the file look outward.
    Turned {
        /// How many holes of such parts were filled.
        n: usize,
        /// The middle of the box of the largest hole.
        at: DVec3,
        /// Its diameter.
        diameter: f64,
    },
    /// What would be refused without a limit for holes that was given.
    Allowed(Box<RepairError>),
    /// Holes were closed that may be the two mouths of bores without a wall, too small to be refused.
    Bores {
        /// How many bores.
        n: usize,
        /// The middles of the boxes of both holes of the largest.
        at: [DVec3; 2],
        /// The diameter of that.
        diameter: f64,
    },
    /// Surfaces cross here and there, could not be united, and were left as they are.
    Folds {
        /// Pairs of facets that cross.
        n: usize,
        /// The middle of the box around them.
        at: DVec3,
        /// Its diagonal.
        size: f64,
        /// What they may enclose twice at most.
        volume: f64,
    },
    /// Holes were closed as the surface goes on there that have the form of mouths of bores or pockets.
    Mouths {
        /// How many.
        n: usize,
        /// The middle of the box of the largest.
        at: DVec3,
        /// Its diameter.
        diameter: f64,
    },
    /// What was united had parts that look inward with nothing around them, as half of a bow does; they are not in the result.
    Inverted {
        /// The middle of the box of what crossed.
        at: DVec3,
        /// The box's diagonal.
        size: f64,
        /// Their volume.
        volume: f64,
    },
}

/// What ends that were closed flat belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndsOf {
    /// One piece that is not straight: a bent tube, or a ring that has lost a part.
    BentPiece,
    /// Two pieces, which face each other there: two rods on one axis, or one that has lost its middle.
    TwoPieces,
}

/// Two or more ends alike that were closed flat.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ends {
    /// What they belong to.
    pub of: EndsOf,
    /// The middles of the boxes of two of them.
    pub at: [DVec3; 2],
    /// The diameter of one.
    pub diameter: f64,
    /// Pairs of such ends of the piece.
    pub n_pairs: usize,
}

impl fmt::Display for Ends {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b] = self.at.map(vector);
        let more = match self.n_pairs {
            1 => String::new(),
            n => format!(", and {} more pairs of ends of it", n - 1),
        };
        let ends = format!("of diameter {} at {a} and {b}{more}", number(self.diameter));
        match self.of {
            EndsOf::BentPiece => write!(
                f,
                "two ends alike of one piece, {ends}, are closed flat: right for a bent tube; if a part between them is missing, as of \
                 a ring, so it is in the result"
            ),
            EndsOf::TwoPieces => write!(
                f,
                "ends alike of two pieces face each other, {ends}, and are closed flat: right for two rods; if the middle of one is \
                 missing, so it is in the result"
            ),
        }
    }
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ends(ends) => ends.fmt(f),
            Self::Cavities { n, at, size, volume } => write!(
                f,
                "{} within others looked outward, the largest of size {} at {}: made cavities, of volume {} together, which is \
                 missing from the result if they are solid",
                counted(*n as u64, "closed part", "closed parts"),
                number(*size),
                vector(*at),
                number(*volume)
            ),
            Self::Turned { n, at, diameter } => write!(
                f,
                "{} filled in parts that look inward where nothing is around them, the largest of diameter {} at {}: these are turned over, \
                 as if they were solid; if they are the walls of bores, what is around them is missing from the result",
                counted(*n as u64, "hole was", "holes were"),
                number(*diameter),
                vector(*at)
            ),
            Self::Allowed(error) => {
                write!(
                    f,
                    "filled as the limit given allows, which nobody can be sure of: {}",
                    error.without_advice()
                )
            }
            Self::Bores { n, at: [a, b], diameter } => write!(
                f,
                "{} closed that may be the mouths of {}, the largest of diameter {} at {} and {}: if it is the wall between them that is \
                 missing, the bore is filled in the result",
                counted(2 * *n as u64, "hole was", "holes were"),
                if *n == 1 { "a bore" } else { "bores" },
                number(*diameter),
                vector(*a),
                vector(*b)
            ),
            Self::Folds { n, at, size, volume } => write!(
                f,
                "{} of facets within {} at {} cross and could not be united: they are as they were; what they enclose twice, at most \
                 {}, counts twice",
                counted(*n as u64, "pair", "pairs"),
                number(*size),
                vector(*at),
                number(*volume)
            ),
            Self::Mouths { n, at, diameter } => write!(
                f,
                "{} closed that may be the mouths of bores, pockets or notches, the largest of diameter {} at {}: if the walls \
                 behind are what is missing, they are filled in the result",
                counted(*n as u64, "hole was", "holes were"),
                number(*diameter),
                vector(*at)
            ),
            Self::Inverted { at, size, volume } => write!(
                f,
                "of what crossed within {} at {}, parts look inward where nothing is around them, as half of a bow does: their volume, {}, \
                 is missing from the result",
                number(*size),
                vector(*at),
                number(*volume)
            ),
        }
    }
}

/// Why a mesh was not mended. Lengths are in the unit of the mesh.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RepairError {
    /// Nothing to look at, indices of no vertex, coordinates that are no numbers, or faults that are left.
    #[error("{0}")]
    Mesh(MeshError),
    /// A surface has one side only.
    #[error("{} near {} have no consistent orientation: the surface has one side, as a Klein bottle has", counted(*n as u64, "facet", "facets"), vector(*at))]
    OneSided {
        /// Facets of the surface.
        n: usize,
        /// The middle of its box.
        at: DVec3,
    },
    /// A hole is larger than what is filled.
    #[error("hole of diameter {} at {} is too large to be filled: {}", number(*diameter), vector(*at), hole_limit(*part, *max_hole))]
    LargeHole {
        /// Largest distance of two of its corners.
        diameter: f64,
        /// The middle of its box.
        at: DVec3,
        /// Its area in that of the surface that it is in.
        part: f64,
        /// The largest diameter, if one was given.
        max_hole: Option<f64>,
    },
    /// The surface leans into a hole, and may go on or be cut off there.
    #[error("hole of diameter {} at {} cannot be filled with any certainty: the surface leans into it, and what is missing there may be {} ({})", number(*diameter), vector(*at), of_volume(*part), LIFTED)]
    GuessedHole {
        /// Largest distance of two of its corners.
        diameter: f64,
        /// The middle of its box.
        at: DVec3,
        /// What may be missing, in the volume of what comes out.
        part: f64,
    },
    /// Guesses of which each may cost little together cost too much.
    #[error("guesses about how holes are to be filled, the largest at {}, may together be wrong by {} ({})", vector(*at), of_volume(*part), LIFTED)]
    ManyGuesses {
        /// The middle of the hole that costs most.
        at: DVec3,
        /// What they may be wrong by, in the volume of their body as it comes out.
        part: f64,
    },
    /// Two holes lie opposite each other.
    #[error("holes at {} and {} lie opposite each other: {what}, {} ({})", vector(at[0]), vector(at[1]), of_volume(*part), LIFTED)]
    OppositeHoles {
        /// The middles of their boxes.
        at: Box<[DVec3; 2]>,
        /// The volume between them, in that of what comes out.
        part: f64,
        /// What may be missing.
        what: &'static str,
    },
    /// Facets of no closed surface are more than what may be dropped on a guess.
    #[error("{} of no closed surface at {}, within {} and {} of the surface, cannot be dropped with any certainty: what lies behind or within them may be {} ({})", counted(*n as u64, "facet", "facets"), vector(*at), number(*size), percent(*area), of_volume(*part), LIFTED)]
    LoosePiece {
        /// How many.
        n: usize,
        /// The middle of their box.
        at: DVec3,
        /// Its diagonal.
        size: f64,
        /// Their part of the area of the surface.
        area: f64,
        /// What they may enclose, or be the bottom of, in the volume of what comes out.
        part: f64,
    },
    /// What the default tolerance cannot mend a wider one does.
    #[error("{error}; with a tolerance of {} it is mended, by closing cracks alone", number(*tolerance))]
    WideCracks {
        /// What stands in the way of the default one.
        error: Box<RepairError>,
        /// The wider one.
        tolerance: f64,
    },
    /// No way was found to take crossing surfaces apart.
    #[error("surfaces cross and could not be united: {} of facets within {} at {}; {why}", counted(*n as u64, "pair", "pairs"), number(*size), vector(*at))]
    Crossed {
        /// Pairs of facets.
        n: usize,
        /// Diagonal of the box around them.
        size: f64,
        /// Its middle.
        at: DVec3,
        /// What stood in the way.
        why: &'static str,
    },
    /// Too many shells lie within the bounds of others.
    #[error(
        "more than {n} pairs of shells of which one lies within the bounds of the other: too many to tell cavities from bodies"
    )]
    Nested {
        /// Pairs that were counted.
        n: usize,
    },
    /// The weld tolerance would join what is no gap.
    #[error("the tolerance {} is more than {} of the size of the mesh, {}", number(*found), number(super::MAX_WELD_PART), number(*size))]
    Tolerance {
        /// The tolerance.
        found: f64,
        /// Diagonal of the mesh's box.
        size: f64,
    },
    /// What is left encloses nothing.
    #[error(
        "the surface encloses no volume: it is an open sheet or has no thickness, or so much of it is missing, doubled or turned over that \
         no closed surface is left"
    )]
    NoVolume,
}

impl RepairError {
    /// The same without how to have it done all the same.
    fn without_advice(&self) -> String {
        self.to_string().replace(&format!(" ({LIFTED})"), "")
    }
}

/// How to have holes filled all the same.
const LIFTED: &str = "--max-hole, or max_hole in a scene, lifts this limit";

/// A part of what comes out, which is little or nothing where most of a surface is missing.
fn of_volume(part: f64) -> String {
    if part < 1.0 {
        format!("{} of the volume", percent(part))
    } else {
        "more than the volume of all the rest".into()
    }
}

fn hole_limit(part: f64, max_hole: Option<f64>) -> String {
    match max_hole {
        Some(limit) => format!("the limit given is {}", number(limit)),
        None => format!(
            "it takes {} of the area around it, more than {} ({LIFTED})",
            percent(part),
            percent(super::MAX_HOLE_PART)
        ),
    }
}
