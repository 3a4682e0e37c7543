//! Facets that enclose nothing: degenerate, repeated, back to back, loose.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use glam::DVec3;

use super::annular;
use super::fill::Rim;
use super::holes::rims;
use super::report::{Mend, MendKind, RepairError};
use super::work::Work;
use crate::mesh::check::topology::{Edges, Use};
use crate::mesh::weld::Joined;

/// Drops facets without three different corners, and all but one of those with the same corners.
pub fn drop_useless(work: &mut Work) {
    let degenerate: Vec<u32> = (0..)
        .zip(&work.mesh.triangles)
        .filter(|(_, [a, b, c])| a == b || b == c || c == a)
        .map(|(ix, _)| ix)
        .collect();
    work.drop(MendKind::DegenerateFacets, &degenerate);
    let (repeated, doubled) = repeats(work);
    if repeated.is_empty() && doubled.is_empty() {
        return;
    }
    work.note(MendKind::DuplicateFacets, &repeated);
    work.note(MendKind::DoubledWall, &doubled);
    let mut all = [repeated, doubled].concat();
    all.sort_unstable();
    let n = work.mends.len();
    work.drop(MendKind::DuplicateFacets, &all);
    work.mends.truncate(n);
}

/// The facets that repeat another one, and those that are back to back, each in ascending order.
///
/// Of facets with the same corners those that look the way most of them do are one facet. Where as many look either way they
/// enclose nothing and all go, unless that leaves a hole of the form of all that hang together: then one copy of these was turned over.
fn repeats(work: &Work) -> (Vec<u32>, Vec<u32>) {
    let triangles = &work.mesh.triangles;
    let mut keyed: Vec<([u32; 3], bool, u32)> = (0..)
        .zip(triangles)
        .map(|(ix, corners)| {
            let mut sorted = *corners;
            sorted.sort_unstable();
            let at = corners.iter().position(|v| *v == sorted[0]).unwrap_or(0);
            (sorted, corners[(at + 1) % 3] == sorted[1], ix)
        })
        .collect();
    keyed.sort_unstable();
    let (mut repeated, mut doubled) = (Vec::new(), Vec::new());
    if keyed.windows(2).all(|pair| pair[0].0 != pair[1].0) {
        return (repeated, doubled);
    }
    let edges = Edges::of(triangles);
    let numbers = |part: &[([u32; 3], bool, u32)]| part.iter().map(|(_, _, ix)| *ix).collect::<Vec<_>>();
    let mut even = Vec::new();
    for group in keyed.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1) {
        let (back, front) = group.split_at(group.partition_point(|(_, runs, _)| !runs));
        let copies = Copies { corners: group[0].0, back: numbers(back), front: numbers(front) };
        match back.len().cmp(&front.len()) {
            Ordering::Equal => even.push(copies),
            unequal => repeated.extend(copies.but_one(unequal == Ordering::Less)),
        }
    }
    let kept = sides_kept(&edges, &even);
    for (copies, kept) in even.into_iter().zip(kept) {
        match kept {
            Some(is_front) => repeated.extend(copies.but_one(is_front)),
            None => doubled.extend(copies.back.into_iter().chain(copies.front)),
        }
    }
    repeated.sort_unstable();
    doubled.sort_unstable();
    drop_needed(&edges, triangles.len(), &mut repeated);
    (repeated, doubled)
}

/// Facets with the same corners.
struct Copies {
    /// The corners in ascending order.
    corners: [u32; 3],
    /// Those that run through the corners the other way round.
    back: Vec<u32>,
    /// Those that run through them in this order.
    front: Vec<u32>,
}

impl Copies {
    /// All but one of those on one side.
    fn but_one(self, is_front: bool) -> impl Iterator<Item = u32> {
        let (kept, other) = if is_front { (self.front, self.back) } else { (self.back, self.front) };
        kept.into_iter().skip(1).chain(other)
    }

    /// The edges, and whether the front runs along them from the smaller vertex.
    fn edges(&self) -> [([u32; 2], bool); 3] {
        let [a, b, c] = self.corners;
        [([a, b], true), ([b, c], true), ([a, c], false)]
    }
}

/// For each of some facets that are there as often one way as the other the side of which one copy is needed, none where none is.
///
/// What hangs together is one wall. Where most of the edges around it are open without it, one copy of it belongs to the surface, the one that
/// runs along them the other way.
fn sides_kept(edges: &Edges, even: &[Copies]) -> Vec<Option<bool>> {
    let mut at_edges: BTreeMap<[u32; 2], Vec<(usize, bool)>> = BTreeMap::new();
    for (ix, copies) in even.iter().enumerate() {
        copies
            .edges()
            .into_iter()
            .for_each(|(edge, runs)| at_edges.entry(edge).or_default().push((ix, runs)));
    }
    // All copies of one of these facets cancel each other, so that what is left is the neighbours'.
    let excess = |edge| edges.uses(edge).iter().map(|u| if u.is_forward { 1 } else { -1 }).sum::<i32>();
    let mut sides: Vec<Option<bool>> = vec![None; even.len()];
    let mut kept = vec![None; even.len()];
    for start in 0..even.len() {
        if sides[start].is_some() {
            continue;
        }
        sides[start] = Some(true);
        let (mut wall, mut next) = (vec![start], 0);
        let (mut n_closed, mut n_open, mut n_as_started) = (0, 0, 0);
        while let Some(&ix) = wall.get(next) {
            next += 1;
            let side = sides[ix] == Some(true);
            for (edge, runs) in even[ix].edges() {
                match at_edges[&edge][..] {
                    [(a, runs_a), (b, runs_b)] if excess(edge) == 0 => {
                        let other = if a == ix { b } else { a };
                        if sides[other].is_none() {
                            sides[other] = Some(side == (runs_a != runs_b));
                            wall.push(other);
                        }
                    }
                    _ if excess(edge) == 0 => n_closed += 1,
                    _ => {
                        n_open += 1;
                        n_as_started += usize::from(((excess(edge) < 0) == runs) == side);
                    }
                }
            }
        }
        // A wall without edges around it is a closed surface.
        if n_open >= n_closed {
            let as_started = 2 * n_as_started > n_open;
            wall.iter().for_each(|&ix| kept[ix] = sides[ix].map(|side| side == as_started));
        }
    }
    kept
}

/// Takes those off a list of repeated facets without which edges would be open that are not: where two solids have one side in common, that is
/// a side of both.
fn drop_needed(edges: &Edges, n: usize, repeated: &mut Vec<u32>) {
    let excess = |uses: &mut dyn Iterator<Item = &Use>| -> i32 {
        uses.map(|u| if u.is_forward { 1 } else { -1 }).sum()
    };
    let is_listed = |u: &&Use| repeated.binary_search(&u.triangle).is_ok();
    let mut joined = Joined::new(n);
    let mut needed = Vec::new();
    for uses in edges.groups() {
        let mut listed = uses.iter().filter(is_listed);
        let Some(first) = listed.next() else { continue };
        listed.for_each(|other| joined.join(first.triangle, other.triangle));
        let was_closed = excess(&mut uses.iter()) == 0;
        if was_closed && excess(&mut uses.iter().filter(|u| !is_listed(u))) != 0 {
            needed.push(first.triangle);
        }
    }
    let needed: BTreeSet<u32> = needed.into_iter().map(|ix| joined.root(ix)).collect();
    repeated.retain(|&ix| !needed.contains(&joined.root(ix)));
}

/// Part of its own area that the opening of a patch has from which it is a sheet, not a solid with a hole: the rim of half a
/// ball has half, a cube without a face a fifth.
const SHEET: f64 = 0.55;

/// Rounds after which no more loose patches are looked for.
const MAX_LOOSE: usize = 256;

/// Drops what belongs to no closed surface: fins, walls within, facets that float. What was dropped.
///
/// A patch is the looser the more of its area the opening has that its rim is round. Its area vectors sum up to that of the
/// opening. Two whose rims are those of one ring, as the outer and the inner wall of a short cup without its rim, belong together.
///
/// # Errors
/// If that leaves nothing.
pub fn drop_loose(work: &mut Work, tolerance: f64) -> Result<Vec<Loose>, RepairError> {
    let mut dropped = Vec::new();
    for _ in 0..MAX_LOOSE {
        let patches = work.patches();
        let loose = loosest(work, &patches, tolerance);
        if loose.is_empty() {
            break;
        }
        if loose.len() == patches.len() {
            return Err(RepairError::NoVolume);
        }
        let whole: f64 = (0..work.mesh.triangles.len() as u32).map(|ix| 0.5 * work.normal(ix).length()).sum();
        dropped.extend(loose.iter().map(|loosest| Loose {
            is_afloat: loosest.is_afloat,
            ..Loose::of(work, &patches[loosest.patch], whole)
        }));
        let mut facets: Vec<u32> =
            loose.iter().flat_map(|loosest| patches[loosest.patch].iter().copied()).collect();
        facets.sort_unstable();
        work.drop(MendKind::LooseFacets, &facets);
        // What it separated hangs together now and may look two ways.
        super::orient::turn_facets(work)?;
    }
    Ok(dropped)
}

/// Facets that were dropped because they belong to no closed surface.
#[derive(Debug)]
pub struct Loose {
    /// How many, the middle of their box and its diagonal.
    pub n: usize,
    pub at: DVec3,
    pub size: f64,
    /// Their middle by area, and their area.
    pub middle: DVec3,
    pub area: f64,
    /// Part of the area of the whole surface.
    pub part: f64,
    /// Volume that they enclose with their opening closed flat.
    pub volume: f64,
    /// Whether they share no edge with others.
    pub is_afloat: bool,
}

impl Loose {
    fn of(work: &Work, facets: &[u32], whole: f64) -> Self {
        let Mend { n, at, size, .. } = Mend::of(
            MendKind::LooseFacets,
            facets.len(),
            facets.iter().flat_map(|&ix| work.mesh.corners(ix as usize)),
        );
        let areas = facets.iter().map(|&ix| 0.5 * work.normal(ix).length());
        let area: f64 = areas.clone().sum();
        let middles = facets.iter().map(|&ix| work.mesh.corners(ix as usize).iter().sum::<DVec3>() / 3.0);
        let middle =
            middles.zip(areas).map(|(x, area)| x * area).sum::<DVec3>() / area.max(f64::MIN_POSITIVE);
        let triangles: Vec<[u32; 3]> = facets.iter().map(|&ix| work.mesh.triangles[ix as usize]).collect();
        Self {
            n,
            at,
            size,
            middle,
            area,
            part: area / whole,
            volume: enclosed(work, &triangles),
            is_afloat: false,
        }
    }
}

/// The volume that some facets enclose with every rim of theirs closed by a fan from its middle.
fn enclosed(work: &Work, triangles: &[[u32; 3]]) -> f64 {
    let x = |v: u32| work.mesh.vertices[v as usize];
    let from = x(triangles[0][0]);
    let sixfold = |a: DVec3, b: DVec3, c: DVec3| (a - from).dot((b - from).cross(c - from));
    let own: f64 = triangles.iter().map(|&[a, b, c]| sixfold(x(a), x(b), x(c))).sum();
    let fan = |rim: &Vec<u32>| {
        let middle = rim.iter().map(|&v| x(v)).sum::<DVec3>() / rim.len() as f64;
        (0..rim.len()).map(|k| sixfold(x(rim[k]), x(rim[(k + 1) % rim.len()]), middle)).sum::<f64>()
    };
    ((own + rims(&Edges::of(triangles)).iter().map(fan).sum::<f64>()) / 6.0).abs()
}

/// A patch to be dropped next.
struct Loosest {
    patch: usize,
    /// Whether it shares no edge with others.
    is_afloat: bool,
}

/// The loose patches that share no edge with a looser one: dropping one of them changes nothing for the others.
fn loosest(work: &Work, patches: &[Vec<u32>], tolerance: f64) -> Vec<Loosest> {
    let mut patch_of = vec![0; work.mesh.triangles.len()];
    for (patch, facets) in patches.iter().enumerate() {
        facets.iter().for_each(|&ix| patch_of[ix as usize] = patch);
    }
    let edges = Edges::of(&work.mesh.triangles);
    let of = |u: &Use| patch_of[u.triangle as usize];
    let n = patches.len();
    let (mut is_open, mut is_odd) = (vec![false; n], vec![false; n]);
    for uses in edges.groups() {
        match uses {
            [single] => is_open[of(single)] = true,
            many if many.len() % 2 == 1 => many.iter().for_each(|u| is_odd[of(u)] = true),
            _ => {}
        }
    }
    let areas: Vec<f64> =
        patches.iter().map(|facets| facets.iter().map(|&ix| work.normal(ix).length()).sum()).collect();
    let opening = |facets: &[u32]| facets.iter().map(|&ix| work.normal(ix)).sum::<DVec3>().length();
    let whole: f64 = areas.iter().sum();
    let part = |ix: usize| if areas[ix] > 0.0 { opening(&patches[ix]) / areas[ix] } else { 1.0 };
    let parts: Vec<f64> = (0..n).map(part).collect();
    // The main surface is never loose but where more than it meets in an edge.
    let is_sheet = |ix: usize| is_open[ix] && parts[ix] > SHEET && areas[ix] < 0.5 * whole;
    let mut sheets: Vec<bool> = (0..n).map(is_sheet).collect();
    if sheets.contains(&true) {
        ringed(work, &edges, &patch_of, tolerance).into_iter().for_each(|ix| sheets[ix] = false);
    }
    let is_loose = |ix: usize| is_odd[ix] || sheets[ix];
    // Of equally loose ones the first.
    let looser = |a: usize, b: usize| parts[a].total_cmp(&parts[b]).then(b.cmp(&a)).is_gt();
    let (mut is_afloat, mut is_held) = (vec![true; n], vec![false; n]);
    for uses in edges.groups().filter(|uses| uses.iter().any(|u| of(u) != of(&uses[0]))) {
        uses.iter().for_each(|u| is_afloat[of(u)] = false);
        let first =
            uses.iter().map(of).filter(|&ix| is_loose(ix)).reduce(|a, b| if looser(b, a) { b } else { a });
        uses.iter().map(of).filter(|&ix| Some(ix) != first).for_each(|ix| is_held[ix] = true);
    }
    let next = (0..n).filter(|&ix| is_loose(ix) && !is_held[ix]);
    next.map(|patch| Loosest { patch, is_afloat: is_afloat[patch] }).collect()
}

/// The patches of which a rim is one of the two of a ring, each with the other rim at another patch.
fn ringed(work: &Work, edges: &Edges, patch_of: &[usize], tolerance: f64) -> Vec<usize> {
    let rims: Vec<Rim> = rims(edges).iter().map(|rim| Rim::of(&work.mesh, edges, rim, tolerance)).collect();
    let patch = |k: usize| {
        let [a, b] = [rims[k].corners[0], rims[k].corners[1]];
        patch_of[edges.uses([a.min(b), a.max(b)])[0].triangle as usize]
    };
    annular::groups(&rims, tolerance)
        .iter()
        .map(|group| group.iter().map(|&k| patch(k)).collect::<Vec<_>>())
        .filter(|patches| patches.iter().any(|of| *of != patches[0]))
        .flatten()
        .collect()
}
