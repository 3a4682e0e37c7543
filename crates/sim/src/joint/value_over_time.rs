//! A value that changes over time.

/// A value over time: straight between the times that are given, constant before the first and after the last.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueOverTime(Vec<[f64; 2]>);

impl ValueOverTime {
    /// The same at all times.
    pub fn constant(value: f64) -> Self {
        Self(vec![[0.0, value]])
    }

    /// Values `[time, value]`; a later one of the same time is a jump. `None` where there is none, where a number is not
    /// finite or where times go back.
    pub fn through(points: Vec<[f64; 2]>) -> Option<Self> {
        let finite = points.iter().flatten().all(|x| x.is_finite());
        let in_order = points.windows(2).all(|pair| pair[0][0] <= pair[1][0]);
        (finite && in_order && !points.is_empty()).then_some(Self(points))
    }

    /// Whether the value changes after a time \[s\].
    pub fn changes_after(&self, time: f64) -> bool {
        let now = self.at(time);
        self.0.iter().any(|&[t, value]| t > time && value != now)
    }

    /// The mean of the value from one time to a later one \[s\].
    pub fn mean(&self, from: f64, to: f64) -> f64 {
        let inner = self.0.iter().map(|[t, _]| *t).filter(|t| (from..to).contains(t) && *t > from);
        let (mut sum, mut start) = (0.0, from);
        for end in inner.chain([to]) {
            // Straight in between, so that the middle is the mean, and no jump is there.
            sum += (end - start) * self.at(0.5 * (start + end));
            start = end;
        }
        sum / (to - from)
    }

    /// The value at a time \[s\].
    pub fn at(&self, time: f64) -> f64 {
        let after = self.0.partition_point(|[t, _]| *t <= time);
        let (Some(&[t0, x0]), next) = (self.0.get(after.wrapping_sub(1)), self.0.get(after)) else {
            return self.0[0][1];
        };
        next.map_or(x0, |&[t1, x1]| x0 + (x1 - x0) * (time - t0) / (t1 - t0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_straight_between_its_points_and_constant_outside() {
        let value = ValueOverTime::through(vec![[1.0, 2.0], [3.0, 6.0], [3.0, 0.0]]).expect("times in order");
        assert_eq!([0.0, 1.0, 2.0, 3.0, 9.0].map(|t| value.at(t)), [2.0, 2.0, 4.0, 0.0, 0.0]);
        assert_eq!(ValueOverTime::constant(7.0).at(-5.0), 7.0);
    }

    #[test]
    fn a_mean_is_the_area_below_the_value() {
        let value = ValueOverTime::through(vec![[1.0, 2.0], [3.0, 6.0], [3.0, 0.0]]).expect("times in order");
        // A second at 2, a trapezoid of 2 s with the mean 4, a second of 0.
        assert_eq!(value.mean(0.0, 4.0), (2.0 + 8.0) / 4.0);
        assert_eq!([value.mean(1.5, 2.5), value.mean(3.0, 5.0), value.mean(-2.0, 1.0)], [4.0, 0.0, 2.0]);
    }

    #[test]
    fn a_value_is_known_to_change_no_more() {
        let value = ValueOverTime::through(vec![[1.0, 2.0], [3.0, 6.0], [5.0, 6.0]]).expect("times in order");
        assert_eq!([0.0, 2.9, 3.0, 9.0].map(|t| value.changes_after(t)), [true, true, false, false]);
        assert!(!ValueOverTime::constant(7.0).changes_after(-5.0));
    }

    #[test]
    fn times_that_go_back_and_numbers_that_are_none_are_refused() {
        assert_eq!(ValueOverTime::through(vec![[1.0, 2.0], [0.5, 6.0]]), None);
        assert_eq!(ValueOverTime::through(vec![[f64::NAN, 2.0]]), None);
        assert_eq!(ValueOverTime::through(Vec::new()), None);
    }
}
