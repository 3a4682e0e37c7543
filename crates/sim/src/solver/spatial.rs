//! Six-vectors and symmetric 6 × 6 matrices of rigid-body mechanics, and the small factorisation they need.
//!
//! A [`Vec6`] is a twist (v | ω) or a wrench (f | τ); a [`Mat6`] maps wrenches to twists. Both are plain arrays.

use std::ops::{Add, AddAssign, Index, IndexMut, Mul, Neg, Sub, SubAssign};

use glam::{DMat3, DVec3};

/// A twist `(v | ω)` or a wrench `(f | τ)`, linear part first.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vec6(pub [f64; 6]);

impl Vec6 {
    /// The zero vector.
    pub const ZERO: Self = Self([0.0; 6]);

    /// Velocity and angular velocity, or force and torque.
    pub fn from_parts(linear: DVec3, angular: DVec3) -> Self {
        Self([linear.x, linear.y, linear.z, angular.x, angular.y, angular.z])
    }

    /// Velocity or force.
    pub fn linear(&self) -> DVec3 {
        DVec3::new(self.0[0], self.0[1], self.0[2])
    }

    /// Angular velocity or torque.
    pub fn angular(&self) -> DVec3 {
        DVec3::new(self.0[3], self.0[4], self.0[5])
    }

    /// Sum of products; of a wrench and a twist it is their power, of an impulse and a twist a work.
    pub fn dot(&self, other: &Self) -> f64 {
        self.0.iter().zip(&other.0).map(|(a, b)| a * b).sum()
    }

    /// Square of the Euclidean norm of the six numbers; mixes units.
    pub fn length_squared(&self) -> f64 {
        self.dot(self)
    }

    /// Whether every component is finite.
    pub fn is_finite(&self) -> bool {
        self.0.iter().all(|x| x.is_finite())
    }
}

impl Index<usize> for Vec6 {
    type Output = f64;
    fn index(&self, ix: usize) -> &f64 {
        &self.0[ix]
    }
}

impl IndexMut<usize> for Vec6 {
    fn index_mut(&mut self, ix: usize) -> &mut f64 {
        &mut self.0[ix]
    }
}

impl Add for Vec6 {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] + other.0[i]))
    }
}

impl AddAssign for Vec6 {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Vec6 {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] - other.0[i]))
    }
}

impl SubAssign for Vec6 {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Neg for Vec6 {
    type Output = Self;
    fn neg(self) -> Self {
        Self(self.0.map(|x| -x))
    }
}

impl Mul<f64> for Vec6 {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        Self(self.0.map(|x| x * factor))
    }
}

/// A symmetric 6 × 6 matrix that maps a wrench to a twist, by rows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mat6(pub [[f64; 6]; 6]);

impl Mat6 {
    /// The zero matrix.
    pub const ZERO: Self = Self([[0.0; 6]; 6]);

    /// `[[linear, coupling], [couplingᵀ, angular]]`; the diagonal blocks have to be symmetric.
    pub fn from_blocks(linear: &DMat3, coupling: &DMat3, angular: &DMat3) -> Self {
        let mut m = [[0.0; 6]; 6];
        for i in 0..3 {
            for j in 0..3 {
                m[i][j] = linear.col(j)[i];
                m[i][j + 3] = coupling.col(j)[i];
                m[i + 3][j] = coupling.col(i)[j];
                m[i + 3][j + 3] = angular.col(j)[i];
            }
        }
        Self(m)
    }

    /// What it makes of a unit wrench.
    #[inline]
    pub fn column(&self, ix: usize) -> Vec6 {
        Vec6(self.0[ix])
    }

    /// The matrix with the six numbers added to its diagonal.
    #[must_use]
    pub fn with_added_diagonal(mut self, diagonal: &Vec6) -> Self {
        for (i, row) in self.0.iter_mut().enumerate() {
            row[i] += diagonal[i];
        }
        self
    }

    /// Whether every entry is finite.
    pub fn is_finite(&self) -> bool {
        self.0.iter().flatten().all(|x| x.is_finite())
    }
}

impl Add for Mat6 {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| std::array::from_fn(|j| self.0[i][j] + other.0[i][j])))
    }
}

impl AddAssign for Mat6 {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Mul<Vec6> for &Mat6 {
    type Output = Vec6;
    fn mul(self, v: Vec6) -> Vec6 {
        Vec6(std::array::from_fn(|i| Vec6(self.0[i]).dot(&v)))
    }
}

/// A pivot this small against its diagonal entry is rounding noise of the elimination (some tens of f64 epsilons):
/// the row depends on the earlier ones. The smallest pivot of two real bodies is the square of the ratio of radius
/// of gyration to arm, 1e-6 for an arm of a thousand radii. No unit.
const PIVOT_MIN: f64 = 1e-13;

/// Cholesky factor of a symmetric positive semidefinite matrix.
///
/// A row that depends on the earlier ones (infinite inertia, two static bodies) is dropped: its unknown is zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cholesky<const N: usize> {
    /// Lower factor; the diagonal holds reciprocals, 0 for a dropped row.
    l: [[f64; N]; N],
}

impl<const N: usize> Cholesky<N> {
    /// Factorises; only the lower triangle is read. Entries that are not a number stay so in every solution.
    #[allow(clippy::needless_range_loop)] // three indices of one triangle
    pub(crate) fn new(a: &[[f64; N]; N]) -> Self {
        let mut l = [[0.0; N]; N];
        for j in 0..N {
            let mut pivot = a[j][j];
            for k in 0..j {
                pivot -= l[j][k] * l[j][k];
            }
            if pivot <= PIVOT_MIN * a[j][j] {
                continue;
            }
            let reciprocal = 1.0 / pivot.sqrt();
            l[j][j] = reciprocal;
            for i in j + 1..N {
                let mut x = a[i][j];
                for k in 0..j {
                    x -= l[i][k] * l[j][k];
                }
                l[i][j] = x * reciprocal;
            }
        }
        Self { l }
    }

    /// Solves `A x = b` on the kept rows.
    #[allow(clippy::needless_range_loop)] // substitution reads what it has written
    pub(crate) fn solve(&self, b: &[f64; N]) -> [f64; N] {
        let mut x = *b;
        for i in 0..N {
            for k in 0..i {
                x[i] -= self.l[i][k] * x[k];
            }
            x[i] *= self.l[i][i];
        }
        for i in (0..N).rev() {
            for k in i + 1..N {
                x[i] -= self.l[k][i] * x[k];
            }
            x[i] *= self.l[i][i];
        }
        x
    }
}
