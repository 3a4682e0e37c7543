//! Integrals over an infinite cylinder inside a polyhedron.

use glam::{DMat3, DVec3};

use super::face::{Conic, Cut, Quadric, Section, add_cones};
use crate::moments::{VolumeMoments, outer};

/// Sine of the angle between a plane and the axis below which their curve of intersection is taken for straight lines.
/// The conic's own error grows with the inverse of this sine and is 1e-8 here, as is that of the lines.
const PARALLEL: f64 = 1e-8;

/// A cylinder about the z axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cylinder {
    pub radius: f64,
}

impl Quadric for Cylinder {
    fn value(&self, x: DVec3) -> f64 {
        let distance = x.truncate().length();
        (distance - self.radius) * (distance + self.radius)
    }

    fn products(&self, x: DVec3, d: DVec3) -> (f64, f64) {
        (d.truncate().length_squared(), x.truncate().dot(d.truncate()))
    }

    fn section(&self, normal: DVec3, at: DVec3) -> Option<Section> {
        if normal.z.abs() < PARALLEL {
            return None;
        }
        let r = self.radius;
        // Looking down on a face that faces down, the angle runs backwards.
        let sense = normal.z.signum();
        Some(Section::Conic(Conic {
            center: DVec3::Z * (normal.dot(at) / normal.z),
            cosine: r * DVec3::new(1.0, 0.0, -normal.x / normal.z),
            sine: sense * r * DVec3::new(0.0, 1.0, -normal.y / normal.z),
            to_angle: [DVec3::X / r, DVec3::Y * (sense / r)],
        }))
    }
}

impl Cylinder {
    /// Volume moments, about the returned apex, of the part of the cylinder bounded by the pieces and arcs of a
    /// polyhedron, and the area of the cylinder inside the polyhedron.
    ///
    /// The apex lies on the cylinder at the height of `near` and in its direction. With y the position from the apex,
    /// y·n = R u on the cylinder, u = 1 - cos of the angle from the apex; the integrals over the height are made first
    /// and leave integrals along the rim over the angle.
    pub fn integrate(&self, cut: &Cut, near: DVec3) -> (VolumeMoments, DVec3, f64) {
        let r = self.radius;
        let outward = near.with_z(0.0).try_normalize().unwrap_or(DVec3::X);
        let apex = r * outward + DVec3::Z * near.z;
        let mut area = 0.0;
        let (mut volume, mut first, mut second) = (0.0, DVec3::ZERO, DMat3::ZERO);
        for arc in &cut.arcs {
            arc.integrate(|x, dx| {
                let y = x - apex;
                let across = y.with_z(0.0);
                let height = y.z;
                let u = across.length_squared() / (2.0 * r * r);
                let angle = (x.x * dx.y - x.y * dx.x) / (r * r);
                area += r * height * angle;
                // r² u dφ times the integrals of 1, y and y yᵀ from the apex's height to y's.
                let weight = r * r * u * angle;
                volume += weight * height;
                first += weight * height * (across + DVec3::Z * (height / 2.0));
                let cross = outer(across, DVec3::Z) + outer(DVec3::Z, across);
                second += weight
                    * height
                    * (outer(across, across)
                        + height / 2.0 * cross
                        + height * height / 3.0 * outer(DVec3::Z, DVec3::Z));
            });
        }
        let mut moments = VolumeMoments { volume: volume / 3.0, first: first / 4.0, second: second * 0.2 };
        add_cones(&mut moments, &cut.pieces, apex);
        (moments, apex, area)
    }
}
