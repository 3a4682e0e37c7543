//! Where two solids that are apart come nearest to each other.

use glam::DVec3;

use super::Solid;
use super::bvh::Node;
use crate::triangle::{self, weighted};
use crate::{Aabb, Near, Pose};

/// The two points, of A and of B, in which two solids near a place are nearest to each other, among those that are no farther apart than
/// `within` \[m\]; `None` where there are none, and where their surfaces cross. The world is that of the poses and of the place.
pub fn nearest(
    [a, b]: [&Solid; 2],
    [w_from_a, w_from_b]: &[Pose; 2],
    near: &Near,
    within: f64,
) -> Option<[DVec3; 2]> {
    let a_from_b = w_from_a.inverse().then(w_from_b);
    let place = |w_from_own: &Pose| Near { place: w_from_own.inverse().point(near.place), ..*near };
    let near = [place(w_from_a), place(w_from_b)];
    let mut search = Search { solids: [a, b], a_from_b, near, square: within * within, found: None };
    search.nodes(0, 0);
    let [on_a, on_b] = search.found?;
    (search.square > 0.0).then(|| [w_from_a.point(on_a), w_from_a.point(on_b)])
}

struct Search<'a> {
    solids: [&'a Solid; 2],
    a_from_b: Pose,
    /// The place in the frames of both.
    near: [Near; 2],
    /// Square of the least distance so far.
    square: f64,
    /// In the frame of A.
    found: Option<[DVec3; 2]>,
}

impl Search<'_> {
    fn nodes(&mut self, of_a: u32, of_b: u32) {
        let [a, b] = self.solids;
        let [node_a, node_b] = [&a.bvh.nodes[of_a as usize], &b.bvh.nodes[of_b as usize]];
        if node_a.is_leaf() && node_b.is_leaf() {
            return self.leaves(node_a, node_b);
        }
        // The larger one is divided.
        let divides_a =
            node_b.is_leaf() || !node_a.is_leaf() && node_a.aabb.diagonal() > node_b.aabb.diagonal();
        let mut pairs = if divides_a {
            a.bvh.children(of_a).map(|child| (child, of_b))
        } else {
            b.bvh.children(of_b).map(|child| (of_a, child))
        }
        .map(|pair| (self.apart(pair), pair));
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (apart, (a, b)) in pairs {
            if apart < self.square {
                self.nodes(a, b);
            }
        }
    }

    /// Square of the least distance that the faces of two nodes may have; infinite where one of them is not near the place.
    fn apart(&self, (of_a, of_b): (u32, u32)) -> f64 {
        let [a, b] = self.solids;
        let boxes = [a.bvh.nodes[of_a as usize].aabb, b.bvh.nodes[of_b as usize].aabb];
        if !self.near[0].meets(&boxes[0]) || !self.near[1].meets(&boxes[1]) {
            return f64::INFINITY;
        }
        gap(&boxes[0], &boxes[1].transformed(&self.a_from_b))
    }

    fn leaves(&mut self, of_a: &Node, of_b: &Node) {
        let [near_a, near_b] = self.near;
        let [a, b] = self.solids;
        let corners = |solid: &Solid, face: u32| {
            solid.faces[face as usize].corners.map(|ix| solid.vertices[ix as usize])
        };
        let of_b: Vec<[DVec3; 3]> = of_b
            .faces()
            .map(|face| corners(b, face))
            .filter(|at| near_b.meets(&Aabb::from_points(*at)))
            .map(|at| at.map(|x| self.a_from_b.point(x)))
            .collect();
        for face in of_a.faces() {
            let of_a = corners(a, face);
            let bounds = Aabb::from_points(of_a);
            if !near_a.meets(&bounds) {
                continue;
            }
            for of_b in &of_b {
                if gap(&bounds, &Aabb::from_points(*of_b)) < self.square {
                    self.faces(&of_a, of_b);
                }
            }
        }
    }

    fn faces(&mut self, a: &[DVec3; 3], b: &[DVec3; 3]) {
        if crosses(a, b) || crosses(b, a) {
            (self.square, self.found) = (0.0, None);
            return;
        }
        for x in a {
            self.take([*x, weighted(*b, triangle::nearest(*b, *x))]);
        }
        for x in b {
            self.take([weighted(*a, triangle::nearest(*a, *x)), *x]);
        }
        for i in 0..3 {
            for j in 0..3 {
                self.take(nearest_of_edges([a[i], a[(i + 1) % 3]], [b[j], b[(j + 1) % 3]]));
            }
        }
    }

    fn take(&mut self, places: [DVec3; 2]) {
        let square = places[0].distance_squared(places[1]);
        if square < self.square {
            (self.square, self.found) = (square, Some(places));
        }
    }
}

/// Square of the distance of two boxes.
fn gap(a: &Aabb, b: &Aabb) -> f64 {
    (a.min - b.max).max(b.min - a.max).max(DVec3::ZERO).length_squared()
}

/// Whether an edge of a face goes through another face.
fn crosses(face: &[DVec3; 3], other: &[DVec3; 3]) -> bool {
    let [a, b, c] = *other;
    let normal = (b - a).cross(c - a);
    let heights = face.map(|x| (x - a).dot(normal));
    (0..3).any(|i| {
        let [from, to] = [i, (i + 1) % 3];
        if (heights[from] > 0.0) == (heights[to] > 0.0) {
            return false;
        }
        let at = face[from].lerp(face[to], heights[from] / (heights[from] - heights[to]));
        let is_left = |from: DVec3, to: DVec3| (to - from).cross(at - from).dot(normal) >= 0.0;
        is_left(a, b) && is_left(b, c) && is_left(c, a)
    })
}

fn nearest_of_edge([a, b]: [DVec3; 2], x: DVec3) -> DVec3 {
    let along = b - a;
    let square = along.length_squared();
    let part = if square > 0.0 { (x - a).dot(along) / square } else { 0.0 };
    a.lerp(b, part.clamp(0.0, 1.0))
}

/// The nearest points of two edges (Ericson 2005, 5.1.9).
fn nearest_of_edges([a, b]: [DVec3; 2], [c, d]: [DVec3; 2]) -> [DVec3; 2] {
    let (u, w, from) = (b - a, d - c, a - c);
    let (uu, ww, uw) = (u.length_squared(), w.length_squared(), u.dot(w));
    let det = uu * ww - uw * uw;
    let s = if det > 0.0 { ((uw * w.dot(from) - ww * u.dot(from)) / det).clamp(0.0, 1.0) } else { 0.0 };
    let on_second = nearest_of_edge([c, d], a + u * s);
    [nearest_of_edge([a, b], on_second), on_second]
}

#[cfg(test)]
mod tests {
    use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_4, SQRT_2};

    use glam::DQuat;

    use super::*;
    use crate::mesh::generate;

    /// The corner of a cube over the face of another, its edge across that of another, and one that goes through the other.
    #[test]
    fn corners_and_edges_are_as_far_from_faces_and_edges_as_they_are() {
        let cube = Solid::new(generate::cuboid(DVec3::ONE, 12).expect("a cube")).expect("closed");
        let turned =
            Pose::new(DVec3::new(0.3, -0.2, 0.1), DQuat::from_scaled_axis(DVec3::new(0.4, 1.0, -0.3)));
        let of = |b: Pose, near: Near, within: f64| {
            let near = Near { place: turned.point(near.place), ..near };
            let found = nearest([&cube, &cube], &[turned, turned.then(&b)], &near, within)?;
            Some(found.map(|x| turned.inverse().point(x)))
        };
        let tip = DQuat::from_rotation_arc(DVec3::ONE.normalize(), DVec3::NEG_Z);
        let high = 0.5 + 0.5 * 3.0_f64.sqrt();
        let [on_a, on_b] =
            of(Pose::new(DVec3::new(0.1, 0.2, high + 1e-6), tip), Near::ANYWHERE, 1.0).expect("apart");
        assert!(on_a.distance(DVec3::new(0.1, 0.2, 0.5)) < 1e-14, "{on_a}");
        assert!((on_b - on_a).distance(DVec3::Z * 1e-6) < 1e-14, "{on_b}");
        let [edge, over] = [DQuat::from_rotation_x(FRAC_PI_4), DQuat::from_rotation_y(FRAC_PI_4)];
        let lower = Pose::new(DVec3::ZERO, edge);
        let upper = Pose::new(DVec3::new(0.1, 0.2, SQRT_2 + 1e-3), over);
        let near = Near { place: DVec3::new(0.1, 0.0, 0.7), radius: 0.1 };
        let [low, high] = nearest([&cube, &cube], &[lower, upper], &near, 0.1).expect("apart");
        assert!(low.distance(DVec3::new(0.1, 0.0, FRAC_1_SQRT_2)) < 1e-14, "{low}");
        assert!((high - low).distance(DVec3::Z * 1e-3) < 1e-14, "{low} {high}");
        assert_eq!(of(Pose::from_translation(DVec3::new(0.3, 0.4, 0.99)), Near::ANYWHERE, 1.0), None);
        assert_eq!(of(Pose::from_translation(DVec3::Z * 1.5), Near::ANYWHERE, 0.4), None);
    }
}
