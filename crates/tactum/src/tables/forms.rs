//! What the columns of the tables of a run hold: names, kinds and units, for those who read them without a text beside.

use Kind::{Count, Flag, Number, Text};

use super::{CONTACTS, ENERGY, JOINTS, POSES, SENSORS};

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Numbers, with their unit; empty where they have none.
    Number(&'static str),
    /// Whole numbers.
    Count,
    /// Texts.
    Text,
    /// Yes or no.
    Flag,
}

const LENGTH: Kind = Number("m");
const PART: Kind = Number("");
const SPEED: Kind = Number("m/s");
const SPIN: Kind = Number("rad/s");
const IMPULSE: Kind = Number("N s");
const FORCE: Kind = Number("N");
const TORQUE: Kind = Number("N m");
const ENERGY_OF: Kind = Number("J");

/// The columns that all tables begin with.
const CLOCK: [(&str, Kind); 2] = [("step", Count), ("time", Number("s"))];

const POSE: [(&str, Kind); 14] = [
    ("body", Text),
    ("x", LENGTH),
    ("y", LENGTH),
    ("z", LENGTH),
    ("qx", PART),
    ("qy", PART),
    ("qz", PART),
    ("qw", PART),
    ("vx", SPEED),
    ("vy", SPEED),
    ("vz", SPEED),
    ("wx", SPIN),
    ("wy", SPIN),
    ("wz", SPIN),
];

const CONTACT: [(&str, Kind); 25] = [
    ("a", Text),
    ("b", Text),
    ("region", Count),
    ("volume", Number("m³")),
    ("area", Number("m²")),
    ("depth", LENGTH),
    ("extent", LENGTH),
    ("px", LENGTH),
    ("py", LENGTH),
    ("pz", LENGTH),
    ("nx", PART),
    ("ny", PART),
    ("nz", PART),
    ("ux", PART),
    ("uy", PART),
    ("uz", PART),
    ("fn", FORCE),
    ("fu", FORCE),
    ("fw", FORCE),
    ("tn", TORQUE),
    ("tu", TORQUE),
    ("tw", TORQUE),
    ("cop_u", LENGTH),
    ("cop_w", LENGTH),
    ("deepest", LENGTH),
];

const JOINT: [(&str, Kind); 9] = [
    ("joint", Text),
    ("coordinate", Number("rad or m")),
    ("fx", FORCE),
    ("fy", FORCE),
    ("fz", FORCE),
    ("tx", TORQUE),
    ("ty", TORQUE),
    ("tz", TORQUE),
    ("broken", Flag),
];

const STEP: [(&str, Kind); 12] = [
    ("kinetic", ENERGY_OF),
    ("potential", ENERGY_OF),
    ("total", ENERGY_OF),
    ("contacts", Count),
    ("max_depth", LENGTH),
    ("sweeps", Count),
    ("update_norm", IMPULSE),
    ("unconverged_islands", Count),
    ("deepest", LENGTH),
    ("velocity_error", SPEED),
    ("asleep", Count),
    ("state_hash", Text),
];

const SENSOR: [(&str, Kind); 4] = [("sensor", Text), ("quantity", Text), ("value", PART), ("unit", Text)];

/// The columns of the table of a file name of [`super::TABLE_FILES`], in their order.
pub fn columns_of(file: &str) -> Vec<(&'static str, Kind)> {
    let own: &[(&str, Kind)] = match file {
        POSES => &POSE,
        CONTACTS => &CONTACT,
        JOINTS => &JOINT,
        ENERGY => &STEP,
        SENSORS => &SENSOR,
        _ => &[],
    };
    CLOCK.iter().chain(own).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::{TABLE_FILES, header_of};

    #[test]
    fn the_columns_are_those_of_the_tables() {
        for file in TABLE_FILES {
            let named = |(name, kind): (&str, Kind)| match kind {
                Number(unit) if !unit.is_empty() => format!("{name} [{unit}]"),
                _ => name.to_owned(),
            };
            let names: Vec<String> = columns_of(file).into_iter().map(named).collect();
            assert_eq!(names.join(","), header_of(file).trim_end(), "{file}");
        }
    }
}
