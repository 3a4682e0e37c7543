// Corners relative to the pair's box by whole numbers, of which a pair of words, low and high, holds 64 bits.

fn add_wide(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let low = a.x + b.x;
    return vec2<u32>(low, a.y + b.y + select(0u, 1u, low < a.x));
}

fn negated_wide(a: vec2<u32>) -> vec2<u32> {
    return add_wide(vec2<u32>(~a.x, ~a.y), vec2<u32>(1u, 0u));
}

// Half of a number, rounded down.
fn half_wide(a: vec2<u32>) -> vec2<u32> {
    return vec2<u32>((a.x >> 1u) | (a.y << (WORD_BITS - 1u)), bitcast<u32>(bitcast<i32>(a.y) >> 1u));
}

// The product of two whole numbers, from products of their halves.
fn product_wide(a: i32, b: i32) -> vec2<u32> {
    let x = bitcast<u32>(a);
    let y = bitcast<u32>(b);
    let x0 = x & HALF_MASK;
    let x1 = x >> HALF_BITS;
    let y0 = y & HALF_MASK;
    let y1 = y >> HALF_BITS;
    let p00 = x0 * y0;
    let p01 = x0 * y1;
    let p10 = x1 * y0;
    let middle = (p00 >> HALF_BITS) + (p01 & HALF_MASK) + (p10 & HALF_MASK);
    let low = (middle << HALF_BITS) | (p00 & HALF_MASK);
    var high = x1 * y1 + (p01 >> HALF_BITS) + (p10 >> HALF_BITS) + (middle >> HALF_BITS);
    // Two's complement: a negative factor is 2^32 less.
    high -= select(0u, y, a < 0);
    high -= select(0u, x, b < 0);
    return vec2<u32>(low, high);
}

// One over a power of two.
fn inverse_of_power(x: f32) -> f32 {
    return bitcast<f32>(INVERSE_OF_POWER - bitcast<u32>(x));
}

// A float without its digits after the point, towards zero.
fn to_fixed(x: f32) -> vec2<u32> {
    let bits = bitcast<u32>(x);
    let exponent = (bits >> EXPONENT_SHIFT) & EXPONENT_MASK;
    let digits = (bits & DIGITS_MASK) | LEADING_DIGIT;
    var magnitude = vec2<u32>(0u);
    if (exponent >= EXPONENT_OF_ONE && exponent <= EXPONENT_OF_DIGITS) {
        magnitude.x = digits >> (EXPONENT_OF_DIGITS - exponent);
    } else if (exponent > EXPONENT_OF_DIGITS) {
        let shift = (exponent - EXPONENT_OF_DIGITS) & (2u * WORD_BITS - 1u);
        if (shift >= WORD_BITS) {
            magnitude.y = digits << (shift - WORD_BITS);
        } else if (shift > 0u) {
            magnitude = vec2<u32>(digits << shift, digits >> (WORD_BITS - shift));
        }
    }
    if ((bits >> (WORD_BITS - 1u)) == 1u) {
        return negated_wide(magnitude);
    }
    return magnitude;
}

// The leading digits of a fixed-point number, towards zero.
fn from_fixed(x: vec2<u32>) -> f32 {
    let is_negative = (x.y >> (WORD_BITS - 1u)) == 1u;
    var magnitude = x;
    if (is_negative) {
        magnitude = negated_wide(x);
    }
    var n_bits = WORD_BITS - countLeadingZeros(magnitude.x);
    if (magnitude.y != 0u) {
        n_bits = 2u * WORD_BITS - countLeadingZeros(magnitude.y);
    }
    var surplus = 0u;
    if (n_bits > FLOAT_DIGITS) {
        surplus = n_bits - FLOAT_DIGITS;
    }
    var digits = magnitude.x;
    if (surplus >= WORD_BITS) {
        digits = magnitude.y >> (surplus - WORD_BITS);
    } else if (surplus > 0u) {
        digits = (magnitude.x >> surplus) | (magnitude.y << (WORD_BITS - surplus));
    }
    let value = f32(digits) * bitcast<f32>((EXPONENT_OF_ONE + surplus) << EXPONENT_SHIFT);
    if (is_negative) {
        return -value;
    }
    return value;
}
