//! The thread that steps the simulation.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, TrySendError, channel, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use tactum::backend::BackendOptions;
use tactum::scene::Scene;
use tactum::scene::schema::{BodySpec, ExpectSpec, ViewSpec};

use super::engine::Engine;
use super::log::{Log, LogError};
use super::parameters::Parameters;
use super::watch::{WATCH, Watch};
use crate::command::{Command, SimCommand};
use crate::frame::Frame;
use crate::paths::whole;

/// Updates that wait for the window at most; a window that does not look misses frames, not messages.
const WAITING: usize = 512;

/// Time between looks whether a simulation that is held may go on.
const HELD: Duration = Duration::from_millis(20);

/// How far behind the clock the simulation may fall before it gives up catching up.
const MAX_LAG: Duration = Duration::from_millis(100);

/// What the window is told.
#[derive(Debug)]
pub enum Update {
    /// Another scene was opened.
    Opened(Box<Opened>),
    /// A step was made, or the state was changed.
    Frame(Arc<Frame>),
    /// What the simulation is doing.
    Status(Box<Status>),
    /// Something could not be done.
    Trouble(String),
    /// Something was done.
    Done(String),
}

/// A scene that was opened.
#[derive(Debug)]
pub struct Opened {
    /// Its file.
    pub path: PathBuf,
    /// Its name.
    pub name: String,
    /// What it shows.
    pub description: String,
    /// Simulated time that its expectations are about \[s\].
    pub duration: f64,
    /// Its own parameters.
    pub parameters: Parameters,
    /// What it expects, in words.
    pub expectations: Vec<String>,
    /// How it wants to be looked at.
    pub view: ViewSpec,
    /// What it says of each of its bodies, by index.
    pub bodies: Vec<BodySpec>,
    /// Doubts about it.
    pub warnings: Vec<String>,
}

/// What the simulation is doing.
#[derive(Clone, Debug, PartialEq)]
pub struct Status {
    /// Whether it runs.
    pub is_running: bool,
    /// Simulated seconds per second that are wanted.
    pub speed: f64,
    /// Simulated seconds per second that there are; 0 while it stands.
    pub real_speed: f64,
    /// The parameters in force.
    pub parameters: Parameters,
    /// What measures overlaps, with the device.
    pub backend: String,
}

/// How to start.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// How overlaps are measured.
    pub backend: BackendOptions,
    /// Where commands are recorded.
    pub log: Option<PathBuf>,
}

/// The simulation seen from the window.
#[derive(Debug)]
pub struct Simulation {
    commands: Option<Sender<Command>>,
    updates: Receiver<Update>,
    is_held: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Simulation {
    /// Starts the thread; `wake` is called from it when there is something new.
    ///
    /// # Errors
    /// If the log cannot be written or no thread can be had.
    pub fn start(options: &Options, wake: impl Fn() + Send + 'static) -> Result<Self, LogError> {
        let log = match &options.log {
            Some(path) => Log::create(path)?,
            None => Log::default(),
        };
        let (commands, orders) = channel();
        let (sender, updates) = sync_channel(WAITING);
        let is_held = Arc::new(AtomicBool::new(false));
        let worker = Worker {
            is_held: Arc::clone(&is_held),
            orders,
            outlet: Outlet { sender, waiting: VecDeque::new(), wake: Box::new(wake) },
            engine: None,
            backend: options.backend.clone(),
            log,
            is_running: false,
            pace: Pace::new(),
            watch: Watch::default(),
            told: None,
            pool: pool(),
        };
        let thread = std::thread::Builder::new().name("simulation".to_owned()).spawn(move || worker.run());
        let thread = thread.map_err(|source| LogError::File {
            verb: "start the thread that writes",
            path: options.log.clone().unwrap_or_default(),
            source,
        })?;
        Ok(Self { commands: Some(commands), updates, is_held, thread: Some(thread) })
    }

    /// Hands over a command; it is done before the next step.
    pub fn send(&self, command: Command) {
        if let Some(commands) = &self.commands {
            // A simulation that has ended does nothing any more.
            let _ = commands.send(command);
        }
    }

    /// Has a simulation that runs make no step until it may go on; commands are obeyed meanwhile.
    pub fn hold(&self, on: bool) {
        self.is_held.store(on, Ordering::Relaxed);
    }

    /// The next thing that is new, if there is one.
    pub fn next(&self) -> Option<Update> {
        self.updates.try_recv().ok()
    }

    /// The next thing that is new, waiting for it.
    pub fn wait(&self, timeout: Duration) -> Option<Update> {
        self.updates.recv_timeout(timeout).ok()
    }
}

impl Drop for Simulation {
    /// Ends the thread after its present step, with the last line of the log written.
    fn drop(&mut self) {
        self.commands = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// One processor is left to the window; results do not depend on the number of threads.
fn pool() -> Option<rayon::ThreadPool> {
    let n = std::thread::available_parallelism().map_or(1, usize::from).saturating_sub(1).max(1);
    rayon::ThreadPoolBuilder::new().num_threads(n).thread_name(|ix| format!("steps-{ix}")).build().ok()
}

/// Where updates go. Never waits.
struct Outlet {
    sender: SyncSender<Update>,
    waiting: VecDeque<Update>,
    wake: Box<dyn Fn() + Send>,
}

impl Outlet {
    fn put(&mut self, update: Update) {
        self.waiting.push_back(update);
        while self.waiting.len() > WAITING {
            let oldest = self.waiting.iter().position(|update| matches!(update, Update::Frame(_)));
            self.waiting.remove(oldest.unwrap_or(0));
        }
        self.flush();
    }

    fn flush(&mut self) {
        while let Some(update) = self.waiting.pop_front() {
            if let Err(TrySendError::Full(update)) = self.sender.try_send(update) {
                self.waiting.push_front(update);
                break;
            }
        }
        (self.wake)();
    }
}

/// When the next step is due.
struct Pace {
    speed: f64,
    due: Instant,
    /// Simulated and real time since the real speed was last told.
    since: (f64, Instant),
    real_speed: f64,
}

impl Pace {
    fn new() -> Self {
        let now = Instant::now();
        Self { speed: 1.0, due: now, since: (0.0, now), real_speed: 0.0 }
    }

    fn restart(&mut self) {
        let now = Instant::now();
        self.due = now;
        self.since = (0.0, now);
    }

    fn after_step(&mut self, dt: f64) {
        let now = Instant::now();
        self.due = (self.due + Duration::from_secs_f64((dt / self.speed).min(3600.0)))
            .max(now.checked_sub(MAX_LAG).unwrap_or(now));
        self.since.0 += dt;
        let real = (now - self.since.1).as_secs_f64();
        if real > 0.5 {
            self.real_speed = self.since.0 / real;
            self.since = (0.0, now);
        }
    }
}

/// What is expected, in the scene's own words or else as it stands in the file.
fn words(expect: &ExpectSpec) -> String {
    let bounds = || toml::to_string(expect).map(|text| text.trim().replace('\n', ", ")).unwrap_or_default();
    expect.why.clone().unwrap_or_else(bounds)
}

/// What a scene says of each of its bodies, a block of copies once for each copy.
fn each_body(scene: &Scene) -> Vec<BodySpec> {
    scene.spec().bodies.iter().flat_map(BodySpec::expanded).collect()
}

struct Worker {
    is_held: Arc<AtomicBool>,
    orders: Receiver<Command>,
    outlet: Outlet,
    engine: Option<Engine>,
    backend: BackendOptions,
    log: Log,
    is_running: bool,
    pace: Pace,
    watch: Watch,
    told: Option<Status>,
    pool: Option<rayon::ThreadPool>,
}

impl Worker {
    fn run(mut self) {
        loop {
            let wait = match (self.is_running, self.is_held()) {
                (true, true) => HELD,
                (true, false) => self.pace.due.saturating_duration_since(Instant::now()).min(WATCH),
                (false, _) => WATCH,
            };
            match self.orders.recv_timeout(wait) {
                Ok(command) => {
                    self.obey(&command);
                    while let Ok(command) = self.orders.try_recv() {
                        self.obey(&command);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if let Some(path) = self.watch.changed() {
                self.obey(&Command::Sim(SimCommand::Open(path)));
            }
            if self.is_running && !self.is_held() && self.pace.due <= Instant::now() {
                self.step();
            }
            self.tell();
        }
        if let Some(engine) = &self.engine {
            let _ = self.log.end(engine.n_steps(), engine.world().state_hash());
        }
    }

    fn is_held(&self) -> bool {
        self.is_held.load(Ordering::Relaxed)
    }

    fn obey(&mut self, command: &Command) {
        let steps = self.engine.as_ref().map_or(0, Engine::n_steps);
        if let Err(error) = self.log.add(steps, command) {
            self.log = Log::default();
            self.outlet.put(Update::Trouble(error.to_string()));
        }
        let Command::Sim(command) = command else { return };
        match command {
            SimCommand::Open(path) => return self.open(path),
            SimCommand::Play => self.set_running(true),
            SimCommand::Pause | SimCommand::Step | SimCommand::Reset => self.set_running(false),
            SimCommand::Speed(speed) if speed.is_finite() && *speed > 0.0 => {
                self.pace.speed = *speed;
                self.pace.restart();
            }
            _ => {}
        }
        let Some(engine) = &mut self.engine else { return };
        let mut apply = || engine.apply(command);
        let outcome = match &self.pool {
            Some(pool) => pool.install(apply),
            None => apply(),
        };
        match outcome {
            Ok(true) => {
                let frame = engine.frame().clone();
                self.outlet.put(Update::Frame(frame));
            }
            Ok(false) => {
                let done = match command {
                    SimCommand::Save(path) => format!("saved the scene '{}'", whole(path)),
                    SimCommand::Tables(folder) => {
                        format!("wrote the tables of all recorded steps into '{}'", whole(folder))
                    }
                    _ => return,
                };
                self.outlet.put(Update::Done(done));
            }
            Err(error) => self.fail(&error),
        }
    }

    fn fail(&mut self, error: &super::EngineError) {
        self.outlet.put(Update::Trouble(error.with_help()));
    }

    fn set_running(&mut self, on: bool) {
        self.is_running = on && self.engine.is_some();
        self.pace.real_speed = 0.0;
        self.pace.restart();
    }

    fn open(&mut self, path: &Path) {
        self.set_running(false);
        let outcome = match &mut self.engine {
            Some(engine) => engine.apply(&SimCommand::Open(path.to_owned())).map(drop),
            None => Engine::open(path, &self.backend).map(|engine| self.engine = Some(engine)),
        };
        let opened = outcome.is_ok().then_some(self.engine.as_ref()).flatten();
        self.watch = Watch::of(path, opened.map(Engine::scene), &self.watch);
        if let Err(error) = outcome {
            return self.fail(&error);
        }
        let Some(engine) = &self.engine else { return };
        let scene = engine.scene();
        let opened = Opened {
            path: path.to_owned(),
            name: scene.name(),
            description: scene.spec().description.clone().unwrap_or_default(),
            duration: scene.spec().duration,
            parameters: engine.scene_parameters().clone(),
            expectations: scene.spec().expectations.iter().map(words).collect(),
            view: scene.spec().view,
            bodies: each_body(scene),
            warnings: scene.warnings().iter().map(ToString::to_string).collect(),
        };
        let frame = engine.frame().clone();
        self.told = None;
        self.outlet.put(Update::Opened(Box::new(opened)));
        self.outlet.put(Update::Frame(frame));
    }

    fn step(&mut self) {
        let Some(engine) = &mut self.engine else { return };
        let had_trouble = engine.detector().trouble().is_some();
        let outcome = match &self.pool {
            Some(pool) => pool.install(|| engine.step().cloned()),
            None => engine.step().cloned(),
        };
        match outcome {
            Ok(frame) => {
                self.pace.after_step(frame.dt);
                self.outlet.put(Update::Frame(frame));
                if let (Some(trouble), false) = (engine.detector().trouble(), had_trouble) {
                    let text = format!(
                        "the device was given up and overlaps are measured exactly from now on: {trouble}"
                    );
                    self.outlet.put(Update::Trouble(text));
                }
            }
            Err(error) => {
                self.set_running(false);
                self.fail(&error);
            }
        }
    }

    /// Tells what the simulation is doing, if that has changed.
    fn tell(&mut self) {
        let Some(engine) = &self.engine else { return self.outlet.flush_waiting() };
        let detector = engine.detector();
        let status = Status {
            is_running: self.is_running,
            speed: self.pace.speed,
            real_speed: self.pace.real_speed,
            parameters: engine.parameters().clone(),
            backend: match detector.adapter() {
                Some(adapter) => format!("{} on {adapter}", detector.backend()),
                None => detector.backend().to_string(),
            },
        };
        if self.told.as_ref() != Some(&status) {
            self.told = Some(status.clone());
            self.outlet.put(Update::Status(Box::new(status)));
        }
        self.outlet.flush_waiting();
    }
}

impl Outlet {
    /// Sends what had to wait, without waking anybody where nothing did.
    fn flush_waiting(&mut self) {
        if !self.waiting.is_empty() {
            self.flush();
        }
    }
}
