//! A run of a batch under way.

use tactum_geometry::words;
use tactum_sim::{StepReport, World};

use super::record::{End, Record};
use super::watch::Watch;
use crate::expect::{Moment, Monitor};
use crate::hash::hex;
use crate::run::{Run, Tally};
use crate::session::Stepped;

/// A run under way.
pub struct Lane {
    /// Its number.
    pub run: u64,
    /// Its world.
    pub world: World,
    watch: Watch,
    monitor: Option<Monitor>,
    tally: Tally,
    last: Option<StepReport>,
    n_steps: u64,
    /// Steps that the scene allows to end above the solver's tolerance.
    limit: u64,
    end: Option<End>,
    /// Names of the events.
    events: Vec<String>,
}

impl Lane {
    /// A run at its first step. Expectations are watched if they are asked for.
    pub fn begin(number: u64, run: Run, watch: Watch, events: Vec<String>, expects: bool) -> Self {
        let mut monitor = expects.then(|| Monitor::new(run.scene(), run.world()));
        if let Some(monitor) = &mut monitor {
            monitor.at_start(run.world());
        }
        let limit = run.scene().spec().solver.max_unconverged_steps.unwrap_or(u64::MAX);
        let (n_steps, world) = (run.n_steps(), run.into_world());
        let (tally, last, end) = (Tally::default(), None, None);
        let mut lane = Self { run: number, world, watch, monitor, tally, last, n_steps, limit, end, events };
        lane.look();
        lane
    }

    /// Whether it has ended.
    pub fn has_ended(&self) -> bool {
        self.end.is_some()
    }

    /// Takes over what a step came to.
    pub fn take(&mut self, step: Stepped) {
        match step.report {
            Err(error) => self.end = Some(End::Failed(error.to_string())),
            Ok(report) => {
                self.tally.add(&self.world, &report);
                self.last = Some(report);
                if let Some(monitor) = &mut self.monitor {
                    monitor.after_step(moment(&self.world, &self.tally, self.last.as_ref()));
                }
                self.look();
                let steps = self.tally.unconverged_steps;
                if steps > self.limit {
                    let limit = self.limit;
                    let steps = words::counted(steps, "step", "steps");
                    let why = format!(
                        "{steps} ran out of sweeps before they were solved; the scene allows {limit}"
                    );
                    self.end = Some(End::Failed(why));
                }
            }
        }
    }

    /// Looks at the world between two steps; the run may end with what is seen.
    fn look(&mut self) {
        let now = moment(&self.world, &self.tally, self.last.as_ref());
        let event = self.watch.look(&now).map(|ix| End::Event(self.events[ix].clone()));
        let is_over = self.tally.steps >= self.n_steps;
        self.end = event.or(is_over.then_some(End::Finished));
        if let (Some(monitor), Some(_)) = (&mut self.monitor, &self.end) {
            monitor.at_end(now);
        }
    }

    /// What is known of it at its end, added to what was before it began.
    pub fn close(self, mut record: Record) -> Record {
        let Self { world, watch, monitor, tally, end, .. } = self;
        (record.events, record.kept, record.series) = watch.close();
        record.end = end.unwrap_or(record.end);
        record.steps = tally.steps;
        record.time = tally.steps as f64 * world.settings().dt;
        record.state_hash = Some(hex(world.state_hash()));
        record.unsolved_steps = tally.unsolved.steps;
        record.deepest = tally.deepest.map_or(0.0, |deepest| deepest.depth);
        record.unmet = monitor.map(|monitor| monitor.failures().len() as u64);
        record
    }
}

fn moment<'a>(world: &'a World, tally: &Tally, last: Option<&'a StepReport>) -> Moment<'a> {
    Moment { step: tally.steps, world, last, unsolved_steps: tally.unsolved.steps }
}
