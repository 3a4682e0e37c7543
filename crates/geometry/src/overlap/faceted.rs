//! Prisms and pyramids that stand for cylinders and cones.

use std::f64::consts::{PI, TAU};

use glam::{DVec2, DVec3};

use crate::Aabb;
use crate::shape::{Frustum, Plane};

/// Sides of the prism around a round body by which a contact is found.
const N_AROUND: u32 = 48;

/// Angle of the narrowest side, in radians: narrower than half a contact that is 1e-8 of the radius deep.
pub(super) const NARROWEST: f64 = 1e-4;

/// Widths of the other sides as a part of their angle from the middle of the contact. The square of it over 4 is the part of the
/// depth by which they err, most of which cancels as they are as much outside as inside.
const GRADING: f64 = 0.1;

/// Angle of the widest side, in radians.
const WIDEST: f64 = TAU / 64.0;

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

    /// Sides that are narrowest at an azimuth, as much outside of the round side as inside.
    pub fn graded(frustum: &Frustum, middle: f64) -> Self {
        let mut half = vec![0.5 * NARROWEST];
        loop {
            let last = half[half.len() - 1];
            let width = (GRADING * last).clamp(NARROWEST, WIDEST);
            if last + 0.5 * width >= PI {
                break;
            }
            half.push(last + width);
        }
        // The last side is the one on the far side, between the two ends of the list.
        if PI - half[half.len() - 1] < 0.25 * WIDEST {
            half.pop();
        }
        let mirrored = half.iter().rev().map(|angle| -angle);
        let angles: Vec<f64> = mirrored.chain(half.iter().copied()).map(|angle| middle + angle).collect();
        // A chord over the angle w is inside its arc by w²/12 of the radius in the mean.
        Self::new(frustum, &angles, |before, after| 1.0 + (before * before + after * after) / 24.0)
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
