//! Axis-aligned boxes.

use glam::{DMat3, DVec3};

use crate::Pose;

/// A closed axis-aligned box; `min > max` in any axis means empty.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// Smallest corner \[m\].
    pub min: DVec3,
    /// Largest corner \[m\].
    pub max: DVec3,
}

/// The empty box.
impl Default for Aabb {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl Aabb {
    /// The box that contains nothing; the neutral element of [`Aabb::union`].
    pub const EMPTY: Self = Self { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY };

    /// The smallest box around some points; [`Aabb::EMPTY`] for none.
    #[inline]
    pub fn from_points(points: impl IntoIterator<Item = DVec3>) -> Self {
        let mut aabb = Self::EMPTY;
        for x in points {
            aabb.insert(x);
        }
        aabb
    }

    /// Grows the box to contain `x`.
    #[inline]
    pub fn insert(&mut self, x: DVec3) {
        self.min = self.min.min(x);
        self.max = self.max.max(x);
    }

    /// Whether the box contains no point.
    pub fn is_empty(&self) -> bool {
        self.min.cmpgt(self.max).any()
    }

    /// The smallest box around both.
    #[inline]
    pub fn union(&self, other: &Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// The common part, empty if there is none.
    pub fn intersection(&self, other: &Self) -> Self {
        Self { min: self.min.max(other.min), max: self.max.min(other.max) }
    }

    /// Whether the two closed boxes share a point; touching counts.
    #[inline]
    pub fn meets(&self, other: &Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }

    /// The box moved by `by`.
    #[must_use]
    pub fn moved(&self, by: DVec3) -> Self {
        Self { min: self.min + by, max: self.max + by }
    }

    /// Whether the closed box contains `x`.
    #[inline]
    pub fn contains(&self, x: DVec3) -> bool {
        self.min.cmple(x).all() && x.cmple(self.max).all()
    }

    /// Midpoint \[m\].
    pub fn center(&self) -> DVec3 {
        0.5 * (self.min + self.max)
    }

    /// The eight corners \[m\].
    pub fn corners(&self) -> [DVec3; 8] {
        std::array::from_fn(|corner| {
            let end = |axis: usize| if corner >> axis & 1 == 0 { self.min[axis] } else { self.max[axis] };
            DVec3::new(end(0), end(1), end(2))
        })
    }

    /// Half the side lengths \[m\].
    pub fn half_size(&self) -> DVec3 {
        0.5 * (self.max - self.min)
    }

    /// Length of the space diagonal \[m\]; 0 for an empty box.
    pub fn diagonal(&self) -> f64 {
        if self.is_empty() { 0.0 } else { (self.max - self.min).length() }
    }

    /// The box grown by `margin` on all six sides \[m\].
    pub fn inflated(&self, margin: f64) -> Self {
        Self { min: self.min - DVec3::splat(margin), max: self.max + DVec3::splat(margin) }
    }

    /// The smallest axis-aligned box in the world around this box moved by `w_from_a`.
    ///
    /// Its half size is grown by 1e-15 of the sum of magnitudes, so that rounding never leaves a point outside.
    pub fn transformed(&self, w_from_a: &Pose) -> Self {
        if self.is_empty() {
            return Self::EMPTY;
        }
        let r = w_from_a.matrix();
        let abs = DMat3::from_cols(r.x_axis.abs(), r.y_axis.abs(), r.z_axis.abs());
        let center = w_from_a.point(self.center());
        let half = abs * self.half_size();
        let margin = 1e-15 * (abs * self.center().abs() + w_from_a.translation.abs() + half);
        Self { min: center - half - margin, max: center + half + margin }
    }
}
