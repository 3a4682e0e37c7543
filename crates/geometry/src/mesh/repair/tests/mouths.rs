//! Holes that are the two ends of something: bores without a wall, pipes and trays without a rim.

use super::guesses::{filled, refusal};
use super::*;

/// A plate whose bore has no wall: closed above and below it would be a plate without a bore.
#[test]
fn a_bore_without_a_wall_is_not_closed_above_and_below() {
    let size = generate::Ring { inner_radius: 0.2, outer_radius: 0.5, height: 0.1 };
    let ring = generate::ring(&size, 2000).expect("a ring");
    let open = without(ring, |x| x.truncate().length() < 0.201);
    let text = refusal(&open);
    assert!(text.contains("the wall of a bore between them may be missing"), "{text}");
    assert!((filled(&open) / (std::f64::consts::PI * 0.25 * 0.1) - 1.0).abs() < 0.01);
}

/// A bore that widens has no wall either.
#[test]
fn a_bore_that_widens_is_not_closed() {
    let size = generate::Ring { inner_radius: 0.2, outer_radius: 0.5, height: 0.1 };
    let mut ring = generate::ring(&size, 2000).expect("a ring");
    for x in &mut ring.vertices {
        if x.z > 0.0 && x.truncate().length() < 0.201 {
            *x = (x.truncate() * 1.1).extend(x.z);
        }
    }
    let open = without(ring, |x| x.z.abs() < 0.0499 && x.truncate().length() < 0.25);
    let text = refusal(&open);
    assert!(text.contains("the wall of a bore between them may be missing"), "{text}");
}

/// Small holes all over the wall of a tube are no ends of pieces, and facets that were lost no mouths.
#[test]
fn small_holes_in_the_wall_of_a_tube_are_filled() {
    let size = generate::Ring { inner_radius: 0.2, outer_radius: 0.25, height: 1.0 };
    let whole = generate::ring(&size, 6000).expect("a tube");
    let mut open = whole.clone();
    let mut k = 0_usize;
    open.triangles.retain(|_| {
        k += 1;
        !k.is_multiple_of(97)
    });
    let repaired = expect(&open, volume(&whole), &[MendKind::Hole]);
    assert!(repaired.report.doubts.is_empty());
}

/// The rims of a pipe so short that they are most of its surface.
#[test]
fn rims_of_short_pipes_are_rings() {
    let size = generate::Ring { inner_radius: 0.2, outer_radius: 0.5, height: 0.1 };
    let whole = generate::ring(&size, 2000).expect("a ring");
    let open = without(whole.clone(), |x| x.z.abs() > 0.0499);
    let repaired = expect(&open, volume(&whole), &[MendKind::Hole]);
    assert!((repaired.report.volume_after / volume(&whole) - 1.0).abs() < 1e-9, "{:?}", repaired.report);
}

/// A bore through a slanting plate has rims that are no circles, tilted against each other, but of one outline along it. One mouth of a pipe
/// may have lost its rim besides.
#[test]
fn a_bore_of_a_wedge_or_an_oblique_one_is_not_closed() {
    let size = generate::Ring { inner_radius: 0.2, outer_radius: 0.8, height: 0.2 };
    let ring = generate::ring(&size, 4000).expect("a ring");
    let open = without(ring, |x| x.truncate().length() < 0.201);
    let shaped = |shape: &dyn Fn(DVec3) -> DVec3| {
        let mut mesh = open.clone();
        mesh.vertices.iter_mut().for_each(|x| *x = shape(*x));
        mesh
    };
    let wedge = shaped(&|x| if x.z > 0.0 { x + DVec3::Z * (1.0 + 1.2 * x.x) } else { x });
    // A ring sheared along its sides is bored obliquely by 45 degrees.
    let oblique = shaped(&|x| x + DVec3::X * x.z);
    let size = generate::Ring { inner_radius: 0.4, outer_radius: 0.5, height: 2.0 };
    let pipe = generate::ring(&size, 2000).expect("a pipe");
    let pipe = without(pipe, |x| x.truncate().length() < 0.401 || x.z > 0.9999);
    for mesh in [wedge, oblique, pipe] {
        let text = refusal(&mesh);
        assert!(text.contains("the wall of a bore between them may be missing"), "{text}");
    }
}

/// A tray so low that its inner wall and floor, without the rim, are as open as a sheet.
#[test]
fn rims_of_low_trays_are_rings() {
    let outer = generate::cuboid(DVec3::new(4.0, 3.0, 0.2), 12).expect("a box");
    let inner = generate::cuboid(DVec3::new(3.8, 2.8, 0.2), 12).expect("a box").translated(DVec3::Z * 0.05);
    let lid = |x: DVec3| x.z > 0.0999;
    let low = TriangleMesh {
        vertices: inner.vertices.iter().map(|x| DVec3::new(x.x, x.y, x.z.min(0.1))).collect(),
        triangles: inner.triangles,
    };
    let open = both(without(outer, lid), turned(without(low, lid)));
    let whole = 4.0 * 3.0 * 0.2 - 3.8 * 2.8 * 0.15;
    let repaired = expect(&open, whole, &[MendKind::Hole]);
    assert!((repaired.report.volume_after / whole - 1.0).abs() < 1e-12);
}
