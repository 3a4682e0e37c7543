//! A mesh as a ball, a capsule, a cylinder or a cone sees it.

use glam::DVec3;

use super::face::nearest_to_origin;
use crate::overlap::exact;
use crate::{Aabb, Pose, Solid};

/// Part of a squared distance up to which two faces are equally near: they share the nearest point, seen from each with its own
/// rounding.
const AS_NEAR: f64 = 1e-12;

/// A triangle of a mesh in the round body's frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlacedFace {
    /// Its number in the mesh.
    pub face: u32,
    pub corners: [DVec3; 3],
    /// Outward, unit.
    pub normal: DVec3,
}

/// A mesh, or a piece of its surface, seen from the round body's frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlacedMesh<'a> {
    pub solid: &'a Solid,
    a_from_b: Pose,
    /// The faces of the piece; `None` for all of the surface.
    piece: Option<&'a [PlacedFace]>,
}

impl<'a> PlacedMesh<'a> {
    pub fn new(solid: &'a Solid, a_from_b: Pose) -> Self {
        Self { solid, a_from_b, piece: None }
    }

    /// The same mesh of which only these faces count.
    pub fn piece(&self, faces: &'a [PlacedFace]) -> Self {
        Self { piece: Some(faces), ..*self }
    }

    /// Whether it is a piece of the surface only.
    pub fn is_piece(&self) -> bool {
        self.piece.is_some()
    }

    /// Visits the triangles whose boxes meet a box of the round body's frame, with their numbers.
    pub fn for_each_triangle_near(&self, aabb: &Aabb, mut visit: impl FnMut(u32, [DVec3; 3])) {
        if let Some(faces) = self.piece {
            return faces.iter().for_each(|face| visit(face.face, face.corners));
        }
        let box_b = aabb.transformed(&self.a_from_b.inverse());
        let r = self.a_from_b.matrix();
        let tree = self.solid.bvh();
        let mut stack = vec![0];
        while let Some(node) = stack.pop() {
            let node_box = &tree.nodes[node as usize];
            if !node_box.aabb.meets(&box_b) {
                continue;
            }
            if !node_box.is_leaf() {
                stack.extend(tree.children(node));
                continue;
            }
            for face in node_box.faces() {
                visit(face, self.solid.corners(face).map(|x| r * x + self.a_from_b.translation));
            }
        }
    }

    /// Whether the mesh contains a point: of a piece of its surface, whether the point lies behind what of the piece is nearest.
    pub fn contains(&self, x: DVec3) -> bool {
        let Some(faces) = self.piece else {
            return exact::contains(self.solid, self.a_from_b.inverse().point(x));
        };
        let height = |face: &PlacedFace| face.normal.dot(face.corners[0] - x);
        // What is behind none is not behind the nearest: so it is for most points that are asked of a shallow piece.
        if faces.iter().all(|face| height(face) <= 0.0) {
            return false;
        }
        let (mut least, mut behind) = (f64::MAX, 0.0_f64);
        for face in faces {
            let normal = face.normal;
            // No point of the face is nearer than its plane.
            if height(face).powi(2) > (1.0 + AS_NEAR) * least {
                continue;
            }
            let nearest = nearest_to_origin(&face.corners.map(|corner| corner - x), normal);
            let (distance, height) = (nearest.length_squared(), normal.dot(nearest));
            let is_as_near = (distance - least).abs() <= AS_NEAR * least;
            // Of faces that meet in the nearest point the one that the point is farthest off the plane of tells.
            if is_as_near && height.abs() > behind.abs() || !is_as_near && distance < least {
                (least, behind) = (distance, height);
            }
        }
        behind > 0.0
    }
}
