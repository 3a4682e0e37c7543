//! Disjoint sets of consecutive numbers.

/// Sets of the numbers below a length that can be joined (Tarjan 1975, path halving).
///
/// The smallest member stands for a set, so the outcome does not depend on the order of the joins.
#[derive(Clone, Debug, Default)]
pub struct UnionFind {
    parents: Vec<u32>,
}

impl UnionFind {
    /// `len` sets of one number each.
    pub fn new(len: usize) -> Self {
        let mut sets = Self::default();
        sets.reset(len);
        sets
    }

    /// Makes these `len` sets of one number each, keeping the memory.
    pub fn reset(&mut self, len: usize) {
        self.parents.clear();
        self.parents.extend(0..len as u32);
    }

    /// How many numbers there are.
    pub fn count(&self) -> usize {
        self.parents.len()
    }

    /// The number that stands for the set of `x`.
    pub fn find(&mut self, mut x: u32) -> u32 {
        while self.parents[x as usize] != x {
            let above = self.parents[self.parents[x as usize] as usize];
            self.parents[x as usize] = above;
            x = above;
        }
        x
    }

    /// Joins two sets and says whether they were different ones.
    pub fn join(&mut self, a: u32, b: u32) -> bool {
        let (a, b) = (self.find(a), self.find(b));
        self.parents[a.max(b) as usize] = a.min(b);
        a != b
    }
}
