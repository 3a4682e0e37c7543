//! `[view]`: how a scene is looked at.
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "units stand in plain brackets: the texts are shown to users as they are"
)]

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How the viewer looks at the scene, in a window and in pictures. Nothing of it changes a result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ViewSpec {
    /// Direction in which the camera stands, about z from x [degrees]. Default -60.
    pub yaw_deg: Option<f64>,
    /// Height of the camera above the horizon [degrees]; negative looks up from below. Default 30.
    pub pitch_deg: Option<f64>,
    /// The point looked at [m]. Default: the middle of all that moves.
    pub target: Option<[f64; 3]>,
    /// Side of a cube about the target that the picture shows whole [m]. Default: so much that all that moves is seen.
    pub size: Option<f64>,
    /// Simulated time of a picture [s]. Default: the scene's duration.
    pub time: Option<f64>,
    /// Opacity of bodies that move, from 0 to 1. Default: so that contacts are seen through them.
    pub opacity: Option<f64>,
    /// Opacity of bodies that do not move, from 0 to 1. Default 1, and less where they hide bodies that move.
    pub fixed_opacity: Option<f64>,
}

impl ViewSpec {
    /// Whether nothing was said, which a file says by leaving it out.
    pub(super) fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}
