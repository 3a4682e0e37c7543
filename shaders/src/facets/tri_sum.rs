//! Adds up what the facets of a pair do to each other: each thread every 64th candidate, then the threads one after the other.

use glam::Vec3;

use super::layout::{FacetBlock, FacetDoubt, FacetRound, FacetTouch, NOWHERE, WORKGROUP, doubt, state};
use super::memory::Memory;

#[derive(Clone, Copy)]
struct Share {
    force: Vec3,
    area: f32,
    moment: Vec3,
    deepest: f32,
    n_facets: u32,
    n_refused: u32,
    n_doubts: [u32; doubt::N],
    firsts: [u32; doubt::N],
}

impl Share {
    const NOTHING: Self = Self {
        force: Vec3::ZERO,
        area: 0.0,
        moment: Vec3::ZERO,
        deepest: 0.0,
        n_facets: 0,
        n_refused: 0,
        n_doubts: [0; doubt::N],
        firsts: [NOWHERE; doubt::N],
    };

    fn add_touch(&mut self, ix: u32, touch: &FacetTouch) {
        if touch.state & state::REFUSED != 0 {
            self.n_refused += 1;
        }
        if touch.state & state::TOUCHES == 0 {
            return;
        }
        let (push, arm) = (Vec3::from(touch.push), Vec3::from(touch.center));
        self.force += push;
        let plus = Vec3::new(arm.y * push.z, arm.z * push.x, arm.x * push.y);
        let minus = Vec3::new(arm.z * push.y, arm.x * push.z, arm.y * push.x);
        self.moment = ((self.moment + Vec3::from(touch.moment)) + plus) - minus;
        self.area += touch.area;
        self.deepest = self.deepest.max(touch.overlap);
        self.n_facets += 1;
        for k in 0..doubt::N {
            if touch.state & (state::DOUBT << k) != 0 {
                self.n_doubts[k] += 1;
                self.firsts[k] = self.firsts[k].min(ix);
            }
        }
    }

    fn add_share(&mut self, share: &Self) {
        self.force += share.force;
        self.area += share.area;
        self.moment += share.moment;
        self.deepest = self.deepest.max(share.deepest);
        self.n_facets += share.n_facets;
        self.n_refused += share.n_refused;
        for k in 0..doubt::N {
            self.n_doubts[k] += share.n_doubts[k];
            self.firsts[k] = self.firsts[k].min(share.firsts[k]);
        }
    }
}

pub fn run(memory: &mut Memory, round: &FacetRound) {
    let n_wanted = memory.n_wanted();
    for ix in 0..round.n_pairs as usize {
        let pair = &memory.pairs[ix];
        let start = memory.starts[pair.first_group as usize];
        let end = memory.starts[(pair.first_group + pair.n_groups()) as usize];
        let mut shares = [Share::NOTHING; WORKGROUP as usize];
        if n_wanted <= round.cap {
            for k in start..end {
                shares[((k - start) % WORKGROUP) as usize].add_touch(k, &memory.touches[k as usize]);
            }
        }
        let mut total = shares[0];
        for share in &shares[1..] {
            total.add_share(share);
        }
        let doubts = std::array::from_fn(|k| {
            if total.n_doubts[k] == 0 {
                return FacetDoubt::default();
            }
            let candidate = memory.candidates[total.firsts[k] as usize];
            FacetDoubt { n: total.n_doubts[k], a: candidate.a, b: candidate.b }
        });
        memory.blocks[ix] = FacetBlock {
            force: total.force.into(),
            area: total.area,
            moment: total.moment.into(),
            deepest: total.deepest,
            n_facets: total.n_facets,
            n_refused: total.n_refused,
            n_wanted,
            n_candidates: end - start,
            doubts,
            ..FacetBlock::default()
        };
    }
}
