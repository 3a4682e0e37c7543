//! A joint within a step: how far its halves would drift apart, and the impulse that keeps them together.

use crate::joint::kind::JointKind;
use crate::joint::offset::Offset;
use crate::motion::Drift;
use crate::placement::Placement;
use crate::solver::Vec6;
use crate::solver::local::JointBlock;
use crate::twist::Twist;

/// One half of a joint and the body that carries it through the step.
#[derive(Clone, Debug)]
pub struct Half {
    /// The body; `None` for the world.
    pub body: Option<Drift>,
    /// Its twist where nothing can move it.
    pub held: Twist,
    /// The half in the body's frame.
    pub placement: Placement,
}

impl Half {
    /// Where the half is at the start of the step.
    pub fn now(&self) -> Placement {
        self.body.as_ref().map_or(self.placement, |body| body.start().carry(&self.placement))
    }

    /// Where it is after `dt` at a twist of its body.
    pub fn after(&self, twist: &Twist, dt: f64) -> Placement {
        self.body.as_ref().map_or(self.placement, |body| body.after(twist, dt).0.carry(&self.placement))
    }
}

/// What a joint demands within a step.
#[derive(Clone, Debug)]
pub struct JointLaw {
    /// Which joint of the world.
    pub joint: u32,
    /// Its rows.
    pub block: JointBlock,
    /// How it can move.
    pub kind: JointKind,
    /// Its halves.
    pub halves: [Half; 2],
    /// Error of the locked rows at the start of the step.
    pub error: Vec6,
    /// The motion along which its coordinate grows, joint axes; `None` where it has no free row.
    pub axis: Option<Vec6>,
    /// Its coordinate at the start of the step \[rad or m\].
    pub coordinate: f64,
    /// The same, but angles within half a turn of zero \[rad or m\].
    pub phase: f64,
    /// Time step \[s\].
    pub dt: f64,
    /// Distance of the joint from the centres of mass of its bodies, the larger one \[m\].
    pub reach: f64,
}

/// By how much the way within a step may differ from a straight one \[rad, or reaches of the joint\]: that of about one
/// radian.
const MAX_BEND: f64 = 0.5;

impl JointLaw {
    /// The impulse that leaves the locked rows with the error that they have, and its coordinate where drive and limits want
    /// it, after a step with these twists of the two bodies; `relative` is their relative twist at the joint along its axes,
    /// `impulse` the joint's so far.
    ///
    /// Where the halves come to stand at the end of the step is taken as it is, with the turning of both bodies, and its
    /// mean rate in place of the rows' velocity. Each sweep is one step of Newton's method with the matrix of the start,
    /// which differs from that of the end by the angle turned.
    pub fn solve(&self, twists: [Twist; 2], relative: &Vec6, impulse: &Vec6) -> Vec6 {
        let linear = *relative * self.dt;
        let along = self.axis.map_or(0.0, |axis| axis.dot(&linear));
        let after = self.offset_after(&twists, self.dt);
        let drift = self.kind.on_locked(&(after.error(&self.kind) - self.error));
        let travel = after.coordinate(&self.kind, self.phase + along) - self.phase;
        let bend = drift - self.kind.on_locked(&linear);
        // Half turns within a step look like none. The sweeps may pass through such speeds, or a body may have them.
        let motion = if bend.angular().length() > MAX_BEND || bend.linear().length() > MAX_BEND * self.reach {
            linear
        } else {
            drift + self.axis.map_or(Vec6::ZERO, |axis| axis * travel)
        };
        self.block.relax(&(motion * self.dt.recip()), impulse)
    }

    /// The part of an impulse that the joint can carry now: the axis of a ball joint's limit turns from step to step, and a drive may
    /// have been taken away.
    pub fn admit(&self, impulse: &Vec6) -> Vec6 {
        let along = self.block.free_axis().map_or(Vec6::ZERO, |axis| axis * axis.dot(impulse));
        self.kind.on_locked(impulse) + along
    }

    /// How the halves stand to each other after a time \[s\] with these twists.
    pub fn offset_after(&self, twists: &[Twist; 2], time: f64) -> Offset {
        let [a, b] = &self.halves;
        Offset::between(&a.after(&twists[0], time), &b.after(&twists[1], time))
    }
}
