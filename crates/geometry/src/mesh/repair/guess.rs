//! How much of the volume hangs on fillings that are guesses.
//!
//! Where a surface ends at a hole in an edge, as at the end of a tube, the filling is flat. Where it leans into the hole it may go on to a
//! tip or a ridge, as at a cube without a corner, or be cut off flat; one whose rim is not plane can be filled in many ways; two holes
//! that lie opposite each other may be a missing strip, or the wall of a bore; and facets that float before a hole may be what is left of
//! the surface behind it. None of that can be told from the surface that is there.

use glam::DVec3;

use super::creased;
use super::facets::Loose;
use super::fill::{Rim, Shape};
use super::report::{Doubt, RepairError};
use crate::mesh::TriangleMesh;
use crate::mesh::weld::Joined;

/// Part of the volume up to which a guess may be wrong.
const MAX_GUESS: f64 = 0.01;

/// Part of the volume up to which a dome may be: those over a ball are off by up to an eighth of themselves.
const MAX_DOME: f64 = 0.08;

/// Sine of the angle to the filling from which a surface ends in an edge there: 75 degrees.
const STEEP: f64 = 0.966;

/// Sine of the angle to the filling below which the filling lies in the surface: 3 degrees.
const FLUSH: f64 = 0.052;

/// Area of a triangle in that of the largest facet beside it up to which it may be a facet that was lost; that which cuts off the corner of
/// a cube has 1.73.
const LARGER: f64 = 1.2;

/// Cosine of the angle between the facets behind two neighbouring sides of a rim from which an edge runs between them: 45 degrees.
const CREASE: f64 = 0.707;

/// Cosine of the angle between two fillings from which they lie opposite each other.
const OPPOSITE: f64 = 0.8;

/// Cosine of the angle between the way from one hole to another and the normals of their fillings up to which they look at each other: 60
/// degrees, as the ends of a ring do of which up to a third is gone.
const FACING: f64 = 0.5;

/// Sine of the angle between the surface and the normal of a filling up to which the surface ends there in an edge: 30 degrees, as facets of
/// a bent tube have that stand out of its end.
const LEANING: f64 = 0.5;

/// Mean sine of the angle between the surface and a filling from which the surface leads to one side of it.
const LEADING: f64 = 0.1;

/// Cosine of the angle between the ways out of two ends of one piece from which it is straight: they look away from each other by 150
/// degrees or more, as those of a tube do.
const STRAIGHT: f64 = -0.866;

/// Least area of the smaller of two holes that are the ends of one bore, or of one piece, in that of the larger.
const SAME_AREA: f64 = 0.9;

/// A hole that was filled.
#[derive(Debug)]
pub struct Filling {
    /// The middle of its box, and the largest distance of two corners.
    pub at: DVec3,
    pub diameter: f64,
    /// A vertex of its rim.
    vertex: u32,
    /// The middle of the rim; the filling's area as a vector.
    middle: DVec3,
    area: DVec3,
    /// Volume that hangs on the guess, and the part of all volume that it may be.
    guess: f64,
    limit: f64,
    /// Whether the filling lies in the surface all round.
    is_flush: bool,
    /// Whether the surface ends at the filling in an edge all round, as at the end of a tube.
    is_end: bool,
}

impl Filling {
    /// What was put into a rim as facets from `first` on.
    pub fn of(mesh: &TriangleMesh, rim: &Rim, shape: Shape, first: usize, at: DVec3, diameter: f64) -> Self {
        let (middle, normal) = (rim.middle, rim.area.normalize_or_zero());
        let (guess, limit) = match shape {
            Shape::Dome if is_creased(rim) => (under(mesh, first, middle), MAX_GUESS),
            Shape::Dome => (under(mesh, first, middle), MAX_DOME),
            Shape::Ridged => (0.0, MAX_GUESS),
            Shape::Flat if is_lost_facet(rim) => (0.0, MAX_GUESS),
            Shape::Flat => {
                let over: f64 = rim.sides().map(|side| beyond(&side, normal)).sum();
                let is_bite = is_creased(rim) && !is_end(rim, normal);
                // The corner of three faces lies as far over the best of these ways as that over the worst.
                let otherwise = if is_bite { 2.0 * other_ways(mesh, rim, first) } else { 0.0 };
                (over.max(otherwise), MAX_GUESS)
            }
        };
        let is_flush = shape == Shape::Flat
            && rim.ahead.is_some()
            && rim.sides().all(|(_, _, ahead)| ahead.dot(normal).abs() < FLUSH);
        let is_end = shape == Shape::Flat && is_end(rim, normal);
        Self { at, diameter, vertex: rim.corners[0], middle, area: rim.area, guess, limit, is_flush, is_end }
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

    fn radius(&self) -> f64 {
        (self.area.length() / std::f64::consts::PI).sqrt()
    }
}

/// Whether a hole is one facet, no larger than those beside it.
fn is_lost_facet(rim: &Rim) -> bool {
    rim.corners.len() == 3 && rim.area.length() < LARGER * rim.beside
}

/// Whether an edge of the surface runs into a hole, which a dome does not go on with.
pub fn is_creased(rim: &Rim) -> bool {
    let normals: Vec<DVec3> =
        rim.sides().map(|(a, b, ahead)| (b - a).cross(ahead).normalize_or_zero()).collect();
    let turns = |(k, normal): (usize, &DVec3)| normal.dot(normals[(k + 1) % normals.len()]) < CREASE;
    normals.iter().enumerate().any(turns)
}

/// Whether a surface comes to its rim upright on the filling, all round.
fn is_end(rim: &Rim, normal: DVec3) -> bool {
    rim.ahead.is_some()
        && rim
            .sides()
            .all(|(a, b, ahead)| (b - a).cross(ahead).normalize_or_zero().dot(normal).abs() < LEANING)
}

/// Volume between a filling and the middle of its rim; negative where it lies inside of it.
fn signed_under(mesh: &TriangleMesh, first: usize, middle: DVec3) -> f64 {
    (first..mesh.triangles.len()).map(|ix| six_volumes(mesh, ix, middle)).sum::<f64>() / 6.0
}

fn under(mesh: &TriangleMesh, first: usize, middle: DVec3) -> f64 {
    signed_under(mesh, first, middle).abs()
}

/// By how much the volume would differ if the rim were filled in another way without new vertices, on the side of the filling to which
/// the surface leads.
fn other_ways(mesh: &TriangleMesh, rim: &Rim, first: usize) -> f64 {
    let chosen = signed_under(mesh, first, rim.middle);
    let [least, largest] = creased::span(rim);
    let normal = rim.area.normalize_or_zero();
    let leads = |(a, b, ahead): (DVec3, DVec3, DVec3)| (a.distance(b), a.distance(b) * ahead.dot(normal));
    let (length, lead) = rim.sides().map(leads).fold((0.0, 0.0), |sum, x| (sum.0 + x.0, sum.1 + x.1));
    match lead {
        lead if lead > LEADING * length => largest - chosen,
        lead if lead < -LEADING * length => chosen - least,
        _ => (largest - chosen).max(chosen - least),
    }
}

fn six_volumes(mesh: &TriangleMesh, ix: usize, from: DVec3) -> f64 {
    let [a, b, c] = mesh.corners(ix).map(|x| x - from);
    a.dot(b.cross(c))
}

/// Volume over a flat filling on one side of it, of corners seen from the middle, if the surface there goes on as it comes; none where
/// it ends in an edge. That of a ridge, which is half as large again as that of a tip.
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
    0.5 * (0.5 * a.cross(b).length()) * height
}

/// Refuses fillings that may change the volume by more than what is said of all repairs, and facets that were dropped which tell of as much.
/// What is doubtful all the same.
///
/// # Errors
/// The first hole, pair of holes, or piece that was dropped, that a wrong guess would cost too much.
pub fn refuse_wild(
    mesh: &TriangleMesh,
    fillings: &[Filling],
    dropped: &[Loose],
) -> Result<Vec<Doubt>, RepairError> {
    let volumes = Volumes::of(mesh);
    let whole: f64 = volumes.by_root.iter().map(|volume| volume.abs()).sum();
    for &Filling { at, diameter, guess, limit, .. } in fillings {
        if guess > limit * whole {
            return Err(RepairError::GuessedHole { diameter, at, part: guess / whole });
        }
    }
    refuse_large_pieces(dropped, fillings, whole)?;
    let size = mesh.aabb().diagonal();
    let large: Vec<&Filling> =
        fillings.iter().filter(|filling| filling.area.length() * size > MAX_GUESS * whole).collect();
    let mut doubts: Vec<(u32, Doubt)> = Vec::new();
    for (k, a) in large.iter().enumerate() {
        for b in &large[k + 1..] {
            if let Some((volume, what)) = between(a, b, &volumes)
                && volume > MAX_GUESS * whole
            {
                return Err(RepairError::OppositeHoles {
                    at: Box::new([a.at, b.at]),
                    part: volume / whole,
                    what,
                });
            }
            if !is_bent(a, b, &volumes) {
                continue;
            }
            let root = volumes.root(a.vertex);
            match doubts.iter_mut().find(|(of, _)| *of == root) {
                Some((_, doubt)) => doubt.n_pairs += 1,
                None => doubts.push((root, Doubt { at: [a.at, b.at], diameter: a.diameter, n_pairs: 1 })),
            }
        }
    }
    Ok(doubts.into_iter().map(|(_, doubt)| doubt).collect())
}

/// Refuses to drop facets that tell of more than what a guess may cost: what they enclose with their opening closed, unless they hang on
/// a surface that is closed without them; and what lies between them and a hole, which the surface may have gone on behind.
fn refuse_large_pieces(dropped: &[Loose], fillings: &[Filling], whole: f64) -> Result<(), RepairError> {
    for piece in dropped {
        let enclosed = if piece.is_attached && fillings.is_empty() { 0.0 } else { piece.volume };
        let before =
            |filling: &Filling| filling.area.length().min(piece.area) * filling.middle.distance(piece.middle);
        let volume = fillings.iter().map(before).fold(enclosed, f64::max);
        if volume > MAX_GUESS * whole {
            let &Loose { n, at, size, part, .. } = piece;
            return Err(RepairError::LoosePiece { n, at, size, area: part, part: volume / whole });
        }
    }
    Ok(())
}

/// Whether two fillings are the ends of one piece that is not straight: a bent tube, or a ring of which a part is gone.
fn is_bent(a: &Filling, b: &Filling, volumes: &Volumes) -> bool {
    let out =
        |filling: &Filling| filling.area.normalize_or_zero() * volumes.of_vertex(filling.vertex).signum();
    is_alike(a, b, volumes) && a.is_end && b.is_end && out(a).dot(out(b)) > STRAIGHT
}

/// Whether two fillings are of one piece and as large.
fn is_alike(a: &Filling, b: &Filling, volumes: &Volumes) -> bool {
    let areas = [a.area.length(), b.area.length()];
    areas[0].min(areas[1]) > SAME_AREA * areas[0].max(areas[1])
        && volumes.root(a.vertex) == volumes.root(b.vertex)
}

/// The volume between two fillings that lie opposite each other, and what may be missing there.
fn between(a: &Filling, b: &Filling, volumes: &Volumes) -> Option<(f64, &'static str)> {
    let outward =
        |filling: &Filling| filling.area.normalize_or_zero() * volumes.of_vertex(filling.vertex).signum();
    let (normal, other) = (outward(a), outward(b));
    let way = b.middle - a.middle;
    let gap = way.dot(normal);
    let aside = (way - normal * gap).length();
    let areas = [a.area.length(), b.area.length()];
    let smaller = areas[0].min(areas[1]);
    let is_alike = is_alike(a, b, volumes);
    let faces = |normal: DVec3, way: DVec3| normal.dot(way) > FACING * way.length();
    let is_piece = is_alike && faces(normal, way) && faces(other, -way);
    let is_across = normal.dot(other) < -OPPOSITE && aside < 0.5 * a.radius().min(b.radius());
    let is_strip = is_across && gap > 0.0 && gap < a.diameter.min(b.diameter);
    let is_bore = is_across && is_alike && gap < 0.0 && a.is_flush && b.is_flush;
    let what = if is_strip || is_piece {
        "a piece between them may be missing"
    } else if is_bore {
        "the wall of a bore between them may be missing"
    } else {
        return None;
    };
    Some((smaller * way.length(), what))
}

/// Volumes of the closed parts of a surface that hang together through vertices; negative where a part looks inward.
struct Volumes {
    roots: Vec<u32>,
    by_root: Vec<f64>,
}

impl Volumes {
    fn of(mesh: &TriangleMesh) -> Self {
        let n = mesh.vertices.len();
        let mut joined = Joined::new(n);
        mesh.triangles.iter().for_each(|&[a, b, c]| {
            joined.join(a, b);
            joined.join(a, c);
        });
        let roots: Vec<u32> = (0..n as u32).map(|v| joined.root(v)).collect();
        let from = mesh.aabb().center();
        let mut by_root = vec![0.0; n];
        for (ix, corners) in mesh.triangles.iter().enumerate() {
            by_root[roots[corners[0] as usize] as usize] += six_volumes(mesh, ix, from) / 6.0;
        }
        Self { roots, by_root }
    }

    fn root(&self, vertex: u32) -> u32 {
        self.roots[vertex as usize]
    }

    fn of_vertex(&self, vertex: u32) -> f64 {
        self.by_root[self.root(vertex) as usize]
    }
}
