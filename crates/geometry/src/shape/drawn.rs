//! Surfaces with the normals that they are drawn with.

use std::collections::HashMap;

use glam::DVec3;

use super::surface::{Ring, Surface, SurfacePoint};
use crate::TriangleMesh;

/// Faces that meet at a smaller angle than this are drawn as one smooth surface: its cosine, of 40 degrees.
const CREASE_COSINE: f64 = 0.766;

/// Triangles between points with normals: one point for each normal that a surface has there, so that edges are sharp.
#[derive(Clone, Debug, Default)]
pub struct DrawnSurface {
    /// The points.
    pub points: Vec<SurfacePoint>,
    /// Three points for each triangle, counter-clockwise from outside. Those of [`Surface::Faces`] are in the order of the faces.
    pub triangles: Vec<[u32; 3]>,
}

impl Surface<'_> {
    /// The surface as it is drawn; `None` without end.
    pub fn drawn(&self) -> Option<DrawnSurface> {
        match self {
            Self::Endless => None,
            Self::Faces(mesh) => Some(DrawnSurface::of_faces(mesh)),
            Self::Rings(rings) => Some(DrawnSurface::between(rings)),
        }
    }
}

impl DrawnSurface {
    /// The surface between rings of equally many points, from below to above; ring `k` of `n` points has the points `k n` to `k n + n - 1`.
    pub fn between(rings: &[Ring]) -> Self {
        let n = rings.first().map_or(0, Vec::len) as u32;
        let points: Vec<SurfacePoint> = rings.iter().flatten().copied().collect();
        let mut triangles = Vec::new();
        for row in 1..rings.len() as u32 {
            for i in 1..n {
                let [below, above] = [row - 1, row].map(|row| row * n + i);
                let both = [[below - 1, below, above], [below - 1, above, above - 1]];
                // At a pole one of the two has no area.
                let has_area = |t: &[u32; 3]| {
                    let [a, b, c] = t.map(|ix| points[ix as usize].position);
                    a != b && b != c && c != a
                };
                triangles.extend(both.into_iter().filter(has_area));
            }
        }
        Self { points, triangles }
    }

    /// Smooth where faces meet at small angles, with an edge elsewhere: the normal of a corner is the mean of those of the
    /// faces around its vertex that are less than the crease angle from its own, weighted by their angles there.
    fn of_faces(mesh: &TriangleMesh) -> Self {
        let vertex_of = mesh.first_at_place();
        let normals: Vec<DVec3> = (0..mesh.triangles.len()).map(|ix| mesh.normal(ix)).collect();
        let mut around: Vec<Vec<(u32, f64)>> = vec![Vec::new(); mesh.vertices.len()];
        for (face, triangle) in (0..).zip(&mesh.triangles) {
            for (k, v) in triangle.iter().enumerate() {
                let angle = angle_at(mesh.corners(face as usize), k);
                around[vertex_of[*v as usize] as usize].push((face, angle));
            }
        }
        let mut surface = Self::default();
        let mut known: HashMap<(u32, [u32; 3]), u32> = HashMap::new();
        for (face, triangle) in mesh.triangles.iter().enumerate() {
            let corners = triangle.map(|v| {
                let vertex = vertex_of[v as usize];
                let near = around[vertex as usize].iter().filter(|(other, _)| {
                    normals[*other as usize].dot(normals[face]) > CREASE_COSINE || *other as usize == face
                });
                let mean: DVec3 = near.map(|(other, angle)| normals[*other as usize] * *angle).sum();
                let normal = mean.normalize_or(normals[face]);
                // Normals that are drawn alike are one.
                *known.entry((vertex, normal.as_vec3().to_array().map(f32::to_bits))).or_insert_with(|| {
                    surface.points.push(SurfacePoint { position: mesh.vertices[v as usize], normal });
                    surface.points.len() as u32 - 1
                })
            });
            surface.triangles.push(corners);
        }
        surface
    }
}

fn angle_at(corners: [DVec3; 3], k: usize) -> f64 {
    let [to_next, to_last] = [1, 2].map(|d| (corners[(k + d) % 3] - corners[k]).normalize_or_zero());
    to_next.dot(to_last).clamp(-1.0, 1.0).acos()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::generate::sphere;
    use crate::{Cuboid, Shape};

    #[test]
    fn a_box_has_sharp_corners() {
        let shape = Shape::Cuboid(Cuboid { half_size: DVec3::ONE });
        let drawn = shape.surface(4).drawn().expect("finite");
        assert_eq!((drawn.points.len(), drawn.triangles.len()), (24, 12));
        for point in &drawn.points {
            assert_eq!(point.normal.to_array().iter().filter(|c| **c == 0.0).count(), 2, "{point:?}");
        }
        assert!(Shape::HalfSpace.surface(4).drawn().is_none());
    }

    /// Between two faces that meet at less than the crease angle a vertex has one normal: that of the ball but for the differences
    /// between the faces around it, which are some sixteenth of a radian wide.
    #[test]
    fn a_fine_mesh_is_smooth() {
        let mesh = sphere(1.0, 1000).expect("a mesh");
        let drawn = DrawnSurface::of_faces(&mesh);
        assert_eq!(drawn.points.len(), mesh.vertices.len());
        for point in &drawn.points {
            assert!(point.position.normalize().dot(point.normal) > 0.999);
        }
    }
}
