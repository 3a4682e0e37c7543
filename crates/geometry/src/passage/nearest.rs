//! Which faces of a surface come near to a point.

use glam::DVec3;

use super::surface::Surface;
use crate::triangle::{nearest, weighted};

impl Surface {
    /// Whether faces other than those said come nearer to a point of its frame than a distance \[m\].
    pub fn comes_near(&self, x: DVec3, distance: f64, but: [u32; 2]) -> bool {
        let mut stack = vec![0_u32];
        while let Some(ix) = stack.pop() {
            let node = &self.bvh.nodes[ix as usize];
            if x.clamp(node.aabb.min, node.aabb.max).distance(x) >= distance {
                continue;
            }
            if !node.is_leaf() {
                stack.extend(self.bvh.children(ix));
                continue;
            }
            for face in node.faces().filter(|face| !but.contains(face)) {
                let corners = self.faces[face as usize].corners.map(|v| self.vertices[v as usize]);
                if weighted(corners, nearest(corners, x)).distance(x) < distance {
                    return true;
                }
            }
        }
        false
    }
}
