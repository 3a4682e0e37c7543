//! The rest of a step in one go: what a device is asked that goes through many sub-steps by itself, and what is made of its answer.
//!
//! Places, velocities and what is remembered come back in the middle of a sub-step, just kicked; from there the course goes on as it would by
//! itself. Velocities are found from the impulses that pairs of bodies had on each other, in 64 bits and the same for both, so that linear
//! momentum stays whatever the device made of it on the way.

use glam::{DMat3, DQuat, DVec3};
use tactum_geometry::facets::Margins;

use super::bound::MOST_DAMPED;
use super::course::{Course, SURPRISE};
use super::end::SeenPatch;
use super::near::Near;
use crate::law::facets::{Moving, MovingPair, Stopped, StoredFacets, Stretch, Stretched};
use crate::stepper::step::{Input, StepError};
use crate::{Body, BodyKind};

/// How deep spheres may be in each other, as a part of the smaller body's size: about where half-spaces no longer stand for round bodies, which is doubtful
/// in any case. What is deeper than it was looked for stops a stretch, and the first depth of a question is soon passed by bodies that come at each other.
const DEPTH: f64 = 0.05;

/// Most sub-steps of a stretch: so many make the price of a submission a small part of theirs.
const MOST: u32 = 256;

/// How far a body may come in a stretch at most, as a part of its size. All facets are looked at in each sub-step that are that near: the
/// farther, the more in vain; the nearer, the more often they have to be found.
const WIDEST: f64 = 0.2;

/// How far bodies at rest may come, as a part of their size: those that are hit on the way.
const LEAST: f64 = 0.02;

/// After so many stretches that were stopped by what is for the processor the rest of a step is asked about sub-step by sub-step: a touch
/// that is deeper than it was looked for is over with one of those, one that stays doubtful would stop every one of them.
const MOST_UNFIT: u32 = 4;

/// How much farther than it would freely a body may come.
const SPARE: f64 = 1.25;

impl Course {
    /// What is asked of whoever goes through the next sub-steps by himself; nothing if nobody does, or there are too few for it to pay.
    pub fn stretch(&mut self, input: &Input<'_>, near: &mut Near) -> Result<Option<Stretch>, StepError> {
        let Stretches { are_taken, next_is_alone, n_unfit, .. } = self.stretches;
        (self.stretches.next_is_alone, self.stretches.is_asked) = (false, false);
        if !are_taken || next_is_alone || n_unfit >= MOST_UNFIT {
            return Ok(None);
        }
        let gravity = input.settings.gravity;
        let free: Vec<Free> = self
            .bodies
            .iter()
            .zip(0..)
            .map(|(body, ix)| Free::of(body, near.farthest(ix), gravity))
            .collect();
        let time = free.iter().map(Free::longest).fold(f64::INFINITY, f64::min);
        // Saturates where nothing moves.
        let n = ((time / self.length) as u32).min(self.n_left + 1).min(MOST);
        if n < 2 {
            return Ok(None);
        }
        let ways: Vec<f64> = free.iter().map(|free| free.allowance(f64::from(n) * self.length)).collect();
        near.find_around(input, &self.bodies, &self.stored, self.left(), &ways)?;
        self.asked = (0..near.pairs.len()).filter(|&ix| self.may_touch(near, ix, &ways)).collect();
        if self.asked.is_empty() {
            // Until anything may touch there is nothing to ask.
            self.stretches.are_taken = false;
            return Ok(None);
        }
        self.stretches.is_asked = true;
        let of_pair = |&ix: &usize| self.moving_pair(near, ix);
        let pairs = self.asked.iter().map(of_pair).collect();
        let of_body = |ix: usize| {
            let (body, inverse) = (&self.bodies[ix], &input.inverse_inertias[ix]);
            moving(body, &free[ix], ways[ix], self.lightness[ix], inverse)
        };
        let carried = SURPRISE * self.phase;
        Ok(Some(Stretch {
            n,
            length: self.length,
            since_kick: self.since_kick,
            most_stiff: 0.5 * (carried / self.length).powi(2),
            most_damped: 0.5 * SURPRISE * MOST_DAMPED / self.length,
            bodies: (0..self.bodies.len()).map(of_body).collect(),
            pairs,
        }))
    }

    /// Whether two bodies come near enough to each other on these ways.
    fn may_touch(&self, near: &Near, ix: usize, ways: &[f64]) -> bool {
        let pair = &near.pairs[ix];
        let [a, b] = pair.bodies.map(|ix| ix as usize);
        let between = self.bodies[a].position.distance(self.bodies[b].position);
        let reach = near.farthest(pair.bodies[0]) + near.farthest(pair.bodies[1]);
        // What rises from a facet is within the ball of its sphere, which may be wider than that of the vertices.
        let bulge: f64 = pair.meshes.iter().map(|mesh| mesh.greatest_bulge()).sum();
        between <= reach + bulge + pair.margins.gap + ways[a] + ways[b]
    }

    fn moving_pair(&self, near: &Near, ix: usize) -> MovingPair {
        let pair = &near.pairs[ix];
        let known = self.stored.binary_search_by_key(&pair.bodies, |stored| stored.bodies);
        let [a, b] = pair.bodies.map(|ix| self.bodies[ix as usize].mean_side);
        let depth = pair.margins.depth.max(DEPTH * a.min(b));
        MovingPair {
            bodies: pair.bodies,
            meshes: pair.meshes.clone(),
            law: pair.law,
            margins: Margins { depth, ..pair.margins },
            stored: known.ok().map(|ix| self.stored[ix].patches.clone()),
        }
    }

    /// Takes over what became of a stretch: the bodies go on from their last kick. Without an answer the rest of the step is asked about sub-step by
    /// sub-step.
    ///
    /// # Errors
    /// An answer to another question.
    pub fn take_stretched(
        &mut self,
        input: &Input<'_>,
        near: &Near,
        stretched: Option<Stretched>,
    ) -> Result<(), StepError> {
        let Some(stretched) = stretched else {
            self.stretches.n_unfit = MOST_UNFIT;
            return Ok(());
        };
        match stretched.stopped {
            None | Some(Stopped::Way) => {}
            Some(Stopped::Stiff) => self.stretches.next_is_alone = true,
            Some(Stopped::Unfit) => {
                self.stretches.next_is_alone = true;
                self.stretches.n_unfit += 1;
            }
        }
        self.n_redone += u32::from(matches!(stretched.stopped, Some(Stopped::Stiff | Stopped::Unfit)));
        if stretched.n_done == 0 {
            // Were it only for a way, the same would be asked again.
            self.stretches.next_is_alone = true;
            return Ok(());
        }
        let n_left = (self.n_left + 1).checked_sub(stretched.n_done);
        let counts = [(self.asked.len(), stretched.pairs.len()), (self.bodies.len(), stretched.bodies.len())];
        let wrong = counts.into_iter().find(|(needed, found)| needed != found);
        if let Some((needed, found)) = wrong {
            return Err(StepError::AnswerCount { needed, found });
        }
        let Some(n_left) = n_left else {
            let (needed, found) = (self.n_left as usize + 1, stretched.n_done as usize);
            return Err(StepError::AnswerCount { needed, found });
        };
        self.go(input, near, &stretched);
        self.remember(near, stretched);
        self.after_kick(input, n_left);
        Ok(())
    }

    /// Puts the bodies to where they were kicked last, with the velocities that they have then.
    fn go(&mut self, input: &Input<'_>, near: &Near, stretched: &Stretched) {
        let time = f64::from(stretched.n_done) * self.length;
        let mut gained = vec![[DVec3::ZERO; 2]; self.bodies.len()];
        for (ix, pair) in self.asked.iter().zip(&stretched.pairs) {
            let [a, b] = near.pairs[*ix].bodies.map(|ix| ix as usize);
            let impulse: DVec3 = pair.patches.iter().map(|patch| patch.impulse).sum();
            gained[a] = [gained[a][0] - impulse, gained[a][1] + pair.turns[0]];
            gained[b] = [gained[b][0] + impulse, gained[b][1] + pair.turns[1]];
        }
        let of_bodies = self.bodies.iter_mut().zip(input.inverse_inertias).zip(&stretched.bodies).zip(gained);
        for (((body, inverse), gone), [impulse, turn]) in of_bodies {
            if body.kind == BodyKind::Static {
                continue;
            }
            let momentum = momentum(body) + time * body.torque + turn;
            body.position += (time - self.length) * body.linear_velocity + gone.shift;
            body.orientation = (gone.turn * body.orientation).normalize();
            if body.kind == BodyKind::Dynamic {
                let pull = input.settings.gravity + body.force / body.mass.mass;
                body.linear_velocity += time * pull + impulse / body.mass.mass;
                body.angular_velocity = turned(body.orientation, inverse) * momentum;
            }
        }
        self.n_done += stretched.n_done;
    }

    /// Takes over what is remembered of the pairs, and what is reported of them.
    fn remember(&mut self, near: &Near, stretched: Stretched) {
        self.stored.clear();
        let mut at = 0;
        for (ix, pair) in self.asked.iter().zip(stretched.pairs) {
            let bodies = near.pairs[*ix].bodies;
            for (number, patch) in (0..).zip(&pair.patches) {
                let impulse = [patch.impulse, patch.turn];
                at = SeenPatch::add(&mut self.seen, at, (bodies, number), &patch.deepest, impulse);
            }
            let deepest = pair.deepest;
            self.stored.extend(pair.stored.map(|patches| StoredFacets { bodies, patches, deepest }));
        }
    }
}

/// How a body moves with nothing in its way.
struct Free {
    /// Of its fastest point \[m/s\].
    speed: f64,
    /// \[m/s²\].
    acceleration: f64,
    size: f64,
    reach: f64,
    is_static: bool,
    pull: DVec3,
}

impl Free {
    fn of(body: &Body, reach: f64, gravity: DVec3) -> Self {
        let is_dynamic = body.kind == BodyKind::Dynamic;
        let pull = if is_dynamic { gravity + body.force / body.mass.mass } else { DVec3::ZERO };
        Self {
            speed: body.linear_velocity.length() + reach * body.angular_velocity.length(),
            acceleration: pull.length(),
            size: body.mean_side,
            reach,
            is_static: body.kind == BodyKind::Static,
            pull,
        }
    }

    /// For how long it comes no farther than it may \[s\].
    fn longest(&self) -> f64 {
        if self.is_static {
            return f64::INFINITY;
        }
        let way = (WIDEST - LEAST) * self.size / SPARE;
        2.0 * way / (self.speed + (self.speed * self.speed + 2.0 * self.acceleration * way).sqrt())
    }

    /// How far it may come in a time \[m\].
    fn allowance(&self, time: f64) -> f64 {
        if self.is_static {
            return 0.0;
        }
        LEAST * self.size + SPARE * time * (self.speed + 0.5 * self.acceleration * time)
    }
}

fn moving(body: &Body, free: &Free, allowance: f64, lightness: f64, inverse: &DMat3) -> Moving {
    let is_dynamic = body.kind == BodyKind::Dynamic;
    // A body that stands still does so whatever velocity it is given.
    let moves = if free.is_static { 0.0 } else { 1.0 };
    Moving {
        w_from_shape: body.w_from_shape(),
        center: body.position,
        velocity: moves * body.linear_velocity,
        angular: moves * body.angular_velocity,
        is_dynamic,
        inverse_mass: if is_dynamic { body.mass.mass.recip() } else { 0.0 },
        inverse_inertia: if is_dynamic { turned(body.orientation, inverse) } else { DMat3::ZERO },
        momentum: momentum(body),
        acceleration: free.pull,
        torque: body.torque,
        reach: free.reach,
        allowance,
        lightness,
    }
}

/// A tensor of the shape's axes in the world's.
fn turned(orientation: DQuat, tensor: &DMat3) -> DMat3 {
    let turn = DMat3::from_quat(orientation);
    turn * *tensor * turn.transpose()
}

/// Angular momentum about the centre of mass, world axes \[kg m²/s\].
fn momentum(body: &Body) -> DVec3 {
    body.orientation * (body.mass.inertia * (body.orientation.conjugate() * body.angular_velocity))
}

/// How stretches stand in a step.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stretches {
    /// Whether somebody goes through them, by the answers that came last.
    pub are_taken: bool,
    /// How many of this step were stopped by what is for the processor.
    n_unfit: u32,
    /// Whether the next sub-step is to be asked about by itself.
    next_is_alone: bool,
    /// Whether one is asked for and not answered.
    pub is_asked: bool,
}
