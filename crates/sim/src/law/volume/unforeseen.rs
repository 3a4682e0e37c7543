//! What the contacts of a step did not foresee: where the velocities that they leave lead bodies into each other all the same.
//!
//! Looking ahead knows where free motions lead. What others stop, turn or strike goes elsewhere, and what tumbles over another comes down on
//! it beside the place where the two have met. So pairs are measured once more where the bodies go with the solved velocities `v₀`. A
//! region there that is deeper than it was, or than contacts are held, by more than these are held makes a contact of its own, with which the step is
//! solved again:
//!
//! `n·(v - v₀) + (slack there) / h >= 0`, with the slack to that depth,
//!
//! to first order in what that changes: a step of Newton's method for bodies that are nowhere in each other at the end of the step. Nothing is
//! asked to part that came nearer along another direction: that is left to the correction of positions.

use glam::{DVec2, DVec3};
use tactum_geometry::{Overlap, Pose};

use crate::solver::ContactFrame;
use crate::solver::position::VolumeRow;
use crate::twist::Twist;

/// A region into which two bodies are led.
#[derive(Clone, Debug)]
pub struct Unforeseen {
    /// The bodies A and B.
    pub bodies: [u32; 2],
    /// The region, relative to the origin of A's shape there.
    pub region: Overlap,
    /// World from the shapes of A and B, where contacts are measured and there.
    pub from: [Pose; 2],
    pub to: [Pose; 2],
    /// The velocities that lead there.
    pub twists: [Twist; 2],
    /// How deep it may be on average \[m\].
    pub held: f64,
}

impl Unforeseen {
    /// From where the region is to where its middle is on the bodies when contacts are measured, between that of A and that of B by how easily each is
    /// moved \[m\]; both relative to the origin of A's shape.
    pub fn moved(&self, inverse_masses: [f64; 2]) -> DVec3 {
        let there = self.to[0].translation + self.region.centroid;
        let [on_a, on_b] = [0, 1].map(|side| self.from[side].point(self.to[side].inverse().point(there)));
        let [a, b] = inverse_masses;
        let part_of_b = if a + b > 0.0 { b / (a + b) } else { 0.5 };
        on_a + part_of_b * (on_b - on_a) - self.from[0].translation - self.region.centroid
    }

    /// How far the bodies may approach at the contact point in a step of `h`, see [`restitution::approach`](super::restitution::approach), and
    /// the volume continued back to where contacts are measured along the velocities that lead there.
    pub fn asked(
        &self,
        frame: &ContactFrame,
        there: &VolumeRow,
        h: f64,
        centers: [DVec3; 2],
    ) -> ((f64, DVec2), VolumeRow) {
        let there = VolumeRow { target: self.held * there.area, ..*there };
        let of =
            |side: usize| frame.twist(centers[side], self.twists[side].linear, self.twists[side].angular);
        let gone = (of(1) - of(0))[0] * h;
        let approach = ((there.slack() - gone).max(0.0), DVec2::ZERO);
        (approach, VolumeRow { volume: there.volume - h * there.rate(&self.twists.map(Some)), ..there })
    }
}
