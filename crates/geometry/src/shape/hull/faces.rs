//! The plane faces of a convex polyhedron, from triangles that may share planes.

use glam::DVec3;

use super::incremental::edges;
use crate::shape::Plane;
use crate::{Aabb, TriangleMesh};

/// Largest number of faces of a hull.
pub(super) const MAX_FACES: usize = 64;

/// Distance from a plane, as a part of the size, up to which a point counts as lying in it: what is left of exactly
/// planar faces after they were turned and moved in f64, with room for small triangles whose planes reach far.
pub(super) const COPLANAR: f64 = 1e-12;

/// Polygons of the hull's triangles that lie in one plane, as loops of point indices; points in a side's interior are
/// left out.
pub(super) fn merged_faces(points: &[DVec3], triangles: &[[u32; 3]]) -> Vec<Vec<u32>> {
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
    let mut order: Vec<(f64, usize)> = (0..n).map(|t| (squared(t), t)).collect();
    order.sort_unstable_by(|(a, i), (b, j)| b.total_cmp(a).then(i.cmp(j)));
    order.into_iter().map(|(_, t)| t).collect()
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
pub(super) fn plane_of_loop(points: &[DVec3], polygon: &[u32]) -> Plane {
    let origin = points[polygon[0] as usize];
    let arm = |i: usize| points[polygon[i] as usize] - origin;
    let area: DVec3 = (2..polygon.len()).map(|i| arm(i - 1).cross(arm(i))).sum();
    let normal = area.normalize_or_zero();
    let mean = (1..polygon.len()).map(arm).sum::<DVec3>() / polygon.len() as f64;
    Plane { normal, offset: normal.dot(origin) + normal.dot(mean) }
}

/// The planes of a mesh's triangles, if they are at most [`MAX_FACES`] and all vertices lie inside of
/// each.
pub(super) fn supporting_planes(mesh: &TriangleMesh) -> Option<Vec<Plane>> {
    let tolerance = COPLANAR * mesh.aabb().diagonal();
    let mut planes: Vec<Plane> = Vec::new();
    for t in by_falling_area(mesh.triangles.len(), |t| mesh.corners(t)) {
        let corners = mesh.corners(t);
        if planes.iter().any(|plane| corners.iter().all(|&x| plane.distance(x).abs() <= tolerance)) {
            continue;
        }
        let plane = plane_of_loop(&mesh.vertices, &mesh.triangles[t]);
        let inside = |&v: &u32| plane.distance(mesh.vertices[v as usize]) <= tolerance;
        if planes.len() == MAX_FACES || !mesh.triangles.iter().flatten().all(inside) {
            return None;
        }
        planes.push(plane);
    }
    Some(planes)
}
