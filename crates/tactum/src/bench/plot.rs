//! Lines over logarithmic axes, as SVG.

use std::fmt::Write as _;

/// One line of a plot.
pub struct Line {
    pub name: String,
    /// As in SVG.
    pub colour: &'static str,
    /// Both coordinates of its points, in order; what is not above zero has no place on a logarithmic axis and is left out.
    pub points: Vec<[f64; 2]>,
}

/// What is drawn.
pub struct Plot {
    pub title: &'static str,
    /// What is along the axes, with units.
    pub labels: [&'static str; 2],
    /// On which side the names of the lines stand.
    pub legend: Legend,
    pub lines: Vec<Line>,
}

/// The upper corner that the lines leave free.
#[derive(Clone, Copy)]
pub enum Legend {
    Left,
    Right,
}

/// Size of the picture, and the rectangle of its axes: left, top, right, bottom. Pixels.
const SIZE: [f64; 2] = [720.0, 440.0];
const AXES: [f64; 4] = [76.0, 40.0, 700.0, 388.0];

/// A logarithmic axis over whole decades.
struct Axis {
    low: i32,
    high: i32,
    /// Pixels at both ends.
    pixels: [f64; 2],
}

impl Axis {
    fn over(values: impl Iterator<Item = f64>, pixels: [f64; 2]) -> Self {
        let [low, high] = values.fold([f64::INFINITY, 0.0_f64], |[low, high], x| [low.min(x), high.max(x)]);
        let (low, high) = if high > 0.0 { (low, high) } else { (1.0, 10.0) };
        let low = low.log10().floor() as i32;
        Self { low, high: (high.log10().ceil() as i32).max(low + 1), pixels }
    }

    fn at(&self, x: f64) -> f64 {
        let share = (x.log10() - f64::from(self.low)) / f64::from(self.high - self.low);
        self.pixels[0] + share * (self.pixels[1] - self.pixels[0])
    }

    /// Every decade, or every second or third where they would stand too close.
    fn ticks(&self) -> impl Iterator<Item = (i32, f64)> + '_ {
        /// Pixels that a label needs.
        const APART: f64 = 26.0;
        let decade = (self.pixels[1] - self.pixels[0]).abs() / f64::from(self.high - self.low);
        let every = (APART / decade).ceil().max(1.0) as usize;
        (self.low..=self.high).step_by(every).map(|power| (power, self.at(10f64.powi(power))))
    }
}

impl Plot {
    /// The picture.
    pub fn svg(&self) -> String {
        let [left, top, right, bottom] = AXES;
        let values = |axis: usize| self.lines.iter().flat_map(Line::drawn).map(move |point| point[axis]);
        let x = Axis::over(values(0), [left, right]);
        let y = Axis::over(values(1), [bottom, top]);
        let [width, height] = SIZE;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
             font-size=\"13\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n\
             <text x=\"{left}\" y=\"24\" font-size=\"15\">{}</text>\n",
            self.title
        );
        self.axes(&mut svg, &x, &y);
        for (k, line) in self.lines.iter().enumerate() {
            line.draw(&mut svg, &x, &y);
            let from = match self.legend {
                Legend::Left => left + 12.0,
                Legend::Right => right - 150.0,
            };
            let at = top + 20.0 + 19.0 * k as f64;
            let _ = writeln!(
                svg,
                "<path d=\"M{:.1} {:.1}h24\" stroke=\"{}\" stroke-width=\"2.5\"/><text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                from,
                at - 4.0,
                line.colour,
                from + 30.0,
                at,
                line.name
            );
        }
        svg += "</svg>\n";
        svg
    }

    fn axes(&self, svg: &mut String, x: &Axis, y: &Axis) {
        let [along, up] = self.labels;
        let [left, top, right, bottom] = AXES;
        for (power, at) in x.ticks() {
            let label = 10f64.powi(power);
            let _ = writeln!(
                svg,
                "<path d=\"M{at:.1} {top}V{bottom}\" stroke=\"#e4e4e4\"/><text x=\"{at:.1}\" y=\"{:.1}\" \
                 text-anchor=\"middle\">{label}</text>",
                bottom + 18.0
            );
        }
        for (power, at) in y.ticks() {
            let _ = writeln!(
                svg,
                "<path d=\"M{left} {at:.1}H{right}\" stroke=\"#e4e4e4\"/><text x=\"{:.1}\" y=\"{:.1}\" \
                 text-anchor=\"end\">1e{power}</text>",
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
    fn drawn(&self) -> impl Iterator<Item = &[f64; 2]> {
        self.points.iter().filter(|point| point.iter().all(|x| *x > 0.0))
    }

    /// The points, joined; a dot at the last.
    fn draw(&self, svg: &mut String, x: &Axis, y: &Axis) {
        let points: Vec<[f64; 2]> = self.drawn().map(|point| [x.at(point[0]), y.at(point[1])]).collect();
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

    #[test]
    fn a_line_goes_from_its_first_point_to_its_last() {
        let points = (0..=12).map(|k| [f64::from(k + 1), 10f64.powi(-k)]).collect();
        let line = Line { name: "one".to_owned(), colour: "#123456", points };
        let svg = Plot { title: "t", labels: ["x", "y"], legend: Legend::Right, lines: vec![line] }.svg();
        // (1, 1) is the upper left corner of the axes; (13, 1e-12) lies on the lower border.
        assert!(svg.contains("d=\"M76.0 40.0L"), "{svg}");
        assert!(svg.contains("cy=\"388.0\"") && svg.contains(">1e-12</text>"), "{svg}");
        assert!(svg.contains(">one</text>"));
    }

    #[test]
    fn nothing_to_draw_is_no_fault() {
        let line = Line { name: "none".to_owned(), colour: "#123456", points: vec![[1.0, 0.0]] };
        let svg = Plot { title: "t", labels: ["x", "y"], legend: Legend::Right, lines: vec![line] }.svg();
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}
