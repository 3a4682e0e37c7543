//! State of widgets that is nobody else's business, from picture to picture.

use glam::DVec3;

use super::table::Column;

/// What a press of the left button began.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Gesture {
    /// Nothing.
    #[default]
    None,
    /// The camera turns.
    Orbit,
    /// The camera moves sideways.
    Pan,
    /// A body is pulled; the distance along the view at which it was grabbed \[m\].
    Pull(f64),
}

/// What falls from the sky.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DropShape {
    /// A cube.
    #[default]
    Box,
    /// A ball.
    Ball,
    /// A capsule.
    Capsule,
    /// A copy of the selected body.
    Copy,
}

/// State of widgets.
#[derive(Debug)]
pub struct WidgetState {
    /// What the mouse is doing to the scene.
    pub gesture: Gesture,
    /// Whether a menu was open before the panels were made.
    pub had_menu: bool,
    /// What is dropped next.
    pub drop_shape: DropShape,
    /// Part of the names of bodies and joints that are looked for.
    pub search: String,
    /// What the slider of the time step shows while it is held \[s\].
    pub time_step: Option<f64>,
    /// Column that contacts are sorted by, and whether from large to small.
    pub order: (Column, bool),
    /// Whether the next frame is to be looked at as a whole.
    pub must_frame: bool,
    /// The followed body, and where it was when it was shown last, world \[m\].
    pub followed_at: Option<(u32, DVec3)>,
    /// Whether the next frame tells where the ground is.
    pub new_floor: bool,
    /// Number of the next file of each kind.
    pub n_files: u32,
}

impl Default for WidgetState {
    fn default() -> Self {
        Self {
            gesture: Gesture::None,
            had_menu: false,
            drop_shape: DropShape::default(),
            search: String::new(),
            time_step: None,
            order: (Column::Normal, true),
            must_frame: false,
            followed_at: None,
            new_floor: false,
            n_files: 1,
        }
    }
}
