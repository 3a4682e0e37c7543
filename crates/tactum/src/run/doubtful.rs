//! Of which bodies' facets something was doubtful: nothing is left out of a sum silently.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tactum_geometry::facets::{Doubt, Doubts};
use tactum_geometry::words::counted;
use tactum_sim::{BodyId, FacetDoubts, World};

use super::end::listed;

/// What was doubtful in a run; goes on over checkpoints.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Vec<Seen>", into = "Vec<Seen>")]
pub struct Doubtful {
    seen: BTreeMap<(usize, [BodyId; 2]), Seen>,
}

/// When a pair was most doubtful in a way.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Seen {
    kind: usize,
    bodies: [BodyId; 2],
    step: u64,
    /// Pairs of their facets then.
    n: usize,
}

impl From<Vec<Seen>> for Doubtful {
    fn from(seen: Vec<Seen>) -> Self {
        Self { seen: seen.into_iter().map(|seen| ((seen.kind, seen.bodies), seen)).collect() }
    }
}

impl From<Doubtful> for Vec<Seen> {
    fn from(doubtful: Doubtful) -> Self {
        doubtful.seen.into_values().collect()
    }
}

/// A way in which facets can be doubtful.
struct Kind {
    of: fn(&Doubts) -> &Doubt,
    /// What is said of them.
    text: &'static str,
}

const KINDS: [Kind; 6] = [
    Kind {
        of: |doubts| &doubts.two_flats,
        text: "flat ones that lie in each other, of whose force nothing is said",
    },
    Kind {
        of: |doubts| &doubts.tight_sockets,
        text: "in hollow ones that are not wider, of whose force nothing is said",
    },
    Kind {
        of: |doubts| &doubts.beyond_hertz,
        text: "deeper than a tenth of their radius, or wider than that goes with, where forces of small contacts are no longer right: \
               stiffer bodies stay below",
    },
    Kind {
        of: |doubts| &doubts.too_deep,
        text: "deeper in each other than is looked for, so that force may be missing",
    },
    Kind {
        of: |doubts| &doubts.ring_cut,
        text: "that draw each other from farther than is looked for, so that force may be missing",
    },
    Kind {
        of: |doubts| &doubts.over_edges,
        text: "that meet beyond a sharp edge, where nothing holds: what lies there falls past the edge, unless that is rounded",
    },
];

impl Doubtful {
    /// Adds what was doubtful in a step.
    pub fn add(&mut self, step: u64, doubts: &[FacetDoubts]) {
        for of_pair in doubts {
            for (kind, Kind { of, .. }) in KINDS.iter().enumerate() {
                let n = of(&of_pair.doubts).n;
                if n == 0 {
                    continue;
                }
                let bodies = of_pair.bodies;
                let seen = self.seen.entry((kind, bodies)).or_insert(Seen { kind, bodies, step, n });
                if n > seen.n {
                    (seen.step, seen.n) = (step, n);
                }
            }
        }
    }

    /// What is to be said of it, in words.
    pub fn doubts(&self, world: &World) -> Vec<String> {
        let text = |seen: &Seen| {
            let [a, b] = seen.bodies.map(|id| &world.body(id).name);
            let pairs = counted(seen.n as u64, "pair", "pairs");
            format!("'{a}' and '{b}' had {pairs} of facets (step {}) {}", seen.step, KINDS[seen.kind].text)
        };
        listed(self.seen.values().map(text), "pairs of bodies had facets of the kind")
    }
}
