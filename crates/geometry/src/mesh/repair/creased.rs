//! Holes that run over an edge of the surface.
//!
//! Where all that a rim runs through is plane, as where an edge of a box is bitten, the filling goes on in these planes, which meet in ridges
//! from one corner of the rim to another. Any other filling cuts off the edge. A rim that is not plane and has no such filling can be filled
//! in many ways; how far these are from each other is what hangs on the choice.

use glam::DVec3;

use super::fill::{MAX_LEAST_AREA, Rim, Taken};

/// Cosine of the angle between two facets below which they lie in one plane: 3 degrees.
pub const SAME_PLANE: f64 = 0.9986;

/// Twice the area of a triangle, in the square of its longest side, below which it has no normal.
const NEEDLE: f64 = 1e-6;

/// What area counts beside the length of ridges: it decides between fillings with the same ridges.
const AREA_WEIGHT: f64 = 1e-3;

/// Most corners of a rim by which the span of fillings is found; of longer ones as many are taken.
const MAX_SPANNED: usize = 120;

/// Most planes that come to a rim; where there are more the surface is curved.
const MAX_PLANES: usize = 8;

/// Distance from a plane, in the size of the rim, up to which a corner lies in it.
const IN_PLANE: f64 = 0.01;

/// What is known of the best filling of a part of the rim: its cost, the corner that makes the triangle on its chord, and the normal of
/// that triangle.
#[derive(Clone, Copy)]
struct Best {
    cost: f64,
    at: usize,
    normal: DVec3,
}

/// The planes that come to a rim: normal and height over the origin.
struct Planes {
    planes: Vec<(DVec3, f64)>,
    slack: f64,
}

impl Planes {
    /// Those of the facets behind the sides; none where there are too many.
    fn of(rim: &Rim, behind: &[DVec3], size: f64) -> Option<Self> {
        let mut found = Self { planes: Vec::new(), slack: IN_PLANE * size };
        for (normal, at) in behind.iter().zip(&rim.places) {
            if !found.contain(*normal, &[*at]) {
                found.planes.push((*normal, normal.dot(*at)));
            }
            if found.planes.len() > MAX_PLANES {
                return None;
            }
        }
        Some(found)
    }

    /// Whether points with this normal lie in one of them.
    fn contain(&self, normal: DVec3, points: &[DVec3]) -> bool {
        self.planes.iter().any(|(plane, height)| {
            plane.dot(normal) > SAME_PLANE
                && points.iter().all(|x| (plane.dot(*x) - height).abs() < self.slack)
        })
    }
}

/// The filling that lies in the planes of the facets behind the sides of a rim and has the shortest ridges, as corners of the rim;
/// none where there is no such filling.
pub fn fill(rim: &Rim, taken: &Taken) -> Option<Vec<[u32; 3]>> {
    let n = rim.corners.len();
    let behind: Vec<DVec3> =
        rim.sides().map(|(a, b, ahead)| (b - a).cross(ahead).normalize_or_zero()).collect();
    if !(4..=MAX_LEAST_AREA).contains(&n) || behind.len() < n {
        return None;
    }
    let x = &rim.places;
    let size = crate::Aabb::from_points(x.iter().copied()).diagonal();
    let planes = Planes::of(rim, &behind, size)?;
    let open = Best { cost: f64::INFINITY, at: 0, normal: DVec3::ZERO };
    let mut best = vec![open; n * n];
    (0..n - 1).for_each(|k| best[k * n + k + 1] = Best { cost: 0.0, at: k, normal: behind[k] });
    let ridge = |[i, k]: [usize; 2], normal: DVec3, other: DVec3| {
        if normal.dot(other) > SAME_PLANE { 0.0 } else { x[i].distance(x[k]) }
    };
    for (i, k) in (2..n).flat_map(|span| (0..n - span).map(move |i| (i, i + span))) {
        let is_last = [i, k] == [0, n - 1];
        if !is_last && taken.has(rim.corners[i], rim.corners[k]) {
            continue;
        }
        for m in i + 1..k {
            let (left, right) = (best[i * n + m], best[m * n + k]);
            let before = left.cost + right.cost;
            if before >= best[i * n + k].cost {
                continue;
            }
            let doubled = (x[m] - x[i]).cross(x[k] - x[i]);
            let longest = x[i].distance_squared(x[k]).max(x[i].distance_squared(x[m]));
            let Some(normal) = doubled.try_normalize().filter(|_| doubled.length() > NEEDLE * longest) else {
                continue;
            };
            if !planes.contain(normal, &[x[i], x[m], x[k]]) {
                continue;
            }
            let outer = if is_last { ridge([i, k], normal, behind[n - 1]) } else { 0.0 };
            let ridges = ridge([i, m], normal, left.normal) + ridge([m, k], normal, right.normal) + outer;
            let cost = before + ridges + AREA_WEIGHT * doubled.length() / size;
            if cost < best[i * n + k].cost {
                best[i * n + k] = Best { cost, at: m, normal };
            }
        }
    }
    best[n - 1].cost.is_finite().then(|| {
        let (mut open, mut filling) = (vec![[0, n - 1]], Vec::with_capacity(n - 2));
        while let Some([i, k]) = open.pop() {
            if k > i + 1 {
                let m = best[i * n + k].at;
                filling.push([i, m, k].map(|at| rim.corners[at]));
                open.extend([[m, k], [i, m]]);
            }
        }
        filling
    })
}

/// The least and the largest volume between the middle of a rim and triangles between its corners, whichever these are.
pub fn span(rim: &Rim) -> [f64; 2] {
    let step = rim.places.len().div_ceil(MAX_SPANNED);
    let x: Vec<DVec3> = rim.places.iter().step_by(step).map(|x| x - rim.middle).collect();
    let n = x.len();
    let mut best = vec![[0.0_f64; 2]; n * n];
    for span in 2..n {
        for i in 0..n - span {
            let k = i + span;
            let across = x[k].cross(x[i]);
            let mut ends = [f64::INFINITY, f64::NEG_INFINITY];
            for m in i + 1..k {
                let own = x[m].dot(across);
                let (left, right) = (best[i * n + m], best[m * n + k]);
                ends = [ends[0].min(left[0] + right[0] + own), ends[1].max(left[1] + right[1] + own)];
            }
            best[i * n + k] = ends;
        }
    }
    best.get(n.saturating_sub(1)).map_or([0.0; 2], |ends| ends.map(|sixfold| sixfold / 6.0))
}
