//! Colours. Those with a meaning are Okabe and Ito's (2008), which people with any common colour blindness tell apart;
//! bodies have muted ones, so that marks stand out on them, which differ enough in lightness to be told apart too.

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
    /// The hues, in the order of their list.
    pub const HUES: [Rgb; 7] = [ORANGE, SKY, GREEN, YELLOW, BLUE, VERMILION, PURPLE];
    /// Near black, for what needs no hue.
    pub const INK: Rgb = rgb(0x22262B);
    /// Near white.
    pub const PAPER: Rgb = rgb(0xF7F7F5);
}

/// Colours that moving bodies take in turn.
pub const BODIES: [Rgb; 8] = [
    rgb(0x689BC0),
    rgb(0xEEC98D),
    rgb(0x779E84),
    rgb(0xE4C6DF),
    rgb(0xB37C5B),
    rgb(0x8F929E),
    rgb(0xC3AC82),
    rgb(0xAAB4EE),
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
    use glam::{DMat3, DVec3};

    use super::*;
    use crate::marks::State;

    /// Without the curve of sRGB.
    fn linear(colour: Rgb) -> DVec3 {
        let one = |c: f64| if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) };
        DVec3::from(colour.map(|c| one(f64::from(c))))
    }

    /// Relative luminance of WCAG 2.
    fn luminance(colour: Rgb) -> f64 {
        DVec3::new(0.2126, 0.7152, 0.0722).dot(linear(colour))
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

    /// Ways to see: the name, and the rows of the matrix that takes linear sRGB to what a person without one kind of cones
    /// sees of it (Machado, Oliveira and Fernandes 2009, table 1, severity 1).
    const SIGHTS: [(&str, [[f64; 3]; 3]); 4] = [
        ("all cones", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
        (
            "protanopia",
            [
                [0.152286, 1.052583, -0.204868],
                [0.114503, 0.786281, 0.099216],
                [-0.003882, -0.048116, 1.051998],
            ],
        ),
        (
            "deuteranopia",
            [
                [0.367322, 0.860646, -0.227968],
                [0.280085, 0.672501, 0.047413],
                [-0.011820, 0.042940, 0.968881],
            ],
        ),
        (
            "tritanopia",
            [
                [1.255528, -0.076749, -0.178779],
                [-0.078411, 0.930809, 0.147602],
                [0.004733, 0.691367, 0.303900],
            ],
        ),
    ];

    /// CIE 1976 L\*a\*b\* of linear sRGB under its white, D65.
    fn lab(linear: DVec3) -> DVec3 {
        const XYZ: [[f64; 3]; 3] = [
            [0.4124564, 0.3575761, 0.1804375],
            [0.2126729, 0.7151522, 0.0721750],
            [0.0193339, 0.1191920, 0.9503041],
        ];
        const WHITE: DVec3 = DVec3::new(0.95047, 1.0, 1.08883);
        let curve = |t: f64| {
            if t > 216.0 / 24389.0 { t.cbrt() } else { (24389.0 / 27.0 * t + 16.0) / 116.0 }
        };
        let [x, y, z] = (rows(XYZ) * linear / WHITE).to_array().map(curve);
        DVec3::new(116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z))
    }

    fn rows(matrix: [[f64; 3]; 3]) -> DMat3 {
        DMat3::from_cols_array_2d(&matrix).transpose()
    }

    /// Six times the least difference that is noticed side by side, 2.3 (Mahy, Van Eycken and Oosterlinck 1994).
    const APART: f64 = 6.0 * 2.3;

    fn assert_apart(what: &str, colours: &[Rgb]) {
        for (sight, matrix) in SIGHTS {
            let seen = |colour: Rgb| lab((rows(matrix) * linear(colour)).clamp(DVec3::ZERO, DVec3::ONE));
            for (ix, a) in colours.iter().enumerate() {
                for (jx, b) in colours.iter().enumerate().skip(ix + 1) {
                    let distance = seen(*a).distance(seen(*b));
                    assert!(distance > APART, "{what}, {sight}: {ix} and {jx} are {distance:.1} apart");
                }
            }
        }
    }

    #[test]
    fn white_grey_and_red_have_their_known_coordinates() {
        for (colour, known) in [
            (rgb(0xFFFFFF), DVec3::new(100.0, 0.0, 0.0)),
            (rgb(0x777777), DVec3::new(50.03, 0.0, 0.0)),
            (rgb(0xFF0000), DVec3::new(53.24, 80.09, 67.20)),
        ] {
            // The figures are rounded to a hundredth, as the white point is.
            assert!(lab(linear(colour)).distance(known) < 0.03, "{:?}", lab(linear(colour)));
        }
    }

    #[test]
    fn colours_are_told_apart_with_any_cones() {
        let inked: Vec<Rgb> = mark::HUES.into_iter().chain([mark::INK]).collect();
        assert_apart("marks", &inked);
        assert_apart("states", &State::ALL.map(State::colour));
        let bodies: Vec<Rgb> = BODIES.into_iter().chain([STATIC]).collect();
        assert_apart("bodies", &bodies);
    }
}
