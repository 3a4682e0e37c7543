//! The WGSL text of a ray stage.

use super::stages::Stage;
use super::{
    align, apart, clash, descend, extent, fixed, layout, moments, overlay, plane, rim, shrink, support,
    tighten, total,
};
use crate::compose::Prelude;

/// The complete WGSL text of a stage.
pub fn source(stage: &Stage) -> String {
    let mut prelude = Prelude::new();
    prelude.whole(&SIZES);
    prelude.whole(&fixed::BITS);
    prelude.whole(&WORDS.map(|(name, value)| (name, value as u32)));
    prelude.whole(&SUMS.map(|(name, value)| (name, value as u32)));
    prelude.numbers(&NUMBERS);
    prelude.pairs("SUPPORT_DIRECTIONS", &support::directions());
    prelude.join(include_str!("layout.wgsl"), stage)
}

/// Sizes, masks and states.
const SIZES: [(&str, u32); 33] = [
    ("CLUSTER", layout::CLUSTER as u32),
    ("TILE", layout::TILE),
    ("LIST_CAP", layout::LIST_CAP),
    ("SUPPORTS", layout::SUPPORTS),
    ("SUPPORT_SLOTS", layout::SUPPORT_SLOTS),
    ("SLICES", layout::SLICES),
    ("MAX_CORNERS", tighten::MAX_CORNERS as u32),
    ("LARGE_TRIANGLE", layout::LARGE_TRIANGLE),
    ("BOUNDS", layout::BOUNDS as u32),
    ("RAY_COUNT_BITS", layout::ray_bit::COUNT),
    ("RAY_WINDING_BITS", layout::ray_bit::WINDING),
    ("RAY_COUNT_MASK", layout::ray_bit::COUNT_MASK),
    ("RAY_DEPTH_MASK", layout::ray_bit::DEPTH_MASK),
    ("STATE_EMPTY", layout::state::EMPTY),
    ("STATE_ALIGNED", layout::state::ALIGNED),
    ("STATE_FIXED", layout::state::FIXED),
    ("STATE_CELL", layout::state::CELL),
    ("SHELL_UNKNOWN", layout::shell::UNKNOWN),
    ("SHELL_NEXT", layout::shell::NEXT),
    ("FAN", descend::FAN),
    ("MAX_WANTED", descend::MAX_WANTED as u32),
    ("CORNERS", layout::CORNERS),
    ("MAX_NEAR", clash::MAX_NEAR as u32),
    ("MAX_SEEDS", apart::MAX_SEEDS as u32),
    ("MAX_COLUMN", apart::MAX_COLUMN as u32),
    ("FLOAT_DIGITS", fixed::DIGITS),
    ("MAX_POLYGON", overlay::MAX_POLYGON as u32),
    ("MAX_POINTS", rim::MAX_POINTS),
    ("MAX_LOOKED", rim::MAX_LOOKED),
    ("MAX_HALVINGS", overlay::MAX_HALVINGS),
    ("SUPPORT_ALONG", rim::ALONG),
    ("SUPPORT_ACROSS", rim::ACROSS),
    ("ACROSS_BITS", rim::ACROSS_BITS),
];

/// Thresholds.
const NUMBERS: [(&str, f32); 21] = [
    ("EXTENT_SLACK", extent::SLACK),
    ("SEPARATION", clash::SEPARATION),
    ("TINY", clash::TINY),
    ("BOX_SLACK", shrink::BOX_SLACK),
    ("REACH_SLACK", shrink::REACH_SLACK),
    ("COHERENT", moments::COHERENT),
    ("ROUND_PATCH", align::ROUND_PATCH),
    ("NOWHERE", support::NOWHERE),
    ("SOMEWHERE", support::SOMEWHERE),
    ("FINE", fixed::FINE),
    ("PLACE", fixed::PLACE),
    ("LAST", total::LAST),
    ("ONE_SUM", total::ONE),
    ("LARGEST_SUM", overlay::LARGEST),
    ("HEIGHT_ERROR", overlay::HEIGHT_ERROR),
    ("LIKELY_ERROR", overlay::LIKELY_ERROR),
    ("HALVED_TO", overlay::HALVED_TO),
    ("FARTHEST", overlay::FARTHEST),
    ("PRODUCT_ERROR", plane::PRODUCT_ERROR),
    ("PLACE_BETWEEN", rim::PLACE_BETWEEN),
    ("FARTHEST_PLACE", rim::FARTHEST_PLACE),
];

/// Places of words in buffers.
const WORDS: [(&str, usize); 16] = [
    ("BOUND_UPPER", layout::bound::UPPER),
    ("BOUND_WINDINGS", layout::bound::WINDINGS),
    ("N_CORNERS", layout::bound::N_CORNERS),
    ("BOUND_CLASH", layout::bound::CLASH),
    ("SPAN_SUMS", layout::span::SUMS),
    ("SPAN_SUPPORTS", layout::span::SUPPORTS),
    ("SPAN_BOUNDS", layout::span::BOUNDS),
    ("SPAN_SLICES", layout::span::SLICES),
    ("SPAN_OVERFLOW", layout::span::OVERFLOW),
    ("N_SPAN", layout::span::N),
    ("COUNTER_ITEMS", layout::counter::ITEMS),
    ("COUNTER_LARGE", layout::counter::LARGE),
    ("COUNTER_LARGE_WANTED", layout::counter::LARGE_WANTED),
    ("ARGUMENT_ITEMS", layout::argument::ITEMS),
    ("ARGUMENT_LARGE", layout::argument::LARGE),
    ("ARGUMENT_COUNT", layout::argument::COUNT),
];

/// Places of sums.
const SUMS: [(&str, usize); 27] = [
    ("LENGTH", layout::sum::LENGTH),
    ("LENGTH_X", layout::sum::LENGTH_X),
    ("LENGTH_Y", layout::sum::LENGTH_Y),
    ("SQUARE", layout::sum::SQUARE),
    ("LENGTH_XX", layout::sum::LENGTH_XX),
    ("LENGTH_YY", layout::sum::LENGTH_YY),
    ("CUBE", layout::sum::CUBE),
    ("LENGTH_XY", layout::sum::LENGTH_XY),
    ("SQUARE_Y", layout::sum::SQUARE_Y),
    ("SQUARE_X", layout::sum::SQUARE_X),
    ("AREA", layout::sum::AREA),
    ("AREA_X", layout::sum::AREA_X),
    ("AREA_Y", layout::sum::AREA_Y),
    ("AREA_Z", layout::sum::AREA_Z),
    ("ENDS_A", layout::sum::ENDS_A),
    ("ENDS_B", layout::sum::ENDS_B),
    ("MIXED", layout::sum::MIXED),
    ("OVERFLOW", layout::sum::OVERFLOW),
    ("NEGATIVE", layout::sum::NEGATIVE),
    ("OPEN", layout::sum::OPEN),
    ("QUARTER_LENGTH", layout::sum::QUARTER_LENGTH),
    ("QUARTER_AREA", layout::sum::QUARTER_AREA),
    ("AREA_B", layout::sum::AREA_B),
    ("PLAIN_A", layout::sum::PLAIN_A),
    ("PLAIN_B", layout::sum::PLAIN_B),
    ("FLOOR", layout::sum::FLOOR),
    ("N_SUMS", layout::sum::N),
];
