//! Prisms and pyramids that stand for cylinders and cones.

use std::f64::consts::{PI, TAU};

use glam::{DVec2, DVec3};

use crate::Aabb;
use crate::shape::{Frustum, Plane};

/// Sides of the prism around a round body by which a contact is found.
pub(super) const N_AROUND: u32 = 48;

/// Angle of the narrowest side, in radians: narrower than half a contact that is 1e-8 of the radius deep.
pub(super) const NARROWEST: f64 = 1e-4;

/// Widths of the other sides as a part of their angle from the middle of the contact. The square of it over 4 is the part of the
/// depth by which they err, most of which cancels as they are as much outside as inside.
const GRADING: f64 = 0.1;

/// Angle of the widest side, in radians.
const WIDEST: f64 = TAU / 64.0;

/// Width of the side in the middle of a contact as a part of its half width: the square of it over 12 is the part of the depth by
/// which it errs there.
const MIDDLE: f64 = 0.03;

/// How many times its angle from that side a side next to it is wide.
const OPENING: f64 = 0.4;

/// How many times as wide as the one before each side is beyond a contact.
const SPREADING: f64 = 1.5;

/// A prism or pyramid that stands for a cylinder or a cone, in its frame.
#[derive(Debug)]
pub(super) struct Faceted {
    pub vertices: Vec<DVec3>,
    pub planes: Vec<Plane>,
    /// Corners of all faces, counter-clockwise from outside, one face after another.
    corners: Vec<u32>,
    /// Where the corners of each face end.
    ends: Vec<u32>,
    frustum: Frustum,
}

impl Faceted {
    /// Sides of one width that touch the round side from outside.
    pub fn around(frustum: &Frustum) -> Self {
        let width = TAU / f64::from(N_AROUND);
        let angles: Vec<f64> = (0..N_AROUND).map(|i| f64::from(i) * width).collect();
        Self::new(frustum, &angles, |_, _| 1.0 / (0.5 * width).cos())
    }

    /// Sides that are the narrower the nearer they are to an azimuth, for contacts of any width there.
    pub fn graded(frustum: &Frustum, middle: f64) -> Self {
        Self::balanced(frustum, middle, vec![0.5 * NARROWEST], |_, angle| (GRADING * angle).max(NARROWEST))
    }

    /// Sides that are narrow within the half width of a contact about an azimuth, and narrowest in its middle.
    pub fn fitted(frustum: &Frustum, middle: f64, half_width: f64) -> Self {
        let edges = edges_within(half_width.clamp(NARROWEST, PI));
        Self::balanced(frustum, middle, edges, |before, _| SPREADING * before)
    }

    /// Sides as much outside of the round side as inside. Their edges on either half of a turn are at these angles from the middle, two
    /// or more or that of the narrowest, and then as wide as `width` says from the width before and the angle so far.
    fn balanced(frustum: &Frustum, middle: f64, mut half: Vec<f64>, width: impl Fn(f64, f64) -> f64) -> Self {
        loop {
            let last = half[half.len() - 1];
            let before = if half.len() > 1 { last - half[half.len() - 2] } else { 2.0 * last };
            let next = width(before, last).min(WIDEST);
            if last + 0.5 * next >= PI {
                break;
            }
            half.push(last + next);
        }
        // The last side is the one on the far side, between the two ends of the list.
        while half.len() > 1 && PI - half[half.len() - 1] < 0.25 * WIDEST {
            half.pop();
        }
        let mirrored = half.iter().rev().map(|angle| -angle);
        let angles: Vec<f64> = mirrored.chain(half.iter().copied()).map(|angle| middle + angle).collect();
        Self::new(frustum, &angles, stretch)
    }

    /// With edges at ascending angles within a turn; `stretch` says by how much each is farther out than the round side, from the
    /// widths of the sides before and after it.
    fn new(frustum: &Frustum, angles: &[f64], stretch: impl Fn(f64, f64) -> f64) -> Self {
        let Frustum { bottom, top, half_height } = *frustum;
        let n = angles.len();
        let width = |i: usize| (angles[(i + 1) % n] - angles[i % n]).rem_euclid(TAU);
        let edges: Vec<DVec2> =
            (0..n).map(|i| stretch(width(i + n - 1), width(i)) * DVec2::from_angle(angles[i])).collect();
        let mut vertices: Vec<DVec3> = edges.iter().map(|e| (bottom * e).extend(-half_height)).collect();
        if top > 0.0 {
            vertices.extend(edges.iter().map(|e| (top * e).extend(half_height)));
        } else {
            vertices.push(DVec3::Z * half_height);
        }
        let (mut planes, mut corners, mut ends) = (Vec::new(), Vec::new(), Vec::new());
        let (n, slope) = (n as u32, frustum.slope());
        for i in 0..n {
            let next = (i + 1) % n;
            corners.extend([i, next]);
            if top > 0.0 {
                corners.extend([n + next, n + i]);
            } else {
                corners.push(n);
            }
            ends.push(corners.len() as u32);
            // The side's distance from the axis goes from bottom to top like the radius.
            let chord = edges[next as usize] - edges[i as usize];
            let away = DVec2::new(chord.y, -chord.x).normalize();
            let distance = away.dot(edges[i as usize]);
            let normal = away.extend(-slope * distance).normalize();
            planes.push(Plane { normal, offset: normal.dot(vertices[i as usize]) });
        }
        let mut add_end = |normal: DVec3, around: &mut dyn Iterator<Item = u32>| {
            corners.extend(around);
            ends.push(corners.len() as u32);
            planes.push(Plane { normal, offset: half_height });
        };
        add_end(DVec3::NEG_Z, &mut (0..n).rev());
        if top > 0.0 {
            add_end(DVec3::Z, &mut (n..2 * n));
        }
        Self { vertices, planes, corners, ends, frustum: *frustum }
    }

    /// Corner indices of each face, counter-clockwise from outside.
    pub fn faces(&self) -> impl Iterator<Item = &[u32]> {
        let starts = std::iter::once(&0).chain(&self.ends);
        starts.zip(&self.ends).map(|(&start, &end)| &self.corners[start as usize..end as usize])
    }

    /// A box around it.
    pub fn aabb(&self) -> Aabb {
        Aabb::from_points(self.vertices.iter().copied())
    }

    /// Diagonal of the round body's box \[m\].
    pub fn size(&self) -> f64 {
        self.frustum.own_aabb().diagonal()
    }
}

/// How much farther out than the round side an edge is between two sides of these widths that are as much outside as inside: a chord over the
/// angle w is inside its arc by w²/12 of the radius in the mean.
fn stretch(before: f64, after: f64) -> f64 {
    1.0 + (before * before + after * after) / 24.0
}

/// Angles from the middle of a contact to the edges of the sides on one half of it, and to the next edge beyond.
///
/// The contact ends where its last side goes through the round side, so that it is as wide as it would be there.
fn edges_within(half_width: f64) -> Vec<f64> {
    // As parts of the half width, and then stretched a little.
    let widest = GRADING.min(WIDEST / half_width);
    let mut edges = vec![0.5 * MIDDLE.min(widest)];
    let end = loop {
        let last = edges[edges.len() - 1];
        let width = (OPENING * last).clamp(MIDDLE.min(widest), widest);
        edges.push(last + width);
        // A chord over the angle w that is balanced goes through its arc at w/√12 from its middle.
        let through = last + width * (0.5 + 12.0_f64.sqrt().recip());
        if through >= 1.0 {
            break through;
        }
    };
    edges.push(edges[edges.len() - 1] + widest);
    edges.iter().map(|edge| edge * half_width / end).collect()
}
