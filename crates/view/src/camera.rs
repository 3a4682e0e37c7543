//! The camera: a turntable about a target, z up.

use std::f64::consts::{FRAC_PI_2, PI};

use glam::{DMat3, DVec2, DVec3, Mat4, Vec4};
use serde::{Deserialize, Serialize};
use tactum_geometry::{Aabb, Ray};

/// Vertical field of view \[rad\].
const FIELD_OF_VIEW: f64 = 0.6;

/// The near plane as a part of the distance to the target. With depth stored in reverse the far plane is infinite.
const NEAR: f64 = 1e-3;

/// Steepest look down or up, short of the poles \[rad\].
const MAX_PITCH: f64 = FRAC_PI_2 - 1e-3;

/// Room around a box that is framed, as a factor of the distance.
const ROOM: f64 = 1.08;

/// Distances to the target that a user can get to \[m\].
const DISTANCES: (f64, f64) = (1e-6, 1e7);

/// Where the scene is looked at from.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Camera {
    /// The point looked at and turned about, world \[m\].
    pub target: DVec3,
    /// Direction of the camera from the target, about z from x \[rad\].
    pub yaw: f64,
    /// Height of the camera above the horizon seen from the target \[rad\].
    pub pitch: f64,
    /// Distance from the target \[m\].
    pub distance: f64,
}

impl Default for Camera {
    fn default() -> Self {
        Self { target: DVec3::ZERO, yaw: -1.0, pitch: 0.42, distance: 3.0 }
    }
}

impl Camera {
    /// Directions to the right, up and backwards (towards the camera), world axes.
    pub fn axes(&self) -> [DVec3; 3] {
        let (sin_yaw, cos_yaw) = self.yaw.sin_cos();
        let (sin_pitch, cos_pitch) = self.pitch.sin_cos();
        let back = DVec3::new(cos_pitch * cos_yaw, cos_pitch * sin_yaw, sin_pitch);
        let right = DVec3::new(-sin_yaw, cos_yaw, 0.0);
        [right, back.cross(right), back]
    }

    /// Where the camera stands, world \[m\].
    pub fn eye(&self) -> DVec3 {
        self.target + self.axes()[2] * self.distance
    }

    /// Turns about the target by a motion of the mouse in pixels; `height` is that of the picture.
    pub fn orbit(&mut self, delta: DVec2, height: f64) {
        let per_pixel = PI / height;
        self.yaw = (self.yaw - delta.x * per_pixel).rem_euclid(2.0 * PI);
        self.pitch = (self.pitch + delta.y * per_pixel).clamp(-MAX_PITCH, MAX_PITCH);
    }

    /// Moves the target so that what lies at its depth follows the mouse.
    pub fn pan(&mut self, delta: DVec2, height: f64) {
        let [right, up, _] = self.axes();
        let metres = self.metres_per_pixel(height);
        self.target += (up * delta.y - right * delta.x) * metres;
    }

    /// Size of a pixel at the target's depth \[m\].
    pub fn metres_per_pixel(&self, height: f64) -> f64 {
        2.0 * self.distance * (0.5 * FIELD_OF_VIEW).tan() / height
    }

    /// Changes the distance by a factor. What lies under the pixel `at`, at the target's depth, stays there.
    pub fn zoom(&mut self, factor: f64, at: DVec2, size: DVec2) {
        let held = self.at_target_depth(at, size);
        let distance = (self.distance * factor).clamp(DISTANCES.0, DISTANCES.1);
        let factor = distance / self.distance;
        self.distance = distance;
        self.target = held + (self.target - held) * factor;
    }

    /// Looks at a box so that all of it is seen; an empty box changes nothing.
    pub fn frame(&mut self, bounds: &Aabb, aspect: f64) {
        if bounds.is_empty() || !bounds.diagonal().is_finite() {
            return;
        }
        /// Each pass moves the target nearer to where the box is in the middle; a few leave less than a pixel.
        const PASSES: u32 = 4;
        self.target = bounds.center();
        let [right, up, back] = self.axes();
        let tangent = (0.5 * FIELD_OF_VIEW).tan();
        for _ in 0..PASSES {
            let corners: Vec<DVec3> = corners(bounds).map(|x| x - self.target).collect();
            let needed = corners.iter().map(|x| {
                let wide = right.dot(*x).abs() / (tangent * aspect);
                back.dot(*x) + wide.max(up.dot(*x).abs() / tangent)
            });
            self.distance = (ROOM * needed.fold(0.0, f64::max)).clamp(DISTANCES.0, DISTANCES.1);
            let seen = |axis: DVec3| {
                let at = corners.iter().map(|x| axis.dot(*x) / (self.distance - back.dot(*x)));
                let (min, max) =
                    at.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
                0.5 * (min + max) * self.distance
            };
            self.target += right * seen(right) + up * seen(up);
        }
        // The last shift may have pushed a corner out again, by less than the room around the box.
    }

    /// The ray through a pixel, counted from the picture's upper left corner.
    pub fn ray(&self, at: DVec2, size: DVec2) -> Ray {
        let origin = self.eye();
        Ray { origin, direction: (self.at_target_depth(at, size) - origin).normalize() }
    }

    /// The point at the target's depth under a pixel, world \[m\].
    fn at_target_depth(&self, at: DVec2, size: DVec2) -> DVec3 {
        let [right, up, _] = self.axes();
        let offset = (at - 0.5 * size) * self.metres_per_pixel(size.y);
        self.target + right * offset.x - up * offset.y
    }

    /// The pixel at which a world point is seen, counted from the picture's upper left corner; `None` behind the camera.
    pub fn project(&self, x: DVec3, size: DVec2) -> Option<DVec2> {
        let [right, up, back] = self.axes();
        let from_eye = x - self.eye();
        let depth = -back.dot(from_eye);
        let scale = self.distance / (depth * self.metres_per_pixel(size.y));
        (depth > NEAR * self.distance)
            .then(|| 0.5 * size + DVec2::new(right.dot(from_eye), -up.dot(from_eye)) * scale)
    }

    /// Matrix from positions relative to the target, along the world's axes, to clip coordinates. Depth is reversed: 1 at
    /// the near plane, 0 at infinity.
    pub fn clip_from_target(&self, aspect: f64) -> Mat4 {
        let [right, up, back] = self.axes();
        let c_from_w = DMat3::from_cols(right, up, back).transpose();
        let f = (0.5 * FIELD_OF_VIEW).tan().recip();
        let near = NEAR * self.distance;
        let column = |v: DVec3| Vec4::new((v.x * f / aspect) as f32, (v.y * f) as f32, 0.0, -v.z as f32);
        let shift = Vec4::new(0.0, 0.0, near as f32, self.distance as f32);
        Mat4::from_cols(column(c_from_w.x_axis), column(c_from_w.y_axis), column(c_from_w.z_axis), shift)
    }
}

/// The corners of a box.
fn corners(bounds: &Aabb) -> impl Iterator<Item = DVec3> {
    let (center, half) = (bounds.center(), bounds.half_size());
    (0..8_u32).map(move |ix| {
        let sign = |bit: u32| if ix >> bit & 1 == 0 { -1.0 } else { 1.0 };
        center + half * DVec3::new(sign(0), sign(1), sign(2))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: DVec2 = DVec2::new(1000.0, 640.0);

    fn some_camera() -> Camera {
        Camera { target: DVec3::new(1.0, -2.0, 0.5), yaw: 0.7, pitch: 0.3, distance: 4.0 }
    }

    /// A pixel's ray passes through every point that is seen at that pixel.
    #[test]
    fn rays_and_projection_are_inverse() {
        let camera = some_camera();
        for x in [DVec3::ZERO, DVec3::new(1.2, -2.3, 0.9), DVec3::new(0.5, -1.0, 0.2)] {
            let at = camera.project(x, SIZE).expect("in front of the camera");
            let ray = camera.ray(at, SIZE);
            let along = (x - ray.origin).dot(ray.direction);
            assert!((ray.origin + ray.direction * along).distance(x) < 1e-12 * along);
        }
    }

    /// The matrix that the device uses puts points at the pixels that the mouse is compared with.
    #[test]
    fn the_matrix_agrees_with_the_projection() {
        let camera = some_camera();
        let clip = camera.clip_from_target(SIZE.x / SIZE.y);
        for x in [DVec3::ZERO, DVec3::new(1.2, -2.3, 0.9)] {
            let p = clip * (x - camera.target).as_vec3().extend(1.0);
            let ndc = p.truncate() / p.w;
            let at = DVec2::new(f64::from(0.5 + 0.5 * ndc.x), f64::from(0.5 - 0.5 * ndc.y)) * SIZE;
            // 1e-6 for the device's 24 bits, on a thousand pixels.
            assert!(at.distance(camera.project(x, SIZE).expect("in front")) < 1e-3);
            assert!(ndc.z > 0.0 && ndc.z < 1.0);
        }
    }

    #[test]
    fn nothing_is_seen_behind_the_camera() {
        let camera = some_camera();
        let behind = camera.eye() + camera.axes()[2];
        assert_eq!(camera.project(behind, SIZE), None);
    }

    #[test]
    fn zooming_keeps_what_is_under_the_mouse() {
        let mut camera = some_camera();
        let at = DVec2::new(300.0, 100.0);
        let ray = camera.ray(at, SIZE);
        let x = ray.origin + ray.direction * (camera.distance / -ray.direction.dot(camera.axes()[2]));
        camera.zoom(0.5, at, SIZE);
        assert!(camera.project(x, SIZE).expect("in front").distance(at) < 1e-9);
        assert_eq!(camera.distance, 2.0);
    }

    #[test]
    fn panning_moves_the_target_with_the_mouse() {
        let mut camera = some_camera();
        let before = camera.target;
        camera.pan(DVec2::new(30.0, -20.0), SIZE.y);
        let moved = camera.project(before, SIZE).expect("in front") - 0.5 * SIZE;
        // The point leaves the target's depth by nothing, so the pixels are exact.
        assert!(moved.distance(DVec2::new(30.0, -20.0)) < 1e-9);
    }

    #[test]
    fn a_framed_box_is_seen_whole() {
        let bounds = Aabb { min: DVec3::new(-1.0, 2.0, 0.0), max: DVec3::new(3.0, 2.5, 1.0) };
        for aspect in [0.5, 1.0, 1.6] {
            let mut camera = some_camera();
            camera.frame(&bounds, aspect);
            let size = DVec2::new(640.0 * aspect, 640.0);
            for corner in corners(&bounds) {
                let at = camera.project(corner, size).expect("in front");
                assert!(at.cmpge(DVec2::ZERO).all() && at.cmple(size).all(), "{corner} at {at} of {size}");
            }
        }
    }

    #[test]
    fn the_poles_are_never_reached() {
        let mut camera = some_camera();
        camera.orbit(DVec2::new(0.0, 1e6), 640.0);
        assert!(camera.axes()[0].is_finite() && camera.pitch < FRAC_PI_2);
        let [right, up, back] = camera.axes();
        assert!(right.cross(up).distance(back) < 1e-12);
    }

    #[test]
    fn an_empty_or_endless_box_is_not_framed() {
        for bounds in [Aabb::EMPTY, Aabb { min: DVec3::NEG_INFINITY, max: DVec3::INFINITY }] {
            let mut camera = some_camera();
            camera.frame(&bounds, 1.5);
            assert_eq!(camera, some_camera());
        }
    }
}
