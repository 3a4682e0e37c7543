//! What a scene expects, watched in whatever future it is run.

use std::sync::Arc;

use tactum::expect::{Moment, Monitor, MonitorState};
use tactum::run::Unsolved;
use tactum::scene::Scene;
use tactum_sim::{StepReport, World};

/// What has become of a scene's expectations up to a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Expected {
    /// Which were looked at, and which were not met.
    pub state: MonitorState,
    /// Steps so far that were not solved.
    unsolved: Unsolved,
    /// Whether the scene's duration is over, after which nothing is expected.
    pub is_over: bool,
}

impl Expected {
    /// What is to be said of an expectation, and whether it was not met.
    pub fn outcome(&self, ix: usize) -> (String, bool) {
        let failure = self.state.failures.iter().find(|failure| failure.expectation == ix);
        let is_looked_at = self.state.looked_at.get(ix).copied().unwrap_or(false);
        match (failure, is_looked_at, self.is_over) {
            (Some(failure), ..) => (format!("not met: {}", failure.message), true),
            (None, true, true) => ("met".to_owned(), false),
            (None, true, false) => ("met so far".to_owned(), false),
            (None, false, _) => ("to come".to_owned(), false),
        }
    }
}

/// Looks at a scene's expectations step by step.
#[derive(Debug)]
pub struct Watcher {
    /// As it stood before the start.
    fresh: Monitor,
    monitor: Monitor,
    /// The step with which the scene's duration is over.
    end: u64,
    now: Arc<Expected>,
}

impl Watcher {
    /// A watcher of a scene whose world stands at its start.
    pub fn new(scene: &Scene, world: &World) -> Self {
        let fresh = Monitor::new(scene, world);
        let spec = scene.spec();
        let end = (spec.duration / spec.dt).round() as u64;
        let mut watcher = Self { monitor: fresh.clone(), fresh, end, now: Arc::default() };
        watcher.begin(world);
        watcher
    }

    /// What there is to be said now.
    pub fn now(&self) -> Arc<Expected> {
        self.now.clone()
    }

    /// Begins anew at the scene's start.
    pub fn begin(&mut self, world: &World) {
        self.monitor = self.fresh.clone();
        self.monitor.at_start(world);
        self.now = Arc::new(Expected { state: self.monitor.state().clone(), ..Expected::default() });
    }

    /// Goes back to what was known at a step.
    pub fn go_back(&mut self, then: &Arc<Expected>) {
        self.monitor = self.fresh.clone();
        self.monitor.restore(then.state.clone());
        self.now = then.clone();
    }

    /// Looks at the world after a step.
    pub fn after_step(&mut self, step: u64, world: &World, report: &StepReport) {
        if step > self.end {
            return;
        }
        let mut unsolved = self.now.unsolved.clone();
        unsolved.add(step, world, report);
        let now = Moment { step, world, last: Some(report), unsolved_steps: unsolved.steps };
        self.monitor.after_step(now);
        let is_over = step == self.end;
        if is_over {
            self.monitor.at_end(now);
        }
        self.now = Arc::new(Expected { state: self.monitor.state().clone(), unsolved, is_over });
    }
}
