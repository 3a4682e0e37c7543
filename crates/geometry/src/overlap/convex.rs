//! The overlap of two convex polyhedra, by cutting one with the planes of the other.
//!
//! One body, the workpiece, is cut by one plane after the other; every cut closes the hole it makes with a cap that
//! belongs to the other body, the cutter. A corner is outside of a plane or it is not: there is no third case, so each
//! cut edge has one new corner, shared by its two faces, and what remains is closed whatever the rounding. Faces that
//! coincide cost nothing: a plane that leaves no corner outside does not cut. Work is in the cutter's frame; the
//! integrals are taken about the middle of what remains.

use std::cell::RefCell;

use glam::{DMat3, DVec3};

use super::Overlap;
use super::integrals::{Integrals, TetrahedronSums};
use super::polyhedron::Polyhedron;
use crate::majority::Majority;
use crate::shape::Plane;
use crate::{Aabb, Pose};

/// The overlap of two convex polyhedra; see [`super::overlap`].
pub(super) fn overlap(a: &Polyhedron<'_>, w_from_a: &Pose, b: &Polyhedron<'_>, w_from_b: &Pose) -> Overlap {
    // The one with fewer planes cuts; a cuboid's planes are the cheapest.
    if b.n_faces() < a.n_faces() {
        let origin_a = w_from_a.translation - w_from_b.translation;
        return overlap(b, w_from_b, a, w_from_a).swapped(origin_a);
    }
    let planes = (0..a.n_faces()).map(|face| a.plane(face));
    let size = a.size().min(b.size());
    cut_by_planes(b, &w_from_a.relative(w_from_b), planes, &w_from_a.matrix(), size)
}

/// The overlap of a half-space A (z <= 0 in its frame) and a convex polyhedron B.
pub(super) fn half_space_overlap(w_from_a: &Pose, b: &Polyhedron<'_>, w_from_b: &Pose) -> Overlap {
    let floor = Plane { normal: DVec3::Z, offset: 0.0 };
    cut_by_planes(b, &w_from_a.relative(w_from_b), [floor], &w_from_a.matrix(), b.size())
}

fn cut_by_planes(
    workpiece: &Polyhedron<'_>,
    a_from_b: &Pose,
    planes: impl IntoIterator<Item = Plane>,
    w_from_a: &DMat3,
    size: f64,
) -> Overlap {
    thread_local! {
        /// Memory kept between calls; every call starts by clearing it.
        static WORKSHOP: RefCell<Workshop> = RefCell::default();
    }
    WORKSHOP.with_borrow_mut(|workshop| {
        workshop.load(workpiece, a_from_b);
        if workshop.choose_cuts(planes, &workpiece.box_in(a_from_b)) && workshop.cut() {
            workshop.measure(w_from_a, size)
        } else {
            Overlap::EMPTY
        }
    })
}

/// A face of the workpiece: a run of corners in the list of loops.
#[derive(Clone, Copy, Debug)]
struct Face {
    start: u32,
    end: u32,
    /// Index of the workpiece's face that it is part of, or of the cut whose cap it is.
    source: Source,
}

/// Whose surface a face is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// A face of the workpiece.
    Workpiece(u32),
    /// The cap of a cut, part of the cutter's surface; caps are numbered in the order of the cuts.
    Cutter(u32),
}

/// The corner that a plane makes on an edge.
#[derive(Clone, Copy, Debug)]
struct Crossing {
    inside: u32,
    outside: u32,
    corner: u32,
}

/// The workpiece and what is needed to cut it.
#[derive(Debug, Default)]
pub(super) struct Workshop {
    /// All corners that ever were; `live` says which are left.
    corners: Vec<DVec3>,
    live: Vec<u32>,
    /// Distance of each live corner from the plane in hand.
    distances: Vec<f64>,
    loops: Vec<u32>,
    faces: Vec<Face>,
    /// Planes that cut, and the least distance of a corner from them.
    cuts: Vec<(f64, Plane)>,
    crossings: Vec<Crossing>,
    /// For each new corner the next one around the cap.
    cap: Vec<u32>,
    /// Number of planes tried on this workpiece.
    n_cuts: u32,
    old_loops: Vec<u32>,
    old_faces: Vec<Face>,
}

/// Marks a new corner that no cap has visited.
const UNLINKED: u32 = u32::MAX;

impl Workshop {
    /// Puts the workpiece on the bench, in the cutter's frame.
    pub fn load(&mut self, workpiece: &Polyhedron<'_>, a_from_b: &Pose) {
        self.corners.clear();
        self.loops.clear();
        self.faces.clear();
        workpiece.for_each_vertex(a_from_b, |x| self.corners.push(x));
        workpiece.for_each_face(|corners| {
            let start = self.loops.len() as u32;
            self.loops.extend_from_slice(corners);
            let source = Source::Workpiece(self.faces.len() as u32);
            self.faces.push(Face { start, end: self.loops.len() as u32, source });
        });
        self.n_cuts = 0;
        self.live.clear();
        self.live.extend(0..self.corners.len() as u32);
    }

    /// Keeps the planes that cut, the one that leaves least first; false if one leaves nothing.
    fn choose_cuts(&mut self, planes: impl IntoIterator<Item = Plane>, around: &Aabb) -> bool {
        self.cuts.clear();
        let (center, half) = (around.center(), around.half_size());
        for plane in planes {
            let (middle, reach) = (plane.distance(center), plane.normal.abs().dot(half));
            if middle >= reach {
                return false;
            }
            if middle <= -reach {
                continue;
            }
            let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
            for &x in &self.corners {
                let distance = plane.distance(x);
                (least, most) = (least.min(distance), most.max(distance));
            }
            if least >= 0.0 {
                return false;
            }
            if most > 0.0 {
                self.cuts.push((least, plane));
            }
        }
        self.cuts.sort_by(|(p, _), (q, _)| q.total_cmp(p));
        true
    }

    /// Makes all cuts; false if nothing is left.
    fn cut(&mut self) -> bool {
        let cuts = std::mem::take(&mut self.cuts);
        let left = cuts.iter().all(|(_, plane)| self.cut_by(plane));
        self.cuts = cuts;
        left
    }

    /// Takes away what is outside of a plane; false if nothing is left.
    pub fn cut_by(&mut self, plane: &Plane) -> bool {
        self.n_cuts += 1;
        self.distances.resize(self.corners.len(), 0.0);
        let (mut any_inside, mut any_outside) = (false, false);
        for &v in &self.live {
            let distance = plane.distance(self.corners[v as usize]);
            self.distances[v as usize] = distance;
            any_inside |= distance < 0.0;
            any_outside |= distance > 0.0;
        }
        if !any_outside || !any_inside {
            return any_inside;
        }
        std::mem::swap(&mut self.loops, &mut self.old_loops);
        std::mem::swap(&mut self.faces, &mut self.old_faces);
        self.loops.clear();
        self.faces.clear();
        self.crossings.clear();
        self.cap.clear();
        let first_new = self.corners.len() as u32;
        for ix in 0..self.old_faces.len() {
            self.cut_face(self.old_faces[ix], first_new);
        }
        self.close(first_new);
        let distances = &self.distances;
        self.live.retain(|&v| distances[v as usize] <= 0.0);
        self.live.extend(first_new..self.corners.len() as u32);
        true
    }

    /// Copies what is inside of a face, and links its new side into the cap in the opposite direction.
    fn cut_face(&mut self, face: Face, first_new: u32) {
        let start = self.loops.len() as u32;
        let (mut first_entry, mut exit) = (None, None);
        let mut from = self.old_loops[face.end as usize - 1];
        let mut from_inside = self.distances[from as usize] <= 0.0;
        for ix in face.start..face.end {
            let to = self.old_loops[ix as usize];
            let to_inside = self.distances[to as usize] <= 0.0;
            if from_inside != to_inside {
                let (inside, outside) = if from_inside { (from, to) } else { (to, from) };
                let corner = self.crossing(inside, outside);
                self.loops.push(corner);
                if from_inside {
                    exit = Some(corner);
                } else if let Some(exit) = exit.take() {
                    self.cap[(corner - first_new) as usize] = exit;
                } else {
                    first_entry = Some(corner);
                }
            }
            if to_inside {
                self.loops.push(to);
            }
            (from, from_inside) = (to, to_inside);
        }
        if let (Some(entry), Some(exit)) = (first_entry, exit) {
            self.cap[(entry - first_new) as usize] = exit;
        }
        let end = self.loops.len() as u32;
        if end > start {
            self.faces.push(Face { start, end, source: face.source });
        }
    }

    /// The corner where an edge goes through the plane, the same for both faces of the edge.
    fn crossing(&mut self, inside: u32, outside: u32) -> u32 {
        let known = self.crossings.iter().find(|c| c.inside == inside && c.outside == outside);
        if let Some(crossing) = known {
            return crossing.corner;
        }
        let (below, above) = (self.distances[inside as usize], self.distances[outside as usize]);
        let (from, to) = (self.corners[inside as usize], self.corners[outside as usize]);
        let corner = self.corners.len() as u32;
        self.corners.push(from + (to - from) * (below / (below - above)));
        self.cap.push(UNLINKED);
        self.crossings.push(Crossing { inside, outside, corner });
        corner
    }

    /// Adds the cap: one loop, or several where rounding made a nearly coplanar face cross the plane repeatedly.
    fn close(&mut self, first_new: u32) {
        for ix in 0..self.cap.len() {
            let start = self.loops.len() as u32;
            let mut at = ix;
            while self.cap[at] != UNLINKED {
                self.loops.push(first_new + at as u32);
                let next = self.cap[at];
                self.cap[at] = UNLINKED;
                at = (next - first_new) as usize;
            }
            let end = self.loops.len() as u32;
            if end > start {
                self.faces.push(Face { start, end, source: Source::Cutter(self.n_cuts - 1) });
            }
        }
    }

    /// Visits the faces of what is left: where each comes from and its corners, counter-clockwise from outside.
    pub fn for_each_face(&self, polygon: &mut Vec<DVec3>, mut visit: impl FnMut(Source, &[DVec3])) {
        for face in &self.faces {
            polygon.clear();
            let corners = &self.loops[face.start as usize..face.end as usize];
            polygon.extend(corners.iter().map(|&v| self.corners[v as usize]));
            visit(face.source, polygon);
        }
    }

    /// Integrates over what is left.
    fn measure(&mut self, w_from_a: &DMat3, size: f64) -> Overlap {
        let box_a = Aabb::from_points(self.live.iter().map(|&v| self.corners[v as usize]));
        let origin_a = box_a.center();
        let mut bounds = Aabb::EMPTY;
        for &v in &self.live {
            let x = *w_from_a * (self.corners[v as usize] - origin_a);
            self.corners[v as usize] = x;
            bounds.insert(x);
        }
        let mut sums = TetrahedronSums::default();
        let (mut gradient, mut angular_gradient) = (DVec3::ZERO, DVec3::ZERO);
        let mut areas = [0.0; 2];
        let mut facing = [Majority::default(); 2];
        for face in &self.faces {
            let corners = &self.loops[face.start as usize..face.end as usize];
            let corner = |i: usize| self.corners[corners[i] as usize];
            let apex = corner(0);
            let (mut twice_area, mut arms) = (DVec3::ZERO, DVec3::ZERO);
            for i in 2..corners.len() {
                let (b, c) = (corner(i - 1), corner(i));
                let nu = sums.add(apex, b, c);
                twice_area += nu;
                arms += (apex + b + c).cross(nu);
            }
            let is_cap = matches!(face.source, Source::Cutter(_));
            let (of, length) = (usize::from(!is_cap), twice_area.length());
            areas[of] += 0.5 * length;
            facing[of].add(Majority::of_plane(twice_area / length, 0.5 * length));
            if is_cap {
                gradient += 0.5 * twice_area;
                angular_gradient += arms / 6.0;
            }
        }
        let integrals = Integrals {
            origin: *w_from_a * origin_a,
            volume: sums.moments(),
            gradient,
            angular_gradient,
            areas,
            facing: facing.map(|votes| votes.leader()),
            bounds,
        };
        // The boundary points lose their indices here: the live ones move to the front.
        for (ix, &v) in self.live.iter().enumerate() {
            self.corners[ix] = self.corners[v as usize];
        }
        integrals.into_overlap(&self.corners[..self.live.len()], size)
    }
}
