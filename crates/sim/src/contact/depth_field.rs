//! How deep an overlap is at each point of its patch, and how far each point may still approach.

use glam::{DMat2, DVec2};
use tactum_geometry::overlap::Patch;

use crate::constants::{MAX_LANDING_SLOPE, MAX_UNEVENNESS, PLANAR_FACE};

/// Depth over a patch as a linear function, `d(x) = d(0) + slope · x`, x on the tangent axes about the contact point.
///
/// Volume and centroid of an overlap are the zeroth and first moment of its depth over the patch, so they give the
/// linear part exactly: that of a face that lies tilted against another, wholly or partly covered.
#[derive(Clone, Copy, Debug)]
pub struct DepthField {
    /// Depth at the contact point \[m\].
    at_point: f64,
    /// Change of depth per length along the tangent axes.
    slope: DVec2,
    /// Distance from the contact point to the farthest corner \[m\].
    reach: f64,
}

impl DepthField {
    /// The field of an overlap of the given volume; `None` for a patch without area, and for an overlap that is not the
    /// one of two planar faces, because the linear depth goes below zero or does not reach its extent.
    pub fn new(patch: &Patch, volume: f64) -> Option<Self> {
        let (area, centroid, second) = moments(&patch.polygon)?;
        let slope = -volume * (second.inverse() * centroid);
        let reach = patch.polygon.iter().fold(0.0_f64, |m, x| m.max(x.length()));
        let field = Self { at_point: volume / area - slope.dot(centroid), slope, reach };
        let depths = patch.polygon.iter().map(|x| field.at_point + slope.dot(*x));
        let (low, high) = depths.fold((f64::INFINITY, 0.0_f64), |(low, high), d| (low.min(d), high.max(d)));
        let allowed = PLANAR_FACE * patch.extent;
        let planar = low >= -allowed && (high - patch.extent).abs() <= allowed;
        (slope.is_finite() && planar).then_some(field)
    }

    /// Length of the slope.
    pub fn steepness(&self) -> f64 {
        self.slope.length()
    }

    /// Whether this is a face that lies nearly flat on another, but more uneven than a contact held at `depth` may be.
    pub fn is_landing(&self, depth: f64) -> bool {
        self.slope.length() * self.reach > MAX_UNEVENNESS * depth && self.slope.length() < MAX_LANDING_SLOPE
    }

    /// How far the points of the patch may approach before they are `depth` deep, as a linear function that is nowhere
    /// negative on the patch: its value at the contact point \[m\] and its slope.
    ///
    /// Where some points are deeper than `depth` already, the whole function is raised until the deepest may not
    /// approach at all; taking them out is the position correction's work.
    pub fn approach(&self, depth: f64, polygon: &[DVec2]) -> (f64, DVec2) {
        let at_point = depth - self.at_point;
        let lowest = polygon.iter().fold(f64::INFINITY, |m, x| m.min(at_point - self.slope.dot(*x)));
        (at_point - lowest.min(0.0), -self.slope)
    }
}

/// Area, centroid and second moment of area about the centroid of a convex polygon; `None` if it has no area.
pub fn moments(polygon: &[DVec2]) -> Option<(f64, DVec2, DMat2)> {
    let (&first, rest) = polygon.split_first()?;
    let outer = |v: DVec2| DMat2::from_cols(v * v.x, v * v.y);
    let (mut area, mut moment, mut second) = (0.0, DVec2::ZERO, DMat2::ZERO);
    for edge in rest.windows(2) {
        // About the first corner, so that nothing cancels for a patch far from the contact point.
        let (a, b) = (edge[0] - first, edge[1] - first);
        let part = 0.5 * a.perp_dot(b);
        area += part;
        moment += (a + b) * (part / 3.0);
        second += (outer(a) + outer(b) + outer(a + b)) * (part / 12.0);
    }
    if area <= 0.0 {
        return None;
    }
    let centroid = moment / area;
    Some((area, first + centroid, second - outer(centroid) * area))
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    /// A patch about the centroid of the body between z = 0 and the depth `d0 + slope x` over a rectangle.
    fn slanted(half: DVec2, d0: f64, slope: f64) -> (Patch, f64) {
        let volume = 4.0 * half.x * half.y * d0;
        // Centroid of the depth along x: slope times second moment over volume.
        let offset = slope * half.x * half.x / (3.0 * d0);
        let polygon = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
            .map(|(x, y)| DVec2::new(x * half.x - offset, y * half.y))
            .to_vec();
        let axes = [DVec3::X, DVec3::Y];
        (Patch { normal: DVec3::Z, axes, polygon, mean_depth: d0, extent: d0 + slope * half.x }, volume)
    }

    #[test]
    fn a_slanted_prism_is_recovered_exactly() {
        let (d0, slope) = (1e-3, 4e-3);
        let (patch, volume) = slanted(DVec2::new(0.2, 0.1), d0, slope);
        let field = DepthField::new(&patch, volume).unwrap();
        assert!((field.slope - DVec2::new(slope, 0.0)).length() < 1e-15);
        let offset = slope * 0.04 / (3.0 * d0);
        assert!((field.at_point - (d0 + slope * offset)).abs() < 1e-16);
        // May sink until 1 mm deep: nothing at the deep end, twice 0.8 mm at the shallow one.
        assert!(field.is_landing(1e-3) && !field.is_landing(1.0));
        let (at_point, fall) = field.approach(1e-3, &patch.polygon);
        let at = |x: DVec2| at_point + fall.dot(x);
        assert!(at(patch.polygon[1]).abs() < 1e-16);
        assert!((at(patch.polygon[0]) - 1.6e-3).abs() < 1e-16);
        // May sink until 5 mm deep: everywhere to 5 mm.
        let (at_point, fall) = field.approach(5e-3, &patch.polygon);
        assert!((at_point + fall.dot(patch.polygon[1]) - (5e-3 - 1.8e-3)).abs() < 1e-16);
    }

    #[test]
    fn a_cap_has_no_field() {
        let (mut patch, volume) = slanted(DVec2::new(0.2, 0.1), 1e-3, 0.0);
        patch.extent = 2e-3; // a cap is twice as deep as on average
        assert!(DepthField::new(&patch, volume).is_none());
    }

    #[test]
    fn a_patch_without_area_has_no_field() {
        let (mut patch, volume) = slanted(DVec2::new(0.2, 0.1), 1e-3, 0.0);
        assert!(!DepthField::new(&patch, volume).unwrap().is_landing(1e-12));
        patch.polygon.truncate(2);
        assert!(DepthField::new(&patch, volume).is_none());
        patch.polygon = vec![DVec2::ZERO, DVec2::X, DVec2::X * 2.0];
        assert!(DepthField::new(&patch, volume).is_none());
        patch.polygon.clear();
        assert!(DepthField::new(&patch, volume).is_none());
    }
}
