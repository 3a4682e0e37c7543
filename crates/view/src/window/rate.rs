//! How fast pictures come, and where their time goes.

use std::collections::VecDeque;
use std::fmt;
use std::time::{Duration, Instant};

/// Pictures of this time are remembered, unless all are.
const REMEMBERED: Duration = Duration::from_secs(2);

/// Wall time of the parts of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// Running the panels and making triangles of them; zero where they are as they were.
    pub panels: Duration,
    /// Waiting until the window system has room for another picture.
    pub wait: Duration,
    /// Marks of contacts, sorting of bodies, and recording what is to be drawn.
    pub scene: Duration,
    /// Handing the work to the device and the picture to the window system.
    pub hand_over: Duration,
}

/// Tells how long a part took.
#[derive(Debug)]
pub struct Stopwatch(Instant);

impl Stopwatch {
    /// Begins with the first part.
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// The time of the part that ends here; the next one begins.
    pub fn lap(&mut self) -> Duration {
        let now = Instant::now();
        now - std::mem::replace(&mut self.0, now)
    }
}

/// When pictures were drawn.
#[derive(Debug, Default)]
pub struct Rate {
    pictures: VecDeque<(Instant, Parts)>,
    keeps_all: bool,
    n_pictures: usize,
}

/// What a stretch of pictures came to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Summary {
    /// Number of pictures.
    pub n_pictures: usize,
    /// Time from the first to the last \[s\].
    pub time: f64,
    /// Median, 90th percentile and largest of the times from picture to picture \[s\].
    pub intervals: [f64; 3],
    /// Median times of the parts \[s\]: panels where they were run, wait, scene, handing over.
    pub parts: [f64; 4],
    /// Part of the pictures for which the panels were run.
    pub with_panels: f64,
}

impl Rate {
    /// Forgets what was, and keeps every picture from now on.
    pub fn keep_all(&mut self) {
        self.pictures.clear();
        self.keeps_all = true;
    }

    /// Counts a picture that was drawn just now.
    pub fn count(&mut self, parts: Parts) {
        let now = Instant::now();
        self.n_pictures += 1;
        self.pictures.push_back((now, parts));
        let is_old = |(at, _): &(Instant, Parts)| now - *at > REMEMBERED;
        while !self.keeps_all && self.pictures.front().is_some_and(is_old) {
            self.pictures.pop_front();
        }
    }

    /// Pictures drawn so far, remembered or not.
    pub fn n_pictures(&self) -> usize {
        self.n_pictures
    }

    /// What the remembered pictures come to.
    pub fn summary(&self) -> Summary {
        let times = || self.pictures.iter().map(|(at, _)| *at);
        let mut intervals: Vec<f64> =
            times().zip(times().skip(1)).map(|(a, b)| (b - a).as_secs_f64()).collect();
        intervals.sort_by(f64::total_cmp);
        let at = |part: f64| intervals.get((part * intervals.len() as f64) as usize).copied();
        let ran = self.pictures.iter().filter(|(_, parts)| !parts.panels.is_zero()).count();
        let part = |time: fn(&Parts) -> Duration| {
            let mut times: Vec<Duration> = self.pictures.iter().map(|(_, parts)| time(parts)).collect();
            times.retain(|time| !time.is_zero());
            times.sort();
            times.get(times.len() / 2).map_or(0.0, Duration::as_secs_f64)
        };
        Summary {
            n_pictures: self.pictures.len(),
            time: intervals.iter().sum(),
            intervals: [at(0.5), at(0.9), intervals.last().copied()].map(|x| x.unwrap_or(0.0)),
            parts: [part(|p| p.panels), part(|p| p.wait), part(|p| p.scene), part(|p| p.hand_over)],
            with_panels: ran as f64 / self.pictures.len().max(1) as f64,
        }
    }
}

impl Summary {
    /// Pictures per second.
    pub fn per_second(&self) -> f64 {
        if self.time > 0.0 { (self.n_pictures - 1) as f64 / self.time } else { 0.0 }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [median, ninety, worst] = self.intervals.map(|x| 1e3 * x);
        let [panels, wait, scene, hand_over] = self.parts.map(|x| 1e3 * x);
        write!(
            f,
            "{:.1} pictures a second; from picture to picture {median:.1} ms, 90 % below {ninety:.1}, at most \
             {worst:.1}; of it scene {scene:.1}, handing over {hand_over:.1}, waiting {wait:.1}, and panels \
             {panels:.1} in {:.0} % of the pictures (medians)",
            self.per_second(),
            100.0 * self.with_panels
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_is_of_the_intervals() {
        let begin = Instant::now();
        let parts = |ms| Parts { panels: Duration::from_millis(ms), ..Parts::default() };
        let at = |ms| begin + Duration::from_millis(ms);
        let pictures = [(at(0), parts(4)), (at(10), parts(0)), (at(20), parts(0)), (at(60), parts(6))];
        let rate = Rate { pictures: pictures.into(), keeps_all: true, n_pictures: 4 };
        let summary = rate.summary();
        assert_eq!((summary.n_pictures, summary.with_panels), (4, 0.5));
        assert!((summary.per_second() - 50.0).abs() < 1e-9);
        assert_eq!(summary.intervals.map(|x| (1e3 * x).round()), [10.0, 40.0, 40.0]);
        assert_eq!(summary.parts.map(|x| (1e3 * x).round()), [6.0, 0.0, 0.0, 0.0]);
    }
}
