//! Polynomials over the unit interval in Bernstein form: signs, values, roots.

/// `Σ c_i B_i(t)` with `B_i(t) = C(N-1, i) t^i (1-t)^(N-1-i)`, of degree N - 1.
///
/// The coefficients hold the polynomial between them for t from 0 to 1: all of one sign, and it has no root there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bernstein<const N: usize>(pub [f64; N]);

/// Halvings of the unit interval until what is left of it counts as one root: as many as a number has digits.
const MAX_HALVINGS: u32 = 48;

/// Steps of the safeguarded Newton iteration at most: bisection alone would take these.
const MAX_STEPS: u32 = 60;

impl Bernstein<4> {
    /// The same cubic as a quartic.
    #[must_use]
    pub fn raised(&self) -> Bernstein<5> {
        let [a, b, c, d] = self.0;
        Bernstein([a, 0.25 * (a + 3.0 * b), 0.5 * (b + c), 0.25 * (3.0 * c + d), d])
    }
}

impl<const N: usize> Bernstein<N> {
    /// Whether all coefficients have one sign, so that there is no root from 0 to 1: never where there is one.
    pub fn has_one_sign(&self) -> bool {
        self.0.iter().all(|&c| c > 0.0) || self.0.iter().all(|&c| c < 0.0)
    }

    /// Value at t.
    pub fn at(&self, t: f64) -> f64 {
        let mut c = self.0;
        for n in (1..N).rev() {
            for i in 0..n {
                c[i] += t * (c[i + 1] - c[i]);
            }
        }
        c[0]
    }

    /// Derivative at t.
    fn slope(&self, t: f64) -> f64 {
        let mut c = self.0;
        for n in (2..N).rev() {
            for i in 0..n {
                c[i] += t * (c[i + 1] - c[i]);
            }
        }
        (N - 1) as f64 * (c[1] - c[0])
    }

    /// The polynomial plus a constant.
    #[must_use]
    pub fn plus(&self, constant: f64) -> Self {
        Self(self.0.map(|c| c + constant))
    }

    /// Difference of two.
    #[must_use]
    pub fn minus(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] - other.0[i]))
    }

    /// The polynomial times a constant.
    #[must_use]
    pub fn times(&self, factor: f64) -> Self {
        Self(self.0.map(|c| factor * c))
    }

    /// When it first falls below zero, or is there to begin with, from one time up to another.
    pub fn falls_below_zero(&self, from: f64, until: f64) -> Option<f64> {
        if self.0.iter().all(|&c| c > 0.0) {
            return None;
        }
        let mut times = vec![from];
        self.roots(&mut times);
        times.retain(|time| (from..until).contains(time));
        times.push(until);
        let is_below = |two: &&[f64]| two[0] < two[1] && self.at(0.5 * (two[0] + two[1])) < 0.0;
        times.windows(2).find(is_below).map(|two| two[0])
    }

    /// All roots from 0 to 1 in ascending order, those at the ends and between halves included if the value there is zero; none of the
    /// polynomial that is zero everywhere. Appended to `roots`.
    pub fn roots(&self, roots: &mut Vec<f64>) {
        if self.has_one_sign() || self.0 == [0.0; N] || !self.0.iter().all(|c| c.is_finite()) {
            return;
        }
        if self.0[0] == 0.0 {
            roots.push(0.0);
        }
        self.inner_roots([0.0, 1.0], MAX_HALVINGS, roots);
        if self.0[N - 1] == 0.0 {
            roots.push(1.0);
        }
    }

    /// Roots inside of an interval that this polynomial is the part over.
    fn inner_roots(&self, [from, to]: [f64; 2], halvings: u32, roots: &mut Vec<f64>) {
        match self.n_variations() {
            0 => {}
            1 if self.0[0] * self.0[N - 1] < 0.0 => roots.push(from + (to - from) * self.single_root()),
            _ if halvings == 0 => roots.push(0.5 * (from + to)),
            _ => {
                let middle = 0.5 * (from + to);
                let [left, right] = self.halves();
                left.inner_roots([from, middle], halvings - 1, roots);
                if right.0[0] == 0.0 {
                    roots.push(middle);
                }
                right.inner_roots([middle, to], halvings - 1, roots);
            }
        }
    }

    /// Changes of sign along the coefficients, zeros left out: as many roots inside at most (Descartes).
    fn n_variations(&self) -> u32 {
        let mut n = 0;
        let mut last = 0.0;
        for c in self.0.into_iter().filter(|&c| c != 0.0) {
            n += u32::from(last * c.signum() < 0.0);
            last = c.signum();
        }
        n
    }

    /// The parts over the two halves of the interval (de Casteljau).
    fn halves(&self) -> [Self; 2] {
        let mut left = self.0;
        let mut c = self.0;
        for n in (1..N).rev() {
            for i in 0..n {
                c[i] = 0.5 * (c[i] + c[i + 1]);
            }
            left[N - n] = c[0];
        }
        [Self(left), Self(c)]
    }

    /// The root between values of opposite sign: Newton's steps, and bisection where they leave what holds the root.
    fn single_root(&self) -> f64 {
        let rises = self.0[0] < 0.0;
        let (mut low, mut high) = (0.0, 1.0);
        let mut t = self.0[0] / (self.0[0] - self.0[N - 1]);
        for _ in 0..MAX_STEPS {
            let value = self.at(t);
            if value == 0.0 {
                return t;
            }
            if (value < 0.0) == rises {
                low = t;
            } else {
                high = t;
            }
            let newton = t - value / self.slope(t);
            let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
            if (next - t).abs() <= f64::EPSILON * t {
                return next;
            }
            t = next;
        }
        t
    }
}
