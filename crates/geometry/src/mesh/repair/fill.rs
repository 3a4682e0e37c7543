//! Filling one hole.
//!
//! Where the surface around it goes on smoothly into the hole, as on a ball, the filling does: rings of vertices rise over the rim as
//! parabolas that leave it along the surface and meet in the middle. Over an edge of plane faces the planes go on (`creased`). Elsewhere,
//! as at the end of a cylinder, and where one plane facet was lost, the rim is filled without new vertices by the triangles of least area (Barequet and Sharir 1995).

use std::collections::HashSet;

use glam::DVec3;

use super::creased;
use super::guess::{is_creased, is_lost_facet};
use super::holes::sides;
use crate::mesh::TriangleMesh;
use crate::mesh::check::topology::Edges;
use crate::mesh::import::polygon;

/// Most corners of a rim that is filled by least area, which takes the third power of their number; larger ones lose their ears
/// one after the other.
pub const MAX_LEAST_AREA: usize = 400;

/// Rise over the rim's mean plane, twice the tangent of half the angle, from which the surface does not go on into the hole but ends
/// in an edge there: 60 degrees.
const MAX_RISE: f64 = 1.155;

/// Rise below which a filling is flat: its height would be a hundredth of the hole's size.
const FLAT: f64 = 0.02;

/// Most rings between the rim and the middle of a smooth filling.
const MAX_RINGS: usize = 8;

/// The rim of a hole, and how the surface comes to it.
pub struct Rim {
    /// Its corners in the order in which the filling has them.
    pub corners: Vec<u32>,
    /// Where they are.
    pub places: Vec<DVec3>,
    /// The middle of its sides.
    pub middle: DVec3,
    /// The area within, as a vector (Newell).
    pub area: DVec3,
    /// For each side the direction in which the facet behind it would go on into the hole; none where an edge has not
    /// one facet.
    pub ahead: Option<Vec<DVec3>>,
    /// The largest area of a facet behind a side; 0 where that is not known.
    pub beside: f64,
    /// Whether it lies in a plane.
    pub is_plane: bool,
}

impl Rim {
    /// A closed polygon of open edges. Plane is what lies within the tolerance.
    pub fn of(mesh: &TriangleMesh, edges: &Edges, corners: &[u32], tolerance: f64) -> Self {
        let places: Vec<DVec3> = corners.iter().map(|&v| mesh.vertices[v as usize]).collect();
        let length: f64 = sides(&places).map(|(a, b)| a.distance(b)).sum();
        let middle = sides(&places).map(|(a, b)| (a + b) * (0.5 * a.distance(b))).sum::<DVec3>() / length;
        let area = 0.5 * sides(&places).map(|(a, b)| (a - middle).cross(b - middle)).sum::<DVec3>();
        let behind = facets_behind(mesh, edges, corners);
        let beside = behind.iter().flatten().map(|(_, area)| *area).fold(0.0, f64::max);
        let ahead = behind.map(|sides| sides.into_iter().map(|(ahead, _)| ahead).collect());
        let is_plane = lies_in_plane(&places, middle, area, tolerance);
        Self { corners: corners.to_vec(), places, middle, area, ahead, beside, is_plane }
    }

    /// Whether another one is as high as this one somewhere, as seen along the normal of this one.
    pub fn is_level_with(&self, other: &Self, tolerance: f64) -> bool {
        let normal = self.area.normalize_or_zero();
        let heights = |rim: &Self| {
            let heights = rim.places.iter().map(|x| (*x - self.middle).dot(normal));
            heights.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], z| [low.min(z), high.max(z)])
        };
        let [[low, high], [other_low, other_high]] = [heights(self), heights(other)];
        low - tolerance <= other_high && other_low <= high + tolerance
    }

    /// For each side its corners as seen from the middle, and how the surface comes to it; nothing where that is not known.
    pub fn sides(&self) -> impl Iterator<Item = (DVec3, DVec3, DVec3)> + '_ {
        let ahead = self.ahead.as_deref().unwrap_or_default();
        let seen = |(a, b): (DVec3, DVec3)| (a - self.middle, b - self.middle);
        sides(&self.places).map(seen).zip(ahead).map(|((a, b), ahead)| (a, b, *ahead))
    }
}

/// Whether points lie in a plane.
fn lies_in_plane(points: &[DVec3], middle: DVec3, area: DVec3, tolerance: f64) -> bool {
    let normal = area.normalize_or_zero();
    normal != DVec3::ZERO && points.iter().all(|x| (*x - middle).dot(normal).abs() <= tolerance)
}

/// What a hole is filled with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Triangles between the corners of the rim.
    Flat,
    /// Rings that go on from the surface.
    Dome,
    /// Triangles in the planes that come to the rim, which meet in ridges.
    Ridged,
}

/// Fills a rim.
pub fn fill(mesh: &mut TriangleMesh, rim: &Rim, taken: &Taken) -> Shape {
    if is_lost_facet(rim) {
        fill_plane(mesh, &rim.corners, taken);
        return Shape::Flat;
    }
    if is_creased(rim)
        && let Some(filling) = creased::fill(rim, taken)
    {
        mesh.triangles.extend(filling);
        return Shape::Ridged;
    }
    if let Some(dome) = Dome::over(rim) {
        dome.add_to(mesh, &rim.corners);
        return Shape::Dome;
    }
    fill_plane(mesh, &rim.corners, taken);
    Shape::Flat
}

/// Fills a plane polygon that may run through sides there and back.
pub fn fill_plane(mesh: &mut TriangleMesh, way: &[u32], taken: &Taken) {
    if way.len() <= MAX_LEAST_AREA {
        fill_least_area(mesh, way, taken);
    } else {
        let TriangleMesh { vertices, triangles } = mesh;
        polygon::triangulate(way, vertices, triangles);
    }
}

/// Whether the surface goes on smoothly into a hole.
pub fn is_domed(rim: &Rim) -> bool {
    Dome::over(rim).is_some()
}

/// A filling that goes on from the surface round it.
struct Dome {
    middle: DVec3,
    normal: DVec3,
    /// Height of the middle over `middle`.
    top: f64,
    /// Per corner of the rim: where it lies in the mean plane from the middle, its height, and twice how much an arc along the
    /// surface would rise to the middle.
    spokes: Vec<(DVec3, f64, f64)>,
}

impl Dome {
    /// The dome over a rim; none where the surface does not go on into the hole, is flat there, or the rim does not run round
    /// the middle.
    fn over(rim: &Rim) -> Option<Self> {
        let (n, x, middle) = (rim.places.len(), &rim.places, rim.middle);
        let normal = rim.area.try_normalize()?;
        let flat = |v: DVec3| v - normal * v.dot(normal);
        if n < 4 || !sides(x).all(|(a, b)| flat(a - middle).cross(flat(b - middle)).dot(normal) > 0.0) {
            return None;
        }
        let inward = rim.ahead.as_ref()?;
        let spokes: Vec<(DVec3, f64, f64)> = (0..n)
            .map(|k| {
                let out = flat(x[k] - middle);
                let ahead = (inward[k] + inward[(k + n - 1) % n]).normalize_or_zero();
                let run = -ahead.dot(out.normalize_or_zero());
                let rise = 2.0 * (0.5 * ahead.dot(normal).atan2(run)).tan();
                (out, (x[k] - middle).dot(normal), rise * out.length())
            })
            .collect();
        let part = |(out, _, rise): &(DVec3, f64, f64)| rise.abs() / out.length();
        let is_smooth = spokes.iter().all(|spoke| part(spoke) < MAX_RISE);
        if !is_smooth || spokes.iter().all(|spoke| part(spoke) < FLAT) {
            return None;
        }
        let top = spokes.iter().map(|(_, height, rise)| height + 0.5 * rise).sum::<f64>() / n as f64;
        Some(Self { middle, normal, top, spokes })
    }

    /// A point on the way from corner `k` to the middle, `u` from 0 to 1: a parabola along the surface at the rim.
    fn point(&self, k: usize, u: f64) -> DVec3 {
        let (out, height, rise) = self.spokes[k];
        let z = height + rise * u + (self.top - height - rise) * u * u;
        self.middle + out * (1.0 - u) + self.normal * z
    }

    fn add_to(&self, mesh: &mut TriangleMesh, rim: &[u32]) {
        let n = rim.len();
        // As many rings as make about square cells.
        let n_rings = (n / 6).clamp(1, MAX_RINGS);
        let mut outer = rim.to_vec();
        for ring in 1..=n_rings {
            let u = ring as f64 / (n_rings + 1) as f64;
            let first = mesh.vertices.len() as u32;
            mesh.vertices.extend((0..n).map(|k| self.point(k, u)));
            let inner: Vec<u32> = (first..first + n as u32).collect();
            for k in 0..n {
                let next = (k + 1) % n;
                mesh.triangles.push([outer[k], outer[next], inner[next]]);
                mesh.triangles.push([outer[k], inner[next], inner[k]]);
            }
            outer = inner;
        }
        let top = mesh.vertices.len() as u32;
        mesh.vertices.push(self.middle + self.normal * self.top);
        mesh.triangles.extend((0..n).map(|k| [outer[k], outer[(k + 1) % n], top]));
    }
}

/// For each side of a rim the direction in which the facet behind it would go on into the hole, and the facet's area; none where an edge
/// has not one facet.
fn facets_behind(mesh: &TriangleMesh, edges: &Edges, rim: &[u32]) -> Option<Vec<(DVec3, f64)>> {
    let n = rim.len();
    (0..n)
        .map(|k| {
            let (a, b) = (rim[k], rim[(k + 1) % n]);
            let [single] = edges.uses([a.min(b), a.max(b)]) else { return None };
            let [p, q, r] = mesh.corners(single.triangle as usize);
            let side = mesh.vertices[b as usize] - mesh.vertices[a as usize];
            // The filling runs from a to b, the facet from b to a: the hole lies on the left of the one, seen from outside.
            let normal = (p - q).cross(r - q);
            Some((-normal.cross(side).try_normalize()?, 0.5 * normal.length()))
        })
        .collect()
}

/// The edges that a surface has while its holes are filled one after the other.
pub struct Taken(HashSet<[u32; 2]>);

impl Taken {
    pub fn of(triangles: &[[u32; 3]]) -> Self {
        let mut taken = Self(HashSet::with_capacity(2 * triangles.len()));
        taken.add(triangles);
        taken
    }

    /// Takes up the edges of a filling.
    pub fn add(&mut self, triangles: &[[u32; 3]]) {
        let edges = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        self.0.extend(edges.map(|[a, b]| [a.min(b), a.max(b)]));
    }

    /// Whether there is an edge between two vertices.
    pub fn has(&self, a: u32, b: u32) -> bool {
        self.0.contains(&[a.min(b), a.max(b)])
    }
}

/// Fills a rim with the triangles of least area, none of which has an edge that the surface has already.
fn fill_least_area(mesh: &mut TriangleMesh, rim: &[u32], taken: &Taken) {
    /// What an edge costs that the surface has, in the area of the rim's box: more than any filling.
    const TAKEN: f64 = 100.0;
    let n = rim.len();
    let x: Vec<DVec3> = rim.iter().map(|&v| mesh.vertices[v as usize]).collect();
    let scale = crate::Aabb::from_points(x.iter().copied()).diagonal().powi(2);
    let ordered = |i: usize, k: usize| [rim[i].min(rim[k]), rim[i].max(rim[k])];
    let mut own_sides: Vec<[u32; 2]> = (0..n).map(|k| ordered(k, (k + 1) % n)).collect();
    own_sides.sort_unstable();
    // Where the rim runs back over a bridge, that is an edge of it, too.
    let is_bridge = |i: usize, k: usize| rim[i] == rim[k] || own_sides.binary_search(&ordered(i, k)).is_ok();
    let chord = |i: usize, k: usize| {
        let is_side = k == i + 1 || i == 0 && k == n - 1;
        if !is_side && (taken.has(rim[i], rim[k]) || is_bridge(i, k)) { TAKEN * scale } else { 0.0 }
    };
    // Least cost of filling corners i to k, and the corner in between that makes the triangle on that chord.
    let mut best = vec![(0.0_f64, 0_usize); n * n];
    for span in 2..n {
        for i in 0..n - span {
            let k = i + span;
            let own = chord(i, k);
            let cost = |m: usize| {
                let area = 0.5 * (x[m] - x[i]).cross(x[k] - x[i]).length();
                best[i * n + m].0 + best[m * n + k].0 + area + own
            };
            let (mut least, mut at) = (f64::INFINITY, i + 1);
            for m in i + 1..k {
                let c = cost(m);
                if c < least {
                    (least, at) = (c, m);
                }
            }
            best[i * n + k] = (least, at);
        }
    }
    let mut open = vec![(0, n - 1)];
    while let Some((i, k)) = open.pop() {
        if k < i + 2 {
            continue;
        }
        let m = best[i * n + k].1;
        mesh.triangles.push([rim[i], rim[m], rim[k]]);
        open.extend([(m, k), (i, m)]);
    }
}
