//! What a world can be told about how to simulate.

use glam::DVec3;
use thiserror::Error;

/// Which rows a contact is solved with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactModel {
    /// One block of six rows over the patch (Bouchard et al. 2015).
    Patch,
    /// A block of three rows at each corner of the same overlap's support polygon: contact points as most engines have
    /// them, to compare with. Torques come from the points alone, so patch and spin settings do nothing.
    Points,
}

/// How the contact patch that bounds the centre of pressure is made from an overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PatchModel {
    /// The overlap's support polygon; exact for bodies that stand on planar feet.
    Polygon,
    /// An ellipse with semi-axes `sqrt(k λ)` from the eigenvalues λ of the tangential second moment per volume
    /// (Bouchard et al. 2015, section 3.3): k = 3 for a box, 4 for a flat ellipse, 5 for an ellipsoid, 6 for a cap.
    Ellipse {
        /// Squared semi-axis per variance, without unit.
        k: f64,
    },
}

/// How far from the centre of pressure friction acts when it resists spinning: `|τ_n| <= μ r_s f_n`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpinRule {
    /// Mean distance to the centre of pressure over the patch: uniform pressure.
    Uniform,
    /// Hertz's pressure over an ellipse; a polygon uses the ellipse of its own second moment.
    Hertz,
    /// The bilinear weights of the four corners of the enclosing rectangle (Bouchard et al. 2015, equation 13).
    Corners,
}

/// Which way a contact pushes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NormalRule {
    /// Along the gradient, or the thinnest direction of a thin overlap where neither surface inside it is plane.
    Blend,
    /// Along the gradient of the overlap's volume (Bouchard et al. 2015). A box that hangs over an edge is pushed aside by
    /// the ratio of its overlap's depth to its width.
    Gradient,
    /// Along the overlap's thinnest direction, the axis of smallest covariance.
    Covariance,
}

/// Over how much of its patch a contact resists rolling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RollingRule {
    /// Of a ball or capsule only along directions in which the measured depth is even: where the surface is curved the
    /// bodies roll about the contact point. The facets of meshes are faces. Used by [`LocalSolver::Cone`].
    Auto,
    /// Over all of it: a ball pivots over the rim of its patch (Bouchard et al. 2015).
    Pivot,
}

/// How friction against sliding and friction against spinning limit each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpinCoupling {
    /// The limit surface of uniform pressure over the patch, stretched to the spin rule's radius
    /// (Goyal, Ruina and Papadopoulos 1991; Farkas et al. 2003 for a disc).
    Surface,
    /// The ellipsoid with the same semi-axes (Leine and Glocker 2003). It takes too much: a uniform disc that slides and
    /// spins comes 12 % less far.
    Ellipsoid,
}

/// What solves one contact block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocalSolver {
    /// All limits at once: nothing on the patch approaches, friction opposes the slip at the centre of pressure.
    Cone,
    /// One limit after the other: Algorithm 1 of Bouchard et al. 2015, mended. Friction against sliding and spinning
    /// have a limit each.
    Paper,
}

/// In which order a sweep takes the contacts of an island.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SweepOrder {
    /// In the order of their bodies, every time.
    Forward,
    /// In that order and against it by turns.
    Symmetric,
}

/// What speeds the sweeps up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accelerator {
    /// Nothing: plain block Gauss-Seidel.
    None,
    /// Nonsmooth nonlinear conjugate gradients with a sweep as their step (Silcowitz-Hansen, Niebe and Erleben 2010):
    /// some seven times fewer sweeps for a stack of ten, at the price of a few per cent per sweep.
    Nncg,
    /// The combination of the last eight sweeps that would change least (Anderson 1965): a stack of ten in ten sweeps.
    /// Conjugate gradients where friction lets the changes grow.
    Anderson,
}

/// Settings of a world. The defaults are meant to hold for all scenes of bodies between a millimetre and ten metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Time step `h` \[s\].
    pub dt: f64,
    /// Gravity \[m/s²\].
    pub gravity: DVec3,
    /// Rows of a contact.
    pub contact: ContactModel,
    /// Contact patch.
    pub patch: PatchModel,
    /// Direction of the normal.
    pub normal: NormalRule,
    /// Resistance to rolling.
    pub rolling: RollingRule,
    /// Spin limit.
    pub spin: SpinRule,
    /// How sliding and spinning share friction; used by [`LocalSolver::Cone`].
    pub coupling: SpinCoupling,
    /// What solves one contact block.
    pub local: LocalSolver,
    /// Mean depth at which a resting contact is held, as a part of the smaller body's size (the geometric mean of the
    /// sides of its own box, so a cube's side); the target volume of a contact is this depth times its patch area.
    pub target_depth: f64,
    /// Target volume `e_V` of every contact \[m³\]; replaces `target_depth` where given.
    pub target_volume: Option<f64>,
    /// Compliance of the normal row \[m/N\]; 0 is rigid.
    pub compliance: f64,
    /// Damping of the normal row \[N s/m\]; used with a positive compliance only.
    pub damping: f64,
    /// Coefficient of restitution, 0 to 1.
    pub restitution: f64,
    /// Approach speed below which nothing bounces \[m/s\].
    pub restitution_threshold: f64,
    /// Part of the volume above target that is taken out per step by moving the bodies, 0 to 1.
    pub stabilization: f64,
    /// Whether the solver starts from the last step's impulses.
    pub warm_start: bool,
    /// The solver stops when the norm of a sweep's impulse updates falls to this \[N s, N m s mixed\], and below a
    /// millionth of the impulses themselves, so that light bodies are held too.
    pub tolerance: f64,
    /// The solver also stops when that norm falls to this part of the norm of the impulses: heavy bodies cannot be
    /// solved to an absolute tolerance below their rounding.
    pub relative_tolerance: f64,
    /// Islands of more than 32 contacts and joints are also solved when a sweep changes the momentum of their bodies by no more
    /// than this part of it. In moving piles the velocities are then off by some forty times this part. 0 for none.
    pub motion_tolerance: f64,
    /// Divide the update norm by the square root of the number of rows, so that `tolerance` is per row.
    pub tolerance_per_row: bool,
    /// Largest number of sweeps per step.
    pub max_sweeps: u32,
    /// Largest number of blocks solved per island and step: bounds the time that a large pile takes, which gets fewer sweeps
    /// accordingly, though twenty at least. What is left is solved in the next steps, which
    /// start from it.
    pub max_solves: u64,
    /// What speeds the sweeps up.
    pub accelerator: Accelerator,
    /// Order of the sweeps.
    pub order: SweepOrder,
    /// Factor on every change of an impulse (successive over-relaxation), between 0 and 2. It is 1 from where the sweeps'
    /// updates have grown, and in the last sweep.
    pub relaxation: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            dt: 0.01,
            gravity: DVec3::new(0.0, 0.0, -9.81),
            contact: ContactModel::Patch,
            patch: PatchModel::Polygon,
            normal: NormalRule::Blend,
            rolling: RollingRule::Auto,
            spin: SpinRule::Uniform,
            coupling: SpinCoupling::Surface,
            local: LocalSolver::Cone,
            target_depth: 5e-5,
            target_volume: None,
            compliance: 0.0,
            damping: 0.0,
            restitution: 0.0,
            restitution_threshold: 0.05,
            stabilization: 1.0,
            warm_start: true,
            tolerance: 1e-9,
            relative_tolerance: 1e-12,
            motion_tolerance: 1e-4,
            tolerance_per_row: false,
            max_sweeps: 200,
            max_solves: 4_000,
            accelerator: Accelerator::Anderson,
            order: SweepOrder::Forward,
            relaxation: 1.0,
        }
    }
}

/// A setting out of its range.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("setting '{name}' is {found}, needed {needed}")]
pub struct SettingsError {
    /// Name of the setting.
    pub name: &'static str,
    /// The range it has to lie in, in words.
    pub needed: &'static str,
    /// What was given.
    pub found: f64,
}

impl Settings {
    /// Checks all settings.
    ///
    /// # Errors
    /// The first one that is out of its range.
    pub fn check(&self) -> Result<(), SettingsError> {
        let positive = |x: f64| x.is_finite() && x > 0.0;
        let not_negative = |x: f64| x.is_finite() && x >= 0.0;
        let fraction = |x: f64| (0.0..=1.0).contains(&x);
        let k = match self.patch {
            PatchModel::Polygon => 1.0,
            PatchModel::Ellipse { k } => k,
        };
        let gravity = self.gravity.to_array().into_iter().find(|x| !x.is_finite());
        let volume = self.target_volume.unwrap_or(0.0);
        let checks = [
            ("dt", positive(self.dt), "a positive number of seconds", self.dt),
            ("gravity", gravity.is_none(), "finite components", gravity.unwrap_or(0.0)),
            ("patch.k", positive(k), "a positive number", k),
            ("target_depth", not_negative(self.target_depth), "0 or more", self.target_depth),
            ("target_volume", not_negative(volume), "0 or more cubic metres", volume),
            ("compliance", not_negative(self.compliance), "0 or more m/N", self.compliance),
            ("damping", not_negative(self.damping), "0 or more N s/m", self.damping),
            ("restitution", fraction(self.restitution), "0 to 1", self.restitution),
            (
                "restitution_threshold",
                not_negative(self.restitution_threshold),
                "0 or more m/s",
                self.restitution_threshold,
            ),
            ("stabilization", fraction(self.stabilization), "0 to 1", self.stabilization),
            ("tolerance", not_negative(self.tolerance), "0 or more", self.tolerance),
            (
                "relative_tolerance",
                not_negative(self.relative_tolerance),
                "0 or more",
                self.relative_tolerance,
            ),
            ("motion_tolerance", fraction(self.motion_tolerance), "0 to 1", self.motion_tolerance),
            (
                "relaxation",
                self.relaxation > 0.0 && self.relaxation < 2.0,
                "between 0 and 2",
                self.relaxation,
            ),
            ("max_sweeps", self.max_sweeps > 0, "1 or more", f64::from(self.max_sweeps)),
        ];
        match checks.into_iter().find(|(_, good, ..)| !good) {
            Some((name, _, needed, found)) => Err(SettingsError { name, needed, found }),
            None => Ok(()),
        }
    }
}
