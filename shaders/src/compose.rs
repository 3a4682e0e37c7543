//! Joins a shader from constants, structures, shared parts and its own text.

use std::fmt::Write;

use crate::layout;
use crate::stage::Stage;

const STRUCTURES: &str = include_str!("layout.wgsl");

/// The complete WGSL text of a stage.
pub fn source(stage: &Stage) -> String {
    let mut text = prelude();
    text.push_str(STRUCTURES);
    for part in stage.fragments {
        text.push_str(part);
    }
    text.push_str(stage.shader);
    text
}

/// The constants of [`crate::layout`] in WGSL.
fn prelude() -> String {
    let mut text = String::new();
    let mut constant = |name: &str, value: u32| {
        writeln!(text, "const {name} = {value}u;").expect("writing to a string cannot fail");
    };
    constant("CLUSTER", layout::CLUSTER as u32);
    constant("WORKGROUP", layout::WORKGROUP);
    constant("TILE", layout::TILE);
    constant("LIST_CAP", layout::LIST_CAP);
    constant("SUPPORTS", layout::SUPPORTS);
    constant("SUPPORT_SLOTS", layout::SUPPORT_SLOTS);
    constant("SLICES", layout::SLICES);
    constant("MAX_CORNERS", crate::tighten::MAX_CORNERS as u32);
    constant("LARGE_TRIANGLE", layout::LARGE_TRIANGLE);
    constant("MAX_GROUPS", layout::MAX_GROUPS);
    constant("BOUNDS", layout::BOUNDS as u32);
    for (name, value) in WORDS {
        constant(name, *value as u32);
    }
    constant("RAY_COUNT_BITS", layout::ray_bit::COUNT);
    constant("RAY_WINDING_BITS", layout::ray_bit::WINDING);
    constant("RAY_COUNT_MASK", layout::ray_bit::COUNT_MASK);
    constant("RAY_DEPTH_MASK", layout::ray_bit::DEPTH_MASK);
    constant("STATE_EMPTY", layout::state::EMPTY);
    constant("STATE_ALIGNED", layout::state::ALIGNED);
    constant("STATE_FIXED", layout::state::FIXED);
    for (name, value) in SUM_NAMES {
        constant(name, *value as u32);
    }
    for (name, value) in [
        ("CULL_SLACK", crate::cull::SLACK),
        ("BOX_SLACK", crate::shrink::BOX_SLACK),
        ("REACH_SLACK", crate::shrink::REACH_SLACK),
        ("COHERENT", crate::moments::COHERENT),
        ("ROUND_PATCH", crate::align::ROUND_PATCH),
        ("NOWHERE", crate::support::NOWHERE),
        ("SOMEWHERE", crate::support::SOMEWHERE),
    ] {
        writeln!(text, "const {name} = {value:?}f;").expect("writing to a string cannot fail");
    }
    let list: Vec<String> =
        crate::support::directions().iter().map(|[c, s]| format!("vec2<f32>({c:?}f, {s:?}f)")).collect();
    writeln!(text, "const SUPPORT_DIRECTIONS = array<vec2<f32>, {}>({});", list.len(), list.join(", "))
        .expect("writing to a string cannot fail");
    text
}

/// Places of words in buffers.
const WORDS: &[(&str, usize)] = &[
    ("BOUND_UPPER", layout::bound::UPPER),
    ("BOUND_WINDINGS", layout::bound::WINDINGS),
    ("N_CORNERS", layout::bound::N_CORNERS),
    ("COUNTER_ITEMS", layout::counter::ITEMS),
    ("COUNTER_LARGE", layout::counter::LARGE),
    ("COUNTER_LARGE_WANTED", layout::counter::LARGE_WANTED),
    ("ARGUMENT_ITEMS", layout::argument::ITEMS),
    ("ARGUMENT_LARGE", layout::argument::LARGE),
    ("ARGUMENT_COUNT", layout::argument::COUNT),
];

const SUM_NAMES: &[(&str, usize)] = &[
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
    ("N_SUMS", layout::sum::N),
];
