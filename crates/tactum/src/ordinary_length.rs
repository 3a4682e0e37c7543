//! Directions of any length that a scene may give.

use glam::DVec4;

/// A direction at a length whose square neither overflows nor vanishes.
pub fn of_ordinary_length(direction: DVec4) -> DVec4 {
    if direction.length_squared().is_normal() { direction } else { direction / direction.abs().max_element() }
}
