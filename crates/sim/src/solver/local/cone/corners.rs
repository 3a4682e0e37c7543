//! The normal part of a contact block whose corners have gaps of their own.
//!
//! The velocity of corner i past its gap is `y_i = Y·(1, x_i) + a_i` with `Y = e + M N` and `N = Σ f_i (1, x_i)`. Wanted is
//! `f_i >= 0 ⟂ y_i >= 0`: at most three corners press.

use glam::{DMat3, DVec3, Vec3Swizzles};

use super::normal::{APPROACH, CORNER_STEPS, NormalRows, Pressing, SINGULAR, VELOCITY_LEFT};
use crate::solver::patch::{Corner, Corners};

/// Corners that press together, with their answer.
#[derive(Clone, Copy)]
struct Group {
    corners: [Corner; 3],
    pressing: Pressing,
}

impl Group {
    fn corners(&self) -> &[Corner] {
        &self.corners[..self.pressing.n]
    }
}

impl NormalRows {
    /// The corners that press, from the one that parts least: the next that still approaches joins, and those that would pull
    /// leave. `None` where friction leaves them without an answer.
    pub(super) fn corners_with_gaps(&self, corners: &Corners) -> Option<Pressing> {
        let (approach, first) = corners.least(self.e);
        if approach >= 0.0 {
            return Some(Pressing::OPEN);
        }
        let hull = corners.hull();
        let reach = hull.reach() + hull.centroid().length();
        let allowed = VELOCITY_LEFT * (self.e.x.abs() + self.e.yz().length() * reach + approach.abs());
        let mut group = self.pressed_by(&[*first])?;
        for _ in 0..CORNER_STEPS {
            let velocity = self.e + self.m * group.pressing.force;
            let (least, next) = corners.least(velocity);
            if least >= APPROACH * approach || group.corners().contains(next) {
                return (least >= -allowed).then_some(group.pressing);
            }
            group = self.joined_by(&group, next)?;
        }
        None
    }

    /// The answer of some of a group's corners with another one; of several the one that leaves the others farthest from
    /// approaching.
    fn joined_by(&self, group: &Group, next: &Corner) -> Option<Group> {
        let old = group.corners();
        let least = |found: &Group| {
            let velocity = self.e + self.m * found.pressing.force;
            old.iter().map(|corner| corner.parting(velocity)).fold(f64::INFINITY, f64::min)
        };
        let mut best: Option<(f64, Group)> = None;
        for taken in 0..1_usize << old.len() {
            let mut some = [*next; 3];
            let mut n = 1;
            for (_, corner) in old.iter().enumerate().filter(|(i, _)| taken >> i & 1 == 1) {
                if n < 3 {
                    some[n] = *corner;
                }
                n += 1;
            }
            if n > 3 {
                continue;
            }
            if let Some(found) = self.pressed_by(&some[..n]) {
                let left = least(&found);
                if best.as_ref().is_none_or(|best| left > best.0) {
                    best = Some((left, found));
                }
            }
        }
        best.map(|best| best.1)
    }

    /// One, two or three corners that all press and come to rest at their gaps.
    fn pressed_by(&self, corners: &[Corner]) -> Option<Group> {
        let pressing = match corners {
            [a] => self.one(a.row(), a.apart),
            [a, b] => self.two(a.row(), b.row(), [a.apart, b.apart]),
            [a, b, c] => self.three([a, b, c]),
            _ => None,
        }?;
        let mut group = Group { corners: [corners[0]; 3], pressing };
        group.corners[..corners.len()].copy_from_slice(corners);
        Some(group)
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
        (forces.min_element() > 0.0).then_some(Pressing { force, basis: DVec3::AXES, n: 3, curvature: 0.0 })
    }
}
