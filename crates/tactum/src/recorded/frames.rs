//! Where the bodies of a run are, step by step.

use std::path::Path;

use glam::{DQuat, DVec3};
use serde::Deserialize;
use tactum_geometry::{Pose, words};
use tactum_sim::{BodyKind, World};

use super::RecordedError;
use super::rows::Rows;
use crate::files::last_row;

/// A body at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// Where its shape is.
    pub w_from_shape: Pose,
    /// Velocity of its centre of mass \[m/s\].
    pub linear_velocity: DVec3,
    /// Angular velocity, world axes \[rad/s\].
    pub angular_velocity: DVec3,
}

/// All bodies that can move at a time.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// Number of steps made.
    pub step: u64,
    /// Simulated time \[s\].
    pub time: f64,
    /// One for each body that is not static, in the order of the world.
    pub motions: Vec<Motion>,
}

/// The frames of a run in their order, read one by one.
#[derive(Debug)]
pub struct Frames {
    rows: Rows,
    /// Names of the bodies that can move.
    names: Vec<String>,
    every: u64,
    /// The last step of which all bodies are there; none if there is no step at all.
    last: Option<u64>,
    first: Option<u64>,
    /// Whether a row has been read that is not used yet.
    has_row: bool,
}

#[derive(Deserialize)]
struct PoseRow<'a> {
    time: f64,
    body: &'a str,
    x: f64,
    y: f64,
    z: f64,
    qx: f64,
    qy: f64,
    qz: f64,
    qw: f64,
    vx: f64,
    vy: f64,
    vz: f64,
    wx: f64,
    wy: f64,
    wz: f64,
}

impl Frames {
    pub(super) fn open(path: &Path, world: &World, every: u64) -> Result<Self, RecordedError> {
        let rows = Rows::open(path)?;
        let moving = world.bodies().iter().filter(|body| body.kind != BodyKind::Static);
        let names: Vec<String> = moving.map(|body| body.name.clone()).collect();
        let last = last_row(path)
            .map_err(|cause| RecordedError::Table { path: path.to_owned(), cause: cause.into() })?;
        let last = last.and_then(|row| last_whole_step(&row, names.last()?));
        Ok(Self { rows, names, every: every.max(1), last, first: None, has_row: false })
    }

    /// As many frames as there are at most.
    pub fn n_at_most(&self) -> u64 {
        self.last.map_or(0, |last| last / self.every + 2)
    }

    /// The next frame that is wanted; none after the last.
    ///
    /// # Errors
    /// If a row is not one of these bodies in their order.
    pub fn next_frame(&mut self) -> Result<Option<Frame>, RecordedError> {
        loop {
            if !self.has_row && !self.rows.advance()? {
                return Ok(None);
            }
            self.has_row = true;
            let step = self.rows.step()?;
            if self.last.is_none_or(|last| step > last) {
                return Ok(None);
            }
            let first = *self.first.get_or_insert(step);
            if (step - first).is_multiple_of(self.every) || Some(step) == self.last {
                return self.frame(step).map(Some);
            }
            self.has_row = false;
        }
    }

    /// The frame of a step, at whose first row the table is.
    fn frame(&mut self, step: u64) -> Result<Frame, RecordedError> {
        let mut frame = Frame { step, time: 0.0, motions: Vec::with_capacity(self.names.len()) };
        for name in &self.names {
            if !self.has_row && !self.rows.advance()? {
                return Err(self.rows.wrong(format!("the row of the body '{name}' is missing after it")));
            }
            self.has_row = false;
            let row: PoseRow<'_> = self.rows.get()?;
            if row.body != name || self.rows.step()? != step {
                let found = words::quoted(row.body);
                let why =
                    format!("needed is the body '{}' of step {step}, found '{found}'", words::quoted(name));
                return Err(self.rows.wrong(why));
            }
            frame.time = row.time;
            let rotation = DQuat::from_xyzw(row.qx, row.qy, row.qz, row.qw);
            frame.motions.push(Motion {
                w_from_shape: Pose { rotation, translation: DVec3::new(row.x, row.y, row.z) },
                linear_velocity: DVec3::new(row.vx, row.vy, row.vz),
                angular_velocity: DVec3::new(row.wx, row.wy, row.wz),
            });
        }
        Ok(frame)
    }
}

/// The last step of which a table holds all bodies, by its last row: that row's, or the one before it where the body is not the `last`
/// one.
fn last_whole_step(row: &str, last: &str) -> Option<u64> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(row.as_bytes());
    let fields = reader.records().next()?.ok()?;
    let step: u64 = fields.get(0)?.parse().ok()?;
    if fields.get(2)? == last { Some(step) } else { step.checked_sub(1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_that_broke_off_is_not_whole() {
        assert_eq!(last_whole_step("7,0.7,\"a, b\",1", "a, b"), Some(7));
        assert_eq!(last_whole_step("7,0.7,first,1", "a, b"), Some(6));
        assert_eq!(last_whole_step("0,0,first,1", "a, b"), None);
        assert_eq!(last_whole_step("step,time,body", "a, b"), None);
    }
}
