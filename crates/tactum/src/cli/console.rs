//! What goes to the two output streams. A reader that has gone away is never an error; a result that cannot be written for
//! another reason is one.

use std::io::{self, IsTerminal, Write};
use std::sync::OnceLock;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use miette::{GraphicalReportHandler, GraphicalTheme};
use tactum::scene::{Fault, SceneError};

/// The streams, and how much to say.
pub struct Console {
    quiet: bool,
    /// Why results did not reach stdout, the first time.
    unwritten: OnceLock<io::Error>,
}

impl Console {
    /// A console; a quiet one says only results and errors.
    pub fn new(quiet: bool) -> Self {
        Self { quiet, unwritten: OnceLock::new() }
    }

    /// Whether only results and errors are said.
    pub fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Prints a result on stdout.
    pub fn result(&self, text: &str) {
        let mut stdout = io::stdout().lock();
        self.written(stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()));
    }

    /// Takes note of how writing to stdout went.
    pub fn written(&self, outcome: io::Result<()>) {
        if let Err(error) = outcome
            && error.kind() != io::ErrorKind::BrokenPipe
        {
            // The first failure explains those that follow.
            let _ = self.unwritten.set(error);
        }
    }

    /// Why results did not reach stdout, if they did not.
    pub fn unwritten(&self) -> Option<&io::Error> {
        self.unwritten.get()
    }

    /// Prints an error on stderr.
    pub fn error(&self, text: &str) {
        say(&format!("error: {text}\n"));
    }

    /// Prints a warning on stderr, unless quiet.
    pub fn warn(&self, text: &str) {
        if !self.quiet {
            say(&format!("warning: {text}\n"));
        }
    }

    /// Prints a remark on stderr, unless quiet.
    pub fn note(&self, text: &str) {
        if !self.quiet {
            say(&format!("{text}\n"));
        }
    }

    /// Prints why a scene cannot be used, quoting the lines.
    pub fn scene_error(&self, error: &SceneError) {
        match error {
            SceneError::Faults(faults) => faults.iter().for_each(|fault| self.fault(fault)),
            SceneError::Overrides { paths, faults } => {
                self.error(&format!("cannot set {}:", tactum::scene::named_paths(paths)));
                faults.iter().for_each(|fault| self.fault(fault));
            }
            error => self.error(&error.to_string()),
        }
    }

    /// Prints a fault of a scene with the lines it is about; a warning only if not quiet.
    pub fn fault(&self, fault: &Fault) {
        if fault.is_warning() && self.quiet {
            return;
        }
        let kind = if fault.is_warning() { "warning" } else { "error" };
        let theme = if io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none() {
            GraphicalTheme::unicode()
        } else {
            GraphicalTheme::unicode_nocolor()
        };
        let mut text = format!("{kind}: {}\n", fault.location());
        // Writing into a string does not fail.
        let _ = GraphicalReportHandler::new_themed(theme).with_width(110).render_report(&mut text, fault);
        say(&text);
    }

    /// A progress bar with the time left, on a terminal; an invisible one elsewhere. `what` is counted.
    pub fn progress(&self, what: &str, done: u64, total: u64) -> ProgressBar {
        // Redrawing ten times a second costs nothing and looks smooth.
        const REDRAWS_PER_SECOND: u8 = 10;
        let target = if self.quiet || !io::stderr().is_terminal() {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::stderr_with_hz(REDRAWS_PER_SECOND)
        };
        let style = ProgressStyle::with_template(&format!(
            "{{wide_bar:.cyan/blue}} {{percent:>3}} %  {what} {{pos}}/{{len}}  {{msg}}  {{eta}} left"
        ))
        .expect("the template names known keys only");
        let bar = ProgressBar::with_draw_target(Some(total), target).with_style(style).with_position(done);
        bar.reset_eta();
        bar
    }
}

fn say(text: &str) {
    let mut stderr = io::stderr().lock();
    let _ = stderr.write_all(text.as_bytes());
}
