//! Puts the sums of three directions together: the twin of `moments.wgsl`.

use glam::Vec3;

use super::layout::{RaySums, Round, state, sum};
use super::place::by_axis;

/// Length of the area vector, as a part of the area it sums, below which a pair has no normal: a third leaves full
/// sockets and tight pegs without one and gives one to every contact that pushes one way.
pub const COHERENT: f32 = 1.0 / 3.0;

/// Moments in box coordinates from the box's centre; products are xy, yz, zx.
#[derive(Clone, Copy, Default)]
pub struct Moments {
    pub volume: f32,
    /// From a quarter of the rays.
    pub quarter_volume: f32,
    pub moment: Vec3,
    pub diagonal: Vec3,
    pub mixed: Vec3,
}

/// The sums of a pair's three directions.
pub struct PairSums<'a> {
    pub round: &'a Round,
    pub sums: &'a [RaySums],
}

impl PairSums<'_> {
    /// One over the number of rays: the part of the box's face that a ray stands for.
    pub fn ray_area(&self, direction: usize) -> f32 {
        let n = self.round.rays[direction] as f32;
        1.0 / (n * n)
    }

    /// Whether the sums are those of triangles. Their areas are known where rounding hides the volume.
    pub fn is_exact(&self) -> bool {
        self.round.rays[2] == 1
    }

    fn moments_of(&self, d: usize) -> Moments {
        let sums = &self.sums[d].sums;
        let area = self.ray_area(d);
        // A ray stands for a square.
        let square = sums[sum::LENGTH] * area / 12.0;
        let by_axis = |u: f32, v: f32, along: f32| by_axis(Vec3::new(u, v, along), d as u32) * area;
        Moments {
            volume: sums[sum::LENGTH] * area,
            quarter_volume: sums[sum::QUARTER_LENGTH] * area * 4.0,
            moment: by_axis(sums[sum::LENGTH_X], sums[sum::LENGTH_Y], sums[sum::SQUARE]),
            diagonal: by_axis(sums[sum::LENGTH_XX] + square, sums[sum::LENGTH_YY] + square, sums[sum::CUBE]),
            mixed: by_axis(sums[sum::LENGTH_XY], sums[sum::SQUARE_Y], sums[sum::SQUARE_X]),
        }
    }

    fn weights(&self, frame_state: u32, size: Vec3) -> Vec3 {
        if frame_state & state::ALIGNED != 0 {
            return Vec3::Z;
        }
        let seen = self.face_parts(sum::MIXED) * faces(size);
        let squares = seen * seen;
        let total = squares.x + squares.y + squares.z;
        if total > 0.0 { squares / total } else { Vec3::splat(1.0 / 3.0) }
    }

    /// The moments, each direction counting as the state of the frame says.
    pub fn combined(&self, frame_state: u32, size: Vec3) -> Moments {
        let weight = self.weights(frame_state, size);
        let mut total = Moments::default();
        for d in 0..3 {
            let part = self.moments_of(d);
            total.volume += weight[d] * part.volume;
            total.quarter_volume += weight[d] * part.quarter_volume;
            total.moment += weight[d] * part.moment;
            total.diagonal += weight[d] * part.diagonal;
            total.mixed += weight[d] * part.mixed;
        }
        total
    }

    /// One of the sums of each direction, as a part of the box's faces.
    pub fn face_parts(&self, sum: usize) -> Vec3 {
        Vec3::new(
            self.sums[0].sums[sum] * self.ray_area(0),
            self.sums[1].sums[sum] * self.ray_area(1),
            self.sums[2].sums[sum] * self.ray_area(2),
        )
    }

    /// What the three directions say of a plain area, in units of the box's largest face.
    pub fn plain_area(&self, sum: usize, size: Vec3) -> f32 {
        self.face_parts(sum).dot(faces(size))
    }

    /// The contact normal, or zero where the area vector nearly cancels on both bodies.
    pub fn normal(&self, size: Vec3) -> Vec3 {
        let area = self.face_parts(sum::AREA) * faces(size);
        let cover_a = self.face_parts(sum::ENDS_A) * faces(size);
        let cover_b = self.face_parts(sum::ENDS_B) * faces(size);
        let cover = cover_a.dot(cover_a).min(cover_b.dot(cover_b));
        let length = area.dot(area).sqrt();
        if length > COHERENT * cover.sqrt() && length > 0.0 { area / length } else { Vec3::ZERO }
    }
}

/// Areas of the box's faces across each axis, up to a common factor.
fn faces(size: Vec3) -> Vec3 {
    Vec3::splat(size.x.min(size.y.min(size.z))) / size
}

/// A unit vector across the normal, near the frame's first axis.
pub fn tangent_of(normal: Vec3) -> Vec3 {
    // Written out by component: compilers may turn 0 - x into -x, which differs in the sign of zero.
    let across = if normal.x.abs() > 0.8 {
        Vec3::new(-(normal.x * normal.y), 1.0 - normal.y * normal.y, -(normal.z * normal.y))
    } else {
        Vec3::new(1.0 - normal.x * normal.x, -(normal.y * normal.x), -(normal.z * normal.x))
    };
    across / across.dot(across).sqrt()
}
