//! The ground: half-spaces, or the sheet that a scene without any stands on.

use std::ops::Range;

use glam::{DVec2, DVec3};
use tactum_geometry::Pose;

use super::Picture;
use super::buffers::PlaneInstance;
use super::scene::{HORIZON, LIGHT, shadowed};
use crate::frame::BodyInfo;

/// Parts of the ground as the device sees them.
#[derive(Debug, Default)]
pub struct Planes {
    pub parts: Vec<PlaneInstance>,
    /// What hides nothing, drawn before the bodies as a background: a half-space seen from below, and the sheet.
    pub sheer: Parts,
    /// What bodies may be behind.
    pub firm: Parts,
}

/// Places in the list of parts.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    /// Those that shadows may fall on.
    pub near: Range<u32>,
    /// Those that none falls on.
    pub far: Range<u32>,
}

impl Planes {
    /// The half-spaces of a picture's frame, or else the sheet that its bodies stand on.
    pub fn of(picture: &Picture<'_>) -> Self {
        let frame = picture.frame;
        let is_half_space = |(body, _): &(&BodyInfo, &Pose)| !body.shape.is_bounded();
        let own = frame.model.bodies.iter().zip(&frame.poses).filter(is_half_space);
        let mut poses: Vec<(Pose, bool)> = own.map(|(_, pose)| (*pose, true)).collect();
        if poses.is_empty() && picture.style.floor.is_finite() {
            poses.push((Pose::from_translation(DVec3::Z * picture.style.floor), false));
        }
        let eye = picture.camera.eye();
        let is_firm = |(pose, is_solid): &(Pose, bool)| {
            *is_solid && pose.vector(DVec3::Z).dot(eye - pose.translation) > 0.0
        };
        let (firm, sheer): (Vec<_>, Vec<_>) = poses.into_iter().partition(is_firm);
        let mut planes = Self::default();
        planes.sheer = planes.add(picture, &sheer);
        planes.firm = planes.add(picture, &firm);
        planes
    }

    fn add(&mut self, picture: &Picture<'_>, poses: &[(Pose, bool)]) -> Parts {
        let (mut near, mut far) = (Vec::new(), Vec::new());
        for (pose, is_solid) in poses {
            plane(picture, pose, *is_solid, &mut near, &mut far);
        }
        let mut put = |parts: Vec<PlaneInstance>| {
            let first = self.parts.len() as u32;
            self.parts.extend(parts);
            first..self.parts.len() as u32
        };
        Parts { near: put(near), far: put(far) }
    }
}

/// Spacing of the fine grid: the power of ten that is between a thirtieth and a third of the distance \[m\].
pub fn grid_spacing(distance: f64) -> f64 {
    10_f64.powf((distance / 3.0).log10().floor())
}

/// The parts of a plane: the rectangle around the shadows, and the four around it.
fn plane(
    picture: &Picture<'_>,
    w_from_plane: &Pose,
    is_solid: bool,
    near: &mut Vec<PlaneInstance>,
    far: &mut Vec<PlaneInstance>,
) {
    let camera = picture.camera;
    let [u, v, n] = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| w_from_plane.vector(axis));
    let from_origin = camera.target - w_from_plane.translation;
    let foot = DVec2::new(u.dot(from_origin), v.dot(from_origin));
    // Lines repeat every hundred spacings at the latest, so the device may count from the last such line.
    let period = 100.0 * grid_spacing(camera.distance);
    let counted = (foot / period).floor() * period;
    let origin = w_from_plane.translation + u * counted.x + v * counted.y - camera.target;
    let rest = foot - counted;
    let whole = [DVec2::splat(-HORIZON * camera.distance), DVec2::splat(HORIZON * camera.distance)];
    let inner = shadow_on_plane(picture, [u, v, n], from_origin)
        .map(|[min, max]| [min.clamp(whole[0], whole[1]), max.clamp(whole[0], whole[1])]);
    let part = |[min, max]: [DVec2; 2]| PlaneInstance {
        origin: origin.as_vec3().extend(0.0).to_array(),
        u: u.as_vec3().extend(0.0).to_array(),
        v: v.as_vec3().extend(0.0).to_array(),
        foot: [rest.x as f32, rest.y as f32, f32::from(u8::from(is_solid)), 0.0],
        part: [min.x as f32, min.y as f32, max.x as f32, max.y as f32],
    };
    let Some([a, b]) = inner else { return far.push(part(whole)) };
    let [min, max] = whole;
    near.push(part([a, b]));
    far.push(part([min, DVec2::new(max.x, a.y)]));
    far.push(part([DVec2::new(min.x, b.y), max]));
    far.push(part([DVec2::new(min.x, a.y), DVec2::new(a.x, b.y)]));
    far.push(part([DVec2::new(b.x, a.y), DVec2::new(max.x, b.y)]));
}

/// The rectangle of a plane, from the target's foot, that shadows fall on; `None` if none does.
fn shadow_on_plane(picture: &Picture<'_>, [u, v, n]: [DVec3; 3], from_origin: DVec3) -> Option<[DVec2; 2]> {
    let towards = LIGHT.normalize();
    let slope = n.dot(towards);
    // Light from below or along the plane leaves no shadow on it.
    if !picture.style.shadows || slope < 0.05 {
        return None;
    }
    let (center, radius) = shadowed(picture);
    let height = n.dot(from_origin + center);
    let fallen = center - towards * (height / slope);
    let reach = DVec2::splat(radius / slope);
    let middle = DVec2::new(u.dot(fallen), v.dot(fallen));
    Some([middle - reach, middle + reach])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grid_keeps_to_the_distance() {
        for (distance, spacing) in [(3.0, 1.0), (2.9, 0.1), (0.3, 0.1), (29.0, 1.0), (0.02, 1e-3)] {
            let found = grid_spacing(distance);
            assert!((found / spacing - 1.0).abs() < 1e-12, "{distance}: {found}");
        }
    }

    /// A floor that is looked at from below, and a sheet from anywhere, are drawn behind everything.
    #[test]
    fn ground_hides_from_above_only_and_a_sheet_never() {
        use std::sync::Arc;

        use tactum_geometry::Shape;

        use crate::camera::Camera;
        use crate::draw::Style;
        use crate::frame::{Frame, Model};
        use crate::overlay::Overlay;

        let floor = BodyInfo::of_shape("floor", Shape::HalfSpace);
        for (bodies, pitch, n_firm) in
            [(vec![floor.clone()], 0.4, 5), (vec![floor], -0.4, 0), (Vec::new(), 0.4, 0)]
        {
            let poses = vec![Pose::IDENTITY; bodies.len()];
            let frame =
                Frame { model: Arc::new(Model { bodies, ..Model::default() }), poses, ..Frame::default() };
            let picture = Picture {
                frame: &frame,
                camera: &Camera { pitch, ..Camera::default() },
                style: &Style::default(),
                overlay: &Overlay::default(),
                selected: None,
                size: [200, 100],
                viewport: [0, 0, 200, 100],
                clip: [0, 0, 200, 100],
                around: [0.0; 3],
                scale: 1.0,
            };
            let planes = Planes::of(&picture);
            let n = |parts: &Parts| parts.near.len() + parts.far.len();
            assert_eq!((n(&planes.firm), n(&planes.sheer)), (n_firm, 5 - n_firm));
        }
    }
}
