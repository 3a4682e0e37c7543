//! The surface of an overlap as loose triangles.

use glam::DVec3;

use crate::Aabb;
use crate::overlap::exact::components::Components;

/// Whose surface a triangle belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::overlap::exact) enum Source {
    Host,
    Guest,
    /// Neither's: a cut through the overlap.
    Cut,
}

/// An oriented triangle of an overlap's surface, positions about the origin of the sums.
///
/// The triangles of a face cut by the crossing curve are fans; where the face's part is not star-shaped they overlap
/// with opposite orientations, and only their sum has a meaning.
#[derive(Clone, Copy, Debug)]
pub(in crate::overlap::exact) struct Triangle {
    pub corners: [DVec3; 3],
    /// How often it counts.
    pub weight: f64,
    /// Unit normal of the face that it is part of; zero for a face without area and for a cut.
    pub normal: DVec3,
    pub source: Source,
}

impl Triangle {
    /// Vector area with its weight.
    pub fn area_vector(&self) -> DVec3 {
        let [a, b, c] = self.corners;
        (b - a).cross(c - a) * (0.5 * self.weight)
    }

    /// Area with its weight, negative where the triangle is turned against its face.
    pub fn area(&self) -> f64 {
        self.area_vector().dot(self.normal)
    }
}

/// All triangles of an overlap's surface with the pieces they belong to; memory kept from pair to pair.
#[derive(Debug, Default)]
pub(in crate::overlap::exact) struct Soup {
    triangles: Vec<Triangle>,
    /// Root part of each triangle.
    roots: Vec<u32>,
    /// Whether the triangle's root encloses volume.
    solid: Vec<bool>,
}

impl Soup {
    /// Forgets the last overlap.
    pub fn clear(&mut self) {
        self.triangles.clear();
        self.roots.clear();
        self.solid.clear();
    }

    /// Adds a triangle of a part of the surface.
    pub fn push(&mut self, triangle: Triangle, part: u32, components: &mut Components) {
        let (root, is_solid) = components.piece_of(part);
        self.triangles.push(triangle);
        self.roots.push(root);
        self.solid.push(is_solid);
    }

    /// The triangles piece by piece. A part that encloses no volume of its own, a cavity or what is too thin to be a
    /// piece, goes with the smallest piece around it, or else with the nearest one.
    pub fn components(&self) -> Vec<Vec<Triangle>> {
        let mut groups = self.groups();
        groups.sort_by_key(|group| (!group.is_solid, group.root));
        let n_pieces = groups.partition_point(|group| group.is_solid);
        let rest = groups.split_off(n_pieces);
        for group in rest {
            let nearest = groups.iter_mut().min_by(|a, b| {
                let [a, b] = [a, b].map(|piece| piece.distance(&group.bounds));
                a.partial_cmp(&b).unwrap_or(std::cmp::Ordering::Equal)
            });
            if let Some(piece) = nearest {
                piece.triangles.extend(group.triangles);
            }
        }
        groups.into_iter().map(|group| group.triangles).collect()
    }

    fn groups(&self) -> Vec<Group> {
        let mut order: Vec<usize> = (0..self.triangles.len()).collect();
        order.sort_by_key(|&ix| self.roots[ix]);
        order
            .chunk_by(|&a, &b| self.roots[a] == self.roots[b])
            .map(|chunk| {
                let triangles: Vec<Triangle> = chunk.iter().map(|&ix| self.triangles[ix]).collect();
                let bounds = Aabb::from_points(triangles.iter().flat_map(|t| t.corners));
                Group { root: self.roots[chunk[0]], is_solid: self.solid[chunk[0]], triangles, bounds }
            })
            .collect()
    }
}

/// The triangles of one root part.
struct Group {
    root: u32,
    is_solid: bool,
    triangles: Vec<Triangle>,
    bounds: Aabb,
}

impl Group {
    /// By how much a box sticks out of this group's, and then the size of this group's box.
    fn distance(&self, inner: &Aabb) -> (f64, f64) {
        let out = (self.bounds.min - inner.min).max(inner.max - self.bounds.max).max(DVec3::ZERO);
        (out.length(), self.bounds.diagonal())
    }
}
