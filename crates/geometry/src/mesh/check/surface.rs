//! A closed surface prepared for questions about itself: what crosses it, and how often it winds round a point.

use std::ops::ControlFlow;

use glam::DVec3;
use robust::{Coord, Coord3D, orient2d, orient3d};

use super::prism::Prism;
use super::topology::Edges;
use super::tree::Tree;
use crate::Aabb;
use crate::mesh::TriangleMesh;

/// Nodes of the tree that are looked at to say how many triangles lie somewhere: a microsecond or two, and enough to be right
/// wherever these are few.
const NODES_TO_COUNT: usize = 512;

/// Triangles that are all different, with their neighbours and a tree over their boxes.
///
/// All signs are exact (Shewchuk 1997): the predicates never mistake a touch for a crossing.
pub struct Surface<'a> {
    mesh: &'a TriangleMesh,
    /// How often each triangle is listed.
    multiplicity: &'a [u32],
    /// The neighbour across each side, where the side's edge has exactly two triangles.
    neighbours: Vec<[Option<u32>; 3]>,
    /// Triangles round every vertex, in a row, and where each vertex's begin.
    fans: Vec<u32>,
    fan_starts: Vec<u32>,
    is_flat: Vec<bool>,
    boxes: Vec<Aabb>,
    tree: Tree,
    size: f64,
    /// What rounding may do to a position in tests that are not exact \[m\].
    margin: f64,
}

/// Which side of something a point lies on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Inside,
    On,
    Outside,
}

impl Side {
    fn is_opposite(self, other: Self) -> bool {
        matches!((self, other), (Self::Inside, Self::Outside) | (Self::Outside, Self::Inside))
    }
}

impl<'a> Surface<'a> {
    /// Prepares a mesh whose triangles are all different; triangle `ix` counts `multiplicity[ix]` times.
    pub fn new(mesh: &'a TriangleMesh, multiplicity: &'a [u32]) -> Self {
        let n = mesh.triangles.len();
        let mut neighbours = vec![[None; 3]; n];
        for (a, b) in Edges::of(&mesh.triangles).manifold() {
            neighbours[a.triangle as usize][a.side as usize] = Some(b.triangle);
            neighbours[b.triangle as usize][b.side as usize] = Some(a.triangle);
        }
        let mut fan_starts = vec![0_u32; mesh.vertices.len() + 1];
        mesh.triangles.iter().flatten().for_each(|&v| fan_starts[v as usize + 1] += 1);
        for v in 0..mesh.vertices.len() {
            fan_starts[v + 1] += fan_starts[v];
        }
        let mut next = fan_starts.clone();
        let mut fans = vec![0; 3 * n];
        for (corners, ix) in mesh.triangles.iter().zip(0..) {
            for &v in corners {
                fans[next[v as usize] as usize] = ix;
                next[v as usize] += 1;
            }
        }
        let boxes: Vec<Aabb> = (0..n).map(|ix| Aabb::from_points(mesh.corners(ix))).collect();
        let is_flat = (0..n).map(|ix| is_zero_area(mesh.corners(ix))).collect();
        let tree = Tree::new(&boxes);
        let aabb = mesh.aabb();
        let size = aabb.diagonal();
        let margin = ROUNDING * f64::EPSILON * aabb.min.abs().max(aabb.max.abs()).max_element();
        Self { mesh, multiplicity, neighbours, fans, fan_starts, is_flat, boxes, tree, size, margin }
    }

    /// How often a triangle is listed.
    pub fn multiplicity(&self, ix: u32) -> u32 {
        self.multiplicity[ix as usize]
    }

    /// Triangles of zero area.
    pub fn flat(&self) -> impl Iterator<Item = u32> {
        (0..).zip(&self.is_flat).filter(|(_, is)| **is).map(|(ix, _)| ix)
    }

    /// The triangle across each side of triangle `ix`, where there is exactly one.
    pub fn neighbours(&self, ix: u32) -> [Option<u32>; 3] {
        self.neighbours[ix as usize]
    }

    fn corners(&self, ix: u32) -> [DVec3; 3] {
        self.mesh.corners(ix as usize)
    }

    /// About how many triangles have a box that meets that of triangle `ix`, itself among them; no fewer.
    pub fn n_near(&self, ix: u32) -> usize {
        self.tree.count_meeting(&self.boxes[ix as usize], NODES_TO_COUNT)
    }

    /// Triangles that cross triangle `ix`, in ascending order, among those that `is_wanted`; none where the search takes
    /// more than `max_work`. The second part is the work done, in tests of two boxes.
    ///
    /// Two triangles cross where one passes through the other; sharing a corner or an edge, touching from one side and
    /// lying in one plane do not count.
    pub fn crossed_by(
        &self,
        ix: u32,
        max_work: usize,
        is_wanted: impl Fn(u32) -> bool,
    ) -> (Option<Vec<u32>>, usize) {
        let mut crossed = Vec::new();
        let own_box = self.boxes[ix as usize];
        let prism = Prism::of(self.corners(ix), self.margin);
        let mut work_of_pairs = 0;
        let is_near = |aabb: &Aabb| {
            aabb.meets(&own_box) && !is_in_one_plane(aabb, &own_box) && !prism.is_apart_from_box(aabb)
        };
        let (flow, n_boxes) = self.tree.visit(is_near, |other| {
            if is_wanted(other) {
                work_of_pairs += self.work_of_crossing(ix, other, &prism, &mut crossed);
            }
            if work_of_pairs > max_work { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        crossed.sort_unstable();
        (flow.is_continue().then_some(crossed), n_boxes + work_of_pairs)
    }

    /// Adds triangle `j` to `crossed` if it crosses triangle `i`, whose prism is given; returns the work done.
    fn work_of_crossing(&self, i: u32, j: u32, prism: &Prism, crossed: &mut Vec<u32>) -> usize {
        /// Work of the test in rounded numbers, in tests of two boxes.
        const ROUNDED: usize = 4;
        /// Work of the exact tests.
        const EXACT: usize = 120;
        let (a, b) = (self.mesh.triangles[i as usize], self.mesh.triangles[j as usize]);
        let n_shared = a.iter().filter(|v| b.contains(v)).count();
        if n_shared >= 2 || self.is_flat[i as usize] || self.is_flat[j as usize] {
            return 1;
        }
        let is_apart = |prism: &Prism, own: [u32; 3], other: [u32; 3]| {
            let points = other.into_iter().filter(|v| !own.contains(v));
            let points = points.map(|v| self.mesh.vertices[v as usize]);
            prism.is_apart(&points, own.map(|v| other.contains(&v)))
        };
        if is_apart(prism, a, b) || is_apart(&Prism::of(self.corners(j), self.margin), b, a) {
            return ROUNDED;
        }
        if self.is_crossing(i, j) {
            crossed.push(j);
        }
        // The surface round a vertex is looked at where it lies in a face.
        let fan = |v: u32| (self.fan_starts[v as usize + 1] - self.fan_starts[v as usize]) as usize;
        EXACT + a.into_iter().chain(b).map(fan).max().unwrap_or(0)
    }

    /// Whether two triangles of positive area with at most one common corner cross.
    fn is_crossing(&self, i: u32, j: u32) -> bool {
        let sides_of_b = self.sides_of_plane(i, j);
        if !may_pierce(sides_of_b) {
            return false;
        }
        let sides_of_a = self.sides_of_plane(j, i);
        may_pierce(sides_of_a)
            && (self.is_pierced_by(i, j, sides_of_b) || self.is_pierced_by(j, i, sides_of_a))
    }

    /// The sides of the plane of `face` on which the corners of `other` lie. Corners that the two share are known to lie
    /// on it, which saves the exact arithmetic that would prove it.
    fn sides_of_plane(&self, face: u32, other: u32) -> [Side; 3] {
        let own = self.mesh.triangles[face as usize];
        self.mesh.triangles[other as usize].map(|v| {
            if own.contains(&v) { Side::On } else { self.side_of_plane(face, self.mesh.vertices[v as usize]) }
        })
    }

    /// Whether an edge or a corner of triangle `other`, whose corners lie on the given sides of triangle `face`, passes
    /// through it.
    fn is_pierced_by(&self, face: u32, other: u32, sides: [Side; 3]) -> bool {
        (0..3).any(|k| {
            let next = (k + 1) % 3;
            if sides[k].is_opposite(sides[next]) {
                self.is_pierced_by_edge(face, other, k)
            } else {
                sides[k] == Side::On
                    && self.is_pierced_by_corner(face, self.mesh.triangles[other as usize][k])
            }
        })
    }

    /// Whether the edge that starts at corner `k` of `other`, whose ends lie on both sides of the plane of `face`,
    /// passes through `face`. Where it meets the rim of `face` the answer is that for the surface beyond it.
    fn is_pierced_by_edge(&self, face: u32, other: u32, k: usize) -> bool {
        let corners = self.corners(other);
        let (p, q) = (corners[k], corners[(k + 1) % 3]);
        let rim = self.corners(face);
        let turns = [0, 1, 2].map(|m| orient(p, q, rim[m], rim[(m + 1) % 3]));
        if turns.iter().any(|&t| t > 0.0) && turns.iter().any(|&t| t < 0.0) {
            return false;
        }
        let on_rim: Vec<usize> = (0..3).filter(|&m| turns[m] == 0.0).collect();
        match on_rim[..] {
            [] => true,
            [m] => self.side_of_wedge(face, m, p).is_opposite(self.side_of_wedge(face, m, q)),
            [m, n] => {
                // The sides m and n of the face meet in this corner.
                let corner = if (m + 1) % 3 == n { n } else { m };
                let vertex = self.mesh.triangles[face as usize][corner];
                self.fan_passes(vertex, |x| self.side_of_wedge(other, k, x))
            }
            _ => false,
        }
    }

    /// Whether the surface about a vertex that lies in the plane of `face` passes through the inside of `face`.
    fn is_pierced_by_corner(&self, face: u32, vertex: u32) -> bool {
        let x = self.mesh.vertices[vertex as usize];
        is_in_flat_triangle(self.corners(face), x) && self.fan_passes(vertex, |x| self.side_of_plane(face, x))
    }

    /// Whether the triangles round a vertex reach to both sides of something.
    fn fan_passes(&self, vertex: u32, side: impl Fn(DVec3) -> Side) -> bool {
        let range = self.fan_starts[vertex as usize] as usize..self.fan_starts[vertex as usize + 1] as usize;
        let mut is_met = [false; 2];
        for &ix in &self.fans[range] {
            for x in self.corners(ix) {
                match side(x) {
                    Side::Inside => is_met[0] = true,
                    Side::Outside => is_met[1] = true,
                    Side::On => {}
                }
            }
        }
        is_met == [true; 2]
    }

    fn side_of_plane(&self, face: u32, x: DVec3) -> Side {
        let [a, b, c] = self.corners(face);
        let below = orient(a, b, c, x);
        if below > 0.0 {
            Side::Inside
        } else if below < 0.0 {
            Side::Outside
        } else {
            Side::On
        }
    }

    /// The side of the wedge that a triangle and its neighbour across a side form about their common edge.
    fn side_of_wedge(&self, face: u32, side: usize, x: DVec3) -> Side {
        let Some(neighbour) = self.neighbours[face as usize][side] else { return Side::On };
        let edge = [side, (side + 1) % 3].map(|k| self.mesh.triangles[face as usize][k]);
        let apex = self.mesh.triangles[neighbour as usize].into_iter().find(|v| !edge.contains(v));
        let apex = apex.expect("triangles with three different corners");
        let (own, other) = (self.side_of_plane(face, x), self.side_of_plane(neighbour, x));
        match self.side_of_plane(face, self.mesh.vertices[apex as usize]) {
            Side::On => own,
            // A ridge: inside means behind both.
            Side::Inside if own == Side::Outside || other == Side::Outside => Side::Outside,
            Side::Inside if own == Side::Inside && other == Side::Inside => Side::Inside,
            // A valley: inside means behind either.
            Side::Outside if own == Side::Inside || other == Side::Inside => Side::Inside,
            Side::Outside if own == Side::Outside && other == Side::Outside => Side::Outside,
            _ => Side::On,
        }
    }

    /// The winding number in front of a triangle: how often the surface encloses the points just outside it.
    ///
    /// None where every ray that was tried grazes the surface.
    pub fn winding_before(&self, ix: u32) -> Option<i32> {
        self.rays_from(ix).find_map(|[start, end]| self.winding_along(ix, start, end))
    }

    /// As [`winding_before`](Self::winding_before), in front of a point of triangle `ix`.
    pub fn winding_before_at(&self, ix: u32, at: DVec3) -> Option<i32> {
        let [a, b, c] = self.corners(ix);
        let middle = (a + b + c) / 3.0;
        self.rays_from(ix).find_map(|[_, end]| self.winding_along(ix, at, end + (at - middle)))
    }

    /// How many triangles the first ray from a triangle has to be tried against.
    pub fn n_near_ray(&self, ix: u32) -> usize {
        self.rays_from(ix)
            .next()
            .map_or(0, |ray| self.tree.count_meeting(&Aabb::from_points(ray), NODES_TO_COUNT))
    }

    /// Segments from the middle of a triangle, in front of it, to points outside of everything.
    fn rays_from(&self, ix: u32) -> impl Iterator<Item = [DVec3; 2]> + '_ {
        let [a, b, c] = self.corners(ix);
        let start = (a + b + c) / 3.0;
        let normal = (b - a).cross(c - a).normalize_or_zero();
        let rays = RAYS.iter().flat_map(|&ray| [ray, -ray]);
        // Steep rays only: flat ones would graze the triangle they start from.
        let steep = rays.filter(move |ray| ray.dot(normal) > 0.25);
        steep.map(move |ray| [start, start + ray * (2.0 * self.size)])
    }

    /// The winding number at the start of a segment that leaves triangle `own` and ends outside of everything.
    fn winding_along(&self, own: u32, start: DVec3, end: DVec3) -> Option<i32> {
        let mut winding = 0;
        let mut is_clear = true;
        let direction = end - start;
        self.tree.each_meeting(&Aabb::from_points([start, end]), |ix| {
            if ix == own || !is_clear {
                return;
            }
            let [a, b, c] = self.corners(ix);
            let turns = [orient(start, end, a, b), orient(start, end, b, c), orient(start, end, c, a)];
            let n_left = turns.iter().filter(|&&t| t > 0.0).count();
            let n_right = turns.iter().filter(|&&t| t < 0.0).count();
            if n_left > 0 && n_right > 0 {
                return;
            }
            let normal = (b - a).cross(c - a);
            let slope = normal.dot(direction);
            let along = normal.dot(a - start) / slope;
            if n_left + n_right < 3 || along.abs() < CLEARANCE || !along.is_finite() {
                // Grazes an edge, or starts in this triangle as far as rounding can tell.
                is_clear = false;
            } else if along > 0.0 {
                let n = self.multiplicity[ix as usize] as i32;
                winding += if slope > 0.0 { n } else { -n };
            }
        });
        is_clear.then_some(winding)
    }
}

/// Error of a position in tests that are not exact, in units of the last place of the largest coordinate: a handful of
/// sums and products, with room to spare.
const ROUNDING: f64 = 64.0;

/// Whether two boxes that meet lie in one coordinate plane, so that what they hold cannot cross.
fn is_in_one_plane(a: &Aabb, b: &Aabb) -> bool {
    (a.min.cmpeq(a.max) & b.min.cmpeq(b.max)).any()
}

/// Distance from the start of a ray, in its length, below which a triangle may be the one it starts in: rounding of the
/// start is 1e-16 of the mesh's size.
const CLEARANCE: f64 = 1e-11;

/// Directions of rays: close to the axes, so that their boxes are thin, and off them, so that they do not graze the
/// edges of box-like parts.
const RAYS: [DVec3; 6] = [
    DVec3::new(1.0, 0.013_7, 0.007_9),
    DVec3::new(0.008_3, 1.0, 0.014_9),
    DVec3::new(0.011_3, 0.009_1, 1.0),
    DVec3::new(1.0, -0.021_1, 0.017_3),
    DVec3::new(0.019_7, 1.0, -0.022_3),
    DVec3::new(-0.016_3, 0.023_9, 1.0),
];

/// Whether a triangle with corners on these sides of a plane may pass through a part of the plane, by an edge or by a
/// corner: not if it lies in the plane or strictly on one side.
fn may_pierce(sides: [Side; 3]) -> bool {
    let is_all = |side| sides.iter().all(|&own| own == side);
    !(is_all(Side::Inside) || is_all(Side::On) || is_all(Side::Outside))
}

/// Positive where d lies behind the triangle (a, b, c), exactly zero where it lies in its plane.
pub fn orient(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> f64 {
    let coord = |x: DVec3| Coord3D { x: x.x, y: x.y, z: x.z };
    orient3d(coord(a), coord(b), coord(c), coord(d))
}

/// Twice the areas of a triangle's projections onto the three coordinate planes, with exact signs.
fn projected(a: DVec3, b: DVec3, c: DVec3) -> [f64; 3] {
    [(1, 2), (2, 0), (0, 1)].map(|(u, v)| {
        let coord = |x: DVec3| Coord { x: x[u], y: x[v] };
        orient2d(coord(a), coord(b), coord(c))
    })
}

/// Whether three points lie exactly in a line.
fn is_zero_area([a, b, c]: [DVec3; 3]) -> bool {
    projected(a, b, c) == [0.0; 3]
}

/// Whether a point in the plane of a triangle lies inside it, not on its rim.
fn is_in_flat_triangle([a, b, c]: [DVec3; 3], x: DVec3) -> bool {
    let whole = projected(a, b, c);
    let parts = [projected(a, b, x), projected(b, c, x), projected(c, a, x)];
    let size = whole.map(f64::abs);
    let axis = if size[0] >= size[1] && size[0] >= size[2] { 0 } else { 1 + usize::from(size[2] > size[1]) };
    parts.iter().all(|part| part[axis] * whole[axis].signum() > 0.0)
}
