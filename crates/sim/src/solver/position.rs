//! Position correction: takes the volume above target out of the contacts after a step, and the gaps out of the joints,
//! without giving any velocity.
//!
//! Post-stabilisation after Cline and Pai (2003) on the volume constraint of Allard et al. (2010), with the sign of a
//! pressure: bodies are only ever pushed apart.

use glam::DVec3;

use crate::constants::{
    JOINT_DEADBAND, STABILIZATION_DEADBAND, STABILIZATION_SWEEPS, STABILIZATION_TOLERANCE,
};
use crate::solver::Vec6;
use crate::solver::body::{NO_SLOT, SolverBody};
use crate::solver::constraint::{Constraint, Rows};
use crate::solver::local::JointBlock;
use crate::twist::Twist;

/// Adds to how far an island's bodies have to go besides.
///
/// With one pressure p >= 0 per row the bodies are displaced by `M⁻¹ Gᵀ p` (G: the volume's gradient with its angular part)
/// until no volume exceeds its target, by projected Gauss-Seidel over the island. Rows below target take part, so that
/// pushing a lower body up does not push it into the next. `strength` is the part taken out per step. A contact never
/// asks for more than its own extent; V is convex in the depth for a cap or a wedge, so the first order never overshoots
/// there. What joints are off by after `dt` is taken out in the same sweeps.
pub fn correct(
    volumes: &[VolumeRow],
    joints: &[Constraint],
    bodies: &mut [SolverBody],
    strength: f64,
    dt: f64,
) {
    let mut largest = 0.0_f64;
    let mut closings: Vec<_> =
        joints.iter().filter_map(|joint| Closing::new(joint, bodies, strength, dt)).collect();
    for size in closings.iter().map(Closing::size).filter(|size| *size > JOINT_DEADBAND) {
        largest = largest.max(size);
    }
    let mut pressures: Vec<_> = volumes.iter().map(|row| Pressure::new(row, bodies, strength)).collect();
    for (row, pressure) in volumes.iter().zip(&pressures) {
        if row.is_too_deep() {
            largest = largest.max(pressure.excess * pressure.inverse_area);
        }
    }
    if largest == 0.0 && bodies.iter().all(|body| body.correction == Twist::default()) {
        return;
    }
    for _ in 0..STABILIZATION_SWEEPS {
        let mut change = 0.0_f64;
        for (row, pressure) in volumes.iter().zip(&mut pressures) {
            change = change.max(pressure.relax(row, bodies) * pressure.inverse_area);
        }
        for closing in &mut closings {
            change = change.max(closing.relax(bodies));
        }
        if change <= STABILIZATION_TOLERANCE * largest {
            break;
        }
    }
}

/// First order of an overlap's volume in the poses of its two bodies.
#[derive(Clone, Copy, Debug)]
pub struct VolumeRow {
    /// Slots of A and B within the island; [`NO_SLOT`] for a body that it cannot move.
    pub slots: [u32; 2],
    /// Volume \[m³\]; of bodies that do not overlap yet the first-order continuation, negative.
    pub volume: f64,
    /// Volume at which the contact is held \[m³\]; infinite where the bodies part.
    pub target: f64,
    /// Patch area, the length of the gradient \[m²\].
    pub area: f64,
    /// Extent of the overlap along the normal \[m\].
    pub extent: f64,
    /// `dV/dx_B`; A's is its negative \[m²\].
    pub gradient_b: DVec3,
    /// `dV/dθ_A` about A's centre of mass \[m³\].
    pub angular_a: DVec3,
    /// `dV/dθ_B` about B's centre of mass \[m³\].
    pub angular_b: DVec3,
    /// `dV/dt` by the motion of bodies that nothing can move \[m³/s\].
    pub driven_rate: f64,
}

impl VolumeRow {
    /// The row of a point over the same area that has to be held `held` deep and is `depth` deep; `arms` lead to it from the
    /// centres of mass.
    #[must_use]
    pub fn of_point(&self, normal: DVec3, arms: [DVec3; 2], depth: f64, held: f64) -> Self {
        let gradient_b = -self.area * normal;
        let [angular_a, angular_b] = [-arms[0].cross(gradient_b), arms[1].cross(gradient_b)];
        Self {
            volume: self.area * depth,
            target: self.area * held,
            extent: depth.max(0.0),
            gradient_b,
            angular_a,
            angular_b,
            driven_rate: 0.0,
            ..*self
        }
    }

    /// Whether there is something to take out.
    pub fn is_too_deep(&self) -> bool {
        self.volume - self.target > STABILIZATION_DEADBAND * (self.target + self.volume)
    }

    /// The row after the bodies have gone on for `dt` with the velocities that they have, to first order.
    #[must_use]
    pub fn after(&self, bodies: &[SolverBody], dt: f64) -> Self {
        let rate = self.dot(bodies, |body| body.twist) + self.driven_rate;
        Self { volume: self.volume + dt * rate, ..*self }
    }

    /// Change of the volume by the motion of bodies with these twists \[m³/s\].
    pub fn rate(&self, twists: &[Option<Twist>; 2]) -> f64 {
        let sides = [(twists[0], -1.0, self.angular_a), (twists[1], 1.0, self.angular_b)];
        let rate = |(twist, sign, angular): (Option<Twist>, f64, DVec3)| {
            twist.map_or(0.0, |twist| sign * self.gradient_b.dot(twist.linear) + angular.dot(twist.angular))
        };
        sides.into_iter().map(rate).sum()
    }

    /// The same that is held at a mean depth \[m\]: the volume where that is reached, by the power of [`slack`](Self::slack). Of a corner that is
    /// deep in the other body a layer of that depth over its present area is much more.
    #[must_use]
    pub fn held_at(&self, mean_depth: f64) -> Self {
        let target = self.volume * (mean_depth * self.area / self.volume).powf(self.power());
        Self { target, ..*self }
    }

    /// How much deeper the bodies may get before the volume is at its target \[m\]; negative above target.
    ///
    /// Takes the volume as a power of the depth, `V ~ d^p` with `p = A d / V`, which is exact for a prism (p = 1), a
    /// shallow cap or a wedge (p = 2) and a corner (p = 3). Newton's step `(e_V - V) / A` is its limit for p = 1 and
    /// would overshoot without bound where a small cap has hardly any area yet.
    pub fn slack(&self) -> f64 {
        self.extent * ((self.target / self.volume).powf(self.power().recip()) - 1.0)
    }

    /// Mean depth at which the volume is at its target, by the same power \[m\].
    pub fn depth_at_target(&self) -> f64 {
        (self.extent + self.slack()) / self.power()
    }

    /// The power p. Rounding can leave it a little below 1, where it would overshoot the prism's.
    fn power(&self) -> f64 {
        (self.area * self.extent / self.volume).max(1.0)
    }

    /// The gradient times a displacement or velocity of the two bodies, as far as they are dynamic.
    fn dot(&self, bodies: &[SolverBody], motion: impl Fn(&SolverBody) -> Twist) -> f64 {
        let mut sum = 0.0;
        let [a, b] = self.slots;
        for (slot, sign, angular) in [(a, -1.0, self.angular_a), (b, 1.0, self.angular_b)] {
            if slot != NO_SLOT {
                let moved = motion(&bodies[slot as usize]);
                sum += sign * self.gradient_b.dot(moved.linear) + angular.dot(moved.angular);
            }
        }
        sum
    }

    /// Change of volume per pressure, `G M⁻¹ Gᵀ` \[m⁴/kg\].
    fn response(&self, bodies: &[SolverBody]) -> f64 {
        let mut sum = 0.0;
        for (slot, angular) in self.slots.into_iter().zip([self.angular_a, self.angular_b]) {
            if slot != NO_SLOT {
                let body = &bodies[slot as usize];
                sum += body.inverse_mass * self.gradient_b.length_squared()
                    + angular.dot(body.inverse_inertia * angular);
            }
        }
        sum
    }
}

/// The volume row of one contact while positions are corrected.
#[derive(Clone, Copy, Debug)]
struct Pressure {
    /// Volume above target, what is to be taken out; negative below target \[m³\].
    excess: f64,
    /// 1 / (change of volume per pressure) \[1/(m⁴/kg)\]; 0 for a row that moves nothing.
    inverse_response: f64,
    /// 1 / area \[1/m²\].
    inverse_area: f64,
    /// Accumulated pressure impulse, per mass-weighted displacement \[kg/m\].
    value: f64,
}

impl Pressure {
    fn new(row: &VolumeRow, bodies: &[SolverBody], strength: f64) -> Self {
        let excess = row.volume - row.target;
        let limit = row.area * row.extent;
        let response = row.response(bodies);
        Self {
            excess: if excess > 0.0 { (strength * excess).min(limit) } else { excess },
            inverse_response: if response > 0.0 { response.recip() } else { 0.0 },
            inverse_area: row.area.recip(),
            value: 0.0,
        }
    }

    /// Solves this row against the displacements so far; by how much the volume changed \[m³\].
    fn relax(&mut self, row: &VolumeRow, bodies: &mut [SolverBody]) -> f64 {
        let left = self.excess + row.dot(bodies, |body| body.correction);
        let value = (self.value + left * self.inverse_response).max(0.0);
        let update = value - self.value;
        if update == 0.0 {
            return 0.0;
        }
        self.value = value;
        let [a, b] = row.slots;
        for (slot, sign, angular) in [(a, -1.0, row.angular_a), (b, 1.0, row.angular_b)] {
            if slot != NO_SLOT {
                let body = &mut bodies[slot as usize];
                // Against the gradient: the volume shrinks.
                body.correction.linear -= row.gradient_b * (sign * body.inverse_mass * update);
                body.correction.angular -= body.inverse_inertia * angular * update;
            }
        }
        (update / self.inverse_response).abs()
    }
}

/// A joint while positions are corrected.
#[derive(Clone, Debug)]
struct Closing<'a> {
    joint: &'a Constraint,
    block: JointBlock,
    /// Displacement that the locked rows are off by after the step, joint axes \[m, rad\].
    error: Vec6,
    /// How far its limits are behind along its axis, 0 within them \[m or rad\].
    beyond: f64,
    /// Accumulated impulse, per mass-weighted displacement.
    value: Vec6,
}

impl<'a> Closing<'a> {
    /// The closing of a joint; `None` for any other constraint, and where sweeps that went astray have left no numbers to start
    /// from, which whoever asks for the bodies' states will find.
    fn new(joint: &'a Constraint, bodies: &[SolverBody], strength: f64, dt: f64) -> Option<Self> {
        let Rows::Joint(law) = &joint.rows else { return None };
        let offset = law.offset_after(&joint.twists(law, bodies), dt);
        let coordinate = law.coordinate + offset.coordinate(&law.kind, law.phase) - law.phase;
        let error = law.kind.on_locked(&offset.error(&law.kind)) * strength;
        if !coordinate.is_finite() || !error.is_finite() {
            return None;
        }
        let mut bounds = [f64::NEG_INFINITY, f64::INFINITY];
        if let Some([low, high]) = law.kind.limits() {
            let part = |x: f64, beyond: bool| if beyond { strength * x } else { x };
            bounds = [part(low - coordinate, low > coordinate), part(high - coordinate, high < coordinate)];
        }
        let beyond = bounds[0].max(-bounds[1]).max(0.0);
        Some(Self { joint, block: law.block.for_positions(bounds), error, beyond, value: Vec6::ZERO })
    }

    /// How much there is to be taken out; metres and radians are counted alike.
    fn size(&self) -> f64 {
        self.error.0.iter().fold(self.beyond, |largest, x| largest.max(x.abs()))
    }

    /// Solves this joint against the displacements so far; by how much it moved \[m, rad\].
    fn relax(&mut self, bodies: &mut [SolverBody]) -> f64 {
        let left = self.joint.relative(bodies, |body| body.correction) + self.error;
        let value = self.block.relax(&left, &self.value);
        let update = value - self.value;
        self.value = value;
        self.joint.push(&update, bodies, |body| &mut body.correction);
        let moved = self.joint.relative(bodies, |body| body.correction) + self.error - left;
        moved.0.iter().fold(0.0, |largest, x| largest.max(x.abs()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A prism, a wedge and a corner are as deep in the mean as they are held once they have gone on by their slack. Each is `power` times as deep as in the mean.
    #[test]
    fn one_slack_leads_to_the_depth_at_which_an_overlap_is_held() {
        for power in [1, 2, 3] {
            let mean = |depth: f64| depth / f64::from(power);
            for depth in [1e-3_f64, 5e-5, 2e-6] {
                let area = depth.powi(power - 1);
                let row = VolumeRow {
                    slots: [0, NO_SLOT],
                    volume: area * mean(depth),
                    target: 0.0,
                    area,
                    extent: depth,
                    gradient_b: DVec3::NEG_Z * area,
                    angular_a: DVec3::ZERO,
                    angular_b: DVec3::ZERO,
                    driven_rate: 0.0,
                };
                let held = row.held_at(1e-5);
                let then = mean(depth + held.slack());
                // Roundings of 1e-16 of a hundred times as much.
                assert!((then / 1e-5 - 1.0).abs() < 1e-13, "{power} {depth}: {then}");
                assert!((held.depth_at_target() / 1e-5 - 1.0).abs() < 1e-13, "{power} {depth}");
            }
        }
    }
}
