//! Bolt and nut with a sinusoidal screw thread.

use std::f64::consts::{FRAC_PI_3, FRAC_PI_6, PI, TAU};

use glam::DVec3;

use super::GenerateError;
use super::error::Check;
use super::measures::{Bolt, Nut, Thread};
use super::profile::direction;
use super::resolution::{Layout, fit, pieces, subdivide};
use super::rings::{Ring, RingCounts, Weaver};
use crate::TriangleMesh;

impl Thread {
    /// Radius at height z and angle θ \[m\].
    pub fn radius_at(&self, z: f64, theta: f64) -> f64 {
        self.radius + self.amplitude * (TAU * z / self.pitch - f64::from(self.starts) * theta).cos()
    }

    fn check(&self, check: Check, length: f64) -> Result<(), GenerateError> {
        /// Pitches along a thread: what the most triangles can resolve at the fewest around.
        const MAX_PITCHES: f64 = 10_000.0;
        check.length("thread.radius", self.radius)?;
        check.length("thread.pitch", self.pitch)?;
        check.length("thread.amplitude", self.amplitude)?;
        check.below("thread.amplitude", self.amplitude, 0.5 * self.radius, "half the radius")?;
        check.share("thread.amplitude", self.amplitude, self.radius, "the radius")?;
        check.count("thread.starts", self.starts, 1..=16)?;
        check.require(length < MAX_PITCHES * self.pitch, "thread.pitch", self.pitch, || {
            format!("above {} (the length over {MAX_PITCHES})", length / MAX_PITCHES)
        })
    }
}

/// The outline of a body of the bolt or nut across its axis.
#[derive(Clone, Copy)]
enum Section {
    Round(f64),
    /// By its width across flats; flats face ±y.
    Hexagon(f64),
    /// The thread, widened by an offset and blended towards a round end: (thread, offset, radius of the end, share of
    /// the thread).
    Thread(Thread, f64, f64, f64),
}

impl Section {
    fn radius(self, z: f64, theta: f64) -> f64 {
        match self {
            Self::Round(r) => r,
            Self::Hexagon(width) => 0.5 * width / (theta.rem_euclid(FRAC_PI_3) - FRAC_PI_6).cos(),
            Self::Thread(thread, offset, end, share) => {
                end + share * (thread.radius_at(z, theta) + offset - end)
            }
        }
    }
}

/// One ring of vertices: two sections at height z mixed, and scaled towards the axis.
struct Station {
    z: f64,
    sections: [Section; 2],
    /// Share of the second section.
    mix: f64,
    scale: f64,
}

/// The stations of a bolt or nut in order.
struct Turned {
    stations: Vec<Station>,
    counts: RingCounts,
}

impl Turned {
    fn new(closed: bool) -> Self {
        Self { stations: Vec::new(), counts: RingCounts { rings: Vec::new(), closed } }
    }

    fn push(&mut self, z: f64, section: Section, n: usize) {
        self.blend(z, [section; 2], 0.0, n);
    }

    fn blend(&mut self, z: f64, sections: [Section; 2], mix: f64, n: usize) {
        self.stations.push(Station { z, sections, mix, scale: 1.0 });
        self.counts.rings.push(n);
    }

    /// A flat end without its rim: smaller and smaller copies of `section`, whose rim has n vertices, around a pole;
    /// from the pole outwards or inwards to it.
    fn end(&mut self, z: f64, section: Section, n: usize, size: f64, edge: f64, outwards: bool) {
        let rings = pieces(size, edge, 1);
        for step in 0..rings {
            let i = if outwards { step } else { rings - 1 - step };
            let scale = i as f64 / rings as f64;
            self.stations.push(Station { z, sections: [section; 2], mix: 0.0, scale });
            self.counts.rings.push(if i == 0 { 1 } else { twelvefold(n as f64 * scale, 1) });
        }
    }

    /// A flat face between two sections, without its first and last ring.
    fn face(&mut self, z: f64, sections: [Section; 2], n: usize, cuts: usize) {
        for i in 1..cuts {
            self.blend(z, sections, i as f64 / cuts as f64, n);
        }
    }

    fn mesh(&self) -> TriangleMesh {
        let mut weaver = Weaver::default();
        let rings: Vec<Ring> = self
            .stations
            .iter()
            .zip(&self.counts.rings)
            .map(|(s, &n)| {
                weaver.ring((0..n).map(|i| {
                    let theta = TAU * (i as f64 / n as f64);
                    let [first, second] = s.sections.map(|section| section.radius(s.z, theta));
                    let r = s.scale * (first + s.mix * (second - first));
                    let (cos, sin) = direction(i, n);
                    DVec3::new(r * cos, r * sin, s.z)
                }))
            })
            .collect();
        weaver.join_all(&rings);
        if self.counts.closed {
            weaver.join(&rings[rings.len() - 1], &rings[0]);
        }
        weaver.finish()
    }
}

impl Layout for Turned {
    fn n_triangles(&self) -> usize {
        self.counts.n_triangles()
    }
}

/// Number of vertices for `around` edges: a multiple of twelve, so that hexagons have their corners and their middles.
fn twelvefold(around: f64, min: usize) -> usize {
    12 * pieces(around, 12.0, min)
}

/// Heights of the rings of a thread about z = 0, and the share of the thread at each; from bottom to top.
fn thread_rings(thread: Thread, length: f64, fade: f64, edge: f64) -> Vec<(f64, f64)> {
    /// Rings a pitch and rings a run-out: the fewest that show a sine, and its smooth end.
    const MIN_PER_PITCH: f64 = 12.0;
    const MIN_PER_FADE: usize = 6;
    // The thread bends along the axis much more than around it.
    let step = (0.5 * edge).min(thread.pitch / MIN_PER_PITCH);
    let half = 0.5 * length;
    let mut corners = vec![-half];
    let mut cuts = Vec::new();
    let mut advance = |to: f64, min: usize| {
        let from = corners[corners.len() - 1];
        if to > from {
            corners.push(to);
            cuts.push(pieces(to - from, step, min));
        }
    };
    advance(fade - half, MIN_PER_FADE);
    advance(half - fade, 1);
    advance(half, MIN_PER_FADE);
    let share = |z: f64| {
        let s = if fade > 0.0 { ((half - z.abs()) / fade).clamp(0.0, 1.0) } else { 1.0 };
        s * s * (3.0 - 2.0 * s)
    };
    subdivide(&corners, &cuts).into_iter().map(|z| (z, share(z))).collect()
}

/// Fewest vertices around a thread: two dozen, and a dozen for every start.
fn around(thread: Thread, edge: f64) -> usize {
    twelvefold(TAU * thread.radius / edge, (thread.starts as usize).max(2))
}

/// A bolt with its axis along z; the origin is in the middle of the threaded part, the head below.
///
/// The thread follows [`Thread`] in the bolt's frame and runs out to the radius of its roots, or to the shank's
/// where there is one. Vertices are on the surface. Bottom to top: `head_height`, `shank_length`, `thread_length`; 24
/// around and 12 rings a pitch at least.
///
/// # Errors
/// Parameters out of their range, a run-out longer than half the thread, a head not wider than the crests, or more
/// than [`MAX_TRIANGLES`](super::MAX_TRIANGLES).
pub fn bolt(size: &Bolt, triangles: usize) -> Result<TriangleMesh, GenerateError> {
    let check = Check("bolt");
    let Bolt { thread, thread_length, fade, shank_length, head_height, head_width } = *size;
    check.length("thread_length", thread_length)?;
    thread.check(check, thread_length)?;
    check.length_or_zero("fade", fade)?;
    check.require(2.0 * fade <= thread_length, "fade", fade, || {
        format!("at most {} (half the thread's length)", 0.5 * thread_length)
    })?;
    check.length_or_zero("head_height", head_height)?;
    let crest = thread.radius + thread.amplitude;
    if head_height > 0.0 {
        check.length_or_zero("shank_length", shank_length)?;
        check.require(fade > 0.0 || shank_length == 0.0, "fade", fade, || {
            "positive where the thread begins at a shank".to_owned()
        })?;
        check.length("head_width", head_width)?;
        check.require(head_width > 2.0 * crest, "head_width", head_width, || {
            format!("above {} (twice the radius of the crests)", 2.0 * crest)
        })?;
    }
    // Without a head nobody asks what its shank would be.
    let shank = if head_height > 0.0 { shank_length } else { 0.0 };
    let length = thread_length + shank + head_height;
    for (parameter, part) in
        [("thread_length", thread_length), ("shank_length", shank), ("head_height", head_height)]
    {
        if part > 0.0 {
            check.share(parameter, part, length, "the bolt's length")?;
        }
    }
    let extent = crest.max(length);
    Ok(fit(check, triangles, extent, |edge| bolt_layout(size, edge))?.mesh())
}

fn bolt_layout(size: &Bolt, edge: f64) -> Turned {
    let Bolt { thread, thread_length, fade, shank_length, head_height, head_width } = *size;
    let n = around(thread, edge);
    let (root, crest) = (thread.radius - thread.amplitude, thread.radius + thread.amplitude);
    let bottom = -0.5 * thread_length;
    let mut turned = Turned::new(false);
    let has_shank = head_height > 0.0 && shank_length > 0.0;
    let end_of = |z: f64| if z < 0.0 && has_shank { crest } else { root };
    let at = |(z, share): (f64, f64)| Section::Thread(thread, 0.0, end_of(z), share);
    let rings = thread_rings(thread, thread_length, fade, edge);
    let (first, last) = (rings[0], rings[rings.len() - 1]);
    if head_height > 0.0 {
        let hexagon = Section::Hexagon(head_width);
        let under = if has_shank { Section::Round(crest) } else { at(first) };
        let seat = bottom - if has_shank { shank_length } else { 0.0 };
        turned.end(seat - head_height, hexagon, n, 0.5 * head_width, edge, true);
        let layers = pieces(head_height, edge, 1);
        for i in 0..=layers {
            turned.push(seat + head_height * (i as f64 / layers as f64 - 1.0), hexagon, n);
        }
        turned.face(seat, [hexagon, under], n, pieces(0.5 * head_width - crest, edge, 1));
        if has_shank {
            let layers = pieces(shank_length, edge, 1);
            // The first ring of the thread, run out to the crests, ends the shank.
            for i in 0..layers {
                turned.push(seat + shank_length * (i as f64 / layers as f64), under, n);
            }
        }
    } else {
        turned.end(bottom, at(first), n, thread.radius, edge, true);
    }
    for &ring in &rings {
        turned.push(ring.0, at(ring), n);
    }
    turned.end(-bottom, at(last), n, thread.radius, edge, false);
    turned
}

/// A hexagonal nut about the origin with its axis along z and two flats facing ±y.
///
/// Its hole is the [`Thread`] in the nut's frame widened by `clearance`, and opens at either end to the radius of its
/// roots. Around the axis the hole's facets touch that surface from outside; along it they cut off less than
/// `(π dz / pitch)² amplitude / 2` for rings dz apart. 24 around and 12 rings a pitch at least.
///
/// # Errors
/// Parameters out of their range, a run-out longer than half the height, a width that leaves no wall, or more than
/// [`MAX_TRIANGLES`](super::MAX_TRIANGLES).
pub fn nut(size: &Nut, triangles: usize) -> Result<TriangleMesh, GenerateError> {
    let check = Check("nut");
    let Nut { thread, clearance, height, width, fade } = *size;
    check.length("height", height)?;
    thread.check(check, height)?;
    check.length_or_zero("clearance", clearance)?;
    check.length_or_zero("fade", fade)?;
    check.require(2.0 * fade <= height, "fade", fade, || {
        format!("at most {} (half the height)", 0.5 * height)
    })?;
    check.length("width", width)?;
    // The corners of a hole with the fewest vertices around.
    let widest = (thread.radius + thread.amplitude + clearance) / (PI / 24.0).cos();
    check.require(width > 2.0 * widest, "width", width, || {
        format!("above {} (twice the hole's largest radius)", 2.0 * widest)
    })?;
    Ok(fit(check, triangles, width.max(height), |edge| nut_layout(size, edge))?.mesh())
}

fn nut_layout(size: &Nut, edge: f64) -> Turned {
    let Nut { thread, clearance, height, width, fade } = *size;
    let n = around(thread, edge);
    let widening = 1.0 / (PI / n as f64).cos();
    let wide = Thread { radius: thread.radius * widening, amplitude: thread.amplitude * widening, ..thread };
    let offset = clearance * widening;
    let open = wide.radius + wide.amplitude + offset;
    let at = |(_, share): (f64, f64)| Section::Thread(wide, offset, open, share);
    let hexagon = Section::Hexagon(width);
    let rings = thread_rings(thread, height, fade, edge);
    let (first, last) = (at(rings[0]), at(rings[rings.len() - 1]));
    let cuts = pieces(0.5 * width - thread.radius, edge, 1);
    let layers = pieces(height, edge, 1);
    let mut turned = Turned::new(true);
    turned.face(-0.5 * height, [first, hexagon], n, cuts);
    for i in 0..=layers {
        turned.push(height * (i as f64 / layers as f64 - 0.5), hexagon, n);
    }
    turned.face(0.5 * height, [hexagon, last], n, cuts);
    for &ring in rings.iter().rev() {
        turned.push(ring.0, at(ring), n);
    }
    turned
}
