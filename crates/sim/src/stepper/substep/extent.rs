//! How far a body reaches, and how easily it gives way there.

use glam::{DMat3, DVec3};

use crate::{Body, BodyKind};

/// What a body's vertices tell of all of it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Extent {
    /// Distance of the farthest vertex from the centre of mass \[m\].
    pub farthest: f64,
    /// Most acceleration at any vertex, in any direction, by a unit force there in the same direction \[1/kg\]; zero of a body that nothing can move.
    ///
    /// At a place x from the centre of mass it is `1/m` and the largest eigenvalue of `[x] I⁻¹ [x]ᵀ`, which is convex in x: no place within the hull of the vertices
    /// gives way more easily.
    pub lightness: f64,
}

impl Extent {
    /// Of a body with rounded facets; of others, nothing.
    pub fn of(body: &Body) -> Self {
        let Some(mesh) = &body.rounded else { return Self::default() };
        let turns = Turning::of(&body.mass.inertia);
        let arms = mesh.solid().mesh().vertices.iter().map(|vertex| *vertex - body.mass.center);
        let (mut farthest, mut turning) = (0.0_f64, 0.0_f64);
        for arm in arms {
            farthest = farthest.max(arm.length_squared());
            turning = turning.max(turns.most_at(arm));
        }
        let is_moved = body.kind == BodyKind::Dynamic;
        let lightness = if is_moved { body.mass.mass.recip() + turning } else { 0.0 };
        Self { farthest: farthest.sqrt(), lightness }
    }
}

/// A tensor of inertia, and what has to be known of it to tell how easily a body is turned.
struct Turning {
    inertia: DMat3,
    inverse: DMat3,
    /// Trace of the inverse, and its determinant.
    trace: f64,
    determinant: f64,
}

impl Turning {
    fn of(inertia: &DMat3) -> Self {
        let inverse = inertia.inverse();
        let trace = inverse.x_axis.x + inverse.y_axis.y + inverse.z_axis.z;
        Self { inertia: *inertia, inverse, trace, determinant: inverse.determinant() }
    }

    /// The largest eigenvalue of `[x] I⁻¹ [x]ᵀ`, of which one is zero: by the sum of the others and their product, which is that of the cofactors,
    /// `|x|² x·I x / det I`.
    fn most_at(&self, x: DVec3) -> f64 {
        let squared = x.length_squared();
        let half_sum = 0.5 * (self.trace * squared - x.dot(self.inverse * x));
        let product = squared * x.dot(self.inertia * x) * self.determinant;
        half_sum + (half_sum * half_sum - product).max(0.0).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use tactum_random::Rng;

    use super::*;

    fn cross(x: DVec3) -> DMat3 {
        DMat3::from_cols(x.cross(DVec3::X), x.cross(DVec3::Y), x.cross(DVec3::Z)).transpose()
    }

    /// The largest eigenvalue of a symmetric matrix whose eigenvalues are positive, by powers of it.
    fn largest(matrix: DMat3) -> f64 {
        let mut power = matrix;
        let size = |m: &DMat3| m.x_axis.x + m.y_axis.y + m.z_axis.z;
        for _ in 0..40 {
            power = power * (1.0 / size(&power));
            power = power * power;
        }
        size(&(matrix * power)) / size(&power)
    }

    #[test]
    fn places_give_way_by_the_largest_eigenvalue_of_what_they_are_turned_by() {
        let mut rng = Rng::new(3);
        for _ in 0..rng.cases(200) {
            let mut vector = |low: f64| DVec3::from_array([(); 3].map(|()| rng.range(low, 1.0)));
            let axes = DMat3::from_quat(glam::DQuat::from_scaled_axis(3.0 * vector(-1.0)));
            let inertia = axes * DMat3::from_diagonal(vector(0.01)) * axes.transpose();
            let turns = Turning::of(&inertia);
            let x = vector(-1.0);
            let exact = largest(cross(x) * inertia.inverse() * cross(x).transpose());
            assert!((turns.most_at(x) / exact - 1.0).abs() < 1e-9, "{} not {exact}", turns.most_at(x));
            let (y, part) = (vector(-1.0), 0.3);
            let between = turns.most_at(part * x + (1.0 - part) * y);
            assert!(between <= turns.most_at(x).max(turns.most_at(y)) * (1.0 + 1e-12));
        }
    }

    /// Of a ball the farthest place is the lightest one, `1/m + r²/I`.
    #[test]
    fn a_ball_gives_way_alike_everywhere() {
        let turns = Turning::of(&DMat3::from_diagonal(DVec3::splat(0.4)));
        for x in [DVec3::X, DVec3::new(0.6, 0.0, -0.8)] {
            assert!((turns.most_at(x) - 2.5).abs() < 1e-12);
        }
    }
}
