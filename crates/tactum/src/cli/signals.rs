//! Signals that end the program: Ctrl-C, SIGTERM from whoever shuts down, SIGHUP from a terminal that closes.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::{flag, low_level};

use super::Exit;
use super::console::Console;

/// What becomes of signals: the program ends with a word, unless a run has taken over and ends by itself.
pub struct Signals {
    interrupted: Arc<AtomicBool>,
    taken_over: Arc<AtomicBool>,
}

impl Signals {
    /// Takes notice of signals from now on. Where the system does not allow that, they end the program as they always do. One that
    /// whoever started the program has it ignore stays ignored.
    ///
    /// A second Ctrl-C ends the program at once. Other signals may come in pairs without anybody wanting that: a closed
    /// terminal tells its shell and the program, the shell the program as well.
    pub fn watch(console: &Console) -> Self {
        let signals = Self { interrupted: Arc::default(), taken_over: Arc::default() };
        let watched = register(&signals.interrupted).and_then(|()| {
            let (interrupted, taken_over) = (signals.interrupted.clone(), signals.taken_over.clone());
            let is_quiet = console.is_quiet();
            thread::Builder::new()
                .name("signals".to_owned())
                .spawn(move || end_when(&interrupted, &taken_over, is_quiet))
        });
        if let Err(error) = watched {
            console.warn(&format!("signals may not end the program in order: {error}"));
        }
        signals
    }

    /// The flag that the first signal sets, for a run that ends by itself when it is set, with a report of what was reached.
    pub fn take_over(&self) -> &AtomicBool {
        self.taken_over.store(true, Ordering::Relaxed);
        &self.interrupted
    }
}

/// Ends the program when a signal comes before somebody has taken over.
fn end_when(interrupted: &AtomicBool, taken_over: &AtomicBool, is_quiet: bool) {
    /// How soon a signal is noticed: at once for people, seldom for a processor.
    const LOOK: Duration = Duration::from_millis(20);
    while !taken_over.load(Ordering::Relaxed) {
        if interrupted.load(Ordering::Relaxed) {
            if !is_quiet {
                let _ = io::stderr().write_all(b"interrupted before there was a result\n");
            }
            // Other threads are at work: nothing of the program is torn down under them.
            low_level::exit(Exit::Stopped as i32);
        }
        thread::sleep(LOOK);
    }
}

fn register(interrupted: &Arc<AtomicBool>) -> io::Result<()> {
    if !is_ignored(SIGINT) {
        let by_hand = Arc::new(AtomicBool::new(false));
        flag::register_conditional_shutdown(SIGINT, Exit::Stopped as i32, by_hand.clone())?;
        flag::register(SIGINT, by_hand)?;
        flag::register(SIGINT, interrupted.clone())?;
    }
    if !is_ignored(SIGTERM) {
        flag::register(SIGTERM, interrupted.clone())?;
    }
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGHUP, signal::SIGXFSZ};
        if !is_ignored(SIGHUP) {
            flag::register(SIGHUP, interrupted.clone())?;
        }
        // A file that may not grow is an error of the one who writes, not the end of the program.
        flag::register(SIGXFSZ, Arc::default())?;
    }
    Ok(())
}

/// Whether this program was started with a signal ignored, as `nohup` does and a shell for what it starts in the background; it
/// stays ignored then. Known on Linux only.
fn is_ignored(signal: i32) -> bool {
    let Ok(status) = std::fs::read_to_string("/proc/self/status") else { return false };
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}
