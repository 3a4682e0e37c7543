//! Carrying out a measurement with the twins.

use super::memory::{Memory, Meshes, Operands};
use super::schedule::{Command, Rounds};
use super::stages::StageId;
use super::work::Work;

/// Runs commands one after the other.
pub fn run(commands: &[Command], rounds: &Rounds, meshes: &Meshes, memory: &mut Memory) {
    for command in commands {
        step(command, rounds, meshes, memory);
    }
}

/// Runs one command.
pub fn step(command: &Command, rounds: &Rounds, meshes: &Meshes, memory: &mut Memory) {
    count_step(command, rounds, meshes, memory, &mut Work::default());
}

/// As [`run`], and adds what each stage did to its place in `work`, which is that of [`super::STAGES`].
pub fn count(
    commands: &[Command],
    rounds: &Rounds,
    meshes: &Meshes,
    memory: &mut Memory,
    work: &mut [Work; StageId::ALL.len()],
) {
    for command in commands {
        count_step(command, rounds, meshes, memory, &mut work[command.stage as usize]);
    }
}

fn count_step(command: &Command, rounds: &Rounds, meshes: &Meshes, memory: &mut Memory, work: &mut Work) {
    let round = &rounds.rounds[command.round];
    (command.stage.stage().twin)(&mut Operands { meshes, memory, round, work });
}
