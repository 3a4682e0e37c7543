//! A mesh as a ball or capsule sees it.

use glam::DVec3;

use crate::overlap::exact;
use crate::{Aabb, Pose, Solid};

/// A mesh seen from the capsule's frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlacedMesh<'a> {
    pub solid: &'a Solid,
    pub a_from_b: Pose,
}

impl PlacedMesh<'_> {
    /// Visits the triangles whose boxes meet a box of the capsule's frame.
    pub fn for_each_triangle_near(&self, aabb: &Aabb, mut visit: impl FnMut([DVec3; 3])) {
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
                visit(self.solid.corners(face).map(|x| r * x + self.a_from_b.translation));
            }
        }
    }

    /// Whether the mesh contains a point.
    pub fn contains(&self, x: DVec3) -> bool {
        exact::contains(self.solid, self.a_from_b.inverse().point(x))
    }
}
