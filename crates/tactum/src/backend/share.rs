//! How much of what steps ask the stages of a device answer.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::AddAssign;

use tactum_geometry::words;

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
    /// Sub-steps that the stages went through by themselves, of which nothing was asked.
    #[serde(default)]
    pub substeps_alone: u64,
    /// In how many goes.
    #[serde(default)]
    pub goes: u64,
}

impl FacetShare {
    /// Adds another one.
    pub fn add(&mut self, other: &Self) {
        self.questions += other.questions;
        self.by_stages += other.by_stages;
        self.lists_grown += other.lists_grown;
        self.substeps_alone += other.substeps_alone;
        self.goes += other.goes;
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
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OverlapTimes {
    /// Until the stages had answered, and the processor what it had been left with from the start.
    pub stages: f64,
    /// Then, until the processor had answered what the stages handed back.
    pub again: f64,
    /// What of `again` is due to each cause for which pairs were handed back: shared out as the processor's times for the pairs are.
    pub by_cause: BTreeMap<&'static str, f64>,
}

impl OverlapTimes {
    /// A part of them.
    pub fn part(&self, part: f64) -> Self {
        let by_cause = self.by_cause.iter().map(|(cause, time)| (*cause, time * part)).collect();
        Self { stages: self.stages * part, again: self.again * part, by_cause }
    }
}

impl AddAssign<&Self> for OverlapTimes {
    fn add_assign(&mut self, other: &Self) {
        self.stages += other.stages;
        self.again += other.again;
        for (cause, time) in &other.by_cause {
            *self.by_cause.entry(cause).or_default() += time;
        }
    }
}

/// Who answered a step's questions about overlaps of meshes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OverlapAnswers {
    /// Whether the stages run on a device, and not as twins.
    pub on_device: bool,
    /// How many there were, and how many of them the stages answered.
    pub share: OverlapShare,
    /// How long it took.
    pub times: OverlapTimes,
    /// How many were handed back, by cause.
    pub causes: BTreeMap<&'static str, u64>,
}

impl OverlapAnswers {
    /// The part of the pairs that the stages answered; `None` if there were none.
    pub fn part(&self) -> Option<f64> {
        (self.share.questions > 0).then(|| self.share.by_stages as f64 / self.share.questions as f64)
    }

    /// Who the stages are.
    pub fn who(&self) -> &'static str {
        who(self.on_device)
    }

    /// As [`in_words`].
    pub fn in_words(&self) -> String {
        in_words(self.on_device, self.share, &self.times, self.causes.iter().map(|(cause, n)| (*cause, *n)))
    }
}

fn who(on_device: bool) -> &'static str {
    if on_device { "the device" } else { "its stages' twins" }
}

/// How many pairs the device, or its stages' twins, answered, in which part of the time; and of each cause for which others were handed back
/// how many pairs these are, which part of all and of the time.
pub fn in_words<'a>(
    on_device: bool,
    share: OverlapShare,
    times: &OverlapTimes,
    causes: impl Iterator<Item = (&'a str, u64)>,
) -> String {
    let OverlapShare { questions, by_stages } = share;
    let percent = |n: u64| 100.0 * n as f64 / questions.max(1) as f64;
    let of_time = |time: f64| 100.0 * time / (times.stages + times.again).max(f64::MIN_POSITIVE);
    let pairs = words::counted(questions, "pair", "pairs");
    let mut text = format!("answered by {}: {:.1} % of {pairs}", who(on_device), percent(by_stages));
    if times.stages > 0.0 {
        let _ = write!(text, ", in {:.0} % of the time", of_time(times.stages));
    }
    for (ix, (cause, n)) in causes.enumerate() {
        let before = if ix == 0 { "; handed back: " } else { ", " };
        let _ = write!(text, "{before}{n} {cause} ({:.2} %", percent(n));
        if let Some(time) = times.by_cause.get(cause) {
            let _ = write!(text, ", {:.0} % of the time", of_time(*time));
        }
        text.push(')');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_of_pairs_and_of_time() {
        let mut times = OverlapTimes { stages: 3.0, again: 1.0, by_cause: BTreeMap::from([("unseen", 1.0)]) };
        times += &times.clone();
        let share = OverlapShare { questions: 200, by_stages: 194 };
        let answers =
            OverlapAnswers { on_device: true, share, times, causes: BTreeMap::from([("unseen", 6)]) };
        let wanted = "answered by the device: 97.0 % of 200 pairs, in 75 % of the time; handed back: 6 unseen (3.00 %, 25 % of the time)";
        assert_eq!(answers.in_words(), wanted);
        assert_eq!(answers.part(), Some(0.97));
        assert_eq!(OverlapAnswers::default().part(), None);
    }
}
