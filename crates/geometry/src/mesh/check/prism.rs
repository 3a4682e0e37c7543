//! A quick test that two triangles are apart, which spares the exact ones.

use glam::DVec3;

use crate::Aabb;

/// The four half-spaces and planes that hold a triangle: beyond each of its sides, and its own plane.
pub struct Prism {
    /// Outward normals of the sides in the triangle's plane, of any length; side k starts at corner k.
    sides: [DVec3; 3],
    normal: DVec3,
    corners: [DVec3; 3],
    /// What rounding may do to a position \[m\].
    margin: f64,
}

impl Prism {
    /// Around a triangle; `margin` \[m\] is what rounding may do to its positions and others'.
    pub fn of(corners: [DVec3; 3], margin: f64) -> Self {
        let [a, b, c] = corners;
        let normal = (b - a).cross(c - a);
        let sides = [b - a, c - b, a - c].map(|side| side.cross(normal));
        Self { sides, normal, corners, margin }
    }

    /// Whether a box certainly has no point of the triangle.
    pub fn is_apart_from_box(&self, aabb: &Aabb) -> bool {
        let (center, half) = (aabb.center(), aabb.half_size());
        let reach = |axis: DVec3| axis.abs().dot(half + self.margin);
        let beyond = |k: usize| self.sides[k].dot(center - self.corners[k]) > reach(self.sides[k]);
        self.normal.dot(center - self.corners[0]).abs() > reach(self.normal) || (0..3).any(beyond)
    }

    /// Whether points certainly span a triangle that is apart from this one. `is_shared` says for each corner of this
    /// one whether the other has it too, beside the points: then these two may touch in that corner, but not cross.
    pub fn is_apart(&self, points: &(impl Iterator<Item = DVec3> + Clone), is_shared: [bool; 3]) -> bool {
        let margin = |axis: DVec3| axis.abs().element_sum() * self.margin;
        let side_of_plane = || {
            let margin = margin(self.normal);
            let mut sides = points.clone().map(|x| {
                let distance = self.normal.dot(x - self.corners[0]);
                if distance.abs() > margin { distance.signum() } else { 0.0 }
            });
            let first = sides.next().unwrap_or(0.0);
            first != 0.0 && sides.all(|side| side == first)
        };
        let is_beyond = |k: usize| {
            // The corner that both have has to lie in the side, or the other triangle reaches inwards from there.
            let ends_at_shared = is_shared == [false; 3] || is_shared[k] || is_shared[(k + 1) % 3];
            let margin = margin(self.sides[k]);
            ends_at_shared && points.clone().all(|x| self.sides[k].dot(x - self.corners[k]) > margin)
        };
        side_of_plane() || (0..3).any(is_beyond)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLAT: [DVec3; 3] = [DVec3::ZERO, DVec3::X, DVec3::Y];

    fn is_apart(other: [[f64; 3]; 3]) -> bool {
        Prism::of(FLAT, 1e-15).is_apart(&other.into_iter().map(DVec3::from), [false; 3])
    }

    #[test]
    fn only_what_lies_beyond_a_side_or_the_plane_is_apart() {
        assert!(is_apart([[0.2, 0.2, 0.1], [3.0, 0.2, 0.1], [0.2, 3.0, 1.0]]));
        assert!(is_apart([[0.6, 0.6, -1.0], [3.0, 0.2, 1.0], [0.2, 3.0, 0.0]]));
        assert!(is_apart([[-0.1, 0.0, -1.0], [-1.0, 5.0, 1.0], [-1.0, -5.0, 1.0]]));
        // Through it, touching its plane, touching its side.
        assert!(!is_apart([[0.2, 0.2, -1.0], [0.2, 0.2, 1.0], [2.0, 0.2, 0.0]]));
        assert!(!is_apart([[0.2, 0.2, 0.0], [3.0, 0.2, 0.1], [0.2, 3.0, 1.0]]));
        assert!(!is_apart([[0.0, 0.5, -1.0], [-1.0, 5.0, 1.0], [-1.0, -5.0, 1.0]]));
    }

    #[test]
    fn a_common_corner_alone_is_no_crossing_and_hides_none() {
        let prism = Prism::of(FLAT, 1e-15);
        let is_apart = |points: [[f64; 3]; 2], shared: usize| {
            prism.is_apart(&points.into_iter().map(DVec3::from), [0, 1, 2].map(|k| k == shared))
        };
        assert!(is_apart([[-1.0, 0.0, -1.0], [-1.0, 1.0, 1.0]], 0));
        assert!(is_apart([[1.0, 1.0, 1.0], [0.2, 0.2, 0.5]], 0));
        // From the far corner through the middle and out beyond the opposite side.
        assert!(!is_apart([[1.0, 1.0, 1.0], [1.0, 1.0, -1.0]], 0));
    }

    #[test]
    fn boxes_are_apart_only_where_no_point_of_the_triangle_lies_in_them() {
        let prism = Prism::of(FLAT, 1e-15);
        let at = |x: f64, y: f64, z: f64| {
            let center = DVec3::new(x, y, z);
            prism.is_apart_from_box(&Aabb { min: center - 0.1, max: center + 0.1 })
        };
        assert!(at(0.2, 0.2, 0.11) && at(0.62, 0.62, 0.0) && at(-0.11, 0.5, 0.0));
        assert!(!at(0.2, 0.2, 0.09) && !at(0.58, 0.58, 0.0) && !at(-0.09, 0.5, 0.0));
    }
}
