//! Names of bodies, joints, groups and quantities.

use super::schema::{BodySpec, Bound, ExpectSpec, SceneSpec};

impl SceneSpec {
    /// Names of all groups, in the order of their first mention by a body that belongs to them.
    pub fn group_names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for name in self.bodies.iter().flat_map(|body| &body.groups) {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        names
    }

    /// Names of all bodies, copies included, in the order of their indices in the world.
    pub fn expanded_names(&self) -> Vec<String> {
        self.bodies.iter().flat_map(BodySpec::expanded_names).collect()
    }
}

impl BodySpec {
    /// Number of bodies this stands for, without rounding: larger than any memory is allowed.
    pub fn count(&self) -> u128 {
        // The product of three 32-bit numbers fits into 96 bits.
        self.copies.as_ref().map_or(1, |copies| copies.grid.iter().map(|&n| u128::from(n)).product())
    }

    /// The body's name, or its copies' names.
    pub fn expanded_names(&self) -> Vec<String> {
        match self.copies {
            None => vec![self.name.clone()],
            Some(_) => (0..self.count()).map(|ix| format!("{}-{ix}", self.name)).collect(),
        }
    }
}

/// Whether a name fits a pattern: the pattern itself, or any name that begins with what stands before a final `*`.
pub fn matches(pattern: &str, name: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(prefix) => name.starts_with(prefix),
        None => pattern == name,
    }
}

impl ExpectSpec {
    /// The bounds on a body's quantities, with their names.
    pub fn body_bounds(&self) -> Vec<(&'static str, &Bound)> {
        named([
            ("x", &self.x),
            ("y", &self.y),
            ("z", &self.z),
            ("travel", &self.travel),
            ("speed", &self.speed),
            ("spin", &self.spin),
            ("spin_z", &self.spin_z),
            ("tilt_deg", &self.tilt_deg),
            ("turn_deg", &self.turn_deg),
        ])
    }

    /// The bounds on a joint's quantities, with their names.
    pub fn joint_bounds(&self) -> Vec<(&'static str, &Bound)> {
        named([
            ("angle_deg", &self.angle_deg),
            ("extension", &self.extension),
            ("force", &self.force),
            ("torque", &self.torque),
        ])
    }

    /// The bounds on quantities of the whole world, with their names.
    pub fn world_bounds(&self) -> Vec<(&'static str, &Bound)> {
        named([
            ("kinetic_energy", &self.kinetic_energy),
            ("kinetic_energy_of_peak", &self.kinetic_energy_of_peak),
            ("depth_of_size", &self.depth_of_size),
            ("contacts", &self.contacts),
        ])
    }
}

fn named<'a, const N: usize>(
    bounds: [(&'static str, &'a Option<Bound>); N],
) -> Vec<(&'static str, &'a Bound)> {
    bounds.into_iter().filter_map(|(name, bound)| bound.as_ref().map(|bound| (name, bound))).collect()
}
