//! Paths: places and turns over time.

use glam::{DQuat, DVec3};
use tactum_geometry::Pose;

use crate::motion::{exp, log};

/// A motion that is given by places and turns at times.
///
/// Places and turns have times of their own. Before the first of its times each stays as it is then, after the last likewise; between
/// them it goes as [`Between`] says.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    places: Vec<(f64, DVec3)>,
    turns: Vec<(f64, DQuat)>,
    between: Between,
    repeats: bool,
}

/// How a path goes from one of its points to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Between {
    /// On smooth curves, with a velocity that does not jump: cubic Hermite splines, for turns those of Kim, Kim and Shin (1995), with the
    /// tangents of Fritsch and Butland (1984), axis by axis. No coordinate of a place swings beyond its points: what stops stays where it is.
    /// A path that does not repeat begins and ends at rest.
    #[default]
    Smooth,
    /// Straight and evenly, with a velocity that jumps at the points.
    Straight,
}

impl Path {
    /// A path through places \[s, m\] and turns \[s\]; turns go the shorter way round. One that `repeats` goes on from the end of either list
    /// as from its beginning. `None` where a number is not finite, a quaternion has no direction, or times do not grow.
    pub fn through(
        places: Vec<(f64, DVec3)>,
        turns: Vec<(f64, DQuat)>,
        between: Between,
        repeats: bool,
    ) -> Option<Self> {
        let grow = |times: &mut dyn Iterator<Item = f64>| {
            let times: Vec<f64> = times.collect();
            times.iter().all(|t| t.is_finite()) && times.windows(2).all(|pair| pair[0] < pair[1])
        };
        let in_order = grow(&mut places.iter().map(|(t, _)| *t)) && grow(&mut turns.iter().map(|(t, _)| *t));
        let finite = places.iter().all(|(_, x)| x.is_finite())
            && turns.iter().all(|(_, q)| q.is_finite() && q.length_squared().is_normal());
        let turns = turns.into_iter().map(|(t, q)| (t, q.normalize())).collect();
        (in_order && finite).then_some(Self { places, turns, between, repeats })
    }

    /// How far it has moved and turned at a time \[s\].
    pub fn at(&self, time: f64) -> Pose {
        let translation = self.along(&self.places, time, DVec3::ZERO, |ix, part, duration| {
            let [(_, from), (_, to)] = [self.places[ix], self.places[ix + 1]];
            match self.between {
                Between::Straight => from + part * (to - from),
                Between::Smooth => {
                    let [start, end] = self.tangents(&self.places, ix, |a, b| b - a);
                    hermite(from, to, duration * start, duration * end, part)
                }
            }
        });
        let rotation = self.along(&self.turns, time, DQuat::IDENTITY, |ix, part, duration| {
            let [(_, from), (_, to)] = [self.turns[ix], self.turns[ix + 1]];
            match self.between {
                Between::Straight => from * exp(part * turn(from, to)),
                Between::Smooth => {
                    let [start, end] = self.tangents(&self.turns, ix, turn);
                    hermite_turn(from, to, duration * start, duration * end, part)
                }
            }
        });
        Pose { rotation: rotation.normalize(), translation }
    }

    /// The value of a list at a time: `inside` has it within a span, from the number of the span, the part of it that is over, and how
    /// long it is \[s\].
    fn along<T: Copy>(
        &self,
        points: &[(f64, T)],
        time: f64,
        none: T,
        inside: impl Fn(usize, f64, f64) -> T,
    ) -> T {
        let (Some(&(first, start)), Some(&(last, end))) = (points.first(), points.last()) else {
            return none;
        };
        let time =
            if self.repeats && last > first { first + (time - first).rem_euclid(last - first) } else { time };
        if time <= first {
            return start;
        }
        if time >= last {
            return end;
        }
        let ix = points.partition_point(|(t, _)| *t <= time) - 1;
        let duration = points[ix + 1].0 - points[ix].0;
        inside(ix, (time - points[ix].0) / duration, duration)
    }

    /// Velocities at the ends of a span; `way` is the way between two values.
    fn tangents<T: Copy>(&self, points: &[(f64, T)], ix: usize, way: impl Fn(T, T) -> DVec3) -> [DVec3; 2] {
        let n_spans = points.len() - 1;
        let mean = |ix: usize| {
            let [(t0, a), (t1, b)] = [points[ix], points[ix + 1]];
            (t1 - t0, way(a, b) / (t1 - t0))
        };
        let between = |before: usize, after: usize| {
            let [(h0, v0), (h1, v1)] = [mean(before), mean(after)];
            DVec3::from_array(std::array::from_fn(|axis| slope([h0, h1], [v0[axis], v1[axis]])))
        };
        let at = |point: usize| match point {
            0 if self.repeats => between(n_spans - 1, 0),
            end if end == n_spans && self.repeats => between(n_spans - 1, 0),
            0 => DVec3::ZERO,
            end if end == n_spans => DVec3::ZERO,
            point => between(point - 1, point),
        };
        [at(ix), at(ix + 1)]
    }
}

/// The slope at the point between two spans of these lengths and mean slopes: their weighted harmonic mean, 0 where the course turns back
/// (Fritsch and Butland 1984, "A method for constructing local monotone piecewise cubic interpolants").
fn slope([h0, h1]: [f64; 2], [v0, v1]: [f64; 2]) -> f64 {
    if v0 * v1 <= 0.0 {
        return 0.0;
    }
    let part = (h0 + 2.0 * h1) / (3.0 * (h0 + h1));
    v0 * v1 / (part * v1 + (1.0 - part) * v0)
}

/// The turn from one orientation to another in the axes of the first, by the shorter way: angle times axis.
fn turn(from: DQuat, to: DQuat) -> DVec3 {
    log(from.conjugate() * to)
}

/// The cubic from one place to another with these tangents, times the duration.
fn hermite(from: DVec3, to: DVec3, start: DVec3, end: DVec3, t: f64) -> DVec3 {
    let (t2, t3) = (t * t, t * t * t);
    from + (3.0 * t2 - 2.0 * t3) * (to - from) + (t - 2.0 * t2 + t3) * start + (t3 - t2) * end
}

/// The same of turns: Bézier's curve on the unit quaternions in its cumulative form (Kim, Kim and Shin 1995, "A general construction
/// scheme for unit quaternion curves with simple high order derivatives", eq. 8); tangents in the turning axes.
fn hermite_turn(from: DQuat, to: DQuat, start: DVec3, end: DVec3, t: f64) -> DQuat {
    let (first, last) = (start / 3.0, end / 3.0);
    let middle = log(exp(-first) * from.conjugate() * to * exp(-last));
    let s = 1.0 - t;
    let [b1, b2, b3] = [1.0 - s * s * s, (3.0 - 2.0 * t) * t * t, t * t * t];
    from * exp(b1 * first) * exp(b2 * middle) * exp(b3 * last)
}

#[cfg(test)]
mod tests {
    use std::f64::consts::{FRAC_PI_2, TAU};

    use super::*;

    fn places(points: &[(f64, [f64; 3])], between: Between) -> Path {
        let points = points.iter().map(|&(t, x)| (t, DVec3::from(x))).collect();
        Path::through(points, Vec::new(), between, false).expect("a path")
    }

    #[test]
    fn a_path_goes_through_its_points_and_stays_outside() {
        let points = [(1.0, [0.0, 0.0, 1.0]), (2.0, [2.0, 0.0, 1.0]), (4.0, [2.0, 6.0, 1.0])];
        for between in [Between::Smooth, Between::Straight] {
            let path = places(&points, between);
            for (time, x) in points.into_iter().chain([(-3.0, points[0].1), (9.0, points[2].1)]) {
                assert!((path.at(time).translation - DVec3::from(x)).length() < 1e-15, "{between:?} {time}");
            }
        }
        assert_eq!(places(&points, Between::Straight).at(3.0).translation, DVec3::new(2.0, 3.0, 1.0));
    }

    /// What rises, stays and falls does no more: no coordinate leaves the range of the two points that it is between, and what goes
    /// evenly goes on evenly.
    #[test]
    fn nothing_swings_beyond_its_points() {
        let points = [(0.0, 0.0), (1.0, 3.0), (1.5, 3.0), (2.0, 2.5), (4.0, -1.0), (4.1, 7.0), (6.0, 7.5)];
        let path = places(&points.map(|(t, x)| (t, [x, -x, t])), Between::Smooth);
        for pair in points.windows(2) {
            let [(t0, x0), (t1, x1)] = [pair[0], pair[1]];
            for k in 0..=64 {
                let at = path.at(t0 + (t1 - t0) * f64::from(k) / 64.0).translation;
                let (low, high) = (x0.min(x1) - 1e-12, x0.max(x1) + 1e-12);
                assert!((low..=high).contains(&at.x) && (low..=high).contains(&-at.y), "{at}");
            }
        }
        // Inside, where both neighbours go evenly too.
        assert!((path.at(1.3).translation.z - 1.3).abs() < 1e-12);
    }

    /// Quarter turns at even times are an even rotation where the path repeats, whichever way it is put together.
    #[test]
    fn an_even_rotation_stays_even() {
        let turns: Vec<(f64, DQuat)> =
            (0..=4).map(|k| (f64::from(k), DQuat::from_rotation_z(f64::from(k) * FRAC_PI_2))).collect();
        for between in [Between::Smooth, Between::Straight] {
            let path = Path::through(Vec::new(), turns.clone(), between, true).expect("a path");
            for t in [-0.3, 0.0, 0.25, 1.5, 3.9, 4.0, 17.2] {
                let expected = DQuat::from_rotation_z(t * TAU / 4.0);
                let off = path.at(t).rotation.angle_between(expected);
                // angle_between takes the arc cosine of a number within rounding of one.
                assert!(off < 1e-7, "{between:?} {t}: {off}");
            }
        }
    }

    /// Velocities on both sides of a point differ by what the curvature makes of the distance.
    #[test]
    fn a_smooth_path_has_no_corner() {
        let turns =
            [0.0, 0.7, -0.4, 1.1].map(|a: f64| DQuat::from_rotation_x(a) * DQuat::from_rotation_y(2.0 * a));
        let turns = [0.0, 1.0, 1.5, 3.0].into_iter().zip(turns).collect();
        let path = Path::through(Vec::new(), turns, Between::Smooth, false).expect("a path");
        let h = 1e-5;
        for t in [1.0, 1.5] {
            let [before, here, after] = [t - h, t, t + h].map(|t| path.at(t).rotation);
            let jump = (turn(here, after) - turn(before, here)) / h;
            // Accelerations of the path are some 30 rad/s², so 3e-4 within h; a straight path jumps by 2 rad/s.
            assert!(jump.length() < 1e-3, "{t}: {jump}");
        }
    }

    #[test]
    fn times_that_do_not_grow_and_numbers_that_are_none_are_refused() {
        let place = |points: &[(f64, f64)]| {
            let points = points.iter().map(|&(t, x)| (t, DVec3::splat(x))).collect();
            Path::through(points, Vec::new(), Between::Smooth, false)
        };
        assert!(place(&[(0.0, 1.0), (0.0, 2.0)]).is_none());
        assert!(place(&[(0.0, f64::NAN)]).is_none());
        assert!(place(&[(f64::INFINITY, 0.0)]).is_none());
        let no_direction = vec![(0.0, DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0))];
        assert!(Path::through(Vec::new(), no_direction, Between::Smooth, false).is_none());
        assert_eq!(place(&[]).expect("a path").at(3.0), Pose::IDENTITY);
    }
}
