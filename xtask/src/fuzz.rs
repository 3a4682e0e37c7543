//! `cargo xtask fuzz`: the random tests over and over, each time with new cases.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::run::{cargo, output, root};

/// The environment variables that `tests/random` reads.
const SEED: &str = "TACTUM_FUZZ_SEED";
const TIMES: &str = "TACTUM_FUZZ_TIMES";

/// How long to go on where nothing else is said.
const SECONDS: u64 = 60;

/// What is asked for.
struct Options {
    /// New rounds begin until so much time is over; `None` is one round.
    time: Option<Duration>,
    /// Seed of the first round; each round takes the next.
    seed: u64,
    /// Each test's number of cases is multiplied by this.
    times: u64,
    /// Parts of the names of the tests to run; all of them where there are none.
    names: Vec<String>,
}

impl Options {
    fn parse(args: &[String]) -> Result<Self> {
        let (mut seconds, mut seed, mut times, mut names) = (None, None, 1, Vec::new());
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            let mut number = || -> Result<u64> {
                let text = args.next().with_context(|| format!("{arg} needs a whole number behind it"))?;
                text.parse().with_context(|| format!("{arg} needs a whole number, not '{text}'"))
            };
            match arg.as_str() {
                "--seconds" => seconds = Some(number()?),
                "--seed" => seed = Some(number()?),
                "--times" => times = number()?.max(1),
                _ if arg.starts_with('-') => bail!("`cargo xtask fuzz` has no option '{arg}'"),
                _ => names.push(arg.clone()),
            }
        }
        // A seed alone repeats what was drawn from it.
        let seconds = seconds.or(if seed.is_some() { None } else { Some(SECONDS) });
        let seed = seed.unwrap_or_else(new_seed);
        Ok(Self { time: seconds.map(Duration::from_secs), seed, times, names })
    }
}

/// A seed that no run before had: the time, short enough to be typed in.
fn new_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(1, |now| now.as_secs() % 100_000_000 * 100)
}

/// The random tests of the workspace.
#[derive(Default)]
struct Tests {
    /// What they are built into, as arguments for cargo: `--lib`, or `--test` and a name.
    targets: BTreeSet<Vec<String>>,
    /// The last parts of their names.
    names: BTreeSet<String>,
}

/// What one or more rounds did.
#[derive(Debug, Default, PartialEq, Eq)]
struct Outcome {
    n_rounds: u64,
    n_runs: u64,
    n_cases: u64,
    /// Tests that failed, with the seed of the round.
    failures: Vec<(String, u64)>,
}

/// Runs the random tests as the arguments say; fails if one of them fails.
pub fn fuzz(args: &[String]) -> Result<()> {
    let outcome = run(&Options::parse(args)?)?;
    if outcome.failures.is_empty() { Ok(()) } else { bail!("{} random tests failed", outcome.failures.len()) }
}

/// The same for so long, with whatever is found printed and nothing else coming of it.
pub fn report(seconds: u64) {
    let options = Options::parse(&["--seconds".to_owned(), seconds.to_string()]);
    match options.and_then(|options| run(&options)) {
        Ok(outcome) if outcome.failures.is_empty() => {}
        Ok(_) => eprintln!("FUZZ: this does not fail the run: the cases are new, and the fixed ones passed"),
        Err(error) => eprintln!("FUZZ: NOT RUN: {error:#}"),
    }
}

fn run(options: &Options) -> Result<Outcome> {
    let mut tests = Tests::default();
    for folder in ["crates", "shaders", "tests"] {
        collect(&root().join(folder), &mut tests)?;
    }
    let names = built(&tests, &options.names)?;
    let start = Instant::now();
    let mut outcome = Outcome::default();
    for seed in options.seed.. {
        round(&tests, &names, seed, options.times, &mut outcome)?;
        if options.time.is_none_or(|time| start.elapsed() >= time) {
            break;
        }
    }
    let Outcome { n_rounds, n_runs, n_cases, failures } = &outcome;
    let last = options.seed + n_rounds - 1;
    eprintln!(
        "FUZZ: {n_cases} cases of {} tests, seeds {} to {last}, {:.0} s: {} of {n_runs} runs failed",
        names.len(),
        options.seed,
        start.elapsed().as_secs_f64(),
        failures.len()
    );
    let times = if options.times == 1 { String::new() } else { format!(" --times {}", options.times) };
    for (name, seed) in failures {
        eprintln!("FUZZ: FAILED {name}; again by `cargo xtask fuzz --seed {seed}{times} {name}`");
    }
    Ok(outcome)
}

/// Builds the tests and returns their full names, of those asked for.
fn built(tests: &Tests, wanted: &[String]) -> Result<Vec<String>> {
    let list = output(runner(tests).args(["--", "--list", "--format", "terse"]))?;
    let list = String::from_utf8(list).context("the names of the tests are not text")?;
    let all = list.lines().filter_map(|line| line.strip_suffix(": test"));
    let mut missing = tests.names.clone();
    let mut found = Vec::new();
    for name in all {
        let last = name.rsplit("::").next().unwrap_or(name);
        missing.remove(last);
        let is_wanted = wanted.is_empty() || wanted.iter().any(|part| name.contains(part.as_str()));
        if tests.names.contains(last) && is_wanted {
            found.push(name.to_owned());
        }
    }
    if !missing.is_empty() {
        bail!("these tests draw random numbers, and no target has them: {missing:?}");
    }
    if found.is_empty() {
        bail!("no random test has a name with {wanted:?} in it");
    }
    Ok(found)
}

/// Finds the tests in the sources, by the words that they draw with.
fn collect(folder: &Path, tests: &mut Tests) -> Result<()> {
    for entry in std::fs::read_dir(folder).with_context(|| format!("could not read {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, tests)?;
        } else if path.extension() == Some(OsStr::new("rs")) {
            let text = std::fs::read_to_string(&path)
                .with_context(|| format!("could not read {}", path.display()))?;
            let names = drawing(&text).with_context(|| path.display().to_string())?;
            if !names.is_empty() {
                tests.targets.insert(target_of(&path)?);
                tests.names.extend(names);
            }
        }
    }
    Ok(())
}

/// Names of the tests of a source file that draw: all of a `proptest!` block, and those that ask for an `Rng`.
fn drawing(text: &str) -> Result<Vec<String>> {
    let mut names = Vec::new();
    let (mut in_block, mut is_configured, mut is_test) = (false, false, false);
    let mut name: Option<&str> = None;
    for line in text.lines() {
        let words = line.trim_start();
        if line.starts_with("proptest! {") {
            (in_block, is_configured) = (true, false);
        } else if line == "}" {
            in_block = false;
        } else if words.starts_with("#![proptest_config(tactum_random::config(") {
            is_configured = true;
        } else if words.starts_with("#[test]") {
            (is_test, name) = (true, None);
        } else if let Some(rest) = words.strip_prefix("fn ").filter(|_| is_test || words == line) {
            name = rest.split(['(', '<']).next().filter(|_| is_test);
            is_test = false;
            if in_block && !is_configured {
                bail!("a `proptest!` block draws by a seed of its own: give it `tactum_random::config`");
            }
            names.extend(name.take_if(|_| in_block).map(str::to_owned));
        } else if words.contains("Rng::new(") {
            names.extend(name.take().map(str::to_owned));
        }
    }
    Ok(names)
}

/// Where cargo builds a source file into: the unit tests of a library, or a test target, a file or a folder.
fn target_of(path: &Path) -> Result<Vec<String>> {
    let is_package = |folder: &&Path| folder.join("Cargo.toml").is_file();
    let package = path.ancestors().skip(1).find(is_package).context("no package holds it")?;
    let inside: PathBuf = path.strip_prefix(package)?.into();
    let parts: Vec<_> = inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    match parts.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["src", ..] => Ok(vec!["--lib".to_owned()]),
        ["tests", name, ..] => Ok(vec!["--test".to_owned(), name.trim_end_matches(".rs").to_owned()]),
        _ => bail!("{} draws random numbers and is no test", path.display()),
    }
}

/// `cargo test` of what the tests are built into, with the features of the whole workspace as `cargo xtask test` has
/// them, so that nothing is built twice.
fn runner(tests: &Tests) -> Command {
    let mut command = cargo(&["test", "--workspace", "--no-fail-fast"]);
    command.args(tests.targets.iter().flatten());
    command
}

/// Runs each test once.
fn round(tests: &Tests, names: &[String], seed: u64, times: u64, outcome: &mut Outcome) -> Result<()> {
    let mut command = runner(tests);
    command.args(["--", "--show-output", "--exact"]).args(names);
    command.env(SEED, seed.to_string()).env(TIMES, times.to_string());
    // A failure is shrunk by some thousands of further ones, each with a trace that says the same.
    command.env("RUST_BACKTRACE", "0");
    let output = command.output().context("could not start cargo")?;
    let text = String::from_utf8_lossy(&output.stdout);
    let before = outcome.failures.len();
    outcome.add(&text, seed);
    if !output.status.success() {
        eprintln!("{text}");
        if outcome.failures.len() == before {
            bail!("cargo failed: {}", String::from_utf8_lossy(&output.stderr));
        }
    }
    Ok(())
}

impl Outcome {
    /// Adds what the runner of the tests wrote in a round.
    fn add(&mut self, text: &str, seed: u64) {
        self.n_rounds += 1;
        for line in text.lines() {
            if let Some(rest) = line.strip_prefix("random: ") {
                self.n_cases += rest.split(' ').next().and_then(|n| n.parse::<u64>().ok()).unwrap_or(0);
            } else if let Some((name, result)) =
                line.strip_prefix("test ").and_then(|rest| rest.split_once(" ... "))
            {
                self.n_runs += u64::from(result == "ok" || result == "FAILED");
                if result == "FAILED" {
                    self.failures.push((name.to_owned(), seed));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_that_draw_are_found() {
        let text = "\
proptest! {
    #![proptest_config(tactum_random::config(4))]

    #[test]
    fn one(x in 0..3) {
    }
}

#[test]
fn two() {
    let mut rng = Rng::new(1);
    let mut other = Rng::new(2);
}

#[test]
fn fixed() {}

fn helper() -> Rng {
    Rng::new(3)
}

mod tests {
    #[test]
    fn three() {
        let rng = tactum_random::Rng::new(7);
    }
}
";
        assert_eq!(drawing(text).unwrap(), ["one", "two", "three"]);
        assert!(drawing(&text.replace("tactum_random::config", "ProptestConfig::with_cases")).is_err());
    }

    #[test]
    fn outcomes_are_read_from_what_the_runner_writes() {
        let mut outcome = Outcome::default();
        outcome.add(
            "test laws::scale ... ok\ntest laws::swap ... FAILED\nrandom: 400 cases from seed 7; again by `x`\n\
             random: 20 cases from seed 7; again by `x`\ntest result: FAILED. 1 passed",
            7,
        );
        let failures = vec![("laws::swap".to_owned(), 7)];
        assert_eq!(outcome, Outcome { n_rounds: 1, n_runs: 2, n_cases: 420, failures });
    }

    #[test]
    fn a_seed_alone_is_one_round() {
        let parse = |text: &str| Options::parse(&text.split(' ').map(str::to_owned).collect::<Vec<_>>());
        let options = parse("--seed 5 scale").unwrap();
        assert_eq!((options.seed, options.time, options.names.len()), (5, None, 1));
        assert_eq!(parse("--seconds 7").unwrap().time, Some(Duration::from_secs(7)));
        assert!(parse("--seed x").is_err() && parse("--sed 1").is_err() && parse("--seed").is_err());
    }
}
