//! The matrix of one contact block, prepared once per step.

use glam::{DMat2, DVec2, DVec3};

use crate::solver::spatial::{Cholesky, Mat6, Vec6};

/// The 6 × 6 matrix `S = J M⁻¹ Jᵀ + C` of a contact in contact axes, with what its eliminations need.
///
/// Whatever friction does, a full contact chooses its two rolling torques freely, and a sliding one its spin torque
/// too. So the torques are eliminated once: `core` acts on `(f_n, f_u, f_w, τ_n)` with the rolling torques free,
/// `force` on `(f_n, f_u, f_w)` with all torques free. A row without response (infinite inertia) carries no impulse.
#[derive(Clone, Debug)]
pub struct Block {
    s: Mat6,
    rolling_inverse: DMat2,
    /// `S_cr S_rr⁻¹`, core rows by rolling columns.
    gain: [DVec2; 4],
    core: [[f64; 4]; 4],
    spin_inverse: f64,
    force: [[f64; 3]; 3],
    force_factor: Cholesky<3>,
}

/// Right-hand side of a block with the rolling torques eliminated.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reduced {
    /// `(v_n, v_u, v_w, ω_n)`.
    pub core: [f64; 4],
    /// Rolling torques at zero force \[N m s\].
    rolling: DVec2,
}

impl Block {
    /// Prepares `s`: symmetric, positive semidefinite, contact axes.
    pub fn new(s: Mat6) -> Self {
        let m = &s.0;
        let factor = Cholesky::new(&[[m[4][4], m[4][5]], [m[5][4], m[5][5]]]);
        let column = |b| DVec2::from_array(factor.solve(b));
        let rolling_inverse = DMat2::from_cols(column(&[1.0, 0.0]), column(&[0.0, 1.0]));
        let gain: [DVec2; 4] = std::array::from_fn(|i| rolling_inverse * DVec2::new(m[i][4], m[i][5]));
        let core: [[f64; 4]; 4] = std::array::from_fn(|i| {
            std::array::from_fn(|j| m[i][j] - gain[i].dot(DVec2::new(m[j][4], m[j][5])))
        });
        // The 3 × 3 factor of the torques decides whether the spin row has a response of its own.
        let torques: [[f64; 3]; 3] = std::array::from_fn(|i| std::array::from_fn(|j| m[5 - i][5 - j]));
        let spin_inverse = Cholesky::new(&torques).solve(&[0.0, 0.0, 1.0])[2];
        let force: [[f64; 3]; 3] = std::array::from_fn(|i| {
            std::array::from_fn(|j| core[i][j] - core[i][3] * spin_inverse * core[3][j])
        });
        Self { s, rolling_inverse, gain, core, spin_inverse, force, force_factor: Cholesky::new(&force) }
    }

    /// The matrix `S`.
    pub fn matrix(&self) -> &Mat6 {
        &self.s
    }

    pub(super) fn reduce(&self, e: &Vec6) -> Reduced {
        let rolling = DVec2::new(e[4], e[5]);
        let core = std::array::from_fn(|i| e[i] - self.gain[i].dot(rolling));
        Reduced { core, rolling: -(self.rolling_inverse * rolling) }
    }

    /// The wrench whose core part is given and whose rolling torques stop the rolling.
    pub(super) fn with_rolling(&self, e: &Reduced, core: [f64; 4]) -> Vec6 {
        let r = core.iter().zip(&self.gain).fold(e.rolling, |r, (c, g)| r - *g * *c);
        Vec6([core[0], core[1], core[2], core[3], r.x, r.y])
    }

    /// The wrench that stops all relative motion.
    pub(super) fn stick(&self, e: &Reduced) -> Vec6 {
        let rhs = std::array::from_fn(|i| -(e.core[i] - self.core[i][3] * self.spin_inverse * e.core[3]));
        let f = self.force_factor.solve(&rhs);
        self.with_rolling(e, [f[0], f[1], f[2], self.spin_stop(e, f)])
    }

    /// The wrench with force along `q` (`q.x = 1`, its tangential part given) that stops normal motion, rolling and
    /// spinning; `None` where the normal row has no positive response along `q`.
    pub(super) fn slide(&self, e: &Reduced, q: DVec3) -> Option<Vec6> {
        let den = DVec3::from_array(self.force[0]).dot(q);
        if den <= RESPONSE_MIN * self.force[0][0] {
            return None;
        }
        let rhs = e.core[0] - self.core[0][3] * self.spin_inverse * e.core[3];
        let f = (q * (-rhs / den)).to_array();
        Some(self.with_rolling(e, [f[0], f[1], f[2], self.spin_stop(e, f)]))
    }

    /// Spin torque that stops the spin at force `f`.
    fn spin_stop(&self, e: &Reduced, f: [f64; 3]) -> f64 {
        let [a, b, c, _] = self.core[3];
        -(e.core[3] + a * f[0] + b * f[1] + c * f[2]) * self.spin_inverse
    }

    /// The wrench with force along `q` and spin torque `spin * f_n` about the normal through `x` that stops normal
    /// motion and rolling; `None` as for [`Block::slide`].
    pub(super) fn slide_and_spin(&self, e: &Reduced, q: DVec3, spin: f64, x: DVec2) -> Option<Vec6> {
        let tau = spin + x.x * q.z - x.y * q.y;
        let row = self.core[0];
        let den = row[0] + row[1] * q.y + row[2] * q.z + row[3] * tau;
        if den <= RESPONSE_MIN * row[0] {
            return None;
        }
        let f = -e.core[0] / den;
        Some(self.with_rolling(e, [f, q.y * f, q.z * f, tau * f]))
    }

    /// The wrench with spin torque `spin * f_n` about the normal through `x` that stops everything but the spin;
    /// `None` where the three force rows have no regular response.
    pub(super) fn stick_and_spin(&self, e: &Reduced, spin: f64, x: DVec2) -> Option<Vec6> {
        let per_force = DVec3::new(spin, -x.y, x.x);
        let rows: [DVec3; 3] = std::array::from_fn(|i| {
            let [a, b, c, s] = self.core[i];
            DVec3::new(a, b, c) + per_force * s
        });
        let minor = rows[1].cross(rows[2]);
        let det = rows[0].dot(minor);
        let scale = self.core[0][0] * self.core[1][1] * self.core[2][2];
        if det <= RESPONSE_MIN * scale {
            return None;
        }
        let f =
            (minor * -e.core[0] + rows[2].cross(rows[0]) * -e.core[1] + rows[0].cross(rows[1]) * -e.core[2])
                / det;
        Some(self.with_rolling(e, [f.x, f.y, f.z, per_force.dot(f)]))
    }
}

/// A response below this part of the frictionless one is a division by rounding noise. No unit.
pub(super) const RESPONSE_MIN: f64 = 1e-12;
