//! From sums to an overlap.

use glam::{DMat3, DVec3};

use crate::Aabb;
use crate::moments::{SurfaceMoments, VolumeMoments};
use crate::overlap::intersection::COHERENT;
use crate::overlap::{Overlap, OverlapKind};

/// Mean thickness `2 V / S` of a closed surface, per unit of the largest coordinate, below which its volume is
/// rounding: moving and intersecting points costs a few units in the last place (1e-16) of their coordinates.
const TOUCHING: f64 = 1e-14;

/// Everything summed over the surface of one overlap.
#[derive(Debug)]
pub(super) struct Totals<'a> {
    /// The origin that moments and arms are about.
    pub origin: DVec3,
    pub volume: &'a VolumeMoments,
    /// The first shape's surface inside the second, and the second's inside the first.
    pub surfaces: &'a [SurfaceMoments; 2],
    /// A box around the overlap.
    pub bounds: Aabb,
    /// The largest coordinate that went into the sums.
    pub reach: f64,
    /// Whether the two surfaces cross.
    pub has_curve: bool,
}

impl Totals<'_> {
    /// Volume per area below which a closed surface encloses nothing but rounding.
    pub fn thinnest(&self) -> f64 {
        0.5 * TOUCHING * self.reach
    }

    /// The overlap without components and patch; `None` if there is nothing but contact without depth.
    pub fn overlap(&self) -> Option<Overlap> {
        self.check();
        // The area of a region without area is rounding of either sign.
        let areas = self.surfaces.each_ref().map(|surface| surface.area.max(0.0));
        if self.volume.volume <= self.thinnest() * (areas[0] + areas[1]) {
            return None;
        }
        // A surface that only touches the other from inside has no area there but rounding, and no normal; the other has all of its own. Small areas
        // that are alike are those of shallow pieces far from each other.
        let rounding = TOUCHING * self.reach * self.bounds.diagonal();
        let [least, most] = [areas[0].min(areas[1]), areas[0].max(areas[1])];
        let has_normal = self.has_curve && (least > rounding || least >= COHERENT * most);
        if self.has_curve && !has_normal && most <= rounding {
            return None;
        }
        let (centroid, second_moment) = self.volume.central();
        let mut overlap = Overlap {
            kind: OverlapKind::Swallowed,
            volume: self.volume.volume,
            centroid: centroid + self.origin,
            second_moment,
            areas,
            bounds: self.bounds,
            ..Overlap::EMPTY
        };
        if has_normal {
            overlap.gradient = self.surfaces[0].area_vector;
            overlap.angular_gradient = self.surfaces[0].translated(self.origin).angular();
            let is_coherent = overlap.gradient.length() >= COHERENT * least;
            overlap.kind = if is_coherent { OverlapKind::Regular } else { OverlapKind::NoNormal };
        }
        Some(overlap)
    }

    /// Asserts what holds for any two closed surfaces: their vector areas cancel and their arms add up to `V 1`. A
    /// wrong winding number, a missing face or a wrong sign anywhere breaks it.
    fn check(&self) {
        /// Rounding of sums over many faces, in units of the magnitudes summed.
        const ROUNDING: f64 = 1e-12;
        /// Rounding of the points themselves, in units of the largest coordinate: bodies that hardly touch have up to 4.0e-15
        /// among 50,000 of them.
        const POINTS: f64 = 2e-14;
        let [a, b] = self.surfaces;
        let area = a.area.abs() + b.area.abs();
        let size = self.bounds.diagonal();
        // Points off by e change the vector area of a region by e times its rim, which may be long and thin.
        let rim = area / size.max(f64::MIN_POSITIVE) + size;
        let open = (a.area_vector + b.area_vector).length();
        debug_assert!(open <= ROUNDING * area + POINTS * self.reach * rim, "N_A + N_B = {open}, {self:?}");
        let arms = a.arms + b.arms - DMat3::IDENTITY * self.volume.volume;
        let off = arms.to_cols_array().iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        let bound = ROUNDING * (self.volume.volume.abs() + area * size) + POINTS * self.reach * rim * size;
        debug_assert!(off <= bound, "T_A + T_B - V 1 = {off}, {self:?}");
        let least = -TOUCHING * self.reach * area;
        debug_assert!(self.volume.volume >= least, "a volume must not be negative: {self:?}");
    }
}
