//! Marks of the overlay as corners of triangles, not as instances: their number changes from step to step, and an instance
//! costs more than its corners where the processor draws.

use bytemuck::{Pod, Zeroable};
use glam::{DMat3, DVec3};

use super::Picture;
use crate::mesh::Surface;
use crate::overlay::{Area, Arrow, Stroke};
use crate::palette::Rgb;

/// Radius of the thinnest arrow, at the depth of the camera's target \[points, but not less than pixels\].
const THINNEST: f64 = 1.0;

/// Radius below which an arrow is a flat one that faces the camera, which looks the same with a twentieth of the triangles
/// \[pixels\].
const FLAT: f64 = 2.5;

/// Sides of the shaft and of the tip of a round arrow.
const SIDES: [u32; 2] = [12, 16];

/// Length and radius of a tip, and how far apart two of them are \[radii of the shaft, the same, lengths of a tip\].
const TIP: [f64; 3] = [5.0, 2.2, 0.6];

/// A corner of a stroke as the device sees it; the fourth component of `b` tells which one.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct StrokeCorner {
    a: [f32; 4],
    b: [f32; 4],
    colour: [f32; 4],
}

/// A corner of an area as the device sees it.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct AreaCorner {
    at: [f32; 3],
    colour: [f32; 4],
}

/// A corner of an arrow as the device sees it.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct ArrowCorner {
    at: [f32; 3],
    normal: [f32; 3],
    colour: [f32; 4],
}

/// The marks of a picture.
#[derive(Debug)]
pub struct Marks {
    pub strokes: Vec<StrokeCorner>,
    pub areas: Vec<AreaCorner>,
    pub arrows: Vec<ArrowCorner>,
}

impl Marks {
    /// The overlay of a picture, relative to its camera's target.
    pub fn of(picture: &Picture<'_>) -> Self {
        let (overlay, target) = (picture.overlay, picture.camera.target);
        let mut arrows = Arrows::seen_in(picture);
        let round = [Surface::shaft(SIDES[0]), Surface::tip(SIDES[1])];
        overlay.arrows.iter().for_each(|arrow| arrows.place(arrow, &round));
        Self {
            strokes: overlay.strokes.iter().flat_map(|stroke| place_stroke(stroke, target)).collect(),
            areas: overlay.areas.iter().flat_map(|area| place_area(area, target)).collect(),
            arrows: arrows.corners,
        }
    }
}

/// Two triangles; the corners are numbered along the first end and then along the second.
fn place_stroke(stroke: &Stroke, target: DVec3) -> [StrokeCorner; 6] {
    let [r, g, b] = stroke.colour;
    let [from, to] = stroke.ends.map(|x| (x - target).as_vec3());
    [0.0, 2.0, 3.0, 0.0, 3.0, 1.0].map(|corner| StrokeCorner {
        a: from.extend(stroke.width).to_array(),
        b: to.extend(corner).to_array(),
        colour: [r, g, b, stroke.alpha],
    })
}

fn place_area(area: &Area, target: DVec3) -> [AreaCorner; 3] {
    let [r, g, b] = area.colour;
    area.corners.map(|x| AreaCorner { at: (x - target).as_vec3().to_array(), colour: [r, g, b, area.alpha] })
}

/// Arrows as triangles.
#[derive(Debug)]
struct Arrows {
    corners: Vec<ArrowCorner>,
    /// The camera and its target, world \[m\].
    eye: DVec3,
    target: DVec3,
    /// Width of a pixel by its distance from the eye.
    pixel: f64,
    /// Radius of the thinnest arrow \[m\].
    least_radius: f64,
}

/// Lengths of the parts of an arrow \[m\].
struct Parts {
    radius: f64,
    shaft: f64,
    tip: f64,
    /// Where the base of each tip is, along the arrow.
    tips: Vec<f64>,
}

impl Parts {
    /// A shaft and a tip, or two; a short arrow is all tip.
    fn of(arrow: &Arrow, length: f64, radius: f64) -> Self {
        let [tip_length, _, apart] = TIP;
        let n_tips = if arrow.is_double { 1.0 + apart } else { 1.0 };
        let tip = (tip_length * radius).min(0.6 * length / n_tips);
        let second = arrow.is_double.then_some(length - (1.0 + apart) * tip);
        Self {
            radius,
            shaft: length - 0.9 * tip,
            tip,
            tips: [length - tip].into_iter().chain(second).collect(),
        }
    }
}

impl Arrows {
    fn seen_in(picture: &Picture<'_>) -> Self {
        let camera = picture.camera;
        let pixel = camera.metres_per_pixel(f64::from(picture.viewport[3]));
        Self {
            corners: Vec::new(),
            eye: camera.eye(),
            target: camera.target,
            pixel: pixel / camera.distance,
            least_radius: THINNEST * pixel * f64::from(picture.scale.max(1.0)),
        }
    }

    /// Adds an arrow; `round` are the shaft and the tip of round ones.
    fn place(&mut self, arrow: &Arrow, round: &[Surface; 2]) {
        let along = arrow.to - arrow.from;
        let length = along.length();
        let parts = Parts::of(arrow, length, arrow.radius.max(self.least_radius));
        let is_flat = parts.radius < FLAT * self.pixel * arrow.from.distance(self.eye);
        if is_flat {
            self.place_flat(arrow, along / length, &parts);
        } else {
            self.place_round(arrow, along / length, &parts, round);
        }
    }

    fn place_flat(&mut self, arrow: &Arrow, axis: DVec3, parts: &Parts) {
        let to_eye = self.eye - arrow.from;
        let side = axis.cross(to_eye).try_normalize().unwrap_or_else(|| axis.any_orthonormal_vector());
        let normal = side.cross(axis);
        let at = |along: f64, aside: f64| arrow.from + axis * along + side * aside;
        let (r, wide) = (parts.radius, TIP[1] * parts.radius);
        let [a, b, c, d] = [at(0.0, -r), at(0.0, r), at(parts.shaft, r), at(parts.shaft, -r)];
        for corner in [a, b, c, a, c, d] {
            self.put(corner, normal, arrow.colour);
        }
        for base in &parts.tips {
            for corner in [at(*base, -wide), at(*base, wide), at(base + parts.tip, 0.0)] {
                self.put(corner, normal, arrow.colour);
            }
        }
    }

    fn place_round(&mut self, arrow: &Arrow, axis: DVec3, parts: &Parts, [shaft, tip]: &[Surface; 2]) {
        let x = axis.any_orthonormal_vector();
        let axes = DMat3::from_cols(x, axis.cross(x), axis);
        let (r, wide) = (parts.radius, TIP[1] * parts.radius);
        self.place_part(shaft, &axes, DVec3::new(r, r, parts.shaft), arrow.from, arrow.colour);
        for base in &parts.tips {
            let origin = arrow.from + axis * *base;
            self.place_part(tip, &axes, DVec3::new(wide, wide, parts.tip), origin, arrow.colour);
        }
    }

    fn place_part(&mut self, part: &Surface, axes: &DMat3, size: DVec3, origin: DVec3, colour: Rgb) {
        let vector = |v: [f32; 3]| DVec3::from(v.map(f64::from));
        for ix in &part.triangles {
            let corner = part.vertices[*ix as usize];
            let normal = *axes * (vector(corner.normal) / size).normalize_or_zero();
            self.put(origin + *axes * (vector(corner.position) * size), normal, colour);
        }
    }

    fn put(&mut self, at: DVec3, normal: DVec3, [r, g, b]: Rgb) {
        self.corners.push(ArrowCorner {
            at: (at - self.target).as_vec3().to_array(),
            normal: normal.as_vec3().to_array(),
            colour: [r, g, b, 1.0],
        });
    }
}
