//! Project automation: `cargo xtask help` lists the tasks.

mod check;
mod run;

use std::process::ExitCode;

use anyhow::{Result, bail};

const HELP: &str = "\
cargo xtask TASK

  test [ARGS...]   all tests: unit, integration, scenes, validation cases, documentation examples.
                   ARGS go to the test runner, e.g. a name to filter by.
  ci               what must be green before a change lands: format, lints, generated files, documentation, tests
  assets           writes the generated files under assets/
  bench [ARGS...]  `tactum bench` in a release build with the published rivals compiled in
  help             this text
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match dispatch(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(args: &[String]) -> Result<()> {
    let (task, rest) = args.split_first().map_or(("help", args), |(task, rest)| (task.as_str(), rest));
    match task {
        "test" => check::test(rest),
        "ci" => check::ci(),
        "assets" => check::write_assets(),
        "bench" => check::bench(rest),
        "help" | "--help" | "-h" => {
            print!("{HELP}");
            Ok(())
        }
        other => bail!("there is no task '{other}'\n\n{HELP}"),
    }
}
