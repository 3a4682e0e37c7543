//! A recorded run done again, its states compared with those of the record step by step.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use glam::DQuat;
use serde::{Deserialize, Serialize};
use tactum_geometry::words;
use tactum_sim::{BodyKind, World};
use thiserror::Error;

use crate::backend::Detector;
use crate::hash::hex;
use crate::recorded::{Motion, Recorded, RecordedError};
use crate::session::Session;

/// Bodies that are listed where a run differs; more are counted.
const LISTED: usize = 20;

/// What came of doing a run again.
#[derive(Clone, Debug, Serialize)]
pub struct Replay {
    /// Name of the scene.
    pub scene: String,
    /// How overlaps were measured.
    pub backend: String,
    /// The last step that was made again.
    pub steps: u64,
    /// Number of states that were compared.
    pub compared: u64,
    /// Whether it was stopped before the end of the record.
    pub interrupted: bool,
    /// Where the run first differs from the record; `None` where it nowhere does.
    pub differs: Option<Difference>,
}

/// Where a run first differs from its record.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// The step.
    pub step: u64,
    /// Its end \[s\].
    pub time: f64,
    /// Hash of the state in the record.
    pub recorded: String,
    /// Hash of the state now; `None` where the step could not be made.
    pub found: Option<String>,
    /// Why the step could not be made.
    pub error: Option<String>,
    /// The bodies that are not where they were, those of them that are farthest off first, as far as there is a table of poses.
    pub bodies: Vec<Displaced>,
    /// Bodies besides.
    pub more_bodies: usize,
}

/// A body that is not as it was.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Displaced {
    /// Its name.
    pub body: String,
    /// How far the origin of its shape is from where it was \[m\].
    pub distance: f64,
    /// Angle between its shape and what it was \[rad\].
    pub angle: f64,
    /// Difference of the velocities of its centre of mass \[m/s\].
    pub velocity: f64,
    /// Difference of its angular velocities \[rad/s\].
    pub spin: f64,
}

/// Why a run cannot be compared with its record.
#[derive(Debug, Error)]
pub enum ReplayError {
    /// The record cannot be read.
    #[error(transparent)]
    Recorded(#[from] RecordedError),
    /// The record has no state to compare with.
    #[error(
        "the run in '{}' has recorded no states: needed are rows of energy.csv, which `tactum run` writes unless --record leaves it out",
        words::path(folder)
    )]
    NoStates {
        /// The folder.
        folder: PathBuf,
    },
}

#[derive(Deserialize)]
struct StateRow<'a> {
    time: f64,
    state_hash: &'a str,
}

/// Makes the steps of a recorded run again, from the scene's start, until a state differs, the record ends or `interrupt` is set; `progress`
/// is called with the number of each step. A record that begins at a later step, as that of a run which went on in another folder, is compared
/// from there on.
///
/// # Errors
/// If the record cannot be read, or holds no state.
pub fn replay(
    run: &Recorded,
    detector: Detector,
    interrupt: &AtomicBool,
    mut progress: impl FnMut(u64),
) -> Result<Replay, ReplayError> {
    let backend = detector.description();
    let mut session = Session::new(run.world().clone(), detector);
    let mut rows = run.energies()?;
    let (mut steps, mut compared) = (0, 0);
    let end = |steps, compared, interrupted, differs| {
        let scene = run.scene().name();
        Ok(Replay { scene, backend: backend.clone(), steps, compared, interrupted, differs })
    };
    while rows.advance()? {
        let StateRow { time, state_hash } = rows.get()?;
        let at = rows.step()?;
        let mut made = Ok(());
        while made.is_ok() && steps < at {
            if interrupt.load(Ordering::Relaxed) {
                return end(steps, compared, true, None);
            }
            made = session.step().map(|_| steps += 1);
            progress(steps);
        }
        let found = made.is_ok().then(|| hex(session.world().state_hash()));
        compared += 1;
        if found.as_deref() != Some(state_hash) {
            let error = made.err().map(|error| error.to_string());
            let (bodies, more_bodies) =
                if error.is_none() { displaced(run, session.world(), at)? } else { (Vec::new(), 0) };
            let recorded = state_hash.to_owned();
            let difference = Difference { step: at, time, recorded, found, error, bodies, more_bodies };
            return end(steps, compared, false, Some(difference));
        }
    }
    if compared == 0 {
        return Err(ReplayError::NoStates { folder: run.folder().to_owned() });
    }
    end(steps, compared, false, None)
}

/// The bodies of a world that are not where the record has them after a step, and how many more there are; none where it has no poses of
/// that step.
fn displaced(run: &Recorded, world: &World, step: u64) -> Result<(Vec<Displaced>, usize), RecordedError> {
    let mut frames = match run.frames(1) {
        Ok(frames) => frames,
        Err(RecordedError::Table { .. }) => return Ok((Vec::new(), 0)),
        Err(error) => return Err(error),
    };
    let frame = loop {
        match frames.next_frame()? {
            Some(frame) if frame.step == step => break frame,
            Some(_) => {}
            None => return Ok((Vec::new(), 0)),
        }
    };
    let moving = world.bodies().iter().filter(|body| body.kind != BodyKind::Static);
    let mut displaced: Vec<Displaced> = moving
        .zip(&frame.motions)
        .filter_map(|(body, was)| {
            let is = Motion {
                w_from_shape: body.w_from_shape(),
                linear_velocity: body.linear_velocity,
                angular_velocity: body.angular_velocity,
            };
            (is != *was).then(|| Displaced {
                body: body.name.clone(),
                distance: is.w_from_shape.translation.distance(was.w_from_shape.translation),
                angle: angle(is.w_from_shape.rotation, was.w_from_shape.rotation),
                velocity: is.linear_velocity.distance(was.linear_velocity),
                spin: is.angular_velocity.distance(was.angular_velocity),
            })
        })
        .collect();
    displaced.sort_by(|a, b| b.distance.total_cmp(&a.distance));
    let more = displaced.len().saturating_sub(LISTED);
    displaced.truncate(LISTED);
    Ok((displaced, more))
}

/// The angle between two orientations: by its sine, as the cosine of a small one has lost half of its digits \[rad\].
fn angle(a: DQuat, b: DQuat) -> f64 {
    let turned = a * b.conjugate();
    2.0 * turned.xyz().length().atan2(turned.w.abs())
}
