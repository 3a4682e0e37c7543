//! The exact contact block: contact, patch and friction limits solved together.
//!
//! Wanted is an impulse whose centre of pressure lies in the patch and whose friction about it lies within the limit
//! surface, such that no point of the patch approaches, only points at rest in the normal direction push, and friction
//! takes most power from the slip at the centre of pressure. With friction per normal force `g` held, the normal rows are
//! a small complementarity problem (module `normal`) with exact answers; what is left is `g` itself, three unknowns in a
//! convex body, and the condition that it opposes the slip that it leaves. That is a fixed point,
//! `g = proj(g - ρ s(g))`, solved by a semi-smooth Newton method (Alart and Curnier 1991, in the three unknowns of
//! friction alone). Because the normal rows hold at every `g`, De Saxcé and Feng's correction (1998) is there from the
//! start: a sliding contact does not lift. Of a patch that is a point one unknown is left, an angle (module `lone_point`).
//!
//! The limit surface enters by the ellipsoid that touches it to second order where the slip points
//! ([`Support::metric`](crate::solver::friction::Support)), so that every step is a full Newton step.

mod corners;
mod lone_point;
mod normal;
mod opposing;

use glam::{DMat3, DVec2, DVec3, Vec3Swizzles};

use self::normal::{NormalRows, Pressing};
use self::opposing::{LinearSlip, MULTIPLIER_CONVERGED};
use super::{Block, project};
use crate::solver::frame::{center_of_pressure, spin_torque};
use crate::solver::spatial::Vec6;
use crate::solver::{ContactLimits, ContactPatch};

/// Change of friction per normal force by one more step at which it is found, as a part of the coefficient: a hundred
/// roundings. No unit.
const RESIDUAL_MIN: f64 = 2e-14;

/// A residual that is good enough where rounding allows no better: large ratios of mass or of arms. No unit.
const RESIDUAL_ACCEPTED: f64 = 1e-9;

/// A residual below which steps that no longer pay have come to rounding. No unit.
const RESIDUAL_STALLED: f64 = 1e-11;

/// Steps of friction; random blocks need three on average. No unit.
const STEP_LIMIT: u32 = 60;

/// Result of a cone solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConeSolution {
    /// The total impulse in contact axes about the contact point \[N s, N m s\].
    pub impulse: Vec6,
    /// Change of friction per normal force by one more step, as a part of the coefficient of friction. No unit.
    pub residual: f64,
    /// Steps taken.
    pub steps: u32,
}

/// Solves one block; arguments as for [`project`](super::project()). `guess` is an impulse near the answer, such as the
/// last one: it saves steps. Friction is found until one more step would change it by `accuracy` of the coefficient of
/// friction; 0 stands for rounding, and then the guess changes the result by rounding only.
///
/// Whatever the residual, the impulse keeps to its limits, nothing on the patch approaches (to 1e-10 of the velocities of
/// the patch), and the energy does not rise.
/// Where no steps converge (friction may leave the bodies without normal response, Painlevé 1895) friction is not quite
/// opposite to the slip: of 6000 random blocks three are left with a residual above 1e-9. Where no friction that was tried
/// has an answer, the contact goes without, and the residual is infinite; only bodies without any response, which no
/// impulse stops, keep their approach.
pub fn solve_cone(
    block: &Block,
    e: &Vec6,
    limits: &ContactLimits,
    guess: &Vec6,
    accuracy: f64,
) -> ConeSolution {
    let exact = |impulse| ConeSolution { impulse, residual: 0.0, steps: 0 };
    if !e.is_finite() {
        return ConeSolution { impulse: Vec6([f64::NAN; 6]), residual: f64::NAN, steps: 0 };
    }
    let normal = normal_part(e);
    if limits.patch.least(normal) >= 0.0 {
        return exact(Vec6::ZERO);
    }
    let accuracy = accuracy.max(RESIDUAL_MIN);
    let cone = Cone { block, e, patch: &limits.patch, limits, radius: limits.surface.radius(), accuracy };
    if let Some(point) = limits.patch.point().filter(|_| cone.radius == 0.0)
        && let Some(solution) = cone.at_point(point, guess)
    {
        return solution;
    }
    if limits.friction == 0.0 {
        return cone.without_friction();
    }
    let mut start = DVec3::ZERO;
    let stuck = block.stick(&block.reduce(e));
    if stuck[0] > 0.0 {
        let x = center_of_pressure(&stuck);
        start = cone.friction_of(&stuck, x);
        let inside = is_within_all(start, limits.friction);
        // Of corners with gaps of their own few come to rest.
        let comes_to_rest = !matches!(limits.patch, ContactPatch::Corners(_));
        if inside && comes_to_rest && limits.patch.contains(x) {
            return exact(stuck);
        }
    }
    if guess[0] > 0.0 {
        start = cone.friction_of(guess, center_of_pressure(guess));
    }
    cone.solve_from(start).unwrap_or_else(|| ConeSolution {
        residual: f64::INFINITY,
        steps: STEP_LIMIT,
        ..cone.without_friction()
    })
}

/// A block with its limits. Friction per normal force is `(g_u, g_w, g_τ / r_s)`, slip `(v_u, v_w, r_s ω)`.
struct Cone<'a> {
    block: &'a Block,
    e: &'a Vec6,
    patch: &'a ContactPatch,
    limits: &'a ContactLimits,
    /// Spin radius \[m\].
    radius: f64,
    /// Residual at which friction is found.
    accuracy: f64,
}

/// A block with the normal rows solved for given friction.
struct State {
    pressing: Pressing,
    /// Normal velocities and sliding ones by the three unknowns of the normal rows.
    m: DMat3,
    sliding: DMat3,
    impulse: Vec6,
    /// Angular velocity about the normal \[rad/s\].
    spin: f64,
    /// Centre of pressure, and the slip there.
    x: DVec2,
    slip: DVec3,
}

impl Cone<'_> {
    /// The block without friction. Its matrix is then symmetric and positive, so that only rounding or a block without
    /// response leave it unsolved: then it is the projection's impulse, with an infinite residual.
    fn without_friction(&self) -> ConeSolution {
        let (impulse, residual) = match self.state(DVec3::ZERO, None) {
            Some(state) => (state.impulse, 0.0),
            None => (project(self.block, self.e, self.limits), f64::INFINITY),
        };
        ConeSolution { impulse, residual, steps: 0 }
    }

    /// The best solution of several attempts, the first from `start`; `None` where even none is any good.
    fn solve_from(&self, start: DVec3) -> Option<ConeSolution> {
        let mut best: Option<ConeSolution> = None;
        let mut steps = 0;
        for (attempt, longest) in LONGEST.into_iter().enumerate() {
            let from = match attempt {
                0 => start,
                1 => DVec3::ZERO,
                _ => self.projected_friction(),
            };
            let Some(solution) = self.solve_friction(from, longest) else { continue };
            steps += solution.steps;
            if best.is_none_or(|best| solution.residual < best.residual) {
                best = Some(solution);
            }
            if solution.residual <= self.accuracy.max(RESIDUAL_ACCEPTED) {
                break;
            }
        }
        best.map(|best| ConeSolution { steps, ..best })
    }

    /// Friction per normal force of a wrench with centre of pressure `x`.
    fn friction_of(&self, wrench: &Vec6, x: DVec2) -> DVec3 {
        let spin = if self.radius > 0.0 { spin_torque(wrench, x) / self.radius } else { 0.0 };
        DVec3::new(wrench[1], wrench[2], spin) / wrench[0]
    }

    /// Friction per normal force of the projection's impulse.
    fn projected_friction(&self) -> DVec3 {
        let impulse = project(self.block, self.e, self.limits);
        if impulse[0] > 0.0 { self.friction_of(&impulse, center_of_pressure(&impulse)) } else { DVec3::ZERO }
    }

    /// The block at friction `g` per normal force; `None` where it has no normal response. What pressed at other friction saves
    /// the search for it.
    fn state(&self, g: DVec3, near: Option<&Pressing>) -> Option<State> {
        let spin = g.z * self.radius;
        // Wrenches of N = (f_n, f_n x_u, f_n x_w), as friction acts at the centre of pressure: (1, g, spin, 0, 0),
        // (0, 0, 0, g_w, 0, -1) and (0, 0, 0, -g_u, 1, 0).
        let s = self.block.matrix();
        let by_force = |part: fn(&Vec6) -> DVec3| {
            let [normal, u, w, turn, roll_u, roll_w] = std::array::from_fn(|ix| part(&s.column(ix)));
            DMat3::from_cols(
                normal + u * g.x + w * g.y + turn * spin,
                turn * g.y - roll_w,
                roll_u - turn * g.x,
            )
        };
        let rows = NormalRows { m: by_force(normal_part), e: normal_part(self.e) };
        let pressing = rows.solve(self.patch, near)?;
        let n = pressing.force;
        let torque = spin * n.x + g.y * n.y - g.x * n.z;
        let impulse = Vec6([n.x, g.x * n.x, g.y * n.x, torque, n.z, -n.y]);
        let sliding = by_force(sliding_part);
        let velocity = sliding_part(self.e) + sliding * n;
        let x = if n.x > 0.0 { n.yz() / n.x } else { DVec2::ZERO };
        let slip = self.slip_at(velocity, x);
        Some(State { pressing, m: rows.m, sliding, impulse, spin: velocity.z, x, slip })
    }

    /// Slip at a point of the patch of a sliding velocity `(v_u, v_w, ω_n)` about the contact point.
    fn slip_at(&self, velocity: DVec3, x: DVec2) -> DVec3 {
        DVec3::new(velocity.x - x.y * velocity.z, velocity.y + x.x * velocity.z, self.radius * velocity.z)
    }

    /// Derivative of the slip by friction per normal force.
    fn response(&self, state: &State) -> Option<DMat3> {
        let State { pressing, x, .. } = state;
        let force = pressing.force.x;
        let [u, w, turn] = [1, 2, 3].map(|ix| self.block.matrix().column(ix));
        let frictions = [u - turn * x.y, w + turn * x.x, turn * self.radius];
        let [normal, sliding] = [normal_part, sliding_part].map(|part: fn(&Vec6) -> DVec3| {
            DMat3::from_cols(part(&frictions[0]), part(&frictions[1]), part(&frictions[2]))
        });
        // The pressing part answers so that its normal velocities stay at zero.
        let answer = pressing.answer(&state.m)? * normal;
        let velocity = sliding + state.sliding * answer;
        let column = |ix: usize| {
            // The centre of pressure moves too, and with it the point whose slip counts.
            let answer = answer.col(ix);
            let shift = answer.yz() - *x * answer.x;
            let turned = DVec3::new(-shift.y, shift.x, 0.0) * (state.spin / force);
            (self.slip_at(velocity.col(ix), *x) + turned) * force
        };
        let u = column(0);
        // At a point no friction resists spinning, and no response to it matters as long as there is one.
        let spin = if self.radius > 0.0 { column(2) } else { DVec3::Z * u.x.abs() };
        Some(DMat3::from_cols(u, column(1), spin))
    }

    /// Friction that opposes the slip it leaves, from the start `g`: at each step the slip is taken for linear in the
    /// friction, and friction that opposes it is found within the limit (Josephy 1979).
    fn solve_friction(&self, start: DVec3, longest: f64) -> Option<ConeSolution> {
        let mu = self.limits.friction;
        let mut g = if start.length() > mu { start * (mu / start.length()) } else { start };
        let mut toward = None;
        let (mut last, mut part) = (f64::INFINITY, longest);
        let mut best: Option<ConeSolution> = None;
        let mut near = None;
        for steps in 1..=STEP_LIMIT {
            let state = self.state(g, near.as_ref()).filter(|state| state.pressing.n > 0);
            let response = state.as_ref().and_then(|state| self.response(state));
            let (Some(state), Some(k)) = (state, response) else {
                // Friction that lifts the contact or leaves no response: less of it.
                if g == DVec3::ZERO {
                    break;
                }
                g = if g.length() < LEAST_FRICTION * mu { DVec3::ZERO } else { g * 0.5 };
                continue;
            };
            near = Some(state.pressing);
            let linear = LinearSlip {
                slip: state.slip - k * g,
                response: k,
                from: g,
                now: state.slip,
                accuracy: (0.1 * self.accuracy).max(MULTIPLIER_CONVERGED),
            };
            let mut direction = toward.unwrap_or(state.slip.normalize_or(-g.normalize_or(DVec3::X)));
            let next = linear.opposing_friction(&self.limits.surface, mu, &mut direction)?;
            toward = Some(direction);
            let residual = (next - g).length() / mu;
            // Friction that stops the slip to within the accuracy leaves a rest of it in any direction.
            let negligible = self.accuracy * mu * (k * g).length();
            let takes_power = residual <= RESIDUAL_ACCEPTED || state.slip.dot(g) <= negligible;
            if takes_power && best.is_none_or(|best| residual < best.residual) {
                best = Some(ConeSolution { impulse: state.impulse, residual, steps });
            }
            let is_found = residual <= self.accuracy && takes_power;
            if is_found || (residual <= RESIDUAL_STALLED && residual >= 0.5 * last) {
                break;
            }
            if let Some(last) = self.last_step(next, residual, &state.pressing, negligible) {
                return Some(ConeSolution { steps, ..last });
            }
            // Steps that go round in a circle, from one part of the patch to another, are shortened.
            let pays = residual <= (1.0 - 0.5 * part) * last;
            let longest = if residual <= NEAR { 1.0 } else { longest };
            part = if pays { (2.0 * part).min(longest) } else { (0.5 * part).max(SHORTEST) };
            g += (next - g) * part;
            last = residual;
        }
        best
    }

    /// The solution at `next`, where the steps are so near that the one after it would change no more than the accuracy: near
    /// the answer each step squares what is left. For answers to rounding that is not looked at but waited for.
    fn last_step(&self, next: DVec3, residual: f64, near: &Pressing, power: f64) -> Option<ConeSolution> {
        let left = SQUARED * residual * residual;
        if self.accuracy <= RESIDUAL_MIN || left > self.accuracy {
            return None;
        }
        let state = self.state(next, Some(near))?;
        let holds = state.pressing.n > 0 && state.slip.dot(next) <= power;
        holds.then_some(ConeSolution { impulse: state.impulse, residual: left, steps: 0 })
    }
}

/// What a step leaves of the last step's residual, as a factor on its square. No unit.
const SQUARED: f64 = 10.0;

/// Friction below this part of the coefficient is none where it would lift the contact. No unit.
const LEAST_FRICTION: f64 = 1e-3;

/// Longest part of a step that is taken, by attempt: whole steps may miss a narrow answer. No unit.
const LONGEST: [f64; 3] = [1.0, 0.5, 0.25];

/// Residual below which whole steps are taken again: half ones only halve it. No unit.
const NEAR: f64 = 0.1;

/// Shortest part of a step, or of a change of the slip's direction within it, that is taken. No unit.
const SHORTEST: f64 = 0.05;

/// Whether friction per normal force lies in the double cone that is within the limit surface of any patch.
fn is_within_all(g: DVec3, friction: f64) -> bool {
    g.xy().length() + g.z.abs() <= friction
}

/// `(v_n, G_u, G_w)` of a twist.
fn normal_part(twist: &Vec6) -> DVec3 {
    DVec3::new(twist[0], -twist[5], twist[4])
}

/// `(v_u, v_w, ω_n)` of a twist.
fn sliding_part(twist: &Vec6) -> DVec3 {
    DVec3::new(twist[1], twist[2], twist[3])
}
