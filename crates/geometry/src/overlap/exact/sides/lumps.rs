//! The lumps of an overlap: its connected pieces, each with the cavities in it.

use glam::DVec3;

use super::content::Content;
use super::surface::{Chunk, Surface, Visitor};
use super::triangle::Triangle;
use crate::Aabb;
use crate::overlap::exact::components::{Components, Root};
use crate::solid::bvh::NONE;

/// The connected pieces of an overlap, in an order that depends on the overlap alone.
#[derive(Debug)]
pub(super) struct Lumps {
    pub contents: Vec<Content>,
    /// The lump that each part of the surface bounds, [`NONE`] for what is outside.
    of_part: Vec<u32>,
}

impl Lumps {
    /// The sums over every lump, and what spans it unless there is but one.
    ///
    /// A part that encloses no volume of its own, a cavity or what is too thin to be a piece, goes with the smallest
    /// piece around it, or else with the nearest one.
    pub fn find(surface: &mut Surface<'_, '_>) -> Self {
        let (mut lumps, n_solid) = Self::number(&mut surface.sums.components);
        if lumps.contents.len() == 1 {
            lumps.contents[0] = Content::of_whole(surface.sums);
        } else {
            let origin = surface.sums.origin;
            surface.visit(&mut Filling { lumps: &mut lumps, origin });
            surface.visit_points(|part, x| {
                if let Some(ix) = lumps.of(part) {
                    lumps.contents[ix].add_point(x, origin);
                }
            });
        }
        lumps.attach(n_solid);
        lumps
    }

    /// The lump that a part of the surface bounds.
    pub fn of(&self, part: u32) -> Option<usize> {
        let lump = self.of_part[part as usize];
        (lump != NONE).then_some(lump as usize)
    }

    /// Empty lumps for all parts with any surface, and how many of them enclose volume: these come first.
    fn number(components: &mut Components) -> (Self, usize) {
        let roots: Vec<_> = (0..components.n_parts() as u32).map(|part| components.root_of(part)).collect();
        let mut order: Vec<(u32, &Root)> =
            (0..).zip(&roots).filter(|&(part, root)| part == root.number).collect();
        order.retain(|(_, root)| root.has_area);
        order.sort_by_key(|(number, root)| (!root.is_solid, *number));
        let mut lump_of_root = vec![NONE; roots.len()];
        for (lump, (number, _)) in order.iter().enumerate() {
            lump_of_root[*number as usize] = lump as u32;
        }
        let of_part = roots.iter().map(|root| lump_of_root[root.number as usize]).collect();
        let n_solid = order.partition_point(|(_, root)| root.is_solid);
        (Self { contents: vec![Content::default(); order.len()], of_part }, n_solid)
    }

    /// Puts the lumps behind the first `n_solid` to the nearest ones of these.
    fn attach(&mut self, n_solid: usize) {
        let rest = self.contents.split_off(n_solid);
        let mut host_of: Vec<u32> = (0..n_solid as u32).collect();
        for content in rest {
            let nearest = (0..n_solid).min_by(|&a, &b| {
                let [a, b] = [a, b].map(|lump| sticks_out(&self.contents[lump].bounds, &content.bounds));
                a.partial_cmp(&b).unwrap_or(std::cmp::Ordering::Equal)
            });
            host_of.push(nearest.map_or(NONE, |lump| lump as u32));
            if let Some(lump) = nearest {
                self.contents[lump].absorb(content);
            }
        }
        for lump in self.of_part.iter_mut().filter(|lump| **lump != NONE) {
            *lump = host_of[*lump as usize];
        }
    }
}

/// By how much a box sticks out of one around it, and then the size of that.
fn sticks_out(around: &Aabb, inner: &Aabb) -> (f64, f64) {
    let out = (around.min - inner.min).max(inner.max - around.max).max(DVec3::ZERO);
    (out.length(), around.diagonal())
}

/// Sums up all lumps at once.
struct Filling<'a> {
    lumps: &'a mut Lumps,
    origin: DVec3,
}

impl Visitor for Filling<'_> {
    fn wants(&self, part: u32) -> bool {
        self.lumps.of(part).is_some()
    }

    fn take(&mut self, part: u32, chunk: &mut Chunk<'_, '_>) -> bool {
        if let Some(lump) = self.lumps.of(part) {
            self.lumps.contents[lump].add_chunk(chunk);
        }
        true
    }

    fn take_triangle(&mut self, part: u32, triangle: &Triangle) {
        if let Some(lump) = self.lumps.of(part) {
            let content = &mut self.lumps.contents[lump];
            content.add_triangle(triangle);
            content.points.extend(triangle.corners.map(|x| x + self.origin));
        }
    }
}
