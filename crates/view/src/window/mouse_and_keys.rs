//! What mouse and keys do in the part of the window that shows the scene.

use egui::{Key, Modifiers, PointerButton, Pos2, Rect, Response, Role, Sense, Ui, WidgetInfo};
use glam::{DVec2, DVec3};
use tactum::scene::schema::{
    BodySpec, DEFAULT_SMOOTH_DEG, KindSpec, OrientationSpec, RoundingSpec, ShapeSpec,
};
use tactum_geometry::Ray;
use tactum_sim::BodyKind;

use super::app::App;
use super::widget_state::{DropShape, Gesture};
use crate::command::{Plot, SimCommand, ViewCommand};
use crate::layers::Layer;
use crate::motion::interesting;
use crate::pick::{Hit, pick};
use crate::view::SEE_THROUGH;

/// Factor on the distance for a point of the wheel.
const ZOOM_PER_POINT: f64 = 0.0025;

/// Speed that a kick gives a body of the median size's length per second. No unit.
const KICK: f64 = 6.0;

/// Has the toolkit watch the mouse over the whole scene. Whatever is made after it lies over it.
pub fn sense(ui: &Ui, whole: Rect) -> Response {
    let response = ui.interact(whole, ui.scope_id().with("scene_area"), Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, "Scene"));
    response
}

/// Lets the mouse act on the scene where no panel covers it.
pub fn mouse(app: &mut App, ui: &Ui, response: &Response) {
    let rect = response.rect;
    let before = app.view.camera;
    let size = DVec2::new(f64::from(rect.width()), f64::from(rect.height()));
    let modifiers = ui.input(|input| input.modifiers);
    begin(app, ui, response, size, modifiers);
    drag(app, response, size);
    if response.drag_stopped() {
        match app.widgets.gesture {
            Gesture::Pull(_) => app.sim(SimCommand::Release),
            Gesture::Orbit | Gesture::Pan => app.show(ViewCommand::Look(app.view.camera)),
            Gesture::None => {}
        }
        app.widgets.gesture = Gesture::None;
    }
    if response.contains_pointer()
        && let Some(at) = response.hover_pos()
        && app.clear_area().contains(at)
    {
        let (wheel, pinch) = ui.input(|input| (input.smooth_scroll_delta().y, input.zoom_delta()));
        let factor = (-f64::from(wheel) * ZOOM_PER_POINT).exp() / f64::from(pinch);
        if factor != 1.0 {
            app.view.camera.zoom(factor, inside(rect, at), size);
        }
    }
    click(app, response, size);
    if app.view.camera != before {
        ui.ctx().request_repaint();
    }
}

fn inside(rect: Rect, at: Pos2) -> DVec2 {
    DVec2::new(f64::from(at.x - rect.left()), f64::from(at.y - rect.top()))
}

fn begin(app: &mut App, ui: &Ui, response: &Response, size: DVec2, modifiers: Modifiers) {
    if !response.drag_started() {
        return;
    }
    let origin = ui.input(|input| input.pointer.press_origin());
    let Some(at) = origin.filter(|at| app.clear_area().contains(*at)) else { return };
    let is_left = response.drag_started_by(PointerButton::Primary);
    app.widgets.gesture = match modifiers {
        _ if !is_left => Gesture::Pan,
        Modifiers { ctrl: true, .. } | Modifiers { command: true, .. } => {
            grab(app, inside(response.rect, at), size)
        }
        Modifiers { shift: true, .. } => Gesture::Pan,
        _ => Gesture::Orbit,
    };
}

fn grab(app: &mut App, at: DVec2, size: DVec2) -> Gesture {
    let ray = app.view.camera.ray(at, size);
    let Some(frame) = app.shown_frame() else { return Gesture::None };
    let hit = pick(&frame, &ray);
    let body = hit.map(|hit| &frame.model.bodies[hit.body as usize]);
    let Some(hit) = hit.filter(|_| body.is_some_and(|body| body.kind == BodyKind::Dynamic)) else {
        // The camera stays: whoever meant a body would lose it out of sight.
        let what = body.map_or("there is nothing to pull there".to_owned(), |body| {
            format!("the body '{}' cannot be pulled: it is no dynamic one", body.name)
        });
        app.tell(what, false);
        return Gesture::None;
    };
    let target = ray.origin + ray.direction * hit.distance;
    app.show(ViewCommand::Select(Some(hit.body)));
    app.sim(SimCommand::Grab { body: hit.body, point: hit.point_in_shape, target });
    let depth = -app.view.camera.axes()[2].dot(ray.direction * hit.distance);
    Gesture::Pull(depth)
}

fn drag(app: &mut App, response: &Response, size: DVec2) {
    if !response.dragged() {
        return;
    }
    let delta = response.drag_delta();
    let delta = DVec2::new(f64::from(delta.x), f64::from(delta.y));
    if delta == DVec2::ZERO {
        return;
    }
    match app.widgets.gesture {
        Gesture::None => {}
        Gesture::Orbit => app.view.camera.orbit(delta, size.y),
        Gesture::Pan => app.view.camera.pan(delta, size.y),
        Gesture::Pull(depth) => {
            if let Some(at) = response.interact_pointer_pos() {
                let ray = app.view.camera.ray(inside(response.rect, at), size);
                let along = depth / -app.view.camera.axes()[2].dot(ray.direction);
                app.sim(SimCommand::Drag(ray.origin + ray.direction * along));
            }
        }
    }
}

fn click(app: &mut App, response: &Response, size: DVec2) {
    // A click beside an open menu closes it and is not about the scene.
    if !response.clicked_by(PointerButton::Primary) || app.widgets.had_menu {
        return;
    }
    let at = response.interact_pointer_pos().filter(|at| app.clear_area().contains(*at));
    let Some(at) = at else { return };
    // What the first click selected may have moved from below the mouse, as the panel about it opened.
    if response.double_clicked() {
        return frame_selected(app, app.view.selected);
    }
    let hit = hit_at(app, &app.view.camera.ray(inside(response.rect, at), size));
    let body = hit.map(|hit| hit.body);
    if app.view.selected != body {
        app.show(ViewCommand::Select(body));
    }
}

fn hit_at(app: &App, ray: &Ray) -> Option<Hit> {
    app.shown_frame().and_then(|frame| pick(&frame, ray))
}

/// Looks at a body, or at all.
pub fn frame_selected(app: &mut App, body: Option<u32>) {
    let Some(frame) = app.shown_frame() else { return };
    let bounds = body.map_or_else(|| interesting(&frame), |body| frame.bounds_of(body));
    app.show(ViewCommand::Look(app.framed(app.view.camera, &bounds)));
}

/// Looks at all from where the scene was looked at first, wherever the camera has got to.
fn go_home(app: &mut App) {
    let Some(frame) = app.shown_frame() else { return };
    app.show(ViewCommand::Follow(None));
    app.show(ViewCommand::Look(app.home(&frame)));
}

/// Has the camera go with the selected body, or with none if it does.
pub fn follow_selected(app: &mut App) {
    let wanted = app.view.selected.filter(|body| app.view.followed != Some(*body));
    if wanted != app.view.followed {
        app.show(ViewCommand::Follow(wanted));
    }
}

/// Lets the keys act, unless they are typed into a field: one that `was_typing` before the panels were made has had the keys even if it was
/// left by one of them.
pub fn keys(app: &mut App, ui: &Ui, was_typing: bool) {
    if was_typing || ui.ctx().egui_wants_keyboard_input() {
        return;
    }
    let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
    if ui.input_mut(|input| input.consume_key(Modifiers::COMMAND, Key::Q)) {
        app.show(ViewCommand::Close);
    }
    let is_running = app.status.as_ref().is_some_and(|status| status.is_running);
    if pressed(Key::Space) {
        app.sim(if is_running { SimCommand::Pause } else { SimCommand::Play });
    }
    if pressed(Key::Period) {
        app.sim(SimCommand::Step);
    }
    if pressed(Key::R) {
        app.reset();
    }
    if pressed(Key::OpenBracket) {
        app.change_speed(0.5);
    }
    if pressed(Key::CloseBracket) {
        app.change_speed(2.0);
    }
    if pressed(Key::ArrowLeft) {
        app.scrub(-1);
    }
    if pressed(Key::ArrowRight) {
        app.scrub(1);
    }
    if pressed(Key::F) {
        frame_selected(app, app.view.selected);
    }
    if pressed(Key::Home) {
        go_home(app);
    }
    if pressed(Key::C) {
        follow_selected(app);
    }
    if pressed(Key::Escape) && !app.widgets.had_menu {
        let command = if app.view.help { ViewCommand::Help(false) } else { ViewCommand::Select(None) };
        app.show(command);
    }
    more_keys(app, &pressed);
}

fn more_keys(app: &mut App, pressed: &impl Fn(Key) -> bool) {
    if pressed(Key::K) {
        kick(app);
    }
    if pressed(Key::B) {
        drop_body(app);
    }
    if pressed(Key::W) {
        let on = !app.view.layers.has(Layer::Wireframe);
        app.show(ViewCommand::Layer(Layer::Wireframe, on));
    }
    if pressed(Key::X) {
        let opacity = if app.view.opacity < 1.0 { 1.0 } else { SEE_THROUGH };
        app.show(ViewCommand::Opacity(opacity, app.view.fixed_opacity));
    }
    if pressed(Key::T) {
        app.show(ViewCommand::Theme(app.view.theme.other()));
    }
    if pressed(Key::P) {
        app.screenshot();
    }
    if pressed(Key::V) {
        app.show(ViewCommand::Panels(!app.view.panels));
    }
    if pressed(Key::F1) || pressed(Key::H) {
        app.show(ViewCommand::Help(!app.view.help));
    }
    let numbers = [Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5];
    for (plot, key) in Plot::OF_SCENE.into_iter().zip(numbers) {
        if pressed(key) {
            app.show(ViewCommand::Plot(plot, !app.view.plots.contains(&plot)));
        }
    }
}

/// Kicks the selected body away from the camera and a little up.
pub fn kick(app: &mut App) {
    let (Some(frame), Some(body)) = (app.shown_frame(), app.view.selected) else { return };
    let Some(info) = frame.model.bodies.get(body as usize) else { return };
    if info.kind != BodyKind::Dynamic {
        return app.tell(format!("the body '{}' cannot be kicked: nothing moves it", info.name), false);
    }
    let away = (-app.view.camera.axes()[2]).with_z(0.4).normalize();
    let impulse = away * (info.mass.mass * KICK * info.shape.size());
    app.sim(SimCommand::Kick { body, point: info.mass.center, impulse });
}

/// Drops a body above the middle of the scene.
pub fn drop_body(app: &mut App) {
    let Some(frame) = app.shown_frame() else { return };
    let bounds = interesting(&frame);
    let moving = frame.model.bodies.iter().filter(|body| body.kind == BodyKind::Dynamic);
    let mut sizes: Vec<f64> = moving.map(|body| body.shape.size()).collect();
    sizes.sort_by(f64::total_cmp);
    let size = sizes.get(sizes.len() / 2).copied().unwrap_or(0.2) / 3_f64.sqrt();
    let n = frame.model.bodies.len();
    let mut body = match app.widgets.drop_shape {
        DropShape::Copy => match app.copy_of_selected() {
            Some(body) => body,
            None => return app.tell("select a body to drop a copy of it".to_owned(), false),
        },
        DropShape::Box => fresh(ShapeSpec::Box([size; 3])),
        DropShape::Ball => fresh(ShapeSpec::Sphere(0.5 * size)),
        DropShape::Capsule => fresh(ShapeSpec::Capsule(tactum::scene::schema::CapsuleSpec {
            radius: 0.25 * size,
            length: 0.8 * size,
        })),
    };
    let above = bounds.max.z + 1.2 * size;
    // Each one a little aside, so that a tower of balls does not stand on its point.
    let aside = 0.13 * size * DVec3::new((2.4 * n as f64).cos(), (2.4 * n as f64).sin(), 0.0);
    body.name = format!("dropped-{}", n - frame.model.n_scene_bodies.min(n) + 1);
    body.position = (bounds.center().with_z(above) + aside).to_array();
    app.sim(SimCommand::Drop(Box::new(body)));
}

fn fresh(shape: ShapeSpec) -> BodySpec {
    BodySpec {
        name: String::new(),
        kind: KindSpec::Dynamic,
        shape,
        rounding: RoundingSpec::default(),
        smooth_deg: DEFAULT_SMOOTH_DEG,
        position: [0.0; 3],
        orientation: OrientationSpec::Quaternion([0.0, 0.0, 0.0, 1.0]),
        linear_velocity: [0.0; 3],
        angular_velocity: [0.0; 3],
        motion: None,
        density: None,
        mass: None,
        inertia: None,
        center_of_mass: None,
        color: None,
        material: None,
        friction: None,
        groups: Vec::new(),
        touches: None,
        copies: None,
        poses: None,
        placed: None,
    }
}
