//! The closing table for people, and the verdict on what was expected.

use std::fmt::Write as _;

use tactum_geometry::words;

use super::{BodyReport, JointReport, OverlapsReport, PhasesReport, RunReport, TimingsReport};
use crate::backend::{FACETS, FacetShare, OverlapTimes, in_words};
use crate::expect::Failure;

/// Bodies listed one by one in the closing table; of larger scenes it shows the first ones.
const LISTED_BODIES: usize = 12;

/// The closing table for people.
pub fn closing_table(report: &RunReport) -> String {
    let mut text = String::new();
    let mut rows = vec![
        ("scene", report.scene.clone()),
        (
            "time",
            format!(
                "{:.4} s in {} of {} s",
                report.time,
                words::counted(report.steps, "step", "steps"),
                report.dt
            ),
        ),
        (
            "wall time",
            format!(
                "{:.2} s ({:.2} times real time), backend {}",
                report.wall_s,
                report.pace(),
                report.backend
            ),
        ),
        ("solver", solver_row(report)),
        (
            "energy",
            format!("kinetic {:.3e} J, potential {:.6} J", report.energy.kinetic, report.energy.potential),
        ),
        ("contacts", contacts_row(report)),
        ("state", report.state_hash.clone()),
    ];
    if !report.joints.is_empty() {
        rows.push(("joints", joints_row(report)));
    }
    rows.extend(report.adapter.clone().map(|adapter| ("device", adapter)));
    if report.overlaps.share.questions > 0 {
        rows.push(("rays", rays_row(report)));
    }
    let of_facets = report.recoveries.iter().filter(|(cause, _)| cause.starts_with(FACETS));
    let of_facets: Vec<String> = of_facets.map(|(cause, n)| format!("{n} {cause}")).collect();
    if report.facets.by_stages > 0 || !of_facets.is_empty() {
        rows.push(("facets", facets_row(report, &of_facets.join(", "))));
    }
    for (name, value) in rows {
        let _ = writeln!(text, "{name:>9}  {value}");
    }
    list_spreads(&mut text, report);
    list_bodies(&mut text, report);
    text
}

/// What the times, sweeps and errors of the steps were: each a line with median, mean, what 95 % of the steps do not exceed, largest.
fn list_spreads(text: &mut String, report: &RunReport) {
    type Phase = fn(&PhasesReport) -> f64;
    let TimingsReport { median, mean, p95, max, .. } = &report.timings_ms;
    text.push('\n');
    let phases: [(&str, Phase); 6] = [
        ("step", |t| t.step),
        ("broad", |t| t.broad),
        ("detect", |t| t.detect),
        ("assemble", |t| t.assemble),
        ("solve", |t| t.solve),
        ("integrate", |t| t.integrate),
    ];
    let mut line = |name: &str, cells: [String; 4], unit: &str| {
        let [a, b, c, d] = cells;
        let _ =
            writeln!(text, "{}", format!("{name:>14}  {a:>9}  {b:>9}  {c:>9}  {d:>9}  {unit}").trim_end());
    };
    line("of a step", ["median", "mean", "95 %", "largest"].map(str::to_owned), "");
    for (name, of) in phases {
        line(name, [median, mean, p95, max].map(|times| format!("{:.3}", of(times))), "ms");
    }
    let s = &report.solver;
    let sweeps = [s.sweeps_median, s.sweeps_mean, s.sweeps_p95, f64::from(s.sweeps_max)];
    line("sweeps", sweeps.map(|n| words::number((10.0 * n).round() / 10.0)), "");
    let norms = [s.update_norm_median, s.update_norm_mean, s.update_norm_p95, s.update_norm_max];
    line("update norm", norms.map(|x| format!("{x:.1e}")), "N s");
    let errors = [s.velocity_error_median, s.velocity_error_mean, s.velocity_error_p95, s.velocity_error_max];
    line("velocity error", errors.map(|x| format!("{x:.1e}")), "m/s, estimated");
}

/// How many steps ran out of sweeps, and in how many of them that matters.
fn solver_row(report: &RunReport) -> String {
    if report.solver.substeps_max > 0 {
        let (mean, max) = (report.solver.substeps_mean, report.solver.substeps_max);
        let again = match report.solver.substeps_redone {
            0 => String::new(),
            n => format!(", {n} looked at once more"),
        };
        return format!("{mean:.1} sub-steps a step, {max} at most{again}");
    }
    let [unconverged, unsolved] = [report.solver.unconverged_steps, report.solver.unsolved_steps];
    match unconverged {
        0 => "no step ran out of sweeps".to_owned(),
        n => {
            format!("{} ran out of sweeps, {unsolved} of them not solved", words::counted(n, "step", "steps"))
        }
    }
}

/// How many pairs of meshes the device, or its twin, answered alone, and why not the others.
fn rays_row(report: &RunReport) -> String {
    let OverlapsReport { share, stages_s, again_s, again_by_cause_s } = &report.overlaps;
    let times = OverlapTimes { stages: *stages_s, again: *again_s, by_cause: again_by_cause_s.clone() };
    let causes = report.recoveries.iter().filter(|(cause, _)| !cause.starts_with(FACETS));
    let causes = causes.map(|(cause, n)| (cause.as_str(), *n));
    in_words(report.adapter.is_some(), *share, &times, causes)
}

/// How many questions about facets the stages answered, and why not the others that they were asked.
fn facets_row(report: &RunReport, causes: &str) -> String {
    let FacetShare { questions, by_stages, lists_grown, substeps_alone, goes } = report.facets;
    let part = 100.0 * by_stages as f64 / questions.max(1) as f64;
    let asked = words::counted(questions, "question", "questions");
    let mut row = format!("{part:.1} % of {asked} answered by the stages");
    if goes > 0 {
        let [substeps, goes] =
            [words::counted(substeps_alone, "sub-step", "sub-steps"), words::counted(goes, "go", "goes")];
        let _ = write!(row, ", and {substeps} in {goes} without any");
    }
    if lists_grown > 0 {
        let _ = write!(row, ", lists grown {}", words::counted(lists_grown, "time", "times"));
    }
    if !causes.is_empty() {
        let _ = write!(row, "; exactly: {causes}");
    }
    row
}

fn contacts_row(report: &RunReport) -> String {
    let most = |depths: &mut dyn Iterator<Item = f64>| depths.fold(0.0, f64::max);
    let mean = most(&mut report.contacts.iter().map(|contact| contact.depth));
    let deepest = most(&mut report.contacts.iter().map(|contact| contact.deepest));
    let last = match report.contacts.len() {
        0 => "none in the last step".to_owned(),
        n => format!("{n} in the last step, mean depth at most {mean:.2e} m, deepest {deepest:.2e} m"),
    };
    match (&report.depth.bodies, report.depth.time) {
        (Some([a, b]), Some(time)) => {
            format!("{last}; of the run {:.2e} m ('{a}', '{b}', {time:.4} s)", report.depth.deepest)
        }
        _ => last,
    }
}

fn joints_row(report: &RunReport) -> String {
    let broken = report.joints.iter().filter(|joint| joint.broken).count();
    let force = |joint: &JointReport| glam::DVec3::from_array(joint.force).length();
    let largest = report.joints.iter().map(force).fold(0.0, f64::max);
    let broken = if broken > 0 { format!(", {broken} broken") } else { String::new() };
    format!("{}{broken}, largest force in the last step {largest:.3e} N", report.joints.len())
}

fn list_bodies(text: &mut String, report: &RunReport) {
    let moving: Vec<&BodyReport> = report.bodies.iter().filter(|body| body.mass.is_some()).collect();
    if moving.is_empty() {
        return;
    }
    let width =
        moving.iter().take(LISTED_BODIES).map(|body| body.name.chars().count()).max().unwrap_or(0).max(4);
    let _ = writeln!(
        text,
        "\n{:>width$}  {:>34}  {:>10}  {:>10}",
        "body", "shape origin [m]", "speed m/s", "spin rad/s"
    );
    for body in moving.iter().take(LISTED_BODIES) {
        let [x, y, z] = body.position;
        let length = |v: [f64; 3]| glam::DVec3::from_array(v).length();
        let _ = writeln!(
            text,
            "{:>width$}  {x:>10.5}  {y:>10.5}  {z:>10.5}  {:>10.2e}  {:>10.2e}",
            body.name,
            length(body.linear_velocity),
            length(body.angular_velocity)
        );
    }
    if moving.len() > LISTED_BODIES {
        let _ =
            writeln!(text, "{:>width$}  ({} more; --json lists all)", "...", moving.len() - LISTED_BODIES);
    }
}

/// Failures listed one by one in the verdict.
const LISTED_FAILURES: usize = 20;

/// The verdict on the expectations, one line each for those that failed; empty for a scene that expects nothing.
pub fn verdict(report: &RunReport, n_expectations: usize) -> String {
    let mut text = String::new();
    if n_expectations == 0 {
        return text;
    }
    if report.expect.passed {
        let _ = writeln!(text, "{:>9}  all {n_expectations} met", "expected");
    }
    if let Some(why) = &report.expect.open {
        let _ = writeln!(text, "{:>9}  open: {why}", "expected");
    }
    for failure in report.expect.failed.iter().take(LISTED_FAILURES) {
        let Failure { expectation, time, message } = failure;
        let _ = writeln!(text, "{:>9}  expect[{expectation}] at {time:.4} s: {message}", "FAILED");
    }
    match report.expect.failed.len().saturating_sub(LISTED_FAILURES) {
        0 => {}
        more => {
            let _ = writeln!(text, "{:>9}  {more} more; --json lists all", "...");
        }
    }
    text
}
