//! Runs stepped together on a thread until they end.

use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use rayon::ThreadPoolBuilder;
use tactum_sim::World;

use super::card::Card;
use super::error::BatchError;
use super::folder::BatchFolder;
use super::lane::Lane;
use super::pause::Pauses;
use super::plan::{Plan, Shard};
use super::record::{End, Given, GivenPath, Layout, Record};
use super::sources::{files_of, sources_of};
use super::sweep::Sweep;
use super::watch::{Missing, Watch, WatchError, layout};
use super::{BatchOptions, FailedRun, News, repro};
use crate::backend::{Backend, BackendOptions, Detector};
use crate::build::build;
use crate::inputs::{Inputs, Role};
use crate::run::{Length, Run, RunOptions};
use crate::scene::{Fault, Scene, SceneError, is_expression, unit_at};
use crate::session::step_together;
use crate::shape_store::ShapeStore;

/// Where the time of the threads went, summed over them \[s\].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Split {
    /// Reading scenes and making worlds.
    pub prepare: f64,
    /// Steps.
    pub step: f64,
    /// Writing and waiting to write.
    pub write: f64,
}

impl Split {
    fn add(&mut self, other: Self) {
        self.prepare += other.prepare;
        self.step += other.step;
        self.write += other.write;
    }
}

/// A sweep whose values, scenes and quantities have been looked at.
pub struct Work<'s> {
    sweep: &'s Sweep,
    plan: Plan,
    layout: Layout,
    backend: BackendOptions,
    /// Where something else than the processor measures.
    device: Mutex<Option<Detector>>,
    card: Card,
    /// What is doubtful about the first run.
    warnings: Vec<Fault>,
    doubts: Vec<String>,
    /// The files that runs are made from besides sweep and scene.
    files: Vec<PathBuf>,
    /// The shapes that runs have in common.
    shapes: Arc<ShapeStore>,
}

impl<'s> Work<'s> {
    /// Looks at what can be known before anything is run.
    ///
    /// # Errors
    /// Whatever is wrong with it.
    pub fn prepare(sweep: &'s Sweep, backend: &BackendOptions) -> Result<Self, BatchError> {
        let wrong = |what: String| BatchError::Value { path: sweep.path.clone(), what };
        let of_watch = |error: WatchError| match error {
            WatchError::Probe(what, error) => BatchError::Probe { path: sweep.path.clone(), what, error },
            WatchError::Value(what) => wrong(what),
        };
        let plan = Plan::of(&sweep.spec).map_err(wrong)?;
        let paths = plan.paths().map(|(name, by_ratios)| {
            let unit = unit_at(name).unwrap_or_default();
            GivenPath { name: name.to_owned(), unit, by_ratios }
        });
        let layout = layout(&sweep.spec, paths.collect(), plan.has_replicas()).map_err(of_watch)?;
        // The files are looked at before they are read: what changes later is noticed when the batch goes on.
        let files = files_of(sweep, &plan);
        let sources = sources_of(sweep, &files);
        let shapes = Arc::default();
        for run in plan.representatives() {
            scene(sweep, &plan, run, &shapes).map_err(|error| BatchError::Scene { run, error })?;
        }
        let first = scene(sweep, &plan, 0, &shapes).map_err(|error| BatchError::Scene { run: 0, error })?;
        let first = Run::prepare(first, &options_of(sweep))
            .map_err(|error| BatchError::First { run: 0, error: Box::new(error) })?;
        let watch = Watch::new(&sweep.spec, first.world()).map_err(of_watch)?;
        if let Some(Missing { of, why }) = missing_in_all(sweep, &plan, watch.missing(), &shapes) {
            return Err(of_watch(WatchError::Probe(of, why)));
        }
        let (warnings, doubts) = (first.warnings().to_vec(), first.doubts().to_vec());
        let device = match backend.backend {
            Backend::Exact => None,
            _ => Some(Detector::open(backend)?),
        };
        let measured_by = device.as_ref().map_or_else(|| Backend::Exact.to_string(), Detector::description);
        let card = Card::new(sweep, plan.n_runs(), &layout, sources, backend, &measured_by);
        Ok(Self {
            sweep,
            plan,
            layout,
            backend: backend.clone(),
            device: device.into(),
            card,
            warnings,
            doubts,
            files,
            shapes,
        })
    }

    /// Tells what is doubtful about the first run.
    pub fn tell(&self, news: &dyn Fn(News)) {
        self.warnings.iter().for_each(|warning| news(News::Warning(warning.clone())));
        self.doubts.iter().for_each(|doubt| news(News::Doubt(doubt.clone())));
    }

    /// What decides which results the runs of a shard give.
    pub fn card(&self, shard: Shard) -> Card {
        let mut card = self.card.clone();
        card.shard = shard;
        card
    }

    /// The files that runs are made from, sweep and scene included.
    pub fn inputs(&self) -> Inputs {
        let mut inputs = Inputs::default();
        inputs.add(Role::Sweep, self.sweep.path.clone());
        inputs.add(Role::Scene, self.sweep.scene_path.clone());
        // Meshes or tables of paths: their buffers are among them.
        self.files.iter().for_each(|file| inputs.add(Role::Source, file.clone()));
        inputs
    }

    /// Makes the runs that are not in the folder yet; the steps made, and where the time went.
    ///
    /// # Errors
    /// If a record cannot be written.
    pub fn run(
        &self,
        folder: &mut BatchFolder,
        options: &BatchOptions,
        interrupt: &AtomicBool,
        news: &(dyn Fn(News) + Sync),
    ) -> Result<(u64, Split), BatchError> {
        let pending: Vec<u64> =
            options.shard.runs(self.plan.n_runs()).filter(|run| !folder.has(*run)).collect();
        let desk = Desk {
            work: self,
            pending: &pending,
            next: AtomicUsize::new(0),
            pauses: folder.pauses(),
            pause_every: options.checkpoint_every.or(self.sweep.spec.checkpoint_every).map(NonZeroU64::get),
            folder: Mutex::new(folder),
            error: Mutex::new(None),
            is_over: AtomicBool::new(false),
            interrupt,
            n_steps: AtomicU64::new(0),
            split: Mutex::default(),
            news,
        };
        // One submission serves all on a device; on the processor, runs on threads of their own need not wait for each other.
        let n_workers = match self.backend.backend {
            Backend::Exact => options.threads.min(pending.len()).max(1),
            _ => 1,
        };
        let threads = (options.threads / n_workers).max(1);
        std::thread::scope(|scope| {
            for _ in 0..n_workers {
                scope.spawn(|| {
                    let device = self.device.lock().expect("no thread panics").take();
                    let mut detector = device.unwrap_or_else(Detector::exact);
                    let pool = ThreadPoolBuilder::new().num_threads(threads);
                    let pool = if threads == 1 { pool.use_current_thread() } else { pool };
                    let together = options.together.max(1);
                    match pool.build() {
                        Ok(pool) => pool.install(|| desk.serve(&mut detector, together)),
                        // Without threads of its own it uses those of all.
                        Err(_) => desk.serve(&mut detector, together),
                    }
                    if let Some(trouble) = detector.trouble() {
                        news(News::Trouble(trouble.to_owned()));
                    }
                });
            }
        });
        match desk.error.into_inner().expect("no thread panics") {
            Some(error) => Err(error),
            None => Ok((desk.n_steps.into_inner(), desk.split.into_inner().expect("no thread panics"))),
        }
    }

    /// A run at its first step, or where a file has left it.
    fn begin(&self, run: u64, pause: Option<&Path>) -> Result<Lane, String> {
        let scene = scene(self.sweep, &self.plan, run, &self.shapes).map_err(|error| error.to_string())?;
        let prepared = Run::prepare(scene, &options_of(self.sweep)).map_err(|error| error.to_string())?;
        let watch = Watch::new(&self.sweep.spec, prepared.world()).map_err(|error| match error {
            WatchError::Probe(what, error) => format!("{what}: {error}"),
            WatchError::Value(what) => what,
        })?;
        let Layout { events, expects, .. } = &self.layout;
        Ok(Lane::begin(run, prepared, watch, events.clone(), *expects, pause))
    }

    /// What is known of a run before it begins: that it could not, and why.
    fn not_begun(&self, run: u64, why: String) -> Record {
        Record::failed(run, self.given(run), self.plan.replica(run), why, &self.layout)
    }

    /// The values of a run: of expressions the numbers that they give in its scene, or their texts where they give none.
    fn given(&self, run: u64) -> Vec<Given> {
        let values = self.plan.values(run);
        let mut given: Vec<Given> = values.iter().map(Given::from).collect();
        let are_expressions: Vec<bool> =
            values.iter().map(|value| value.as_str().is_some_and(is_expression)).collect();
        if are_expressions.contains(&true)
            && let Ok(overrides) = self.plan.overrides(run)
            && let Ok(scene) = scene(self.sweep, &self.plan, run, &self.shapes)
        {
            let places = given.iter_mut().zip(&overrides).zip(are_expressions);
            for ((given, change), _) in places.filter(|(_, is_expression)| *is_expression) {
                if let Some(number) = scene.number_at(change) {
                    *given = Given::Number(number);
                }
            }
        }
        given
    }
}

/// What the threads of a batch share.
struct Desk<'d, 'f> {
    work: &'d Work<'d>,
    pending: &'d [u64],
    next: AtomicUsize,
    /// Files that runs under way go on from.
    pauses: Pauses,
    /// Steps from one to the next; none are written without.
    pause_every: Option<u64>,
    folder: Mutex<&'f mut BatchFolder>,
    /// Why a result could not be written, the first time.
    error: Mutex<Option<BatchError>>,
    is_over: AtomicBool,
    interrupt: &'d AtomicBool,
    n_steps: AtomicU64,
    split: Mutex<Split>,
    news: &'d (dyn Fn(News) + Sync),
}

impl Desk<'_, '_> {
    /// Makes runs, so many of them together, until none is left.
    fn serve(&self, detector: &mut Detector, together: usize) {
        let mut lanes: Vec<Lane> = Vec::new();
        let mut split = Split::default();
        while !self.is_to_end() {
            self.fill(&mut lanes, together, &mut split);
            if lanes.is_empty() {
                break;
            }
            let begin = Instant::now();
            // Clocks are read where something else than steps is to be done: some take as long as a part of a step.
            while !self.is_to_end() {
                self.step(&mut lanes, detector);
                if lanes.iter().any(|lane| lane.has_ended() || self.is_pause_due(lane)) {
                    break;
                }
            }
            split.step += begin.elapsed().as_secs_f64();
            let begin = Instant::now();
            for lane in lanes.extract_if(.., |lane| lane.has_ended()) {
                self.end(lane);
            }
            lanes.iter().filter(|lane| self.is_pause_due(lane)).for_each(|lane| self.pause(lane));
            split.write += begin.elapsed().as_secs_f64();
        }
        if self.pause_every.is_some() {
            lanes.iter().for_each(|lane| self.pause(lane));
        }
        self.split.lock().expect("no thread panics").add(split);
    }

    /// Whether nothing more is to be done.
    fn is_to_end(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed) || self.is_over.load(Ordering::Relaxed)
    }

    /// One step of all.
    fn step(&self, lanes: &mut [Lane], detector: &mut Detector) {
        let mut worlds: Vec<&mut World> = lanes.iter_mut().map(|lane| &mut lane.world).collect();
        let steps = step_together(&mut worlds, detector);
        lanes.iter_mut().zip(steps).for_each(|(lane, step)| lane.take(step));
        self.n_steps.fetch_add(lanes.len() as u64, Ordering::Relaxed);
    }

    fn is_pause_due(&self, lane: &Lane) -> bool {
        self.pause_every.is_some_and(|every| lane.steps().is_multiple_of(every))
    }

    /// Begins runs in the place of those that have ended.
    fn fill(&self, lanes: &mut Vec<Lane>, together: usize, split: &mut Split) {
        let begin = Instant::now();
        while lanes.len() < together && !self.is_over.load(Ordering::Relaxed) {
            let Some(run) = self.pending.get(self.next.fetch_add(1, Ordering::Relaxed)) else { break };
            let pause = self.pauses.file_of(*run);
            match self.work.begin(*run, pause.as_deref()) {
                Ok(lane) if lane.has_ended() => self.end(lane),
                Ok(lane) => lanes.push(lane),
                Err(why) => self.save(&self.work.not_begun(*run, why)),
            }
        }
        split.prepare += begin.elapsed().as_secs_f64();
    }

    /// Writes down where a run is; where that is not possible, all end.
    fn pause(&self, lane: &Lane) {
        if let Err(error) = lane.pause(&self.pauses.path_of(lane.run)) {
            self.give_up(error);
        }
    }

    fn give_up(&self, error: BatchError) {
        self.is_over.store(true, Ordering::Relaxed);
        self.error.lock().expect("no thread panics").get_or_insert(error);
    }

    fn end(&self, lane: Lane) {
        let record = self.work.not_begun(lane.run, String::new());
        self.save(&lane.close(record));
    }

    /// Writes down a run that has ended; where that is not possible, all end.
    fn save(&self, record: &Record) {
        let mut folder = self.folder.lock().expect("no thread panics");
        match self.save_in(&mut folder, record) {
            Ok(failed) => {
                let progress = folder.progress();
                drop(folder);
                failed.into_iter().for_each(|failed| (self.news)(News::Failed(failed)));
                (self.news)(News::Progress(progress));
            }
            Err(error) => self.give_up(error),
        }
    }

    fn save_in(&self, folder: &mut BatchFolder, record: &Record) -> Result<Option<FailedRun>, BatchError> {
        let mut failed = None;
        if let End::Failed(why) = &record.end {
            let text = repro::scene_of(self.work.sweep, &self.work.plan, record.run, why);
            let repro = folder.save_repro(record.run, &text)?;
            failed = Some(FailedRun { run: record.run, why: why.clone(), repro });
        }
        folder.add(record)?;
        self.pauses.drop(record.run);
        Ok(failed)
    }
}

/// What is asked of a body or joint that none of the runs has that stand for all; `missing` lacks the first one.
fn missing_in_all(
    sweep: &Sweep,
    plan: &Plan,
    missing: &[Missing],
    shapes: &Arc<ShapeStore>,
) -> Option<Missing> {
    let mut missing = missing.to_vec();
    for run in plan.representatives() {
        if missing.is_empty() {
            break;
        }
        // Of a run that cannot begin nothing is known; the run says why itself.
        let built = scene(sweep, plan, run, shapes).ok().and_then(|scene| build(&scene).ok());
        let watch = built.and_then(|built| Watch::new(&sweep.spec, &built.world).ok());
        if let Some(watch) = watch {
            missing.retain(|here| watch.missing().iter().any(|there| there.of == here.of));
        }
    }
    missing.into_iter().next()
}

/// The text of a run's scene as one that can be read, see [`Scene::parse_sharing`].
fn scene(sweep: &Sweep, plan: &Plan, run: u64, shapes: &Arc<ShapeStore>) -> Result<Scene, SceneError> {
    Scene::parse_sharing(&sweep.scene_text, &sweep.scene_path, &plan.overrides(run)?, shapes)
}

fn options_of(sweep: &Sweep) -> RunOptions {
    let length = sweep.spec.duration.map_or(Length::Scene, Length::Time);
    RunOptions { length, ..RunOptions::default() }
}
