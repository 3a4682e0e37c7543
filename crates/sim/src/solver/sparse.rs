//! A sparse symmetric positive definite matrix of 6 × 6 blocks, one row of blocks for each body of an island, and its
//! factorisation.
//!
//! Bodies are eliminated in the order of minimum degree (Tinney and Walker 1967), ties by their number, so that a chain costs as
//! much as it is long. All sums are in the order of elimination.

use std::collections::BTreeSet;

use crate::solver::spatial::Cholesky;

/// A 6 × 6 matrix by rows.
pub type Block6 = [[f64; 6]; 6];

/// The block of zeros.
pub const ZERO_BLOCK: Block6 = [[0.0; 6]; 6];

/// Product `a bᵀ`.
pub fn times_transposed(a: &Block6, b: &Block6) -> Block6 {
    a.map(|row| std::array::from_fn(|j| dot(&row, &b[j])))
}

/// `a + b`.
pub fn add(a: &mut Block6, b: &Block6) {
    for (row, other) in a.iter_mut().zip(b) {
        for (x, y) in row.iter_mut().zip(other) {
            *x += y;
        }
    }
}

/// Product `m v`.
pub fn times(m: &Block6, v: &[f64; 6]) -> [f64; 6] {
    std::array::from_fn(|i| dot(&m[i], v))
}

/// Product `mᵀ v`.
pub fn transposed_times(m: &Block6, v: &[f64; 6]) -> [f64; 6] {
    std::array::from_fn(|j| (0..6).map(|i| m[i][j] * v[i]).sum())
}

fn dot(a: &[f64; 6], b: &[f64; 6]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// Where a factor has entries, and in which order its rows are eliminated.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// Row that is eliminated at each place, and the place of each row.
    row_at: Vec<u32>,
    place_of: Vec<u32>,
    /// Places of the entries below each one's diagonal, ascending; all in one list, where each one's begin.
    below: Vec<u32>,
    first: Vec<usize>,
    /// Products of blocks that a factorisation takes.
    pub n_products: u64,
}

impl Pattern {
    /// The pattern of `n` rows that are coupled in pairs; `None` where a factorisation would take more than `max_products`
    /// products of blocks.
    pub fn new(n: usize, pairs: impl Iterator<Item = [u32; 2]>, max_products: u64) -> Option<Self> {
        let mut neighbors = vec![BTreeSet::new(); n];
        for [a, b] in pairs {
            neighbors[a as usize].insert(b);
            neighbors[b as usize].insert(a);
        }
        let mut queue: BTreeSet<(usize, u32)> =
            (0..).zip(&neighbors).map(|(ix, set)| (set.len(), ix)).collect();
        let mut row_at = Vec::with_capacity(n);
        let mut place_of = vec![0; n];
        let mut columns: Vec<Vec<u32>> = Vec::with_capacity(n);
        let mut n_products = 0;
        while let Some((degree, row)) = queue.pop_first() {
            let d = degree as u64;
            n_products += d + d * (d + 1) / 2;
            if n_products > max_products {
                return None;
            }
            place_of[row as usize] = row_at.len() as u32;
            row_at.push(row);
            let column: Vec<u32> = std::mem::take(&mut neighbors[row as usize]).into_iter().collect();
            for &other in &column {
                let set = &mut neighbors[other as usize];
                queue.remove(&(set.len(), other));
                set.remove(&row);
                set.extend(column.iter().copied().filter(|&ix| ix != other));
                queue.insert((set.len(), other));
            }
            columns.push(column);
        }
        let mut below = Vec::new();
        let mut first = vec![0];
        for column in columns {
            let start = below.len();
            below.extend(column.into_iter().map(|row| place_of[row as usize]));
            below[start..].sort_unstable();
            first.push(below.len());
        }
        Some(Self { row_at, place_of, below, first, n_products })
    }

    fn column(&self, place: usize) -> &[u32] {
        &self.below[self.first[place]..self.first[place + 1]]
    }

    /// Where the entry of two places is kept, the later one first.
    fn entry(&self, later: u32, earlier: u32) -> usize {
        let column = self.column(earlier as usize);
        self.first[earlier as usize] + column.partition_point(|&place| place < later)
    }
}

/// A matrix with such a pattern, or its factors `L D Lᵀ`.
#[derive(Clone, Debug)]
pub struct BlockMatrix {
    pattern: Pattern,
    diagonal: Vec<Block6>,
    below: Vec<Block6>,
    factors: Vec<Cholesky<6>>,
}

impl BlockMatrix {
    /// The matrix of zeros.
    pub fn zero(pattern: Pattern) -> Self {
        let (n, n_below) = (pattern.row_at.len(), pattern.below.len());
        Self {
            pattern,
            diagonal: vec![ZERO_BLOCK; n],
            below: vec![ZERO_BLOCK; n_below],
            factors: Vec::with_capacity(n),
        }
    }

    /// Sets all entries to zero.
    pub fn clear(&mut self) {
        self.diagonal.fill(ZERO_BLOCK);
        self.below.fill(ZERO_BLOCK);
        self.factors.clear();
    }

    /// Adds to a row's diagonal block.
    pub fn add_diagonal(&mut self, row: u32, block: &Block6) {
        add(&mut self.diagonal[self.pattern.place_of[row as usize] as usize], block);
    }

    /// Adds to the block of two coupled rows and, transposed, to that of the same in the other order.
    pub fn add_pair(&mut self, [row, column]: [u32; 2], block: &Block6) {
        let [i, j] = [row, column].map(|ix| self.pattern.place_of[ix as usize]);
        if i > j {
            add(&mut self.below[self.pattern.entry(i, j)], block);
        } else {
            let transposed = std::array::from_fn(|r| std::array::from_fn(|c| block[c][r]));
            add(&mut self.below[self.pattern.entry(j, i)], &transposed);
        }
    }

    /// Factorises in place.
    pub fn factorise(&mut self) {
        let Self { pattern, diagonal, below, factors } = self;
        for place in 0..diagonal.len() {
            let factor = Cholesky::new(&diagonal[place]);
            let (done, later) = below.split_at_mut(pattern.first[place + 1]);
            let column = &mut done[pattern.first[place]..];
            let rows = pattern.column(place);
            for (k, &i) in rows.iter().enumerate() {
                // Blocks before this one are already those of L: `B_i L_jᵀ` is `B_i D⁻¹ B_jᵀ`.
                let scaled = column[k].map(|row| factor.solve(&row));
                for (m, &j) in rows[..k].iter().enumerate() {
                    let target = &mut later[pattern.entry(i, j) - pattern.first[place + 1]];
                    subtract(target, &times_transposed(&column[k], &column[m]));
                }
                subtract(&mut diagonal[i as usize], &times_transposed(&scaled, &column[k]));
                column[k] = scaled;
            }
            factors.push(factor);
        }
    }

    /// Solves with the factors; one vector for each row.
    pub fn solve(&self, x: &mut [[f64; 6]]) {
        let pattern = &self.pattern;
        let mut y: Vec<[f64; 6]> = pattern.row_at.iter().map(|&row| x[row as usize]).collect();
        for place in 0..y.len() {
            let own = y[place];
            for (&i, block) in pattern.column(place).iter().zip(&self.below[pattern.first[place]..]) {
                let change = times(block, &own);
                y[i as usize] = std::array::from_fn(|r| y[i as usize][r] - change[r]);
            }
        }
        for place in (0..y.len()).rev() {
            let mut own = self.factors[place].solve(&y[place]);
            for (&i, block) in pattern.column(place).iter().zip(&self.below[pattern.first[place]..]) {
                let change = transposed_times(block, &y[i as usize]);
                own = std::array::from_fn(|r| own[r] - change[r]);
            }
            y[place] = own;
        }
        for (&row, y) in pattern.row_at.iter().zip(&y) {
            x[row as usize] = *y;
        }
    }
}

fn subtract(a: &mut Block6, b: &Block6) {
    for (row, other) in a.iter_mut().zip(b) {
        for (x, y) in row.iter_mut().zip(other) {
            *x -= y;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A block with entries that differ from each other, made from a number.
    fn block(seed: u32, scale: f64) -> Block6 {
        let entry = |i: usize, j: usize| scale * (f64::from(seed) + 1.7 * i as f64 + 2.9 * j as f64).sin();
        std::array::from_fn(|i| std::array::from_fn(|j| entry(i, j)))
    }

    /// A ring with a chord, and a row that stands alone, are solved to rounding.
    #[test]
    fn coupled_rows_are_solved() {
        let n = 8;
        let pairs = [[0, 1], [2, 1], [2, 3], [4, 3], [4, 5], [5, 0], [1, 4], [6, 0], [1, 2]];
        let mut matrix = BlockMatrix::zero(Pattern::new(n, pairs.into_iter(), u64::MAX).expect("no limit"));
        let mut dense = vec![vec![ZERO_BLOCK; n]; n];
        for (ix, rows) in (0..).zip(pairs) {
            let [a, b] = rows.map(|row| row as usize);
            let coupling = block(ix, 1.0);
            matrix.add_pair(rows, &coupling);
            add(&mut dense[a][b], &coupling);
            add(&mut dense[b][a], &std::array::from_fn(|r| std::array::from_fn(|c| coupling[c][r])));
        }
        for (row, blocks) in dense.iter_mut().enumerate() {
            let half = block(90 + row as u32, 0.5);
            let mut own = times_transposed(&half, &half);
            (0..6).for_each(|i| own[i][i] += 30.0);
            matrix.add_diagonal(row as u32, &own);
            add(&mut blocks[row], &own);
        }
        let wanted: Vec<[f64; 6]> = (0..n as u32).map(|row| block(row, 3.0)[1]).collect();
        let mut x: Vec<[f64; 6]> = (0..n)
            .map(|row| {
                let parts = (0..n).map(|column| times(&dense[row][column], &wanted[column]));
                parts.fold([0.0; 6], |sum, part| std::array::from_fn(|i| sum[i] + part[i]))
            })
            .collect();
        matrix.factorise();
        matrix.solve(&mut x);
        for (found, wanted) in x.iter().flatten().zip(wanted.iter().flatten()) {
            assert!((found - wanted).abs() < 1e-13, "{found} for {wanted}");
        }
    }

    /// A chain has no fill in whatever order its links come, and what would take too long is refused.
    #[test]
    fn a_chain_has_no_fill() {
        let links = || (0..52_u32).map(|ix| [ix * 17 % 53, (ix + 1) * 17 % 53]);
        let pattern = Pattern::new(53, links(), 104).expect("two products a link");
        assert_eq!((pattern.below.len(), pattern.n_products), (52, 104));
        assert!(Pattern::new(53, links(), 103).is_none());
    }
}
