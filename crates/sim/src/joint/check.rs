//! Whether a joint can be made, and the joint made of its description.

use glam::{DMat3, DQuat, DVec3};
use thiserror::Error;

use crate::joint::definition::{Joint, JointDesc};
use crate::joint::kind::{Drive, JointKind};
use crate::placement::Placement;
use crate::{Body, BodyId, BodyKind};

/// Why a joint cannot be put into a world.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum JointError {
    /// The id is not of this world.
    #[error("there is no joint {found}, the world has {needed}")]
    Unknown {
        /// The index given.
        found: u32,
        /// Number of joints of the world.
        needed: usize,
    },
    /// A body is not of this world.
    #[error("joint '{joint}': there is no body {found}, the world has {needed}")]
    UnknownBody {
        /// Name of the joint.
        joint: String,
        /// The index given.
        found: u32,
        /// Number of bodies of the world.
        needed: usize,
    },
    /// Both halves are of one body.
    #[error("joint '{joint}' joins the body '{body}' to itself")]
    SameBody {
        /// Name of the joint.
        joint: String,
        /// Name of the body.
        body: String,
    },
    /// Nothing can move.
    #[error("joint '{joint}' joins nothing dynamic, so it has no effect; make one of its bodies dynamic")]
    NothingDynamic {
        /// Name of the joint.
        joint: String,
    },
    /// The axis has no direction.
    #[error("joint '{joint}': the axis is {found}, but needs a direction")]
    Axis {
        /// Name of the joint.
        joint: String,
        /// What was given.
        found: String,
    },
    /// A number is out of its range.
    #[error("joint '{joint}': {what} is {found}, but needs {needed}")]
    Range {
        /// Name of the joint.
        joint: String,
        /// Which quantity.
        what: &'static str,
        /// What was given.
        found: String,
        /// The range, in words.
        needed: &'static str,
    },
    /// A drive was given to a joint without an axis to drive.
    #[error("joint '{joint}' is neither revolute nor prismatic, so it has no drive")]
    NoDrive {
        /// Name of the joint.
        joint: String,
    },
}

impl JointDesc {
    /// Checks the description and makes the joint where its bodies stand.
    ///
    /// # Errors
    /// The first entry that names no body, is not finite or is out of its range.
    pub(crate) fn build(self, bodies: &[Body]) -> Result<Joint, JointError> {
        self.check_bodies(bodies)?;
        self.check_kind()?;
        self.finite("the anchor", self.anchor)?;
        let break_force = self.strength("the breaking force", self.break_force)?;
        let break_torque = self.strength("the breaking torque", self.break_torque)?;
        let x = self.unit_axis()?;
        let (y, z) = x.any_orthonormal_pair();
        let w_from_joint =
            Placement { origin: self.anchor, rotation: DQuat::from_mat3(&DMat3::from_cols(x, y, z)) };
        let half = |body: Option<BodyId>| {
            body.map_or(w_from_joint, |BodyId(ix)| {
                let body = &bodies[ix as usize];
                Placement { origin: body.position, rotation: body.orientation }.locate(&w_from_joint)
            })
        };
        Ok(Joint {
            a: self.a,
            b: self.b,
            halves: [half(self.a), half(Some(self.b))],
            bodies_touch: self.bodies_touch,
            name: self.name,
            kind: self.kind,
            break_force,
            break_torque,
            keeps_rate: false,
        })
    }

    fn check_bodies(&self, bodies: &[Body]) -> Result<(), JointError> {
        for BodyId(ix) in self.a.into_iter().chain([self.b]) {
            if ix as usize >= bodies.len() {
                let joint = self.name.clone();
                return Err(JointError::UnknownBody { joint, found: ix, needed: bodies.len() });
            }
        }
        let body = |BodyId(ix): BodyId| &bodies[ix as usize];
        if self.a == Some(self.b) {
            return Err(JointError::SameBody { joint: self.name.clone(), body: body(self.b).name.clone() });
        }
        if self.a.into_iter().chain([self.b]).all(|id| body(id).kind != BodyKind::Dynamic) {
            return Err(JointError::NothingDynamic { joint: self.name.clone() });
        }
        Ok(())
    }

    fn check_kind(&self) -> Result<(), JointError> {
        match &self.kind {
            JointKind::Rigid => Ok(()),
            JointKind::Spherical { limit } => match limit {
                Some(limit) if !(*limit > 0.0 && *limit <= std::f64::consts::PI) => {
                    Err(self.range("the limit", limit, "an angle above 0 and up to half a turn"))
                }
                _ => Ok(()),
            },
            JointKind::Revolute { limits, drive } | JointKind::Prismatic { limits, drive } => {
                if let Some([low, high]) = limits
                    && !(*low <= 0.0 && *high >= 0.0)
                {
                    let found = format!("{low} to {high}");
                    return Err(self.range("the range", &found, "to hold 0, where the joint is made"));
                }
                drive.as_ref().map_or(Ok(()), |drive| check_drive(&self.name, drive))
            }
        }
    }

    fn unit_axis(&self) -> Result<DVec3, JointError> {
        // Scaled first, so that the square of a large component cannot overflow.
        let largest = self.axis.abs().max_element();
        let unit = (self.axis / largest).try_normalize();
        unit.filter(|x| x.is_finite())
            .ok_or_else(|| JointError::Axis { joint: self.name.clone(), found: self.axis.to_string() })
    }

    fn finite(&self, what: &'static str, v: DVec3) -> Result<(), JointError> {
        if v.is_finite() { Ok(()) } else { Err(self.range(what, &v, "finite numbers")) }
    }

    /// A limit of strength; infinite where none is given.
    fn strength(&self, what: &'static str, limit: Option<f64>) -> Result<f64, JointError> {
        match limit {
            None => Ok(f64::INFINITY),
            Some(x) if x > 0.0 => Ok(x),
            Some(x) => Err(self.range(what, &x, "a positive number")),
        }
    }

    fn range(&self, what: &'static str, found: &dyn ToString, needed: &'static str) -> JointError {
        out_of_range(&self.name, what, found, needed)
    }
}

fn out_of_range(joint: &str, what: &'static str, found: &dyn ToString, needed: &'static str) -> JointError {
    JointError::Range { joint: joint.to_owned(), what, found: found.to_string(), needed }
}

/// Checks the drive of a joint of this name.
pub(crate) fn check_drive(joint: &str, drive: &Drive) -> Result<(), JointError> {
    let strength = match drive {
        Drive::Motor { strength, .. } => *strength,
        Drive::Servo { stiffness, damping, strength, .. } => {
            for (what, x) in [("the stiffness", *stiffness), ("the damping", *damping)] {
                if !x.is_finite() || x < 0.0 {
                    return Err(out_of_range(joint, what, &x, "a finite number, 0 or more"));
                }
            }
            if *stiffness == 0.0 && *damping == 0.0 {
                return Err(out_of_range(joint, "the stiffness", &0.0, "a stiffness or a damping above 0"));
            }
            *strength
        }
    };
    if strength.is_nan() || strength < 0.0 {
        return Err(out_of_range(joint, "the strength", &strength, "0 or more"));
    }
    Ok(())
}
