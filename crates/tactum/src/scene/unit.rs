//! The unit of the value at a path of a scene, as the schema's texts say it.

use serde_json::Value;

use super::overrides::steps_of;
use super::structure::{SCHEMA, resolve};

/// What units are made of; a bracket of a text that holds anything else is an example, or names a table.
const UNITS: [&str; 10] = ["m", "kg", "s", "N", "J", "Pa", "rad", "degrees", "deg", "Hz"];

/// The unit of the value at a path such as `body.box.friction` or `gravity[2]`; `None` where it has none or the schema does not say, as of
/// parameters.
pub fn unit_at(path: &str) -> Option<String> {
    let mut node: &'static Value = &SCHEMA;
    let mut unit = None;
    for step in steps_of(path).ok()? {
        let table = resolve(node);
        if let Some(items) = table.get("items") {
            // The entries of a list are what the list is said to be of.
            node = items;
            continue;
        }
        let (property, text) = property_of(table, &step)?;
        unit = text.and_then(unit_in);
        node = property;
    }
    unit
}

/// A key of a table, or of what one choice takes, and what is said of it.
fn property_of(table: &'static Value, key: &str) -> Option<(&'static Value, Option<&'static str>)> {
    let of = |node: &'static Value| node.get("properties")?.get(key);
    let text = |node: &'static Value| node.get("description").and_then(Value::as_str);
    if let Some(property) = of(table) {
        return Some((property, text(property)));
    }
    let choices = ["oneOf", "anyOf"].iter().filter_map(|kind| table.get(*kind)?.as_array()).flatten();
    choices.into_iter().find_map(|choice| {
        let property = of(choice).or_else(|| of(resolve(choice)))?;
        Some((property, text(property).or_else(|| text(choice))))
    })
}

/// The first bracket of a text that holds a unit.
fn unit_in(text: &str) -> Option<String> {
    let brackets = text.split('[').skip(1).filter_map(|rest| rest.split_once(']'));
    brackets.map(|(inside, _)| inside).find(|inside| is_unit(inside)).map(str::to_owned)
}

fn is_unit(text: &str) -> bool {
    let part = |part: &str| {
        let name = part.trim_end_matches(['²', '³']);
        UNITS.contains(&name) || part == "1"
    };
    !text.is_empty() && text.split([' ', '/']).all(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_of_paths_are_those_of_their_keys() {
        for (path, unit) in [
            ("dt", Some("s")),
            ("gravity[2]", Some("m/s²")),
            ("body.box.shape.box[1]", Some("m")),
            ("body.ball.shape.sphere", Some("m")),
            ("body[0].shape.cylinder.radius", Some("m")),
            ("body.box.density", Some("kg/m³")),
            ("body.box.friction", None),
            ("body.box.copies.spacing[0]", Some("m")),
            ("body.box.copies.seed", None),
            ("contact.stiffness", Some("N/m")),
            ("joint.hinge.kind.revolute.servo.stiffness", Some("N m/rad")),
            ("parameters.size", None),
            ("no.such.key", None),
        ] {
            assert_eq!(unit_at(path).as_deref(), unit, "{path}");
        }
    }
}
