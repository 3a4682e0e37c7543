//! The overlap of a ball or a capsule A with a convex polyhedron B.

use std::cell::RefCell;
use std::f64::consts::TAU;

use glam::{DMat3, DVec3};

use super::ball::Sphere;
use super::cylinder::Cylinder;
use super::face::{Cut, Quadric, nearest_to_origin};
use crate::overlap::convex::{Polyhedron, Source, Workshop};
use crate::overlap::integrals::Integrals;
use crate::overlap::moments::VolumeMoments;
use crate::overlap::{Overlap, Patch};
use crate::shape::Plane;
use crate::{Aabb, Pose};

/// Distance of the polyhedron from a ball's centre, as a part of the radius, below which the direction to its nearest
/// point is not to be trusted.
const NEAR_CENTER: f64 = 1e-3;

/// The points within `radius` of the segment from (0, 0, -`half_length`) to (0, 0, `half_length`); a ball if the
/// length is zero.
#[derive(Clone, Copy, Debug)]
pub(in crate::overlap) struct Capsule {
    pub radius: f64,
    pub half_length: f64,
}

/// The overlap of a ball or capsule A and a convex polyhedron B; see [`crate::overlap::overlap`].
pub(in crate::overlap) fn overlap(
    a: &Capsule,
    w_from_a: &Pose,
    b: &Polyhedron<'_>,
    w_from_b: &Pose,
) -> Overlap {
    measure(a, b, &w_from_a.relative(w_from_b), &w_from_a.matrix())
}

/// The overlap of a half-space A and a ball or capsule B.
pub(in crate::overlap) fn half_space_overlap(w_from_a: &Pose, b: &Capsule, w_from_b: &Pose) -> Overlap {
    // A cube below B, its top in the plane, stands for the half-space; one around B if B is deep inside.
    let a_from_b = w_from_a.relative(w_from_b);
    let half = 4.0 * (b.radius + b.half_length);
    let top = if a_from_b.translation.z < -0.5 * half { a_from_b.translation.z + half } else { 0.0 };
    let b_from_a = a_from_b.rotation.conjugate();
    let b_from_cube = Pose {
        rotation: b_from_a,
        translation: b_from_a * (DVec3::Z * (top - half - a_from_b.translation.z)),
    };
    let cube = Polyhedron::Cuboid(DVec3::splat(half));
    let origin_a = w_from_a.translation - w_from_b.translation;
    measure(b, &cube, &b_from_cube, &w_from_b.matrix()).swapped(origin_a)
}

fn measure(a: &Capsule, b: &Polyhedron<'_>, a_from_b: &Pose, w_from_a: &DMat3) -> Overlap {
    thread_local! {
        /// Memory kept between calls; every call starts by clearing it.
        static WORKSHOP: RefCell<Workshop> = RefCell::default();
    }
    let planes = (0..b.n_faces())
        .map(|face| {
            let plane = b.plane(face);
            let normal = a_from_b.vector(plane.normal);
            Plane { normal, offset: plane.offset + normal.dot(a_from_b.translation) }
        })
        .collect();
    let mut query = Query { capsule: *a, planes, parts: Vec::with_capacity(3) };
    WORKSHOP.with_borrow_mut(|workshop| {
        if a.half_length == 0.0 {
            workshop.load(b, a_from_b);
            query.add_ball(workshop, 0.0, &[]);
            return;
        }
        for end in [-a.half_length, a.half_length] {
            // What of B is beyond the end of the axis, seen from there.
            let from_end = Pose { translation: a_from_b.translation - DVec3::Z * end, ..*a_from_b };
            let cut = Plane { normal: DVec3::Z * -end.signum(), offset: 0.0 };
            workshop.load(b, &from_end);
            if workshop.cut_by(&cut) {
                query.add_ball(workshop, end, &[cut]);
            }
        }
        let cuts = [DVec3::Z, DVec3::NEG_Z].map(|normal| Plane { normal, offset: a.half_length });
        workshop.load(b, a_from_b);
        if cuts.iter().all(|cut| workshop.cut_by(cut)) {
            query.add_cylinder(workshop, &cuts);
        }
    });
    query.into_overlap(w_from_a, b.size())
}

/// The integrals over one part of the capsule inside the polyhedron, in the capsule's frame.
#[derive(Debug)]
struct Part {
    moments: VolumeMoments,
    /// What `moments` are about.
    apex: DVec3,
    /// Area of the capsule's surface.
    round_area: f64,
    /// Vector area and plain area of the polyhedron's surface, and the moments `∫ x × n dS` about the apex.
    flat_vector: DVec3,
    flat_area: f64,
    flat_arms: DVec3,
    cut: Cut,
    /// Shift from the frame of `cut` to the capsule's.
    shift: DVec3,
}

/// One capsule and one polyhedron on their way to an overlap, in the capsule's frame.
struct Query {
    capsule: Capsule,
    planes: Vec<Plane>,
    parts: Vec<Part>,
}

impl Query {
    /// Adds the ball about (0, 0, `end`), cut to what the workshop holds; `cuts` are the planes of its caps.
    fn add_ball(&mut self, workshop: &Workshop, end: f64, cuts: &[Plane]) {
        let sphere = Sphere { radius: self.capsule.radius };
        let shift = DVec3::Z * end;
        let mut faces = Faces::new(shift);
        let mut nearest = DVec3::INFINITY;
        let mut outermost = Plane { normal: DVec3::Z, offset: f64::INFINITY };
        workshop.for_each_face(&mut Vec::new(), |source, polygon| {
            let plane = self.plane_of(source, cuts, shift);
            if plane.offset < outermost.offset {
                outermost = plane;
            }
            let x = nearest_to_origin(polygon, plane.normal);
            if x.length_squared() < nearest.length_squared() {
                nearest = x;
            }
            if x.length_squared() < sphere.radius * sphere.radius {
                faces.add(&sphere, source, plane.normal, polygon);
            }
        });
        // B lies on the far side of its nearest point, or below the outermost plane: the pole is away from B then.
        let distance = nearest.length();
        let (pole, pole_is_inside) = if outermost.offset > 0.0 {
            let pole = sphere.best_pole(&faces.cut.arcs, -(nearest / distance));
            (pole, self.planes.iter().all(|plane| plane.distance(sphere.radius * pole) < 0.0))
        } else if distance > NEAR_CENTER * sphere.radius {
            (-(nearest / distance), false)
        } else {
            (outermost.normal, false)
        };
        let integrals = sphere.integrate(&faces.cut, pole, pole_is_inside);
        self.parts.push(faces.into_part(integrals));
    }

    /// Adds the cylinder, cut to what the workshop holds.
    fn add_cylinder(&mut self, workshop: &Workshop, cuts: &[Plane]) {
        let cylinder = Cylinder { radius: self.capsule.radius };
        let mut faces = Faces::new(DVec3::ZERO);
        let (mut nearest, mut distance) = (DVec3::ZERO, f64::INFINITY);
        workshop.for_each_face(&mut Vec::new(), |source, polygon| {
            let normal = self.plane_of(source, cuts, DVec3::ZERO).normal;
            faces.add(&cylinder, source, normal, polygon);
            if matches!(source, Source::Workpiece(_)) {
                for piece in faces.cut.pieces.last() {
                    let center = piece.origin + piece.first / piece.area;
                    let across = center.truncate().length();
                    if center.is_finite() && across < distance {
                        (nearest, distance) = (center, across);
                    }
                }
            }
        });
        let integrals = cylinder.integrate(&faces.cut, nearest);
        self.parts.push(faces.into_part(integrals));
    }

    /// The plane of a face of the workpiece, seen from `shift`.
    fn plane_of(&self, source: Source, cuts: &[Plane], shift: DVec3) -> Plane {
        match source {
            Source::Cutter(ix) => cuts[ix as usize],
            Source::Workpiece(ix) => {
                let plane = self.planes[ix as usize];
                Plane { offset: plane.offset - plane.normal.dot(shift), ..plane }
            }
        }
    }

    fn into_overlap(self, w_from_a: &DMat3, polyhedron_size: f64) -> Overlap {
        let Some(origin) = self.parts.first().map(|part| part.apex) else { return Overlap::EMPTY };
        let mut volume = VolumeMoments::default();
        let (mut flat_vector, mut flat_arms) = (DVec3::ZERO, DVec3::ZERO);
        let mut areas = [0.0; 2];
        for part in &self.parts {
            let arm = part.apex - origin;
            volume += part.moments.translated(arm);
            flat_vector += part.flat_vector;
            flat_arms += part.flat_arms + arm.cross(part.flat_vector);
            areas[0] += part.round_area;
            areas[1] += part.flat_area;
        }
        // The parts of a surface that the quadrature leaves at zero up to rounding.
        let Capsule { radius, half_length } = self.capsule;
        let size = 2.0 * (radius + half_length);
        let least_area = f64::EPSILON * size * size;
        let areas = areas.map(|area| if area > least_area { area } else { 0.0 });
        // B's surface closes A's, so that A's integrals are the negative ones; from here on in world axes.
        let gradient = *w_from_a * -flat_vector;
        let (points, bounds) = self.outline(w_from_a, gradient, origin);
        let integrals = Integrals {
            origin: *w_from_a * origin,
            volume: volume.rotated(*w_from_a),
            gradient,
            angular_gradient: *w_from_a * -flat_arms,
            areas,
            bounds,
        };
        integrals.into_overlap(&points, size.min(polyhedron_size))
    }

    /// Points on the rim of the overlap about `origin`, dense enough for its support polygon, and its box; world axes.
    fn outline(&self, w_from_a: &DMat3, gradient: DVec3, origin: DVec3) -> (Vec<DVec3>, Aabb) {
        const PER_TURN: u32 = Patch::MAX_CORNERS as u32;
        let mut points = Vec::new();
        let mut bounds = Aabb::EMPTY;
        let world = |x: DVec3| *w_from_a * (x - origin);
        let a_from_w = w_from_a.transpose();
        for part in &self.parts {
            points.extend(part.cut.corners.iter().map(|&x| world(x + part.shift)));
            for arc in &part.cut.arcs {
                arc.sample(PER_TURN, |x| points.push(world(x + part.shift)));
                for axis in DVec3::AXES {
                    arc.extremes(a_from_w * axis, |x| bounds.insert(world(x + part.shift)));
                }
            }
        }
        // The round surface's own extreme points, where they are inside of the polyhedron.
        let normal = gradient.normalize_or_zero();
        let (u, w) = if normal == DVec3::ZERO { (DVec3::X, DVec3::Y) } else { normal.any_orthonormal_pair() };
        let around = (0..PER_TURN).map(|j| {
            let (sin, cos) = (TAU * f64::from(j) / f64::from(PER_TURN)).sin_cos();
            cos * u + sin * w
        });
        let directions = around.chain([normal, -normal]).chain(DVec3::AXES.into_iter().flat_map(|e| [e, -e]));
        for direction in directions {
            for end in [-self.capsule.half_length, self.capsule.half_length] {
                let x = DVec3::Z * end + self.capsule.radius * (a_from_w * direction);
                if self.planes.iter().all(|plane| plane.distance(x) <= 0.0) {
                    points.push(world(x));
                }
            }
        }
        for &x in &points {
            bounds.insert(x);
        }
        (points, bounds)
    }
}

/// The faces of the polyhedron cut by one part of the capsule.
#[derive(Debug)]
struct Faces {
    cut: Cut,
    shift: DVec3,
    /// For each piece, whether it is part of the polyhedron's surface.
    is_surface: Vec<bool>,
}

impl Faces {
    fn new(shift: DVec3) -> Self {
        Self { cut: Cut::default(), shift, is_surface: Vec::new() }
    }

    fn add(&mut self, quadric: &impl Quadric, source: Source, normal: DVec3, polygon: &[DVec3]) {
        self.cut.add_face(quadric, normal, polygon);
        self.is_surface.resize(self.cut.pieces.len(), matches!(source, Source::Workpiece(_)));
    }

    fn into_part(self, (moments, apex, round_area): (VolumeMoments, DVec3, f64)) -> Part {
        let (mut flat_vector, mut flat_area, mut flat_arms) = (DVec3::ZERO, 0.0, DVec3::ZERO);
        for (piece, _) in self.cut.pieces.iter().zip(&self.is_surface).filter(|(_, is)| **is) {
            flat_vector += piece.area * piece.normal;
            flat_area += piece.area;
            flat_arms += (piece.first + piece.area * (piece.origin - apex)).cross(piece.normal);
        }
        let (cut, shift) = (self.cut, self.shift);
        Part { moments, apex: apex + shift, round_area, flat_vector, flat_area, flat_arms, cut, shift }
    }
}
