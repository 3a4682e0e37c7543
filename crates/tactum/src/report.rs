//! What a run came to: the object that `--json` prints, and the table for people.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;
use tactum_geometry::words;
use tactum_sim::report::PhaseTimes;
use tactum_sim::{Body, ContactRecord, Joint, JointState, World};

use crate::backend::Detector;
use crate::expect::Failure;
use crate::run::{Outcome, Stop};
use crate::scene::Scene;

/// The result of a run. Scripts depend on the names of the fields; fields may be added, none is renamed.
#[derive(Clone, Debug, Serialize)]
pub struct RunReport {
    /// Name of the scene.
    pub scene: String,
    /// Time step \[s\].
    pub dt: f64,
    /// Steps since the scene's start.
    pub steps: u64,
    /// Simulated time \[s\].
    pub time: f64,
    /// Wall time of the stepping \[s\].
    pub wall_s: f64,
    /// How overlaps were measured.
    pub backend: String,
    /// Name of the device; `None` on the processor.
    pub adapter: Option<String>,
    /// Hash of the final state, 16 hexadecimal digits; equal for runs of the same build, scene and backend.
    pub state_hash: String,
    /// `finished`, `interrupted`, `failed`, `unconverged` or `unwritten`.
    pub status: &'static str,
    /// Why the run could not go on, where it could not.
    pub error: Option<String>,
    /// Median wall times per step \[ms\].
    pub timings_ms: TimingsReport,
    /// How hard the solver worked.
    pub solver: SolverReport,
    /// Energies at the end \[J\].
    pub energy: EnergyReport,
    /// Every body at the end, in the order of the scene.
    pub bodies: Vec<BodyReport>,
    /// Every contact of the last step.
    pub contacts: Vec<ContactReport>,
    /// Every joint after the last step, in the order of the scene.
    pub joints: Vec<JointReport>,
    /// Number of pairs that had to be measured again by another method, by cause.
    pub recoveries: BTreeMap<String, u64>,
    /// What came out as expected.
    pub expect: ExpectReport,
    /// Doubts about the scene, and about how the run ended.
    pub warnings: Vec<String>,
}

/// Median wall time per step of each phase \[ms\].
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct TimingsReport {
    /// Broad phase.
    pub broad: f64,
    /// Overlaps.
    pub detect: f64,
    /// Contact blocks.
    pub assemble: f64,
    /// Sweeps.
    pub solve: f64,
    /// Integration and stabilisation.
    pub integrate: f64,
}

/// How hard the solver worked.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SolverReport {
    /// Mean over the steps of the sweeps of the island that took most.
    pub sweeps_mean: f64,
    /// Largest of them.
    pub sweeps_max: u32,
    /// Largest final update norm, in the unit of the tolerance.
    pub update_norm_max: f64,
    /// Steps in which the sweeps of an island ran out before it was solved: its impulses still changed by more than the tolerance,
    /// or by more than a millionth of themselves.
    pub unconverged_steps: u64,
    /// By how much one more step would change the friction of a contact, the largest, as a part of its coefficient.
    pub friction_residual_max: f64,
    /// Contacts that went without friction because no friction has an answer there, summed over the steps.
    pub frictionless_sum: u64,
}

/// Energies \[J\].
#[derive(Clone, Copy, Debug, Serialize)]
pub struct EnergyReport {
    /// Of all dynamic bodies.
    pub kinetic: f64,
    /// Of all dynamic bodies in gravity, zero at the world's origin.
    pub potential: f64,
}

/// A body at the end.
#[derive(Clone, Debug, Serialize)]
pub struct BodyReport {
    /// Its name.
    pub name: String,
    /// Where the origin of its shape's frame stands, as in the scene \[m\].
    pub position: [f64; 3],
    /// How its shape is turned, unit quaternion.
    pub orientation_xyzw: [f64; 4],
    /// Velocity of its centre of mass \[m/s\].
    pub linear_velocity: [f64; 3],
    /// Angular velocity, world axes \[rad/s\].
    pub angular_velocity: [f64; 3],
    /// Its centre of mass \[m\].
    pub center_of_mass: [f64; 3],
    /// Its mass \[kg\]; `None` where nothing moves it.
    pub mass: Option<f64>,
}

/// A contact of the last step.
#[derive(Clone, Debug, Serialize)]
pub struct ContactReport {
    /// Name of the first body.
    pub a: String,
    /// Name of the second body.
    pub b: String,
    /// Overlap volume \[m³\].
    pub volume: f64,
    /// Normal from `a` to `b`.
    pub normal: [f64; 3],
    /// Centroid of the overlap \[m\].
    pub point: [f64; 3],
    /// Mean depth \[m\].
    pub depth: f64,
    /// Patch area \[m²\].
    pub area: f64,
    /// Impulse on `b` at the point along (n, u, w): three \[N s\], then three \[N m s\].
    pub impulse: [f64; 6],
    /// Tangent axes u and w.
    pub axes: [[f64; 3]; 2],
    /// Centre of pressure along (u, w) from the point \[m\].
    pub cop: [f64; 2],
    /// Number of the region within the pair.
    pub region: u32,
}

/// A joint after the last step.
#[derive(Clone, Debug, Serialize)]
pub struct JointReport {
    /// Its name.
    pub name: String,
    /// Angle \[rad\] or extension \[m\] since the start; of a spherical joint the angle between the axes of its bodies.
    pub coordinate: f64,
    /// Force on the second body, world axes \[N\].
    pub force: [f64; 3],
    /// Torque on it about the anchor, world axes \[N m\].
    pub torque: [f64; 3],
    /// Whether the joint has broken.
    pub broken: bool,
}

/// What came out as expected.
#[derive(Clone, Debug, Serialize)]
pub struct ExpectReport {
    /// Whether everything did; a run that did not come to its end leaves that open, which is no.
    pub passed: bool,
    /// Why it is open whether the rest did, where it is; `None` for a run that came to its end.
    pub open: Option<String>,
    /// What did not, in the order of the scene.
    pub failed: Vec<Failure>,
}

impl ExpectReport {
    fn new(failed: Vec<Failure>, status: &str) -> Self {
        let open = match status {
            "finished" => None,
            "unwritten" => Some("a result could not be written".to_owned()),
            status => Some(format!("the run did not come to its end: {status}")),
        };
        Self { passed: failed.is_empty() && open.is_none(), open, failed }
    }
}

impl RunReport {
    /// The report of a run and of what measured its overlaps.
    pub fn new(scene: &Scene, outcome: &Outcome, detector: &Detector, warnings: Vec<String>) -> Self {
        let world = &outcome.world;
        let (status, error) = match &outcome.stop {
            Stop::Finished => ("finished", None),
            Stop::Interrupted => ("interrupted", None),
            Stop::Failed(error) => ("failed", Some(error.to_string())),
            Stop::Unconverged { steps, limit } => {
                let text = format!("{}; the scene allows {limit}", unsolved(*steps));
                ("unconverged", Some(text))
            }
            Stop::Unwritten(error) => ("unwritten", Some(error.to_string())),
        };
        let dt = world.settings().dt;
        let tally = &outcome.tally;
        let last_contacts = outcome.last.as_ref().map_or(&[][..], |last| &last.contacts);
        Self {
            scene: scene.name(),
            dt,
            steps: tally.steps,
            time: tally.steps as f64 * dt,
            wall_s: outcome.wall,
            backend: detector.backend().to_string(),
            adapter: detector.adapter().map(ToString::to_string),
            state_hash: format!("{:016x}", world.state_hash()),
            status,
            error,
            timings_ms: TimingsReport::medians(outcome.timings.steps()),
            solver: SolverReport {
                sweeps_mean: if tally.steps == 0 {
                    0.0
                } else {
                    tally.sweeps_sum as f64 / tally.steps as f64
                },
                sweeps_max: tally.sweeps_max,
                update_norm_max: tally.update_norm_max,
                unconverged_steps: tally.unconverged_steps,
                friction_residual_max: tally.friction_residual_max,
                frictionless_sum: tally.frictionless_sum,
            },
            energy: EnergyReport { kinetic: world.kinetic_energy(), potential: world.potential_energy() },
            bodies: world.bodies().iter().map(BodyReport::new).collect(),
            contacts: last_contacts.iter().map(|contact| ContactReport::new(world, contact)).collect(),
            joints: JointReport::all(world),
            recoveries: tally.recoveries.clone(),
            expect: ExpectReport::new(outcome.monitor.failures(), status),
            warnings,
        }
    }

    /// Takes note that a result could not be written after the run had ended: that it came to its end is then not known to
    /// whoever reads the results.
    pub fn set_unwritten(&mut self, why: &dyn std::error::Error) {
        if self.error.is_none() {
            self.status = "unwritten";
            self.error = Some(why.to_string());
            self.expect = ExpectReport::new(std::mem::take(&mut self.expect.failed), self.status);
        }
    }

    /// The report as one line of JSON. Numbers that are not finite, which only a failed run can hold, become null.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a report has text keys and no failing serialiser")
    }
}

impl TimingsReport {
    fn medians(steps: &[PhaseTimes]) -> Self {
        let ms = |phase: fn(&PhaseTimes) -> f64| 1e3 * median(steps.iter().map(phase).collect());
        Self {
            broad: ms(|t| t.broad),
            detect: ms(|t| t.detect),
            assemble: ms(|t| t.assemble),
            solve: ms(|t| t.solve),
            integrate: ms(|t| t.integrate),
        }
    }

    fn sum(&self) -> f64 {
        self.broad + self.detect + self.assemble + self.solve + self.integrate
    }
}

/// Median; 0 for no values.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => 0.0,
        n if n % 2 == 1 => values[n / 2],
        n => 0.5 * (values[n / 2 - 1] + values[n / 2]),
    }
}

impl BodyReport {
    fn new(body: &Body) -> Self {
        Self {
            name: body.name.clone(),
            position: body.w_from_shape().translation.to_array(),
            orientation_xyzw: body.orientation.to_array(),
            linear_velocity: body.linear_velocity.to_array(),
            angular_velocity: body.angular_velocity.to_array(),
            center_of_mass: body.position.to_array(),
            mass: (body.kind == tactum_sim::BodyKind::Dynamic).then_some(body.mass.mass),
        }
    }
}

impl ContactReport {
    fn new(world: &World, contact: &ContactRecord) -> Self {
        let [a, b] = contact.bodies.map(|id| world.body(id).name.clone());
        Self {
            a,
            b,
            volume: contact.volume,
            normal: contact.normal.to_array(),
            point: contact.point.to_array(),
            depth: contact.depth,
            area: contact.area,
            impulse: contact.impulse,
            axes: contact.axes.map(|axis| axis.to_array()),
            cop: contact.cop.to_array(),
            region: contact.region,
        }
    }
}

impl JointReport {
    fn all(world: &World) -> Vec<Self> {
        let dt = world.settings().dt;
        let report = |(joint, state): (&Joint, &JointState)| Self {
            name: joint.name.clone(),
            coordinate: state.coordinate,
            force: (state.force / dt).to_array(),
            torque: (state.torque / dt).to_array(),
            broken: state.broken,
        };
        world.joints().iter().zip(world.joint_states()).map(report).collect()
    }
}

/// Bodies listed one by one in the closing table; of larger scenes it shows the first ones.
const LISTED_BODIES: usize = 12;

/// The closing table for people.
pub fn closing_table(report: &RunReport) -> String {
    let mut text = String::new();
    let t = &report.timings_ms;
    let pace = if report.wall_s > 0.0 { report.time / report.wall_s } else { 0.0 };
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
            format!("{:.2} s ({pace:.2} times real time), backend {}", report.wall_s, report.backend),
        ),
        (
            "per step",
            format!(
                "{:.3} ms: broad {:.3}, detect {:.3}, assemble {:.3}, solve {:.3}, integrate {:.3} (medians)",
                t.sum(),
                t.broad,
                t.detect,
                t.assemble,
                t.solve,
                t.integrate
            ),
        ),
        (
            "solver",
            format!(
                "{:.1} sweeps on average, {} at most; update norm at most {:.1e}{}",
                report.solver.sweeps_mean,
                report.solver.sweeps_max,
                report.solver.update_norm_max,
                match report.solver.unconverged_steps {
                    0 => String::new(),
                    n => format!("; {}", unsolved(n)),
                }
            ),
        ),
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
    if !report.recoveries.is_empty() {
        let causes: Vec<String> = report.recoveries.iter().map(|(cause, n)| format!("{n} {cause}")).collect();
        rows.push(("exact", format!("pairs that rays were not trusted with: {}", causes.join(", "))));
    }
    for (name, value) in rows {
        let _ = writeln!(text, "{name:>9}  {value}");
    }
    list_bodies(&mut text, report);
    text
}

/// That so many steps ended unconverged, and what is counted.
fn unsolved(n_steps: u64) -> String {
    format!(
        "{n_steps} {} out of sweeps while impulses changed by more than the tolerance, or a millionth of themselves",
        if n_steps == 1 { "step ran" } else { "steps ran" }
    )
}

fn contacts_row(report: &RunReport) -> String {
    let deepest = report.contacts.iter().map(|contact| contact.depth).fold(0.0, f64::max);
    match report.contacts.len() {
        0 => "none in the last step".to_owned(),
        n => format!("{n} in the last step, mean depth at most {deepest:.2e} m"),
    }
}

fn joints_row(report: &RunReport) -> String {
    let broken = report.joints.iter().filter(|joint| joint.broken).count();
    let force = |joint: &JointReport| glam::DVec3::from_array(joint.force).length();
    let largest = report.joints.iter().map(force).fold(0.0, f64::max);
    let broken = if broken > 0 { format!(", {broken} broken") } else { String::new() };
    format!("{}{broken}, largest force {largest:.3e} N", report.joints.len())
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
        "body", "position [m]", "speed m/s", "spin rad/s"
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
