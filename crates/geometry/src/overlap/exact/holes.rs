//! Which loops in one face bound the same region of it.

use glam::{DVec2, DVec3};

use super::sums::{Link, Loop};
use crate::union_find::UnionFind;

/// Joins the part of every hole in a face's inside part with the part of the loop around it.
///
/// From the point of the hole's rim that is farthest along an axis one goes on in that direction: what is met first
/// bounds the region that the hole is in.
pub(super) fn join(chain: &[Link], loops: &[Loop], unit_normal: DVec3, joined: &mut UnionFind) {
    for (ix, hole) in loops.iter().enumerate() {
        if !hole.is_hole(unit_normal) {
            continue;
        }
        let is_own = |link: &&Link| link.loop_ix == ix as u32;
        let flat = |x: DVec3| flatten(x, unit_normal);
        let farthest = chain
            .iter()
            .filter(is_own)
            .map(|link| flat(link.from))
            .max_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
        let Some(from) = farthest else { continue };
        let next = chain
            .iter()
            .filter(|link| !is_own(link))
            .filter_map(|link| Some((meets_ray(from, [flat(link.from), flat(link.to)])?, link.loop_ix)))
            .min_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((_, outer)) = next {
            joined.join(hole.part, loops[outer as usize].part);
        }
    }
}

/// The two coordinates that a face is least foreshortened in.
fn flatten(x: DVec3, normal: DVec3) -> DVec2 {
    let n = normal.abs();
    if n.x >= n.y && n.x >= n.z {
        DVec2::new(x.y, x.z)
    } else if n.y >= n.z {
        DVec2::new(x.z, x.x)
    } else {
        DVec2::new(x.x, x.y)
    }
}

/// How far along +x from `from` a line is met; half-open, so that a point between two lines counts for one of them.
fn meets_ray(from: DVec2, [a, b]: [DVec2; 2]) -> Option<f64> {
    if (a.y <= from.y) == (b.y <= from.y) {
        return None;
    }
    let x = a.x + (b.x - a.x) * ((from.y - a.y) / (b.y - a.y));
    (x >= from.x).then_some(x - from.x)
}
