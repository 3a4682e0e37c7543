//! Results over the values that were given, as plots.
//!
//! A plot has one path along, and a line for each combination of the other values where these are few. Where they are many, it has a
//! colour for each value of one other path, or for each quarter of its range of ranks. What differs by seeds alone, or by values that have
//! no colour, is a mean with a bar of one standard deviation to each side where there are several runs at a place, or a dot each.

use std::collections::BTreeMap;

use tactum_geometry::words::number;

use super::columns::{Input, Output, Statistics};
use crate::plot::{COLOURS, Legend, Line, Mark, Plot, Scale};

/// Lines of a plot.
const LINES: usize = COLOURS.len();

/// Classes into which the values of a path are put where they are too many for a line each.
const CLASSES: usize = 4;

/// Points of a plot; of more every so many-th is shown.
const DOTS: usize = 4000;

/// Points of a line up to which each has a dot as well.
const FEW: usize = 60;

/// Distance between the bars of two groups at the same place, which are 6 pixels wide \[pixels\].
const BESIDE_EACH_OTHER: f64 = 7.0;

/// Largest value of a path in smallest ones from which on its axis may go by powers of ten.
const DECADES: f64 = 30.0;

/// Runs that share a line.
struct Group {
    name: String,
    runs: Vec<usize>,
}

/// How runs are put into groups.
struct Grouping {
    groups: Vec<Group>,
    /// Names of the paths that tell the groups apart.
    by: Vec<String>,
    /// Whether runs of a group differ in the path along and in seeds alone.
    is_whole: bool,
}

/// A result over a path; `None` if the path has no numbers, or no run has the result.
pub fn plot(inputs: &[Input<'_>], along: usize, output: &Output<'_>) -> Option<Plot> {
    let xs = inputs[along].numbers.as_ref()?;
    let runs: Vec<usize> =
        (0..xs.len()).filter(|&run| output.values[run].is_some_and(f64::is_finite)).collect();
    if runs.is_empty() {
        return None;
    }
    let Grouping { groups, by, is_whole } = grouped(inputs, along, &runs);
    let mut lines = Vec::new();
    for (ix, (group, colour)) in groups.iter().zip(COLOURS.into_iter().cycle()).enumerate() {
        let point = |run: &usize| Some([xs[*run], output.values[*run]?]);
        let points = group.runs.iter().filter_map(point).collect();
        let n_before = lines.len();
        lines.extend(lines_of(&group.name, colour, points, is_whole, DOTS / groups.len()));
        // Bars of all groups stand at the same places.
        if lines[n_before..].iter().any(|line| line.mark == Mark::Bars) {
            let aside = BESIDE_EACH_OTHER * (ix as f64 - 0.5 * (groups.len() - 1) as f64);
            lines[n_before..].iter_mut().for_each(|line| line.aside = aside);
        }
    }
    let named = if by.is_empty() { String::new() } else { format!(", by {}", by.join(" and ")) };
    let by_ratios = inputs[along].by_ratios && runs.iter().all(|run| xs[*run] > 0.0);
    let scale = if by_ratios { Scale::Logarithmic } else { scale_of(runs.iter().map(|run| xs[*run])) };
    Some(Plot {
        title: format!("{} over {}{named}", output.name, inputs[along].name),
        labels: [inputs[along].heading(), output.heading()],
        scales: [scale, Scale::Linear],
        legend: if by.is_empty() { Legend::None } else { Legend::Beside },
        lines,
    })
}

/// Powers of ten for what goes over several of them and lies in the middle of them rather than in the middle of its ends.
fn scale_of(values: impl Iterator<Item = f64>) -> Scale {
    let mut sorted: Vec<f64> = values.collect();
    sorted.sort_by(f64::total_cmp);
    let [low, middle, high] = [0, sorted.len() / 2, sorted.len() - 1].map(|ix| sorted[ix]);
    let is_wide = low > 0.0 && high / low >= DECADES;
    let (of_ratios, of_ends) = ((low * high).sqrt(), 0.5 * (low + high));
    if is_wide && (middle / of_ratios).ln().abs() < (middle / of_ends).ln().abs() {
        Scale::Logarithmic
    } else {
        Scale::Linear
    }
}

/// Puts runs into groups by the paths that are not along the plot.
fn grouped(inputs: &[Input<'_>], along: usize, runs: &[usize]) -> Grouping {
    let others: Vec<&Input<'_>> =
        inputs.iter().enumerate().filter(|(ix, _)| *ix != along).map(|(_, input)| input).collect();
    let name = |input: &&Input<'_>| input.name.to_owned();
    let all = by_texts(runs, &others);
    if all.len() <= LINES {
        return Grouping { groups: all, by: others.iter().map(name).collect(), is_whole: true };
    }
    if let Some(few) = others.iter().find(|input| input.n_different <= LINES) {
        return Grouping { groups: by_texts(runs, &[few]), by: vec![name(few)], is_whole: false };
    }
    let classes = others.iter().find_map(|input| Some((input, by_classes(runs, input.numbers.as_ref()?))));
    match classes {
        Some((input, groups)) => Grouping { groups, by: vec![name(input)], is_whole: false },
        None => {
            let groups = vec![Group { name: String::new(), runs: runs.to_vec() }];
            Grouping { groups, by: Vec::new(), is_whole: false }
        }
    }
}

/// A group for each combination of values, in the order in which they come up first.
fn by_texts(runs: &[usize], inputs: &[&Input<'_>]) -> Vec<Group> {
    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    let mut groups: Vec<Group> = Vec::new();
    for &run in runs {
        let name = inputs.iter().map(|input| input.texts[run].as_str()).collect::<Vec<_>>().join(", ");
        let ix = *found.entry(name.clone()).or_insert(groups.len());
        if ix == groups.len() {
            groups.push(Group { name, runs: Vec::new() });
        }
        groups[ix].runs.push(run);
    }
    groups
}

/// Groups of about equally many runs, by the size of a number.
fn by_classes(runs: &[usize], numbers: &[f64]) -> Vec<Group> {
    let mut sorted = runs.to_vec();
    sorted.sort_by(|a, b| numbers[*a].total_cmp(&numbers[*b]));
    let class = |runs: &[usize]| {
        let [from, to] = [runs[0], runs[runs.len() - 1]].map(|run| number(rounded(numbers[run])));
        Group { name: format!("{from} to {to}"), runs: runs.to_vec() }
    };
    sorted.chunks(sorted.len().div_ceil(CLASSES)).map(class).collect()
}

/// A number with three digits, for names.
fn rounded(x: f64) -> f64 {
    format!("{x:.2e}").parse().unwrap_or(x)
}

/// What shows the points of a group.
fn lines_of(
    name: &str,
    colour: &'static str,
    mut points: Vec<[f64; 2]>,
    is_whole: bool,
    most: usize,
) -> Vec<Line> {
    let line = |name: &str, mark: Mark, points: Vec<[f64; 2]>| Line {
        name: name.to_owned(),
        colour,
        mark,
        points,
        aside: 0.0,
    };
    points.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let places: Vec<&[[f64; 2]]> = points.chunk_by(|a, b| a[0] == b[0]).collect();
    // Several runs at most places.
    if 2 * places.len() <= points.len() {
        let mut means = Vec::new();
        let mut bars = Vec::new();
        for place in places {
            let values: Vec<f64> = place.iter().map(|point| point[1]).collect();
            if let Some(Statistics { mean, deviation, .. }) = Statistics::of(&values) {
                means.push([place[0][0], mean]);
                bars.extend([-deviation, deviation].map(|off| [place[0][0], mean + off]));
            }
        }
        let dots = line("", Mark::Dots, means.clone());
        return vec![line("", Mark::Bars, bars), line(name, Mark::Joined, means), dots];
    }
    if is_whole && points.len() <= FEW {
        return vec![line(name, Mark::Joined, points.clone()), line("", Mark::Dots, points)];
    }
    let every = points.len().div_ceil(most).max(1);
    vec![line(name, Mark::Dots, points.into_iter().step_by(every).collect())]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(name: &'static str, values: &[f64]) -> Input<'static> {
        let texts: Vec<String> = values.iter().map(|value| number(*value)).collect();
        let mut different = texts.clone();
        different.sort();
        different.dedup();
        let (numbers, n_different) = (Some(values.to_vec()), different.len());
        Input { name, unit: "", by_ratios: false, numbers, n_different, texts }
    }

    fn output(values: Vec<Option<f64>>) -> Output<'static> {
        Output { name: "y", unit: "m", values }
    }

    fn of_runs(n: usize, value: impl Fn(usize) -> f64) -> Vec<f64> {
        (0..n).map(value).collect()
    }

    #[test]
    fn crossed_values_have_a_line_each() {
        let a = input("a", &of_runs(12, |run| (run / 3) as f64));
        let b = input("b", &of_runs(12, |run| (run % 3) as f64));
        let y = output((0..12_u32).map(|run| (run != 4).then(|| f64::from(run))).collect());
        let plot = plot(&[a, b], 0, &y).expect("numbers");
        assert_eq!(plot.title, "y over a, by b");
        assert_eq!(plot.labels, ["a", "y [m]"]);
        let joined: Vec<_> = plot.lines.iter().filter(|line| line.mark == Mark::Joined).collect();
        assert_eq!(joined.iter().map(|line| line.name.as_str()).collect::<Vec<_>>(), ["0", "1", "2"]);
        // Run 4 has b = 1 and no result.
        assert_eq!(joined[1].points, [[0.0, 1.0], [2.0, 7.0], [3.0, 10.0]]);
    }

    #[test]
    fn repetitions_are_a_mean_with_their_spread() {
        let a = input("a", &of_runs(8, |run| (run / 4) as f64));
        let y = output(of_runs(8, |run| [1.0, 3.0, 1.0, 3.0][run % 4]).into_iter().map(Some).collect());
        let plot = plot(&[a], 0, &y).expect("numbers");
        let of = |mark: Mark| &plot.lines.iter().find(|line| line.mark == mark).expect("a line").points;
        assert_eq!(*of(Mark::Joined), [[0.0, 2.0], [1.0, 2.0]]);
        let deviation = (4.0_f64 / 3.0).sqrt();
        assert!((of(Mark::Bars)[1][1] - 2.0 - deviation).abs() < 1e-15);
        assert_eq!(plot.legend, Legend::None);
    }

    /// Of many draws of two paths, the other one's quarters have colours.
    #[test]
    fn many_values_are_put_into_classes() {
        let a = input("a", &of_runs(100, |run| run as f64 + 1.0));
        let b = input("b", &of_runs(100, |run| (run * 37 % 100) as f64));
        let y = output(of_runs(100, |run| run as f64).into_iter().map(Some).collect());
        let plot = plot(&[a, b], 0, &y).expect("numbers");
        assert_eq!(plot.lines.iter().map(|line| line.points.len()).collect::<Vec<_>>(), [25; 4]);
        assert_eq!(plot.lines[0].name, "0 to 24");
        assert_eq!(plot.scales[0], Scale::Linear, "evenly from 1 to 100");
        assert!(plot.lines.iter().all(|line| line.mark == Mark::Dots));
    }

    #[test]
    fn what_is_spread_over_powers_of_ten_is_shown_by_them() {
        let a = input("a", &of_runs(9, |run| 10.0_f64.powf(run as f64 / 4.0)));
        let y = output(vec![Some(1.0); 9]);
        assert_eq!(plot(&[a], 0, &y).expect("numbers").scales, [Scale::Logarithmic, Scale::Linear]);
    }

    /// A range of one decade by ratios is drawn by them though it could be shown evenly.
    #[test]
    fn what_is_asked_for_by_ratios_is_shown_by_them() {
        let a = Input { by_ratios: true, unit: "m", ..input("a", &[0.1, 0.2, 0.4, 0.8]) };
        let plot = plot(&[a], 0, &output(vec![Some(1.0); 4])).expect("numbers");
        assert_eq!(plot.scales, [Scale::Logarithmic, Scale::Linear]);
        assert_eq!(plot.labels[0], "a [m]");
    }

    /// Three groups of means at the same places stand beside each other, each mean with its own bar.
    #[test]
    fn bars_of_groups_stand_beside_each_other() {
        let a = input("a", &of_runs(24, |run| (run / 12) as f64));
        let b = input("b", &of_runs(24, |run| (run % 12 / 4) as f64));
        let y = output((0..24_u32).map(|run| Some(f64::from(run))).collect());
        let plot = plot(&[a, b], 0, &y).expect("numbers");
        let aside = |mark: Mark| -> Vec<f64> {
            plot.lines.iter().filter(|line| line.mark == mark).map(|line| line.aside).collect()
        };
        for mark in [Mark::Bars, Mark::Joined, Mark::Dots] {
            assert_eq!(aside(mark), [-BESIDE_EACH_OTHER, 0.0, BESIDE_EACH_OTHER], "{mark:?}");
        }
    }

    #[test]
    fn no_numbers_no_plot() {
        let a = input("a", &[1.0, 2.0]);
        assert!(plot(&[a], 0, &output(vec![None, None])).is_none());
        let texts = Input { texts: vec!["x".into(), "y".into()], numbers: None, ..input("t", &[1.0, 2.0]) };
        assert!(plot(&[texts], 0, &output(vec![Some(1.0), Some(2.0)])).is_none());
    }
}
