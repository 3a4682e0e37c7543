//! Where the scene lies in the window, and from where it is looked at first.

use egui::{Rect, vec2};
use glam::{DVec2, DVec3};
use tactum::scene::schema::ViewSpec;
use tactum_geometry::Aabb;

use super::App;
use crate::camera::Camera;
use crate::command::ViewCommand;
use crate::frame::Frame;
use crate::motion::interesting;
use crate::still::{Look, looked_at};

impl App {
    /// The part of the camera's picture that no panel covers \[points\].
    pub fn clear_area(&self) -> Rect {
        self.clear_area
    }

    /// Keeps where the scene is shown \[points\]. What a panel comes to cover of what is looked at moves into the part that is left.
    pub fn set_scene_area(&mut self, whole: Rect, clear: Rect) {
        let clear = clear.intersect(whole);
        let (same, before) = (self.scene_area == whole, self.clear_area);
        (self.scene_area, self.clear_area) = (whole, clear);
        if same && before != clear && clear.is_positive() {
            self.keep_in_sight(before);
        }
    }

    /// Moves the camera by as little as it takes for the selected body, or without one all there is to look at, to be seen whole, if it was
    /// seen in what was clear before.
    fn keep_in_sight(&mut self, before: Rect) {
        let Some(frame) = self.shown_frame() else { return };
        let bounds = match self.view.selected {
            Some(body) => frame.bounds_of(body),
            None => interesting(&frame),
        };
        let (clear, Some(seen)) = (self.clear_area, self.seen(&bounds)) else { return };
        let fits = |area: Rect| seen.width() <= area.width() && seen.height() <= area.height();
        let was_seen = match self.view.selected {
            Some(_) => fits(before) && before.contains(seen.center()),
            None => before.contains_rect(seen),
        };
        if clear.contains_rect(before) || clear.contains_rect(seen) || !was_seen {
            return;
        }
        let mut camera = self.view.camera;
        if fits(clear) {
            let aside = |[low, high]: [f32; 2], [least, most]: [f32; 2]| {
                f64::from((least - low).max(0.0) + (most - high).min(0.0))
            };
            let delta = DVec2::new(
                aside([seen.left(), seen.right()], [clear.left(), clear.right()]),
                aside([seen.top(), seen.bottom()], [clear.top(), clear.bottom()]),
            );
            camera.pan(delta, f64::from(self.scene_area.height()));
        } else {
            camera = self.framed(camera, &bounds);
        }
        self.show(ViewCommand::Look(camera));
    }

    /// Where a box is seen in the window \[points\]; none where it has no end or reaches behind the camera.
    fn seen(&self, bounds: &Aabb) -> Option<Rect> {
        let (area, [min, max]) = (self.scene_area, [bounds.min, bounds.max]);
        let size = DVec2::new(f64::from(area.width()), f64::from(area.height()));
        let mut seen = Rect::NOTHING;
        for corner in 0..8_u32 {
            let pick = |axis: usize| if corner >> axis & 1 == 0 { min[axis] } else { max[axis] };
            let x = DVec3::from_array([0, 1, 2].map(pick));
            let at = x.is_finite().then(|| self.view.camera.project(x, size)).flatten()?;
            seen.extend_with(area.min + vec2(at.x as f32, at.y as f32));
        }
        Some(seen)
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
