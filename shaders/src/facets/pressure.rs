//! The laws of pressure: the twin of `pressure.wgsl`.

use glam::Vec2;

use super::layout::{FacetPair, law};

/// Most steps of Newton's method for JKR's radius: it takes a third off the way from far above.
pub const MAX_STEPS: u32 = 40;

/// Change over the root at which Newton's method has arrived: rounding.
pub const ARRIVED: f32 = 2e-7;

/// Two thirds of the exponent's bias, less what makes the estimate's error least (Kahan): a float's bits divided by three, and this,
/// are about those of its cube root.
pub const CUBE_ROOT_BITS: u32 = 0x2a51_4067;

/// Steps to an ellipse's width over its length.
pub const OVAL_STEPS: u32 = 3;

/// Steps of the arithmetic and geometric mean.
pub const MEAN_STEPS: u32 = 3;

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

/// A contact that is longer than wide as a round one: see `Oval` of tactum-geometry.
#[derive(Clone, Copy)]
pub struct Oval {
    pub curvature: f32,
    pub ratio: f32,
}

struct Ellipse {
    bend: f32,
    length: f32,
    mean: f32,
    steepness: f32,
}

fn ellipse_of(ratio: f32) -> Ellipse {
    let half = 0.5 * (1.0 + ratio);
    let difference = 0.5 * (1.0 - ratio);
    let (mut mean, mut root) = (half, ratio.sqrt());
    let (mut c, mut part, mut power) = (difference, 1.0, 1.0);
    let mut sum = 0.5 * difference;
    let mut share = 0.5;
    for _ in 0..MEAN_STEPS {
        let next = 0.5 * (mean + root);
        let less = c / (4.0 * next);
        part *= less;
        c *= less;
        power *= 2.0;
        sum += 0.5 * power * c * part;
        share += 0.5 * power * part * part;
        root = (mean * root).sqrt();
        mean = next;
    }
    let steepness = 2.0 + (share - (half + sum) * (half + sum)) / ((half + sum) * (half - sum));
    Ellipse {
        bend: (half - sum) / (ratio * ratio * (half + sum)),
        length: (half + sum) / half,
        mean,
        steepness,
    }
}

pub fn oval_of(pair: &FacetPair, curvature: f32, bend: f32) -> Oval {
    let mut oval = Oval { curvature, ratio: 1.0 };
    if bend == 0.0 {
        return oval;
    }
    let steep = curvature + bend;
    let shallow = curvature - bend;
    if pair.law == law::LINEAR {
        oval.curvature = (steep * shallow).sqrt();
        oval.ratio = (shallow / steep).sqrt();
        return oval;
    }
    let first = bend / (1.5 * curvature);
    oval.ratio = (1.0 - first) / (1.0 + first);
    for _ in 0..OVAL_STEPS {
        let off = ellipse_of(oval.ratio).bend * shallow / steep;
        oval.ratio *= (5.0 * off + 1.0) / (off + 5.0);
    }
    let ellipse = ellipse_of(oval.ratio);
    oval.curvature = shallow / (ellipse.length * ellipse.mean * ellipse.mean);
    oval
}

/// Whether there is any pressure at an overlap: most candidates are apart, and need no ellipse to tell that.
pub fn may_act(pair: &FacetPair, overlap: f32) -> bool {
    pair.law == law::JKR && (pair.in_touch != 0 || overlap >= 0.0) || overlap > 0.0
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

/// How an oval contact changes with the curvature of its gap and with how much more that is one way, by the curvature and by the bend: see `OvalSlopes` of tactum-geometry.
pub struct OvalSlopes {
    pub curvature: Vec2,
    pub ratio: Vec2,
}

pub fn oval_slopes(pair: &FacetPair, curvature: f32, bend: f32, ratio: f32) -> OvalSlopes {
    let (steep, shallow) = (curvature + bend, curvature - bend);
    let product = steep * shallow;
    let apart = Vec2::new(-2.0 * bend, 2.0 * curvature) / product;
    if pair.law == law::LINEAR {
        return OvalSlopes { curvature: Vec2::new(curvature, -bend) / product, ratio: apart * -0.5 };
    }
    let ellipse = ellipse_of(ratio);
    let long = 0.5 * ellipse.length / shallow;
    let wide = ratio * ratio;
    OvalSlopes {
        curvature: Vec2::new(long * (1.0 + wide), long * (wide - 1.0)),
        ratio: apart / -ellipse.steepness,
    }
}

/// The energy per area over -Psi: see `Pressure::stored` of tactum-geometry.
pub fn stored_of(pair: &FacetPair, curvature: f32) -> f32 {
    if pair.law == law::LINEAR { curvature } else { 2.0 * curvature }
}
