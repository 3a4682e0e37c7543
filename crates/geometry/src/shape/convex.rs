//! Convex polyhedra with few faces.

use std::sync::{Arc, OnceLock};

use glam::DVec3;
use thiserror::Error;

use super::hull::{edges, triangulated_hull};
use crate::overlap::convex::Polyhedron;
use crate::overlap::moments::VolumeMoments;
use crate::{Aabb, Solid, TriangleMesh};

/// Distance from a plane, as a part of the size, up to which a point counts as lying in it: what is left of exactly
/// planar faces after they were turned and moved in f64, with room for small triangles whose planes reach far.
const COPLANAR: f64 = 1e-12;

/// Relative difference of the volumes of a mesh and of its hull up to which the mesh counts as convex.
const EQUAL_VOLUME: f64 = 1e-11;

/// A plane `normal · x = offset`; its inside is where `normal · x < offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// Outward unit normal.
    pub normal: DVec3,
    /// Distance from the origin along the normal \[m\].
    pub offset: f64,
}

impl Plane {
    /// Signed distance of a point, positive outside \[m\].
    pub fn distance(&self, x: DVec3) -> f64 {
        self.normal.dot(x) - self.offset
    }
}

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
    pub const MAX_FACES: usize = 64;

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
        Polyhedron::Hull(self).to_mesh()
    }
}

/// Polygons of the hull's triangles that lie in one plane, as loops of point indices; points in a side's interior are
/// left out.
fn merged_faces(points: &[DVec3], triangles: &[[u32; 3]]) -> Vec<Vec<u32>> {
    let corners = |t: usize| triangles[t].map(|v| points[v as usize]);
    let used = triangles.iter().flatten().map(|&v| points[v as usize]);
    let tolerance = COPLANAR * Aabb::from_points(used).diagonal();
    let mut taken = vec![false; triangles.len()];
    let mut faces = Vec::new();
    for seed in by_falling_area(triangles.len(), corners) {
        if taken[seed] {
            continue;
        }
        taken[seed] = true;
        let plane = plane_of_loop(points, &triangles[seed]);
        let mut rim = edges(triangles[seed]).to_vec();
        let mut ix = 0;
        while ix < rim.len() {
            let [from, to] = rim[ix];
            let joins = |&t: &usize| {
                !taken[t]
                    && edges(triangles[t]).contains(&[to, from])
                    && corners(t).iter().all(|&x| plane.distance(x).abs() <= tolerance)
            };
            let Some(neighbour) = (0..triangles.len()).find(joins) else {
                ix += 1;
                continue;
            };
            taken[neighbour] = true;
            for [from, to] in edges(triangles[neighbour]) {
                match rim.iter().position(|&e| e == [to, from]) {
                    Some(twin) => {
                        rim.swap_remove(twin);
                    }
                    None => rim.push([from, to]),
                }
            }
            ix = 0;
        }
        faces.push(rim);
    }
    without_side_points(points.len(), faces.iter().map(|rim| chain(rim)).collect())
}

/// Indices of triangles, the largest first: their planes are the best known.
fn by_falling_area(n: usize, corners: impl Fn(usize) -> [DVec3; 3]) -> Vec<usize> {
    let squared = |t: usize| {
        let [a, b, c] = corners(t);
        (b - a).cross(c - a).length_squared()
    };
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&i, &j| squared(j).total_cmp(&squared(i)).then(i.cmp(&j)));
    order
}

/// The directed edges of one cycle in their order, as the vertices they start from.
fn chain(rim: &[[u32; 2]]) -> Vec<u32> {
    let mut cycle = Vec::with_capacity(rim.len());
    let mut edge = rim[0];
    loop {
        cycle.push(edge[0]);
        match rim.iter().find(|next| next[0] == edge[1]) {
            Some(&next) if next != rim[0] && cycle.len() < rim.len() => edge = next,
            _ => return cycle,
        }
    }
}

/// Leaves out of loops the points that only two faces share: they lie inside a straight side.
fn without_side_points(n_points: usize, mut loops: Vec<Vec<u32>>) -> Vec<Vec<u32>> {
    let mut n_faces = vec![0_u32; n_points];
    for &v in loops.iter().flatten() {
        n_faces[v as usize] += 1;
    }
    for polygon in &mut loops {
        polygon.retain(|&v| n_faces[v as usize] > 2);
    }
    loops
}

/// The plane through a polygon: its vector area's direction, through the mean of its corners.
fn plane_of_loop(points: &[DVec3], polygon: &[u32]) -> Plane {
    let origin = points[polygon[0] as usize];
    let arm = |i: usize| points[polygon[i] as usize] - origin;
    let area: DVec3 = (2..polygon.len()).map(|i| arm(i - 1).cross(arm(i))).sum();
    let normal = area.normalize_or_zero();
    let mean = (1..polygon.len()).map(arm).sum::<DVec3>() / polygon.len() as f64;
    Plane { normal, offset: normal.dot(origin) + normal.dot(mean) }
}

/// The planes of a mesh's triangles, if they are at most [`ConvexHull::MAX_FACES`] and all vertices lie inside of
/// each.
fn supporting_planes(mesh: &TriangleMesh) -> Option<Vec<Plane>> {
    let tolerance = COPLANAR * mesh.aabb().diagonal();
    let mut planes: Vec<Plane> = Vec::new();
    for t in by_falling_area(mesh.triangles.len(), |t| mesh.corners(t)) {
        let corners = mesh.corners(t);
        if planes.iter().any(|plane| corners.iter().all(|&x| plane.distance(x).abs() <= tolerance)) {
            continue;
        }
        let plane = plane_of_loop(&mesh.vertices, &mesh.triangles[t]);
        let inside = |&v: &u32| plane.distance(mesh.vertices[v as usize]) <= tolerance;
        if planes.len() == ConvexHull::MAX_FACES || !mesh.triangles.iter().flatten().all(inside) {
            return None;
        }
        planes.push(plane);
    }
    Some(planes)
}
