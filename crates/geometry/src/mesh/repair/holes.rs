//! Holes: closed rims of open edges, each filled on its own.

use glam::DVec3;

use super::facets::Loose;
use super::fill::{Rim, Taken};
use super::guess::Filling;
use super::report::{Doubt, Mend, MendKind, RepairError};
use super::work::{Work, parts};
use super::{MAX_HOLE_PART, RepairSettings, annular, certain, fill};
use crate::mesh::check::topology::Edges;

/// Area of a hole, in that of the surface that it is in, from which it is no hole but the surface an open sheet.
const SHEET: f64 = 0.9;

/// Fills the holes of a consistently oriented surface, from which some facets were dropped. What is doubtful about it.
///
/// # Errors
/// If one is too large, or too much hangs on how it is filled.
pub fn fill_all(
    work: &mut Work,
    settings: &RepairSettings,
    tolerance: f64,
    dropped: &[Loose],
) -> Result<Vec<Doubt>, RepairError> {
    let edges = Edges::of(&work.mesh.triangles);
    let rims: Vec<Rim> = rims(&edges).iter().map(|rim| Rim::of(&work.mesh, &edges, rim, tolerance)).collect();
    let mut taken = Taken::of(&work.mesh.triangles);
    let areas = Areas::of(work);
    let mut fillings = Vec::with_capacity(rims.len());
    for group in annular::groups(&rims, tolerance) {
        let of: Vec<&Rim> = group.iter().map(|&k| &rims[k]).collect();
        let outer = of[0];
        let part = areas.share(&of);
        let mends = of.iter().map(|rim| {
            let mut mend = Mend::of(MendKind::Hole, rim.corners.len(), rim.places.iter().copied());
            mend.size = diameter(&rim.places);
            mend.perimeter = Some(sides(&rim.places).map(|(a, b)| a.distance(b)).sum());
            mend
        });
        let mends: Vec<Mend> = mends.collect();
        let (at, diameter) = (mends[0].at, mends[0].size);
        // The ring of a rim is no guess, however large.
        let is_ring = of.len() > 1;
        let is_small = settings.max_hole.map_or(is_ring || part <= MAX_HOLE_PART, |limit| diameter <= limit);
        if !is_small && part > SHEET {
            return Err(RepairError::NoVolume);
        }
        if !is_small {
            let max_hole = settings.max_hole;
            return Err(RepairError::LargeHole { diameter, at, part, max_hole });
        }
        let first = work.mesh.triangles.len();
        let shape = if of.len() > 1 {
            let way = annular::bridged(&work.mesh, outer, &of[1..]);
            fill::fill_plane(&mut work.mesh, &way, &taken);
            fill::Shape::Flat
        } else {
            fill::fill(&mut work.mesh, outer, &taken)
        };
        taken.add(&work.mesh.triangles[first..]);
        let filling = Filling::of(&work.mesh, outer, shape, first, at, diameter);
        let within = |rim: &&Rim| Filling::of(&work.mesh, rim, shape, first, at, diameter);
        fillings.push(of[1..].iter().map(within).fold(filling, |outer, inner| outer.around(&inner)));
        work.mends.extend(mends);
    }
    if rims.is_empty() && dropped.is_empty() {
        return Ok(Vec::new());
    }
    let judged = certain::refuse_wild(&work.mesh, &fillings, dropped);
    match settings.max_hole {
        None => judged,
        // Who states a limit wants them filled, and is told what may be wrong about it.
        Some(_) => Ok(judged.unwrap_or_else(|error| vec![Doubt::Allowed(Box::new(error))])),
    }
}

/// The sides of a closed polygon.
pub fn sides(corners: &[DVec3]) -> impl Iterator<Item = (DVec3, DVec3)> + '_ {
    (0..corners.len()).map(|k| (corners[k], corners[(k + 1) % corners.len()]))
}

/// Largest distance of two corners.
fn diameter(corners: &[DVec3]) -> f64 {
    let from = |k: usize| corners[k + 1..].iter().map(move |b| corners[k].distance(*b));
    (0..corners.len()).flat_map(from).fold(0.0, f64::max)
}

/// Areas of the parts of a surface that hang together through vertices.
struct Areas {
    parts: Vec<u32>,
    areas: Vec<f64>,
}

impl Areas {
    fn of(work: &Work) -> Self {
        let parts = parts(&work.mesh);
        let mut areas = vec![0.0; parts.len()];
        for (ix, corners) in (0..).zip(&work.mesh.triangles) {
            areas[parts[corners[0] as usize] as usize] += 0.5 * work.normal(ix).length();
        }
        Self { parts, areas }
    }

    /// The area of a hole with these rims in that of the parts that they belong to.
    fn share(&self, rims: &[&Rim]) -> f64 {
        let hole = rims.iter().map(|rim| rim.area).sum::<DVec3>().length();
        let mut parts: Vec<u32> = rims.iter().map(|rim| self.parts[rim.corners[0] as usize]).collect();
        parts.sort_unstable();
        parts.dedup();
        hole / parts.iter().map(|part| self.areas[*part as usize]).sum::<f64>()
    }
}

/// The rims of all holes, each a closed polygon that runs as its filling has to and passes no vertex twice.
///
/// Where an edge is used more often one way than the other, what fills the hole has to use it the other way. As many of these
/// uses arrive at a vertex as leave it, so that they make closed ways; one that comes to a vertex again is cut there,
/// which parts holes that share a vertex.
pub fn rims(edges: &Edges) -> Vec<Vec<u32>> {
    let mut missing: Vec<[u32; 2]> = Vec::new();
    for uses in edges.unbalanced() {
        let excess: i32 = uses.iter().map(|u| if u.is_forward { 1 } else { -1 }).sum();
        let [a, b] = uses[0].edge;
        let way = if excess > 0 { [b, a] } else { [a, b] };
        missing.extend(std::iter::repeat_n(way, excess.unsigned_abs() as usize));
    }
    missing.sort_unstable();
    let mut is_used = vec![false; missing.len()];
    let mut rims = Vec::new();
    for start in 0..missing.len() {
        let mut way: Vec<u32> = Vec::new();
        let mut next = (!is_used[start]).then_some(start);
        while let Some(ix) = next {
            is_used[ix] = true;
            let [from, to] = missing[ix];
            way.push(from);
            if let Some(at) = way.iter().position(|&v| v == to) {
                rims.push(way.split_off(at));
            }
            let first = missing.partition_point(|[v, _]| *v < to);
            next = (first..missing.len()).take_while(|&k| missing[k][0] == to).find(|&k| !is_used[k]);
            // Back at a place where the way has been cut off entirely and that others leave from: these begin anew.
            if way.is_empty() {
                next = None;
            }
        }
    }
    rims
}
