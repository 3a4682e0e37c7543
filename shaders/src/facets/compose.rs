//! The WGSL text of a facet stage.

use super::stages::Stage;
use super::{integral, layout, near, plane, polygon, pressure, stretch_layout, tri_overlap, turn};
use crate::compose::Prelude;

/// The complete WGSL text of a stage.
pub fn source(stage: &Stage) -> String {
    let mut prelude = Prelude::new();
    prelude.whole(&SIZES);
    prelude.numbers(&NUMBERS);
    prelude.pairs("POINTS", &integral::POINTS);
    prelude.join(include_str!("layout.wgsl"), stage)
}

/// Sizes, laws, states and places.
const SIZES: [(&str, u32); 36] = [
    ("GROUP", layout::GROUP),
    ("CLUSTER", layout::CLUSTER),
    ("BOXES", layout::BOXES),
    ("MAX_CORNERS", layout::MAX_CORNERS as u32),
    ("NOWHERE", layout::NOWHERE),
    ("FLATTENED", layout::FLATTENED),
    ("WORD_BITS", u32::BITS),
    ("LAW_LINEAR", layout::law::LINEAR),
    ("LAW_HERTZ", layout::law::HERTZ),
    ("LAW_JKR", layout::law::JKR),
    ("STATE_TOUCHES", layout::state::TOUCHES),
    ("STATE_REFUSED", layout::state::REFUSED),
    ("STATE_DOUBT", layout::state::DOUBT),
    ("BEYOND_HERTZ", layout::doubt::BEYOND_HERTZ as u32),
    ("TOO_DEEP", layout::doubt::TOO_DEEP as u32),
    ("RING_CUT", layout::doubt::RING_CUT as u32),
    ("N_DOUBTS", layout::doubt::N as u32),
    ("OF_FIRST", polygon::OF_FIRST),
    ("OF_SECOND", polygon::OF_SECOND),
    ("OF_BOTH", polygon::OF_BOTH),
    ("PLANE_NONE", plane::NONE),
    ("PLANE_MEETS", plane::MEETS),
    ("PLANE_REFUSED", plane::REFUSED),
    ("MAX_STEPS", pressure::MAX_STEPS),
    ("CUBE_ROOT_BITS", pressure::CUBE_ROOT_BITS),
    ("OVAL_STEPS", pressure::OVAL_STEPS),
    ("MEAN_STEPS", pressure::MEAN_STEPS),
    ("N_POINTS", integral::N_POINTS as u32),
    ("MAX_PATCHES", stretch_layout::MAX_PATCHES as u32),
    ("MAX_SPRINGS", stretch_layout::MAX_SPRINGS as u32),
    ("CAUSE_BITS", stretch_layout::cause::BITS),
    ("CAUSE_ROOM", stretch_layout::cause::ROOM),
    ("CAUSE_DOUBT", stretch_layout::cause::DOUBT),
    ("CAUSE_PATCHES", stretch_layout::cause::PATCHES),
    ("CAUSE_STIFF", stretch_layout::cause::STIFF),
    ("CAUSE_WAY", stretch_layout::cause::WAY),
];

/// Coefficients and thresholds.
const NUMBERS: [(&str, f32); 21] = [
    ("PI", pressure::PI),
    ("HALF_OVER_PI", integral::HALF_OVER_PI),
    ("TAN_EIGHTH", integral::TAN_EIGHTH),
    ("ARC_3", integral::ARC[0]),
    ("ARC_5", integral::ARC[1]),
    ("ARC_7", integral::ARC[2]),
    ("ARC_9", integral::ARC[3]),
    ("SLANT", near::SLANT),
    ("OPPOSED", plane::OPPOSED),
    ("APART", plane::APART),
    ("TIGHT", plane::TIGHT),
    ("ONE_WAY", plane::ONE_WAY),
    ("SAME", polygon::SAME),
    ("ON_LINE", polygon::ON_LINE),
    ("LONG", polygon::LONG),
    ("NO_AREA", polygon::NO_AREA),
    ("ARRIVED", pressure::ARRIVED),
    ("HERTZ_LIMIT", tri_overlap::HERTZ_LIMIT),
    ("ON_EDGE", tri_overlap::ON_EDGE),
    ("THIRD", turn::THIRD),
    ("TWO_FIFTEENTHS", turn::TWO_FIFTEENTHS),
];
