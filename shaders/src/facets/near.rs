//! Which facets of two bodies may touch: the twin of `near.wgsl`.

use glam::Vec3;

use super::layout::{BOXES, CLUSTER, Facet, FacetBox, FacetPair, GROUP, NOWHERE};
use super::memory::Memory;
use super::place::{Cap, cap_of, in_frame};

/// How far along the contact's axis a triangle lies from its cap, over the cap's greatest rise: 2/sqrt(3), and a millionth for
/// the rounding of the product.
pub const SLANT: f32 = 1.154_701_7;

struct Extent {
    lo: Vec3,
    hi: Vec3,
}

fn extent_of(corners: &[Vec3; 3]) -> Extent {
    let [a, b, c] = *corners;
    Extent { lo: a.min(b).min(c), hi: a.max(b).max(c) }
}

fn extent_of_box(rows: &[[f32; 4]; 3], around: &FacetBox) -> Extent {
    let (lo, hi) = (Vec3::from(around.lo), Vec3::from(around.hi));
    let center = in_frame(rows, 0.5 * (lo + hi));
    let half = 0.5 * (hi - lo);
    let row = |r: &[f32; 4]| Vec3::new(r[0], r[1], r[2]).abs().dot(half);
    let reach = Vec3::new(row(&rows[0]), row(&rows[1]), row(&rows[2]));
    Extent { lo: center - reach, hi: center + reach }
}

fn meet(a: &Extent, b: &Extent, margin: f32) -> bool {
    let room = Vec3::splat(margin);
    (a.lo - room).cmple(b.hi).all() && (b.lo - room).cmple(a.hi).all()
}

fn is_off_plane(a: &Cap, b: &Cap, distance: f32) -> bool {
    let [h0, h1, h2] = b.corners.map(|x| (x - a.corners[0]).dot(a.normal));
    h0.min(h1).min(h2) > distance || h0.max(h1).max(h2) < -distance
}

fn is_box_off_plane(a: &Cap, b: &Extent, distance: f32) -> bool {
    let height = (0.5 * (b.lo + b.hi) - a.corners[0]).dot(a.normal);
    height.abs() > distance + (0.5 * (b.hi - b.lo)).dot(a.normal.abs())
}

fn is_box_near(cap: &Cap, extent: &Extent, around: &Extent, margin: f32) -> bool {
    meet(extent, around, margin) && !is_box_off_plane(cap, around, margin)
}

/// A facet in the pair's frame.
struct Seen {
    cap: Cap,
    extent: Extent,
}

impl Seen {
    fn of(rows: &[[f32; 4]; 3], facet: &Facet) -> Self {
        let cap = cap_of(rows, facet);
        let extent = extent_of(&cap.corners);
        Self { cap, extent }
    }
}

fn is_near(a: &Seen, b: &Seen, near: f32) -> bool {
    let margin = near + SLANT * (a.cap.bulge + b.cap.bulge);
    meet(&a.extent, &b.extent, margin)
        && !is_off_plane(&a.cap, &b.cap, margin)
        && !is_off_plane(&b.cap, &a.cap, margin)
}

/// The facets of a pair as its threads see them. What all of them find alike is found once here: where B's boxes are, and the facets of those of its clusters that any of A's is near.
pub struct Partners<'a> {
    memory: &'a Memory,
    pair: &'a FacetPair,
    /// B's boxes, groups and clusters as they lie in [`Memory::boxes`], with the place of the first.
    boxes: Vec<Extent>,
    first_box: usize,
    /// B's facets, cluster by cluster.
    others: Vec<Option<Vec<(u32, Seen)>>>,
    /// A's cluster that was looked at last, and B's groups that meet it.
    own: u32,
    groups: Vec<u32>,
}

fn group_box(first: u32, facet: u32) -> usize {
    ((first + facet) / GROUP * BOXES) as usize
}

impl<'a> Partners<'a> {
    /// Of a pair.
    pub fn new(memory: &'a Memory, pair: &'a FacetPair) -> Self {
        let first_box = group_box(pair.first[1], 0);
        let n_groups = pair.n[1].div_ceil(GROUP);
        let around = &memory.boxes[first_box..][..(n_groups * BOXES) as usize];
        let boxes = around.iter().map(|around| extent_of_box(&pair.frame_from_b, around)).collect();
        let others = (0..n_groups * (GROUP / CLUSTER)).map(|_| None).collect();
        Self { memory, pair, boxes, first_box, others, own: NOWHERE, groups: Vec::new() }
    }

    /// Notes which of B's groups meet a cluster of A's.
    fn look_from(&mut self, cluster: u32) {
        self.own = cluster;
        self.groups.clear();
        let (memory, pair) = (self.memory, self.pair);
        let facet = cluster * CLUSTER;
        let own = &memory.boxes[group_box(pair.first[0], facet) + 1 + (facet % GROUP / CLUSTER) as usize];
        let own_extent = extent_of_box(&pair.frame_from_a, own);
        for group in 0..pair.n[1].div_ceil(GROUP) {
            let at = (group * BOXES) as usize;
            let whole = &memory.boxes[self.first_box + at];
            if meet(&own_extent, &self.boxes[at], pair.near + SLANT * (own.bulge + whole.bulge)) {
                self.groups.push(group);
            }
        }
    }

    /// The facets of B, counted among B's, that a facet of A, counted among A's, may touch, in their order.
    pub fn of(&mut self, a: u32) -> Vec<u32> {
        let mut found = Vec::new();
        let (memory, pair) = (self.memory, self.pair);
        let facet = &memory.facets[(pair.first[0] + a) as usize];
        if facet.is_cap == 0 {
            return found;
        }
        if a / CLUSTER != self.own {
            self.look_from(a / CLUSTER);
        }
        if self.groups.is_empty() {
            return found;
        }
        let seen = Seen::of(&pair.frame_from_a, facet);
        let Self { boxes, first_box, others, groups, .. } = self;
        let is_by = |at: usize| {
            let margin = pair.near + SLANT * (seen.cap.bulge + memory.boxes[*first_box + at].bulge);
            is_box_near(&seen.cap, &seen.extent, &boxes[at], margin)
        };
        for &group in &*groups {
            let at = (group * BOXES) as usize;
            if !is_by(at) {
                continue;
            }
            for k in 0..GROUP / CLUSTER {
                let start = group * GROUP + k * CLUSTER;
                if start >= pair.n[1] {
                    break;
                }
                if !is_by(at + 1 + k as usize) {
                    continue;
                }
                let cluster = others[(start / CLUSTER) as usize].get_or_insert_with(|| {
                    let facet = |b: u32| (b, &memory.facets[(pair.first[1] + b) as usize]);
                    let all = (start..pair.n[1].min(start + CLUSTER)).map(facet);
                    let caps = all.filter(|(_, other)| other.is_cap != 0);
                    caps.map(|(b, other)| (b, Seen::of(&pair.frame_from_b, other))).collect()
                });
                let near = cluster.iter().filter(|(_, other)| is_near(&seen, other, pair.near));
                found.extend(near.map(|(b, _)| *b));
            }
        }
        found
    }
}
