//! Patches of which every corner knows its own gap.

use glam::{DVec2, DVec3};

use super::Polygon;

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

    /// Lets each approach as fast as given, in their order; by how much the fastest has changed \[m/s\].
    pub(crate) fn set_apart(&mut self, others: impl Iterator<Item = Corner>) -> f64 {
        let mut change = 0.0_f64;
        for (corner, other) in self.corners.iter_mut().zip(others) {
            change = change.max((other.apart - corner.apart).abs());
            corner.apart = other.apart;
        }
        change
    }

    /// Their convex hull, whatever their gaps.
    pub fn hull(&self) -> &Polygon {
        &self.hull
    }

    /// The corner that parts least, the first of several.
    pub(crate) fn least(&self, velocity: DVec3) -> (f64, &Corner) {
        let mut least = (f64::INFINITY, &self.corners[0]);
        for corner in &self.corners {
            let parting = corner.parting(velocity);
            if parting < least.0 {
                least = (parting, corner);
            }
        }
        least
    }
}
