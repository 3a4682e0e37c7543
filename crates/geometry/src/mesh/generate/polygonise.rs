//! Closed surfaces of implicit solids: one vertex in every lattice cell that the surface passes through.
//!
//! Surface nets (Gibson 1998) on a cubic lattice: four cells around a lattice edge that changes sign give two
//! triangles. The lattice points inside the solid are first completed to a well-composed set (Latecki 1997), in which
//! no two of them meet in an edge or a corner alone; then each cell holds one sheet of the surface, and the mesh is a
//! closed oriented manifold whatever the solid. Vertices are moved afterwards, triangles never change.

use glam::DVec3;

use crate::{Aabb, TriangleMesh};

/// A solid as a function that is negative inside and nowhere changes faster than distance does.
pub(super) trait Solid {
    /// Value at a point; at most the distance to the surface in size \[m\].
    fn value(&self, point: DVec3) -> f64;

    /// A box around the solid.
    fn bounds(&self) -> Aabb;
}

/// The values of a solid on a cubic lattice.
pub(super) struct Lattice<S> {
    solid: S,
    origin: DVec3,
    edge: f64,
    n: [usize; 3],
    values: Vec<f64>,
    /// Blocks of points, from the first to the second corner exclusively, outside of which no cell changes sign.
    near: Vec<[[usize; 3]; 2]>,
}

/// Smallest and largest share of a lattice edge at which the surface may cut it, so that no triangle starts degenerate.
const CUT: std::ops::RangeInclusive<f64> = 0.05..=0.95;

impl<S: Solid> Lattice<S> {
    /// Samples a solid at points `edge` apart \[m\] and completes its inside: the largest connected piece, well-composed.
    pub fn new(solid: S, edge: f64) -> Self {
        let bounds = solid.bounds().inflated(1.5 * edge);
        let n = ((bounds.max - bounds.min) / edge).to_array().map(|x| x.ceil() as usize + 1);
        let values = vec![f64::MAX; n[0] * n[1] * n[2]];
        let mut lattice = Self { solid, origin: bounds.min, edge, n, values, near: Vec::new() };
        lattice.sample([0; 3], n);
        lattice.blunt_tips();
        lattice.keep_largest_piece();
        lattice.compose();
        lattice
    }

    /// Number of triangles of the surface.
    pub fn n_triangles(&self) -> usize {
        let mut n_cut = 0;
        self.for_each_cut(|_, _| n_cut += 1);
        2 * n_cut
    }

    /// Euler characteristic of the surface: 2 for genus 0.
    pub fn euler_characteristic(&self) -> i64 {
        // Every quadrilateral has four edges shared by two: V - E + F = V - F.
        let mut n_vertices = 0;
        self.for_each_cell(|low| n_vertices += i64::from(!matches!(self.signs(low), 0 | 255)));
        n_vertices - self.n_triangles() as i64 / 2
    }

    /// Calls `visit` with the smallest corner of every cell near the surface.
    fn for_each_cell(&self, mut visit: impl FnMut([usize; 3])) {
        for [low, high] in &self.near {
            // The last plane of points has no cells above it.
            let end = [0, 1, 2].map(|a| high[a].min(self.n[a] - 1));
            for i in low[0]..end[0] {
                for j in low[1]..end[1] {
                    for k in low[2]..end[2] {
                        visit([i, j, k]);
                    }
                }
            }
        }
    }

    /// One bit for each corner of the cell above `low`: whether it is inside; bit a of the corner's number steps along
    /// axis a.
    fn signs(&self, low: [usize; 3]) -> usize {
        let base = self.index(low);
        (0..8).map(|c| usize::from(self.inside(base + self.corner(c))) << c).sum()
    }

    /// Distance in memory from a cell's smallest corner to corner c.
    fn corner(&self, c: usize) -> usize {
        (c & 1) * self.stride(0) + (c >> 1 & 1) * self.stride(1) + (c >> 2) * self.stride(2)
    }

    fn index(&self, [i, j, k]: [usize; 3]) -> usize {
        (i * self.n[1] + j) * self.n[2] + k
    }

    fn point(&self, [i, j, k]: [usize; 3]) -> DVec3 {
        self.origin + self.edge * DVec3::new(i as f64, j as f64, k as f64)
    }

    fn stride(&self, axis: usize) -> usize {
        [self.n[1] * self.n[2], self.n[2], 1][axis]
    }

    /// Fills the block of points from `low` to below `high`; one value serves a block that the surface stays out of.
    fn sample(&mut self, low: [usize; 3], high: [usize; 3]) {
        /// Side of blocks that are not split further.
        const SMALL: usize = 4;
        let size = [0, 1, 2].map(|a| high[a] - low[a]);
        let longest =
            if size[0] >= size[1] && size[0] >= size[2] { 0 } else { 1 + usize::from(size[2] > size[1]) };
        let last = high.map(|x| x - 1);
        let middle = 0.5 * (self.point(low) + self.point(last));
        let value = self.solid.value(middle);
        // The cells above the block's points reach a cell's diagonal beyond it.
        let reach = 0.5 * (self.point(last) - self.point(low)).length() + 3_f64.sqrt() * self.edge;
        if value.abs() <= reach && size[longest] > SMALL {
            let mut split = (low, high);
            split.0[longest] += size[longest] / 2;
            split.1[longest] = split.0[longest];
            self.sample(low, split.1);
            self.sample(split.0, high);
            return;
        }
        let near = value.abs() <= reach;
        if near {
            self.near.push([low, high]);
        }
        for i in low[0]..high[0] {
            for j in low[1]..high[1] {
                for k in low[2]..high[2] {
                    let ix = self.index([i, j, k]);
                    self.values[ix] = if near { self.solid.value(self.point([i, j, k])) } else { value };
                }
            }
        }
    }

    fn inside(&self, ix: usize) -> bool {
        self.values[ix] < 0.0
    }

    /// Calls `visit` with the smaller end and the axis of every lattice edge that changes sign.
    fn for_each_cut(&self, mut visit: impl FnMut([usize; 3], usize)) {
        self.for_each_cell(|low| {
            let ix = self.index(low);
            for axis in 0..3 {
                if self.inside(ix) != self.inside(ix + self.stride(axis)) {
                    visit(low, axis);
                }
            }
        });
    }

    /// Puts inside points with a single inside neighbour outside: ends one point wide would become needles.
    fn blunt_tips(&mut self) {
        /// Passes: each takes one point off every needle.
        const PASSES: usize = 2;
        for _ in 0..PASSES {
            let mut tips = Vec::new();
            self.for_each_cell(|low| {
                let ix = self.index(low);
                let neighbours = || (0..3).flat_map(|a| [ix - self.stride(a), ix + self.stride(a)]);
                if self.inside(ix) && neighbours().filter(|&next| self.inside(next)).count() < 2 {
                    tips.push(ix);
                }
            });
            for ix in tips {
                self.values[ix] = 0.05 * self.edge;
            }
        }
    }

    /// Puts all but the largest face-connected set of inside points outside.
    fn keep_largest_piece(&mut self) {
        let mut piece = vec![0_u32; self.values.len()];
        let mut sizes = vec![0_usize];
        let mut open = Vec::new();
        for start in 0..self.values.len() {
            if !self.inside(start) || piece[start] != 0 {
                continue;
            }
            let label = sizes.len() as u32;
            sizes.push(0);
            piece[start] = label;
            open.push(start);
            while let Some(ix) = open.pop() {
                sizes[label as usize] += 1;
                // The border is outside everywhere, so no neighbour wraps to another row.
                for next in (0..3).flat_map(|a| [ix - self.stride(a), ix + self.stride(a)]) {
                    if self.inside(next) && piece[next] == 0 {
                        piece[next] = label;
                        open.push(next);
                    }
                }
            }
        }
        let largest = (1..sizes.len()).max_by_key(|&label| (sizes[label], usize::MAX - label)).unwrap_or(0);
        for (value, &label) in self.values.iter_mut().zip(&piece) {
            if label != 0 && label as usize != largest {
                *value = self.edge;
            }
        }
    }

    /// Adds inside points until no two of them meet in an edge or a corner of the dual cells alone.
    ///
    /// Each pass adds the point nearest to the surface at every such place; points are only ever added between others,
    /// so this ends.
    fn compose(&mut self) {
        loop {
            let mut added = Vec::new();
            self.for_each_cell(|low| self.find_loose_contact(low, &mut added));
            if added.is_empty() {
                return;
            }
            for ix in added {
                self.values[ix] = -self.values[ix].abs().clamp(1e-3 * self.edge, 0.5 * self.edge);
            }
        }
    }

    /// The outside point to add in the cell above `low` where inside points meet loosely.
    fn find_loose_contact(&self, low: [usize; 3], added: &mut Vec<usize>) {
        let signs = self.signs(low);
        if signs == 0 || signs == 255 {
            return;
        }
        let nearest = |among: &mut dyn Iterator<Item = usize>| {
            among
                .map(|c| self.index(low) + self.corner(c))
                .filter(|&ix| !self.inside(ix))
                .min_by(|&a, &b| self.values[a].total_cmp(&self.values[b]))
        };
        let has = |c: usize| signs >> c & 1 == 1;
        for axis in 0..3 {
            let (u, v) = (1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3));
            for side in [0, 1 << axis] {
                let face = [side, side | u, side | u | v, side | v];
                let [p, q, r, s] = face.map(has);
                if p == r && q == s && p != q {
                    added.extend(nearest(&mut face.into_iter()));
                    return;
                }
            }
        }
        for c in 0..4 {
            let pair = 1 << c | 1 << (7 - c);
            if signs == pair || signs == 255 - pair {
                added.extend(nearest(&mut (0..8)));
                return;
            }
        }
    }

    /// The surface, with vertices drawn onto the solid's true one and evened out along it.
    pub fn surface(&self) -> TriangleMesh {
        /// Rounds of evening out; two remove the steps of the lattice, more only cost time.
        const ROUNDS: usize = 2;
        let (mut vertices, quads) = self.net();
        let neighbours = neighbours(vertices.len(), &quads);
        for _ in 0..ROUNDS {
            let before = vertices.clone();
            for (p, around) in vertices.iter_mut().zip(&neighbours) {
                let mean = around.iter().map(|&v| before[v as usize]).sum::<DVec3>() / around.len() as f64;
                *p = self.drawn(0.5 * (*p + mean));
            }
        }
        for p in &mut vertices {
            *p = self.drawn(*p);
        }
        let split = |[a, b, c, d]: [u32; 4]| {
            let length = |x: u32, y: u32| vertices[x as usize].distance_squared(vertices[y as usize]);
            if length(a, c) <= length(b, d) { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] }
        };
        let triangles = quads.iter().flat_map(|&quad| split(quad)).collect();
        TriangleMesh { vertices, triangles }
    }

    /// One Newton step towards the surface along the gradient, at most half an edge.
    fn drawn(&self, p: DVec3) -> DVec3 {
        // Differences over a thousandth of an edge: far above rounding, far below any feature.
        let step = 1e-3 * self.edge;
        let value = self.solid.value(p);
        let gradient =
            DVec3::from_array(DVec3::AXES.map(|axis| (self.solid.value(p + step * axis) - value) / step));
        let steepness = gradient.length_squared();
        // In creases between parts the gradient may vanish: such a point stays.
        if steepness < 0.01 {
            return p;
        }
        p - (gradient * (value / steepness)).clamp_length_max(0.5 * self.edge)
    }

    /// The mean of the cut points of every cell that has any, and the quadrilaterals between them.
    fn net(&self) -> (Vec<DVec3>, Vec<[u32; 4]>) {
        let mut cells: Vec<(usize, DVec3)> = Vec::new();
        let mut quads = Vec::new();
        self.for_each_cut(|low, axis| {
            let (ix, u, v) = (self.index(low), self.stride((axis + 1) % 3), self.stride((axis + 2) % 3));
            let (from, to) = (self.values[ix], self.values[ix + self.stride(axis)]);
            let share = (from / (from - to)).clamp(*CUT.start(), *CUT.end());
            let cut = self.point(low) + DVec3::AXES[axis] * (share * self.edge);
            let around = [ix - u - v, ix - v, ix, ix - u];
            cells.extend(around.map(|cell| (cell, cut)));
            quads.push(if self.inside(ix) { around } else { [around[0], around[3], around[2], around[1]] });
        });
        // Stable, so that each cell sums its cuts in lattice order.
        cells.sort_by_key(|&(cell, _)| cell);
        let mut ids = Vec::new();
        let mut vertices = Vec::new();
        for cuts in cells.chunk_by(|a, b| a.0 == b.0) {
            ids.push(cuts[0].0);
            vertices.push(cuts.iter().map(|c| c.1).sum::<DVec3>() / cuts.len() as f64);
        }
        let vertex = |cell: usize| ids.partition_point(|&id| id < cell) as u32;
        (vertices, quads.iter().map(|quad: &[usize; 4]| quad.map(vertex)).collect())
    }
}

/// The vertices that share an edge of a quadrilateral with each vertex.
fn neighbours(n: usize, quads: &[[u32; 4]]) -> Vec<Vec<u32>> {
    let mut around = vec![Vec::with_capacity(6); n];
    for quad in quads {
        // Each edge is met once in each direction: one end is enough.
        for i in 0..4 {
            around[quad[i] as usize].push(quad[(i + 1) % 4]);
        }
    }
    around
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A union of balls \[centre, radius\].
    struct Balls(Vec<(DVec3, f64)>);

    impl Solid for Balls {
        fn value(&self, point: DVec3) -> f64 {
            self.0.iter().map(|(c, r)| c.distance(point) - r).fold(f64::MAX, f64::min)
        }

        fn bounds(&self) -> Aabb {
            self.0.iter().fold(Aabb::EMPTY, |all, &(c, r)| {
                all.union(&Aabb { min: c - DVec3::splat(r), max: c + DVec3::splat(r) })
            })
        }
    }

    fn assert_closed(mesh: &TriangleMesh) {
        let mut edges: Vec<_> =
            mesh.triangles.iter().flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]).collect();
        edges.sort_unstable();
        assert!(edges.windows(2).all(|w| w[0] != w[1]));
        assert!(edges.iter().all(|&(a, b)| edges.binary_search(&(b, a)).is_ok()));
    }

    /// Vertices lie on a sphere to the error of a Newton step that starts within a step's square of it.
    #[test]
    fn a_ball_gets_a_sphere() {
        let ball = Balls(vec![(DVec3::new(0.1, 0.2, 0.3), 1.0)]);
        let lattice = Lattice::new(ball, 0.1);
        let mesh = lattice.surface();
        assert_closed(&mesh);
        let worst = mesh.vertices.iter().map(|&p| lattice.solid.value(p).abs()).fold(0.0, f64::max);
        assert!(worst < 1e-6, "{worst}");
    }

    /// Balls that touch or nearly touch in edge and corner directions give every loose contact there is.
    #[test]
    fn touching_balls_stay_manifold() {
        for (i, offset) in [(1.0, 1.0, 0.0), (1.0, 1.0, 1.0), (0.0, 1.0, -1.0)].into_iter().enumerate() {
            for gap in [-0.1, -0.02, 0.0, 0.01] {
                let along = DVec3::from(offset).normalize() * (2.0 + gap);
                for edge in [0.31, 0.17, 0.1] {
                    let balls = Balls(vec![(DVec3::ZERO, 1.0), (along, 1.0), (along * 2.0 + 0.01, 1.0)]);
                    let lattice = Lattice::new(balls, edge);
                    let mesh = lattice.surface();
                    assert!(!mesh.triangles.is_empty(), "case {i}");
                    assert_eq!(mesh.triangles.len(), lattice.n_triangles());
                    assert_closed(&mesh);
                }
            }
        }
    }
}
