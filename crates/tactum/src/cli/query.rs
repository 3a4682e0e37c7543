//! `tactum query`.

use anyhow::Result;
use tactum::query::{QueryError, query as answer};

use super::Exit;
use super::args::QueryArgs;
use super::console::Console;
use super::run::warn_of_rays;

/// Answers a file of overlap cases.
pub fn query(args: &QueryArgs, console: &Console) -> Result<Exit> {
    warn_of_rays(&args.backend, console);
    let begin = std::time::Instant::now();
    let answers = match answer(&args.cases, &args.meshes, &args.backend.options()) {
        Err(error @ (QueryError::Device(_) | QueryError::Cast(_))) => {
            console.error(&error.to_string());
            return Ok(Exit::Device);
        }
        answers => answers?,
    };
    answers.save(&args.out)?;
    console.result(&format!(
        "{} cases: {} overlap, {} do not, {} refused; {:.2} s; wrote {}\n",
        answers.cases.len(),
        answers.n_overlapping(),
        answers.cases.len() - answers.n_overlapping() - answers.n_refused(),
        answers.n_refused(),
        begin.elapsed().as_secs_f64(),
        args.out.display()
    ));
    Ok(Exit::Fine)
}
