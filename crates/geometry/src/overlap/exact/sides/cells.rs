//! Dividing a lump of an overlap by the directions that its surface faces.

use glam::{DMat3, DVec3};

use super::content::Content;
use super::surface::Chunk;
use super::triangle::Triangle;
use crate::Aabb;
use crate::overlap::regions::Side;

/// Part of a box's reach across a plane by which it has to stay clear of the plane: rounding is 1e-15 of it.
const CLEAR: f64 = 1.0 + 1e-9;

/// Part of a lump's size by which a corner may seem to be nearer to another side than to those that make it.
const ROUNDING: f64 = 1e-12;

/// Determinant of three unit normals below which their planes have no point in common: rounding is 1e-16.
const PARALLEL: f64 = 1e-9;

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
        let mut best = (f64::INFINITY, 0);
        for ix in 0..self.sides.len() {
            let distance = self.distance(ix, x);
            if distance < best.0 {
                best = (distance, ix);
            }
        }
        self.contents[best.1].add_point(x, origin);
    }

    /// Adds a triangle of the surface and the corners of what is in each cell, cut where it is in several.
    pub fn add_triangle(&mut self, triangle: &Triangle, origin: DVec3) {
        self.share_out(triangle, 0, 1, origin);
    }

    /// Adds the corners that cells have inside the lump, where four of them meet; all others are on its surface.
    ///
    /// `is_inside` says whether a point about the origin of the sums is in the overlap.
    pub fn add_inner_corners(&mut self, origin: DVec3, mut is_inside: impl FnMut(DVec3) -> bool) {
        let bounds = self.contents.iter().fold(Aabb::EMPTY, |all, content| all.union(&content.bounds));
        let allowed = ROUNDING * bounds.diagonal();
        let n = self.sides.len();
        for meeting in (0..n).flat_map(move |i| fours(i, n)) {
            for signs in 0..8 {
                let Some(x) = self.corner(meeting, signs) else { continue };
                let distance = self.distance(meeting[0], x);
                let is_nearest = (0..n).all(|side| self.distance(side, x) >= distance - allowed);
                if is_nearest && bounds.contains(x) && is_inside(x) {
                    meeting.into_iter().for_each(|cell| self.contents[cell].add_point(x, origin));
                }
            }
        }
    }

    /// The point as far from the first side's plane as from those of three others, each on the side that a bit of
    /// `signs` says.
    fn corner(&self, [first, others @ ..]: [usize; 4], signs: u32) -> Option<DVec3> {
        let bisectors = [0, 1, 2].map(|i| {
            let plane = self.between(others[i], first)[(signs >> i & 1) as usize];
            let length = plane.normal.length();
            (plane.normal / length, plane.offset / length)
        });
        let normals = DMat3::from_cols(bisectors[0].0, bisectors[1].0, bisectors[2].0).transpose();
        let offsets = DVec3::from_array(bisectors.map(|(_, offset)| offset));
        // Not a number where two sides lie in one plane.
        (normals.determinant().abs() > PARALLEL).then(|| normals.inverse() * offsets)
    }

    fn distance(&self, side: usize, x: DVec3) -> f64 {
        let Side { normal, centre } = self.sides[side];
        normal.dot(x - centre).abs()
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
    fn share_out(&mut self, triangle: &Triangle, cell: usize, challenger: usize, origin: DVec3) {
        if challenger == self.sides.len() {
            let content = &mut self.contents[cell];
            content.add_triangle(triangle);
            // The triangles of a cut reach beyond it where it is not convex.
            if triangle.owner.is_some() {
                triangle.corners.into_iter().for_each(|x| content.add_point(x, origin));
            }
            return;
        }
        let ix = challenger * self.sides.len() + cell;
        let [mut difference, mut sum] = self.bisectors[ix];
        for (triangle, is_below_difference) in difference.cut(triangle).iter() {
            for (triangle, is_below_sum) in sum.cut(triangle).iter() {
                let taker = if is_below_difference == is_below_sum { cell } else { challenger };
                self.share_out(triangle, taker, challenger + 1, origin);
            }
        }
        self.bisectors[ix] = [difference, sum];
    }
}

/// Every four of `n` numbers of which `first` is the lowest.
fn fours(first: usize, n: usize) -> impl Iterator<Item = [usize; 4]> {
    let above = move |low: usize| low + 1..n;
    above(first).flat_map(move |j| above(j).flat_map(move |k| above(k).map(move |l| [first, j, k, l])))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::generate;
    use crate::overlap::exact::predicates::Owner;

    /// Of a plate with a side for each of its faces every cell is a roof half as high as the plate is thick. The ridges
    /// lie inside, where no surface is.
    #[test]
    fn cells_of_a_plate_meet_in_its_middle_plane() {
        let size = DVec3::new(1.0, 0.8, 0.1);
        let axes = [DVec3::X, DVec3::Y, DVec3::Z];
        let sides = axes.into_iter().flat_map(|axis| [axis, -axis]);
        let sides = sides.map(|normal| Side { normal, centre: 0.5 * size * normal });
        let sides: Vec<Side> = sides.collect();
        let mut cells = Cells::new(sides.clone());
        let mesh = generate::cuboid(size, 12).unwrap();
        let origin = DVec3::new(3.0, 2.0, 1.0);
        for triangle in &mesh.triangles {
            let corners = triangle.map(|v| mesh.vertices[v as usize]);
            let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize();
            let triangle = Triangle { corners, weight: 1.0, normal, owner: Some(Owner::Guest) };
            cells.add_triangle(&triangle, origin);
        }
        let is_inside = |x: DVec3| (x.abs() - 0.5 * size).max_element() < 0.0;
        cells.add_inner_corners(origin, is_inside);
        for (side, content) in sides.iter().zip(&cells.contents) {
            let heights = content.points.iter().map(|x| side.normal.dot(*x - origin - side.centre));
            let (low, high) = heights.fold((0.0_f64, 0.0_f64), |(l, h), x| (l.min(x), h.max(x)));
            assert!((low + 0.05).abs() < 1e-12 && high < 1e-12, "{side:?} from {low} to {high}");
        }
    }
}
