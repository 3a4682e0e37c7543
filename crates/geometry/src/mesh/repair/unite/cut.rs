//! The regions into which lines of crossing cut a facet.
//!
//! A line that begins and ends on the rim divides the region with both ends in two; one that closes in itself makes a
//! hole and the region within it. Where a line ends is known by name, so that only holes are looked for in the plane.

use glam::{DVec2, DVec3};

use super::Obstacle;
use super::cross::{Lines, Segment};
use crate::mesh::TriangleMesh;

/// A part of a facet.
pub struct Region {
    pub facet: u32,
    /// Its rim, counter-clockwise, and those of its holes, clockwise.
    pub rims: Vec<Vec<u32>>,
}

/// A coordinate plane in which a facet is seen counter-clockwise.
#[derive(Clone, Copy)]
pub struct Axes {
    u: usize,
    v: usize,
}

impl Axes {
    pub fn project(self, x: DVec3) -> DVec2 {
        DVec2::new(x[self.u], x[self.v])
    }
}

/// The coordinate plane closest to that of a facet.
pub fn axes(mesh: &TriangleMesh, facet: u32) -> Axes {
    let [a, b, c] = mesh.corners(facet as usize);
    let normal = (b - a).cross(c - a);
    let size = normal.abs();
    let axis = if size.x >= size.y && size.x >= size.z { 0 } else { 1 + usize::from(size.z > size.y) };
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    if normal[axis] > 0.0 { Axes { u, v } } else { Axes { u: v, v: u } }
}

/// Cuts all facets.
///
/// # Errors
/// If lines cross in a facet.
pub fn cut(mesh: &TriangleMesh, lines: &Lines) -> Result<Vec<Region>, Obstacle> {
    let mut regions = Vec::new();
    for facet in 0..mesh.triangles.len() as u32 {
        cut_facet(mesh, lines, facet, &mut regions)?;
    }
    Ok(regions)
}

fn cut_facet(
    mesh: &TriangleMesh,
    lines: &Lines,
    facet: u32,
    regions: &mut Vec<Region>,
) -> Result<(), Obstacle> {
    let rim = lines.rim(facet);
    let (chains, loops) = chains(&lines.segments[facet as usize], &rim)?;
    let mut rims = vec![rim];
    for chain in chains {
        divide(&mut rims, &chain)?;
    }
    let first = regions.len();
    regions.extend(rims.into_iter().map(|rim| Region { facet, rims: vec![rim] }));
    let axes = axes(mesh, facet);
    let flat =
        |rim: &[u32]| rim.iter().map(|&v| axes.project(lines.nodes[v as usize])).collect::<Vec<DVec2>>();
    let mut loops: Vec<(f64, Vec<u32>)> = loops.into_iter().map(|way| (area(&flat(&way)), way)).collect();
    // A hole in the region within another hole is looked for after that.
    loops.sort_by(|a, b| b.0.abs().total_cmp(&a.0.abs()));
    for (own_area, mut way) in loops {
        if own_area < 0.0 {
            way.reverse();
        }
        let at = axes.project(lines.nodes[way[0] as usize]);
        let around = (first..regions.len())
            .filter(|&ix| is_inside(&flat(&regions[ix].rims[0]), at))
            .min_by(|&a, &b| area(&flat(&regions[a].rims[0])).total_cmp(&area(&flat(&regions[b].rims[0]))));
        let around = around.ok_or("a line of crossing lies on the rim of its facet")?;
        regions[around].rims.push(way.iter().rev().copied().collect());
        regions.push(Region { facet, rims: vec![way] });
    }
    Ok(())
}

/// Lines of crossing, each as the nodes on its way.
type Ways = Vec<Vec<u32>>;

/// Puts the pieces in a facet together: lines from rim to rim, and lines that close in themselves.
fn chains(segments: &[Segment], rim: &[u32]) -> Result<(Ways, Ways), Obstacle> {
    // Where pieces begin, by node; all run with what is in front of the other surface on their left.
    let mut from: Vec<(u32, usize)> = segments.iter().zip(0..).map(|(s, ix)| (s.start, ix)).collect();
    from.sort_unstable();
    let mut is_used = vec![false; segments.len()];
    let follow = |start: usize, is_used: &mut Vec<bool>| -> Result<(Vec<u32>, bool), Obstacle> {
        let mut way = vec![segments[start].start];
        let mut ix = start;
        loop {
            is_used[ix] = true;
            let node = segments[ix].end;
            if node == way[0] {
                return Ok((way, true));
            }
            way.push(node);
            if rim.contains(&node) {
                return Ok((way, false));
            }
            let first = from.partition_point(|(v, _)| *v < node);
            let next = from[first..].iter().take_while(|(v, _)| *v == node).find(|(_, ix)| !is_used[*ix]);
            ix = next.ok_or("lines of crossing meet in a point")?.1;
        }
    };
    let (mut open, mut closed) = (Vec::new(), Vec::new());
    for &node in rim {
        let first = from.partition_point(|(v, _)| *v < node);
        for &(_, ix) in from[first..].iter().take_while(|(v, _)| *v == node) {
            match follow(ix, &mut is_used)? {
                (way, false) => open.push(way),
                (_, true) => return Err("a line of crossing returns to a corner"),
            }
        }
    }
    for ix in 0..segments.len() {
        if !is_used[ix] {
            match follow(ix, &mut is_used)? {
                (way, true) => closed.push(way),
                (_, false) => return Err("lines of crossing meet in a point"),
            }
        }
    }
    Ok((open, closed))
}

/// Divides the region that has both ends of a line on its rim.
fn divide(rims: &mut Vec<Vec<u32>>, chain: &[u32]) -> Result<(), Obstacle> {
    let (start, end) = (chain[0], chain[chain.len() - 1]);
    let has_both = |rim: &Vec<u32>| rim.contains(&start) && rim.contains(&end);
    let at = rims.iter().position(has_both).ok_or("lines of crossing cross each other")?;
    let rim = &mut rims[at];
    let first = rim.iter().position(|&v| v == start).unwrap_or(0);
    rim.rotate_left(first);
    let last = rim.iter().position(|&v| v == end).unwrap_or(0);
    let inner = &chain[1..chain.len() - 1];
    let before: Vec<u32> = rim[..=last].iter().chain(inner.iter().rev()).copied().collect();
    let after: Vec<u32> = rim[last..].iter().chain([&start]).chain(inner).copied().collect();
    *rim = before;
    rims.push(after);
    Ok(())
}

/// Twice the area, positive for a counter-clockwise rim.
fn area(rim: &[DVec2]) -> f64 {
    (0..rim.len()).map(|k| (rim[k] - rim[0]).perp_dot(rim[(k + 1) % rim.len()] - rim[0])).sum()
}

/// Whether a point lies within a rim.
fn is_inside(rim: &[DVec2], x: DVec2) -> bool {
    let crosses = |k: &usize| {
        let (a, b) = (rim[*k], rim[(*k + 1) % rim.len()]);
        (a.y > x.y) != (b.y > x.y) && ((b - a).perp_dot(x - a) > 0.0) == (b.y > a.y)
    };
    (0..rim.len()).filter(crosses).count() % 2 == 1
}
