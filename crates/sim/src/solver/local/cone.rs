//! The exact cone block: contact, patch and friction limits solved together.
//!
//! The reference for [`project`](super::project()), which meets the limits one after the other. Wanted is an impulse
//! in the cone `K` of those whose centre of pressure lies in the patch and whose friction lies in the ellipsoid
//! `|(f_u, f_w, τ_n / r_s)| <= μ f_n` about the contact point (Leine and Glocker 2003), such that no point of the
//! patch approaches, only approached points push, and friction opposes slip. With De Saxcé and Feng's term (1998)
//! that is one complementarity problem: `K ∋ w ⟂ A w + b + μ |s| e_n ∈ K*`, s the slip.

use glam::{DMat2, DVec2, DVec3};

use super::{Block, project};
use crate::SpinRule;
use crate::contact::ContactPatch;
use crate::solver::spatial::{Mat6, Vec6, solve_general};

/// Residual at which the iteration stops, as a part of the impulse's scale: fifty times the rounding of one
/// evaluation. No unit.
const RESIDUAL_MIN: f64 = 1e-14;

/// Newton steps and projected gradient steps from one start; random blocks need ten on average. No unit.
const STEP_LIMIT: u32 = 4000;

/// Residual above which the solver starts again from the projected wrench: well above the rounding of large mass
/// ratios. No unit.
const RESIDUAL_ACCEPTED: f64 = 1e-12;

/// Projected gradient steps between two tries of Newton's method. No unit.
const GRADIENT_STEPS: u32 = 10;

/// Newton steps that may raise the residual before one has to have paid. No unit.
const NEWTON_CHAIN: u32 = 12;

/// Lengths of the gradient step inside Newton's equation, in units of the safe one: all have the same solution, but
/// roads to it differ where some rows respond far less than others. No unit.
const NEWTON_STEPS: [f64; 3] = [1.0, 30.0, 1000.0];

/// Newton steps have to reduce the residual to this part of it, or gradient steps come first. No unit.
const NEWTON_GAIN: f64 = 0.9;

/// Result of a cone solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConeSolution {
    /// The total impulse in contact axes about the contact point \[N s, N m s\].
    pub impulse: Vec6,
    /// Change of the scaled impulse by one more projected gradient step, as a part of its size. No unit.
    pub residual: f64,
    /// Newton and projected gradient steps taken.
    pub steps: u32,
}

/// Solves one block exactly, for friction about the contact point; arguments as for [`project`](super::project()).
///
/// Method: semi-smooth Newton on the fixed point `w = proj_K(w - ρ (A w + b + μ |s| e_n))`, from the sticking solution
/// and then from the projected one, with projected gradient steps where Newton's do not pay. A step limit ends hard
/// blocks, so look at the residual; of 30,000 random blocks seven were left above 1e-12.
pub fn solve_cone(
    block: &Block,
    e: &Vec6,
    patch: &ContactPatch,
    friction: f64,
    spin: SpinRule,
) -> ConeSolution {
    if !e.is_finite() {
        return ConeSolution { impulse: Vec6([f64::NAN; 6]), residual: f64::NAN, steps: 0 };
    }
    let problem = ConeProblem::new(block.matrix(), e, patch, friction, spin);
    let stuck = block.stick(&block.reduce(e));
    let first = problem.solve_from(&stuck);
    if first.residual <= RESIDUAL_ACCEPTED {
        return first;
    }
    let second = problem.solve_from(&project(block, e, patch, friction, spin));
    let steps = first.steps + second.steps;
    let best = if second.residual < first.residual { second } else { first };
    ConeSolution { steps, ..best }
}

type Scaled = [f64; 6];

fn norm(w: &Scaled) -> f64 {
    w.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Where the scaled components sit in a wrench: `w = (f_n | -τ_w, τ_u | f_u, f_w, τ_n)`, scaled.
const ORDER: [usize; 6] = [0, 5, 4, 1, 2, 3];

/// A block in coordinates in which `w[1..3] / w[0]` is the centre of pressure on the scaled patch and friction lies in
/// a ball. The lengths of the three groups are such that they respond alike, whatever the patch's size.
struct ConeProblem<'a> {
    a: [Scaled; 6],
    b: Scaled,
    scale: Scaled,
    /// Length ρ of a gradient step, the reciprocal of a bound of A's largest eigenvalue \[kg\].
    step: f64,
    /// Radius of the friction ball per normal force.
    friction: f64,
    patch: &'a ContactPatch,
    /// Radius of the scaled patch where it is an ellipse.
    radius: f64,
    /// What one scaled length of a polygon stands for; zero where it is but the contact point \[m\].
    unit: f64,
}

/// A projection onto the cone with its derivative.
struct Projection {
    value: Scaled,
    derivative: [Scaled; 6],
}

/// The part of the patch nearest to a centre of pressure: for force `f` and torques `y` the nearest feasible torques
/// are `f m + …`, with derivatives `m` in `f` and `along` in `y`.
struct Face {
    value: DVec2,
    m: DVec2,
    along: DMat2,
}

impl<'a> ConeProblem<'a> {
    fn new(s: &Mat6, e: &Vec6, patch: &'a ContactPatch, friction: f64, spin: SpinRule) -> Self {
        let size = match patch {
            ContactPatch::Ellipse(ellipse) => ellipse.semi_axes(),
            ContactPatch::Polygon(_) => DVec2::splat(patch.farthest()),
        };
        let mut scale = [1.0, -size.x, size.y, 1.0, 1.0, patch.spin_radius(spin, DVec2::ZERO)];
        let response = |i: usize, scale: &Scaled| scale[i] * scale[i] * s.0[ORDER[i]][ORDER[i]];
        let normal = response(0, &scale);
        let mut balance = |group: std::ops::Range<usize>| {
            let largest = group.clone().map(|i| response(i, &scale)).fold(0.0, f64::max);
            let factor = if largest > 0.0 && normal > 0.0 { (normal / largest).sqrt() } else { 1.0 };
            scale[group].iter_mut().for_each(|x| *x *= factor);
            factor
        };
        let (rolling, sliding) = (balance(1..3), balance(3..6));
        let a: [Scaled; 6] =
            std::array::from_fn(|i| std::array::from_fn(|j| scale[i] * scale[j] * s.0[ORDER[i]][ORDER[j]]));
        let b = std::array::from_fn(|i| scale[i] * e[ORDER[i]]);
        let bound = a.iter().map(|row| norm(row).powi(2)).sum::<f64>().sqrt();
        let friction = friction / sliding;
        // De Saxcé's term adds `μ` times the friction rows to the normal one.
        let step = if bound > 0.0 { 1.0 / (bound * (1.0 + friction)) } else { 0.0 };
        let (radius, unit) = (1.0 / rolling, size.x * rolling);
        Self { a, b, scale, step, friction, patch, radius, unit }
    }

    fn solve_from(&self, start: &Vec6) -> ConeSolution {
        let mut w = self.project(&self.scaled(start)).value;
        let mut gradient_steps = 0;
        let mut steps = 0;
        loop {
            let change = self.change(&w);
            let scale = norm(&w).max(self.step * norm(&self.b)).max(f64::MIN_POSITIVE);
            let residual = norm(&change) / scale;
            if residual <= RESIDUAL_MIN || steps >= STEP_LIMIT {
                return ConeSolution { impulse: self.impulse(&w), residual, steps };
            }
            steps += 1;
            if gradient_steps == 0 {
                if let Some(next) = self.newton(&w, NEWTON_GAIN * norm(&change)) {
                    w = next;
                    continue;
                }
                gradient_steps = GRADIENT_STEPS;
            }
            gradient_steps -= 1;
            w = std::array::from_fn(|i| w[i] + change[i]);
        }
    }

    fn scaled(&self, wrench: &Vec6) -> Scaled {
        std::array::from_fn(|i| if self.scale[i] == 0.0 { 0.0 } else { wrench[ORDER[i]] / self.scale[i] })
    }

    fn impulse(&self, w: &Scaled) -> Vec6 {
        let mut wrench = Vec6::ZERO;
        for i in 0..6 {
            wrench[ORDER[i]] = self.scale[i] * w[i];
        }
        wrench
    }

    /// The input of the projection after one gradient step, and its derivative.
    fn gradient_step(&self, w: &Scaled, step: f64) -> (Scaled, [Scaled; 6]) {
        let mut y: Scaled = std::array::from_fn(|i| dot(&self.a[i], w) + self.b[i]);
        let slip = DVec3::new(y[3], y[4], y[5]);
        y[0] += self.friction * slip.length();
        let t = slip.normalize_or_zero() * self.friction;
        let derivative = std::array::from_fn(|i| {
            std::array::from_fn(|j| {
                let de_saxce = t.x * self.a[3][j] + t.y * self.a[4][j] + t.z * self.a[5][j];
                let slope = self.a[i][j] + if i == 0 { de_saxce } else { 0.0 };
                f64::from(u8::from(i == j)) - step * slope
            })
        });
        (std::array::from_fn(|i| w[i] - step * y[i]), derivative)
    }

    /// `proj_K(w - ρ G(w)) - w`.
    fn change(&self, w: &Scaled) -> Scaled {
        let next = self.project(&self.gradient_step(w, self.step).0).value;
        std::array::from_fn(|i| next[i] - w[i])
    }

    /// The change with the matrix of Newton's equation `(1 - DP (1 - ρ DG)) d = change`.
    fn fixed_point(&self, w: &Scaled, step: f64) -> (Scaled, [Scaled; 6]) {
        let (input, inner) = self.gradient_step(w, step);
        let outer = self.project(&input);
        let jacobian = std::array::from_fn(|i| {
            std::array::from_fn(|j| {
                let product: f64 = (0..6).map(|k| outer.derivative[i][k] * inner[k][j]).sum();
                f64::from(u8::from(i == j)) - product
            })
        });
        (std::array::from_fn(|i| outer.value[i] - w[i]), jacobian)
    }

    /// The first point of several chains of Newton steps from `w` whose residual is at most `limit`; `None` if none is.
    /// A chain may stay in the cone or leave it between steps: where one goes astray another seldom does.
    fn newton(&self, w: &Scaled, limit: f64) -> Option<Scaled> {
        NEWTON_STEPS.into_iter().find_map(|factor| {
            let chain = |feasible| self.newton_chain(*w, factor * self.step, limit, feasible);
            chain(true).or_else(|| chain(false))
        })
    }

    fn newton_chain(&self, mut w: Scaled, step: f64, limit: f64, feasible: bool) -> Option<Scaled> {
        for _ in 0..NEWTON_CHAIN {
            let (change, jacobian) = self.fixed_point(&w, step);
            let d = solve_general(&jacobian, &change)?;
            w = std::array::from_fn(|i| w[i] + d[i]);
            if feasible {
                w = self.project(&w).value;
            }
            if norm(&self.change(&w)) <= limit {
                return Some(w);
            }
        }
        None
    }

    /// Nearest point of the cone.
    ///
    /// For a given normal force `f` the torques and the friction are projected one by one, so the distance is a convex,
    /// piecewise quadratic function of `f` alone: Newton's method on its slope, kept inside a bracket, ends when the
    /// faces no longer change.
    fn project(&self, w: &Scaled) -> Projection {
        let (y, z) = (DVec2::new(w[1], w[2]), DVec3::new(w[3], w[4], w[5]));
        let mu = self.friction;
        let zero = Projection { value: [0.0; 6], derivative: [[0.0; 6]; 6] };
        if w[0] + self.farthest_along(y) + mu * z.length() <= 0.0 {
            return zero;
        }
        let (mut low, mut high) = (0.0, f64::INFINITY);
        let mut f = w[0].max(z.length()).max(y.length());
        let mut face = self.nearest_face(f, y);
        for _ in 0..BRACKET_STEPS {
            let limited = z.length() > mu * f;
            let slope = f
                - w[0]
                - face.m.dot(y - face.value)
                - if limited { mu * (z.length() - mu * f) } else { 0.0 };
            if slope > 0.0 {
                high = f;
            } else {
                low = f;
            }
            let curvature = 1.0 + face.m.length_squared() + if limited { mu * mu } else { 0.0 };
            let mut next = f - slope / curvature;
            if (next - f).abs() <= f64::EPSILON * f {
                break;
            }
            if next <= low || next >= high {
                next = 0.5 * (low + high);
            }
            f = next;
            face = self.nearest_face(f, y);
        }
        self.assemble(f, &face, z)
    }

    fn assemble(&self, f: f64, face: &Face, z: DVec3) -> Projection {
        let mu = self.friction;
        let length = z.length();
        let limited = length > mu * f;
        let t = z.normalize_or_zero();
        let friction = if limited { t * (mu * f) } else { z };
        let m = face.m;
        let curvature = 1.0 + m.length_squared() + if limited { mu * mu } else { 0.0 };
        let cone = if limited { t * mu } else { DVec3::ZERO };
        let df = [1.0, m.x, m.y, cone.x, cone.y, cone.z].map(|x| x / curvature);
        let mut derivative = [df, df.map(|x| m.x * x), df.map(|x| m.y * x), df, df, df];
        for i in 0..2 {
            for j in 0..2 {
                derivative[1 + i][1 + j] += face.along.col(j)[i];
            }
        }
        let (t, cone) = (t.to_array(), cone.to_array());
        for i in 0..3 {
            derivative[3 + i] = df.map(|x| cone[i] * x);
            for j in 0..3 {
                let identity = f64::from(u8::from(i == j));
                derivative[3 + i][3 + j] +=
                    if limited { mu * f / length * (identity - t[i] * t[j]) } else { identity };
            }
        }
        let value = [f, face.value.x, face.value.y, friction.x, friction.y, friction.z];
        Projection { value, derivative }
    }

    /// `max v·y` over the scaled patch.
    fn farthest_along(&self, y: DVec2) -> f64 {
        match self.patch {
            ContactPatch::Ellipse(_) => self.radius * y.length(),
            ContactPatch::Polygon(_) if self.unit == 0.0 => 0.0,
            ContactPatch::Polygon(polygon) => polygon.lowest(-y).dot(y) / self.unit,
        }
    }

    /// The face nearest to torques `y` at normal force `f > 0`.
    fn nearest_face(&self, f: f64, y: DVec2) -> Face {
        match self.patch {
            ContactPatch::Ellipse(_) => {
                let length = y.length();
                if length <= self.radius * f {
                    return Face { value: y, m: DVec2::ZERO, along: DMat2::IDENTITY };
                }
                let m = y * (self.radius / length);
                let turn = DMat2::IDENTITY - outer(y / length);
                Face { value: m * f, m, along: turn * (self.radius * f / length) }
            }
            ContactPatch::Polygon(_) if self.unit == 0.0 => {
                Face { value: DVec2::ZERO, m: DVec2::ZERO, along: DMat2::ZERO }
            }
            ContactPatch::Polygon(polygon) => {
                let size = self.unit;
                let (point, direction) = polygon.nearest_feature(y * (size / f));
                match direction {
                    None => Face { value: y, m: DVec2::ZERO, along: DMat2::IDENTITY },
                    Some(d) => {
                        let x = point / size;
                        Face { value: x * f, m: x - d * d.dot(x), along: outer(d) }
                    }
                }
            }
        }
    }
}

/// Steps of a projection: more than the corners of a patch, and enough to halve the bracket to rounding. No unit.
const BRACKET_STEPS: u32 = 100;

fn dot(a: &Scaled, b: &Scaled) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn outer(d: DVec2) -> DMat2 {
    DMat2::from_cols(d * d.x, d * d.y)
}
