//! Tractions across a Hertzian contact, annulus by annulus (Maw, Barber and Fawcett 1976, "The oblique impact of elastic spheres").
//!
//! The traction is a sum of Mindlin's `p_k sqrt(1 - r²/r_k²)` within radii r_k, whose displacements are known in closed form. Each annulus
//! in touch either sticks, so that its displacement goes with the bodies, or slips with the friction as its traction; which of them is
//! tried until no annulus that sticks pulls more than its friction and none that slips goes against it.
//!
//! Displacements are the mean ones round the circle and along the force, as in the original. Everything across is in units in which friction
//! and compliance drop out: tractions and forces over μ, displacements over κ μ with `κ = (2 - ν) / (2 (1 - ν))`, the ratio of the
//! compliances across and along the normal. Lengths are in units of the ball's radius.

use nalgebra::{DMatrix, DVector};

/// Springs and masses at the units of [`impact`](super::impact::impact): `4/3 E* = 5/4` makes the greatest depth and radius 1.
pub const MODULUS: f64 = 15.0 / 16.0;

/// How an annulus is held.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Hold {
    Sticks,
    /// Slips; the sign of its traction.
    Slips(f64),
}

/// A contact in annuli.
pub struct Annuli {
    /// Outer radii, growing.
    radii: Vec<f64>,
    /// The mean radius of each.
    spots: Vec<f64>,
    /// p_k.
    amplitudes: Vec<f64>,
    /// Displacement of each annulus, in touch or not.
    displacements: Vec<f64>,
    /// How each in touch is held.
    pub holds: Vec<Hold>,
}

/// Displacement at r by a traction of amplitude 1 within b (Johnson 1985, equations 3.41a and 3.42a).
fn displacement(r: f64, b: f64) -> f64 {
    use std::f64::consts::FRAC_PI_2;
    let wide = 2.0 * b * b - r * r;
    let outside = if r <= b { FRAC_PI_2 * wide } else { wide * (b / r).asin() + b * (r * r - b * b).sqrt() };
    outside / (2.0 * MODULUS * b)
}

/// Shape of the traction of amplitude 1 within b.
fn traction(r: f64, b: f64) -> f64 {
    (1.0 - (r / b).powi(2)).max(0.0).sqrt()
}

impl Annuli {
    pub fn new(radii: Vec<f64>) -> Self {
        let inner = std::iter::once(&0.0).chain(&radii);
        let spots: Vec<f64> = inner.zip(&radii).map(|(a, b)| 0.5 * (a + b)).collect();
        let zeros = vec![0.0; radii.len()];
        Self { spots, amplitudes: zeros.clone(), displacements: zeros, holds: Vec::new(), radii }
    }

    /// Total force.
    pub fn force(&self) -> f64 {
        let of = |(p, r): (&f64, &f64)| p * 2.0 * std::f64::consts::PI * r * r / 3.0;
        self.amplitudes.iter().zip(&self.radii).map(of).sum()
    }

    /// Brings the contact to its first `n` annuli under Hertz' pressure of a ball of radius 1, while the bodies move by `way`; an annulus
    /// that is new sticks at first.
    pub fn go(&mut self, n: usize, way: f64) {
        self.holds.resize(n, Hold::Sticks);
        let highest = 2.0 * MODULUS * self.radii[n - 1] / std::f64::consts::PI;
        let friction: Vec<f64> =
            self.spots[..n].iter().map(|r| highest * traction(*r, self.radii[n - 1])).collect();
        let (by_traction, by_displacement) = (self.matrix(n, traction), self.matrix(n, displacement));
        let before = DVector::from_column_slice(&self.displacements[..n]);
        // Holds settle after a few rounds; more would be a circle between two that are equal to rounding.
        for _ in 0..50 {
            let p = self.solve(way, &friction, &by_traction, &by_displacement);
            let pulls = &by_traction * &p;
            let moved = &by_displacement * &p - &before;
            self.amplitudes.fill(0.0);
            self.amplitudes[..n].copy_from_slice(p.as_slice());
            let mut is_settled = true;
            for (ix, hold) in self.holds.iter_mut().enumerate() {
                let next = match *hold {
                    Hold::Sticks if pulls[ix].abs() > friction[ix] * (1.0 + 1e-9) => {
                        Hold::Slips(pulls[ix].signum())
                    }
                    Hold::Slips(sign) if (way - moved[ix]) * sign < 0.0 => Hold::Sticks,
                    same => same,
                };
                is_settled &= next == *hold;
                *hold = next;
            }
            if is_settled {
                break;
            }
        }
        self.settle(n);
    }

    /// One row per annulus in touch, one column per radius within it.
    fn matrix(&self, n: usize, of: fn(f64, f64) -> f64) -> DMatrix<f64> {
        DMatrix::from_fn(n, n, |row, column| of(self.spots[row], self.radii[column]))
    }

    /// Amplitudes with the holds as they are.
    fn solve(
        &self,
        way: f64,
        friction: &[f64],
        tractions: &DMatrix<f64>,
        displacements: &DMatrix<f64>,
    ) -> DVector<f64> {
        let n = self.holds.len();
        let row = |ix: usize| match self.holds[ix] {
            Hold::Sticks => (displacements.row(ix), self.displacements[ix] + way),
            Hold::Slips(sign) => (tractions.row(ix), sign * friction[ix]),
        };
        let matrix = DMatrix::from_fn(n, n, |r, c| row(r).0[c]);
        let wanted = DVector::from_fn(n, |r, _| row(r).1);
        matrix.lu().solve(&wanted).unwrap()
    }

    /// Takes over the displacements, of annuli that do not touch too.
    fn settle(&mut self, n: usize) {
        for (r, u) in self.spots.iter().zip(&mut self.displacements) {
            let each = self.amplitudes[..n].iter().zip(&self.radii);
            *u = each.map(|(p, b)| p * displacement(*r, *b)).sum();
        }
    }

    /// Radius within which the contact sticks: that of the first annulus that slips.
    pub fn stick_radius(&self) -> f64 {
        let n = self.holds.iter().take_while(|hold| **hold == Hold::Sticks).count();
        if n == 0 { 0.0 } else { self.radii[n - 1] }
    }
}
