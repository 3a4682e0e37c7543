//! The projection of one contact's wrench: Algorithm 1 of Bouchard et al. 2015, mended.
//!
//! Wanted is a wrench `λ` with `y = e + S λ` the twist after the step, feasible for unilateral contact, friction,
//! spin friction and the patch. Six things differ from the printed algorithm, each because the printed one fails:
//! the right-hand side `e` leaves out the block's own impulse; a contact whose rigid solution pulls may still close
//! at the patch's border; a tipping contact's point moves along the border until it holds what is beside it; the
//! wrench is solved for again after the spin torque has been limited; torques and centres of pressure have the signs
//! that keep power; and the comparisons with the cone are strict, so that friction 0 works.

use glam::{DVec2, DVec3};

use super::Block;
use super::border::Border;
use super::point::side_of_cone;
use crate::SpinRule;
use crate::solver::frame::{center_of_pressure, spin_torque};
use crate::solver::spatial::Vec6;
use crate::solver::{ContactLimits, ContactPatch};

/// Centres of pressure farther away than this many reaches of the patch are directions, not points: the normal
/// force is rounding noise of the torques, and the border is searched by velocity instead. No unit.
const FAR_REACHES: f64 = 1e12;

/// Re-solves of the wrench with a limited spin torque. The limit is about the centre of pressure of the solve
/// before, which moves less with each one: three are usual, one block in a thousand needs more than eight, and few in a
/// million, whose centre of pressure goes round, do not end. No unit.
const SPIN_PASSES: u32 = 64;

/// Part by which the spin torque may exceed its bound before the wrench is solved for again. No unit.
const SPIN_TOLERANCE: f64 = 1e-12;

/// Rounding of a spin torque about a distant centre of pressure, as a part of the torques whose difference it is. No unit.
const SPIN_ROUNDING: f64 = 1e-14;

/// Energy gained that is rounding, as a part of the square of the impulse in the block's own metric. No unit.
const ENERGY_ROUNDING: f64 = 1e-13;

/// The total impulse of a contact, in contact axes about the contact point.
///
/// `e` is the twist that the contact would have with no impulse of its own (bias included), so it depends on other
/// contacts only. The result is `(f_n, f_u, f_w | τ_n, τ_u, τ_w)` \[N s, N m s\]; it does not depend on any
/// earlier result, and costs no allocation. A component of `e` that is not finite makes the result not finite.
///
/// Order of the limits: friction cone `|f_t| <= μ f_n`, spin `|τ_n| <= μ r_s f_n` about the centre of pressure, centre
/// of pressure within `patch`. They hold to rounding, and the kinetic energy does not rise. A wrench beyond the last is replaced by a force at a point of the patch's border, about
/// which the bodies tip.
///
/// Friction points where it does in a contact that sticks, which may be along the slip that it leaves, and the limit of
/// spin may move with the centre of pressure for ever: a block that gains energy or does not come to the limit, four of a
/// million random ones, goes without friction instead.
///
/// A contact that does not tip leaves no approach on its patch; one that tips may leave some, for the order of the
/// limits is a heuristic: [`solve_cone`](super::solve_cone) leaves none.
pub fn project(block: &Block, e: &Vec6, limits: &ContactLimits) -> Vec6 {
    let (patch, friction, spin) = (&limits.patch, limits.friction, limits.spin);
    if !e.is_finite() {
        return Vec6([f64::NAN; 6]);
    }
    let border = Border { block, e, patch, friction };
    let full = FullContact { block, e, patch, friction, spin };
    let mut found = full.solve();
    if found.is_some_and(|(wrench, x)| patch.contains(x) && !full.keeps_limits(&wrench, x)) {
        found = full.without_friction();
    }
    let Some((wrench, x)) = found else { return border.closing_contact() };
    if patch.contains(x) {
        return wrench;
    }
    let tip = border.contact(patch.nearest(x));
    if tip[0] > 0.0 { tip } else { border.closing_contact() }
}

/// The impulse of a contact whose centre of pressure may lie anywhere in the plane, and where it lies: what [`project`]
/// starts from. `None` where it would pull.
pub fn project_without_patch(block: &Block, e: &Vec6, limits: &ContactLimits) -> Option<(Vec6, DVec2)> {
    if !e.is_finite() {
        return None;
    }
    FullContact { block, e, patch: &limits.patch, friction: limits.friction, spin: limits.spin }.solve()
}

/// A contact over the whole patch.
struct FullContact<'a> {
    block: &'a Block,
    e: &'a Vec6,
    patch: &'a ContactPatch,
    friction: f64,
    spin: SpinRule,
}

impl FullContact<'_> {
    /// Whether a wrench keeps to the limit of spin and adds no kinetic energy.
    fn keeps_limits(&self, wrench: &Vec6, x: DVec2) -> bool {
        let square = wrench.dot(&(self.block.matrix() * *wrench));
        let energy = 0.5 * square + wrench.dot(self.e);
        energy <= ENERGY_ROUNDING * square && self.exceeded_spin_limit(wrench, x).is_none()
    }

    /// The contact without friction, which keeps every limit and takes energy, for it leaves nothing moving that it
    /// pushes.
    fn without_friction(&self) -> Option<(Vec6, DVec2)> {
        let wrench = self.block.slide_and_spin(&self.block.reduce(self.e), DVec3::X, 0.0, DVec2::ZERO)?;
        self.pushes(&wrench)?;
        Some((wrench, center_of_pressure(&wrench)))
    }

    /// The wrench of a contact that does not roll, with its centre of pressure anywhere in the plane; `None` where it
    /// would pull.
    ///
    /// It may drive the slip that it leaves, or not come to the limit of spin: see [`FullContact::keeps_limits`].
    fn solve(&self) -> Option<(Vec6, DVec2)> {
        let reduced = self.block.reduce(self.e);
        let mut wrench = self.block.stick(&reduced);
        self.pushes(&wrench)?;
        let mut slip = self.limiting_direction(&wrench);
        if let Some(q) = slip {
            wrench = self.block.slide(&reduced, q)?;
            self.pushes(&wrench)?;
        }
        let mut x = center_of_pressure(&wrench);
        for _ in 0..SPIN_PASSES {
            let Some(limit) = self.exceeded_spin_limit(&wrench, x) else { break };
            wrench = match slip {
                Some(q) => self.block.slide_and_spin(&reduced, q, limit, x)?,
                None => self.block.stick_and_spin(&reduced, limit, x)?,
            };
            if slip.is_none() {
                self.pushes(&wrench)?;
                slip = self.limiting_direction(&wrench);
                if let Some(q) = slip {
                    wrench = self.block.slide_and_spin(&reduced, q, limit, x)?;
                }
            }
            self.pushes(&wrench)?;
            x = center_of_pressure(&wrench);
        }
        Some((wrench, x))
    }

    /// Whether the normal force pushes and is large enough to divide the torques by.
    fn pushes(&self, wrench: &Vec6) -> Option<()> {
        let rolling = wrench[4].abs().max(wrench[5].abs());
        (wrench[0] > 0.0 && rolling <= FAR_REACHES * self.patch.reach() * wrench[0]).then_some(())
    }

    /// Direction `(1, μ t)` of the cone's side nearest to a force beyond it; `None` within the cone.
    fn limiting_direction(&self, wrench: &Vec6) -> Option<DVec3> {
        side_of_cone(wrench.linear(), self.friction)
    }

    /// Signed spin torque per normal force at the limit, if the wrench's spin torque about `x` is beyond it.
    fn exceeded_spin_limit(&self, wrench: &Vec6, x: DVec2) -> Option<f64> {
        let torque = spin_torque(wrench, x);
        let arms = (x.x * wrench[2]).abs() + (x.y * wrench[1]).abs();
        let rounding = SPIN_ROUNDING * (wrench[3].abs() + arms);
        let beyond = |radius: f64| {
            torque.abs() > (1.0 + SPIN_TOLERANCE) * self.friction * radius * wrench[0] + rounding
        };
        if !beyond(self.patch.min_spin_radius(self.spin)) {
            return None;
        }
        let radius = self.patch.spin_radius(self.spin, x);
        beyond(radius).then(|| self.friction * radius.copysign(torque))
    }
}
