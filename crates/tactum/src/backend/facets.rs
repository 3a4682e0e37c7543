//! Touches of rounded meshes by the facet stages: which meshes they hold, what is asked of them, and what is read of their answers.
//!
//! The stages answer for pairs that touch. Of pairs that do not touch yet they say that this is so, and for how far it will be; the
//! sub-step in which two bodies come into touch is the processor's, as are pairs that do not fit 32 bits. Which of both
//! answers depends on what is asked alone, not on what was asked before: a run that goes on from a checkpoint ends in the same bits.

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;
use tactum_geometry::facets::{
    Candidates, Detail, Margins, PackedFacets, Placed, PlacedPair, RoundedMesh, Touch, Unfit, patches,
};
use tactum_gpu::{FacetAnswers, FacetError, UploadError};
use tactum_shaders::facets::layout::{Candidate, FacetBlock, FacetTouch};
use tactum_sim::{FacetsAnswer, FacetsQuestion};

use super::runner::{RunnerError, StageRunner};

/// How the names in reports begin of why the processor answered what the stages of facets were asked.
pub const FACETS: &str = "facets_";

/// The name in reports of what has no room on the device.
const NO_ROOM: &str = "facets_no_room";

/// The name in reports of bodies that come into touch.
const FIRST_TOUCH: &str = "facets_first_touch";

/// Answers questions about rounded meshes by the facet stages.
#[derive(Debug, Default)]
pub struct FacetDetector {
    /// By address; the meshes are kept so that no other takes their place.
    meshes: BTreeMap<usize, Registered>,
}

#[derive(Debug)]
struct Registered {
    _mesh: Arc<RoundedMesh>,
    /// The place of its first facet; `None` where there was no room.
    first: Option<u32>,
}

/// What the stages said.
#[derive(Debug)]
pub struct Said {
    /// For each question its answer, or why the processor has to answer it.
    pub answers: Vec<Result<FacetsAnswer, &'static str>>,
    /// How often a list of candidates was too short and all was done again with a longer one.
    pub n_grown: u32,
}

impl FacetDetector {
    /// The answers to questions, in their order, all of them in one go.
    ///
    /// # Errors
    ///
    /// [`RunnerError`] if the device fails.
    pub fn answers(
        &mut self,
        runner: &mut StageRunner,
        questions: &[&FacetsQuestion],
    ) -> Result<Said, RunnerError> {
        let mut answers = Vec::with_capacity(questions.len());
        let mut placed = Vec::with_capacity(questions.len());
        for (ix, question) in questions.iter().enumerate() {
            match self.place(runner, question)? {
                Ok(pair) => {
                    placed.push((ix, pair));
                    answers.push(Err(NO_ROOM));
                }
                Err(cause) => answers.push(Err(cause)),
            }
        }
        let found = touch(runner, &mut placed)?;
        let read: Vec<_> = placed
            .par_iter()
            .zip(of_pairs(&found))
            .map(|((ix, pair), of_pair)| (*ix, read(questions[*ix], pair, of_pair)))
            .collect();
        for (ix, answer) in read {
            answers[ix] = answer;
        }
        Ok(Said { answers, n_grown: found.n_grown })
    }

    /// A question's pair as the stages read it, or why it is for the processor.
    fn place(
        &mut self,
        runner: &mut StageRunner,
        question: &FacetsQuestion,
    ) -> Result<Result<PlacedPair, &'static str>, RunnerError> {
        let [a, b] = &question.meshes;
        let (Some(first_a), Some(first_b)) = (self.register(runner, a)?, self.register(runner, b)?) else {
            return Ok(Err(NO_ROOM));
        };
        let [w_from_a, w_from_b] = &question.poses;
        let a = Placed { mesh: a, pose: w_from_a, first: first_a };
        let b = Placed { mesh: b, pose: w_from_b, first: first_b };
        // How far nothing will touch is of interest only where nothing does, and where it is not known.
        let is_watched = question.candidates.is_none() && !question.query.in_touch;
        let skin = if is_watched { question.margins.skin } else { 0.0 };
        let margins = Margins { skin, ..question.margins };
        Ok(PlacedPair::new(&a, &b, &margins, &question.query).map_err(|unfit| cause(&unfit)))
    }

    /// Sees to it that the stages hold a mesh; the place of its first facet, or `None` if there is no room for it.
    fn register(
        &mut self,
        runner: &mut StageRunner,
        mesh: &Arc<RoundedMesh>,
    ) -> Result<Option<u32>, RunnerError> {
        let key = Arc::as_ptr(mesh) as usize;
        if let Some(known) = self.meshes.get(&key) {
            return Ok(known.first);
        }
        let first = match runner.upload_facets(&PackedFacets::new(mesh).facets) {
            Ok(first) => Some(first),
            Err(RunnerError::Upload(UploadError::Full { .. })) => None,
            Err(error) => return Err(error),
        };
        self.meshes.insert(key, Registered { _mesh: Arc::clone(mesh), first });
        Ok(first)
    }
}

/// What the stages find of pairs; those that are too large for the device alone are taken from the list.
fn touch(
    runner: &mut StageRunner,
    placed: &mut Vec<(usize, PlacedPair)>,
) -> Result<FacetAnswers, RunnerError> {
    loop {
        if placed.is_empty() {
            return Ok(FacetAnswers::default());
        }
        let pairs: Vec<_> = placed.iter().map(|(_, placed)| placed.pair).collect();
        match runner.touch(&pairs) {
            Err(RunnerError::Untouched(FacetError::PairTooLarge { pair, .. })) => {
                placed.remove(pair as usize);
            }
            outcome => return outcome,
        }
    }
}

/// A pair's block, candidates and touches.
type OfPair<'a> = (&'a FacetBlock, &'a [Candidate], &'a [FacetTouch]);

fn of_pairs(found: &FacetAnswers) -> Vec<OfPair<'_>> {
    let (mut candidates, mut touches) = (found.candidates.as_slice(), found.touches.as_slice());
    let of = |block: &'_ FacetBlock| {
        let n = block.n_candidates as usize;
        let (of_pair, others) = candidates.split_at(n);
        let (touched, more) = touches.split_at(n);
        (candidates, touches) = (others, more);
        (of_pair, touched)
    };
    let lists: Vec<_> = found.blocks.iter().map(of).collect();
    found.blocks.iter().zip(lists).map(|(block, (of_pair, touched))| (block, of_pair, touched)).collect()
}

/// What a pair's block and touches answer, or why the processor has to.
fn read(
    question: &FacetsQuestion,
    pair: &PlacedPair,
    (block, candidates, touches): OfPair<'_>,
) -> Result<FacetsAnswer, &'static str> {
    let FacetsQuestion { meshes: [a, b], poses: [w_from_a, w_from_b], query, .. } = question;
    if !query.in_touch && block.n_facets > 0 {
        return Err(FIRST_TOUCH);
    }
    let found = pair.read(block, w_from_a, query);
    if let (Err(Unfit::Refused { .. }), false) = (&found, query.in_touch) {
        return Ok(doubts_alone(question));
    }
    let mut touch = found.map_err(|unfit| cause(&unfit))?;
    if query.detail != Detail::Sums {
        let of = |(candidate, touch)| pair.read_facet([a, b], candidate, (touch, None), w_from_a, query);
        let facets: Vec<_> = candidates.iter().zip(touches).filter_map(of).collect();
        match query.detail {
            Detail::Patches => touch.patches = patches(&facets, [a, b]),
            _ => touch.facets = facets,
        }
    }
    let is_clear = !query.in_touch && block.n_candidates == 0;
    let clear = || Arc::new(Candidates::none(a, w_from_a, b, w_from_b, question.margins));
    let known = question.candidates.clone().or_else(|| is_clear.then(clear));
    Ok(FacetsAnswer { touch: Ok(touch), candidates: known })
}

/// The answer for bodies that do not touch though facets without a law for it face each other: what the processor has to say of those.
fn doubts_alone(question: &FacetsQuestion) -> FacetsAnswer {
    let exact = question.answer();
    let doubts_of = |touch: Touch| Touch { doubts: touch.doubts, ..Touch::default() };
    FacetsAnswer { touch: exact.touch.map(doubts_of), ..exact }
}

/// The name in reports of why a pair is for the processor.
fn cause(unfit: &Unfit) -> &'static str {
    match unfit {
        Unfit::Law => "facets_law",
        Unfit::Pressure(_) | Unfit::Range => "facets_range",
        Unfit::TooMany { .. } => "facets_too_many",
        Unfit::Shallow { .. } => "facets_shallow",
        _ => "facets_without_law",
    }
}
