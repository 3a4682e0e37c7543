//! What holds a patch across its normal and about it: springs side by side, each up to the friction that it has.
//!
//! Of a contact that grows by a radius da, what is new holds as a spring of stiffness 8 G* da that is slack at first, and presses as one
//! of 2 E* da. Each such spring slips by itself where it is drawn by more than the friction on its own load. Together they are the
//! contact of Mindlin and Deresiewicz (1953) under any history of loads: any traction across, with its slip from the rim inwards,
//! is a sum of differences of Hertzian ones (Jaeger 1993; Ciavarella 1998), and each of these is what the springs of a range of radii do
//! (the reduction to one dimension of Popov and Heß 2015, chapter 5). Exact on a line; where the slip turns in the plane, and in that
//! the tractions do nothing across their own direction, it is as much an approximation as Mindlin's theory itself.
//!
//! A stretch has a part along the normal: the angle by which B is turned about it, times the patch's radius of gyration. With that length one
//! stiffness holds against both, and what a spring can hold of both together is told by one [`Limit`].
//!
//! The springs are kept in the order in which they came into touch, from the centre out, and let go in the reverse order. A spring never
//! gives back more than was put into it: it holds by the force that it has after it was moved, the projection onto a convex set about
//! zero, and two that become one get their mean stretch. So no closed cycle gains energy, whatever the steps.

use glam::{DMat3, DVec3};
use serde::{Deserialize, Serialize};

use super::limit::Limit;
use crate::world::hash::StateHash;

/// How many springs a patch has at most; more than half as many as long as it has any. With these a ball's rebound from a plate has the
/// velocity across that the continuous contact gives it to 0.3 % of ψ1 at any angle; with 16 it is to 0.6 %, with 8 to 1.2 %.
const MOST: usize = 24;

/// A part of a patch: all that came into touch between two sizes of it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spring {
    /// Its stiffness \[N/m\].
    pub stiffness: f64,
    /// Mean stretch, towards where it pulls B, world axes \[m\]; along the normal it is turned.
    pub stretch: DVec3,
}

/// The springs of a patch, from the one that came into touch first to the last one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Springs(Vec<Spring>);

impl Springs {
    /// Springs in this order.
    pub fn of(springs: impl Iterator<Item = Spring>) -> Self {
        let mut all = Vec::with_capacity(MOST + 1);
        all.extend(springs);
        Self(all)
    }

    /// Each of them, in their order.
    pub fn all(&self) -> &[Spring] {
        &self.0
    }

    /// Force on B \[N\], and along the normal the torque on it over the radius of gyration.
    pub fn force(&self) -> DVec3 {
        self.0.iter().map(|spring| spring.stretch * spring.stiffness).sum()
    }

    /// Energy that the springs hold \[J\].
    pub fn energy(&self) -> f64 {
        self.0.iter().map(|spring| 0.5 * spring.stiffness * spring.stretch.length_squared()).sum()
    }

    /// No springs, with the memory of those there were.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Becomes a part of a patch, all of its springs alike, after that has turned, with another stiffness \[N/m\], while B is moved by a way \[m\]
    /// against its pull, and turned as its part along the normal says.
    ///
    /// The springs beyond the stiffness are let go. What is new came into touch all along the way: it is drawn by half of it.
    pub fn go_on_from(&mut self, before: &Self, share: f64, turn: &DMat3, stiffness: f64, way: DVec3) {
        self.0.clear();
        // With room for what is new: no patch has more springs than this.
        self.0.reserve_exact(MOST + 1);
        let mut missing = stiffness;
        for spring in &before.0 {
            let stiffness = (share * spring.stiffness).min(missing);
            missing -= stiffness;
            if stiffness > 0.0 {
                self.0.push(Spring { stiffness, stretch: *turn * spring.stretch + way });
            }
        }
        if missing > 0.0 {
            self.0.push(Spring { stiffness: missing, stretch: 0.5 * way });
        }
        while !self.0.is_empty() && self.0.len() <= MOST / 2 {
            self.halve();
        }
        while self.0.len() > MOST {
            self.join_narrowest();
        }
    }

    /// Lets each spring slip that pulls more than its own share of the friction: the friction \[N\] times what `load_within` says
    /// of the load on the part of the stiffness that came into touch first. What they pull B by then \[N\].
    pub fn slip(&mut self, friction: f64, limit: &Limit, load_within: impl Fn(f64) -> f64) -> DVec3 {
        let total: f64 = self.0.iter().map(|spring| spring.stiffness).sum();
        let part_of = total.recip();
        let (mut reached, mut within, mut force) = (0.0, 0.0, DVec3::ZERO);
        for spring in &mut self.0 {
            reached += spring.stiffness;
            let next = load_within((reached * part_of).min(1.0));
            let most = friction * (next - within).max(0.0);
            let mut pull = spring.stretch * spring.stiffness;
            if let Some(held) = limit.slipping(pull, most) {
                spring.stretch = held / spring.stiffness;
                pull = held;
            }
            force += pull;
            within = next;
        }
        force
    }

    /// Makes two of each spring.
    fn halve(&mut self) {
        let n = self.0.len();
        self.0.iter_mut().for_each(|spring| spring.stiffness *= 0.5);
        self.0.extend_from_within(..);
        // From the last one on, so that none is overwritten before it is copied.
        for ix in (0..n).rev() {
            (self.0[2 * ix], self.0[2 * ix + 1]) = (self.0[ix], self.0[ix]);
        }
    }

    /// Makes one of the two neighbours that are the least stiff together: same force, no more energy.
    fn join_narrowest(&mut self) {
        let both = |ix: &usize| self.0[*ix].stiffness + self.0[ix + 1].stiffness;
        let narrowest = (0..self.0.len() - 1).min_by(|a, b| both(a).total_cmp(&both(b)));
        let Some(ix) = narrowest else { return };
        let outer = self.0.remove(ix + 1);
        let inner = &mut self.0[ix];
        let stiffness = inner.stiffness + outer.stiffness;
        inner.stretch += (outer.stretch - inner.stretch) * (outer.stiffness / stiffness);
        inner.stiffness = stiffness;
    }

    pub(super) fn hash(&self, hash: &mut StateHash) {
        for spring in &self.0 {
            hash.word(spring.stiffness.to_bits());
            hash.vector(spring.stretch);
        }
    }

    pub(super) fn is_finite(&self) -> bool {
        self.0.iter().all(|spring| spring.stiffness.is_finite() && spring.stretch.is_finite())
    }
}

#[cfg(test)]
mod tests {
    use tactum_random::Rng;

    use super::*;

    const FRICTION: f64 = 0.4;
    const LIMIT: Limit = Limit { normal: DVec3::Z, lever: 0.7 };

    /// Springs of a Hertzian contact in units in which 8 G* and 2 E* and the curvature are 1: its radius is its stiffness.
    #[derive(Clone, Default)]
    struct Contact {
        springs: Springs,
        work: f64,
    }

    impl Contact {
        /// Goes to a radius while it is drawn by a way.
        fn go(&mut self, radius: f64, way: DVec3) {
            let before = self.springs.clone();
            self.springs.go_on_from(&before, 1.0, &DMat3::IDENTITY, radius, way);
            self.springs.slip(FRICTION * load(radius), &LIMIT, |part| 0.5 * part * (3.0 - part * part));
            self.work += self.springs.force().dot(way);
        }
    }

    fn load(radius: f64) -> f64 {
        2.0 / 3.0 * radius.powi(3)
    }

    /// Force and energy after a way under a constant load, as parts of μ N and of that times the way at which all slips (Cattaneo 1938,
    /// Mindlin 1949).
    fn partial_slip(way: f64) -> (f64, f64) {
        let left = 1.0 - way;
        (1.0 - left.powf(1.5), way - 0.4 * (1.0 - left.powf(2.5)))
    }

    #[test]
    fn a_constant_load_is_cattaneos_and_mindlins_and_its_loop_masings() {
        let (radius, amplitude, n) = (1.3, 0.7, 500);
        let most = FRICTION * load(radius);
        let all = 1.5 * most / radius;
        let step = DVec3::Y * (amplitude * all / f64::from(n));
        let mut contact = Contact::default();
        contact.go(radius, DVec3::ZERO);
        for ix in 1..=n {
            contact.go(radius, step);
            let (force, _) = partial_slip(amplitude * f64::from(ix) / f64::from(n));
            // So many springs for the continuous ones: second order in their width.
            assert!((contact.springs.force().y / most - force).abs() < 5e-3, "{ix}");
        }
        let start = contact.work;
        for ix in 1..=2 * n {
            contact.go(radius, -step);
            let (back, _) = partial_slip(0.5 * amplitude * f64::from(ix) / f64::from(n));
            let force = partial_slip(amplitude).0 - 2.0 * back;
            assert!((contact.springs.force().y / most - force).abs() < 1e-2, "{ix}");
        }
        (0..2 * n).for_each(|_| contact.go(radius, step));
        // The area between the two branches (Mindlin, Mason, Osmer and Deresiewicz 1952), to that of the steps and springs.
        let (force, energy) = partial_slip(amplitude);
        let area = 8.0 * (energy - 0.5 * force * amplitude) * most * all;
        assert!(((contact.work - start) / area - 1.0).abs() < 0.03, "{} of {area}", contact.work - start);
    }

    #[test]
    fn a_load_that_comes_and_goes_along_a_line_within_the_friction_loses_nothing() {
        let n = 1000;
        let depth = |ix: i32| f64::from(ix) / f64::from(n);
        let mut contact = Contact::default();
        for ix in 1..=n {
            contact.go(depth(ix).sqrt(), DVec3::X * (0.8 * FRICTION / f64::from(n)));
            // To what the springs' width makes of the line.
            let line = 0.8 * FRICTION * load(depth(ix).sqrt());
            assert!((contact.springs.force().x - line).abs() < 0.01 * FRICTION * load(1.0));
        }
        let put_in = contact.work;
        for ix in (0..n).rev() {
            contact.go(depth(ix).sqrt(), DVec3::X * (-0.8 * FRICTION / f64::from(n)));
        }
        // What so many springs lose of it where the outermost one lifts off bit by bit.
        assert!(contact.work > 0.0 && contact.work < 0.05 * put_in, "{} of {put_in}", contact.work);
    }

    #[test]
    fn no_closed_cycle_gains_energy_whatever_its_steps() {
        let mut rng = Rng::new(5);
        for _ in 0..rng.cases(300) {
            let coarse = rng.range(0.01, 1.0);
            let mut contact = Contact::default();
            let mut at = DVec3::ZERO;
            for _ in 0..rng.below(60) + 3 {
                let to = FRICTION * DVec3::from_array([(); 3].map(|()| rng.range(-1.0, 1.0)));
                let way = coarse * (to - at);
                at += way;
                contact.go(rng.range(0.0, 1.0), way);
                let held = contact.springs.energy();
                assert!(contact.work >= held - 1e-15, "{} J put in, {held} J held", contact.work);
                assert!(contact.springs.0.len() <= MOST);
                let most = FRICTION * load(1.0);
                assert!(contact.springs.force().length() <= most * (1.0 + 1e-12));
            }
            contact.go(0.0, -at);
            assert!(contact.work >= 0.0 && contact.springs.energy() == 0.0);
        }
    }

    #[test]
    fn what_slips_throughout_holds_by_all_of_the_friction() {
        let mut contact = Contact::default();
        for radius in [0.3, 0.9, 0.7, 1.0, 1.0 + 1e-12, 0.2] {
            contact.go(radius, DVec3::new(3.0, 4.0, 0.0));
            let most = FRICTION * load(radius);
            let force = contact.springs.force();
            assert!((force - most * DVec3::new(0.6, 0.8, 0.0)).length() < 1e-12 * most, "{force}");
        }
    }
}
