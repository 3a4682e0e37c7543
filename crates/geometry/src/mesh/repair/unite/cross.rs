//! The lines in which facets cross.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use glam::DVec3;
use rayon::prelude::*;

use super::Obstacle;
use crate::Aabb;
use crate::mesh::TriangleMesh;
use crate::mesh::check::prism::Prism;
use crate::mesh::check::surface::orient;
use crate::mesh::check::tree::Tree;

/// Error of a position in the test that spares the exact ones, in units of the last place of the largest coordinate.
const ROUNDING: f64 = 64.0;

/// A piece of a line in which a facet is crossed by one other. On its left, seen from the front of the facet, lies what is in
/// front of the other.
#[derive(Clone, Copy, Debug)]
pub struct Segment {
    pub start: u32,
    pub end: u32,
}

/// The lines in which the facets of a surface cross.
pub struct Lines {
    /// The surface's vertices, and behind them the points in which an edge passes through a facet.
    pub nodes: Vec<DVec3>,
    /// The same on the edges before they were moved.
    pub places: Vec<DVec3>,
    /// How many of them are vertices of the surface.
    pub n_given: u32,
    /// Corners of all facets.
    pub corners: Vec<[u32; 3]>,
    /// The pieces in each facet.
    pub segments: Vec<Vec<Segment>>,
    /// Points on an edge, given by its vertices in ascending order, on the way from the first.
    on_edge: BTreeMap<[u32; 2], Vec<(f64, u32)>>,
}

impl Lines {
    /// Facets that others cross.
    pub fn crossed(&self) -> impl Iterator<Item = u32> + '_ {
        (0..).zip(&self.segments).filter(|(_, segments)| !segments.is_empty()).map(|(ix, _)| ix)
    }

    /// The rim of a facet: its corners and the points on its sides, in order.
    pub fn rim(&self, facet: u32) -> Vec<u32> {
        let corners = self.corners[facet as usize];
        let mut rim = Vec::new();
        for k in 0..3 {
            let (a, b) = (corners[k], corners[(k + 1) % 3]);
            rim.push(a);
            let on_side =
                self.on_edge.get(&[a.min(b), a.max(b)]).into_iter().flatten().map(|(_, node)| *node);
            let at = rim.len();
            rim.extend(on_side);
            if a > b {
                rim[at..].reverse();
            }
        }
        rim
    }
}

/// An edge that passes through a facet.
#[derive(Clone, Copy)]
struct Pierce {
    edge: [u32; 2],
    facet: u32,
    /// How far along the edge, from its smaller vertex, with the vertices moved and as they were.
    along: f64,
    along_given: f64,
    /// Whether its facet, walked round, goes from the front of the pierced one to behind it.
    goes_behind: bool,
}

/// What two facets have in common: an end of the piece that is a corner of both, or edges that pass through.
struct Pair {
    facets: [u32; 2],
    shared: Option<u32>,
    /// Edges of the first through the second, and of the second through the first.
    pierces: [Vec<Pierce>; 2],
}

/// Finds the lines of a mesh whose vertices were moved from `places`, to which its nodes are carried back.
///
/// # Errors
/// If a sign is zero or two facets do not cross in one piece.
pub fn find(mesh: &TriangleMesh, places: &[DVec3]) -> Result<Lines, Obstacle> {
    let n = mesh.triangles.len();
    let boxes: Vec<Aabb> = (0..n).map(|ix| Aabb::from_points(mesh.corners(ix))).collect();
    let tree = Tree::new(&boxes);
    let whole = mesh.aabb();
    let margin = ROUNDING * f64::EPSILON * whole.min.abs().max(whole.max.abs()).max_element();
    let pairs_of = |i: u32| {
        let mut near = Vec::new();
        let own_box = &boxes[i as usize];
        let prism = Prism::of(mesh.corners(i as usize), margin);
        let _ = tree.visit(
            |aabb| aabb.meets(own_box) && !prism.is_apart_from_box(aabb),
            |j| {
                near.extend((j > i).then_some(j));
                ControlFlow::Continue(())
            },
        );
        near.sort_unstable();
        near.into_iter()
            .filter_map(|j| pair(mesh, places, i, j).transpose())
            .collect::<Result<Vec<Pair>, _>>()
    };
    let pairs: Vec<Vec<Pair>> = (0..n as u32).into_par_iter().map(pairs_of).collect::<Result<_, _>>()?;
    let mut lines = Lines {
        nodes: mesh.vertices.clone(),
        places: places.to_vec(),
        n_given: mesh.vertices.len() as u32,
        corners: mesh.triangles.clone(),
        segments: vec![Vec::new(); n],
        on_edge: BTreeMap::new(),
    };
    let mut names: BTreeMap<([u32; 2], u32), u32> = BTreeMap::new();
    for Pair { facets: [i, j], shared, pierces } in pairs.into_iter().flatten() {
        let (mut start, mut end) = (None, None);
        for (own, pierce) in
            [true, false].into_iter().zip(&pierces).flat_map(|(own, of)| of.iter().map(move |p| (own, p)))
        {
            let node = *names.entry((pierce.edge, pierce.facet)).or_insert_with(|| {
                let on = |x: &[DVec3], along: f64| {
                    let [a, b] = pierce.edge.map(|v| x[v as usize]);
                    a + (b - a) * along
                };
                lines.nodes.push(on(&mesh.vertices, pierce.along));
                lines.places.push(on(places, pierce.along_given));
                let node = lines.nodes.len() as u32 - 1;
                lines.on_edge.entry(pierce.edge).or_default().push((pierce.along, node));
                node
            });
            // Going behind the other along its rim, a facet has what lies before it on the left of the piece that begins here.
            let place = if own == pierce.goes_behind { &mut start } else { &mut end };
            if place.replace(node).is_some() {
                return Err("two facets cross in no single line");
            }
        }
        let (Some(start), Some(end)) = (start.or(shared), end.or(shared)) else {
            return Err("two facets cross in no single line");
        };
        lines.segments[i as usize].push(Segment { start, end });
        lines.segments[j as usize].push(Segment { start: end, end: start });
    }
    lines
        .on_edge
        .values_mut()
        .for_each(|on| on.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))));
    Ok(lines)
}

/// How two facets cross; none if they do not.
fn pair(mesh: &TriangleMesh, places: &[DVec3], i: u32, j: u32) -> Result<Option<Pair>, Obstacle> {
    let (a, b) = (mesh.triangles[i as usize], mesh.triangles[j as usize]);
    let mut common = a.into_iter().filter(|v| b.contains(v));
    let shared = common.next();
    if common.next().is_some() {
        return Ok(None);
    }
    let pierces = [pierces(mesh, places, i, j)?, pierces(mesh, places, j, i)?];
    let n = pierces[0].len() + pierces[1].len();
    match (n, shared) {
        (0, _) => Ok(None),
        (2, None) | (1, Some(_)) => Ok(Some(Pair { facets: [i, j], shared, pierces })),
        _ => Err("two facets cross in no single line"),
    }
}

/// The edges of facet `i` that pass through facet `j`.
fn pierces(mesh: &TriangleMesh, places: &[DVec3], i: u32, j: u32) -> Result<Vec<Pierce>, Obstacle> {
    const ZERO: Obstacle = "a corner lies in the plane of a facet";
    let x = |v: u32| mesh.vertices[v as usize];
    let (own, other) = (mesh.triangles[i as usize], mesh.triangles[j as usize]);
    let [p, q, r] = other.map(x);
    let behind = own.map(|v| if other.contains(&v) { 0.0 } else { orient(p, q, r, x(v)) });
    let mut found = Vec::new();
    for k in 0..3 {
        let next = (k + 1) % 3;
        let (u, w) = (own[k], own[next]);
        if other.contains(&u) || other.contains(&w) {
            continue;
        }
        if behind[k] == 0.0 || behind[next] == 0.0 {
            return Err(ZERO);
        }
        if (behind[k] > 0.0) == (behind[next] > 0.0) {
            continue;
        }
        let turns = [(p, q), (q, r), (r, p)].map(|(s, t)| orient(x(u), x(w), s, t));
        if turns.iter().any(|&t| t > 0.0) && turns.iter().any(|&t| t < 0.0) {
            continue;
        }
        if turns.contains(&0.0) {
            return Err(ZERO);
        }
        let part = behind[k].abs() / (behind[k].abs() + behind[next].abs());
        let given = part_given(places, [u, w], other, behind[k] > 0.0).unwrap_or(part);
        let (edge, along, along_given) =
            if u < w { ([u, w], part, given) } else { ([w, u], 1.0 - part, 1.0 - given) };
        found.push(Pierce { edge, facet: j, along, along_given, goes_behind: behind[next] > 0.0 });
    }
    Ok(found)
}

/// The part of the way along an edge at which it meets the plane of a facet, by places as they were, where it starts behind that or not
/// once they are moved; none if it lies in that plane. What is computed of moved places is off by the move, and where surfaces are united
/// one after the other that would grow.
fn part_given(places: &[DVec3], edge: [u32; 2], facet: [u32; 3], starts_behind: bool) -> Option<f64> {
    let [p, q, r] = facet.map(|v| places[v as usize]);
    // An end that only moving brings to its side lies in the plane.
    let [start, end] = edge.map(|v| orient(p, q, r, places[v as usize]));
    let (start, end) = if starts_behind { (start, -end) } else { (-start, end) };
    let (start, end) = (start.max(0.0), end.max(0.0));
    (start + end > 0.0).then(|| start / (start + end))
}
