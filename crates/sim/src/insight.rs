//! What the solver knew of the contacts of a step: for those who want to see why a contact holds.

use glam::{DVec2, DVec3};
use tactum_geometry::Overlap;

use crate::contact::assemble::principal_axes;
use crate::contact::frame::{center_of_pressure, spin_torque};
use crate::contact::{Contact, ContactPatch};
use crate::solver::Vec6;
use crate::solver::block_gs::{SolverBody, velocity_without};
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
    /// What is known of a contact after the step; `island` are the bodies that its slots count, `bodies` those of the
    /// world, `region` the overlap that the contact was made for.
    pub(crate) fn of(
        contact: &Contact,
        island: &[SolverBody],
        pair: [u32; 2],
        bodies: &[Body],
        region: &Overlap,
        settings: &Settings,
    ) -> Self {
        let e = velocity_without(contact, island);
        let free = project_without_patch(&contact.block, &e, &contact.patch, contact.friction, settings.spin);
        let free_cop = free.map(|(_, x)| x);
        let cop = if contact.impulse[0] > 0.0 { center_of_pressure(&contact.impulse) } else { DVec2::ZERO };
        let spin_radius = contact.patch.spin_radius(settings.spin, cop);
        Self {
            bodies: pair.map(BodyId),
            region: contact.source.region,
            free_cop,
            friction: contact.friction,
            spin_radius,
            twist: relative_twist(contact, island, pair.map(|ix| &bodies[ix as usize])).0,
            update: contact.update.length_squared().sqrt(),
            motion: motion(contact, cop, free_cop, spin_radius),
            equivalent_box: contact.record.map(|_| {
                let (axes, half_size) = principal_axes(region);
                EquivalentBox { center: contact.origin + region.centroid, axes, half_size }
            }),
            patch: contact.patch.clone(),
        }
    }
}

/// Velocity of B relative to A at the contact point, contact axes.
fn relative_twist(contact: &Contact, island: &[SolverBody], bodies: [&Body; 2]) -> Vec6 {
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
        linear += sign * (v + omega.cross(contact.arms[ix]));
        angular += sign * omega;
    }
    Vec6::from_parts(contact.frame.to_contact(linear), contact.frame.to_contact(angular))
}

fn motion(contact: &Contact, cop: DVec2, free_cop: Option<DVec2>, spin_radius: f64) -> ContactMotion {
    let wrench = &contact.impulse;
    let presses = wrench[0] > 0.0;
    let limit = AT_LIMIT * contact.friction * wrench[0];
    ContactMotion {
        presses,
        slides: presses && wrench[1].hypot(wrench[2]) >= limit,
        spins: presses && spin_radius > 0.0 && spin_torque(wrench, cop).abs() >= limit * spin_radius,
        rolls: presses && free_cop.is_none_or(|x| !contact.patch.contains(x)),
    }
}
