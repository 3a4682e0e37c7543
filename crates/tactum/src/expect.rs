//! What a scene expects of its run, watched while it runs.

use std::collections::HashMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tactum_geometry::words::{number, number_beside};
use tactum_sim::{Body, BodyKind, StepReport, World};

use crate::scene::schema::{About, Bound, ExpectSpec, Observable, Reading, SoFar, Start};
use crate::scene::{Names, Scene};

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
    expectations: Vec<Expectation>,
    starts: Vec<Start>,
    state: MonitorState,
}

/// What a monitor has learnt so far; part of a checkpoint.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MonitorState {
    /// Largest kinetic energy of a step so far \[J\].
    pub peak_kinetic_energy: f64,
    /// Whether each expectation has been looked at.
    pub looked_at: Vec<bool>,
    /// What failed of each expectation where it was first not met, in the order of the steps.
    pub failures: Vec<Failure>,
}

/// An expectation, and what has to be known of it in every step.
#[derive(Clone, Debug)]
struct Expectation {
    spec: ExpectSpec,
    due: Due,
    /// The bodies that it is about, by their indices in the world.
    bodies: Arc<[usize]>,
    /// The joints that it is about, by their indices in the world.
    joints: Arc<[usize]>,
    /// Whether it was not met before; it is then not looked at again.
    has_failed: bool,
}

/// Finds what patterns mean, each once: of very many expectations most are about the same few bodies, or about one each.
struct Patterns {
    names: Names,
    found: HashMap<String, Arc<[usize]>>,
}

impl Patterns {
    fn new<'a>(names: impl Iterator<Item = &'a String>) -> Self {
        Self { names: Names::new(names.cloned()), found: HashMap::new() }
    }

    /// Places of the names that a pattern fits and that are `meant`, ascending; none without a pattern.
    fn find(&mut self, pattern: Option<&String>, is_meant: impl Fn(usize) -> bool) -> Arc<[usize]> {
        let Some(pattern) = pattern else { return Arc::default() };
        if let Some(found) = self.found.get(pattern) {
            return found.clone();
        }
        let mut fitting = self.names.fitting(pattern);
        fitting.retain(|&ix| is_meant(ix));
        fitting.sort_unstable();
        let found: Arc<[usize]> = fitting.into();
        self.found.insert(pattern.clone(), found.clone());
        found
    }
}

/// When an expectation is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Due {
    /// After every step.
    Always,
    /// After so many steps; at the start after none.
    After(u64),
    /// At the end of the run.
    End,
}

impl Due {
    /// A time is looked at after the step that ends closest to it.
    fn of(expect: &ExpectSpec, dt: f64) -> Self {
        match expect.time {
            _ if expect.always => Self::Always,
            Some(time) => Self::After((time / dt).round() as u64),
            None => Self::End,
        }
    }
}

/// What can be looked at: the world between two steps and, except at the start, the step before.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'a> {
    /// Steps made.
    pub step: u64,
    /// The world after them.
    pub world: &'a World,
    /// Report of the last of them.
    pub last: Option<&'a StepReport>,
    /// How many of the steps were not solved.
    pub unsolved_steps: u64,
}

impl Moment<'_> {
    fn time(&self) -> f64 {
        self.step as f64 * self.world.settings().dt
    }
}

impl Monitor {
    /// A monitor for a world that stands at the scene's start.
    pub fn new(scene: &Scene, world: &World) -> Self {
        let start = |body: &Body| Start { position: body.position, orientation: body.orientation };
        let dt = world.settings().dt;
        let mut bodies = Patterns::new(world.bodies().iter().map(|body| &body.name));
        let mut joints = Patterns::new(world.joints().iter().map(|joint| &joint.name));
        let expectation = |spec: &ExpectSpec| {
            // "*" means all that may move.
            let is_all = spec.body.as_deref() == Some("*");
            let is_meant = |ix: usize| !is_all || world.bodies()[ix].kind != BodyKind::Static;
            Expectation {
                due: Due::of(spec, dt),
                bodies: bodies.find(spec.body.as_ref(), is_meant),
                joints: joints.find(spec.joint.as_ref(), |_| true),
                has_failed: false,
                spec: spec.clone(),
            }
        };
        let expectations: Vec<_> = scene.spec().expectations.iter().map(expectation).collect();
        Self {
            starts: world.bodies().iter().map(start).collect(),
            state: MonitorState {
                peak_kinetic_energy: world.kinetic_energy(),
                looked_at: vec![false; expectations.len()],
                failures: Vec::new(),
            },
            expectations,
        }
    }

    /// What was learnt so far.
    pub fn state(&self) -> &MonitorState {
        &self.state
    }

    /// Goes on from what another run of the same scene has learnt.
    pub fn restore(&mut self, state: MonitorState) {
        self.state = state;
        self.state.looked_at.resize(self.expectations.len(), false);
        for failure in &self.state.failures {
            if let Some(expectation) = self.expectations.get_mut(failure.expectation) {
                expectation.has_failed = true;
            }
        }
    }

    /// What was not met, in the order of the expectations in the scene.
    pub fn failures(&self) -> Vec<Failure> {
        let mut failures = self.state.failures.clone();
        // Those of one expectation are of one moment, and stay in the order of the bodies.
        failures.sort_by_key(|failure| failure.expectation);
        failures
    }

    /// Whether the scene expects anything.
    pub fn expects_something(&self) -> bool {
        !self.expectations.is_empty()
    }

    /// Looks at the world before the first step.
    pub fn at_start(&mut self, world: &World) {
        let now = Moment { step: 0, world, last: None, unsolved_steps: 0 };
        self.judge(now, |due| due == Due::After(0));
    }

    /// Looks at the world after a step.
    pub fn after_step(&mut self, now: Moment<'_>) {
        self.state.peak_kinetic_energy = self.state.peak_kinetic_energy.max(now.world.kinetic_energy());
        self.judge(now, |due| due == Due::Always || due == Due::After(now.step));
    }

    /// Looks at the world after the last step. What was never looked at by then is not met.
    pub fn at_end(&mut self, now: Moment<'_>) {
        self.judge(now, |due| due == Due::End);
        let dt = now.world.settings().dt;
        for (ix, expectation) in self.expectations.iter_mut().enumerate() {
            if self.state.looked_at[ix] {
                continue;
            }
            expectation.has_failed = true;
            let when = match expectation.due {
                Due::After(step) => format!("due at {} s (step {step})", number(step as f64 * dt)),
                Due::Always | Due::End => "due after every step".to_owned(),
            };
            let (time, step) = (now.time(), now.step);
            let message =
                format!("never looked at: {when}, the run ended at {} s (step {step})", number(time));
            self.state.failures.push(Failure {
                expectation: ix,
                time,
                message: with_reason(&message, &expectation.spec),
            });
        }
    }

    fn judge(&mut self, now: Moment<'_>, is_due: impl Fn(Due) -> bool) {
        for ix in 0..self.expectations.len() {
            let expectation = &self.expectations[ix];
            if !is_due(expectation.due) {
                continue;
            }
            self.state.looked_at[ix] = true;
            if expectation.has_failed {
                continue;
            }
            let mut failures = self.world_failures(&expectation.spec, now);
            failures.extend(self.body_failures(expectation, now.world));
            failures.extend(joint_failures(expectation, now));
            let failed = failures.into_iter().map(|text| Failure {
                expectation: ix,
                time: now.time(),
                message: with_reason(&text, &expectation.spec),
            });
            let n_before = self.state.failures.len();
            self.state.failures.extend(failed);
            self.expectations[ix].has_failed = self.state.failures.len() > n_before;
        }
    }

    fn world_failures(&self, expect: &ExpectSpec, now: Moment<'_>) -> Vec<String> {
        let Moment { unsolved_steps, .. } = now;
        let so_far = SoFar { peak_kinetic_energy: self.state.peak_kinetic_energy, unsolved_steps };
        let value = |observable: Observable| match observable.facts().reading {
            Reading::World(read) => Some(read(now.world, &so_far)),
            Reading::Step(read) => now.last.map(read),
            Reading::Body(_) | Reading::Coordinate(..) | Reading::Load(_) => None,
        };
        let check = |(observable, bound): (Observable, &Bound)| {
            let text = violation_or_none_yet(bound, value(observable))?;
            Some(format!("{} {text}", observable.name()))
        };
        expect.bounds.about(About::World).filter_map(check).collect()
    }

    fn body_failures(&self, expectation: &Expectation, world: &World) -> Vec<String> {
        let mut failures = Vec::new();
        for &ix in &*expectation.bodies {
            let (body, start) = (&world.bodies()[ix], &self.starts[ix]);
            for (observable, bound) in expectation.spec.bounds.about(About::Body) {
                if let Reading::Body(read) = observable.facts().reading
                    && let Some(text) = violation(bound, read(body, start))
                {
                    failures.push(format!("{} of '{}' {text}", observable.name(), body.name));
                }
            }
        }
        failures
    }
}

/// A failure with the reason that the scene gives for its expectation.
fn with_reason(text: &str, expect: &ExpectSpec) -> String {
    match &expect.why {
        Some(why) => format!("{text} ({why})"),
        None => text.to_owned(),
    }
}

fn joint_failures(expectation: &Expectation, now: Moment<'_>) -> Vec<String> {
    let (world, dt) = (now.world, now.world.settings().dt);
    let mut failures = Vec::new();
    for &ix in &*expectation.joints {
        let (joint, state) = (&world.joints()[ix], &world.joint_states()[ix]);
        for (observable, bound) in expectation.spec.bounds.about(About::Joint) {
            let value = match observable.facts().reading {
                Reading::Coordinate(_, read) => Some(read(state)),
                Reading::Load(read) => now.last.map(|_| read(state, dt)),
                Reading::Body(_) | Reading::World(_) | Reading::Step(_) => None,
            };
            let text = violation_or_none_yet(bound, value);
            failures.extend(text.map(|text| format!("{} of '{}' {text}", observable.name(), joint.name)));
        }
    }
    failures
}

/// What a value violates, in words; what only a step gives is not within any bound before the first one.
fn violation_or_none_yet(bound: &Bound, value: Option<f64>) -> Option<String> {
    match value {
        Some(value) => violation(bound, value),
        None => Some("has no value before the first step".to_owned()),
    }
}

/// What a value violates, in words; a value that is not a number violates every bound.
fn violation(bound: &Bound, value: f64) -> Option<String> {
    let is = |limit: f64| format!("is {}, expected", number_beside(value, limit));
    if let (Some(wanted), Some(within)) = (bound.is, bound.within) {
        let holds = (value - wanted).abs() <= within;
        if !holds {
            return Some(format!("{} {} within {}", is(wanted), number(wanted), number(within)));
        }
    }
    if let Some(below) = bound.below {
        let holds = value < below;
        if !holds {
            return Some(format!("{} below {}", is(below), number(below)));
        }
    }
    let above = bound.above?;
    let holds = value > above;
    (!holds).then(|| format!("{} above {}", is(above), number(above)))
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
