//! How many threads compute.

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use super::console::Console;

/// Does some work with as many threads as are wanted, or else as there are processors. More than these only wait for each
/// other. Where threads cannot be started, the present one does all.
///
/// # Errors
/// If not even that is possible.
pub fn with_threads<R: Send>(
    wanted: Option<u16>,
    console: &Console,
    work: impl FnOnce() -> R + Send,
) -> Result<R, ThreadPoolBuildError> {
    let n_processors = std::thread::available_parallelism().map_or(1, usize::from);
    let n = wanted.map_or(n_processors, |n| usize::from(n).min(n_processors));
    if wanted.is_some_and(|wanted| usize::from(wanted) > n) {
        console.note(&format!("computing with {n} threads, as many as there are processors"));
    }
    let pool = match ThreadPoolBuilder::new().num_threads(n).build() {
        Ok(pool) => pool,
        Err(error) => {
            console.warn(&format!("going on with one thread, because {n} cannot be started: {error}"));
            present_thread()?
        }
    };
    Ok(pool.install(work))
}

fn present_thread() -> Result<ThreadPool, ThreadPoolBuildError> {
    ThreadPoolBuilder::new().num_threads(1).use_current_thread().build()
}
