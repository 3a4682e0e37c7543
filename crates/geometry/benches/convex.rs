//! Time of one overlap of primitives and small hulls: `cargo bench -p tactum-geometry --bench convex`.
//!
//! Each line is the median over batches of calls, each call with another pose, in microseconds on one thread.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use glam::{DQuat, DVec2, DVec3};
use tactum_geometry::mesh::generate::sphere;
use tactum_geometry::overlap::overlap;
use tactum_geometry::{Capsule, Cone, ConvexHull, Cuboid, Cylinder, Pose, Shape, Solid, Sphere};

const BATCH: u32 = 200;
const N_BATCHES: usize = 51;

/// Median time of a call, for poses of B that sink a little and turn a little from call to call.
fn report(name: &str, a: &Shape, b: &Shape, b_at: DVec3, b_turn: DQuat) {
    let mut times: Vec<f64> = (0..N_BATCHES)
        .map(|_| {
            let start = Instant::now();
            for i in 0..BATCH {
                let part = f64::from(i) / f64::from(BATCH);
                let turn = DQuat::from_rotation_z(0.3 * part) * DQuat::from_rotation_x(1e-4 * part) * b_turn;
                let w_from_b = Pose::new(b_at - DVec3::Z * 1e-3 * part, turn);
                black_box(overlap(black_box(a), &Pose::IDENTITY, black_box(b), &w_from_b));
            }
            start.elapsed().as_secs_f64() * 1e6 / f64::from(BATCH)
        })
        .collect();
    times.sort_by(f64::total_cmp);
    println!("{name:<40} {:>8.2} us", times[N_BATCHES / 2]);
}

/// A ball of `n` points around, spread evenly.
fn pebble(n: u32) -> Shape {
    let points: Vec<_> = (0..n)
        .map(|i| {
            let z = 1.0 - (2.0 * f64::from(i) + 1.0) / f64::from(n);
            (0.5 * (1.0 - z * z).sqrt() * DVec2::from_angle(2.399_963 * f64::from(i))).extend(0.5 * z)
        })
        .collect();
    Shape::Convex(Arc::new(ConvexHull::from_points(&points).expect("points on a sphere have a hull")))
}

fn main() {
    let cube = Shape::Cuboid(Cuboid { half_size: DVec3::splat(0.5) });
    let table = Shape::Cuboid(Cuboid { half_size: DVec3::new(5.0, 5.0, 0.5) });
    let hull = pebble(30);
    let level = DQuat::IDENTITY;
    let edge = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_4);
    let up = |z: f64| DVec3::new(0.1, 0.2, z);
    report("box on a larger box", &table, &cube, up(0.999), level);
    report("box on an equal box", &cube, &cube, up(0.999), level);
    report("box edge in a box", &table, &cube, up(0.5 + 0.5f64.sqrt() - 0.01), edge);
    report("box beside a box, no overlap", &cube, &cube, up(1.01), level);
    report("box on a half-space", &Shape::HalfSpace, &cube, up(0.499), level);
    let ball = Shape::Sphere(Sphere { radius: 0.5 });
    let capsule = Shape::Capsule(Capsule { radius: 0.25, half_length: 0.5 });
    let lying = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2);
    report("ball on a half-space", &Shape::HalfSpace, &ball, up(0.499), level);
    report("ball on a ball", &ball, &ball, DVec3::new(0.0, 0.0, 0.999), level);
    report("ball on a box", &table, &ball, up(0.999), level);
    report("capsule lying on a half-space", &Shape::HalfSpace, &capsule, up(0.249), lying);
    report("capsule lying on a box", &table, &capsule, up(0.749), lying);
    report("capsule on a capsule", &capsule, &capsule, DVec3::new(0.0, 0.1, 0.999), lying);
    report("capsules side by side", &capsule, &capsule, DVec3::new(0.0, 0.499, 0.3), level);
    report(
        "ball on a capsule",
        &Shape::Capsule(Capsule { radius: 0.25, half_length: 0.5 }),
        &ball,
        DVec3::new(0.0, 0.74, 0.3),
        level,
    );
    let wheel = Shape::Cylinder(Cylinder { radius: 0.5, height: 0.3 });
    let cone = Shape::Cone(Cone { radius: 0.5, height: 1.0 });
    report("cylinder lying on a half-space", &Shape::HalfSpace, &wheel, up(0.499), lying);
    report("cylinder standing on a half-space", &Shape::HalfSpace, &wheel, up(0.149), level);
    report("cone standing on a half-space", &Shape::HalfSpace, &cone, up(0.499), level);
    report("cylinder lying on a box", &table, &wheel, up(0.999), lying);
    report("cylinder standing on a box", &table, &wheel, up(0.649), level);
    report("cone standing on a box", &table, &cone, up(0.999), level);
    report("ball on a cylinder", &wheel, &ball, up(0.649), level);
    report("capsule on a cylinder", &wheel, &capsule, up(0.399), lying);
    report("cylinders side by side", &wheel, &wheel, DVec3::new(0.0, 0.999, 0.1), level);
    for n in [1_000, 10_000, 100_000] {
        let mesh = Shape::Mesh(Arc::new(
            Solid::new(sphere(10.0, n).expect("a sphere of many triangles")).expect("a closed sphere"),
        ));
        report(&format!("ball on a mesh of {n} faces"), &mesh, &ball, up(10.49), level);
        report(&format!("capsule lying on a mesh of {n} faces"), &mesh, &capsule, up(10.24), lying);
        report(&format!("cylinder lying on a mesh of {n} faces"), &mesh, &wheel, up(10.49), lying);
    }
    report("hull of 56 faces on a box", &table, &hull, up(0.95), level);
    report("hull on a hull, shallow", &hull, &hull, DVec3::new(0.0, 0.0, 0.95), level);
    report("hull in a hull, deep", &hull, &hull, up(0.3), level);
}
