//! The normal part of a contact block: which part of the patch presses, and how hard, for given friction.
//!
//! Friction per normal force is held, so all forces follow from `N = (f_n, f_n x)` with the centre of pressure x, and so
//! do the normal velocities `v_n(x) = Y·(1, x)`, `Y = (v_n, G_u, G_w) = e + M N`. Wanted is
//! `N ∈ cone{(1, x) : x in the patch} ⟂ Y`, with no point of the patch approaching: a linear complementarity problem
//! over the cone of the patch, in three unknowns.

use glam::{DMat3, DVec2, DVec3, Vec3Swizzles};

use crate::solver::ContactPatch;

/// Response and velocity of the normal rows at held friction.
#[derive(Clone, Copy, Debug)]
pub struct NormalRows {
    /// `M`; not symmetric where there is friction.
    pub m: DMat3,
    /// `e`.
    pub e: DVec3,
}

/// A solution of the normal rows.
#[derive(Clone, Copy, Debug)]
pub struct Pressing {
    /// `N`; zero where the contact opens.
    pub force: DVec3,
    /// Directions in which `N` may change while a corner, a side or a rim presses; within the patch it may change in all.
    pub basis: [DVec3; 2],
    /// Number of them: 3 within the patch, 2 on a side or a rim, 1 at a corner, 0 where the contact opens.
    pub n: usize,
    /// What the rim's curvature adds to the response along it.
    pub curvature: f64,
    /// Of corners with gaps of their own those that press, by their places in the patch.
    pub corners: [usize; 3],
}

impl Pressing {
    pub(super) const OPEN: Self =
        Self { force: DVec3::ZERO, basis: [DVec3::ZERO; 2], n: 0, curvature: 0.0, corners: [0; 3] };

    /// How `N` changes with normal velocities `(v_n, G_u, G_w)` that others bring, while the same part of the patch presses with the response
    /// `m` and stays at rest; `None` without response. Not for a contact that opens.
    pub fn answer(&self, m: &DMat3) -> Option<DMat3> {
        let [v, d] = self.basis;
        let outer = |a: DVec3, b: DVec3| DMat3::from_cols(a * b.x, a * b.y, a * b.z);
        let answer = match self.n {
            1 => outer(v, v) * -v.dot(*m * v).recip(),
            2 => {
                let (mv, md) = (*m * v, *m * d);
                let (vv, vd, dv, dd) = (v.dot(mv), v.dot(md), d.dot(mv), d.dot(md) + self.curvature);
                let det = vv * dd - vd * dv;
                outer(v, (d * vd - v * dd) / det) + outer(d, (v * dv - d * vv) / det)
            }
            _ => -m.try_inverse()?,
        };
        answer.is_finite().then_some(answer)
    }

    /// The corners that press, as `(1, x)`: the second differs from the first by the second direction.
    fn ends(&self) -> [DVec3; 2] {
        [self.basis[0], self.basis[0] + self.basis[1]]
    }
}

/// Approach left at a point of the patch, as a part of the approach before, that counts as none: rounding. No unit.
pub(super) const APPROACH: f64 = 1e-13;

/// Normal velocity at a point that presses, or approach at another, that is rounding in an answer, as a part of the
/// velocities of the patch: of flat ellipses, near corners and large ratios of mass. Answers beyond it are none. No unit.
pub(super) const VELOCITY_LEFT: f64 = 1e-10;

/// A determinant below this part of the product of its diagonal is rounding noise. No unit.
pub(super) const SINGULAR: f64 = 1e-13;

/// Corners that may be tried one after the other; a patch has 32 at most and seldom needs four. No unit.
pub(super) const CORNER_STEPS: u32 = 64;

/// Steps along a rim; Newton's method needs five. No unit.
const RIM_STEPS: u32 = 60;

impl NormalRows {
    /// Solves the rows; `None` where friction leaves a point without positive response. `near` is the answer of similar ones.
    pub fn solve(&self, patch: &ContactPatch, near: Option<&Pressing>) -> Option<Pressing> {
        if let ContactPatch::Corners(corners) = patch {
            return self.corners_with_gaps(corners, near);
        }
        if let Some(full) = self.full(patch) {
            return Some(full);
        }
        let first = patch.lowest(self.e.yz());
        let approach = self.e.dot(at(first));
        if approach >= 0.0 {
            return Some(Pressing::OPEN);
        }
        match patch {
            ContactPatch::Ellipse(ellipse) if patch.width() > 0.0 => {
                self.ellipse(patch, ellipse.semi_axes(), first, APPROACH * approach.abs())
            }
            _ => self.corners(patch, first, APPROACH * approach.abs(), CORNER_STEPS),
        }
    }

    /// The rim's point by Newton's method from the one that approaches fastest or, where that ends at a point that is
    /// not the only one to approach, from between more and more points of the rim.
    fn ellipse(&self, patch: &ContactPatch, axes: DVec2, first: DVec2, tolerance: f64) -> Option<Pressing> {
        let mut start = first;
        for n_steps in (0..CORNER_STEPS).step_by(4) {
            if n_steps > 0 {
                let between = self.corners(patch, first, tolerance, n_steps)?.force;
                start = between.yz() / between.x;
            }
            if let Some(pressing) = self.rim(axes, start)
                && self.holds(patch, &pressing)
            {
                return Some(pressing);
            }
        }
        None
    }

    /// All three rows at rest, with the centre of pressure inside.
    fn full(&self, patch: &ContactPatch) -> Option<Pressing> {
        let [a, b, c] = [self.m.x_axis, self.m.y_axis, self.m.z_axis];
        let minor = b.cross(c);
        let det = a.dot(minor);
        if det <= SINGULAR * (a.x * b.y * c.z).abs() || patch.width() == 0.0 {
            return None;
        }
        let force = -DVec3::new(self.e.dot(minor), self.e.dot(c.cross(a)), self.e.dot(a.cross(b))) / det;
        let inside = force.x > 0.0 && patch.contains(force.yz() / force.x);
        let full = Pressing { force, n: 3, ..Pressing::OPEN };
        (inside && self.holds(patch, &full)).then_some(full)
    }

    /// Whether no point of the patch approaches, and the centre of pressure is at rest.
    fn holds(&self, patch: &ContactPatch, pressing: &Pressing) -> bool {
        let velocity = self.e + self.m * pressing.force;
        self.rests(patch, pressing, velocity, velocity.dot(at(patch.lowest(velocity.yz()))))
    }

    /// The same, with the velocities that it leaves and the least of them on the patch.
    fn rests(&self, patch: &ContactPatch, pressing: &Pressing, velocity: DVec3, least: f64) -> bool {
        let arm = patch.reach() + patch.centroid().length();
        let tolerance = VELOCITY_LEFT * (self.e.x.abs() + self.e.yz().length() * arm);
        least >= -tolerance && velocity.dot(pressing.force).abs() <= tolerance * pressing.force.x
    }

    /// The corners that press, one or two, from the one that approaches fastest: the next that still approaches joins,
    /// and those that would pull leave.
    /// After `limit` steps it is what they have come to, on an ellipse, whose points never end.
    fn corners(&self, patch: &ContactPatch, first: DVec2, tolerance: f64, limit: u32) -> Option<Pressing> {
        let mut pressing = self.one(at(first), 0.0)?;
        let mut before = DVec3::ZERO;
        for _ in 0..limit {
            let velocity = self.e + self.m * pressing.force;
            let lowest = at(patch.lowest(velocity.yz()));
            let (least, ends) = (velocity.dot(lowest), pressing.ends());
            if least >= -tolerance || ends.contains(&lowest) {
                return self.rests(patch, &pressing, velocity, least).then_some(pressing);
            }
            let pairs = ends[..pressing.n].iter().filter_map(|&other| self.two(other, lowest, [0.0; 2]));
            // Of two sides the one that leaves the other corner less deep.
            let left = |pair: &Pressing| {
                let velocity = self.e + self.m * pair.force;
                ends[..pressing.n].iter().map(|v| velocity.dot(*v)).fold(f64::INFINITY, f64::min)
            };
            let next = pairs.max_by(|a, b| left(a).total_cmp(&left(b)));
            // Two corners that each leave the other approaching and cannot press together: friction at either drives the
            // other in, so that these two have no answer.
            if next.is_none() && pressing.n == 1 && lowest == before {
                return self.rests(patch, &pressing, velocity, least).then_some(pressing);
            }
            before = ends[0];
            pressing = match next {
                Some(pair) => pair,
                None => self.one(lowest, 0.0)?,
            };
        }
        (limit < CORNER_STEPS).then_some(pressing)
    }

    /// A corner that alone presses and comes to rest at its gap.
    pub(super) fn one(&self, v: DVec3, apart: f64) -> Option<Pressing> {
        let response = v.dot(self.m * v);
        let force = -(self.e.dot(v) + apart) / response;
        (response > 0.0 && force > 0.0).then_some(Pressing {
            force: v * force,
            basis: [v, DVec3::ZERO],
            n: 1,
            ..Pressing::OPEN
        })
    }

    /// Two corners that both press; along their difference, in which the response of near corners does not cancel.
    pub(super) fn two(&self, v: DVec3, w: DVec3, apart: [f64; 2]) -> Option<Pressing> {
        let d = w - v;
        let (mv, md) = (self.m * v, self.m * d);
        let (vv, vd, dv, dd) = (v.dot(mv), v.dot(md), d.dot(mv), d.dot(md));
        let det = vv * dd - vd * dv;
        if det <= SINGULAR * (vv * dd).abs() {
            return None;
        }
        let (ev, ed) = (self.e.dot(v) + apart[0], self.e.dot(d) + apart[1] - apart[0]);
        let (force, along) = ((vd * ed - dd * ev) / det, (dv * ev - vv * ed) / det);
        (0.0 < along && along < force).then_some(Pressing {
            force: v * force + d * along,
            basis: [v, d],
            n: 2,
            ..Pressing::OPEN
        })
    }

    /// The point of an ellipse's rim that presses, where its neighbours do not approach: Newton's method on the change
    /// of the normal velocity along the rim, kept inside a bracket.
    fn rim(&self, axes: DVec2, first: DVec2) -> Option<Pressing> {
        let mut angle = (first.y / axes.y).atan2(first.x / axes.x);
        let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
        for _ in 0..RIM_STEPS {
            let point = RimPoint::new(self, axes, angle)?;
            if point.slope < 0.0 {
                low = angle;
            } else {
                high = angle;
            }
            let mut next = angle - (point.slope / point.change).clamp(-RIM_STEP_MAX, RIM_STEP_MAX);
            let done = (next - angle).abs() <= RIM_CONVERGED || point.slope == 0.0;
            if done && point.change > 0.0 {
                return Some(point.pressing());
            }
            if point.change.is_nan() || point.change <= 0.0 {
                next = angle - RIM_STEP_MAX.copysign(point.slope);
            }
            if next <= low || next >= high {
                next = 0.5 * (low + high);
                if (next - angle).abs() <= RIM_CONVERGED {
                    return Some(point.pressing());
                }
            }
            angle = next;
        }
        None
    }
}

/// Longest step along a rim \[rad\].
const RIM_STEP_MAX: f64 = 0.5;

/// A step along a rim at which it is found \[rad\]: rounding of the angle.
const RIM_CONVERGED: f64 = 4.0 * f64::EPSILON;

/// A point of an ellipse's rim that alone presses.
struct RimPoint {
    force: f64,
    /// `(1, x)` and its derivative by the rim's angle.
    v: DVec3,
    t: DVec3,
    /// Change of the normal velocity along the rim, and the change of that.
    slope: f64,
    change: f64,
    /// `Y·(0, x'')`, what the rim's curvature adds per angle.
    bend: f64,
}

impl RimPoint {
    /// `None` where it does not press.
    fn new(rows: &NormalRows, axes: DVec2, angle: f64) -> Option<Self> {
        let (sin, cos) = angle.sin_cos();
        let v = DVec3::new(1.0, axes.x * cos, axes.y * sin);
        let t = DVec3::new(0.0, -axes.x * sin, axes.y * cos);
        let back = DVec3::new(0.0, v.y, v.z);
        let (mv, mt) = (rows.m * v, rows.m * t);
        let (response, approach) = (v.dot(mv), -rows.e.dot(v));
        if response <= 0.0 || approach <= 0.0 {
            return None;
        }
        let force = approach / response;
        let velocity = rows.e + mv * force;
        let force_change = (-rows.e.dot(t) - force * (t.dot(mv) + v.dot(mt))) / response;
        let bend = -velocity.dot(back);
        let change = bend + force_change * t.dot(mv) + force * t.dot(mt);
        Some(Self { force, v, t, slope: velocity.dot(t), change, bend })
    }

    fn pressing(&self) -> Pressing {
        Pressing {
            force: self.v * self.force,
            basis: [self.v, self.t],
            n: 2,
            curvature: self.bend / self.force,
            ..Pressing::OPEN
        }
    }
}

/// `(1, x)`.
fn at(x: DVec2) -> DVec3 {
    DVec3::new(1.0, x.x, x.y)
}
