//! Which pairs of bodies may come to touch within a step: those whose boxes meet on their way along the free motion.
//!
//! Boxes around the whole ways find them, and meet all the more the faster the frame moves in which the scene is seen; so of those that do it is
//! asked whether the boxes are ever at one place at one time.
//!
//! A few finite bodies are sorted along one axis and swept, many go through a bounding volume hierarchy. Half-spaces have
//! no box: they are paired with every body that they may touch.

use glam::DVec3;
use parry3d_f64::bounding_volume::Aabb as ParryAabb;
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use tactum_geometry::Aabb;

use crate::constants::{BVH_BODIES, PAIRS_ANYWAY, PAIRS_PER_BODY};
use crate::motion::FreeMotion;
use crate::{Body, BodyKind};

/// What the broad phase looks at.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// The bodies.
    pub bodies: &'a [Body],
    /// Their free motion in the step.
    pub free: &'a [FreeMotion],
    /// Pairs that never touch, sorted.
    pub apart: &'a [[u32; 2]],
    /// How far each may stray from its free motion \[m\]; not at all where there is none.
    pub reach: &'a [f64],
}

/// The pairs of bodies that may come to touch within a step, each with the smaller index first, sorted.
///
/// Boxes that share a point meet. Pairs of which nothing moves, pairs that their group masks forbid and pairs that a joint keeps
/// from touching are left out.
///
/// # Errors
/// More pairs than [`max_pairs`]: they are counted, but not kept.
pub fn candidates(input: &Input<'_>) -> Result<Vec<[u32; 2]>, TooManyPairs> {
    let bodies = input.bodies;
    let mut pairs = Pairs::new(bodies.len());
    let mut entries = Vec::with_capacity(bodies.len());
    for (ix, body) in bodies.iter().enumerate() {
        if !body.shape.is_bounded() {
            pair_half_space(input, ix, &mut pairs);
        } else {
            entries.push(Entry::new(input, &box_around(body), ix));
        }
    }
    leave_what_is_far(&mut entries);
    if entries.len() < BVH_BODIES {
        sweep(input, &mut entries, &mut pairs);
    } else {
        traverse_tree(input, &entries, &mut pairs);
    }
    pairs.sorted()
}

/// The finite bodies with their boxes, to be asked which of them come near one that is led off its free motion.
pub struct Surroundings<'a> {
    input: Input<'a>,
    entries: Vec<Entry>,
    /// Where each body is among them; none for a half-space.
    places: Vec<Option<u32>>,
    tree: Bvh,
}

impl<'a> Surroundings<'a> {
    /// The bodies on their free motion.
    pub fn new(input: Input<'a>) -> Self {
        let finite = (0..).zip(input.bodies).filter(|(_, body)| body.shape.is_bounded());
        let entries: Vec<Entry> =
            finite.map(|(ix, body)| Entry::new(&input, &box_around(body), ix)).collect();
        let mut places = vec![None; input.bodies.len()];
        for (place, entry) in (0..).zip(&entries) {
            places[entry.ix as usize] = Some(place);
        }
        let tree = tree(&entries);
        Self { input, entries, places, tree }
    }

    /// The pairs of a body with those whose boxes come within this distance of its own \[m\], sorted.
    pub fn of(&self, body: u32, reach: f64) -> Vec<[u32; 2]> {
        let Some(place) = self.places[body as usize] else { return Vec::new() };
        let entry = &self.entries[place as usize];
        let wide = entry.inflated(reach);
        let mut pairs = Pairs::new(self.input.bodies.len());
        for other in self.tree.intersect_aabb(&leaf(&wide)).filter(|other| *other != place) {
            push_pair(&self.input, &wide, &self.entries[other as usize], &mut pairs);
        }
        pairs.kept.sort_unstable();
        pairs.kept
    }
}

/// Drops what stands or sleeps outside the box around all that moves.
fn leave_what_is_far(entries: &mut Vec<Entry>) {
    let moving = entries.iter().filter(|entry| entry.role.moves());
    let around = moving.fold(Aabb::EMPTY, |around, entry| around.union(&entry.swept));
    entries.retain(|entry| entry.swept.meets(&around));
}

/// How many pairs a step of so many bodies may have.
pub fn max_pairs(n_bodies: usize) -> usize {
    PAIRS_ANYWAY.max(PAIRS_PER_BODY.saturating_mul(n_bodies))
}

/// There are more pairs than a step may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyPairs {
    /// Number of pairs.
    pub found: usize,
    /// Number of pairs that a step may have.
    pub limit: usize,
}

/// Pairs as they are found; those beyond the limit are counted only, so that memory does not grow as bodies squared.
struct Pairs {
    kept: Vec<[u32; 2]>,
    found: usize,
    limit: usize,
}

impl Pairs {
    fn new(n_bodies: usize) -> Self {
        Self { kept: Vec::with_capacity(4 * n_bodies), found: 0, limit: max_pairs(n_bodies) }
    }

    fn push(&mut self, pair: [u32; 2]) {
        self.found += 1;
        if self.found <= self.limit {
            self.kept.push(pair);
        }
    }

    fn sorted(mut self) -> Result<Vec<[u32; 2]>, TooManyPairs> {
        let Self { found, limit, .. } = self;
        if found > limit {
            return Err(TooManyPairs { found, limit });
        }
        self.kept.sort_unstable();
        Ok(self.kept)
    }
}

/// What a body may do to another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// It is moved by contacts.
    Movable,
    /// It moves by itself.
    Driven,
    /// It sleeps, and what moves may wake it.
    Asleep,
    /// It stands.
    Fixed,
}

impl Role {
    fn of(body: &Body) -> Self {
        match body.kind {
            _ if body.is_driven() => Self::Driven,
            BodyKind::Static | BodyKind::Kinematic => Self::Fixed,
            BodyKind::Dynamic if body.rest.asleep => Self::Asleep,
            BodyKind::Dynamic => Self::Movable,
        }
    }

    /// Whether two bodies of these roles may change each other's motion.
    fn meets(self, other: Self) -> bool {
        matches!((self, other), (Self::Movable, _) | (_, Self::Movable))
            || matches!((self, other), (Self::Driven, Self::Asleep) | (Self::Asleep, Self::Driven))
    }

    /// Whether the body moves.
    fn moves(self) -> bool {
        matches!(self, Self::Movable | Self::Driven)
    }
}

/// A finite body: its box, and that around where it is and where the free motion takes it.
struct Entry {
    now: Aabb,
    displacement: DVec3,
    swept: Aabb,
    ix: u32,
    role: Role,
}

impl Entry {
    fn new(input: &Input<'_>, now: &Aabb, ix: usize) -> Self {
        let displacement = input.free[ix].displacement;
        let now = now.inflated(input.reach.get(ix).copied().unwrap_or(0.0));
        let after = Aabb { min: now.min + displacement, max: now.max + displacement };
        let (swept, role) = (now.union(&after), Role::of(&input.bodies[ix]));
        Self { now, displacement, swept, ix: ix as u32, role }
    }

    /// The same with a box that reaches so much farther \[m\].
    fn inflated(&self, reach: f64) -> Self {
        Self { now: self.now.inflated(reach), swept: self.swept.inflated(reach), ..*self }
    }

    /// Whether the boxes of two bodies share a point at any time of the step.
    fn meets(&self, other: &Self) -> bool {
        if !self.swept.meets(&other.swept) {
            return false;
        }
        let away = other.displacement - self.displacement;
        let (mut from, mut to) = (0.0_f64, 1.0_f64);
        for axis in 0..3 {
            // They meet along it while the other has gone at least as far as that, and at most as far as this.
            let [least, most] = [self.now.min - other.now.max, self.now.max - other.now.min].map(|x| x[axis]);
            if away[axis] == 0.0 {
                if least > 0.0 || most < 0.0 {
                    return false;
                }
                continue;
            }
            let [a, b] = [least / away[axis], most / away[axis]];
            (from, to) = (from.max(a.min(b)), to.min(a.max(b)));
        }
        from <= to
    }
}

fn push_pair(input: &Input<'_>, a: &Entry, b: &Entry, pairs: &mut Pairs) {
    let pair = [a.ix.min(b.ix), a.ix.max(b.ix)];
    if a.role.meets(b.role) && a.meets(b) && allowed(input, pair) {
        pairs.push(pair);
    }
}

/// Sort and sweep along the axis on which the boxes' centres spread most (Baraff 1992, with the axis of largest
/// variance instead of a fixed one).
fn sweep(input: &Input<'_>, entries: &mut [Entry], pairs: &mut Pairs) {
    let axis = widest_axis(entries);
    entries.sort_unstable_by(|a, b| a.swept.min[axis].total_cmp(&b.swept.min[axis]).then(a.ix.cmp(&b.ix)));
    for (k, a) in entries.iter().enumerate() {
        let end = a.swept.max[axis];
        for b in entries[k + 1..].iter().take_while(|b| b.swept.min[axis] <= end) {
            push_pair(input, a, b, pairs);
        }
    }
}

/// A tree of all boxes, built anew and traversed against itself.
fn traverse_tree(input: &Input<'_>, entries: &[Entry], pairs: &mut Pairs) {
    let mut workspace = BvhWorkspace::default();
    tree(entries).traverse_bvtt_single_tree::<false>(&mut workspace, &mut |i, j| {
        push_pair(input, &entries[i as usize], &entries[j as usize], pairs);
    });
}

fn tree(entries: &[Entry]) -> Bvh {
    Bvh::from_iter(BvhBuildStrategy::Binned, entries.iter().map(leaf).enumerate())
}

fn leaf(entry: &Entry) -> ParryAabb {
    let [min, max] = [entry.swept.min, entry.swept.max].map(|v| v.to_array().into());
    ParryAabb::new(min, max)
}

/// The box around a body where it is, as far as it may be touched.
fn box_around(body: &Body) -> Aabb {
    body.shape.aabb(&body.w_from_shape()).inflated(body.bulge())
}

fn widest_axis(entries: &[Entry]) -> usize {
    let n = entries.len().max(1) as f64;
    let mean = entries.iter().map(|e| e.swept.center()).sum::<DVec3>() / n;
    let spread: DVec3 = entries.iter().map(|e| (e.swept.center() - mean).powf(2.0)).sum();
    spread.max_position()
}

fn pair_half_space(input: &Input<'_>, plane: usize, pairs: &mut Pairs) {
    let role = Role::of(&input.bodies[plane]);
    for (ix, body) in input.bodies.iter().enumerate() {
        let pair = [plane.min(ix) as u32, plane.max(ix) as u32];
        if role.meets(Role::of(body)) && allowed(input, pair) {
            pairs.push(pair);
        }
    }
}

fn allowed(input: &Input<'_>, pair: [u32; 2]) -> bool {
    let [a, b] = pair.map(|ix| &input.bodies[ix as usize]);
    a.groups & b.mask != 0 && b.groups & a.mask != 0 && input.apart.binary_search(&pair).is_err()
}

/// Height of a body's lowest point above a plane (a point of it, its unit normal), or a lower bound of it \[m\].
pub fn height_above(on_plane: DVec3, up: DVec3, body: &Body) -> f64 {
    let w_from_shape = body.w_from_shape();
    let height = up.dot(w_from_shape.translation - on_plane);
    height - body.shape.reach(-(w_from_shape.rotation.conjugate() * up))
}
