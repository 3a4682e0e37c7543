//! Runs under way, one or many in lockstep: each has its own watchers, tables and checkpoints.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use tactum_sim::{StepReport, World};

use crate::backend::{BackendOptions, Detector};
use crate::checkpoint::Checkpoint;
use crate::expect::{Moment, Monitor};
use crate::folder::{Origin, RunCard};
use crate::scene::Scene;
use crate::session::{Stepped, step_together};
use crate::tables::TableEnds;

use super::output::{Output, Wanted, WriteError};
use super::tally::{Tally, Timings};
use super::{Outcome, Run, RunError, Stop};

/// Steps every run to its own end, to its own failure, or until `interrupt` is set, and calls `progress` after every step of
/// each with the number of the run and the number of steps made since its scene's start. What all of them ask in a step is
/// measured in one go. A run that is interrupted writes a checkpoint.
///
/// Each run ends, and writes, what it would alone. One that fails leaves the others alone.
///
/// # Errors
/// For each run by itself: if its folder cannot take the results. A result that cannot be written later ends the run with
/// [`Stop::Unwritten`].
pub fn finish_together(
    runs: Vec<Run>,
    detector: &mut Detector,
    interrupt: &AtomicBool,
    mut progress: impl FnMut(usize, u64, &StepReport),
) -> Vec<Result<Outcome, RunError>> {
    let mut lanes: Vec<Result<Lane, RunError>> =
        runs.into_iter().map(|run| Lane::begin(run, detector)).collect();
    loop {
        if interrupt.load(Ordering::Relaxed) {
            lanes.iter_mut().flatten().for_each(Lane::interrupt);
        }
        let is_going = |lane: &(usize, &mut Lane)| lane.1.stop.is_none();
        let mut going: Vec<(usize, &mut Lane)> = lanes
            .iter_mut()
            .enumerate()
            .filter_map(|(ix, lane)| Some((ix, lane.as_mut().ok()?)))
            .filter(is_going)
            .collect();
        if going.is_empty() {
            break;
        }
        let mut worlds: Vec<&mut World> = going.iter_mut().map(|(_, lane)| &mut lane.world).collect();
        let steps = step_together(&mut worlds, detector);
        for ((ix, lane), step) in going.into_iter().zip(steps) {
            lane.take(step, |step, report| progress(ix, step, report));
        }
    }
    lanes.into_iter().map(|lane| lane.map(Lane::close)).collect()
}

/// What it takes to do a run again.
fn origin(scene: &Scene, detector: &Detector, command: Vec<String>) -> Origin {
    let file = std::path::absolute(scene.path()).unwrap_or_else(|_| scene.path().to_owned());
    let BackendOptions { backend, rays, adapter } = detector.options();
    Origin {
        scene_file: file.to_string_lossy().into_owned(),
        scene_text: scene.text().to_owned(),
        backend: backend.to_string(),
        rays,
        adapter,
        command,
    }
}

/// A run under way.
struct Lane {
    scene: Arc<Scene>,
    world: World,
    monitor: Monitor,
    tally: Tally,
    last: Option<StepReport>,
    output: Option<Output>,
    n_steps: u64,
    fingerprint: u64,
    timings: Timings,
    begin: Instant,
    /// Why it has ended, and after which wall time \[s\].
    stop: Option<(Stop, f64)>,
}

impl Lane {
    /// Opens the folder for the results if one is wanted.
    fn begin(run: Run, detector: &Detector) -> Result<Self, RunError> {
        let Run { scene, world, monitor, tally, last, resumed, wanted, n_steps, fingerprint, .. } = run;
        let open = |wanted: &Wanted| {
            let origin = origin(&scene, detector, wanted.command.clone());
            let card = RunCard::new(scene.name(), fingerprint, detector.description(), origin);
            Output::open(wanted, &card, resumed, n_steps, &world)
        };
        let output = wanted.as_ref().map(open).transpose()?;
        let (timings, begin) = (Timings::default(), Instant::now());
        let (is_new, stop) = (resumed.is_none(), None);
        let mut lane =
            Self { scene, world, monitor, tally, last, output, n_steps, fingerprint, timings, begin, stop };
        if is_new {
            lane.monitor.at_start(&lane.world);
        }
        let is_first_due = lane.output.as_ref().is_some_and(Output::is_first_checkpoint_due);
        let stop = if is_first_due { lane.checkpoint() } else { Ok(()) };
        lane.end_if(stop.map(|()| (lane.tally.steps >= n_steps).then_some(Stop::Finished)));
        Ok(lane)
    }

    /// Takes over what a step came to.
    fn take(&mut self, step: Stepped, progress: impl FnOnce(u64, &StepReport)) {
        for cause in step.recoveries {
            *self.tally.recoveries.entry(cause.to_owned()).or_default() += 1;
        }
        self.tally.overlaps += step.overlaps;
        self.timings.overlaps += &step.overlap_times;
        self.tally.facets.add(&step.facets);
        let stop = match step.report {
            Ok(report) => self.record(report, progress),
            Err(error) => Ok(Some(Stop::Failed(error))),
        };
        self.end_if(stop);
    }

    /// Watches and writes a step that was made; whether the run ends with it.
    fn record(
        &mut self,
        report: StepReport,
        progress: impl FnOnce(u64, &StepReport),
    ) -> Result<Option<Stop>, WriteError> {
        let world = &self.world;
        self.tally.add(world, &report);
        self.timings.add(report.times);
        let (step, unsolved_steps) = (self.tally.steps, self.tally.unsolved.steps);
        self.monitor.after_step(Moment { step, world, last: Some(&report), unsolved_steps });
        if let Some(output) = &mut self.output {
            output.record(step, step as f64 * world.settings().dt, world, &report)?;
        }
        progress(step, &report);
        self.last = Some(report);
        if self.output.as_ref().is_some_and(|output| output.is_checkpoint_due(step)) {
            self.checkpoint()?;
        }
        let limit = self.scene.spec().solver.max_unconverged_steps.unwrap_or(u64::MAX);
        let steps = self.tally.unconverged_steps;
        Ok(if steps > limit {
            Some(Stop::Unconverged { steps, limit })
        } else {
            (step >= self.n_steps).then_some(Stop::Finished)
        })
    }

    /// Ends with a checkpoint, if it has not ended.
    fn interrupt(&mut self) {
        if self.stop.is_none() {
            let stop = self.checkpoint();
            self.end_if(stop.map(|()| Some(Stop::Interrupted)));
        }
    }

    fn end_if(&mut self, stop: Result<Option<Stop>, WriteError>) {
        let Some(mut stop) = stop.unwrap_or_else(|error| Some(Stop::Unwritten(error))) else { return };
        if matches!(stop, Stop::Finished) {
            let (step, unsolved_steps) = (self.tally.steps, self.tally.unsolved.steps);
            let last = self.last.as_ref();
            self.monitor.at_end(Moment { step, world: &self.world, last, unsolved_steps });
        }
        if let Some(output) = &mut self.output
            && let (Err(error), Stop::Finished | Stop::Interrupted) = (output.sync(), &stop)
        {
            stop = Stop::Unwritten(error);
        }
        self.stop = Some((stop, self.begin.elapsed().as_secs_f64()));
    }

    /// Writes a checkpoint if there is a folder for it.
    fn checkpoint(&mut self) -> Result<(), WriteError> {
        let Self { world, monitor, tally, last, fingerprint, .. } = self;
        let make = |ends: TableEnds| {
            Checkpoint::of(world, tally, monitor.state(), last.as_ref(), ends, *fingerprint)
        };
        self.output.as_mut().map_or(Ok(()), |output| output.checkpoint(tally.steps, make))
    }

    fn close(self) -> Outcome {
        let (folder, files) = self.output.map(Output::close).unzip();
        let (stop, wall) = self.stop.expect("the loop ends when all have ended");
        let Self { world, monitor, tally, last, timings, .. } = self;
        Outcome { world, stop, last, tally, timings, monitor, wall, files: files.unwrap_or_default(), folder }
    }
}
