//! Volume, centre and inertia of whole shapes.

use std::f64::consts::PI;

use glam::{DMat3, DVec3};

use super::Shape;
use crate::TriangleMesh;
use crate::overlap::moments::VolumeMoments;

/// Volume, centre of mass and inertia of a shape of density 1 kg/m³; multiply `volume` and `inertia` by the density.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnitMass {
    /// Volume \[m³\], the mass for density 1.
    pub volume: f64,
    /// Centre of mass in the shape's frame \[m\].
    pub center: DVec3,
    /// Inertia tensor about the centre of mass, axes of the shape's frame, for density 1 \[m⁵\].
    pub inertia: DMat3,
}

impl UnitMass {
    /// From the volume and the second moment about the centroid, `I = tr(C) 1 - C`.
    fn from_central(volume: f64, center: DVec3, second: DMat3) -> Self {
        // The diagonal as sums of two, because the trace less the third loses a thin rod's axial inertia.
        let [x, y, z] = [second.x_axis.x, second.y_axis.y, second.z_axis.z];
        let mut inertia = -second;
        inertia.x_axis.x = y + z;
        inertia.y_axis.y = z + x;
        inertia.z_axis.z = x + y;
        Self { volume, center, inertia }
    }
}

impl Shape {
    /// Volume, centre and inertia for density 1; `None` for the half-space.
    pub fn unit_mass(&self) -> Option<UnitMass> {
        let (volume, center, second) = match self {
            Self::HalfSpace => return None,
            Self::Sphere { .. } | Self::Capsule { .. } | Self::Cuboid { .. } => {
                let (volume, variance) = self.symmetric_moments()?;
                (volume, DVec3::ZERO, DMat3::from_diagonal(volume * variance))
            }
            Self::Convex(hull) => {
                let (center, second) = hull.moments().central();
                (hull.moments().volume, center, second)
            }
            Self::Mesh(solid) => mesh_moments(solid.mesh()),
        };
        Some(UnitMass::from_central(volume, center, second))
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

/// Volume, centroid and second moment about it, summed about the centre of the mesh's box.
fn mesh_moments(mesh: &TriangleMesh) -> (f64, DVec3, DMat3) {
    let origin = mesh.aabb().center();
    let mut sum = VolumeMoments::default();
    for ix in 0..mesh.triangles.len() {
        let [a, b, c] = mesh.corners(ix).map(|x| x - origin);
        sum.add_triangle(a, b, c, 1.0);
    }
    let (centroid, second) = sum.central();
    (sum.volume, origin + centroid, second)
}
