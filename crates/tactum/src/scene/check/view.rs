//! Whether a scene can be looked at as it says, and its colours are known.

use super::checker::Checker;
use crate::scene::colour::{NAMES, rgb_of};
use crate::scene::fault::Fault;
use crate::scene::key_path::KeyPath;
use crate::scene::schema::{BodySpec, ViewSpec};
use crate::scene::suggest::advice;
use tactum_geometry::quantity::Range;
use tactum_geometry::words::quoted;

/// Checks `[view]`.
pub fn check_view(check: &mut Checker, view: &ViewSpec) {
    let root = KeyPath::default().key("view");
    let at = |key: &str| root.key(key);
    let mut given = |key: &str, value: Option<f64>, range: Range, unit: &str| {
        if let Some(value) = value {
            check.within(&at(key), value, range, unit);
        }
    };
    given("yaw_deg", view.yaw_deg, Range::FINITE, "degrees");
    given("pitch_deg", view.pitch_deg, Range::between(-90.0, 90.0), "degrees");
    given("size", view.size, Range::POSITIVE, "m");
    given("time", view.time, Range::NOT_NEGATIVE, "s");
    given("opacity", view.opacity, Range::FRACTION, "");
    given("fixed_opacity", view.fixed_opacity, Range::FRACTION, "");
    if let Some(target) = view.target {
        check.vector(&at("target"), target, "m");
    }
}

/// Checks the colour of a body.
pub fn check_color(check: &mut Checker, at: &KeyPath, body: &BodySpec) {
    let Some(color) = body.color.as_deref().filter(|color| rgb_of(color).is_none()) else { return };
    let names: Vec<&str> = NAMES.iter().map(|(name, _)| *name).collect();
    let message = format!("the body '{}' has the color '{}', which is not known", body.name, quoted(color));
    let help = if color.starts_with('#') {
        "six digits from 0 to f follow the #, two each for red, green and blue: \"#e69f00\"".to_owned()
    } else {
        format!("{}; or red, green and blue in six digits, as in \"#e69f00\"", advice(color, &names))
    };
    check.refuse(&at.key("color"), Fault::error(message, "a name or #rrggbb").with_help(help));
}
