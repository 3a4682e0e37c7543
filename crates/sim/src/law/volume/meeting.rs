//! Where and when bodies that bounce off each other meet.
//!
//! Contacts are measured at one time of the step, and bodies may meet at any other. What is round, an edge or a corner is touched elsewhere
//! then, along another normal: the directions in which two balls part would be right to first order in the step. So the time is sought at which
//! the surfaces that face each other touch, with the normal that they have then, by Newton's method: two convex bodies that pass each other
//! straight are apart by a convex function of time, so that it comes down on the first of its zeros, whichever side it starts from; in a hollow
//! it comes down on its only one from the other side.

use glam::{DVec2, DVec3};
use tactum_geometry::{Pose, Shape, Symmetry};

use crate::Body;
use crate::constants::TOUCHING;
use crate::law::volume::assemble::Assembly;
use crate::law::volume::bulging::{self, turned_to_face};
use crate::law::volume::choose::{Chosen, may_bounce};
use crate::law::volume::flight::Flight;
use crate::law::volume::geometry::ContactGeometry;
use crate::law::volume::memory::StoredContact;
use crate::law::volume::overlaps::{PairOverlaps, RegionRef};
use crate::law::volume::restitution::{Bodies, velocity_before};
use crate::law::volume::rolling::RoundSide;
use crate::law::volume::struck::Striker;
use crate::solver::{ContactFrame, Corner};

/// How two bodies that bounce off each other meet. Frame: world axes, positions relative to where the origin of A's shape was when the contact was measured.
pub struct Meeting<'a> {
    /// Whether they do.
    pub when: When,
    /// The contact then.
    pub geometry: ContactGeometry<'a>,
    /// The round sides on which they touch.
    pub round: [Option<RoundSide>; 2],
    /// Their centres of mass then \[m\].
    pub centers: [DVec3; 2],
    /// Where a body strikes a plane with corners: those on the contact's axes, and how far above the first of them; or how much nearer they may
    /// come \[m\].
    pub corners: Vec<(DVec2, f64)>,
    /// Whether it strikes with the line of a round side.
    pub is_on_side: bool,
}

/// When bodies that may bounce off each other touch.
#[derive(Clone, Copy, Debug)]
pub enum When {
    /// That long after contacts were measured \[s\].
    After(f64),
    /// Not before contacts are measured next: they only come nearer to each other. The nearest place is so deep where they were measured, negative
    /// where it is apart \[m\].
    Not(f64),
}

impl When {
    /// How long after contacts were measured \[s\].
    pub fn time(self) -> Option<f64> {
        match self {
            Self::After(time) => Some(time),
            Self::Not(_) => None,
        }
    }
}

/// Steps of Newton's method; six are usual.
const MAX_STEPS: u32 = 20;

impl<'a> Meeting<'a> {
    /// How bodies whose surfaces face each other meet on their free motion within `h` of where their contact was measured, and `seen` with B moved by `shift`; `None` where they
    /// do not, or where nothing that is round or sharp faces the other.
    pub fn facing(between: &Bodies<'_>, seen: &ContactGeometry<'a>, shift: DVec3, h: f64) -> Option<Self> {
        let flights = Flight::of_both(between, h);
        let (mut time, mut last) = (0.0, f64::INFINITY);
        let mut geometry = seen.clone();
        for n_steps in 0..MAX_STEPS {
            let centers = flights.each_ref().map(|flight| flight.center(time));
            let [a, b] = flights.each_ref().map(|flight| flight.pose(time));
            let origin = a.translation;
            let poses = [a, b].map(|pose| Pose { translation: pose.translation - origin, ..pose });
            // What was seen has gone as far as the bodies have since.
            let [from, to] = [between.centers, centers].map(|[a, b]| b - a);
            geometry.extent = seen.extent + (to - from - shift).length();
            let (found, touching) = turned_to_face(between.bodies, &poses, &geometry)?;
            let at = origin + touching.middle();
            let [of_a, of_b] = [0, 1].map(|side| flights[side].velocity(at - centers[side], time));
            let closing = found.normal.dot(of_a - of_b);
            let step = touching.depth(&found) / closing;
            if closing <= 0.0 || step.is_nan() {
                return None;
            }
            if step.abs() >= last || time - step == time {
                let geometry = ContactGeometry { point: at, extent: seen.extent, ..found };
                return Some(Self {
                    when: When::After(time),
                    geometry,
                    round: touching.sides(),
                    centers,
                    corners: Vec::new(),
                    is_on_side: false,
                });
            }
            let next = (time - step).clamp(-h, h);
            if next == time {
                return None;
            }
            // The first step leads to the side from which on steps are ever shorter.
            last = if n_steps > 0 { step.abs() } else { last };
            time = next;
            geometry = found;
        }
        None
    }
}

impl Meeting<'_> {
    /// Where bodies that only come nearer to each other are nearest, and how deep that is where contacts were measured \[m\].
    pub fn nearest(&self) -> Option<(&ContactGeometry<'_>, f64)> {
        match self.when {
            When::After(_) => None,
            When::Not(depth) => Some((&self.geometry, depth)),
        }
    }

    /// The contact's point and axes.
    pub fn frame(&self) -> ContactFrame {
        let ContactGeometry { point, normal, axes, pitch, .. } = self.geometry;
        ContactFrame::new(point, normal, axes).with_pitch(pitch)
    }

    /// What each corner is asked for besides the contact's rows, where these ask for the rebound of those that strike first; `left` is how
    /// much of the time until contacts are measured next is left then \[s\]. Where others are met in the next part of a step, they are not asked in
    /// this one.
    pub fn asked(&self, restitution: f64, left: f64, in_parts: bool) -> Vec<Corner> {
        let times = if self.when.time().is_some() { 1.0 + restitution } else { 1.0 };
        let apart = |above: f64| if above == 0.0 { 0.0 } else { times * above / left };
        let is_asked = |above: f64| above == 0.0 || left > 0.0 && !(in_parts && self.when.time().is_some());
        let asked = self.corners.iter().filter(|(_, above)| is_asked(*above));
        asked.map(|&(at, above)| Corner { at, apart: apart(above) }).collect()
    }

    /// Whether others than those that strike first come down after them, so that a whole step does not know its end: they do after an edge
    /// or a corner, not after a face, nor a line on the side of what is round.
    pub fn is_askew(&self) -> bool {
        let n_striking = self.corners.iter().filter(|(_, above)| *above == 0.0).count();
        n_striking < self.corners.len() || (1..if self.is_on_side { 2 } else { 3 }).contains(&n_striking)
    }
}

impl<'a> Assembly<'a> {
    /// Whether the bodies of a region approach so fast that they may bounce off each other there.
    pub fn bounces(&self, source: RegionRef) -> bool {
        let pair = PairOverlaps::of(&self.pairs[source.pair as usize], self.answers);
        if self.situation.touch(pair.bodies).restitution == 0.0 {
            return false;
        }
        let pair = pair.at(source, self.unforeseen);
        let chosen = self.chosen(&pair, source, self.remembered(&pair, source));
        may_bounce(&self.situation, &pair, chosen.shift, &chosen.geometry)
    }

    /// The geometry of a region's contact, with how the bodies meet where they bounce off each other. What does not strike before contacts are
    /// measured next is held as what does not bounce is.
    pub(super) fn chosen_as_met(
        &self,
        pair: PairOverlaps<'a>,
        source: RegionRef,
        remembered: Option<&StoredContact>,
        between: &Bodies<'a>,
    ) -> (PairOverlaps<'a>, Chosen<'a>) {
        let mut chosen = self.chosen(&pair, source, remembered);
        let settings = self.situation.settings;
        let bounces = may_bounce(&self.situation, &pair, chosen.shift, &chosen.geometry);
        if !bounces && (!pair.may_strike || self.situation.touch(pair.bodies).restitution == 0.0) {
            return (pair, chosen);
        }
        let is_fast = |meeting: &Meeting<'_>| {
            let between = Bodies { centers: meeting.centers, ..*between };
            velocity_before(&meeting.frame(), &between)[0] < -settings.restitution_threshold
        };
        let strikes =
            |seen: &Chosen<'a>, by: &Striker<'_>| by.strikes(&seen.geometry, settings.dt).filter(is_fast);
        let mut striker = None;
        if bounces {
            chosen.meeting = self.facing(&pair, &chosen, between);
            if chosen.meeting.is_some() {
                return (pair, chosen);
            }
            striker = Striker::of(&pair, &chosen, between, settings);
            chosen.meeting = striker.as_ref().and_then(|striker| strikes(&chosen, striker));
            if striker.is_none() || chosen.meeting.is_some() {
                return (pair, chosen);
            }
        }
        // The corners that come down may be more, and faster, than those on which the bodies are in each other now.
        let as_held = PairOverlaps { may_strike: false, ..pair };
        let mut held = self.chosen(&as_held, source, remembered);
        if held.corners.is_some() {
            let striker = Striker::of(&pair, &held, between, settings);
            held.meeting = striker.and_then(|striker| strikes(&held, &striker));
        } else if let Some(striker) = striker {
            let slow = settings.restitution_threshold;
            chosen.meeting = striker.comes_nearer(&chosen.geometry, settings.dt, slow);
            if chosen.meeting.is_some() {
                return (pair, chosen);
            }
        }
        (PairOverlaps { may_strike: held.meeting.is_some(), ..pair }, held)
    }

    /// How the bodies of a contact meet, where surfaces that face each other touch in a point.
    fn facing(
        &self,
        pair: &PairOverlaps<'_>,
        chosen: &Chosen<'a>,
        between: &Bodies<'_>,
    ) -> Option<Meeting<'a>> {
        // What bulges out all over touches in one place; of other smooth surfaces it has to be known that they do so here.
        let is_oval = |body: &Body| body.smooth.as_ref().is_some_and(|surface| surface.is_oval());
        let is_round = |body: &Body| matches!(body.shape, Shape::Sphere(_)) || is_oval(body);
        let is_told = |body: &Body| body.smooth.is_none() || is_oval(body);
        let bodies = between.bodies;
        let touches = bodies.into_iter().any(is_round) && bodies.into_iter().all(is_told);
        let may = (chosen.depth.is_some() || touches) && bulging::may_face(&self.situation, pair);
        may.then(|| Meeting::facing(between, &chosen.geometry, chosen.shift, self.situation.settings.dt))
            .flatten()
    }
}

/// Whether a body that is no ball has turned by then: a contact that is taken where it was measured is where it touches to first order alone.
pub fn turns_by(body: &Body, time: f64) -> bool {
    body.shape.symmetry() != Some(Symmetry::Point) && (body.angular_velocity * time).length() > TOUCHING
}

/// Whether a body's inertia is another where it bounces than where it was measured, which the rows of all of its contacts have in common: then
/// the whole step knows the bounce to first order alone.
pub fn turns_inertia(body: &Body, time: f64) -> bool {
    let inertia = body.mass.inertia;
    let turning = body.orientation.conjugate() * (body.angular_velocity * time);
    let change = [DVec3::X, DVec3::Y, DVec3::Z]
        .map(|axis| (turning.cross(inertia * axis) - inertia * turning.cross(axis)).length());
    let most = inertia.x_axis.x.max(inertia.y_axis.y).max(inertia.z_axis.z);
    body.is_movable() && change.into_iter().any(|change| change > TOUCHING * most)
}
