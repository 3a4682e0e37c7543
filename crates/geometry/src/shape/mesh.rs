//! General meshes: what a [`Solid`] answers as the shape of a body.

use std::borrow::Cow;
use std::sync::Arc;

use glam::DVec3;

use super::Surface;
use super::form::{Form, ShapeKey};
use crate::mesh::MassMoments;
use crate::{Aabb, Ray, Solid};

impl Form for Arc<Solid> {
    fn own_aabb(&self) -> Aabb {
        Solid::aabb(self)
    }

    fn ray(&self, ray: &Ray) -> Option<f64> {
        self.first_entry(ray)
    }

    fn exit(&self, ray: &Ray) -> Option<f64> {
        self.first_exit(ray)
    }

    fn farthest(&self, direction: DVec3) -> f64 {
        self.mesh().vertices.iter().map(|x| x.dot(direction)).fold(f64::NEG_INFINITY, f64::max)
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
