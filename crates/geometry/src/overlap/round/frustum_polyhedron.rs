//! The overlap of a cylinder or a cone A with a convex polyhedron B.

use std::cell::RefCell;

use glam::{DMat3, DVec3};

use super::capsule_polyhedron::{Solidity, plane_of, planes_of};
use super::face::{Arc, Cut, FULL_TURN, PlanarPiece, Quadric};
use crate::majority::Majority;
use crate::moments::VolumeMoments;
use crate::overlap::convex::{Source, Workshop};
use crate::overlap::integrals::Integrals;
use crate::overlap::polyhedron::Polyhedron;
use crate::overlap::{Overlap, Patch};
use crate::shape::{Cuboid, Frustum, Plane};
use crate::{Aabb, Pose};

/// The overlap of a cylinder or cone A and a convex polyhedron B; see [`crate::overlap::overlap`].
pub(in crate::overlap) fn overlap(
    a: &Frustum,
    w_from_a: &Pose,
    b: &Polyhedron<'_>,
    w_from_b: &Pose,
) -> Overlap {
    let a_from_b = w_from_a.relative(w_from_b);
    measure(a, b, &a_from_b, &w_from_a.matrix())
}

/// The overlap of a half-space A and a cylinder or cone B.
pub(in crate::overlap) fn half_space_overlap(w_from_a: &Pose, b: &Frustum, w_from_b: &Pose) -> Overlap {
    // A cube below B, its top in the plane, stands for the half-space; one around B if B is deep inside.
    let a_from_b = w_from_a.relative(w_from_b);
    let half = 4.0 * (b.bottom + b.half_height);
    let top = if a_from_b.translation.z < -0.5 * half { a_from_b.translation.z + half } else { 0.0 };
    let b_from_a = a_from_b.rotation.conjugate();
    let b_from_cube = Pose {
        rotation: b_from_a,
        translation: b_from_a * (DVec3::Z * (top - half - a_from_b.translation.z)),
    };
    let cube = Polyhedron::Cuboid(Cuboid { half_size: DVec3::splat(half) });
    let origin_a = w_from_a.translation - w_from_b.translation;
    measure(b, &cube, &b_from_cube, &w_from_b.matrix()).swapped(origin_a)
}

fn measure(a: &Frustum, b: &Polyhedron<'_>, a_from_b: &Pose, w_from_a: &DMat3) -> Overlap {
    thread_local! {
        /// Memory kept between calls; every call starts by clearing it.
        static WORKSHOP: RefCell<Workshop> = RefCell::default();
    }
    let planes = planes_of(b, a_from_b);
    if touches_at_most(a, &planes) {
        return Overlap::EMPTY;
    }
    let mut faces = Faces::default();
    let ends = [DVec3::NEG_Z, DVec3::Z].map(|normal| Plane { normal, offset: a.half_height });
    let is_left = WORKSHOP.with_borrow_mut(|workshop| {
        workshop.load(b, a_from_b);
        let is_left = ends.iter().all(|end| workshop.cut_by(end));
        workshop.for_each_face(&mut Vec::new(), |source, polygon| {
            let normal = plane_of(source, &planes, &ends, DVec3::ZERO).normal;
            // The end of a cone is its tip.
            if source != Source::Cutter(1) || a.top > 0.0 {
                faces.add(a, normal, polygon, matches!(source, Source::Workpiece(_)));
            }
        });
        is_left
    });
    if !is_left {
        return Overlap::EMPTY;
    }
    faces.into_overlap(a, &Solidity::Convex(planes), w_from_a, b.size())
}

/// Whether A reaches no farther beyond a face's plane than where its round side meets that in arcs that may be any, see [`FULL_TURN`]: they are as
/// high as the radius times half the square of half the angle.
fn touches_at_most(a: &Frustum, planes: &[Plane]) -> bool {
    let deep = |plane: &Plane| plane.offset + a.reach(-plane.normal);
    planes.iter().map(deep).fold(f64::INFINITY, f64::min) <= FULL_TURN * FULL_TURN * a.bottom
}

/// What the faces of B and the ends of a cylinder or cone A have in common with the other body, in A's frame.
#[derive(Debug, Default)]
pub(super) struct Faces {
    cut: Cut,
    /// For each piece, whether it is part of B's surface; the others are of A's ends.
    is_of_b: Vec<bool>,
}

impl Faces {
    /// Adds a face of B, or a part of an end of A that is inside B before it is cut by A's round side.
    pub fn add(&mut self, a: &impl Quadric, normal: DVec3, polygon: &[DVec3], is_of_b: bool) {
        self.cut.add_face(a, normal, polygon);
        self.is_of_b.resize(self.cut.pieces.len(), is_of_b);
    }

    /// Whether nothing was met.
    pub fn is_empty(&self) -> bool {
        self.cut.pieces.is_empty()
    }

    /// Adds the part of an end of A inside B.
    pub fn add_end(&mut self, piece: PlanarPiece, arcs: impl IntoIterator<Item = Arc>) {
        self.cut.pieces.push(piece);
        self.cut.arcs.extend(arcs);
        self.is_of_b.push(false);
    }

    fn pieces(&self, of_b: bool) -> impl Iterator<Item = &PlanarPiece> {
        self.cut.pieces.iter().zip(&self.is_of_b).filter(move |(_, is)| **is == of_b).map(|(piece, _)| piece)
    }

    /// The outward normal that most of A's ends, or of B's surface, have.
    fn facing(&self, of_b: bool) -> Option<DVec3> {
        let mut votes = Majority::default();
        self.pieces(of_b).for_each(|piece| votes.add(Majority::of_plane(piece.normal, piece.area)));
        votes.leader()
    }

    /// A point of B's surface that is deep in A.
    fn near(&self, a: &Frustum) -> DVec3 {
        let centers = self.pieces(true).map(|piece| piece.origin + piece.first / piece.area);
        let deepest = centers.filter(|x| x.is_finite()).min_by(|x, y| a.value(*x).total_cmp(&a.value(*y)));
        deepest.unwrap_or(DVec3::ZERO)
    }

    pub fn into_overlap(self, a: &Frustum, b: &Solidity<'_>, w_from_a: &DMat3, size_b: f64) -> Overlap {
        let tip = DVec3::Z * a.half_height;
        let has_tip = a.top == 0.0 && b.contains(tip);
        let (moments, apex, round_area): (VolumeMoments, _, _) =
            a.integrate(&self.cut, self.near(a), has_tip);
        let (mut flat_vector, mut flat_area, mut flat_arms) = (DVec3::ZERO, 0.0, DVec3::ZERO);
        for piece in self.pieces(true) {
            flat_vector += piece.area * piece.normal;
            flat_area += piece.area;
            flat_arms += (piece.first + piece.area * (piece.origin - apex)).cross(piece.normal);
        }
        let end_area: f64 = self.pieces(false).map(|piece| piece.area).sum();
        // Of a surface that is not there the quadrature leaves rounding.
        let size = 2.0 * a.bottom.hypot(a.half_height);
        let least_area = f64::EPSILON * size * size;
        let areas = [round_area + end_area, flat_area].map(|area| if area > least_area { area } else { 0.0 });
        let tip = has_tip.then_some(tip);
        let facing = [false, true].map(|of_b| self.facing(of_b));
        let normals = [Some(flat_vector.normalize_or_zero()), facing[0], facing[1]];
        let (points, bounds) = self.outline(w_from_a, apex, normals, tip);
        // B's surface closes A's, so that A's integrals are the negative ones; from here on in world axes.
        let integrals = Integrals {
            origin: *w_from_a * apex,
            volume: moments.rotated(*w_from_a),
            gradient: *w_from_a * -flat_vector,
            angular_gradient: *w_from_a * -flat_arms,
            areas,
            facing: facing.map(|normal| normal.map(|normal| *w_from_a * normal)),
            bounds,
        };
        integrals.into_overlap(&points, size.min(size_b))
    }

    /// Points whose convex hull is nearly the overlap's, about `origin`, and its box; world axes. The round side has no extreme
    /// point but on its rim and at its tip. Along the `normals`, unit vectors of A's frame, the hull is as deep as the overlap.
    fn outline(
        &self,
        w_from_a: &DMat3,
        origin: DVec3,
        normals: [Option<DVec3>; 3],
        tip: Option<DVec3>,
    ) -> (Vec<DVec3>, Aabb) {
        const PER_TURN: u32 = Patch::MAX_CORNERS as u32;
        let world = |x: DVec3| *w_from_a * (x - origin);
        let a_from_w = w_from_a.transpose();
        let mut bounds = Aabb::EMPTY;
        let mut points: Vec<DVec3> = self.cut.corners.iter().copied().chain(tip).map(world).collect();
        for arc in &self.cut.arcs {
            arc.sample(PER_TURN, |x| points.push(world(x)));
            for normal in normals.into_iter().flatten() {
                arc.extremes(normal, |x| points.push(world(x)));
            }
            for axis in DVec3::AXES {
                arc.extremes(a_from_w * axis, |x| bounds.insert(world(x)));
            }
        }
        for &x in &points {
            bounds.insert(x);
        }
        (points, bounds)
    }
}
