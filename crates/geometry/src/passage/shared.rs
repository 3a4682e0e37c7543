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
    /// Whether features meet at a corner of either body, and are not two vertices of one.
    fn meet(&self, other: &Self) -> bool {
        let is_common = |body: usize| self.of[body].iter().any(|corner| other.of[body].contains(corner));
        (self.vertex_of.is_none() || self.vertex_of != other.vertex_of) && is_common(0) && is_common(1)
    }
}

/// Divides the spring of each place among what presses there; `corners` are those of the features of each press.
pub fn share(presses: &mut [Press], corners: &[Corners]) {
    let mut at: Vec<(u32, usize)> = Vec::with_capacity(3 * presses.len());
    for (ix, corners) in corners.iter().enumerate() {
        at.extend(corners.of[0].iter().map(|corner| (*corner, ix)));
    }
    at.sort_unstable();
    at.dedup();
    let others = |ix: usize| {
        let mut found: Vec<usize> = Vec::new();
        for corner in corners[ix].of[0] {
            let first = at.partition_point(|x| x.0 < corner);
            let here = at[first..].iter().take_while(|x| x.0 == corner).map(|x| x.1);
            found.extend(here.filter(|other| *other != ix && !found.contains(other)).collect::<Vec<_>>());
        }
        found.retain(|other| corners[ix].meet(&corners[*other]));
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
    let within = BESIDE * press.depth.max(other.depth);
    if press.point.distance_squared(other.point) > within * within || press.normal.dot(other.normal) < ALIKE {
        return 0.0;
    }
    let ([from, to], [start, end]) = (press.interval, other.interval);
    ((to.min(end) - from.max(start)) / (to - from)).clamp(0.0, 1.0)
}
