//! Pressure over a polygon, by integrals along its sides: the twin of `integral.wgsl`.

use glam::Vec2;

use super::polygon::{OF_BOTH, OF_SECOND, Polygon, square};
use super::pressure::{PI, Profile};

/// Points along a side.
pub const N_POINTS: usize = 10;

/// Places and weights of Gauss and Legendre's rule between -1 and 1.
pub const POINTS: [[f32; 2]; N_POINTS] = [
    [-0.973_906_5, 0.066_671_35],
    [-0.865_063_37, 0.149_451_35],
    [-0.679_409_6, 0.219_086_36],
    [-0.433_395_4, 0.269_266_72],
    [-0.148_874_34, 0.295_524_23],
    [0.148_874_34, 0.295_524_23],
    [0.433_395_4, 0.269_266_72],
    [0.679_409_6, 0.219_086_36],
    [0.865_063_37, 0.149_451_35],
    [0.973_906_5, 0.066_671_35],
];

/// 1 / (2 pi): the grip is the integral of this over sqrt(1 - r²).
pub const HALF_OVER_PI: f32 = 0.159_154_94;

/// tan(pi/8): larger tangents are turned back by an eighth of the circle.
pub const TAN_EIGHTH: f32 = 0.414_213_57;

/// Coefficients of the arc tangent, lowest power first (Moshier, Cephes 2.2, atanf).
pub const ARC: [f32; 4] = [-0.333_329_5, 0.199_777_1, -0.138_776_86, 0.080_537_446];

#[derive(Clone, Copy, Default)]
pub struct Load {
    pub force: Vec2,
    pub first: Vec2,
    pub area: f32,
    pub rim_a: Rim,
    pub rim_b: Rim,
}

/// Integrals of -Psi along sides: of their outward normals n, and of n y^T.
#[derive(Clone, Copy, Default)]
pub struct Rim {
    pub flux: Vec2,
    pub xx: f32,
    pub xy: f32,
    pub yx: f32,
    pub yy: f32,
}

pub fn part_of_rim(rim: &Rim, part: f32) -> Rim {
    Rim { flux: rim.flux * part, xx: rim.xx * part, xy: rim.xy * part, yx: rim.yx * part, yy: rim.yy * part }
}

pub fn both_rims(a: &Rim, b: &Rim) -> Rim {
    Rim { flux: a.flux + b.flux, xx: a.xx + b.xx, xy: a.xy + b.xy, yx: a.yx + b.yx, yy: a.yy + b.yy }
}

pub fn angle_of(y: f32, x: f32) -> f32 {
    let (wide, high) = (x.abs(), y.abs());
    let large = wide.max(high);
    if large == 0.0 {
        return 0.0;
    }
    let mut t = wide.min(high) / large;
    let mut angle = 0.0;
    if t > TAN_EIGHTH {
        angle = 0.25 * PI;
        t = (t - 1.0) / (t + 1.0);
    }
    let z = t * t;
    angle += (((ARC[3] * z + ARC[2]) * z + ARC[1]) * z + ARC[0]) * z * t + t;
    if high > wide {
        angle = 0.5 * PI - angle;
    }
    if x < 0.0 {
        angle = PI - angle;
    }
    if y < 0.0 { -angle } else { angle }
}

fn quotients(profile: &Profile, inner: Vec2, outer: Vec2) -> Vec2 {
    let sum = inner.x + outer.x;
    let pressure = profile.quadratic * (inner.y + outer.y)
        + (profile.hertz * outer.y + profile.punch) / sum
        + profile.hertz * inner.x;
    Vec2::new(pressure, HALF_OVER_PI / sum)
}

fn turn(eta: f32, part: Vec2) -> f32 {
    angle_of(eta * (part.y - part.x), eta * eta + part.x * part.y)
}

fn half_left(half: f32, s: f32) -> f32 {
    ((half - s) * (half + s)).max(0.0).sqrt()
}

fn quarter_tangent(half: f32, s: f32) -> f32 {
    let t = s / (half + half_left(half, s));
    t / (1.0 + (1.0 + t * t).sqrt())
}

/// Sums along the part of a side within the contact.
struct Inside {
    smooth: Vec2,
    rest: Vec2,
    flux: f32,
    held: Vec2,
}

fn quadrature(
    profile: &Profile,
    eta: f32,
    half: f32,
    part: Vec2,
    inner: Vec2,
    near_squared: f32,
) -> (Vec2, Inside) {
    let nearest = 0.0_f32.clamp(part.x, part.y);
    let left = ((half - nearest) * (half + nearest)).max(0.0);
    let at_nearest = quotients(profile, inner, Vec2::new(left.sqrt(), left));
    let (first, last) = (quarter_tangent(half, part.x), quarter_tangent(half, part.y));
    let (middle, width) = (0.5 * (first + last), 0.5 * (last - first));
    let mut sums = Inside { smooth: Vec2::ZERO, rest: Vec2::ZERO, flux: 0.0, held: Vec2::ZERO };
    for [place, weight] in POINTS {
        let u = middle + width * place;
        let w = 1.0 / (1.0 + u * u);
        let cosine = 1.0 - 8.0 * (u * u) * (w * w);
        let q = half * cosine;
        let ds = weight * width * (4.0 * w * q);
        let t = quotients(profile, inner, Vec2::new(q, q * q));
        sums.smooth += t * ds;
        sums.flux += t.x * (inner.x - q) * (inner.x + q) * ds;
        let s = half * (4.0 * u * (1.0 - u * u) * (w * w));
        let potential = q * (profile.punch + q * q * (profile.hertz + q * profile.quadratic)) * ds;
        sums.held += Vec2::new(potential, potential * s);
        if near_squared > 0.0 {
            sums.rest += (t - at_nearest) * (ds / (eta * eta + s * s).max(near_squared));
        }
    }
    (at_nearest, sums)
}

fn along_side(profile: &Profile, start: Vec2, end: Vec2, near_squared: f32, owner: u32) -> Load {
    let length = square(end - start).sqrt();
    let along = (end - start) / length;
    let eta = (start.x * end.y - start.y * end.x) / length;
    let ends = Vec2::new(start.dot(along), end.dot(along));
    let q0_squared = (1.0 - near_squared).max(0.0);
    let q0 = q0_squared.sqrt();
    let outer = Vec2::new(
        q0 * (profile.punch + q0_squared * (profile.hertz + q0 * profile.quadratic)),
        HALF_OVER_PI * q0,
    );
    let half = ((1.0 - eta) * (1.0 + eta)).max(0.0).sqrt();
    let part = Vec2::new(ends.x.max(-half), ends.y.min(half));
    let mut turn_out = turn(eta, ends);
    let mut length_out = ends.y - ends.x;
    let mut load = Load::default();
    let mut flux = 0.0;
    let mut held = Vec2::ZERO;
    if part.x < part.y {
        let turn_in = turn(eta, part);
        turn_out -= turn_in;
        length_out -= part.y - part.x;
        let (at_nearest, sums) =
            quadrature(profile, eta, half, part, Vec2::new(q0, q0_squared), near_squared);
        flux = sums.flux;
        held = sums.held;
        load.force = sums.smooth * eta;
        load.area = 0.5 * (eta * (part.y - part.x));
        if near_squared > 0.0 {
            load.force -= (at_nearest * turn_in + sums.rest * eta) * near_squared;
            load.area -= 0.5 * near_squared * turn_in;
        }
    }
    load.force += outer * turn_out;
    load.area += 0.5 * q0_squared * turn_out;
    flux += outer.x * length_out;
    let outward = Vec2::new(along.y, -along.x);
    load.first = outward * flux;
    let places = outward * (eta * held.x) + along * held.y;
    let rim = Rim {
        flux: outward * held.x,
        xx: outward.x * places.x,
        xy: outward.x * places.y,
        yx: outward.y * places.x,
        yy: outward.y * places.y,
    };
    let shares = match owner {
        OF_SECOND => [0.0, 1.0],
        OF_BOTH => [0.5, 0.5],
        _ => [1.0, 0.0],
    };
    [load.rim_a, load.rim_b] = shares.map(|part| part_of_rim(&rim, part));
    load
}

/// Force and grip, first moment and area, of a polygon in contact radii about the axis whose nearest point is so far.
pub fn over_polygon(profile: &Profile, polygon: &Polygon, near_squared: f32) -> Load {
    let mut load = Load::default();
    for i in 0..polygon.n {
        let (start, end) = (polygon.corners[i], polygon.next_of(i));
        let side = along_side(profile, start, end, near_squared, polygon.owners[i]);
        load.force += side.force;
        load.first += side.first;
        load.area += side.area;
        load.rim_a = both_rims(&load.rim_a, &side.rim_a);
        load.rim_b = both_rims(&load.rim_b, &side.rim_b);
    }
    load
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_are_those_of_the_arc_tangent() {
        for i in 0..1000_u32 {
            let (sin, cos) = (f64::from(i) * 0.0063).sin_cos();
            let (y, x) = (3.0 * sin as f32, 3.0 * cos as f32);
            assert!((f64::from(angle_of(y, x)) - f64::from(y).atan2(f64::from(x))).abs() < 5e-7);
        }
        assert_eq!(angle_of(0.0, 0.0), 0.0);
    }

    fn square_about(x: Vec2, side: f32) -> Polygon {
        let mut polygon = Polygon { n: 4, ..Polygon::default() };
        for (corner, sign) in
            polygon.corners.iter_mut().zip([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
        {
            *corner = x + 0.5 * side * Vec2::from(sign);
        }
        polygon
    }

    /// The whole disc, and pieces far from the axis, which nothing of the disc's size is to be taken from.
    #[test]
    fn loads_are_those_of_the_pressure() {
        let profile = Profile { contact: 1.0, quadratic: 0.7, hertz: 1.3, punch: 0.4 };
        let whole = over_polygon(&profile, &square_about(Vec2::new(0.1, 0.2), 4.0), 0.0);
        let exact = 2.0 * PI * (0.7 + 1.3 + 0.4);
        assert!((whole.force.x / exact - 1.0).abs() < 2e-6, "{}", whole.force.x);
        assert!((whole.force.y - 1.0).abs() < 2e-6, "{}", whole.force.y);
        assert!((whole.area / PI - 1.0).abs() < 1e-6);
        assert!(whole.first.length() < 1e-6);
        for (x, side) in [(0.3_f32, 0.1_f32), (0.6, 0.01), (0.8, 0.003)] {
            let piece =
                over_polygon(&profile, &square_about(Vec2::new(x, 0.0), side), (x - 0.5 * side).powi(2));
            let q = f64::from(1.0 - x * x).sqrt();
            let pressure = 4.0 * 0.7 * q * q + 3.0 * 1.3 * q + 0.4 / q;
            let exact = pressure * f64::from(side * side);
            // Curvature of the pressure over the piece, and 32 bits of a place over its side.
            let allowed = f64::from(side * side / 2.0 + 1e-6 / side);
            let error = f64::from(piece.force.x) / exact - 1.0;
            println!("{x} {side}: {error:e} of {allowed:e}");
            assert!(error.abs() < allowed);
            assert!((f64::from(piece.first.x) / (exact * f64::from(x)) - 1.0).abs() < 3.0 * allowed);
            assert!((piece.area / (side * side) - 1.0).abs() < 1e-6 / side);
        }
    }
}
