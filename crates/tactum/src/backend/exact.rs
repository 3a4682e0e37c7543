//! Overlaps measured exactly, on the processor, in 64-bit numbers.

use rayon::prelude::*;
use tactum_geometry::{Overlap, Shape, overlap::overlap};

use super::Task;

/// The overlaps of tasks, in their order.
///
/// Hands the pairs to the threads one at a time, the most expensive first, so that no thread is left with a large one
/// at the end. The result does not depend on the number of threads.
pub fn overlaps(tasks: &[Task<'_>]) -> Vec<Overlap> {
    let mut order: Vec<usize> = (0..tasks.len()).collect();
    // A stable sort: equal costs stay in the order of the pairs.
    order.sort_by_key(|&ix| std::cmp::Reverse(n_faces(&tasks[ix])));
    let measured: Vec<(usize, Overlap)> =
        order.into_iter().par_bridge().map(|ix| (ix, measure(&tasks[ix]))).collect();
    let mut overlaps = vec![Overlap::EMPTY; tasks.len()];
    for (ix, overlap) in measured {
        overlaps[ix] = overlap;
    }
    overlaps
}

fn measure(task: &Task<'_>) -> Overlap {
    let [a, b] = task.shapes();
    let [w_from_a, w_from_b] = task.poses();
    overlap(a, &w_from_a, b, &w_from_b)
}

/// Number of triangles or faces of both bodies: how long a pair takes, up to a factor.
fn n_faces(task: &Task<'_>) -> usize {
    task.shapes().map(Shape::n_faces).iter().sum()
}
