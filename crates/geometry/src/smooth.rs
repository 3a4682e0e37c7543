//! The smooth surface that a mesh stands for, as far as touching a plane needs it.
//!
//! A wheel of 64 sides and an icosphere are polyhedra that stand for round bodies. Over an edge whose faces turn by no more than an
//! angle the surface counts as smooth: vertices lie on it, and its normals there are the means of the faces around. What touches a
//! plane that comes from a direction `d` is the support point `p(d)`, and how far it reaches the support function `h(d) = p·d`.
//! Around a vertex with normal `n` it is `h = p·d + (d - n)·H (d - n) / 2` with `H` the Hessian, whose eigenvalues are the radii of
//! curvature; differences of vertices and normals over a facet give `H` (Minkowski's support function, Bonnesen and Fenchel 1934).
//! This is exact for a sphere, whatever its facets.
//!
//! A chain of sharp edges that turns little from one to the next is a smooth curve as well: the rim of a coin.

use glam::{DMat2, DMat3, DVec2, DVec3};

use crate::union_find::UnionFind;
use crate::{Aabb, TriangleMesh};

/// A point in which the smooth surface touches a plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SmoothPoint {
    /// Where it is, in the mesh's axes \[m\].
    pub place: DVec3,
    /// Hessian of the support function: how the point moves when the direction turns \[m\].
    pub rounding: DMat3,
}

/// The smooth parts of a mesh's surface.
#[derive(Clone, Debug, PartialEq)]
pub struct SmoothSurface {
    curves: Clusters<Curve>,
    facets: Clusters<Facet>,
    edges: Clusters<Span>,
    bulge: f64,
    size: f64,
    is_oval: bool,
}

/// Parts of the surface in groups that lie close to each other.
#[derive(Clone, Debug, PartialEq)]
struct Clusters<T>(Vec<Cluster<T>>);

/// Where points of a surface are looked for: a ball about a place, in the mesh's axes \[m\].
#[derive(Clone, Copy, Debug)]
pub struct Near {
    /// Its middle.
    pub place: DVec3,
    /// Its radius, infinite for everywhere.
    pub radius: f64,
}

impl Near {
    /// All of space.
    pub const ANYWHERE: Self = Self { place: DVec3::ZERO, radius: f64::INFINITY };

    fn meets(&self, bounds: &Aabb) -> bool {
        let nearest = self.place.clamp(bounds.min, bounds.max);
        nearest.distance_squared(self.place) <= self.radius * self.radius
    }
}

/// Parts that lie close to each other.
#[derive(Clone, Debug, PartialEq)]
struct Cluster<T> {
    parts: Vec<T>,
    bounds: Aabb,
    /// Mean of their normals, and the smallest cosine of one of them with it; -1 where they have none.
    axis: DVec3,
    cosine: f64,
}

/// Largest number of parts of a cluster.
const CLUSTER: usize = 16;

/// A part of a smooth surface.
trait Part: Clone {
    fn points(&self) -> &[DVec3];

    /// Normals between which it may touch; none where it may come from anywhere.
    fn normals(&self) -> &[DVec3];

    /// Where it touches planes that come from a direction.
    fn touch(&self, toward: DVec3) -> Option<SmoothPoint>;
}

impl<T: Part> Clusters<T> {
    fn new(parts: &[T]) -> Self {
        let place = |part: &T| part.points().iter().sum::<DVec3>() / part.points().len() as f64;
        let places: Vec<DVec3> = parts.iter().map(place).collect();
        let mut order: Vec<usize> = (0..parts.len()).collect();
        let mut clusters = Vec::new();
        let mut open = vec![&mut order[..]];
        while let Some(some) = open.pop() {
            if some.len() <= CLUSTER {
                let parts: Vec<T> = some.iter().map(|&ix| parts[ix].clone()).collect();
                clusters.extend((!parts.is_empty()).then(|| Cluster::new(parts)));
                continue;
            }
            // Halves across where they are longest.
            let bounds = Aabb::from_points(some.iter().map(|&ix| places[ix]));
            let axis = bounds.half_size().max_position();
            some.sort_by(|&a, &b| places[a][axis].total_cmp(&places[b][axis]));
            let (half, rest) = some.split_at_mut(some.len() / 2);
            open.extend([half, rest]);
        }
        Self(clusters)
    }

    fn touching(&self, toward: DVec3, least: f64, near: &Near, points: &mut Vec<SmoothPoint>) {
        let may_touch =
            |cluster: &&Cluster<T>| near.meets(&cluster.bounds) && cluster.may_touch(toward, least);
        for cluster in self.0.iter().filter(may_touch) {
            let found = cluster.parts.iter().filter_map(|part| part.touch(toward));
            points.extend(found.filter(|point| point.place.dot(toward) >= least));
        }
    }
}

impl<T: Part> Cluster<T> {
    fn new(parts: Vec<T>) -> Self {
        let bounds = Aabb::from_points(parts.iter().flat_map(|part| part.points().iter().copied()));
        let normals = || parts.iter().flat_map(|part| part.normals().iter().copied());
        let axis = normals().sum::<DVec3>().normalize_or_zero();
        let cosine = normals().map(|n| n.dot(axis)).reduce(f64::min).unwrap_or(-1.0);
        Self { bounds, axis, cosine, parts }
    }

    fn may_touch(&self, toward: DVec3, least: f64) -> bool {
        // A little more than the cone, for directions beside the arc of an edge.
        let is_within = self.cosine <= ASIDE || toward.dot(self.axis) >= self.cosine - ASIDE;
        is_within && self.bounds.center().dot(toward) + self.bounds.half_size().dot(toward.abs()) >= least
    }
}

/// A sharp edge as a part of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Curve {
    ends: [DVec3; 2],
    /// Unit tangents from the first to the second end.
    tangents: [DVec3; 2],
    /// Of its arc \[m\].
    length: f64,
}

/// A facet of a smooth surface.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Facet {
    corners: [DVec3; 3],
    normals: [DVec3; 3],
}

/// An edge between two facets of a smooth surface.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Span {
    ends: [DVec3; 2],
    normals: [DVec3; 2],
}

/// Slope, difference of directions or determinant below which it is none: rounding. No unit.
const NONE: f64 = 1e-9;

/// How far aside of the arc between an edge's normals a direction may lie, as a part of the arc, for the edge to be touched: a
/// cylinder's facets have no normals but on an arc. No unit.
const ASIDE: f64 = 0.05;

/// Twice the area between a facet's normals, as a part of the square of their longest distance, below which they lie on an arc. No unit.
const ON_AN_ARC: f64 = 1e-3;

/// How many times as far as it bends away an edge that runs aslant over a cylinder counts as bulging, at most: what rolls is looked ahead for
/// by it. A wheel of 64 sides and half as wide as its radius loses less than 1e-3 of its energy in a second by five times and 2.5e-3 by once,
/// with steps of 10 ms. No unit.
const ASLANT: f64 = 5.0;

impl SmoothSurface {
    /// The smooth surface of a mesh whose faces turn by no more than `angle` \[rad\] over a smooth edge; `None` where no edge is
    /// smooth. Faces without area and edges without exactly two faces are sharp.
    pub fn new(mesh: &TriangleMesh, angle: f64) -> Option<Self> {
        let topology = Topology::new(mesh, angle);
        let facets = topology.facets();
        let edges = topology.spans();
        let curves = topology.curves(angle);
        let of_curves = curves.iter().map(|curve| {
            let turn = curve.tangents[0].angle_between(curve.tangents[1]);
            curve.ends[0].distance(curve.ends[1]) * turn / 8.0
        });
        // A facet of a sphere is bent away by a third more in its middle than at its edges. An edge that runs aslant over a cylinder is as
        // long as the cylinder, but bends away only across it.
        let of_edges = edges.iter().map(|edge| {
            let [along, turn] = [edge.ends, edge.normals].map(|[from, to]| to - from);
            let (most, across) = (along.length() * turn.length(), along.dot(turn).abs());
            4.0 / 3.0 * most.min(ASLANT * across) / 8.0
        });
        let bulge = of_curves.chain(of_edges).fold(0.0, f64::max);
        let bulges_out = |edge: &Span| {
            let [along, turn] = [edge.ends, edge.normals].map(|[from, to]| to - from);
            along.dot(turn) >= 0.0
        };
        let is_oval = topology.sharp.is_empty() && edges.iter().all(bulges_out);
        let is_smooth = bulge > 0.0;
        is_smooth.then(|| Self {
            curves: Clusters::new(&curves),
            facets: Clusters::new(&facets),
            edges: Clusters::new(&edges),
            bulge,
            size: mesh.aabb().diagonal(),
            is_oval,
        })
    }

    /// Whether it is smooth all over and bulges out everywhere, as a ball and an egg do.
    pub fn is_oval(&self) -> bool {
        self.is_oval
    }

    /// About how far the surface lies outside the facets at most \[m\].
    pub fn bulge(&self) -> f64 {
        self.bulge
    }

    /// Diagonal of the box around the mesh \[m\].
    pub fn size(&self) -> f64 {
        self.size
    }

    /// Adds the points in which the surface touches planes that come from the unit direction `toward`, as far as they reach `least`
    /// or farther along it \[m\]; all of those that are `near`, others perhaps. The mesh's axes.
    pub fn touching(&self, toward: DVec3, least: f64, near: &Near, points: &mut Vec<SmoothPoint>) {
        let (out, wide) =
            (least - 2.0 * self.bulge, Near { radius: near.radius + 2.0 * self.bulge, ..*near });
        self.curves.touching(toward, out, &wide, points);
        self.facets.touching(toward, out, &wide, points);
        self.edges.touching(toward, out, &wide, points);
        points.retain(|point| point.place.dot(toward) >= least);
    }
}

impl Part for Curve {
    fn points(&self) -> &[DVec3] {
        &self.ends
    }

    fn normals(&self) -> &[DVec3] {
        &[]
    }

    /// Where the arc (cubic by its ends and tangents) reaches farthest, between its ends.
    fn touch(&self, toward: DVec3) -> Option<SmoothPoint> {
        let Self { ends: [a, b], tangents: [s, t], length } = *self;
        let [rise, fall] = [s.dot(toward), t.dot(toward)];
        if rise <= NONE || fall >= -NONE {
            return None;
        }
        // Zero of the slope `q2 u² + q1 u + q0`, which is positive at 0 and negative at 1.
        let across = (b - a).dot(toward);
        let q0 = length * rise;
        let q1 = 6.0 * across - length * (4.0 * rise + 2.0 * fall);
        let q2 = 3.0 * length * (rise + fall) - 6.0 * across;
        let root = (q1 * q1 - 4.0 * q2 * q0).max(0.0).sqrt();
        let u = (2.0 * q0 / (root - q1)).clamp(0.0, 1.0);
        let v = 1.0 - u;
        let place = a * (v * v * (1.0 + 2.0 * u))
            + b * (u * u * (1.0 + 2.0 * v))
            + (s * (u * v * v) - t * (u * u * v)) * length;
        let tangent = (s * v + t * u).normalize_or_zero();
        let bend = -(2.0 * q2 * u + q1) / (length * length);
        let rounding = outer(tangent) * bend.recip();
        (place.is_finite() && bend > 0.0 && rounding.is_finite()).then_some(SmoothPoint { place, rounding })
    }
}

impl Part for Facet {
    fn points(&self) -> &[DVec3] {
        &self.corners
    }

    fn normals(&self) -> &[DVec3] {
        &self.normals
    }

    /// Where the surface over the facet has the direction for its normal.
    fn touch(&self, toward: DVec3) -> Option<SmoothPoint> {
        let [n, m, o] = self.normals;
        let det = n.dot(m.cross(o));
        // Of normals on an arc, two of them alike but for rounding, it is the edges that touch.
        let turn = (m - n).length_squared().max((o - n).length_squared()).max((o - m).length_squared());
        if det.abs() <= ON_AN_ARC * turn {
            return None;
        }
        let weights =
            DVec3::new(toward.dot(m.cross(o)), toward.dot(o.cross(n)), toward.dot(n.cross(m))) / det;
        if weights.min_element() < -NONE {
            return None;
        }
        let weights = weights / weights.element_sum();
        let [u, w] = tangents(toward);
        let normals = self.normals.map(|n| turned(n, toward, u, w));
        let places = self.corners.map(|p| DVec2::new(p.dot(u), p.dot(w)));
        let by = DMat2::from_cols(normals[1] - normals[0], normals[2] - normals[0]);
        let moved = DMat2::from_cols(places[1] - places[0], places[2] - places[0]);
        let h = moved * by.inverse();
        let h = (h + h.transpose()) * 0.5;
        let is_convex = h.determinant() > 0.0 && h.x_axis.x > 0.0 && h.is_finite();
        if !is_convex {
            return None;
        }
        let (mut reach, mut at) = (0.0, DVec2::ZERO);
        for i in 0..3 {
            let bent = h * normals[i];
            reach += weights[i] * (self.corners[i].dot(toward) + 0.5 * normals[i].dot(bent));
            at += (places[i] - bent) * weights[i];
        }
        let rounding = outer(u) * h.x_axis.x
            + outer(w) * h.y_axis.y
            + (DMat3::from_cols(u * w.x, u * w.y, u * w.z) + DMat3::from_cols(w * u.x, w * u.y, w * u.z))
                * h.x_axis.y;
        Some(SmoothPoint { place: u * at.x + w * at.y + toward * reach, rounding })
    }
}

impl Part for Span {
    fn points(&self) -> &[DVec3] {
        &self.ends
    }

    fn normals(&self) -> &[DVec3] {
        &self.normals
    }

    /// Where the surface along the edge has the direction for its normal, or nearly.
    fn touch(&self, toward: DVec3) -> Option<SmoothPoint> {
        let [n, m] = self.normals;
        let arc = m - n;
        let length = arc.length();
        if length <= NONE {
            return None;
        }
        let along = arc / length;
        let aside = along.cross(n).normalize_or_zero().dot(toward);
        let part = (toward - n).dot(along) / length;
        if aside.abs() > ASIDE * length || !(-NONE..=1.0 + NONE).contains(&part) {
            return None;
        }
        let t = (along - toward * along.dot(toward)).normalize_or_zero();
        let turns = self.normals.map(|n| n.dot(t).signum() * (2.0 - 2.0 * n.dot(toward)).max(0.0).sqrt());
        let places = self.ends.map(|p| p.dot(t));
        let radius = (places[1] - places[0]) / (turns[1] - turns[0]);
        let is_convex = radius > 0.0 && radius.is_finite();
        if !is_convex {
            return None;
        }
        let reach = |i: usize| self.ends[i].dot(toward) + 0.5 * radius * turns[i] * turns[i];
        let between = self.ends[0] * (1.0 - part) + self.ends[1] * part;
        let at = (places[0] - radius * turns[0]) * (1.0 - part) + (places[1] - radius * turns[1]) * part;
        let place = between + t * (at - between.dot(t));
        let height = reach(0) * (1.0 - part) + reach(1) * part;
        let place = place + toward * (height - place.dot(toward));
        Some(SmoothPoint { place, rounding: outer(t) * radius })
    }
}

fn outer(v: DVec3) -> DMat3 {
    DMat3::from_cols(v * v.x, v * v.y, v * v.z)
}

/// Two unit vectors at right angles to a third and each other.
fn tangents(n: DVec3) -> [DVec3; 2] {
    let (u, w) = n.any_orthonormal_pair();
    [u, w]
}

/// How a normal differs from a direction, on the tangent axes, as long as the chord between the two.
fn turned(n: DVec3, toward: DVec3, u: DVec3, w: DVec3) -> DVec2 {
    let flat = DVec2::new(n.dot(u), n.dot(w));
    flat.normalize_or_zero() * (2.0 - 2.0 * n.dot(toward)).max(0.0).sqrt()
}

/// What of a mesh is smooth.
struct Topology<'a> {
    mesh: &'a TriangleMesh,
    /// Normal at each corner of each face.
    normals: Vec<[DVec3; 3]>,
    /// Edges between two faces that turn little, each with its ends as corners of the first face.
    smooth: Vec<(usize, [usize; 2])>,
    /// Ends of the others.
    sharp: Vec<[u32; 2]>,
}

impl<'a> Topology<'a> {
    fn new(mesh: &'a TriangleMesh, angle: f64) -> Self {
        let corners = |face: &[u32; 3]| face.map(|ix| mesh.vertices[ix as usize]);
        let of_face = |face: &[u32; 3]| {
            let [a, b, c] = corners(face);
            (b - a).cross(c - a).normalize_or_zero()
        };
        let faces: Vec<DVec3> = mesh.triangles.iter().map(of_face).collect();
        let mut sides = Vec::with_capacity(3 * faces.len());
        for (face, corners) in mesh.triangles.iter().enumerate() {
            for side in 0..3 {
                let [a, b] = [corners[side], corners[(side + 1) % 3]];
                sides.push(([a.min(b), a.max(b)], face, side));
            }
        }
        sides.sort_unstable();
        let (mut smooth, mut sharp) = (Vec::new(), Vec::new());
        let mut groups = UnionFind::new(3 * faces.len());
        for edge in sides.chunk_by(|a, b| a.0 == b.0) {
            let turns_little = |f: usize, g: usize| {
                faces[f] != DVec3::ZERO
                    && faces[g] != DVec3::ZERO
                    && faces[f].angle_between(faces[g]) <= angle
            };
            match *edge {
                [(_, f, i), (_, g, j)] if turns_little(f, g) => {
                    let corner = |face: usize, side: usize| (3 * face + side % 3) as u32;
                    // The second face runs the other way.
                    let same = mesh.triangles[f][i] == mesh.triangles[g][j];
                    let [first, second] = if same { [j, j + 1] } else { [j + 1, j] };
                    groups.join(corner(f, i), corner(g, first));
                    groups.join(corner(f, i + 1), corner(g, second));
                    smooth.push((f, [i, (i + 1) % 3]));
                }
                _ => sharp.push(edge[0].0),
            }
        }
        let mut sums = vec![DVec3::ZERO; 3 * faces.len()];
        for (face, triangle) in mesh.triangles.iter().enumerate() {
            let points = corners(triangle);
            for side in 0..3 {
                let [out, back] = [1, 2].map(|k| points[(side + k) % 3] - points[side]);
                // Exact on a sphere, and two halves of a rectangle count as it does (Max 1999).
                let weighted = out.cross(back) / (out.length_squared() * back.length_squared());
                if weighted.is_finite() {
                    sums[groups.find((3 * face + side) as u32) as usize] += weighted;
                }
            }
        }
        let normal = |corner: usize, groups: &mut UnionFind| {
            sums[groups.find(corner as u32) as usize].normalize_or_zero()
        };
        let normals =
            (0..faces.len()).map(|face| [0, 1, 2].map(|side| normal(3 * face + side, &mut groups))).collect();
        Self { mesh, normals, smooth, sharp }
    }

    fn point(&self, face: usize, corner: usize) -> DVec3 {
        self.mesh.vertices[self.mesh.triangles[face][corner] as usize]
    }

    /// Faces over which the normal turns.
    fn facets(&self) -> Vec<Facet> {
        let facet = |(face, &normals): (usize, &[DVec3; 3])| {
            let turns = (0..3).any(|i| normals[i].distance(normals[(i + 1) % 3]) > NONE);
            turns.then(|| Facet { corners: [0, 1, 2].map(|i| self.point(face, i)), normals })
        };
        self.normals.iter().enumerate().filter_map(facet).collect()
    }

    fn spans(&self) -> Vec<Span> {
        let span = |&(face, ends): &(usize, [usize; 2])| {
            let normals = ends.map(|corner| self.normals[face][corner]);
            let turns = normals[0].distance(normals[1]) > NONE;
            turns.then(|| Span { ends: ends.map(|corner| self.point(face, corner)), normals })
        };
        self.smooth.iter().filter_map(span).collect()
    }

    /// Sharp edges that go on into another one at an end, at least.
    fn curves(&self, angle: f64) -> Vec<Curve> {
        let mut around: Vec<Vec<u32>> = vec![Vec::new(); self.mesh.vertices.len()];
        for &[a, b] in &self.sharp {
            around[a as usize].push(b);
            around[b as usize].push(a);
        }
        let place = |ix: u32| self.mesh.vertices[ix as usize];
        // Tangent of the circle through a vertex and the two next to it.
        let tangent = |at: u32, from: u32| {
            let [a, b] = around[at as usize][..] else { return None };
            let next = if a == from { b } else { a };
            let [come, go] = [place(at) - place(from), place(next) - place(at)];
            if come.length() * go.length() == 0.0 || come.angle_between(go) > angle {
                return None;
            }
            (come.normalize() * go.length() + go.normalize() * come.length()).try_normalize()
        };
        let curve = |&[a, b]: &[u32; 2]| {
            let chord = place(b) - place(a);
            let straight = chord.try_normalize()?;
            let [at_a, at_b] = [tangent(a, b).map(|t| -t), tangent(b, a)];
            if at_a.is_none() && at_b.is_none() {
                return None;
            }
            let tangents = [at_a, at_b].map(|t| t.unwrap_or(straight));
            let half = 0.5 * tangents[0].angle_between(tangents[1]);
            let longer = if half > 1e-6 { half / half.sin() } else { 1.0 };
            Some(Curve { ends: [place(a), place(b)], tangents, length: chord.length() * longer })
        };
        self.sharp.iter().filter_map(curve).collect()
    }
}

#[cfg(test)]
mod tests;
