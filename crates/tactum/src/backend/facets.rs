//! Touches of rounded meshes by the facet stages: which meshes they hold, what is asked of them, and what is read of their answers.
//!
//! The stages answer for pairs that touch. Of pairs that do not touch yet they say that this is so, and for how far it will be; the
//! sub-step in which two bodies come into touch is the processor's, as are pairs that do not fit 32 bits. Which of both
//! answers depends on what is asked alone, not on what was asked before: a run that goes on from a checkpoint ends in the same bits.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use glam::DVec3;
use rayon::prelude::*;
use tactum_geometry::Pose;
use tactum_geometry::facets::{
    Candidates, Detail, Margins, PackedFacets, Placed, PlacedPair, RoundedMesh, Unfit, patches,
};
use tactum_gpu::{FacetAnswers, FacetError, UploadError};
use tactum_shaders::facets::layout::{Candidate, FacetBlock, FacetTouch};
use tactum_sim::{FacetsAnswer, FacetsQuestion};

use super::runner::{RunnerError, StageRunner};
use crate::rounded::plate;

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
    /// What stands for half-spaces, by the logarithms of their sides \[m\] to the base 2.
    plates: BTreeMap<i32, Arc<RoundedMesh>>,
}

#[derive(Debug)]
struct Registered {
    _mesh: Arc<RoundedMesh>,
    /// The place of its first facet; `None` where there was no room.
    first: Option<u32>,
}

/// A body as it is placed for the stages.
#[derive(Clone, Debug)]
pub struct Standing {
    /// Its mesh, or a plate of the half-space that it is.
    pub mesh: Arc<RoundedMesh>,
    /// Where that is.
    pub pose: Pose,
    /// Its origin in the frame of the body's own mesh \[m\].
    pub offset: DVec3,
}

impl Standing {
    fn itself(mesh: &Arc<RoundedMesh>, pose: &Pose) -> Self {
        Self { mesh: mesh.clone(), pose: *pose, offset: DVec3::ZERO }
    }
}

/// A question that the stages answer.
#[derive(Debug)]
struct Asked {
    /// Its number.
    ix: usize,
    pair: PlacedPair,
    standing: [Standing; 2],
}

/// Sides of a plate that stands for a half-space, over the reach of what meets it: whatever turns above its middle stays off its edges, the next
/// power of two being what it is.
const PLATE: f64 = 4.0;

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
                Ok((pair, standing)) => {
                    placed.push(Asked { ix, pair, standing });
                    answers.push(Err(NO_ROOM));
                }
                Err(cause) => answers.push(Err(cause)),
            }
        }
        let found = touch(runner, &mut placed)?;
        let read: Vec<_> = placed
            .par_iter()
            .zip(of_pairs(&found))
            .map(|(asked, of_pair)| (asked.ix, read(questions[asked.ix], asked, of_pair)))
            .collect();
        for (ix, answer) in read {
            answers[ix] = answer;
        }
        Ok(Said { answers, n_grown: found.n_grown })
    }

    /// A body for the stages, of which anything that it meets is within a ball: of a half-space, a plate below the ball, as its facets' corners would
    /// be too far out for 32 bits.
    pub fn standing(&mut self, mesh: &Arc<RoundedMesh>, pose: &Pose, center: DVec3, reach: f64) -> Standing {
        let itself = || Standing::itself(mesh, pose);
        if !mesh.is_half_space() {
            return itself();
        }
        let size = (PLATE * reach).log2().ceil();
        if !size.is_finite() {
            return itself();
        }
        let plate = match self.plates.entry(size as i32) {
            Entry::Occupied(known) => known.get().clone(),
            // What is too large or small for a box stays what it is.
            Entry::Vacant(place) => match plate(size.exp2()) {
                Ok(plate) => place.insert(Arc::new(plate)).clone(),
                Err(_) => return itself(),
            },
        };
        let below = pose.inverse().point(center);
        let offset = DVec3::new(below.x, below.y, 0.0);
        Standing { mesh: plate, pose: Pose::new(pose.point(offset), pose.rotation), offset }
    }

    /// Both bodies of a pair for the stages.
    pub fn standing_both(
        &mut self,
        meshes: &[Arc<RoundedMesh>; 2],
        poses: &[Pose; 2],
        skin: f64,
    ) -> [Standing; 2] {
        [0, 1].map(|side| {
            let other = &meshes[1 - side];
            let aabb = other.solid().aabb();
            let center = poses[1 - side].point(aabb.center());
            let reach = aabb.half_size().length() + other.greatest_bulge() + skin;
            self.standing(&meshes[side], &poses[side], center, reach)
        })
    }

    /// A question's pair as the stages read it, or why it is for the processor.
    fn place(
        &mut self,
        runner: &mut StageRunner,
        question: &FacetsQuestion,
    ) -> Result<Result<(PlacedPair, [Standing; 2]), &'static str>, RunnerError> {
        let itself = |side: usize| Standing::itself(&question.meshes[side], &question.poses[side]);
        let standing = match question.query.detail {
            // Whoever wants facets wants those of the bodies.
            Detail::Polygons => [0, 1].map(itself),
            _ => self.standing_both(&question.meshes, &question.poses, question.margins.skin),
        };
        let [a, b] = &standing;
        let firsts = (self.register(runner, &a.mesh)?, self.register(runner, &b.mesh)?);
        let (Some(first_a), Some(first_b)) = firsts else {
            return Ok(Err(NO_ROOM));
        };
        let a = Placed { mesh: &a.mesh, pose: &a.pose, first: first_a };
        let b = Placed { mesh: &b.mesh, pose: &b.pose, first: first_b };
        // How far nothing will touch is of interest only where nothing does, and where it is not known.
        let is_watched = question.candidates.is_none() && !question.query.in_touch;
        let skin = if is_watched { question.margins.skin } else { 0.0 };
        let margins = Margins { skin, ..question.margins };
        let pair = PlacedPair::new(&a, &b, &margins, &question.query).map_err(|unfit| cause(&unfit));
        Ok(pair.map(|pair| (pair, standing)))
    }

    /// Sees to it that the stages hold a mesh; the place of its first facet, or `None` if there is no room for it.
    pub fn register(
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
fn touch(runner: &mut StageRunner, placed: &mut Vec<Asked>) -> Result<FacetAnswers, RunnerError> {
    loop {
        if placed.is_empty() {
            return Ok(FacetAnswers::default());
        }
        let pairs: Vec<_> = placed.iter().map(|asked| asked.pair.pair).collect();
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
    Asked { pair, standing: [a, b], .. }: &Asked,
    (block, candidates, touches): OfPair<'_>,
) -> Result<FacetsAnswer, &'static str> {
    let query = &question.query;
    if !query.in_touch && block.n_facets > 0 {
        return Err(FIRST_TOUCH);
    }
    let mut touch = pair.read(block, &a.pose, query).map_err(|unfit| cause(&unfit))?;
    if query.detail != Detail::Sums {
        let of = |(candidate, touch)| {
            pair.read_facet([&a.mesh, &b.mesh], candidate, (touch, None), &a.pose, query)
        };
        let facets: Vec<_> = candidates.iter().zip(touches).filter_map(of).collect();
        touch.energy = facets.iter().map(|facet| facet.touch.energy).sum();
        match query.detail {
            Detail::Patches => {
                touch.patches = patches(&facets, [&a.mesh, &b.mesh]);
                // Places are told from the origin of the body, not of a plate of it.
                let offset = a.pose.vector(a.offset);
                touch.patches.iter_mut().for_each(|patch| patch.point += offset);
            }
            _ => touch.facets = facets,
        }
    }
    let is_clear = !query.in_touch && block.n_candidates == 0;
    let FacetsQuestion { meshes: [a, b], poses: [w_from_a, w_from_b], .. } = question;
    let clear = || Arc::new(Candidates::none(a, w_from_a, b, w_from_b, question.margins));
    let known = question.candidates.clone().or_else(|| is_clear.then(clear));
    Ok(FacetsAnswer { touch: Ok(touch), candidates: known })
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
