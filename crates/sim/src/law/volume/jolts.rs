//! By how much the ways of bodies in a step may be changed by the contacts of others and by joints, and whom that may bring together.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap};

use glam::DVec3;
use tactum_geometry::union_find::UnionFind;

use crate::broad_phase::Surroundings;
use crate::joint::WORLD;
use crate::law::Situation;
use crate::law::volume::approach::Approach;
use crate::law::volume::memory;
use crate::motion::FreeMotion;
use crate::{Body, BodyKind};

/// The two largest impacts of each group of bodies that may come to touch.
///
/// Of a stack that falls the lowest box is stopped by the floor, the next by the lowest, and so on in the same step: each may come
/// nearer to its neighbour by as much as the lowest to the floor.
pub struct Jolts {
    /// Group of each pair; none where no impulse passes.
    groups: Vec<Option<u32>>,
    /// By group, the largest impact with the number of its pair, and the next \[m\].
    largest: Vec<[(f64, usize); 2]>,
}

impl Jolts {
    /// From the approach of each pair.
    pub fn new(situation: &Situation<'_>, near: &[([u32; 2], Approach)]) -> Self {
        let is_dynamic = |ix: u32| situation.bodies[ix as usize].is_movable();
        let mut sets = UnionFind::new(situation.bodies.len());
        for ([a, b], _) in near.iter().filter(|(pair, _)| pair.iter().all(|ix| is_dynamic(*ix))) {
            sets.join(*a, *b);
        }
        let is_body = |pair: &[u32; 2]| pair.iter().all(|ix| *ix != WORLD && is_dynamic(*ix));
        for [a, b] in situation.joined.iter().filter(|pair| is_body(pair)) {
            sets.join(*a, *b);
        }
        let mut group = |pair: &[u32; 2]| {
            pair.iter().find(|ix| **ix != WORLD && is_dynamic(**ix)).map(|ix| sets.find(*ix))
        };
        let groups: Vec<_> = near.iter().map(|(pair, _)| group(pair)).collect();
        let of_joints = situation.joined.iter().map(|pair| (group(pair), by_joint(situation, *pair)));
        let of_joints: Vec<_> = of_joints.collect();
        let impacts = near.iter().map(|(_, approach)| approach.impact());
        let all = groups.iter().copied().zip(impacts).chain(of_joints);
        let mut largest = vec![[(0.0, usize::MAX); 2]; situation.bodies.len()];
        for (ix, (group, impact)) in all.enumerate() {
            let Some(group) = group else { continue };
            let [first, second] = &mut largest[group as usize];
            if impact > first.0 {
                *second = std::mem::replace(first, (impact, ix));
            } else if impact > second.0 {
                *second = (impact, ix);
            }
        }
        Self { groups, largest }
    }

    /// The largest impact in the group of a pair that is not its own \[m\].
    pub fn of_others(&self, pair: usize) -> f64 {
        let Some(group) = self.groups[pair] else { return 0.0 };
        let [first, second] = self.largest[group as usize];
        if first.1 == pair { second.0 } else { first.0 }
    }
}

/// How far a body may be led off its free motion by one that is stopped or comes at it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Jolt {
    /// The way \[m\].
    way: f64,
    /// The body.
    body: u32,
    /// Mass of all that pushes, its own too \[kg\].
    mass: f64,
}

impl Eq for Jolt {}

impl PartialOrd for Jolt {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Jolt {
    fn cmp(&self, other: &Self) -> Ordering {
        self.way.total_cmp(&other.way).then(other.body.cmp(&self.body)).then(self.mass.total_cmp(&other.mass))
    }
}

/// Adds the pairs that come near each other only because others touch in the step: what falls with what is stopped below it, what stands
/// beside what is struck. They keep their order.
///
/// The largest jolts go first, so that each body is looked at once, with the largest that reaches it.
pub fn bring_together<'a>(
    situation: &Situation<'_>,
    near: &mut Vec<([u32; 2], Approach)>,
    surroundings: impl FnOnce() -> Surroundings<'a>,
) {
    let of_near = near.iter().map(|(pair, approach)| (*pair, approach.impact()));
    let of_joints = situation.joined.iter().map(|pair| (*pair, by_joint(situation, *pair)));
    let are_pressed = memory::are_pressed(&situation.memory.contacts, situation.bodies.len());
    let jolts = |(pair, way)| of_impact(situation, &are_pressed, pair, way);
    let mut jolts: BinaryHeap<Jolt> = of_near.chain(of_joints).flat_map(jolts).collect();
    if jolts.is_empty() {
        return;
    }
    let surroundings = surroundings();
    let mut others: BTreeMap<[u32; 2], Approach> = BTreeMap::new();
    let mut reached = Vec::new();
    let mut is_done = vec![false; situation.bodies.len()];
    while let Some(jolt) = jolts.pop() {
        if std::mem::replace(&mut is_done[jolt.body as usize], true) {
            continue;
        }
        // What is led farther than its own size goes where no way of others is known for.
        let way = jolt.way.min(situation.bodies[jolt.body as usize].shape.size());
        for pair in surroundings.of(jolt.body, way) {
            let parting = match near.binary_search_by_key(&pair, |(pair, _)| *pair) {
                Ok(ix) => near[ix].1.parting(),
                Err(_) => others.entry(pair).or_insert_with(|| Approach::new(situation, pair)).parting(),
            };
            if parting > way {
                continue;
            }
            reached.push(pair);
            let other = if pair[0] == jolt.body { pair[1] } else { pair[0] };
            if !is_done[other as usize] {
                jolts.extend(passed_on(situation, jolt.mass, jolt.way, other));
            }
        }
    }
    let reached = reached.into_iter().filter_map(|pair| others.remove_entry(&pair));
    near.extend(reached);
    near.sort_unstable_by_key(|(pair, _)| *pair);
}

/// How far a joint leads two bodies off their free motion: what gravity and forces do to one of them and not to the other \[m\].
fn by_joint(situation: &Situation<'_>, pair: [u32; 2]) -> f64 {
    let gained = |ix: u32| if ix == WORLD { DVec3::ZERO } else { situation.free[ix as usize].gained };
    (gained(pair[1]) - gained(pair[0])).length()
}

/// The jolts of two bodies that come to touch by this way, or that a joint holds back by it \[m\]. What presses on something may stand there, and
/// stops others like a wall.
fn of_impact(
    situation: &Situation<'_>,
    are_pressed: &[bool],
    pair: [u32; 2],
    way: f64,
) -> impl Iterator<Item = Jolt> {
    let mass = |ix: u32| match situation.bodies.get(ix as usize) {
        Some(Body { kind: BodyKind::Dynamic, mass, .. }) if !are_pressed[ix as usize] => mass.mass,
        _ => f64::INFINITY,
    };
    let [a, b] = pair;
    let jolts = [(a, b), (b, a)].map(|(from, to)| passed_on(situation, mass(from), way, to));
    jolts.into_iter().flatten().filter(move |_| way > 0.0)
}

/// What a body gets of a jolt \[m\] by a mass \[kg\] that does not bounce off it; `None` where it cannot be moved.
fn passed_on(situation: &Situation<'_>, mass: f64, way: f64, body: u32) -> Option<Jolt> {
    let Body { mass: own, shape, .. } =
        situation.bodies.get(body as usize).filter(|body| body.is_movable())?;
    // Struck at its end it answers with a part of its mass only.
    let FreeMotion { inverse_mass, inverse_inertia, .. } = situation.free[body as usize];
    let columns = [inverse_inertia.x_axis, inverse_inertia.y_axis, inverse_inertia.z_axis];
    let turning = columns.iter().map(|column| column.abs().element_sum()).fold(0.0, f64::max);
    let least = (inverse_mass + (0.5 * shape.size()).powi(2) * turning).recip();
    let part = if mass.is_finite() { mass / (mass + least) } else { 1.0 };
    Some(Jolt { way: way * part, body, mass: mass + own.mass })
}
