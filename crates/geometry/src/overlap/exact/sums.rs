//! Volume and surface moments of the overlap from its cut faces and whole pieces.

use glam::DVec3;

use super::components::Components;
use super::curve::{Curve, CutFace};
use super::holes::{self, Link};
use super::outline::{Parts, Rims, Stretch};
use super::pieces::{Division, Piece};
use super::placed::Placed;
use super::predicates::Owner;
use super::reusable_map::ReusableMap;
use super::windings::Windings;
use crate::Solid;
use crate::moments::{FanMoments, SurfaceMoments, VolumeMoments};
use crate::solid::bvh::NONE;
use crate::solid::flux::FluxMoments;

/// Sums over the surface of the overlap, all about one origin near to it.
#[derive(Debug, Default)]
pub(super) struct Sums {
    /// Moments of the overlap.
    pub volume: VolumeMoments,
    /// The host's surface inside the guest, and the guest's inside the host.
    pub surfaces: [SurfaceMoments; 2],
    /// The overlap's surface part by part.
    pub components: Components,
    /// What the cut faces of either mesh add, in the order in which they were cut.
    pub cut_sums: [Vec<CutSum>; 2],
    pub origin: DVec3,
    chain: Vec<Link>,
    fans: Vec<Fan>,
    fan_of_part: ReusableMap<u32>,
}

/// Sums over what of one part lies in one cut face.
#[derive(Clone, Copy, Debug)]
pub(super) struct CutSum {
    pub part: u32,
    /// Place of the face among the cut ones.
    pub cut_face: u32,
    /// Moments of the cone from the origin.
    pub volume: VolumeMoments,
    pub surface: SurfaceMoments,
}

/// What of one part lies in one cut face, as triangles from one point.
#[derive(Clone, Copy, Debug)]
struct Fan {
    part: u32,
    /// Its corner in common is a point of the rim. It must be one of this part: with an apex far off, the moments of a
    /// small region would drown in the rounding of long triangles.
    region: FanMoments,
}

impl Sums {
    /// Starts from zero about an origin.
    pub fn reset(&mut self, origin: DVec3, n_parts: usize) {
        self.origin = origin;
        self.volume = VolumeMoments::default();
        self.surfaces = [SurfaceMoments::default(); 2];
        self.components.reset(n_parts);
        self.cut_sums.iter_mut().for_each(Vec::clear);
    }

    /// Adds the cut faces of one mesh.
    pub fn add_cut_faces(&mut self, body: &mut Placed<'_>, curve: &Curve, rims: &Rims, parts: &mut Parts) {
        for (ix, cut_face) in curve.traces[body.owner as usize].cut_faces.iter().enumerate() {
            self.collect_chain(body, cut_face, curve, rims, parts);
            self.add_chain(body, cut_face.face, ix as u32);
        }
    }

    /// Collects the rim of a cut face's inside part: segments of the curve and stretches of its sides.
    pub fn collect_chain(
        &mut self,
        body: &mut Placed<'_>,
        cut_face: &CutFace,
        curve: &Curve,
        rims: &Rims,
        parts: &mut Parts,
    ) -> &[Link] {
        self.chain.clear();
        for segment in curve.segments_in(body.owner, cut_face) {
            let points =
                if body.owner == Owner::Host { segment.ends } else { [segment.ends[1], segment.ends[0]] };
            let ends = points.map(|e| curve.events[e as usize].x);
            self.push_link(ends, points, 1, parts);
        }
        let solid = body.solid;
        let face = &solid.faces()[cut_face.face as usize];
        for side in 0..3 {
            let runs_up = solid.edges()[face.sides[side] as usize].ends[0] == face.corners[side];
            for &Stretch { mut ends, mut points, winding } in rims.on(face.sides[side]) {
                if !runs_up {
                    ends.swap(0, 1);
                    points.swap(0, 1);
                }
                self.push_link(ends, points, winding, parts);
            }
        }
        &self.chain
    }

    fn push_link(&mut self, ends: [DVec3; 2], points: [u32; 2], winding: i32, parts: &mut Parts) {
        let [from, to] = ends.map(|x| x - self.origin);
        let part = parts.of(points[0]);
        self.chain.push(Link { from, to, points, part, weight: f64::from(winding) });
    }

    /// Adds the region inside the collected chain as a fan for each part.
    fn add_chain(&mut self, body: &mut Placed<'_>, face: u32, cut_face: u32) {
        let [a, b, c] = body.corners(face);
        let unit_normal = (b - a).cross(c - a).normalize_or_zero();
        self.fans.clear();
        self.fan_of_part.reset(self.components.n_parts());
        for link in &self.chain {
            let fan = fan_of(link, &mut self.fans, &mut self.fan_of_part);
            self.fans[fan].region.add_triangle(link.from, link.to, link.weight, unit_normal);
        }
        for fan in &self.fans {
            let (volume, surface) = fan.region.moments(unit_normal);
            self.volume += volume;
            self.components.add(fan.part, volume.volume, surface.area);
            self.surfaces[body.owner as usize] += surface;
            self.cut_sums[body.owner as usize].push(CutSum { part: fan.part, cut_face, volume, surface });
        }
        if self.fans.len() > 1 {
            holes::join(&self.chain, unit_normal, &mut self.components);
        }
    }

    /// Adds the pieces of one mesh that lie inside the other.
    pub fn add_pieces(
        &mut self,
        body: &Placed<'_>,
        division: &Division,
        windings: &Windings,
        parts: &mut Parts,
    ) {
        let origin = body.to_own_frame(self.origin);
        let mut total = FluxMoments::default();
        for (ix, piece) in division.pieces.iter().enumerate() {
            let element = windings.piece_element(ix as u32);
            let winding = f64::from(windings.of(element));
            if winding != 0.0 {
                let flux = piece_flux(body.solid, piece, origin);
                total.add(&flux, winding);
                let number = parts.of(parts.element(body.owner, element));
                let area = winding * flux.surface.area;
                self.components.add(number, winding * flux.volume_from(DVec3::ZERO), area);
            }
        }
        let rotation = body.rotation();
        self.volume += total.volume().rotated(rotation);
        self.surfaces[body.owner as usize] += total.surface.rotated(rotation);
    }
}

/// Index of the fan that a link belongs to, opened where it is the first of its part in the face.
fn fan_of(link: &Link, fans: &mut Vec<Fan>, fan_of_part: &mut ReusableMap<u32>) -> usize {
    let found = match fans.len() {
        // Nearly every face has one fan: the map is for plates under hundreds of feet.
        1 => (fans[0].part == link.part).then_some(0),
        _ => fan_of_part.get(link.part),
    };
    found.unwrap_or_else(|| {
        let ix = fans.len() as u32;
        fans.push(Fan { part: link.part, region: FanMoments::new(link.from) });
        fan_of_part.set(link.part, ix);
        ix
    }) as usize
}

/// Surface integrals of a piece about a point, both in the mesh's own frame.
pub(super) fn piece_flux(solid: &Solid, piece: &Piece, origin: DVec3) -> FluxMoments {
    if piece.node != NONE && solid.bvh().flux_ix(piece.node).is_some() {
        let centre = solid.bvh().nodes[piece.node as usize].aabb.center();
        return solid.flux(piece.node).translated(centre - origin);
    }
    let faces = piece.first..piece.first + piece.len;
    FluxMoments::of_faces(faces.map(|face| solid.corners(face)), origin)
}
