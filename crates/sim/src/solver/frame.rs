//! Contact frame, adjoints, wrench shift and centre of pressure.
//!
//! Contact axes are `(n, u, w)` with `n = u × w`, about the contact point `c`; `n` points from body A to body B. A
//! twist is `(v_n, v_u, v_w | ω_n, ω_u, ω_w)`, body B minus body A; a wrench is `(f_n, f_u, f_w | τ_n, τ_u, τ_w)` and
//! acts on B, its opposite on A. The torque shift, the centre of pressure and `r × f` are those that keep the power
//! of a wrench in a twist the same in every frame; Bouchard et al. 2015 print all three with the other sign
//! (equation 7, sections 5.3 and 5.4), and divide by `τ_n` where `f_n` is meant.

use glam::{DMat3, DVec2, DVec3};

use crate::solver::{Mat6, Vec6};

/// A contact's point and axes in the world.
///
/// The first row of a twist in these axes is `v_n + pitch ω_n`, and a normal force carries the torque `pitch f_n` about the
/// normal: that of a screw. It is zero where bodies touch with faces; on the flank of a thread it is what makes a push
/// turn the nut.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactFrame {
    /// Contact point `c`, world \[m\].
    pub point: DVec3,
    /// Matrix whose columns are `(n, u, w)` in world axes.
    pub w_from_c: DMat3,
    /// Torque about the normal through the point per normal force \[m\].
    pub pitch: f64,
}

impl ContactFrame {
    /// The frame at `point` with normal `n` and tangent axes `(u, w)`, used as they are: orthonormal, `n = u × w`.
    pub fn new(point: DVec3, normal: DVec3, axes: [DVec3; 2]) -> Self {
        debug_assert!(
            (axes[0].cross(axes[1]) - normal).length() < 1e-6,
            "contact axes have to be orthonormal and right-handed: {normal} {axes:?}"
        );
        Self { point, w_from_c: DMat3::from_cols(normal, axes[0], axes[1]), pitch: 0.0 }
    }

    /// The same frame with another pitch.
    #[must_use]
    pub fn with_pitch(self, pitch: f64) -> Self {
        Self { pitch, ..self }
    }

    /// Contact normal from A to B, world axes.
    pub fn normal(&self) -> DVec3 {
        self.w_from_c.x_axis
    }

    /// A world vector in contact axes.
    pub fn to_contact(&self, v: DVec3) -> DVec3 {
        let [n, u, w] = [self.w_from_c.x_axis, self.w_from_c.y_axis, self.w_from_c.z_axis];
        DVec3::new(n.dot(v), u.dot(v), w.dot(v))
    }

    /// A vector of contact axes in world axes.
    pub fn to_world(&self, v: DVec3) -> DVec3 {
        self.w_from_c * v
    }

    /// Twist at the contact point, in contact axes, of a body whose point `x` \[m\] moves with `v` \[m/s\] while it
    /// turns with `omega` \[rad/s\] (all world): the adjoint `Ad(c - x)` applied to `(v | ω)`.
    pub fn twist(&self, x: DVec3, v: DVec3, omega: DVec3) -> Vec6 {
        let at_point = v + omega.cross(self.point - x);
        let (mut linear, angular) = (self.to_contact(at_point), self.to_contact(omega));
        linear.x += self.pitch * angular.x;
        Vec6::from_parts(linear, angular)
    }

    /// Force and torque about the world point `x` of a contact wrench, world axes: `Adᵀ λ`.
    pub fn wrench_to_world(&self, wrench: &Vec6, x: DVec3) -> (DVec3, DVec3) {
        let force = self.to_world(wrench.linear());
        (force, self.torque_to_world(wrench) + (self.point - x).cross(force))
    }

    /// Torque of a contact wrench about the contact point, world axes \[N m\].
    pub fn torque_to_world(&self, wrench: &Vec6) -> DVec3 {
        self.to_world(wrench.angular() + DVec3::X * (self.pitch * wrench[0]))
    }

    /// Contact wrench of a force and a torque about the world point `x`, world axes: `Ad⁻ᵀ λ_w`.
    pub fn wrench_from_world(&self, force: DVec3, torque: DVec3, x: DVec3) -> Vec6 {
        let about_point = torque + (x - self.point).cross(force);
        let (force, mut torque) = (self.to_contact(force), self.to_contact(about_point));
        torque.x -= self.pitch * force.x;
        Vec6::from_parts(force, torque)
    }

    /// What a body adds to `A = J M⁻¹ Jᵀ`: the twist at the contact point per unit of contact impulse.
    ///
    /// `inverse_mass` \[1/kg\]; `inverse_inertia` about the centre of mass `x`, world axes \[1/(kg m²)\]. The same for
    /// both bodies, because the sign of the impulse enters twice.
    pub fn admittance(&self, inverse_mass: f64, inverse_inertia: &DMat3, x: DVec3) -> Mat6 {
        let c_from_w = self.w_from_c.transpose();
        let angular = c_from_w * *inverse_inertia * self.w_from_c;
        let arm = skew(self.to_contact(self.point - x));
        // v = f / m + (I⁻¹ (r × f + τ)) × r, hence -r^ I⁻¹ for the torque and 1/m - r^ I⁻¹ r^ for the force.
        let coupling = -(arm * angular);
        let linear = DMat3::from_diagonal(DVec3::splat(inverse_mass)) + coupling * arm;
        let mut s = Mat6::from_blocks(&symmetric(linear), &coupling, &symmetric(angular));
        if self.pitch != 0.0 {
            for column in 0..6 {
                s.0[0][column] += self.pitch * s.0[3][column];
            }
            for row in 0..6 {
                s.0[row][0] += self.pitch * s.0[row][3];
            }
        }
        s
    }
}

/// The matrix `v^` with `v^ x = v × x`.
fn skew(v: DVec3) -> DMat3 {
    DMat3::from_cols(DVec3::new(0.0, v.z, -v.y), DVec3::new(-v.z, 0.0, v.x), DVec3::new(v.y, -v.x, 0.0))
}

/// Symmetric part, which removes the rounding that congruence leaves.
fn symmetric(m: DMat3) -> DMat3 {
    (m + m.transpose()) * 0.5
}

/// The same wrench about the point at `r` from the point it is given about (any axes): `τ' = τ - r × f`.
pub fn shift_wrench(wrench: &Vec6, r: DVec3) -> Vec6 {
    Vec6::from_parts(wrench.linear(), wrench.angular() - r.cross(wrench.linear()))
}

/// The same twist at the point at `r` from the point it is given at (any axes): `v' = v + ω × r`.
pub fn shift_twist(twist: &Vec6, r: DVec3) -> Vec6 {
    Vec6::from_parts(twist.linear() + twist.angular().cross(r), twist.angular())
}

/// The offset in contact axes of a point of the contact plane.
pub fn in_plane(x: DVec2) -> DVec3 {
    DVec3::new(0.0, x.x, x.y)
}

/// Centre of pressure of a contact wrench on `(u, w)` about the contact point \[m\]: where `τ_u` and `τ_w` vanish,
/// `(-τ_w, τ_u) / f_n`. Not finite for `f_n = 0`.
pub fn center_of_pressure(wrench: &Vec6) -> DVec2 {
    DVec2::new(-wrench[5], wrench[4]) / wrench[0]
}

/// Torque about the normal through the point `x` of the contact plane: the spin torque if `x` is the centre of
/// pressure.
pub fn spin_torque(wrench: &Vec6, x: DVec2) -> f64 {
    wrench[3] - (x.x * wrench[2] - x.y * wrench[1])
}

/// Gradient over `(u, w)` of a twist's normal velocity: `v_n(x) = v_n + G·x` with `G = (-ω_w, ω_u)`.
pub fn normal_velocity_gradient(twist: &Vec6) -> DVec2 {
    DVec2::new(-twist[5], twist[4])
}
