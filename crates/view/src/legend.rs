//! What the colours of a picture mean, and how large things in it are, drawn into its corners by the same toolkit as the window's
//! panels.

use std::borrow::Cow;

use egui::{Align2, Color32, Context, FontId, RawInput, Rect, Ui, Vec2, ViewportId, pos2, vec2};
use egui_wgpu::ScreenDescriptor;
use glam::DVec2;

use crate::body_marks::{AXES, names};
use crate::camera::Camera;
use crate::draw::{Canvas, Picture};
use crate::facet_marks::colour;
use crate::frame::Frame;
use crate::layers::{Layer, Layers};
use crate::marks::{IN_FULL, MarkStyle, State};
use crate::palette::{Rgb, Theme, mark};
use crate::scale_bar::ScaleBar;
use crate::toolkit;

/// A line of the legend.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Sign before the text.
    pub sign: Sign,
    /// Its colour.
    pub colour: Rgb,
    /// The text.
    pub text: Cow<'static, str>,
}

/// How an entry looks in the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// A filled area.
    Area,
    /// A line.
    Line,
    /// A dot.
    Dot,
    /// An arrow.
    Arrow,
}

/// Width and height of the smallest picture that is written into \[points\].
const ROOM: Vec2 = vec2(480.0, 300.0);

/// What is written into a picture.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Caption {
    /// What it is a picture of.
    pub title: Option<String>,
    /// What its colours mean.
    pub entries: Vec<Entry>,
    /// How large things are.
    pub bar: Option<ScaleBar>,
    /// Names, and where they stand from the upper left corner \[points\].
    pub names: Vec<(Vec2, String)>,
}

impl Caption {
    /// What the layers ask for, in a picture of a size \[points\]; nothing in one so small that it would hide the scene.
    pub fn of(frame: &Frame, marks: &MarkStyle, camera: &Camera, size: Vec2, theme: Theme) -> Self {
        let layers = &marks.layers;
        let pixels = DVec2::new(f64::from(size.x), f64::from(size.y));
        let seen = |(x, name)| Some((camera.project(x, pixels)?, name));
        let names = if layers.has(Layer::Names) { names(frame, marks.only) } else { Vec::new() };
        let has = |layer| layers.has(layer) && size.x >= ROOM.x && size.y >= ROOM.y;
        Self {
            title: None,
            entries: if has(Layer::Legend) {
                entries(frame, layers, theme.surroundings().ink)
            } else {
                Vec::new()
            },
            bar: has(Layer::Scale).then(|| ScaleBar::of(camera, f64::from(size.y))),
            names: names
                .into_iter()
                .filter_map(seen)
                .map(|(at, name)| (vec2(at.x as f32, at.y as f32), name))
                .collect(),
        }
    }

    /// Paints it into the corners of a rectangle, whose upper left one is that of the picture.
    pub fn paint(&self, ui: &Ui, rect: Rect, theme: Theme) {
        let painter = ui.painter().with_clip_rect(rect);
        for (at, name) in &self.names {
            // Above what is marked there.
            let above = rect.left_top() + *at - vec2(0.0, 9.0);
            paint_label(&painter, above, Align2::CENTER_BOTTOM, name, theme);
        }
        if let Some(title) = &self.title {
            paint_label(&painter, rect.left_top() + vec2(8.0, 6.0), Align2::LEFT_TOP, title, theme);
        }
        let corner = rect.left_bottom() + vec2(12.0, -height(&self.entries) - 12.0);
        paint(ui, corner, &self.entries, theme);
        if let Some(bar) = &self.bar {
            bar.paint(ui.painter(), rect, theme);
        }
    }
}

/// Entries of what a frame shows: states only where a contact is in them.
fn entries(frame: &Frame, layers: &Layers, ink: Rgb) -> Vec<Entry> {
    let mut list = Vec::new();
    let mut put = |sign, colour, text: &'static str| list.push(Entry { sign, colour, text: text.into() });
    if layers.has(Layer::State) {
        for state in State::ALL {
            if frame.contacts.iter().any(|contact| State::of(contact.insight.motion) == state) {
                put(Sign::Area, state.colour(), state.name());
            }
        }
    } else if layers.has(Layer::Patch) {
        put(Sign::Area, mark::SKY, "contact patch");
    }
    let others = [
        (Layer::Ellipse, Sign::Line, mark::SKY, "ellipse of moments"),
        (Layer::Box, Sign::Line, mark::YELLOW, "equivalent box"),
        (Layer::Normal, Sign::Arrow, ink, "normal"),
        (Layer::Force, Sign::Arrow, mark::VERMILION, "force"),
        (Layer::Torque, Sign::Arrow, mark::PURPLE, "spin torque"),
        (Layer::Cop, Sign::Dot, mark::PURPLE, "centre of pressure"),
        (Layer::FreeCop, Sign::Dot, mark::VERMILION, "the same without a border"),
        (Layer::Trail, Sign::Line, mark::PURPLE, "its trail"),
    ];
    for (layer, sign, colour, text) in others {
        if layers.has(layer) {
            put(sign, colour, text);
        }
    }
    if frame.contacts.is_empty() {
        list.clear();
    }
    if frame.contacts.len() > IN_FULL
        && let Some(force) = list.iter_mut().find(|entry| entry.text == "force")
    {
        force.text = format!("force, the {IN_FULL} largest of {}", frame.contacts.len()).into();
    }
    let of_bodies = [
        (Layer::Mass, Sign::Dot, mark::YELLOW, "centre of mass"),
        (Layer::Inertia, Sign::Line, mark::YELLOW, "box of the same inertia"),
    ];
    for (layer, sign, colour, text) in of_bodies {
        if layers.has(layer) {
            list.push(Entry { sign, colour, text: text.into() });
        }
    }
    if layers.has(Layer::Axes) {
        list.extend(AXES.map(|(_, colour, text)| Entry { sign: Sign::Arrow, colour, text: text.into() }));
    }
    if !frame.facets.is_empty() {
        list.extend(of_facets(frame, layers, ink));
    }
    let has_points = frame.state.memory.contacts.iter().any(|contact| !contact.points.is_empty());
    if layers.has(Layer::Points) && (has_points || !frame.facets.is_empty() || !frame.penalties.is_empty()) {
        list.push(Entry { sign: Sign::Dot, colour: mark::ORANGE, text: "contact point".into() });
    }
    if layers.has(Layer::Joints) && frame.joints().next().is_some() {
        list.push(Entry { sign: Sign::Dot, colour: mark::SKY, text: "joint".into() });
    }
    list
}

/// Entries of facets that touch.
fn of_facets(frame: &Frame, layers: &Layers, ink: Rgb) -> Vec<Entry> {
    let mut list = Vec::new();
    if layers.has(Layer::Facets) {
        list.push(Entry { sign: Sign::Line, colour: ink, text: "facets that touch".into() });
    }
    if layers.has(Layer::Pressure) {
        let draws =
            frame.facets.iter().any(|facet| facet.profile.punch < 0.0 || facet.profile.cohesion > 0.0);
        for (part, text, is_there) in
            [(1.0, "highest pressure", true), (0.5, "half of it", true), (-1.0, "attraction", draws)]
        {
            if is_there {
                list.push(Entry { sign: Sign::Area, colour: colour(part), text: text.into() });
            }
        }
    }
    list
}

/// A colour as the toolkit has it.
pub fn colour32([r, g, b]: Rgb) -> Color32 {
    let byte = |c: f32| (c * 255.0).round() as u8;
    Color32::from_rgb(byte(r), byte(g), byte(b))
}

/// Size of the text \[points\].
pub const TEXT: f32 = 13.0;

/// Height of a line \[points\].
const LINE: f32 = 18.0;

/// Height of the box with the entries \[points\].
fn height(entries: &[Entry]) -> f32 {
    LINE * entries.len() as f32 + 12.0
}

/// Paints a text on a ground of its own.
fn paint_label(painter: &egui::Painter, at: egui::Pos2, anchor: Align2, text: &str, theme: Theme) {
    let around = theme.surroundings();
    let ink = colour32(around.ink);
    let text = painter.layout_no_wrap(text.to_owned(), FontId::proportional(TEXT), ink);
    let place = anchor.anchor_size(at, text.size());
    let ground = colour32(around.horizon).gamma_multiply(0.75);
    painter.rect_filled(place.expand2(vec2(4.0, 2.0)), 4.0, ground);
    painter.galley(place.min, text, ink);
}

/// Paints the entries in a box at a corner.
fn paint(ui: &Ui, corner: egui::Pos2, entries: &[Entry], theme: Theme) {
    if entries.is_empty() {
        return;
    }
    let painter = ui.painter();
    let around = theme.surroundings();
    let ink = colour32(around.ink);
    let font = FontId::proportional(TEXT);
    let layout = |text: &str| painter.layout_no_wrap(text.to_owned(), font.clone(), ink);
    let widest = entries.iter().map(|entry| layout(&entry.text).size().x).fold(0.0, f32::max);
    let size = vec2(widest + 46.0, height(entries));
    let frame = Rect::from_min_size(corner, size);
    painter.rect_filled(frame, 6.0, colour32(around.horizon).gamma_multiply(0.85));
    for (ix, entry) in entries.iter().enumerate() {
        let y = corner.y + 6.0 + LINE * (ix as f32 + 0.5);
        let middle = pos2(corner.x + 20.0, y);
        paint_sign(painter, middle, entry);
        painter.text(pos2(corner.x + 36.0, y), Align2::LEFT_CENTER, &entry.text, font.clone(), ink);
    }
}

fn paint_sign(painter: &egui::Painter, middle: egui::Pos2, entry: &Entry) {
    let colour = colour32(entry.colour);
    let [from, to] = [middle - vec2(9.0, 0.0), middle + vec2(9.0, 0.0)];
    match entry.sign {
        Sign::Area => {
            let area = Rect::from_center_size(middle, Vec2::new(17.0, 11.0));
            painter.rect(area, 2.0, colour.gamma_multiply(0.5), (2.0, colour), egui::StrokeKind::Inside);
        }
        Sign::Line => {
            painter.line_segment([from, to], (2.5, colour));
        }
        Sign::Dot => {
            painter.circle_filled(middle, 5.0, colour);
        }
        Sign::Arrow => painter.arrow(from, to - from, (2.5, colour)),
    }
}

/// Draws a legend into pictures without a window.
pub struct Legend {
    context: Context,
    renderer: egui_wgpu::Renderer,
}

impl std::fmt::Debug for Legend {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Legend")
    }
}

impl Legend {
    /// A legend for targets of a format.
    pub fn new(canvas: &Canvas, format: wgpu::TextureFormat) -> Self {
        Self { context: Context::default(), renderer: toolkit::painter(canvas, format, true) }
    }

    /// Draws a caption into the corners.
    pub fn draw(
        &mut self,
        canvas: &Canvas,
        encoder: &mut wgpu::CommandEncoder,
        view: &wgpu::TextureView,
        picture: &Picture<'_>,
        caption: &Caption,
    ) {
        if *caption == Caption::default() {
            return;
        }
        let size = Vec2::new(picture.size[0] as f32, picture.size[1] as f32) / picture.scale;
        let mut input = RawInput {
            screen_rect: Some(Rect::from_min_size(egui::Pos2::ZERO, size)),
            ..RawInput::default()
        };
        input.viewports.entry(ViewportId::ROOT).or_default().native_pixels_per_point = Some(picture.scale);
        let rect = Rect::from_min_size(egui::Pos2::ZERO, size);
        let mut output = self.context.run_ui(input, |ui| caption.paint(ui, rect, picture.style.theme));
        let jobs = self.context.tessellate(std::mem::take(&mut output.shapes), picture.scale);
        let screen = ScreenDescriptor { size_in_pixels: picture.size, pixels_per_point: picture.scale };
        toolkit::keep_textures(&mut self.renderer, canvas, &mut output.textures_delta);
        toolkit::send(&mut self.renderer, canvas, encoder, &jobs, &screen);
        toolkit::paint(&self.renderer, encoder, view, &jobs, &screen);
    }
}
