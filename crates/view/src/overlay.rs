//! Marks that lie over a scene, as lists of strokes, areas and arrows in the world.

use glam::DVec3;

use crate::palette::Rgb;

/// A line of a width in points, with round ends; one without length is a dot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// Its ends, world \[m\].
    pub ends: [DVec3; 2],
    /// Width \[points\].
    pub width: f32,
    /// Colour.
    pub colour: Rgb,
    /// Opacity.
    pub alpha: f32,
}

/// A flat triangle, seen from both sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area {
    /// Its corners, world \[m\].
    pub corners: [DVec3; 3],
    /// Colour.
    pub colour: Rgb,
    /// Opacity.
    pub alpha: f32,
}

/// A round arrow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arrow {
    /// Where it begins, world \[m\].
    pub from: DVec3,
    /// Where its tip lies, world \[m\].
    pub to: DVec3,
    /// Radius of its shaft \[m\].
    pub radius: f64,
    /// Colour.
    pub colour: Rgb,
    /// Whether it has two tips, as arrows of torques have.
    pub is_double: bool,
}

/// Marks in the order in which they are drawn.
#[derive(Clone, Debug, Default)]
pub struct Overlay {
    /// Lines and dots.
    pub strokes: Vec<Stroke>,
    /// Flat areas, below the lines.
    pub areas: Vec<Area>,
    /// Arrows.
    pub arrows: Vec<Arrow>,
}

impl Overlay {
    /// Adds a line.
    pub fn line(&mut self, ends: [DVec3; 2], width: f32, colour: Rgb, alpha: f32) {
        self.strokes.push(Stroke { ends, width, colour, alpha });
    }

    /// Adds a dot with a rim.
    pub fn dot(&mut self, at: DVec3, width: f32, colour: Rgb, rim: Rgb) {
        self.line([at, at], width + 3.0, rim, 0.9);
        self.line([at, at], width, colour, 1.0);
    }

    /// Adds a closed line through corners.
    pub fn loop_line(&mut self, corners: &[DVec3], width: f32, colour: Rgb, alpha: f32) {
        for (ix, from) in corners.iter().enumerate() {
            self.line([*from, corners[(ix + 1) % corners.len()]], width, colour, alpha);
        }
    }

    /// Adds a convex area.
    pub fn fan(&mut self, corners: &[DVec3], colour: Rgb, alpha: f32) {
        for ix in 2..corners.len() {
            let corners = [corners[0], corners[ix - 1], corners[ix]];
            self.areas.push(Area { corners, colour, alpha });
        }
    }

    /// Adds an arrow, if it is longer than its shaft is wide.
    pub fn arrow(&mut self, from: DVec3, to: DVec3, radius: f64, colour: Rgb, is_double: bool) {
        if from.distance(to) > radius && to.is_finite() {
            self.arrows.push(Arrow { from, to, radius, colour, is_double });
        }
    }
}
