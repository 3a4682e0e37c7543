//! Which of a changing set of points in the plane lie in a triangle.

use glam::DVec2;

use super::turn;

/// A set of corners of a polygon, by the different points at which they lie, in a tree of boxes.
///
/// The tree is complete: the children of node k are 2k and 2k + 1, and the last level holds a point or none each. It is
/// built once over all corners; nodes without a corner in the set are stepped over. Boxes are turned along their
/// points, because corners tend to lie along lines, and triangles beside these.
pub struct Points {
    /// The point of every corner of the polygon.
    point_of: Vec<usize>,
    positions: Vec<DVec2>,
    /// The tree's leaf of every point, and the point of every leaf.
    leaf_of: Vec<usize>,
    point_at: Vec<usize>,
    boxes: Vec<Turned>,
    /// How many corners below a node are in the set.
    n_corners: Vec<u32>,
    /// What rounding may do to a position in the tests of boxes, which are not exact.
    margin: f64,
}

impl Points {
    /// The empty set of the corners at these positions, of which there is at least one.
    pub fn new(corners: &[DVec2]) -> Self {
        // Adding zero makes -0 into 0, which is the same place.
        let key = |ix: usize| (corners[ix] + DVec2::ZERO).to_array().map(f64::to_bits);
        let mut order: Vec<usize> = (0..corners.len()).collect();
        order.sort_unstable_by_key(|&ix| key(ix));
        let mut point_of = vec![0; corners.len()];
        let mut positions = Vec::new();
        for same in order.chunk_by(|&a, &b| key(a) == key(b)) {
            same.iter().for_each(|&ix| point_of[ix] = positions.len());
            positions.push(corners[same[0]]);
        }
        let n_leaves = positions.len().next_power_of_two();
        let largest = positions.iter().fold(0.0, |m: f64, x| m.max(x.abs().max_element()));
        let mut points = Self {
            point_of,
            leaf_of: vec![0; positions.len()],
            point_at: vec![0; n_leaves],
            boxes: vec![Turned::default(); 2 * n_leaves],
            n_corners: vec![0; 2 * n_leaves],
            positions,
            margin: ROUNDING * f64::EPSILON * largest,
        };
        points.build();
        points
    }

    /// Splits the points at their median along their box, down to one.
    fn build(&mut self) {
        let n_leaves = self.point_at.len();
        let mut items: Vec<usize> = (0..self.positions.len()).collect();
        let mut open = vec![(1, 0, items.len())];
        while let Some((node, start, end)) = open.pop() {
            let range = &mut items[start..end];
            if node >= n_leaves {
                if let Some(&point) = range.first() {
                    self.leaf_of[point] = node;
                    self.point_at[node - n_leaves] = point;
                }
                continue;
            }
            let turned = Turned::around(range, &self.positions);
            self.boxes[node] = turned;
            let middle = range.len().div_ceil(2);
            if middle < range.len() {
                let along = |item: usize| turned.axis.dot(self.positions[item] - turned.center);
                range.select_nth_unstable_by(middle, |&a, &b| along(a).total_cmp(&along(b)).then(a.cmp(&b)));
            }
            open.push((2 * node, start, start + middle));
            open.push((2 * node + 1, start + middle, end));
        }
    }

    /// How many different points the corners have.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// The point at which a corner lies.
    pub fn point_of(&self, corner: usize) -> usize {
        self.point_of[corner]
    }

    /// Puts a corner into the set that is not in it.
    pub fn insert(&mut self, corner: usize) {
        self.path(corner).for_each(|node| self.n_corners[node] += 1);
    }

    /// Takes a corner out of the set that is in it; returns its point if no other corner there is.
    pub fn remove(&mut self, corner: usize) -> Option<usize> {
        self.path(corner).for_each(|node| self.n_corners[node] -= 1);
        let point = self.point_of[corner];
        (self.n_corners[self.leaf_of[point]] == 0).then_some(point)
    }

    /// The nodes above a corner, from its leaf to the root.
    fn path(&self, corner: usize) -> impl Iterator<Item = usize> + use<> {
        let leaf = self.leaf_of[self.point_of[corner]];
        std::iter::successors(Some(leaf), |&node| (node > 1).then_some(node / 2))
    }

    /// A point of the set in a closed triangle that runs counter-clockwise, other than the points `own`.
    pub fn find_in(&self, triangle: [DVec2; 3], own: [usize; 3]) -> Option<usize> {
        let n_leaves = self.point_at.len();
        let mut open = vec![1];
        while let Some(node) = open.pop() {
            if self.n_corners[node] == 0 {
                continue;
            }
            if node < n_leaves {
                if !self.boxes[node].is_apart(triangle, self.margin) {
                    open.extend([2 * node + 1, 2 * node]);
                }
                continue;
            }
            let point = self.point_at[node - n_leaves];
            if !own.contains(&point) && is_inside(triangle, self.positions[point]) {
                return Some(point);
            }
        }
        None
    }
}

/// Whether a point lies in a closed triangle that runs counter-clockwise.
fn is_inside([a, b, c]: [DVec2; 3], x: DVec2) -> bool {
    [[a, b], [b, c], [c, a]].into_iter().all(|[from, to]| turn([from, to, x]) >= 0.0)
}

/// Error of a position in the tests of boxes, in units of the last place of the largest coordinate: a handful of sums
/// and products of coordinates, with room to spare.
const ROUNDING: f64 = 64.0;

/// A box along a direction of its own.
#[derive(Clone, Copy, Default)]
struct Turned {
    center: DVec2,
    /// Unit vector along which `half.x` is counted; `half.y` is counted to its left.
    axis: DVec2,
    half: DVec2,
}

impl Turned {
    /// A box around some points, along the line from a point far out to the one furthest from it.
    fn around(items: &[usize], positions: &[DVec2]) -> Self {
        let Some(&first) = items.first() else { return Self::default() };
        let furthest = |from: DVec2| {
            let further = |best: DVec2, &item: &usize| {
                let x = positions[item];
                if x.distance_squared(from) > best.distance_squared(from) { x } else { best }
            };
            items.iter().fold(from, further)
        };
        let start = furthest(positions[first]);
        let axis = (furthest(start) - start).normalize_or(DVec2::X);
        let (mut min, mut max) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        for &item in items {
            let arm = positions[item] - start;
            let x = DVec2::new(axis.dot(arm), axis.perp_dot(arm));
            (min, max) = (min.min(x), max.max(x));
        }
        let middle = 0.5 * (min + max);
        let center = start + axis * middle.x + axis.perp() * middle.y;
        Self { center, axis, half: 0.5 * (max - min) }
    }

    /// Whether the box, grown by `margin`, certainly has no point in common with a triangle that runs
    /// counter-clockwise.
    fn is_apart(&self, [a, b, c]: [DVec2; 3], margin: f64) -> bool {
        let half = self.half + margin;
        let [x, y, z] = [a, b, c].map(|corner| {
            let arm = corner - self.center;
            DVec2::new(self.axis.dot(arm), self.axis.perp_dot(arm))
        });
        if x.min(y).min(z).cmpgt(half).any() || x.max(y).max(z).cmplt(-half).any() {
            return true;
        }
        [[x, y], [y, z], [z, x]].into_iter().any(|[from, to]| {
            let side = to - from;
            // Beyond a side if the corner furthest to its left lies to its right.
            let reach = side.y.abs() * half.x + side.x.abs() * half.y;
            from.perp_dot(side) + reach < -margin * (side.x.abs() + side.y.abs())
        })
    }
}
