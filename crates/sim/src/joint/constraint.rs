//! From a joint and its bodies to a constraint of the step.

use glam::DMat3;

use crate::joint::definition::{Joint, JointState};
use crate::joint::kind::Drive;
use crate::joint::motion::{Half, JointLaw};
use crate::joint::offset::Offset;
use crate::motion::{Drift, FreeMotion};
use crate::placement::Placement;
use crate::solver::ContactFrame;
use crate::solver::constraint::{Constraint, Rows};
use crate::solver::local::{DriveRow, JointBlock};
use crate::solver::{Mat6, Vec6};
use crate::twist::Twist;
use crate::{Body, BodyId, BodyState, Settings};

/// Index that stands for the world in place of a body.
pub const WORLD: u32 = u32::MAX;

impl Joint {
    /// Indices of the two bodies, [`WORLD`] for none.
    pub(crate) fn bodies(&self) -> [u32; 2] {
        [self.a.map_or(WORLD, |BodyId(ix)| ix), self.b.0]
    }

    /// The joint's coordinate where its bodies are in these states, of those that differ by full turns the one nearest to
    /// `near`.
    pub(crate) fn coordinate(&self, bodies: &[BodyState], near: f64) -> f64 {
        let frame = |body: &BodyState| Placement { origin: body.position, rotation: body.orientation };
        self.offset(|ix| bodies.get(ix as usize).map(frame)).coordinate(&self.kind, near)
    }

    /// By how much the halves stand apart in what the joint locks, where the bodies are: a distance \[m\] and an angle \[rad\].
    pub(crate) fn gap(&self, bodies: &[Body]) -> [f64; 2] {
        let frame = |body: &Body| Placement { origin: body.position, rotation: body.orientation };
        let error = self.offset(|ix| bodies.get(ix as usize).map(frame)).error(&self.kind);
        let error = self.kind.on_locked(&error);
        [error.linear().length(), error.angular().length()]
    }

    /// How the halves stand to each other, with the frame of each body by its index.
    fn offset(&self, frame: impl Fn(u32) -> Option<Placement>) -> Offset {
        let half = |ix: u32, half: &Placement| frame(ix).map_or(*half, |frame| frame.carry(half));
        let [a, b] = self.bodies();
        Offset::between(&half(a, &self.halves[0]), &half(b, &self.halves[1]))
    }
}

/// What a joint's constraint is made from.
#[derive(Clone, Copy, Debug)]
pub struct Parts<'a> {
    pub settings: &'a Settings,
    /// Bodies before the step.
    pub bodies: &'a [Body],
    /// Their free motion, and their inverse inertias in their shapes' axes.
    pub free: &'a [FreeMotion],
    pub inverse_inertias: &'a [DMat3],
    /// The world's joints and their states before the step.
    pub joints: &'a [Joint],
    pub states: &'a [JointState],
    /// End of the step since the world's start \[s\].
    pub end: f64,
}

/// The constraint of joint `ix`, whose bodies have these slots, in an island with contacts or without.
pub fn constraint(parts: &Parts<'_>, ix: u32, slots: [u32; 2], has_contacts: bool) -> Constraint {
    let (joint, state) = (&parts.joints[ix as usize], &parts.states[ix as usize]);
    let bodies = joint.bodies();
    let halves = [0, 1].map(|side| Half {
        body: (bodies[side] != WORLD).then(|| {
            let ix = bodies[side] as usize;
            Drift::of(&parts.bodies[ix], &parts.inverse_inertias[ix])
        }),
        held: held_twist(parts, bodies[side]),
        placement: joint.halves[side],
    });
    let [a, b] = halves.each_ref().map(Half::now);
    let offset = Offset::between(&a, &b);
    // Full turns count for limits and servos.
    let coordinate = offset.coordinate(&joint.kind, state.coordinate);
    let w_from_c = DMat3::from_quat(a.rotation);
    let frame = ContactFrame { point: b.origin, w_from_c, pitch: 0.0 };
    let centers = bodies.map(|ix| parts.bodies.get(ix as usize).map_or(b.origin, |body| body.position));
    let arms = centers.map(|center| frame.point - center);
    let between = |twists: [Twist; 2]| {
        let [a, b] = [0, 1].map(|side| frame.twist(centers[side], twists[side].linear, twists[side].angular));
        b - a
    };
    let bias = between(halves.each_ref().map(|half| half.held));
    let matrix = response(parts, bodies, &frame);
    let axis = offset.axis(&joint.kind);
    let Settings { dt, .. } = *parts.settings;
    let mut drive = joint.kind.drive().map(|drive| drive_row(drive, coordinate, dt, parts.end));
    if joint.keeps_rate {
        let twist = |ix: u32| parts.free.get(ix as usize).map_or(Twist::default(), |free| free.twist);
        let rate = axis.map_or(0.0, |axis| axis.dot(&between(bodies.map(twist))));
        // Without contacts nothing is in the way of that rate.
        drive = drive.filter(|_| has_contacts).map(|drive| DriveRow { bias: -rate, ..drive });
    }
    let speeds = joint.kind.limits().map(|limits| speeds_within(limits, coordinate, dt));
    let block = JointBlock::new(&matrix, joint.kind.locked());
    let block = match axis {
        Some(axis) if drive.is_some() || speeds.is_some() => {
            block.with_row(&matrix, axis, drive, speeds.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]))
        }
        _ => block,
    };
    let law = JointLaw {
        joint: ix,
        block,
        kind: joint.kind.clone(),
        error: offset.error(&joint.kind),
        axis,
        coordinate,
        phase: offset.coordinate(&joint.kind, 0.0),
        dt,
        reach: arms[0].length().max(arms[1].length()),
        halves,
    };
    let impulse = if parts.settings.warm_start {
        law.admit(&frame.wrench_from_world(state.force, state.torque, frame.point))
    } else {
        Vec6::ZERO
    };
    Constraint { bias, ..Constraint::new(slots, w_from_c, arms, impulse, Rows::Joint(Box::new(law))) }
}

/// `J M⁻¹ Jᵀ` of all six rows in joint axes.
fn response(parts: &Parts<'_>, bodies: [u32; 2], frame: &ContactFrame) -> Mat6 {
    let mut s = Mat6::ZERO;
    for ix in bodies.into_iter().filter(|ix| *ix != WORLD) {
        let (body, free) = (&parts.bodies[ix as usize], &parts.free[ix as usize]);
        if free.inverse_mass > 0.0 {
            s += frame.admittance(free.inverse_mass, &free.inverse_inertia, body.position);
        }
    }
    s
}

/// Speeds of a coordinate that keep it within its limits for a step; beyond one it may stay, as positions are corrected without giving
/// it a velocity.
fn speeds_within([low, high]: [f64; 2], coordinate: f64, dt: f64) -> [f64; 2] {
    [((low - coordinate) / dt).min(0.0), ((high - coordinate) / dt).max(0.0)]
}

/// The row of a drive. A servo is a spring and a damper at the end of the step: with position `x + h v` the impulse is
/// `h (k (x* - x - h v) - d v)`.
fn drive_row(drive: &Drive, coordinate: f64, dt: f64, end: f64) -> DriveRow {
    match drive {
        Drive::Motor { speed, strength } => {
            DriveRow { bias: -speed.at(end), compliance: 0.0, max_impulse: dt * strength }
        }
        Drive::Servo { target, stiffness, damping, strength } => {
            let grip = dt * stiffness + damping;
            DriveRow {
                bias: -stiffness * (target.at(end) - coordinate) / grip,
                compliance: (dt * grip).recip(),
                max_impulse: dt * strength,
            }
        }
    }
}

/// Twist of a body that no impulse can change; zero for others, whose twist the solver finds.
fn held_twist(parts: &Parts<'_>, ix: u32) -> Twist {
    match parts.bodies.get(ix as usize) {
        Some(body) if !body.is_movable() => parts.free[ix as usize].twist,
        _ => Twist::default(),
    }
}
