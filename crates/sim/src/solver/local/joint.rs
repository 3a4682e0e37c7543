//! The block of a joint: rows that are locked, and at most one free row with a drive and limits.

use crate::solver::Mat6;
use crate::solver::Vec6;
use crate::solver::spatial::Cholesky;

/// What drives the free row: `v + C λ + bias = 0` as long as λ keeps to its bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DriveRow {
    /// Bias \[m/s or rad/s\].
    pub bias: f64,
    /// Compliance, velocity per impulse; 0 for a drive that reaches its speed whatever it takes.
    pub compliance: f64,
    /// Largest impulse either way \[N s or N m s\].
    pub max_impulse: f64,
}

/// One row that is not locked.
#[derive(Clone, Debug)]
struct FreeRow {
    /// Unit direction in joint axes, orthogonal to all locked rows.
    axis: Vec6,
    /// `S a` on the locked rows: their velocity per impulse along the axis.
    coupling: Vec6,
    /// Impulse of the locked rows that answers a unit impulse along the axis, with the opposite sign.
    gain: Vec6,
    /// Velocity per impulse along the axis while the locked rows hold.
    response: f64,
    drive: Option<DriveRow>,
    /// Slowest and fastest velocity along the axis that keeps within the limits.
    speeds: [f64; 2],
}

/// The rows of a joint, factorised once per step. Locked rows are solved exactly and at once; the free row with them
/// eliminated, so that a block is solved in one go however its rows are coupled.
#[derive(Clone, Debug)]
pub struct JointBlock {
    locked: [bool; 6],
    factor: Cholesky<6>,
    row: Option<FreeRow>,
}

impl JointBlock {
    /// A joint with response `s = J M⁻¹ Jᵀ` (joint axes) and these locked rows.
    pub fn new(s: &Mat6, locked: [bool; 6]) -> Self {
        // An unlocked row is one without response, which the factor drops.
        let kept = |i: usize, j: usize| if locked[i] && locked[j] { s.0[i][j] } else { 0.0 };
        let factor = Cholesky::new(&std::array::from_fn(|i| std::array::from_fn(|j| kept(i, j))));
        Self { locked, factor, row: None }
    }

    /// The block with a free row along the unit vector `axis`; `s` is that of [`JointBlock::new`].
    #[must_use]
    pub fn with_row(mut self, s: &Mat6, axis: Vec6, drive: Option<DriveRow>, speeds: [f64; 2]) -> Self {
        let along = s * axis;
        let coupling = self.on_locked(&along);
        let gain = Vec6(self.factor.solve(&coupling.0));
        let response = axis.dot(&along) - coupling.dot(&gain);
        self.row = (response > 0.0).then_some(FreeRow { axis, coupling, gain, response, drive, speeds });
        self
    }

    /// The same rows for displacements: the free row without its drive and with these bounds, or held where its drive lets
    /// nothing move it.
    #[must_use]
    pub fn for_positions(&self, bounds: [f64; 2]) -> Self {
        let mut block = self.clone();
        if let Some(row) = &mut block.row {
            let gives_way = |drive: DriveRow| drive.compliance > 0.0 || drive.max_impulse.is_finite();
            row.speeds = if row.drive.is_none_or(gives_way) { bounds } else { [0.0; 2] };
            row.drive = None;
        }
        block
    }

    /// The direction of the row that is not locked, if it can carry an impulse.
    pub fn free_axis(&self) -> Option<Vec6> {
        self.row.as_ref().map(|row| row.axis)
    }

    /// Number of rows that can carry an impulse.
    pub fn n_rows(&self) -> usize {
        self.locked.iter().filter(|locked| **locked).count() + usize::from(self.row.is_some())
    }

    /// The impulse that undoes the motion `twist` along the locked rows and brings the free row where its drive and limits
    /// want it, from the present `impulse`. Of `twist` the free row uses the component along its axis.
    pub fn relax(&self, twist: &Vec6, impulse: &Vec6) -> Vec6 {
        let hold = Vec6(self.factor.solve(&self.on_locked(twist).0));
        let held = *impulse - hold;
        let Some(row) = &self.row else { return held };
        let driven = row.axis.dot(impulse);
        // Without an impulse along the axis it would move at this speed while the locked rows hold.
        let free = row.axis.dot(twist) - row.coupling.dot(&hold) - row.response * driven;
        let push = row.drive.map_or(0.0, |drive| {
            let wanted = -(free + drive.bias) / (row.response + drive.compliance);
            wanted.clamp(-drive.max_impulse, drive.max_impulse)
        });
        let speed = (free + row.response * push).clamp(row.speeds[0], row.speeds[1]);
        let change = (speed - free) / row.response - driven;
        held + row.axis * change - row.gain * change
    }

    fn on_locked(&self, v: &Vec6) -> Vec6 {
        Vec6(std::array::from_fn(|i| if self.locked[i] { v[i] } else { 0.0 }))
    }
}
