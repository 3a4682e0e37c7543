//! The normal part of a contact block whose corners have gaps of their own.
//!
//! The velocity of corner i past its gap is `y_i = Y·(1, x_i) + a_i` with `Y = e + M N` and `N = Σ f_i (1, x_i)`. Wanted is
//! `f_i >= 0 ⟂ y_i >= 0`: at most three corners press.

use glam::{DMat3, DVec3, Vec3Swizzles};

use super::normal::{APPROACH, CORNER_STEPS, NormalRows, Pressing, SINGULAR, VELOCITY_LEFT};
use crate::solver::patch::{Corner, Corners};

impl Pressing {
    /// The corners that press, by their places in the patch.
    fn places(&self) -> &[usize] {
        &self.corners[..self.n]
    }
}

impl NormalRows {
    /// The corners that press: those that did under similar rows, or from the one that parts least on, where the next that still
    /// approaches joins, and those that would pull leave. `None` where friction leaves them without an answer.
    pub(super) fn corners_with_gaps(&self, corners: &Corners, near: Option<&Pressing>) -> Option<Pressing> {
        let (approach, first) = corners.least(self.e);
        if approach >= 0.0 {
            return Some(Pressing::OPEN);
        }
        let hull = corners.hull();
        let reach = hull.reach() + hull.centroid().length();
        let allowed = VELOCITY_LEFT * (self.e.x.abs() + self.e.yz().length() * reach + approach.abs());
        let search = |start: Pressing| {
            let (pressing, least) = self.joined_by_all(corners, start, APPROACH * approach)?;
            (least >= -allowed).then_some(pressing)
        };
        let same = near.and_then(|near| self.pressed_by(corners, near.places()));
        same.and_then(search).or_else(|| search(self.pressed_by(corners, &[first])?))
    }

    /// Lets corners join those that press until none approaches faster than `allowed`, or one does that presses; with the least
    /// velocity at which one parts.
    fn joined_by_all(&self, corners: &Corners, start: Pressing, allowed: f64) -> Option<(Pressing, f64)> {
        let mut pressing = start;
        for _ in 0..CORNER_STEPS {
            let velocity = self.e + self.m * pressing.force;
            let (least, next) = corners.least(velocity);
            if least >= allowed || pressing.places().contains(&next) {
                return Some((pressing, least));
            }
            pressing = self.joined_by(corners, &pressing, next)?;
        }
        None
    }

    /// The answer of some of the corners that press with another one; of several the one that leaves the others farthest from
    /// approaching.
    fn joined_by(&self, corners: &Corners, pressing: &Pressing, next: usize) -> Option<Pressing> {
        let old = pressing.places();
        let least = |found: &Pressing| {
            let velocity = self.e + self.m * found.force;
            old.iter().map(|&at| corners.all()[at].parting(velocity)).fold(f64::INFINITY, f64::min)
        };
        let mut best: Option<(f64, Pressing)> = None;
        for taken in 0..1_usize << old.len() {
            let mut some = [next; 3];
            let mut n = 1;
            for (_, &corner) in old.iter().enumerate().filter(|(i, _)| taken >> i & 1 == 1) {
                if n < 3 {
                    some[n] = corner;
                }
                n += 1;
            }
            if n > 3 {
                continue;
            }
            if let Some(found) = self.pressed_by(corners, &some[..n]) {
                let left = least(&found);
                if best.as_ref().is_none_or(|best| left > best.0) {
                    best = Some((left, found));
                }
            }
        }
        best.map(|best| best.1)
    }

    /// One, two or three corners that all press and come to rest at their gaps.
    fn pressed_by(&self, corners: &Corners, places: &[usize]) -> Option<Pressing> {
        let corner = |at: usize| &corners.all()[at];
        let pressing = match *places {
            [a] => self.one(corner(a).row(), corner(a).apart),
            [a, b] => self.two(corner(a).row(), corner(b).row(), [corner(a).apart, corner(b).apart]),
            [a, b, c] => self.three([corner(a), corner(b), corner(c)]),
            _ => None,
        }?;
        let mut of = [places[0]; 3];
        of[..places.len()].copy_from_slice(places);
        Some(Pressing { corners: of, ..pressing })
    }

    /// Three corners determine how the bodies part over the whole patch.
    fn three(&self, corners: [&Corner; 3]) -> Option<Pressing> {
        let rows = DMat3::from_cols(corners[0].row(), corners[1].row(), corners[2].row());
        let [d, e] = [corners[1].at - corners[0].at, corners[2].at - corners[0].at];
        let m = self.m.determinant();
        let diagonal = self.m.x_axis.x * self.m.y_axis.y * self.m.z_axis.z;
        if rows.determinant().abs() <= SINGULAR * d.length() * e.length() || m <= SINGULAR * diagonal.abs() {
            return None;
        }
        let velocity = rows.transpose().inverse() * -DVec3::from_array(corners.map(|corner| corner.apart));
        let force = self.m.inverse() * (velocity - self.e);
        let forces = rows.inverse() * force;
        (forces.min_element() > 0.0).then_some(Pressing { force, n: 3, ..Pressing::OPEN })
    }
}
