//! Edges at which a polyhedron juts out.

use glam::DVec3;

use super::Solid;
use crate::{Cuboid, Near, Shape};

/// How far below the plane of the one face the other one falls away, as a part of its size, from which on an edge juts out: rounding. No unit.
const FLAT: f64 = 1e-9;

/// An edge at which a polyhedron juts out, in the shape's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ridge {
    /// Its ends \[m\].
    pub ends: [DVec3; 2],
    /// The directions in which its two faces lead away from it; unit, at right angles to it.
    pub into: [DVec3; 2],
}

impl Ridge {
    /// The edge from `a` to `b` between two faces, given by a further corner of each; `None` where they do not jut out.
    fn between(ends: [DVec3; 2], corners: [DVec3; 2]) -> Option<Self> {
        let [a, b] = ends;
        let along = (b - a).try_normalize()?;
        let into = corners.map(|corner| (corner - a).reject_from_normalized(along).normalize_or_zero());
        // Where faces jut out by the angle φ that is the length of what the two ways leave of each other, to first order.
        let [m, o] = into;
        let outward = (b - a).cross(m);
        (o.dot(outward) < -FLAT * outward.length() && m != DVec3::ZERO).then_some(Self { ends, into })
    }

    /// Its direction; unit.
    pub fn along(&self) -> DVec3 {
        (self.ends[1] - self.ends[0]).normalize()
    }

    /// By how much the faces turn over it \[rad\].
    pub fn turn(&self) -> f64 {
        let [m, o] = self.into;
        m.angle_between(-o)
    }

    /// The point of it that is nearest to a place.
    pub fn nearest(&self, place: DVec3) -> DVec3 {
        nearest(self.ends, place)
    }

    pub(crate) fn comes_near(&self, near: &Near) -> bool {
        comes_near(self.ends, near)
    }

    /// Whether a place that is seen from a point of the edge lies before it, and not over one of its faces.
    pub fn is_before(&self, away: DVec3) -> bool {
        self.into.iter().all(|into| into.dot(away) <= 0.0)
    }
}

/// The point of an edge that is nearest to a place.
fn nearest([a, b]: [DVec3; 2], place: DVec3) -> DVec3 {
    let along = b - a;
    let part = (place - a).dot(along) / along.length_squared();
    // The far end itself, and not what rounding leaves of it.
    if part >= 1.0 { b } else { a + along * part.max(0.0) }
}

fn comes_near(ends: [DVec3; 2], near: &Near) -> bool {
    nearest(ends, near.place).distance_squared(near.place) <= near.radius * near.radius
}

impl Shape {
    /// The edges at which a box, a hull or a mesh juts out, as far as they come `near`, in the shape's frame; other shapes have none.
    pub fn ridges(&self, near: &Near) -> Vec<Ridge> {
        match self {
            Self::Cuboid(cuboid) => {
                let mut ridges = cuboid.ridges();
                ridges.retain(|ridge| ridge.comes_near(near));
                ridges
            }
            _ => self.solid().map_or_else(Vec::new, |solid| solid.ridges(near)),
        }
    }
}

impl Cuboid {
    fn ridges(&self) -> Vec<Ridge> {
        let mut ridges = Vec::with_capacity(12);
        for axis in 0..3 {
            let [u, v, w] = [0, 1, 2].map(|k| DVec3::AXES[(axis + k) % 3]);
            for (i, j) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
                let ends = [-1.0, 1.0].map(|end| self.half_size * (u * end + v * i + w * j));
                ridges.push(Ridge { ends, into: [v * -i, w * -j] });
            }
        }
        ridges
    }
}

impl Solid {
    /// Those that come near a place.
    pub(crate) fn ridges(&self, near: &Near) -> Vec<Ridge> {
        let (vertices, bvh) = (self.vertices(), self.bvh());
        let far_corner = |face: u32, ends: [u32; 2]| {
            let corner = self.faces()[face as usize].corners.into_iter().find(|ix| !ends.contains(ix));
            corner.map(|ix| vertices[ix as usize])
        };
        let mut ridges = Vec::new();
        for node in bvh.nodes_near(near) {
            let edges = bvh.edges(node);
            for edge in &self.edges()[edges.start as usize..edges.end as usize] {
                let ends = edge.ends.map(|ix| vertices[ix as usize]);
                if !comes_near(ends, near) {
                    continue;
                }
                // Of faces that run on from `a` to `b` and back, the first has its outside on the left.
                let corners = edge.faces.map(|face| far_corner(face, edge.ends));
                if let [Some(first), Some(second)] = corners {
                    ridges.extend(Ridge::between(ends, [first, second]));
                }
            }
        }
        ridges
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::generate;

    /// A box has twelve, as a shape, a hull and a mesh whose faces are cut in two; a notch in a mesh has none.
    #[test]
    fn a_box_juts_out_at_twelve_edges() {
        let cuboid = Cuboid { half_size: DVec3::new(0.5, 0.2, 0.1) };
        let hull = Shape::from_mesh(cuboid.to_mesh()).expect("closed");
        let mesh = Shape::Mesh(std::sync::Arc::new(Solid::new(cuboid.to_mesh()).expect("closed")));
        let in_order = |shape: &Shape| {
            let mut of: Vec<_> = shape.ridges(&Near::ANYWHERE);
            for ridge in &mut of {
                let order = |x: &DVec3, y: &DVec3| x.to_array().partial_cmp(&y.to_array()).expect("finite");
                ridge.ends.sort_by(order);
                ridge.into.sort_by(order);
            }
            of.sort_by(|a, b| format!("{:?}", a.ends).cmp(&format!("{:?}", b.ends)));
            of
        };
        let own = in_order(&Shape::Cuboid(cuboid));
        assert_eq!(own.len(), 12);
        for shape in [hull, mesh] {
            let found = in_order(&shape);
            assert_eq!(found.len(), 12);
            for (a, b) in own.iter().zip(&found) {
                let off = (0..2).map(|i| a.ends[i].distance(b.ends[i]) + a.into[i].distance(b.into[i]));
                assert!(off.sum::<f64>() < 1e-15, "{a:?} {b:?}");
                assert!((b.turn() - std::f64::consts::FRAC_PI_2).abs() < 1e-12);
            }
        }
    }

    /// A place over a face is not before an edge of it, one beyond both faces is.
    #[test]
    fn what_is_over_a_face_is_not_before_its_edge() {
        let shape = Shape::Cuboid(Cuboid { half_size: DVec3::ONE });
        let near = Near { place: DVec3::new(1.0, 0.0, 1.0), radius: 0.1 };
        let found = shape.ridges(&near);
        assert_eq!(found.len(), 1);
        for (x, z, before) in [(0.9, 1.1, false), (1.1, 1.1, true), (1.0, 1.1, true), (1.1, 0.9, false)] {
            let place = DVec3::new(x, 0.3, z);
            let away = place - found[0].nearest(place);
            assert_eq!(found[0].is_before(away), before, "{x} {z}");
            assert!(away.y.abs() < 1e-15);
        }
    }

    /// Beyond an edge its end is nearest to the last bit, so that it is known for a corner.
    #[test]
    fn a_corner_is_an_end_of_its_edges() {
        let ends = [DVec3::new(0.1, -0.7, 0.3), DVec3::new(1.3, 0.9, -1.1)];
        let ridge = Ridge { ends, into: [DVec3::ZERO; 2] };
        for ix in 0..100 {
            let beyond = (ends[1] - ends[0]) * (1e-3 + 0.37 * f64::from(ix));
            assert_eq!(ridge.nearest(ends[1] + beyond), ends[1], "{ix}");
            assert_eq!(ridge.nearest(ends[0] - beyond), ends[0], "{ix}");
        }
    }

    /// A ring has no ridges on the edges of its hole.
    #[test]
    fn hollows_do_not_jut_out() {
        let size = generate::Ring { inner_radius: 0.01, outer_radius: 0.02, height: 0.1 };
        let tube = Shape::from_mesh(generate::tube(&size, 400).expect("a tube")).expect("closed");
        let is_in_hole =
            |ridge: &Ridge| ridge.along().z.abs() > 0.9 && ridge.ends[0].truncate().length() < 0.015;
        let found = tube.ridges(&Near::ANYWHERE);
        assert!(!found.is_empty() && !found.iter().any(is_in_hole));
    }
}
