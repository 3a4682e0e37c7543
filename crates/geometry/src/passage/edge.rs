//! Two edges followed through a motion.

use glam::DVec3;

use super::bernstein::Bernstein;
use super::features::EdgeEdge;
use super::placed::Placed;
use super::vertex::{ALIKE, BESIDE, HANDED_ON};

/// Sine by which the normal of two edges that are held may leave the directions in which one of them sticks out, some 12 degrees: on a face
/// that lies flat on another one, but for some rocking, the edges are nearly in the faces, and the normal is now on one side of that and now on
/// the other.
const LEANING: f64 = 0.2;

/// Angle by which bodies rock that lie flush against each other \[rad\], some 3 degrees: where a side of one is led along a side of the other, that turns
/// their edges' normal right round. Such edges have to stick out by as much as others may lean, as the ridges of roofs do.
const ALONG: f64 = 0.05;

/// The same as [`LEANING`] of edges that are found in each other without having crossed: a face that lies still.
pub const LYING: f64 = 0.02;

/// Part of its length by which what joins two edges keeps clear of other faces: a quarter, so that facets may be as small as edges are deep.
const JOINT: f64 = 0.25;

/// Two edges on their way.
#[derive(Debug)]
pub struct EdgeWalker<'a> {
    pub bodies: [&'a Placed<'a>; 2],
    pub edges: [u32; 2],
    /// What heights may be off by \[m\].
    pub rounding: f64,
}

/// What two edges do in a motion.
#[derive(Clone, Debug, Default)]
pub struct EdgeWay {
    /// Times in which they are in each other, with the sign of their height before they crossed.
    pub stays: Vec<([f64; 2], f64)>,
    /// The sign if they are in each other at the end.
    pub held: Option<f64>,
    /// When they first were.
    pub first: Option<f64>,
    /// When and where one left the other over an end: on which body, the vertex, and the normal from A to B then.
    pub over_end: Option<OverEnd>,
}

/// One edge leaves the other over its end.
#[derive(Clone, Copy, Debug)]
pub struct OverEnd {
    pub time: f64,
    /// 0 if it is the end of A's edge, 1 of B's.
    pub body: usize,
    pub vertex: u32,
    /// Unit normal from A to B.
    pub normal: DVec3,
}

impl EdgeWalker<'_> {
    /// The two edges.
    pub fn pair(&self) -> EdgeEdge {
        let [a, b] = self.bodies;
        EdgeEdge::new(a.edge(self.edges[0]).ends, b.edge(self.edges[1]).ends)
    }

    /// Follows the edges from a time on; `before` is the sign with which they are held then, and `lets_in` says of a unit normal from A to B, a
    /// place and a time whether they may come into each other so.
    pub fn walk(
        &self,
        from: f64,
        before: Option<f64>,
        lets_in: impl Fn(DVec3, DVec3, f64) -> bool,
    ) -> EdgeWay {
        let pair = self.pair();
        let height = pair.height();
        let mut roots = Vec::new();
        height.roots(&mut roots);
        if before.is_none() && roots.is_empty() {
            return EdgeWay { held: self.touching(&pair, before), ..EdgeWay::default() };
        }
        let borders = pair.borders();
        let beside = [1.0, -1.0].map(|side| self.beside(&pair, &borders, side));
        let is_beside = |side: f64, time: f64| {
            beside[usize::from(side < 0.0)].iter().all(|border| border.at(time) >= 0.0)
        };
        let mut times = vec![from, 1.0];
        times.extend(&roots);
        borders.iter().chain(beside.as_flattened()).for_each(|border| border.roots(&mut times));
        times.retain(|time| (from..=1.0).contains(time));
        times.sort_unstable_by(f64::total_cmp);
        times.dedup();
        // As a vertex may be beyond a face that holds it: where corners lie on each other, something holds them at any time.
        let slack = HANDED_ON * pair.normal.largest().powi(2);
        let mut way = EdgeWay::default();
        let mut held = before;
        let mut was = before;
        for two in times.windows(2) {
            let middle = 0.5 * (two[0] + two[1]);
            let is_across = borders.iter().all(|border| border.at(middle) >= -slack);
            let is_parallel = borders[4].at(middle) < 0.0;
            let sign = height.at(middle).signum();
            let crosses = roots.contains(&two[0]) && was.is_some_and(|was| was != sign);
            if held.is_none() && crosses && pair.is_across(two[0]) {
                let place = pair.parameters_at(two[0]).map_or(pair.ab[0].at(two[0]), |parts| {
                    pair.ab[0].at(two[0]).lerp(pair.ab[1].at(two[0]), parts[0])
                });
                held = Some(-sign).filter(|side| lets_in(*side * pair.unit(two[0]), place, two[0]));
            }
            if let Some(side) = held {
                let is_across = is_across || !is_parallel && is_beside(side, middle);
                if !is_across
                    || !self.is_outward(side * pair.unit(middle), leaning(pair.sine(middle), LEANING))
                {
                    way.over_end = self.over_end(&pair, two[0], middle, side);
                    held = None;
                } else if sign != side {
                    way.first = way.first.or(Some(two[0]));
                    way.push([two[0], two[1]], side);
                } else if two[0] > from {
                    held = None;
                }
            }
            was = Some(sign);
        }
        // Held, and outside all the same: what touched has parted.
        way.held = held.filter(|side| was != Some(*side)).or_else(|| self.touching(&pair, before));
        way
    }

    /// The sign with which edges are held that touch at the end, to within rounding.
    fn touching(&self, pair: &EdgeEdge, before: Option<f64>) -> Option<f64> {
        let last = pair.height_at(1.0);
        let side = before.unwrap_or(last.signum());
        let touches = last.abs() < self.rounding && pair.is_across(1.0);
        (touches && self.is_outward(side * pair.unit(1.0), leaning(pair.sine(1.0), LEANING))).then_some(side)
    }

    /// The borders within which edges are held on that are in each other with a sign: of closed bodies beyond the ends by [`BESIDE`] of how deep
    /// they are.
    fn beside(&self, pair: &EdgeEdge, borders: &[Bernstein<5>; 5], side: f64) -> [Bernstein<5>; 4] {
        let is_closed = self.bodies.iter().all(|body| body.surface.is_closed());
        let leaning = if is_closed { side * BESIDE * pair.normal.largest() } else { 0.0 };
        let height = pair.height().raised();
        let [ab, cd] = [pair.ab, pair.cd].map(|[from, to]| from.start.distance(to.start));
        std::array::from_fn(|i| borders[i].minus(&height.times(leaning / if i < 2 { ab } else { cd })))
    }

    /// The sign with which two edges of closed bodies are in each other at the start, whatever was before: they are across each other, both
    /// stick out along their normal, and what joins their nearest points runs through nothing but the two bodies.
    ///
    /// So they are known that came into each other over an end of one, or out of being parallel. Of edges on far sides of the bodies what
    /// joins them comes as near to other faces as it is long. Both pierce the other body there, or one does where it is known that bodies press on
    /// each other: the other one may be beside it by roundings.
    ///
    /// `presses` says of a unit normal from A to B and a depth whether edges may be as deep in each other along it.
    pub fn start(&self, is_known: bool, presses: &impl Fn(DVec3, f64) -> bool) -> Option<f64> {
        let [[a, b], [c, d]] =
            [0, 1].map(|body| self.bodies[body].edge(self.edges[body]).ends.map(|end| end.start));
        let normal = (b - a).cross(d - c).normalize_or_zero();
        let height = normal.dot(c - a);
        let touches = height.abs() <= self.rounding;
        let side = -height.signum();
        // Most edges that are near each other do not stick out, whatever the angle between them.
        if !touches && !self.is_outward(side * normal, LYING) {
            return None;
        }
        let pair = self.pair();
        let lying = leaning(pair.sine(0.0), LYING);
        if touches {
            // On whichever side they stick out.
            let sides = [1.0, -1.0].into_iter().find(|side| self.is_outward(side * normal, lying));
            return sides.filter(|_| pair.is_across(0.0));
        }
        if !self.is_outward(side * normal, lying) || !presses(side * normal, height.abs()) {
            return None;
        }
        let parts = pair.parameters_at(0.0).filter(|parts| parts.iter().all(|x| (0.0..=1.0).contains(x)))?;
        let [on_a, on_b] = [(pair.ab, parts[0]), (pair.cd, parts[1])]
            .map(|(ends, part)| ends[0].start.lerp(ends[1].start, part));
        let length = on_a.distance(on_b);
        let is_free = |body: usize| {
            let placed = self.bodies[body];
            let middle = placed.mover.back(0.5 * (on_a + on_b));
            let faces = placed.surface.edges[self.edges[body] as usize].faces;
            placed.surface.is_closed() && !placed.surface.comes_near(middle, JOINT * length, faces)
        };
        // As much of an edge as it takes to leave a roof that it is so deep in, to both sides.
        let pierces = |body: usize| {
            let ends = [&pair.ab, &pair.cd][body].map(|end| end.start);
            let more = (length / (ends[0].distance(ends[1]) * pair.sine(0.0))).min(1.0);
            let [from, to] =
                [-more, more].map(|by| ends[0].lerp(ends[1], (parts[body] + by).clamp(0.0, 1.0)));
            let other = self.bodies[1 - body];
            // By halves: where roofs of a right angle cross at one, both ends are just at the surface.
            let at = ends[0].lerp(ends[1], parts[body]);
            [from, to]
                .into_iter()
                .any(|x| other.surface.is_pierced([x, at].map(|x| other.mover.back(x)), self.rounding))
        };
        let do_pierce = if is_known { pierces(0) || pierces(1) } else { pierces(0) && pierces(1) };
        (do_pierce && is_free(0) && is_free(1)).then_some(side)
    }

    /// The sign with which two edges of closed bodies are in each other at the end, over which a vertex has just left a face: as [`Self::start`],
    /// but what joins them is known to be short, as they press about as the face did; `outward` is its normal, from A to B. They are no deeper
    /// in each other than said.
    pub fn end(&self, outward: DVec3, deepest: f64) -> Option<f64> {
        let pair = self.pair();
        let side = -pair.height().0[3].signum();
        let normal = side * pair.unit(1.0);
        let depth = pair.height_at(1.0).abs();
        let presses = depth > self.rounding && depth <= deepest && normal.dot(outward) > ALIKE;
        (presses && pair.is_across(1.0) && self.is_outward(normal, leaning(pair.sine(1.0), LEANING)))
            .then_some(side)
    }

    /// Whether a unit normal from A to B is one along which both edges stick out, or leaves those by a sine of `slack`.
    ///
    /// An edge's faces then lie behind it. The rim of a sheet and an edge of one stick out either way.
    fn is_outward(&self, normal: DVec3, slack: f64) -> bool {
        let sticks_out = |body: usize, outward: DVec3| {
            let placed = self.bodies[body];
            let edge = &placed.surface.edges[self.edges[body] as usize];
            let own = placed.mover.turned_back(outward);
            !placed.surface.is_closed() || edge.into.iter().flatten().all(|into| own.dot(*into) <= slack)
        };
        sticks_out(0, normal) && sticks_out(1, -normal)
    }

    /// Over which end one edge leaves the other, the one that it is farther beyond; none if they become parallel, or their normal leaves what sticks out.
    fn over_end(&self, pair: &EdgeEdge, time: f64, then: f64, side: f64) -> Option<OverEnd> {
        let parameters = pair.parameters_at(then)?;
        let beyond = [0, 1].map(|body| {
            let [from, to] = [&pair.ab, &pair.cd][body];
            let part = parameters[body];
            (part - 1.0).max(-part) * from.at(then).distance(to.at(then))
        });
        let body = usize::from(beyond[1] > beyond[0]);
        let parameter = parameters[body];
        if beyond[body] <= 0.0 {
            return None;
        }
        let ends = self.bodies[body].surface.edges[self.edges[body] as usize].ends;
        let vertex = ends[usize::from(parameter > 1.0)];
        let normal = side * pair.unit(time);
        Some(OverEnd { time, body, vertex, normal })
    }

    /// The sign with which edges are held that are in each other at a time, along a normal from A to B.
    pub fn side_along(&self, normal: DVec3, time: f64) -> f64 {
        if self.pair().normal.at(time).dot(normal) >= 0.0 { 1.0 } else { -1.0 }
    }
}

/// What a normal may leave the directions in which edges stick out by, for edges that make an angle φ with this sine; `across` where they are at a
/// right angle.
///
/// Rocking by an angle [`ALONG`] turns the normal by ψ, with `tan ψ = ALONG / sin φ`. One that it turns right round has to be inside of these
/// directions by [`LEANING`]; in between it goes as `cos 2ψ`.
fn leaning(sine: f64, across: f64) -> f64 {
    let (square, along) = (sine * sine, ALONG * ALONG);
    let cosine = (square - along) / (square + along);
    0.5 * (across - LEANING + (across + LEANING) * cosine)
}

impl EdgeWay {
    fn push(&mut self, interval: [f64; 2], side: f64) {
        match self.stays.last_mut() {
            Some((last, of)) if last[1] == interval[0] && *of == side => last[1] = interval[1],
            _ => self.stays.push((interval, side)),
        }
    }
}
