//! The laws of pressure: the twin of `pressure.wgsl`.

use super::layout::{FacetPair, law};

/// Most steps of Newton's method for JKR's radius: it takes a third off the way from far above.
pub const MAX_STEPS: u32 = 40;

/// Change over the root at which Newton's method has arrived: rounding.
pub const ARRIVED: f32 = 2e-7;

/// Two thirds of the exponent's bias, less what makes the estimate's error least (Kahan): a float's bits divided by three, and this,
/// are about those of its cube root.
pub const CUBE_ROOT_BITS: u32 = 0x2a51_4067;

pub const PI: f32 = std::f32::consts::PI;

#[derive(Clone, Copy, Default)]
pub struct Profile {
    pub contact: f32,
    pub quadratic: f32,
    pub hertz: f32,
    pub punch: f32,
}

fn cube_root(x: f32) -> f32 {
    let mut y = f32::from_bits(x.to_bits() / 3 + CUBE_ROOT_BITS);
    for _ in 0..4 {
        y = y - (y - x / (y * y)) / 3.0;
    }
    y
}

fn jkr_contact(pair: &FacetPair, overlap: f32, curvature: f32) -> f32 {
    let pull = (2.0 * PI * pair.work / pair.modulus).sqrt();
    if overlap < -0.75 * pull * cube_root(pull / (4.0 * curvature)) {
        return 0.0;
    }
    let quarter = (2.0 * overlap.max(0.0) / curvature).sqrt().sqrt();
    let mut x = quarter.max(cube_root(2.0 * pull / curvature));
    for _ in 0..MAX_STEPS {
        let value = (curvature * x * x * x - pull) * x - overlap;
        let slope = 4.0 * curvature * x * x * x - pull;
        if slope <= 0.0 {
            break;
        }
        let change = value / slope;
        x -= change;
        if change <= ARRIVED * x {
            break;
        }
    }
    x * x
}

/// Without a contact radius where the spheres do not act on each other.
pub fn profile_of(pair: &FacetPair, overlap: f32, curvature: f32) -> Profile {
    let mut profile = Profile::default();
    if pair.law == law::JKR {
        if pair.in_touch != 0 || overlap >= 0.0 {
            profile.contact = jkr_contact(pair, overlap, curvature);
        }
    } else if overlap > 0.0 {
        let height = if pair.law == law::LINEAR { 2.0 * overlap } else { overlap };
        profile.contact = (height / curvature).sqrt();
    }
    let a = profile.contact;
    if pair.law == law::LINEAR {
        profile.quadratic = 0.125 * pair.modulus * curvature * (a * a) * (a * a);
    } else {
        profile.hertz = 2.0 * pair.modulus * curvature / (3.0 * PI) * (a * a * a);
    }
    if pair.law == law::JKR {
        profile.punch = -((2.0 * pair.work * pair.modulus * a / PI).sqrt() * a);
    }
    profile
}
