//! The overlap of a ball or a capsule A with a convex polyhedron B.

use std::cell::RefCell;
use std::f64::consts::TAU;

use glam::{DMat3, DVec3};

use super::ball::Sphere;
use super::cylinder::Cylinder;
use super::face::{Arc, Cut, PlanarPiece, Quadric, nearest_to_origin};
use super::placed_mesh::PlacedMesh;
use crate::majority::Majority;
use crate::moments::VolumeMoments;
use crate::overlap::convex::{Source, Workshop};
use crate::overlap::integrals::Integrals;
use crate::overlap::polyhedron::Polyhedron;
use crate::overlap::{Overlap, Patch, sphere};
use crate::pose::turn_onto;
use crate::shape::{Capsule, Cuboid, Plane};
use crate::{Aabb, Pose};

/// Distance of the polyhedron from a ball's centre, as a part of the radius, below which the direction to its nearest
/// point is not to be trusted.
const NEAR_CENTER: f64 = 1e-3;

/// The overlap of a ball or capsule A and a convex polyhedron B; see [`crate::overlap::overlap`].
pub(in crate::overlap) fn overlap(
    a: &Capsule,
    w_from_a: &Pose,
    b: &Polyhedron<'_>,
    w_from_b: &Pose,
) -> Overlap {
    let a_from_b = w_from_a.relative(w_from_b);
    let planes = planes_of(b, &a_from_b);
    if let Some(plane) = only_crossed(&planes, a) {
        let plane_from_z = turn_onto(DVec3::Z, w_from_a.vector(plane.normal));
        let on_plane = w_from_a.point(plane.offset * plane.normal);
        let w_from_plane = Pose::new(on_plane, plane_from_z);
        return if a.half_length == 0.0 {
            sphere::half_space_overlap(&w_from_plane, a.radius, w_from_a.translation)
        } else {
            half_space_overlap(&w_from_plane, a, w_from_a)
        }
        .swapped(w_from_a.translation - on_plane);
    }
    measure(a, b, &planes, &a_from_b, &w_from_a.matrix())
}

/// The planes of a polyhedron's faces.
pub(super) fn planes_of(b: &Polyhedron<'_>, a_from_b: &Pose) -> Vec<Plane> {
    (0..b.n_faces())
        .map(|face| {
            let plane = b.plane(face);
            let normal = a_from_b.vector(plane.normal);
            Plane { normal, offset: plane.offset + normal.dot(a_from_b.translation) }
        })
        .collect()
}

/// The plane that is all that a capsule meets of a polyhedron: it is wholly inside all the others.
fn only_crossed<'a>(planes: &'a [Plane], capsule: &Capsule) -> Option<&'a Plane> {
    let mut crossed = planes.iter().filter(|plane| {
        let highest = capsule.radius + capsule.half_length * plane.normal.z.abs();
        plane.offset < highest
    });
    let plane = crossed.next()?;
    crossed.next().is_none().then_some(plane)
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
    let cube = Polyhedron::Cuboid(Cuboid { half_size: DVec3::splat(half) });
    let origin_a = w_from_a.translation - w_from_b.translation;
    measure(b, &cube, &planes_of(&cube, &b_from_cube), &b_from_cube, &w_from_b.matrix()).swapped(origin_a)
}

fn measure(a: &Capsule, b: &Polyhedron<'_>, planes: &[Plane], a_from_b: &Pose, w_from_a: &DMat3) -> Overlap {
    thread_local! {
        /// Memory kept between calls; every call starts by clearing it.
        static WORKSHOP: RefCell<Workshop> = RefCell::default();
    }
    let mut query = Query::new(*a, Solidity::Convex(planes.to_vec()));
    WORKSHOP.with_borrow_mut(|workshop| {
        if a.half_length == 0.0 {
            workshop.load(b, a_from_b);
            query.add_ball(workshop, planes, 0.0, &[]);
            return;
        }
        for end in [-a.half_length, a.half_length] {
            // What of B is beyond the end of the axis, seen from there.
            let from_end = Pose { translation: a_from_b.translation - DVec3::Z * end, ..*a_from_b };
            let cut = Plane { normal: DVec3::Z * -end.signum(), offset: 0.0 };
            workshop.load(b, &from_end);
            if workshop.cut_by(&cut) {
                query.add_ball(workshop, planes, end, &[cut]);
            }
        }
        let cuts = [DVec3::Z, DVec3::NEG_Z].map(|normal| Plane { normal, offset: a.half_length });
        workshop.load(b, a_from_b);
        if cuts.iter().all(|cut| workshop.cut_by(cut)) {
            query.add_cylinder(workshop, planes, &cuts);
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
    /// Which way most of that faces.
    facing: Majority,
    cut: Cut,
    /// Shift from the frame of `cut` to the capsule's.
    shift: DVec3,
}

/// What the capsule meets, as far as questions for single points need it, in the capsule's frame.
#[derive(Debug)]
pub(super) enum Solidity<'a> {
    /// A convex polyhedron, by its planes.
    Convex(Vec<Plane>),
    /// A closed mesh.
    Mesh(PlacedMesh<'a>),
}

impl Solidity<'_> {
    pub fn contains(&self, x: DVec3) -> bool {
        match self {
            Self::Convex(planes) => planes.iter().all(|plane| plane.distance(x) <= 0.0),
            Self::Mesh(mesh) => mesh.contains(x),
        }
    }
}

/// One capsule and one other body on their way to an overlap, in the capsule's frame.
#[derive(Debug)]
pub(super) struct Query<'a> {
    pub capsule: Capsule,
    other: Solidity<'a>,
    parts: Vec<Part>,
}

impl<'a> Query<'a> {
    pub fn new(capsule: Capsule, other: Solidity<'a>) -> Self {
        Self { capsule, other, parts: Vec::with_capacity(3) }
    }

    /// Adds the ball about (0, 0, `end`), cut to what the workshop holds; `cuts` are the planes of its caps.
    fn add_ball(&mut self, workshop: &Workshop, planes: &[Plane], end: f64, cuts: &[Plane]) {
        let sphere = Sphere { radius: self.capsule.radius };
        let shift = DVec3::Z * end;
        let mut faces = Faces::new(shift);
        let mut nearest = DVec3::INFINITY;
        let mut outermost = Plane { normal: DVec3::Z, offset: f64::INFINITY };
        workshop.for_each_face(&mut Vec::new(), |source, polygon| {
            let plane = plane_of(source, planes, cuts, shift);
            if plane.offset < outermost.offset {
                outermost = plane;
            }
            if plane.offset.abs() >= sphere.radius {
                return;
            }
            let x = nearest_to_origin(polygon, plane.normal);
            if x.length_squared() < nearest.length_squared() {
                nearest = x;
            }
            if x.length_squared() < sphere.radius * sphere.radius {
                faces.add(&sphere, source, plane.normal, polygon);
            }
        });
        // With the centre outside, the polyhedron lies beyond its nearest point and below its outermost plane, and the
        // pole on the other side is not in it.
        let distance = nearest.length();
        if outermost.offset > 0.0 || distance >= sphere.radius {
            self.add_ball_part(faces, nearest, end);
            return;
        }
        let trusted = distance > NEAR_CENTER * sphere.radius;
        let pole = if trusted { -(nearest / distance) } else { outermost.normal };
        let integrals = sphere.integrate(&faces.cut, pole, false);
        self.parts.push(faces.into_part(integrals));
    }

    /// Adds a ball about (0, 0, `end`) of whose other body `nearest` is the point nearest to the ball's centre, seen
    /// from there; infinite if that is far.
    pub fn add_ball_part(&mut self, faces: Faces, nearest: DVec3, end: f64) {
        let sphere = Sphere { radius: self.capsule.radius };
        let away = if nearest.is_finite() { -nearest } else { DVec3::X };
        let pole = sphere.best_pole(&faces.cut.arcs, away.try_normalize().unwrap_or(DVec3::X));
        // Half a ball has a pole of its own, the half with the sign of its end.
        let is_own = pole.z * end >= 0.0;
        let pole_is_inside = is_own && self.other.contains(DVec3::Z * end + sphere.radius * pole);
        let integrals = sphere.integrate(&faces.cut, pole, pole_is_inside);
        self.parts.push(faces.into_part(integrals));
    }

    /// Adds the cylinder, cut to what the workshop holds.
    fn add_cylinder(&mut self, workshop: &Workshop, planes: &[Plane], cuts: &[Plane]) {
        let cylinder = Cylinder { radius: self.capsule.radius };
        let mut faces = Faces::new(DVec3::ZERO);
        workshop.for_each_face(&mut Vec::new(), |source, polygon| {
            let normal = plane_of(source, planes, cuts, DVec3::ZERO).normal;
            faces.add(&cylinder, source, normal, polygon);
        });
        self.add_cylinder_part(faces);
    }

    /// Adds the cylinder cut by faces.
    pub fn add_cylinder_part(&mut self, faces: Faces) {
        let (mut near, mut distance) = (DVec3::ZERO, f64::INFINITY);
        for (piece, _) in faces.cut.pieces.iter().zip(&faces.is_surface).filter(|(_, is)| **is) {
            let center = piece.origin + piece.first / piece.area;
            let across = center.truncate().length();
            if center.is_finite() && across < distance {
                (near, distance) = (center, across);
            }
        }
        let integrals = Cylinder { radius: self.capsule.radius }.integrate(&faces.cut, near);
        self.parts.push(faces.into_part(integrals));
    }

    pub fn into_overlap(self, w_from_a: &DMat3, polyhedron_size: f64) -> Overlap {
        let Some(origin) = self.parts.first().map(|part| part.apex) else { return Overlap::EMPTY };
        let mut volume = VolumeMoments::default();
        let (mut flat_vector, mut flat_arms) = (DVec3::ZERO, DVec3::ZERO);
        let mut areas = [0.0; 2];
        let mut facing = Majority::default();
        for part in &self.parts {
            let arm = part.apex - origin;
            volume += part.moments.translated(arm);
            flat_vector += part.flat_vector;
            flat_arms += part.flat_arms + arm.cross(part.flat_vector);
            areas[0] += part.round_area;
            areas[1] += part.flat_area;
            facing.add(part.facing);
        }
        // The parts of a surface that the quadrature leaves at zero up to rounding.
        let Capsule { radius, half_length } = self.capsule;
        let size = 2.0 * (radius + half_length);
        let least_area = f64::EPSILON * size * size;
        let areas = areas.map(|area| if area > least_area { area } else { 0.0 });
        // B's surface closes A's, so that A's integrals are the negative ones; from here on in world axes.
        let gradient = *w_from_a * -flat_vector;
        let normal = gradient.normalize_or_zero();
        let facing = facing.leader().map(|normal| *w_from_a * normal);
        let (points, bounds) = self.outline(w_from_a, [normal, facing.unwrap_or(normal)], origin);
        let integrals = Integrals {
            origin: *w_from_a * origin,
            volume: volume.rotated(*w_from_a),
            gradient,
            angular_gradient: *w_from_a * -flat_arms,
            areas,
            facing: [None, facing],
            bounds,
        };
        integrals.into_overlap(&points, size.min(polyhedron_size))
    }

    /// Points on the rim of the overlap about `origin`, dense enough for its support polygon, and its box; world axes. Along both normals, unit
    /// vectors or zero, they reach as far as the overlap does.
    fn outline(&self, w_from_a: &DMat3, normals: [DVec3; 2], origin: DVec3) -> (Vec<DVec3>, Aabb) {
        const PER_TURN: u32 = Patch::MAX_CORNERS as u32;
        let mut points = Vec::new();
        let mut bounds = Aabb::EMPTY;
        let world = |x: DVec3| *w_from_a * (x - origin);
        let a_from_w = w_from_a.transpose();
        for part in &self.parts {
            points.extend(part.cut.corners.iter().map(|&x| world(x + part.shift)));
            for arc in &part.cut.arcs {
                arc.sample(PER_TURN, |x| points.push(world(x + part.shift)));
                for normal in normals {
                    arc.extremes(a_from_w * normal, |x| points.push(world(x + part.shift)));
                }
                for axis in DVec3::AXES {
                    arc.extremes(a_from_w * axis, |x| bounds.insert(world(x + part.shift)));
                }
            }
        }
        // The round surface's own extreme points, where they are inside of the polyhedron.
        let normal = normals[0];
        let (u, w) = if normal == DVec3::ZERO { (DVec3::X, DVec3::Y) } else { normal.any_orthonormal_pair() };
        let around = (0..PER_TURN).map(|j| {
            let (sin, cos) = (TAU * f64::from(j) / f64::from(PER_TURN)).sin_cos();
            cos * u + sin * w
        });
        let directions = around
            .chain(normals)
            .chain(normals.map(|normal| -normal))
            .chain(DVec3::AXES.into_iter().flat_map(|e| [e, -e]));
        // A ball has one middle.
        let ends = [-self.capsule.half_length, self.capsule.half_length];
        let ends = if self.capsule.half_length == 0.0 { &ends[1..] } else { &ends };
        for direction in directions {
            for &end in ends {
                let x = DVec3::Z * end + self.capsule.radius * (a_from_w * direction);
                if self.other.contains(x) {
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

/// The plane of a face of the workpiece, seen from `shift`.
pub(super) fn plane_of(source: Source, planes: &[Plane], cuts: &[Plane], shift: DVec3) -> Plane {
    match source {
        Source::Cutter(ix) => cuts[ix as usize],
        Source::Workpiece(ix) => {
            let plane = planes[ix as usize];
            Plane { offset: plane.offset - plane.normal.dot(shift), ..plane }
        }
    }
}

/// The faces of the other body cut by one part of the capsule.
#[derive(Debug)]
pub(super) struct Faces {
    cut: Cut,
    shift: DVec3,
    /// For each piece, whether it is part of the polyhedron's surface.
    is_surface: Vec<bool>,
}

impl Faces {
    pub fn new(shift: DVec3) -> Self {
        Self { cut: Cut::default(), shift, is_surface: Vec::new() }
    }

    pub fn add(&mut self, quadric: &impl Quadric, source: Source, normal: DVec3, polygon: &[DVec3]) {
        self.cut.add_face(quadric, normal, polygon);
        self.is_surface.resize(self.cut.pieces.len(), matches!(source, Source::Workpiece(_)));
    }

    /// Whether nothing was met.
    pub fn is_empty(&self) -> bool {
        self.cut.pieces.is_empty()
    }

    /// Adds a disc that separates two parts of the capsule.
    pub fn add_cap(&mut self, piece: PlanarPiece, arcs: impl IntoIterator<Item = Arc>) {
        self.cut.pieces.push(piece);
        self.cut.arcs.extend(arcs);
        self.is_surface.push(false);
    }

    fn into_part(self, (moments, apex, round_area): (VolumeMoments, DVec3, f64)) -> Part {
        let (mut flat_vector, mut flat_area, mut flat_arms) = (DVec3::ZERO, 0.0, DVec3::ZERO);
        let mut facing = Majority::default();
        for (piece, _) in self.cut.pieces.iter().zip(&self.is_surface).filter(|(_, is)| **is) {
            facing.add(Majority::of_plane(piece.normal, piece.area));
            flat_vector += piece.area * piece.normal;
            flat_area += piece.area;
            flat_arms += (piece.first + piece.area * (piece.origin - apex)).cross(piece.normal);
        }
        let (cut, shift) = (self.cut, self.shift);
        Part {
            moments,
            apex: apex + shift,
            round_area,
            flat_vector,
            flat_area,
            flat_arms,
            facing,
            cut,
            shift,
        }
    }
}
