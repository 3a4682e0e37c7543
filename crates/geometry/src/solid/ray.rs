//! Where a ray enters a mesh.

use glam::DVec3;

use super::Solid;
use crate::{Aabb, Ray};

/// How far a box is grown, as a part of its coordinates and the ray's, so that rounding leaves out nothing that lies in its
/// walls.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

impl Solid {
    /// Distance along a ray of the solid's frame at which it first goes through a face from outside to inside \[m\].
    ///
    /// A ray along an edge, or through one to within rounding, may miss both of its faces.
    pub(crate) fn first_entry(&self, ray: &Ray) -> Option<f64> {
        self.first_crossing(ray, |corners| corners).map(|(distance, _)| distance)
    }

    /// The same from inside to outside.
    pub(crate) fn first_exit(&self, ray: &Ray) -> Option<f64> {
        self.first_crossing(ray, |[a, b, c]| [a, c, b]).map(|(distance, _)| distance)
    }

    /// The first face that the ray goes through from inside to outside.
    pub(crate) fn exit_face(&self, ray: &Ray) -> Option<u32> {
        self.first_crossing(ray, |[a, b, c]| [a, c, b]).map(|(_, face)| face)
    }

    /// Distance to the first face that the ray goes through from outside to inside, with its corners in this order \[m\], and that face.
    fn first_crossing(&self, ray: &Ray, order: impl Fn([DVec3; 3]) -> [DVec3; 3]) -> Option<(f64, u32)> {
        let mut nearest: Option<(f64, u32)> = None;
        let mut stack = vec![0];
        while let Some(node) = stack.pop() {
            let bvh_node = &self.bvh.nodes[node as usize];
            if !may_enter(ray, &bvh_node.aabb, nearest.map_or(f64::INFINITY, |(distance, _)| distance)) {
                continue;
            }
            if !bvh_node.is_leaf() {
                stack.extend(self.bvh.children(node));
                continue;
            }
            for face in bvh_node.faces() {
                if let Some(distance) = entry(ray, order(self.corners(face)))
                    && nearest.is_none_or(|(least, _)| distance < least)
                {
                    nearest = Some((distance, face));
                }
            }
        }
        nearest
    }
}

/// Whether a ray may meet something in a box before it has gone as far as `limit`.
fn may_enter(ray: &Ray, aabb: &Aabb, limit: f64) -> bool {
    let reach = aabb.min.abs().max(aabb.max.abs()) + ray.origin.abs();
    let grown = aabb.inflated(ROUNDING * reach.max_element());
    ray.within(&grown).is_some_and(|[enter, leave]| leave >= 0.0 && enter <= limit)
}

/// Where a ray goes through a triangle from its outer to its inner side (Möller and Trumbore 1997).
fn entry(ray: &Ray, [a, b, c]: [DVec3; 3]) -> Option<f64> {
    let (e1, e2) = (b - a, c - a);
    let p = ray.direction.cross(e2);
    let det = e1.dot(p);
    if det <= 0.0 {
        return None;
    }
    let s = ray.origin - a;
    let u = s.dot(p) / det;
    let q = s.cross(e1);
    let v = ray.direction.dot(q) / det;
    let t = e2.dot(q) / det;
    (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t >= 0.0).then_some(t)
}
