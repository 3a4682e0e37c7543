//! Marks of facets that touch: the polygon that two triangles have in common, the pressure over it, the contact point.

use glam::DVec3;

use crate::frame::{FacetView, Frame};
use crate::layers::Layer;
use crate::marks::MarkStyle;
use crate::overlay::Overlay;
use crate::palette::{Rgb, mark};

/// Times that each triangle of a polygon is cut in four to show how the pressure changes over it.
const CUTS: u32 = 4;

/// Times that it is where there are [`MANY`] polygons: 64 triangles of each are as many as are told apart then.
const FEW_CUTS: u32 = 3;

/// Polygons from which on each is cut less.
const MANY: usize = 200;

/// What pressures are compared with: the largest on any axis of the frame \[Pa\].
pub fn peak(frame: &Frame) -> f64 {
    let on_axis = |facet: &FacetView| facet.profile.pressure(0.0);
    frame.facets.iter().map(on_axis).filter(|p| p.is_finite()).fold(0.0, f64::max)
}

/// Colour of a pressure as a part of the largest: from sky blue by yellow to vermilion; blue where bodies draw each other.
pub fn colour(part: f64) -> Rgb {
    let part = part.min(1.0) as f32;
    let between = |a: Rgb, b: Rgb, t: f32| [0, 1, 2].map(|k| a[k] * (1.0 - t) + b[k] * t);
    match part {
        part if part < 0.0 => mark::BLUE,
        part if part < 0.5 => between(mark::SKY, mark::YELLOW, 2.0 * part),
        part => between(mark::YELLOW, mark::VERMILION, 2.0 * part - 1.0),
    }
}

/// Adds the layers of facets to an overlay.
pub fn facet_marks(overlay: &mut Overlay, frame: &Frame, style: &MarkStyle) {
    let peak = peak(frame);
    let n_cuts = if frame.facets.len() < MANY { CUTS } else { FEW_CUTS };
    let shown = |facet: &&FacetView| style.only.is_none_or(|body| facet.bodies.iter().any(|id| id.0 == body));
    for facet in frame.facets.iter().filter(shown) {
        if style.layers.has(Layer::Pressure) {
            for ix in 2..facet.corners.len() {
                let triangle = [facet.corners[0], facet.corners[ix - 1], facet.corners[ix]];
                press(overlay, facet, triangle, peak, n_cuts);
            }
        }
        if style.layers.has(Layer::Facets) {
            overlay.loop_line(&facet.corners, 1.5, style.ink, 0.9);
        }
        if style.layers.has(Layer::Points) {
            overlay.dot(facet.nearest, 3.0, mark::ORANGE, style.rim);
        }
    }
}

/// Adds a triangle in the colour of the pressure in its middle, cut into four so many times; nothing where there is no pressure.
fn press(overlay: &mut Overlay, facet: &FacetView, [a, b, c]: [DVec3; 3], peak: f64, n_cuts: u32) {
    if n_cuts > 0 {
        let (ab, bc, ca) = (0.5 * (a + b), 0.5 * (b + c), 0.5 * (c + a));
        for part in [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]] {
            press(overlay, facet, part, peak, n_cuts - 1);
        }
        return;
    }
    let arm = (a + b + c) / 3.0 - facet.center;
    let across = arm.dot(facet.narrow).powi(2);
    let along = arm.length_squared() - across;
    let pressure = facet.profile.pressure((along * facet.ratio + across / facet.ratio).sqrt());
    if pressure != 0.0 {
        let part = if peak > 0.0 { pressure / peak } else { pressure };
        overlay.fan(&[a, b, c], colour(part), 0.9);
    }
}

#[cfg(test)]
mod tests {
    use tactum_geometry::facets::Pressure;

    use super::*;
    use crate::layers::Layers;

    /// A Hertzian disc in the middle of a square that is four times as wide.
    fn disc() -> Frame {
        let profile = Pressure::Hertz { modulus: 1e6 }.profile(1e-4, 10.0, true).expect("they touch");
        let far = 4.0 * profile.contact;
        let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
        let corners = corners.map(|[x, y]| DVec3::new(x * far, y * far, 0.0)).to_vec();
        let bodies = [0, 1].map(tactum_sim::BodyId);
        let (center, nearest, narrow) = (DVec3::ZERO, DVec3::ZERO, DVec3::ZERO);
        let facet = FacetView { bodies, corners, center, nearest, profile, narrow, ratio: 1.0 };
        Frame { facets: vec![facet], ..Frame::default() }
    }

    fn style(layers: &str, only: Option<u32>) -> MarkStyle {
        let layers: Layers = layers.parse().expect("layers");
        MarkStyle { layers, force_scale: 1.0, trail_time: 1.0, ink: mark::INK, rim: mark::PAPER, only }
    }

    #[test]
    fn pressure_is_shown_where_there_is_some() {
        let frame = disc();
        let mut overlay = Overlay::default();
        facet_marks(&mut overlay, &frame, &style("pressure", None));
        let (facet, edge) = (&frame.facets[0], 8.0 / f64::from(1 << CUTS));
        assert!(!overlay.areas.is_empty() && overlay.strokes.is_empty());
        for area in &overlay.areas {
            let middle = area.corners.iter().sum::<DVec3>() / 3.0;
            assert!(middle.length() < facet.profile.contact);
        }
        // As large as the disc, but for what its rim cuts of small triangles.
        let area: f64 = overlay
            .areas
            .iter()
            .map(|a| 0.5 * (a.corners[1] - a.corners[0]).cross(a.corners[2] - a.corners[0]).length())
            .sum();
        let whole = std::f64::consts::PI * facet.profile.contact.powi(2);
        assert!((area / whole - 1.0).abs() < edge, "{area} of {whole}");
        let mut none = Overlay::default();
        facet_marks(&mut none, &frame, &style("pressure,facets,points", Some(7)));
        assert!(none.areas.is_empty() && none.strokes.is_empty(), "of another body");
        facet_marks(&mut none, &frame, &style("facets,points", Some(1)));
        assert_eq!(none.strokes.len(), 4 + 2, "four sides, a dot with its rim");
    }

    #[test]
    fn colours_go_from_low_to_high_and_tell_attraction() {
        assert_eq!([colour(0.0), colour(0.5), colour(1.0)], [mark::SKY, mark::YELLOW, mark::VERMILION]);
        assert_eq!((colour(2.0), colour(-0.1)), (mark::VERMILION, mark::BLUE));
        assert_eq!(peak(&disc()), disc().facets[0].profile.pressure(0.0));
    }
}
