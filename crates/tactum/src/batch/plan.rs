//! Which values belong to which run.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use toml::Value;

use super::draw::{Distribution, Values, is_of_values};
use super::sweep::SweepSpec;
use crate::hash::Fnv;
use crate::random::Random;
use crate::scene::{Override, SceneError};

/// A part of the runs of a batch: every so many-th, so that all parts take about as long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// Number of the part, from one.
    pub number: u64,
    /// Number of parts.
    pub of: u64,
}

impl Shard {
    /// All runs.
    pub const WHOLE: Self = Self { number: 1, of: 1 };

    /// The runs of the part out of so many in all.
    pub fn runs(self, total: u64) -> impl Iterator<Item = u64> {
        (self.number - 1..total).step_by(usize::try_from(self.of).unwrap_or(usize::MAX))
    }

    /// How many they are.
    pub fn count(self, total: u64) -> u64 {
        (total + self.of - self.number) / self.of
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
        match numbers {
            // More parts than runs can be are a slip.
            Some((number, of)) if 1 <= number && number <= of && of <= 1_000_000 => Ok(Self { number, of }),
            _ => Err("needed is a part of so many, from 1/N to N/N".to_owned()),
        }
    }
}

/// How a path's values are combined with those of others.
#[derive(Clone, Debug)]
enum Axis {
    /// Each with each.
    Cross(Values),
    /// In step with those of its kind.
    Zip(Values),
    /// Drawn; the places of the draws in a Latin hypercube, if it is one.
    Random(Distribution, Vec<u32>),
    /// A seed for each run.
    Seed,
}

/// The runs of a sweep.
#[derive(Clone, Debug)]
pub struct Plan {
    axes: Vec<(String, Axis)>,
    n_zip: u64,
    n_random: u64,
    n_replicas: u64,
    total: u64,
    seed: u64,
}

/// Where a run stands in the grid.
struct Point {
    /// Of the crossed values: the first path's change last.
    crossed: u64,
    zipped: u64,
    draw: u64,
    replica: u64,
}

impl Plan {
    /// The runs that a sweep asks for.
    ///
    /// # Errors
    /// What is wrong with its values, or that they are too many, in words. Nothing is computed for them before they are counted.
    pub fn of(spec: &SweepSpec) -> Result<Self, String> {
        let crossed = axes(&spec.cross, "cross")?;
        let zipped = axes(&spec.zip, "zip")?;
        let drawn =
            spec.random.as_ref().map_or(Ok(Vec::new()), |random| axes(&random.draw, "random.draw"))?;
        let n_zip = common_length(&zipped)?;
        let n_random = spec.random.as_ref().map_or(1, |random| random.n);
        let n_replicas = spec.replicas.as_ref().map_or(1, |replicas| replicas.n);
        if n_random == 0 || n_replicas == 0 {
            return Err("random.n and replicas.n have to be 1 or more: there are no runs".to_owned());
        }
        if spec.replicas.as_ref().is_some_and(|replicas| replicas.n > 1 && replicas.seeds.is_empty()) {
            return Err("replicas without seeds are all the same run: name the paths of seeds".to_owned());
        }
        let lengths = crossed.iter().map(|(_, values)| values.len()).chain([n_zip, n_random, n_replicas]);
        let total = lengths.fold(1_u128, |total, n| total.saturating_mul(u128::from(n)));
        if total > u128::from(spec.max_runs) {
            return Err(format!(
                "the sweep asks for {total} runs; the limit is {}: use fewer values, or set max_runs if you mean it",
                spec.max_runs
            ));
        }
        let seed = spec.random.as_ref().map_or(0, |random| random.seed);
        let is_latin = spec.random.as_ref().is_some_and(|random| random.latin_hypercube);
        let mut all: Vec<(String, Axis)> = Vec::new();
        all.extend(crossed.into_iter().map(|(path, values)| (path, Axis::Cross(values))));
        all.extend(zipped.into_iter().map(|(path, values)| (path, Axis::Zip(values))));
        for (path, values) in drawn {
            let Values::Random(distribution) = values else {
                return Err(format!(
                    "random.draw: '{path}' needs a distribution: uniform, log_uniform, normal or integers"
                ));
            };
            let places =
                if is_latin { shuffled(n_random, stream(seed, &path, u64::MAX)) } else { Vec::new() };
            all.push((path, Axis::Random(distribution, places)));
        }
        let seeds = spec.replicas.iter().flat_map(|replicas| &replicas.seeds);
        all.extend(seeds.map(|path| (path.clone(), Axis::Seed)));
        for (ix, (path, _)) in all.iter().enumerate() {
            if all[..ix].iter().any(|(other, _)| other == path) {
                return Err(format!("'{path}' is given values twice"));
            }
        }
        // The product is within the limit.
        Ok(Self { axes: all, n_zip, n_random, n_replicas, total: total as u64, seed })
    }

    /// Number of runs.
    pub fn n_runs(&self) -> u64 {
        self.total
    }

    /// The paths that take values, in the order of a run's values, each with whether its values are spread by ratios.
    pub fn paths(&self) -> impl Iterator<Item = (&str, bool)> {
        let by_ratios = |axis: &Axis| match axis {
            Axis::Cross(values) | Axis::Zip(values) => matches!(values, Values::LogRange { .. }),
            Axis::Random(distribution, _) => matches!(distribution, Distribution::LogUniform(_)),
            Axis::Seed => false,
        };
        self.axes.iter().map(move |(path, axis)| (path.as_str(), by_ratios(axis)))
    }

    /// Whether runs are repeated with other seeds.
    pub fn has_replicas(&self) -> bool {
        self.n_replicas > 1
    }

    /// The number among its repetitions that a run has.
    pub fn replica(&self, run: u64) -> u64 {
        self.point(run).replica
    }

    /// The values of a run, one for each path.
    pub fn values(&self, run: u64) -> Vec<Value> {
        let point = self.point(run);
        let mut left = point.crossed;
        let mut values: Vec<Value> = Vec::with_capacity(self.axes.len());
        // The last path's values change first.
        for (path, axis) in self.axes.iter().rev() {
            values.push(match axis {
                Axis::Cross(of) => {
                    let ix = left % of.len();
                    left /= of.len();
                    of.at(ix)
                }
                Axis::Zip(of) => of.at(point.zipped),
                Axis::Random(distribution, places) => {
                    // Never 0, where a normal distribution has no number.
                    let unit = stream(self.seed, path, point.draw).unit() + f64::EPSILON / 4.0;
                    distribution.at(match places.get(point.draw as usize) {
                        Some(place) => (f64::from(*place) + unit) / self.n_random as f64,
                        None => unit,
                    })
                }
                Axis::Seed => {
                    /// Whole numbers that every reader takes for what they are.
                    const EXACT: u64 = (1 << 53) - 1;
                    Value::Integer((hash(self.seed, path, run) & EXACT) as i64)
                }
            });
        }
        values.reverse();
        values
    }

    /// What the values of a run are put in the place of.
    ///
    /// # Errors
    /// If a path cannot be read.
    pub fn overrides(&self, run: u64) -> Result<Vec<Override>, SceneError> {
        let values = self.values(run);
        self.paths().zip(values).map(|((path, _), value)| Override::new(path, value.to_string())).collect()
    }

    /// Runs that between them have the first and the last value of every row, and all of those that are listed.
    pub fn representatives(&self) -> Vec<u64> {
        /// Values of a list that are looked at; more are looked at when it is their turn.
        const LISTED: u64 = 100;
        let per_crossed = self.n_zip * self.n_random * self.n_replicas;
        let per_zipped = self.n_random * self.n_replicas;
        let mut runs = vec![0];
        let mut stride = per_crossed;
        for (_, axis) in self.axes.iter().rev() {
            let (values, step) = match axis {
                Axis::Cross(values) => (values, stride),
                Axis::Zip(values) => (values, per_zipped),
                Axis::Random(..) | Axis::Seed => continue,
            };
            match values {
                Values::List(list) => runs.extend((1..(list.len() as u64).min(LISTED)).map(|ix| ix * step)),
                _ => runs.push((values.len() - 1) * step),
            }
            if matches!(axis, Axis::Cross(_)) {
                stride *= values.len();
            }
        }
        runs.sort_unstable();
        runs.dedup();
        runs
    }

    /// Runs that between them have all combinations of values other than plain numbers: the files that any run names are among theirs.
    pub fn with_all_texts(&self) -> impl Iterator<Item = u64> {
        let per_zipped = self.n_random * self.n_replicas;
        let mut stride = self.n_zip * per_zipped;
        // Number of values, and the runs from one to the next.
        let mut varied: Vec<(u64, u64)> = Vec::new();
        for (_, axis) in self.axes.iter().rev() {
            if let Axis::Cross(values) = axis {
                varied.extend(values.has_texts().then_some((values.len(), stride)));
                stride *= values.len();
            }
        }
        if self.axes.iter().any(|(_, axis)| matches!(axis, Axis::Zip(values) if values.has_texts())) {
            varied.push((self.n_zip, per_zipped));
        }
        let n: u64 = varied.iter().map(|(n, _)| n).product();
        (0..n).map(move |ix| {
            let place = |(left, run): (u64, u64), (n, step): &(u64, u64)| (left / n, run + left % n * step);
            varied.iter().fold((ix, 0), place).1
        })
    }

    fn point(&self, run: u64) -> Point {
        let (rest, replica) = (run / self.n_replicas, run % self.n_replicas);
        let (rest, draw) = (rest / self.n_random, rest % self.n_random);
        Point { crossed: rest / self.n_zip, zipped: rest % self.n_zip, draw, replica }
    }
}

/// The paths of a table of tables and their values, in the order of their keys.
fn axes(table: &toml::Table, what: &str) -> Result<Vec<(String, Values)>, String> {
    let mut found = Vec::new();
    let mut open: Vec<(String, &Value)> = table.iter().rev().map(|(key, value)| (step(key), value)).collect();
    while let Some((path, value)) = open.pop() {
        match value {
            Value::Table(inner) if !is_of_values(inner) => {
                open.extend(inner.iter().rev().map(|(key, value)| (format!("{path}.{}", step(key)), value)));
            }
            value => {
                let values = Values::read(value).map_err(|why| format!("{what}: '{path}': {why}"))?;
                if what != "random.draw" && matches!(values, Values::Random(_)) {
                    return Err(format!("{what}: '{path}': distributions stand in [random.draw]"));
                }
                found.push((path, values));
            }
        }
    }
    Ok(found)
}

/// A key as a step of a path.
fn step(key: &str) -> String {
    if key.contains(['.', '[']) { format!("\"{key}\"") } else { key.to_owned() }
}

fn common_length(zipped: &[(String, Values)]) -> Result<u64, String> {
    let Some((first, values)) = zipped.first() else { return Ok(1) };
    match zipped.iter().find(|(_, other)| other.len() != values.len()) {
        None => Ok(values.len()),
        Some((path, other)) => {
            Err(format!("zip: '{first}' has {} values and '{path}' has {}", values.len(), other.len()))
        }
    }
}

fn hash(seed: u64, path: &str, n: u64) -> u64 {
    let mut hash = Fnv::new();
    hash.word(seed);
    hash.text(path);
    hash.word(n);
    hash.value()
}

/// Random numbers of one draw of one path: another path or another number of draws does not change them.
fn stream(seed: u64, path: &str, n: u64) -> Random {
    Random::new(hash(seed, path, n))
}

/// The numbers from 0 in random order (Fisher and Yates).
fn shuffled(n: u64, mut random: Random) -> Vec<u32> {
    let mut order: Vec<u32> = (0..n as u32).collect();
    for ix in (1..order.len()).rev() {
        order.swap(ix, (random.unit() * (ix + 1) as f64) as usize);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(text: &str) -> Result<Plan, String> {
        Plan::of(&toml::from_str(&format!("scene = 'x.toml'\n{text}")).expect("it is a sweep"))
    }

    fn table(text: &str) -> Vec<Vec<f64>> {
        let plan = plan(text).unwrap_or_else(|why| panic!("{why}"));
        let number = |value: &Value| {
            value.as_float().or_else(|| value.as_integer().map(|x| x as f64)).expect("a number")
        };
        (0..plan.n_runs()).map(|run| plan.values(run).iter().map(number).collect()).collect()
    }

    #[test]
    fn crossed_and_zipped_values_are_combined() {
        let text =
            "cross.a = [1, 2]\ncross.b.c = [3, 4, 5]\nzip.d = [6, 7]\nzip.e = { range = [8, 9], n = 2 }";
        let runs = table(text);
        assert_eq!(runs.len(), 12);
        assert_eq!(runs[..3], [[1.0, 3.0, 6.0, 8.0], [1.0, 3.0, 7.0, 9.0], [1.0, 4.0, 6.0, 8.0]]);
        assert_eq!(runs[11], [2.0, 5.0, 7.0, 9.0]);
        let representatives = plan(text).expect("a plan").representatives();
        for (axis, values) in
            [vec![1.0, 2.0], vec![3.0, 4.0, 5.0], vec![6.0, 7.0], vec![8.0, 9.0]].iter().enumerate()
        {
            for value in values {
                assert!(
                    representatives.iter().any(|run| runs[*run as usize][axis] == *value),
                    "{axis}: {value}"
                );
            }
        }
    }

    /// Of a Latin hypercube one draw is in each part; draws of a path do not depend on others.
    #[test]
    fn draws_are_spread_and_independent_of_each_other() {
        let latin = "[random]\nn = 50\nseed = 7\nlatin_hypercube = true\n[random.draw]\na = { uniform = [0, 1] }\nb = { uniform = [0, 1] }";
        let runs = table(latin);
        for axis in 0..2 {
            let mut parts: Vec<u64> = runs.iter().map(|run| (run[axis] * 50.0) as u64).collect();
            parts.sort_unstable();
            assert_eq!(parts, (0..50).collect::<Vec<_>>());
        }
        let alone = table(&latin.replace("b = { uniform = [0, 1] }", ""));
        assert!(runs.iter().zip(&alone).all(|(both, one)| both[0] == one[0]));
        let other = table(&latin.replace("seed = 7", "seed = 8"));
        assert!(runs.iter().zip(&other).any(|(a, b)| a[0] != b[0]));
    }

    /// Mean and deviation of 4,000 draws: five standard errors of each.
    #[test]
    fn normal_draws_have_their_mean_and_deviation() {
        let runs = table("[random]\nn = 4000\n[random.draw]\na = { normal = [3, 0.5] }");
        let n = runs.len() as f64;
        let mean = runs.iter().map(|run| run[0]).sum::<f64>() / n;
        let variance = runs.iter().map(|run| (run[0] - mean).powi(2)).sum::<f64>() / (n - 1.0);
        assert!((mean - 3.0).abs() < 5.0 * 0.5 / n.sqrt(), "{mean}");
        assert!((variance.sqrt() - 0.5).abs() < 5.0 * 0.5 / (2.0 * n).sqrt(), "{variance}");
    }

    /// All combinations of texts are looked at, and of numbers one.
    #[test]
    fn texts_are_looked_at_in_all_combinations() {
        let text = "cross.a = [1, 2]\ncross.b = ['x', 'y', 'z']\nzip.c = ['u', 'v']\nzip.d = [5, 6]\n[random]\nn = 3\n[random.draw]\ne = { uniform = [0, 1] }";
        let plan = plan(text).expect("a plan");
        let runs: Vec<u64> = plan.with_all_texts().collect();
        assert_eq!(runs.len(), 6);
        let mut texts: Vec<_> = runs
            .iter()
            .map(|run| plan.values(*run)[1..3].iter().map(ToString::to_string).collect::<Vec<_>>())
            .collect();
        texts.sort();
        texts.dedup();
        assert_eq!(texts.len(), 6, "{texts:?}");
        let numbers = self::plan("cross.a = [1, 2]").expect("a plan");
        assert_eq!(numbers.with_all_texts().collect::<Vec<_>>(), [0]);
    }

    #[test]
    fn replicas_differ_in_their_seeds_and_in_nothing_else() {
        let runs = table("cross.a = [1, 2]\nreplicas = { n = 3, seeds = ['s'] }");
        assert_eq!(runs.iter().map(|run| run[0]).collect::<Vec<_>>(), [1.0, 1.0, 1.0, 2.0, 2.0, 2.0]);
        let mut seeds: Vec<f64> = runs.iter().map(|run| run[1]).collect();
        seeds.sort_by(f64::total_cmp);
        seeds.dedup();
        assert_eq!(seeds.len(), 6);
    }

    #[test]
    fn what_cannot_be_run_is_refused_before_it_is_computed() {
        for (text, words) in [
            ("cross.a = { range = [0, 1], n = 1000000000 }", "1000000000 runs"),
            (
                "cross.a = { range = [0, 1], n = 9000000000000000000 }\ncross.b = { range = [0, 1], n = 9000000000000000000 }",
                "the limit is 100000",
            ),
            ("zip.a = [1, 2]\nzip.b = [1, 2, 3]", "'a' has 2 values and 'b' has 3"),
            ("cross.a = { range = [1, 0], n = 3 }", "cross: 'a': the range from 1 to 0 is empty"),
            ("cross.a = [1]\nzip.a = [1]", "'a' is given values twice"),
            ("replicas = { n = 3, seeds = [] }", "all the same run"),
            ("cross.a = { uniform = [0, 1] }", "stand in [random.draw]"),
            ("[random]\nn = 2\n[random.draw]\na = [1, 2]", "needs a distribution"),
        ] {
            let why = plan(text).expect_err(text);
            assert!(why.contains(words), "{text}: {why}");
        }
    }

    #[test]
    fn shards_divide_the_runs() {
        for (total, of) in [(10, 3), (2, 5), (16, 16), (0, 2)] {
            let mut all = Vec::new();
            for number in 1..=of {
                let shard = Shard { number, of };
                let runs: Vec<u64> = shard.runs(total).collect();
                assert_eq!(runs.len() as u64, shard.count(total), "{shard} of {total}");
                all.extend(runs);
            }
            all.sort_unstable();
            assert_eq!(all, (0..total).collect::<Vec<_>>());
        }
        assert_eq!("3/16".parse(), Ok(Shard { number: 3, of: 16 }));
        for text in ["0/4", "5/4", "x", "1", "1/0", "-1/2"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
