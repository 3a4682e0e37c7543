//! Two ellipsoids against Hertz' elliptic contact.

use std::f64::consts::PI;

use glam::{DMat3, DQuat, DVec3};
use tactum_random::Rng;

use super::stages::by_twins;
use super::{hertz, rounded, touched};
use crate::Pose;
use crate::facets::{Cap, Pressure, RoundedMesh, Rounding};
use crate::mesh::generate;

/// Complete elliptic integrals K and E of modulus e, by the arithmetic and geometric mean (Abramowitz and Stegun 1964,
/// section 17.6).
fn elliptic(e: f64) -> (f64, f64) {
    let (mut a, mut g, mut sum, mut power) = (1.0, (1.0 - e * e).sqrt(), 0.5 * e * e, 1.0);
    for _ in 0..40 {
        let c: f64 = 0.5 * (a - g);
        sum += power * c * c;
        power *= 2.0;
        (a, g) = (0.5 * (a + g), (a * g).sqrt());
    }
    let k = PI / (2.0 * a);
    (k, k * (1.0 - sum))
}

/// Force of an elliptic contact of gap A x² + B y², A <= B, at a depth (Johnson 1985, equations 4.28 to 4.32).
pub(super) fn elliptic_hertz(modulus: f64, gap: [f64; 2], depth: f64) -> f64 {
    let ratio = gap[1] / gap[0];
    let of = |e: f64| {
        let (k, el) = elliptic(e);
        (el / (1.0 - e * e) - k) / (k - el)
    };
    let (mut low, mut high) = (1e-4, 1.0 - 1e-9);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if of(middle) < ratio { low = middle } else { high = middle }
    }
    let e = 0.5 * (low + high);
    let (k, el) = elliptic(e);
    let a = (depth * (k - el) / (gap[0] * k * e * e)).sqrt();
    let b = a * (1.0 - e * e).sqrt();
    2.0 / 3.0 * PI * a * b * modulus * depth / (b * k)
}

#[test]
fn reference_is_hertz_where_the_gap_is_round() {
    // 1e-4 of the modulus is the least that the search looks at: 1e-9 of the force.
    let found = elliptic_hertz(1000.0, [1.0, 1.0 + 1e-7], 0.01);
    let exact = 4.0 / 3.0 * 1000.0 * 0.5_f64.sqrt() * 0.01_f64.powf(1.5);
    assert!((found / exact - 1.0).abs() < 1e-6, "{found} {exact}");
    // Legendre's relation: E K' + E' K - K K' = pi/2.
    let (k, e) = elliptic(0.6);
    let (k1, e1) = elliptic(0.8);
    assert!((e * k1 + e1 * k - k * k1 - PI / 2.0).abs() < 1e-14);
}

/// Two bodies of these semi-axes and the elliptic contact of the places where their outward normals are these, turned about them by an angle.
struct Meeting<'a> {
    bodies: [&'a RoundedMesh; 2],
    at_b: Pose,
    normal: DVec3,
    /// Half the curvatures of the gap, the lesser first.
    gap: [f64; 2],
}

/// The place of an ellipsoid with an outward normal, and its curvatures there: of the directions across the normal, the form of this matrix.
fn place_of(axes: DVec3, normal: DVec3) -> (DVec3, DMat3) {
    let squares = axes * axes;
    let point = squares * normal / (axes * normal).length();
    (point, DMat3::from_diagonal(squares.recip()) * (point / squares).length().recip())
}

impl<'a> Meeting<'a> {
    fn new(bodies: [&'a RoundedMesh; 2], axes: [DVec3; 2], normals: [DVec3; 2], turn: f64) -> Self {
        let [(on_a, form_a), (on_b, form_b)] = [0, 1].map(|i| place_of(axes[i], normals[i]));
        let normal = normals[0];
        let turn = DQuat::from_axis_angle(normal, turn) * DQuat::from_rotation_arc(normals[1], -normal);
        let matrix = DMat3::from_quat(turn);
        let both = form_a + matrix * form_b * matrix.transpose();
        let (u, w) = normal.any_orthonormal_pair();
        let [uu, uw, ww] = [(u, u), (u, w), (w, w)].map(|(x, y)| x.dot(both * y));
        let (mean, bend) = (0.5 * (uu + ww), (0.5 * (uu - ww)).hypot(uw));
        // The reference is for contacts that are not round.
        let bend = bend.max(1e-7 * mean);
        let gap = [0.5 * (mean - bend), 0.5 * (mean + bend)];
        Self { bodies, at_b: Pose::new(on_a - turn * on_b, turn), normal, gap }
    }

    /// Where B is so deep in A.
    fn at(&self, depth: f64) -> Pose {
        Pose::new(self.at_b.translation - self.normal * depth, self.at_b.rotation)
    }

    /// By how much the force is off the elliptic contact's, in parts of it: by the question, and by the stages' twins.
    fn off(&self, depth: f64) -> [f64; 2] {
        let [a, b] = self.bodies;
        let at_b = self.at(depth);
        let exact = elliptic_hertz(1000.0, self.gap, depth);
        let ask = hertz(1000.0);
        let found = touched(a, &Pose::IDENTITY, b, &at_b, 2.0 * depth, &ask);
        let staged = by_twins(a, &Pose::IDENTITY, b, &at_b, 2.0 * depth, &ask).touch.expect("deep enough");
        [found.force, staged.force].map(|force| (force - self.normal * exact).length() / exact)
    }
}

fn ellipsoid(axes: DVec3, triangles: usize) -> RoundedMesh {
    rounded(generate::ellipsoid(axes, triangles).unwrap(), &Rounding::Estimated)
}

const DEPTHS: [f64; 6] = [3e-4, 1e-3, 4e-3, 0.01, 0.02, 0.04];

/// Tip on tip, with axes along each other, crossed and askew, and anywhere on anything; and by device as by the question.
#[test]
fn ellipsoids_press_as_elliptic_contacts_do() {
    let mut rng = Rng::new(3);
    // At the first depth, a hundredth of a facet's side, one facet of each body holds all of the contact: of 1e-6 of the size that heights are off on the sharpest of these comes 1 % for the two.
    // At the last one it is how little of a body so large a contact leaves like a quadric.
    for (axes, allowed) in [
        (DVec3::new(1.0, 0.9, 0.9), 0.005),
        (DVec3::new(1.0, 0.8, 0.9), 0.01),
        (DVec3::new(1.0, 0.7, 0.85), 0.015),
    ] {
        let body = ellipsoid(axes, 5120);
        let meet = |normals: [DVec3; 2], turn: f64| {
            let meeting = Meeting::new([&body, &body], [axes; 2], normals, turn);
            DEPTHS.map(|depth| meeting.off(depth))
        };
        let tips = DVec3::AXES.map(|tip| [0.0, 0.5 * PI, 0.7].map(|turn| meet([tip; 2], turn)));
        let anywhere: Vec<_> = (0..rng.cases(12))
            .map(|_| {
                let mut way = || DVec3::new(rng.range(-1.0, 1.0), rng.range(-1.0, 1.0), rng.range(-1.0, 1.0));
                meet([way().normalize(), way().normalize()], rng.range(0.0, PI))
            })
            .collect();
        for (ix, depth) in DEPTHS.into_iter().enumerate() {
            let worst = |list: &mut dyn Iterator<Item = &[[f64; 2]; 6]>| {
                list.fold([0.0_f64; 2], |most, off| [0, 1].map(|k| most[k].max(off[ix][k])))
            };
            let (on_tips, elsewhere) = (worst(&mut tips.iter().flatten()), worst(&mut anywhere.iter()));
            println!("{axes} at {depth}: {on_tips:.4?} on tips, {elsewhere:.4?} anywhere");
            assert!(on_tips.into_iter().chain(elsewhere).all(|off| off < allowed));
        }
    }
}

/// What is left falls with the square of the facets' size, for curvatures of 1 to 2 too.
#[test]
fn ellipsoids_converge_to_elliptic_contacts() {
    for axes in [DVec3::new(1.0, 0.8, 0.9), DVec3::new(1.0, 0.65, 0.9)] {
        let off = [1280, 5120, 20_480].map(|triangles| {
            let body = ellipsoid(axes, triangles);
            let meeting = Meeting::new([&body, &body], [axes; 2], [DVec3::Z; 2], 0.0);
            meeting.off(2e-3)[0]
        });
        println!("{axes}: {off:?}");
        assert!(off[2] < 3e-4 && off[0] < 5e-3);
    }
}

/// Of the vertices with five neighbours, whose cotangents do not count all ways alike, as of the others.
#[test]
fn mean_curvatures_of_ellipsoids_are_known_everywhere() {
    let axes = DVec3::new(1.0, 0.7, 0.85);
    let worst = [1280, 5120].map(|triangles| {
        let body = ellipsoid(axes, triangles);
        let off = |cap: &Cap| {
            let form = place_of(axes, cap.normal).1;
            let (u, w) = cap.normal.any_orthonormal_pair();
            let exact = 0.5 * (u.dot(form * u) + w.dot(form * w));
            (cap.curvature / exact - 1.0).abs()
        };
        (0..triangles as u32).map(|facet| off(body.cap(facet).unwrap())).fold(0.0, f64::max)
    });
    println!("{worst:?}");
    // It falls with the facets' area. As plain cotangents have it, 0.9 % are left beside those vertices at any fineness.
    assert!(worst[0] < 0.016 && worst[1] < 0.004);
}

/// The round contact that stands for an oval one has its force and its stiffness, and its area nearly.
#[test]
fn ovals_press_as_elliptic_contacts_do() {
    let law = Pressure::Hertz { modulus: 1000.0 };
    for (bend, allowed) in [(1e-3, 1e-9), (0.2, 1e-8), (0.5, 1e-7), (0.8, 2e-5)] {
        let oval = law.oval(2.0, 2.0 * bend);
        let found = law.profile(0.01, oval.curvature, false).unwrap().force();
        let exact = elliptic_hertz(1000.0, [1.0 - bend, 1.0 + bend], 0.01);
        println!("bend {bend}: {:e}, ratio {}", found / exact - 1.0, oval.ratio);
        assert!((found / exact - 1.0).abs() < allowed);
    }
    // A foundation's: pi s depth² / (2 sqrt(A B)).
    let law = Pressure::Linear { stiffness: 1e5 };
    let oval = law.oval(2.0, 1.2);
    let found = law.profile(0.01, oval.curvature, false).unwrap().force();
    assert!((found / (PI * 1e5 * 1e-4 / (3.2_f64 * 0.8).sqrt()) - 1.0).abs() < 1e-14);
    assert!((oval.ratio - 0.5).abs() < 1e-15);
}

#[test]
fn spheres_are_bent_no_way() {
    for mesh in [generate::sphere(0.5, 1280), generate::sphere(3.0, 80)] {
        let ball = rounded(mesh.unwrap(), &Rounding::Estimated);
        let caps = (0..ball.n_facets() as u32).map(|facet| ball.cap(facet).unwrap());
        assert!(caps.clone().all(|cap| cap.bend() == 0.0 && cap.axis == cap.normal));
    }
}
