//! A run of a batch under way.

use std::path::Path;

use tactum_geometry::words;
use tactum_sim::{StepReport, World};

use super::error::BatchError;
use super::pause::Pause;
use super::record::{End, Record};
use super::watch::Watch;
use crate::checkpoint::Checkpoint;
use crate::expect::{Moment, Monitor, MonitorState};
use crate::hash::hex;
use crate::run::{Run, Tally};
use crate::session::Stepped;
use crate::tables::TableEnds;

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
    fingerprint: u64,
    end: Option<End>,
    /// Names of the events.
    events: Vec<String>,
}

impl Lane {
    /// A run at its first step, or where the file `pause` has left it. Expectations are watched if they are asked for.
    pub fn begin(
        number: u64,
        run: Run,
        watch: Watch,
        events: Vec<String>,
        expects: bool,
        pause: Option<&Path>,
    ) -> Self {
        let monitor = expects.then(|| Monitor::new(run.scene(), run.world()));
        let limit = run.scene().spec().solver.max_unconverged_steps.unwrap_or(u64::MAX);
        let (n_steps, fingerprint, world) = (run.n_steps(), run.fingerprint(), run.into_world());
        let (tally, last, end) = (Tally::default(), None, None);
        let mut lane = Self {
            run: number,
            world,
            watch,
            monitor,
            tally,
            last,
            n_steps,
            limit,
            fingerprint,
            end,
            events,
        };
        let is_restored = pause.is_some_and(|path| lane.restore(path));
        if !is_restored {
            if let Some(monitor) = &mut lane.monitor {
                monitor.at_start(&lane.world);
            }
            lane.look();
        }
        lane
    }

    /// Goes on where a file has left the run; false if there is none that can be used, and then nothing has changed.
    fn restore(&mut self, path: &Path) -> bool {
        let Some(Pause { checkpoint, watch }) = Pause::load(path, self.fingerprint) else { return false };
        // A world takes over a whole state or none.
        if checkpoint.tally.steps >= self.n_steps || checkpoint.restore(&mut self.world, path).is_err() {
            return false;
        }
        if let Some(monitor) = &mut self.monitor {
            monitor.restore(checkpoint.monitor);
        }
        self.watch.restore(watch);
        (self.tally, self.last) = (checkpoint.tally, checkpoint.last);
        true
    }

    /// Writes down where the run is.
    ///
    /// # Errors
    /// If that cannot be written.
    pub fn pause(&self, path: &Path) -> Result<(), BatchError> {
        let Self { world, tally, monitor, last, fingerprint, .. } = self;
        let none = MonitorState::default();
        let state = monitor.as_ref().map_or(&none, Monitor::state);
        let checkpoint =
            Checkpoint::of(world, tally, state, last.as_ref(), TableEnds::default(), *fingerprint);
        Pause { checkpoint, watch: self.watch.state().clone() }.save(path)
    }

    /// Steps made.
    pub fn steps(&self) -> u64 {
        self.tally.steps
    }

    /// Whether it has ended.
    pub fn has_ended(&self) -> bool {
        self.end.is_some()
    }

    /// Takes over what a step came to.
    pub fn take(&mut self, step: Stepped) {
        for cause in step.recoveries {
            *self.tally.recoveries.entry(cause.to_owned()).or_default() += 1;
        }
        self.tally.overlaps += step.overlaps;
        self.tally.facets.add(&step.facets);
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
        record.recoveries = tally.recoveries.values().sum();
        record.deepest = tally.deepest.map_or(0.0, |deepest| deepest.depth);
        record.unmet = monitor.map(|monitor| monitor.failures().len() as u64);
        record
    }
}

fn moment<'a>(world: &'a World, tally: &Tally, last: Option<&'a StepReport>) -> Moment<'a> {
    Moment { step: tally.steps, world, last, unsolved_steps: tally.unsolved.steps }
}
