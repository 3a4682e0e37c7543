//! Surface integrals of pieces of a closed surface, from which volume moments follow by the divergence theorem.

use glam::{DMat3, DVec3};

use crate::majority::Majority;
use crate::moments::{SurfaceMoments, VolumeMoments};

/// The pairs (i, j) of a symmetric tensor in the order in which they are kept: xx yy zz xy yz zx.
const PAIRS: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0)];

/// The integrals over a piece of oriented surface that its contribution to volume moments about ANY origin needs.
///
/// With the divergence theorem `V = 1/3 ∫ x·n`, `m_i = 1/4 ∫ x_i x·n` and `S_ij = 1/5 ∫ x_i x_j x·n`; moving the
/// origin brings in the integrals of lower order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FluxMoments {
    /// `∫ n`, `∫ x nᵀ` and the plain area.
    pub surface: SurfaceMoments,
    /// `∫ x_i x_j n` for the six pairs.
    quadratic: [DVec3; 6],
    /// `∫ x_i x_j (x·n)` for the six pairs.
    cubic: [f64; 6],
}

impl Default for FluxMoments {
    fn default() -> Self {
        Self { surface: SurfaceMoments::default(), quadratic: [DVec3::ZERO; 6], cubic: [0.0; 6] }
    }
}

impl FluxMoments {
    /// The integrals over whole triangles about the point `origin`.
    pub fn of_faces(corners: impl Iterator<Item = [DVec3; 3]>, origin: DVec3) -> Self {
        let mut sum = Self::default();
        for [a, b, c] in corners {
            sum.add_triangle(a - origin, b - origin, c - origin);
        }
        sum
    }

    /// Adds the triangle (a, b, c).
    fn add_triangle(&mut self, a: DVec3, b: DVec3, c: DVec3) {
        let nu = (b - a).cross(c - a) * 0.5;
        self.surface.add_triangle(a, b, c, 1.0);
        let area = nu.length();
        self.surface.area += area;
        self.surface.facing.add(Majority::of_plane(nu / area, area));
        let height = a.dot(nu) / 12.0;
        let nu = nu / 12.0;
        let s = a + b + c;
        for (pair, (i, j)) in PAIRS.into_iter().enumerate() {
            // 12 / area times the integral of x_i x_j over the triangle.
            let square = s[i] * s[j] + a[i] * a[j] + b[i] * b[j] + c[i] * c[j];
            self.quadratic[pair] += square * nu;
            self.cubic[pair] += square * height;
        }
    }

    /// Adds the integrals of another piece, multiplied by a weight.
    pub fn add(&mut self, other: &Self, weight: f64) {
        self.surface.area_vector += weight * other.surface.area_vector;
        self.surface.arms += other.surface.arms * weight;
        self.surface.area += weight * other.surface.area;
        self.surface.facing.add(other.surface.facing.times(weight));
        for pair in 0..6 {
            self.quadratic[pair] += weight * other.quadratic[pair];
            self.cubic[pair] += weight * other.cubic[pair];
        }
    }

    /// The integrals of the same surface with every point moved by `offset`.
    #[must_use]
    pub fn translated(&self, offset: DVec3) -> Self {
        let t = offset;
        let (normal, arms) = (self.surface.area_vector, self.surface.arms);
        // ∫ x_i (t·n), and ∫ x_i (x·n) as a contraction of the quadratic ones.
        let arms_t = arms * t;
        let q = &self.quadratic;
        let linear = DVec3::new(q[0].x + q[3].y + q[5].z, q[3].x + q[1].y + q[4].z, q[5].x + q[4].y + q[2].z);
        let flux = arms.x_axis.x + arms.y_axis.y + arms.z_axis.z + t.dot(normal);
        let arms_row = arms.transpose();
        let mut out = Self { surface: self.surface.translated(t), ..*self };
        for (pair, (i, j)) in PAIRS.into_iter().enumerate() {
            out.quadratic[pair] += t[i] * arms_row.col(j) + t[j] * arms_row.col(i) + t[i] * t[j] * normal;
            out.cubic[pair] += t.dot(q[pair])
                + t[i] * (linear[j] + arms_t[j])
                + t[j] * (linear[i] + arms_t[i])
                + t[i] * t[j] * flux;
        }
        out
    }

    /// The volume moments of the cone from the origin over the surface.
    pub fn volume(&self) -> VolumeMoments {
        let (arms, q, r) = (self.surface.arms, &self.quadratic, self.cubic.map(|c| c / 5.0));
        VolumeMoments {
            volume: (arms.x_axis.x + arms.y_axis.y + arms.z_axis.z) / 3.0,
            first: DVec3::new(q[0].x + q[3].y + q[5].z, q[3].x + q[1].y + q[4].z, q[5].x + q[4].y + q[2].z)
                / 4.0,
            second: DMat3::from_cols(
                DVec3::new(r[0], r[3], r[5]),
                DVec3::new(r[3], r[1], r[4]),
                DVec3::new(r[5], r[4], r[2]),
            ),
        }
    }

    /// The volume alone of the cone from a point over the surface.
    pub fn volume_from(&self, apex: DVec3) -> f64 {
        let arms = self.surface.arms;
        (arms.x_axis.x + arms.y_axis.y + arms.z_axis.z - apex.dot(self.surface.area_vector)) / 3.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Moving the origin of the integrals agrees with summing about the new origin, and volume moments agree with
    /// those of the cones summed directly.
    #[test]
    fn integrals_of_an_open_piece_follow_the_origin() {
        let p = |x: f64, y: f64, z: f64| DVec3::new(x, y, z);
        let piece = [
            [p(0.1, 0.2, 0.9), p(1.3, -0.2, 0.4), p(0.5, 1.1, 0.7)],
            [p(-0.4, 0.3, 0.2), p(0.1, 0.2, 0.9), p(0.5, 1.1, 0.7)],
        ];
        let offset = p(0.7, -1.1, 0.4);
        let moved = FluxMoments::of_faces(piece.into_iter(), DVec3::ZERO).translated(offset);
        let direct = FluxMoments::of_faces(piece.into_iter(), -offset);
        let mut cones = VolumeMoments::default();
        for [a, b, c] in piece {
            cones.add_triangle(a + offset, b + offset, c + offset, 1.0);
        }
        // Some hundred operations on numbers below 10.
        let small = |x: f64| assert!(x.abs() < 1e-13, "{x}");
        small((moved.surface.arms - direct.surface.arms).to_cols_array().iter().map(|x| x.abs()).sum());
        for pair in 0..6 {
            small((moved.quadratic[pair] - direct.quadratic[pair]).length());
            small(moved.cubic[pair] - direct.cubic[pair]);
        }
        let volume = moved.volume();
        small(volume.volume - cones.volume);
        small((volume.first - cones.first).length());
        small((volume.second - cones.second).to_cols_array().iter().map(|x| x.abs()).sum());
        small(
            moved.volume_from(offset) - FluxMoments::of_faces(piece.into_iter(), DVec3::ZERO).volume().volume,
        );
    }
}
