//! What acts on bodies over time from outside: paths that kinematic bodies follow, forces and torques on dynamic ones.
//!
//! Before a step the bodies it acts on are given the velocities that lead them through it on their path, and the mean of their forces over the
//! step. The world itself is not changed before the step is done. Nothing of it is state: it hangs on the time alone, so that
//! checkpoints hold nothing of it.

use std::sync::Arc;

use glam::DVec3;
use tactum_geometry::Pose;

use super::{Body, BodyError, BodyId, BodyKind, World, rest};
use crate::motion::{exp, log};
use crate::settings::ContactLaw;
use crate::twist::Twist;
use crate::world::path::Path;
use crate::{Settings, StepError, ValueOverTime};

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
    /// Whether force and torque are along the axes of the shape's frame, as they are in the middle of each step, and not the world's.
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

/// Where a path leads at the end of a step, and half a step before and after that.
struct Ahead {
    early: Pose,
    end: Pose,
    late: Pose,
}

impl Follower {
    fn ahead(&self, end: f64, dt: f64) -> Ahead {
        let [early, end, late] = [end - 0.5 * dt, end, end + 0.5 * dt].map(|time| self.pose_at(time));
        Ahead { early, end, late }
    }

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
        let (Settings { dt, law, .. }, start) = (self.settings, self.time());
        let end = (self.step_count + 1) as f64 * dt;
        let mut led = self.bodies.clone();
        let mut changed = Vec::new();
        for follower in &self.leading.followers {
            let body = &mut led[follower.body as usize];
            if steer(body, &follower.ahead(end, dt), dt, law) {
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
        // As the body stands half-way, if it goes on as it turns now: of second order in the step.
        let turn = exp(0.5 * (to - from) * body.angular_velocity) * body.orientation;
        let to_world = |v: DVec3| if self.turns_along { turn * v } else { v };
        let (force, torque) = (to_world(mean(&self.force)), to_world(mean(&self.torque)));
        let lever = self.at.map_or(DVec3::ZERO, |at| turn * (at - body.mass.center));
        [force, torque + lever.cross(force)]
    }
}

/// Gives a body the velocities that lead its shape's frame along a path; whether it begins the step with others than it came with.
///
/// Impulses act on velocities at the end of a step: what stands on a plate is then to be as fast as the plate is, or the next step finds
/// them apart. So contacts see the path's velocity there, with which the second half of the step goes, and the first half goes with
/// what is left of the way: the same as an even acceleration. Where forces act by places, a step goes evenly.
fn steer(body: &mut Body, path: &Ahead, dt: f64, law: ContactLaw) -> bool {
    let (start, before) = (body.w_from_shape(), body.twist());
    let mean = twist_between(&body.mass.center, [&start, &path.end], dt);
    let at_end = twist_between(&body.mass.center, [&path.early, &path.late], dt);
    let last = match law {
        ContactLaw::Volume => Twist {
            linear: reached(before.linear, mean.linear, at_end.linear),
            angular: reached(before.angular, mean.angular, at_end.angular),
        },
        ContactLaw::Facets | ContactLaw::ContinuousPenalty => mean,
    };
    if is_even(&mean, &before) && is_even(&last, &before) {
        return false;
    }
    let second_half = exp(0.5 * dt * last.angular);
    let first = Twist {
        linear: 2.0 * mean.linear - last.linear,
        angular: 2.0 / dt * log(second_half.conjugate() * path.end.rotation * start.rotation.conjugate()),
    };
    (body.linear_velocity, body.angular_velocity) = (first.linear, first.angular);
    let gained = |first: DVec3, last: DVec3| (last - first) / dt;
    body.acceleration =
        Twist { linear: gained(first.linear, last.linear), angular: gained(first.angular, last.angular) };
    !is_even(&first, &before)
}

/// The velocities with which a centre of mass, in the shape's frame, and the frame itself come from one pose to another in a time \[s\].
fn twist_between(center: &DVec3, [from, to]: [&Pose; 2], time: f64) -> Twist {
    Twist {
        linear: (to.point(*center) - from.point(*center)) / time,
        angular: log(to.rotation * from.rotation.conjugate()) / time,
    }
}

/// The velocity that a step ends with whose path has this one then: as far beyond the mean as the one before is short of it at the most,
/// so that a path that stops at once, or is finer than the steps, is not overshot.
fn reached(before: DVec3, mean: DVec3, at_end: DVec3) -> DVec3 {
    let [gained, ahead] = [mean - before, at_end - mean];
    let (along, whole) = (gained.dot(ahead), ahead.length_squared());
    if along >= whole { at_end } else { mean + ahead * (along / whole).max(0.0) }
}

/// Whether a body goes on as it came.
fn is_even(wanted: &Twist, found: &Twist) -> bool {
    let is_even = |wanted: DVec3, found: DVec3| (wanted - found).length() <= EVEN * found.length();
    is_even(wanted.linear, found.linear) && is_even(wanted.angular, found.angular)
}
