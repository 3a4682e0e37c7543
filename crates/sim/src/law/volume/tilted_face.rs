//! How deep an overlap is at each point of its patch, and how far each point may still approach.

use glam::{DMat2, DVec2};
use tactum_geometry::overlap::PlaneSide;

use crate::constants::{MAX_HOLLOW, MAX_LANDING_SLOPE, MAX_UNEVENNESS, PLANAR_FACE, SOLID_FACE};
use crate::law::volume::geometry::ContactGeometry;

/// Depth over a patch as a linear function, `d(x) = d(0) + slope · x`, x on the tangent axes about the contact point.
///
/// Volume and centroid of an overlap are the zeroth and first moment of its depth over the face that lies tilted against the
/// other, wholly or partly covered, so they give the linear part exactly where that face fills its patch. A ring or the feet
/// of a table do not. Where they stand on a plane, area and middle of the face are known from the gradients, and the
/// overlap's extent says how much farther out than its patch the face has its area. Where both bodies' faces are known as planes, of which
/// neither covers the other, the depth is how far apart these are.
#[derive(Clone, Copy, Debug)]
pub struct DepthField {
    /// Depth at the contact point \[m\].
    at_point: f64,
    /// Change of depth per length along the tangent axes.
    slope: DVec2,
    /// Distance from the contact point to the farthest corner \[m\].
    reach: f64,
}

/// The face that an overlap stands on.
#[derive(Clone, Copy, Debug)]
struct Face {
    /// \[m²\]
    area: f64,
    /// On the tangent axes about the contact point \[m\].
    middle: DVec2,
    /// Whether it is known to fill less than its convex hull.
    is_hollow: bool,
}

impl Face {
    /// The part of A's surface inside B where one of the two is plane, otherwise the patch.
    fn of(geometry: &ContactGeometry<'_>) -> Option<Self> {
        let hull = Self::filled(&geometry.polygon)?;
        let area = geometry.area();
        if !geometry.has_plane || area >= SOLID_FACE * hull.area {
            return Some(hull);
        }
        // ∫ (x - c) × n dS over a plane is the first moment of its area about c, turned by a right angle.
        let about_point = geometry.angular_gradient_about_point();
        let middle = geometry.gradient.cross(about_point) / (area * area);
        let middle = DVec2::new(geometry.axes[0].dot(middle), geometry.axes[1].dot(middle));
        Some(Self { area, middle, is_hollow: true })
    }

    fn filled(polygon: &[DVec2]) -> Option<Self> {
        let (area, middle, _) = moments(polygon)?;
        Some(Self { area, middle, is_hollow: false })
    }
}

impl DepthField {
    /// The field of a contact; `None` for a patch without area, and for an overlap that is not the one of two planar faces,
    /// because the linear depth goes below zero or does not account for how thick the overlap is.
    pub fn new(geometry: &ContactGeometry<'_>) -> Option<Self> {
        let leans = |side: &PlaneSide| side.normal.distance(geometry.normal) >= MAX_LANDING_SLOPE;
        if let Some(faces) = geometry.faces()
            && !faces.into_iter().any(leans)
        {
            return Self::between(faces, geometry);
        }
        let face = Face::of(geometry)?;
        if geometry.has_plane {
            return Self::on_plane(&geometry.polygon, geometry.extent, geometry.volume, face);
        }
        let field = Self::over(&geometry.polygon, geometry.volume, face, 1.0)?;
        let thickness = field.thickness(&geometry.polygon, geometry.volume);
        let is_planar = (thickness - thickness_of(geometry)).abs() <= PLANAR_FACE * thickness;
        is_planar.then_some(field)
    }

    /// The field between faces of A and of B, whatever the outline of what is common to them; the contact point is the overlap's centroid.
    fn between(faces: [&PlaneSide; 2], geometry: &ContactGeometry<'_>) -> Option<Self> {
        let [of_a, of_b] = faces.map(|side| {
            let across = DVec2::from(geometry.axes.map(|axis| side.normal.dot(axis)));
            let along = side.normal.dot(geometry.normal);
            (side.height / along, -across / along)
        });
        let reach = geometry.polygon.iter().fold(0.0_f64, |m, x| m.max(x.length()));
        let field = Self { at_point: of_a.0 - of_b.0, slope: of_a.1 - of_b.1, reach };
        (field.slope.is_finite() && field.at_point > 0.0).then_some(field)
    }

    /// The field of a face in a plane, known by the overlap's extent along the normal.
    fn on_plane(polygon: &[DVec2], extent: f64, volume: f64, face: Face) -> Option<Self> {
        let slope = Self::slope(polygon, volume, face)?;
        let rise = polygon.iter().fold(0.0_f64, |m, x| m.max(slope.dot(*x - face.middle)));
        let needed = extent - volume / face.area;
        let allowed = PLANAR_FACE * extent;
        let part = if face.is_hollow && (rise - needed).abs() > allowed { needed / rise } else { 1.0 };
        if !(MAX_HOLLOW.recip()..=MAX_HOLLOW).contains(&part) {
            return None;
        }
        let field = Self::over(polygon, volume, face, part)?;
        ((field.deepest(polygon) - extent).abs() <= allowed).then_some(field)
    }

    /// The linear depth of an overlap over a face with `part` of the slope that it has if the face fills its patch; `None` if it goes
    /// below zero.
    fn over(polygon: &[DVec2], volume: f64, face: Face, part: f64) -> Option<Self> {
        let slope = part * Self::slope(polygon, volume, face)?;
        let reach = polygon.iter().fold(0.0_f64, |m, x| m.max(x.length()));
        let field = Self { at_point: volume / face.area - slope.dot(face.middle), slope, reach };
        let lowest = polygon.iter().fold(f64::INFINITY, |m, x| m.min(field.depth(*x)));
        (slope.is_finite() && lowest >= -PLANAR_FACE * field.deepest(polygon)).then_some(field)
    }

    /// The slope with which a filled face has the overlap's centroid at the contact point.
    fn slope(polygon: &[DVec2], volume: f64, face: Face) -> Option<DVec2> {
        let (hull_area, _, second) = moments(polygon)?;
        Some(-volume / face.area * hull_area * (second.inverse() * face.middle))
    }

    fn deepest(&self, polygon: &[DVec2]) -> f64 {
        polygon.iter().fold(0.0_f64, |m, x| m.max(self.depth(*x)))
    }

    /// Thickness of the even plate whose variance across it is that of the body between two planes with this depth between
    /// them, over a polygon: the root of `∫ d³ dA / V`.
    fn thickness(&self, polygon: &[DVec2], volume: f64) -> f64 {
        let Some((&first, rest)) = polygon.split_first() else { return 0.0 };
        let cubed: f64 = rest
            .windows(2)
            .map(|edge| {
                let area = 0.5 * (edge[0] - first).perp_dot(edge[1] - first);
                let [a, b, c] = [first, edge[0], edge[1]].map(|x| self.depth(x));
                let mixed = a * a * (b + c) + b * b * (c + a) + c * c * (a + b) + a * b * c;
                area / 10.0 * (a * a * a + b * b * b + c * c * c + mixed)
            })
            .sum();
        (cubed / volume).sqrt()
    }

    /// Depth at a point of the patch, on the tangent axes about the contact point \[m\].
    pub fn depth(&self, x: DVec2) -> f64 {
        self.at_point + self.slope.dot(x)
    }

    /// The field before the bodies were led this much nearer to each other at the contact point \[m\], and so much more along the tangent axes.
    #[must_use]
    pub fn before_led(mut self, nearer: f64, slope: DVec2) -> Self {
        self.at_point -= nearer;
        self.slope -= slope;
        self
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

/// The same of an overlap: of its variance along the normal that part which does not come from where along the patch it is, so that
/// it is the same however the two planes lie to the normal.
fn thickness_of(geometry: &ContactGeometry<'_>) -> f64 {
    let c = geometry.second_moment;
    let across = c * geometry.normal;
    let [u, w] = geometry.axes;
    let coupled = DVec2::new(u.dot(across), w.dot(across));
    let (uu, uw, ww) = (u.dot(c * u), u.dot(c * w), w.dot(c * w));
    let tangential = DMat2::from_cols(DVec2::new(uu, uw), DVec2::new(uw, ww));
    let explained = coupled.dot(tangential.inverse() * coupled);
    (12.0 * (geometry.normal.dot(across) - explained) / geometry.volume).sqrt()
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

    /// The polygon about the centroid of the body between z = 0 and the depth `d0 + slope x` over a rectangle.
    struct Slanted {
        polygon: Vec<DVec2>,
        extent: f64,
        volume: f64,
    }

    fn slanted(half: DVec2, d0: f64, slope: f64) -> Slanted {
        let volume = 4.0 * half.x * half.y * d0;
        // Centroid of the depth along x: slope times second moment over volume.
        let offset = slope * half.x * half.x / (3.0 * d0);
        let polygon = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
            .map(|(x, y)| DVec2::new(x * half.x - offset, y * half.y))
            .to_vec();
        Slanted { polygon, extent: d0 + slope * half.x, volume }
    }

    /// The field over the whole patch.
    fn field(body: &Slanted) -> Option<DepthField> {
        DepthField::on_plane(&body.polygon, body.extent, body.volume, Face::filled(&body.polygon)?)
    }

    #[test]
    fn a_slanted_prism_is_recovered_exactly() {
        let (d0, slope) = (1e-3, 4e-3);
        let body = slanted(DVec2::new(0.2, 0.1), d0, slope);
        let field = field(&body).unwrap();
        assert!((field.slope - DVec2::new(slope, 0.0)).length() < 1e-15);
        let offset = slope * 0.04 / (3.0 * d0);
        assert!((field.at_point - (d0 + slope * offset)).abs() < 1e-16);
        // May sink until 1 mm deep: nothing at the deep end, twice 0.8 mm at the shallow one.
        assert!(field.is_landing(1e-3) && !field.is_landing(1.0));
        let (at_point, fall) = field.approach(1e-3, &body.polygon);
        let at = |x: DVec2| at_point + fall.dot(x);
        assert!(at(body.polygon[1]).abs() < 1e-16);
        assert!((at(body.polygon[0]) - 1.6e-3).abs() < 1e-16);
        // May sink until 5 mm deep: everywhere to 5 mm.
        let (at_point, fall) = field.approach(5e-3, &body.polygon);
        assert!((at_point + fall.dot(body.polygon[1]) - (5e-3 - 1.8e-3)).abs() < 1e-16);
    }

    #[test]
    fn a_cap_has_no_field() {
        let mut body = slanted(DVec2::new(0.2, 0.1), 1e-3, 0.0);
        body.extent = 2e-3; // a cap is twice as deep as on average
        assert!(field(&body).is_none());
    }

    #[test]
    fn a_patch_without_area_has_no_field() {
        let mut body = slanted(DVec2::new(0.2, 0.1), 1e-3, 0.0);
        assert!(!field(&body).unwrap().is_landing(1e-12));
        body.polygon.truncate(2);
        assert!(field(&body).is_none());
        body.polygon = vec![DVec2::ZERO, DVec2::X, DVec2::X * 2.0];
        assert!(field(&body).is_none());
        body.polygon.clear();
        assert!(field(&body).is_none());
    }

    /// A box that lies tilted on another and hangs over its edges: neither has a plane side within the overlap.
    #[test]
    fn a_tilted_face_over_an_edge_is_recovered() {
        use glam::DQuat;
        use tactum_geometry::overlap::overlap;
        use tactum_geometry::{Cuboid, Pose, Shape};
        let cube = Shape::Cuboid(Cuboid { half_size: DVec3::splat(0.05) });
        for (angle, sink) in [(2e-3_f64, 5e-5), (2e-3, 1.5e-4), (-1e-2, 1e-3), (1e-5, 1e-5)] {
            let turn = DQuat::from_rotation_y(angle) * DQuat::from_rotation_z(0.5);
            let top = DVec3::new(0.02, 0.015, 0.1 - sink);
            let overlap = overlap(&cube, &Pose::IDENTITY, &cube, &Pose::new(top, turn));
            let geometry = crate::law::volume::normal::with_rule(
                ContactGeometry::of(&overlap).unwrap(),
                crate::NormalRule::Blend,
                &[crate::law::volume::rolling::Roller::Not; 2],
            );
            assert!(!geometry.has_plane);
            let field = DepthField::new(&geometry).expect("planar faces");
            assert!((field.steepness() / angle.abs().tan() - 1.0).abs() < 0.02, "{}", field.steepness());
            let deepest = field.deepest(&geometry.polygon);
            for x in geometry.polygon.iter() {
                let at = geometry.point + geometry.axes[0] * x.x + geometry.axes[1] * x.y;
                let depth = sink + angle.tan() * (at.x - 0.02) - 0.05 * (1.0 / angle.cos() - 1.0);
                assert!((field.depth(*x) - depth).abs() < 0.03 * deepest, "{} {depth}", field.depth(*x));
            }
        }
    }

    /// What lies tilted in a half-space has the depth that its faces have, whether they fill their hull or not.
    #[test]
    fn a_tilted_ring_and_a_tilted_table_are_recovered() {
        use tactum_geometry::mesh::generate::{self, Prism, Ring, Table};
        use tactum_geometry::{Pose, Shape};
        let ring = generate::ring(&Ring { inner_radius: 0.09, outer_radius: 0.1, height: 0.05 }, 2000);
        let block = generate::prism(&Prism { sides: 8, radius: 0.1, height: 0.05 }, 200);
        let table = Table {
            length: 0.2,
            width: 0.2,
            height: 0.05,
            top_thickness: 0.01,
            leg_thickness: 0.01,
            leg_inset: DVec2::ZERO,
        };
        let angle = 0.01_f64;
        for (mesh, lower) in [(ring, -0.025), (block, -0.025), (generate::table(&table, 0), 0.0)] {
            let shape = Shape::from_mesh(mesh.unwrap()).unwrap();
            // The middle of the underside 2 mm deep.
            let turn = glam::DQuat::from_rotation_y(angle);
            let pose = Pose::new(DVec3::Z * -0.002 - turn * (DVec3::Z * lower), turn);
            let overlap =
                tactum_geometry::overlap::overlap(&Shape::HalfSpace, &Pose::IDENTITY, &shape, &pose);
            let geometry = ContactGeometry::of(&overlap).unwrap();
            let field = DepthField::new(&geometry).expect("planar faces");
            assert!((field.steepness() / angle.tan() - 1.0).abs() < 0.01, "{}", field.steepness());
            for x in geometry.polygon.iter() {
                let at = geometry.point + geometry.axes[0] * x.x + geometry.axes[1] * x.y;
                let depth = 0.002 + angle.tan() * at.x;
                let found = field.at_point + field.slope.dot(*x);
                assert!((found - depth).abs() < 3e-5, "{found} at {at}, expected {depth}");
            }
        }
    }
}
