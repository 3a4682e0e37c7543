//! The directions in which the plane faces of a shape look.

use glam::DVec3;

use super::Solid;
use crate::{Aabb, Cuboid, Near, Shape};

/// Square of the distance of two unit normals that are one: rounding of the vertices of a face that is a millionth as wide as its shape. No unit.
const SAME: f64 = 1e-18;

impl Shape {
    /// The outward normals of the plane faces of a box, a hull, a mesh, a cylinder or a cone of which some part comes `near`, or of more, each once; in
    /// the shape's frame. Other shapes have none.
    pub fn face_normals(&self, near: &Near) -> Vec<DVec3> {
        match self {
            Self::Cuboid(cuboid) => cuboid.face_normals(near),
            Self::Cylinder(_) => vec![DVec3::Z, DVec3::NEG_Z],
            Self::Cone(_) => vec![DVec3::NEG_Z],
            _ => self.solid().map_or_else(Vec::new, |solid| solid.face_normals(near)),
        }
    }
}

impl Cuboid {
    fn face_normals(&self, near: &Near) -> Vec<DVec3> {
        let half = self.half_size;
        let normals = DVec3::AXES.into_iter().flat_map(|axis| [axis, -axis]);
        let comes_near = |normal: &DVec3| {
            let middle = half * *normal;
            let across = half * (DVec3::ONE - normal.abs());
            near.meets(&Aabb { min: middle - across, max: middle + across })
        };
        normals.filter(comes_near).collect()
    }
}

impl Solid {
    fn face_normals(&self, near: &Near) -> Vec<DVec3> {
        let (vertices, bvh) = (self.vertices(), self.bvh());
        let mut normals: Vec<DVec3> = Vec::new();
        for node in bvh.nodes_near(near) {
            let at = &bvh.nodes[node as usize];
            if !at.is_leaf() {
                continue;
            }
            let faces = at.faces();
            for face in &self.faces()[faces.start as usize..faces.end as usize] {
                let corners = face.corners.map(|ix| vertices[ix as usize]);
                let [a, b, c] = corners;
                let normal = (b - a).cross(c - a).normalize_or_zero();
                let is_known = |known: &DVec3| known.distance_squared(normal) <= SAME;
                if normal != DVec3::ZERO
                    && near.meets(&Aabb::from_points(corners))
                    && !normals.iter().any(is_known)
                {
                    normals.push(normal);
                }
            }
        }
        normals
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::generate;

    /// Near a corner of a box three faces look out, near the middle of one that alone; the same as a mesh and as a hull.
    #[test]
    fn faces_near_a_place_are_told() {
        let cuboid = Cuboid { half_size: DVec3::new(0.5, 0.2, 0.1) };
        let hull = Shape::from_mesh(cuboid.to_mesh()).expect("closed");
        let mesh = generate::cuboid(2.0 * cuboid.half_size, 1200).expect("a box");
        let mesh = Shape::Mesh(std::sync::Arc::new(Solid::new(mesh).expect("closed")));
        for shape in [Shape::Cuboid(cuboid), hull, mesh] {
            let sum = |place: DVec3| {
                let normals = shape.face_normals(&Near { place, radius: 0.01 });
                (normals.len(), normals.into_iter().sum::<DVec3>())
            };
            let (n, of_corner) = sum(cuboid.half_size * DVec3::new(1.0, -1.0, 1.0));
            assert!(n == 3 && of_corner.distance(DVec3::new(1.0, -1.0, 1.0)) < 1e-12, "{of_corner}");
            let (n, of_face) = sum(DVec3::new(0.1, 0.05, -0.1));
            assert!(n == 1 && of_face.distance(DVec3::NEG_Z) < 1e-12, "{of_face}");
            assert_eq!(sum(DVec3::ZERO).0, 0);
        }
    }
}
