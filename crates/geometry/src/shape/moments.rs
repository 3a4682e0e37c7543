//! Volume, centre and inertia of whole shapes.

use std::f64::consts::PI;

use glam::{DMat3, DVec3};

use super::Shape;
use crate::mesh::mass::MassMoments;

impl Shape {
    /// Volume, centre and inertia for density 1; `None` for the half-space.
    pub fn unit_mass(&self) -> Option<MassMoments> {
        let (volume, center, second) = match self {
            Self::HalfSpace => return None,
            Self::Sphere { .. } | Self::Capsule { .. } | Self::Cuboid { .. } => {
                let (volume, variance) = self.symmetric_moments()?;
                (volume, DVec3::ZERO, DMat3::from_diagonal(volume * variance))
            }
            // The hull's own moments are about the frame's origin, from which a far body's cannot be told any more.
            Self::Convex(hull) => return Some(MassMoments::of(&hull.to_mesh())),
            Self::Mesh(solid) => return Some(MassMoments::of(solid.mesh())),
        };
        Some(MassMoments::from_central(volume, center, second))
    }

    /// Volume and mean square coordinates of the shapes that are mirror images of themselves in all three axes.
    fn symmetric_moments(&self) -> Option<(f64, DVec3)> {
        match *self {
            Self::Sphere { radius: r } => Some((4.0 / 3.0 * PI * r.powi(3), DVec3::splat(r * r / 5.0))),
            Self::Capsule { radius: r, half_length: l } => Some(capsule_moments(r, l)),
            Self::Cuboid { half_size } => {
                Some((8.0 * half_size.element_product(), half_size * half_size / 3.0))
            }
            Self::HalfSpace | Self::Convex(_) | Self::Mesh(_) => None,
        }
    }
}

/// Volume and mean square coordinates of a capsule: a cylinder and two half balls, the latter moved outwards by `l`.
fn capsule_moments(r: f64, l: f64) -> (f64, DVec3) {
    let cylinder = 2.0 * PI * r * r * l;
    let ball = 4.0 / 3.0 * PI * r.powi(3);
    let across = cylinder * r * r / 4.0 + ball * r * r / 5.0;
    // A half ball has its centroid 3r/8 above its base and mean square height r²/5.
    let along = cylinder * l * l / 3.0 + ball * (r * r / 5.0 + 2.0 * l * (3.0 / 8.0) * r + l * l);
    let volume = cylinder + ball;
    (volume, DVec3::new(across, across, along) / volume)
}
