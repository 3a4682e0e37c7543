//! The patch of the contact plane in which the centre of pressure has to lie.

mod corners;
mod ellipse;
mod polygon;

use glam::{DMat2, DVec2, DVec3, Vec3Swizzles};

pub use corners::{Corner, Corners};
pub use ellipse::Ellipse;
pub use polygon::Polygon;
pub(crate) use polygon::{Side, asinh_difference};

use crate::SpinRule;

/// How far outside its patch a centre of pressure still counts as inside, as a part of the patch's reach: a hundred
/// times the rounding (1e-11) of a centre of pressure on bodies a thousand times larger than their patch. No unit.
pub const INSIDE_TOLERANCE: f64 = 1e-9;

/// A patch narrower than this part of its length is a segment: its width is below [`INSIDE_TOLERANCE`]. No unit.
pub(super) const SEGMENT_WIDTH: f64 = 1e-9;

/// Patch of one contact, on the axes `(u, w)` about the contact point \[m\].
#[derive(Clone, Debug, PartialEq)]
pub enum ContactPatch {
    /// An ellipse about the contact point.
    Ellipse(Ellipse),
    /// A convex polygon anywhere in the plane.
    Polygon(Polygon),
    /// Corners that come to touch one by one.
    Corners(Corners),
}

impl ContactPatch {
    /// The ellipse with the given semi-axes along `u` and `w` \[m\]; a segment or a point where they vanish.
    pub fn ellipse(a: f64, b: f64) -> Self {
        Self::Ellipse(Ellipse::new(a, b))
    }

    /// The convex hull of points \[m\]; a segment or a point where they span no area, the contact point itself
    /// where there are none.
    pub fn polygon(points: &[DVec2]) -> Self {
        Self::Polygon(Polygon::hull(points))
    }

    /// Corners with gaps of their own; of none the contact point itself.
    pub fn corners(corners: Vec<Corner>) -> Self {
        if corners.is_empty() { Self::polygon(&[]) } else { Self::Corners(Corners::new(corners)) }
    }

    /// The polygon that the centre of pressure may not leave; `None` for an ellipse.
    pub fn hull(&self) -> Option<&Polygon> {
        match self {
            Self::Ellipse(_) => None,
            Self::Polygon(polygon) => Some(polygon),
            Self::Corners(corners) => Some(corners.hull()),
        }
    }

    /// The point that it consists of; `None` where it has several.
    pub(crate) fn point(&self) -> Option<Corner> {
        match self {
            Self::Ellipse(ellipse) => {
                (ellipse.reach() == 0.0).then_some(Corner { at: DVec2::ZERO, apart: 0.0 })
            }
            Self::Polygon(polygon) => {
                let mut corners = polygon.corners();
                let at = corners.next()?;
                corners.next().is_none().then_some(Corner { at, apart: 0.0 })
            }
            Self::Corners(corners) => match corners.all() {
                [corner] => Some(*corner),
                _ => None,
            },
        }
    }

    /// The patch after a linear map about the contact point. An ellipse keeps the directions of its axes and changes their lengths.
    #[must_use]
    pub fn mapped(&self, map: DMat2) -> Self {
        match self {
            Self::Ellipse(ellipse) => {
                let axes = ellipse.semi_axes();
                Self::ellipse(axes.x * map.x_axis.length(), axes.y * map.y_axis.length())
            }
            Self::Polygon(polygon) => Self::polygon(&polygon.corners().map(|x| map * x).collect::<Vec<_>>()),
            Self::Corners(corners) => Self::corners(
                corners.all().iter().map(|corner| Corner { at: map * corner.at, ..*corner }).collect(),
            ),
        }
    }

    /// Distance from the patch's middle to its farthest point \[m\]; zero for a point.
    pub fn reach(&self) -> f64 {
        match self {
            Self::Ellipse(ellipse) => ellipse.reach(),
            Self::Polygon(polygon) => polygon.reach(),
            Self::Corners(corners) => corners.hull().reach(),
        }
    }

    /// Centroid of the patch \[m\].
    pub fn centroid(&self) -> DVec2 {
        match self {
            Self::Ellipse(_) => DVec2::ZERO,
            Self::Polygon(polygon) => polygon.centroid(),
            Self::Corners(corners) => corners.hull().centroid(),
        }
    }

    /// About how wide the patch is across its length \[m\]; zero for a segment or a point.
    pub(crate) fn width(&self) -> f64 {
        match self {
            Self::Ellipse(ellipse) => ellipse.semi_axes().min_element(),
            Self::Polygon(polygon) => polygon.width(),
            Self::Corners(corners) => corners.hull().width(),
        }
    }

    /// Least velocity of the patch's points, with their own gaps, at the normal velocity and gradient
    /// `(v_n, G_u, G_w)` \[m/s\]: negative where one approaches.
    pub(crate) fn least(&self, velocity: DVec3) -> f64 {
        match self {
            Self::Corners(corners) => corners.least(velocity).0,
            _ => {
                let gradient = velocity.yz();
                velocity.x + gradient.dot(self.lowest(gradient))
            }
        }
    }

    /// Whether `x` lies in the patch or at most [`INSIDE_TOLERANCE`] reaches outside.
    pub fn contains(&self, x: DVec2) -> bool {
        match self {
            Self::Ellipse(ellipse) => ellipse.contains(x),
            Self::Polygon(polygon) => polygon.contains(x),
            Self::Corners(corners) => corners.hull().contains(x),
        }
    }

    /// The patch's point nearest to `x`; `x` itself where the patch contains it.
    pub fn nearest(&self, x: DVec2) -> DVec2 {
        match self {
            Self::Ellipse(ellipse) if ellipse.contains(x) => x,
            Self::Ellipse(ellipse) => ellipse.nearest_on_rim(x),
            Self::Polygon(polygon) => polygon.nearest(x),
            Self::Corners(corners) => corners.hull().nearest(x),
        }
    }

    /// The patch's point with the smallest `gradient · x`: where bodies with that gradient of normal velocity
    /// approach fastest. The middle of the ellipse, or the first corner, for a zero gradient.
    pub fn lowest(&self, gradient: DVec2) -> DVec2 {
        match self {
            Self::Ellipse(ellipse) => ellipse.lowest(gradient),
            Self::Polygon(polygon) => polygon.lowest(gradient),
            Self::Corners(corners) => corners.hull().lowest(gradient),
        }
    }

    /// The unit direction along the border from its point `x` in which `gradient` falls, the steeper one at a corner;
    /// `None` where it falls in none.
    pub(crate) fn falling_direction(&self, x: DVec2, gradient: DVec2) -> Option<DVec2> {
        match self {
            Self::Ellipse(ellipse) => ellipse.falling_direction(x, gradient),
            Self::Polygon(polygon) => polygon.falling_direction(x, gradient),
            Self::Corners(corners) => corners.hull().falling_direction(x, gradient),
        }
    }

    /// Spin radius `r_s` \[m\] of a rule for the centre of pressure `x`, which is first moved to the nearest point
    /// of the patch: friction resists spinning up to `|τ_n| = μ r_s f_n`.
    pub fn spin_radius(&self, rule: SpinRule, x: DVec2) -> f64 {
        let x = self.nearest(x);
        match self {
            Self::Ellipse(ellipse) => ellipse.spin_radius(rule, x),
            Self::Polygon(polygon) => polygon.spin_radius(rule, x),
            Self::Corners(corners) => corners.hull().spin_radius(rule, x),
        }
    }

    /// A lower bound of [`ContactPatch::spin_radius`] that costs nothing and holds for every `x` \[m\].
    pub fn min_spin_radius(&self, rule: SpinRule) -> f64 {
        match self {
            Self::Ellipse(ellipse) => ellipse.min_spin_radius(rule),
            Self::Polygon(polygon) => polygon.min_spin_radius(rule),
            Self::Corners(corners) => corners.hull().min_spin_radius(rule),
        }
    }
}

/// Mean distance to the corners of the rectangle `[min, max]` under the bilinear weights of `x` inside it
/// (Bouchard et al. 2015, equation 13). A side of no length gives its two corners half of the weight each.
fn bilinear_corner_radius(min: DVec2, max: DVec2, x: DVec2) -> f64 {
    let size = max - min;
    let part =
        |x: f64, min: f64, size: f64| if size > 0.0 { ((x - min) / size).clamp(0.0, 1.0) } else { 0.5 };
    let (s, t) = (part(x.x, min.x, size.x), part(x.y, min.y, size.y));
    (1.0 - s) * (1.0 - t) * x.distance(min)
        + s * (1.0 - t) * x.distance(DVec2::new(max.x, min.y))
        + s * t * x.distance(max)
        + (1.0 - s) * t * x.distance(DVec2::new(min.x, max.y))
}
