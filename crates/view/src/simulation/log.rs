//! Commands as a file of one JSON object a line, and doing them again.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tactum::backend::BackendOptions;
use thiserror::Error;

use super::engine::{Engine, EngineError};
use crate::command::{Command, SimCommand};

/// One line of the file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Line {
    /// A command that was given after so many steps.
    Do {
        /// Steps made since the program began, in all futures together.
        steps: u64,
        /// The command.
        command: Command,
    },
    /// The end of the program.
    End {
        /// Steps made since the program began.
        steps: u64,
        /// Hash of the last state, 16 hexadecimal digits.
        state_hash: String,
    },
}

/// Why a log cannot be written or done again.
#[derive(Debug, Error)]
pub enum LogError {
    /// The file cannot be read or written.
    #[error("cannot {verb} the log '{}': {source}", path.display())]
    File {
        /// What was tried.
        verb: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A line is not a command.
    #[error("line {line} of the log '{}' is not a command: {source}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Number of the line, from 1.
        line: usize,
        /// Where it goes wrong.
        source: serde_json::Error,
    },
    /// The log opens no scene.
    #[error("the log '{}' opens no scene", path.display())]
    NoScene {
        /// The file.
        path: PathBuf,
    },
    /// A step or the scene failed.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// Writes commands as they are given. Without a file it writes nothing.
#[derive(Debug, Default)]
pub struct Log {
    file: Option<(File, PathBuf)>,
}

impl Log {
    /// A log in a file, which is replaced.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn create(path: &Path) -> Result<Self, LogError> {
        let fail = |source| LogError::File { verb: "write", path: path.to_owned(), source };
        Ok(Self { file: Some((File::create(path).map_err(fail)?, path.to_owned())) })
    }

    /// Adds a command, at once.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, steps: u64, command: &Command) -> Result<(), LogError> {
        self.write(&Line::Do { steps, command: command.clone() })
    }

    /// Adds the end.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn end(&mut self, steps: u64, state_hash: u64) -> Result<(), LogError> {
        self.write(&Line::End { steps, state_hash: hex(state_hash) })
    }

    fn write(&mut self, line: &Line) -> Result<(), LogError> {
        let Some((file, path)) = &mut self.file else { return Ok(()) };
        let text = serde_json::to_string(line).expect("a line has text keys and no failing serialiser");
        file.write_all(format!("{text}\n").as_bytes()).map_err(|source| LogError::File {
            verb: "write",
            path: path.clone(),
            source,
        })
    }
}

/// What doing a log again came to.
#[derive(Debug)]
pub struct Replay {
    /// The scene in its last state.
    pub engine: Engine,
    /// Commands done.
    pub n_commands: usize,
    /// Hash of the last state, and the one that the log ends with, if it has an end.
    pub state_hash: (String, Option<String>),
}

impl Replay {
    /// Whether the last state is the recorded one, bit for bit; `None` if the log has no end.
    pub fn is_equal(&self) -> Option<bool> {
        self.state_hash.1.as_ref().map(|recorded| *recorded == self.state_hash.0)
    }
}

/// Does the commands of a log again, each after the same number of steps. Commands that failed fail again, and change
/// nothing as they did then.
///
/// # Errors
/// A file that is not a log, a scene that cannot be opened, or a step that cannot be made.
pub fn replay(path: &Path, backend: &BackendOptions) -> Result<Replay, LogError> {
    let fail = |source| LogError::File { verb: "read", path: path.to_owned(), source };
    let file = BufReader::new(File::open(path).map_err(fail)?);
    let mut engine: Option<Engine> = None;
    let mut n_commands = 0;
    let mut recorded = None;
    for (ix, text) in file.lines().enumerate() {
        let line: Line = serde_json::from_str(&text.map_err(fail)?).map_err(|source| LogError::Line {
            path: path.to_owned(),
            line: ix + 1,
            source,
        })?;
        let steps = match &line {
            Line::Do { steps, .. } | Line::End { steps, .. } => *steps,
        };
        if let Some(engine) = &mut engine {
            while engine.n_steps() < steps {
                engine.step()?;
            }
        }
        match line {
            Line::Do { command: Command::Sim(command), .. } => {
                n_commands += 1;
                apply(&mut engine, &command, backend)?;
            }
            Line::Do { .. } => n_commands += 1,
            Line::End { state_hash, .. } => recorded = Some(state_hash),
        }
    }
    let engine = engine.ok_or_else(|| LogError::NoScene { path: path.to_owned() })?;
    let state_hash = (hex(engine.world().state_hash()), recorded);
    Ok(Replay { engine, n_commands, state_hash })
}

fn apply(
    engine: &mut Option<Engine>,
    command: &SimCommand,
    backend: &BackendOptions,
) -> Result<(), LogError> {
    match (engine.as_mut(), command) {
        (None, SimCommand::Open(path)) => *engine = Some(Engine::open(path, backend)?),
        (None, _) => {}
        (Some(engine), command) => drop(engine.apply(command)),
    }
    Ok(())
}

fn hex(hash: u64) -> String {
    format!("{hash:016x}")
}
