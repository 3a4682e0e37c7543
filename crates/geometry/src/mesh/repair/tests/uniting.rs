//! Parts that go through each other.

use glam::DVec2;
use tactum_random::Rng;

use super::through::folded;
use super::*;

/// Bars of width 4 every 20 along all axes, `n` by `n` of each, that stand over by 2 at either end.
fn lattice(n: u32) -> TriangleMesh {
    let length = 20.0 * f64::from(n) - 12.0;
    let mut bars = TriangleMesh::default();
    for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
        let across = [i, j].map(|k| 20.0 * f64::from(k) + 4.0 - 0.5 * length);
        for axis in 0..3 {
            let (mut size, mut at) = (DVec3::splat(4.0), DVec3::ZERO);
            size[axis] = length;
            at[(axis + 1) % 3] = across[0];
            at[(axis + 2) % 3] = across[1];
            bars = both(bars, generate::cuboid(size, 12).expect("a bar").translated(at));
        }
    }
    bars
}

/// What it encloses: at every node three bars have a cube in common.
fn lattice_volume(n: u32) -> f64 {
    let [n_bars, n_nodes] = [3 * n * n, n * n * n].map(f64::from);
    n_bars * 16.0 * (20.0 * f64::from(n) - 12.0) - 2.0 * n_nodes * 64.0
}

/// Lattices of bars as thick as each other: at every node three of them meet, and all their sides lie in the same planes.
#[test]
fn lattices_of_equal_bars_are_united() {
    for n in [1, 2, 3] {
        let bars = lattice(n);
        let turned = glam::DQuat::from_euler(glam::EulerRot::XYZ, 0.3, 0.7, 0.2);
        let mut oblique = bars.clone();
        oblique.vertices.iter_mut().for_each(|x| *x = turned * *x);
        for mesh in [bars, oblique] {
            let found = of(&mesh).report.volume_after;
            assert!((found / lattice_volume(n) - 1.0).abs() < 1e-6, "{n}: {found}");
        }
    }
}

/// The same in coordinates that are rounded, to 32 bits or to four digits behind the point: sides in one plane are in it no more.
#[test]
fn lattices_in_rounded_coordinates_are_united() {
    let bars = lattice(3);
    let turned = glam::DQuat::from_euler(glam::EulerRot::XYZ, 0.5, 0.1, 1.1);
    let rounded = |round: &dyn Fn(f64) -> f64| {
        let mut mesh = bars.clone();
        mesh.vertices.iter_mut().for_each(|x| *x = (turned * *x).map(round));
        mesh
    };
    for mesh in [rounded(&|x| f64::from(x as f32)), rounded(&|x| (x * 1e4).round() * 1e-4)] {
        let found = of(&mesh).report.volume_after;
        // What rounding by up to 5e-5 over a surface of 13,000 may change of 17,000.
        assert!((found / lattice_volume(3) - 1.0).abs() < 4e-5, "{found}");
    }
}

/// One box in two triangulations is one box: neither lies within the other.
#[test]
fn parts_that_lie_on_each_other_are_one() {
    for finer in [12, 48, 300] {
        expect(
            &both(cube(1.0, 12), cube(1.0, finer).translated(DVec3::ZERO)),
            1.0,
            match finer {
                12 => &[MendKind::DuplicateFacets],
                _ => &[MendKind::United],
            },
        );
    }
    // A smaller one that lies in it on one of its sides.
    expect(&both(cube(1.0, 12), cube(0.5, 12).translated(DVec3::X * 0.25)), 1.0, &[MendKind::United]);
}

/// A hollow part that is there twice, the second beside itself by little or much: hollow is what both cavities have in common, and what only
/// one of the parts covers of the other's cavity is solid.
#[test]
fn a_hollow_part_that_is_there_twice_stays_hollow() {
    let hollow = both(cube(1.0, 12), turned(cube(0.8, 12)));
    for by in [1e-7, 1e-5, 1e-3, 0.02] {
        let twice = both(hollow.clone(), hollow.clone().translated(DVec3::new(by, 0.0, 0.0)));
        let whole = (1.0 + by) - (0.8 - by) * 0.64;
        expect(&twice, whole, &[MendKind::United]);
        expect(&turned(twice), whole, &[MendKind::United, MendKind::TurnedShell, MendKind::Cavity]);
    }
}

/// A post in a hollow part, sunk into its walls or between them, is solid, and what is around it hollow.
#[test]
fn a_post_in_a_hollow_part_is_solid() {
    let hollow = both(cube(1.0, 12), turned(cube(0.8, 12)));
    for (length, mends) in [(0.8, &[][..]), (0.9, &[MendKind::United][..])] {
        let post = generate::cuboid(DVec3::new(0.1, 0.1, length), 12).expect("a post");
        let repaired = expect(&both(hollow.clone(), post), 1.0 - 0.512 + 0.008, mends);
        assert!(repaired.report.doubts.is_empty(), "{:?}", repaired.report);
    }
}

/// A prism over a bow has half of itself inside out: that half is missing, and that is said.
#[test]
fn half_of_a_bow_is_doubted() {
    let bow = [DVec2::new(-1.0, -1.0), DVec2::new(1.0, 1.0), DVec2::new(1.0, -1.0), DVec2::new(-1.0, 1.0)];
    let mut mesh = TriangleMesh::default();
    for z in [0.0, 1.0] {
        mesh.vertices.extend(bow.map(|x| x.extend(z)));
    }
    for k in 0..4_u32 {
        let next = (k + 1) % 4;
        mesh.triangles.extend([[k, next, next + 4], [k, next + 4, k + 4]]);
    }
    mesh.triangles.extend([[2, 1, 0], [3, 2, 0], [4, 5, 6], [4, 6, 7]]);
    let report = of(&mesh).report;
    assert!((report.volume_after - 1.0).abs() < 1e-6, "{report:?}");
    assert!(matches!(report.doubts[..], [Doubt::Inverted { .. }]), "{report:?}");
}

/// Two parts in many poses, some along the axes: together they have the volume of both less what the exact overlap of the two
/// measures, which knows nothing of uniting.
#[test]
fn united_volumes_are_those_that_overlaps_leave() {
    use crate::overlap::overlap;
    use crate::{Pose, Shape};
    let parts = [
        generate::gear(
            &generate::Gear {
                module: 0.1,
                teeth: 12,
                pressure_angle_deg: 20.0,
                backlash: 0.0,
                height: 0.3,
                bore_radius: 0.2,
            },
            600,
        )
        .expect("a gear"),
        generate::critter(1.2, 3, 2000).expect("a critter"),
        generate::torus(0.5, 0.15, 800).expect("a torus"),
        generate::star(0.6, 0.3, 700).expect("a star"),
        generate::cylinder(0.3, 1.0, 400).expect("a cylinder"),
        cube(0.8, 200),
    ];
    let (mut n_crossing, mut n_refused) = (0, 0);
    for (i, a) in parts.iter().enumerate() {
        for (j, b) in parts.iter().enumerate().skip(i) {
            for k in 0..4 {
                let at = noise(100 * i + 10 * j + k);
                let turn = match k {
                    0 => glam::DQuat::IDENTITY,
                    1 => glam::DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2),
                    _ => glam::DQuat::from_scaled_axis(2.0 * at),
                };
                // Steps of a twentieth: along the axes many faces then lie in one plane.
                let shift = if k < 2 { (at * 8.0).round() / 20.0 } else { at * 0.4 };
                let pose = Pose { translation: shift, rotation: turn };
                let mut moved = b.clone();
                moved.vertices.iter_mut().for_each(|x| *x = turn * *x + shift);
                let solids = [a, b].map(|mesh| Shape::from_mesh(mesh.clone()).expect("a shape"));
                let common = overlap(&solids[0], &Pose::IDENTITY, &solids[1], &pose).volume;
                let whole = volume(a) + volume(b) - common;
                let pair = both(a.clone(), moved);
                match repair(&pair, &RepairSettings::default()) {
                    Ok(repaired) => {
                        let found = repaired.report.volume_after;
                        assert!(
                            (found / whole - 1.0).abs() < 1e-6,
                            "{i} {j} {k}: {found} instead of {whole}"
                        );
                        n_crossing += usize::from(!repaired.report.mends.is_empty());
                    }
                    Err(error) => {
                        println!("{i} {j} {k}: {error}");
                        n_refused += 1;
                    }
                }
            }
        }
    }
    assert!(n_crossing > 60, "{n_crossing}");
    assert_eq!(n_refused, 0);
}

/// Noise folds the surface of a fine mesh over itself in places, where three facets may meet in a point: that is left, with what it may cost.
#[test]
fn folds_that_cannot_be_united_are_left() {
    let smooth = generate::sphere(1.0, 5120).expect("a ball");
    let mut n_left = 0;
    for seed in 0..8 {
        let (mut ball, mut rng) = (smooth.clone(), Rng::new(seed));
        let mut noise = || DVec3::from_array([(); 3].map(|()| rng.range(-0.07, 0.07)));
        ball.vertices.iter_mut().step_by(7).for_each(|x| *x += noise());
        let Ok(Repaired { report, .. }) = repair(&ball, &RepairSettings::default()) else { continue };
        if let [Doubt::Folds { n, volume: twice, .. }] = report.doubts[..] {
            n_left += 1;
            assert!(n > 10 && twice < 1e-3 * report.volume_after && report.mends.is_empty(), "{report:?}");
            assert!((report.volume_after / volume(&ball) - 1.0).abs() < 1e-12, "{report:?}");
        }
    }
    assert!(n_left > 0);
    // Two balls that go through each other are no folds.
    assert!(folded(&both(smooth.clone(), smooth.translated(DVec3::X)), &[[0, 5120]]).is_none());
}
