//! Where curved surfaces that slide on each other will be, measured.
//!
//! The facets of two meshes that stand for smooth surfaces know the common normal only within the angles of their edges. A nut of 60
//! sectors on a bolt of 64 goes down as smoothly as its thread, to 10 µm, but the normals found on the way lean to either side of its
//! motion by up to 0.02 rad; and rows that forbid what approaches along them stop that part of the motion in every step,
//! whatever the step. What has to be stopped is only what is really nearer at the end. So such a pair is measured once more where it
//! goes with the velocities that it has, and a row asks for that place's depth, to first order in what the step changes about the
//! velocities `v₀`:
//!
//! `n·(v - v₀) + (slack there) / h >= 0`
//!
//! The surface is followed as in SHAKE (Ryckaert, Ciccotti, Berendsen 1977): the impulse acts along the normal in the middle of the
//! way, and the gap is that at its end. What a smooth motion does not explain, a depth that grows steeply, is an impact, and
//! stays with the rows of where the bodies are.

use glam::{DVec2, DVec3};
use tactum_geometry::overlap::OverlapKind;
use tactum_geometry::{Overlap, Pose};

use crate::constants::{MAX_SLIDING_SLOPE, MAX_SLIDING_TURN, MIN_CONTINUED_COSINE};
use crate::law::Situation;
use crate::law::volume::choose::target_depth;
use crate::law::volume::contact::LookAhead;
use crate::law::volume::memory;
use crate::law::volume::restitution::Bodies;
use crate::motion::{self, Twist};
use crate::solver::position::VolumeRow;
use crate::solver::{ContactFrame, Vec6};
use crate::{Body, ContactModel, Settings};

/// The way of a pair until it is measured next, with the velocities that it has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Way {
    /// World from the shapes of A and B, where they are.
    pub from: [Pose; 2],
    /// The same at the end.
    pub to: [Pose; 2],
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
    /// The way of a pair of which two curved surfaces touched in the last step, where it slides farther than contacts are deep; `None`
    /// for any other. What bounces does so from where it is, and what gives finds its own depth.
    pub fn of(situation: &Situation<'_>, pair: [u32; 2]) -> Option<Self> {
        let Settings { dt, compliance, contact, target_volume, .. } = *situation.settings;
        let is_rigid = compliance == 0.0 && contact == ContactModel::Patch && target_volume.is_none();
        let bodies = pair.map(|ix| &situation.bodies[ix as usize]);
        let turn = dt * (bodies[1].angular_velocity - bodies[0].angular_velocity).length();
        if !is_rigid || turn > MAX_SLIDING_TURN || bodies.iter().any(|body| body.smooth.is_none()) {
            return None;
        }
        let held = target_depth(situation, pair, 0.0);
        let contacts = memory::of_pair(&situation.memory.contacts, pair);
        let from = bodies.map(Body::w_from_shape);
        let to = bodies.map(|body| {
            let turn = motion::exp(dt * body.angular_velocity);
            let Pose { rotation, translation } = body.w_from_shape();
            let place = body.position + dt * body.linear_velocity + turn * (translation - body.position);
            Pose::new(place, turn * rotation)
        });
        let way = Self { from, to, held };
        let slides = contacts.iter().any(|contact| {
            contact.look_ahead == LookAhead::Onward && way.slides(contact.point, contact.normal) > held
        });
        (slides && situation.touch(pair).restitution == 0.0).then_some(way)
    }

    /// How far the bodies slide on each other at a place across a normal \[m\].
    fn slides(&self, at: DVec3, normal: DVec3) -> f64 {
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
        // What does not overlap yet has no rows of its own to stay with.
        let touching = now.filter(|now| now.kind != OverlapKind::Empty);
        let leaves = self.overlap.kind == OverlapKind::Empty;
        touching.is_none_or(|now| explains(now, &start) && (leaves || explains(self.overlap, &end)))
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

/// The volume at the end of the way as a function of what changes about the velocities: those of the way have brought the bodies there.
pub fn from_end(row: VolumeRow, Bodies { bodies, free, .. }: &Bodies<'_>) -> VolumeRow {
    let on_the_way = |side: usize| (free[side].inverse_mass > 0.0).then(|| twist(bodies[side]));
    VolumeRow { driven_rate: -row.rate(&[on_the_way(0), on_the_way(1)]), ..row }
}

/// How far bodies may approach at a contact point, and how that changes over the patch, for their depth at the end of the way to be
/// the one held there, or not more than it is `here`: see [`restitution::approach`](super::restitution::approach). `there` is the
/// volume at the end; of a region that is none there it is only known that the way leads out of it.
pub fn approach(
    frame: &ContactFrame,
    here: f64,
    there: Option<&VolumeRow>,
    h: f64,
    Bodies { bodies, centers, .. }: &Bodies<'_>,
) -> (f64, DVec2) {
    let of = |side: usize| -> Vec6 {
        let Twist { linear, angular } = twist(bodies[side]);
        frame.twist(centers[side], linear, angular)
    };
    let on_the_way = (of(1) - of(0)) * h;
    let along = match there {
        Some(row) => row.slack() - here.min(0.0) - on_the_way[0],
        None => here.max(0.0).max(-on_the_way[0]),
    };
    let slope = match there {
        Some(_) => DVec2::new(on_the_way[5], -on_the_way[4]),
        None => DVec2::ZERO,
    };
    (along, slope)
}

fn twist(body: &Body) -> Twist {
    Twist { linear: body.linear_velocity, angular: body.angular_velocity }
}
