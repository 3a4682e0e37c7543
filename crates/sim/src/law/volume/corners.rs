//! A body that stands on an edge or a corner over a plane: which of its corners come down next.
//!
//! The overlap of such a body shows the corners that it stands on. The next one, towards which it rolls, shows once it has sunk
//! in, up to a step too late, and by then the body has fallen farther than it should: a coin of 64 sides on its rim, which
//! passes a corner every 4 ms, sinks in by some 80 µm with steps of 1 ms. So the pair is measured a second time as deep as the
//! next corners may come down, and each corner is kept from passing through the plane: a constraint on its gap at the end of
//! the step (Stewart and Trinkle 1996).
//!
//! Corners that are passed within one step still count as one.

use glam::{DMat2, DVec2, DVec3};
use tactum_geometry::overlap::Patch;

use crate::law::volume::geometry::ContactGeometry;
use crate::law::volume::tilted_face::DepthField;

/// Part of the deepest corner's depth by which corners may miss a common plane: what is left of rounding.
const COPLANAR: f64 = 1e-6;

/// Squared width over squared length below which corners lie on a line: rounding of both.
const ON_A_LINE: f64 = 1e-12;

/// Depth over width from which an overlap is that of an edge or a corner: an edge whose sides rise at 6 degrees and more. A
/// face that lies flatter is known by its depth; the cap of a smooth surface, whose corners come and go with every step, has
/// some thousandths.
const SHARP: f64 = 0.1;

/// Whether a contact is that of an edge or a corner: deep against its width.
pub fn is_sharp(geometry: &ContactGeometry<'_>) -> bool {
    let across = geometry.polygon.iter().map(|x| x.y);
    let (low, high) =
        across.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), y| (low.min(y), high.max(y)));
    geometry.extent >= SHARP * (high - low)
}

/// The corners that a body stands on, or may come to stand on.
pub struct Corners<'a> {
    /// The contact with its point in the middle of the corners and with their hull as its patch.
    pub geometry: ContactGeometry<'a>,
    /// How deep they are.
    pub field: DepthField,
    /// Whether they are corners of B in a plane of A, or of A in one of B.
    pub are_of_b: bool,
}

impl<'a> Corners<'a> {
    /// The corners of an overlap; `None` where none of its sides is plane, and where its corners do not lie in a plane, so
    /// that no linear function of the place says how deep they are. `None` too where there are more than are listed.
    pub fn of(mut geometry: ContactGeometry<'a>) -> Option<Self> {
        let ContactGeometry { tips, extent, .. } = geometry;
        let deepest = tips.first().filter(|_| tips.len() < Patch::MAX_TIPS)?.z;
        let depth = |tip: &DVec3| extent - (tip.z - deepest).abs();
        let part = (tips.len() as f64).recip();
        let middle = part * tips.iter().fold(DVec3::ZERO, |sum, tip| sum + *tip);
        let corners: Vec<DVec2> = tips.iter().map(|tip| (*tip - middle).truncate()).collect();
        let (mut spread, mut rise) = (DMat2::ZERO, DVec2::ZERO);
        for (x, tip) in corners.iter().zip(tips) {
            spread += DMat2::from_cols(*x * x.x, *x * x.y);
            rise += *x * (depth(tip) - depth(&middle));
        }
        let slope = solve(&spread, rise);
        let field = DepthField::linear(depth(&middle), slope, &corners);
        let misses = |(x, tip): (&DVec2, &DVec3)| (field.at(*x) - depth(tip)).abs() > COPLANAR * extent;
        if !slope.is_finite() || corners.iter().zip(tips).any(misses) {
            return None;
        }
        geometry.point +=
            geometry.axes[0] * middle.x + geometry.axes[1] * middle.y + geometry.normal * middle.z;
        geometry.polygon = corners.into();
        // The plane is on the other side of the centroid.
        Some(Self { geometry, field, are_of_b: deepest < 0.0 })
    }
}

/// The shortest x with `m x = b`, of a matrix that is positive but for rounding.
fn solve(m: &DMat2, b: DVec2) -> DVec2 {
    let trace = m.x_axis.x + m.y_axis.y;
    if trace <= 0.0 {
        return DVec2::ZERO;
    }
    if m.determinant() > ON_A_LINE * trace * trace {
        return m.inverse() * b;
    }
    // One direction alone: its matrix is a multiple of the projector on it, whose square is its trace times itself.
    *m * b / (trace * trace)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DQuat;
    use tactum_geometry::mesh::generate::{self, Prism};
    use tactum_geometry::overlap::overlap;
    use tactum_geometry::{Cuboid, Overlap, Pose, Shape};

    fn contact(measured: &Overlap) -> ContactGeometry<'_> {
        ContactGeometry::of(measured).expect("a contact")
    }

    /// A prism of 16 sides that leans by 30 degrees, its lowest corner `depth` below the floor.
    fn leaning(depth: f64) -> (Shape, Pose) {
        let mesh = generate::prism(&Prism { sides: 16, radius: 0.1, height: 0.02 }, 0).expect("a prism");
        let lean = 30.0_f64.to_radians();
        let height = 0.1 * lean.sin() + 0.01 * lean.cos() - depth;
        let pose = Pose::new(DVec3::new(0.3, -0.2, height), DQuat::from_rotation_x(lean));
        (Shape::from_mesh(mesh).expect("closed"), pose)
    }

    /// The corners of the rim that are below the floor are found where they are, in both orders of the pair.
    #[test]
    fn the_corners_of_a_leaning_coin_are_found() {
        let (coin, pose) = leaning(0.01);
        let below = |corner: u32| {
            let angle = std::f64::consts::TAU * f64::from(corner) / 16.0;
            let x =
                pose.translation + pose.rotation * DVec3::new(0.1 * angle.cos(), 0.1 * angle.sin(), -0.01);
            (x.z < 0.0).then_some(x)
        };
        let corners: Vec<DVec3> = (0..16).filter_map(below).collect();
        assert!(corners.len() >= 3, "{}", corners.len());
        let floor = Pose::IDENTITY;
        for coin_is_b in [true, false] {
            let (measured, origin) = if coin_is_b {
                (overlap(&Shape::HalfSpace, &floor, &coin, &pose), DVec3::ZERO)
            } else {
                (overlap(&coin, &pose, &Shape::HalfSpace, &floor), pose.translation)
            };
            assert!(is_sharp(&contact(&measured)));
            let Corners { geometry, field, are_of_b } =
                Corners::of(contact(&measured)).expect("corners of a plane face");
            assert_eq!(are_of_b, coin_is_b);
            assert_eq!(geometry.polygon.len(), corners.len());
            for x in geometry.polygon.iter() {
                let at = origin + geometry.point + geometry.axes[0] * x.x + geometry.axes[1] * x.y;
                let nearest = corners.iter().min_by(|a, b| {
                    let away = |c: &DVec3| (*c - at).truncate().length();
                    away(a).total_cmp(&away(b))
                });
                let corner = nearest.expect("a corner");
                assert!((*corner - at).truncate().length() < 1e-12, "{corner} {at}");
                assert!((field.at(*x) + corner.z).abs() < 1e-12, "{} {corner}", field.at(*x));
            }
        }
    }

    /// An edge has two corners on a line, a corner one; the cap of a ball's mesh is flat and its corners lie in no plane.
    #[test]
    fn edges_and_corners_are_sharp_and_caps_are_not() {
        let on_floor = |shape: &Shape, turn: DQuat, height: f64| {
            overlap(&Shape::HalfSpace, &Pose::IDENTITY, shape, &Pose::new(DVec3::Z * height, turn))
        };
        let cube = Shape::Cuboid(Cuboid { half_size: DVec3::splat(0.5) });
        let edge = on_floor(&cube, DQuat::from_rotation_x(0.5), 0.5 * (0.5_f64.sin() + 0.5_f64.cos()) - 1e-3);
        let Corners { geometry, field, .. } = Corners::of(contact(&edge)).expect("an edge");
        let [a, b] = geometry.polygon[..] else { panic!("two ends") };
        assert!((a.distance(b) - 1.0).abs() < 1e-12);
        assert!((field.at(a) - 1e-3).abs() < 1e-12 && (field.at(b) - 1e-3).abs() < 1e-12);
        let turn = DQuat::from_rotation_arc(DVec3::ONE.normalize(), DVec3::NEG_Z);
        let corner = on_floor(&cube, turn, 0.75_f64.sqrt() - 1e-3);
        let Corners { geometry, field, .. } = Corners::of(contact(&corner)).expect("a corner");
        assert_eq!(geometry.polygon.len(), 1);
        assert!((field.at(DVec2::ZERO) - 1e-3).abs() < 1e-12);
        for sharp in [&edge, &corner] {
            assert!(is_sharp(&contact(sharp)));
        }
        let ball = Shape::from_mesh(generate::sphere(0.5, 5120).expect("a ball")).expect("closed");
        let cap = on_floor(&ball, DQuat::IDENTITY, 0.5 - 2e-3);
        assert!(!is_sharp(&contact(&cap)));
        assert!(Corners::of(contact(&cap)).is_none());
    }
}
