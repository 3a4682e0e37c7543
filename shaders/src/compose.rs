//! Joins a shader from constants, structures, shared parts and its own text.

use std::fmt::Write;

use crate::groups::{MAX_GROUPS, WORKGROUP};
use crate::stage::Stage;

/// The constants that host and device share, as WGSL.
pub struct Prelude(String);

impl Prelude {
    /// Those of all stages.
    pub fn new() -> Self {
        let mut prelude = Self(String::new());
        prelude.whole(&[("WORKGROUP", WORKGROUP), ("MAX_GROUPS", MAX_GROUPS)]);
        prelude
    }

    /// Adds whole numbers.
    pub fn whole(&mut self, constants: &[(&str, u32)]) {
        for (name, value) in constants {
            writeln!(self.0, "const {name} = {value}u;").expect("writing to a string cannot fail");
        }
    }

    /// Adds numbers.
    pub fn numbers(&mut self, constants: &[(&str, f32)]) {
        for (name, value) in constants {
            writeln!(self.0, "const {name} = {value:?}f;").expect("writing to a string cannot fail");
        }
    }

    /// Adds a list of pairs of numbers.
    pub fn pairs(&mut self, name: &str, list: &[[f32; 2]]) {
        let list: Vec<String> = list.iter().map(|[x, y]| format!("vec2<f32>({x:?}f, {y:?}f)")).collect();
        writeln!(self.0, "const {name} = array<vec2<f32>, {}>({});", list.len(), list.join(", "))
            .expect("writing to a string cannot fail");
    }

    /// The complete WGSL text of a stage whose buffers hold these structures.
    pub fn join<B, T>(self, structures: &str, stage: &Stage<B, T>) -> String {
        let Self(mut text) = self;
        text.push_str(structures);
        for part in stage.fragments {
            text.push_str(part);
        }
        text.push_str(stage.shader);
        text
    }
}
