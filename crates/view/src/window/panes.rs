//! The panels as triangles: made anew when something in them has changed, painted as they were otherwise.

use std::time::{Duration, Instant};

use egui::{ClippedPrimitive, Context, RawInput, Rect, ViewportId};
use egui_wgpu::ScreenDescriptor;
use winit::event::WindowEvent;
use winit::window::Window;

use super::app::App;
use super::{mouse_and_keys, panels};
use crate::draw::Canvas;
use crate::toolkit;

/// The panels of a window.
pub struct Panes {
    input: egui_winit::State,
    painter: egui_wgpu::Renderer,
    jobs: Vec<ClippedPrimitive>,
    /// The part of the window that each job may touch \[points\].
    clips: Vec<Rect>,
    scale: f32,
    /// When they were made.
    made: Option<Instant>,
    /// When the toolkit wants to make them again.
    due: Option<Instant>,
    has_input: bool,
    is_sent: bool,
}

impl Panes {
    /// Prepares the panels of a window for targets of a format.
    pub fn new(canvas: &Canvas, format: wgpu::TextureFormat, window: &Window, context: &Context) -> Self {
        let scale = window.scale_factor() as f32;
        let max_side = Some(canvas.max_side() as usize);
        let (root, theme) = (ViewportId::ROOT, window.theme());
        Self {
            input: egui_winit::State::new(context.clone(), root, window, Some(scale), theme, max_side),
            painter: toolkit::painter(canvas, format, false),
            jobs: Vec::new(),
            clips: Vec::new(),
            scale,
            made: None,
            due: None,
            has_input: false,
            is_sent: false,
        }
    }

    /// Pixels per point.
    pub fn scale(&self) -> f32 {
        self.scale
    }

    /// Hands over an event; returns whether a picture is wanted for it.
    pub fn take(&mut self, window: &Window, event: &WindowEvent) -> bool {
        let is_wanted = self.input.on_window_event(window, event).repaint;
        self.has_input |= is_wanted;
        is_wanted
    }

    /// What came from mouse and keys and was not shown to the panels yet.
    pub fn unheard(&mut self) -> RawInput {
        self.input.egui_input_mut().take()
    }

    /// Takes over what came from mouse and keys before these panels were there.
    pub fn hear(&mut self, input: RawInput) {
        self.input.egui_input_mut().append(input);
        self.has_input = true;
    }

    /// Time until the toolkit wants to make the panels again without any event.
    pub fn rest(&self) -> Duration {
        self.due.map_or(Duration::MAX, |due| due.saturating_duration_since(Instant::now()))
    }

    /// Makes the panels, and carries out what was done in them, if something in them has changed; figures that change from
    /// step to step may be `patience` old. Returns whether it did.
    pub fn refresh(&mut self, app: &mut App, window: &Window, canvas: &Canvas, patience: Duration) -> bool {
        let now = Instant::now();
        let age = self.made.map_or(Duration::MAX, |made| now - made);
        let is_due = self.due.is_some_and(|due| due <= now);
        let is_old = app.news.figures && age >= patience;
        if !(self.has_input || is_due || is_old || app.news.more || self.made.is_none()) {
            return false;
        }
        (self.has_input, app.news) = (false, Default::default());
        let input = self.input.take_egui_input(window);
        let context = app.context().clone();
        if app.widget_list.is_some() {
            context.enable_accesskit();
        }
        let mut output = context.run_ui(input, |ui| {
            app.show_panels(|app| {
                let was_typing = ui.ctx().egui_wants_keyboard_input();
                app.widgets.had_menu = egui::Popup::is_any_open(ui.ctx());
                panels::show(app, ui);
                mouse_and_keys::keys(app, ui, was_typing);
            });
        });
        if let Some(update) = &output.platform_output.accesskit_update {
            app.list_widgets(update, output.pixels_per_point);
        }
        self.input.handle_platform_output(window, output.platform_output);
        let root = output.viewport_output.get(&ViewportId::ROOT);
        self.due = root.and_then(|viewport| now.checked_add(viewport.repaint_delay));
        self.scale = output.pixels_per_point;
        self.jobs = context.tessellate(std::mem::take(&mut output.shapes), self.scale);
        self.clips = self.jobs.iter().map(|job| job.clip_rect).collect();
        toolkit::keep_textures(&mut self.painter, canvas, &mut output.textures_delta);
        (self.made, self.is_sent) = (Some(now), false);
        true
    }

    /// Records the painting of the panels into a target of a size; only what lies within a rectangle \[points\], if one is
    /// given.
    pub fn paint(
        &mut self,
        canvas: &Canvas,
        encoder: &mut wgpu::CommandEncoder,
        view: &wgpu::TextureView,
        size_in_pixels: [u32; 2],
        within: Option<Rect>,
    ) {
        let screen = ScreenDescriptor { size_in_pixels, pixels_per_point: self.scale };
        if !std::mem::replace(&mut self.is_sent, true) {
            toolkit::send(&mut self.painter, canvas, encoder, &self.jobs, &screen);
        }
        for (job, clip) in self.jobs.iter_mut().zip(&self.clips) {
            job.clip_rect = within.map_or(*clip, |part| clip.intersect(part));
        }
        toolkit::paint(&self.painter, encoder, view, &self.jobs, &screen);
    }
}
