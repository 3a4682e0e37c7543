//! The buffers that the facet stages share, and how large they are.

use bytemuck::{cast_slice, cast_slice_mut};
use glam::Vec3;

use super::layout::{
    CLUSTER, Candidate, Facet, FacetBlock, FacetBox, FacetPair, FacetPolygon, FacetRound, FacetTouch, GROUP,
};
use super::stretch_layout::{
    PairAction, PairMemory, PairSeen, Part, StretchBody, StretchPair, StretchState, cause,
};

/// A storage buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(usize)]
pub enum Buffer {
    /// All bodies' facets: [`Facet`].
    Facets,
    /// The boxes of every [`GROUP`] of them and of its clusters: [`FacetBox`].
    Boxes,
    /// The pairs: [`FacetPair`].
    Pairs,
    /// Per facet of A of each pair, groups filled up: how many candidates it has.
    Counts,
    /// Per group: how many candidates its facets have, after the scan where they begin; one more, where they end.
    Starts,
    /// Pairs of facets that may touch: [`Candidate`], by pair, then by A's facet, then by B's.
    Candidates,
    /// Per candidate: [`FacetTouch`].
    Touches,
    /// Per candidate: [`FacetPolygon`], if they are wanted.
    Polygons,
    /// Per pair: [`FacetBlock`].
    Blocks,
    /// Bodies of a stretch of sub-steps: [`StretchBody`].
    Bodies,
    /// Per body: [`StretchState`].
    States,
    /// The pairs of each body, one body after the other, see [`link`](super::stretch_layout::link).
    Links,
    /// Per pair: [`StretchPair`].
    Courses,
    /// Per candidate: [`Part`].
    Parts,
    /// Per pair, twice: [`PairMemory`] before sub-steps of even numbers, behind those of all pairs before the others.
    Springs,
    /// Per pair: [`PairAction`].
    Actions,
    /// Per pair: [`PairSeen`].
    Seen,
    /// What stops the stretch: one number, see [`cause`].
    Stop,
}

impl Buffer {
    /// Number of buffers.
    pub const N: usize = 18;

    /// All of them, in the order of their declaration.
    pub const ALL: [Self; Self::N] = [
        Self::Facets,
        Self::Boxes,
        Self::Pairs,
        Self::Counts,
        Self::Starts,
        Self::Candidates,
        Self::Touches,
        Self::Polygons,
        Self::Blocks,
        Self::Bodies,
        Self::States,
        Self::Links,
        Self::Courses,
        Self::Parts,
        Self::Springs,
        Self::Actions,
        Self::Seen,
        Self::Stop,
    ];
}

/// Everything that stages read and write, in host memory.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// [`Buffer::Facets`].
    pub facets: Vec<Facet>,
    /// [`Buffer::Boxes`].
    pub boxes: Vec<FacetBox>,
    /// [`Buffer::Pairs`].
    pub pairs: Vec<FacetPair>,
    /// [`Buffer::Counts`].
    pub counts: Vec<u32>,
    /// [`Buffer::Starts`].
    pub starts: Vec<u32>,
    /// [`Buffer::Candidates`].
    pub candidates: Vec<Candidate>,
    /// [`Buffer::Touches`].
    pub touches: Vec<FacetTouch>,
    /// [`Buffer::Polygons`].
    pub polygons: Vec<FacetPolygon>,
    /// [`Buffer::Blocks`].
    pub blocks: Vec<FacetBlock>,
    /// [`Buffer::Bodies`].
    pub bodies: Vec<StretchBody>,
    /// [`Buffer::States`].
    pub states: Vec<StretchState>,
    /// [`Buffer::Links`].
    pub links: Vec<u32>,
    /// [`Buffer::Courses`].
    pub courses: Vec<StretchPair>,
    /// [`Buffer::Parts`].
    pub parts: Vec<Part>,
    /// [`Buffer::Springs`].
    pub springs: Vec<PairMemory>,
    /// [`Buffer::Actions`].
    pub actions: Vec<PairAction>,
    /// [`Buffer::Seen`].
    pub seen: Vec<PairSeen>,
    /// [`Buffer::Stop`].
    pub stop: Vec<u32>,
}

impl Memory {
    /// Adds a body: its facets, those that are no caps as [`Facet::default`], and the boxes of every [`GROUP`] and its clusters. Returns the
    /// place of the first.
    pub fn add_body(&mut self, facets: &[Facet]) -> u32 {
        let first = self.facets.len();
        self.facets.extend_from_slice(facets);
        self.facets.resize(self.facets.len().next_multiple_of(GROUP as usize), Facet::default());
        for group in self.facets[first..].chunks_exact(GROUP as usize) {
            self.boxes.push(box_around(group));
            self.boxes.extend(group.chunks_exact(CLUSTER as usize).map(box_around));
        }
        first as u32
    }

    /// Adds a pair behind the others.
    pub fn add_pair(&mut self, pair: FacetPair) {
        let first_group = self.pairs.last().map_or(0, |last| last.first_group + last.n_groups());
        self.pairs.push(FacetPair { first_group, ..pair });
    }

    /// Brings what stages write to the size that the pairs need, with places for so many candidates, and says what a run works on.
    pub fn prepare(&mut self, cap: u32, with_polygons: bool) -> FacetRound {
        let n_groups = self.pairs.last().map_or(0, |last| last.first_group + last.n_groups());
        self.counts.resize((n_groups * GROUP) as usize, 0);
        self.starts.resize(n_groups as usize + 1, 0);
        self.candidates.resize(cap as usize, Candidate::default());
        self.touches.resize(cap as usize, FacetTouch::default());
        self.polygons.resize(if with_polygons { cap as usize } else { 0 }, FacetPolygon::default());
        self.blocks.resize(self.pairs.len(), FacetBlock::default());
        FacetRound {
            n_pairs: self.pairs.len() as u32,
            n_groups,
            cap,
            with_polygons: with_polygons.into(),
            ..FacetRound::default()
        }
    }

    /// Brings what the stages of a stretch write to the size that they need besides: nothing has moved, acted or stopped yet.
    pub fn prepare_stretch(&mut self, cap: u32) {
        self.parts.resize(cap as usize, Part::default());
        self.states = vec![StretchState::default(); self.bodies.len()];
        self.actions = vec![PairAction::default(); self.pairs.len()];
        self.seen = vec![PairSeen::default(); self.pairs.len()];
        self.springs.resize(2 * self.pairs.len(), PairMemory::default());
        self.stop = vec![cause::NONE];
    }

    /// Candidates of all pairs, after the scan: more than there are places for means that the run is to be done again with more.
    pub fn n_wanted(&self) -> u32 {
        self.starts.last().copied().unwrap_or(0)
    }

    /// A buffer's bytes.
    pub fn bytes(&self, buffer: Buffer) -> &[u8] {
        match buffer {
            Buffer::Facets => cast_slice(&self.facets),
            Buffer::Boxes => cast_slice(&self.boxes),
            Buffer::Pairs => cast_slice(&self.pairs),
            Buffer::Counts => cast_slice(&self.counts),
            Buffer::Starts => cast_slice(&self.starts),
            Buffer::Candidates => cast_slice(&self.candidates),
            Buffer::Touches => cast_slice(&self.touches),
            Buffer::Polygons => cast_slice(&self.polygons),
            Buffer::Blocks => cast_slice(&self.blocks),
            Buffer::Bodies => cast_slice(&self.bodies),
            Buffer::States => cast_slice(&self.states),
            Buffer::Links => cast_slice(&self.links),
            Buffer::Courses => cast_slice(&self.courses),
            Buffer::Parts => cast_slice(&self.parts),
            Buffer::Springs => cast_slice(&self.springs),
            Buffer::Actions => cast_slice(&self.actions),
            Buffer::Seen => cast_slice(&self.seen),
            Buffer::Stop => cast_slice(&self.stop),
        }
    }

    /// A buffer's bytes, to write what a device read back.
    pub fn bytes_mut(&mut self, buffer: Buffer) -> &mut [u8] {
        match buffer {
            Buffer::Facets => cast_slice_mut(&mut self.facets),
            Buffer::Boxes => cast_slice_mut(&mut self.boxes),
            Buffer::Pairs => cast_slice_mut(&mut self.pairs),
            Buffer::Counts => cast_slice_mut(&mut self.counts),
            Buffer::Starts => cast_slice_mut(&mut self.starts),
            Buffer::Candidates => cast_slice_mut(&mut self.candidates),
            Buffer::Touches => cast_slice_mut(&mut self.touches),
            Buffer::Polygons => cast_slice_mut(&mut self.polygons),
            Buffer::Blocks => cast_slice_mut(&mut self.blocks),
            Buffer::Bodies => cast_slice_mut(&mut self.bodies),
            Buffer::States => cast_slice_mut(&mut self.states),
            Buffer::Links => cast_slice_mut(&mut self.links),
            Buffer::Courses => cast_slice_mut(&mut self.courses),
            Buffer::Parts => cast_slice_mut(&mut self.parts),
            Buffer::Springs => cast_slice_mut(&mut self.springs),
            Buffer::Actions => cast_slice_mut(&mut self.actions),
            Buffer::Seen => cast_slice_mut(&mut self.seen),
            Buffer::Stop => cast_slice_mut(&mut self.stop),
        }
    }
}

fn box_around(facets: &[Facet]) -> FacetBox {
    let mut around = FacetBox { lo: [f32::INFINITY; 3], bulge: 0.0, hi: [f32::NEG_INFINITY; 3], pad: 0.0 };
    for facet in facets.iter().filter(|facet| facet.is_cap != 0) {
        around.bulge = around.bulge.max(facet.bulge);
        for corner in [facet.corner0, facet.corner1, facet.corner2] {
            let corner = Vec3::from(corner);
            around.lo = Vec3::from(around.lo).min(corner).into();
            around.hi = Vec3::from(around.hi).max(corner).into();
        }
    }
    if around.lo[0] > around.hi[0] {
        // Infinite sides make boxes that are not numbers once they are turned.
        (around.lo, around.hi) = ([1.0; 3], [-1.0; 3]);
    }
    around
}
