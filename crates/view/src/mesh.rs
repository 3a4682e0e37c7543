//! Surfaces of shapes as they are drawn: triangles with normals, and the edges of the wireframe.

use std::collections::BTreeMap;

use bytemuck::{Pod, Zeroable};
use glam::DVec3;
use tactum_geometry::shape::{self, DrawnSurface, surface::Ring, surface::ring};
use tactum_geometry::{Aabb, Shape, TriangleMesh};

/// Faces with normals nearer than this are one plane, and the edge between them is none: 1 - cosine.
const FLAT: f64 = 1e-9;

/// Cells along the longest side of the surfaces that are drawn of a shape; the first one is not simplified.
pub const DETAILS: [Option<u32>; 6] = [None, Some(48), Some(20), Some(10), Some(5), Some(3)];

/// Meridians of a round shape in the same order, even numbers; half as many steps of latitude from pole to pole. The
/// sides of a polygon of 8 lie up to 8 % of the radius within the circle, those of one of 6 up to 13 %.
const MERIDIANS: [u32; 6] = [64, 32, 20, 12, 8, 6];

/// Surfaces with fewer triangles than this are never simplified.
const FEW: usize = 800;

/// A corner of a triangle, in the frame of the shape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Vertex {
    /// Position \[m\].
    pub position: [f32; 3],
    /// Unit normal.
    pub normal: [f32; 3],
}

/// A surface.
#[derive(Clone, Debug, Default)]
pub struct Surface {
    /// Corners.
    pub vertices: Vec<Vertex>,
    /// Three corners for each triangle, counter-clockwise from outside.
    pub triangles: Vec<u32>,
    /// Two corners for each edge of the wireframe.
    pub edges: Vec<u32>,
}

impl Surface {
    /// The surface of a shape; `None` for a half-space, which has no end.
    pub fn of(shape: &Shape) -> Option<Self> {
        Self::drawn(&shape.surface(MERIDIANS[0]))
    }

    fn drawn(surface: &shape::Surface<'_>) -> Option<Self> {
        let drawn = surface.drawn()?;
        let edges = match surface {
            shape::Surface::Endless => return None,
            shape::Surface::Faces(mesh) => edges(mesh, &drawn.triangles),
            shape::Surface::Rings(rings) => grid_lines(rings),
        };
        Some(Self::new(&drawn, edges))
    }

    fn new(drawn: &DrawnSurface, edges: Vec<u32>) -> Self {
        let vertices = drawn.points.iter().map(|point| vertex(point.position, point.normal)).collect();
        Self { vertices, triangles: drawn.triangles.as_flattened().to_vec(), edges }
    }

    /// The surface in all details, see [`DETAILS`]; only the first one of a surface that has few triangles as it is, and
    /// none of a half-space.
    pub fn details(shape: &Shape) -> Vec<Self> {
        let surface = shape.surface(MERIDIANS[0]);
        if matches!(surface, shape::Surface::Rings(_)) {
            return MERIDIANS.iter().filter_map(|&n| Self::drawn(&shape.surface(n))).collect();
        }
        let Some(whole) = Self::drawn(&surface) else { return Vec::new() };
        if whole.triangles.len() / 3 < FEW {
            return vec![whole];
        }
        let rough: Vec<Self> = DETAILS.iter().flatten().map(|n| whole.simplified(*n)).collect();
        std::iter::once(whole).chain(rough).collect()
    }

    /// The surface with all corners in a cell of a grid taken for one (Rossignac and Borrel 1993), `cells` of them along its
    /// longest side: for bodies that are seen from so far that a cell is a few pixels wide. It may lose thin parts, but
    /// no part moves by more than a cell.
    pub fn simplified(&self, cells: u32) -> Self {
        let at = |corner: &Vertex| DVec3::from(corner.position.map(f64::from));
        let bounds = Aabb::from_points(self.vertices.iter().map(at));
        let width = bounds.half_size().max_element() * 2.0 / f64::from(cells);
        if !(width > 0.0 && width.is_finite()) {
            return self.clone();
        }
        let mut clusters: BTreeMap<[i64; 3], (u32, DVec3, DVec3, f64)> = BTreeMap::new();
        let mut cluster_of = Vec::with_capacity(self.vertices.len());
        for corner in &self.vertices {
            let cell = ((at(corner) - bounds.min) / width).floor().to_array().map(|x| x as i64);
            let next = clusters.len() as u32;
            let cluster = clusters.entry(cell).or_insert((next, DVec3::ZERO, DVec3::ZERO, 0.0));
            cluster.1 += at(corner);
            cluster.2 += DVec3::from(corner.normal.map(f64::from));
            cluster.3 += 1.0;
            cluster_of.push(cluster.0);
        }
        let mut vertices = vec![Vertex::default(); clusters.len()];
        for (ix, sum, normals, n) in clusters.into_values() {
            vertices[ix as usize] = vertex(sum / n, normals.normalize_or(DVec3::Z));
        }
        let moved = |list: &[u32]| list.iter().map(|ix| cluster_of[*ix as usize]).collect::<Vec<u32>>();
        let is_left = |t: &&[u32]| t[0] != t[1] && t[1] != t[2] && t[2] != t[0];
        let triangles = moved(&self.triangles).chunks_exact(3).filter(is_left).flatten().copied().collect();
        let edges = moved(&self.edges).chunks_exact(2).filter(|e| e[0] != e[1]).flatten().copied().collect();
        Self { vertices, triangles, edges }
    }

    /// A prism around a cylinder of radius one from z = 0 to z = 1, open at its ends.
    pub fn shaft(n_sides: u32) -> Self {
        grid(&[0.0, 1.0].map(|z| ring(n_sides, 1.0, z, [1.0, 0.0])))
    }

    /// A pyramid for a cone of radius one from z = 0 to its tip at z = 1, with its base.
    pub fn tip(n_sides: u32) -> Self {
        let mut cone =
            grid(&[(1.0, 0.0), (0.0, 1.0)].map(|(radius, z)| ring(n_sides, radius, z, [1.0, 1.0])));
        let base = grid(&[0.0, 1.0].map(|radius| ring(n_sides, radius, 0.0, [0.0, -1.0])));
        let first = cone.vertices.len() as u32;
        cone.vertices.extend(base.vertices);
        cone.triangles.extend(base.triangles.iter().map(|ix| ix + first));
        cone
    }
}

/// The surface between rings, from below to above.
fn grid(rows: &[Ring]) -> Surface {
    Surface::new(&DrawnSurface::between(rows), grid_lines(rows))
}

/// The lines between the points of rings: along each and to the next.
fn grid_lines(rows: &[Ring]) -> Vec<u32> {
    let n = rows.first().map_or(0, Vec::len) as u32;
    let rows = 0..(rows.len() as u32).saturating_sub(1);
    let points = rows.flat_map(|row| (0..n - 1).map(move |i| row * n + i));
    points.flat_map(|at| [at, at + 1, at, at + n]).collect()
}

fn vertex(position: DVec3, normal: DVec3) -> Vertex {
    Vertex { position: position.as_vec3().to_array(), normal: normal.as_vec3().to_array() }
}

/// Every edge once, except those within a plane.
fn edges(mesh: &TriangleMesh, corners: &[[u32; 3]]) -> Vec<u32> {
    let points = mesh.first_at_place();
    let normals: Vec<DVec3> = (0..mesh.triangles.len()).map(|ix| mesh.normal(ix)).collect();
    let mut sides: BTreeMap<[u32; 2], (usize, [u32; 2], bool)> = BTreeMap::new();
    for (face, triangle) in mesh.triangles.iter().enumerate() {
        for k in 0..3 {
            let next = (k + 1) % 3;
            let [a, b] = [k, next].map(|k| points[triangle[k] as usize]);
            let drawn = [corners[face][k], corners[face][next]];
            sides
                .entry([a.min(b), a.max(b)])
                .and_modify(|(other, _, sharp)| *sharp = 1.0 - normals[*other].dot(normals[face]) > FLAT)
                .or_insert((face, drawn, true));
        }
    }
    sides.values().filter(|(_, _, sharp)| *sharp).flat_map(|(_, drawn, _)| *drawn).collect()
}

#[cfg(test)]
mod tests {
    use tactum_geometry::{Capsule, Cuboid, Sphere};

    use super::*;

    /// Sum of the signed volumes under the triangles: positive where they face outwards.
    fn volume(surface: &Surface) -> f64 {
        let at = |ix: &u32| DVec3::from(surface.vertices[*ix as usize].position.map(f64::from));
        surface.triangles.chunks(3).map(|t| at(&t[0]).dot(at(&t[1]).cross(at(&t[2]))) / 6.0).sum()
    }

    #[test]
    fn surfaces_enclose_their_shapes() {
        let sphere = Surface::of(&Shape::Sphere(Sphere { radius: 0.5 })).expect("finite");
        let exact = 4.0 / 3.0 * std::f64::consts::PI * 0.125;
        // A polyhedron of 64 meridians lacks (2 π / 64)² / 2 of the volume, 0.5 %.
        assert!((volume(&sphere) / exact - 1.0).abs() < 6e-3, "{}", volume(&sphere));
        let half_size = DVec3::new(0.5, 1.0, 1.5);
        let cuboid = Surface::of(&Shape::Cuboid(Cuboid { half_size })).expect("finite");
        assert!((volume(&cuboid) - 6.0).abs() < 1e-6);
        assert!(Surface::of(&Shape::HalfSpace).is_none());
    }

    #[test]
    fn a_box_has_sharp_corners_and_twelve_edges() {
        let cuboid = Surface::of(&Shape::Cuboid(Cuboid { half_size: DVec3::ONE })).expect("finite");
        assert_eq!(cuboid.vertices.len(), 24);
        assert_eq!(cuboid.edges.len(), 24);
        for corner in &cuboid.vertices {
            assert_eq!(corner.normal.iter().filter(|c| **c == 0.0).count(), 2, "{corner:?}");
        }
    }

    /// The volume of a simplified ball is smaller by no more than a shell of half a cell.
    #[test]
    fn simplified_surfaces_keep_their_form() {
        let ball = Surface::of(&Shape::Sphere(Sphere { radius: 1.0 })).expect("finite");
        let rough = ball.simplified(16);
        assert!(rough.triangles.len() < ball.triangles.len() / 2, "{}", rough.triangles.len() / 3);
        let part = volume(&rough) / volume(&ball);
        assert!((1.0 - 3.0 / 16.0..1.0).contains(&part), "{part}");
        // Simplifying to cells smaller than any triangle changes nothing.
        assert!((volume(&ball.simplified(100_000)) / volume(&ball) - 1.0).abs() < 1e-6);
    }

    /// A ball of a polygon with n sides as its outline and half as many circles lacks a part of the order of (pi / n)².
    #[test]
    fn round_shapes_are_rougher_from_detail_to_detail() {
        for half_length in [0.0, 0.7] {
            let shape = Shape::Capsule(Capsule { radius: 1.0, half_length });
            let exact = std::f64::consts::PI * (4.0 / 3.0 + 2.0 * half_length);
            let mut last = usize::MAX;
            for (surface, n) in Surface::details(&shape).iter().zip(MERIDIANS) {
                let missing = 1.0 - volume(surface) / exact;
                let step = std::f64::consts::PI / f64::from(n);
                assert!(missing > 0.0 && missing < 2.0 * step * step, "{n}: {missing}");
                assert!(surface.triangles.len() < last);
                last = surface.triangles.len();
            }
        }
    }

    #[test]
    fn arrows_face_outwards() {
        assert!(volume(&Surface::tip(16)) > 0.9 * std::f64::consts::PI / 3.0);
        let shaft = Surface::shaft(12);
        for corners in shaft.triangles.chunks(3) {
            let at = |ix: &u32| DVec3::from(shaft.vertices[*ix as usize].position.map(f64::from));
            let [a, b, c] = [0, 1, 2].map(|k| at(&corners[k]));
            let n = (b - a).cross(c - a).normalize();
            let own = DVec3::from(shaft.vertices[corners[0] as usize].normal.map(f64::from));
            assert!(n.dot(own) > 0.9);
        }
    }
}
