//! A surface against a half-space `z <= 0` of the other body's frame: its vertices against a face without borders.

use glam::DVec3;

use super::candidates::Counts;
use super::features::{VertexFace, pieces};
use super::motion::Mover;
use super::placed::Placed;
use crate::Aabb;

/// Side of the triangle that stands for the plane under a vertex, over the way that the vertex goes: so large that its weights move little,
/// and the interval is not halved for them.
const SPREAD: f64 = 32.0;

/// The vertices of a surface that are behind a plane at any time, each with these times, in the order of the faces that own them.
pub fn vertices_below(
    of: &Placed<'_>,
    plane: &Mover,
    counts: &mut Counts,
) -> Vec<(VertexFace, Vec<[f64; 2]>)> {
    let mut found = Vec::new();
    let mut stack = vec![0_u32];
    while let Some(ix) = stack.pop() {
        let node = &of.surface.bvh.nodes[ix as usize];
        if is_above(of.node(ix), plane) {
            continue;
        }
        if !node.is_leaf() {
            let [first, second] = of.surface.bvh.children(ix);
            stack.extend([second, first]);
            continue;
        }
        for face in &of.surface.faces[node.faces().start as usize..node.faces().end as usize] {
            counts.faces += 1;
            for (vertex, _) in face.corners.into_iter().zip(face.owns).filter(|(_, owns)| *owns) {
                counts.features += 1;
                let pair = under(of, vertex, plane);
                let height = pair.height();
                if height.0.iter().all(|c| *c > 0.0) {
                    continue;
                }
                counts.crossing += 1;
                let mut times = vec![0.0, 1.0];
                height.roots(&mut times);
                let below = pieces(times, |t| height.at(t) < 0.0);
                if !below.is_empty() {
                    found.push((pair, below));
                }
            }
        }
    }
    found
}

/// Whether a box is above a plane at both ends of its motion by as much as the plane may come up between.
fn is_above(boxed: &Aabb, plane: &Mover) -> bool {
    let corners = boxed.corners();
    let [start, end] = [0.0, 1.0].map(|t| {
        let origin = plane.path(DVec3::ZERO).at(t);
        let normal = plane.path(DVec3::Z).at(t) - origin;
        corners.iter().map(|x| normal.dot(*x - origin)).fold(f64::INFINITY, f64::min)
    });
    let turned = (plane.path(DVec3::Z).slope() - plane.path(DVec3::ZERO).slope()).length();
    let origin = plane.path(DVec3::ZERO);
    let farthest =
        corners.iter().map(|x| x.distance(origin.start).max(x.distance(origin.end))).fold(0.0, f64::max);
    start.min(end) > turned * farthest + (if turned > 0.0 { origin.slope().length() } else { 0.0 })
}

/// A vertex and the plane as a large triangle under where it starts.
fn under(of: &Placed<'_>, vertex: u32, plane: &Mover) -> VertexFace {
    let p = of.vertex(vertex);
    let own = plane.back(p.start);
    let foot = DVec3::new(own.x, own.y, 0.0);
    let way = p.slope().length() + plane.path(foot).slope().length();
    // Any size will do for what stands still.
    let side = if way > 0.0 { SPREAD * way } else { 1.0 };
    VertexFace::new(p, [foot, foot + side * DVec3::X, foot + side * DVec3::Y].map(|x| plane.path(x)))
}
