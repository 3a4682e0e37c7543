//! Round shapes: cylinder, coin, cone, capsule, sphere by latitude and longitude, torus, ring, bowl.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use super::GenerateError;
use super::error::Check;
use super::measures::Ring;
use super::profile::{MIN_AROUND, Profile, Revolved, fourfold};
use super::resolution::{MAX_PIECES, fit};
use crate::TriangleMesh;

/// Number of vertices around a circle for edges of about `edge`.
fn around(radius: f64, edge: f64) -> usize {
    fourfold(TAU * radius / edge, MIN_AROUND)
}

/// A cylinder about the origin with its axis along z.
///
/// Vertices are on the cylinder, nearly square cells on the wall and concentric rings on the ends. The number around
/// is a multiple of four; 32 triangles at least.
///
/// # Errors
/// A radius or height that is not a positive length, or more than [`MAX_TRIANGLES`](super::MAX_TRIANGLES).
pub fn cylinder(radius: f64, height: f64, triangles: usize) -> Result<TriangleMesh, GenerateError> {
    let check = Check("cylinder");
    check.length("radius", radius)?;
    check.length("height", height)?;
    let layout = |edge| {
        let profile = Profile::from(0.0, -0.5 * height)
            .line_to(radius, -0.5 * height, edge)
            .line_to(radius, 0.5 * height, edge)
            .line_to(0.0, 0.5 * height, edge);
        Revolved::graded(profile, around(radius, edge))
    };
    Ok(fit(check, triangles, radius.max(height), layout)?.mesh())
}

/// A coin: a flat cylinder about the origin with its axis along z, all of whose triangles make the rim round.
///
/// `n` vertices on either edge of the rim, `4 n` triangles, n a multiple of four; 32 triangles at least.
///
/// # Errors
/// A radius or thickness that is not a positive length, or more than [`MAX_TRIANGLES`](super::MAX_TRIANGLES).
pub fn coin(radius: f64, thickness: f64, triangles: usize) -> Result<TriangleMesh, GenerateError> {
    let check = Check("coin");
    check.length("radius", radius)?;
    check.length("thickness", thickness)?;
    let layout = |edge| {
        let profile = Profile::from(0.0, -0.5 * thickness)
            .line_to(radius, -0.5 * thickness, f64::MAX)
            .line_to(radius, 0.5 * thickness, f64::MAX)
            .line_to(0.0, 0.5 * thickness, f64::MAX);
        Revolved::uniform(profile, around(radius, edge), false)
    };
    Ok(fit(check, triangles, radius, layout)?.mesh())
}

/// A cone with its axis along z, its tip up and its centre of mass in the origin: z from `-height / 4` to
/// `3 height / 4`.
///
/// Vertices are on the cone; rings have fewer vertices towards the tip, each number a multiple of four; 16 triangles
/// at least.
///
/// # Errors
/// A radius or height that is not a positive length, or more than [`MAX_TRIANGLES`](super::MAX_TRIANGLES).
pub fn cone(radius: f64, height: f64, triangles: usize) -> Result<TriangleMesh, GenerateError> {
    let check = Check("cone");
    check.length("radius", radius)?;
    check.length("height", height)?;
    let layout = |edge| {
        let profile = Profile::from(0.0, -0.25 * height).line_to(radius, -0.25 * height, edge).line_to(
            0.0,
            0.75 * height,
            edge,
        );
        Revolved::graded(profile, around(radius, edge))
    };
    Ok(fit(check, triangles, radius.max(height), layout)?.mesh())
}

/// The points within `radius` of the segment from (0, 0, -`half_length`) to (0, 0, `half_length`).
///
/// Vertices are on the surface; rings have fewer vertices towards the poles, each number a multiple of four; 48
/// triangles at least.
///
/// # Errors
/// A radius or half length that is not a positive length, or more than [`MAX_TRIANGLES`](super::MAX_TRIANGLES).
pub fn capsule(radius: f64, half_length: f64, triangles: usize) -> Result<TriangleMesh, GenerateError> {
    let check = Check("capsule");
    check.length("radius", radius)?;
    check.length("half_length", half_length)?;
    check.share("radius", radius, half_length, "the half length")?;
    check.share("half_length", half_length, radius, "the radius")?;
    let layout = |edge| {
        let profile = Profile::from(0.0, -half_length - radius)
            .arc([0.0, -half_length], [-FRAC_PI_2, 0.0], edge, 2)
            .line_to(radius, half_length, edge)
            .arc([0.0, half_length], [0.0, FRAC_PI_2], edge, 2)
            .end_on_axis();
        Revolved::graded(profile, around(radius, edge))
    };
    Ok(fit(check, triangles, radius.max(half_length), layout)?.mesh())
}

/// A sphere about the origin by latitude and longitude, poles on z.
///
/// 4 k meridians and 2 k bands with vertices on the sphere, so `8 k (2 k - 1)` triangles; 48 at least. Triangles get
/// thin towards the poles: [`sphere`](super::sphere) has even ones.
///
/// # Errors
/// A radius that is not a positive length, or more than [`MAX_TRIANGLES`](super::MAX_TRIANGLES).
pub fn uv_sphere(radius: f64, triangles: usize) -> Result<TriangleMesh, GenerateError> {
    let check = Check("uv_sphere");
    check.length("radius", radius)?;
    let layout = |edge| {
        let meridians = around(radius, edge);
        let quarter = FRAC_PI_2 * radius / (meridians / 4) as f64;
        let profile = Profile::from(0.0, -radius)
            .arc([0.0, 0.0], [-FRAC_PI_2, 0.0], quarter, 2)
            .arc([0.0, 0.0], [0.0, FRAC_PI_2], quarter, 2)
            .end_on_axis();
        Revolved::uniform(profile, meridians, false)
    };
    Ok(fit(check, triangles, radius, layout)?.mesh())
}

/// A torus about the origin with its axis along z.
///
/// `major_radius` is that of the centre circle, `minor_radius` that of the tube. A grid of m around the axis by n
/// around the tube with vertices on the torus, `2 m n` triangles; 128 at least.
///
/// # Errors
/// A radius that is not a positive length, a minor radius not below the major one, or more than
/// [`MAX_TRIANGLES`](super::MAX_TRIANGLES).
pub fn torus(major_radius: f64, minor_radius: f64, triangles: usize) -> Result<TriangleMesh, GenerateError> {
    let check = Check("torus");
    check.length("major_radius", major_radius)?;
    check.length("minor_radius", minor_radius)?;
    check.part("minor_radius", minor_radius, major_radius, "the major radius")?;
    let layout = |edge| {
        let quarter = TAU * minor_radius / around(minor_radius, edge) as f64;
        let mut profile = Profile::from(major_radius + minor_radius, 0.0);
        for i in 0..4 {
            let start = FRAC_PI_2 * f64::from(i);
            profile = profile.arc([major_radius, 0.0], [start, start + FRAC_PI_2], quarter, 2);
        }
        Revolved::uniform(profile.close(), around(major_radius, edge), true)
    };
    Ok(fit(check, triangles, major_radius, layout)?.mesh())
}

/// A ring or washer about the origin with its axis along z.
///
/// Outer vertices are on the outer cylinder. The hole's facets touch the inner cylinder from outside, so that a round
/// peg of the inner radius passes at any resolution. Nearly square cells; every ring has the same number of vertices,
/// a multiple of four, and enough that the corners of the hole take at most half of the wall; 64 triangles at least.
///
/// # Errors
/// A dimension that is not a positive length, an inner radius not below the outer one, or more than
/// [`MAX_TRIANGLES`](super::MAX_TRIANGLES), which a very thin wall needs.
pub fn ring(size: &Ring, triangles: usize) -> Result<TriangleMesh, GenerateError> {
    annulus(Check("ring"), size, triangles)
}

/// A tube about the origin with its axis along z: a long [`ring`] under its usual name.
///
/// # Errors
/// Those of [`ring`].
pub fn tube(size: &Ring, triangles: usize) -> Result<TriangleMesh, GenerateError> {
    annulus(Check("tube"), size, triangles)
}

fn annulus(check: Check, size: &Ring, triangles: usize) -> Result<TriangleMesh, GenerateError> {
    let Ring { inner_radius, outer_radius, height } = *size;
    check.length("inner_radius", inner_radius)?;
    check.length("outer_radius", outer_radius)?;
    check.length("height", height)?;
    check.below("inner_radius", inner_radius, outer_radius, "the outer radius")?;
    let (n_min, half) = (corners_of_hole(inner_radius, outer_radius), 0.5 * height);
    check.triangles(8 * n_min)?;
    let layout = |edge| {
        let n = around(outer_radius, edge).max(n_min);
        let hole = inner_radius / (PI / n as f64).cos();
        let profile = Profile::from(hole, -half)
            .line_to(outer_radius, -half, edge)
            .line_to(outer_radius, half, edge)
            .line_to(hole, half, edge)
            .line_to(hole, -half, edge);
        Revolved::uniform(profile.close(), n, true)
    };
    Ok(fit(check, triangles, outer_radius.max(height), layout)?.mesh())
}

/// Fewest corners of a polygon around a hole of radius `inner` that stay within the middle of the wall, a multiple of
/// four; saturates above any number of triangles.
pub(super) fn corners_of_hole(inner: f64, outer: f64) -> usize {
    // acos(i / m) = atan(√(m² - i²) / i), which keeps its digits for thin walls.
    let middle = 0.5 * (inner + outer);
    let half_angle = ((middle - inner) * (middle + inner)).sqrt().atan2(inner);
    4 * ((PI / half_angle / 4.0).ceil() as usize).clamp(MIN_AROUND / 4, MAX_PIECES)
}

/// A thick hemispherical shell that opens upwards; the origin is the common centre of both spheres, in the plane of
/// the flat rim.
///
/// Vertices are on the spheres; rings have fewer vertices towards the poles, each number a multiple of four. Edges are
/// short enough that facets take at most half of the wall; 104 triangles at least.
///
/// # Errors
/// A radius that is not a positive length, an inner radius not below the outer one, or more than
/// [`MAX_TRIANGLES`](super::MAX_TRIANGLES), which a very thin wall needs.
pub fn bowl(inner_radius: f64, outer_radius: f64, triangles: usize) -> Result<TriangleMesh, GenerateError> {
    let check = Check("bowl");
    check.length("inner_radius", inner_radius)?;
    check.length("outer_radius", outer_radius)?;
    check.below("inner_radius", inner_radius, outer_radius, "the outer radius")?;
    // A square facet of edge e lies up to e² / 4R below its corners.
    let longest = (2.0 * (outer_radius - inner_radius) * outer_radius).sqrt();
    check.triangles((4.0 * PI * (outer_radius / longest).powi(2)) as usize)?;
    let layout = |edge: f64| {
        let edge = edge.min(longest);
        let profile = Profile::from(0.0, -outer_radius)
            .arc([0.0, 0.0], [-FRAC_PI_2, 0.0], edge, 2)
            .line_to(inner_radius, 0.0, edge)
            .arc([0.0, 0.0], [0.0, -FRAC_PI_2], edge, 2)
            .end_on_axis();
        Revolved::graded(profile, around(outer_radius, edge))
    };
    Ok(fit(check, triangles, outer_radius, layout)?.mesh())
}
