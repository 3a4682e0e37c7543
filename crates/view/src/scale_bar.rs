//! A bar of a round length, by which sizes in a picture are told.

use egui::{Align2, FontId, Painter, Rect, pos2, vec2};

use crate::camera::Camera;
use crate::legend::{TEXT, colour32};
use crate::palette::Theme;

/// Longest bar \[points\].
const LONGEST: f64 = 140.0;

/// A bar as long as a round length at the depth of the camera's target.
#[derive(Clone, Debug, PartialEq)]
pub struct ScaleBar {
    /// Length in the picture \[points\].
    pub points: f32,
    /// Length in the scene, in words.
    pub text: String,
}

impl ScaleBar {
    /// The bar of a picture of a height \[points\].
    pub fn of(camera: &Camera, height: f64) -> Self {
        let per_point = camera.metres_per_pixel(height);
        let metres = round_down(LONGEST * per_point);
        Self { points: (metres / per_point) as f32, text: length_in_words(metres) }
    }

    /// Paints the bar into the lower right corner of a rectangle.
    pub fn paint(&self, painter: &Painter, rect: Rect, theme: Theme) {
        let around = theme.surroundings();
        let ink = colour32(around.ink);
        let size = vec2(self.points + 20.0, 32.0);
        let frame = Rect::from_min_size(rect.right_bottom() - size - vec2(12.0, 12.0), size);
        painter.rect_filled(frame, 6.0, colour32(around.horizon).gamma_multiply(0.85));
        let font = FontId::proportional(TEXT);
        painter.text(frame.center_top() + vec2(0.0, 3.0), Align2::CENTER_TOP, &self.text, font, ink);
        let [left, right, y] = [frame.left() + 10.0, frame.right() - 10.0, frame.bottom() - 7.0];
        painter.line_segment([pos2(left, y), pos2(right, y)], (2.0, ink));
        for x in [left, right] {
            painter.line_segment([pos2(x, y - 4.0), pos2(x, y + 4.0)], (2.0, ink));
        }
    }
}

/// The largest of 1, 2 and 5 times a power of ten that is no more than a positive number.
fn round_down(x: f64) -> f64 {
    // A last bit that is missing makes no other power of ten.
    let power = 10_f64.powf((x * (1.0 + 1e-12)).log10().floor());
    let digit = [5.0, 2.0].into_iter().find(|digit| digit * power <= x * (1.0 + 1e-12));
    digit.unwrap_or(1.0) * power
}

/// A length \[m\] in the unit in which it has one to three digits.
fn length_in_words(metres: f64) -> String {
    let units = [(1e3, "km"), (1.0, "m"), (1e-2, "cm"), (1e-3, "mm"), (1e-6, "µm")];
    let (unit, name) =
        units.into_iter().find(|(unit, _)| metres >= unit * (1.0 - 1e-9)).unwrap_or((1e-9, "nm"));
    // A round number: what is left of rounding is not shown.
    format!("{} {name}", (1e3 * metres / unit).round() / 1e3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_of_round_lengths_and_as_long_as_they_fit() {
        for distance in [1e-4, 0.03, 1.0, 2.9, 7.7, 1e5] {
            let camera = Camera { distance, ..Camera::default() };
            let bar = ScaleBar::of(&camera, 800.0);
            // Between two round lengths lies a factor of 2.5 at most.
            assert!(
                (LONGEST as f32 / 2.5..=LONGEST as f32 + 1e-3).contains(&bar.points),
                "{distance}: {bar:?}"
            );
        }
    }

    #[test]
    fn lengths_are_told_in_the_unit_that_suits_them() {
        let lengths = [(2000.0, "2 km"), (5.0, "5 m"), (0.5, "50 cm"), (0.02, "2 cm"), (0.005, "5 mm")];
        for (metres, words) in lengths.into_iter().chain([(2e-5, "20 µm"), (1e-8, "10 nm")]) {
            assert_eq!(length_in_words(round_down(metres)), words);
        }
    }
}
