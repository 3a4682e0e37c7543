//! Marks of bodies: centres of mass, frames, and how the mass is spread.

use glam::DVec3;
use tactum_geometry::mesh::MassMoments;
use tactum_sim::{BodyKind, EquivalentBox, MassProperties};

use crate::frame::{BodyInfo, Frame};
use crate::layers::Layer;
use crate::marks::{MarkStyle, box_marks};
use crate::overlay::Overlay;
use crate::palette::{Rgb, mark};

/// Length of the axes of a frame, as a part of the body's size, the diagonal of its box: they come out of a cube by a fifth of its side. No unit.
const AXIS: f64 = 0.4;

/// Size up to which bodies have longer axes, in that of the median moving body: those of a floor would reach over all that stands on it.
const LARGE: f64 = 1.5;

/// The axes of a frame: direction, colour and name.
pub const AXES: [(DVec3, Rgb, &str); 3] = [
    (DVec3::X, mark::VERMILION, "x axis of a body"),
    (DVec3::Y, mark::GREEN, "y axis of a body"),
    (DVec3::Z, mark::BLUE, "z axis of a body"),
];

/// Names that are shown at most: more would be told apart by nobody.
const MOST_NAMES: usize = 100;

/// Adds the layers of bodies to an overlay.
pub fn body_marks(overlay: &mut Overlay, frame: &Frame, style: &MarkStyle) {
    let has = |layer| style.layers.has(layer);
    if ![Layer::Mass, Layer::Axes, Layer::Inertia].into_iter().any(has) {
        return;
    }
    let largest = LARGE * median_size(frame);
    for (ix, (info, pose)) in (0..).zip(frame.model.bodies.iter().zip(&frame.poses)) {
        if style.only.is_some_and(|only| only != ix) || !info.shape.is_bounded() {
            continue;
        }
        if has(Layer::Axes) {
            let length = AXIS * info.shape.size().min(largest);
            for (axis, colour, _) in AXES {
                let tip = pose.translation + pose.vector(axis) * length;
                overlay.arrow(pose.translation, tip, 0.03 * length, colour, false);
            }
        }
        if info.kind != BodyKind::Dynamic {
            continue;
        }
        if has(Layer::Inertia) {
            let inertia = box_of_inertia(info);
            let center = pose.point(inertia.center);
            let axes = inertia.axes.map(|axis| pose.vector(axis));
            box_marks(overlay, &EquivalentBox { center, axes, ..inertia });
        }
        if has(Layer::Mass) {
            overlay.dot(pose.point(info.mass.center), 6.0, mark::YELLOW, style.rim);
        }
    }
}

/// Size of the median body that moves \[m\]; infinite where none does.
fn median_size(frame: &Frame) -> f64 {
    let moving = frame.model.bodies.iter().filter(|info| info.kind == BodyKind::Dynamic);
    let mut sizes: Vec<f64> = moving.map(|info| info.shape.size()).collect();
    sizes.sort_by(f64::total_cmp);
    sizes.get(sizes.len() / 2).copied().unwrap_or(f64::INFINITY)
}

/// The cuboid of even density that has a body's mass and inertia, in the frame of its shape.
///
/// A cuboid of half edges a, b, c has the principal moments m (b² + c²) / 3 and so on.
fn box_of_inertia(info: &BodyInfo) -> EquivalentBox {
    let MassProperties { mass, center, inertia } = info.mass;
    let principal = MassMoments { volume: mass, center, inertia }.principal();
    let total = principal.moments.element_sum();
    let half = |moment: f64| (1.5 * (total - 2.0 * moment) / mass).max(0.0).sqrt();
    EquivalentBox {
        center,
        axes: [principal.axes.x_axis, principal.axes.y_axis, principal.axes.z_axis],
        half_size: principal.moments.to_array().map(half),
    }
}

/// Names of bodies and where they stand, world \[m\]: of all that have an end, or of `only` one.
pub fn names(frame: &Frame, only: Option<u32>) -> Vec<(DVec3, String)> {
    let bodies = (0..).zip(&frame.model.bodies);
    let shown = bodies.filter(|(ix, info)| info.shape.is_bounded() && only.is_none_or(|only| only == *ix));
    shown.take(MOST_NAMES).map(|(ix, info)| (frame.bounds_of(ix).center(), info.name.clone())).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::DMat3;
    use tactum_geometry::{Cuboid, Pose, Shape};

    use super::*;
    use crate::frame::Model;

    /// A floor forty times as wide as what stands on it has axes little longer than that.
    #[test]
    fn axes_of_large_bodies_are_bounded() {
        let block = |side: f64, kind: BodyKind| BodyInfo {
            kind,
            ..BodyInfo::of_shape("block", Shape::Cuboid(Cuboid { half_size: DVec3::splat(0.5 * side) }))
        };
        let bodies = vec![block(4.0, BodyKind::Static), block(0.1, BodyKind::Dynamic)];
        let model = Arc::new(Model { bodies, ..Model::default() });
        let frame = Frame { model, poses: vec![Pose::IDENTITY; 2], ..Frame::default() };
        let (layers, ink, rim) = ("axes".parse().expect("a layer"), [0.0; 3], [1.0; 3]);
        let style = MarkStyle { layers, force_scale: 1.0, trail_time: 0.0, ink, rim, only: None };
        let mut overlay = Overlay::default();
        body_marks(&mut overlay, &frame, &style);
        let lengths: Vec<f64> = overlay.arrows.iter().map(|arrow| arrow.from.distance(arrow.to)).collect();
        let small = AXIS * 0.1 * 3_f64.sqrt();
        assert_eq!(lengths.len(), 6);
        assert!(lengths[..3].iter().all(|length| (length - LARGE * small).abs() < 1e-12), "{lengths:?}");
        assert!(lengths[3..].iter().all(|length| (length - small).abs() < 1e-12), "{lengths:?}");
    }

    /// A cuboid's box of inertia is the cuboid.
    #[test]
    fn the_box_of_a_cuboid_is_itself() {
        let half_size = DVec3::new(0.3, 0.1, 0.2);
        let mass = 7.0;
        let squares = half_size * half_size;
        let moments = (DVec3::splat(squares.element_sum()) - squares) * (mass / 3.0);
        let info = BodyInfo {
            mass: MassProperties { mass, center: DVec3::ONE, inertia: DMat3::from_diagonal(moments) },
            ..BodyInfo::of_shape("box", Shape::Cuboid(Cuboid { half_size }))
        };
        let found = box_of_inertia(&info);
        // The least moment is about the longest edge.
        for ((axis, half), wanted) in found.axes.iter().zip(found.half_size).zip([0.3, 0.2, 0.1]) {
            assert!((half - wanted).abs() < 1e-12, "{found:?}");
            assert!((axis.abs().dot(half_size) - wanted).abs() < 1e-12, "{found:?}");
        }
        assert_eq!(found.center, DVec3::ONE);
    }
}
