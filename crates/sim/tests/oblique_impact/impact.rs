//! The impact of a ball on a plate over annuli: Hertz along the normal, the annuli across.
//!
//! Units: the ball's mass and its speed along the normal are 1, so is the greatest depth. Across, the contact point's displacement is
//! over κ μ: its velocity at the start is ψ1, at the end ψ2, and it is changed by `3.5 / κ` of the force over μ (a homogeneous ball).

use super::annuli::{Annuli, MODULUS};

/// Half of the time that a ball touches, and the depths at the ends of `n` equal parts of it.
pub struct Approach {
    pub dt: f64,
    pub depths: Vec<f64>,
}

/// Hertz' approach `d'' = -5/4 d^1.5` in n parts, by Runge and Kutta's rule.
pub fn approach(n: usize) -> Approach {
    /// Steps of a part, so that depths are right to 1e-8.
    const PARTS: usize = 20;
    // ∫ dd / sqrt(1 - d^2.5) from 0 to 1 is 2/5 of the beta function of 2/5 and 1/2.
    let half = 1.471_637_7;
    let dt = half / n as f64;
    let h = dt / PARTS as f64;
    let slope = |[d, v]: [f64; 2]| [v, -1.25 * d.max(0.0).powf(1.5)];
    let along = |[d, v]: [f64; 2], [a, b]: [f64; 2], h: f64| [d + h * a, v + h * b];
    let mut at = [0.0, 1.0];
    let mut depths = Vec::with_capacity(n);
    for _ in 0..n {
        for _ in 0..PARTS {
            let a = slope(at);
            let b = slope(along(at, a, 0.5 * h));
            let c = slope(along(at, b, 0.5 * h));
            let d = slope(along(at, c, h));
            at = along(along(along(along(at, a, h / 6.0), b, h / 3.0), c, h / 3.0), d, h / 6.0);
        }
        depths.push(at[0]);
    }
    Approach { dt, depths }
}

/// Coefficient κ of a Poisson's ratio.
pub fn kappa(poisson: f64) -> f64 {
    (2.0 - poisson) / (2.0 * (1.0 - poisson))
}

/// ψ2 after an impact at ψ1, with n annuli: the contact's radius passes one of theirs in each time step.
pub fn rebound(psi: f64, kappa: f64, n: usize) -> f64 {
    let Approach { dt, depths } = approach(n);
    let mut annuli = Annuli::new(depths.iter().map(|depth| depth.sqrt()).collect());
    let mut velocity = psi;
    for touching in (1..=n).chain((1..n).rev()) {
        annuli.go(touching, velocity * dt);
        velocity -= 3.5 / kappa * annuli.force() * dt;
    }
    velocity
}

/// The same without any slip, which is a sum over the history of the motion alone: a ring that touched when the bodies had moved by
/// some way pulls with all that they have moved since, until it lifts off.
pub fn rebound_without_slip(psi: f64, kappa: f64, n: usize) -> f64 {
    let Approach { dt, depths } = approach(n);
    let stiffness = |n: usize| if n == 0 { 0.0 } else { 2.0 * MODULUS * depths[n - 1].sqrt() };
    let (mut velocity, mut way) = (psi, 0.0);
    let mut slack = vec![0.0];
    for (step, touching) in (1..=n).chain((1..n).rev()).enumerate() {
        let before = way;
        way += velocity * dt;
        if step < n {
            let ring = stiffness(touching) - stiffness(touching - 1);
            slack.push(slack[touching - 1] + ring * 0.5 * (before + way));
        }
        let force = stiffness(touching) * way - slack[touching];
        velocity -= 3.5 / kappa * force * dt;
    }
    velocity
}
