//! The tube along a torus knot.

use std::f64::consts::TAU;

use glam::{DQuat, DVec3};

use super::GenerateError;
use super::error::Check;
use super::measures::TorusKnot;
use super::profile::{MIN_AROUND, direction, fourfold};
use super::resolution::{Layout, fit, pieces};
use super::rings::{Ring, Weaver};
use crate::TriangleMesh;

impl TorusKnot {
    /// Point of the curve at t from 0 to 1.
    pub fn point(&self, t: f64) -> DVec3 {
        let (sin_p, cos_p) = (TAU * f64::from(self.p) * t).sin_cos();
        let (sin_q, cos_q) = (TAU * f64::from(self.q) * t).sin_cos();
        let r = self.major_radius + self.minor_radius * cos_q;
        DVec3::new(r * cos_p, r * sin_p, self.minor_radius * sin_q)
    }

    /// Derivative of [`TorusKnot::point`].
    fn velocity(&self, t: f64) -> DVec3 {
        let (rate_p, rate_q) = (TAU * f64::from(self.p), TAU * f64::from(self.q));
        let ((sin_p, cos_p), (sin_q, cos_q)) = ((rate_p * t).sin_cos(), (rate_q * t).sin_cos());
        let r = self.major_radius + self.minor_radius * cos_q;
        let dr = -self.minor_radius * rate_q * sin_q;
        DVec3::new(
            dr * cos_p - r * rate_p * sin_p,
            dr * sin_p + r * rate_p * cos_p,
            self.minor_radius * rate_q * cos_q,
        )
    }

    /// Number of samples that follow every winding closely.
    fn n_samples(&self) -> usize {
        64 * self.p.max(self.q) as usize
    }

    fn length(&self) -> f64 {
        // Equal steps integrate a smooth periodic function to rounding.
        let n = self.n_samples();
        (0..n).map(|i| self.velocity(i as f64 / n as f64).length() / n as f64).sum()
    }

    /// Largest curvature \[1/m\].
    fn curvature(&self) -> f64 {
        let n = self.n_samples();
        let step = self.length() / n as f64;
        let tangent = |i: usize| self.velocity(i as f64 / n as f64).normalize();
        (0..n).map(|i| tangent(i).distance(tangent(i + 1)) / step).fold(0.0, f64::max)
    }

    /// Fewest pieces along the curve whose chords stay so close to it that tubes around neighbouring windings do not
    /// meet: a chord of length s leaves a curve of curvature k by k s²/8.
    fn min_pieces(&self, thickness: f64) -> usize {
        let gap = thickness - self.tube_radius;
        let of_gap = self.length() * (self.curvature() / (8.0 * gap)).sqrt();
        (16 * self.p.max(self.q) as usize).max(of_gap.ceil() as usize)
    }

    /// Radius of the thickest tube that nowhere touches itself.
    ///
    /// The least radius of a circle through one point of the curve and tangent to it at another, which sees both
    /// curvature and distance (Gonzalez and Maddocks 1999), over pairs of samples and, for windings that are nearer to each
    /// other than samples are, over the nearest points between them.
    fn thickness(&self) -> f64 {
        let n = self.n_samples();
        let samples: Vec<(DVec3, DVec3)> = (0..n)
            .map(|i| i as f64 / n as f64)
            .map(|t| (self.point(t), self.velocity(t).normalize()))
            .collect();
        let radius =
            |chord: DVec3, tangent: DVec3| chord.length_squared() / (2.0 * chord.cross(tangent).length());
        let mut least = f64::MAX;
        let mut squares = vec![0.0; n];
        for (i, (x, _)) in samples.iter().enumerate() {
            for (j, (y, tangent)) in samples.iter().enumerate() {
                let chord = x - y;
                squares[j] = chord.length_squared();
                if i != j {
                    least = least.min(radius(chord, *tangent));
                }
            }
            for j in (0..n).filter(|&j| j != i) {
                let beside = squares[(j + 1) % n].min(squares[(j + n - 1) % n]);
                if squares[j] <= beside {
                    let t = self.nearest(*x, j);
                    least = least.min(radius(x - self.point(t), self.velocity(t).normalize()));
                }
            }
        }
        least
    }

    /// Where the curve comes nearest to `x` within one sample of the sample `j`.
    fn nearest(&self, x: DVec3, j: usize) -> f64 {
        /// Projections onto the tangent: between two samples the curve is nearly straight.
        const STEPS: usize = 3;
        let n = self.n_samples() as f64;
        let (low, high) = ((j as f64 - 1.0) / n, (j as f64 + 1.0) / n);
        let mut t = j as f64 / n;
        for _ in 0..STEPS {
            let v = self.velocity(t);
            t = (t + (x - self.point(t)).dot(v) / v.length_squared()).clamp(low, high);
        }
        t
    }
}

/// A tube along a torus knot about the z axis, the torus centred in the origin.
///
/// A grid of m along the curve by n around the tube, n a multiple of four, `2 m n` triangles; m is 16 for each winding
/// at least, and more where windings nearly touch; n is 8 at least. Vertices are on the tube.
///
/// # Errors
/// Windings out of range or with a common divisor, a radius that is not a positive length, a tube that would touch
/// itself, or more than [`MAX_TRIANGLES`](super::MAX_TRIANGLES).
pub fn torus_knot(size: &TorusKnot, triangles: usize) -> Result<TriangleMesh, GenerateError> {
    let check = Check("torus_knot");
    let TorusKnot { p, q, major_radius, minor_radius, tube_radius } = *size;
    check.count("p", p, 1..=32)?;
    check.count("q", q, 1..=32)?;
    check.require(greatest_common_divisor(p, q) == 1, "q", f64::from(q), || {
        format!("without a common divisor with p = {p}; one closed curve needs that")
    })?;
    check.length("major_radius", major_radius)?;
    check.length("minor_radius", minor_radius)?;
    check.part("minor_radius", minor_radius, major_radius, "the major radius")?;
    check.length("tube_radius", tube_radius)?;
    check.share("tube_radius", tube_radius, major_radius, "the major radius")?;
    let thickness = size.thickness();
    check.below("tube_radius", tube_radius, thickness, "the thickest tube that does not touch itself")?;
    let length = size.length();
    let min_pieces = size.min_pieces(thickness);
    let layout = |edge| Grid {
        along: pieces(length, edge, min_pieces),
        around: fourfold(TAU * tube_radius / edge, MIN_AROUND),
    };
    Ok(fit(check, triangles, length, layout)?.mesh(size))
}

struct Grid {
    along: usize,
    around: usize,
}

impl Layout for Grid {
    fn n_triangles(&self) -> usize {
        2 * self.along * self.around
    }
}

impl Grid {
    fn mesh(&self, knot: &TorusKnot) -> TriangleMesh {
        let m = self.along;
        let tangents: Vec<DVec3> = (0..m).map(|i| knot.velocity(i as f64 / m as f64).normalize()).collect();
        // A normal carried along by the smallest turns comes back turned about the tangent; that turn is undone a
        // little at every ring, so that the last ring meets the first vertex by vertex.
        let mut normals = vec![tangents[0].any_orthonormal_vector()];
        for i in 0..m {
            let turn = DQuat::from_rotation_arc(tangents[i], tangents[(i + 1) % m]);
            normals.push((turn * normals[i]).reject_from(tangents[(i + 1) % m]).normalize());
        }
        let (first, last) = (normals[0], normals[m]);
        let twist = last.cross(first).dot(tangents[0]).atan2(last.dot(first));
        let mut weaver = Weaver::default();
        let rings: Vec<Ring> = (0..m)
            .map(|i| {
                let t = i as f64 / m as f64;
                let u = DQuat::from_axis_angle(tangents[i], twist * t) * normals[i];
                let v = tangents[i].cross(u);
                weaver.ring((0..self.around).map(|j| {
                    let (cos, sin) = direction(j, self.around);
                    knot.point(t) + knot.tube_radius * (cos * u + sin * v)
                }))
            })
            .collect();
        weaver.join_all(&rings);
        weaver.join(&rings[m - 1], &rings[0]);
        weaver.finish()
    }
}

fn greatest_common_divisor(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A (1, 1) knot with a small winding is nearly a circle, whose thickest tube has its radius; and no tube is
    /// thicker than the distance that the curve keeps from the axis.
    #[test]
    fn thickness_is_that_of_a_circle_where_the_knot_is_one() {
        let knot = TorusKnot { p: 1, q: 1, major_radius: 1.0, minor_radius: 1e-6, tube_radius: 0.1 };
        assert!((knot.thickness() - 1.0).abs() < 1e-5);
        assert!((knot.length() - TAU).abs() < 1e-9);
        let trefoil = TorusKnot { p: 2, q: 3, major_radius: 0.1, minor_radius: 0.04, tube_radius: 0.02 };
        // Five windings on a narrow torus cross its section as a regular pentagon.
        let narrow = TorusKnot { p: 5, q: 6, major_radius: 7.5, minor_radius: 0.02, tube_radius: 0.01 };
        let apart = 0.02 * (TAU / 10.0).sin();
        assert!((narrow.thickness() / apart - 1.0).abs() < 1e-2, "{} {apart}", narrow.thickness());
        // The curve and its image after one winding about the axis are half a turn of the small circle apart.
        assert!(trefoil.thickness() < trefoil.minor_radius + 1e-12);
    }
}
