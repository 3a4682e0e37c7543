//! What a step asks, and what it is answered: plain data between the simulation and whoever measures.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tactum_geometry::facets::{Candidates, Margins, Query, RoundedMesh, Touch, TouchError, touch};
use tactum_geometry::passage::{Matter, Motion, Passage, Tracks, Wanted, passage};
use tactum_geometry::{Overlap, Pose, Shape};

use crate::BodyId;
use crate::law::facets::{Stretch, Stretched};

/// Which overlap is wanted: that of two shapes at two poses.
#[derive(Clone, Debug)]
pub struct OverlapQuestion {
    /// The bodies A and B that it is about, the smaller index first.
    pub bodies: [BodyId; 2],
    /// Their shapes.
    pub shapes: [Shape; 2],
    /// Poses of the shapes' frames at which the overlap is wanted: not those of the bodies where the question looks ahead.
    pub poses: [Pose; 2],
    /// Whether the bodies are not there yet. Such overlaps are thin, and an empty one in the place of the true one is
    /// allowed: the contact is then found once the bodies have sunk into each other.
    pub is_ahead: bool,
}

/// Which touch is wanted: that of the facets of two rounded meshes at two poses.
#[derive(Clone, Debug)]
pub struct FacetsQuestion {
    /// The bodies A and B that it is about, the smaller index first.
    pub bodies: [BodyId; 2],
    /// Their meshes.
    pub meshes: [Arc<RoundedMesh>; 2],
    /// Poses of the meshes' frames.
    pub poses: [Pose; 2],
    /// Pairs of facets that hold all that touch; `None` if they have to be found.
    pub candidates: Option<Arc<Candidates>>,
    /// What to look for then.
    pub margins: Margins,
    /// What is wanted.
    pub query: Query,
}

/// Which passage is wanted: that of two bodies through each other in two motions.
#[derive(Clone, Debug)]
pub struct PassageQuestion {
    /// The bodies A and B that it is about, the smaller index first.
    pub bodies: [BodyId; 2],
    /// What they are.
    pub matter: [Matter; 2],
    /// Motions of their shapes' frames.
    pub motions: [Motion; 2],
    /// What is in each other at the start; `None` if that has to be found.
    pub tracks: Option<Arc<Tracks>>,
    /// What is wanted.
    pub wanted: Wanted,
}

impl PassageQuestion {
    /// The answer on the processor, in 64 bits.
    pub fn answer(&self) -> Passage {
        let ([a, b], [of_a, of_b]) = (&self.matter, &self.motions);
        passage([a, b], [of_a, of_b], self.tracks.as_deref(), self.wanted)
    }
}

/// How two rounded meshes touch.
#[derive(Clone, Debug)]
pub struct FacetsAnswer {
    /// Their touch.
    pub touch: Result<Touch, TouchError>,
    /// The candidates that it was found with, to be used again; `None` if they are to be looked for anew.
    pub candidates: Option<Arc<Candidates>>,
}

impl FacetsQuestion {
    /// The answer on the processor, in 64 bits.
    pub fn answer(&self) -> FacetsAnswer {
        let ([a, b], [w_from_a, w_from_b]) = (&self.meshes, &self.poses);
        let find = || Arc::new(Candidates::find(a, w_from_a, b, w_from_b, self.margins));
        let candidates = self.candidates.clone().unwrap_or_else(find);
        let touch = touch(a, w_from_a, b, w_from_b, &candidates, &self.query);
        FacetsAnswer { touch, candidates: Some(candidates) }
    }
}

/// What a step asks before it can go on: one list for every kind of question.
#[derive(Clone, Debug)]
pub struct Questions {
    /// Overlaps, in an order of no meaning.
    pub overlaps: Vec<OverlapQuestion>,
    /// Touches of facets, in the order of their pairs.
    pub facets: Vec<FacetsQuestion>,
    /// Passages, in the order of their pairs.
    pub passages: Vec<PassageQuestion>,
    /// Sub-steps that are wanted in one go: asked only after answers that promised them.
    pub stretch: Option<Stretch>,
    ticket: Ticket,
}

/// The answers to [`Questions`], each list in the order of its questions.
#[derive(Clone, Debug)]
pub struct Answers {
    /// Overlaps: world axes, positions relative to the origin of A's pose in the question.
    pub overlaps: Vec<Overlap>,
    /// Touches.
    pub facets: Vec<FacetsAnswer>,
    /// Passages.
    pub passages: Vec<Passage>,
    /// What became of sub-steps that were wanted in one go; `None` if they have to be asked about one after the other.
    pub stretched: Option<Stretched>,
    /// Whether the rest of the step may be asked for in one go.
    pub takes_stretches: bool,
    pub(crate) ticket: Ticket,
}

impl Questions {
    pub(crate) fn new(overlaps: Vec<OverlapQuestion>) -> Self {
        Self { overlaps, ..Self::none() }
    }

    pub(crate) fn of_facets(facets: Vec<FacetsQuestion>) -> Self {
        Self { facets, ..Self::none() }
    }

    pub(crate) fn of_passages(passages: Vec<PassageQuestion>) -> Self {
        Self { passages, ..Self::none() }
    }

    pub(crate) fn of_stretch(stretch: Stretch) -> Self {
        Self { stretch: Some(stretch), ..Self::none() }
    }

    fn none() -> Self {
        Self {
            overlaps: Vec::new(),
            facets: Vec::new(),
            passages: Vec::new(),
            stretch: None,
            ticket: Ticket::new(),
        }
    }

    /// The answers to these questions, where no facets are asked for; whether there are as many is found when the step goes on.
    pub fn answered(&self, overlaps: Vec<Overlap>) -> Answers {
        self.answered_with(overlaps, Vec::new())
    }

    /// The answers to these questions; whether there are as many is found when the step goes on.
    pub fn answered_with(&self, overlaps: Vec<Overlap>, facets: Vec<FacetsAnswer>) -> Answers {
        Answers {
            overlaps,
            facets,
            passages: Vec::new(),
            stretched: None,
            takes_stretches: false,
            ticket: self.ticket,
        }
    }

    pub(crate) fn ticket(&self) -> Ticket {
        self.ticket
    }
}

impl Answers {
    /// The same with passages.
    #[must_use]
    pub fn with_passages(self, passages: Vec<Passage>) -> Self {
        Self { passages, ..self }
    }

    /// The same with what became of a stretch, and with whether another one may be asked for.
    #[must_use]
    pub fn with_stretched(self, stretched: Option<Stretched>, takes_stretches: bool) -> Self {
        Self { stretched, takes_stretches, ..self }
    }
}

/// What tells the questions of one step of one world from all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ticket(u64);

impl Ticket {
    fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}
