//! What is remembered of passages: which features of which bodies are in each other.

use serde::{Deserialize, Serialize};
use tactum_geometry::passage::{Surface, Tracks};

use crate::Body;
use crate::world::hash::StateHash;

/// Two bodies of which features are in each other.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StoredPassage {
    /// The bodies, the smaller index first.
    pub bodies: [u32; 2],
    /// Their features.
    pub tracks: Tracks,
    /// Work that the bodies have done against the springs of these and not got back \[J\].
    pub work: f64,
}

/// What is in what.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StoredPassages {
    /// Sub-steps per second that the contacts of the last one asked for; 0 without contacts \[1/s\].
    pub rate: f64,
    /// Whether it is known of each body what it is in: not of one that was put where it is.
    pub known: Vec<bool>,
    /// The pairs, sorted.
    pub pairs: Vec<StoredPassage>,
}

impl StoredPassages {
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether it is known what these two bodies are to each other.
    pub(crate) fn knows(&self, bodies: [u32; 2]) -> bool {
        bodies.iter().all(|ix| self.known.get(*ix as usize).copied().unwrap_or(false))
    }

    /// Forgets a body that is put somewhere else.
    pub(crate) fn forget(&mut self, body: u32) {
        if let Some(known) = self.known.get_mut(body as usize) {
            *known = false;
            self.pairs.retain(|pair| !pair.bodies.contains(&body));
        }
    }

    pub(crate) fn hash(&self, hash: &mut StateHash) {
        if self.is_empty() {
            return;
        }
        hash.word(self.rate.to_bits());
        self.known.iter().for_each(|known| hash.word(u64::from(*known)));
        for pair in &self.pairs {
            let word = |a: u32, b: u32| u64::from(a) << 32 | u64::from(b);
            hash.word(word(pair.bodies[0], pair.bodies[1]));
            hash.word(pair.work.to_bits());
            pair.tracks.put_in.iter().chain([&pair.tracks.loose]).for_each(|x| hash.word(x.to_bits()));
            for track in &pair.tracks.vertices {
                hash.word(word(track.vertex, track.face));
                hash.word(word(u32::from(track.of_b), u32::from(track.from_back)));
            }
            for track in &pair.tracks.edges {
                hash.word(word(track.edges[0], track.edges[1]));
                hash.word(u64::from(track.along));
            }
        }
    }
}

impl StoredPassage {
    /// Whether there are such bodies and features.
    pub(crate) fn fits(&self, bodies: &[Body]) -> bool {
        let [a, b] = self.bodies;
        let surface = |ix: u32| -> Option<&Surface> { bodies.get(ix as usize)?.surface.as_deref() };
        a < b
            && self.work.is_finite()
            && match (surface(a), surface(b)) {
                (Some(a), Some(b)) => self.tracks.fits(a, b),
                _ => false,
            }
    }
}
