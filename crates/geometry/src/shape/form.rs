//! What every shape answers for itself.

use std::sync::Arc;

use glam::DVec3;
use thiserror::Error;

use super::Surface;
use super::round_end::RoundEnd;
use crate::mesh::MassMoments;
use crate::{Aabb, Pose, Ray, Solid};

/// The questions that a shape answers, each as the method of [`super::Shape`] of the same name says.
pub(super) trait Form {
    fn own_aabb(&self) -> Aabb;

    fn aabb(&self, w_from_shape: &Pose) -> Aabb {
        self.own_aabb().transformed(w_from_shape)
    }

    fn reach(&self, direction: DVec3) -> f64 {
        let aabb = self.own_aabb();
        aabb.half_size().dot(direction.abs()).min(self.radius()) + aabb.center().dot(direction)
    }

    /// That of the ball about the middle of the own box which holds the shape.
    fn radius(&self) -> f64 {
        self.own_aabb().half_size().length()
    }

    fn farthest(&self, direction: DVec3) -> f64 {
        self.reach(direction)
    }

    /// Of a round shape it is on the end that reaches farther; balls are their centres.
    fn farthest_of_core(&self, direction: DVec3) -> Option<DVec3> {
        let of_core = |end: RoundEnd| if end.axis.is_some() { end.point(direction) } else { end.center };
        let [a, b] = self.side_ends()?.map(of_core);
        Some(if a.dot(direction) < b.dot(direction) { b } else { a })
    }

    /// The radius of balls at the ends.
    fn margin(&self) -> f64 {
        self.side_ends().map_or(0.0, |[end, _]| if end.axis.is_none() { end.radius } else { 0.0 })
    }

    fn is_smooth(&self) -> bool {
        false
    }

    fn symmetry(&self) -> Option<Symmetry> {
        None
    }

    fn side_ends(&self) -> Option<[RoundEnd; 2]> {
        None
    }

    fn plane_normal(&self) -> Option<DVec3> {
        None
    }

    fn ray(&self, ray: &Ray) -> Option<f64>;

    fn exit(&self, _: &Ray) -> Option<f64> {
        None
    }

    fn surface(&self, meridians: u32) -> Surface<'_>;

    fn unit_mass(&self) -> Option<MassMoments>;

    fn check(&self) -> Result<(), SizeError> {
        Ok(())
    }

    fn n_faces(&self) -> usize {
        1
    }

    fn solid(&self) -> Option<&Arc<Solid>> {
        None
    }

    fn key(&self) -> ShapeKey;
}

/// About what a shape may be turned without a change: where all normals of its round side meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symmetry {
    /// The origin of its frame.
    Point,
    /// The z axis of its frame.
    Axis,
}

/// A measure of a shape that is none.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[error("the {what} is {found:?}, but has to be positive and finite")]
pub struct SizeError {
    /// Which measure.
    pub what: &'static str,
    /// What it is.
    pub found: f64,
}

/// Refuses a measure that is not positive and finite.
pub(super) fn check_size(what: &'static str, found: f64) -> Result<(), SizeError> {
    if found.is_finite() && found > 0.0 { Ok(()) } else { Err(SizeError { what, found }) }
}

/// Equal for shapes that are the same: of the same kind and measures, or one polyhedron or mesh that is shared.
///
/// Whoever keeps the key of a polyhedron or mesh has to keep the shape, as the key knows it by its place in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ShapeKey {
    kind: &'static str,
    words: [u64; 3],
}

impl ShapeKey {
    /// Of a shape that is known by its measures.
    pub(super) fn measures(kind: &'static str, measures: DVec3) -> Self {
        Self { kind, words: measures.to_array().map(f64::to_bits) }
    }

    /// Of a shape that is known by what it shares.
    pub(super) fn shared<T>(kind: &'static str, shared: &Arc<T>) -> Self {
        Self { kind, words: [Arc::as_ptr(shared) as usize as u64, 0, 0] }
    }
}
