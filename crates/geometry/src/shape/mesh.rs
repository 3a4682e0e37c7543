//! General meshes: what a [`Solid`] answers as the shape of a body.

use std::borrow::Cow;
use std::sync::Arc;

use glam::DVec3;

use super::Surface;
use super::form::{Form, ShapeKey};
use crate::mesh::MassMoments;
use crate::{Aabb, Pose, Ray, Solid};

impl Form for Arc<Solid> {
    fn own_aabb(&self) -> Aabb {
        Solid::aabb(self)
    }

    /// The box around the turned own box, as far as it lies in the one around the ball that holds the mesh.
    fn aabb(&self, w_from_shape: &Pose) -> Aabb {
        let own = self.own_aabb();
        let middle = Aabb { min: own.center(), max: own.center() };
        own.transformed(w_from_shape).intersection(&middle.transformed(w_from_shape).inflated(self.radius()))
    }

    fn radius(&self) -> f64 {
        Solid::radius(self)
    }

    fn ray(&self, ray: &Ray) -> Option<f64> {
        self.first_entry(ray)
    }

    fn exit(&self, ray: &Ray) -> Option<f64> {
        self.first_exit(ray)
    }

    fn farthest(&self, direction: DVec3) -> f64 {
        Solid::farthest(self, direction)
    }

    fn surface(&self, _: u32) -> Surface<'_> {
        Surface::Faces(Cow::Borrowed(self.mesh()))
    }

    fn unit_mass(&self) -> Option<MassMoments> {
        Some(MassMoments::of(self.mesh()))
    }

    fn n_faces(&self) -> usize {
        self.mesh().triangles.len()
    }

    fn solid(&self) -> Option<&Arc<Solid>> {
        Some(self)
    }

    fn key(&self) -> ShapeKey {
        ShapeKey::shared("mesh", self)
    }
}
