//! Of which bodies' facets something was doubtful: nothing is left out of a sum silently.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tactum_geometry::facets::{Doubt, Doubts};
use tactum_geometry::words::counted;
use tactum_sim::{BodyId, FacetDoubts, World};

/// Pairs of bodies that are named besides the worst; more are counted.
const LISTED: usize = 3;

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

const KINDS: [Kind; 7] = [
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
    Kind {
        of: |doubts| &doubts.saddles,
        text: "in saddles that they do not fit into, as the inside of a ring is, where nothing holds",
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

    /// What is to be said of it, in words: of each kind the pair of bodies that had most of it, and who else had any.
    pub fn doubts(&self, world: &World) -> Vec<String> {
        let names = |seen: &Seen| {
            let [a, b] = seen.bodies.map(|id| &world.body(id).name);
            format!("'{a}' and '{b}'")
        };
        let of_kind = |(kind, Kind { text, .. }): (usize, &Kind)| {
            let all: Vec<&Seen> = self.seen.values().filter(|seen| seen.kind == kind).collect();
            // The first of those that had as many.
            let worst = *all.iter().rev().max_by_key(|seen| seen.n)?;
            let pairs = counted(worst.n as u64, "pair", "pairs");
            let first = format!("{} had {pairs} of facets (step {}) {text}", names(worst), worst.step);
            let others = all.iter().filter(|seen| seen.bodies != worst.bodies);
            let listed: Vec<String> = others.take(LISTED).map(|seen| names(seen)).collect();
            Some(match (all.len() - 1, (all.len() - 1).saturating_sub(LISTED)) {
                (0, _) => first,
                (_, 0) => format!("{first}; so had {}", listed.join(", ")),
                (_, more) => {
                    let more = counted(more as u64, "more pair of bodies", "more pairs of bodies");
                    format!("{first}; so had {} and {more}", listed.join(", "))
                }
            })
        };
        KINDS.iter().enumerate().filter_map(of_kind).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A kind takes a line, whoever had any of it.
    #[test]
    fn pairs_of_one_kind_are_told_together() {
        let scene = "[contact]\nlaw = 'facets'\n[[body]]\nname = 'grain'\nmass = 1\nshape = { sphere = 0.1 }\n\
                     copies = { grid = [6, 1, 1], spacing = [1, 1, 1] }\n";
        let scene = crate::scene::Scene::parse(scene, "scene.toml".as_ref()).expect("a scene");
        let world = crate::build::build(&scene).expect("a world").world;
        let pair = |other: u32, n: usize| {
            let beyond_hertz = Doubt { n, first: Some([0, 0]) };
            let doubts = Doubts { beyond_hertz, ..Doubts::default() };
            FacetDoubts { bodies: [BodyId(0), BodyId(other)], doubts }
        };
        let mut doubtful = Doubtful::default();
        doubtful.add(3, &[pair(1, 2), pair(2, 7), pair(3, 7), pair(4, 1), pair(5, 1)]);
        doubtful.add(4, &[pair(2, 5)]);
        let told = doubtful.doubts(&world);
        let [a, b, c] = [0, 2, 1].map(|ix| &world.body(BodyId(ix)).name);
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(
            told[0].starts_with(&format!("'{a}' and '{b}' had 7 pairs of facets (step 3) deeper")),
            "{told:?}"
        );
        assert!(told[0].contains(&format!("so had '{a}' and '{c}', ")), "{told:?}");
        assert!(told[0].ends_with(" and 1 more pair of bodies"), "{told:?}");
    }
}
