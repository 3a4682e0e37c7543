//! A mesh as it lies in the host's frame.

use glam::{DMat3, DVec3};

use super::predicates::{Facet, Owner};
use super::reusable_map::ReusableMap;
use crate::{Aabb, Pose, Solid};

/// Memory of the guest's points and boxes in the host's frame, each worked out when it is first asked for.
#[derive(Debug, Default)]
pub(super) struct PlacedCache {
    points: ReusableMap<DVec3>,
    boxes: ReusableMap<Aabb>,
}

/// A rigid motion as matrices.
#[derive(Debug)]
pub(super) struct Motion {
    rotation: DMat3,
    /// Magnitudes of the rotation's elements.
    spread: DMat3,
    translation: DVec3,
}

impl Motion {
    pub fn new(pose: &Pose) -> Self {
        let r = pose.matrix();
        Self {
            rotation: r,
            spread: DMat3::from_cols(r.x_axis.abs(), r.y_axis.abs(), r.z_axis.abs()),
            translation: pose.translation,
        }
    }

    /// The box around a moved box, grown by the rounding error of moving the points in it there and back.
    #[inline]
    pub fn around(&self, aabb: &Aabb) -> Aabb {
        /// Some units in the last place of the sum of all coordinates: each element of the rotation is off by one, the
        /// small ones too.
        const ROUNDING: f64 = 4e-15;
        let centre = aabb.center();
        let half = self.spread * aabb.half_size();
        let moved = self.rotation * centre + self.translation;
        let margin = ROUNDING * (centre.abs() + self.translation.abs() + half).element_sum();
        let half = half + margin;
        Aabb { min: moved - half, max: moved + half }
    }
}

/// One of the two meshes of a pair, seen in the host's frame. The host itself is not moved.
#[derive(Debug)]
pub(super) struct Placed<'a> {
    pub solid: &'a Solid,
    pub owner: Owner,
    moved: Option<(Motion, &'a mut PlacedCache)>,
}

impl<'a> Placed<'a> {
    pub fn host(solid: &'a Solid) -> Self {
        Self { solid, owner: Owner::Host, moved: None }
    }

    pub fn guest(solid: &'a Solid, host_from_guest: &Pose, cache: &'a mut PlacedCache) -> Self {
        cache.points.reset(solid.vertices().len());
        cache.boxes.reset(solid.bvh().nodes.len());
        Self { solid, owner: Owner::Guest, moved: Some((Motion::new(host_from_guest), cache)) }
    }

    /// Position of a vertex.
    #[inline]
    pub fn point(&mut self, vertex: u32) -> DVec3 {
        let x = self.solid.vertices()[vertex as usize];
        let Some((motion, cache)) = &mut self.moved else { return x };
        if let Some(point) = cache.points.get(vertex) {
            return point;
        }
        let point = motion.rotation * x + motion.translation;
        cache.points.set(vertex, point);
        point
    }

    /// Corner points of a face.
    #[inline]
    pub fn corners(&mut self, face: u32) -> [DVec3; 3] {
        let [a, b, c] = self.solid.faces()[face as usize].corners;
        [self.point(a), self.point(b), self.point(c)]
    }

    /// A face with what the tests need of it.
    pub fn facet(&mut self, face: u32) -> Facet {
        Facet::new(self.corners(face))
    }

    /// A box around a node's faces: the smallest one for the host and for leaves.
    #[inline]
    pub fn node_box(&mut self, node: u32) -> Aabb {
        let bvh_node = &self.solid.bvh().nodes[node as usize];
        let Some((motion, cache)) = &self.moved else { return bvh_node.aabb };
        if let Some(aabb) = cache.boxes.get(node) {
            return aabb;
        }
        let aabb = if bvh_node.is_leaf() {
            bvh_node.faces().fold(Aabb::EMPTY, |sum, face| sum.union(&Aabb::from_points(self.corners(face))))
        } else {
            motion.around(&bvh_node.aabb)
        };
        if let Some((_, cache)) = &mut self.moved {
            cache.boxes.set(node, aabb);
        }
        aabb
    }

    /// A point of the mesh's own frame in the host's.
    pub fn to_host_frame(&self, x: DVec3) -> DVec3 {
        match &self.moved {
            None => x,
            Some((motion, _)) => motion.rotation * x + motion.translation,
        }
    }

    /// A point of the host's frame in the mesh's own frame.
    pub fn to_own_frame(&self, x: DVec3) -> DVec3 {
        match &self.moved {
            None => x,
            Some((motion, _)) => motion.rotation.transpose() * (x - motion.translation),
        }
    }

    /// The rotation from the mesh's own frame into the host's.
    pub fn rotation(&self) -> DMat3 {
        self.moved.as_ref().map_or(DMat3::IDENTITY, |(motion, _)| motion.rotation)
    }
}
