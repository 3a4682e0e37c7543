//! Cutting one ear after the other off a polygon.

use std::collections::BTreeSet;

use glam::DVec2;

use super::points::Points;
use super::turn;

/// How often, per corner of the polygon, a corner is looked at again because the point that lay in its triangle has
/// gone. In a simple polygon such a second look never finds an ear: where the cut from neighbour to neighbour leaves
/// the polygon, it leaves whatever is left of it. In others it may, and this keeps their time in proportion too.
const SECOND_LOOKS: usize = 8;

/// What is left of a polygon while its ears are cut off. Corners are numbered in the polygon's order.
pub struct Ring<'a> {
    flat: &'a [DVec2],
    previous: Vec<usize>,
    next: Vec<usize>,
    n_left: usize,
    /// The corner that comes first of those left.
    first: usize,
    /// Whether a corner turns left; the others may lie in the triangles of these.
    is_left: Vec<bool>,
    /// The points at which corners that do not turn left lie.
    reflex: Points,
    /// Corners that may be ears, all that are among them.
    candidates: BTreeSet<usize>,
    /// Corners in a line with their neighbours.
    straight: BTreeSet<usize>,
    /// The point that was found in the triangle of each corner that is no ear because of it.
    blocker: Vec<Option<usize>>,
    /// Corners of whose triangles a point was found to be in, by point; some of it is out of date.
    blocked_by: Vec<Vec<usize>>,
    n_second_looks: usize,
}

impl<'a> Ring<'a> {
    /// A whole polygon of at least four corners, seen from the side on which it runs counter-clockwise.
    pub fn new(flat: &'a [DVec2]) -> Self {
        let n = flat.len();
        let reflex = Points::new(flat);
        let mut ring = Self {
            flat,
            previous: (0..n).map(|ix| (ix + n - 1) % n).collect(),
            next: (0..n).map(|ix| (ix + 1) % n).collect(),
            n_left: n,
            first: 0,
            is_left: vec![true; n],
            candidates: BTreeSet::new(),
            straight: BTreeSet::new(),
            blocker: vec![None; n],
            blocked_by: vec![Vec::new(); reflex.len()],
            reflex,
            n_second_looks: SECOND_LOOKS * n,
        };
        (0..n).for_each(|ix| ring.judge(ix));
        ring
    }

    /// Cuts off the first corner whose triangle turns left and holds no other corner, else the first that lies in a
    /// line with its neighbours; returns its triangle. None where there is none or only a triangle is left.
    pub fn clip(&mut self) -> Option<[usize; 3]> {
        if self.n_left == 3 {
            return None;
        }
        while let Some(ix) = self.candidates.pop_first() {
            match self.point_in_triangle(ix) {
                None => return Some(self.cut(ix)),
                Some(point) => {
                    self.blocker[ix] = Some(point);
                    self.blocked_by[point].push(ix);
                }
            }
        }
        self.straight.first().copied().map(|ix| self.cut(ix))
    }

    /// The corners that are left, in order.
    pub fn rest(&self) -> Vec<usize> {
        std::iter::successors(Some(self.first), |&ix| Some(self.next[ix])).take(self.n_left).collect()
    }

    fn triangle(&self, ix: usize) -> [usize; 3] {
        [self.previous[ix], ix, self.next[ix]]
    }

    /// A point of a corner that does not turn left in the closed triangle of corner `ix`, other than its own three.
    fn point_in_triangle(&self, ix: usize) -> Option<usize> {
        let corners = self.triangle(ix);
        let own = corners.map(|ix| self.reflex.point_of(ix));
        self.reflex.find_in(corners.map(|ix| self.flat[ix]), own)
    }

    fn cut(&mut self, ix: usize) -> [usize; 3] {
        let triangle @ [before, _, after] = self.triangle(ix);
        if !self.is_left[ix] {
            self.take_away(ix);
        }
        self.straight.remove(&ix);
        self.blocker[ix] = None;
        self.next[before] = after;
        self.previous[after] = before;
        self.n_left -= 1;
        if self.first == ix {
            self.first = after;
        }
        self.judge(before);
        self.judge(after);
        triangle
    }

    /// Sees which way a corner turns, now that it has new neighbours.
    fn judge(&mut self, ix: usize) {
        let turn = turn(self.triangle(ix).map(|ix| self.flat[ix]));
        let was_left = std::mem::replace(&mut self.is_left[ix], turn > 0.0);
        match (was_left, turn > 0.0) {
            (true, false) => self.reflex.insert(ix),
            (false, true) => self.take_away(ix),
            _ => {}
        }
        self.blocker[ix] = None;
        if turn > 0.0 {
            self.candidates.insert(ix);
        } else {
            self.candidates.remove(&ix);
        }
        if turn == 0.0 {
            self.straight.insert(ix);
        } else {
            self.straight.remove(&ix);
        }
    }

    /// Takes a corner that does not turn left away from those that may lie in triangles.
    fn take_away(&mut self, ix: usize) {
        let Some(point) = self.reflex.remove(ix) else { return };
        for blocked in std::mem::take(&mut self.blocked_by[point]) {
            if self.blocker[blocked] == Some(point) && self.n_second_looks > 0 {
                self.n_second_looks -= 1;
                self.blocker[blocked] = None;
                self.candidates.insert(blocked);
            }
        }
    }
}
