//! From a triangle mesh to a solid.

use glam::DVec3;

use super::{Face, Solid, SolidError, bvh, flux::FluxMoments, topology, wide::WideTree};
use crate::{Aabb, TriangleMesh};

/// Smallest number of faces of a node whose surface integrals are kept: below it, summing the faces costs about as
/// much as moving the integrals to another origin.
const MIN_FLUX_FACES: u32 = 12;

/// Negative volume, as a part of the cube of the mesh's size, that rounding can give a mesh without thickness.
const FLAT: f64 = 1e-12;

pub(super) fn prepare(mesh: TriangleMesh) -> Result<Solid, SolidError> {
    check(&mesh)?;
    let (mut numbers, mut triangles) = distinct((0..).zip(mesh.triangles.iter().copied()));
    if triangles.is_empty() {
        return Err(SolidError::Empty);
    }
    let edges = match topology::pair_edges(&mesh.vertices, &triangles) {
        Ok(edges) => edges,
        Err(_) => {
            (numbers, triangles) = weld(&mesh.vertices, &numbers, &triangles);
            topology::pair_edges(&mesh.vertices, &triangles)?
        }
    };
    let corners: Vec<[DVec3; 3]> = triangles.iter().map(|t| t.map(|v| mesh.vertices[v as usize])).collect();
    let (mut bvh, order) = bvh::build(&corners);

    let (vertices, corners) = renumber_vertices(&mesh.vertices, &triangles, &order);
    let edges = renumber_edges(&edges, &triangles, &order, &corners);
    let edges = bvh.sort_edges(&edges);
    let faces = with_sides(&corners, &edges);

    let kept = bvh.number_flux(MIN_FLUX_FACES);
    let wide = WideTree::new(&bvh, |face| {
        Aabb::from_points(faces[face as usize].corners.map(|v| vertices[v as usize]))
    });
    let triangle_of_face = order.iter().map(|&t| numbers[t as usize]).collect();
    let middle = bvh.nodes[0].aabb.center();
    // Grown by its rounding, so that no vertex is outside.
    let radius = vertices.iter().map(|x| x.distance(middle)).fold(0.0, f64::max) * (1.0 + 4.0 * f64::EPSILON);
    let node_flux = Vec::new();
    let mut solid = Solid { mesh, vertices, radius, faces, triangle_of_face, edges, bvh, wide, node_flux };
    solid.node_flux = fluxes(&solid, &kept);
    let volume = solid.flux(0).volume().volume;
    let size = solid.aabb().diagonal();
    if volume < -FLAT * size.powi(3) {
        return Err(SolidError::InsideOut { volume });
    }
    Ok(solid)
}

/// Refuses indices out of range and coordinates that are not finite.
pub(super) fn check(mesh: &TriangleMesh) -> Result<(), SolidError> {
    let n_vertices = mesh.vertices.len();
    let mut is_used = vec![false; n_vertices];
    for (triangle, corners) in mesh.triangles.iter().enumerate() {
        for &vertex in corners {
            *is_used.get_mut(vertex as usize).ok_or(SolidError::VertexIndex {
                triangle,
                vertex,
                n_vertices,
            })? = true;
        }
    }
    let mut bad = (0..n_vertices).filter(|&v| is_used[v] && !mesh.vertices[v].is_finite());
    match bad.next() {
        None => Ok(()),
        Some(first) => Err(SolidError::NonFinite { n_vertices: 1 + bad.count(), first }),
    }
}

/// The triangles with three different vertices, and their numbers. A triangle without is a pair of opposite half-edges
/// and perhaps a loop: the rest closes without it.
fn distinct(numbered: impl Iterator<Item = (u32, [u32; 3])>) -> (Vec<u32>, Vec<[u32; 3]>) {
    numbered.filter(|(_, [a, b, c])| a != b && b != c && c != a).unzip()
}

/// The triangles with vertices at equal positions taken as one, the first, and the numbers of those left.
fn weld(vertices: &[DVec3], numbers: &[u32], triangles: &[[u32; 3]]) -> (Vec<u32>, Vec<[u32; 3]>) {
    // Adding zero makes -0 into +0, which differ in bits.
    let key = |v: u32| (vertices[v as usize] + DVec3::ZERO).to_array().map(f64::to_bits);
    let mut order: Vec<u32> = (0..vertices.len() as u32).collect();
    order.sort_unstable_by_key(|&v| (key(v), v));
    let mut first = vec![0_u32; vertices.len()];
    for group in order.chunk_by(|&a, &b| key(a) == key(b)) {
        for &v in group {
            first[v as usize] = group[0];
        }
    }
    let welded = triangles.iter().map(|t| t.map(|v| first[v as usize]));
    distinct(numbers.iter().copied().zip(welded))
}

/// The vertices in the order in which the faces first use them, and the faces' corners in the new numbers.
fn renumber_vertices(
    vertices: &[DVec3],
    triangles: &[[u32; 3]],
    order: &[u32],
) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let mut new_ix = vec![bvh::NONE; vertices.len()];
    let mut used = Vec::with_capacity(vertices.len());
    let corners = order
        .iter()
        .map(|&t| {
            triangles[t as usize].map(|v| {
                let ix = &mut new_ix[v as usize];
                if *ix == bvh::NONE {
                    *ix = used.len() as u32;
                    used.push(vertices[v as usize]);
                }
                *ix
            })
        })
        .collect();
    (used, corners)
}

/// The edges in the new numbers of faces and vertices, the lower vertex first again.
fn renumber_edges(
    edges: &[topology::Edge],
    triangles: &[[u32; 3]],
    order: &[u32],
    corners: &[[u32; 3]],
) -> Vec<topology::Edge> {
    let mut new_face = vec![0_u32; triangles.len()];
    for (new, &old) in order.iter().enumerate() {
        new_face[old as usize] = new as u32;
    }
    edges
        .iter()
        .map(|edge| {
            let faces = edge.faces.map(|f| new_face[f as usize]);
            let left = triangles[edge.faces[0] as usize];
            let ends = edge.ends.map(|v| {
                let corner = left.iter().position(|&c| c == v).expect("an edge's faces contain its ends");
                corners[faces[0] as usize][corner]
            });
            if ends[0] < ends[1] {
                topology::Edge { ends, faces }
            } else {
                topology::Edge { ends: [ends[1], ends[0]], faces: [faces[1], faces[0]] }
            }
        })
        .collect()
}

/// The faces with the edges along their sides.
fn with_sides(corners: &[[u32; 3]], edges: &[topology::Edge]) -> Vec<Face> {
    let mut faces: Vec<Face> =
        corners.iter().map(|&corners| Face { corners, sides: [bvh::NONE; 3] }).collect();
    for (ix, edge) in edges.iter().enumerate() {
        for (face, from) in edge.faces.into_iter().zip(edge.ends) {
            let face = &mut faces[face as usize];
            let side = face.corners.iter().position(|&v| v == from);
            face.sides[side.expect("an edge's faces contain its ends")] = ix as u32;
        }
    }
    faces
}

/// Surface integrals of the nodes that keep them, from the leaves up.
fn fluxes(solid: &Solid, kept: &[u32]) -> Vec<FluxMoments> {
    let bvh = solid.bvh();
    let centre = |node: u32| bvh.nodes[node as usize].aabb.center();
    let mut flux = vec![FluxMoments::default(); kept.len()];
    for (ix, &node) in kept.iter().enumerate().rev() {
        let mut sum = FluxMoments::default();
        for child in bvh.children(node) {
            let part = match bvh.flux_ix(child) {
                Some(child_ix) => flux[child_ix].translated(centre(child) - centre(node)),
                None => {
                    let faces = bvh.nodes[child as usize].faces();
                    FluxMoments::of_faces(faces.map(|face| solid.corners(face)), centre(node))
                }
            };
            sum.add(&part, 1.0);
        }
        flux[ix] = sum;
    }
    flux
}
