//! Which steps were not solved: they ran out of sweeps, and what their bodies' velocities are off by matters.
//!
//! A step may run out of sweeps over the last digit of impulses that hold against each other and move nothing. Whoever looks at
//! results wants to know of velocities, so that these decide.

use serde::{Deserialize, Serialize};
use tactum_geometry::words::{counted, number};
use tactum_sim::report::IslandRecord;
use tactum_sim::{BodyKind, Settings, StepReport, World};

/// By how much velocities may be off, as a part of the bodies' speed and of what gravity gives them in a step: what the solver itself
/// leaves of a large pile's motion by default (`motion_tolerance`).
const NEGLIGIBLE: f64 = 1e-4;

/// Part of what the impulses of contacts and joints could do to the bodies that is rounding: where a press holds a body, velocities
/// are differences of impulses that are far larger.
const ROUNDING: f64 = 1e-9;

/// The steps of a run that were not solved; goes on over checkpoints.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Unsolved {
    /// Number of them.
    pub steps: u64,
    /// Where the velocities are off most.
    pub worst: Option<Worst>,
}

/// The group of touching bodies whose velocities are off most, of all steps.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Worst {
    /// The step.
    pub step: u64,
    /// How the group's solve ended.
    pub island: IslandRecord,
}

impl Unsolved {
    /// Looks at the step that has led a world to where it is.
    pub fn add(&mut self, step: u64, world: &World, report: &StepReport) {
        let Some(island) = unsolved(world, report) else { return };
        self.steps += 1;
        let so_far = self.worst.map_or(0.0, |worst| worst.island.velocity_error);
        if island.velocity_error > so_far {
            self.worst = Some(Worst { step, island: *island });
        }
    }

    /// What is to be said of them after so many steps, in words.
    pub fn doubt(&self, world: &World, n_steps: u64) -> Option<String> {
        let Worst { step, island } = self.worst?;
        let Settings { dt, max_sweeps, max_solves, .. } = *world.settings();
        let what = [(island.n_contacts, "contact", "contacts"), (island.n_joints, "joint", "joints")];
        let what: Vec<String> =
            what.iter().filter(|(n, ..)| *n > 0).map(|&(n, one, more)| counted(n, one, more)).collect();
        Some(format!(
            "{} of {n_steps} ran out of sweeps before {} solved: velocities are off by an estimated {:.1e} m/s at worst, after step \
             {step} ({} s) among the {} with {} around '{}', which got {}. A solver.{} or a dt below {} s leaves less",
            counted(self.steps, "step", "steps"),
            if self.steps == 1 { "it was" } else { "they were" },
            island.velocity_error,
            number(step as f64 * dt),
            counted(island.n_bodies, "body", "bodies"),
            what.join(" and "),
            world.body(island.body).name,
            counted(island.sweeps, "sweep", "sweeps"),
            // A large group gets fewer sweeps than the most.
            if max_solves / u64::from(island.n_contacts + island.n_joints).max(1) < u64::from(max_sweeps) {
                format!("max_solves above {max_solves}")
            } else {
                format!("max_sweeps above {max_sweeps}")
            },
            number(dt)
        ))
    }
}

/// The worst of the groups of bodies that a step has not solved.
fn unsolved<'a>(world: &World, report: &'a StepReport) -> Option<&'a IslandRecord> {
    if report.unconverged_islands == 0 {
        return None;
    }
    let least = negligible(world, report);
    let islands = report.islands.iter().filter(|island| !island.converged && island.velocity_error > least);
    islands.max_by(|a, b| a.velocity_error.total_cmp(&b.velocity_error))
}

/// What velocities may be off by \[m/s\].
fn negligible(world: &World, report: &StepReport) -> f64 {
    let settings = world.settings();
    let moving = world.bodies().iter().filter(|body| body.kind == BodyKind::Dynamic);
    let mass = moving.map(|body| body.mass.mass).sum::<f64>();
    let speed = (2.0 * world.kinetic_energy() / mass).sqrt();
    let square = |impulse: &[f64; 6]| impulse[..3].iter().map(|x| x * x).sum::<f64>();
    let contacts = report.contacts.iter().map(|contact| square(&contact.impulse)).sum::<f64>();
    let joints = world.joint_states().iter().map(|state| state.force.length_squared()).sum::<f64>();
    let pressed = (contacts + joints).sqrt() / mass;
    (NEGLIGIBLE * (speed + settings.gravity.length() * settings.dt)).max(ROUNDING * pressed)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use tactum_sim::BodyId;

    use super::*;
    use crate::build::build;
    use crate::scene::Scene;

    /// A ball that moves in gravity, with steps of 10 ms.
    fn world(speed: f64, gravity: f64) -> World {
        let text = format!(
            "dt = 0.01\ngravity = [0, 0, {gravity}]\n[[body]]\nname = 'ball'\nshape = {{ sphere = 0.1 }}\n\
             linear_velocity = [{speed}, 0, 0]\n"
        );
        let scene = Scene::parse(&text, Path::new("ball.toml")).expect("a scene");
        build(&scene).expect("a world").world
    }

    fn report(velocity_error: f64, converged: bool) -> StepReport {
        let island = IslandRecord {
            body: BodyId(0),
            n_bodies: 1,
            n_contacts: 2,
            n_joints: 1,
            sweeps: 7,
            update_norm: 1e-3,
            velocity_error,
            converged,
            fell_back: false,
            friction_residual: 0.0,
            n_frictionless: 0,
        };
        let islands = vec![island];
        StepReport {
            islands,
            unconverged_islands: u32::from(!converged),
            velocity_error,
            ..StepReport::default()
        }
    }

    /// What is off by rounding is not unsolved, however many sweeps it took; nor is what has converged.
    #[test]
    fn velocities_decide_and_not_impulses() {
        // Gravity gives 0.0981 m/s in a step, of which a ten-thousandth is 9.81e-6.
        for (world, least) in
            [(world(0.0, -9.81), 9.81e-6), (world(2.0, 0.0), 2e-4), (world(2.0, -9.81), 2.0981e-4)]
        {
            for (factor, is_unsolved) in [(1e-9, false), (0.99, false), (1.01, true), (1e3, true)] {
                let [given_up, solved] = [false, true].map(|converged| report(factor * least, converged));
                let found = unsolved(&world, &given_up);
                assert_eq!(found.is_some(), is_unsolved, "{factor} of {least}");
                assert_eq!(unsolved(&world, &solved), None);
            }
        }
    }

    #[test]
    fn the_worst_is_named() {
        let world = world(0.0, -9.81);
        let mut steps = Unsolved::default();
        assert_eq!(steps.doubt(&world, 9), None);
        for (step, error) in [(1, 1e-3), (2, 1e-9), (3, 0.25), (4, 1e-2)] {
            steps.add(step, &world, &report(error, false));
        }
        assert_eq!((steps.steps, steps.worst.map(|worst| worst.step)), (3, Some(3)));
        let text = steps.doubt(&world, 9).expect("a doubt");
        for words in [
            "3 steps of 9",
            "2.5e-1 m/s",
            "step 3 (0.03 s)",
            "1 body",
            "2 contacts and 1 joint",
            "'ball'",
            "7 sweeps",
            "max_solves above 2000",
        ] {
            assert!(text.contains(words), "'{words}' is missing in: {text}");
        }
    }
}
