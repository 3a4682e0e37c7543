//! Signals that end a run: Ctrl-C, SIGTERM from whoever shuts down, SIGHUP from a terminal that closes.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use super::Exit;

/// A flag that is set by the first signal, from now on; until now signals end the program as they always do.
///
/// A second Ctrl-C ends the program at once. Other signals may come in pairs without anybody wanting that: a closed
/// terminal tells its shell and the program, the shell the program as well.
///
/// # Errors
/// If the system does not let signals be handled.
pub fn interrupt_flag() -> io::Result<Arc<AtomicBool>> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let by_hand = Arc::new(AtomicBool::new(false));
    flag::register_conditional_shutdown(SIGINT, Exit::Stopped as i32, by_hand.clone())?;
    flag::register(SIGINT, by_hand)?;
    flag::register(SIGINT, interrupted.clone())?;
    flag::register(SIGTERM, interrupted.clone())?;
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGHUP, signal::SIGXFSZ};
        if !is_ignored(SIGHUP) {
            flag::register(SIGHUP, interrupted.clone())?;
        }
        // A file that may not grow is an error of the one who writes, not the end of the program.
        flag::register(SIGXFSZ, Arc::default())?;
    }
    Ok(interrupted)
}

/// Whether this program was started with a signal ignored, as `nohup` does; known on Linux only.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let Ok(status) = std::fs::read_to_string("/proc/self/status") else { return false };
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}
