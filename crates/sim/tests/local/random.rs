//! Random contact blocks of two bodies, or of a body and the ground.

use glam::{DMat3, DQuat, DVec2, DVec3};
use tactum_sim::ContactLimits;
use tactum_sim::solver::local::{self, Block};
use tactum_sim::solver::{Mat6, Vec6};
use tactum_sim::{ContactFrame, ContactPatch};
use tactum_sim::{SpinCoupling, SpinRule};

/// Random numbers, vectors and frames.
pub struct Rng(tactum_random::Rng);

impl Rng {
    /// The numbers of one test: those of `fixed`, or new ones.
    pub fn new(fixed: u64) -> Self {
        Self(tactum_random::Rng::new(fixed))
    }

    /// How many cases a test of `n` cases has in this run.
    pub fn cases(&self, n: usize) -> usize {
        self.0.cases(n)
    }

    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        self.0.unit()
    }

    pub fn range(&mut self, min: f64, max: f64) -> f64 {
        self.0.range(min, max)
    }

    /// Between `min` and `max`, with uniform logarithm.
    pub fn log_range(&mut self, min: f64, max: f64) -> f64 {
        self.0.log_range(min, max)
    }

    pub fn vector(&mut self, size: f64) -> DVec3 {
        DVec3::new(self.range(-size, size), self.range(-size, size), self.range(-size, size))
    }

    pub fn plane_vector(&mut self, size: f64) -> DVec2 {
        DVec2::new(self.range(-size, size), self.range(-size, size))
    }

    pub fn rotation(&mut self) -> DMat3 {
        let [x, y, z, w] = [0; 4].map(|_| self.range(-1.0, 1.0));
        DMat3::from_quat(DQuat::from_xyzw(x, y, z, w + 1.5).normalize())
    }

    pub fn frame(&mut self) -> ContactFrame {
        let r = self.rotation();
        ContactFrame::new(self.vector(3.0), r.x_axis, [r.y_axis, r.z_axis])
    }
}

pub struct Case {
    pub block: Block,
    pub e: Vec6,
    pub friction: f64,
    /// Size of the bodies \[m\].
    pub size: f64,
}

/// Boxes with edges between 0.3 and 3 sizes and masses over four decades; each third block has one dynamic body. The
/// contact is at about the surface of both. The twist is that of bodies moving at unit speed per size, mostly towards
/// each other.
pub fn case(rng: &mut Rng) -> Case {
    let size = rng.log_range(1e-3, 10.0);
    let frame = rng.frame();
    let mut s = Mat6::ZERO;
    let mut e = Vec6::ZERO;
    let only_one = rng.unit() < 1.0 / 3.0;
    for sign in [1.0, -1.0] {
        if sign < 0.0 && only_one {
            continue;
        }
        let half = DVec3::new(rng.range(0.15, 1.5), rng.range(0.15, 1.5), rng.range(0.15, 1.5)) * size;
        let mass = rng.log_range(0.1, 1000.0) * size.powi(3);
        let squares = half * half;
        let inertia =
            DVec3::new(squares.y + squares.z, squares.x + squares.z, squares.x + squares.y) * (mass / 3.0);
        let r = rng.rotation();
        let inverse_inertia = r * DMat3::from_diagonal(inertia.recip()) * r.transpose();
        let arm = frame.normal() * (sign * rng.range(0.1, 1.5) * size) + rng.vector(0.7 * size);
        let center = frame.point + arm;
        s += frame.admittance(1.0 / mass, &inverse_inertia, center);
        let v = rng.vector(size) - frame.normal() * (sign * rng.range(-0.2, 1.0) * size);
        e += frame.twist(center, v, rng.vector(1.0)) * sign;
    }
    let friction = [0.0, 0.3, 0.8][(rng.unit() * 3.0) as usize];
    Case { block: Block::new(s), e, friction, size }
}

/// An ellipse of between 1e-3 and 1 of a size, of any flatness.
pub fn ellipse(rng: &mut Rng, size: f64) -> ContactPatch {
    let a = size * rng.log_range(1e-3, 1.0);
    ContactPatch::ellipse(a, a * rng.log_range(1e-3, 1.0))
}

/// The hull of 3 to 12 points around the contact point, sometimes beside it.
pub fn polygon(rng: &mut Rng, size: f64) -> ContactPatch {
    let reach = size * rng.log_range(1e-3, 1.0);
    let n = 3 + (rng.unit() * 10.0) as usize;
    let shift = if rng.unit() < 0.1 { rng.plane_vector(reach) } else { DVec2::ZERO };
    let points: Vec<_> = (0..n).map(|_| rng.plane_vector(reach)).collect();
    let mean = points.iter().sum::<DVec2>() / n as f64;
    ContactPatch::polygon(&points.iter().map(|p| *p - mean + shift).collect::<Vec<_>>())
}

/// The projection with limits made on the spot.
pub fn project(block: &Block, e: &Vec6, patch: &ContactPatch, friction: f64, spin: SpinRule) -> Vec6 {
    local::project(block, e, &ContactLimits::new(patch.clone(), friction, spin, SpinCoupling::Ellipsoid))
}
