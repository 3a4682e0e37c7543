//! The order of the stages: a measurement as a list of commands that a device or the twins carry out.

use super::layout::{CORNERS, PairFrame, Round, state};
use super::stages::StageId;

/// Rays a side in the round that finds the axes of pairs that have none yet.
const COARSE_RAYS: u32 = 16;

/// Times the box is tightened before rays are cast. In an aligned frame two passes do nearly all that can be done;
/// where the frame is not aligned more of them help little.
const TIGHTENINGS: usize = 2;

/// How pairs are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Method {
    /// By rays, this many a side across the contact normal and half as many across the other two axes: a power of two from 16.
    Rays(u32),
    /// By their triangles, where they meet. The axes have to be known.
    Triangles,
}

impl From<u32> for Method {
    fn from(rays: u32) -> Self {
        Self::Rays(rays)
    }
}

/// Which of the measurement's rounds a command belongs to: an index into [`Rounds::rounds`].
pub type RoundIx = usize;

/// How many workgroups a command starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Groups {
    /// This many.
    Direct(u32),
    /// As many as there are items, from [`super::Buffer::Arguments`].
    Items,
    /// As many as there are large items, from [`super::Buffer::Arguments`].
    LargeItems,
}

/// One dispatch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Command {
    /// What runs.
    pub stage: StageId,
    /// Which numbers it gets.
    pub round: RoundIx,
    /// How many workgroups.
    pub groups: Groups,
}

/// The numbers of a measurement's four rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rounds {
    /// Tighten and measure for the axes, then tighten and measure for the result.
    pub rounds: [Round; Self::N],
}

impl Rounds {
    /// Number of rounds.
    pub const N: usize = 4;

    /// The rounds of a method.
    pub fn of(method: Method, n_pairs: u32, large_cap: u32) -> Self {
        match method {
            Method::Rays(rays) => Self::new(n_pairs, rays, large_cap),
            Method::Triangles => Self::of_triangles(n_pairs, large_cap),
        }
    }

    /// One direction after the other stands for one ray: what is summed are parts of the whole face.
    fn of_triangles(n_pairs: u32, large_cap: u32) -> Self {
        let one = Round { rays: [1; 3], n_pairs, columns: 0b111, large_cap, ..Round::default() };
        let inside = Round { columns: 0, ..one };
        Self { rounds: [Round { columns: CORNERS, ..one }, inside, Round { spans: 1, ..inside }, one] }
    }

    /// Rounds with `rays` rays a side across the contact normal and half as many across the other two axes.
    ///
    /// `rays` is a power of two and at least 16.
    pub fn new(n_pairs: u32, rays: u32, large_cap: u32) -> Self {
        let coarse = Round { coarse: 1, ..Round::new(n_pairs, COARSE_RAYS, COARSE_RAYS, large_cap) };
        let fine = Round::new(n_pairs, rays / 2, rays, large_cap);
        let tighten = |round: Round| Round { columns: CORNERS, ..round };
        Self { rounds: [tighten(coarse), coarse, tighten(fine), fine] }
    }

    /// The most tiles that a pair has in any round.
    pub fn n_tiles(&self) -> u32 {
        self.rounds.iter().map(|round| round.n_tiles).max().unwrap_or(0)
    }
}

/// Whether any pair's axes have yet to be found.
pub fn needs_axes(frames: &[PairFrame]) -> bool {
    frames.iter().any(|frame| frame.state & state::FIXED == 0)
}

/// The commands that measure `n_pairs` pairs; with `find_axes`, see [`needs_axes`], the axes are found first.
pub fn schedule(n_pairs: u32, rounds: &Rounds, find_axes: bool) -> Vec<Command> {
    let mut schedule = Schedule { n_pairs, commands: Vec::new() };
    if find_axes {
        schedule.measure(0, 1, rounds.rounds[1].n_tiles);
        schedule.per_pair(StageId::Align, 1);
    }
    schedule.measure(2, 3, rounds.rounds[3].n_tiles);
    schedule.per_pair(StageId::Assemble, 3);
    schedule.tell_apart(2);
    schedule.push(StageId::Support, 3, Groups::Direct(n_pairs * rounds.rounds[3].n_tiles));
    schedule.push(StageId::Polygon, 3, Groups::Direct(n_pairs));
    schedule.commands
}

/// The commands of a method; `find_axes` as in [`schedule`].
pub fn schedule_of(method: Method, n_pairs: u32, rounds: &Rounds, find_axes: bool) -> Vec<Command> {
    match method {
        Method::Rays(_) => schedule(n_pairs, rounds, find_axes),
        Method::Triangles => schedule_of_triangles(n_pairs),
    }
}

/// The commands that measure `n_pairs` pairs by their triangles: the box is brought around what the bodies have in it, then around the
/// points that span the overlap, which is summed in it.
fn schedule_of_triangles(n_pairs: u32) -> Vec<Command> {
    let mut schedule = Schedule { n_pairs, commands: Vec::new() };
    for _ in 0..TIGHTENINGS {
        schedule.tighten(0);
    }
    for _ in 0..TIGHTENINGS {
        schedule.cull(1);
        schedule.push(StageId::Rim, 1, Groups::Items);
        schedule.per_pair(StageId::Bound, 0);
        schedule.per_pair(StageId::Shrink, 0);
    }
    schedule.cull(3);
    schedule.push(StageId::Meet, 3, Groups::Items);
    schedule.push(StageId::Dispatch, 3, Groups::Direct(1));
    schedule.push(StageId::Overlay, 3, Groups::LargeItems);
    let stage = StageId::Total.stage();
    schedule.push(StageId::Total, 3, Groups::Direct((3 * n_pairs).div_ceil(stage.workgroup)));
    schedule.per_pair(StageId::Assemble, 3);
    schedule.cull(2);
    schedule.push(StageId::Rim, 2, Groups::Items);
    schedule.push(StageId::Hull, 2, Groups::Direct(n_pairs));
    schedule.commands
}

struct Schedule {
    n_pairs: u32,
    commands: Vec<Command>,
}

impl Schedule {
    fn push(&mut self, stage: StageId, round: RoundIx, groups: Groups) {
        self.commands.push(Command { stage, round, groups });
    }

    /// One thread per pair.
    fn per_pair(&mut self, stage: StageId, round: RoundIx) {
        self.push(stage, round, Groups::Direct(self.n_pairs.div_ceil(stage.stage().workgroup)));
    }

    fn cull(&mut self, round: RoundIx) {
        self.push(StageId::Cull, round, Groups::Direct(2 * self.n_pairs));
        self.push(StageId::Dispatch, round, Groups::Direct(1));
    }

    /// Looks for proof that pairs in which no ray met an overlap are apart.
    fn tell_apart(&mut self, round: RoundIx) {
        self.cull(round);
        self.push(StageId::Clash, round, Groups::Items);
        self.push(StageId::Apart, round, Groups::Direct(self.n_pairs));
    }

    fn tighten(&mut self, round: RoundIx) {
        self.cull(round);
        self.push(StageId::Tighten, round, Groups::Items);
        self.per_pair(StageId::Shrink, round);
    }

    /// Tightens the boxes, casts rays and adds up what they found.
    fn measure(&mut self, tighten: RoundIx, round: RoundIx, n_tiles: u32) {
        for _ in 0..TIGHTENINGS {
            self.tighten(tighten);
        }
        self.cull(round);
        self.push(StageId::Crossings, round, Groups::Items);
        self.push(StageId::Dispatch, round, Groups::Direct(1));
        self.push(StageId::LargeCrossings, round, Groups::LargeItems);
        self.push(StageId::Sweep, round, Groups::Direct(self.n_pairs * n_tiles));
        self.push(StageId::Reduce, round, Groups::Direct(3 * self.n_pairs));
    }
}
