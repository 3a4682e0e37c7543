//! The way of two bodies with the velocities that they have, and what their overlap at its end says of their surfaces.

use glam::DVec3;
use tactum_geometry::overlap::OverlapKind;
use tactum_geometry::{Overlap, Pose};

use crate::Body;
use crate::constants::{MAX_SLIDING_SLOPE, MIN_CONTINUED_COSINE};
use crate::motion;

/// The way of a pair with the velocities that it has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Way {
    /// World from the shapes of A and B, where they are.
    from: [Pose; 2],
    /// The same at the end.
    pub to: [Pose; 2],
    /// How long it takes \[s\].
    pub time: f64,
    /// Whether it leads on beyond the step.
    pub leads_on: bool,
    /// How deep contacts are held \[m\].
    held: f64,
}

/// The overlap of a pair at the end of its way.
#[derive(Clone, Copy, Debug)]
pub struct Onward<'a> {
    /// The way.
    pub way: Way,
    /// The overlap, relative to the origin of A's shape there.
    pub overlap: &'a Overlap,
}

impl Way {
    /// The way of two bodies in a time of `h`, with contacts that are held so deep.
    pub fn new(bodies: [&Body; 2], h: f64, held: f64) -> Self {
        let from = bodies.map(Body::w_from_shape);
        let to = bodies.map(|body| {
            let turn = motion::exp(h * body.angular_velocity);
            let Pose { rotation, translation } = body.w_from_shape();
            let place = body.position + h * body.linear_velocity + turn * (translation - body.position);
            Pose::new(place, turn * rotation)
        });
        Self { from, to, time: h, leads_on: false, held }
    }

    /// How far the bodies slide on each other at a place across a normal \[m\].
    pub fn slides(&self, at: DVec3, normal: DVec3) -> f64 {
        let [a, b] = [0, 1].map(|side| at - self.from[side].point(self.to[side].inverse().point(at)));
        (b - a).reject_from_normalized(normal).length()
    }

    /// Whether the regions of an overlap, that of A's origin at `origin`, are no deeper than those of surfaces that slide on each other.
    fn explains(&self, overlap: &Overlap, origin: DVec3) -> bool {
        overlap.regions().iter().all(|region| {
            let area = region.gradient.length();
            let slides = self.slides(origin + region.centroid, region.gradient / area);
            region.volume / area - self.held <= MAX_SLIDING_SLOPE * slides
        })
    }
}

impl Onward<'_> {
    /// Whether surfaces that slide on each other come to this, from what they are now.
    pub fn is_smooth(&self, now: Option<&Overlap>) -> bool {
        let Way { from: [start, _], to: [end, _], .. } = self.way;
        let explains = |overlap: &Overlap, at: &Pose| self.way.explains(overlap, at.translation);
        let touching = now.filter(|now| now.kind != OverlapKind::Empty);
        let comes_to = || self.overlap.kind == OverlapKind::Empty || explains(self.overlap, &end);
        match touching {
            Some(now) => explains(now, &start) && comes_to(),
            // What does not overlap yet has no rows of its own to stay with in the step; beyond that it need not be met.
            None => !self.way.leads_on || comes_to(),
        }
    }

    /// From the origin of A's shape to where it is at the end \[m\].
    pub fn moved(&self) -> DVec3 {
        self.way.to[0].translation - self.way.from[0].translation
    }

    /// Which region at the end each of the `present` ones becomes, by number: the two that are most alike first, none twice.
    pub fn becomes(&self, present: &Overlap) -> Vec<[usize; 2]> {
        let size = present.bounds.diagonal();
        let mut alike = Vec::new();
        for (i, here) in present.regions().iter().enumerate() {
            for (j, there) in self.overlap.regions().iter().enumerate() {
                let cosine = here.gradient.normalize_or_zero().dot(there.gradient.normalize_or_zero());
                let away = (there.centroid + self.moved()).distance(here.centroid) / size;
                if cosine > MIN_CONTINUED_COSINE {
                    alike.push((1.0 - cosine + away * away, [i, j]));
                }
            }
        }
        alike.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut found: Vec<[usize; 2]> = Vec::new();
        for (_, [i, j]) in alike {
            if found.iter().all(|&[here, there]| here != i && there != j) {
                found.push([i, j]);
            }
        }
        found
    }
}
