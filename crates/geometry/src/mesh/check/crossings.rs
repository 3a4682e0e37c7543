//! Which triangles of a surface cross others.

use rayon::prelude::*;

use super::surface::Surface;

/// Work after which the search ends, for any mesh and for every triangle of a large one, in tests of two boxes: about a
/// second's. Sound meshes without long needles take far less.
const MIN_WORK: usize = 50_000_000;
const WORK_PER_TRIANGLE: usize = 250;

/// Triangles that are searched at once, and the part of the whole work that one of them may take: together they cannot
/// take much more than there is. Numbers of their own, so that results do not depend on the threads.
const BLOCK: usize = 256;
const PART_OF_WORK: usize = 256;

/// What is known of a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Another one crosses it.
    Crossed,
    /// No other one crosses it.
    Free,
    /// It was not compared with all others.
    Unknown,
}

/// The triangles of a surface that cross others.
pub struct Crossings {
    /// What is known of every triangle.
    pub states: Vec<State>,
    /// Pairs that were found.
    pub n_pairs: usize,
    /// The first of them.
    pub first: Option<[u32; 2]>,
    n_left: usize,
}

impl Crossings {
    /// Searches the `n` triangles of a surface.
    ///
    /// Triangles with few others in their box come first, and every triangle is compared with those that are not done.
    /// So where time does not suffice, all pairs were looked at but those of two triangles that are both left.
    pub fn of(surface: &Surface<'_>, n: usize) -> Self {
        let mut order: Vec<(usize, u32)> =
            (0..n as u32).into_par_iter().map(|ix| (surface.n_near(ix), ix)).collect();
        order.sort_unstable();
        let max_work = MIN_WORK.max(n.saturating_mul(WORK_PER_TRIANGLE));
        let (mut work, mut n_done) = (0, 0);
        let mut is_done = vec![false; n];
        let mut pairs = Vec::new();
        let mut crossings = Self { states: vec![State::Unknown; n], n_pairs: 0, first: None, n_left: 0 };
        for block in order.chunks(BLOCK) {
            if work > max_work {
                break;
            }
            let search = |&(_, ix): &(usize, u32)| {
                surface
                    .crossed_by(ix, max_work / PART_OF_WORK, |other| other != ix && !is_done[other as usize])
            };
            let found: Vec<(Option<Vec<u32>>, usize)> = block.par_iter().map(search).collect();
            for (&(_, ix), (crossed, work_of_one)) in block.iter().zip(found) {
                work += work_of_one;
                let Some(crossed) = crossed else { continue };
                // Two of one block are compared twice.
                pairs.extend(
                    crossed.into_iter().filter(|&other| !is_done[other as usize]).map(|other| [ix, other]),
                );
                is_done[ix as usize] = true;
                n_done += 1;
            }
            crossings.take(&mut pairs);
        }
        // A single one that is left was compared with all that are done.
        if n - n_done == 1 {
            (n_done, is_done) = (n, vec![true; n]);
        }
        let free = |(state, is_done): (&mut State, bool)| {
            if is_done && *state != State::Crossed {
                *state = State::Free;
            }
        };
        crossings.states.iter_mut().zip(is_done).for_each(free);
        crossings.n_left = n - n_done;
        crossings
    }

    fn take(&mut self, pairs: &mut Vec<[u32; 2]>) {
        self.n_pairs += pairs.len();
        for [a, b] in pairs.drain(..) {
            self.states[a as usize] = State::Crossed;
            self.states[b as usize] = State::Crossed;
            let pair = [a.min(b), a.max(b)];
            self.first = Some(self.first.map_or(pair, |first| first.min(pair)));
        }
    }

    /// How many triangles were not compared with one another.
    pub fn n_left(&self) -> usize {
        self.n_left
    }
}
