//! Times of exact overlaps beside a mesh boolean, one thread: `cargo bench -p tactum-geometry --bench overlap`.
//!
//! The boolean gets posed meshes and has to build its own structures for each pose; its result is a mesh, which still
//! would have to be measured. The overlap works on solids that were prepared once, whatever the pose; that preparation
//! is in a column of its own.

use std::hint::black_box;
use std::time::{Duration, Instant};

use boolmesh::prelude::{Manifold, OpType, compute_boolean};
use glam::{DQuat, DVec3};
use tactum_geometry::mesh::generate;
use tactum_geometry::overlap::{exact, half_space};
use tactum_geometry::{Pose, Solid, TriangleMesh};

/// Repeats go on until this much time has passed, three times at least.
const TIME_PER_FIGURE: Duration = Duration::from_millis(400);

/// Largest number of triangles in a pair that the boolean is asked for.
const MOST_FOR_THE_BOOLEAN: usize = 250_000;

fn main() {
    println!(
        "{:34} {:>9} {:>11} {:>11} {:>11} {:>8}",
        "pair", "triangles", "prepare ms", "overlap ms", "boolean ms", "ratio"
    );
    let cube = generate::cuboid(DVec3::ONE, 12).expect("a box has twelve triangles");
    let turned = Pose::new(DVec3::new(0.5, 0.4, 0.6), DQuat::from_xyzw(0.2, 0.3, -0.1, 0.9));
    row("two cubes", &cube, &cube, &turned);
    for n in [1_000, 2_000, 10_000, 100_000] {
        let (a, b) = (blob(0.3, n), blob(1.7, n));
        row(&format!("two blobs of {n}, deep"), &a, &b, &deep());
        row(&format!("two blobs of {n}, shallow"), &a, &b, &shallow(&a, &b));
    }
    finer_away_from_the_contact();
    let size = generate::BumpyCube { side: 1.0, bumps: 8, bump_height: 0.02 };
    let bumpy = generate::bumpy_cube(&size, 197_000).expect("sizes are positive");
    let n = bumpy.triangles.len();
    let (prepare, solid) = timed(|| solid(&bumpy));
    let plane = Pose::new(DVec3::new(0.0, 0.0, -0.515), DQuat::from_rotation_x(1e-3));
    let overlap = median(|| half_space::overlap(&solid, &plane).volume);
    println!("{:34} {n:>9} {:>11.3} {:>11.4}", "bumpy cube on a plane", ms(prepare), ms(overlap));
}

/// Times one pair and prints a line.
fn row(name: &str, a: &TriangleMesh, b: &TriangleMesh, a_from_b: &Pose) {
    let n = a.triangles.len() + b.triangles.len();
    let (prepare, [solid_a, solid_b]) = timed(|| [solid(a), solid(b)]);
    let overlap = median(|| exact::overlap(&solid_a, &solid_b, a_from_b).volume);
    print!("{name:34} {n:>9} {:>11.3} {:>11.4}", ms(prepare), ms(overlap));
    if n <= MOST_FOR_THE_BOOLEAN {
        let boolean = median(|| boolean(a, b, a_from_b));
        print!(" {:>11.3} {:>8.1}", ms(boolean), boolean.as_secs_f64() / overlap.as_secs_f64());
    }
    println!();
}

/// The same contact with the far half of one mesh four times as fine.
fn finer_away_from_the_contact() {
    let ball = |n| generate::sphere(1.0, n).expect("the radius is positive");
    let (coarse, other) = (ball(20_480), solid(&ball(20_480)));
    let fine = refined(&coarse, |centre| centre.x < -0.5);
    for (name, distance) in [("shallow", 1.99), ("deep", 1.3)] {
        let pose = Pose::from_translation(DVec3::X * distance);
        let times = [&coarse, &fine].map(|mesh| {
            let mesh = solid(mesh);
            ms(median(|| exact::overlap(&mesh, &other, &pose).volume))
        });
        let more = 100.0 * (times[1] / times[0] - 1.0);
        println!("far side of a ball refined, {name}: {:.4} -> {:.4} ms, {more:+.1} %", times[0], times[1]);
    }
}

/// A ball with smooth bumps.
fn blob(seed: f64, n: usize) -> TriangleMesh {
    let mut mesh = generate::sphere(1.0, n).expect("the radius is positive");
    for x in &mut mesh.vertices {
        let bump = (4.0 * x.x + seed).sin() + (5.0 * x.y - seed).cos() + (3.0 * x.z + 2.0 * seed).sin();
        *x *= 1.0 + 0.1 * bump;
    }
    mesh
}

/// Each triangle whose centre is chosen divided into four, and its neighbours so that the mesh stays closed.
fn refined(mesh: &TriangleMesh, is_chosen: impl Fn(DVec3) -> bool) -> TriangleMesh {
    use std::collections::BTreeMap;
    let mut vertices = mesh.vertices.clone();
    let mut middles = BTreeMap::new();
    let sides = |t: [u32; 3]| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]];
    let key = |[a, b]: [u32; 2]| [a.min(b), a.max(b)];
    for &t in &mesh.triangles {
        let centre: DVec3 = t.iter().map(|&v| mesh.vertices[v as usize] / 3.0).sum();
        if is_chosen(centre) {
            for side in sides(t) {
                middles.entry(key(side)).or_insert_with(|| {
                    vertices.push(side.map(|v| mesh.vertices[v as usize]).into_iter().sum::<DVec3>() / 2.0);
                    vertices.len() as u32 - 1
                });
            }
        }
    }
    let mut triangles = Vec::new();
    for &t in &mesh.triangles {
        // The outline with the middles of divided sides; a fan from any of them closes it.
        let mut outline = Vec::new();
        for side in sides(t) {
            outline.push((side[0], false));
            outline.extend(middles.get(&key(side)).map(|&m| (m, true)));
        }
        if outline.len() == 6 {
            let v: Vec<u32> = outline.iter().map(|x| x.0).collect();
            triangles.extend([
                [v[0], v[1], v[5]],
                [v[2], v[3], v[1]],
                [v[4], v[5], v[3]],
                [v[1], v[3], v[5]],
            ]);
            continue;
        }
        let first = outline.iter().position(|x| x.1).unwrap_or(0);
        outline.rotate_left(first);
        triangles.extend(outline[1..].windows(2).map(|w| [outline[0].0, w[0].0, w[1].0]));
    }
    TriangleMesh { vertices, triangles }
}

fn deep() -> Pose {
    Pose::new(DVec3::new(0.9, 0.3, 0.2), DQuat::from_xyzw(0.2, 0.3, -0.1, 0.9))
}

/// The deep pose drawn back along x until the meshes overlap by one part in a thousand of their size.
fn shallow(a: &TriangleMesh, b: &TriangleMesh) -> Pose {
    let (a, b) = (solid(a), solid(b));
    let at = |x: f64| Pose { translation: DVec3::new(x, 0.3, 0.2), ..deep() };
    let (mut inside, mut outside) = (0.9, 4.0);
    while outside - inside > 1e-6 {
        let middle = 0.5 * (inside + outside);
        let is_inside = exact::overlap(&a, &b, &at(middle)).volume > 0.0;
        *(if is_inside { &mut inside } else { &mut outside }) = middle;
    }
    at(inside - 2e-3)
}

fn boolean(a: &TriangleMesh, b: &TriangleMesh, a_from_b: &Pose) -> f64 {
    let manifold = |mesh: &TriangleMesh, pose: &Pose| {
        let positions: Vec<f64> = mesh.vertices.iter().flat_map(|&x| pose.point(x).to_array()).collect();
        let indices: Vec<usize> = mesh.triangles.iter().flatten().map(|&v| v as usize).collect();
        Manifold::new(&positions, &indices).expect("the meshes are closed")
    };
    let result = compute_boolean(&manifold(a, &Pose::IDENTITY), &manifold(b, a_from_b), OpType::Intersect);
    result.map_or(0.0, |result| result.nf as f64)
}

fn solid(mesh: &TriangleMesh) -> Solid {
    Solid::new(mesh.clone()).expect("the meshes are closed")
}

fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let start = Instant::now();
    let result = work();
    (start.elapsed(), result)
}

/// The median time of repeated work.
fn median<T>(mut work: impl FnMut() -> T) -> Duration {
    let start = Instant::now();
    let mut times = Vec::new();
    while times.len() < 3 || start.elapsed() < TIME_PER_FIGURE {
        times.push(timed(|| black_box(work())).0);
    }
    times.sort_unstable();
    times[times.len() / 2]
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
