//! One facet of a rounded mesh: a triangle and the sphere through its corners.

use glam::{DMat3, DVec3};

use super::plane::{ContactPlane, ONE_WAY};
use crate::Pose;

/// Twice the area of a triangle over its longest side squared, below which its normal is rounding: at 1e-10 corners that
/// are good to 1e-16 of their size leave it six digits for triangles down to 1 % of the body.
const THIN: f64 = 1e-10;

/// The corners that the ordinates of [`Cap::swell`] belong to: two for each side, and one for the middle.
pub const ORDINATES: [[usize; 3]; 7] =
    [[0, 0, 1], [0, 1, 1], [1, 1, 2], [1, 2, 2], [2, 2, 0], [2, 0, 0], [0, 1, 2]];

/// A triangle that stands for the cap of a sphere through its three corners.
///
/// The sphere is told by its curvature and by one point of it, so that a plane is a cap like any other: nothing is ever
/// computed from a radius that may be infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cap {
    /// Corners, counter-clockwise seen from outside \[m\].
    pub corners: [DVec3; 3],
    /// Unit normal of the triangle, outward.
    pub normal: DVec3,
    /// Point of the sphere where its outward normal is that of the triangle: above the circumcentre \[m\].
    pub apex: DVec3,
    /// Curvature of the sphere, 1/R \[1/m\]: positive where the body is convex, negative where it is hollow, 0 for a plane. Of what is curved
    /// more one way than the other it is the mean.
    pub curvature: f64,
    /// Unit normal at the apex, outward: that of the triangle, but where the body is curved more one way than the other.
    pub axis: DVec3,
    /// The way along the surface at the apex in which the body is most curved; its length squared is how much more than the mean, and how much
    /// less it is curved across it \[1/m\]. Zero for a sphere.
    pub ridge: DVec3,
    /// By how much the body is higher than all that between the corners, as its curvature changes over the facet: the Bézier ordinates of a
    /// cubic that is nothing at the corners, two for each side and one for the middle \[m\]. Nothing for a sphere.
    pub swell: [f64; 7],
    /// How far the cap and the triangle's plane are apart within the triangle at most \[m\].
    pub(super) rise: f64,
    /// Whether it is less curved than the body is there: a facet that is longer than the body is round has no sphere through its corners as curved as that.
    pub is_flattened: bool,
}

/// How much higher a body is at a contact than its quadric.
#[derive(Clone, Copy, Debug)]
pub(super) struct Swelling {
    /// \[m\].
    pub height: f64,
    /// By how much that changes as the contact's centre moves along the triangle.
    pub along: DVec3,
    /// By how much it changes with the spread of the disc \[1/m\], [`ContactPlane::disc`].
    pub by_disc: f64,
}

/// Why a triangle has no cap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum NoCap {
    /// The triangle has no area to speak of.
    Thin,
    /// The sphere is smaller than the circle through the corners, of this radius \[m\].
    TooSmall { circumradius: f64 },
}

impl Cap {
    /// The sphere of a curvature \[1/m\] through three corners; its centre lies below the triangle if the body is convex and
    /// above it if it is hollow.
    pub(super) fn through(corners: [DVec3; 3], curvature: f64) -> Result<Self, NoCap> {
        let circle = Circle::through(corners).ok_or(NoCap::Thin)?;
        let part = curvature * circle.radius;
        if part.abs() >= 1.0 {
            return Err(NoCap::TooSmall { circumradius: circle.radius });
        }
        let rise = sag(curvature, circle.radius);
        Ok(Self {
            corners,
            normal: circle.normal,
            apex: circle.center + circle.normal * rise,
            curvature,
            axis: circle.normal,
            ridge: DVec3::ZERO,
            swell: [0.0; 7],
            rise: rise.abs(),
            is_flattened: false,
        })
    }

    /// The same through the same corners where the body is curved more one way than the other: what this adds to the sphere's height,
    ///
    /// ```text
    /// q(x) = alpha + beta . x - x^T D x / 2,     D = r r^T - (n x r) (n x r)^T,
    /// ```
    ///
    /// x along the triangle from under the apex and r the `ridge` (see [`Cap::ridge`]), is nothing at the corners. So the apex rises by alpha, and the axis
    /// leans by -beta; that the sphere leans with it is of second order in beta. Within the triangle neither alpha + beta . x nor x^T D x / 2 is
    /// more than |D| r²/2, which they are at the corners at most, r being the radius of the circle through these.
    pub(super) fn bent(self, ridge: DVec3) -> Self {
        if ridge == DVec3::ZERO {
            return self;
        }
        let valley = self.normal.cross(ridge);
        let arms = self.corners.map(|x| (x - self.apex).reject_from_normalized(self.normal));
        let heights = arms.map(|x| 0.5 * (ridge.dot(x).powi(2) - valley.dot(x).powi(2)));
        let twice = (arms[1] - arms[0]).cross(arms[2] - arms[0]).length();
        let side = |i: usize| arms[(i + 2) % 3] - arms[(i + 1) % 3];
        let slope: DVec3 = (0..3).map(|i| self.normal.cross(side(i)) * (heights[i] / twice)).sum();
        let apex = self.apex + self.normal * (heights[0] - slope.dot(arms[0]));
        let axis = (self.normal - slope).normalize();
        let rise = self.rise + ridge.length_squared() * arms[0].length_squared();
        Self { apex, axis, ridge: ridge.reject_from_normalized(axis), rise, ..self }
    }

    /// The same where the curvature changes over it. A cap falls to its corners from its rise: a change that makes more of it than that is noise of the mesh, and is
    /// made less.
    pub(super) fn swollen(self, swell: [f64; 7]) -> Self {
        let most = greatest(&swell);
        if !(most > 0.0 && most.is_finite()) {
            return self;
        }
        let part = (self.rise / most).min(1.0);
        Self { swell: swell.map(|height| height * part), rise: self.rise + most * part, ..self }
    }

    /// Whether its curvature changes over it.
    pub(super) fn is_swollen(&self) -> bool {
        self.swell != [0.0; 7]
    }

    /// How much the swell is anywhere on the facet at most \[m\]: what a Bézier triangle's ordinates are.
    pub(super) fn greatest_swell(&self) -> f64 {
        greatest(&self.swell)
    }

    /// How much higher the body is at a contact: at the middle of what lies over the facet, if both are told by their spreads, a disc of pressure about the contact's pole by
    /// a² / 5, a triangle by the sum of its sides squared / 72. Where the disc is small that is the pole, where it holds many facets the facet's middle. Places beyond a side are taken on it.
    /// `None` for what does not swell.
    pub(super) fn swelling(&self, plane: &ContactPlane) -> Option<Swelling> {
        if !self.is_swollen() {
            return None;
        }
        let [a, b, c] = self.corners;
        let (p, q) = (b - a, c - a);
        let twice = p.cross(q);
        let arm = plane.center - (a + b + c) / 3.0;
        let ways = [q.cross(twice), twice.cross(p)].map(|way| way / twice.length_squared());
        let [s, t] = ways.map(|way| arm.dot(way));
        let spread = self.spread();
        let inside = spread / (spread + plane.disc());
        // How far the pole is beyond each side, of the way from the middle to it.
        let [rs, rt] = ways;
        let (off, off_way) = [(-s - t, -rs - rt), (s, rs), (t, rt)]
            .into_iter()
            .reduce(|least, next| if next.0 < least.0 { next } else { least })?;
        let beyond = (-3.0 * off).max(1.0).recip();
        let weight = inside.min(beyond);
        let (height, [x, y, z]) = self.swell_over([-s - t, s, t].map(|part| 1.0 / 3.0 + weight * part));
        let by_parts = [y - x, z - x];
        let by_weight = by_parts[0] * s + by_parts[1] * t;
        let mut along = (rs * by_parts[0] + rt * by_parts[1]) * weight;
        let mut by_disc = 0.0;
        if inside < beyond {
            by_disc = -by_weight * weight / (spread + plane.disc());
        } else {
            along += off_way * (3.0 * weight * weight * by_weight);
        }
        Some(Swelling { height, along, by_disc })
    }

    /// How much higher the body is over the place that has these parts of the corners \[m\], and by how much more with each of them.
    pub(super) fn swell_over(&self, [x, y, z]: [f64; 3]) -> (f64, [f64; 3]) {
        let [xxy, xyy, yyz, yzz, zzx, zxx, xyz] = self.swell;
        let sides = x * y * (x * xxy + y * xyy) + y * z * (y * yyz + z * yzz) + z * x * (z * zzx + x * zxx);
        let slopes = [
            3.0 * (y * (2.0 * x * xxy + y * xyy) + z * (z * zzx + 2.0 * x * zxx)) + 6.0 * y * z * xyz,
            3.0 * (z * (2.0 * y * yyz + z * yzz) + x * (x * xxy + 2.0 * y * xyy)) + 6.0 * x * z * xyz,
            3.0 * (x * (2.0 * z * zzx + x * zxx) + y * (y * yyz + 2.0 * z * yzz)) + 6.0 * x * y * xyz,
        ];
        (3.0 * sides + 6.0 * x * y * z * xyz, slopes)
    }

    /// What the tensor of how much more than the mean it is curved makes of a vector \[1/m times its unit\].
    pub(super) fn saddle(&self, x: DVec3) -> DVec3 {
        let valley = self.axis.cross(self.ridge);
        self.ridge * self.ridge.dot(x) - valley * valley.dot(x)
    }

    /// Mean square of how far the triangle's points are from its middle, one way \[m²\].
    pub(super) fn spread(&self) -> f64 {
        let [a, b, c] = self.corners;
        (a.distance_squared(b) + b.distance_squared(c) + c.distance_squared(a)) / 72.0
    }

    /// How far the cap and the triangle's plane are apart within the triangle at most \[m\].
    pub(super) fn bulge(&self) -> f64 {
        self.rise
    }

    /// How much more than the mean it is curved along its ridge \[1/m\].
    pub fn bend(&self) -> f64 {
        self.ridge.length_squared()
    }

    /// Whether it bends away from the body one way, and towards it the other.
    pub(super) fn is_saddle(&self) -> bool {
        self.bend() > self.curvature.abs()
    }

    /// Whether another one may fit into it, but for as much as a bend of what is curved one way only may be off; anything may into what is no saddle.
    pub(super) fn may_fit(&self, other: &Self) -> bool {
        !self.is_saddle() || ONE_WAY * self.bend() <= self.curvature + other.curvature + other.bend()
    }

    /// The cap in another frame.
    pub fn moved(&self, to_from_here: &Pose) -> Self {
        let turn = to_from_here.matrix();
        let mut moved = self.sphere_moved(&turn, to_from_here.translation);
        moved.corners = self.corners.map(|x| turn * x + to_from_here.translation);
        moved
    }

    /// The cap with its sphere in another frame, but its corners where they were, unless it is bent.
    pub(super) fn sphere_moved(&self, turn: &DMat3, shift: DVec3) -> Self {
        let corners = if self.ridge != DVec3::ZERO || self.is_swollen() {
            self.corners.map(|x| *turn * x + shift)
        } else {
            self.corners
        };
        Self {
            corners,
            normal: *turn * self.normal,
            apex: *turn * self.apex + shift,
            axis: *turn * self.axis,
            ridge: *turn * self.ridge,
            ..*self
        }
    }

    /// How far the axis of a contact passes outside of a side of the triangle \[m\], negative if inside; no number for a side along the axis.
    pub(super) fn beside(&self, side: usize, plane: &ContactPlane) -> f64 {
        let (from, to) = (self.corners[side], self.corners[(side + 1) % 3]);
        let outward = (to - from).cross(plane.normal) * self.normal.dot(plane.normal).signum();
        (plane.center - from).dot(outward) / outward.length()
    }

    /// Whether the axis of a contact passes outside of a side of the triangle by more than a distance \[m\].
    pub(super) fn is_beside(&self, plane: &ContactPlane, distance: f64) -> bool {
        let facing = self.normal.dot(plane.normal).signum();
        (0..3).any(|side| {
            let (from, to) = (self.corners[side], self.corners[(side + 1) % 3]);
            let outward = (to - from).cross(plane.normal) * facing;
            let off = (plane.center - from).dot(outward);
            off > 0.0 && off * off > distance * distance * outward.length_squared()
        })
    }

    /// Centre of the sphere \[m\]; `None` for a plane.
    pub fn center(&self) -> Option<DVec3> {
        (self.curvature != 0.0).then(|| self.apex - self.axis / self.curvature)
    }
}

/// How far a sphere of a curvature \[1/m\] falls from its tangent plane at the distance `h` \[m\] from the point of contact:
/// R - sqrt(R² - h²) without its cancellation, and right for planes and hollows. Beyond the equator, its radius.
pub fn sag(curvature: f64, h: f64) -> f64 {
    let part = curvature * h;
    curvature * h * h / (1.0 + (1.0 - part * part).max(0.0).sqrt())
}

fn greatest(ordinates: &[f64]) -> f64 {
    ordinates.iter().fold(0.0, |most, height| height.abs().max(most))
}

/// The circle through three points.
pub(super) struct Circle {
    pub center: DVec3,
    pub radius: f64,
    /// Unit normal.
    pub normal: DVec3,
}

impl Circle {
    /// `None` for points that are nearly on a line.
    pub fn through([a, b, c]: [DVec3; 3]) -> Option<Self> {
        let (p, q) = (b - a, c - a);
        let [pp, qq, rr] = [p.length_squared(), q.length_squared(), (c - b).length_squared()];
        let normal = p.cross(q);
        let twice = normal.length();
        let is_wide = twice > THIN * pp.max(qq).max(rr);
        if !is_wide {
            return None;
        }
        let normal = normal / twice;
        let arm = (q * pp - p * qq).cross(normal) / (2.0 * twice);
        Some(Self { center: a + arm, radius: (pp * qq * rr).sqrt() / (2.0 * twice), normal })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The height of a cap over its triangle, by its sphere and its saddle.
    fn height(cap: &Cap, x: DVec3) -> f64 {
        let y = x - cap.apex;
        let valley = cap.axis.cross(cap.ridge);
        let fall = 0.5 * (cap.ridge.dot(y).powi(2) - valley.dot(y).powi(2));
        let radius = cap.curvature.recip();
        let center = cap.center().expect("a centre");
        radius - fall - x.distance(center)
    }

    #[test]
    fn bent_caps_go_through_their_corners_too() {
        for size in [0.1, 0.01] {
            let corners = [DVec3::new(0.1, 0.0, 0.2), DVec3::new(0.9, 0.3, 0.2), DVec3::new(0.2, 1.0, 0.5)]
                .map(|x| x * size);
            let round = Cap::through(corners, 2.0).expect("a cap");
            let cap = round.bent(DVec3::new(0.5, 0.3, -0.2).reject_from_normalized(round.normal));
            let bend = cap.bend();
            assert!(bend > 0.2 && cap.axis.dot(cap.ridge).abs() < 1e-15);
            for x in corners {
                // Of second order in how far the axis leans: as the cube of the size, and less.
                assert!(height(&cap, x).abs() < 0.5 * size.powi(3), "{} at {size}", height(&cap, x));
            }
            let middle = corners.iter().sum::<DVec3>() / 3.0;
            let (low, high) = (height(&round, middle), height(&cap, middle));
            assert!(high != low && high.abs() < cap.bulge());
        }
    }

    #[test]
    fn caps_go_through_their_corners() {
        let corners = [DVec3::new(0.1, 0.0, 0.2), DVec3::new(0.4, 0.1, 0.2), DVec3::new(0.2, 0.5, 0.3)];
        for curvature in [2.0, 0.3, 1e-9, -1e-9, -2.0] {
            let cap = Cap::through(corners, curvature).expect("a cap");
            let center = cap.center().expect("a centre");
            for x in corners {
                // The centre is R away, and R times rounding off.
                assert!((x.distance(center) * curvature.abs() - 1.0).abs() < 1e-12);
            }
            assert_eq!((center - corners[0]).dot(cap.normal) < 0.0, curvature > 0.0);
        }
        let flat = Cap::through(corners, 0.0).expect("a plane");
        assert!((flat.apex - corners[0]).dot(flat.normal).abs() < 1e-16);
        assert_eq!(flat.center(), None);
    }

    #[test]
    fn what_has_no_cap_says_why() {
        let line = [DVec3::ZERO, DVec3::X, DVec3::X * 0.3];
        assert_eq!(Cap::through(line, 0.0), Err(NoCap::Thin));
        let wide = [DVec3::ZERO, DVec3::X, DVec3::Y];
        assert!(matches!(Cap::through(wide, 2.0), Err(NoCap::TooSmall { .. })));
    }
}
