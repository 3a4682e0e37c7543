//! What a run came to: the object that `--json` prints, and the table for people.

mod table;

use std::collections::BTreeMap;

use serde::Serialize;
use tactum_sim::{Body, ContactRecord, Joint, JointState, World};

use crate::backend::{Detector, FacetShare, OverlapShare, OverlapTimes};
use crate::expect::Failure;
use crate::run::{Outcome, Spread, Stop, Tally, Timings, Worst};
use crate::scene::Scene;

pub use table::{closing_table, verdict};

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
    /// Wall times per step \[ms\].
    pub timings_ms: TimingsReport,
    /// How hard the solver worked.
    pub solver: SolverReport,
    /// Energies at the end \[J\].
    pub energy: EnergyReport,
    /// Every body at the end, in the order of the scene.
    pub bodies: Vec<BodyReport>,
    /// Every contact of the last step.
    pub contacts: Vec<ContactReport>,
    /// How deep bodies were in each other.
    pub depth: DepthReport,
    /// Every joint after the last step, in the order of the scene.
    pub joints: Vec<JointReport>,
    /// Number of pairs that had to be measured again by another method, by cause.
    pub recoveries: BTreeMap<String, u64>,
    /// Who answered questions about overlaps of meshes.
    pub overlaps: OverlapsReport,
    /// Who answered questions about touching facets.
    pub facets: FacetShare,
    /// What came out as expected.
    pub expect: ExpectReport,
    /// Doubts about the scene, and about how the run ended.
    pub warnings: Vec<String>,
}

/// Who answered questions about overlaps of meshes, and how long it took.
#[derive(Clone, Debug, Default, Serialize)]
pub struct OverlapsReport {
    /// Pairs.
    #[serde(flatten)]
    pub share: OverlapShare,
    /// Wall time until the stages had answered, and the processor what it had been left with \[s\]; since the run was started or resumed.
    pub stages_s: f64,
    /// Wall time of the pairs that the stages handed back \[s\].
    pub again_s: f64,
    /// What of it is due to each cause \[s\].
    pub again_by_cause_s: BTreeMap<&'static str, f64>,
}

impl OverlapsReport {
    fn new(share: OverlapShare, timings: &Timings) -> Self {
        let OverlapTimes { stages, again, by_cause } = timings.overlaps.clone();
        Self { share, stages_s: stages, again_s: again, again_by_cause_s: by_cause }
    }
}

/// Wall time per step of each phase \[ms\]: the median, and beside it what else is known of its spread.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct TimingsReport {
    /// How many steps these are times of: those made since the run was started or resumed.
    pub steps: u64,
    /// Median.
    #[serde(flatten)]
    pub median: PhasesReport,
    /// Mean.
    pub mean: PhasesReport,
    /// What 95 % of the steps do not exceed.
    pub p95: PhasesReport,
    /// Largest.
    pub max: PhasesReport,
}

/// A wall time of each phase of a step \[ms\].
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct PhasesReport {
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
    /// All of them together.
    pub step: f64,
}

/// How hard the solver worked, and what it has left. Medians and parts are known by eight binary digits.
#[derive(Clone, Debug, Serialize)]
pub struct SolverReport {
    /// Sweeps in a step, of the island that took most: median over the steps.
    pub sweeps_median: f64,
    /// Mean.
    pub sweeps_mean: f64,
    /// What 95 % of the steps do not exceed.
    pub sweeps_p95: f64,
    /// Largest.
    pub sweeps_max: u32,
    /// Final update norm of a step, of the island where it is largest, in the unit of the tolerance: median over the steps.
    pub update_norm_median: f64,
    /// Mean.
    pub update_norm_mean: f64,
    /// What 95 % of the steps do not exceed.
    pub update_norm_p95: f64,
    /// Largest.
    pub update_norm_max: f64,
    /// Estimate of what the velocities are off by after a step, root mean square over the island where it is largest \[m/s\]: median
    /// over the steps.
    pub velocity_error_median: f64,
    /// Mean.
    pub velocity_error_mean: f64,
    /// What 95 % of the steps do not exceed.
    pub velocity_error_p95: f64,
    /// Largest.
    pub velocity_error_max: f64,
    /// Steps in which the sweeps of an island ran out before it was solved: its impulses still changed by more than the tolerance,
    /// or by more than a millionth of themselves.
    pub unconverged_steps: u64,
    /// Those of them that were not solved: velocities were off by more than a ten-thousandth of the bodies' speed and of what gravity
    /// gives in a step.
    pub unsolved_steps: u64,
    /// Where velocities were off most in a step that was not solved; `None` where all were.
    pub worst: Option<WorstReport>,
    /// Sub-steps of a step under laws that take them: mean, and largest; 0 under others.
    pub substeps_mean: f64,
    /// See `substeps_mean`.
    pub substeps_max: u32,
    /// Sub-steps that were asked about once more, as bodies were deeper in each other than facets had been looked for, or taken back and made
    /// shorter, as bodies held each other by more than was planned for.
    pub substeps_redone: u64,
    /// By how much one more step would change the friction of a contact, the largest, as a part of its coefficient.
    pub friction_residual_max: f64,
    /// Contacts that went without friction because no friction has an answer there, summed over the steps.
    pub frictionless_sum: u64,
}

/// The group of touching bodies whose velocities were off most in a step that was not solved.
#[derive(Clone, Debug, Serialize)]
pub struct WorstReport {
    /// Estimate of what they were off by, root mean square \[m/s\].
    pub velocity_error: f64,
    /// The step.
    pub step: u64,
    /// Its end \[s\].
    pub time: f64,
    /// One of the bodies.
    pub body: String,
    /// Number of the bodies.
    pub bodies: u32,
    /// Number of their contacts.
    pub contacts: u32,
    /// Number of their joints.
    pub joints: u32,
    /// Sweeps that they got.
    pub sweeps: u32,
}

/// How deep bodies were in each other, over all steps.
#[derive(Clone, Debug, Serialize)]
pub struct DepthReport {
    /// Largest mean depth of a contact \[m\].
    pub mean_max: f64,
    /// How deep the deepest overlap was where it was deepest, along its contact's normal \[m\].
    pub deepest: f64,
    /// The step that began with it; `None` where nothing overlapped.
    pub step: Option<u64>,
    /// The end of that step \[s\].
    pub time: Option<f64>,
    /// Names of the two bodies.
    pub bodies: Option<[String; 2]>,
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
    /// How deep the overlap is where it is deepest, along the normal \[m\].
    pub deepest: f64,
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
    /// Simulated time per wall time since the run was started or resumed; 0 where no time went by.
    pub fn pace(&self) -> f64 {
        let simulated = self.timings_ms.steps as f64 * self.dt;
        if self.wall_s > 0.0 { simulated / self.wall_s } else { 0.0 }
    }

    /// The report of a run and of what measured its overlaps.
    pub fn new(scene: &Scene, outcome: &Outcome, detector: &Detector, warnings: Vec<String>) -> Self {
        let world = &outcome.world;
        let (status, error) = match &outcome.stop {
            Stop::Finished => ("finished", None),
            Stop::Interrupted => ("interrupted", None),
            Stop::Failed(error) => ("failed", Some(error.to_string())),
            Stop::Unconverged { steps, limit } => {
                let text = format!("{}; the scene allows {limit}", out_of_sweeps(*steps));
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
            timings_ms: TimingsReport::new(&outcome.timings),
            solver: SolverReport::new(world, tally),
            energy: EnergyReport { kinetic: world.kinetic_energy(), potential: world.potential_energy() },
            bodies: world.bodies().iter().map(BodyReport::new).collect(),
            contacts: last_contacts.iter().map(|contact| ContactReport::new(world, contact)).collect(),
            depth: DepthReport::new(world, tally),
            joints: JointReport::all(world),
            recoveries: tally.recoveries.clone(),
            overlaps: OverlapsReport::new(tally.overlaps, &outcome.timings),
            facets: tally.facets,
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
    fn new(timings: &Timings) -> Self {
        let of = |figure: fn(&Spread) -> f64| {
            let ms = |times: &Spread| 1e3 * figure(times);
            PhasesReport {
                broad: ms(&timings.broad),
                detect: ms(&timings.detect),
                assemble: ms(&timings.assemble),
                solve: ms(&timings.solve),
                integrate: ms(&timings.integrate),
                step: ms(&timings.whole),
            }
        };
        Self {
            steps: timings.whole.n(),
            median: of(Spread::median),
            mean: of(Spread::mean),
            p95: of(Spread::p95),
            max: of(Spread::max),
        }
    }
}

impl SolverReport {
    fn new(world: &World, tally: &Tally) -> Self {
        let Tally { sweeps, update_norm, velocity_error, unsolved, .. } = tally;
        Self {
            sweeps_median: sweeps.median(),
            sweeps_mean: sweeps.mean(),
            sweeps_p95: sweeps.p95(),
            sweeps_max: sweeps.max() as u32,
            update_norm_median: update_norm.median(),
            update_norm_mean: update_norm.mean(),
            update_norm_p95: update_norm.p95(),
            update_norm_max: update_norm.max(),
            velocity_error_median: velocity_error.median(),
            velocity_error_mean: velocity_error.mean(),
            velocity_error_p95: velocity_error.p95(),
            velocity_error_max: velocity_error.max(),
            unconverged_steps: tally.unconverged_steps,
            unsolved_steps: unsolved.steps,
            worst: unsolved.worst.map(|Worst { step, island }| WorstReport {
                velocity_error: island.velocity_error,
                step,
                time: step as f64 * world.settings().dt,
                body: world.body(island.body).name.clone(),
                bodies: island.n_bodies,
                contacts: island.n_contacts,
                joints: island.n_joints,
                sweeps: island.sweeps,
            }),
            substeps_mean: tally.substeps.mean(),
            substeps_max: tally.substeps.max() as u32,
            substeps_redone: tally.substeps_redone,
            friction_residual_max: tally.friction_residual_max,
            frictionless_sum: tally.frictionless_sum,
        }
    }
}

impl DepthReport {
    fn new(world: &World, tally: &Tally) -> Self {
        let deepest = tally.deepest.as_ref();
        Self {
            mean_max: tally.max_depth,
            deepest: deepest.map_or(0.0, |deepest| deepest.depth),
            step: deepest.map(|deepest| deepest.step),
            time: deepest.map(|deepest| deepest.step as f64 * world.settings().dt),
            bodies: deepest.map(|deepest| deepest.bodies.map(|id| world.body(id).name.clone())),
        }
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
            deepest: contact.deepest(),
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

/// That so many steps ended unconverged, and what is counted.
fn out_of_sweeps(n_steps: u64) -> String {
    format!(
        "{n_steps} {} out of sweeps while impulses changed by more than the tolerance, or a millionth of themselves",
        if n_steps == 1 { "step ran" } else { "steps ran" }
    )
}
