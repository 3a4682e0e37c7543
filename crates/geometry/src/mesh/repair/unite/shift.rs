//! Where vertices are moved to so that no sign is zero.

use glam::{DMat3, DVec3};

use crate::mesh::TriangleMesh;
use crate::mesh::repair::WELD_PART;
use crate::mesh::repair::work::parts;

/// By how much the surfaces are grown one after the other, in the size of the whole, from the finest to the coarsest that may be needed: far
/// above what computing rounds (1e-16), what 32-bit coordinates do (6e-8), and what printing a few digits does. Faces that are in one plane
/// but for such errors are parallel but for a small part of that.
const STEPS: [f64; 3] = [1e-10, 3e-7, 3e-5];

/// Most that the last of many surfaces is apart from the first by this, in the size of the whole: what welding joins, below any feature.
const MAX_GROWTH: f64 = WELD_PART;

/// Part of the step by which every vertex is moved besides, its own way.
const JITTER: f64 = 0.01;

/// Distance of vertices, in steps, that moving the surfaces may have opened; of the finest hundred times that, as they may meet at small angles.
const OPENED: [f64; 3] = [100.0, 3.0, 3.0];

/// How often it is tried with every vertex moved its own way.
const N_OWN_WAYS: u64 = 2;

/// A way of moving the vertices.
pub struct Shift {
    /// The number of the attempt: another one moves vertices another way.
    seed: u64,
    /// How far every vertex is moved its own way.
    reach: f64,
    /// By how much each surface is grown more than the one before.
    growth: f64,
    /// What that may open.
    opened: f64,
}

/// What is tried one after the other until surfaces can be united, the same in every run.
///
/// At first each surface is grown, by more than the one before: faces in one plane are then parallel, and cut each other nowhere but at
/// their rims. The last is moved by nothing but its own jitter and those before it are shrunk, so that a surface that touches itself, as where two boxes met
/// in an edge, does not go through itself; then the other way round, for cavities that touch. Where that is not enough, as where one surface
/// goes through itself, each vertex is moved its own way.
pub fn attempts(mesh: &TriangleMesh) -> Vec<Shift> {
    let size = mesh.aabb().diagonal();
    let n_others = surfaces(mesh).into_iter().max().unwrap_or(0);
    let mut attempts = Vec::new();
    for (step, opened) in STEPS.into_iter().zip(OPENED) {
        let step = step.min(MAX_GROWTH / n_others.max(1) as f64) * size;
        if n_others > 0 {
            attempts.extend([step, -step].map(|growth| (growth, JITTER * step, opened * step)));
        }
        attempts.extend((0..N_OWN_WAYS).map(|_| (0.0, step, opened * step)));
    }
    let numbered = (0..).zip(attempts);
    numbered.map(|(seed, (growth, reach, opened))| Shift { seed, reach, growth, opened }).collect()
}

impl Shift {
    /// The mesh with its vertices moved.
    pub fn moved(&self, mesh: &TriangleMesh) -> TriangleMesh {
        let surfaces = surfaces(mesh);
        let last = surfaces.iter().copied().max().unwrap_or(0);
        let ways = if self.growth == 0.0 { Vec::new() } else { growth(mesh) };
        let mut draw = numbers(self.seed);
        let moved = |(v, &x): (usize, &DVec3)| {
            let by = self.growth * (surfaces[v] as f64 - last as f64);
            let grown = ways.get(v).map_or(DVec3::ZERO, |way| *way * by);
            x + grown + self.reach * DVec3::new(draw(), draw(), draw())
        };
        let vertices = mesh.vertices.iter().enumerate().map(moved).collect();
        TriangleMesh { vertices, triangles: mesh.triangles.clone() }
    }

    /// Distance below which vertices of what comes out are one.
    pub fn opened(&self) -> f64 {
        self.opened
    }
}

/// For each vertex the number of the surface that it belongs to.
fn surfaces(mesh: &TriangleMesh) -> Vec<usize> {
    let parts = parts(mesh);
    let mut names = parts.clone();
    names.sort_unstable();
    names.dedup();
    parts.iter().map(|name| names.partition_point(|other| other < name)).collect()
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
