//! Where the scene lies in the window, and from where it is looked at first.

use egui::Rect;
use glam::DVec2;
use tactum::scene::schema::ViewSpec;
use tactum_geometry::Aabb;

use super::App;
use crate::camera::Camera;
use crate::frame::Frame;
use crate::motion::interesting;
use crate::still::{Look, looked_at};

impl App {
    /// Where the camera's picture lies, under panels too \[points\].
    pub fn scene_area(&self) -> Rect {
        self.scene_area
    }

    /// The part of it that no panel covers \[points\].
    pub fn clear_area(&self) -> Rect {
        self.clear_area
    }

    /// Keeps where the scene is shown \[points\].
    pub fn set_scene_area(&mut self, whole: Rect, clear: Rect) {
        (self.scene_area, self.clear_area) = (whole, clear.intersect(whole));
    }

    /// Where the camera's picture lies, and what of it is seen: x, y, width, height \[pixels\]; `None` where the panels leave no room.
    pub fn viewport(&self, size: [u32; 2], scale: f32) -> Option<[[u32; 4]; 2]> {
        let pixel = |x: f32, max: u32| (x * scale).round().clamp(0.0, max as f32) as u32;
        let pixels = |area: Rect| {
            let [left, right] = [area.left(), area.right()].map(|x| pixel(x, size[0]));
            let [top, bottom] = [area.top(), area.bottom()].map(|y| pixel(y, size[1]));
            (right > left && bottom > top).then(|| [left, top, right - left, bottom - top])
        };
        Some([pixels(self.scene_area)?, pixels(self.clear_area)?])
    }

    /// How the scene wants to be looked at.
    pub(super) fn scene_view(&self) -> ViewSpec {
        self.scene.as_ref().map(|scene| scene.view).unwrap_or_default()
    }

    /// The camera that a scene is looked at with first.
    pub fn home(&self, frame: &Frame) -> Camera {
        let view = self.scene_view();
        self.framed(Look::of(&view).camera(), &looked_at(&view, &interesting(frame)))
    }

    /// The camera that looks at a box from where it looks from now, and sees it whole between the panels.
    pub fn framed(&self, camera: Camera, bounds: &Aabb) -> Camera {
        let (whole, clear) = (self.scene_area, self.clear_area);
        let mut camera = camera;
        if !(clear.width() > 0.0 && clear.height() > 0.0) {
            camera.frame(bounds, self.aspect());
            return camera;
        }
        camera.frame(bounds, f64::from(clear.width() / clear.height()));
        camera.distance *= f64::from(whole.height() / clear.height());
        let aside = clear.center() - whole.center();
        camera.pan(DVec2::new(f64::from(aside.x), f64::from(aside.y)), f64::from(whole.height()));
        camera
    }
}
