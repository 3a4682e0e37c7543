//! By how much the ways of bodies in a step may be changed by the contacts of others.

use tactum_geometry::union_find::UnionFind;

use crate::law::Situation;

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
    /// From the impact of each pair, how far its bodies come nearer to each other if they touch \[m\].
    pub fn new(situation: &Situation<'_>, pairs: &[[u32; 2]], impacts: impl Iterator<Item = f64>) -> Self {
        let is_dynamic = |ix: u32| situation.bodies[ix as usize].is_movable();
        let mut sets = UnionFind::new(situation.bodies.len());
        for &[a, b] in pairs.iter().filter(|pair| pair.iter().all(|ix| is_dynamic(*ix))) {
            sets.join(a, b);
        }
        let groups: Vec<_> = pairs
            .iter()
            .map(|pair| pair.iter().find(|ix| is_dynamic(**ix)).map(|ix| sets.find(*ix)))
            .collect();
        let mut largest = vec![[(0.0, usize::MAX); 2]; situation.bodies.len()];
        for (ix, (group, impact)) in groups.iter().zip(impacts).enumerate() {
            let Some(group) = group else { continue };
            let [first, second] = &mut largest[*group as usize];
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
