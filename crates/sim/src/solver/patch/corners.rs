//! Patches of which every corner knows its own gap.

use glam::{DVec2, DVec3, Vec3Swizzles};

use super::Polygon;
use crate::solver::Vec6;
use crate::solver::frame::normal_velocity_gradient;

/// A corner of a patch that may still approach by itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corner {
    /// On the axes `(u, w)` about the contact point \[m\].
    pub at: DVec2,
    /// How fast it may approach besides what the contact's bias allows \[m/s\].
    pub apart: f64,
}

impl Corner {
    /// `(1, x)`: the corner's normal velocity is this times `(v_n, G_u, G_w)`.
    pub(crate) fn row(&self) -> DVec3 {
        DVec3::new(1.0, self.at.x, self.at.y)
    }

    /// How fast it moves away from where it may be, at a normal velocity and its gradient `(v_n, G_u, G_w)` \[m/s\].
    pub(crate) fn parting(&self, velocity: DVec3) -> f64 {
        self.row().dot(velocity) + self.apart
    }
}

/// Points of a body over a plane of another, each with its own gap: a tilted face, a wheel's rim, an edge.
#[derive(Clone, Debug, PartialEq)]
pub struct Corners {
    corners: Vec<Corner>,
    hull: Polygon,
}

impl Corners {
    /// At least one corner.
    pub(super) fn new(corners: Vec<Corner>) -> Self {
        let hull = Polygon::hull(&corners.iter().map(|corner| corner.at).collect::<Vec<_>>());
        Self { corners, hull }
    }

    /// All of them.
    pub fn all(&self) -> &[Corner] {
        &self.corners
    }

    /// Those that come to rest at a relative twist, up to a `part` of how fast they would move at the twist `without` the contact's own
    /// impulse, or do: where all of them come to rest, what is left of their velocities is rounding.
    pub(crate) fn resting(&self, without: &Vec6, twist: &Vec6, part: f64) -> impl Iterator<Item = DVec2> {
        let [without, velocity] = [without, twist].map(|twist| {
            let gradient = normal_velocity_gradient(twist);
            DVec3::new(twist[0], gradient.x, gradient.y)
        });
        let still = part * self.fastest(without).max(self.fastest(velocity));
        let rests = move |corner: &&Corner| corner.parting(velocity).abs() <= still;
        self.corners.iter().filter(rests).map(|corner| corner.at)
    }

    /// How fast a corner moves at most at a normal velocity and its gradient `(v_n, G_u, G_w)` \[m/s\].
    fn fastest(&self, velocity: DVec3) -> f64 {
        let gradient = velocity.yz().length();
        let speed = |corner: &Corner| velocity.x.abs() + gradient * corner.at.length();
        self.corners.iter().map(speed).fold(0.0, f64::max)
    }

    /// Lets each approach as `wanted`, in their order, if that is another velocity than so far by more than `accuracy` \[m/s\] for one
    /// of them; whether it is.
    pub(crate) fn adapt(&mut self, wanted: Vec<Corner>, accuracy: f64) -> bool {
        let differs = |(corner, wanted): (&Corner, &Corner)| (wanted.apart - corner.apart).abs() > accuracy;
        let adapts = self.corners.iter().zip(&wanted).any(differs);
        if adapts {
            self.corners = wanted;
        }
        adapts
    }

    /// Their convex hull, whatever their gaps.
    pub fn hull(&self) -> &Polygon {
        &self.hull
    }

    /// How fast the corner parts that parts least, and its place; the first of several.
    pub(crate) fn least(&self, velocity: DVec3) -> (f64, usize) {
        let mut least = (f64::INFINITY, 0);
        for (at, corner) in self.corners.iter().enumerate() {
            let parting = corner.parting(velocity);
            if parting < least.0 {
                least = (parting, at);
            }
        }
        least
    }
}
