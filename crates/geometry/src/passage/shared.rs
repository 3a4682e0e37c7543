//! Places at which several features press: a corner that lies on a border is behind a face and an end of edges that are across that border.
//!
//! Each of them would push it out by itself, so that the stiffness of a corner would depend on roundings, and change whenever one takes over from
//! another. So what presses at one place at the same time shares one spring.

use super::integral::Press;
use super::vertex::{ALIKE, BESIDE};

/// The corners of a pair of features: of A's and of B's, unused ones repeated.
#[derive(Clone, Copy, Debug)]
pub struct Corners {
    pub of: [[u32; 3]; 2],
    /// Of which body it is a vertex that presses: 0 or 1; `None` for edges.
    pub vertex_of: Option<usize>,
}

impl Corners {
    /// Pairs of a corner of A's and one of B's.
    fn pairs(&self) -> impl Iterator<Item = [u32; 2]> + '_ {
        let [of_a, of_b] = self.of;
        of_a.into_iter().flat_map(move |a| of_b.into_iter().map(move |b| [a, b]))
    }

    /// Whether features are not two vertices of one body.
    fn may_share(&self, other: &Self) -> bool {
        self.vertex_of.is_none() || self.vertex_of != other.vertex_of
    }
}

/// Divides the spring of each place among what presses there; `corners` are those of the features of each press. Features that share one meet at a corner
/// of either body.
pub fn share(presses: &mut [Press], corners: &[Corners]) {
    let mut at: Vec<([u32; 2], usize)> = Vec::with_capacity(4 * presses.len());
    for (ix, corners) in corners.iter().enumerate() {
        at.extend(corners.pairs().map(|pair| (pair, ix)));
    }
    at.sort_unstable();
    at.dedup();
    let others = |ix: usize| {
        let mut found: Vec<usize> = Vec::new();
        for pair in corners[ix].pairs() {
            let first = at.partition_point(|x| x.0 < pair);
            let here = at[first..].iter().take_while(|x| x.0 == pair).map(|x| x.1);
            found.extend(here.filter(|other| *other != ix && corners[ix].may_share(&corners[*other])));
        }
        found.sort_unstable();
        found.dedup();
        found
    };
    let parts: Vec<f64> = (0..presses.len())
        .map(|ix| {
            1.0 / (1.0
                + others(ix).into_iter().map(|other| beside(&presses[ix], &presses[other])).sum::<f64>())
        })
        .collect();
    for (press, part) in presses.iter_mut().zip(parts) {
        press.push *= part;
        press.closing *= part;
        press.share = part;
    }
}

/// The part of the one's interval in which the other one presses at the same place.
fn beside(press: &Press, other: &Press) -> f64 {
    let ([from, to], [start, end]) = (press.interval, other.interval);
    let both = [from.max(start), to.min(end)];
    if both[0] >= both[1] || press.normal.dot(other.normal) < ALIKE {
        return 0.0;
    }
    // Both places at one time: those of intervals with other middles are as far apart as the bodies have gone meanwhile, together or not.
    let time = 0.5 * (both[0] + both[1]);
    let place = |x: &Press| x.point + (time - 0.5 * (x.interval[0] + x.interval[1])) * x.way;
    let within = BESIDE * press.depth.max(other.depth);
    if place(press).distance_squared(place(other)) > within * within {
        return 0.0;
    }
    (both[1] - both[0]) / (to - from)
}
