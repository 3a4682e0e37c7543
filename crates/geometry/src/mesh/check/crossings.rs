//! Which triangles of a surface cross others.

use rayon::prelude::*;

use super::surface::Surface;

/// Work after which the search ends, for any mesh and for every triangle of a large one, in tests of two boxes: about a
/// second's. Sound meshes without long needles take far less.
const MIN_WORK: usize = 50_000_000;
const WORK_PER_TRIANGLE: usize = 250;

/// Work that a single triangle may take for every triangle of the mesh: some tests of each.
const WORK_PER_PAIR: usize = 8;

/// Part of the whole work that a single triangle may take in any mesh: in a small one many exact tests of each other.
const PART_OF_ONE: usize = 256;

/// Most triangles that are searched at once, and the part of the whole work that they take together where each takes its
/// most. Numbers of their own, so that results do not depend on the threads.
const MAX_BLOCK: usize = 1024;
const PART_OF_WORK: usize = 4;

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
        let max_of_one = (max_work / PART_OF_ONE).max(n.saturating_mul(WORK_PER_PAIR));
        let (mut work, mut n_done) = (0, 0);
        let mut is_done = vec![false; n];
        let mut pairs = Vec::new();
        let mut crossings = Self { states: vec![State::Unknown; n], n_pairs: 0, first: None, n_left: 0 };
        let mut rest = &order[..];
        while !rest.is_empty() && work <= max_work {
            let block;
            (block, rest) = rest.split_at(block_len(rest, max_work));
            let search = |&(_, ix): &(usize, u32)| {
                surface.crossed_by(ix, max_of_one, |other| other != ix && !is_done[other as usize])
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

    /// Takes up pairs that were found.
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

/// How many of the triangles in `order`, each with the number of those near it, are searched at once.
fn block_len(order: &[(usize, u32)], max_work: usize) -> usize {
    let mut work = 0_usize;
    let fits = |(n_near, _): &&(usize, u32)| {
        work = work.saturating_add(n_near.saturating_mul(WORK_PER_PAIR));
        work <= max_work / PART_OF_WORK
    };
    order.iter().take(MAX_BLOCK).take_while(fits).count().max(1)
}
