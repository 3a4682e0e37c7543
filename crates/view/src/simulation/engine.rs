//! A scene that runs and obeys commands. Knows no clock, no thread and no window, so that a recorded run can be done again.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tactum::backend::{BackendOptions, Detector};
use tactum::build::DescribeError;
use tactum::build::{build, describe};
use tactum::materials::takes_scene_friction;
use tactum::scene::schema::BodySpec;
use tactum::scene::{Fault, Override, Scene, SceneError, SceneSpec};
use tactum::session::Session;
use tactum::shapes::{ShapeError, prepare};
use tactum::tables::Sensors;
use tactum_gpu::OpenError;
use tactum_sim::RestoreError;
use tactum_sim::{BodyError, BodyId, JointError, JointId, SettingsError, StepError, StepReport, World};
use thiserror::Error;

use super::expected::Watcher;
use super::parameters::{Parameter, Parameters};
use super::pull::{Pull, kick};
use super::run_tables::{self, TablesError};
use super::{saved_scene, source};
use crate::command::SimCommand;
use crate::frame::{Frame, Given, Model};
use crate::timeline::Timeline;

mod recording;

/// Why a command could not be carried out; the state is then as before.
#[derive(Debug, Error)]
pub enum EngineError {
    /// The scene cannot be used.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// The device cannot be used.
    #[error(transparent)]
    Device(#[from] OpenError),
    /// A parameter's value is wrong.
    #[error("{0}")]
    Parameter(String),
    /// A setting is out of its range.
    #[error(transparent)]
    Setting(#[from] SettingsError),
    /// A body cannot be made or moved so.
    #[error(transparent)]
    Body(#[from] BodyError),
    /// A joint cannot be driven so.
    #[error(transparent)]
    Joint(#[from] JointError),
    /// A new body is made of nothing that the scene has.
    #[error(transparent)]
    Describe(#[from] DescribeError),
    /// A new body's shape cannot be made.
    #[error("the shape of the new body '{name}' cannot be made: {source}")]
    Shape {
        /// Name of the body.
        name: String,
        /// Why.
        source: ShapeError,
    },
    /// There is no such body.
    #[error("there is no body {found}: the scene has {n_bodies}")]
    NoBody {
        /// The index given.
        found: u32,
        /// Number of bodies.
        n_bodies: usize,
    },
    /// The frame is not recorded any more.
    #[error(
        "frame {0} is not recorded any more: the memory for recorded steps is full, or another future was taken"
    )]
    NoFrame(u64),
    /// The recorded state does not fit.
    #[error(transparent)]
    Restore(#[from] RestoreError),
    /// The step could not be made.
    #[error("the simulation stopped: {0}")]
    Step(#[from] StepError),
    /// The scene cannot be written.
    #[error("cannot write the scene '{}': {message}", path.display())]
    Save {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        message: String,
    },
    /// Recorded steps cannot be written.
    #[error(transparent)]
    Tables(#[from] TablesError),
}

impl EngineError {
    /// What is wrong, with the advice that goes with it.
    pub fn with_help(&self) -> String {
        let Self::Scene(SceneError::Faults(faults)) = self else { return self.to_string() };
        let told = |fault: &Fault| {
            let help = fault.help_text().map_or_else(String::new, |help| format!("\nhelp: {help}"));
            format!("{}: {fault}{help}", fault.location())
        };
        faults.iter().map(told).collect::<Vec<_>>().join("\n")
    }
}

/// Bodies that the frames of a stretch of time have in common.
#[derive(Debug)]
struct Generation {
    model: Arc<Model>,
    /// A world of these bodies, for going back to.
    template: World,
    /// Bodies that were dropped in.
    dropped: Vec<BodySpec>,
    /// What was said of each body.
    given: Vec<Given>,
}

/// What a scene says of a body besides what the world knows of it.
fn given(scene: &SceneSpec, body: &BodySpec) -> Given {
    Given { takes_friction: takes_scene_friction(scene, body), colour: body.rgb() }
}

/// A scene that runs.
#[derive(Debug)]
pub struct Engine {
    scene: Scene,
    /// What becomes of its expectations.
    watcher: Watcher,
    sensors: Sensors,
    adapter: Option<String>,
    session: Session,
    parameters: Parameters,
    scene_parameters: Parameters,
    generations: Vec<Generation>,
    current: usize,
    history: Timeline,
    next_id: u64,
    pull: Option<Pull>,
    n_steps: u64,
}

impl Engine {
    /// A scene at its start.
    ///
    /// # Errors
    /// What is wrong with the scene or the device.
    pub fn open(path: &Path, backend: &BackendOptions) -> Result<Self, EngineError> {
        Self::begin(source::load(path)?, backend)
    }

    fn begin(scene: Scene, backend: &BackendOptions) -> Result<Self, EngineError> {
        let world = build(&scene)?.world;
        let parameters = Parameters::of(scene.spec(), world.settings(), backend);
        let of_each =
            |body: &BodySpec| std::iter::repeat_n(given(scene.spec(), body), body.expanded_names().len());
        let given: Vec<Given> = scene.spec().bodies.iter().flat_map(of_each).collect();
        let sensors = Sensors::of(scene.spec(), &world);
        let model = Arc::new(Model::of(&world, scene.name(), world.bodies().len(), &given, &sensors));
        let first = Generation { model, template: world.clone(), dropped: Vec::new(), given };
        let mut engine = Self {
            watcher: Watcher::new(&scene, &world),
            sensors,
            session: Session::new(world, Detector::open(backend)?),
            adapter: backend.adapter.clone(),
            scene_parameters: parameters.clone(),
            parameters,
            generations: vec![first],
            current: 0,
            history: Timeline::default(),
            next_id: 0,
            pull: None,
            n_steps: 0,
            scene,
        };
        engine.time_stages();
        engine.record(None, &StepReport::default(), Vec::new());
        Ok(engine)
    }

    /// The scene.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// The world in its present state.
    pub fn world(&self) -> &World {
        self.session.world()
    }

    /// What measures overlaps.
    pub fn detector(&self) -> &Detector {
        self.session.detector()
    }

    /// The parameters in force.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// The parameters that the scene began with.
    pub fn scene_parameters(&self) -> &Parameters {
        &self.scene_parameters
    }

    /// The last frame made.
    pub fn frame(&self) -> &Arc<Frame> {
        self.history.last().expect("a frame is recorded from the start on")
    }

    /// Steps made since the scene was opened, in all futures together.
    pub fn n_steps(&self) -> u64 {
        self.n_steps
    }

    /// Makes one step and records it.
    ///
    /// # Errors
    /// As [`Session::step`]; the state is then as before.
    pub fn step(&mut self) -> Result<&Arc<Frame>, EngineError> {
        if let Some(pull) = self.pull {
            pull.apply(self.session.world_mut())?;
        }
        let (report, insights) = self.session.step_with_details()?;
        self.n_steps += 1;
        let (after, step) = (self.frame().id, self.frame().step() + 1);
        self.watcher.after_step(step, self.session.world(), &report);
        self.record(Some(after), &report, insights);
        Ok(self.frame())
    }

    /// Carries out a command, except those that only concern the pace. Returns whether there is a new frame.
    ///
    /// # Errors
    /// Why it could not be done; the state is then as before.
    pub fn apply(&mut self, command: &SimCommand) -> Result<bool, EngineError> {
        match command {
            SimCommand::Open(path) => {
                let options = self.parameters.backend_options(self.adapter.clone());
                let mut fresh = Self::open(path, &options)?;
                // Numbers of frames stay unique over all scenes.
                fresh.renumber(self.next_id);
                fresh.n_steps = self.n_steps;
                *self = fresh;
                return Ok(true);
            }
            SimCommand::Play | SimCommand::Pause | SimCommand::Speed(_) => {}
            SimCommand::Step => {
                self.step()?;
                return Ok(true);
            }
            SimCommand::Reset => {
                self.enter(0, None)?;
                return Ok(true);
            }
            SimCommand::GoTo(id) => {
                let frame = self.history.find(*id).ok_or(EngineError::NoFrame(*id))?.clone();
                let known = |generation: &Generation| Arc::ptr_eq(&generation.model, &frame.model);
                let ix = self.generations.iter().position(known).ok_or(EngineError::NoFrame(*id))?;
                self.enter(ix, Some(&frame))?;
                return Ok(true);
            }
            SimCommand::Set(parameter) => return self.set(parameter),
            SimCommand::Grab { body, point, target } => {
                self.check_body(*body)?;
                self.release()?;
                self.pull = Some(Pull { body: *body, point: *point, target: *target });
            }
            SimCommand::Drag(target) => {
                if let Some(pull) = &mut self.pull {
                    pull.target = *target;
                }
            }
            SimCommand::Release => self.release()?,
            SimCommand::Kick { body, point, impulse } => {
                self.check_body(*body)?;
                kick(self.session.world_mut(), *body, *point, *impulse)?;
                self.record_here();
                return Ok(true);
            }
            SimCommand::Drop(body) => {
                self.add(body)?;
                return Ok(true);
            }
            SimCommand::Save(path) => self.save(path)?,
            SimCommand::Tables(folder) => self.write_tables(folder)?,
        }
        Ok(false)
    }

    /// The present state as a scene.
    fn save(&self, path: &Path) -> Result<(), EngineError> {
        let generation = &self.generations[self.current];
        saved_scene::write(path, &self.scene, &generation.dropped, self.session.world(), &self.parameters)
            .map_err(|message| EngineError::Save { path: path.to_owned(), message })
    }

    /// The recorded steps as the tables of a run.
    fn write_tables(&self, folder: &Path) -> Result<(), EngineError> {
        let with_bodies = |frame: &'_ Arc<Frame>| {
            let known = |generation: &&Generation| Arc::ptr_eq(&generation.model, &frame.model);
            self.generations.iter().find(known).map(|generation| &generation.template)
        };
        let frames = self.history.iter().filter_map(|frame| Some((with_bodies(frame)?, &**frame)));
        Ok(run_tables::write(folder, frames)?)
    }

    fn check_body(&self, body: u32) -> Result<(), EngineError> {
        let n_bodies = self.world().bodies().len();
        if (body as usize) < n_bodies { Ok(()) } else { Err(EngineError::NoBody { found: body, n_bodies }) }
    }

    fn release(&mut self) -> Result<(), EngineError> {
        if let Some(pull) = self.pull.take() {
            pull.release(self.session.world_mut())?;
        }
        Ok(())
    }

    /// Takes on the bodies of a generation, and the state of a frame with these bodies or that of the scene's start.
    fn enter(&mut self, ix: usize, frame: Option<&Frame>) -> Result<(), EngineError> {
        let mut world = self.generations[ix].template.clone();
        if let Some(frame) = frame {
            world.restore(&frame.state)?;
            if let Some(pull) = frame.pull {
                // The frame's spring is let go.
                world.set_wrench(BodyId(pull.body), glam::DVec3::ZERO, glam::DVec3::ZERO)?;
            }
        }
        self.pull = None;
        self.current = ix;
        *self.session.world_mut() = world;
        self.put_parameters_into_world()?;
        match frame {
            Some(frame) => {
                self.watcher.go_back(&frame.expected);
                // The same frame again, with the figures of the step that led to it.
                let again = Frame {
                    id: self.next_id,
                    after: Some(frame.id),
                    dt: frame.dt,
                    time: frame.time,
                    model: frame.model.clone(),
                    state: self.session.world().snapshot(),
                    poses: frame.poses.clone(),
                    contacts: frame.contacts.clone(),
                    facets: frame.facets.clone(),
                    penalties: frame.penalties.clone(),
                    figures: frame.figures.clone(),
                    measured: frame.measured.clone(),
                    expected: frame.expected.clone(),
                    pull: None,
                };
                self.push(again);
            }
            None => {
                self.watcher.begin(self.session.world());
                self.record(None, &StepReport::default(), Vec::new());
            }
        }
        Ok(())
    }

    /// Changes a parameter; returns whether there is a new frame.
    fn set(&mut self, parameter: &Parameter) -> Result<bool, EngineError> {
        let before = self.parameters.clone();
        let outcome = self.try_set(parameter, &before);
        if outcome.is_err() {
            self.parameters = before;
        }
        outcome
    }

    fn try_set(&mut self, parameter: &Parameter, before: &Parameters) -> Result<bool, EngineError> {
        self.check_place(parameter)?;
        self.parameters.set(parameter).map_err(EngineError::Parameter)?;
        if self.parameters.settings.dt != before.settings.dt {
            self.begin_anew()?;
            return Ok(true);
        }
        let is_other_way = self.parameters.backend != before.backend || self.parameters.rays != before.rays;
        if is_other_way {
            *self.session.detector_mut() =
                Detector::open(&self.parameters.backend_options(self.adapter.clone()))?;
            self.time_stages();
        }
        self.put_parameters_into_world()?;
        Ok(false)
    }

    /// Stands at the scene's start with the time step of the parameters, by which paths, expectations and recorded frames count their
    /// times; parameters stay as they are.
    fn begin_anew(&mut self) -> Result<(), EngineError> {
        let step = Override::new("dt", format!("{:?}", self.parameters.settings.dt))?;
        let options = self.parameters.backend_options(self.adapter.clone());
        let mut fresh = Self::begin(self.scene.with(&[step])?, &options)?;
        // Numbers of frames stay unique over all steps.
        (fresh.next_id, fresh.n_steps) = (self.next_id, self.n_steps);
        fresh.parameters = self.parameters.clone();
        fresh.scene_parameters = self.scene_parameters.clone();
        fresh.enter(0, None)?;
        *self = fresh;
        Ok(())
    }

    fn put_parameters_into_world(&mut self) -> Result<(), EngineError> {
        let world = self.session.world_mut();
        world.set_settings(self.parameters.settings)?;
        for (ix, given) in (0..).zip(&self.generations[self.current].given) {
            if given.takes_friction {
                world.set_friction(BodyId(ix), self.parameters.friction)?;
            }
        }
        let template = &self.generations[self.current].template;
        for (ix, body) in (0..).zip(template.bodies()) {
            world.set_mass(BodyId(ix), self.parameters.masses.get(&ix).copied().unwrap_or(body.mass.mass))?;
        }
        for (ix, joint) in (0..).zip(template.joints()) {
            let wanted = joint.kind.drive().map(|drive| match self.parameters.drives.get(&ix) {
                Some(wanted) => drive.asking_for(*wanted),
                None => drive.clone(),
            });
            if world.joints()[ix as usize].kind.drive() != wanted.as_ref() {
                world.set_drive(JointId(ix), wanted)?;
            }
        }
        Ok(())
    }

    /// Refuses what is said of a drive or a mass that there is not.
    fn check_place(&self, parameter: &Parameter) -> Result<(), EngineError> {
        let world = self.session.world();
        match *parameter {
            Parameter::Mass(body, _) => self.check_body(body),
            Parameter::Drive(joint, _) => {
                let drive = world.joints().get(joint as usize).and_then(|joint| joint.kind.drive());
                drive
                    .map(drop)
                    .ok_or_else(|| EngineError::Parameter(format!("there is no drive of a joint {joint}")))
            }
            _ => Ok(()),
        }
    }

    /// Puts a new body into the world.
    fn add(&mut self, body: &BodySpec) -> Result<(), EngineError> {
        let prepared = prepare(&body.shape, |file| self.scene.resolve(file))
            .map_err(|source| EngineError::Shape { name: body.name.clone(), source })?;
        let descs = describe(self.scene.spec(), body, &prepared)?;
        let said = given(self.scene.spec(), body);
        let here = &self.generations[self.current];
        let (mut template, mut world) = (here.template.clone(), self.session.world().clone());
        let mut given = here.given.clone();
        for desc in descs {
            given.push(said);
            template.add_body(desc.clone())?;
            world.add_body(desc)?;
        }
        let mut dropped = here.dropped.clone();
        dropped.push(body.clone());
        let n_own = here.model.n_scene_bodies;
        let model = Arc::new(Model::of(&world, self.scene.name(), n_own, &given, &self.sensors));
        *self.session.world_mut() = world;
        self.forget_generations();
        self.generations.push(Generation { model, template, dropped, given });
        self.current = self.generations.len() - 1;
        self.put_parameters_into_world()?;
        self.record_here();
        Ok(())
    }

    /// Forgets generations that no frame belongs to any more; the first one is the scene's start, and the present one
    /// is still needed.
    fn forget_generations(&mut self) {
        let mut ix = 0;
        let current = self.current;
        self.generations.retain(|generation| {
            ix += 1;
            ix == 1 || ix - 1 == current || Arc::strong_count(&generation.model) > 1
        });
    }
}
