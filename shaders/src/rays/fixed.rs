//! Corners relative to the pair's box by whole numbers: the twin of `fixed.wgsl`.
//!
//! 32-bit floats move a point by some 2e-7 of the reach, which is more than resting bodies overlap. Whole numbers are exact on every
//! device, whatever it fuses and however it rounds: a corner is 31 bits of the mesh's unit, an axis 31 bits of one, their products and the
//! translation 64 bits; the corner of the box is subtracted from the sum before anything is rounded.

use glam::Vec3;

use super::layout::{ClusterTriangles, PairFrame};

/// One in the axes of [`PairFrame::fixed_from_a`].
pub const ONE_BITS: u32 = 30;

/// The unit of a sum as a part of the mesh's unit.
pub const FINE: f32 = 1.0 / (1u32 << ONE_BITS) as f32;

/// Digits of a 32-bit float.
pub const DIGITS: u32 = 24;

/// Bits of words and of 32-bit floats, as the shader names them.
pub const BITS: [(&str, u32); 11] = [
    ("WORD_BITS", u32::BITS),
    ("BYTE_BITS", u8::BITS),
    ("HALF_BITS", u16::BITS),
    ("HALF_MASK", u16::MAX as u32),
    ("EXPONENT_SHIFT", EXPONENT_SHIFT),
    ("EXPONENT_MASK", u8::MAX as u32),
    ("DIGITS_MASK", LEADING_DIGIT - 1),
    ("LEADING_DIGIT", LEADING_DIGIT),
    ("EXPONENT_OF_ONE", EXPONENT_OF_ONE),
    ("EXPONENT_OF_DIGITS", EXPONENT_OF_DIGITS),
    ("INVERSE_OF_POWER", INVERSE_OF_POWER),
];

/// Where the exponent of a float begins.
const EXPONENT_SHIFT: u32 = DIGITS - 1;

/// The digit that a float does not write.
const LEADING_DIGIT: u32 = 1 << EXPONENT_SHIFT;

/// Exponents of a float of 1 and of one whose last digit is 1.
const EXPONENT_OF_ONE: u32 = 127;
const EXPONENT_OF_DIGITS: u32 = EXPONENT_OF_ONE + EXPONENT_SHIFT;

/// The sum of the words of a power of two and of one over it.
const INVERSE_OF_POWER: u32 = (2 * EXPONENT_OF_ONE) << EXPONENT_SHIFT;

/// Error of a placed coordinate, as a part of the pair's reach: a corner is rounded to 2⁻³¹ of its mesh's half size, and each of three
/// axes by 2⁻³¹, for both bodies.
pub const PLACE: f32 = 2e-9;

/// How far two bodies' points may be off along each axis of the box, in box coordinates.
#[inline]
pub fn place_error(frame: &PairFrame) -> Vec3 {
    Vec3::from(frame.scale) * (PLACE * frame.reach)
}

/// A map in whole numbers, as [`PairFrame::fixed_from_a`] and [`PairFrame::low_a`] hold it: from the rows of a rotation, a translation
/// and the unit that corners are counted in \[m\].
pub fn fixed_rows(axes: [[f64; 3]; 3], translation: [f64; 3], unit: f32) -> ([[i32; 4]; 3], [u32; 3]) {
    let one = f64::from(1u32 << ONE_BITS);
    let shift = translation.map(|x| (x / f64::from(unit) * one).round() as i64);
    let row = |k: usize| {
        let [x, y, z] = axes[k].map(|x| (x * one).round() as i32);
        [x, y, z, (shift[k] >> 32) as i32]
    };
    ([0, 1, 2].map(row), shift.map(|x| x as u32))
}

/// One over a power of two.
#[inline]
fn inverse_of_power(x: f32) -> f32 {
    f32::from_bits(INVERSE_OF_POWER - x.to_bits())
}

/// A float without its digits after the point, towards zero. Must be below 2⁶³.
#[inline]
pub fn to_fixed(x: f32) -> i64 {
    let bits = x.to_bits();
    let exponent = (bits >> EXPONENT_SHIFT) & u32::from(u8::MAX);
    let digits = i64::from((bits & (LEADING_DIGIT - 1)) | LEADING_DIGIT);
    let magnitude = match exponent {
        0..EXPONENT_OF_ONE => 0,
        EXPONENT_OF_ONE..=EXPONENT_OF_DIGITS => digits >> (EXPONENT_OF_DIGITS - exponent),
        _ => digits.wrapping_shl(exponent - EXPONENT_OF_DIGITS),
    };
    if bits >> 31 == 1 { magnitude.wrapping_neg() } else { magnitude }
}

/// The leading digits of a fixed-point number, towards zero.
#[inline]
pub fn from_fixed(x: i64) -> f32 {
    let magnitude = x.unsigned_abs();
    let surplus = (u64::BITS - magnitude.leading_zeros()).saturating_sub(DIGITS);
    let digits = (magnitude >> surplus) as u32;
    let value = digits as f32 * f32::from_bits((EXPONENT_OF_ONE + surplus) << EXPONENT_SHIFT);
    if x < 0 { -value } else { value }
}

/// A corner in the mesh's unit.
#[inline]
fn vertex(triangles: &ClusterTriangles, unit: f32, lane: usize, k: usize) -> [i32; 3] {
    let low = triangles.low[k][lane];
    [0, 1, 2].map(|c| {
        let high = (triangles.corners[3 * k + c][lane] * inverse_of_power(unit)) as i32;
        high + (((low << (24 - 8 * c)) as i32) >> 24)
    })
}

/// A triangle's corners from the box's lower corner, in 2⁻³⁰ of the mesh's unit along the box's axes.
pub type FixedTriangle = [[i64; 3]; 3];

/// The corners of a triangle of the body that a side stands for.
pub fn fixed_triangle(
    frame: &PairFrame,
    side: u32,
    triangles: &ClusterTriangles,
    lane: usize,
) -> FixedTriangle {
    let (rows, low, unit) = match side % 2 {
        0 => (&frame.fixed_from_a, frame.low_a, frame.unit_a),
        _ => (&frame.fixed_from_b, frame.low_b, frame.unit_b),
    };
    let fine = unit * FINE;
    let from_lo: [i64; 3] = std::array::from_fn(|k| {
        let translation = (i64::from(rows[k][3]) << 32) | i64::from(low[k]);
        translation.wrapping_sub(to_fixed(frame.lo[k] * inverse_of_power(fine)))
    });
    [0, 1, 2].map(|k| {
        let x = vertex(triangles, unit, lane, k);
        std::array::from_fn(|axis| {
            (0..3).fold(from_lo[axis], |sum, c| sum.wrapping_add(i64::from(rows[axis][c]) * i64::from(x[c])))
        })
    })
}

/// A point in box coordinates.
#[inline]
pub fn in_box_of(frame: &PairFrame, side: u32, x: [i64; 3]) -> Vec3 {
    let fine = [frame.unit_a, frame.unit_b][(side % 2) as usize] * FINE;
    let at = |axis: usize| from_fixed(x[axis]) * fine * frame.scale[axis];
    Vec3::new(at(0), at(1), at(2))
}

/// The corners of a triangle in box coordinates.
#[inline]
pub fn fixed_corners(frame: &PairFrame, side: u32, triangles: &ClusterTriangles, lane: usize) -> [Vec3; 3] {
    fixed_triangle(frame, side, triangles, lane).map(|x| in_box_of(frame, side, x))
}

/// The middle of two points; the last digit is far below what points are rounded to.
#[inline]
pub fn middle(a: [i64; 3], b: [i64; 3]) -> [i64; 3] {
    std::array::from_fn(|axis| (a[axis] >> 1).wrapping_add(b[axis] >> 1))
}
