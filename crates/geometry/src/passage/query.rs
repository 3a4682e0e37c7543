//! The passage of two bodies through a motion: all their features together.

use std::collections::BTreeSet;
use std::sync::Arc;

use glam::DVec3;

use super::candidates::{Counts, Crossing, Near, crossing, near};
use super::edge::{EdgeWalker, EdgeWay, OverEnd};
use super::features::{Features, VertexFace, pieces};
use super::integral::{Press, at_start, integrate};
use super::ledger::{Hold, Key, settle};
use super::motion::{Motion, Mover};
use super::opposed::take_one_side;
use super::overlap::{held_edges, held_vertices};
use super::placed::Placed;
use super::plane::vertices_below;
use super::shared::{Corners, share};
use super::surface::Surface;
use super::tracks::{EdgeTrack, Tracks, VertexTrack};
use super::turns::Turns;
use super::vertex::{ALIKE, Held, Pressing, THIN, Walker};

/// What positions may be off, as a part of the bodies' sizes and distance: poses that were added up in many steps. Sides of bodies that lie
/// flush on each other drift by some 1e-16 in a step, to and fro, and are not to be gone through by that for minutes.
const ROUNDING: f64 = 1e-10;

/// Edges that pairs of edges are handed on to in a motion at most.
const MOST_EDGES: usize = 256;

/// How many times as deep as anything that presses edges may be which are found in each other without having crossed: where links of chains slide over facets,
/// up to three times, as what was deeper has let go; edges that are of other places of the bodies are found from ten times on.
const DEEPER: f64 = 3.0;

/// What a body is for a passage.
#[derive(Clone, Debug)]
pub enum Matter {
    /// A surface of triangles.
    Surface(Arc<Surface>),
    /// The half-space `z <= 0` of its frame.
    HalfSpace,
}

/// What is wanted of a passage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Which features are in each other afterwards.
    Tracks,
    /// That, and the penalty integrated over the motion.
    Penalty,
    /// The penalty of the vertices that are in each other at the start, as if it stayed so: what it is without looking at the motion.
    Instant,
}

/// What happens between two bodies in a motion.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Passage {
    /// What each pair of features adds to the penalty, in a fixed order.
    pub presses: Vec<Press>,
    /// Which features are in each other at the end.
    pub tracks: Tracks,
    /// When the first features are in each other, in τ.
    pub first: Option<f64>,
    /// What springs have in them at the start of the motion, where nothing was known of them: the sum of their depths squared, each times the
    /// part of a spring that it has \[m²\].
    pub begun: f64,
    /// How many pairs were looked at.
    pub counts: Counts,
}

/// What happens between A and B in a motion, of which `tracks` says what is in each other at its start; `None` where nothing is known of
/// that, as of bodies that were just put where they are: what overlaps then is found first.
///
/// Positions are relative to A's origin at the start, so that a scene far from the world's origin loses nothing. Motions that are not finite
/// have no passage, nor have two half-spaces.
pub fn passage(
    matter: [&Matter; 2],
    motions: [&Motion; 2],
    tracks: Option<&Tracks>,
    wanted: Wanted,
) -> Passage {
    if !motions.iter().all(|motion| motion.is_finite()) {
        return Passage::default();
    }
    let origin = motions[0].start.translation;
    let movers = motions.map(|motion| Mover::new(motion, origin));
    match matter {
        [Matter::Surface(a), Matter::Surface(b)] => {
            let placed = [a, b].map(|surface| &**surface);
            let [a, b] = [0, 1].map(|i| Placed::new(placed[i], movers[i]));
            // How they go together is of no matter.
            let [way_a, way_b] = motions.map(|motion| motion.end.translation - motion.start.translation);
            let apart = a.vertex(0).start.distance(b.vertex(0).start);
            let size = a.surface.ball().1 + b.surface.ball().1 + apart + way_a.distance(way_b);
            Query {
                bodies: [&a, &b],
                rounding: ROUNDING * size,
                wanted,
                found: Passage::default(),
                turns: Turns::default(),
                corners: Vec::new(),
                holds: Vec::new(),
                pressing: Default::default(),
            }
            .run(tracks)
        }
        [Matter::Surface(a), Matter::HalfSpace] => {
            with_plane(&Placed::new(a, movers[0]), &movers[1], Features::VertexOfA, -1.0, wanted)
        }
        [Matter::HalfSpace, Matter::Surface(b)] => {
            with_plane(&Placed::new(b, movers[1]), &movers[0], Features::VertexOfB, 1.0, wanted)
        }
        [Matter::HalfSpace, Matter::HalfSpace] => Passage::default(),
    }
}

/// A surface against a plane: a vertex behind it is in it, whatever was before.
fn with_plane(
    of: &Placed<'_>,
    plane: &Mover,
    features: fn(VertexFace) -> Features,
    sign: f64,
    wanted: Wanted,
) -> Passage {
    let mut found = Passage::default();
    for (pair, below) in vertices_below(of, plane, &mut found.counts) {
        found.counts.intervals += below.len();
        let first = below[0][0];
        found.first = Some(found.first.map_or(first, |first_of_all| first_of_all.min(first)));
        match wanted {
            Wanted::Tracks => {}
            Wanted::Penalty => below
                .into_iter()
                .for_each(|interval| integrate(&features(pair), interval, sign, &mut found.presses)),
            Wanted::Instant => found.presses.extend(at_start(&features(pair), sign).filter(|_| first == 0.0)),
        }
    }
    found
}

/// The unit normal of features from A to B at a time; `sign` makes their own one that.
fn unit(features: &Features, sign: f64, time: f64) -> DVec3 {
    sign * features.normal().at(time).normalize_or_zero()
}

struct Query<'a> {
    bodies: [&'a Placed<'a>; 2],
    rounding: f64,
    wanted: Wanted,
    found: Passage,
    turns: Turns,
    /// Corners of the features of each press.
    corners: Vec<Corners>,
    /// When and how deep each pair of features is in each other.
    holds: Vec<Hold>,
    /// How the bodies press on each other by what is in each other at the start, then and at the end: on B's surface, and on A's.
    pressing: [Vec<Pressing>; 2],
}

impl Query<'_> {
    fn run(mut self, tracks: Option<&Tracks>) -> Passage {
        let mut started = self.started(tracks);
        if self.wanted == Wanted::Instant {
            self.instant(&started);
            return self.found;
        }
        let of_a = started.vertices.partition_point(|track| !track.of_b);
        let (of_a, of_b) = started.vertices.split_at_mut(of_a);
        take_one_side(self.bodies[0], self.bodies[1], of_a);
        take_one_side(self.bodies[1], self.bodies[0], of_b);
        let depth = self.edges_depth(&started, tracks.is_some());
        let near = near(self.bodies, depth + self.rounding);
        self.start_edges(&mut started, &near, depth, tracks.is_some());
        self.pressing = [false, true].map(|of_b| {
            let both = [0.0, 1.0].into_iter().flat_map(|time| self.pressing(&started, time));
            both.map(|(one, through)| Pressing {
                normal: if of_b { one.normal } else { -one.normal },
                face: through.filter(|track| track.of_b == of_b).map(|track| track.face),
                ..one
            })
            .collect()
        });
        let crossing = crossing(self.bodies, &near, self.rounding);
        self.found.counts = crossing.counts;
        for of_b in [false, true] {
            self.vertices(of_b, &crossing, &started);
        }
        self.edges(&crossing, &started);
        self.turns.take_place(self.bodies, self.rounding, &mut self.found.tracks);
        self.found.tracks.vertices.sort_unstable();
        self.found.tracks.edges.sort_unstable();
        share(&mut self.found.presses, &self.corners);
        self.found.begun =
            settle(&mut self.found.presses, &self.holds, tracks, self.rounding, &mut self.found.tracks);
        if self.wanted == Wanted::Tracks {
            self.found.presses.clear();
        }
        self.found
    }

    /// What is in each other at the start: what is known of it, or the vertices that are found where no motion has said so.
    fn started(&self, known: Option<&Tracks>) -> Tracks {
        let [a, b] = self.bodies;
        known.cloned().unwrap_or_else(|| {
            let mut vertices = held_vertices(a, b, false, self.rounding);
            vertices.extend(held_vertices(b, a, true, self.rounding));
            Tracks { vertices, ..Tracks::default() }
        })
    }

    /// How deep edges may be in each other at the start \[m\]: [`DEEPER`] than what presses, or has let go. What is deeper in a mesh than its edges are long has vertices enough to be held by.
    fn edges_depth(&self, started: &Tracks, is_known: bool) -> f64 {
        let longest = self.bodies.map(|body| body.surface.longest());
        let longest = longest[0].max(longest[1]);
        if !is_known {
            return longest;
        }
        let deepest = self.pressing(started, 0.0).fold(0.0_f64, |most, (one, _)| one.depth.max(most));
        (DEEPER * deepest.max(started.loose.sqrt())).min(longest)
    }

    /// Adds the edges that are in each other at the start without having crossed.
    ///
    /// Where it is known what presses they press alike, and are hardly deeper, or as deep as what has just let go: what holds the bodies goes over into them.
    fn start_edges(&self, started: &mut Tracks, near: &[Near], depth: f64, is_known: bool) {
        if depth > self.rounding {
            let pressing: Vec<Pressing> = self.pressing(started, 0.0).map(|(one, _)| one).collect();
            let let_go = started.loose.sqrt();
            // Corners on both flanks of a ridge press across each other, and together along it.
            let together: DVec3 = pressing.iter().map(|x| x.depth.max(0.0) * x.normal).sum();
            let presses = |normal: DVec3, deep: f64| {
                let alike = |x: &Pressing| x.depth > 0.0 && x.normal.dot(normal) > ALIKE;
                let is_alike = pressing.iter().any(alike) || together.normalize_or_zero().dot(normal) > ALIKE;
                !is_known || deep <= let_go || deep <= depth && is_alike
            };
            let known = &started.edges;
            let is_new = |edges: [u32; 2]| known.binary_search_by_key(&edges, |x| x.edges).is_err();
            let found = held_edges(self.bodies, near, depth, self.rounding, is_known, is_new, presses);
            started.edges.extend(found);
            started.edges.sort_unstable();
        }
    }

    /// How the bodies press at a time by what is in each other, along normals from A to B; with each vertex its track.
    fn pressing<'t>(
        &'t self,
        tracks: &'t Tracks,
        time: f64,
    ) -> impl Iterator<Item = (Pressing, Option<&'t VertexTrack>)> {
        let vertices = tracks.vertices.iter().filter_map(move |track| {
            let held = Held { face: track.face, from_back: track.from_back };
            let (features, sign) = self.vertex_features(track.of_b, track.vertex, held);
            let (Features::VertexOfA(pair) | Features::VertexOfB(pair)) = features else { return None };
            let depth = -held.side() * pair.height_at(time);
            Some((Pressing { normal: unit(&features, sign, time), depth, face: None }, Some(track)))
        });
        let edges = tracks.edges.iter().map(move |track| {
            let pair = self.edge_walker(track.edges).pair();
            let side = if track.along { 1.0 } else { -1.0 };
            let normal = unit(&Features::Edges(pair), side, time);
            (Pressing { normal, depth: -side * pair.height_at(time), face: None }, None)
        });
        vertices.chain(edges)
    }

    fn note_first(&mut self, first: Option<f64>) {
        let before = self.found.first;
        self.found.first = match (first, before) {
            (Some(x), Some(y)) => Some(x.min(y)),
            (x, y) => x.or(y),
        };
    }

    /// The features of a vertex and a face, with the sign of their normal that makes it one from A to B.
    fn vertex_features(&self, of_b: bool, vertex: u32, held: Held) -> (Features, f64) {
        let [of, other] = if of_b { [self.bodies[1], self.bodies[0]] } else { self.bodies };
        let pair = VertexFace::with(of.vertex(vertex), other.face(held.face));
        if of_b {
            (Features::VertexOfB(pair), held.side())
        } else {
            (Features::VertexOfA(pair), -held.side())
        }
    }

    fn instant(&mut self, started: &Tracks) {
        for track in &started.vertices {
            let held = Held { face: track.face, from_back: track.from_back };
            let (features, sign) = self.vertex_features(track.of_b, track.vertex, held);
            self.found.presses.extend(at_start(&features, sign).filter(|press| press.depth > 0.0));
        }
    }

    /// All vertices of one body that may go through faces of the other, or are held by one.
    fn vertices(&mut self, of_b: bool, crossing: &Crossing, started: &Tracks) {
        let pairs = &crossing.vertex_faces[usize::from(of_b)];
        let held: Vec<&VertexTrack> = started.vertices.iter().filter(|track| track.of_b == of_b).collect();
        let mut all: Vec<u32> = pairs.iter().map(|pair| pair[0]).collect();
        all.extend(held.iter().map(|track| track.vertex));
        all.sort_unstable();
        all.dedup();
        for vertex in all {
            let first = pairs.partition_point(|pair| pair[0] < vertex);
            let faces = &pairs[first..first + pairs[first..].partition_point(|pair| pair[0] == vertex)];
            let before = held.binary_search_by_key(&vertex, |track| track.vertex).ok().map(|ix| held[ix]);
            let before = before.map(|track| Held { face: track.face, from_back: track.from_back });
            self.vertex(of_b, vertex, faces, before);
        }
    }

    fn vertex(&mut self, of_b: bool, vertex: u32, faces: &[[u32; 2]], before: Option<Held>) {
        let [of, other] = if of_b { [self.bodies[1], self.bodies[0]] } else { self.bodies };
        let pressing = &self.pressing[usize::from(of_b)];
        let walker =
            Walker { surface: other, of, vertex, p: of.vertex(vertex), pressing, rounding: self.rounding };
        let way = walker.walk(faces, before);
        self.note_first(way.first);
        for stay in way.stays {
            let (features, sign) = self.vertex_features(of_b, vertex, stay.held);
            let (Features::VertexOfA(pair) | Features::VertexOfB(pair)) = features else { continue };
            let height = pair.height();
            let mut times = stay.interval.to_vec();
            height.roots(&mut times);
            times.retain(|time| (stay.interval[0]..=stay.interval[1]).contains(time));
            for interval in pieces(times, |t| stay.held.side() * height.at(t) < 0.0) {
                let depth = interval.map(|time| -stay.held.side() * pair.height_at(time));
                let hold = Hold { key: Key::Vertex(of_b, vertex), presses: 0..0, interval, depth };
                self.add(&features, self.corners_of(of_b, vertex, stay.held), hold, sign);
            }
        }
        if let Some(Held { face, from_back }) = way.held {
            self.found.tracks.vertices.push(VertexTrack { of_b, vertex, face, from_back });
        }
        let known = way.left.map(|Held { face, from_back }| VertexTrack { of_b, vertex, face, from_back });
        self.turns.left.extend(known);
    }

    fn corners_of(&self, of_b: bool, vertex: u32, held: Held) -> Corners {
        let (own, other) = (usize::from(of_b), usize::from(!of_b));
        let mut of = [[vertex; 3]; 2];
        of[other] = self.bodies[other].surface.faces[held.face as usize].corners;
        Corners { of, vertex_of: Some(own) }
    }

    fn add(&mut self, features: &Features, corners: Corners, mut hold: Hold, sign: f64) {
        self.found.counts.intervals += 1;
        let first = self.found.presses.len();
        integrate(features, hold.interval, sign, &mut self.found.presses);
        // What only touches presses nothing, and asks for no sub-steps.
        let pressing =
            self.found.presses.split_off(first).into_iter().filter(|press| press.depth > self.rounding);
        self.found.presses.extend(pressing);
        hold.presses = first..self.found.presses.len();
        self.corners.resize(hold.presses.end, corners);
        self.holds.push(hold);
    }

    /// All pairs of edges that may cross, or have crossed, and those that they are handed on to over their ends.
    fn edges(&mut self, crossing: &Crossing, started: &Tracks) {
        let mut all = crossing.edges.clone();
        all.extend(started.edges.iter().map(|track| track.edges));
        all.sort_unstable();
        all.dedup();
        let mut known = BTreeSet::new();
        let mut over = Vec::new();
        for edges in all {
            let before = started.edges.binary_search_by_key(&edges, |track| track.edges).ok();
            let before = before.map(|ix| if started.edges[ix].along { 1.0 } else { -1.0 });
            let lets_in = |normal: DVec3, place: DVec3, time: f64| {
                !self.is_held_across(edges, started, normal, place, time)
            };
            let way = self.edge_walker(edges).walk(0.0, before, lets_in);
            over.extend(self.take(edges, &way, &mut known));
        }
        for _ in 0..MOST_EDGES {
            // Of two that lead to the same edges, the sooner one: which of them is listed first is of no matter.
            let sooner = |x: &(usize, &([u32; 2], OverEnd)), y: &(usize, &([u32; 2], OverEnd))| {
                x.1.1.time.total_cmp(&y.1.1.time)
            };
            let Some((ix, _)) = over.iter().enumerate().min_by(sooner) else { break };
            let (edges, end) = over.remove(ix);
            self.hand_on(edges, &end, started, &mut known, &mut over);
        }
    }

    fn edge_walker(&self, edges: [u32; 2]) -> EdgeWalker<'_> {
        EdgeWalker { bodies: self.bodies, edges, rounding: self.rounding }
    }

    /// Whether an end of one of two edges that cross at a place with a normal from A to B is held by the other body's opposite side, with the body between: a
    /// corner that has gone through a thin body is to go back, and the edges at it do not come in through its far side.
    fn is_held_across(
        &self,
        edges: [u32; 2],
        started: &Tracks,
        normal: DVec3,
        place: DVec3,
        time: f64,
    ) -> bool {
        let ends = |of_b: bool| {
            let body = usize::from(of_b);
            self.bodies[body].surface.edges[edges[body] as usize].ends.map(|vertex| (of_b, vertex))
        };
        [ends(false), ends(true)].as_flattened().iter().any(|end| {
            let known = started.vertices.binary_search_by_key(end, |track| (track.of_b, track.vertex));
            let Ok(track) = known.map(|ix| started.vertices[ix]) else { return false };
            let held = Held { face: track.face, from_back: track.from_back };
            let (features, sign) = self.vertex_features(track.of_b, track.vertex, held);
            let (Features::VertexOfA(pair) | Features::VertexOfB(pair)) = features else { return false };
            let height = held.side() * pair.normal.at(time).dot(place - pair.face[0].at(time));
            height < 0.0 && unit(&features, sign, time).dot(normal) < THIN
        })
    }

    /// Takes over what two edges do; over which end one leaves the other.
    fn take(
        &mut self,
        edges: [u32; 2],
        way: &EdgeWay,
        known: &mut BTreeSet<[u32; 2]>,
    ) -> Option<([u32; 2], OverEnd)> {
        self.note_first(way.first);
        let pair = self.edge_walker(edges).pair();
        let ends = |body: usize| self.bodies[body].surface.edges[edges[body] as usize].ends;
        let of = [0, 1].map(ends).map(|[from, to]| [from, to, to]);
        for (interval, side) in &way.stays {
            known.insert(edges);
            let depth = interval.map(|time| -side * pair.height_at(time));
            let hold = Hold { key: Key::Edges(edges), presses: 0..0, interval: *interval, depth };
            self.add(&Features::Edges(pair), Corners { of, vertex_of: None }, hold, *side);
        }
        if let Some(side) = way.held {
            known.insert(edges);
            self.found.tracks.edges.push(EdgeTrack { edges, along: side > 0.0 });
        }
        self.turns.over_end.extend(way.over_end.map(|end| (edges, end)));
        way.over_end.map(|end| (edges, end))
    }

    /// Hands a pair of edges of which one has left the other over its end on to the edges that go on from there.
    fn hand_on(
        &mut self,
        edges: [u32; 2],
        end: &OverEnd,
        started: &Tracks,
        known: &mut BTreeSet<[u32; 2]>,
        over: &mut Vec<([u32; 2], OverEnd)>,
    ) {
        let surface = self.bodies[end.body].surface;
        for &edge in &surface.edges_at[end.vertex as usize] {
            let mut next = edges;
            next[end.body] = edge;
            if edge == edges[end.body] || known.contains(&next) {
                continue;
            }
            let walker = self.edge_walker(next);
            let side = walker.side_along(end.normal, end.time);
            let pair = walker.pair();
            if side * pair.height_at(end.time) < 0.0 && pair.is_across(end.time) {
                let lets_in = |normal: DVec3, place: DVec3, time: f64| {
                    !self.is_held_across(next, started, normal, place, time)
                };
                let way = walker.walk(end.time, Some(side), lets_in);
                over.extend(self.take(next, &way, known));
            }
        }
    }
}
