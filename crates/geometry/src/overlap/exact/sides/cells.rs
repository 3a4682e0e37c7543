//! Dividing a lump of an overlap by the directions that its surface faces.

use glam::DVec3;

use super::content::Content;
use super::directions::Side;
use super::surface::Chunk;
use super::triangle::Triangle;
use crate::Aabb;

/// Part of a box's reach across a plane by which it has to stay clear of the plane: rounding is 1e-15 of it.
const CLEAR: f64 = 1.0 + 1e-9;

/// The parts of one lump: for every side the points that are nearest to its plane, of equals the first side's.
///
/// A point is a challenger's where its distance δ₂ to the challenger's plane is smaller than that to its own,
/// δ₂² < δ₁². With signed distances that is where just one of δ₂ - δ₁ and δ₂ + δ₁ is negative, and these vanish on two
/// planes. Every challenger in turn takes from all cells before it.
#[derive(Debug)]
pub(super) struct Cells {
    sides: Vec<Side>,
    pub contents: Vec<Content>,
    /// The two planes between each cell and each challenger, `challenger * n + cell`.
    bisectors: Vec<[Plane; 2]>,
}

/// A plane between two cells.
#[derive(Clone, Copy, Debug)]
struct Plane {
    /// Not of unit length.
    normal: DVec3,
    offset: f64,
    /// A point of the plane that all triangles in it have in common, the first one found.
    apex: Option<DVec3>,
}

impl Cells {
    pub fn new(sides: Vec<Side>) -> Self {
        let between = |challenger: &Side, own: &Side| {
            let offsets = [own, challenger].map(|side| side.normal.dot(side.centre));
            [-1.0, 1.0].map(|sign| Plane {
                normal: challenger.normal + sign * own.normal,
                offset: offsets[1] + sign * offsets[0],
                apex: None,
            })
        };
        let bisectors = sides.iter().flat_map(|a| sides.iter().map(move |b| between(a, b))).collect();
        Self { contents: vec![Content::default(); sides.len()], sides, bisectors }
    }

    /// Adds a chunk of the surface if it is in one cell.
    pub fn take(&mut self, chunk: &mut Chunk<'_, '_>) -> bool {
        let cell = self.cell_of_box(&chunk.bounds());
        if let Some(cell) = cell {
            self.contents[cell].add_chunk(chunk);
        }
        cell.is_some()
    }

    /// Adds a point that spans the lump.
    pub fn add_point(&mut self, x: DVec3, origin: DVec3) {
        let distance = |side: &Side| side.normal.dot(x - side.centre).abs();
        let mut best = (f64::INFINITY, 0);
        for (ix, side) in self.sides.iter().enumerate() {
            if distance(side) < best.0 {
                best = (distance(side), ix);
            }
        }
        self.contents[best.1].add_point(x, origin);
    }

    /// Adds a triangle of the surface, cut where it is in several cells.
    pub fn add_triangle(&mut self, triangle: &Triangle) {
        self.share_out(triangle, 0, 1);
    }

    /// The cell that a box is in as a whole.
    fn cell_of_box(&self, bounds: &Aabb) -> Option<usize> {
        let (centre, half) = (bounds.center(), bounds.half_size());
        let mut cell = 0;
        for challenger in 1..self.sides.len() {
            let mut is_below = [false; 2];
            for (plane, is_below) in self.between(challenger, cell).iter().zip(&mut is_below) {
                let height = plane.height(centre);
                if height.abs() <= CLEAR * half.dot(plane.normal.abs()) {
                    return None;
                }
                *is_below = height < 0.0;
            }
            if is_below[0] != is_below[1] {
                cell = challenger;
            }
        }
        Some(cell)
    }

    fn between(&self, challenger: usize, cell: usize) -> &[Plane; 2] {
        &self.bisectors[challenger * self.sides.len() + cell]
    }

    /// Divides a triangle of a cell between it and the challengers from one on.
    fn share_out(&mut self, triangle: &Triangle, cell: usize, challenger: usize) {
        if challenger == self.sides.len() {
            self.contents[cell].add_triangle(triangle);
            return;
        }
        let ix = challenger * self.sides.len() + cell;
        let [mut difference, mut sum] = self.bisectors[ix];
        for (triangle, is_below_difference) in difference.cut(triangle).iter() {
            for (triangle, is_below_sum) in sum.cut(triangle).iter() {
                let taker = if is_below_difference == is_below_sum { cell } else { challenger };
                self.share_out(triangle, taker, challenger + 1);
            }
        }
        self.bisectors[ix] = [difference, sum];
    }
}

impl Plane {
    fn height(&self, x: DVec3) -> f64 {
        self.normal.dot(x) - self.offset
    }

    /// Cuts a triangle into what is above the plane (or in it) and what is below, so that the triangles of a closed
    /// surface make two closed surfaces.
    ///
    /// No topology is needed: every line in which a triangle is cut makes a triangle with one and the same point of the
    /// plane, and together these fill the cut whatever its shape.
    fn cut(&mut self, triangle: &Triangle) -> Shards {
        let heights = triangle.corners.map(|x| self.height(x));
        let is_below = heights.map(|height| height < 0.0);
        if is_below[0] == is_below[1] && is_below[1] == is_below[2] {
            return Shards { shards: [(*triangle, is_below[0]); 5], len: 1 };
        }
        // The corner that is alone on its side.
        let lone = if is_below[1] == is_below[2] { 0 } else { 1 + usize::from(is_below[0] == is_below[1]) };
        let order = [lone, (lone + 1) % 3, (lone + 2) % 3];
        let [a, b, c] = order.map(|i| triangle.corners[i]);
        let [ha, hb, hc] = order.map(|i| heights[i]);
        let (p, q) = (crossing(a, ha, b, hb), crossing(a, ha, c, hc));
        let apex = *self.apex.get_or_insert(p);
        let own = is_below[lone];
        let with = |corners: [DVec3; 3]| Triangle { corners, ..*triangle };
        let lid = |corners: [DVec3; 3]| Triangle { owner: None, normal: DVec3::ZERO, ..with(corners) };
        let shards = [
            (with([a, p, q]), own),
            (lid([apex, q, p]), own),
            (with([p, b, c]), !own),
            (with([p, c, q]), !own),
            (lid([apex, p, q]), !own),
        ];
        Shards { shards, len: 5 }
    }
}

/// What a plane makes of a triangle: pieces of it and of the cut, each with whether it is below.
struct Shards {
    shards: [(Triangle, bool); 5],
    len: usize,
}

impl Shards {
    fn iter(&self) -> impl Iterator<Item = &(Triangle, bool)> {
        self.shards[..self.len].iter()
    }
}

/// Where a line between two sides of a plane meets it: the same point for either direction.
fn crossing(a: DVec3, height_a: f64, b: DVec3, height_b: f64) -> DVec3 {
    let (above, below, from, to) =
        if height_a >= 0.0 { (a, b, height_a, height_b) } else { (b, a, height_b, height_a) };
    above + (below - above) * (from / (from - to))
}
