//! `tactum query`.

use anyhow::Result;
use tactum::folder::check_folder_of;
use tactum::query::{AnswerOutcome, Answers, QueryError, query as answer};
use tactum_geometry::words;

use super::Exit;
use super::args::QueryArgs;
use super::console::Console;
use super::run::warn_of_idle_options;

/// Answers a file of overlap cases, into a file or to stdout.
pub fn query(args: &QueryArgs, console: &Console) -> Result<Exit> {
    warn_of_idle_options(&args.backend, console);
    if let Some(Err(error)) = args.out.as_deref().map(check_folder_of) {
        console.error(&error.to_string());
        return Ok(Exit::Unwritten);
    }
    let begin = std::time::Instant::now();
    let answers = match answer(&args.cases, &args.meshes, &args.backend.options(), args.out.as_deref()) {
        Err(error @ (QueryError::Device(_) | QueryError::Cast(_))) => {
            console.error(&error.to_string());
            return Ok(Exit::Device);
        }
        answers => answers?,
    };
    answers.warnings.iter().for_each(|text| console.warn(text));
    let seconds = begin.elapsed().as_secs_f64();
    match &args.out {
        None => {
            console.result(&answers.to_json());
            console.note(&summary(&answers, seconds));
        }
        Some(path) => {
            if let Err(error) = answers.save(path) {
                console.error(&error.to_string());
                return Ok(Exit::Unwritten);
            }
            console.result(&format!("{}; wrote {}\n", summary(&answers, seconds), words::path(path)));
        }
    }
    Ok(exit_of(&answers, console))
}

fn summary(answers: &Answers, seconds: f64) -> String {
    let by_rays = match answers.n_by_rays() {
        Some(n) => format!(", {n} answered by rays alone"),
        None => String::new(),
    };
    format!(
        "{} {}: {} overlap, {} do not, {} refused{by_rays}; {seconds:.2} s",
        answers.cases.len(),
        if answers.cases.len() == 1 { "case" } else { "cases" },
        answers.n_overlapping(),
        answers.cases.len() - answers.n_overlapping() - answers.n_refused(),
        answers.n_refused()
    )
}

/// Single cases may be refused, but not all.
fn exit_of(answers: &Answers, console: &Console) -> Exit {
    let refused = |outcome: &AnswerOutcome| match outcome {
        AnswerOutcome::Refused { error } => Some(error.clone()),
        AnswerOutcome::Measured(_) => None,
    };
    match answers.cases.first().and_then(|case| refused(&case.outcome)) {
        Some(first) if answers.n_refused() == answers.cases.len() => {
            console.error(&format!("every case was refused; the first because {first}"));
            Exit::BadInput
        }
        _ => Exit::Fine,
    }
}
