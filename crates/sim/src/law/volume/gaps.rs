//! How far corners are above the plane that they come down on, at the end of a step.
//!
//! That is the gap of a body that goes on turning, not of one that goes on straight: in a step `h` a corner on a circle of radius R about the
//! centre of mass leaves its tangent by `R (ω h)²/2`, more than a wheel of many sides has to hop. What is round touches with another point of it
//! as it turns: where the shape is known, as a ball's or a circle's, its lowest point is that of the shape turned.

use glam::{DMat3, DVec3};
use tactum_geometry::shape::RoundEnd;

use crate::law::volume::corners::{Corners, Place};
use crate::motion::{self, Course};
use crate::solver::{ContactFrame, Corner};

/// What keeps corners from passing through their plane in a step.
#[derive(Clone, Debug)]
pub struct Gaps {
    pub corners: Corners,
    /// How deep bodies are held \[m\].
    pub held: f64,
    /// How much nearer to each other along the normal than they are they were measured \[m\].
    pub nearer: f64,
}

impl Gaps {
    /// Part of the depth at which bodies are held to which their corners' ends are found. No unit.
    pub const ACCURACY: f64 = 1e-5;

    /// How the deepest place moves on its body when that turns, world axes \[m\].
    pub fn rounding(&self) -> DMat3 {
        self.corners.places.first().map_or(DMat3::ZERO, |place| place.rounding)
    }

    /// How fast each corner may approach in a step of `h`, if the bodies go on like this.
    ///
    /// What is too deep may not approach; taking it out is the position correction's work. What its arc brings down though its velocity does
    /// not is asked to go up, but no faster than it was `nearing` its plane there: so that no energy comes from the arcs.
    pub fn patch(
        &self,
        frame: &ContactFrame,
        arms: [DVec3; 2],
        courses: [Course; 2],
        h: f64,
        nearing: impl Fn([DVec3; 2]) -> f64,
    ) -> impl Iterator<Item = Corner> {
        let out = self.out(frame);
        self.places(frame).map(move |(place, aside)| {
            let arms = arms.map(|arm| arm + aside);
            let bend = self.bend(&place, &arms, out, &courses, h);
            let apart = ((self.held - place.depth).max(0.0) + bend) / h;
            Corner { at: place.at, apart: apart.max(-nearing(arms)) }
        })
    }

    /// The corners where the bodies are, and where each is from the contact point \[m\].
    fn places(&self, frame: &ContactFrame) -> impl Iterator<Item = (Place, DVec3)> {
        let Corners { places, .. } = &self.corners;
        let deepest = places.first().map_or(0.0, |place| place.depth);
        let (out, frame) = (self.out(frame), *frame);
        places.iter().map(move |place| {
            let aside = frame.to_world(DVec3::new(0.0, place.at.x, place.at.y));
            (Place { depth: place.depth - self.nearer, ..*place }, aside + (deepest - place.depth) * out)
        })
    }

    /// The way out of the plane's body.
    fn out(&self, frame: &ContactFrame) -> DVec3 {
        if self.corners.are_of_b { frame.normal() } else { -frame.normal() }
    }

    /// Points that must not be too deep after the bodies have gone on for `dt` on these courses: where they are from the contact point,
    /// and how deep then \[m\]. All corners, and before them the middle of what is too much, which alone takes out what is even.
    pub fn after(
        &self,
        frame: &ContactFrame,
        arms: [DVec3; 2],
        courses: [Course; 2],
        dt: f64,
    ) -> impl Iterator<Item = (DVec3, f64)> {
        let corners: Vec<_> = self
            .places(frame)
            .map(|(_, aside)| aside)
            .zip(self.depths_after(frame, arms, courses, dt))
            .collect();
        let (mut sum, mut moment, mut square) = (0.0, DVec3::ZERO, 0.0);
        for (aside, depth) in &corners {
            let excess = (depth - self.held).max(0.0);
            sum += excess;
            moment += excess * *aside;
            square += excess * excess;
        }
        let middle = (sum > 0.0).then(|| (moment / sum, self.held + square / sum));
        middle.into_iter().chain(corners)
    }

    /// Whether a corner that was not held before, `back` from where the bodies are, is held after they have gone on for `dt` on these courses: whether it
    /// comes to be deeper than half of what bodies are held in.
    pub fn lands(
        &self,
        frame: &ContactFrame,
        arms: [DVec3; 2],
        back: [Course; 2],
        courses: [Course; 2],
        dt: f64,
    ) -> bool {
        let out = self.out(frame);
        let is_held = |depth: f64| depth > 0.5 * self.held;
        self.places(frame).any(|(place, aside)| {
            let arms = arms.map(|arm| arm + aside);
            // What rolls is held where it is measured, and goes from there to there straight: half-way it is above its arc.
            let rolls = place.rounding != DMat3::ZERO;
            let was_held =
                rolls && is_held(place.depth) || is_held(self.depth_after(&place, &arms, out, &back, 1.0));
            !was_held && is_held(self.depth_after(&place, &arms, out, &courses, dt))
        })
    }

    /// How deep each corner is after the bodies have gone on for `dt` on these courses \[m\].
    fn depths_after(
        &self,
        frame: &ContactFrame,
        arms: [DVec3; 2],
        courses: [Course; 2],
        dt: f64,
    ) -> impl Iterator<Item = f64> {
        let out = self.out(frame);
        self.places(frame).map(move |(place, aside)| {
            self.depth_after(&place, &arms.map(|arm| arm + aside), out, &courses, dt)
        })
    }

    /// How much farther from the plane than by its velocity a corner is after a time \[m\]; `out` is the way out of the plane's
    /// body, `arms` are those from the centres of mass to the corner.
    fn bend(&self, place: &Place, arms: &[DVec3; 2], out: DVec3, courses: &[Course; 2], h: f64) -> f64 {
        let (tip, plane) = self.sides();
        let straight = |side: usize, arm: DVec3| {
            let twist = courses[side].twist;
            h * (twist.linear + twist.angular.cross(arm))
        };
        let foot = arms[plane] + place.depth * out;
        let approach = out.dot(straight(plane, foot) - straight(tip, arms[tip]));
        approach + place.depth - self.depth_after(place, arms, out, courses, h)
    }

    /// How deep it is then \[m\].
    fn depth_after(
        &self,
        place: &Place,
        arms: &[DVec3; 2],
        out: DVec3,
        courses: &[Course; 2],
        h: f64,
    ) -> f64 {
        let (tip, plane) = self.sides();
        let foot = arms[plane] + place.depth * out;
        let turned = motion::exp(h * courses[plane].turning) * out;
        let depth_of = |arm: DVec3, above: DVec3| {
            let apart = courses[tip].way(arm, h) - courses[plane].way(foot, h) - place.depth * out + above;
            -turned.dot(apart)
        };
        if let Some(round) = &place.round {
            let turn = motion::exp(h * courses[tip].turning);
            let then = RoundEnd { axis: round.axis.map(|axis| turn * axis), ..*round };
            return depth_of(arms[tip] + round.center, round.center) + then.reach(turned);
        }
        let depth = depth_of(arms[tip], DVec3::ZERO);
        // A smooth surface goes on touching with other points of it: on a circle these come down by what a corner rises.
        let turn = (h * (courses[tip].turning - courses[plane].turning)).cross(out);
        let angle = turn.length();
        let rolled = if angle > 0.0 { (2.0 * (0.5 * angle).sin() / angle).powi(2) } else { 1.0 };
        // A rim that lies nearly flat comes to touch with another place of it altogether, but no lower than the body is long.
        depth + (0.5 * rolled * turn.dot(place.rounding * turn)).min(angle * self.corners.size)
    }

    /// The body with the corners and the one with the plane.
    pub fn sides(&self) -> (usize, usize) {
        if self.corners.are_of_b { (1, 0) } else { (0, 1) }
    }
}
