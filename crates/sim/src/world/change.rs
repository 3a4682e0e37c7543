//! What can be changed of a world between two steps: velocities, poses, wrenches, masses, coefficients, drives and settings.

use glam::DVec3;
use tactum_geometry::Pose;

use super::body::{check_finite, unit_orientation};
use super::material::is_friction;
use super::{Body, BodyError, BodyId, BodyKind, MassProperties, World};
use crate::joint::check_drive;
use crate::{Drive, JointError, JointId, Settings, SettingsError};

impl World {
    /// Changes what moves a joint from the next step on.
    ///
    /// # Errors
    /// An id that is not of this world, a drive for a joint that is neither revolute nor prismatic, or one with a number out of its range; the joint is then
    /// unchanged.
    pub fn set_drive(&mut self, id: JointId, drive: Option<Drive>) -> Result<(), JointError> {
        self.stepper.abandon();
        let needed = self.joints.len();
        let joint = self.joints.get_mut(id.0 as usize).ok_or(JointError::Unknown { found: id.0, needed })?;
        if let Some(drive) = &drive {
            check_drive(&joint.name, drive)?;
        }
        match joint.kind.drive_mut() {
            Some(place) => *place = drive,
            None if drive.is_some() => return Err(JointError::NoDrive { joint: joint.name.clone() }),
            None => {}
        }
        let bodies = joint.bodies();
        self.wake_joined(bodies);
        Ok(())
    }

    /// Sets the velocity of a dynamic or kinematic body, world axes \[m/s, rad/s\].
    ///
    /// # Errors
    /// An id that is not of this world, a velocity that is not finite, or any but zero for a static body; nothing is then changed.
    pub fn set_velocity(&mut self, id: BodyId, linear: DVec3, angular: DVec3) -> Result<(), BodyError> {
        let body = self.body_mut(id)?;
        check_finite(&body.name, "linear velocity", linear)?;
        check_finite(&body.name, "angular velocity", angular)?;
        if body.kind == BodyKind::Static && (linear != DVec3::ZERO || angular != DVec3::ZERO) {
            return Err(BodyError::StaticMoves { body: body.name.clone() });
        }
        let changes = body.linear_velocity != linear || body.angular_velocity != angular;
        body.linear_velocity = linear;
        body.angular_velocity = angular;
        if changes {
            self.is_continued = false;
            self.wake(&[id.0]);
        }
        Ok(())
    }

    /// Sets the force through the centre of mass and the torque that act on a body from now on, world axes
    /// \[N, N m\]; they have no effect on static and kinematic bodies.
    ///
    /// # Errors
    /// An id that is not of this world, or a wrench that is not finite; nothing is then changed.
    pub fn set_wrench(&mut self, id: BodyId, force: DVec3, torque: DVec3) -> Result<(), BodyError> {
        let body = self.body_mut(id)?;
        check_finite(&body.name, "force", force)?;
        check_finite(&body.name, "torque", torque)?;
        let changes = body.force != force || body.torque != torque;
        body.force = force;
        body.torque = torque;
        if changes {
            self.wake(&[id.0]);
        }
        Ok(())
    }

    /// Moves a body to a pose of its shape's frame, without giving it a velocity.
    ///
    /// # Errors
    /// An id that is not of this world, or a pose that is not finite or has no direction; nothing is then changed.
    pub fn set_pose(&mut self, id: BodyId, w_from_shape: &Pose) -> Result<(), BodyError> {
        let body = self.body_mut(id)?;
        check_finite(&body.name, "position", w_from_shape.translation)?;
        let orientation = unit_orientation(&body.name, w_from_shape.rotation)?;
        body.position = w_from_shape.translation + orientation * body.mass.center;
        body.orientation = orientation;
        let is_dynamic = body.kind == BodyKind::Dynamic;
        self.memory.passages.forget(id.0);
        if is_dynamic {
            self.wake(&[id.0]);
        } else {
            // It may now be where something sleeps.
            self.wake_all();
        }
        self.is_continued = false;
        Ok(())
    }

    /// Changes the settings from the next step on. A changed `dt` changes [`World::time`] for the steps already made.
    ///
    /// # Errors
    /// The first setting that is out of its range; the settings are then unchanged.
    pub fn set_settings(&mut self, settings: Settings) -> Result<(), SettingsError> {
        self.stepper.abandon();
        settings.check()?;
        if settings != self.settings {
            self.wake_all();
        }
        self.is_continued &= (settings.dt, settings.substeps) == (self.settings.dt, self.settings.substeps);
        self.settings = settings;
        Ok(())
    }

    /// Sets the coefficient of friction of a body, in place of its own or its material's; pairs of which something else is said
    /// keep theirs.
    ///
    /// # Errors
    /// An id that is not of this world, or a coefficient that is negative or not finite; nothing is then changed.
    pub fn set_friction(&mut self, id: BodyId, friction: f64) -> Result<(), BodyError> {
        let body = self.body_mut(id)?;
        if !is_friction(friction) {
            return Err(BodyError::Friction { body: body.name.clone(), found: friction });
        }
        let changes = body.friction != friction;
        body.friction = friction;
        if changes {
            self.wake(&[id.0]);
        }
        Ok(())
    }

    /// Gives a dynamic body another mass from the next step on \[kg\], and inertia in proportion, as if it were denser everywhere by one factor.
    /// Static and kinematic bodies have none that would matter.
    ///
    /// # Errors
    /// An id that is not of this world, or a mass with which no body can be moved; nothing is then changed.
    pub fn set_mass(&mut self, id: BodyId, mass: f64) -> Result<(), BodyError> {
        let (gravity, dt) = (self.settings.gravity, self.settings.dt);
        let body = self.body_mut(id)?;
        if body.kind != BodyKind::Dynamic || body.mass.mass == mass {
            return Ok(());
        }
        let inertia = body.mass.inertia * (mass / body.mass.mass);
        let changed = MassProperties { mass, inertia, ..body.mass };
        changed.check(&body.name)?;
        Body { mass: changed, ..body.clone() }.check_energy(gravity, dt)?;
        body.mass = changed;
        self.inverse_inertias[id.0 as usize] = inertia.inverse();
        self.is_continued = false;
        self.wake(&[id.0]);
        Ok(())
    }
}
