//! Contact regions: where two bodies meet in several places or from several sides, each gets an overlap of its own.
//!
//! One gradient says where a whole overlap pushes to. For a peg in a hole it cancels; for two bodies hooked into each
//! other it points wherever the larger side wants. So such an overlap is divided, first into its pieces, then each
//! piece by the directions that its surface faces, and what pushes the same way in the same plane is put together
//! again. Sums over the regions are those of the whole overlap.
//!
//! | step | module |
//! |---|---|
//! | show the overlap's surface in chunks as large as can be used | `surface`, `triangle` |
//! | sum over its connected pieces | `lumps`, `content` |
//! | find the sides from which a lump is bounded | `sides` |
//! | share a lump out among its sides | `cells` |
//! | put together what pushes alike | `merge` |
//!
//! Chunks are whole subtrees and whole cut faces wherever these face one way and lie in one cell, so the work follows
//! the crossing curve and the cuts, not the number of triangles inside.

mod cells;
mod content;
mod lumps;
mod merge;
mod sides;
mod surface;
mod triangle;

use glam::DVec3;

use super::predicates::Owner;
use super::settle::COHERENT;
use super::support;
use crate::Aabb;
use crate::overlap::{Overlap, OverlapKind, Patch};
use cells::Cells;
use content::Content;
use lumps::Lumps;
use merge::Part;
use sides::{Directions, Side};
pub(super) use surface::Surface;
use surface::{Chunk, Visitor};
use triangle::Triangle;

/// Largest number of regions of a pair.
pub(super) const MOST_REGIONS: usize = 8;

/// Part of the smaller of the two surface areas that the gradient of an overlap of one piece must reach for its normal
/// to be taken as that of all its surface, without looking closer: two faces at a right angle reach it where one has
/// less than 6 % of the other's area, a shallow cap where it spans less than 50°.
const ONE_SIDED: f64 = 0.95;

/// Mean thickness, as a part of the size of the smaller body, up to which an overlap is looked at more closely. Deeper
/// ones are not those of bodies that keep each other out, and their surface says little of where they came from.
const DEEPEST: f64 = 0.05;

/// What the regions of an overlap are measured by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    /// Diagonal of the overlap's box \[m\].
    pub size: f64,
    /// Volume per area below which a closed surface encloses nothing but rounding \[m\].
    pub thinnest: f64,
}

/// Whether an overlap may have more than one region; `size` is the smaller body's.
pub(super) fn may_be_several(overlap: &Overlap, size: f64) -> bool {
    let [smaller, larger] = [overlap.areas[0].min(overlap.areas[1]), overlap.areas[0].max(overlap.areas[1])];
    overlap.kind != OverlapKind::Swallowed
        && (overlap.n_components > 1 || overlap.gradient.length() < ONE_SIDED * smaller)
        && 2.0 * overlap.volume < DEEPEST * size * (smaller + larger)
}

/// The regions of an overlap, the largest first; none where it is but one region itself.
pub(super) fn find(surface: &mut Surface<'_, '_>, scale: &Scale) -> Vec<Overlap> {
    let lumps = Lumps::find(surface);
    let sides = find_sides(surface, &lumps);
    if lumps.contents.is_empty() || lumps.contents.len() == 1 && sides[0].len() < 2 {
        return Vec::new();
    }
    let parts = merge::merge(divide(surface, lumps, sides), scale);
    if parts.len() < 2 {
        return Vec::new();
    }
    let mut regions: Vec<Overlap> = parts.into_iter().map(|part| settle(part, surface)).collect();
    // A stable sort: equal regions stay in the order of their lumps.
    regions.sort_by(|a, b| b.gradient.length_squared().total_cmp(&a.gradient.length_squared()));
    regions
}

/// The body whose surface gives a lump's normals: the one that has less surface there. The other one also counts the
/// strips along the rim that face sideways, where a body has sunk into it.
fn normals_of(lump: &Content) -> Owner {
    let [host, guest] = &lump.surfaces;
    if host.area <= guest.area { Owner::Host } else { Owner::Guest }
}

/// The sides of every lump that does not obviously face one way.
fn find_sides(surface: &mut Surface<'_, '_>, lumps: &Lumps) -> Vec<Vec<Side>> {
    let mut found: Vec<_> = lumps
        .contents
        .iter()
        .map(|lump| {
            let [host, guest] = &lump.surfaces;
            let is_one_sided = host.area_vector.length() >= ONE_SIDED * host.area.min(guest.area);
            (!is_one_sided).then(|| [Directions::new(), Directions::new()])
        })
        .collect();
    if found.iter().any(Option::is_some) {
        surface.visit(&mut Looking { lumps, found: &mut found });
    }
    let sides = |(found, lump): (&Option<[Directions; 2]>, &Content)| match (found, normals_of(lump)) {
        (None, _) => Vec::new(),
        (Some([host, guest]), Owner::Host) => sides::sides(host, guest),
        (Some([host, guest]), Owner::Guest) => sides::sides(guest, host),
    };
    found.iter().zip(&lumps.contents).map(sides).collect()
}

/// Counts the directions that lumps face.
struct Looking<'a> {
    lumps: &'a Lumps,
    found: &'a mut [Option<[Directions; 2]>],
}

impl Visitor for Looking<'_> {
    fn wants(&self, part: u32) -> bool {
        self.lumps.of(part).is_some_and(|lump| self.found[lump].is_some())
    }

    fn take(&mut self, part: u32, chunk: &mut Chunk<'_, '_>) -> bool {
        let found = self.lumps.of(part).and_then(|lump| self.found[lump].as_mut());
        found.is_none_or(|found| found[chunk.owner() as usize].take(chunk))
    }

    fn take_triangle(&mut self, part: u32, triangle: &Triangle) {
        if let Some(found) = self.lumps.of(part).and_then(|lump| self.found[lump].as_mut())
            && let Some(owner) = triangle.owner
        {
            found[owner as usize].add_triangle(triangle);
        }
    }
}

/// The lumps, and the cells of those with several sides.
fn divide(surface: &mut Surface<'_, '_>, lumps: Lumps, sides: Vec<Vec<Side>>) -> Vec<Part> {
    let origin = surface.sums.origin;
    let cells = sides.into_iter().map(|sides| (sides.len() > 1).then(|| Cells::new(sides)));
    let mut dividing = Dividing { lumps: &lumps, cells: cells.collect(), origin };
    if dividing.cells.iter().any(Option::is_some) {
        surface.visit(&mut dividing);
        surface.visit_points(|part, x| {
            if let Some(cells) = dividing.cells_of(part) {
                cells.add_point(x, origin);
            }
        });
    }
    let mut parts = Vec::new();
    let cells = dividing.cells;
    for (ix, (lump, cells)) in lumps.contents.into_iter().zip(cells).enumerate() {
        let owner = normals_of(&lump);
        let contents = cells.map_or_else(|| vec![lump], |cells| cells.contents);
        let filled = contents.into_iter().filter(|content| !content.bounds.is_empty());
        parts.extend(filled.map(|content| Part::new(content, owner, ix)));
    }
    parts
}

/// Shares lumps out among their cells.
struct Dividing<'a> {
    lumps: &'a Lumps,
    cells: Vec<Option<Cells>>,
    origin: DVec3,
}

impl Dividing<'_> {
    fn cells_of(&mut self, part: u32) -> Option<&mut Cells> {
        self.lumps.of(part).and_then(|lump| self.cells[lump].as_mut())
    }
}

impl Visitor for Dividing<'_> {
    fn wants(&self, part: u32) -> bool {
        self.lumps.of(part).is_some_and(|lump| self.cells[lump].is_some())
    }

    fn take(&mut self, part: u32, chunk: &mut Chunk<'_, '_>) -> bool {
        self.cells_of(part).is_none_or(|cells| cells.take(chunk))
    }

    fn take_triangle(&mut self, part: u32, triangle: &Triangle) {
        let origin = self.origin;
        if let Some(cells) = self.cells_of(part) {
            cells.add_triangle(triangle);
            for x in triangle.corners {
                cells.add_point(x, origin);
            }
        }
    }
}

/// A region as an overlap.
fn settle(part: Part, surface: &mut Surface<'_, '_>) -> Overlap {
    let Part { content, surface: moments, lumps } = part;
    let origin = surface.sums.origin;
    let (centroid, second_moment) = content.volume.central();
    let areas = content.surfaces.map(|surface| surface.area.max(0.0));
    let gradient = moments.area_vector;
    let volume = content.volume.volume;
    let is_coherent = gradient.length() >= COHERENT * areas[0].min(areas[1]);
    let centroid = centroid + origin;
    let patch = is_coherent
        .then(|| {
            let mut points = content.points;
            let nodes = content.nodes.each_ref().map(|nodes| nodes.iter().copied());
            support::add_far_points(surface.bodies, &nodes, gradient, &mut points);
            Patch::new(&points, gradient, volume, centroid, &second_moment)
        })
        .flatten();
    Overlap {
        kind: if patch.is_some() { OverlapKind::Regular } else { OverlapKind::NoNormal },
        volume,
        centroid,
        second_moment,
        gradient,
        angular_gradient: moments.translated(origin).angular(),
        areas,
        bounds: Aabb { min: content.bounds.min + origin, max: content.bounds.max + origin },
        n_components: lumps.len() as u32,
        patch,
        regions: Vec::new(),
    }
}
