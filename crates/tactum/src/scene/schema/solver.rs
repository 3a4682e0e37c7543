//! Keys of the contact solver.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What solves one contact block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LocalSpec {
    /// All limits at once: nothing on the patch approaches, friction opposes the slip.
    #[default]
    Cone,
    /// One limit after the other (Bouchard et al. 2015, Algorithm 1, mended), with a limit each for sliding and spinning.
    Paper,
}

/// What speeds the sweeps up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AcceleratorSpec {
    /// The combination of the last eight sweeps that would change the impulses least; conjugate gradients where that fails.
    #[default]
    Anderson,
    /// Nonlinear conjugate gradients over the sweeps.
    Nncg,
    /// Nothing: plain Gauss-Seidel.
    None,
}

/// In which order a sweep takes the contacts.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OrderSpec {
    /// The same every time.
    #[default]
    Forward,
    /// Forward and backward by turns.
    Symmetric,
}

/// When the contact solver may stop.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SolverSpec {
    /// What solves one contact block. Default "cone".
    pub local: LocalSpec,
    /// The solver stops when the norm of a sweep's impulse updates falls to this [N s]. Default 1e-9.
    pub tolerance: Option<f64>,
    /// A group of more than 32 contacts and joints is also solved when a sweep changes its bodies' momentum by no more than this
    /// part of it; velocities in a moving pile are then off by some forty times this part. Default 1e-4, or 0 (never) where
    /// `tolerance` is given.
    pub motion_tolerance: Option<f64>,
    /// Whether `tolerance` is per row: the norm is divided by the square root of the number of rows. Default false.
    pub per_row: bool,
    /// Largest number of sweeps in a step. Default 200.
    pub max_sweeps: Option<u32>,
    /// Largest number of blocks solved in a step per group of touching bodies: a large pile gets fewer sweeps, though twenty at
    /// least. Default 4000, or any number where `max_sweeps` is given.
    pub max_solves: Option<u64>,
    /// What speeds the sweeps up. Default "anderson".
    pub accelerator: AcceleratorSpec,
    /// In which order a sweep takes the contacts. Default "forward".
    pub order: OrderSpec,
    /// Factor on every change of an impulse, between 0 and 2 (successive over-relaxation). Default 1.
    pub relaxation: Option<f64>,
    /// Whether a step starts from the impulses of the last one. Default true.
    pub warm_start: bool,
    /// Number of steps that may end above the tolerance before the run stops with exit code 3. Default: any number.
    pub max_unconverged_steps: Option<u64>,
}

impl Default for SolverSpec {
    fn default() -> Self {
        Self {
            local: LocalSpec::default(),
            accelerator: AcceleratorSpec::default(),
            order: OrderSpec::default(),
            relaxation: None,
            tolerance: None,
            motion_tolerance: None,
            per_row: false,
            max_sweeps: None,
            max_solves: None,
            warm_start: true,
            max_unconverged_steps: None,
        }
    }
}
