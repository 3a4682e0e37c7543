//! The contact patch: an overlap seen along its normal.

use glam::{DMat3, DVec2, DVec3};
use robust::{Coord, orient2d};

use super::PlaneSide;

/// Difference of the two tangential variances, as a part of their sum, below which a patch counts as round and takes
/// its axes from the world's instead of from rounding noise. Variances carry some 1e-13 of relative error.
const ROUND_PATCH: f64 = 1e-11;

/// Distance from the chord of its neighbours, as a part of the polygon's size, below which a corner is dropped. The
/// upper and lower rims of a flat overlap project on each other only to rounding (1e-16) times the lever of the
/// normal's error.
const STRAIGHT_CORNER: f64 = 1e-10;

/// Numbers of points up to this one need no heap memory for their hull: two boxes' overlap has 20 corners at most. To clear much
/// more memory than they need takes longer than to get some.
const SMALL: usize = 24;

/// Numbers of points above this one are thinned out before they are sorted.
const MANY: usize = 128;

/// The overlap's shadow on the contact plane through its centroid.
#[derive(Clone, Debug, PartialEq)]
pub struct Patch {
    /// Contact normal, from A to B: the direction of [`Overlap::gradient`](super::Overlap::gradient); unit, world axes.
    pub normal: DVec3,
    /// Tangent axes `(u, w)` with `normal = u × w`; `u` is the direction of largest tangential variance.
    pub axes: [DVec3; 2],
    /// Support polygon: the convex hull of the overlap's boundary projected on `axes` about the centroid,
    /// counter-clockwise seen against the normal's tip, at most [`Patch::MAX_CORNERS`] corners \[m\].
    pub polygon: Vec<DVec2>,
    /// Mean depth `V / |gradient|` \[m\].
    pub mean_depth: f64,
    /// Extent of the overlap along the normal, the largest depth of a convex overlap \[m\].
    pub extent: f64,
    /// A's surface inside B and B's inside A, where they are plane.
    pub planes: [Option<PlaneSide>; 2],
}

impl Patch {
    /// Largest number of corners of a support polygon.
    pub const MAX_CORNERS: usize = 32;

    /// The patch of an overlap from points whose convex hull is the overlap's, or is close to it.
    ///
    /// `points`, `centroid`, `gradient` and `second_moment` share one frame, any. The axes are those of the tangential
    /// part of `second_moment / volume`, the larger variance first; a round patch (variances equal to 1e-11) takes
    /// for `u` the projection of the frame axis that is most nearly tangential. The sign of `u` is the one closer to
    /// that projection, so that a patch and its mirror [`Patch::swapped`] share `u`.
    ///
    /// The polygon is the convex hull by Andrew's monotone chain (1979) with exact orientation tests. Of a hull with
    /// more than [`Patch::MAX_CORNERS`] corners the support points in as many equally spaced directions are kept,
    /// the first along `u`, ties to the later corner: an inscribed polygon. A patch without width has fewer than
    /// three corners.
    ///
    /// `None` if the gradient has no direction, the volume is not positive or there is no point.
    pub fn new(
        points: &[DVec3],
        gradient: DVec3,
        volume: f64,
        centroid: DVec3,
        second_moment: &DMat3,
    ) -> Option<Self> {
        let area = gradient.length();
        let normal = gradient / area;
        if points.is_empty() || volume.is_nan() || volume <= 0.0 || !normal.is_finite() {
            return None;
        }
        let axes = tangent_axes(normal, second_moment);
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        let project = |x: DVec3| {
            let r = x - centroid;
            let depth = r.dot(normal);
            (low, high) = (low.min(depth), high.max(depth));
            // Adding zero makes -0 into +0, which the sort tells apart and geometry does not.
            DVec2::new(r.dot(axes[0]), r.dot(axes[1])) + DVec2::ZERO
        };
        let n = points.len();
        let polygon = if n <= SMALL {
            let mut buffer = [DVec2::ZERO; 2 * SMALL + 1];
            let (flat, hull) = buffer.split_at_mut(n);
            project_all(points, flat, project);
            support_polygon(flat, hull)
        } else {
            let mut flat = vec![DVec2::ZERO; n];
            project_all(points, &mut flat, project);
            if n > MANY {
                drop_inner_points(&mut flat);
            }
            let mut hull = vec![DVec2::ZERO; flat.len() + 1];
            support_polygon(&mut flat, &mut hull)
        };
        Some(Self {
            normal,
            axes,
            polygon,
            mean_depth: volume / area,
            extent: high - low,
            planes: [None, None],
        })
    }

    /// The patch of the pair with A and B exchanged: the normal turns round, `u` stays, `w` turns round.
    #[must_use]
    pub fn swapped(mut self) -> Self {
        self.normal = -self.normal;
        self.axes[1] = -self.axes[1];
        self.polygon.reverse();
        for corner in &mut self.polygon {
            corner.y = -corner.y;
        }
        let [of_a, of_b] = self.planes;
        self.planes = [of_b, of_a].map(|side| side.map(PlaneSide::swapped));
        self
    }

    /// The patch with normal and axes turned by a rotation matrix.
    #[must_use]
    pub fn rotated(mut self, r: &DMat3) -> Self {
        self.normal = *r * self.normal;
        self.axes = self.axes.map(|axis| *r * axis);
        self.planes = self.planes.map(|side| side.map(|side| side.rotated(r)));
        self
    }
}

fn project_all(points: &[DVec3], flat: &mut [DVec2], mut project: impl FnMut(DVec3) -> DVec2) {
    for (to, &from) in flat.iter_mut().zip(points) {
        *to = project(from);
    }
}

/// Axes `(u, w)` of the tangential second moment with `normal = u × w`, the larger variance first.
fn tangent_axes(normal: DVec3, second_moment: &DMat3) -> [DVec3; 2] {
    let tilt = normal.abs();
    let most_tangential = if tilt.x <= tilt.y && tilt.x <= tilt.z {
        DVec3::X
    } else if tilt.y <= tilt.z {
        DVec3::Y
    } else {
        DVec3::Z
    };
    let u = (most_tangential - normal * normal.dot(most_tangential)).normalize();
    let w = normal.cross(u);
    let (moment_u, moment_w) = (*second_moment * u, *second_moment * w);
    let (uu, ww, uw) = (u.dot(moment_u), w.dot(moment_w), w.dot(moment_u));
    let difference = uu - ww;
    let spread = difference.hypot(2.0 * uw);
    if spread.is_nan() || spread <= ROUND_PATCH * (uu + ww).abs() {
        return [u, w];
    }
    // Half-angle formulas of tan 2θ = 2 uw / (uu - ww), each from the larger of cosine and sine.
    let larger = (0.5 * (1.0 + difference.abs() / spread)).sqrt();
    let smaller = uw.abs() / (spread * larger);
    let (cos, sin) = if difference >= 0.0 { (larger, smaller) } else { (smaller, larger) };
    let sin = if uw < 0.0 { -sin } else { sin };
    let major = (cos * u + sin * w).normalize();
    [major, normal.cross(major)]
}

/// The support polygon of `points`, which get sorted; `hull` is scratch with one place more than there are points.
fn support_polygon(points: &mut [DVec2], hull: &mut [DVec2]) -> Vec<DVec2> {
    points.sort_unstable_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    let n = monotone_chain(points, hull);
    let n = drop_straight_corners(&mut hull[..n]);
    let hull = &hull[..n];
    if n <= Patch::MAX_CORNERS { hull.to_vec() } else { support_points(hull) }
}

/// Writes the counter-clockwise hull of sorted points and returns its number of corners; no three are collinear.
fn monotone_chain(points: &[DVec2], hull: &mut [DVec2]) -> usize {
    let mut n = 0;
    let mut extend = |first: usize, x: DVec2, hull: &mut [DVec2]| {
        if n > 0 && hull[n - 1] == x {
            return n;
        }
        while n >= first + 2 && turn(hull[n - 2], hull[n - 1], x) <= 0.0 {
            n -= 1;
        }
        hull[n] = x;
        n += 1;
        n
    };
    let mut lower = 0;
    for &x in points {
        lower = extend(0, x, hull);
    }
    // The upper chain starts at the last corner of the lower one and ends at the first.
    let mut total = lower;
    for &x in points.iter().rev().skip(1) {
        total = extend(lower - 1, x, hull);
    }
    // The first corner was added a second time, unless it is the only one.
    if total > 1 { total - 1 } else { 1 }
}

/// Area of the convex hull of points.
pub(super) fn hull_area(mut points: Vec<DVec2>) -> f64 {
    if points.is_empty() {
        return 0.0;
    }
    // Minus zero and zero are one place.
    points.iter_mut().for_each(|x| *x += DVec2::ZERO);
    points.sort_unstable_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    let mut hull = vec![DVec2::ZERO; points.len() + 1];
    let n = monotone_chain(&points, &mut hull);
    (0..n).map(|i| 0.5 * hull[i].perp_dot(hull[(i + 1) % n])).sum()
}

/// Exact sign of the turn a -> b -> c, positive to the left.
fn turn(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    let coord = |v: DVec2| Coord { x: v.x, y: v.y };
    orient2d(coord(a), coord(b), coord(c))
}

/// Drops in place the corners of a hull that stand out of it by rounding only, and returns how many are left.
fn drop_straight_corners(hull: &mut [DVec2]) -> usize {
    let n = hull.len();
    if n < 3 {
        return n;
    }
    let size = hull.iter().fold(0.0, |size: f64, x| size.max(x.abs().max_element()));
    let tolerance = STRAIGHT_CORNER * size;
    // Distance to the chord, not to its line: the ends of a patch without width lie on the line too.
    let stands_out = |from: DVec2, corner: DVec2, to: DVec2| {
        let (chord, reach) = (to - from, corner - from);
        let along = (reach.dot(chord) / chord.length_squared()).clamp(0.0, 1.0);
        let off = if along.is_nan() { reach } else { reach - along * chord };
        off.length_squared() > tolerance * tolerance
    };
    let mut kept = 0;
    for ix in 0..n {
        let from = if kept == 0 { hull[n - 1] } else { hull[kept - 1] };
        // Corner 0 may have been overwritten, but only by the first one kept, which is then the right neighbour.
        let to = hull[if ix + 1 == n { 0 } else { ix + 1 }];
        if stands_out(from, hull[ix], to) {
            hull[kept] = hull[ix];
            kept += 1;
        }
    }
    kept
}

/// The support points of a counter-clockwise hull in [`Patch::MAX_CORNERS`] equally spaced directions.
fn support_points(hull: &[DVec2]) -> Vec<DVec2> {
    let n = hull.len();
    let direction =
        |j: usize| DVec2::from_angle(std::f64::consts::TAU * j as f64 / Patch::MAX_CORNERS as f64);
    let mut at = 0;
    for ix in 1..n {
        if hull[ix].x > hull[at].x || (hull[ix].x == hull[at].x && hull[ix].y > hull[at].y) {
            at = ix;
        }
    }
    let mut corners: Vec<usize> = Vec::with_capacity(Patch::MAX_CORNERS);
    for j in 0..Patch::MAX_CORNERS {
        let d = direction(j);
        // The farthest corner moves counter-clockwise with the direction.
        while hull[(at + 1) % n].dot(d) >= hull[at].dot(d) {
            at = (at + 1) % n;
        }
        if corners.last() != Some(&at) && corners.first() != Some(&at) {
            corners.push(at);
        }
    }
    corners.into_iter().map(|ix| hull[ix]).collect()
}

/// Drops points well inside the octagon of the extreme points in eight directions (Akl and Toussaint 1978).
fn drop_inner_points(points: &mut Vec<DVec2>) {
    let mut octagon = [points[0]; 8];
    let mut reach = [f64::NEG_INFINITY; 8];
    for &x in points.iter() {
        let (up, down) = (x.x + x.y, x.x - x.y);
        // Counter-clockwise from +x.
        for (ix, along) in [x.x, up, x.y, -down, -x.x, -up, -x.y, down].into_iter().enumerate() {
            if along > reach[ix] {
                (reach[ix], octagon[ix]) = (along, x);
            }
        }
    }
    let size = octagon.iter().fold(0.0, |size: f64, x| size.max(x.abs().max_element()));
    // Inside by this much is inside whatever the rounding of the products.
    let margin = STRAIGHT_CORNER * size * size;
    let outward: [DVec2; 8] = std::array::from_fn(|ix| -(octagon[(ix + 1) % 8] - octagon[ix]).perp());
    let limits: [f64; 8] = std::array::from_fn(|ix| {
        let is_side = outward[ix] != DVec2::ZERO;
        if is_side { outward[ix].dot(octagon[ix]) - margin } else { f64::INFINITY }
    });
    points.retain(|&x| {
        // Without a way out in between: the eight tests are made two at a time.
        (0..8).fold(false, |is_outer, ix| is_outer | (outward[ix].dot(x) >= limits[ix]))
    });
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use super::*;

    fn box_corners(half: DVec3) -> Vec<DVec3> {
        let sign = |i: u32, bit: u32| if i >> bit & 1 == 0 { -1.0 } else { 1.0 };
        (0..8).map(|i| half * DVec3::new(sign(i, 0), sign(i, 1), sign(i, 2))).collect()
    }

    fn signed_area(polygon: &[DVec2]) -> f64 {
        (0..polygon.len()).map(|i| 0.5 * polygon[i].perp_dot(polygon[(i + 1) % polygon.len()])).sum()
    }

    /// A slab 2 x 4 x 0.02 pressed along a tilted normal has its long side along u and its four corners as polygon.
    #[test]
    fn slab_has_four_corners_and_its_long_side_along_u() {
        let half = DVec3::new(1.0, 2.0, 0.01);
        let volume = 8.0 * half.element_product();
        let c = DMat3::from_diagonal(half * half) * (volume / 3.0);
        for tilt in [0.0, 1e-13, 0.4] {
            let r = DMat3::from_rotation_x(tilt) * DMat3::from_rotation_z(0.3 * tilt);
            let shift = DVec3::new(5.0, -3.0, 2.0);
            let points: Vec<_> = box_corners(half).into_iter().map(|x| r * x + shift).collect();
            let gradient = r * DVec3::new(0.0, 0.0, -8.0);
            let patch = Patch::new(&points, gradient, volume, shift, &(r * c * r.transpose())).unwrap();
            assert!((patch.normal - r * DVec3::NEG_Z).length() < 1e-15);
            assert!(patch.axes[0].cross(patch.axes[1]).distance(patch.normal) < 1e-15);
            assert!(patch.axes[0].dot(r * DVec3::Y).abs() > 1.0 - 1e-14);
            assert_eq!(patch.polygon.len(), 4, "tilt {tilt}: {:?}", patch.polygon);
            assert!((signed_area(&patch.polygon) - 8.0).abs() < 1e-13);
            assert!((patch.extent - 0.02).abs() < 1e-14);
            assert!((patch.mean_depth - 0.02).abs() < 1e-15);
        }
    }

    #[test]
    fn round_patch_takes_its_axes_from_the_world() {
        let points = box_corners(DVec3::new(1.0, 1.0, 0.1));
        let c = DMat3::from_diagonal(DVec3::new(1.0 + 1e-13, 1.0, 0.01));
        let patch = Patch::new(&points, DVec3::Z, 1.0, DVec3::ZERO, &c).unwrap();
        assert_eq!(patch.axes, [DVec3::X, DVec3::Y]);
    }

    /// Of a regular 1000-gon the 32 support points are an inscribed polygon: every corner is on the circle, and its
    /// support function lacks at most 1 - cos(pi / 32).
    #[test]
    fn rim_of_a_thousand_points_keeps_its_support_points() {
        let points: Vec<_> = (0..1000)
            .map(|i| DVec2::from_angle(TAU * f64::from(i) / 1000.0).extend(0.0))
            .chain((0..1000).map(|i| (0.9 * DVec2::from_angle(f64::from(i))).extend(0.01)))
            .collect();
        let patch = Patch::new(&points, DVec3::Z, 1.0, DVec3::ZERO, &DMat3::IDENTITY).unwrap();
        assert_eq!(patch.polygon.len(), 32);
        assert!(patch.polygon.iter().all(|x| (x.length() - 1.0).abs() < 1e-14));
        assert!(patch.polygon[0].distance(DVec2::X) < 1e-14);
        let lack = 1.0 - (TAU / 64.0).cos();
        for i in 0..360 {
            let d = DVec2::from_angle(TAU * f64::from(i) / 360.0);
            let support = patch.polygon.iter().map(|x| x.dot(d)).fold(0.0, f64::max);
            // The 1000 points are themselves off the equally spaced directions, by up to pi / 1000.
            assert!(support > 1.0 - 1.3 * lack, "{i}: {support}");
        }
        let area = signed_area(&patch.polygon);
        assert!(area > 3.11 && area < 16.0 * (TAU / 32.0).sin() + 1e-3, "{area}");
    }

    #[test]
    fn patch_without_width_keeps_its_ends() {
        let points: Vec<_> = (0..40).map(|i| DVec3::new(0.1 * f64::from(i) - 2.0, 0.0, 0.0)).collect();
        let c = DMat3::from_diagonal(DVec3::X);
        let patch = Patch::new(&points, DVec3::Z, 1.0, DVec3::ZERO, &c).unwrap();
        assert_eq!(patch.polygon, [DVec2::new(-2.0, 0.0), DVec2::new(0.1 * 39.0 - 2.0, 0.0)]);
        let one = Patch::new(&points[..1], DVec3::Z, 1.0, DVec3::ZERO, &c).unwrap();
        assert_eq!(one.polygon.len(), 1);
    }

    #[test]
    fn no_direction_no_patch() {
        let patch =
            |gradient, volume| Patch::new(&[DVec3::ZERO], gradient, volume, DVec3::ZERO, &DMat3::IDENTITY);
        assert_eq!(patch(DVec3::ZERO, 1.0), None);
        assert_eq!(patch(DVec3::NAN, 1.0), None);
        assert_eq!(patch(DVec3::Z, 0.0), None);
        assert_eq!(Patch::new(&[], DVec3::Z, 1.0, DVec3::ZERO, &DMat3::IDENTITY), None);
    }

    #[test]
    fn swapped_patch_is_the_patch_of_the_opposite_gradient() {
        let half = DVec3::new(1.0, 2.0, 0.3);
        let r = DMat3::from_euler(glam::EulerRot::XYZ, 0.3, 0.5, -0.2);
        let points: Vec<_> = box_corners(half).into_iter().map(|x| r * x).collect();
        let c = r * DMat3::from_diagonal(half * half) * r.transpose();
        let g = DVec3::new(0.2, 0.3, 1.0);
        let one = Patch::new(&points, g, 1.0, DVec3::ZERO, &c).unwrap().swapped();
        let other = Patch::new(&points, -g, 1.0, DVec3::ZERO, &c).unwrap();
        assert!(one.normal.distance(other.normal) < 1e-15);
        assert!(one.axes[0].distance(other.axes[0]) < 1e-14 && one.axes[1].distance(other.axes[1]) < 1e-14);
        assert!((signed_area(&one.polygon) - signed_area(&other.polygon)).abs() < 1e-13);
        for x in &one.polygon {
            assert!(other.polygon.iter().any(|y| x.distance(*y) < 1e-14));
        }
    }
}
