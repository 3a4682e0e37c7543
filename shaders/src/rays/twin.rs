//! Carrying out a measurement with the twins.

use super::memory::{Memory, Meshes, Operands};
use super::schedule::{Command, Rounds};

/// Runs commands one after the other.
pub fn run(commands: &[Command], rounds: &Rounds, meshes: &Meshes, memory: &mut Memory) {
    for command in commands {
        step(command, rounds, meshes, memory);
    }
}

/// Runs one command.
pub fn step(command: &Command, rounds: &Rounds, meshes: &Meshes, memory: &mut Memory) {
    let round = &rounds.rounds[command.round];
    (command.stage.stage().twin)(&mut Operands { meshes, memory, round });
}
