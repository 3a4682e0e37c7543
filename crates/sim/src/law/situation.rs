//! What a law is told of the world before a step, whatever the law.

use crate::law::memory::Memory;
use crate::motion::FreeMotion;
use crate::world::material::{Materials, Touch};
use crate::{Body, Settings};

/// What a law is told of the world before a step.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// Settings in force.
    pub settings: &'a Settings,
    /// Bodies before the step.
    pub bodies: &'a [Body],
    /// What they are made of, and what is said of pairs.
    pub materials: &'a Materials,
    /// Their free motion in the step.
    pub free: &'a [FreeMotion],
    /// What the laws remember of the last step.
    pub memory: &'a Memory,
    /// Bodies that joints hold together; `joint::WORLD` stands for the world.
    pub joined: &'a [[u32; 2]],
    /// Whether the step is a part of one that is made in parts because somebody lands in it, or bounces.
    pub is_landing: bool,
}

impl Situation<'_> {
    /// How two bodies touch: their friction and restitution.
    pub fn touch(&self, pair: [u32; 2]) -> Touch {
        self.materials.between(pair, pair.map(|ix| &self.bodies[ix as usize]), self.settings)
    }
}
