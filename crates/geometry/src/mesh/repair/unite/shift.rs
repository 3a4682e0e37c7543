//! Where vertices are moved to so that no sign is zero.

use glam::{DMat3, DVec3};

use crate::mesh::TriangleMesh;
use crate::mesh::weld::Joined;

/// How far vertices are moved, in the size of the surface: far above rounding (1e-16), far below any feature.
const SHIFT: f64 = 1e-10;

/// Most of it for surfaces that are grown, each by more than the one before: half of what the result joins.
const MAX_GROWTH: f64 = 0.5 * super::SAME;

/// Part of the distance between grown surfaces by which their vertices are moved besides, each its own way.
const JITTER: f64 = 0.01;

/// The mesh with every vertex moved, the same in every run, another way with every attempt.
///
/// At first each surface is grown, by more than the one before: faces in one plane are then parallel, and cut each other nowhere but at
/// their rims. Where that is not enough, as where one surface goes through itself, each vertex is moved its own way.
pub fn shifted(mesh: &TriangleMesh, size: f64, attempt: u64) -> TriangleMesh {
    let surfaces = surfaces(mesh);
    let n = surfaces.iter().max().map_or(0, |last| last + 1);
    let is_grown = n > 1 && attempt < 2;
    let step = size * SHIFT.min(MAX_GROWTH / n.max(1) as f64);
    let ways = if is_grown { growth(mesh) } else { Vec::new() };
    let reach = if is_grown { JITTER * step } else { SHIFT * size };
    let mut draw = numbers(attempt);
    let moved = |(v, &x): (usize, &DVec3)| {
        let grown = ways.get(v).map_or(DVec3::ZERO, |way| *way * (step * surfaces[v] as f64));
        x + grown + reach * DVec3::new(draw(), draw(), draw())
    };
    let vertices = mesh.vertices.iter().enumerate().map(moved).collect();
    TriangleMesh { vertices, triangles: mesh.triangles.clone() }
}

/// For each vertex the number of the surface that it belongs to, in the order of their first facets.
fn surfaces(mesh: &TriangleMesh) -> Vec<usize> {
    let n = mesh.vertices.len();
    let mut joined = Joined::new(n);
    mesh.triangles.iter().for_each(|&[a, b, c]| {
        joined.join(a, b);
        joined.join(a, c);
    });
    let mut names = vec![usize::MAX; n];
    let mut n_names = 0;
    for &[a, ..] in &mesh.triangles {
        let name = &mut names[joined.root(a) as usize];
        if *name == usize::MAX {
            *name = n_names;
            n_names += 1;
        }
    }
    (0..n as u32)
        .map(|v| names[joined.root(v) as usize])
        .map(|name| if name == usize::MAX { 0 } else { name })
        .collect()
}

/// For each vertex the way to go for all facets around it to move outward by one: exactly where they lie in up to three planes, else in
/// the mean of the squares.
fn growth(mesh: &TriangleMesh) -> Vec<DVec3> {
    /// Weight of staying in place: where a surface is plane, nothing says where in the plane to go.
    const STAY: f64 = 1e-6;
    let n = mesh.vertices.len();
    let (mut sums, mut squares) = (vec![DVec3::ZERO; n], vec![DMat3::ZERO; n]);
    for (ix, corners) in mesh.triangles.iter().enumerate() {
        let [a, b, c] = mesh.corners(ix);
        let normal = (b - a).cross(c - a).normalize_or_zero();
        let square = DMat3::from_cols(normal * normal.x, normal * normal.y, normal * normal.z);
        for &v in corners {
            sums[v as usize] += normal;
            squares[v as usize] += square;
        }
    }
    let way = |(sum, square): (DVec3, DMat3)| {
        let trace = square.x_axis.x + square.y_axis.y + square.z_axis.z;
        if trace == 0.0 {
            return DVec3::ZERO;
        }
        (square + DMat3::from_diagonal(DVec3::splat(STAY * trace))).inverse() * sum
    };
    sums.into_iter().zip(squares).map(way).collect()
}

/// Numbers from -1 to 1 that look like chance: SplitMix64 (Steele, Lea, Flood 2014).
fn numbers(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed;
    move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}
