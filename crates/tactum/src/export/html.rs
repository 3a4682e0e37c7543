//! A run as a page for people.

use super::{Claim, ExportError};
use crate::files::write_whole;
use crate::page::of_run;
use crate::recorded::Recorded;

/// Writes the page of a run.
///
/// # Errors
/// If the run cannot be read, or the file not written.
pub fn write_html(run: &Recorded, claim: &Claim<'_>) -> Result<(), ExportError> {
    claim.file(run)?;
    write_whole(claim.path, of_run(run)?.to_html().as_bytes()).map_err(ExportError::write(claim.path))
}
