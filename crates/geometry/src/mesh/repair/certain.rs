//! Whether what a repair guessed is certain enough.
//!
//! Beside what each filling may be wrong by (`guess`), two holes that lie opposite each other may be a missing strip, or the wall of a
//! bore; and facets that float before a hole may be what is left of the surface behind it. All guesses about one body together may be
//! wrong by no more than what is said of all repairs.

use std::collections::{BTreeMap, BTreeSet};

use glam::DVec3;

use super::bodies::Bodies;
use super::facets::Loose;
use super::guess::{Filling, SAME_AREA, SAME_OUTLINE};
use super::holes::sides;
use super::report::{Doubt, Ends, EndsOf, RepairError};
use super::through::winding;
use crate::mesh::TriangleMesh;
use crate::mesh::weld::Joined;

/// Part of a body's volume up to which guesses about it may be wrong.
const MAX_GUESS: f64 = 0.01;

/// What may be missing between two holes.
const PIECE: &str = "a piece between them may be missing";
const BORE: &str = "the wall of a bore between them may be missing";

/// Cosine of the angle between two fillings from which they lie opposite each other.
const OPPOSITE: f64 = 0.8;

/// Cosine of the angle between the way from one hole to another and the normals of their fillings up to which they look at each other: 60
/// degrees, as the ends of a ring do of which up to a third is gone.
const FACING: f64 = 0.5;

/// Cosine of the angle between the ways out of two ends of one piece from which it is straight: they look away from each other by 150
/// degrees or more, as those of a tube do.
const STRAIGHT: f64 = -0.866;

/// Refuses fillings that may change the volume of a body by more than what is said of all repairs, and facets that were dropped which tell
/// of as much. What is doubtful all the same.
///
/// # Errors
/// The holes, pair of holes, or piece that was dropped, that a wrong guess would cost too much.
pub fn refuse_wild(
    mesh: &TriangleMesh,
    fillings: &[Filling],
    dropped: &[Loose],
) -> Result<Vec<Doubt>, RepairError> {
    let bodies = Bodies::of(mesh)?;
    refuse_large_pieces(mesh, dropped, fillings, &bodies)?;
    let pairs = pairs(mesh, fillings, &bodies);
    refuse_large_guesses(fillings, &pairs, &bodies)?;
    let mut doubts = doubts(&pairs, &bodies);
    doubts.extend(turned(fillings, &bodies));
    doubts.extend(bores(&pairs));
    doubts.extend(mouths(fillings, &pairs, &bodies));
    Ok(doubts)
}

/// Refuses to drop facets that tell of more than what a guess may cost: what they enclose with their opening closed;
/// what lies between them and a hole, which the surface may have gone on behind; and a cavity as wide as they are, of whose wall they may be what is
/// left, where they float in the solid.
fn refuse_large_pieces(
    mesh: &TriangleMesh,
    dropped: &[Loose],
    fillings: &[Filling],
    bodies: &Bodies,
) -> Result<(), RepairError> {
    for piece in dropped {
        let before = |filling: &Filling| {
            // What lies before a hole tells of the surface behind it by as much of the hole as it covers: a crumb tells little.
            let hole = filling.area.length();
            let covered = hole.min(piece.area).powi(2) / hole;
            covered * filling.middle.distance(piece.middle) / bodies.volume(bodies.body(filling.facet))
        };
        let is_bottom = |filling: &Filling| {
            let hole = filling.area.length();
            hole.min(piece.area) > SAME_AREA * hole.max(piece.area)
        };
        let wide = piece.area * piece.size;
        let may_be_cavity =
            piece.is_afloat && wide > MAX_GUESS * bodies.whole() && !fillings.iter().any(is_bottom);
        let is_in_solid = || winding(mesh, 0..mesh.triangles.len() as u32, piece.middle).abs() > 0.5;
        let within = if may_be_cavity && is_in_solid() { wide } else { piece.volume };
        let part = fillings.iter().map(before).fold(within / bodies.whole(), f64::max);
        if part > MAX_GUESS {
            let &Loose { n, at, size, part: area, .. } = piece;
            return Err(RepairError::LoosePiece { n, at, size, area, part });
        }
    }
    Ok(())
}

/// Two fillings that may belong together.
struct Pair<'a> {
    of: [&'a Filling; 2],
    /// What may be missing between them, and its volume.
    between: Option<(f64, &'static str)>,
    /// What they may be ends of.
    ends_of: Option<EndsOf>,
}

/// The pairs of fillings between which something may be missing. Those so small that all of them cost less than a guess may are passed over.
fn pairs<'a>(mesh: &TriangleMesh, fillings: &'a [Filling], bodies: &Bodies) -> Vec<Pair<'a>> {
    let size = mesh.aabb().diagonal();
    let least = |filling: &Filling| {
        MAX_GUESS * bodies.volume(bodies.body(filling.facet)) / fillings.len().max(1) as f64
    };
    let large: Vec<&Filling> = fillings
        .iter()
        .filter(|filling| !filling.is_facet && filling.area.length() * size > least(filling))
        .collect();
    let mut pairs = Vec::new();
    for (k, &a) in large.iter().enumerate() {
        for &b in &large[k + 1..] {
            let between = between(a, b, bodies);
            let ends_of = ends_of(a, b, bodies);
            if between.is_some() || ends_of.is_some() {
                pairs.push(Pair { of: [a, b], between, ends_of });
            }
        }
    }
    keep_nearest(&mut pairs);
    pairs
}

/// Keeps what may be missing between each filling and the nearest other one only: of a plate with many bores every mouth has the outline
/// of every other one.
fn keep_nearest(pairs: &mut [Pair<'_>]) {
    let distance = |pair: &Pair<'_>| pair.of[0].middle.distance(pair.of[1].middle);
    let mut order: Vec<usize> = (0..pairs.len()).filter(|&k| pairs[k].between.is_some()).collect();
    order.sort_by(|&a, &b| distance(&pairs[a]).total_cmp(&distance(&pairs[b])).then(a.cmp(&b)));
    let mut taken = BTreeSet::new();
    for k in order {
        // Fillings go by their facets.
        let names = pairs[k].of.map(|filling| filling.facet);
        if names.iter().any(|name| taken.contains(name)) {
            pairs[k].between = None;
        } else {
            taken.extend(names);
        }
    }
}

/// What may be wrong at one place.
enum Guess<'a> {
    Hole(&'a Filling),
    Between([&'a Filling; 2], &'static str),
}

/// Refuses guesses that may together be wrong by too much of the body that they are about. What may be missing between two bodies
/// makes them one.
fn refuse_large_guesses(
    fillings: &[Filling],
    pairs: &[Pair<'_>],
    bodies: &Bodies,
) -> Result<(), RepairError> {
    let body = |filling: &Filling| bodies.body(filling.facet);
    let mut guesses: Vec<(u32, f64, Guess<'_>)> = fillings
        .iter()
        .filter(|filling| filling.guess > 0.0)
        .map(|filling| (body(filling), filling.guess, Guess::Hole(filling)))
        .collect();
    let mut joined = Joined::new(bodies.n());
    for Pair { of: [a, b], between, .. } in pairs {
        if let Some((volume, what)) = between {
            joined.join(body(a), body(b));
            guesses.push((body(a), *volume, Guess::Between([a, b], what)));
        }
    }
    let mut volumes: BTreeMap<u32, f64> = BTreeMap::new();
    for body in 0..bodies.n() as u32 {
        *volumes.entry(joined.root(body)).or_default() += bodies.volume(body);
    }
    let mut about: BTreeMap<u32, Vec<(f64, Guess<'_>)>> = BTreeMap::new();
    for (body, volume, guess) in guesses {
        about.entry(joined.root(body)).or_default().push((volume, guess));
    }
    for (body, guesses) in about {
        let whole = volumes[&body];
        let part = guesses.iter().map(|(volume, _)| volume).sum::<f64>() / whole;
        if part > MAX_GUESS {
            return Err(too_much(&guesses, whole, part));
        }
    }
    Ok(())
}

/// What to say about guesses that together are wrong by too large a part of a volume: the first that is so alone, a hole if there is one.
fn too_much(guesses: &[(f64, Guess<'_>)], whole: f64, part: f64) -> RepairError {
    let alone = || guesses.iter().filter(|(volume, _)| *volume > MAX_GUESS * whole);
    let hole = alone().find(|(_, guess)| matches!(guess, Guess::Hole(_)));
    match hole.or_else(|| alone().next()) {
        Some(&(volume, Guess::Hole(&Filling { diameter, at, .. }))) => {
            RepairError::GuessedHole { diameter, at, part: volume / whole }
        }
        Some(&(volume, Guess::Between([a, b], what))) => {
            RepairError::OppositeHoles { at: Box::new([a.at, b.at]), part: volume / whole, what }
        }
        None => {
            let worst = guesses.iter().max_by(|a, b| a.0.total_cmp(&b.0));
            let at = worst.map_or(DVec3::ZERO, |(_, guess)| match guess {
                Guess::Hole(filling) | Guess::Between([filling, _], _) => filling.at,
            });
            RepairError::ManyGuesses { at, part }
        }
    }
}

/// What is doubtful about the pairs that are not refused, once for each piece.
fn doubts(pairs: &[Pair<'_>], bodies: &Bodies) -> Vec<Doubt> {
    let mut doubts: Vec<(u32, Ends)> = Vec::new();
    for &Pair { of: [a, b], ends_of, .. } in pairs {
        let Some(of) = ends_of else { continue };
        let shell = bodies.shell(a.facet);
        match doubts.iter_mut().find(|(piece, ends)| *piece == shell && ends.of == of) {
            Some((_, ends)) => ends.n_pairs += 1,
            None => doubts.push((shell, Ends { of, at: [a.at, b.at], diameter: a.diameter, n_pairs: 1 })),
        }
    }
    doubts.into_iter().map(|(_, ends)| Doubt::Ends(ends)).collect()
}

/// Whether parts were filled that look inward, as the wall of a bore does that has lost the part around it.
fn turned(fillings: &[Filling], bodies: &Bodies) -> Option<Doubt> {
    let of = || fillings.iter().filter(|filling| bodies.is_turned(filling.facet));
    let largest = of().max_by(|a, b| a.diameter.total_cmp(&b.diameter))?;
    Some(Doubt::Turned { n: of().count(), at: largest.at, diameter: largest.diameter })
}

/// Bores that may have lost their wall and are too small to be refused.
fn bores(pairs: &[Pair<'_>]) -> Option<Doubt> {
    let of = || pairs.iter().filter(|pair| matches!(pair.between, Some((_, BORE))));
    let largest = of().map(|pair| pair.of).max_by(|a, b| a[0].diameter.total_cmp(&b[0].diameter))?;
    let at = largest.map(|filling| filling.at);
    Some(Doubt::Bores { n: of().count(), at, diameter: largest[0].diameter })
}

/// Whether holes were closed that may be mouths, where a pocket as deep as one is wide is more than a guess may cost. What is told of pairs is not
/// told again.
fn mouths(fillings: &[Filling], pairs: &[Pair<'_>], bodies: &Bodies) -> Option<Doubt> {
    let told = pairs.iter().flat_map(|pair| pair.of.map(|filling| filling.facet));
    let told: BTreeSet<usize> = told.collect();
    let is_large = |filling: &Filling| {
        let pocket = filling.area.length() * filling.diameter;
        pocket > MAX_GUESS * bodies.volume(bodies.body(filling.facet))
    };
    let is_meant =
        |filling: &&Filling| filling.may_be_mouth && is_large(filling) && !told.contains(&filling.facet);
    let of = || fillings.iter().filter(is_meant);
    let largest = of().max_by(|a, b| a.diameter.total_cmp(&b.diameter))?;
    Some(Doubt::Mouths { n: of().count(), at: largest.at, diameter: largest.diameter })
}

/// The way out of a body through a filling.
fn outward(filling: &Filling, bodies: &Bodies) -> DVec3 {
    filling.area.normalize_or_zero() * bodies.side(filling.facet)
}

/// Whether two fillings are as large as each other.
fn is_alike(a: &Filling, b: &Filling) -> bool {
    let areas = [a.area.length(), b.area.length()];
    areas[0].min(areas[1]) > SAME_AREA * areas[0].max(areas[1])
}

/// Whether two fillings belong to one piece.
fn is_one(a: &Filling, b: &Filling, bodies: &Bodies) -> bool {
    bodies.shell(a.facet) == bodies.shell(b.facet)
}

/// Whether two fillings lie opposite each other on one axis.
fn is_across(a: &Filling, b: &Filling, bodies: &Bodies) -> bool {
    let normal = outward(a, bodies);
    let way = b.middle - a.middle;
    let aside = (way - normal * way.dot(normal)).length();
    normal.dot(outward(b, bodies)) < -OPPOSITE && aside < 0.5 * a.radius().min(b.radius())
}

/// What two fillings may be ends of between which a part is missing.
fn ends_of(a: &Filling, b: &Filling, bodies: &Bodies) -> Option<EndsOf> {
    let (are_ends, are_flush) = (a.is_end && b.is_end, a.is_flush && b.is_flush);
    if !((are_ends || are_flush) && is_alike(a, b)) {
        return None;
    }
    let (normal, other) = (outward(a, bodies), outward(b, bodies));
    if is_one(a, b, bodies) {
        (are_ends && normal.dot(other) > STRAIGHT).then_some(EndsOf::BentPiece)
    } else {
        face_each_other(a, b, bodies).then_some(EndsOf::TwoPieces)
    }
}

/// The volume between two fillings, and what may be missing there.
fn between(a: &Filling, b: &Filling, bodies: &Bodies) -> Option<(f64, &'static str)> {
    let way = b.middle - a.middle;
    let what = if is_strip(a, b, bodies) || is_piece(a, b, bodies) {
        PIECE
    } else if is_bore(a, b, bodies) {
        BORE
    } else {
        return None;
    };
    Some((a.area.dot(way).abs().min(b.area.dot(way).abs()), what))
}

/// Whether two fillings lie opposite each other over a gap no wider than they are.
fn is_strip(a: &Filling, b: &Filling, bodies: &Bodies) -> bool {
    let gap = (b.middle - a.middle).dot(outward(a, bodies));
    is_across(a, b, bodies) && gap > 0.0 && gap < a.diameter.min(b.diameter)
}

/// Whether two fillings are ends of one piece that look at each other.
fn is_piece(a: &Filling, b: &Filling, bodies: &Bodies) -> bool {
    let are_ends = a.is_end && b.is_end && is_alike(a, b) && is_one(a, b, bodies);
    are_ends && face_each_other(a, b, bodies)
}

/// Whether two fillings look at each other.
fn face_each_other(a: &Filling, b: &Filling, bodies: &Bodies) -> bool {
    let way = b.middle - a.middle;
    let faces = |of: &Filling, way: DVec3| outward(of, bodies).dot(way) > FACING * way.length();
    faces(a, way) && faces(b, -way)
}

/// Whether two fillings may be the mouths of one bore, or of a part of it: they see each other through the solid, and either lie in faces on one
/// axis, so that the bore may widen, or have one outline along the way, however the faces lie in which they are. One may be in the wall of a cavity. A
/// body between two ends is itself the wall.
fn is_bore(a: &Filling, b: &Filling, bodies: &Bodies) -> bool {
    let way = b.middle - a.middle;
    let is_one = is_one(a, b, bodies);
    let side = |of: &Filling| if is_one { bodies.side(of.facet) } else { bodies.side_of_solid(of.facet) };
    let out = |of: &Filling| of.area.normalize_or_zero() * side(of);
    let is_within = way.dot(out(a)) < 0.0 && way.dot(out(b)) > 0.0;
    let is_outer_end = |of: &Filling| of.is_end && of.lead * side(of) > 0.0;
    let is_mouth = |of: &Filling| of.is_flush || of.is_end;
    let are_mouths = is_mouth(a) && is_mouth(b) && is_across(a, b, bodies);
    bodies.body(a.facet) == bodies.body(b.facet)
        && is_within
        && !(is_outer_end(a) && is_outer_end(b))
        && (is_one && are_mouths || has_outline(a, b, way) && has_outline(b, a, way))
}

/// Whether the rim of a filling runs along that of another one, seen along a way.
fn has_outline(of: &Filling, other: &Filling, way: DVec3) -> bool {
    let Some(way) = way.try_normalize() else { return false };
    let seen = |filling: &Filling, x: DVec3| (x - filling.middle).reject_from_normalized(way);
    let outline: Vec<DVec3> = other.rim.iter().map(|x| seen(other, *x)).collect();
    let slack = SAME_OUTLINE * of.radius().min(other.radius());
    of.rim.iter().map(|x| seen(of, *x)).all(|x| {
        sides(&outline).any(|(p, q)| {
            let along = ((x - p).dot(q - p) / (q - p).length_squared()).clamp(0.0, 1.0);
            (p + (q - p) * along).distance_squared(x) <= slack * slack
        })
    })
}
