//! A vertex followed through a motion against the faces of another surface.

use glam::DVec3;

use super::features::VertexFace;
use super::path::Path;
use super::placed::Placed;
use super::surface::{NONE, Surface};
use crate::triangle::{nearest, weighted};

/// Faces that a vertex is handed on to in a motion at most: more than a straight path crosses within a touch, and an end at a corner of
/// many slivers.
const MOST_FACES: usize = 64;

/// How long after one crossing another one through a neighbouring face is the same one.
const SAME_TIME: f64 = 1e-12;

/// Part of a face by which a vertex may be beyond its border and still be held by it: more than [`SAME_TIME`] and rounding make of it, so
/// that one on the border is not handed to and fro.
pub const HANDED_ON: f64 = 1e-9;

/// Part of a squared distance by which two faces are as near: rounding, and what a vertex is beyond a border by when it is handed on.
const AS_NEAR: f64 = 1e-9;

/// How far beside what holds them vertices and edges are held on, as a part of how deep they are: what two bodies lean against each other
/// by, some 12 degrees.
///
/// Where sides are flush there are places at which corners are outside of both bodies while these are in each other: a corner V of the one is
/// beside the other's face, and that one's edge beyond the end of the edge at V, as far as the depth times the angle between the bodies. No
/// pair of features would hold there.
pub const BESIDE: f64 = 0.2;

/// Cosine of the angle between two contacts' normals up to which the one goes over into the other: less than half of a right angle.
pub const ALIKE: f64 = 0.75;

/// Cosine of the angle between two faces' normals below which the body is thin between them: what came in through the one does not go out
/// through the other, as it would through a plate. Some 40 degrees of material.
pub const THIN: f64 = -0.75;

/// Where a vertex is held: behind a face, and whether it came from its back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    pub face: u32,
    pub from_back: bool,
}

impl Held {
    /// Factor on heights that makes the side it came from the positive one.
    pub fn side(self) -> f64 {
        if self.from_back { -1.0 } else { 1.0 }
    }
}

/// A time in which a vertex is held by a face.
#[derive(Clone, Copy, Debug)]
pub struct Stay {
    pub held: Held,
    pub interval: [f64; 2],
}

/// A time at which a vertex goes through a face.
#[derive(Clone, Copy, Debug)]
struct Crossing {
    time: f64,
    face: u32,
    /// Whether it goes from the face's front to its back.
    inward: bool,
}

/// What a vertex does in a motion.
#[derive(Clone, Debug, Default)]
pub struct Way {
    /// Times in which it is in the other body.
    pub stays: Vec<Stay>,
    /// What holds it at the end.
    pub held: Option<Held>,
    /// When it first is in the other body.
    pub first: Option<f64>,
    /// What held it last, if it is out at the end.
    pub left: Option<Held>,
}

/// What becomes of a vertex that leaves the prism over the face that holds it.
enum Onto {
    /// Another face holds it.
    Face(Held),
    /// It is in the wedge between two faces that meet in a groove: the one it comes from holds it on.
    Wedge,
    /// It is outside: over the rim of a sheet, or by rounding over an edge.
    Outside,
}

/// How bodies press on each other at one of the features that are in each other.
#[derive(Clone, Copy, Debug)]
pub struct Pressing {
    /// Unit normal out of the surface that a vertex is followed against.
    pub normal: DVec3,
    /// How deep it is \[m\].
    pub depth: f64,
    /// The face of that surface that holds a vertex there.
    pub face: Option<u32>,
}

/// A vertex on its way against a surface.
#[derive(Debug)]
pub struct Walker<'a> {
    pub surface: &'a Placed<'a>,
    /// The body that has the vertex.
    pub of: &'a Placed<'a>,
    pub vertex: u32,
    pub p: Path,
    pub pressing: &'a [Pressing],
    /// What heights may be off by \[m\].
    pub rounding: f64,
}

/// Whether a vertex is in the prism over a face, or as far beyond its border as one that is handed on may be.
fn is_over(pair: &VertexFace, time: f64) -> bool {
    pair.weights_at(time).is_some_and(|w| w.iter().all(|w| *w >= -2.0 * HANDED_ON))
}

impl Walker<'_> {
    fn pair(&self, face: u32) -> VertexFace {
        VertexFace::with(self.p, self.surface.face(face))
    }

    /// Follows the vertex; `faces` are those that it may go through, `before` is what holds it at the start.
    pub fn walk(&self, faces: &[[u32; 2]], before: Option<Held>) -> Way {
        let mut crossings: Vec<Crossing> = Vec::new();
        faces.iter().for_each(|&[_, face]| self.crossings(face, before, &mut crossings));
        crossings.sort_unstable_by(|x, y| x.time.total_cmp(&y.time).then(x.face.cmp(&y.face)));
        let mut way = Way::default();
        let is_in = |held: &Held| held.side() * self.pair(held.face).height_at(0.0) <= -self.rounding;
        let mut held = before.filter(is_in);
        way.first = held.map(|_| 0.0);
        let (mut now, mut left) = (0.0, f64::NEG_INFINITY);
        for _ in 0..MOST_FACES {
            let Some(by) = held else {
                let lets_in = |at: &&Crossing| {
                    let is_same = at.time <= left + SAME_TIME;
                    at.time >= now && !is_same && (at.inward || !self.surface.surface.is_closed())
                };
                let Some(entry) = crossings.iter().find(lets_in) else { break };
                let through = Held { face: entry.face, from_back: !entry.inward };
                held = Some(self.let_in(through, entry.time));
                (now, way.left) = (entry.time, None);
                way.first = way.first.or(Some(now));
                continue;
            };
            let is_exit = |at: &&Crossing| {
                at.time > now && at.inward == by.from_back && self.lets_out(by, at.face, at.time)
            };
            let exit = crossings.iter().find(is_exit).map(|at| at.time);
            let until = exit.unwrap_or(1.0);
            let (end, leaves) = match self.leaves_prism(by, now, until) {
                Some((time, corner)) => match self.next_face(by, corner, time, until) {
                    Onto::Face(next) => (time, Some(Some(next))),
                    Onto::Outside => match self.leaves_beside(by, time, until) {
                        Some(time) => (time, Some(None)),
                        None => (until, exit.map(|_| None)),
                    },
                    Onto::Wedge => (until, exit.map(|_| None)),
                },
                None => (until, exit.map(|_| None)),
            };
            way.stays.push(Stay { held: by, interval: [now, end] });
            now = end;
            match leaves {
                None => break,
                Some(next) => held = next,
            }
            if held.is_none() {
                (left, way.left) = (now, Some(by));
            }
        }
        way.held = held.or_else(|| Some(self.let_in(self.touched(faces, before)?, 1.0)));
        way
    }

    /// What holds a vertex that comes in through a face: that face, but where the bodies press already and it comes in beside, behind the face
    /// there. Where edges lie along each other a corner goes out and in by roundings, or another one comes in for it; held by the side
    /// beside, by next to nothing, it would sink in. Where they press right through a thin body, what comes in from its far side is held as they press,
    /// too: held by both sides, it would stay in it.
    ///
    /// It may be as deep as all that press there are together: of a face that lies on another one no corner is deeper.
    fn let_in(&self, through: Held, time: f64) -> Held {
        let outward = |face: u32| self.surface.face(face).normal.at(time).normalize_or_zero();
        let alike = |face: u32| self.pressing.iter().filter(move |x| x.normal.dot(outward(face)) > ALIKE);
        if !self.surface.surface.is_closed() || alike(through.face).next().is_some() {
            return through;
        }
        if let Some(face) = self.pierced_across(through.face) {
            return Held { face, ..through };
        }
        let presses = |face: u32| {
            let depth = -self.pair(face).height_at(time);
            let pressed: f64 = alike(face).map(|x| x.depth.max(0.0)).sum();
            let holds = depth > 0.0 && is_over(&self.pair(face), time) && depth <= pressed;
            holds.then_some((pressed, face))
        };
        let surface = self.surface.surface;
        let pressed = self.pressing.iter().filter_map(|x| x.face);
        let candidates = around(surface, through.face)
            .into_iter()
            .chain(pressed.flat_map(|face| [vec![face], around(surface, face)].concat()));
        let most = candidates.filter_map(presses).max_by(|x, y| x.0.total_cmp(&y.0).then(y.1.cmp(&x.1)));
        most.map_or(through, |(_, face)| Held { face, ..through })
    }

    /// The face on the other side of a thin body from one through which the vertex comes in, if an edge at it pierces that face already: the body of the
    /// vertex has come from there, as one whose corner has swung round the rim of a plate.
    fn pierced_across(&self, through: u32) -> Option<u32> {
        let surface = self.surface.surface;
        let back = |x: DVec3| self.surface.mover.back(x);
        let own = back(self.p.start);
        let edges = &self.of.surface.edges_at[self.vertex as usize];
        edges.iter().find_map(|edge| {
            let ends = self.of.edge(*edge).ends.map(|end| end.start);
            let far = if ends[0] == self.p.start { ends[1] } else { ends[0] };
            let is_across = |face: u32| surface.normal(face).dot(surface.normal(through)) < THIN;
            let face = surface.entered(back(far), own, self.rounding)?;
            (is_across(face) && self.pair(face).height_at(0.0) < 0.0).then_some(face)
        })
    }

    /// Whether a vertex that one face holds goes out where it goes through another one: if that is beside it, and the vertex is not held on there.
    /// What has gone right through a thin body is not out of it, but to be pushed back.
    fn lets_out(&self, by: Held, through: u32, time: f64) -> bool {
        let surface = self.surface.surface;
        let corners = surface.faces[by.face as usize].corners;
        by.face == through
            || surface.faces[through as usize].corners.iter().any(|corner| corners.contains(corner))
                && surface.normal(by.face).dot(surface.normal(through)) >= THIN
                && self.leaves_beside(by, time, time + SAME_TIME).is_some()
    }

    /// The times at which the vertex goes through a face, from farther than rounding or from having touched it to farther than rounding: what lies
    /// in the face's plane, as two sides that are flush, goes through it in no time at all and all the time.
    fn crossings(&self, face: u32, before: Option<Held>, found: &mut Vec<Crossing>) {
        let pair = self.pair(face);
        let height = pair.height();
        let mut times = vec![0.0];
        height.roots(&mut times);
        times.push(1.0);
        let touches = pair.height_at(0.0).abs() < self.rounding;
        // What starts on a face comes from the side on which it was held, or from the front.
        let mut was = before.map_or(1.0, Held::side);
        for two in times.windows(2).filter(|two| two[0] < two[1]) {
            let middle = 0.5 * (two[0] + two[1]);
            if [middle, two[1]].iter().all(|time| pair.height_at(*time).abs() < self.rounding) {
                continue;
            }
            let will = height.at(middle);
            let is_start = two[0] == 0.0 && !touches;
            if !is_start && was * will < 0.0 && pair.is_over(two[0]) {
                found.push(Crossing { time: two[0], face, inward: will < 0.0 });
            }
            was = will;
        }
    }

    /// When a vertex leaves the prism over the face that holds it, before `until`, and across the side opposite to which corner.
    fn leaves_prism(&self, by: Held, from: f64, until: f64) -> Option<(f64, usize)> {
        let pair = self.pair(by.face);
        let slack = HANDED_ON * pair.normal.largest().powi(2);
        let mut leaving: Option<(f64, usize)> = None;
        for (corner, weight) in pair.weights().iter().enumerate() {
            let Some(time) = weight.plus(slack).falls_below_zero(from, until) else { continue };
            if leaving.is_none_or(|(sooner, _)| time < sooner) {
                leaving = Some((time, corner));
            }
        }
        leaving
    }

    /// When a vertex that is outside beside the face which holds it is so far beside it, before `until`, that it is let go: by [`BESIDE`] of how deep
    /// it is below the face, at once from a sheet.
    fn leaves_beside(&self, by: Held, from: f64, until: f64) -> Option<f64> {
        if !self.surface.surface.is_closed() {
            return Some(from);
        }
        let pair = self.pair(by.face);
        let slack = HANDED_ON * pair.normal.largest().powi(2);
        let height = pair.height().raised();
        let corners = pair.face.map(|corner| corner.start);
        let borders = pair.weights();
        let times = (0..3).filter_map(|i| {
            let side = corners[(i + 1) % 3].distance(corners[(i + 2) % 3]);
            borders[i]
                .minus(&height.times(by.side() * BESIDE * side))
                .plus(slack)
                .falls_below_zero(from, until)
        });
        times.min_by(f64::total_cmp)
    }

    /// What becomes of a vertex that leaves the prism over a face across the side opposite to a corner.
    fn next_face(&self, by: Held, corner: usize, time: f64, until: f64) -> Onto {
        let surface = self.surface.surface;
        let across = surface.faces[by.face as usize].across[corner];
        if across == NONE {
            return if surface.is_closed() { Onto::Wedge } else { Onto::Outside };
        }
        // A moment later: on the border it is over both.
        let then = time + SAME_TIME.min(0.5 * (until - time));
        let next = self.pair(across);
        let is_over = is_over(&next, then);
        if is_over && by.side() * next.height_at(then) < -self.rounding {
            return Onto::Face(Held { face: across, ..by });
        }
        self.nearest_face(by, then)
    }

    /// Where a vertex belongs that no longer is over the face that holds it: goes from neighbour to neighbour, always nearer, until none is
    /// nearer. Of the surface that is what the vertex would come out at first; of the far side of a thin body it sees nothing.
    fn nearest_face(&self, by: Held, time: f64) -> Onto {
        let surface = self.surface.surface;
        let p = self.p.at(time);
        let foot = |face: u32| {
            let corners = self.surface.face(face).corners.map(|corner| corner.at(time));
            let weights = nearest(corners, p);
            (p.distance_squared(weighted(corners, weights)), weights)
        };
        let (mut at, mut least) = (by.face, foot(by.face).0);
        let mut beside = around(surface, at);
        // It comes nearer each time, so that it ends.
        while let Some((closer, face)) = beside
            .iter()
            .map(|&face| (foot(face).0, face))
            .filter(|(square, _)| *square < least * (1.0 - AS_NEAR))
            .min_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1)))
        {
            (at, least) = (face, closer);
            beside = around(surface, at);
        }
        // On an edge or a corner of several faces, the one that it is over, or else the one that it looks at most straight tells the side.
        let as_near = beside.into_iter().chain([at]).filter(|face| foot(*face).0 <= least * (1.0 + AS_NEAR));
        let chosen = as_near.map(|face| {
            let pair = self.pair(face);
            (face != by.face && is_over(&pair, time), by.side() * pair.height_at(time), face)
        });
        let best =
            chosen.max_by(|x, y| x.0.cmp(&y.0).then(x.1.abs().total_cmp(&y.1.abs())).then(y.2.cmp(&x.2)));
        let Some((is_over, height, face)) = best else { return Onto::Outside };
        let weights = foot(face).1;
        let across = surface.faces[face as usize].across;
        let is_beyond_rim = !is_over && (0..3).any(|i| weights[i] == 0.0 && across[i] == NONE);
        if height.abs() <= self.rounding && !is_beyond_rim {
            Onto::Wedge
        } else if height >= 0.0 || is_beyond_rim {
            Onto::Outside
        } else if face == by.face {
            Onto::Wedge
        } else {
            Onto::Face(Held { face, ..by })
        }
    }

    /// What a vertex that is outside at the end is so near to that rounding may find it inside when the next motion starts.
    fn touched(&self, faces: &[[u32; 2]], before: Option<Held>) -> Option<Held> {
        let is_closed = self.surface.surface.is_closed();
        let known = before.map(|held| held.face);
        faces.iter().map(|&[_, face]| face).chain(known).find_map(|face| {
            let pair = self.pair(face);
            let height = pair.height_at(1.0);
            let held = Held { face, from_back: !is_closed && height < 0.0 };
            (height.abs() < self.rounding && pair.is_over(1.0)).then_some(held)
        })
    }
}

/// The other faces that share a corner with a face, in the order in which one comes to them from neighbour to neighbour.
pub fn around(surface: &Surface, face: u32) -> Vec<u32> {
    let faces = &surface.faces;
    let corners = faces[face as usize].corners;
    let mut found = vec![face];
    let mut ix = 0;
    while let Some(&at) = found.get(ix) {
        for next in faces[at as usize].across.into_iter().filter(|next| *next != NONE) {
            let shares = faces[next as usize].corners.iter().any(|v| corners.contains(v));
            if shares && !found.contains(&next) {
                found.push(next);
            }
        }
        ix += 1;
    }
    found.remove(0);
    found
}
