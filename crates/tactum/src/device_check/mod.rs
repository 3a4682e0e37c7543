//! Whether a device can be trusted: every stage against its twin, and all of them together against the exact method, on
//! cases that are made up here.
//!
//! | module | what it holds |
//! |---|---|
//! | `cases` | shapes, poses, and the two put together |
//! | `stages` | each stage against its twin |
//! | `blocks` | whole measurements against the twins'; the same bits in any order and division |
//! | `accuracy` | rays against exact overlaps |
//! | `balance` | rays through whole bodies enter as often as they leave |
//! | `facets` | the stages of facets: each against its twin, and all together against the exact method |
//! | `drill` | lists that are too short, bad input, a device that goes away |

mod accuracy;
mod balance;
mod blocks;
mod cases;
mod drill;
mod facets;
mod stages;
mod stretch;

use std::time::Instant;

use serde::Serialize;
use tactum_gpu::{Adapter, Gpu, OpenError};
use thiserror::Error;

use cases::{Case, Shapes};

/// What to examine, and how thoroughly.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The device, see [`tactum_gpu::Options::adapter`].
    pub adapter: Option<String>,
    /// A tenth of the cases; none that is deeper than what rests is compared with exact overlaps, or lost with its device.
    pub quick: bool,
}

/// One line of the table.
#[derive(Clone, Debug, Serialize)]
pub struct Check {
    /// What was examined.
    pub name: String,
    /// Number of cases, counted in `of`.
    pub cases: u64,
    /// What a case is.
    pub of: &'static str,
    /// Worst figure, in `unit`.
    pub worst: f64,
    /// What it must not exceed.
    pub limit: f64,
    /// Unit of both.
    pub unit: &'static str,
    /// Whether there were cases and none was too bad.
    pub passed: bool,
    /// Why the check could not be carried out, if it could not.
    pub trouble: Option<String>,
}

/// A figure and what it must not exceed.
#[derive(Clone, Copy, Debug)]
struct Figure {
    worst: f64,
    limit: f64,
    unit: &'static str,
}

impl Figure {
    /// Cases that went wrong, of which there must be none.
    fn faults(n: usize) -> Self {
        Self { worst: n as f64, limit: 0.0, unit: "faults" }
    }
}

impl Check {
    fn new(name: impl Into<String>, (cases, of): (u64, &'static str), figure: Figure) -> Self {
        let Figure { worst, limit, unit } = figure;
        // A figure that is no number is no good either.
        let passed = cases > 0 && worst <= limit;
        Self { name: name.into(), cases, of, worst, limit, unit, passed, trouble: None }
    }

    fn failed(name: &str, trouble: &CheckError) -> Self {
        let check = Self::new(name, (0, "cases"), Figure::faults(1));
        Self { trouble: Some(trouble.to_string()), ..check }
    }
}

/// What came of it.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Version of this program.
    pub version: &'static str,
    /// The device.
    pub adapter: String,
    /// Whether it computes on the processor.
    pub is_software: bool,
    /// Whether all checks passed.
    pub passed: bool,
    /// Wall time \[s\].
    pub seconds: f64,
    /// The checks.
    pub checks: Vec<Check>,
}

/// Why a check could not be carried out.
#[derive(Debug, Error)]
enum CheckError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(transparent)]
    Shape(#[from] tactum_geometry::mesh::generate::GenerateError),
    #[error(transparent)]
    Solid(#[from] tactum_geometry::solid::SolidError),
    #[error(transparent)]
    World(#[from] tactum_sim::SettingsError),
    #[error(transparent)]
    Body(#[from] tactum_sim::BodyError),
    #[error(transparent)]
    Upload(#[from] tactum_gpu::UploadError),
    #[error(transparent)]
    Measure(#[from] tactum_gpu::MeasureError),
    #[error(transparent)]
    Facets(#[from] tactum_gpu::FacetError),
    #[error(transparent)]
    Rounding(#[from] tactum_geometry::facets::RoundingError),
    #[error(transparent)]
    Touch(#[from] tactum_geometry::facets::TouchError),
    #[error(transparent)]
    Unfit(#[from] tactum_geometry::facets::Unfit),
    #[error(transparent)]
    Fault(#[from] tactum_gpu::Fault),
    #[error(transparent)]
    Cast(#[from] crate::backend::RunnerError),
}

/// What every check has at hand.
struct Context<'a> {
    options: &'a Options,
    /// Decides how exact a device has to be, and how much there is to do.
    adapter: Adapter,
    shapes: Shapes,
}

impl Context<'_> {
    /// A number of cases, fewer where there is less time.
    fn some(&self, n: usize) -> usize {
        if self.options.quick { n.div_ceil(10) } else { n }
    }

    /// Cases without the deep ones where there is less time: a software driver measures one of these for up to a minute, and a
    /// contact for 3 s at most.
    fn affordable(&self, mut cases: Vec<Case>) -> Vec<Case> {
        cases.retain(|case| !self.options.quick || !case.is_deep());
        cases
    }

    /// The device, opened anew with other options than usual.
    fn open(&self, mut options: tactum_gpu::Options) -> Result<Gpu, OpenError> {
        options.adapter.clone_from(&self.options.adapter);
        Gpu::open(options)
    }

    fn gpu(&self) -> Result<Gpu, OpenError> {
        self.open(tactum_gpu::Options::default())
    }
}

type Group = (&'static str, fn(&Context<'_>) -> Result<Vec<Check>, CheckError>);

const GROUPS: [Group; 7] = [
    ("stages against their twins", stages::check),
    ("measurements against the twins'", blocks::check),
    ("rays against exact overlaps", accuracy::check),
    ("rays through whole bodies", balance::check),
    ("stages of facets", facets::check),
    ("lists that are too short", drill::check_lists),
    ("bad input and lost devices", drill::check_faults),
];

/// Examines a device; `progress` hears what comes next.
///
/// A device that fails in the middle fails the check, and the next one is tried all the same.
///
/// # Errors
/// If there is no device, or it cannot be used at all.
pub fn run(options: &Options, mut progress: impl FnMut(&str)) -> Result<Report, OpenError> {
    let begin = Instant::now();
    let adapter = Gpu::open(tactum_gpu::Options { adapter: options.adapter.clone(), ..Default::default() })?
        .adapter()
        .clone();
    let is_software = adapter.is_software();
    let name = adapter.to_string();
    progress("making shapes");
    let checks = match Shapes::new() {
        Ok(shapes) => all(&Context { options, adapter, shapes }, progress),
        Err(trouble) => vec![Check::failed("shapes", &trouble)],
    };
    Ok(Report {
        version: env!("CARGO_PKG_VERSION"),
        adapter: name,
        is_software,
        passed: checks.iter().all(|check| check.passed),
        seconds: begin.elapsed().as_secs_f64(),
        checks,
    })
}

fn all(context: &Context<'_>, mut progress: impl FnMut(&str)) -> Vec<Check> {
    let mut checks = Vec::new();
    for (name, check) in GROUPS {
        progress(name);
        checks.extend(check(context).unwrap_or_else(|trouble| vec![Check::failed(name, &trouble)]));
    }
    checks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cases_and_no_number_are_no_success() {
        let figure = |worst| Figure { worst, limit: 1.0, unit: "" };
        assert!(Check::new("", (1, ""), figure(1.0)).passed);
        assert!(!Check::new("", (1, ""), figure(1.1)).passed);
        assert!(!Check::new("", (1, ""), figure(f64::NAN)).passed);
        assert!(!Check::new("", (0, ""), figure(0.0)).passed);
    }
}
