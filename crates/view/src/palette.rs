//! Colours. Those with a meaning are Okabe and Ito's (2008), which people with any common colour blindness tell apart;
//! bodies have muted ones, so that marks stand out on them, and differ in lightness too.

use serde::{Deserialize, Serialize};

/// Red, green, blue, 0 to 1 as a screen shows them (sRGB).
pub type Rgb = [f32; 3];

/// A colour written as in a style sheet.
pub const fn rgb(hex: u32) -> Rgb {
    [(hex >> 16 & 255) as f32 / 255.0, (hex >> 8 & 255) as f32 / 255.0, (hex & 255) as f32 / 255.0]
}

/// Colours of marks.
pub mod mark {
    use super::{Rgb, rgb};

    /// Okabe and Ito's orange.
    pub const ORANGE: Rgb = rgb(0xE69F00);
    /// Their sky blue.
    pub const SKY: Rgb = rgb(0x56B4E9);
    /// Their bluish green.
    pub const GREEN: Rgb = rgb(0x009E73);
    /// Their yellow.
    pub const YELLOW: Rgb = rgb(0xF0E442);
    /// Their blue.
    pub const BLUE: Rgb = rgb(0x0072B2);
    /// Their vermilion.
    pub const VERMILION: Rgb = rgb(0xD55E00);
    /// Their reddish purple.
    pub const PURPLE: Rgb = rgb(0xCC79A7);
    /// Near black, for what needs no hue.
    pub const INK: Rgb = rgb(0x22262B);
    /// Near white.
    pub const PAPER: Rgb = rgb(0xF7F7F5);
}

/// Colours that moving bodies take in turn.
pub const BODIES: [Rgb; 8] = [
    rgb(0x8FB3D1),
    rgb(0xE3C58F),
    rgb(0x9CC3A5),
    rgb(0xC9A6BF),
    rgb(0xD79E84),
    rgb(0x7E9AA8),
    rgb(0xD8D3A4),
    rgb(0xA9A3D0),
];

/// Colour of bodies that nothing moves.
pub const STATIC: Rgb = rgb(0xB9B7B0);

/// Light or dark surroundings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Theme {
    /// Dark marks on light.
    #[default]
    Light,
    /// Light marks on dark.
    Dark,
}

/// Colours of the surroundings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surroundings {
    /// Background at the upper border.
    pub sky: Rgb,
    /// Background at the lower border, and where the ground ends.
    pub horizon: Rgb,
    /// The ground.
    pub ground: Rgb,
    /// Lines of the grid.
    pub grid: Rgb,
    /// Lines and text without a hue.
    pub ink: Rgb,
}

impl Theme {
    /// The other one.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Light => Self::Dark,
            Self::Dark => Self::Light,
        }
    }

    /// Colours of the surroundings.
    pub fn surroundings(self) -> Surroundings {
        match self {
            Self::Light => Surroundings {
                sky: rgb(0xCFDCE6),
                horizon: rgb(0xF1F3F3),
                ground: rgb(0xE4E5E2),
                grid: rgb(0xA9AFB3),
                ink: mark::INK,
            },
            Self::Dark => Surroundings {
                sky: rgb(0x14181D),
                horizon: rgb(0x2A3138),
                ground: rgb(0x343A40),
                grid: rgb(0x56606A),
                ink: mark::PAPER,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance of WCAG 2.
    fn luminance(colour: Rgb) -> f32 {
        let linear = colour.map(|c| if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) });
        0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }

    #[test]
    fn ink_is_readable_on_every_surrounding() {
        for theme in [Theme::Light, Theme::Dark] {
            let around = theme.surroundings();
            for back in [around.sky, around.horizon, around.ground] {
                let [a, b] = [luminance(around.ink), luminance(back)];
                let contrast = (a.max(b) + 0.05) / (a.min(b) + 0.05);
                // WCAG 2, level AA for text.
                assert!(contrast > 4.5, "{theme:?}: {contrast}");
            }
        }
    }
}
