//! Vertices that are one point.

use glam::DVec3;

/// For every vertex the first one at exactly the same position; -0 and 0 are the same coordinate.
pub fn equal(vertices: &[DVec3]) -> Vec<u32> {
    let mut keyed: Vec<([u64; 3], u32)> =
        vertices.iter().zip(0..).map(|(x, ix)| (x.to_array().map(|x| (x + 0.0).to_bits()), ix)).collect();
    keyed.sort_unstable();
    let mut first_of = vec![0; vertices.len()];
    for same in keyed.chunk_by(|a, b| a.0 == b.0) {
        for &(_, ix) in same {
            first_of[ix as usize] = same[0].1;
        }
    }
    first_of
}

/// For every vertex the one that stands for it once the `candidates` that lie close together are one.
///
/// Candidates in the same or in touching cells of a grid of step `tolerance` are joined, so that no two of them closer
/// than `tolerance` \[m\] stay apart. Chains of close candidates become one vertex: the first of them.
pub fn near(vertices: &[DVec3], candidates: &[u32], tolerance: f64) -> Vec<u32> {
    let cell_of = |ix: u32| (vertices[ix as usize] / tolerance).floor().to_array().map(|x| x as i64);
    let mut cells: Vec<([i64; 3], u32)> = candidates.iter().map(|&ix| (cell_of(ix), ix)).collect();
    cells.sort_unstable();
    let mut joined = Joined::new(vertices.len());
    for at in 0..cells.len() {
        let (cell, ix) = cells[at];
        if at > 0 && cells[at - 1].0 == cell {
            joined.join(cells[at - 1].1, ix);
            continue;
        }
        for step in NEIGHBOURS {
            let neighbour = [0, 1, 2].map(|axis| cell[axis].saturating_add(step[axis]));
            let place = cells.partition_point(|(other, _)| *other < neighbour);
            if let Some((_, other)) = cells.get(place).filter(|(other, _)| *other == neighbour) {
                joined.join(*other, ix);
            }
        }
    }
    (0..vertices.len() as u32).map(|ix| joined.root(ix)).collect()
}

/// The 13 of a grid cell's 26 neighbours that come after it in the order of cells.
const NEIGHBOURS: [[i64; 3]; 13] = {
    let mut steps = [[0; 3]; 13];
    let mut ix = 0;
    while ix < 13 {
        let code = ix as i64 + 14;
        steps[ix] = [code / 9 - 1, code / 3 % 3 - 1, code % 3 - 1];
        ix += 1;
    }
    steps
};

/// Disjoint sets of indices; each is named by its smallest member.
pub struct Joined {
    parent: Vec<u32>,
}

impl Joined {
    /// So many sets of one member each.
    pub fn new(n: usize) -> Self {
        Self { parent: (0..n as u32).collect() }
    }

    /// The smallest member of the set of `ix`.
    pub fn root(&mut self, mut ix: u32) -> u32 {
        while self.parent[ix as usize] != ix {
            let above = self.parent[self.parent[ix as usize] as usize];
            self.parent[ix as usize] = above;
            ix = above;
        }
        ix
    }

    /// Makes two sets one.
    pub fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.parent[a.max(b) as usize] = a.min(b);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_positions_are_one_vertex_whatever_the_sign_of_zero() {
        let x =
            [DVec3::ONE, DVec3::ZERO, DVec3::new(-0.0, 0.0, -0.0), DVec3::new(1.0, 1.0, 1.0 + f64::EPSILON)];
        assert_eq!(equal(&x), [0, 1, 1, 3]);
    }

    /// Whatever the place on the grid, the guarantee holds on both sides: closer than the tolerance are joined, further
    /// than the diagonal of two cells, 2√3 steps, are not. Vertices that are no candidates stay.
    #[test]
    fn candidates_closer_than_the_tolerance_become_the_first_of_them() {
        for shift in 0..50 {
            let base = DVec3::new(0.37, -0.11, 0.73) * f64::from(shift);
            for axis in
                [DVec3::X, DVec3::Y, DVec3::Z, DVec3::ONE.normalize(), DVec3::new(1., -1., 0.).normalize()]
            {
                let x = [base, base, base + 0.999 * axis, base - 3.47 * axis];
                assert_eq!(near(&x, &[1, 2, 3], 1.0), [0, 1, 1, 3]);
            }
        }
    }
}
