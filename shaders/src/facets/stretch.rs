//! What goes to the stages for a stretch of sub-steps, and what comes back.

use super::layout::{FacetPair, FacetRound};
use super::memory::Memory;
use super::stretch_layout::{PairMemory, PairSeen, StretchBody, StretchPair, StretchState, cause};
use super::twin;

/// Bodies and pairs at the start of a stretch, and its sub-steps.
#[derive(Clone, Debug, Default)]
pub struct Stretch {
    /// The bodies.
    pub bodies: Vec<StretchBody>,
    /// The pairs that each of them belongs to, one body after the other.
    pub links: Vec<u32>,
    /// Where the pairs' facets are at the start, whatever [`FacetPair::first_group`] they have.
    pub pairs: Vec<FacetPair>,
    /// What their bodies are to each other.
    pub courses: Vec<StretchPair>,
    /// What is remembered of the pairs.
    pub springs: Vec<PairMemory>,
    /// A round for each sub-step, the sizes of which are filled in on the way.
    pub substeps: Vec<FacetRound>,
}

/// What became of a stretch.
#[derive(Clone, Debug, Default)]
pub struct StretchEnd {
    /// What stopped it, see [`cause`].
    pub stop: u32,
    /// The bodies' states.
    pub states: Vec<StretchState>,
    /// What is remembered of the pairs.
    pub springs: Vec<PairMemory>,
    /// What their bodies did to each other.
    pub seen: Vec<PairSeen>,
    /// How often the list of candidates was too short, got longer, and the stretch was begun anew.
    pub n_grown: u32,
}

impl StretchEnd {
    /// How many of so many sub-steps were done.
    pub fn n_done(&self, n: u32) -> u32 {
        n.min(self.stop >> cause::BITS)
    }

    /// Why there were not more of them; one of [`cause`].
    pub fn cause(&self) -> u32 {
        if self.stop == cause::NONE { cause::NONE } else { self.stop & ((1 << cause::BITS) - 1) }
    }
}

impl Stretch {
    /// Goes through the stretch with the stages' twins; `of_bodies` holds the bodies' facets, and keeps them.
    pub fn run_twins(&self, of_bodies: &mut Memory) -> StretchEnd {
        let mut memory = Memory {
            facets: std::mem::take(&mut of_bodies.facets),
            boxes: std::mem::take(&mut of_bodies.boxes),
            bodies: self.bodies.clone(),
            links: self.links.clone(),
            courses: self.courses.clone(),
            ..Memory::default()
        };
        self.pairs.iter().for_each(|pair| memory.add_pair(*pair));
        memory.springs = self.springs.clone();
        twin::run_stretch(&mut memory, &self.substeps);
        (of_bodies.facets, of_bodies.boxes) = (memory.facets, memory.boxes);
        let mut end = StretchEnd {
            stop: memory.stop[0],
            states: memory.states,
            seen: memory.seen,
            springs: Vec::new(),
            n_grown: 0,
        };
        let n = self.pairs.len();
        let half = (end.n_done(self.substeps.len() as u32) & 1) as usize * n;
        end.springs = memory.springs[half..half + n].to_vec();
        end
    }
}
