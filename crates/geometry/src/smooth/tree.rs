//! Parts of a smooth surface, found by which way they face and where they lie.

use glam::DVec3;

use super::directions::Directions;
use super::parts::{Bend, Part};
use super::{Near, SmoothPoint};
use crate::Aabb;

/// Largest number of parts of a leaf.
const LEAF: usize = 4;

/// A binary tree of parts: boxes that also know between which normals their parts may touch.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tree<T> {
    /// Each before what is below it.
    nodes: Vec<Node>,
    parts: Vec<T>,
    directions: Directions,
}

#[derive(Clone, Debug, PartialEq)]
struct Node {
    bounds: Aabb,
    /// Middle of the directions in which parts may touch, and the smallest cosine of one of them with it; -1 where that may be any.
    axis: DVec3,
    cosine: f64,
    /// The most that the surface lies outside one of the parts \[m\].
    bulge: f64,
    /// Its parts.
    first: u32,
    end: u32,
    /// The node that follows those below it.
    next: u32,
}

impl Node {
    fn new<T: Part>(parts: &[T]) -> Self {
        let bounds = Aabb::from_points(parts.iter().flat_map(|part| part.points().iter().copied()));
        let normals = || parts.iter().flat_map(|part| part.normals().iter().copied());
        let axis = normals().sum::<DVec3>().normalize_or_zero();
        let least = normals().map(|n| n.dot(axis)).reduce(f64::min);
        let aside = parts.iter().map(Part::aside).fold(0.0, f64::max);
        // What lies beyond a right angle is no cone between whose ends arcs stay.
        let cosine = least.filter(|least| *least > 0.0).map_or(-1.0, |least| least - aside);
        let bulge = parts.iter().map(Part::bulge).fold(0.0, f64::max);
        Self { bounds, axis, cosine, bulge, first: 0, end: 0, next: 0 }
    }

    fn may_touch(&self, toward: DVec3, least: f64) -> bool {
        toward.dot(self.axis) >= self.cosine
            && self.bounds.center().dot(toward) + self.bounds.half_size().dot(toward.abs()) >= least
    }

    fn is_leaf(&self) -> bool {
        (self.end - self.first) as usize <= LEAF
    }
}

impl<T: Part> Tree<T> {
    pub fn new(mut parts: Vec<T>) -> Self {
        let mut nodes = Vec::new();
        if !parts.is_empty() {
            divide(&mut parts, 0, &mut nodes);
        }
        let directions = Directions::new(&parts);
        Self { nodes, parts, directions }
    }

    /// The parts of leaves that are looked into, as all nodes above them are.
    fn parts_of<'a>(
        &'a self,
        mut is_looked_into: impl FnMut(&Node) -> bool + 'a,
    ) -> impl Iterator<Item = &'a T> {
        let mut at = 0;
        let leaf = move || {
            while let Some(node) = self.nodes.get(at) {
                let is_meant = is_looked_into(node);
                at = if is_meant { at + 1 } else { node.next as usize };
                if is_meant && node.is_leaf() {
                    return Some(&self.parts[node.first as usize..node.end as usize]);
                }
            }
            None
        };
        std::iter::from_fn(leaf).flatten()
    }

    /// Those that may come near a place, and some more.
    pub fn near<'a>(&'a self, near: &'a Near) -> impl Iterator<Item = &'a T> {
        self.parts_of(|node| near.meets(&node.bounds))
    }

    /// The most that the surface lies outside one of those that come near a place \[m\].
    pub fn bulge(&self, near: &Near) -> f64 {
        let mut most = 0.0;
        let mut at = 0;
        while let Some(node) = self.nodes.get(at) {
            let may_be_more = node.bulge > most && near.meets(&node.bounds);
            at = if may_be_more { at + 1 } else { node.next as usize };
            if may_be_more && node.is_leaf() {
                let parts = &self.parts[node.first as usize..node.end as usize];
                most =
                    parts.iter().filter(|part| lies_near(*part, near)).map(Part::bulge).fold(most, f64::max);
            }
        }
        most
    }

    /// Adds the points in which parts that come near a place touch planes that come from a direction, as far as they reach `least` along it \[m\].
    pub fn touching(
        &self,
        (toward, bend): (DVec3, Bend),
        least: f64,
        near: &Near,
        points: &mut Vec<SmoothPoint>,
    ) {
        let mut add = |part: &T| {
            points.extend(part.touch(toward, bend).filter(|point| point.place.dot(toward) >= least));
        };
        if let Some(facing) = self.directions.facing(toward) {
            let facing = facing.iter().map(|&ix| &self.parts[ix as usize]);
            facing.filter(|part| lies_near(*part, near)).for_each(add);
        } else {
            let may_touch = |node: &Node| node.may_touch(toward, least) && near.meets(&node.bounds);
            self.parts_of(may_touch).for_each(&mut add);
        }
    }
}

/// Whether a part may come near a place.
fn lies_near<T: Part>(part: &T, near: &Near) -> bool {
    near.meets(&Aabb::from_points(part.points().iter().copied()))
}

/// Adds the node of some parts, which have the numbers from `first` on, and all below it. Halves across where parts lie farthest apart.
fn divide<T: Part>(parts: &mut [T], first: usize, nodes: &mut Vec<Node>) {
    let ix = nodes.len();
    nodes.push(Node { first: first as u32, end: (first + parts.len()) as u32, ..Node::new(parts) });
    if parts.len() > LEAF {
        let place = |part: &T| part.points().iter().sum::<DVec3>() / part.points().len() as f64;
        let axis = Aabb::from_points(parts.iter().map(place)).half_size().max_position();
        parts.sort_by(|a, b| place(a)[axis].total_cmp(&place(b)[axis]));
        let (half, rest) = parts.split_at_mut(parts.len() / 2);
        let middle = first + half.len();
        divide(half, first, nodes);
        divide(rest, middle, nodes);
    }
    nodes[ix].next = nodes.len() as u32;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TriangleMesh;
    use crate::mesh::generate::{self, Prism};
    use crate::smooth::parts::Facet;
    use crate::smooth::topology::Topology;

    /// Points of all parts that touch planes from some directions near a place, by their coordinates.
    fn sorted(mut points: Vec<SmoothPoint>, near: &Near) -> Vec<[f64; 3]> {
        points.retain(|point| point.place.distance(near.place) <= near.radius);
        let mut places: Vec<[f64; 3]> = points.iter().map(|point| point.place.to_array()).collect();
        places.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
        places
    }

    fn finds_all<T: Part>(parts: &[T], directions: &[DVec3], near: &[Near]) -> usize {
        let tree = Tree::new(parts.to_vec());
        let mut n_found = 0;
        for (toward, near) in
            directions.iter().flat_map(|toward| near.iter().map(move |near| (*toward, near)))
        {
            for bend in [Bend::Out, Bend::In] {
                let all = parts.iter().filter_map(|part| part.touch(toward, bend)).collect();
                let mut found = Vec::new();
                // Surfaces lie up to their bulge beside the parts.
                let wide = Near { radius: near.radius + 0.1, ..*near };
                tree.touching((toward, bend), f64::NEG_INFINITY, &wide, &mut found);
                let all = sorted(all, near);
                assert_eq!(sorted(found, near), all, "{toward} {near:?}");
                n_found += all.len();
            }
        }
        n_found
    }

    /// A sheet of many waves alike.
    fn waves(n: u32) -> TriangleMesh {
        let height = |x: f64, y: f64| 0.01 * ((25.0 * x).sin() + (25.0 * y).cos());
        let places = (0..=n).flat_map(|i| (0..=n).map(move |j| [i, j].map(|k| f64::from(k) / f64::from(n))));
        let vertices = places.map(|[x, y]| DVec3::new(x, y, height(x, y))).collect();
        let corner = |i: u32, j: u32| i * (n + 1) + j;
        let halves = |i: u32, j: u32| {
            let [a, b, c, d] = [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
            [[a, b, c], [a, c, d]]
        };
        let triangles = (0..n).flat_map(|i| (0..n).flat_map(move |j| halves(i, j))).collect();
        TriangleMesh { vertices, triangles }
    }

    /// What is looked up by directions and places is what all parts together have there: of a ball, whose parts face one way each, of an animal, a
    /// wheel with normals on an arc alone, a ground of which thousands of facets face each direction, and along the axes, where cells of
    /// directions meet.
    #[test]
    fn the_tree_finds_what_touches() {
        let prism = Prism { sides: 64, radius: 1.0, height: 0.4 };
        let meshes = [
            generate::sphere(1.0, 1280).expect("a ball"),
            generate::critter(1.0, 3, 2000).expect("an animal"),
            generate::prism(&prism, 0).expect("a wheel"),
            waves(60),
        ];
        let on_axes = DVec3::AXES.into_iter().flat_map(|axis| [axis, -axis]);
        let scattered = (0..60).map(|k| {
            let [turn, z] = [2.399_963 * f64::from(k), 1.0 - (2.0 * f64::from(k) + 1.0) / 60.0];
            DVec3::new((1.0 - z * z).sqrt() * turn.cos(), (1.0 - z * z).sqrt() * turn.sin(), z)
        });
        let directions: Vec<DVec3> = on_axes.chain(scattered).collect();
        let near = [Near::ANYWHERE, Near { place: DVec3::new(0.3, 0.2, 0.1), radius: 0.5 }];
        for mesh in meshes {
            let topology = Topology::new(&mesh, 0.3);
            let n_facets = finds_all::<Facet>(&topology.facets(), &directions, &near);
            let n_spans = finds_all(&topology.spans(), &directions, &near);
            let n_curves = finds_all(&topology.curves(0.3), &directions, &near);
            println!("{n_facets} {n_spans} {n_curves}");
            assert!(n_facets + n_spans > 5, "{n_facets} {n_spans}");
        }
    }
}
