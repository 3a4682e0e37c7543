//! What the solver knew of the contacts of a step: for those who want to see why a contact holds.

use glam::{DVec2, DVec3};
use tactum_geometry::Overlap;

use crate::law::volume::contact::Contact;
use crate::law::volume::geometry::principal_axes;
use crate::motion::FreeMotion;
use crate::solver::body::{NO_SLOT, SolverBody};
use crate::solver::constraint::{Constraint, Rows};
use crate::solver::frame::{center_of_pressure, spin_torque};
use crate::solver::local::project_without_patch;
use crate::solver::{ContactPatch, Vec6};
use crate::{BodyId, SpinRule, Touch};

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
pub struct ContactDetail {
    /// The two bodies, A below B in index order.
    pub bodies: [BodyId; 2],
    /// Number of the contact within the pair: that of its region of the overlap, if no other contact has it.
    pub region: u32,
    /// Patch that bounds the centre of pressure, on the record's axes (u, w) about its point \[m\].
    pub patch: ContactPatch,
    /// Centre of pressure on (u, w) about the contact point that the contact would have with a patch without borders
    /// \[m\]; `None` where it would have to pull.
    pub free_cop: Option<DVec2>,
    /// Coefficient of friction of the pair.
    pub friction: f64,
    /// Coefficient of restitution of the pair.
    pub restitution: f64,
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

impl ContactDetail {
    /// What is known of a contact after the step.
    pub(crate) fn of(contact: &Contact, step: &Solved<'_>) -> Self {
        let constraints = &step.constraints[contact.constraints.clone()];
        let impulse = contact.impulse(step.constraints);
        let cop = if impulse[0] > 0.0 { center_of_pressure(&impulse) } else { DVec2::ZERO };
        let limits = Limits::of(contact, constraints, step.island, cop);
        let spin_radius = limits.patch.spin_radius(step.spin, cop);
        let update =
            constraints.iter().map(|constraint| constraint.update.length_squared()).sum::<f64>().sqrt();
        Self {
            bodies: contact.bodies.map(BodyId),
            region: contact.source.contact,
            free_cop: limits.free_cop,
            friction: limits.friction,
            restitution: step.touch.restitution,
            spin_radius,
            twist: relative_twist(contact, step).0,
            update,
            motion: motion(&impulse, cop, &limits, spin_radius),
            equivalent_box: step.region.filter(|_| contact.measured.is_some()).map(|region| {
                let (axes, half_size) = principal_axes(&region.second_moment, region.volume);
                EquivalentBox { center: contact.origin + region.centroid, axes, half_size }
            }),
            patch: limits.patch,
        }
    }
}

/// A solved step as one of its contacts sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Solved<'a> {
    /// All constraints.
    pub constraints: &'a [Constraint],
    /// The bodies of the contact's island.
    pub island: &'a [SolverBody],
    /// Free motion of all bodies.
    pub free: &'a [FreeMotion],
    /// The region that the contact was made from, if it was one.
    pub region: Option<&'a Overlap>,
    /// Rule of the spin radius.
    pub spin: SpinRule,
    /// Friction and restitution of the contact's bodies.
    pub touch: Touch,
}

/// Part of the fastest corner's velocity up to which a corner counts as one that carries: of what is shown, not of what is solved.
const AT_REST: f64 = 1e-3;

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
            match &constraint.rows {
                Rows::Patch(rows) => {
                    let e = constraint.twist_without(&rows.block, island);
                    let free = project_without_patch(&rows.block, &e, &rows.limits);
                    let friction = rows.limits.friction;
                    let patch = match &rows.limits.patch {
                        // Of those that may come to touch the ones that do.
                        ContactPatch::Corners(corners) => {
                            let twist = constraint.relative_twist(island) + constraint.bias;
                            ContactPatch::polygon(&corners.resting(&e, &twist, AT_REST).collect::<Vec<_>>())
                        }
                        patch => patch.clone(),
                    };
                    return Self { patch, friction, free_cop: free.map(|(_, x)| x) };
                }
                Rows::Point(point) => {
                    let x = contact.frame.to_contact(constraint.arms[1] - contact.arms[1]);
                    corners.push(DVec2::new(x.y, x.z));
                    friction = point.friction();
                }
                // No contact is carried by a joint.
                Rows::Joint(_) => {}
            }
        }
        // Points keep the centre of pressure among them by themselves.
        Self { patch: ContactPatch::polygon(&corners), friction, free_cop: Some(cop) }
    }
}

/// Velocity of B relative to A at the contact point, contact axes.
fn relative_twist(contact: &Contact, step: &Solved<'_>) -> Vec6 {
    let mut linear = DVec3::ZERO;
    let mut angular = DVec3::ZERO;
    for (ix, sign) in [(0, -1.0), (1, 1.0)] {
        let twist = match contact.slots[ix] {
            NO_SLOT => step.free[contact.bodies[ix] as usize].twist,
            slot => step.island[slot as usize].twist,
        };
        linear += sign * (twist.linear + twist.angular.cross(contact.arms[ix]));
        angular += sign * twist.angular;
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
