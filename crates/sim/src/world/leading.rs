//! What acts on bodies over time from outside: paths that kinematic bodies follow, forces and torques on dynamic ones.
//!
//! Before a step the bodies it acts on are given the velocities that end the step on their path, and the mean of their forces over the
//! step. The world itself is not changed before the step is done. Nothing of it is state: it hangs on the time alone, so that
//! checkpoints hold nothing of it.

use std::sync::Arc;

use glam::DVec3;
use tactum_geometry::Pose;

use super::{Body, BodyError, BodyId, BodyKind, World, rest};
use crate::motion::log;
use crate::world::path::Path;
use crate::{StepError, ValueOverTime};

/// Change of a velocity that is rounding of the path, in the velocity: what goes evenly is left to go on.
const EVEN: f64 = 1e-9;

/// A force or torque over time, or both, on one body.
#[derive(Clone, Debug, PartialEq)]
pub struct Push {
    /// The body.
    pub body: BodyId,
    /// Components of the force \[N\].
    pub force: [ValueOverTime; 3],
    /// Components of the torque besides that of the force \[N m\].
    pub torque: [ValueOverTime; 3],
    /// Where the force acts, in the shape's frame \[m\]; none for the centre of mass.
    pub at: Option<DVec3>,
    /// Whether force and torque are along the axes of the shape's frame, as they are at the beginning of each step, and not the world's.
    pub turns_along: bool,
}

/// All that acts over time, and the bodies as a step under way sees them.
#[derive(Clone, Debug, Default)]
pub(super) struct Leading {
    followers: Vec<Follower>,
    pushes: Vec<Push>,
    /// The bodies with the velocities and forces of the step under way; empty where nothing acts.
    pub led: Vec<Body>,
    /// Whether their velocities are those that the last step has left.
    pub is_continued: bool,
}

#[derive(Clone, Debug)]
struct Follower {
    body: u32,
    /// What the path starts from: at a time, the pose is that of the path after this one.
    base: Pose,
    path: Arc<Path>,
}

impl Follower {
    fn pose_at(&self, time: f64) -> Pose {
        let Pose { rotation, translation } = self.path.at(time);
        Pose::new(self.base.translation + translation, rotation * self.base.rotation)
    }
}

impl World {
    /// Makes a kinematic body follow a path from the next step on: at each time its shape's frame stands at `base`, moved and turned by
    /// what the path has there. It is put where that has it now.
    ///
    /// # Errors
    /// An id that is not of this world, a body that is not kinematic, or a pose that is not finite; nothing is then changed.
    pub fn follow(&mut self, id: BodyId, base: &Pose, path: Arc<Path>) -> Result<(), BodyError> {
        let body = self.body_mut(id)?;
        if body.kind != BodyKind::Kinematic {
            return Err(BodyError::NotKinematic { body: body.name.clone() });
        }
        let follower = Follower { body: id.0, base: *base, path };
        self.set_pose(id, &follower.pose_at(self.time()))?;
        self.leading.followers.retain(|other| other.body != id.0);
        self.leading.followers.push(follower);
        Ok(())
    }

    /// Adds a force over time, which acts besides all others.
    ///
    /// # Errors
    /// An id that is not of this world, or a body that no force moves; nothing is then changed.
    pub fn push(&mut self, push: Push) -> Result<(), BodyError> {
        let body = self.body_mut(push.body)?;
        if body.kind != BodyKind::Dynamic {
            return Err(BodyError::NotDynamic { body: body.name.clone() });
        }
        self.leading.pushes.push(push);
        Ok(())
    }

    /// Prepares the bodies as the next step sees them.
    ///
    /// # Errors
    /// Forces or velocities that are not finite.
    pub(super) fn lead(&mut self) -> Result<(), StepError> {
        self.leading.led.clear();
        if self.leading.followers.is_empty() && self.leading.pushes.is_empty() {
            return Ok(());
        }
        let (dt, start) = (self.settings.dt, self.time());
        let end = (self.step_count + 1) as f64 * dt;
        let mut led = self.bodies.clone();
        let mut changed = Vec::new();
        for follower in &self.leading.followers {
            let body = &mut led[follower.body as usize];
            if steer(body, &follower.pose_at(end), dt) {
                changed.push(follower.body);
            }
        }
        // Velocities that the step before has not seen have to be guarded against in its first half.
        self.leading.is_continued = self.is_continued && changed.is_empty();
        for push in &self.leading.pushes {
            let body = &mut led[push.body.0 as usize];
            let [now, before] = [start, start - dt].map(|from| push.wrench(body, from, from + dt));
            body.force += now[0];
            body.torque += now[1];
            if now != before {
                changed.push(push.body.0);
            }
        }
        let is_bad = |body: &&Body| {
            let all = [body.linear_velocity, body.angular_velocity, body.force, body.torque];
            !all.iter().all(|v| v.is_finite())
        };
        if let Some(body) = led.iter().find(is_bad) {
            return Err(StepError::NotFinite {
                body: body.name.clone(),
                what: "velocity or force of its path or push",
            });
        }
        let links: Vec<[u32; 2]> = self.input().links().collect();
        rest::wake(&mut led, &changed, links.into_iter());
        self.leading.led = led;
        Ok(())
    }
}

impl Push {
    /// Force through the centre of mass and torque, world axes, on average from one time to another \[N, N m\].
    fn wrench(&self, body: &Body, from: f64, to: f64) -> [DVec3; 2] {
        let mean = |values: &[ValueOverTime; 3]| {
            DVec3::from_array(values.each_ref().map(|value| value.mean(from, to)))
        };
        let to_world = |v: DVec3| if self.turns_along { body.orientation * v } else { v };
        let (force, torque) = (to_world(mean(&self.force)), to_world(mean(&self.torque)));
        let lever = self.at.map_or(DVec3::ZERO, |at| body.orientation * (at - body.mass.center));
        [force, torque + lever.cross(force)]
    }
}

/// Gives a body the velocities that bring its shape's frame to a pose within `dt`; whether they are others than before.
fn steer(body: &mut Body, target: &Pose, dt: f64) -> bool {
    let linear = (target.point(body.mass.center) - body.position) / dt;
    let angular = log(target.rotation * body.orientation.conjugate()) / dt;
    let is_even = |wanted: DVec3, found: DVec3| (wanted - found).length() <= EVEN * found.length();
    if is_even(linear, body.linear_velocity) && is_even(angular, body.angular_velocity) {
        return false;
    }
    (body.linear_velocity, body.angular_velocity) = (linear, angular);
    true
}
