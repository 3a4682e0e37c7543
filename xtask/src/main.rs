//! Project automation: `cargo xtask help` lists the tasks.

mod check;
mod fuzz;
mod run;
mod vulkan;

use std::process::ExitCode;

use anyhow::{Result, bail};

const HELP: &str = "\
cargo xtask TASK

  test [--install] [ARGS...]
                   all tests: unit, integration, scenes, validation cases, documentation examples.
                   --install first installs a software Vulkan driver, Xvfb and xdotool (through apt-get) where they
                   are missing; without them the tests of graphics devices and of the window are reported as ignored.
                   ARGS go to the test runner, e.g. a name to filter by.
                   Random tests draw the same cases in every run.
  fuzz [--seconds N] [--seed N] [--times N] [NAME...]
                   the random tests with new cases, over and over until N seconds (60) are over; fails if one fails.
                   --seed begins with the cases of that seed, and alone runs no others: so a failure is repeated.
                   --times multiplies each test's number of cases. NAME is a part of a test's name.
  ci [--install]   what must be green before a change lands: format, lints, documentation, what the program without a
                   window is built from, tests; here a missing driver is a failure.
                   At its end random tests run with new cases for a minute; what they find is reported, and fails nothing.
  assets           writes the generated files: assets/scene.schema.json, docs/reference.md
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

/// Whether the arguments begin with `--install`, and the rest of them.
fn take_install(args: &[String]) -> (bool, &[String]) {
    match args.split_first() {
        Some((first, rest)) if first == "--install" => (true, rest),
        _ => (false, args),
    }
}

fn dispatch(args: &[String]) -> Result<()> {
    let (task, rest) = args.split_first().map_or(("help", args), |(task, rest)| (task.as_str(), rest));
    match task {
        "test" => {
            let (install, rest) = take_install(rest);
            vulkan::ensure_or_warn(install)?;
            check::test(rest)
        }
        "ci" => {
            vulkan::require(take_install(rest).0)?;
            check::ci()
        }
        "fuzz" => fuzz::fuzz(rest),
        "assets" => check::write_assets(),
        "bench" => check::bench(rest),
        "help" | "--help" | "-h" => {
            print!("{HELP}");
            Ok(())
        }
        other => bail!("there is no task '{other}'\n\n{HELP}"),
    }
}
