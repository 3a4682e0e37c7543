//! Command line of the program: arguments, subcommands, exit codes.

mod adapters;
mod args;
mod batch;
mod bench;
mod check;
mod console;
mod export;
mod query;
mod repair;
mod replay;
mod run;
mod signals;
mod threads;
mod validate;

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use tactum_geometry::words;

use args::{Args, Command};
use console::Console;
use signals::Signals;
use threads::with_threads;

/// How the program ends; the numbers are part of its contract with scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// All is well.
    Fine = 0,
    /// An expectation of the scene was not met, a step that had to be was not solved, or a check failed.
    Unexpected = 1,
    /// Bad usage or input.
    BadInput = 2,
    /// The simulation did not reach its end.
    Stopped = 3,
    /// A device cannot be used, and it was asked for.
    Device = 4,
    /// A result could not be written.
    Unwritten = 5,
}

/// Runs the program.
pub fn main() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => return ExitCode::from(usage(&error) as u8),
    };
    let console = Console::new(args.quiet);
    let signals = Signals::watch(&console);
    let threads = match &args.command {
        Command::Run(args) => args.threads,
        Command::Replay(args) => args.threads,
        Command::Batch(args) => args.threads,
        _ => None,
    };
    let exit = match with_threads(threads, &console, || dispatch(&args.command, &signals, &console)) {
        Ok(Ok(exit)) => exit,
        // Every error says its causes itself.
        Ok(Err(error)) => failed(&console, &error.to_string()),
        Err(error) => failed(&console, &format!("no threads can be started: {error}")),
    };
    ExitCode::from(unless_unwritten(&console, exit) as u8)
}

fn dispatch(command: &Command, signals: &Signals, console: &Console) -> Result<Exit> {
    match command {
        Command::Run(args) => run::run(args, signals, console),
        Command::Replay(args) => replay::replay(args, signals, console),
        Command::Export(args) => export::export(args, console),
        Command::Batch(args) => Ok(batch::batch(args, signals, console)),
        Command::Merge(args) => Ok(batch::merge(args, console)),
        Command::Query(args) => query::query(args, console),
        Command::Check(args) => check::check(args, console),
        Command::Repair(args) => repair::repair(args, console),
        Command::Adapters => Ok(adapters::adapters(console)),
        Command::Validate(args) => validate::validate(args, console),
        Command::Bench(args) => bench::bench(args, console),
        Command::Schema(args) => {
            let text = if args.markdown { tactum::scene::reference() } else { tactum::scene::json_schema() };
            console.result(&text);
            Ok(Exit::Fine)
        }
    }
}

fn failed(console: &Console, text: &str) -> Exit {
    console.error(text);
    Exit::BadInput
}

/// Help, the version, or what is wrong with the arguments.
fn usage(error: &clap::Error) -> Exit {
    let console = Console::new(false);
    let printed = error.print();
    if error.use_stderr() {
        return Exit::BadInput;
    }
    console.written(printed.and_then(|()| std::io::stdout().flush()));
    unless_unwritten(&console, Exit::Fine)
}

/// How the program ends if its results have reached stdout.
fn unless_unwritten(console: &Console, exit: Exit) -> Exit {
    let Some(error) = console.unwritten() else { return exit };
    console.error(&format!("cannot write to stdout: {}", words::cause(error)));
    Exit::Unwritten
}
