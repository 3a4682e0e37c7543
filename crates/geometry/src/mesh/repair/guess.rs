//! How much of the volume hangs on fillings that are guesses.
//!
//! Where a surface ends at a hole in an edge, as at the end of a tube, the filling is flat. Where it leans into the hole it may go on to a
//! tip or a ridge, as at a cube without a corner, or be cut off flat; and one whose rim is not plane can be filled in many ways. None of
//! that can be told from the surface that is there.

use glam::DVec3;

use super::creased;
use super::fill::{Rim, Shape};
use crate::mesh::TriangleMesh;

/// Part of a dome's volume by which it may be off, as those over a ball are at most.
const DOME_OFF: f64 = 0.125;

/// Sine of the angle to the filling from which a surface ends in an edge there: 75 degrees.
const STEEP: f64 = 0.966;

/// Sine of the angle to the filling below which the filling lies in the surface: 3 degrees.
const FLUSH: f64 = 0.052;

/// Area of a triangle in that of the largest facet beside it up to which it may be a facet that was lost; that which cuts off the corner of
/// a cube has 1.73.
const LARGER: f64 = 1.2;

/// Cosine of the angle between the facets behind two neighbouring sides of a rim from which an edge runs between them: 45 degrees.
const CREASE: f64 = 0.707;

/// Sine of the angle between the surface and the normal of a filling up to which the surface ends there in an edge: 30 degrees, as facets of
/// a bent tube have that stand out of its end.
const LEANING: f64 = 0.5;

/// Mean sine of the angle between the surface and a filling from which the surface leads to one side of it.
const LEADING: f64 = 0.1;

/// Least area of the smaller of two holes that are the ends of one piece, or mouths of one bore, in that of the larger.
pub const SAME_AREA: f64 = 0.9;

/// Distance of the outlines of two mouths of one bore, seen along it, in their radius. What a bore cuts out of two faces is the same to rounding;
/// holes that are torn differ by their facets.
pub const SAME_OUTLINE: f64 = 0.05;

/// A hole that was filled.
#[derive(Debug)]
pub struct Filling {
    /// The middle of its box, and the largest distance of two corners.
    pub at: DVec3,
    pub diameter: f64,
    /// One of its facets.
    pub facet: usize,
    /// The corners of the rim and their middle; the filling's area as a vector.
    pub rim: Vec<DVec3>,
    pub middle: DVec3,
    pub area: DVec3,
    /// Volume by which it may be wrong.
    pub guess: f64,
    /// Whether it is one triangle that was lost, no larger than those beside it.
    pub is_facet: bool,
    /// Whether the filling lies in the surface all round.
    pub is_flush: bool,
    /// Whether the surface ends at the filling in an edge all round, as at the end of a tube.
    pub is_end: bool,
    /// Whether the filling goes on from the surface all round, and the rim bends one way, as the mouth of a bore or pocket does, and what is torn
    /// hardly ever.
    pub may_be_mouth: bool,
    /// How far the surface leads to the side to which the filling's area looks, from -1 to 1: at the end of a rod, that looks outward, it does; at a
    /// plug in a bore it comes from there.
    pub lead: f64,
}

impl Filling {
    /// What was put into a rim as facets from `first` on.
    pub fn of(mesh: &TriangleMesh, rim: &Rim, shape: Shape, first: usize, at: DVec3, diameter: f64) -> Self {
        let (middle, normal) = (rim.middle, rim.area.normalize_or_zero());
        let guess = match shape {
            // What is cut off by a plane, as a scan by the table that it stood on, may be flat there.
            Shape::Dome if is_creased(rim) || rim.is_plane => under(mesh, first, middle),
            Shape::Dome => DOME_OFF * under(mesh, first, middle),
            Shape::Ridged => through(mesh, first),
            Shape::Flat if is_lost_facet(rim) => 0.0,
            Shape::Flat => {
                let is_creased = is_creased(rim);
                let over = rim.sides().map(|side| beyond(&side, normal));
                // What is smooth and leans up here and down there, a saddle, is as much over the filling as below it.
                let over = if is_creased { over.map(f64::abs).sum() } else { over.sum::<f64>().abs() };
                // Of a rim that is not plane, as that of a hole in the side of a tube, they differ by what they span; the corner of three faces lies
                // as far over the best of these ways as that over the worst.
                let otherwise = if is_end(rim) || rim.is_plane { 0.0 } else { other_ways(mesh, rim, first) };
                over.max(if is_creased { 2.0 * otherwise } else { otherwise })
            }
        };
        let is_flush = shape == Shape::Flat
            && rim.ahead.is_some()
            && rim.sides().all(|(_, _, ahead)| ahead.dot(normal).abs() < FLUSH);
        let is_end = shape == Shape::Flat && is_end(rim);
        let is_facet = is_lost_triangle(rim);
        Self {
            at,
            diameter,
            facet: first,
            rim: rim.places.clone(),
            middle,
            area: rim.area,
            guess,
            is_facet,
            is_flush,
            is_end,
            may_be_mouth: (is_flush || shape == Shape::Dome) && !is_facet && is_rounded(rim, normal),
            lead: lead(rim),
        }
    }

    /// A plane filling with another hole within it, which it leaves open.
    pub fn around(self, inner: &Self) -> Self {
        Self {
            area: self.area + inner.area,
            guess: self.guess.max(inner.guess),
            is_flush: self.is_flush && inner.is_flush,
            is_end: self.is_end && inner.is_end,
            ..self
        }
    }

    /// The radius of the circle of its area.
    pub fn radius(&self) -> f64 {
        (self.area.length() / std::f64::consts::PI).sqrt()
    }
}

/// Whether a hole is one triangle, no larger than those beside it.
fn is_lost_triangle(rim: &Rim) -> bool {
    rim.corners.len() == 3 && rim.area.length() < LARGER * rim.beside
}

/// Whether a hole is one plane facet of three or four corners, whose triangles are no larger than those beside it. Where the surface leads to one side
/// from all of four, and ends in an edge at none, it may have gone on to a tip.
pub fn is_lost_facet(rim: &Rim) -> bool {
    let normal = rim.area.normalize_or_zero();
    let leads = |way: DVec3| rim.sides().all(|(_, _, ahead)| (LEADING..STEEP).contains(&ahead.dot(way)));
    let is_plane_quad = rim.corners.len() == 4 && rim.is_plane && !leads(normal) && !leads(-normal);
    is_lost_triangle(rim) || is_plane_quad && rim.area.length() < 2.0 * LARGER * rim.beside
}

/// Whether an edge of the surface runs into a hole, which a dome does not go on with.
pub fn is_creased(rim: &Rim) -> bool {
    let normals: Vec<DVec3> =
        rim.sides().map(|(a, b, ahead)| (b - a).cross(ahead).normalize_or_zero()).collect();
    let turns = |(k, normal): (usize, &DVec3)| normal.dot(normals[(k + 1) % normals.len()]) < CREASE;
    normals.iter().enumerate().any(turns)
}

/// Whether a rim bends one way all round, seen along a normal.
fn is_rounded(rim: &Rim, normal: DVec3) -> bool {
    let x = &rim.places;
    let turn = |k: usize| {
        let [a, b, c] = [0, 1, 2].map(|j| x[(k + j) % x.len()]);
        let [come, go] = [b - a, c - b];
        come.cross(go).dot(normal) / (come.length() * go.length())
    };
    (0..x.len()).all(|k| turn(k) > -FLUSH)
}

/// Whether a surface comes to its rim upright on the filling, all round and from one side. The sides of a keyway stand as upright on what closes
/// a bore with it, but the faces that it goes through come to that from all sides.
pub fn is_end(rim: &Rim) -> bool {
    let normal = rim.area.normalize_or_zero();
    let is_upright = |(a, b, ahead): (DVec3, DVec3, DVec3)| {
        (b - a).cross(ahead).normalize_or_zero().dot(normal).abs() < LEANING
    };
    let leads = |way: DVec3| rim.sides().all(|(_, _, ahead)| ahead.dot(way) > -LEANING);
    rim.ahead.is_some() && rim.sides().all(is_upright) && (leads(normal) || leads(-normal))
}

/// Volume between a filling and the middle of its rim; negative where it lies inside of it.
fn signed_under(mesh: &TriangleMesh, first: usize, middle: DVec3) -> f64 {
    (first..mesh.triangles.len()).map(|ix| six_volumes(mesh, ix, middle)).sum::<f64>() / 6.0
}

fn under(mesh: &TriangleMesh, first: usize, middle: DVec3) -> f64 {
    signed_under(mesh, first, middle).abs()
}

/// By how much the volume would differ if the rim were filled in another way without new vertices: on the side of the filling to which the
/// surface leads, or on either, where an edge runs into it, which a slot may have cut.
fn other_ways(mesh: &TriangleMesh, rim: &Rim, first: usize) -> f64 {
    let chosen = signed_under(mesh, first, rim.middle);
    let [least, largest] = creased::span(rim);
    match lead(rim) {
        lead if lead > LEADING && !is_creased(rim) => largest - chosen,
        lead if lead < -LEADING && !is_creased(rim) => chosen - least,
        _ => (largest - chosen).max(chosen - least),
    }
}

/// Mean sine of the angle by which the surface rises over a rim's area as it comes to it.
fn lead(rim: &Rim) -> f64 {
    let normal = rim.area.normalize_or_zero();
    let leads = |(a, b, ahead): (DVec3, DVec3, DVec3)| (a.distance(b), a.distance(b) * ahead.dot(normal));
    let (length, lead) = rim.sides().map(leads).fold((0.0, 0.0), |sum, x| (sum.0 + x.0, sum.1 + x.1));
    if length > 0.0 { lead / length } else { 0.0 }
}

/// Volume between parts of a filling that lie in planes opposite each other and have one outline: a rim that runs over both sides of a plate
/// is bitten out of its edge, or is that of a slot, or of a bore with a keyway, that has lost its round wall.
fn through(mesh: &TriangleMesh, first: usize) -> f64 {
    let mut lids: Vec<Lid> = Vec::new();
    for ix in first..mesh.triangles.len() {
        let [a, b, c] = mesh.corners(ix);
        let area = 0.5 * (b - a).cross(c - a);
        let moment = area.length() * (a + b + c) / 3.0;
        match lids
            .iter_mut()
            .find(|lid| lid.area.dot(area) > creased::SAME_PLANE * lid.area.length() * area.length())
        {
            Some(lid) => (lid.area, lid.moment) = (lid.area + area, lid.moment + moment),
            None => lids.push(Lid { area, moment }),
        }
    }
    let pairs =
        lids.iter().enumerate().flat_map(|(k, lid)| lids[k + 1..].iter().map(move |other| (lid, other)));
    pairs.map(|(lid, other)| lid.through_to(other)).sum()
}

/// What a filling has in one plane.
struct Lid {
    area: DVec3,
    /// The place of its middle times its area.
    moment: DVec3,
}

impl Lid {
    /// The volume between two that are mouths of one bore; 0 if they are not.
    fn through_to(&self, other: &Self) -> f64 {
        let [area, other_area] = [self, other].map(|lid| lid.area.length());
        let way = other.moment / other_area - self.moment / area;
        let normal = self.area / area;
        let aside = way.reject_from_normalized(normal).length();
        let least = area.min(other_area);
        let is_opposite = normal.dot(other.area) < -creased::SAME_PLANE * other_area;
        let has_outline = least > SAME_AREA * area.max(other_area)
            && aside < SAME_OUTLINE * (least / std::f64::consts::PI).sqrt();
        if is_opposite && has_outline { least * way.dot(normal).abs() } else { 0.0 }
    }
}

fn six_volumes(mesh: &TriangleMesh, ix: usize, from: DVec3) -> f64 {
    let [a, b, c] = mesh.corners(ix).map(|x| x - from);
    a.dot(b.cross(c))
}

/// Volume over a flat filling on one side of it, of corners seen from the middle, if the surface there goes on as it comes, negative below it; none
/// where it ends in an edge. That of a ridge, which is half as large again as that of a tip.
fn beyond(&(a, b, ahead): &(DVec3, DVec3, DVec3), normal: DVec3) -> f64 {
    let flat = |v: DVec3| v - normal * v.dot(normal);
    // Facets that stand out of a torn end are no less upright than it is.
    let is_upright = (b - a).cross(ahead).normalize_or_zero().dot(normal).powi(2) < 1.0 - STEEP * STEEP;
    let (a, b) = (flat(a), flat(b));
    let out = 0.5 * (a + b);
    let sine = ahead.dot(normal).abs();
    if is_upright || sine > STEEP || ahead.dot(out) >= 0.0 {
        return 0.0;
    }
    let height = out.length() * sine / (1.0 - sine * sine).sqrt();
    (0.5 * (0.5 * a.cross(b).length()) * height).copysign(ahead.dot(normal))
}
