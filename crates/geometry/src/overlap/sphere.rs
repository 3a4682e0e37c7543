//! Balls against half-spaces and balls: closed forms.

use std::f64::consts::{PI, TAU};

use glam::{DMat3, DVec3};

use super::integrals::Integrals;
use super::{Overlap, Patch};
use crate::moments::VolumeMoments;
use crate::{Aabb, Pose};

/// A spherical cap about the z axis: the part of a ball of radius `r` with its lowest point at the origin, up to the
/// height `h`.
#[derive(Clone, Copy, Debug)]
struct Cap {
    r: f64,
    h: f64,
}

impl Cap {
    /// Moments about the lowest point: polynomials in the height, whose terms hardly cancel.
    ///
    /// At height z the section is a disc of squared radius 2 R z - z².
    fn moments(self) -> VolumeMoments {
        let Self { r, h } = self;
        let across = PI / 4.0 * h.powi(3) * (4.0 / 3.0 * r * r - r * h + h * h / 5.0);
        let along = PI * h.powi(4) * (r / 2.0 - h / 5.0);
        VolumeMoments {
            volume: PI * h * h * (r - h / 3.0),
            first: DVec3::Z * (PI * h.powi(3) * (2.0 / 3.0 * r - h / 4.0)),
            second: DMat3::from_diagonal(DVec3::new(across, across, along)),
        }
    }

    /// Squared radius of the rim.
    fn rim(self) -> f64 {
        self.h * (2.0 * self.r - self.h)
    }

    /// Area of the round part.
    fn area(self) -> f64 {
        TAU * self.r * self.h
    }

    /// Half the width at the widest place: the rim, or the equator if that belongs to the cap.
    fn widest(self) -> f64 {
        if self.h > self.r { self.r } else { self.rim().max(0.0).sqrt() }
    }
}

/// The overlap of a half-space A (z <= 0 in its frame) and a ball B.
pub(super) fn half_space_overlap(w_from_a: &Pose, radius: f64, center_b: DVec3) -> Overlap {
    let normal = w_from_a.vector(DVec3::Z);
    let arm = center_b - w_from_a.translation;
    let depth = radius - arm.dot(normal);
    if depth <= 0.0 {
        return Overlap::EMPTY;
    }
    let cap = Cap { r: radius, h: depth.min(2.0 * radius) };
    Lens {
        axis: normal,
        lowest: arm - radius * normal,
        caps: [Some(cap), None],
        rim_area: PI * cap.rim(),
        size: 2.0 * radius,
    }
    .into_overlap()
}

/// The overlap of two balls about their frames' origins.
pub(super) fn pair_overlap(radius_a: f64, center_a: DVec3, radius_b: f64, center_b: DVec3) -> Overlap {
    let arm = center_b - center_a;
    let distance = arm.length();
    let reach = radius_a + radius_b - distance;
    if reach <= 0.0 {
        return Overlap::EMPTY;
    }
    let axis = arm.try_normalize().unwrap_or(DVec3::Z);
    let size = 2.0 * radius_a.min(radius_b);
    if distance <= (radius_a - radius_b).abs() {
        let ball = |r| Some(Cap { r, h: 2.0 * r });
        let (lowest, caps) = if radius_b <= radius_a {
            (arm - radius_b * axis, [ball(radius_b), None])
        } else {
            (-radius_a * axis, [None, ball(radius_a)])
        };
        return Lens { axis, lowest, caps, rim_area: 0.0, size }.into_overlap();
    }
    // Heights of the two caps on the plane of the rim; seen from A the surface of B is the lower one.
    let below = Cap { r: radius_b, h: reach * (radius_a - radius_b + distance) / (2.0 * distance) };
    let above = Cap { r: radius_a, h: reach * (radius_b - radius_a + distance) / (2.0 * distance) };
    let lowest = (distance - radius_b) * axis;
    let caps = [Some(below), Some(above)];
    Lens { axis, lowest, caps, rim_area: PI * below.rim(), size }.into_overlap()
}

/// A cap of B's surface below one of A's, about an axis from A to B, on a common rim. A single cap stands on A's plane
/// or is a whole ball.
struct Lens {
    axis: DVec3,
    /// Lowest point on the axis, relative to A's origin.
    lowest: DVec3,
    /// B's cap, then A's.
    caps: [Option<Cap>; 2],
    /// Area of the disc in the rim.
    rim_area: f64,
    /// Size of the smaller body.
    size: f64,
}

impl Lens {
    fn into_overlap(self) -> Overlap {
        let Self { axis, lowest, caps: [below, above], rim_area, size } = self;
        let (u, w) = axis.any_orthonormal_pair();
        let frame = DMat3::from_cols(u, w, axis);
        let rim_height = below.map_or(0.0, |cap| cap.h);
        let height = rim_height + above.map_or(0.0, |cap| cap.h);
        let mut volume = below.map_or_else(VolumeMoments::default, Cap::moments);
        if let Some(cap) = above {
            // The upper cap hangs upside down from the highest point.
            let moments = cap.moments();
            volume += VolumeMoments { first: -moments.first, ..moments }.translated(DVec3::Z * height);
        }
        let widest = [below, above].into_iter().flatten().map(Cap::widest).fold(0.0, f64::max);
        let n = Patch::MAX_CORNERS as u32;
        let mut points = vec![DVec3::ZERO, height * axis];
        points.extend((0..n).map(|j| {
            let (sin, cos) = (TAU * f64::from(j) / f64::from(n)).sin_cos();
            widest * (cos * u + sin * w) + rim_height * axis
        }));
        // The box around the rim, and the balls' own extreme points where they are on the caps.
        let rim = (rim_area / PI).sqrt() * (DVec3::ONE - axis * axis).max(DVec3::ZERO).map(f64::sqrt);
        let mut bounds = Aabb { min: rim_height * axis - rim, max: rim_height * axis + rim };
        for direction in DVec3::AXES.into_iter().flat_map(|e| [e, -e]) {
            for (cap, start, up) in [(below, DVec3::ZERO, axis), (above, height * axis, -axis)] {
                let on_ball = cap.map(|cap| (cap, cap.r * (up + direction)));
                if let Some((_, x)) = on_ball.filter(|(cap, x)| x.dot(up) <= cap.h) {
                    bounds.insert(start + x);
                }
            }
        }
        Integrals {
            origin: lowest,
            volume: volume.rotated(frame),
            gradient: rim_area * axis,
            // All forces meet on the axis.
            angular_gradient: DVec3::ZERO,
            areas: [above.map_or(rim_area, Cap::area), below.map_or(0.0, Cap::area)],
            facing: [None; 2],
            bounds,
        }
        .into_overlap(&points, size)
    }
}
