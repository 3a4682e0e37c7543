//! Two caps: do they touch, where, and how hard.

use glam::{DVec2, DVec3};

use super::cap::{Cap, sag};
use super::gradient::{Held, Wrench, wrench};
use super::plane::{Bent, ContactPlane, Meeting, Refusal};
use super::polygon::{Owner, Polygon};
use super::pressure::{Load, Oval, Pressure, Profile, left_of_line, over_polygon};
use super::touch::Detail;
use super::walk::SLANT;

/// Overlap over the smaller radius, and contact radius over it squared, beyond which half-spaces no longer stand for the bodies,
/// whose contact has to be small beside their radii (Johnson 1985, section 4.2): at a tenth it is a third of the radius wide, and
/// the surface stands at 18° at its rim.
pub const HERTZ_LIMIT: f64 = 0.1;

/// Cosine of the angle between a facet's normal and the contact's below which it is seen on edge and has nothing to press with: the root of the rounding of 64 bits. How high its places
/// are over the plane is rounded by that rounding over the cosine, and what it would have of the contact is the cosine of itself.
const ON_EDGE: f64 = 1.5e-8;

/// The touch of two caps A and B, in the frame that they were given in.
#[derive(Clone, Debug, PartialEq)]
pub struct CapTouch {
    /// Where the two spheres meet.
    pub plane: ContactPlane,
    /// The pressure about the plane's centre; where `ratio` is not 1 that of the round contact which this one is stretched from.
    pub profile: Profile,
    /// Width of the contact over its length, which lies across [`ContactPlane::bend`]: 1 for spheres. Places are sqrt(ratio) as far from the axis along it as in the
    /// round contact over this, and sqrt(ratio) times as far across it.
    pub ratio: f64,
    /// Point of the common polygon nearest to the plane's centre \[m\].
    pub nearest: DVec3,
    /// Overlap of the two spheres there, along the plane's normal \[m\].
    pub overlap: f64,
    /// Area of the polygon within the contact radius \[m²\].
    pub area: f64,
    /// The polygon's part of the contact radius a \[m\]: the integral of 1 / (2 pi sqrt(a² - r²)) within it, a for the whole disc. A rigid
    /// approach by d is answered by the pressure E* d / (pi sqrt(a² - r²)) besides, a rigid shift by traction that falls
    /// likewise (Johnson 1985, sections 3.4 and 7.2): so the stiffness is 2 E* times this, and 8 G* times this across.
    pub grip: f64,
    /// Integral of the pressure over the polygon \[N\]; B is pushed along the normal by it, A against it.
    pub force: f64,
    /// Force on B; the one on A is its negative \[N\]. Where the law has an energy it is what that falls by when B moves (`gradient`), else the pressure's along the normal.
    pub push: DVec3,
    /// Moment of it about the plane's centre \[N m\].
    pub moment: DVec3,
    /// Energy that is held by what lies over the polygon \[J\]; 0 for laws that draw.
    pub energy: f64,
    /// What both triangles have in common, projected into the plane \[m\]: 3 to 6 corners, counter-clockwise about the normal; none where they
    /// were not asked for.
    pub corners: Vec<DVec3>,
}

impl CapTouch {
    /// Whether the contact is larger than the law holds for ([`HERTZ_LIMIT`]), or than half of the distance of a facet's plane
    /// from its sphere's centre.
    pub fn is_beyond_hertz(&self, a: &Cap, b: &Cap) -> bool {
        let round = a.curvature.abs().max(b.curvature.abs());
        let deepest = self.plane.overlap * round;
        let widest = (self.profile.contact * round).powi(2);
        let is_wide = |cap: &Cap| {
            let k = cap.curvature.abs();
            2.0 * k * self.profile.reach > 1.0 - k * cap.bulge()
        };
        deepest > HERTZ_LIMIT || widest > HERTZ_LIMIT || is_wide(a) || is_wide(b)
    }

    /// Radius of gyration about the contact's axis of the traction that answers a rigid shift of all of it \[m\]: 2/3 of a² is the mean square distance of what falls as
    /// 1 / sqrt(a² - r²) in a disc, and an ellipse stretches it.
    pub fn gyration(&self) -> f64 {
        self.profile.contact * ((self.ratio + self.ratio.recip()) / 3.0).sqrt()
    }

    /// Gap of the undeformed spheres at the end of the pressure \[m\]; negative where they overlap there.
    pub fn gap_at_reach(&self, a: &Cap, b: &Cap) -> f64 {
        -local_overlap(self.plane.overlap, a.curvature, b.curvature, self.profile.reach)
    }
}

/// How two caps in one frame touch; `Ok(None)` if they do not.
///
/// # Errors
///
/// If there is no contact plane.
pub fn touch_caps(
    a: &Cap,
    b: &Cap,
    pressure: &Pressure,
    in_touch: bool,
) -> Result<Option<CapTouch>, Refusal> {
    match Disc::of(a, b, pressure)? {
        Some(disc) => Ok(disc.over(a, b, pressure, in_touch, Detail::Polygons)),
        None => Ok(None),
    }
}

/// The disc in which two spheres may act on each other.
pub(super) struct Disc {
    plane: ContactPlane,
    bent: Option<Bent>,
    oval: Oval,
    /// Radius that no pressure reaches beyond \[m\].
    widest: f64,
}

impl Disc {
    /// The disc of two caps in one frame, of which the corners of those that are bent have to be there; `None` if they do not reach each other.
    pub fn of(a: &Cap, b: &Cap, pressure: &Pressure) -> Result<Option<Self>, Refusal> {
        let mut meeting = Meeting::of_bends(a, b)?;
        let (curvature, bend) = (meeting.plane.curvature, meeting.plane.bend.length());
        if meeting.bent.is_some() {
            // Most caps that are looked at are beside the contact: what takes long is left to the others.
            let most = meeting.plane.overlap + a.greatest_swell() + b.greatest_swell();
            let Some(farthest) = pressure.farthest(most, curvature, bend) else { return Ok(None) };
            let is_beside = |cap: &Cap| cap.ridge != DVec3::ZERO && cap.is_beside(&meeting.plane, farthest);
            if is_beside(a) || is_beside(b) {
                return Ok(None);
            }
            meeting.swell(a, b);
        }
        let Meeting { plane, bent } = meeting;
        if bend > 0.0 && plane.overlap + pressure.range(curvature - bend) <= 0.0 {
            return Ok(None);
        }
        let oval = pressure.oval(curvature, bend);
        let widest = pressure.widest(plane.overlap, oval.curvature);
        Ok(widest.map(|widest| Self { plane, bent, oval, widest }))
    }

    /// How the caps touch over what their triangles have in common in it; `None` if they do not.
    ///
    /// A disc that lies in both triangles takes no polygon, nor does one that a single side cuts, but where that is asked for.
    pub fn over(
        self,
        a: &Cap,
        b: &Cap,
        pressure: &Pressure,
        in_touch: bool,
        detail: Detail,
    ) -> Option<CapTouch> {
        let Self { plane, bent, oval, widest } = self;
        if !pressure.draws() && are_apart(a, b, plane.normal) {
            return None;
        }
        if [a, b].into_iter().any(|cap| cap.normal.dot(plane.normal).abs() < ON_EDGE) {
            return None;
        }
        let (u, w) = axes(&plane);
        let stretch = DVec2::new(oval.ratio.sqrt().recip(), oval.ratio.sqrt());
        let flat = |x: DVec3| {
            let arm = x - plane.center;
            DVec2::new(arm.dot(u), arm.dot(w)) / stretch
        };
        let [p, q] = [a, b].map(|cap| cap.corners.map(flat));
        let mut cuts = Cuts::None;
        for (owner, triangle) in [(Owner::First, &p), (Owner::Second, &q)] {
            cuts = cuts.with_sides(triangle, widest, owner)?;
        }
        let shape = match cuts {
            Cuts::None if detail != Detail::Polygons => Shape::Disc,
            Cuts::One(side, owner) if detail != Detail::Polygons => Shape::LeftOf(side, owner),
            _ => Shape::Polygon(Polygon::common(p, q)?),
        };
        // Last, as it takes longest for laws with adhesion.
        let profile = pressure.profile(plane.overlap, oval.curvature, in_touch)?;
        let nearest = shape.nearest_to_axis();
        if nearest.length() >= profile.reach {
            return None;
        }
        let at_nearest = nearest * stretch;
        let saddle = 0.5 * plane.bend.length() * (at_nearest.y * at_nearest.y - at_nearest.x * at_nearest.x);
        let overlap = local_overlap(plane.overlap, a.curvature, b.curvature, at_nearest.length()) - saddle;
        let load = match &shape {
            Shape::Disc => Load::of_disc(&profile),
            Shape::LeftOf(side, owner) => left_of_line(&profile, *side, *owner),
            Shape::Polygon(polygon) => over_polygon(&profile, polygon),
        };
        let across = |x: DVec2| u * (stretch.x * x.x) + w * (stretch.y * x.y);
        let (axes, contact) = ([u, w], profile.contact);
        let held =
            Held { caps: [a, b], plane: &plane, bent: bent.as_ref(), oval, axes, load: &load, contact };
        let (wrench, energy) = wrench(&held, pressure).unwrap_or_else(|| {
            let force = plane.normal * load.force;
            (Wrench { force, moment: across(load.first).cross(plane.normal) }, 0.0)
        });
        let space = |x: DVec2| plane.center + across(x);
        let wanted = match &shape {
            Shape::Polygon(polygon) if detail == Detail::Polygons => polygon.corners(),
            _ => &[],
        };
        Some(CapTouch {
            plane,
            profile,
            ratio: oval.ratio,
            nearest: space(nearest),
            overlap,
            area: load.area,
            grip: load.grip,
            force: load.force,
            push: wrench.force,
            moment: wrench.moment,
            energy,
            corners: wanted.iter().map(|x| space(*x)).collect(),
        })
    }
}

/// Whether all of two facets is apart along a normal from the first one to the other, by more than their caps rise. Far from the pole of a facet's sphere parabolas say otherwise, by metres
/// where it is that large.
fn are_apart(a: &Cap, b: &Cap, normal: DVec3) -> bool {
    let top = a.corners.map(|x| x.dot(normal)).into_iter().fold(f64::NEG_INFINITY, f64::max);
    let bottom = b.corners.map(|x| x.dot(normal)).into_iter().fold(f64::INFINITY, f64::min);
    bottom - top > SLANT * (a.bulge() + b.bulge())
}

/// Unit axes in a plane, the second one along its bend.
fn axes(plane: &ContactPlane) -> (DVec3, DVec3) {
    match plane.bend.try_normalize() {
        None => plane.normal.any_orthonormal_pair(),
        Some(steep) => (steep.cross(plane.normal), steep),
    }
}

/// Which sides of triangles cut a disc about the origin.
#[derive(Clone, Copy)]
enum Cuts {
    None,
    /// One, of which what counts is on the left, and whose it is.
    One([DVec2; 2], Owner),
    More,
}

impl Cuts {
    /// With those of a triangle; `None` if one of them has all of the disc outside.
    fn with_sides(self, triangle: &[DVec2; 3], radius: f64, owner: Owner) -> Option<Self> {
        let [a, b, c] = *triangle;
        let is_clockwise = (b - a).perp_dot(c - a) < 0.0;
        let mut cuts = self;
        for (p, q) in [(a, b), (b, c), (c, a)] {
            let side = if is_clockwise { [q, p] } else { [p, q] };
            // The side's distance from the origin times its length.
            let moment = side[0].perp_dot(side[1]);
            if moment * moment < radius * radius * p.distance_squared(q) {
                // A line through the axis has no left by its moment: polygons know what is on either side.
                cuts = if matches!(cuts, Self::None) && moment != 0.0 {
                    Self::One(side, owner)
                } else {
                    Self::More
                };
            } else if moment < 0.0 {
                return None;
            }
        }
        Some(cuts)
    }
}

/// Where in a disc two triangles lie over each other.
enum Shape {
    /// Everywhere.
    Disc,
    /// Left of the line through two points, a side of this triangle.
    LeftOf([DVec2; 2], Owner),
    /// In a polygon.
    Polygon(Polygon),
}

impl Shape {
    /// The point of it nearest to the disc's axis.
    fn nearest_to_axis(&self) -> DVec2 {
        match self {
            Self::Disc => DVec2::ZERO,
            Self::LeftOf([p, q], _) if p.perp_dot(*q) > 0.0 => DVec2::ZERO,
            Self::LeftOf([p, q], _) => {
                let along = *q - *p;
                *p - along * (p.dot(along) / along.length_squared())
            }
            Self::Polygon(polygon) => polygon.nearest_to_origin(),
        }
    }
}

/// Overlap of two spheres at a distance `h` \[m\] from their axis, along it \[m\]: `overlap` less what each falls off there
/// (Smeets et al. 2014, eq. 36, with the distance where they print its square).
pub fn local_overlap(overlap: f64, curvature_a: f64, curvature_b: f64, h: f64) -> f64 {
    overlap - sag(curvature_a, h) - sag(curvature_b, h)
}

/// Cosine of the angle between a normal and the opposite of another beyond which triangles do not lie on each other: of
/// the faces of a box that meet in an edge or a corner at least one is within 55° of any plane that they touch.
const OPPOSED: f64 = 0.5;

/// How deep two facing triangles are in each other \[m\], where their caps have no contact plane: along the mean normal,
/// the greatest over the corners of their common polygon; `None` if they have none, or do not lie on each other.
///
/// It tells pairs that are refused but would touch from those that are merely close.
pub(super) fn depth_of_triangles(a: &Cap, b: &Cap) -> Option<f64> {
    if a.normal.dot(b.normal) > -OPPOSED {
        return None;
    }
    let normal = (a.normal - b.normal).normalize();
    let (u, w) = normal.any_orthonormal_pair();
    let origin = a.corners[0];
    let flat = |x: DVec3| DVec2::new((x - origin).dot(u), (x - origin).dot(w));
    let slopes = [a.normal.dot(normal), b.normal.dot(normal)];
    let polygon = Polygon::common(a.corners.map(flat), b.corners.map(flat))?;
    let height = |cap: &Cap, slope: f64, x: DVec3| (cap.corners[0] - x).dot(cap.normal) / slope;
    let depth = |x: &DVec2| {
        let x = origin + u * x.x + w * x.y;
        height(a, slopes[0], x) - height(b, slopes[1], x)
    };
    polygon.corners().iter().map(depth).reduce(f64::max)
}
