//! Command line of the program: arguments, subcommands, exit codes.

mod adapters;
mod args;
mod bench;
mod check;
mod console;
mod query;
mod run;
mod validate;

use std::process::ExitCode;

use clap::Parser;

use args::{Args, Command};
use console::Console;

/// How the program ends; the numbers are part of its contract with scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// All is well.
    Fine = 0,
    /// An expectation of the scene was not met, or a check failed.
    Unexpected = 1,
    /// Bad usage or input.
    BadInput = 2,
    /// The simulation did not reach its end.
    Stopped = 3,
    /// A device cannot be used, and it was asked for.
    Device = 4,
}

/// Runs the program.
pub fn main() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => {
            // A closed pipe is no reason to complain about help that nobody reads.
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { Exit::BadInput as u8 } else { Exit::Fine as u8 });
        }
    };
    let console = Console::new(args.quiet);
    let exit = match &args.command {
        Command::Run(args) => run::run(args, &console),
        Command::Query(args) => query::query(args, &console),
        Command::Check(args) => check::check(args, &console),
        Command::Adapters => Ok(adapters::adapters(&console)),
        Command::Validate(args) => validate::validate(args, &console),
        Command::Bench(args) => bench::bench(args, &console),
        Command::Schema => {
            console.result(&tactum::scene::json_schema());
            Ok(Exit::Fine)
        }
    };
    let exit = exit.unwrap_or_else(|error| {
        console.error(&format!("{error:#}"));
        Exit::BadInput
    });
    ExitCode::from(exit as u8)
}
