//! Contact at the border of a patch, about which the bodies tip.
//!
//! A force at one point of the border stops that point, but bodies of unequal arms may leave the border beside it
//! approaching: a plate that lands on its edge would keep one end of the edge going in. So the point then moves along
//! the border, to where its force also holds what is beside it. Bouchard et al. 2015 (section 5.4) keep the first
//! point and note that the projection should weigh by mass.

use glam::{DVec2, DVec3};

use super::Block;
use super::point::{point_matrix, side_of_cone, velocity_at};
use crate::solver::ContactPatch;
use crate::solver::frame::{in_plane, normal_velocity_gradient};
use crate::solver::spatial::{Cholesky, Mat6, Vec6};

/// Directions of friction tried on a slipping point before it goes without. No unit.
const SLIP_PASSES: u32 = 3;

/// Moves along the border, each about half a microsecond: two leave 3.0e-3 of unit speed on the patch in 90 % of random tipping
/// blocks, four 2.9e-3, none 1.1e-2. No unit.
const BORDER_PASSES: u32 = 4;

/// Approach left on the patch, as a part of the approach before, that calls for no move: below what a solver of
/// several contacts leaves anyway. No unit.
const APPROACH_LEFT: f64 = 1e-9;

/// A block whose centre of pressure lies on the border of its patch.
pub(super) struct Border<'a> {
    pub block: &'a Block,
    pub e: &'a Vec6,
    pub patch: &'a ContactPatch,
    pub friction: f64,
}

impl Border<'_> {
    /// The contact at the patch's point that approaches fastest without it; zero where none approaches.
    pub(super) fn closing_contact(&self) -> Vec6 {
        self.contact(self.patch.lowest(normal_velocity_gradient(self.e)))
    }

    /// The contact at the border point `x`, or farther along the border where `x` cannot hold what is beside it. Zero
    /// if `x` opens.
    pub(super) fn contact(&self, mut x: DVec2) -> Vec6 {
        let mut wrench = self.point_contact(x);
        let tolerance = APPROACH_LEFT * self.approach(self.e).abs();
        for _ in 0..BORDER_PASSES {
            if wrench[0] <= 0.0 {
                break;
            }
            let after = *self.e + self.block.matrix() * wrench;
            if self.approach(&after) <= tolerance {
                break;
            }
            let gradient = normal_velocity_gradient(&after);
            let Some(direction) = self.patch.falling_direction(x, gradient) else { break };
            let next = self.patch.nearest(x + direction * self.shift_of_line(x, direction));
            let moved = self.point_contact(next);
            if moved[0] <= 0.0 {
                break;
            }
            (x, wrench) = (next, moved);
        }
        wrench
    }

    /// Fastest approach on the patch \[m/s\]; negative where all of it opens.
    fn approach(&self, twist: &Vec6) -> f64 {
        let gradient = normal_velocity_gradient(twist);
        -(twist[0] + gradient.dot(self.patch.lowest(gradient)))
    }

    /// The wrench of a point contact at `x`: a force within the cone, and no torque about `x`.
    fn point_contact(&self, x: DVec2) -> Vec6 {
        let force = self.force(&PointRows::new(self.block.matrix(), self.e, x));
        Vec6::from_parts(force, in_plane(x).cross(force))
    }

    /// How far along the unit direction `d` from `x` the centre of pressure lies of a contact along that line, whose
    /// torque stops the turning of the line; zero where such a contact would pull.
    fn shift_of_line(&self, x: DVec2, d: DVec2) -> f64 {
        let mut rows = PointRows::new(self.block.matrix(), self.e, x);
        let Some(line) = LineRow::new(self.block.matrix(), self.e, x, d) else {
            return 0.0;
        };
        line.eliminate(&mut rows);
        let force = self.force(&rows);
        if force.x > 0.0 { line.torque(force) / force.x } else { 0.0 }
    }

    /// The force within the cone that stops a point, or what stops its approach while it slips; zero if it opens.
    ///
    /// Friction on a slipping point keeps the direction of the sticking force unless that would drive the slip it
    /// leaves. A force that does not drive it does no work beyond `-f·S·f / 2`, so the energy never rises.
    fn force(&self, point: &PointRows) -> DVec3 {
        let stick = point.stick();
        let side = side_of_cone(stick, self.friction);
        if stick.x > 0.0 && side.is_none() {
            return stick;
        }
        // Whether the point opens decides, not the sign of the sticking force.
        if point.velocity.x >= 0.0 || point.rows[0].x <= 0.0 {
            return DVec3::ZERO;
        }
        let frictionless = DVec3::X * (-point.velocity.x / point.rows[0].x);
        let against = |slip: DVec3| DVec3::X - slip.with_x(0.0).normalize_or_zero() * self.friction;
        let mut q =
            side.filter(|_| stick.x > 0.0).unwrap_or_else(|| against(point.velocity_after(frictionless)));
        for _ in 0..SLIP_PASSES {
            let response = point.rows[0].dot(q);
            if response <= 0.0 {
                break;
            }
            let force = q * (-point.velocity.x / response);
            let slip = point.velocity_after(force);
            if force.with_x(0.0).dot(slip) <= 0.0 {
                return force;
            }
            q = against(slip);
        }
        frictionless
    }
}

/// The force rows of a block moved to a point of the contact plane.
struct PointRows {
    rows: [DVec3; 3],
    velocity: DVec3,
}

impl PointRows {
    /// `X S Xᵀ` and `X e` with `X = [1 -r^]`, the velocity rows at `x`.
    fn new(s: &Mat6, e: &Vec6, x: DVec2) -> Self {
        Self { rows: point_matrix(s, x), velocity: velocity_at(&e.0, x) }
    }

    fn velocity_after(&self, force: DVec3) -> DVec3 {
        self.velocity + DVec3::from_array(self.rows.map(|row| row.dot(force)))
    }

    /// The force that stops the point.
    fn stick(&self) -> DVec3 {
        let matrix = self.rows.map(|row| row.to_array());
        DVec3::from_array(Cholesky::new(&matrix).solve(&(-self.velocity).to_array()))
    }
}

/// The row of the change of normal velocity along a line, `d·G`.
struct LineRow {
    /// Response to a force at the line's point.
    to_force: DVec3,
    /// Reciprocal response to a torque that shifts the centre of pressure along the line.
    inverse: f64,
    velocity: f64,
}

impl LineRow {
    /// `None` for bodies that cannot turn.
    fn new(s: &Mat6, e: &Vec6, x: DVec2, d: DVec2) -> Option<Self> {
        let m = &s.0;
        let row: [f64; 6] = std::array::from_fn(|j| d.y * m[4][j] - d.x * m[5][j]);
        let response = d.y * row[4] - d.x * row[5];
        (response > 0.0).then(|| Self {
            to_force: velocity_at(&row, x),
            inverse: 1.0 / response,
            velocity: d.y * e[4] - d.x * e[5],
        })
    }

    /// Makes the rows those of a point whose line does not turn.
    fn eliminate(&self, point: &mut PointRows) {
        for i in 0..3 {
            let part = self.to_force[i] * self.inverse;
            point.rows[i] -= self.to_force * part;
            point.velocity[i] -= self.velocity * part;
        }
    }

    fn torque(&self, force: DVec3) -> f64 {
        -(self.velocity + self.to_force.dot(force)) * self.inverse
    }
}
