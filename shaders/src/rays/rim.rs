//! Finds the points that span what two bodies share: where sides of triangles of one go through triangles of the other, and corners
//! inside the other body. Their box is the overlap's, and the farthest of them support its patch.
//!
//! What rounding does not tell apart counts as crossing, so that a pair without such points is apart.

use std::collections::BTreeMap;
use std::rc::Rc;

use glam::Vec3;

use super::clash::{MAX_NEAR, is_point};
use super::descend::descend;
use super::extent::Extent;
use super::fixed::{fixed_corners, place_error};
use super::layout::{
    CLUSTER, Cluster, ContactBlock, Item, PairFrame, PairMeshes, SLICES, SUPPORT_SLOTS, WORKGROUP, argument,
    span,
};
use super::memory::{Meshes, Operands};
use super::pairing::pairs;
use super::place::fma;
use super::plane::{Height, Plane, passes_beside};
use super::scanline::Span;
use super::support::{directions, probe};
use super::work::{CROSSED, Work};

/// Error of a place between two others, as a part of the largest of them.
pub const PLACE_BETWEEN: f32 = 1e-6;

/// Farther than any place in box coordinates.
pub const FARTHEST_PLACE: f32 = 1e30;

/// Points that a thread may find. Some drivers end a thread after 65,536 turns of its loops: at most 39,000 go through [`MAX_NEAR`]
/// clusters, 17,000 to the directions of these points, and the rest to [`MAX_LOOKED`].
pub const MAX_POINTS: u32 = 512;

/// Pairs of triangles that a thread may look at.
pub const MAX_LOOKED: u32 = 8192;

/// Bits of the place across a support's direction: a word holds it below the place along.
pub const ACROSS_BITS: u32 = 14;

/// Largest places along and across, in whole numbers. A word without a place is 0.
pub const ALONG: u32 = (1 << (u32::BITS - ACROSS_BITS)) - 2;
/// See [`ALONG`].
pub const ACROSS: u32 = (1 << ACROSS_BITS) - 1;

type Triangle = [Vec3; 3];

pub fn run(on: &mut Operands<'_>) {
    let directions = directions();
    let mut placed = Placed::default();
    for ix in 0..on.memory.arguments[argument::ITEMS + argument::COUNT] {
        let item = on.memory.items[ix as usize];
        let pair = (item.side / 2) as usize;
        let (frame, block) = (on.memory.frames[pair], &on.memory.blocks[pair]);
        let is_final = on.round.spans != 0;
        let is_support = is_final && Vec3::from(block.normal) != Vec3::ZERO;
        placed.begin(pair);
        let pair_meshes = on.memory.pairs[pair];
        on.work.groups += 1;
        on.work.reads::<(Item, PairFrame, PairMeshes)>(1);
        let found = points_of(&mut placed, on.meshes, &frame, item, &pair_meshes, is_final, on.work);
        let words = &mut on.memory.spans[pair * span::N..][..span::N];
        let Some(found) = found else {
            // What else there is of the pair is void then.
            words[span::OVERFLOW] = 1;
            continue;
        };
        let words_of_point = if is_support { SUPPORT_SLOTS as usize } else { 6 };
        on.work.writes::<u32>(words_of_point * found.points.len());
        for &x in &found.points {
            if is_support {
                add_support(words, block, x, &directions);
            } else if !is_final {
                add_bound(words, x);
            }
        }
        for k in 0..3 {
            words[span::SLICES + k] |= if is_final { found.slices[k] } else { 0 };
        }
    }
}

/// Triangles of a pair's clusters by side and cluster. A device places them anew for every two clusters.
#[derive(Default)]
struct Placed {
    pair: usize,
    triangles: BTreeMap<(u32, u32), Rc<[Body]>>,
}

impl Placed {
    fn begin(&mut self, pair: usize) {
        if self.pair != pair {
            self.triangles.clear();
            self.pair = pair;
        }
    }

    fn triangles(&mut self, meshes: &Meshes, frame: &PairFrame, side: u32, cluster: u32) -> Rc<[Body]> {
        let triangles = self.triangles.entry((side, cluster)).or_insert_with(|| {
            let (tolerance, of_cluster) = (place_error(frame), &meshes.triangles[cluster as usize]);
            (0..CLUSTER)
                .map(|lane| Body::new(fixed_corners(frame, side, of_cluster, lane), tolerance))
                .collect()
        });
        Rc::clone(triangles)
    }
}

/// Places between 0 and 1 have bits in the order of their values.
fn add_bound(words: &mut [u32], x: Vec3) {
    for k in 0..3 {
        let word = x[k].clamp(0.0, 1.0).to_bits();
        words[span::BOUNDS + k] = words[span::BOUNDS + k].max(!word);
        words[span::BOUNDS + 3 + k] = words[span::BOUNDS + 3 + k].max(word);
    }
}

fn add_support(words: &mut [u32], block: &ContactBlock, x: Vec3, directions: &[[f32; 2]]) {
    let size = Vec3::from(block.hi) - Vec3::from(block.lo);
    let mut at = (x - Vec3::splat(0.5)) * size;
    // Rounding may leave less than nothing of a volume; how far its points are from each other is known all the same.
    if block.volume > 0.0 {
        at -= Vec3::from(block.moment) / block.volume * size;
    }
    for slot in 0..SUPPORT_SLOTS {
        let axes = probe(slot, Vec3::from(block.normal), Vec3::from(block.tangent), directions);
        let word = &mut words[span::SUPPORTS + slot as usize];
        *word = (*word).max(packed(at, size, axes));
    }
}

/// A point's place along an axis, above its place along another: parts of what the box reaches along them.
fn packed(at: Vec3, size: Vec3, [along, across]: [Vec3; 2]) -> u32 {
    let [along, across] = [(along, ALONG), (across, ACROSS)].map(|(axis, largest)| {
        let reach = reach_along(axis, size);
        let part = if reach > 0.0 { at.dot(axis) / reach } else { 0.0 };
        (fma(part.clamp(-1.0, 1.0), 0.5, 0.5) * largest as f32) as u32
    });
    ((along + 1) << ACROSS_BITS) | across
}

/// How far a box of this size reaches from any point of it along an axis.
pub fn reach_along(axis: Vec3, size: Vec3) -> f32 {
    axis.abs().dot(size)
}

/// The places that [`packed`] packed; `None` if there are none.
pub fn unpacked(word: u32, size: Vec3, [along, across]: [Vec3; 2]) -> Option<[f32; 2]> {
    let place = |whole: u32, largest: u32, axis: Vec3| {
        fma(whole as f32 / largest as f32, 2.0, -1.0) * reach_along(axis, size)
    };
    let whole = (word >> ACROSS_BITS).checked_sub(1)?;
    Some([place(whole, ALONG, along), place(word & ACROSS, ACROSS, across)])
}

/// The points of a cluster's triangles; `None` if there is too much to look at.
fn points_of(
    placed: &mut Placed,
    meshes: &Meshes,
    frame: &PairFrame,
    item: Item,
    pair: &PairMeshes,
    is_final: bool,
    work: &mut Work,
) -> Option<Found> {
    let mut found = Found::default();
    work.look_at_boxes(1);
    let other = 1 - item.side % 2;
    let own_extent = Extent::of(frame, item.side, meshes.box_of(pair, item.side % 2, item.cluster))
        .shared(Extent { lo: Vec3::from(frame.lo), hi: Vec3::from(frame.hi) });
    if own_extent.is_parted(0.0) {
        return Some(found);
    }
    work.place_fixed_cluster();
    let own = placed.triangles(meshes, frame, item.side % 2, item.cluster);
    if !own.iter().any(|own| own.is_busy) {
        return Some(found);
    }
    // What is below matters as well: it says how often the body goes around a corner.
    let is_near = |cluster: &Cluster| {
        let extent = Extent::of(frame, other, cluster);
        let shared = extent.shared(own_extent);
        shared.lo.x <= shared.hi.x && shared.lo.y <= shared.hi.y && extent.lo.z <= own_extent.hi.z
    };
    let (mut near, of_other) = (Vec::new(), other as usize);
    descend(meshes.boxes_of(pair, other), pair.n[of_other], work, is_near, |ix| {
        near.push(pair.first[of_other] + ix);
    });
    if near.len() > MAX_NEAR {
        return None;
    }
    let tolerance = place_error(frame);
    let mut windings = [[0; 3]; CLUSTER];
    let mut n_points = [0; WORKGROUP as usize];
    let mut n_looked = [0; WORKGROUP as usize];
    for cluster in near {
        work.place_fixed_cluster();
        let others = placed.triangles(meshes, frame, other, cluster);
        work.compare_with(others.iter().filter(|other| !other.is_beside).count());
        let is_met = |i: usize, j: usize| {
            let (own, other) = (&own[i], &others[j]);
            if !own.is_busy || other.is_beside || !other.is_in_columns_of(own) {
                return false;
            }
            own.add_windings(&mut windings[i], other);
            other.hi.z >= own.lo.z
        };
        pairs(is_met, |worker, i, j| {
            n_looked[worker] += 1;
            work.look_at_pairs(1, CROSSED);
            n_points[worker] += found.look_at(i, &own[i], &others[j], tolerance, is_final);
        });
    }
    for ((own, windings), events) in own.iter().zip(windings).zip(&found.events) {
        for k in 0..3 {
            let next = if k == 2 { 0 } else { k + 1 };
            let (begin, end) = (own.corners[k], own.corners[next]);
            let is_in = [windings[k] > 0, windings[next] > 0];
            found.slices = with_side(found.slices, [begin, end], is_in, events[k], tolerance);
            if is_in[0] {
                found.points.push(begin);
            }
        }
    }
    let is_too_much = n_points.iter().any(|&n| n > MAX_POINTS) || n_looked.iter().any(|&n| n > MAX_LOOKED);
    (!is_too_much).then_some(found)
}

/// A triangle in box coordinates.
struct Body {
    corners: Triangle,
    lo: Vec3,
    hi: Vec3,
    /// Whether it meets the box.
    is_busy: bool,
    /// Whether it has nothing in the columns of the box, or only above it.
    is_beside: bool,
    is_in_box: [bool; 3],
}

impl Body {
    fn new(corners: Triangle, tolerance: Vec3) -> Self {
        let (lo, hi) = bounds_of(&corners, tolerance);
        let is_outside = lo.cmpgt(Vec3::ONE).any() || hi.cmplt(Vec3::ZERO).any();
        // No crossing with it is taken for one in the box.
        let margin = tolerance + Vec3::splat(PLACE_BETWEEN);
        let (first, last) = (lo - margin, hi + margin);
        let is_out = first.cmpgt(Vec3::ONE).any() || last.x < 0.0 || last.y < 0.0;
        Self {
            corners,
            lo,
            hi,
            is_busy: !is_point(&corners) && !is_outside,
            is_beside: is_point(&corners) || is_out,
            is_in_box: corners.map(is_in_box),
        }
    }

    fn is_in_columns_of(&self, own: &Self) -> bool {
        !(self.lo.cmpgt(own.hi).any() || self.hi.x < own.lo.x || self.hi.y < own.lo.y)
    }

    fn add_windings(&self, windings: &mut [i32; 3], other: &Self) {
        for ((x, winding), is_in_box) in self.corners.iter().zip(windings).zip(self.is_in_box) {
            if is_in_box && other.lo.z <= x.z {
                *winding += winding_of(&other.corners, *x);
            }
        }
    }
}

/// Where a side goes through triangles of the other body: how often, and the farthest such place as a part of it.
#[derive(Clone, Copy, Default)]
struct Events {
    n: u32,
    at: f32,
}

/// The points that were found, and slices that may hold a part of the overlap.
struct Found {
    points: Vec<Vec3>,
    slices: [u32; 3],
    /// Of each side of each own triangle.
    events: [[Events; 3]; CLUSTER],
}

impl Default for Found {
    fn default() -> Self {
        Self { points: Vec::new(), slices: [0; 3], events: [[Events::default(); 3]; CLUSTER] }
    }
}

/// The box around some crossings.
struct Range {
    lo: Vec3,
    hi: Vec3,
    n: u32,
}

impl Range {
    fn widen(&mut self, crossing: &Crossing) {
        self.lo = self.lo.min(crossing.ends[0].min(crossing.ends[1]));
        self.hi = self.hi.max(crossing.ends[0].max(crossing.ends[1]));
        self.n += 1;
    }
}

impl Found {
    /// Adds where the sides of a triangle cross another, and returns at how many places. What the two have in common is between those and
    /// the places where the other's sides cross it.
    fn look_at(&mut self, ix: usize, own: &Body, other: &Body, tolerance: Vec3, is_final: bool) -> u32 {
        let mut range = Range { lo: Vec3::splat(FARTHEST_PLACE), hi: Vec3::splat(-FARTHEST_PLACE), n: 0 };
        let mut n = 0;
        for (k, crossing) in crossings(own, other, tolerance, is_final).iter().enumerate() {
            let Some(crossing) = crossing else { continue };
            n += 1;
            range.widen(crossing);
            self.points.extend(crossing.ends.map(|x| x.clamp(Vec3::ZERO, Vec3::ONE)));
            let events = &mut self.events[ix][k];
            events.n += 1;
            events.at = events.at.max(crossing.at);
        }
        if is_final && n > 0 {
            for crossing in crossings(other, own, tolerance, true).iter().flatten() {
                range.widen(crossing);
            }
            if range.n < 2 {
                range = Range { lo: other.lo.max(own.lo), hi: other.hi.min(own.hi), n: range.n };
            }
            let margin = tolerance + Vec3::splat(PLACE_BETWEEN);
            self.slices = with_slices(self.slices, range.lo - margin, range.hi + margin);
        }
        n
    }
}

fn with_slices(mut slices: [u32; 3], lo: Vec3, hi: Vec3) -> [u32; 3] {
    for (k, slices) in slices.iter_mut().enumerate() {
        *slices |= slices_between(lo[k], hi[k]);
    }
    slices
}

/// The slices with those that hold what is inside the other body of a side, by which of its ends are: up to the only place where it leaves
/// the body, or all of it.
fn with_side(
    slices: [u32; 3],
    [begin, end]: [Vec3; 2],
    is_in: [bool; 2],
    events: Events,
    tolerance: Vec3,
) -> [u32; 3] {
    if events.n == 0 && !is_in[0] && !is_in[1] {
        return slices;
    }
    let (mut from, mut to) = (begin, end);
    if events.n == 1 && is_in[0] != is_in[1] {
        let d = end - begin;
        let x = Vec3::new(
            fma(events.at, d.x, begin.x),
            fma(events.at, d.y, begin.y),
            fma(events.at, d.z, begin.z),
        );
        (from, to) = if is_in[0] { (begin, x) } else { (x, end) };
    }
    let margin = tolerance + Vec3::splat(PLACE_BETWEEN);
    with_slices(slices, from.min(to) - margin, from.max(to) + margin)
}

/// Where a side crosses a triangle: the two ends of where that may be, or in the end the middle; and that as a part of the side.
struct Crossing {
    ends: [Vec3; 2],
    at: f32,
}

/// The crossings of a triangle's three sides with another.
fn crossings(own: &Body, other: &Body, tolerance: Vec3, is_final: bool) -> [Option<Crossing>; 3] {
    let plane = Plane::new(&other.corners, tolerance);
    let heights = own.corners.map(|x| plane.height(x));
    [0, 1, 2].map(|k| {
        let next = if k == 2 { 0 } else { k + 1 };
        let [from, to] = [heights[k], heights[next]];
        if from.is_above() && to.is_above() || from.is_below() && to.is_below() {
            return None;
        }
        let side = [own.corners[k], own.corners[next]];
        if passes_beside(side, &other.corners, tolerance) {
            return None;
        }
        let crossing = crossing(side, [from, to], other, is_final);
        let [from, to] = crossing.ends;
        let margin = tolerance + Vec3::splat(PLACE_BETWEEN);
        let is_out =
            (from.min(to) - margin).cmpgt(Vec3::ONE).any() || (from.max(to) + margin).cmplt(Vec3::ZERO).any();
        (!is_out).then_some(crossing)
    })
}

fn crossing(side: [Vec3; 2], [from, to]: [Height; 2], other: &Body, is_final: bool) -> Crossing {
    let fall = from.value - to.value;
    let error = from.error.max(to.error);
    let (mut first, mut last) = (0.0, 1.0);
    if fall.abs() > error {
        let k = from.value / fall;
        let spread = error / fall.abs();
        (first, last) = ((k - spread).clamp(0.0, 1.0), (k + spread).clamp(0.0, 1.0));
    }
    if is_final {
        first = 0.5 * (first + last);
        last = first;
    }
    let ends = [first, last].map(|k| {
        let d = side[1] - side[0];
        let x = Vec3::new(fma(k, d.x, side[0].x), fma(k, d.y, side[0].y), fma(k, d.z, side[0].z));
        x.max(other.lo).min(other.hi)
    });
    Crossing { ends, at: last }
}

/// The slices from one place to another.
fn slices_between(from: f32, to: f32) -> u32 {
    let slice = |x: f32| ((x * SLICES as f32).max(0.0) as u32).min(SLICES - 1);
    (2u32 << slice(to)).wrapping_sub(1 << slice(from))
}

fn is_in_box(x: Vec3) -> bool {
    x.cmpge(Vec3::ZERO).all() && x.cmple(Vec3::ONE).all()
}

/// The box around a triangle, grown by what rounding may move its corners.
fn bounds_of([a, b, c]: &Triangle, tolerance: Vec3) -> (Vec3, Vec3) {
    let (lo, hi) = (a.min(b.min(*c)), a.max(b.max(*c)));
    let margin = tolerance + PLACE_BETWEEN * lo.abs().max(hi.abs());
    (lo - margin, hi + margin)
}

/// How often a triangle makes a ray to a point from below enter its body.
fn winding_of(other: &Triangle, x: Vec3) -> i32 {
    let span = Span::of_row(*other, x.y);
    let is_crossed = span.is_crossed && span.up.x.min(span.down.x) <= x.x && x.x < span.up.x.max(span.down.x);
    match is_crossed && span.depth_at(x.x) < x.z {
        true if span.is_exit() => -1,
        true => 1,
        false => 0,
    }
}
