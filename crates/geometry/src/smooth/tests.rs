use super::*;
use crate::mesh::generate::{self, Prism};

/// Directions all over the sphere, without chance.
fn directions(n: u32) -> impl Iterator<Item = DVec3> {
    (0..n).map(move |k| {
        let z = 1.0 - (2.0 * f64::from(k) + 1.0) / f64::from(n);
        let turn = 2.399_963_229_728_653 * f64::from(k);
        DVec3::new((1.0 - z * z).sqrt() * turn.cos(), (1.0 - z * z).sqrt() * turn.sin(), z)
    })
}

fn farthest(surface: &SmoothSurface, toward: DVec3) -> Option<DVec3> {
    let mut points = Vec::new();
    surface.touching(toward, f64::NEG_INFINITY, &Near::ANYWHERE, &mut points);
    points.iter().map(|point| point.place).max_by(|a, b| a.dot(toward).total_cmp(&b.dot(toward)))
}

#[test]
fn an_icosphere_reaches_as_far_as_its_sphere() {
    for (n_faces, allowed) in [(1280, 6e-6), (5120, 4e-7), (20480, 3e-8)] {
        let mesh = generate::sphere(1.0, n_faces).expect("a mesh");
        let surface = SmoothSurface::new(&mesh, 0.3).expect("smooth");
        let mut worst = [0.0_f64; 2];
        for toward in directions(300) {
            let point = farthest(&surface, toward).unwrap_or_else(|| panic!("{toward}"));
            worst[0] = worst[0].max((point.dot(toward) - 1.0).abs());
            worst[1] = worst[1].max(point.distance(toward));
        }
        println!("{n_faces}: height {:e}, place {:e}, bulge {:e}", worst[0], worst[1], surface.bulge());
        assert!(worst[0] < allowed, "{n_faces}: {worst:?}");
    }
}

#[test]
fn a_wheel_of_many_sides_reaches_as_far_as_its_circle() {
    for (sides, allowed) in [(64, 1e-6), (256, 1e-8)] {
        let mesh = generate::prism(&Prism { sides, radius: 1.0, height: 0.4 }, 0).expect("a mesh");
        let surface = SmoothSurface::new(&mesh, 0.2).expect("smooth");
        for k in 0..200 {
            let turn = 0.031_7 * f64::from(k);
            let toward = DVec3::new(turn.cos(), turn.sin(), 0.0);
            let mut points = Vec::new();
            surface.touching(toward, 0.99, &Near::ANYWHERE, &mut points);
            for end in [-0.2, 0.2] {
                let is_there = points.iter().any(|point| (point.place.z - end).abs() < 1e-12);
                assert!(is_there, "{turn}: {points:?}");
            }
            for point in points {
                assert!((point.place.dot(toward) - 1.0).abs() < allowed, "{sides} {turn}: {point:?}");
                assert!(point.place.truncate().distance(toward.truncate()) < 1e-3);
                let [u, _] = [toward.cross(DVec3::Z), toward];
                assert!((u.dot(point.rounding * u) - 1.0).abs() < 1e-2, "{point:?}");
            }
        }
    }
}

/// A cylinder of facets bends away from them by the sagitta of a side, however long it is: it bulges by a few times that.
#[test]
fn a_long_wheel_bulges_by_a_few_sagittas() {
    let sagitta = 1.0 - (std::f64::consts::PI / 64.0).cos();
    for height in [0.1, 1.0, 10.0] {
        let mesh = generate::prism(&Prism { sides: 64, radius: 1.0, height }, 0).expect("a mesh");
        let bulge = SmoothSurface::new(&mesh, 0.2).expect("smooth").bulge();
        // A third more, as for the middle of a sphere's facet, and five times that at most.
        assert!(bulge >= sagitta && bulge < 4.0 / 3.0 * 5.01 * sagitta, "{height}: {bulge} of {sagitta}");
    }
}

/// Inside, a bowl of coarse facets does not bulge out, on its outside it does.
#[test]
fn a_bowl_bulges_on_its_outside() {
    let bowl = generate::bowl(0.7, 0.8, 2000).expect("a bowl");
    let surface = SmoothSurface::new(&bowl, 0.3).expect("smooth");
    let near = |r: f64| surface.bulge_near(&Near { place: DVec3::new(0.3, 0.2, -0.8) * r, radius: 1e-6 });
    let size = DVec3::new(0.3, 0.2, -0.8).length();
    assert_eq!(near(0.699 / size), 0.0);
    assert!(near(0.799 / size) > 1e-3, "{} of {}", near(0.799 / size), surface.bulge());
    assert!(surface.bulge_near(&Near::ANYWHERE) <= surface.bulge());
}

/// What touches lies on the surface, whichever way the mesh was cut into triangles: never far outside it.
#[test]
fn no_touching_point_lies_far_outside() {
    for triangles in [500, 1000, 2000, 3000, 6000] {
        for height in [0.02, 0.05, 0.1, 0.4] {
            let mesh = generate::cylinder(0.1, height, triangles).expect("a cylinder");
            let Some(surface) = SmoothSurface::new(&mesh, 0.2) else { continue };
            let bounds = mesh.aabb().inflated(2.0 * surface.bulge());
            for k in 0..3600 {
                let angle = f64::from(k) * 1.7453e-3;
                for lean in [0.0, 1e-9, 1e-6, 1e-3] {
                    let toward = DVec3::new(angle.cos(), angle.sin(), lean).normalize();
                    let mut points = Vec::new();
                    surface.touching(toward, 0.0999, &Near::ANYWHERE, &mut points);
                    for point in &points {
                        let away = (point.place.abs() - bounds.half_size()).max_element();
                        assert!(away <= 0.0, "{triangles} {height} {angle} {lean}: {point:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_box_has_no_smooth_edges() {
    let mesh = generate::prism(&Prism { sides: 4, radius: 1.0, height: 0.4 }, 0).expect("a mesh");
    assert_eq!(SmoothSurface::new(&mesh, 0.2), None);
}

#[test]
fn balls_are_oval_and_tori_and_wheels_are_not() {
    let wheel = Prism { sides: 64, radius: 1.0, height: 0.4 };
    for (mesh, is_oval) in [
        (generate::sphere(1.0, 1280), true),
        (generate::torus(1.0, 0.3, 2000), false),
        (generate::prism(&wheel, 0), false),
    ] {
        let surface = SmoothSurface::new(&mesh.expect("a mesh"), 0.3).expect("a smooth surface");
        assert_eq!(surface.is_oval(), is_oval);
    }
}

/// Inside, a bowl is as hollow as the ball that it is cut from.
#[test]
fn a_bowl_is_hollow_inside() {
    let mesh = generate::bowl(0.3, 0.32, 5000).expect("a bowl");
    let surface = SmoothSurface::new(&mesh, 0.21).expect("smooth");
    let mut worst = 0.0_f64;
    for out in directions(300).filter(|out| out.z < -0.3) {
        let place = out * 0.3;
        let mut points = Vec::new();
        surface.hollows(-out, &Near { place, radius: 0.01 }, &mut points);
        // Twice its radius where it bends both ways, once on an edge between two facets.
        let bends =
            |point: &SmoothPoint| point.rounding.x_axis.x + point.rounding.y_axis.y + point.rounding.z_axis.z;
        let both_ways = points.iter().filter(|point| bends(point) < -0.5);
        worst = worst.max(both_ways.map(|point| point.place.distance(place)).fold(f64::INFINITY, f64::min));
    }
    println!("off by {worst:e}");
    // Facets of 5 degrees lie 3e-4 inside the ball; seen: 4.2e-6, as the normals at their corners are the means of those around.
    assert!(worst < 1e-5, "{worst:e}");
}
