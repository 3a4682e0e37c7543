//! A contact of a step.

use std::ops::Range;

use glam::{DMat3, DVec2, DVec3};
use serde::{Deserialize, Serialize};

use crate::Body;
use crate::law::volume::gaps::Gaps;
use crate::law::volume::geometry::ContactGeometry;
use crate::law::volume::overlaps::{RegionRef, Seen};
use crate::law::volume::tilted_face::DepthField;
use crate::law::volume::travel::Travel;
use crate::motion::Course;
use crate::solver::body::{NO_SLOT, SolverBody};
use crate::solver::constraint::Constraint;
use crate::solver::frame::{center_of_pressure, in_plane, shift_wrench};
use crate::solver::patch::Polygon;
use crate::solver::position::VolumeRow;
use crate::solver::{ContactFrame, ContactPatch, Vec6};
use crate::twist::Twist;

/// One contact of a step: where it is, what was measured, and which constraints carry it.
#[derive(Clone, Debug)]
pub struct Contact {
    /// The region that it is made from.
    pub source: RegionRef,
    /// Indices of the bodies A and B.
    pub bodies: [u32; 2],
    /// Slots of A and B within the island; [`NO_SLOT`] for a body that it cannot move.
    pub slots: [u32; 2],
    /// Contact point and axes; the point is relative to the origin of A's shape frame, world axes.
    pub frame: ContactFrame,
    /// Origin of A's shape frame, world \[m\].
    pub origin: DVec3,
    /// The overlap where the bodies are; `None` if they do not overlap yet.
    pub measured: Option<MeasuredOverlap>,
    /// From each centre of mass to the contact point, world axes \[m\].
    pub arms: [DVec3; 2],
    /// What the next step has to look ahead for.
    pub look_ahead: LookAhead,
    /// How its bodies bounce off each other; `None` where they do not.
    pub bounce: Option<Bounce>,
    /// What its patch is made from, where it is one of corners with gaps of their own.
    pub gaps: Option<Gaps>,
    /// How deep it is where, if it is that of a face lying on another.
    pub field: Option<DepthField>,
    /// How its point travels over the bodies; `None` where they bounce off each other, at one time.
    pub travel: Option<Travel>,
    /// Whether its normal is known on the way: not where surfaces bend in ways that nothing tells, nor where corners know how far apart each of
    /// them is after the step, nor where that has been measured.
    pub follows_normal: bool,
    /// What its bodies are as they move.
    pub movers: [Mover; 2],
    /// How exactly the ends of ways are found \[m\].
    pub accuracy: f64,
    /// Its constraints among those of the step.
    pub constraints: Range<usize>,
}

/// Two bodies that bounce off each other.
#[derive(Clone, Copy, Debug)]
pub struct Bounce {
    /// When, since contacts were measured \[s\].
    pub time: f64,
    /// The part of the bias of the contact's rows that is their rebound, in proportion to the coefficient.
    pub rebound: Vec6,
    /// How fast they come to part along the normal between that and the end of the step by what acts on them besides \[m/s\].
    pub drift: f64,
    /// Whether a corner strikes, or an edge, after which others come down.
    pub is_askew: bool,
}

/// A body of a contact as it moves.
#[derive(Clone, Copy, Debug)]
pub struct Mover {
    /// Its velocity before anything acts on it in the step.
    pub before: Twist,
    /// Its motion without contacts.
    pub free: Twist,
    /// Its inertia, world axes; zero for a body that nothing can move \[kg m²\].
    pub inertia: DMat3,
}

impl Contact {
    /// Where its point lies on its bodies where they are measured, in the frames of their shapes \[m\].
    pub fn places(&self, measured: &[Body]) -> [DVec3; 2] {
        let point = self.origin + self.frame.point;
        self.bodies.map(|ix| measured[ix as usize].w_from_shape().inverse().point(point))
    }

    /// Lets what it asks for, of the step's constraints from number `first` on, follow where the bodies lead it as they move now; whether
    /// that is elsewhere than assumed.
    pub fn adapts(
        &self,
        constraints: &mut [Constraint],
        first: usize,
        island: &[SolverBody],
        h: f64,
    ) -> bool {
        let Range { start, end } = self.constraints;
        let constraints = &mut constraints[start - first..end - first];
        let courses = self.courses(island, h);
        let goes_on = self.goes_on(constraints, &courses, h);
        let Some(gaps) = &self.gaps else { return goes_on };
        let corners = constraints.first_mut().and_then(|constraint| constraint.rows.corners_mut());
        let Some(corners) = corners else { return goes_on };
        let wanted = gaps.patch(&self.frame, self.arms, courses, h, |arms| self.nearing(arms)).collect();
        corners.adapt(wanted, self.accuracy / h) || goes_on
    }

    /// Lets its constraints ask for what the bodies do on average over their ways, and not where they are; whether that is something else
    /// than before.
    pub fn goes_on(&self, constraints: &mut [Constraint], courses: &[Course; 2], h: f64) -> bool {
        let (Some(travel), Some(first)) = (&self.travel, constraints.first()) else { return false };
        let impulse = self.sum(constraints);
        let aside = match first.rows.patch().filter(|_| impulse[0] > 0.0) {
            Some(patch) => patch.nearest(center_of_pressure(&impulse)),
            None if impulse[0] > 0.0 => center_of_pressure(&impulse),
            None => DVec2::ZERO,
        };
        let arms = self.arms.map(|arm| arm + self.frame.to_world(in_plane(aside)));
        let last = self.frame.to_world(first.going_on);
        let mut besides = self.frame.to_contact(travel.besides(arms, courses, h, last));
        let bent = |twists: [Twist; 2]| {
            let courses = self.courses_with(twists, h);
            -self.frame.to_contact(travel.besides(arms, &courses, h, DVec3::ZERO)).x
        };
        besides.x = if self.follows_normal { besides.x.max(-self.parting(arms, bent)) } else { 0.0 };
        let goes_on = |constraint: &mut Constraint| constraint.goes_on_by(besides) > self.accuracy / h;
        constraints.iter_mut().map(goes_on).fold(false, |any, one| any | one)
    }

    /// Whether the bodies turn too far, as an island's solve has left them, for the end of their way to be known from where they are.
    pub fn is_lost(&self, island: &[SolverBody], h: f64) -> bool {
        let courses = self.courses(island, h);
        self.travel.as_ref().is_some_and(|travel| travel.is_lost(self.arms, &courses, h, self.accuracy))
    }

    /// How fast the bodies came nearer to each other at a point before anything acted in the step.
    ///
    /// What comes nearer on its arc is asked to part by as much at most: then no impulse gives more energy than the approach had, and
    /// what rolls on a curve, which approaches by its arc in every step, loses none.
    pub fn nearing(&self, arms: [DVec3; 2]) -> f64 {
        let [a, b] = [0, 1].map(|side| {
            let Twist { linear, angular } = self.movers[side].before;
            linear + angular.cross(arms[side])
        });
        self.frame.normal().dot(a - b).max(0.0)
    }

    /// How fast bodies are asked to part at most on their arcs at a point \[m/s\]: as fast as they came nearer there, and what forces make faster in the
    /// step by as much more as its arc then bends more, which `bent` tells of velocities. As far as it was not by its arc that it came nearer, or not
    /// as much, it parts by so much less. Contacts make nothing faster here: what parts faster for that would be faster for it.
    fn parting(&self, arms: [DVec3; 2], bent: impl Fn([Twist; 2]) -> f64) -> f64 {
        let nearing = self.nearing(arms);
        let before = bent(self.movers.map(|mover| mover.before));
        if nearing == 0.0 || before <= 0.0 {
            return nearing;
        }
        let faster = bent(self.movers.map(|mover| mover.free)) - before;
        nearing + faster.max(0.0) * (nearing / before).min(1.0)
    }

    /// Velocity of the bodies at the contact point that nothing can move, B minus A, contact axes.
    pub fn driven_twist(&self) -> Vec6 {
        let of_side = |side: usize, sign: f64| {
            let Twist { linear, angular } = self.movers[side].free;
            let center = self.frame.point - self.arms[side];
            match self.slots[side] {
                NO_SLOT => self.frame.twist(center, linear, angular) * sign,
                _ => Vec6::ZERO,
            }
        };
        of_side(0, -1.0) + of_side(1, 1.0)
    }

    /// How the bodies go on for `h` as an island's solve has left them.
    fn courses(&self, island: &[SolverBody], h: f64) -> [Course; 2] {
        let twist = |side: usize| match self.slots[side] {
            NO_SLOT => self.movers[side].free,
            slot => island[slot as usize].twist,
        };
        self.courses_with([twist(0), twist(1)], h)
    }

    /// How the bodies go on for `h` with these velocities.
    pub fn courses_with(&self, twists: [Twist; 2], h: f64) -> [Course; 2] {
        [0, 1].map(|side| match self.slots[side] {
            NO_SLOT => Course::steady(twists[side]),
            _ => Course::free(twists[side], &self.movers[side].inertia, h),
        })
    }

    /// The rows that take out what is too deep after the bodies have gone on for `dt` as an island's solve has left them: one of each
    /// corner where they have gaps of their own, otherwise that of the volume.
    pub fn rows_to_correct(
        &self,
        volume: &VolumeRow,
        island: &[SolverBody],
        dt: f64,
        rows: &mut Vec<VolumeRow>,
    ) {
        let Some(gaps) = &self.gaps else { return rows.push(volume.after(island, dt)) };
        let courses = self.courses(island, dt);
        let corners = gaps.after(&self.frame, self.arms, courses, dt);
        rows.extend(corners.map(|(aside, depth)| {
            volume.of_point(self.frame.normal(), self.arms.map(|arm| arm + aside), depth, gaps.held)
        }));
    }

    /// The rows that keep the corners of a face that lies on another from getting deeper than they are and than they are held, when
    /// what is too deep elsewhere is taken out: the volume of a face says nothing of how it lies.
    pub fn rows_to_keep(
        &self,
        volume: &VolumeRow,
        constraints: &[Constraint],
        first: usize,
        island: &[SolverBody],
        dt: f64,
        rows: &mut Vec<VolumeRow>,
    ) {
        let Some(field) = self.field else { return };
        let hull = constraints[self.constraints.start - first].rows.patch().and_then(ContactPatch::hull);
        let held = volume.target / volume.area;
        rows.extend(hull.into_iter().flat_map(Polygon::corners).map(|x| {
            let arms = self.arms.map(|arm| arm + self.frame.to_world(DVec3::new(0.0, x.x, x.y)));
            let row = volume.of_point(self.frame.normal(), arms, field.depth(x), held).after(island, dt);
            VolumeRow { target: row.target.max(row.volume), ..row }
        }));
    }

    /// Whether a corner that was not held at the start of the step, `back` from where it was measured, is held `dt` after that, as an
    /// island's solve has left them.
    pub fn lands(&self, back: [Twist; 2], island: &[SolverBody], dt: f64) -> bool {
        let Some(gaps) = &self.gaps else { return false };
        let courses = self.courses(island, dt);
        gaps.lands(&self.frame, self.arms, back.map(Course::steady), courses, dt)
    }

    /// Whether the other contacts of the step did not foresee it.
    pub fn is_unforeseen(&self) -> bool {
        matches!(self.source.seen, Seen::Unforeseen(_))
    }

    /// Whether the bodies did not overlap at the start of the step, `back` from where they were measured.
    pub fn was_apart(&self, back: [Twist; 2]) -> bool {
        let moved = |side: usize| back[side].linear + back[side].angular.cross(self.arms[side]);
        let farther = self.frame.normal().dot(moved(1) - moved(0));
        self.measured.is_none_or(|overlap| overlap.extent < farther)
    }

    /// The contact's impulse on B about the contact point, contact axes: the sum of its constraints' \[N s, N m s\].
    pub fn impulse(&self, constraints: &[Constraint]) -> Vec6 {
        self.sum(&constraints[self.constraints.clone()])
    }

    /// The sum of its own constraints' impulses.
    pub fn sum(&self, constraints: &[Constraint]) -> Vec6 {
        let mut sum = Vec6::ZERO;
        for constraint in constraints {
            // A point's impulse acts at the point; axes are those of the contact.
            let r = self.frame.to_contact(constraint.arms[1]) - self.frame.to_contact(self.arms[1]);
            sum += shift_wrench(&constraint.impulse, -r);
        }
        sum
    }
}

/// What a contact's record says of its overlap.
#[derive(Clone, Copy, Debug, Default)]
pub struct MeasuredOverlap {
    /// Volume \[m³\].
    pub volume: f64,
    /// Mean depth \[m\].
    pub depth: f64,
    /// Extent along the normal \[m\].
    pub extent: f64,
    /// Patch area \[m²\].
    pub area: f64,
}

impl From<&ContactGeometry<'_>> for MeasuredOverlap {
    fn from(geometry: &ContactGeometry<'_>) -> Self {
        let ContactGeometry { volume, mean_depth, extent, .. } = *geometry;
        Self { volume, depth: mean_depth, extent, area: geometry.area() }
    }
}

/// What a step has to look ahead for in a contact of the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LookAhead {
    /// Nothing: the bodies overlapped evenly.
    Nothing,
    /// Where a tilted face lands.
    Landing,
    /// The touch: the bodies did not overlap yet.
    Touch,
    /// The next corner: one carried, or was near enough to be about to.
    NextCorner,
    /// Where surfaces that are both curved slide to.
    Onward,
}
