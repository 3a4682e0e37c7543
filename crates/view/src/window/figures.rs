//! Recorded figures as tables: those of the whole scene, and what open plots show of bodies, pairs, joints and sensors.

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

use tactum::tables::columns::{Column, Table};

use super::plots;
use crate::command::Plot;
use crate::frame::{Figures, Frame};
use crate::timeline::Timeline;

/// Figures of each recorded step.
const FIGURES: &str = "figures.csv";

/// Update norms of each sweep of each recorded step.
const SWEEPS: &str = "sweeps.csv";

/// Writes the tables into a folder, which is made where there is none; their names.
pub fn write(
    folder: &Path,
    timeline: &Timeline,
    open: &BTreeSet<Plot>,
) -> io::Result<&'static [&'static str]> {
    std::fs::create_dir_all(folder)?;
    figures(timeline, open).write_csv(File::create(folder.join(FIGURES))?)?;
    if !open.contains(&Plot::Sweeps) {
        return Ok(&[FIGURES]);
    }
    sweeps(timeline).write_csv(File::create(folder.join(SWEEPS))?)?;
    Ok(&[FIGURES, SWEEPS])
}

/// A row for each recorded frame. Units stand in brackets behind the names of columns.
fn figures(timeline: &Timeline, open: &BTreeSet<Plot>) -> Table {
    let mut columns = vec![step(timeline.iter()), time(timeline.iter())];
    columns.extend(of_scene(timeline));
    columns.extend(of_stages(timeline));
    columns.extend(open.iter().flat_map(|plot| of_part(timeline, *plot)));
    Table::new(columns)
}

fn step<'a>(frames: impl Iterator<Item = &'a Arc<Frame>>) -> Column {
    Column::integers("step", "", frames.map(|frame| frame.step() as i64))
}

fn time<'a>(frames: impl Iterator<Item = &'a Arc<Frame>>) -> Column {
    Column::numbers("time [s]", "s", frames.map(|frame| frame.time))
}

/// Figures of all bodies and contacts together, whether they are plotted or not.
fn of_scene(timeline: &Timeline) -> Vec<Column> {
    let number = |name: &str, unit: &str, value: &dyn Fn(&Figures) -> f64| {
        let name = if unit.is_empty() { name.to_owned() } else { format!("{name} [{unit}]") };
        Column::numbers(name, unit, timeline.iter().map(|frame| value(&frame.figures)))
    };
    let count = |name: &str, value: &dyn Fn(&Frame) -> usize| {
        Column::integers(name, "", timeline.iter().map(|frame| value(frame) as i64))
    };
    vec![
        number("kinetic", "J", &|f| f.kinetic),
        number("potential", "J", &|f| f.potential),
        number("total", "J", &|f| f.kinetic + f.potential),
        number("max_depth", "m", &|f| f.max_depth),
        number("depth_of_size", "", &|f| f.depth_of_size),
        count("contacts", &|frame| frame.contacts.len()),
        count("sweeps", &|frame| frame.figures.sweeps as usize),
        number("update_norm", "N s", &|f| f.update_norm),
        count("unconverged_islands", &|frame| frame.figures.unconverged_islands as usize),
        count("asleep", &|frame| frame.figures.asleep as usize),
        number("broad", "s", &|f| f.times.broad),
        number("detect", "s", &|f| f.times.detect),
        number("assemble", "s", &|f| f.times.assemble),
        number("solve", "s", &|f| f.times.solve),
        number("integrate", "s", &|f| f.times.integrate),
    ]
}

/// Times of the stages that the last step took on a device.
fn of_stages(timeline: &Timeline) -> Vec<Column> {
    let last = timeline.last().map_or(&[][..], |frame| &frame.figures.stages);
    let column = |(stage, _): &(&'static str, _)| {
        let of = |frame: &Arc<Frame>| {
            let found = frame.figures.stages.iter().find(|(name, _)| name == stage);
            found.map(|(_, time)| time.as_secs_f64())
        };
        Column::numbers(format!("device {stage} [s]"), "s", timeline.iter().map(of))
    };
    last.iter().map(column).collect()
}

/// What a plot of a body, of a pair or of a joint shows: a column for each curve.
fn of_part(timeline: &Timeline, plot: Plot) -> Vec<Column> {
    let Some(last) = timeline.last().filter(|_| !Plot::OF_SCENE.contains(&plot)) else { return Vec::new() };
    let part = plots::title(plot, last);
    let names = plots::at(plot, last).into_iter().flat_map(|chart| {
        let (what, unit) = chart.title.split_once(" [").unwrap_or((chart.title, ""));
        let unit = unit.trim_end_matches(']');
        let heading = format!("{part} {what}");
        let is_single = chart.curves.len() == 1;
        let name = move |curve: plots::Curve| {
            let name = if is_single { heading.clone() } else { format!("{heading} {}", curve.name) };
            (if unit.is_empty() { name } else { format!("{name} [{unit}]") }, unit)
        };
        chart.curves.into_iter().map(name)
    });
    let values_at = |frame: &Arc<Frame>| -> Vec<Option<f64>> {
        let curves = plots::at(plot, frame).into_iter().flat_map(|chart| chart.curves);
        curves.map(|curve| curve.points.first().map(|[_, value]| *value)).collect()
    };
    let rows: Vec<Vec<Option<f64>>> = timeline.iter().map(values_at).collect();
    let column = |(ix, (name, unit)): (usize, (String, &str))| {
        Column::numbers(name, unit, rows.iter().map(|row| row.get(ix).copied().flatten()))
    };
    names.enumerate().map(column).collect()
}

/// A row for each sweep of each step.
fn sweeps(timeline: &Timeline) -> Table {
    let frames =
        || timeline.iter().flat_map(|frame| std::iter::repeat_n(frame, frame.figures.update_norms.len()));
    let norms = || timeline.iter().flat_map(|frame| (1_i64..).zip(&frame.figures.update_norms));
    Table::new(vec![
        step(frames()),
        time(frames()),
        Column::integers("sweep", "", norms().map(|(sweep, _)| sweep)),
        Column::numbers("update_norm [N s]", "N s", norms().map(|(_, norm)| *norm)),
    ])
}

#[cfg(test)]
mod tests {
    use tactum_geometry::{Pose, Shape, Sphere};

    use super::*;
    use crate::frame::{BodyInfo, Model};

    fn timeline() -> Timeline {
        let ball = BodyInfo::of_shape("ball, red", Shape::Sphere(Sphere { radius: 1.0 }));
        let model = Arc::new(Model { bodies: vec![ball], ..Model::default() });
        let mut timeline = Timeline::default();
        for id in 0..3_u32 {
            let z = f64::from(id);
            let mut frame = Frame { id: id.into(), time: 0.5 * z, model: model.clone(), ..Frame::default() };
            frame.after = frame.id.checked_sub(1);
            frame.state.step_count = id.into();
            // The body comes in with the second frame.
            if id > 0 {
                frame.poses.push(Pose { translation: glam::DVec3::new(0.0, 0.0, z), ..Pose::IDENTITY });
            }
            frame.figures =
                Figures { kinetic: z, update_norms: vec![0.5; id as usize], ..Figures::default() };
            timeline.push(Arc::new(frame));
        }
        timeline
    }

    fn lines(folder: &Path, name: &str) -> Vec<String> {
        let text = std::fs::read_to_string(folder.join(name)).expect("a table");
        text.lines().map(str::to_owned).collect()
    }

    /// Every frame is a row, every curve of an open plot a column, every number of which has a unit says it.
    #[test]
    fn what_is_plotted_is_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let timeline = timeline();
        let path = folder.path().join("made");
        let open = BTreeSet::from([Plot::Body(0), Plot::Energy]);
        assert_eq!(write(&path, &timeline, &open).expect("written"), ["figures.csv"]);
        let found = lines(&path, "figures.csv");
        assert_eq!(found.len(), 4);
        assert!(found[0].starts_with("step,time [s],kinetic [J],potential [J],total [J],max_depth [m],"));
        let end = "\"ball, red force of all contacts x [N]\",\"ball, red force of all contacts y [N]\",\"ball, red force of all contacts z [N]\"";
        assert!(found[0].ends_with(end), "{}", found[0]);
        let column =
            found[0].replace("ball, red", "ball").split(',').position(|name| name.contains("position z"));
        let cell = |row: usize| found[row].split(',').nth(column.expect("a column")).unwrap_or("none");
        assert_eq!([1, 2, 3].map(cell), ["", "1.0", "2.0"]);
        assert!(found[2].starts_with("1,0.5,1.0,0.0,1.0,"), "{}", found[2]);
    }

    #[test]
    fn sweeps_are_written_where_they_are_plotted() {
        let folder = tempfile::tempdir().expect("a folder");
        let open = BTreeSet::from([Plot::Sweeps]);
        assert_eq!(write(folder.path(), &timeline(), &open).expect("written"), ["figures.csv", "sweeps.csv"]);
        let wanted = ["step,time [s],sweep,update_norm [N s]", "1,0.5,1,0.5", "2,1.0,1,0.5", "2,1.0,2,0.5"];
        assert_eq!(lines(folder.path(), "sweeps.csv"), wanted);
        assert_eq!(lines(folder.path(), "figures.csv")[0].matches(',').count(), 16);
    }
}
