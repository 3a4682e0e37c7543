//! The regions of an exact overlap: its pieces, each divided by the directions that its surface faces.
//!
//! | step | module |
//! |---|---|
//! | show the overlap's surface in chunks as large as can be used | `surface`, `triangle` |
//! | sum over its connected pieces | `lumps`, `content` |
//! | share a lump out among its sides | `cells` |
//!
//! Chunks are whole subtrees and whole cut faces wherever these face one way and lie in one cell, so the work follows
//! the crossing curve and the cuts, not the number of triangles inside.

mod cells;
mod content;
mod lumps;
mod surface;
mod triangle;

use glam::DVec3;

use super::predicates::Owner;
use super::support;
use crate::overlap::Overlap;
use crate::overlap::regions::{Bin, Directions, ONE_SIDED, Part, Side, merge, sides, without_rims};
use cells::Cells;
use content::Content;
use lumps::Lumps;
pub(super) use surface::Surface;
use surface::{Chunk, Visitor};
use triangle::Triangle;

/// The regions of an overlap, the largest first; none where it is but one region itself.
///
/// `size` is the diagonal of the overlap's box \[m\], `thinnest` the volume per area below which a closed surface encloses
/// nothing but rounding \[m\].
pub(super) fn find(surface: &mut Surface<'_, '_>, size: f64, thinnest: f64) -> Vec<Overlap> {
    let lumps = Lumps::find(surface);
    let sides = find_sides(surface, &lumps);
    if lumps.contents.is_empty() || lumps.contents.len() == 1 && sides[0].len() < 2 {
        return Vec::new();
    }
    let pieces = divide(surface, lumps, sides);
    let parts = pieces.iter().zip(0..).map(|(piece, ix)| piece.part(ix)).collect();
    let lumps: Vec<u32> = pieces.iter().map(|piece| piece.lump).collect();
    let parts = merge(without_rims(parts, &lumps), size, thinnest);
    if parts.len() < 2 {
        return Vec::new();
    }
    let mut regions: Vec<Overlap> = parts.iter().map(|part| overlap_of(part, &pieces, surface)).collect();
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
    let sides_of = |(found, lump): (&Option<[Directions; 2]>, &Content)| match (found, normals_of(lump)) {
        (None, _) => Vec::new(),
        (Some([host, guest]), Owner::Host) => sides(host, guest),
        (Some([host, guest]), Owner::Guest) => sides(guest, host),
    };
    found.iter().zip(&lumps.contents).map(sides_of).collect()
}

/// The sign that makes a body's normals those from the host to the guest.
fn sign_of(owner: Owner) -> f64 {
    match owner {
        Owner::Host => 1.0,
        Owner::Guest => -1.0,
    }
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
        let owner = chunk.owner();
        found.is_none_or(|found| found[owner as usize].take(&chunk.surface(), sign_of(owner)))
    }

    fn take_triangle(&mut self, part: u32, triangle: &Triangle) {
        if let Some(found) = self.lumps.of(part).and_then(|lump| self.found[lump].as_mut())
            && let Some(owner) = triangle.owner
            && triangle.normal != DVec3::ZERO
        {
            let (sign, area, [a, b, c]) = (sign_of(owner), triangle.area(), triangle.corners);
            let vector = sign * triangle.area_vector();
            let bin = Bin { area, vector, moment: area * (a + b + c) / 3.0 };
            found[owner as usize].add(sign * triangle.normal, &bin);
        }
    }
}

/// What faces one way of one lump.
struct Piece {
    content: Content,
    /// The body whose surface gives the normal.
    owner: Owner,
    lump: u32,
    /// Whether it is all of its lump.
    is_whole: bool,
}

impl Piece {
    fn part(&self, number: u32) -> Part {
        let Content { volume, surfaces, bounds, around, .. } = &self.content;
        let own = surfaces[self.owner as usize];
        let surface = if self.owner == Owner::Guest { own.turned_round() } else { own };
        let areas = [surfaces[0].area, surfaces[1].area];
        Part {
            volume: *volume,
            surface,
            areas,
            facing: [surfaces[0].facing, surfaces[1].facing],
            bounds: *bounds,
            around: *around,
            is_apart: self.is_whole,
            members: vec![number],
        }
    }
}

/// The lumps, and the cells of those with several sides.
fn divide(surface: &mut Surface<'_, '_>, lumps: Lumps, sides: Vec<Vec<Side>>) -> Vec<Piece> {
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
        for cells in dividing.cells.iter_mut().flatten() {
            cells.add_inner_corners(origin, |x| surface.encloses(x));
        }
    }
    let mut pieces = Vec::new();
    let cells = dividing.cells;
    for (ix, (lump, cells)) in (0..).zip(lumps.contents.into_iter().zip(cells)) {
        let owner = normals_of(&lump);
        let is_whole = cells.is_none();
        let contents = cells.map_or_else(|| vec![lump], |cells| cells.contents);
        let filled = contents.into_iter().filter(|content| !content.bounds.is_empty());
        pieces.extend(filled.map(|content| Piece { content, owner, lump: ix, is_whole }));
    }
    pieces
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
            cells.add_triangle(triangle, origin);
        }
    }
}

/// A region as an overlap.
fn overlap_of(part: &Part, pieces: &[Piece], surface: &mut Surface<'_, '_>) -> Overlap {
    let members = part.members.iter().map(|&ix| &pieces[ix as usize]);
    let mut points: Vec<DVec3> =
        members.clone().flat_map(|piece| piece.content.points.iter().copied()).collect();
    if part.has_normal() {
        let nodes =
            [0, 1].map(|of| members.clone().flat_map(move |piece| piece.content.nodes[of].iter().copied()));
        support::add_far_points(surface.bodies, &nodes, part.surface.area_vector, &mut points);
    }
    // Members are in the order of their lumps.
    let mut lumps: Vec<u32> = members.map(|piece| piece.lump).collect();
    lumps.dedup();
    Overlap { n_components: lumps.len() as u32, ..part.overlap(&points, surface.sums.origin) }
}
