//! What the contacts of a step did not foresee: where the velocities that they leave lead bodies into each other all the same.
//!
//! Looking ahead knows where free motions lead. What others stop, turn or strike goes elsewhere, and what tumbles over another comes down on
//! it beside the place where the two have met. So pairs are measured once more where the bodies go with the solved velocities `v₀`. A
//! region there that is deeper than it was, or than contacts are held, by more than these are held makes a contact of its own, with which the step is
//! solved again:
//!
//! `n·(v - v₀) + (slack there) / h >= 0`, with the slack to that depth,
//!
//! where the slack goes by the power of the depth with which the volume grows, a corner's by the third, and all else is of first order in what that
//! changes: a step of Newton's method for bodies that are nowhere in each other at the end of the step. Nothing is
//! asked to part that came nearer along another direction: that is left to the correction of positions.

use glam::{DVec2, DVec3};
use tactum_geometry::Overlap;

#[cfg(doc)]
use crate::law::volume::curved;
use crate::law::volume::geometry::ContactGeometry;
use crate::law::volume::rolling::RoundSide;
use crate::law::volume::tilted_face::DepthField;
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
    /// The ways of A and B from where contacts are measured to there: of the point at which they touch on them, or of their centres of mass where
    /// one of them rolls, as that touches with another point all the time \[m\].
    pub ways: [DVec3; 2],
    /// That of the origin of A's shape \[m\].
    pub way_of_origin: DVec3,
    /// The velocities that lead there.
    pub twists: [Twist; 2],
    /// How far they go besides, with their positions corrected \[m, rad\].
    pub besides: [Twist; 2],
    /// How deep it may be on average \[m\].
    pub held: f64,
    /// How they touch there.
    pub surface: Surface,
}

/// How surfaces touch in a region.
#[derive(Clone, Copy, Debug)]
pub struct Surface {
    /// From A to B, unit vector.
    pub normal: DVec3,
    /// The contact point, relative to the origin of A's shape \[m\].
    pub point: DVec3,
    /// That of the screw along which flanks of threads push \[m\].
    pub pitch: f64,
    /// How deep those that the bodies stand for are in each other, where they touch in a point \[m\].
    pub depth: Option<f64>,
    /// The round sides of A and B with which they do, on the axes of the region's geometry along the normal.
    pub round: [Option<RoundSide>; 2],
    /// Whether it acts at a point, see [`curved::is_point`].
    pub is_point: bool,
}

impl Surface {
    /// Whether surfaces lie along a line on each other, as a pin in a hole.
    pub fn is_line(&self) -> bool {
        self.depth.is_some()
            && self.round.iter().all(|side| side.is_some_and(|side| side.straight() != DVec2::ZERO))
    }

    /// Whether one of them rolls there.
    pub fn rolls(&self) -> bool {
        self.round.iter().any(Option::is_some)
    }
}

impl Unforeseen {
    /// From where the region is to where its contact acts when contacts are measured, between what A and what B says by how easily each is moved \[m\];
    /// both relative to the origin of A's shape.
    pub fn moved(&self, inverse_masses: [f64; 2]) -> DVec3 {
        let [a, b] = inverse_masses;
        let part_of_b = if a + b > 0.0 { b / (a + b) } else { 0.5 };
        self.way_of_origin - self.ways[0].lerp(self.ways[1], part_of_b)
    }

    /// How far the bodies may approach in a step of `h`, as [`DepthField::approach`] has it, and the volume continued back to where contacts are
    /// measured along the way that leads there. Where faces meet, all points of the patch may by what is left to each of them.
    pub fn asked(
        &self,
        frame: &ContactFrame,
        there: &VolumeRow,
        geometry: &ContactGeometry<'_>,
        h: f64,
        centers: [DVec3; 2],
    ) -> ((f64, DVec2), VolumeRow) {
        let there = there.held_at(self.held);
        let of = |twists: &[Twist; 2]| {
            let [a, b] =
                [0, 1].map(|side| frame.twist(centers[side], twists[side].linear, twists[side].angular));
            b - a
        };
        let led = of(&self.twists) * h + of(&self.besides);
        let field = if self.surface.rolls() { None } else { DepthField::new(geometry) };
        let approach = match field {
            Some(field) => {
                field.before_led(-led[0], DVec2::new(led[5], -led[4])).approach(self.held, &geometry.polygon)
            }
            None => ((there.slack() - led[0]).max(0.0), DVec2::ZERO),
        };
        let [by_velocity, besides] =
            [&self.twists, &self.besides].map(|twists| there.rate(&twists.map(Some)));
        (approach, VolumeRow { volume: there.volume - h * by_velocity - besides, ..there })
    }
}
