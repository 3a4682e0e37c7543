//! `tactum batch` and `tactum merge`.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use serde_json::json;
use tactum::backend::Backend;
use tactum::batch::{BatchError, BatchOptions, BatchOutcome, News, Progress, Sweep, run_batch};
use tactum::scene::SceneError;
use tactum_geometry::words;

use super::Exit;
use super::args::{BatchArgs, MergeArgs};
use super::console::Console;
use super::signals::Signals;

/// Runs that step together on a device, unless it is said otherwise: enough to fill a submission.
const TOGETHER: usize = 256;

/// Runs a sweep.
pub fn batch(args: &BatchArgs, signals: &Signals, console: &Console) -> Exit {
    let sweep = match Sweep::load(&args.sweep) {
        Ok(sweep) => sweep,
        Err(error) => return failed(&error, console),
    };
    let backend = args.backend.options();
    let on_processor = matches!(backend.backend, Backend::Exact | Backend::Auto);
    let options = BatchOptions {
        out: args.out.clone(),
        shard: args.shard,
        resume: args.resume,
        overwrite: args.overwrite,
        csv: args.csv,
        checkpoint_every: args.checkpoint_every,
        backend,
        threads: rayon::current_num_threads(),
        together: args.together.map_or(if on_processor { 1 } else { TOGETHER }, usize::from),
    };
    let teller = Teller::new(console);
    match run_batch(&sweep, &options, signals.take_over(), &|news| teller.tell(&news)) {
        Ok(outcome) => {
            teller.end();
            report(args, &sweep, &outcome, console)
        }
        Err(error) => {
            teller.end();
            failed(&error, console)
        }
    }
}

/// Puts shards together.
pub fn merge(args: &MergeArgs, console: &Console) -> Exit {
    match tactum::batch::merge(&args.shards, &args.out, args.overwrite, args.csv) {
        Ok(merged) => {
            let files: Vec<String> = merged.files.iter().map(|path| words::path(path)).collect();
            let (n, failed) = (merged.n_runs, merged.n_failed);
            console.result(&format!("{n} runs, {failed} failed; wrote {}\n", files.join(", ")));
            Exit::Fine
        }
        Err(error) => failed(&error, console),
    }
}

fn failed(error: &BatchError, console: &Console) -> Exit {
    match error {
        BatchError::Sweep(error) => console.scene_error(error),
        BatchError::Scene { run, error: error @ (SceneError::Faults(_) | SceneError::Overrides { .. }) } => {
            console.error(&format!("run {run} of the sweep makes no scene:"));
            console.scene_error(error);
        }
        error => console.error(&error.to_string()),
    }
    match error {
        BatchError::Device(_) => Exit::Device,
        error if error.is_of_writing() => Exit::Unwritten,
        _ => Exit::BadInput,
    }
}

/// What came of a batch, on stdout.
fn report(args: &BatchArgs, sweep: &Sweep, outcome: &BatchOutcome, console: &Console) -> Exit {
    let BatchOutcome { progress, resumed, is_whole, unmet, steps, split, wall, files } = outcome;
    let Progress { done, failed, total } = progress;
    let files: Vec<String> = files.iter().map(|path| words::path(path)).collect();
    if args.json {
        let report = json!({
            "sweep": sweep.name(),
            "shard": args.shard.to_string(),
            "runs": total,
            "done": done,
            "failed": failed,
            "resumed": resumed,
            "unmet": unmet,
            "steps": steps,
            "wall_s": wall,
            "threads_s": { "prepare": split.prepare, "step": split.step, "write": split.write },
            "files": files,
        });
        console.result(&format!("{report:#}\n"));
    } else {
        let new = done - resumed;
        let mut text = format!(
            "{done} of {total} runs, {failed} failed; {new} runs and {steps} steps in {wall:.2} s, {:.1} runs/s and {:.0} steps/s\n",
            new as f64 / wall,
            *steps as f64 / wall
        );
        text += &format!(
            "threads: {:.2} s preparing, {:.2} s stepping, {:.2} s writing\n",
            split.prepare, split.step, split.write
        );
        console.result(&text);
    }
    if !files.is_empty() {
        console.note(&format!("wrote {}", files.join(", ")));
    }
    if !is_whole {
        console.note(&format!(
            "interrupted after {done} of {total} runs; the same command with --resume goes on from there"
        ));
        return Exit::Stopped;
    }
    if *failed > 0 {
        let folder = words::path(&args.out.join("failed"));
        console.error(&format!(
            "{} failed; their scenes are in {folder}",
            words::counted(*failed, "run", "runs")
        ));
        return Exit::Stopped;
    }
    if *unmet > 0 {
        console.error(&format!("expectations were not met in {}", words::counted(*unmet, "run", "runs")));
        return Exit::Unexpected;
    }
    Exit::Fine
}

/// Says on stderr how far a batch has come: a bar on a terminal, a line now and then elsewhere.
struct Teller<'c> {
    console: &'c Console,
    begin: Instant,
    told: Mutex<Told>,
}

struct Told {
    bar: Option<ProgressBar>,
    /// Runs that were there before the first news.
    before: u64,
    last: Instant,
    n_failures: u64,
}

impl<'c> Teller<'c> {
    fn new(console: &'c Console) -> Self {
        let begin = Instant::now();
        let told = Told { bar: None, before: 0, last: begin, n_failures: 0 };
        Self { console, begin, told: told.into() }
    }

    fn tell(&self, news: &News) {
        /// Failures that are told one by one; all are in the tables.
        const TOLD: u64 = 10;
        /// Time between two lines where there is no terminal.
        const EVERY: Duration = Duration::from_secs(10);
        let mut told = self.told.lock().expect("no thread panics");
        match news {
            News::Failed(failed) => {
                told.n_failures += 1;
                if told.n_failures <= TOLD {
                    let why = failed.why.lines().next().unwrap_or_default();
                    self.console.warn(&format!(
                        "run {} failed: {why} ({})",
                        failed.run,
                        words::path(&failed.repro)
                    ));
                } else if told.n_failures == TOLD + 1 {
                    self.console.warn("more runs fail, which are not told one by one");
                }
            }
            News::Warning(warning) => self.console.fault(warning),
            News::Doubt(doubt) => self.console.warn(&format!("run 0: {doubt}")),
            News::Trouble(why) => self.console.warn(&format!(
                "the device was given up and overlaps were measured exactly from then on: {why}"
            )),
            News::Progress(Progress { done, failed, total }) => {
                if told.bar.is_none() {
                    told.before = done.saturating_sub(1);
                    told.bar = Some(self.console.progress("run", told.before, *total));
                }
                let bar = told.bar.as_ref().expect("it is there now");
                bar.set_position(*done);
                bar.set_message(format!("{failed} failed"));
                if bar.is_hidden() && told.last.elapsed() > EVERY {
                    told.last = Instant::now();
                    let rate = (done - told.before) as f64 / self.begin.elapsed().as_secs_f64();
                    let left = (total - done) as f64 / rate;
                    let text = format!(
                        "{done} of {total} runs, {failed} failed, {rate:.1} runs/s, {left:.0} s left"
                    );
                    self.console.note(&text);
                }
            }
        }
    }

    fn end(&self) {
        if let Some(bar) = &self.told.lock().expect("no thread panics").bar {
            bar.finish_and_clear();
        }
    }
}
