//! A world together with what measures its overlaps.

use std::fmt;
use std::str::FromStr;
use std::time::Instant;

use rayon::prelude::*;
use tactum_geometry::{Overlap, Shape, overlap::overlap};
use tactum_sim::{BodyId, PairJob, StepError, StepPlan, StepReport, World};
use thiserror::Error;

/// How overlaps are measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backend {
    /// Exactly, on the processor, in 64-bit numbers.
    #[default]
    Exact,
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact => f.write_str("exact"),
        }
    }
}

/// A back end that this build does not have.
#[derive(Debug, Error)]
#[error("this build has no backend '{name}'; it has: exact (which is also what auto chooses)")]
pub struct UnknownBackend {
    name: String,
}

impl FromStr for Backend {
    type Err = UnknownBackend;

    /// `exact`, or `auto` for the best that this build and machine have.
    fn from_str(name: &str) -> Result<Self, UnknownBackend> {
        match name {
            "auto" | "exact" => Ok(Self::Exact),
            _ => Err(UnknownBackend { name: name.to_owned() }),
        }
    }
}

/// A world that can be stepped: plan, measure the overlaps, solve.
#[derive(Debug)]
pub struct Session {
    world: World,
    backend: Backend,
    deepest_of_size: f64,
}

impl Session {
    /// A session on a world.
    pub fn new(world: World, backend: Backend) -> Self {
        Self { world, backend, deepest_of_size: 0.0 }
    }

    /// The world in its present state.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The world, for setting velocities and forces between steps or restoring a snapshot.
    pub fn world_mut(&mut self) -> &mut World {
        &mut self.world
    }

    /// How overlaps are measured.
    pub fn backend(&self) -> Backend {
        self.backend
    }

    /// One time step.
    ///
    /// Overlaps are measured in parallel on the current rayon pool; the result does not depend on its size.
    ///
    /// # Errors
    /// As [`World::solve`]; the world is then as it was before the step.
    pub fn step(&mut self) -> Result<StepReport, StepError> {
        let plan = self.world.plan();
        let begin = Instant::now();
        let overlaps = self.detect(&plan);
        let detect = begin.elapsed().as_secs_f64();
        let deepest_of_size = self.deepest(&plan, &overlaps);
        let mut report = self.world.solve(&plan, &overlaps)?;
        self.deepest_of_size = deepest_of_size;
        report.times.detect = detect;
        Ok(report)
    }

    /// Mean thickness `2 V / S` of the thickest overlap that the last step began with, as a part of the size (the
    /// diagonal of the box) of the smaller of its bodies; `S` is the overlap's whole surface.
    ///
    /// It is the mean depth of a flat contact, half the depth of a shallow cap, and stays meaningful for overlaps that
    /// have no contact normal.
    pub fn deepest_of_size(&self) -> f64 {
        self.deepest_of_size
    }

    fn deepest(&self, plan: &StepPlan, overlaps: &[Overlap]) -> f64 {
        let part = |(job, overlap): (&PairJob, &Overlap)| {
            let [a, b] = job.bodies.map(|ix| self.world.body(BodyId(ix)).shape.size());
            let surface = overlap.areas[0] + overlap.areas[1];
            if surface > 0.0 { 2.0 * overlap.volume / surface / a.min(b) } else { 0.0 }
        };
        plan.jobs.iter().zip(overlaps).map(part).fold(0.0, f64::max)
    }

    /// The overlaps of all pairs of a plan, in its order.
    pub fn detect(&self, plan: &StepPlan) -> Vec<Overlap> {
        match self.backend {
            Backend::Exact => detect_exact(&self.world, &plan.jobs),
        }
    }
}

/// Hands the pairs to the threads one at a time, the most expensive first, so that no thread is left with a large one
/// at the end.
fn detect_exact(world: &World, jobs: &[PairJob]) -> Vec<Overlap> {
    let mut order: Vec<usize> = (0..jobs.len()).collect();
    // A stable sort: equal costs stay in the order of the pairs.
    order.sort_by_key(|&ix| std::cmp::Reverse(cost(world, &jobs[ix])));
    let measured: Vec<(usize, Overlap)> =
        order.into_iter().par_bridge().map(|ix| (ix, measure(world, &jobs[ix]))).collect();
    let mut overlaps = vec![Overlap::EMPTY; jobs.len()];
    for (ix, overlap) in measured {
        overlaps[ix] = overlap;
    }
    overlaps
}

fn measure(world: &World, job: &PairJob) -> Overlap {
    let [a, b] = job.bodies.map(|ix| &world.bodies()[ix as usize].shape);
    let [w_from_a, w_from_b] = job.poses(world.bodies());
    overlap(a, &w_from_a, b, &w_from_b)
}

/// Number of triangles or faces of both bodies: how long a pair takes, up to a factor.
fn cost(world: &World, job: &PairJob) -> usize {
    job.bodies.iter().map(|&ix| n_triangles(&world.bodies()[ix as usize].shape)).sum()
}

fn n_triangles(shape: &Shape) -> usize {
    match shape {
        Shape::Mesh(solid) => solid.mesh().triangles.len(),
        Shape::Convex(hull) => hull.planes().len(),
        Shape::HalfSpace | Shape::Sphere { .. } | Shape::Capsule { .. } | Shape::Cuboid { .. } => 1,
    }
}
