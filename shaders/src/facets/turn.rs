//! Small turns: the twin of `turn.wgsl`.

use glam::Vec3;

use super::stretch_layout::StretchBody;

/// 1/3 and 2/15, of the series of the tangent.
pub const THIRD: f32 = 1.0 / 3.0;
/// See [`THIRD`].
pub const TWO_FIFTEENTHS: f32 = 2.0 / 15.0;

fn fourth(turn: Vec3) -> f32 {
    (1.0 - turn.dot(turn)).max(0.0).sqrt()
}

/// A sum with a cross product.
pub fn crossed(sum: Vec3, a: Vec3, b: Vec3) -> Vec3 {
    let plus = Vec3::new(a.y * b.z, a.z * b.x, a.x * b.y);
    let minus = Vec3::new(a.z * b.y, a.x * b.z, a.y * b.x);
    (sum + plus) - minus
}

/// A vector times a symmetric tensor: its xx, yy, zz and its yz, xz, xy.
pub fn symmetric(d: [f32; 3], e: [f32; 3], x: Vec3) -> Vec3 {
    Vec3::new(
        d[0] * x.x + e[2] * x.y + e[1] * x.z,
        e[2] * x.x + d[1] * x.y + e[0] * x.z,
        e[1] * x.x + e[0] * x.y + d[2] * x.z,
    )
}

/// What a turn takes a vector by.
pub fn turned_less(turn: Vec3, x: Vec3) -> Vec3 {
    let w = fourth(turn);
    let sideways = turn.cross(x);
    let twice = sideways * w + turn.cross(sideways);
    twice + twice
}

/// A turn after which a body turns on with an angular velocity for a time.
pub fn turned_on(turn: Vec3, angular: Vec3, time: f32) -> Vec3 {
    let half = angular * (0.5 * time);
    let square = half.dot(half);
    let tangent = half * (1.0 + square * (THIRD + TWO_FIFTEENTHS * square));
    crossed(tangent * fourth(turn) + turn, tangent, turn) / (1.0 + tangent.dot(tangent)).sqrt()
}

/// Inverse inertia of a body that is turned since the start, times a vector.
pub fn yielding(body: &StretchBody, turn: Vec3, x: Vec3) -> Vec3 {
    let own = x + turned_less(-turn, x);
    let rate = symmetric(body.inertia, body.products, own);
    rate + turned_less(turn, rate)
}

/// Angular velocity of a body with what its momentum has gained, turned since the start.
pub fn angular_of(body: &StretchBody, gained: Vec3, turn: Vec3) -> Vec3 {
    yielding(body, turn, Vec3::from(body.spin) + gained)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DQuat, DVec3};

    #[test]
    fn turns_are_those_of_quaternions() {
        let (mut turn, mut exact) = (Vec3::ZERO, DQuat::IDENTITY);
        for ix in 0..200 {
            let angular = DVec3::new(0.3, -1.0 + 0.01 * f64::from(ix), 0.7);
            turn = turned_on(turn, angular.as_vec3(), 0.01);
            exact = DQuat::from_scaled_axis(angular * 0.01) * exact;
            let x = DVec3::new(1.0, -2.0, 0.5);
            let found = (turned_less(turn, x.as_vec3()) + x.as_vec3()).as_dvec3();
            // Roundings of 32 bits of a vector of 2.3, two hundred times.
            assert!((found - exact * x).length() < 200.0 * 6e-8 * 2.3, "{ix}: {found}, not {}", exact * x);
        }
    }

    #[test]
    fn a_body_that_turns_freely_keeps_its_momentum_and_energy() {
        let body = StretchBody { spin: [0.2, 1.0, -0.4], inertia: [1.0, 2.0, 3.0], ..StretchBody::default() };
        let energy = |turn| Vec3::from(body.spin).dot(angular_of(&body, Vec3::ZERO, turn));
        let mut turn = Vec3::ZERO;
        let start = energy(turn);
        for _ in 0..100 {
            let middle = turned_on(turn, angular_of(&body, Vec3::ZERO, turn), 0.005);
            turn = turned_on(turn, angular_of(&body, Vec3::ZERO, middle), 0.01);
        }
        assert!(turn.length() > 0.3);
        // The midpoint rule's own error at these turns, and roundings of 32 bits.
        assert!((energy(turn) / start - 1.0).abs() < 1e-5, "{} of {start}", energy(turn));
    }
}
