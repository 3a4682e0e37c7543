//! Bodies at rest: when they fall asleep, and who wakes with whom.
//!
//! A body is still while it stays, but for a small part of its size, where it was. That is told by the way gone and not by the speed: what
//! turns back has none for a moment, what creeps next to none, and both move on. An island falls asleep once all of its bodies have
//! been still for [`Settings::sleep_after`](crate::Settings::sleep_after) on something that does not move. Nothing is asked of it and
//! nothing moves it then; its contacts stay as the last step has left them.
//!
//! What sleeps as one wakes as one, in the step in which a body that is awake, or moves by itself, comes to touch one of its bodies, or
//! when the world is changed at one of them: with the impulses that it fell asleep with, as if it had never slept.

use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};
use tactum_geometry::union_find::UnionFind;

use crate::constants::STILL;
use crate::world::body::Body;
use crate::world::body_state::BodyState;
use crate::world::hash::StateHash;

/// For how long a body has been still, and whether it sleeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rest {
    /// Where its centre of mass was first in that time, world \[m\].
    pub position: DVec3,
    /// Its orientation then.
    pub orientation: DQuat,
    /// For how long \[s\].
    pub time: f64,
    /// Whether it sleeps.
    pub asleep: bool,
}

impl Rest {
    pub(super) fn is_finite(&self) -> bool {
        self.position.is_finite() && self.orientation.is_finite() && self.time.is_finite()
    }

    pub(super) fn hash(&self, hash: &mut StateHash) {
        hash.vector(self.position);
        self.orientation.to_array().into_iter().for_each(|x| hash.word(x.to_bits()));
        hash.word(self.time.to_bits());
        hash.word(u64::from(self.asleep));
    }

    /// The rest of a body of this size \[m\] that is in this state after another `dt` \[s\].
    pub(crate) fn after(&self, state: &BodyState, size: f64, dt: f64) -> Self {
        // Twice the sine of half the angle: the angle itself where it is small.
        let turned = 2.0 * (state.orientation * self.orientation.conjugate()).xyz().length();
        let gone = state.position.distance(self.position) + size * turned;
        if gone <= STILL * size {
            return Self { time: self.time + dt, ..*self };
        }
        Self { position: state.position, orientation: state.orientation, time: 0.0, asleep: false }
    }
}

/// Wakes the sleeping ones of `touched`, those that lie on or hang from one of `touched` that never sleeps, and all that sleep as one
/// with these; `links` are the pairs of bodies in contact or joined. Whether any woke.
pub(crate) fn wake(
    bodies: &mut [Body],
    touched: &[u32],
    links: impl Iterator<Item = [u32; 2]> + Clone,
) -> bool {
    let sleeps = |bodies: &[Body], ix: u32| bodies.get(ix as usize).is_some_and(|body| body.rest.asleep);
    if touched.is_empty() || !bodies.iter().any(|body| body.rest.asleep) {
        return false;
    }
    let mut sets = UnionFind::new(bodies.len());
    for [a, b] in links.clone().filter(|link| link.iter().all(|ix| sleeps(bodies, *ix))) {
        sets.join(a, b);
    }
    let mut is_touched = vec![false; bodies.len()];
    touched.iter().for_each(|ix| is_touched[*ix as usize] = true);
    let mut wakes = vec![false; bodies.len()];
    let on_touched = links
        .flat_map(|[a, b]| [[a, b], [b, a]])
        .filter_map(|[of, on]| is_touched.get(on as usize).is_some_and(|touched| *touched).then_some(of));
    for ix in touched.iter().copied().chain(on_touched).filter(|ix| sleeps(bodies, *ix)) {
        wakes[sets.find(ix) as usize] = true;
    }
    let mut any = false;
    for (ix, body) in (0..).zip(bodies) {
        if body.rest.asleep && wakes[sets.find(ix) as usize] {
            body.rest = Rest::default();
            any = true;
        }
    }
    any
}
