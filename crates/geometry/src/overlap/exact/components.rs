//! Counting the pieces of an overlap from the closed parts of its surface.

use crate::union_find::UnionFind;

/// Volume and area of one part of the overlap's surface.
#[derive(Clone, Copy, Debug, Default)]
struct PartSum {
    /// Enclosed volume, negative for a cavity.
    volume: f64,
    area: f64,
}

impl PartSum {
    fn is_piece(&self, thinnest: f64) -> bool {
        self.volume > thinnest * self.area.max(0.0)
    }
}

/// What every part of the overlap's surface encloses, and which parts bound the same piece of the overlap.
#[derive(Debug, Default)]
pub(super) struct Components {
    sums: Vec<PartSum>,
    joined: UnionFind,
    /// Volume per area below which joined parts are no piece.
    thinnest: f64,
}

impl Components {
    /// Starts with empty parts, each by itself.
    pub fn reset(&mut self, n_parts: usize) {
        self.sums.clear();
        self.sums.resize(n_parts, PartSum::default());
        self.joined.reset(n_parts);
    }

    /// How many parts there are.
    pub fn n_parts(&self) -> usize {
        self.sums.len()
    }

    /// Adds the cone over a piece of surface to its part.
    pub fn add(&mut self, part: u32, volume: f64, area: f64) {
        let sum = &mut self.sums[part as usize];
        sum.volume += volume;
        sum.area += area;
    }

    /// States that two parts bound the same piece: an outer surface, and one that makes a hole through it.
    pub fn join(&mut self, a: u32, b: u32) {
        self.joined.join(a, b);
    }

    /// The number of pieces: joined parts that enclose volume. Cavities (negative volume) and what is thinner than
    /// half of `thinnest` do not count.
    pub fn count(&mut self, thinnest: f64) -> u32 {
        self.thinnest = thinnest;
        for part in 0..self.sums.len() {
            let root = self.joined.find(part as u32) as usize;
            if root != part {
                let PartSum { volume, area } = std::mem::take(&mut self.sums[part]);
                self.sums[root].volume += volume;
                self.sums[root].area += area;
            }
        }
        self.sums.iter().filter(|sum| sum.is_piece(thinnest)).count() as u32
    }

    /// What stands for a part and all that is joined with it, once they are counted.
    pub fn root_of(&mut self, part: u32) -> Root {
        let number = self.joined.find(part);
        let sum = &self.sums[number as usize];
        Root { number, is_solid: sum.is_piece(self.thinnest), has_area: sum.area != 0.0 }
    }
}

/// The part that stands for a set of joined parts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Root {
    pub number: u32,
    /// Whether the set is one of the pieces that [`Components::count`] counted.
    pub is_solid: bool,
    /// Whether the set has any surface.
    pub has_area: bool,
}
