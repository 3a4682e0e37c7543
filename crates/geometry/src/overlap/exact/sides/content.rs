//! What is summed over a part of an overlap.

use glam::DVec3;

use super::Triangle;
use super::surface::Chunk;
use crate::Aabb;
use crate::majority::Majority;
use crate::moments::{SurfaceMoments, VolumeMoments};
use crate::overlap::exact::sums::Sums;

/// Sums over a part of an overlap about the origin of the sums, and what spans it in the host's frame.
#[derive(Clone, Debug)]
pub(super) struct Content {
    pub volume: VolumeMoments,
    /// The host's surface inside the guest, and the guest's inside the host.
    pub surfaces: [SurfaceMoments; 2],
    pub bounds: Aabb,
    /// Boxes around the whole faces of host and guest that it shows something of.
    pub around: [Aabb; 2],
    /// Points that span it together with `nodes`.
    pub points: Vec<DVec3>,
    /// Subtrees of either mesh that are inside as a whole.
    pub nodes: [Vec<u32>; 2],
}

impl Default for Content {
    fn default() -> Self {
        Self {
            volume: VolumeMoments::default(),
            surfaces: [SurfaceMoments::default(); 2],
            bounds: Aabb::EMPTY,
            around: [Aabb::EMPTY; 2],
            points: Vec::new(),
            nodes: [Vec::new(), Vec::new()],
        }
    }
}

impl Content {
    /// The sums over a whole overlap, without what spans it.
    pub fn of_whole(sums: &Sums) -> Self {
        Self { volume: sums.volume, surfaces: sums.surfaces, ..Self::default() }
    }

    /// Adds a chunk of the surface, and what spans it if it is a subtree.
    pub fn add_chunk(&mut self, chunk: &mut Chunk<'_, '_>) {
        let (volume, surface) = chunk.moments();
        self.volume += volume;
        let owner = chunk.owner() as usize;
        self.surfaces[owner] += surface;
        self.around[owner] = self.around[owner].union(&chunk.bounds());
        if let Some(node) = chunk.node() {
            self.nodes[owner].push(node);
            self.bounds = self.bounds.union(&chunk.bounds());
        }
    }

    /// Adds a triangle, and its box.
    pub fn add_triangle(&mut self, triangle: &Triangle) {
        let [a, b, c] = triangle.corners;
        self.volume.add_triangle(a, b, c, triangle.weight);
        if let Some(owner) = triangle.owner {
            let surface = &mut self.surfaces[owner as usize];
            surface.add_triangle(a, b, c, triangle.weight);
            let area = triangle.area();
            surface.area += area;
            surface.facing.add(Majority::of_plane((b - a).cross(c - a).normalize_or_zero(), area));
            let around = &mut self.around[owner as usize];
            *around = around.union(&Aabb::from_points(triangle.corners));
        }
        for x in triangle.corners {
            self.bounds.insert(x);
        }
    }

    /// Adds a point that spans the part; `x` is about the origin.
    pub fn add_point(&mut self, x: DVec3, origin: DVec3) {
        self.points.push(x + origin);
        self.bounds.insert(x);
    }

    /// Adds another part.
    pub fn absorb(&mut self, other: Self) {
        self.volume += other.volume;
        for of in 0..2 {
            self.surfaces[of] += other.surfaces[of];
            self.nodes[of].extend(&other.nodes[of]);
            self.around[of] = self.around[of].union(&other.around[of]);
        }
        self.bounds = self.bounds.union(&other.bounds);
        self.points.extend(other.points);
    }
}
