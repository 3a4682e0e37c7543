//! The overlap of a ball or a capsule A with a closed triangle mesh B.
//!
//! Triangles near the capsule are cut where its half balls meet the cylinder, and each piece goes to its part. The
//! discs that separate the parts inside B come out of the cuts themselves: their straight sides are the cut edges, and
//! which arcs of a seam circle are inside B follows from where those edges cross it.

use std::f64::consts::TAU;

use glam::DVec3;

use super::capsule_polyhedron::{Faces, Query, Solidity};
use super::cylinder::Cylinder;
use super::face::{Arc, Conic, Event, PlanarPiece, nearest_to_origin, side_inside};
use super::pieces::{self, RoundBody};
use super::placed_mesh::PlacedMesh;
use crate::overlap::Overlap;
use crate::overlap::convex::Source;
use crate::{Aabb, Capsule, Pose, Solid};

/// The overlap of a ball or capsule A and a mesh B; see [`crate::overlap::overlap`].
pub(in crate::overlap) fn overlap(a: &Capsule, w_from_a: &Pose, b: &Solid, w_from_b: &Pose) -> Overlap {
    let mesh = PlacedMesh::new(b, w_from_a.relative(w_from_b));
    let near = a.bounds();
    let measure = |mesh: &PlacedMesh<'_>| {
        let mut query = Query::new(*a, Solidity::Mesh(*mesh));
        let is_met = if a.half_length == 0.0 {
            let mut ball = BallFaces::new(DVec3::ZERO);
            mesh.for_each_triangle_near(&near, |_, corners| ball.add(a.radius, &corners));
            let is_met = !ball.faces.is_empty();
            query.add_ball_part(ball.faces, ball.nearest, 0.0);
            is_met
        } else {
            measure_capsule(&mut query, mesh, &near)
        };
        // A piece that does not reach into the round body bounds nothing of it.
        if mesh.is_piece() && !is_met {
            return Overlap::EMPTY;
        }
        query.into_overlap(&w_from_a.matrix(), b.aabb().diagonal())
    };
    let size = (2.0 * (a.radius + a.half_length)).min(b.aabb().diagonal());
    pieces::divide(measure(&mesh), &mesh, a, size, measure)
}

impl RoundBody for Capsule {
    fn bounds(&self) -> Aabb {
        let around = DVec3::splat(self.radius) + DVec3::Z * self.half_length;
        Aabb { min: -around, max: around }
    }

    fn reach(&self, direction: DVec3) -> f64 {
        self.radius + self.half_length * direction.z.abs()
    }

    fn is_passed(&self, from: DVec3, to: DVec3) -> bool {
        let Self { radius, half_length } = *self;
        let along = to - from;
        let distance = |t: f64| {
            let x = from + t * along;
            x.distance_squared(DVec3::Z * x.z.clamp(-half_length, half_length))
        };
        let nearest = |x: DVec3, d: DVec3| {
            let squared = d.length_squared();
            if squared > 0.0 { (-x.dot(d) / squared).clamp(0.0, 1.0) } else { 0.0 }
        };
        // The nearest place is that to one of the ends of the capsule's axis, or to the axis.
        let ends = [-half_length, half_length].map(|end| nearest(from - DVec3::Z * end, along));
        let side = nearest(from.with_z(0.0), along.with_z(0.0));
        ends.into_iter().chain([side]).any(|t| distance(t) < radius * radius)
    }

    fn height(&self, x: DVec3) -> f64 {
        x.distance(DVec3::Z * x.z.clamp(-self.half_length, self.half_length)) - self.radius
    }
}

/// Adds the three parts of a capsule; false if no face reaches into any.
fn measure_capsule(query: &mut Query<'_>, mesh: &PlacedMesh<'_>, near: &Aabb) -> bool {
    let Capsule { radius, half_length } = query.capsule;
    let cylinder = Cylinder { radius };
    let mut balls = [-1.0, 1.0].map(|end| BallFaces::new(DVec3::Z * (end * half_length)));
    let mut seams = [-1.0, 1.0].map(|end| Seam::new(radius, end * half_length));
    let mut side = Faces::new(DVec3::ZERO);
    let mut polygon = Vec::with_capacity(5);
    mesh.for_each_triangle_near(near, |_, corners| {
        let Some(normal) = unit_normal(&corners) else { return };
        for (end, (ball, seam)) in balls.iter_mut().zip(&seams).enumerate() {
            let outward = if end == 0 { DVec3::NEG_Z } else { DVec3::Z };
            beyond(&corners, outward, half_length, &mut polygon);
            for x in &mut polygon {
                *x -= DVec3::Z * seam.height;
            }
            ball.add_with_normal(radius, normal, &polygon);
        }
        let mut upper = Vec::with_capacity(5);
        beyond(&corners, DVec3::Z, -half_length, &mut upper);
        beyond(&upper, DVec3::NEG_Z, -half_length, &mut polygon);
        side.add(&cylinder, Source::Workpiece(0), normal, &polygon);
        for seam in &mut seams {
            if let Some(edge) = crossing(&corners, seam.height) {
                seam.add_edge(edge);
            }
        }
    });
    let is_met = !side.is_empty() || balls.iter().any(|ball| !ball.faces.is_empty());
    for (ball, seam) in balls.iter_mut().zip(seams) {
        let (height, sign) = (seam.height, seam.height.signum());
        let (piece, arcs) = seam.close(mesh);
        // The same disc twice: it closes the cylinder outwards, and the half ball, seen from its centre, inwards.
        for (faces, sign, height) in [(&mut side, sign, height), (&mut ball.faces, -sign, 0.0)] {
            let disc = PlanarPiece { normal: DVec3::Z * sign, origin: DVec3::Z * height, ..piece };
            faces.add_cap(disc, arcs.iter().map(|arc| oriented(arc, sign, height)));
        }
    }
    for (ball, end) in balls.into_iter().zip([-half_length, half_length]) {
        query.add_ball_part(ball.faces, ball.nearest, end);
    }
    query.add_cylinder_part(side);
    is_met
}

/// A seam's arc, which runs counter-clockwise about z, as the rim of a disc that faces along `sign` z at some height.
pub(super) fn oriented(arc: &SeamArc, sign: f64, height: f64) -> Arc {
    let SeamArc { radius, start, angle } = *arc;
    let conic = Conic {
        center: DVec3::Z * height,
        cosine: DVec3::X * radius,
        sine: DVec3::Y * (sign * radius),
        to_angle: [DVec3::X / radius, DVec3::Y * (sign / radius)],
    };
    let start = if sign > 0.0 { start } else { -(start + angle) };
    Arc::Conic { conic, start, angle }
}

/// The faces of B that one half ball meets, and B's point nearest to the ball's centre.
struct BallFaces {
    faces: Faces,
    nearest: DVec3,
}

impl BallFaces {
    fn new(shift: DVec3) -> Self {
        Self { faces: Faces::new(shift), nearest: DVec3::INFINITY }
    }

    fn add(&mut self, radius: f64, corners: &[DVec3]) {
        if let Some(normal) = unit_normal(corners) {
            self.add_with_normal(radius, normal, corners);
        }
    }

    fn add_with_normal(&mut self, radius: f64, normal: DVec3, polygon: &[DVec3]) {
        if polygon.len() < 3 {
            return;
        }
        let x = nearest_to_origin(polygon, normal);
        if x.length_squared() < self.nearest.length_squared() {
            self.nearest = x;
        }
        if x.length_squared() < radius * radius {
            let sphere = super::ball::Sphere { radius };
            self.faces.add(&sphere, Source::Workpiece(0), normal, polygon);
        }
    }
}

/// Normal of a triangle; `None` if it has no area.
pub(super) fn unit_normal(corners: &[DVec3]) -> Option<DVec3> {
    (corners[1] - corners[0]).cross(corners[2] - corners[0]).try_normalize()
}

/// The part of a convex polygon with `outward · x >= offset`; empty if that has no corner strictly beyond.
pub(super) fn beyond(polygon: &[DVec3], outward: DVec3, offset: f64, part: &mut Vec<DVec3>) {
    part.clear();
    for ix in 0..polygon.len() {
        let (from, to) = (polygon[ix], polygon[(ix + 1) % polygon.len()]);
        let (d, e) = (outward.dot(from) - offset, outward.dot(to) - offset);
        if d > 0.0 {
            part.push(from);
        }
        if (d > 0.0) != (e > 0.0) {
            part.push(crossing_point(from, to, outward.z * offset));
        }
    }
}

/// Where a triangle's side, of which one end is above, goes through a height; the same for both neighbours.
fn crossing_point(from: DVec3, to: DVec3, height: f64) -> DVec3 {
    let (low, high) = if from.z < to.z { (from, to) } else { (to, from) };
    low.lerp(high, (height - low.z) / (high.z - low.z)).with_z(height)
}

/// The segment in which a triangle crosses a height, as the side of B's section there that runs counter-clockwise
/// about z.
pub(super) fn crossing(corners: &[DVec3; 3], height: f64) -> Option<[DVec3; 2]> {
    let (mut up, mut down) = (None, None);
    for ix in 0..3 {
        let (from, to) = (corners[ix], corners[(ix + 1) % 3]);
        match (from.z > height, to.z > height) {
            (false, true) => up = Some(crossing_point(from, to, height)),
            (true, false) => down = Some(crossing_point(from, to, height)),
            _ => {}
        }
    }
    // The part below leaves upwards and comes back down; the section on top of it runs the other way.
    down.zip(up).map(|(down, up)| [down, up])
}

/// An arc of a seam inside B, counter-clockwise about z.
#[derive(Clone, Copy, Debug)]
pub(super) struct SeamArc {
    radius: f64,
    start: f64,
    angle: f64,
}

/// The disc between a half ball and the cylinder, cut by B.
pub(super) struct Seam {
    cylinder: Cylinder,
    pub height: f64,
    piece: PlanarPiece,
    /// Angles where the seam circle, run counter-clockwise, comes into B (+1) or leaves it (-1).
    crossings: Vec<(f64, i32)>,
}

impl Seam {
    pub fn new(radius: f64, height: f64) -> Self {
        let piece = PlanarPiece::new(DVec3::Z, DVec3::ZERO);
        Self { cylinder: Cylinder { radius }, height, piece, crossings: Vec::new() }
    }

    /// Adds a side of B's section at this height.
    pub fn add_edge(&mut self, [from, to]: [DVec3; 2]) {
        let (segment, events) = side_inside(&self.cylinder, from.with_z(0.0), to.with_z(0.0));
        if let Some([from, to]) = segment {
            self.piece.add_segment(from, to);
        }
        for event in events.into_iter().flatten() {
            // Where the section's outline leaves the disc, the circle goes on inside the section.
            let (x, change) = match event {
                Event::Leave(x) => (x, 1),
                Event::Enter(x) => (x, -1),
            };
            self.crossings.push((x.y.atan2(x.x), change));
        }
    }

    /// The disc's part inside B and the arcs of its rim.
    pub fn close(mut self, mesh: &PlacedMesh<'_>) -> (PlanarPiece, Vec<SeamArc>) {
        let radius = self.cylinder.radius;
        self.crossings.sort_by(|(p, _), (q, _)| p.total_cmp(q));
        let n = self.crossings.len();
        let gap = |ix: usize| {
            let next = if ix + 1 < n { self.crossings[ix + 1].0 } else { self.crossings[0].0 + TAU };
            next - self.crossings[ix].0
        };
        let widest = (0..n).max_by(|&i, &j| gap(i).total_cmp(&gap(j)));
        let probe = widest.map_or(0.0, |ix| self.crossings[ix].0 + 0.5 * gap(ix));
        let x = radius * DVec3::new(probe.cos(), probe.sin(), self.height / radius);
        let mut winding = i32::from(mesh.contains(x));
        let mut arcs = Vec::new();
        match widest {
            None if winding > 0 => arcs.push(SeamArc { radius, start: 0.0, angle: TAU }),
            None => {}
            Some(widest) => {
                for ix in (0..n).map(|i| (widest + i) % n) {
                    if ix != widest {
                        winding += self.crossings[ix].1;
                    }
                    if winding > 0 {
                        arcs.push(SeamArc { radius, start: self.crossings[ix].0, angle: gap(ix) });
                    }
                }
            }
        }
        for arc in &arcs {
            oriented(arc, 1.0, 0.0).integrate(|x, dx| self.piece.add_element(x, dx));
        }
        (self.piece, arcs)
    }
}
