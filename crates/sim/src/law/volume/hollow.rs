//! Hollow faces: a ring, the feet of a table, an L rub where they have their area and not all over their support polygon.

use glam::DVec3;

use crate::constants::SOLID_FACE;
use crate::law::volume::geometry::ContactGeometry;
use crate::law::volume::tilted_face::moments;

/// By how much farther out than its support polygon a face rubs: its mean distance from its middle, as a part of the polygon's.
///
/// An overlap of even depth has the variance of its face. The polygon counts as the disc of its variance, and the face as the
/// ring about the same middle that reaches as far out and has the face's: exact for rings and for feet that are all equally far
/// out, and 1 for a face that fills its polygon.
pub fn mean_distance_part(geometry: &ContactGeometry<'_>) -> f64 {
    variances(geometry).map_or(1.0, |[of_face, of_disc]| part(of_face, of_disc))
}

/// How wide the hole of a face is, as a part of it: that of the ring which stands for it, none of a face that is filled.
fn hole(geometry: &ContactGeometry<'_>) -> f64 {
    let beyond = variances(geometry).map_or(0.0, |[of_face, of_disc]| of_face / of_disc - 1.0);
    if beyond.is_finite() { beyond.clamp(0.0, 1.0).sqrt() } else { 0.0 }
}

/// How far out what is round rubs, as a part of its patch, and how much more firmly than by the force along its normal: at a point, but on the rim of
/// a hole that it lies in as far out as that, and aslant, by as much more as it has more area than is seen along the normal.
pub fn on_rim(geometry: &ContactGeometry<'_>) -> [f64; 2] {
    match hole(geometry) {
        0.0 => [0.0, 1.0],
        hole => [hole, 1.0 + hole * geometry.flatness.excess()],
    }
}

/// The variances of a face that does not fill its support polygon and of that \[m²\].
fn variances(geometry: &ContactGeometry<'_>) -> Option<[f64; 2]> {
    let (hull_area, _, second) = moments(&geometry.polygon)?;
    if geometry.area() >= SOLID_FACE * hull_area {
        return None;
    }
    let variance = |u: DVec3| u.dot(geometry.second_moment * u) / geometry.volume;
    let of_face = variance(geometry.axes[0]) + variance(geometry.axes[1]);
    Some([of_face, (second.x_axis.x + second.y_axis.y) / hull_area])
}

/// The same for a face and a polygon of these variances \[m²\].
fn part(of_face: f64, of_disc: f64) -> f64 {
    // Of an overlap that is hardly more than rounding the variance is rounding, of either sign, or no number.
    if !(of_face > 0.0 && of_disc > 0.0 && (of_face + of_disc).is_finite()) {
        return 1.0;
    }
    mean_distance(of_face, of_disc) / mean_distance(of_disc, of_disc)
}

/// Mean distance from the middle of a ring of this variance within the radius of a disc of that variance \[m\]. A face that has its area
/// farther in than the disc is a smaller disc, and one farther out than the rim a circle.
fn mean_distance(of_face: f64, of_disc: f64) -> f64 {
    let outer = 2.0 * of_disc.clamp(0.5 * of_face, of_face);
    let inner = 2.0 * of_face - outer;
    // (2/3) (R³ - r³) / (R² - r²), with what cancels taken out.
    let [big, small] = [outer, inner].map(f64::sqrt);
    2.0 / 3.0 * (outer + big * small + inner) / (big + small)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn discs_rings_and_circles_have_their_mean_distances() {
        assert!((mean_distance(0.5, 0.5) - 2.0 / 3.0).abs() < 1e-15);
        // A ring of 0.8 to 1.
        let ring = 2.0 / 3.0 * (1.0 - 0.512) / (1.0 - 0.64);
        assert!((mean_distance(0.5 * 1.64, 0.5) - ring).abs() < 1e-15);
        // Feet at the corners of a square of side 2, whose own variance is 2/3.
        assert!((mean_distance(2.0, 2.0 / 3.0) - 2.0_f64.sqrt()).abs() < 1e-15);
        assert_eq!([part(-2e-9, 0.5), part(0.0, 0.5), part(0.5, 0.5)], [1.0; 3]);
        assert_eq!([part(f64::NAN, 0.5), part(0.5, f64::NAN), part(f64::INFINITY, 0.5)], [1.0; 3]);
        // Half as large a disc.
        assert!((mean_distance(0.125, 0.5) - 1.0 / 3.0).abs() < 1e-15);
    }
}
