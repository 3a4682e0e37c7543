//! The values that a path takes: ranges, lists and distributions.

use tactum_geometry::words::{listed, number};
use toml::Value;

use crate::scene::suggestion;

/// Keys of what can be said of a path.
const KEYS: [&str; 8] = ["range", "log_range", "list", "uniform", "log_uniform", "normal", "integers", "n"];

/// Whether a table states values, and is not one of paths.
pub fn is_of_values(table: &toml::Table) -> bool {
    table.keys().any(|key| KEYS.contains(&key.as_str()))
}

/// Values in a row, or at random.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// These.
    List(Vec<Value>),
    /// Evenly from the first to the last, in whole numbers where both and the distance are.
    Range {
        /// First and last.
        ends: [f64; 2],
        /// Number of values.
        n: u64,
        /// Whether they are whole.
        is_whole: bool,
    },
    /// Each by the same factor larger than the one before.
    LogRange {
        /// First and last, positive.
        ends: [f64; 2],
        /// Number of values.
        n: u64,
    },
    /// A distribution.
    Random(Distribution),
}

/// How a random value is distributed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Distribution {
    /// Evenly between two numbers.
    Uniform([f64; 2]),
    /// Its logarithm evenly.
    LogUniform([f64; 2]),
    /// Normally, with mean and standard deviation.
    Normal([f64; 2]),
    /// Whole numbers from the first to the last, all alike.
    Integers([i64; 2]),
}

impl Values {
    /// Number of values in a row; one of a distribution, whose draws are counted elsewhere.
    pub fn len(&self) -> u64 {
        match self {
            Self::List(values) => values.len() as u64,
            Self::Range { n, .. } | Self::LogRange { n, .. } => *n,
            Self::Random(_) => 1,
        }
    }

    /// Whether any is more than a plain number, and so may name a file.
    pub fn has_texts(&self) -> bool {
        let is_plain =
            |value: &Value| matches!(value, Value::Integer(_) | Value::Float(_) | Value::Boolean(_));
        matches!(self, Self::List(values) if !values.iter().all(is_plain))
    }

    /// The value of a place in the row.
    pub fn at(&self, ix: u64) -> Value {
        let part = |n: u64| if n < 2 { 0.0 } else { ix as f64 / (n - 1) as f64 };
        match self {
            Self::List(values) => values[ix as usize].clone(),
            Self::Range { ends: [a, b], n, is_whole } => {
                let value = if ix + 1 == *n && *n > 1 { *b } else { a + (b - a) * part(*n) };
                if *is_whole { Value::Integer(value.round() as i64) } else { Value::Float(value) }
            }
            Self::LogRange { ends: [a, b], n } => {
                Value::Float(if ix + 1 == *n && *n > 1 { *b } else { a * (b / a).powf(part(*n)) })
            }
            Self::Random(distribution) => distribution.at(0.5),
        }
    }

    /// The values that a file states for a path.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn read(said: &Value) -> Result<Self, String> {
        let table = match said {
            Value::Array(list) => return some(list.clone()),
            Value::Table(table) => table,
            single => return Ok(Self::List(vec![single.clone()])),
        };
        if let Some(key) = table.keys().find(|key| !KEYS.contains(&key.as_str())) {
            return Err(format!("there is no '{key}'; {}", suggestion(key, &KEYS)));
        }
        let kinds: Vec<&String> = table.keys().filter(|key| *key != "n").collect();
        let [kind] = kinds.as_slice() else {
            return Err(format!("one is needed out of {}", listed(&KEYS[..KEYS.len() - 1])));
        };
        let value = &table[kind.as_str()];
        let is_row = matches!(kind.as_str(), "range" | "log_range");
        let n = match table.get("n") {
            None if is_row => return Err("n is missing, the number of values".to_owned()),
            Some(_) if !is_row => return Err(format!("'{kind}' takes no n")),
            None => 0,
            Some(n) => match n.as_integer() {
                Some(n @ 1..) => n as u64,
                _ => return Err(format!("n is {n}, so that there are no values: it has to be 1 or more")),
            },
        };
        match kind.as_str() {
            "list" => some(value.as_array().cloned().ok_or("a list is needed, as in list = [1, 2]")?),
            "range" => {
                let ends = rising(value, n)?;
                let step = (ends[1] - ends[0]) / (n.max(2) - 1) as f64;
                let are_integers = value.as_array().is_some_and(|ends| ends.iter().all(Value::is_integer));
                Ok(Self::Range { ends, n, is_whole: are_integers && step.fract() == 0.0 })
            }
            "log_range" => Ok(Self::LogRange { ends: positive(rising(value, n)?)?, n }),
            "uniform" => Ok(Self::Random(Distribution::Uniform(rising(value, 2)?))),
            "log_uniform" => Ok(Self::Random(Distribution::LogUniform(positive(rising(value, 2)?)?))),
            "integers" => match rising(value, 2)? {
                [a, b] if a.fract() == 0.0 && b.fract() == 0.0 && a.abs().max(b.abs()) < 9e15 => {
                    Ok(Self::Random(Distribution::Integers([a as i64, b as i64])))
                }
                _ => Err("integers takes two whole numbers".to_owned()),
            },
            _ => match pair(value)? {
                [mean, deviation] if deviation > 0.0 => {
                    Ok(Self::Random(Distribution::Normal([mean, deviation])))
                }
                _ => Err("normal takes a mean and a standard deviation above zero".to_owned()),
            },
        }
    }
}

fn some(list: Vec<Value>) -> Result<Values, String> {
    if list.is_empty() { Err("the list is empty".to_owned()) } else { Ok(Values::List(list)) }
}

fn pair(value: &Value) -> Result<[f64; 2], String> {
    let number = |value: &Value| value.as_float().or_else(|| value.as_integer().map(|value| value as f64));
    let numbers: Option<Vec<f64>> = value.as_array().and_then(|list| list.iter().map(number).collect());
    match numbers.as_deref() {
        Some(&[a, b]) if a.is_finite() && b.is_finite() => Ok([a, b]),
        _ => Err("two finite numbers are needed, as in [0.1, 0.9]".to_owned()),
    }
}

/// Two numbers of which the first is the smaller one; of a single value they may be the same.
fn rising(value: &Value, n: u64) -> Result<[f64; 2], String> {
    let [a, b] = pair(value)?;
    if a < b || (a == b && n == 1) {
        return Ok([a, b]);
    }
    Err(format!(
        "the range from {} to {} is empty: the first number has to be the smaller one",
        number(a),
        number(b)
    ))
}

fn positive(ends: [f64; 2]) -> Result<[f64; 2], String> {
    if ends[0] > 0.0 { Ok(ends) } else { Err("logarithms need numbers above zero".to_owned()) }
}

impl Distribution {
    /// The value below which a part of all draws is, above 0 and below 1.
    pub fn at(self, part: f64) -> Value {
        match self {
            Self::Uniform([a, b]) => Value::Float(a + (b - a) * part),
            Self::LogUniform([a, b]) => Value::Float(a * (b / a).powf(part)),
            Self::Normal([mean, deviation]) => Value::Float(mean + deviation * normal_quantile(part)),
            Self::Integers([a, b]) => {
                let n = (b - a) as f64 + 1.0;
                Value::Integer((a + (part * n) as i64).min(b))
            }
        }
    }
}

/// The number below which a part of a standard normal distribution is, to 1.15e-9 of itself (Acklam 2003): far finer than any sample
/// shows.
fn normal_quantile(part: f64) -> f64 {
    const A: [f64; 6] = [
        -3.969_683_028_665_376e1,
        2.209_460_984_245_205e2,
        -2.759_285_104_469_687e2,
        1.383_577_518_672_69e2,
        -3.066_479_806_614_716e1,
        2.506_628_277_459_239,
    ];
    const B: [f64; 6] = [
        -5.447_609_879_822_406e1,
        1.615_858_368_580_409e2,
        -1.556_989_798_598_866e2,
        6.680_131_188_771_972e1,
        -1.328_068_155_288_572e1,
        1.0,
    ];
    const C: [f64; 6] = [
        -7.784_894_002_430_293e-3,
        -3.223_964_580_411_365e-1,
        -2.400_758_277_161_838,
        -2.549_732_539_343_734,
        4.374_664_141_464_968,
        2.938_163_982_698_783,
    ];
    const D: [f64; 5] = [
        7.784_695_709_041_462e-3,
        3.224_671_290_700_398e-1,
        2.445_134_137_142_996,
        3.754_408_661_907_416,
        1.0,
    ];
    /// Where the formula for the middle ends.
    const TAIL: f64 = 0.02425;
    let sum = |coefficients: &[f64], x: f64| coefficients.iter().fold(0.0, |sum, c| sum * x + c);
    let tail = |part: f64| {
        let q = (-2.0 * part.ln()).sqrt();
        sum(&C, q) / sum(&D, q)
    };
    if part < TAIL {
        tail(part)
    } else if part > 1.0 - TAIL {
        -tail(1.0 - part)
    } else {
        let q = part - 0.5;
        q * sum(&A, q * q) / sum(&B, q * q)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Values, String> {
        let table: toml::Table = format!("x = {text}").parse().expect("it is TOML");
        Values::read(&table["x"])
    }

    fn all(text: &str) -> Vec<Value> {
        let values = read(text).expect("values");
        (0..values.len()).map(|ix| values.at(ix)).collect()
    }

    #[test]
    fn rows_have_their_ends_and_number() {
        let floats = |values: &[f64]| values.iter().map(|x| Value::Float(*x)).collect::<Vec<_>>();
        assert_eq!(all("{ range = [0.0, 1.0], n = 5 }"), floats(&[0.0, 0.25, 0.5, 0.75, 1.0]));
        assert_eq!(all("{ range = [1, 3], n = 3 }"), [1, 2, 3].map(Value::Integer));
        assert_eq!(all("{ range = [1, 2], n = 3 }"), floats(&[1.0, 1.5, 2.0]));
        assert_eq!(all("{ log_range = [1, 100], n = 3 }"), floats(&[1.0, 10.0, 100.0]));
        assert_eq!(all("[1, 'a']"), [Value::Integer(1), Value::String("a".to_owned())]);
        assert_eq!(all("0.5"), floats(&[0.5]));
    }

    #[test]
    fn what_has_no_values_is_refused() {
        for (text, words) in [
            ("{ range = [0.9, 0.1], n = 3 }", "from 0.9 to 0.1 is empty"),
            ("{ range = [0, 1], n = 0 }", "no values"),
            ("{ range = [0, 1] }", "n is missing"),
            ("{ range = [0, 1], n = 2.5 }", "n is 2.5"),
            ("{ rnge = [0, 1], n = 2 }", "did you mean 'range'?"),
            ("{ range = [0, nan], n = 2 }", "two finite numbers"),
            ("{ log_range = [0, 1], n = 2 }", "above zero"),
            ("{ list = [] }", "the list is empty"),
            ("{ list = [1], n = 1 }", "takes no n"),
            ("{ list = [1], range = [0, 1] }", "one is needed"),
            ("{ normal = [0, 0] }", "above zero"),
        ] {
            let why = read(text).expect_err(text);
            assert!(why.contains(words), "{text}: {why}");
        }
    }

    /// Quantiles of the standard normal distribution from its tables (Abramowitz and Stegun, table 26.5).
    #[test]
    fn normal_quantiles_are_those_of_the_tables() {
        for (part, quantile) in
            [(0.5, 0.0), (0.841_344_746_068_543, 1.0), (0.975, 1.959_963_985), (0.001, -3.090_232_306)]
        {
            // The method's own bound, and the digits of the table.
            assert!((normal_quantile(part) - quantile).abs() < 4e-9 * (1.0 + quantile.abs()), "{part}");
        }
    }
}
