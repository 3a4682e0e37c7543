//! What the solver knew of the contacts of a step: for those who want to see why a contact holds.

use glam::{DVec2, DVec3};
use tactum_geometry::Overlap;

use crate::contact::assemble::principal_axes;
use crate::contact::frame::{center_of_pressure, spin_torque};
use crate::contact::{Contact, ContactPatch};
use crate::solver::Vec6;
use crate::solver::block_gs::SolverBody;
use crate::solver::constraint::{Constraint, Law};
use crate::solver::islands::NO_SLOT;
use crate::solver::local::project_without_patch;
use crate::{Body, BodyId, Settings};

/// Part of a limit from which on a wrench counts as being at it: sweeps leave it there to rounding. No unit.
const AT_LIMIT: f64 = 1.0 - 1e-6;

/// How the bodies of a contact move on each other, told by the limits that its wrench has reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ContactMotion {
    /// The bodies push on each other.
    pub presses: bool,
    /// The tangential force is at the limit of friction.
    pub slides: bool,
    /// The torque about the normal is at the limit of friction.
    pub spins: bool,
    /// The centre of pressure was held back at the patch's border: the bodies roll or tip over it.
    pub rolls: bool,
}

/// The cuboid with the volume moments of an overlap (Bouchard et al. 2015, figure 3).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EquivalentBox {
    /// Its middle, the overlap's centroid, world \[m\].
    pub center: DVec3,
    /// Directions of its edges, the shortest first, world axes.
    pub axes: [DVec3; 3],
    /// Half the lengths of its edges, `sqrt(3 λ)` of the principal variances `λ` \[m\].
    pub half_size: [f64; 3],
}

/// What the solver knew of one contact, besides its [`ContactRecord`](crate::ContactRecord).
#[derive(Clone, Debug, PartialEq)]
pub struct ContactInsight {
    /// The two bodies, A below B in index order.
    pub bodies: [BodyId; 2],
    /// Region number within the pair.
    pub region: u32,
    /// Patch that bounds the centre of pressure, on the record's axes (u, w) about its point \[m\].
    pub patch: ContactPatch,
    /// Centre of pressure on (u, w) about the contact point that the contact would have with a patch without borders
    /// \[m\]; `None` where it would have to pull.
    pub free_cop: Option<DVec2>,
    /// Coefficient of friction of the pair.
    pub friction: f64,
    /// Distance from the centre of pressure at which friction resists spinning \[m\].
    pub spin_radius: f64,
    /// Velocity of B relative to A at the contact point after the step, contact axes (n, u, w): linear \[m/s\], angular
    /// \[rad/s\].
    pub twist: [f64; 6],
    /// Norm of the impulse's change in the last sweep \[N s, N m s mixed\].
    pub update: f64,
    /// Which limits the wrench has reached.
    pub motion: ContactMotion,
    /// The overlap's equivalent box; `None` where the bodies do not overlap yet.
    pub equivalent_box: Option<EquivalentBox>,
}

impl ContactInsight {
    /// What is known of a contact after the step; `constraints` are those of the step, `island` the bodies that slots
    /// count, `bodies` those of the world, `region` the overlap that the contact was made for.
    pub(crate) fn of(
        contact: &Contact,
        constraints: &[Constraint],
        island: &[SolverBody],
        pair: [u32; 2],
        bodies: &[Body],
        region: &Overlap,
        settings: &Settings,
    ) -> Self {
        let constraints = &constraints[contact.constraints.clone()];
        let impulse = contact.impulse_of(constraints);
        let cop = if impulse[0] > 0.0 { center_of_pressure(&impulse) } else { DVec2::ZERO };
        let limits = Limits::of(contact, constraints, island, cop);
        let spin_radius = limits.patch.spin_radius(settings.spin, cop);
        let update =
            constraints.iter().map(|constraint| constraint.update.length_squared()).sum::<f64>().sqrt();
        Self {
            bodies: pair.map(BodyId),
            region: contact.source.region,
            free_cop: limits.free_cop,
            friction: limits.friction,
            spin_radius,
            twist: relative_twist(contact, constraints, island, pair.map(|ix| &bodies[ix as usize])).0,
            update,
            motion: motion(&impulse, cop, &limits, spin_radius),
            equivalent_box: contact.record.map(|_| {
                let (axes, half_size) = principal_axes(region);
                EquivalentBox { center: contact.origin + region.centroid, axes, half_size }
            }),
            patch: limits.patch,
        }
    }
}

/// What bounds a contact's wrench, whichever constraints carry it.
struct Limits {
    patch: ContactPatch,
    friction: f64,
    free_cop: Option<DVec2>,
}

impl Limits {
    fn of(contact: &Contact, constraints: &[Constraint], island: &[SolverBody], cop: DVec2) -> Self {
        let mut corners = Vec::new();
        let mut friction = 0.0;
        for constraint in constraints {
            match &constraint.law {
                Law::Patch(law) => {
                    let e = constraint.twist_without(&law.block, island);
                    let free = project_without_patch(&law.block, &e, &law.limits);
                    let (patch, friction) = (law.limits.patch.clone(), law.limits.friction);
                    return Self { patch, friction, free_cop: free.map(|(_, x)| x) };
                }
                Law::Point(rows) => {
                    let x = contact.frame.to_contact(constraint.arms[1] - contact.arm_b);
                    corners.push(DVec2::new(x.y, x.z));
                    friction = rows.friction();
                }
                // No contact is carried by a joint.
                Law::Joint(_) => {}
            }
        }
        // Points keep the centre of pressure among them by themselves.
        Self { patch: ContactPatch::polygon(&corners), friction, free_cop: Some(cop) }
    }
}

/// Velocity of B relative to A at the contact point, contact axes.
fn relative_twist(
    contact: &Contact,
    constraints: &[Constraint],
    island: &[SolverBody],
    bodies: [&Body; 2],
) -> Vec6 {
    // From B's centre of mass to A's, as any constraint has it.
    let between =
        constraints.first().map_or(DVec3::ZERO, |constraint| constraint.arms[1] - constraint.arms[0]);
    let arms = [contact.arm_b - between, contact.arm_b];
    let mut linear = DVec3::ZERO;
    let mut angular = DVec3::ZERO;
    for (ix, sign) in [(0, -1.0), (1, 1.0)] {
        let (v, omega) = match contact.slots[ix] {
            NO_SLOT => (bodies[ix].linear_velocity, bodies[ix].angular_velocity),
            slot => {
                let twist = &island[slot as usize].twist;
                (twist.linear, twist.angular)
            }
        };
        linear += sign * (v + omega.cross(arms[ix]));
        angular += sign * omega;
    }
    Vec6::from_parts(contact.frame.to_contact(linear), contact.frame.to_contact(angular))
}

fn motion(wrench: &Vec6, cop: DVec2, limits: &Limits, spin_radius: f64) -> ContactMotion {
    let presses = wrench[0] > 0.0;
    let limit = AT_LIMIT * limits.friction * wrench[0];
    ContactMotion {
        presses,
        slides: presses && wrench[1].hypot(wrench[2]) >= limit,
        spins: presses && spin_radius > 0.0 && spin_torque(wrench, cop).abs() >= limit * spin_radius,
        rolls: presses && limits.free_cop.is_none_or(|x| !limits.patch.contains(x)),
    }
}
