//! What is looked at while a run goes: kept quantities, events, series.

use std::cell::RefCell;

use serde::{Deserialize, Serialize};
use tactum_sim::World;

use super::record::{GivenPath, Layout, Named, Samples};
use super::sweep::{Reduction, SweepSpec};
use super::tables::TAKEN;
use crate::expect::Moment;
use crate::observe::{Probe, ProbeError, starts};
use crate::scene::schema::{About, Bound, Observable, SoFar, Start};
use crate::scene::suggestion;

/// Why something cannot be looked at: the event or quantity, and what is wrong with it.
#[derive(Debug)]
pub enum WatchError {
    /// It cannot be found in the world.
    Probe(String, ProbeError),
    /// It makes no sense.
    Value(String),
}

/// Looks at one run.
#[derive(Debug)]
pub struct Watch {
    starts: Vec<Start>,
    missing: Vec<Missing>,
    events: Vec<Event>,
    courses: Vec<Course>,
    /// Time between samples \[s\].
    every: f64,
    state: WatchState,
}

/// A body or joint that a run does not have, though the sweep asks for a quantity of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// The event or kept quantity.
    pub of: String,
    /// What there is instead.
    pub why: ProbeError,
}

/// What has been seen of a run so far; part of its checkpoint.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct WatchState {
    peak_kinetic_energy: f64,
    /// One for each event.
    events: Vec<Happened>,
    /// One for each kept quantity; none of one that has had no value yet.
    courses: Vec<Option<Seen>>,
    /// Samples that have been due.
    n_samples: u64,
    samples: Samples,
}

/// Something that is looked out for.
#[derive(Debug)]
struct Event {
    /// Of a body or joint that the run does not have, none: the event does not happen.
    bounds: Vec<(Option<Probe>, Bound)>,
    hold: f64,
    stop: bool,
}

/// How far an event has come about.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Happened {
    /// Since when its bounds hold \[s\].
    since: Option<f64>,
    time: Option<f64>,
}

/// A kept quantity.
#[derive(Debug)]
struct Course {
    /// None of a body or joint that the run does not have, so that it has no value.
    probe: Option<Probe>,
    reduce: Vec<Reduction>,
    is_series: bool,
}

/// A quantity over the time of a run.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Seen {
    /// First and last time with a value \[s\].
    begin: f64,
    end: f64,
    last: f64,
    largest: f64,
    smallest: f64,
    integral: f64,
}

impl Watch {
    /// Looks out for what a sweep wants to know of a run of this world. What it asks of bodies or joints that this run does not have, as where
    /// the number of copies is swept, has no value.
    ///
    /// # Errors
    /// If there is no such quantity, it is not said of what, or bounds are no bounds.
    pub fn new(spec: &SweepSpec, world: &World) -> Result<Self, WatchError> {
        let missing = RefCell::new(Vec::new());
        let find =
            |of: String, observable: Observable, body: Option<&str>, joint: Option<&str>| match Probe::find(
                observable, body, joint, world,
            ) {
                Ok(probe) => Ok(Some(probe)),
                Err(why @ ProbeError::Nobody { .. }) => {
                    missing.borrow_mut().push(Missing { of, why });
                    Ok(None)
                }
                Err(why) => Err(WatchError::Probe(of, why)),
            };
        let events = spec.events.iter().map(|event| {
            let named = format!("event '{}'", event.name);
            let bound = |(observable, bound): (Observable, &Bound)| {
                let probe =
                    find(named.clone(), observable, event.body.as_deref(), event.joint.as_deref())?;
                Ok((probe, *bound))
            };
            let bounds = event.bounds.iter().map(bound).collect::<Result<Vec<_>, _>>()?;
            if bounds.is_empty() || bounds.iter().any(|(_, bound)| !bound.is_one()) {
                let what = "needs quantities with bounds, as in speed = { below = 1e-3 } or x = { is = 1, within = 0.1 }";
                return Err(WatchError::Value(format!("{named} {what}")));
            }
            Ok(Event { bounds, hold: event.hold, stop: event.stop })
        });
        let courses = spec.keeps.iter().map(|keep| {
            let of = format!("keep '{}'", keep.column());
            let probe = find(of, observable(&keep.quantity)?, keep.body.as_deref(), keep.joint.as_deref())?;
            Ok(Course { probe, reduce: keep.reduce.all().to_vec(), is_series: keep.series })
        });
        let events: Vec<Event> = events.collect::<Result<_, _>>()?;
        let courses: Vec<Course> = courses.collect::<Result<_, _>>()?;
        let n_series = courses.iter().filter(|course| course.is_series).count();
        let state = WatchState {
            peak_kinetic_energy: world.kinetic_energy(),
            events: vec![Happened::default(); events.len()],
            courses: vec![None; courses.len()],
            n_samples: 0,
            samples: Samples { time: Vec::new(), values: vec![Vec::new(); n_series] },
        };
        let every = spec.series_rate.map_or(0.0, |rate| 1.0 / rate);
        Ok(Self { starts: starts(world), missing: missing.into_inner(), events, courses, every, state })
    }

    /// What the sweep asks for of bodies or joints that the run does not have.
    pub fn missing(&self) -> &[Missing] {
        &self.missing
    }

    /// What has been seen so far.
    pub fn state(&self) -> &WatchState {
        &self.state
    }

    /// Goes on where another watch of the same sweep and run was.
    pub fn restore(&mut self, state: WatchState) {
        self.state = state;
    }

    /// Looks at the world between two steps; the number of the event that ends the run.
    pub fn look(&mut self, now: &Moment<'_>) -> Option<usize> {
        let dt = now.world.settings().dt;
        let time = now.step as f64 * dt;
        let state = &mut self.state;
        state.peak_kinetic_energy = state.peak_kinetic_energy.max(now.world.kinetic_energy());
        let so_far =
            SoFar { peak_kinetic_energy: state.peak_kinetic_energy, unsolved_steps: now.unsolved_steps };
        let samples = &mut state.samples;
        // The step that ends closest to its time has a sample.
        let is_due = !samples.values.is_empty() && time + 0.5 * dt > state.n_samples as f64 * self.every;
        let mut series = samples.values.iter_mut();
        for (course, seen) in self.courses.iter().zip(&mut state.courses) {
            let value = course.probe.and_then(|probe| probe.read(now, &self.starts, &so_far));
            let value = value.filter(|value| value.is_finite());
            if let Some(value) = value {
                seen.get_or_insert_with(|| Seen::first(time, value)).add(time, value);
            }
            if is_due && course.is_series {
                series.next().expect("one list for each series").push(value);
            }
        }
        if is_due {
            samples.time.push(time);
            // Steps longer than the time between samples leave some out.
            state.n_samples = if self.every > 0.0 { ((time + 0.5 * dt) / self.every) as u64 + 1 } else { 0 };
        }
        let mut ends = None;
        let open = self.events.iter().zip(&mut state.events).enumerate();
        for (ix, (event, happened)) in open.filter(|(_, (_, happened))| happened.time.is_none()) {
            let holds = event.bounds.iter().all(|(probe, bound)| {
                let value = probe.and_then(|probe| probe.read(now, &self.starts, &so_far));
                value.is_some_and(|value| bound.holds(value))
            });
            happened.since = if holds { happened.since.or(Some(time)) } else { None };
            // Times are sums of steps: half a step is far more than their rounding.
            if let Some(since) = happened.since.filter(|since| time - since >= event.hold - 0.5 * dt) {
                happened.time = Some(since);
                ends = ends.or(event.stop.then_some(ix));
            }
        }
        ends
    }

    /// The times of the events, the kept numbers and the series.
    pub fn close(self) -> (Vec<Option<f64>>, Vec<Option<f64>>, Samples) {
        let reduced = |(course, seen): (&Course, &Option<Seen>)| -> Vec<Option<f64>> {
            course.reduce.iter().map(|by| seen.and_then(|seen| seen.reduced(*by))).collect()
        };
        let WatchState { events, courses, samples, .. } = self.state;
        let kept = self.courses.iter().zip(&courses).flat_map(reduced).collect();
        (events.iter().map(|event| event.time).collect(), kept, samples)
    }
}

impl Seen {
    /// With the first value alone.
    fn first(time: f64, value: f64) -> Self {
        Self { begin: time, end: time, last: value, largest: value, smallest: value, integral: 0.0 }
    }

    fn add(&mut self, time: f64, value: f64) {
        self.integral += 0.5 * (time - self.end) * (self.last + value);
        self.largest = self.largest.max(value);
        self.smallest = self.smallest.min(value);
        (self.end, self.last) = (time, value);
    }

    fn reduced(&self, by: Reduction) -> Option<f64> {
        let duration = self.end - self.begin;
        let value = match by {
            Reduction::Final => self.last,
            Reduction::Max => self.largest,
            Reduction::Min => self.smallest,
            Reduction::Mean if duration > 0.0 => self.integral / duration,
            Reduction::Mean => self.last,
            Reduction::Integral => self.integral,
        };
        value.is_finite().then_some(value)
    }
}

fn observable(name: &str) -> Result<Observable, WatchError> {
    Observable::find(name).ok_or_else(|| {
        let names: Vec<&str> = Observable::ALL.iter().map(|known| known.name()).collect();
        WatchError::Value(format!("there is no quantity '{name}'; {}", suggestion(name, &names)))
    })
}

/// The columns that a sweep asks for, with those of its paths.
///
/// # Errors
/// If two would have one name, in words.
pub fn layout(spec: &SweepSpec, paths: Vec<GivenPath>, has_replicas: bool) -> Result<Layout, WatchError> {
    let mut layout = Layout { given: paths, has_replicas, expects: spec.expect, ..Layout::default() };
    layout.n_seeds = spec.replicas.as_ref().map_or(0, |replicas| replicas.seeds.len());
    layout.events = spec.events.iter().map(|event| event.name.clone()).collect();
    for keep in &spec.keeps {
        let quantity = observable(&keep.quantity)?;
        let (name, unit) = (keep.column(), quantity.facts().quantity.unit);
        if quantity.about() == About::World && (keep.body.is_some() || keep.joint.is_some()) {
            let what = format!(
                "keep '{name}': {} is a quantity of the world, not of a body or joint",
                keep.quantity
            );
            return Err(WatchError::Value(what));
        }
        layout.kept.extend(
            keep.reduce
                .all()
                .iter()
                .map(|by| Named { name: format!("{name}{}", by.suffix()), unit: by.unit(unit) }),
        );
        if keep.series {
            layout.series.push(Named { name, unit: unit.to_owned() });
        }
    }
    let given = layout.given.iter().map(|path| &path.name);
    let of_runs = given.chain(&layout.events).chain(layout.kept.iter().map(|kept| &kept.name));
    let of_series = layout.series.iter().map(|series| &series.name);
    let twice = first_taken(&TAKEN, of_runs).or_else(|| first_taken(&["run", "time"], of_series));
    match twice {
        Some(name) => {
            Err(WatchError::Value(format!("two columns would have the name '{name}': give one another name")))
        }
        None => Ok(layout),
    }
}

fn first_taken<'a>(taken: &[&str], names: impl Iterator<Item = &'a String>) -> Option<&'a String> {
    let mut seen: Vec<&str> = taken.to_vec();
    let mut names = names;
    names.find(|name| {
        let is_taken = seen.contains(&name.as_str());
        seen.push(name);
        is_taken
    })
}
