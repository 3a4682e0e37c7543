//! The box around a cluster in the pair's frame: the twin of `extent.wgsl`.

use glam::Vec3;

use super::layout::{Cluster, PairFrame};
use super::place::{in_frame, rows};

/// Growth of a cluster's box, as a part of the pair's reach: ten times what rounding moves a transformed point.
pub const SLACK: f32 = 1e-6;

/// Lower and upper corner of a box, pair frame \[m\].
#[derive(Clone, Copy)]
pub struct Extent {
    pub lo: Vec3,
    pub hi: Vec3,
}

fn half_size(rows: &[[f32; 4]; 3], half: Vec3) -> Vec3 {
    let along = |r: &[f32; 4]| Vec3::new(r[0].abs(), r[1].abs(), r[2].abs()).dot(half);
    Vec3::new(along(&rows[0]), along(&rows[1]), along(&rows[2]))
}

impl Extent {
    /// The box of a cluster of the body that a side stands for.
    pub fn of(frame: &PairFrame, side: u32, cluster: &Cluster) -> Self {
        let (lo, hi) = (Vec3::from(cluster.lo), Vec3::from(cluster.hi));
        let rows = rows(frame, side);
        let center = in_frame(rows, 0.5 * (lo + hi));
        let half = half_size(rows, 0.5 * (hi - lo)) + Vec3::splat(SLACK * frame.reach);
        Self { lo: center - half, hi: center + half }
    }

    /// What two boxes share.
    pub fn shared(self, other: Self) -> Self {
        Self { lo: self.lo.max(other.lo), hi: self.hi.min(other.hi) }
    }

    /// Whether there is nothing in the box, by more than a margin.
    pub fn is_parted(self, margin: f32) -> bool {
        self.lo.cmpgt(self.hi + Vec3::splat(margin)).any()
    }
}
