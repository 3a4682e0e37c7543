//! How much of what steps ask the stages of a device answer.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

/// How many questions about facets there were, and how many the stages answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FacetShare {
    /// All of them, whoever answered.
    pub questions: u64,
    /// Those that the stages of a device or its twin answered.
    pub by_stages: u64,
    /// Times that a list of candidates was too short and all that was asked with it was done again with a longer one.
    pub lists_grown: u64,
}

impl FacetShare {
    /// Adds another one.
    pub fn add(&mut self, other: &Self) {
        self.questions += other.questions;
        self.by_stages += other.by_stages;
        self.lists_grown += other.lists_grown;
    }
}

/// How many overlaps of meshes were asked for where bodies are, and how many of them the stages measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OverlapShare {
    /// All of them, whoever answered; 0 without stages.
    pub questions: u64,
    /// Those that the stages of a device or its twin were left with, and answered.
    pub by_stages: u64,
}

impl AddAssign for OverlapShare {
    fn add_assign(&mut self, other: Self) {
        self.questions += other.questions;
        self.by_stages += other.by_stages;
    }
}

/// Wall time of overlaps of meshes \[s\].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OverlapTimes {
    /// Until the stages had answered, and the processor what it had been left with from the start.
    pub stages: f64,
    /// Then, until the processor had answered what the stages handed back.
    pub again: f64,
}

impl OverlapTimes {
    /// A part of them.
    pub fn part(&self, part: f64) -> Self {
        Self { stages: self.stages * part, again: self.again * part }
    }
}

impl AddAssign for OverlapTimes {
    fn add_assign(&mut self, other: Self) {
        self.stages += other.stages;
        self.again += other.again;
    }
}
