//! Finds the clusters of a mesh that are wanted without a look at all of them: the twin of `descend.wgsl`.
//!
//! Clusters lie in the order of a tree over the mesh, so [`FAN`] of them one after the other are near each other. Above their boxes lie
//! those around every [`FAN`] of the level below, up to a level that a workgroup looks at in one go. A workgroup goes down from there level by
//! level, and looks at what is below the boxes that it wants. What is looked at grows with what is wanted and, at the top, with the
//! number of levels.

use super::layout::{Cluster, WORKGROUP, shell};
use super::work::Work;

/// Boxes that one of the next level is around.
pub const FAN: u32 = 8;

/// Boxes of a level that may be wanted for the ones below to be chosen by them. Where there are more, all clusters are looked at.
pub const MAX_WANTED: usize = 512;

/// Boxes of the level that a mesh is entered at, at most.
pub const ENTRANCES: u32 = WORKGROUP;

/// Where the boxes of a level begin, from a mesh's first one on, and how many there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Level {
    first: u32,
    n: u32,
}

/// The levels of a mesh of `n` clusters; the first holds the clusters' own boxes.
fn levels(n: u32) -> Vec<Level> {
    let mut levels = vec![Level { first: 0, n }];
    while let Some(&Level { first, n }) = levels.last()
        && n > ENTRANCES
    {
        levels.push(Level { first: first + n, n: n.div_ceil(FAN) });
    }
    levels
}

/// How many boxes a mesh of `n` clusters has.
pub fn n_boxes(n: u32) -> u32 {
    levels(n).iter().map(|level| level.n).sum()
}

/// Boxes of clusters with those around them.
pub fn with_levels(of_clusters: &[Cluster]) -> Vec<Cluster> {
    let levels = levels(of_clusters.len() as u32);
    let mut boxes = of_clusters.to_vec();
    for level in &levels[..levels.len() - 1] {
        for at in (level.first..level.first + level.n).step_by(FAN as usize) {
            let end = (at + FAN).min(level.first + level.n);
            boxes.push(around(&boxes[at as usize..end as usize]));
        }
    }
    boxes
}

/// The box around some; of shells it says whether any of them begins in one of these.
fn around(boxes: &[Cluster]) -> Cluster {
    let mut around = boxes[0];
    for other in boxes {
        for k in 0..3 {
            around.lo[k] = around.lo[k].min(other.lo[k]);
            around.hi[k] = around.hi[k].max(other.hi[k]);
        }
    }
    let holds = |shell: u32| boxes.iter().any(|one| one.shell == shell);
    around.shell = [shell::UNKNOWN, shell::NEXT].into_iter().find(|&of| holds(of)).unwrap_or(shell::SAME);
    around
}

/// Calls `take` with the number of each wanted cluster among the `n` of a mesh whose boxes these are. A box is to be wanted where one
/// of those in it is.
pub fn descend(
    boxes: &[Cluster],
    n: u32,
    work: &mut Work,
    mut is_wanted: impl FnMut(&Cluster) -> bool,
    mut take: impl FnMut(u32),
) {
    let levels = levels(n);
    let mut candidates: Vec<u32> = (0..levels[levels.len() - 1].n).collect();
    let mut depth = levels.len() - 1;
    loop {
        let level = levels[depth];
        work.look_at_boxes(candidates.len());
        candidates.retain(|node| is_wanted(&boxes[(level.first + node) as usize]));
        if depth == 0 {
            candidates.into_iter().for_each(&mut take);
            return;
        }
        if candidates.len() > MAX_WANTED {
            depth = 0;
            candidates = (0..n).collect();
        } else {
            depth -= 1;
            let below = |node: &u32| (FAN * node..FAN * (node + 1)).filter(|&ix| ix < levels[depth].n);
            candidates = candidates.iter().flat_map(below).collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Boxes of size 1 side by side.
    fn row(n: u32) -> Vec<Cluster> {
        let one = |x: u32| Cluster {
            lo: [x as f32, 0.0, 0.0],
            shell: if x == 100 { shell::NEXT } else { shell::SAME },
            hi: [x as f32 + 1.0, 1.0, 1.0],
            pad: 0.0,
        };
        (0..n).map(one).collect()
    }

    #[test]
    fn what_is_wanted_is_found_and_little_else_looked_at() {
        for n in [1, 8, 64, 65, 511, 513, 5_000, 40_000] {
            let boxes = with_levels(&row(n));
            assert_eq!(boxes.len() as u32, n_boxes(n));
            for wanted in [0..n, 0..1, n / 2..n / 2 + 3, n - 1..n, n..n] {
                let (lo, hi) = (wanted.start as f32 + 0.25, wanted.end as f32 - 0.25);
                let (mut found, mut work) = (Vec::new(), Work::default());
                let is_wanted = |one: &Cluster| !wanted.is_empty() && one.lo[0] < hi && one.hi[0] > lo;
                descend(&boxes, n, &mut work, is_wanted, |ix| found.push(ix));
                found.sort_unstable();
                assert_eq!(found, (0..n).filter(|ix| wanted.contains(ix)).collect::<Vec<_>>(), "{n}");
                // Two runs of three levels each, at most, besides the entrances.
                let few = u64::from(ENTRANCES + 6 * 2 * FAN);
                assert!(wanted.len() > 3 || work.boxes <= few, "{n}: {}", work.boxes);
                assert!(work.boxes <= 2 * u64::from(n) + 2 * u64::from(ENTRANCES), "{n}: {}", work.boxes);
            }
        }
    }

    #[test]
    fn a_shell_that_begins_somewhere_is_known_all_the_way_up() {
        let boxes = with_levels(&row(5_000));
        let mut found = Vec::new();
        descend(&boxes, 5_000, &mut Work::default(), |one| one.shell == shell::NEXT, |ix| found.push(ix));
        assert_eq!(found, [100]);
    }
}
