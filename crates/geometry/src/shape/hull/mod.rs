//! Convex polyhedra with few faces.
//!
//! | module | what it holds |
//! |---|---|
//! | [`incremental`] | the triangles of the hull of points |
//! | [`faces`] | the polygons that they make up, and the planes of a mesh |

mod faces;
mod incremental;

use std::sync::{Arc, OnceLock};

use glam::DVec3;
use thiserror::Error;

use super::form::{Form, ShapeKey};
use super::{Plane, Surface};
use crate::mesh::MassMoments;
use crate::moments::VolumeMoments;
use crate::{Aabb, Ray, Solid, TriangleMesh};
use faces::{COPLANAR, merged_faces, plane_of_loop, supporting_planes};
use incremental::triangulated_hull;

/// Relative difference of the volumes of a mesh and of its hull up to which the mesh counts as convex.
const EQUAL_VOLUME: f64 = 1e-11;

/// Why points have no usable hull.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum HullError {
    /// A coordinate is infinite or not a number.
    #[error("point {point} is not finite")]
    NonFinite {
        /// Index of the point.
        point: usize,
    },
    /// All points lie in one plane.
    #[error("the {n_points} points lie in one plane and enclose no volume")]
    Flat {
        /// Number of points.
        n_points: usize,
    },
    /// The hull is better treated as a general mesh.
    #[error("the hull has {n_faces} faces; a convex shape may have {}", ConvexHull::MAX_FACES)]
    TooManyFaces {
        /// Number of planar faces.
        n_faces: usize,
    },
}

/// A convex polyhedron of at most [`ConvexHull::MAX_FACES`] planar polygonal faces, in its own frame.
#[derive(Debug)]
pub struct ConvexHull {
    vertices: Vec<DVec3>,
    planes: Vec<Plane>,
    /// Vertex indices of all faces, counter-clockwise from outside, one face after the other.
    loops: Vec<u32>,
    /// End of each face's run in `loops`.
    ends: Vec<u32>,
    aabb: Aabb,
    moments: VolumeMoments,
    solid: OnceLock<Arc<Solid>>,
}

impl ConvexHull {
    /// Largest number of faces: beyond it clipping face by face is no longer faster than the general method.
    pub const MAX_FACES: usize = faces::MAX_FACES;

    /// The convex hull of some points; those inside it are of no consequence.
    ///
    /// Which points are corners is decided exactly. Triangles whose corners lie in one plane to 1e-12 of the hull's
    /// size are merged into one face.
    ///
    /// # Errors
    ///
    /// [`HullError`]: a point that is not finite, points in one plane, too many faces.
    pub fn from_points(points: &[DVec3]) -> Result<Self, HullError> {
        if let Some(point) = points.iter().position(|x| !x.is_finite()) {
            return Err(HullError::NonFinite { point });
        }
        let flat = HullError::Flat { n_points: points.len() };
        let triangles = triangulated_hull(points).ok_or(flat.clone())?;
        let faces = merged_faces(points, &triangles);
        if faces.len() > Self::MAX_FACES {
            return Err(HullError::TooManyFaces { n_faces: faces.len() });
        }
        let hull = Self::from_faces(points, &faces);
        if hull.moments.volume > 0.0 { Ok(hull) } else { Err(flat) }
    }

    /// The mesh as a convex polyhedron, if it is one: a closed, outward mesh whose triangles lie in at most
    /// [`ConvexHull::MAX_FACES`] planes, with all vertices inside of each of them (to 1e-12 of the size).
    ///
    /// Coplanar triangles become one face, so that a box is recognised however finely it is meshed.
    pub fn from_mesh(mesh: &TriangleMesh) -> Option<Self> {
        let planes = supporting_planes(mesh)?;
        let tolerance = COPLANAR * mesh.aabb().diagonal();
        let mut used: Vec<u32> = mesh.triangles.iter().flatten().copied().collect();
        used.sort_unstable();
        used.dedup();
        let corners: Vec<DVec3> = used
            .into_iter()
            .map(|v| mesh.vertices[v as usize])
            .filter(|&x| planes.iter().filter(|p| p.distance(x).abs() <= tolerance).count() >= 3)
            .collect();
        let hull = Self::from_points(&corners).ok()?;
        // All triangles lie on the hull's surface facing outwards; equal volumes say that they cover it once.
        let origin = hull.aabb.center();
        let mut moments = VolumeMoments::default();
        for ix in 0..mesh.triangles.len() {
            let [a, b, c] = mesh.corners(ix).map(|x| x - origin);
            moments.add_triangle(a, b, c, 1.0);
        }
        let difference = (moments.volume - hull.moments.volume).abs();
        (difference <= EQUAL_VOLUME * hull.moments.volume).then_some(hull)
    }

    /// From the loops of a closed convex polyhedron, counter-clockwise from outside; any number of faces.
    pub(crate) fn from_faces(points: &[DVec3], faces: &[Vec<u32>]) -> Self {
        let mut used: Vec<u32> = faces.iter().flatten().copied().collect();
        used.sort_unstable();
        used.dedup();
        let vertices: Vec<DVec3> = used.iter().map(|&v| points[v as usize]).collect();
        let renumbered = |v: u32| used.partition_point(|&u| u < v) as u32;
        let aabb = Aabb::from_points(vertices.iter().copied());
        let origin = aabb.center();
        let mut hull = Self {
            vertices,
            planes: Vec::with_capacity(faces.len()),
            loops: Vec::new(),
            ends: Vec::with_capacity(faces.len()),
            aabb,
            moments: VolumeMoments::default(),
            solid: OnceLock::new(),
        };
        for face in faces {
            let corner = |i: usize| points[face[i] as usize] - origin;
            for i in 2..face.len() {
                hull.moments.add_triangle(corner(0), corner(i - 1), corner(i), 1.0);
            }
            hull.planes.push(plane_of_loop(points, face));
            hull.loops.extend(face.iter().map(|&v| renumbered(v)));
            hull.ends.push(hull.loops.len() as u32);
        }
        hull.moments = hull.moments.translated(origin);
        hull
    }

    /// Corners, each in at least three faces \[m\].
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// Planes of the faces.
    pub fn planes(&self) -> &[Plane] {
        &self.planes
    }

    /// Vertex indices of each face, counter-clockwise from outside, in the order of [`ConvexHull::planes`].
    pub fn faces(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        (0..self.ends.len()).map(|ix| {
            let start = if ix == 0 { 0 } else { self.ends[ix - 1] };
            &self.loops[start as usize..self.ends[ix] as usize]
        })
    }

    /// The smallest box around the polyhedron in its own frame.
    pub fn aabb(&self) -> Aabb {
        self.aabb
    }

    /// Volume moments about the origin of the polyhedron's frame.
    pub fn moments(&self) -> &VolumeMoments {
        &self.moments
    }

    /// The polyhedron as a solid for overlaps with meshes, made when it is first asked for.
    pub fn solid(&self) -> &Arc<Solid> {
        let make = || Solid::new(self.to_mesh()).expect("a hull's faces close and face outwards");
        self.solid.get_or_init(|| Arc::new(make()))
    }

    /// The polyhedron as a triangle mesh.
    pub fn to_mesh(&self) -> TriangleMesh {
        // Adding zero makes -0 into +0.
        let vertices = self.vertices.iter().map(|&x| x + DVec3::ZERO).collect();
        TriangleMesh::of_polygons(vertices, self.faces())
    }
}

impl Form for Arc<ConvexHull> {
    fn own_aabb(&self) -> Aabb {
        self.aabb
    }

    /// Where the ray has entered the last plane before it leaves the first (Haines 1991).
    fn ray(&self, ray: &Ray) -> Option<f64> {
        let (mut enter, mut leave) = (f64::NEG_INFINITY, f64::INFINITY);
        for plane in &self.planes {
            let (height, rate) = (plane.distance(ray.origin), plane.normal.dot(ray.direction));
            if rate < 0.0 {
                enter = enter.max(height / -rate);
            } else if rate > 0.0 {
                leave = leave.min(-height / rate);
            } else if height > 0.0 {
                return None;
            }
        }
        (0.0 <= enter && enter <= leave).then_some(enter)
    }

    fn reach(&self, direction: DVec3) -> f64 {
        self.farthest(direction)
    }

    fn farthest(&self, direction: DVec3) -> f64 {
        self.vertices.iter().map(|x| x.dot(direction)).fold(f64::NEG_INFINITY, f64::max)
    }

    fn farthest_of_core(&self, direction: DVec3) -> Option<DVec3> {
        let along = |x: &&DVec3| x.dot(direction);
        self.vertices.iter().max_by(|a, b| along(a).total_cmp(&along(b))).copied()
    }

    fn surface(&self, _: u32) -> Surface<'_> {
        Surface::faces(self.to_mesh())
    }

    /// That of its triangles: the hull's own moments are about the frame's origin, from which a far body's cannot be told
    /// any more.
    fn unit_mass(&self) -> Option<MassMoments> {
        Some(MassMoments::of(&self.to_mesh()))
    }

    fn n_faces(&self) -> usize {
        self.planes.len()
    }

    fn solid(&self) -> Option<&Arc<Solid>> {
        Some(ConvexHull::solid(self))
    }

    fn key(&self) -> ShapeKey {
        ShapeKey::shared("hull", self)
    }
}
