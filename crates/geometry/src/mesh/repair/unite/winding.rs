//! The winding number in front of each region.
//!
//! It is the same on both sides of an edge between two facets, grows by one where a region goes behind another surface, and is the
//! same for both of two regions in front of each other. So one number that a ray finds gives those of all that hang together, and what
//! contradicts is found out.

use glam::DVec3;

use super::Obstacle;
use super::cross::Lines;
use super::cut::{self, Region};
use super::weave;
use crate::mesh::TriangleMesh;
use crate::mesh::check::surface::Surface;

/// Regions from which a ray is tried.
const MAX_SEEDS: usize = 32;

/// Finds the winding numbers of all regions.
///
/// # Errors
/// If they contradict, or no ray is clear.
pub fn find(mesh: &TriangleMesh, lines: &Lines, regions: &[Region]) -> Result<Vec<i32>, Obstacle> {
    let steps = steps(lines, regions)?;
    let mut windings = vec![0; regions.len()];
    let multiplicity = vec![1; mesh.triangles.len()];
    let surface = Surface::new(mesh, &multiplicity);
    for part in parts(regions.len(), &steps)? {
        let of_part: Vec<usize> = part.iter().map(|(region, _)| *region as usize).collect();
        let (seed, winding) =
            seed(mesh, &surface, lines, regions, &of_part).ok_or("no ray finds what is inside")?;
        let offset =
            part.iter().find(|(region, _)| *region as usize == seed).map_or(0, |(_, offset)| *offset);
        part.iter().for_each(|(region, own)| windings[*region as usize] = own + winding - offset);
    }
    Ok(windings)
}

/// A region, another one, and by how much the winding number in front of that is larger.
type Step = (u32, u32, i32);

fn steps(lines: &Lines, regions: &[Region]) -> Result<Vec<Step>, Obstacle> {
    // All sides of all regions: ends in ascending order, region, whether it runs from the smaller.
    let mut sides: Vec<([u32; 2], u32, u32, bool)> = Vec::new();
    for (region, ix) in regions.iter().zip(0..) {
        for rim in &region.rims {
            for k in 0..rim.len() {
                let (a, b) = (rim[k], rim[(k + 1) % rim.len()]);
                sides.push(([a.min(b), a.max(b)], region.facet, ix, a < b));
            }
        }
    }
    sides.sort_unstable();
    let mut steps = Vec::new();
    for group in sides.chunk_by(|a, b| a.0 == b.0) {
        match group {
            [a, b] if a.1 != b.1 => steps.push((a.2, b.2, 0)),
            [a, b, c, d] if a.1 == b.1 && c.1 == d.1 => {
                let halves = [[a, b], [c, d]].map(|half| {
                    let is_front = |side: &&([u32; 2], u32, u32, bool)| {
                        let [low, high] = side.0;
                        let (start, end) = if side.3 { (low, high) } else { (high, low) };
                        lines.segments[side.1 as usize].iter().any(|s| s.start == start && s.end == end)
                    };
                    let front = half.into_iter().find(is_front).map(|side| side.2);
                    let behind = half.into_iter().find(|side| !is_front(side)).map(|side| side.2);
                    front.zip(behind)
                });
                let [Some((front, behind)), Some((other_front, other_behind))] = halves else {
                    return Err("a line of crossing has no two sides");
                };
                steps.extend([(front, behind, 1), (other_front, other_behind, 1), (front, other_front, 0)]);
            }
            _ => return Err("a line of crossing is not shared by two facets"),
        }
    }
    Ok(steps)
}

/// The regions of each part that hangs together, with their winding numbers up to a common summand.
fn parts(n: usize, steps: &[Step]) -> Result<Vec<Vec<(u32, i32)>>, Obstacle> {
    let mut from: Vec<Step> = steps.iter().flat_map(|&(a, b, d)| [(a, b, d), (b, a, -d)]).collect();
    from.sort_unstable();
    let mut offsets: Vec<Option<i32>> = vec![None; n];
    let mut parts = Vec::new();
    for start in 0..n as u32 {
        if offsets[start as usize].is_some() {
            continue;
        }
        offsets[start as usize] = Some(0);
        let mut part = vec![(start, 0)];
        let mut next = 0;
        while let Some(&(region, own)) = part.get(next) {
            next += 1;
            let first = from.partition_point(|step| step.0 < region);
            for &(_, other, by) in from[first..].iter().take_while(|step| step.0 == region) {
                match offsets[other as usize] {
                    None => {
                        offsets[other as usize] = Some(own + by);
                        part.push((other, own + by));
                    }
                    Some(known) if known != own + by => return Err("what is inside contradicts itself"),
                    Some(_) => {}
                }
            }
        }
        parts.push(part);
    }
    Ok(parts)
}

/// One of some regions with the winding number in front of it, as a ray finds it; facets that nothing crosses come first.
fn seed(
    mesh: &TriangleMesh,
    surface: &Surface<'_>,
    lines: &Lines,
    regions: &[Region],
    of: &[usize],
) -> Option<(usize, i32)> {
    let is_whole = |ix: &usize| lines.segments[regions[*ix].facet as usize].is_empty();
    let whole: Vec<usize> = of.iter().copied().filter(is_whole).collect();
    let step = whole.len().div_ceil(MAX_SEEDS).max(1);
    let by_whole =
        || whole.iter().step_by(step).find_map(|&ix| Some((ix, surface.winding_before(regions[ix].facet)?)));
    let by_part = || {
        let mut parts: Vec<(f64, usize, DVec3)> = of
            .iter()
            .copied()
            .filter(|ix| !is_whole(ix))
            .map(|ix| largest(mesh, lines, &regions[ix], ix))
            .collect();
        parts.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let winding = |&(_, ix, at): &(f64, usize, DVec3)| {
            Some((ix, surface.winding_before_at(regions[ix].facet, at)?))
        };
        parts.iter().take(MAX_SEEDS).find_map(winding)
    };
    by_whole().or_else(by_part)
}

/// Area and middle of the largest triangle of a region.
fn largest(mesh: &TriangleMesh, lines: &Lines, region: &Region, ix: usize) -> (f64, usize, DVec3) {
    let mut triangles = Vec::new();
    weave::fill(region, cut::axes(mesh, region.facet), &lines.nodes, &mut triangles);
    let facts = triangles.into_iter().map(|corners| {
        let [a, b, c] = corners.map(|v| lines.nodes[v as usize]);
        ((b - a).cross(c - a).length(), ix, (a + b + c) / 3.0)
    });
    facts.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((0.0, ix, DVec3::ZERO))
}
