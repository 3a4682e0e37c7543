//! Overlaps measured exactly, on the processor, in 64-bit numbers.

use std::time::Instant;

use rayon::prelude::*;
use tactum_geometry::passage::Passage;
use tactum_geometry::{Overlap, Shape, overlap::overlap};
use tactum_sim::{FacetsAnswer, FacetsQuestion, OverlapQuestion, PassageQuestion};

/// Questions about facets from which on threads share them: fewer are answered sooner than threads wake.
const SHARED: usize = 32;

/// The touches that are asked for, in their order.
pub fn facets(questions: &[&FacetsQuestion]) -> Vec<FacetsAnswer> {
    if questions.len() < SHARED {
        return questions.iter().map(|question| question.answer()).collect();
    }
    questions.par_iter().with_min_len(SHARED / 4).map(|question| question.answer()).collect()
}

/// Questions about passages from which on threads share them.
const SHARED_PASSAGES: usize = 4;

/// The passages that are asked for, in their order.
pub fn passages(questions: &[PassageQuestion]) -> Vec<Passage> {
    if questions.len() < SHARED_PASSAGES {
        return questions.iter().map(PassageQuestion::answer).collect();
    }
    questions.par_iter().map(PassageQuestion::answer).collect()
}

/// Faces of a pair from which on threads take one at a time, and how many smaller ones they take.
const MANY_FACES: usize = 64;
const AT_A_TIME: usize = 16;

/// The overlaps that are asked for, in their order.
///
/// Hands the larger pairs to the threads one at a time, the most expensive first, so that no thread is left with a large one
/// at the end. The result does not depend on the number of threads.
pub fn overlaps(questions: &[&OverlapQuestion]) -> Vec<Overlap> {
    of_each(questions, measure)
}

/// The same, each with the time it took a thread \[s\].
pub fn timed_overlaps(questions: &[&OverlapQuestion]) -> Vec<(Overlap, f64)> {
    of_each(questions, |question| {
        let began = Instant::now();
        let overlap = measure(question);
        (overlap, began.elapsed().as_secs_f64())
    })
}

fn of_each<T: Send>(
    questions: &[&OverlapQuestion],
    measure: impl Fn(&OverlapQuestion) -> T + Sync,
) -> Vec<T> {
    let (mut large, small): (Vec<usize>, Vec<usize>) =
        (0..questions.len()).partition(|&ix| n_faces(questions[ix]) >= MANY_FACES);
    // A stable sort: equal costs stay in the order of the pairs.
    large.sort_by_key(|&ix| std::cmp::Reverse(n_faces(questions[ix])));
    let measured = |ix: usize| (ix, measure(questions[ix]));
    let of_large: Vec<(usize, T)> = large.into_iter().par_bridge().map(measured).collect();
    let of_small: Vec<(usize, T)> = if small.len() <= AT_A_TIME {
        small.into_iter().map(measured).collect()
    } else {
        small.into_par_iter().with_min_len(AT_A_TIME).map(measured).collect()
    };
    let mut found: Vec<(usize, T)> = of_large.into_iter().chain(of_small).collect();
    found.sort_unstable_by_key(|(ix, _)| *ix);
    found.into_iter().map(|(_, one)| one).collect()
}

fn measure(question: &OverlapQuestion) -> Overlap {
    let ([a, b], [w_from_a, w_from_b]) = (&question.shapes, &question.poses);
    overlap(a, w_from_a, b, w_from_b)
}

/// Number of triangles or faces of both bodies: how long a pair takes, up to a factor.
fn n_faces(question: &OverlapQuestion) -> usize {
    question.shapes.iter().map(Shape::n_faces).sum()
}
