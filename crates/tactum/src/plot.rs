//! Lines and dots over linear or logarithmic axes, as SVG.

use std::cmp::Ordering;
use std::fmt::Write as _;

use tactum_geometry::words;

/// Colours that are told apart by most people, Tableau's ten (Stone 2016).
pub const COLOURS: [&str; 10] = [
    "#4e79a7", "#f28e2b", "#e15759", "#76b7b2", "#59a14f", "#edc948", "#b07aa1", "#ff9da7", "#9c755f",
    "#bab0ac",
];

/// One line of a plot.
#[derive(Clone, Debug)]
pub struct Line {
    /// What it shows. A line without a name is not in the legend.
    pub name: String,
    /// As in SVG.
    pub colour: &'static str,
    /// How its points are shown.
    pub mark: Mark,
    /// Both coordinates of its points, in order. What is not finite, and on a logarithmic axis what is not above zero, has no place and is
    /// left out.
    pub points: Vec<[f64; 2]>,
    /// How far to the right of their places they are drawn, so that bars at the same place do not lie on each other \[pixels\].
    pub aside: f64,
}

/// How points are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Joined by a line.
    Joined,
    /// Each by a dot.
    Dots,
    /// Each two, one above the other, by an upright bar from the first to the second.
    Bars,
}

/// What is drawn.
#[derive(Clone, Debug)]
pub struct Plot {
    /// What it is about.
    pub title: String,
    /// What is along the axes, with units.
    pub labels: [String; 2],
    /// How the axes are divided.
    pub scales: [Scale; 2],
    /// On which side the names of the lines stand.
    pub legend: Legend,
    /// What is in it.
    pub lines: Vec<Line>,
}

/// How an axis is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Evenly.
    Linear,
    /// By powers of ten.
    Logarithmic,
}

/// Where the names of the lines stand: in the upper corner that they leave free, or out of their way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Legend {
    /// The left one.
    Left,
    /// The right one.
    Right,
    /// Beside the axes, which are the narrower for it.
    Beside,
    /// Nowhere.
    None,
}

impl Line {
    /// The line with no more than four points for each of `n` equal parts of its width: the first and the last, the least and the largest. For
    /// lines of many points that go from left to right.
    #[must_use]
    pub fn thinned(mut self, n: usize) -> Self {
        let [first, last] =
            [self.points.first(), self.points.last()].map(|point| point.map_or(0.0, |point| point[0]));
        if self.points.len() <= 4 * n || last.partial_cmp(&first) != Some(Ordering::Greater) {
            return self;
        }
        let part = |point: &[f64; 2]| ((point[0] - first) / (last - first) * n as f64) as i64;
        let thin = |points: &[[f64; 2]]| {
            let by_height = |a: &usize, b: &usize| points[*a][1].total_cmp(&points[*b][1]);
            let all = || 0..points.len();
            let mut kept =
                [Some(0), all().min_by(by_height), all().max_by(by_height), points.len().checked_sub(1)];
            kept.sort_unstable();
            let mut kept: Vec<usize> = kept.into_iter().flatten().collect();
            kept.dedup();
            kept.into_iter().map(|ix| points[ix]).collect::<Vec<_>>()
        };
        self.points = self.points.chunk_by(|a, b| part(a) == part(b)).flat_map(thin).collect();
        self
    }
}

/// Whether a coordinate has a place on an axis.
fn has_place(x: f64, scale: Scale) -> bool {
    x.is_finite() && (scale == Scale::Linear || x > 0.0)
}

/// Whether a point has a place between both axes.
fn have_place(point: &[f64; 2], scales: [Scale; 2]) -> bool {
    point.iter().zip(scales).all(|(x, scale)| has_place(*x, scale))
}

/// A text as it stands in SVG or HTML.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Size of the picture, and the rectangle of its axes: left, top, right, bottom. Pixels.
const SIZE: [f64; 2] = [720.0, 440.0];
const AXES: [f64; 4] = [76.0, 40.0, 700.0, 388.0];
/// Width of the axes that is given up for names beside them, and the characters that fit there.
const BESIDE: f64 = 180.0;
const LETTERS_BESIDE: usize = 20;

/// An axis with its divisions.
struct Axis {
    scale: Scale,
    /// What is at its ends: of a logarithmic axis their powers of ten.
    ends: [f64; 2],
    /// Pixels at both ends.
    pixels: [f64; 2],
    /// From one division to the next.
    step: f64,
    /// What is taken off all labels, where they would be too long otherwise.
    base: Option<f64>,
}

/// Characters of the longest label that has room beside an axis, and under it.
const LONGEST_LABEL: usize = 8;

impl Axis {
    /// An axis over all values: logarithmic ones over whole decades, linear ones to the next divisions.
    fn over(scale: Scale, values: impl Iterator<Item = f64>, pixels: [f64; 2]) -> Self {
        /// Pixels that a label needs: of a decade, and of a number along and up.
        const APART: f64 = 26.0;
        const NUMBER_APART: [f64; 2] = [64.0, 40.0];
        let [low, high] =
            values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)]);
        let length = (pixels[1] - pixels[0]).abs();
        match scale {
            Scale::Logarithmic => {
                let (low, high) = if high > 0.0 { (low, high) } else { (1.0, 10.0) };
                let low = low.log10().floor();
                let high = high.log10().ceil().max(low + 1.0);
                let step = (APART / (length / (high - low))).ceil().max(1.0);
                Self { scale, ends: [low, high], pixels, step, base: None }
            }
            Scale::Linear => {
                let (low, high) = if low < high { (low, high) } else { around(low) };
                let is_upright = pixels[0] > pixels[1];
                let step = round_step((high - low) * NUMBER_APART[usize::from(is_upright)] / length);
                let ends = [(low / step).floor() * step, (high / step).ceil() * step];
                let axis = Self { scale, ends, pixels, step, base: None };
                let is_long = axis.ticks(true).iter().any(|(label, _)| label.len() > LONGEST_LABEL);
                Self { base: is_long.then_some(ends[0]), ..axis }
            }
        }
    }

    fn at(&self, x: f64) -> f64 {
        let x = if self.scale == Scale::Logarithmic { x.log10() } else { x };
        self.at_end(x)
    }

    /// Where what is stated as the ends are stands.
    fn at_end(&self, x: f64) -> f64 {
        let share = (x - self.ends[0]) / (self.ends[1] - self.ends[0]);
        self.pixels[0] + share * (self.pixels[1] - self.pixels[0])
    }

    /// The divisions, each with its label.
    fn ticks(&self, powers: bool) -> Vec<(String, f64)> {
        // Ends of a linear axis are whole steps apart, but for rounding; the upper one of a logarithmic axis may lie between two.
        let n = ((self.ends[1] - self.ends[0]) / self.step + 1e-6).floor() as i32;
        let tick = |k: i32| {
            let x = self.ends[0] + f64::from(k) * self.step;
            let label = match self.scale {
                Scale::Logarithmic if powers => format!("1e{x}"),
                Scale::Logarithmic => 10f64.powi(x as i32).to_string(),
                Scale::Linear => match self.base {
                    // Not by way of the division, which has lost the digits that matter.
                    Some(_) => self.number(f64::from(k) * self.step),
                    None => self.number(x),
                },
            };
            (label, self.at_end(x))
        };
        (0..=n).map(tick).collect()
    }

    /// A number at a division, with as many digits as tell it from the next.
    fn number(&self, x: f64) -> String {
        let [low, high] = self.ends.map(|end| end - self.base.unwrap_or(0.0));
        let largest = low.abs().max(high.abs());
        let digits = -self.step.log10().floor();
        // Sums of steps miss zero by their rounding.
        let x = if x.abs() < 1e-9 * self.step { 0.0 } else { x };
        if largest < 1e5 && digits < 5.0 {
            format!("{x:.*}", digits.max(0.0) as usize)
        } else {
            let digits = (largest / self.step).log10().ceil().max(0.0) as usize;
            format!("{x:.digits$e}")
        }
    }

    /// What stands along the axis: what it shows, and what its labels are more than.
    fn title(&self, label: &str) -> String {
        /// From here on numbers have no places behind the point, and would be long without a power of ten.
        const WHOLE: f64 = 1e15;
        match self.base {
            Some(base) if base.abs() >= WHOLE => format!("{label}, labels from {base:e}"),
            Some(base) => {
                // A whole number of steps, but for the rounding that its last digits show.
                let decimals = (-self.step.log10().floor()).max(0.0) as usize;
                format!("{label}, labels from {base:.decimals$}")
            }
            None => label.to_owned(),
        }
    }
}

/// The ends of an axis on which there is but one value, or none.
fn around(x: f64) -> (f64, f64) {
    match x {
        x if !x.is_finite() => (0.0, 1.0),
        0.0 => (-1.0, 1.0),
        x => (x - 0.5 * x.abs(), x + 0.5 * x.abs()),
    }
}

/// The next of 1, 2, 5, 10, ... times a power of ten that is no less.
fn round_step(least: f64) -> f64 {
    let power = 10f64.powf(least.log10().floor());
    let round = [1.0, 2.0, 5.0, 10.0].into_iter().find(|n| n * power >= least);
    round.unwrap_or(10.0) * power
}

impl Plot {
    /// The picture.
    pub fn svg(&self) -> String {
        let [left, top, right, bottom] = self.frame();
        let drawn = || self.lines.iter().flat_map(|line| line.drawn(self.scales));
        // Plots of the same times have the same axis, whatever there is to see of it.
        let along = self.lines.iter().flat_map(|line| &line.points).map(|point| point[0]);
        let along = along.filter(|x| has_place(*x, self.scales[0]));
        let x = Axis::over(self.scales[0], along, [left, right]);
        let y = Axis::over(self.scales[1], drawn().map(|point| point[1]), [bottom, top]);
        let [width, height] = SIZE;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
             font-size=\"13\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n\
             <text x=\"{left}\" y=\"24\" font-size=\"15\">{}</text>\n",
            escaped(&self.title)
        );
        self.axes(&mut svg, &x, &y);
        self.lines.iter().for_each(|line| line.draw(&mut svg, &x, &y, self.scales));
        self.names(&mut svg);
        svg += "</svg>\n";
        svg
    }

    /// The rectangle of the axes: left, top, right, bottom.
    fn frame(&self) -> [f64; 4] {
        let [left, top, right, bottom] = AXES;
        [left, top, if self.legend == Legend::Beside { right - BESIDE } else { right }, bottom]
    }

    /// The names of the lines, each with its colour.
    fn names(&self, svg: &mut String) {
        let [left, top, right, _] = self.frame();
        let from = match self.legend {
            Legend::Left => left + 12.0,
            Legend::Right => right - 150.0,
            Legend::Beside => right + 12.0,
            Legend::None => return,
        };
        for (k, line) in self.lines.iter().filter(|line| !line.name.is_empty()).enumerate() {
            let at = top + 20.0 + 19.0 * k as f64;
            let name = if self.legend == Legend::Beside {
                words::cut(&line.name, LETTERS_BESIDE)
            } else {
                line.name.clone()
            };
            let _ = writeln!(
                svg,
                "<path d=\"M{:.1} {:.1}h24\" stroke=\"{}\" stroke-width=\"2.5\"/><text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                from,
                at - 4.0,
                line.colour,
                from + 30.0,
                at,
                escaped(&name)
            );
        }
    }

    fn axes(&self, svg: &mut String, x: &Axis, y: &Axis) {
        let [along, up] =
            [(x, &self.labels[0]), (y, &self.labels[1])].map(|(axis, label)| escaped(&axis.title(label)));
        let [left, top, right, bottom] = self.frame();
        for (label, at) in x.ticks(false) {
            let _ = writeln!(
                svg,
                "<path d=\"M{at:.1} {top}V{bottom}\" stroke=\"#e4e4e4\"/><text x=\"{at:.1}\" y=\"{:.1}\" \
                 text-anchor=\"middle\">{label}</text>",
                bottom + 18.0
            );
        }
        for (label, at) in y.ticks(true) {
            let _ = writeln!(
                svg,
                "<path d=\"M{left} {at:.1}H{right}\" stroke=\"#e4e4e4\"/><text x=\"{:.1}\" y=\"{:.1}\" \
                 text-anchor=\"end\">{label}</text>",
                left - 6.0,
                at + 4.0
            );
        }
        let middle = 0.5 * (top + bottom);
        let _ = writeln!(
            svg,
            "<path d=\"M{left} {top}V{bottom}H{right}\" fill=\"none\" stroke=\"#404040\"/>\n<text x=\"{:.1}\" \
             y=\"{:.1}\" text-anchor=\"middle\">{along}</text>\n<text x=\"18\" y=\"{middle:.1}\" text-anchor=\"middle\" \
             transform=\"rotate(-90 18 {middle:.1})\">{up}</text>",
            0.5 * (left + right),
            bottom + 38.0
        );
    }
}

impl Line {
    /// The points that have a place.
    fn drawn(&self, scales: [Scale; 2]) -> impl Iterator<Item = &[f64; 2]> {
        self.points.iter().filter(move |point| have_place(point, scales))
    }

    /// The points: joined, with a dot at the last, or a dot each.
    fn draw(&self, svg: &mut String, x: &Axis, y: &Axis, scales: [Scale; 2]) {
        let points: Vec<[f64; 2]> =
            self.drawn(scales).map(|point| [x.at(point[0]) + self.aside, y.at(point[1])]).collect();
        if self.mark == Mark::Dots {
            for [at_x, at_y] in points {
                let _ = writeln!(
                    svg,
                    "<circle cx=\"{at_x:.1}\" cy=\"{at_y:.1}\" r=\"2.2\" fill=\"{}\"/>",
                    self.colour
                );
            }
            return;
        }
        if self.mark == Mark::Bars {
            let is_drawn = |pair: &&[[f64; 2]]| pair.iter().all(|point| have_place(point, scales));
            for pair in self.points.chunks_exact(2).filter(is_drawn) {
                let [at_x, from, to] = [x.at(pair[0][0]) + self.aside, y.at(pair[0][1]), y.at(pair[1][1])];
                let _ = writeln!(
                    svg,
                    "<path d=\"M{at_x:.1} {from:.1}V{to:.1}M{:.1} {from:.1}h6M{:.1} {to:.1}h6\" stroke=\"{}\" \
                     stroke-width=\"1.2\" fill=\"none\"/>",
                    at_x - 3.0,
                    at_x - 3.0,
                    self.colour
                );
            }
            return;
        }
        let mut path = String::new();
        let mut last = [f64::NEG_INFINITY; 2];
        for (ix, at) in points.iter().enumerate() {
            // Thousands of points fall on one pixel.
            let is_end = ix + 1 == points.len();
            if is_end || (at[0] - last[0]).hypot(at[1] - last[1]) >= 1.0 {
                let _ = write!(path, "{}{:.1} {:.1}", if path.is_empty() { 'M' } else { 'L' }, at[0], at[1]);
                last = *at;
            }
        }
        let colour = self.colour;
        let _ = writeln!(svg, "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.6\"/>");
        if let Some([at_x, at_y]) = points.last() {
            let _ = writeln!(svg, "<circle cx=\"{at_x:.1}\" cy=\"{at_y:.1}\" r=\"3.2\" fill=\"{colour}\"/>");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(scale: Scale, points: Vec<[f64; 2]>) -> Plot {
        let line =
            Line { name: "a < b".to_owned(), colour: "#123456", mark: Mark::Joined, points, aside: 0.0 };
        let labels = ["x", "y"].map(str::to_owned);
        Plot { title: "t".to_owned(), labels, scales: [scale; 2], legend: Legend::Right, lines: vec![line] }
    }

    #[test]
    fn a_line_goes_from_its_first_point_to_its_last() {
        let points = (0..=12).map(|k| [f64::from(k + 1), 10f64.powi(-k)]).collect();
        let svg = plot(Scale::Logarithmic, points).svg();
        // (1, 1) is the upper left corner of the axes; (13, 1e-12) lies on the lower border.
        assert!(svg.contains("d=\"M76.0 40.0L"), "{svg}");
        assert!(svg.contains("cy=\"388.0\"") && svg.contains(">1e-12</text>"), "{svg}");
        assert!(svg.contains(">a &lt; b</text>"));
    }

    /// Over 17 decades every second has its division; the last one, 1e1, would lie beyond the axis.
    #[test]
    fn no_division_lies_beyond_the_axis() {
        let svg = plot(Scale::Logarithmic, vec![[1.0, 1.1e-17], [2.0, 0.9]]).svg();
        assert!(svg.contains(">1e-1</text>") && !svg.contains(">1e1</text>"), "{svg}");
    }

    /// From (-3, 0) to (7, 42) the axes go to whole divisions: -3 to 7 by 2 would leave out both ends.
    #[test]
    fn linear_axes_go_to_whole_divisions() {
        let svg = plot(Scale::Linear, vec![[-3.0, 0.0], [7.0, 42.0]]).svg();
        for label in ["-4", "8", "0", "45"] {
            assert!(svg.contains(&format!(">{label}</text>")), "{label}: {svg}");
        }
        // -3 is a twelfth of the way from -4 to 8, 42 is 14 fifteenths up.
        let [left, top, right, bottom] = AXES;
        let (x, y) = (left + (right - left) / 12.0, bottom - (bottom - top) * 14.0 / 15.0);
        assert!(
            svg.contains(&format!("d=\"M{x:.1} {bottom:.1}L")) && svg.contains(&format!("cy=\"{y:.1}\"")),
            "{svg}"
        );
    }

    /// A bar from 1 to 3 of an axis from 1 to 3 is as high as the axis; a line without a name has none, and long names are cut.
    #[test]
    fn bars_are_upright_and_names_stand_beside() {
        let mut plot = plot(Scale::Linear, vec![[0.0, 1.0], [10.0, 3.0]]);
        plot.legend = Legend::Beside;
        plot.lines[0].name = "a very long name that does not fit".to_owned();
        let bar = vec![[10.0, 1.0], [10.0, 3.0]];
        plot.lines.push(Line {
            name: String::new(),
            colour: "#000000",
            mark: Mark::Bars,
            points: bar,
            aside: 0.0,
        });
        let svg = plot.svg();
        let right = AXES[2] - BESIDE;
        assert!(svg.contains(&format!("d=\"M{right:.1} 388.0V40.0M")), "{svg}");
        assert_eq!(svg.matches("stroke-width=\"2.5\"").count(), 1, "{svg}");
        assert!(svg.contains("a very long name") && !svg.contains("does not fit"), "{svg}");
    }

    /// Numbers that differ in their tenth digit would have labels of a dozen characters, of which the axis has room for eight.
    #[test]
    fn labels_of_nearly_equal_values_are_short() {
        let svg = plot(Scale::Linear, vec![[0.0, 1.234_567_891], [1.0, 1.234_567_893]]).svg();
        assert!(svg.contains(">y, labels from 1.2345678910</text>"), "{svg}");
        let labels: Vec<&str> = svg
            .lines()
            .filter(|line| line.contains("text-anchor=\"end\""))
            .filter_map(|line| Some(line.rsplit_once("</text>")?.0.rsplit_once('>')?.1))
            .collect();
        assert!(labels.len() > 3 && labels.iter().all(|label| label.len() <= LONGEST_LABEL), "{labels:?}");
        assert_eq!((labels[0], *labels.last().expect("labels")), ("0.0e0", "2.0e-9"), "{labels:?}");
    }

    #[test]
    fn nothing_to_draw_is_no_fault() {
        for scale in [Scale::Linear, Scale::Logarithmic] {
            for points in [vec![], vec![[1.0, 0.0]], vec![[f64::NAN, 1.0]], vec![[1e300, 1.0], [1e300, 1.0]]]
            {
                let svg = plot(scale, points).svg();
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
            }
        }
    }

    #[test]
    fn a_thinned_line_keeps_its_peaks() {
        let height = |k: u32| if k == 777_777 { 50.0 } else { f64::from(k % 7) };
        let points = (0..1_000_000).map(|k| [f64::from(k), height(k)]).collect();
        let line = plot(Scale::Linear, points).lines.remove(0).thinned(100);
        assert!(line.points.len() <= 404, "{}", line.points.len());
        assert!(line.points.is_sorted_by(|a, b| a[0] < b[0]));
        assert_eq!(line.points[0], [0.0, 0.0]);
        assert_eq!(line.points.last().map(|point| point[0]), Some(999_999.0));
        assert!(line.points.contains(&[777_777.0, 50.0]));
    }
}
