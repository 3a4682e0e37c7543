//! Which bodies came at each other so fast that one might have come out on the other side of the other within a step.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tactum_geometry::words::number;
use tactum_sim::report::FastPair;
use tactum_sim::{BodyId, World};

/// The fast pairs of a run; goes on over checkpoints.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Vec<Seen>", into = "Vec<Seen>")]
pub struct Fast {
    pairs: BTreeMap<[BodyId; 2], Seen>,
}

/// When a pair was fastest.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Seen {
    step: u64,
    pair: FastPair,
}

impl From<Vec<Seen>> for Fast {
    fn from(seen: Vec<Seen>) -> Self {
        Self { pairs: seen.into_iter().map(|seen| (seen.pair.bodies, seen)).collect() }
    }
}

impl From<Fast> for Vec<Seen> {
    fn from(fast: Fast) -> Self {
        fast.pairs.into_values().collect()
    }
}

impl Fast {
    /// Adds those of a step.
    pub fn add(&mut self, step: u64, pairs: &[FastPair]) {
        for &pair in pairs {
            let seen = self.pairs.entry(pair.bodies).or_insert(Seen { step, pair });
            if pair.way > seen.pair.way {
                *seen = Seen { step, pair };
            }
        }
    }

    /// What is to be said of them, in words.
    pub fn doubts(&self, world: &World) -> Vec<String> {
        let settings = world.settings();
        let part = settings.dt / f64::from(settings.substeps);
        let Some(Seen { step, pair }) = self.pairs.values().max_by(|a, b| a.pair.way.total_cmp(&b.pair.way))
        else {
            return Vec::new();
        };
        let [a, b] = pair.bodies.map(|id| &world.body(id).name);
        let others = match self.pairs.len() as u64 - 1 {
            0 => String::new(),
            n => format!(", the fastest of {} pairs that came too fast", n + 1),
        };
        vec![format!(
            "'{a}' and '{b}' came at each other by {:.1} times half the thickness of the thinner one in a step (step {step}, {} s){others}, so \
             that one may have gone through the other: with a dt below {:.1e} s none does",
            pair.way,
            number(*step as f64 * settings.dt),
            part / pair.way
        )]
    }
}
