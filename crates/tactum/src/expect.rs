//! What a scene expects of its run, watched while it runs.

use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};
use tactum_sim::{Body, BodyKind, StepReport, World};

use crate::scene::schema::{Bound, ExpectSpec};
use crate::scene::{Scene, matches};
use crate::session::Session;

/// Time within which a step counts as being at a stated time, as a part of the step.
const SAME_TIME: f64 = 0.5;

/// One expectation that was not met.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// Number of the `[[expect]]` in the scene, from zero.
    pub expectation: usize,
    /// Simulated time at which it failed first \[s\].
    pub time: f64,
    /// Which quantity, of which body, had which value and had to have which, in words.
    pub message: String,
}

/// Watches a run and collects what does not come out as expected.
#[derive(Clone, Debug)]
pub struct Monitor {
    expectations: Vec<ExpectSpec>,
    starts: Vec<Start>,
    state: MonitorState,
}

/// What a monitor has learnt so far; part of a checkpoint.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MonitorState {
    /// Largest kinetic energy of a step so far \[J\].
    pub peak_kinetic_energy: f64,
    /// First failure of each expectation and body.
    pub failures: Vec<Failure>,
}

/// Where a body began.
#[derive(Clone, Copy, Debug)]
struct Start {
    position: DVec3,
    orientation: DQuat,
}

impl Monitor {
    /// A monitor for a world that stands at the scene's start.
    pub fn new(scene: &Scene, world: &World) -> Self {
        let start = |body: &Body| Start { position: body.position, orientation: body.orientation };
        Self {
            expectations: scene.spec().expectations.clone(),
            starts: world.bodies().iter().map(start).collect(),
            state: MonitorState { peak_kinetic_energy: world.kinetic_energy(), failures: Vec::new() },
        }
    }

    /// What was learnt so far.
    pub fn state(&self) -> &MonitorState {
        &self.state
    }

    /// Goes on from what another run has learnt.
    pub fn restore(&mut self, state: MonitorState) {
        self.state = state;
    }

    /// Whether the scene expects anything.
    pub fn expects_something(&self) -> bool {
        !self.expectations.is_empty()
    }

    /// Looks at the world after a step that ended at `time` \[s\].
    pub fn after_step(&mut self, session: &Session, report: &StepReport, time: f64) {
        let world = session.world();
        self.state.peak_kinetic_energy = self.state.peak_kinetic_energy.max(world.kinetic_energy());
        let dt = world.settings().dt;
        self.judge(session, report, time, |expect| {
            expect.always || expect.time.is_some_and(|due| (due - time).abs() < SAME_TIME * dt)
        });
    }

    /// Looks at the world after the last step.
    pub fn at_end(&mut self, session: &Session, report: &StepReport, time: f64) {
        self.judge(session, report, time, |expect| !expect.always && expect.time.is_none());
    }

    fn judge(
        &mut self,
        session: &Session,
        report: &StepReport,
        time: f64,
        is_due: impl Fn(&ExpectSpec) -> bool,
    ) {
        for ix in 0..self.expectations.len() {
            let expect = &self.expectations[ix];
            if !is_due(expect) || self.state.failures.iter().any(|failure| failure.expectation == ix) {
                continue;
            }
            let why = expect.why.as_ref().map_or_else(String::new, |why| format!(" ({why})"));
            let mut failures = self.world_failures(expect, session, report);
            failures.extend(self.body_failures(expect, session.world()));
            failures.extend(joint_failures(expect, session.world()));
            self.state.failures.extend(failures.into_iter().map(|text| Failure {
                expectation: ix,
                time,
                message: format!("{text}{why}"),
            }));
        }
    }

    fn world_failures(&self, expect: &ExpectSpec, session: &Session, report: &StepReport) -> Vec<String> {
        let world = session.world();
        let value = |name: &str| match name {
            "kinetic_energy" => world.kinetic_energy(),
            "kinetic_energy_of_peak" => match self.state.peak_kinetic_energy {
                0.0 => 0.0,
                peak => world.kinetic_energy() / peak,
            },
            "depth_of_size" => session.deepest_of_size(),
            _ => report.contacts.len() as f64,
        };
        let check = |(name, bound): (&str, &Bound)| {
            violation(bound, value(name)).map(|text| format!("{name} {text}"))
        };
        expect.world_bounds().into_iter().filter_map(check).collect()
    }

    fn body_failures(&self, expect: &ExpectSpec, world: &World) -> Vec<String> {
        let Some(pattern) = &expect.body else { return Vec::new() };
        let mut failures = Vec::new();
        for (body, start) in world.bodies().iter().zip(&self.starts) {
            let all = pattern == "*" && body.kind == BodyKind::Static;
            if all || !matches(pattern, &body.name) {
                continue;
            }
            for (name, bound) in expect.body_bounds() {
                if let Some(text) = violation(bound, body_quantity(name, body, start)) {
                    failures.push(format!("{name} of '{}' {text}", body.name));
                }
            }
        }
        failures
    }
}

fn body_quantity(name: &str, body: &Body, start: &Start) -> f64 {
    let turn = body.orientation * start.orientation.conjugate();
    match name {
        "x" => body.position.x,
        "y" => body.position.y,
        "z" => body.position.z,
        "travel" => (body.position - start.position).length(),
        "speed" => body.linear_velocity.length(),
        "spin" => body.angular_velocity.length(),
        "spin_z" => body.angular_velocity.z,
        // atan2 keeps small angles exact, where acos of a cosine near one would lose half the digits.
        "tilt_deg" => {
            let up = turn * DVec3::Z;
            up.truncate().length().atan2(up.z).to_degrees()
        }
        _ => (2.0 * turn.xyz().length().atan2(turn.w.abs())).to_degrees(),
    }
}

fn joint_failures(expect: &ExpectSpec, world: &World) -> Vec<String> {
    let Some(pattern) = &expect.joint else { return Vec::new() };
    let mut failures = Vec::new();
    for (joint, state) in world.joints().iter().zip(world.joint_states()) {
        if !matches(pattern, &joint.name) {
            continue;
        }
        let dt = world.settings().dt;
        for (name, bound) in expect.joint_bounds() {
            let value = match name {
                "angle_deg" => state.coordinate.to_degrees(),
                "extension" => state.coordinate,
                "force" => state.force.length() / dt,
                _ => state.torque.length() / dt,
            };
            failures.extend(violation(bound, value).map(|text| format!("{name} of '{}' {text}", joint.name)));
        }
    }
    failures
}

/// What a value violates, in words; a value that is not a number violates every bound.
fn violation(bound: &Bound, value: f64) -> Option<String> {
    if let (Some(is), Some(within)) = (bound.is, bound.within) {
        let holds = (value - is).abs() <= within;
        if !holds {
            return Some(format!("is {value}, expected {is} within {within}"));
        }
    }
    if let Some(below) = bound.below {
        let holds = value < below;
        if !holds {
            return Some(format!("is {value}, expected below {below}"));
        }
    }
    let above = bound.above?;
    let holds = value > above;
    (!holds).then(|| format!("is {value}, expected above {above}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_strict_and_refuse_nan() {
        let bound = Bound { is: Some(1.0), within: Some(0.1), ..Bound::default() };
        assert!(violation(&bound, 1.05).is_none());
        assert!(violation(&bound, 1.2).is_some_and(|text| text.contains("expected 1 within 0.1")));
        assert!(violation(&bound, f64::NAN).is_some());
        let bound = Bound { below: Some(2.0), above: Some(1.0), ..Bound::default() };
        assert!(violation(&bound, 1.5).is_none());
        assert!(violation(&bound, 2.0).is_some() && violation(&bound, 1.0).is_some());
        assert!(violation(&bound, f64::NAN).is_some());
    }
}
