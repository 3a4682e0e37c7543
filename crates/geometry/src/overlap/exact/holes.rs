//! Loops in one face that bound the same region of it.

use glam::{DVec2, DVec3};

use super::components::Components;

/// An oriented line in the rim of a plane region, which lies on its left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub from: DVec3,
    pub to: DVec3,
    /// What `from` and `to` are: equal numbers are the same point.
    pub points: [u32; 2],
    /// The part of the overlap's surface that the link belongs to.
    pub part: u32,
    /// How often the region on the left counts.
    pub weight: f64,
}

/// Area of a loop, as a part of the square of its length, that the rounding of an empty loop stays below.
const EMPTY_LOOP: f64 = 1e-12;

/// Joins the part of every hole in a plane region with the part of the loop around it.
///
/// A hole is a loop that runs clockwise about `normal`. From the point of its rim that is farthest along an axis one
/// goes on in that direction: what is met first bounds the region that the hole is in.
pub(super) fn join(chain: &[Link], normal: DVec3, components: &mut Components) {
    let loop_of_link = trace_loops(chain);
    let n_loops = loop_of_link.iter().max().map_or(0, |&last| last + 1);
    let mut areas = vec![0.0; n_loops];
    let mut lengths = vec![0.0; n_loops];
    let mut apexes = vec![None; n_loops];
    for (link, &ix) in chain.iter().zip(&loop_of_link) {
        let apex: DVec3 = *apexes[ix].get_or_insert(link.from);
        areas[ix] += 0.5 * (link.from - apex).cross(link.to - apex).dot(normal);
        lengths[ix] += (link.to - link.from).length();
    }
    for hole in (0..n_loops).filter(|&ix| areas[ix] < -EMPTY_LOOP * lengths[ix] * lengths[ix]) {
        if let Some([hole_part, outer_part]) = around(hole, chain, &loop_of_link, normal) {
            components.join(hole_part, outer_part);
        }
    }
}

/// Number of the loop that each link belongs to.
fn trace_loops(chain: &[Link]) -> Vec<usize> {
    let mut by_start: Vec<usize> = (0..chain.len()).collect();
    by_start.sort_unstable_by_key(|&ix| (chain[ix].points[0], ix));
    let mut loop_of_link = vec![usize::MAX; chain.len()];
    let mut n_loops = 0;
    for first in 0..chain.len() {
        let mut at = first;
        while loop_of_link[at] == usize::MAX {
            loop_of_link[at] = n_loops;
            let end = chain[at].points[1];
            let next = by_start.partition_point(|&ix| chain[ix].points[0] < end);
            at = *by_start.get(next).unwrap_or(&first);
        }
        n_loops += usize::from(loop_of_link[first] == n_loops);
    }
    loop_of_link
}

/// The parts of a hole and of the loop around it.
fn around(hole: usize, chain: &[Link], loop_of_link: &[usize], normal: DVec3) -> Option<[u32; 2]> {
    let flat = |x: DVec3| flatten(x, normal);
    let links = || chain.iter().zip(loop_of_link);
    let (own, from) = links()
        .filter(|&(_, &ix)| ix == hole)
        .map(|(link, _)| (link, flat(link.from)))
        .max_by(|(_, a), (_, b)| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)))?;
    let (_, outer) = links()
        .filter(|&(_, &ix)| ix != hole)
        .filter_map(|(link, _)| Some((meets_ray(from, [flat(link.from), flat(link.to)])?, link)))
        .min_by(|(a, _), (b, _)| a.total_cmp(b))?;
    Some([own.part, outer.part])
}

/// The two coordinates in which a face with this normal is least foreshortened.
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
