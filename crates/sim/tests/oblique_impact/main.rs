//! A ball that meets a plate aslant and elastically: how its contact point leaves, against Maw, Barber and Fawcett's annuli.
#![allow(clippy::unwrap_used)] // a test stops where its scene cannot be built

mod annuli;
#[path = "../common/mod.rs"]
mod common;
mod engine;
mod impact;

use annuli::{Annuli, Hold, MODULUS};
use engine::{Pair, Setup};
use glam::DVec3;
use impact::{kappa, rebound, rebound_without_slip};
use tactum_random::Rng;

const POISSON: f64 = 0.3;

/// Annuli of the finer one of two runs.
const N_ANNULI: usize = 120;

/// ψ2 after ψ1 without the annuli's error of first order in their number.
fn reference(psi: f64, kappa: f64) -> f64 {
    2.0 * rebound(psi, kappa, N_ANNULI) - rebound(psi, kappa, N_ANNULI / 2)
}

#[test]
fn annuli_under_a_constant_load_are_cattaneos_and_mindlins() {
    let n = 80;
    let mut annuli = Annuli::new((1..=n).map(|ix| ix as f64 / n as f64).collect());
    let load = 4.0 / 3.0 * MODULUS;
    // The way at which all of it slips: 3 μ N / (16 G* a), in the units across 3/4 of N / (E* a).
    let all = 0.75 * load / MODULUS;
    annuli.go(n, 0.0);
    let mut way = 0.0;
    for step in 1..20 {
        let next = all * f64::from(step) / 20.0;
        annuli.go(n, next - way);
        way = next;
        let left = 1.0 - way / all;
        // F = μ N (1 - (1 - u / u_all)^1.5), stick within a (1 - F / μ N)^(1/3): to an annulus.
        let force = load * (1.0 - left.powf(1.5));
        assert!((annuli.force() / force - 1.0).abs() < 5e-3, "{} of {force} at {way}", annuli.force());
        assert!((annuli.stick_radius() - left.sqrt()).abs() < 1.01 / n as f64);
    }
    annuli.go(n, all);
    assert!(annuli.holds.iter().all(|hold| *hold == Hold::Slips(1.0)));
    assert!((annuli.force() / load - 1.0).abs() < 1e-9);
}

#[test]
fn annuli_under_a_load_that_grows_along_a_line_stick() {
    // Below the friction a growing oblique load does not slip: its traction is the pressure times their ratio (Mindlin and Deresiewicz 1953).
    let n = 40;
    let mut annuli = Annuli::new((1..=n).map(|ix| (ix as f64 / n as f64).sqrt()).collect());
    for touching in 1..=n {
        annuli.go(touching, 0.7 / n as f64);
        assert!(annuli.holds.iter().all(|hold| *hold == Hold::Sticks));
        let load = 4.0 / 3.0 * MODULUS * (touching as f64 / n as f64).powf(1.5);
        // First order in the number of annuli.
        let error = annuli.force() / (0.7 * load) - 1.0;
        assert!(error.abs() < 0.4 / (touching as f64 + 1.0), "{error} with {touching}");
    }
}

#[test]
fn the_reference_is_right_where_it_is_known() {
    let kappa = kappa(POISSON);
    let chi = 1.75 / kappa;
    // From 4 χ - 1 on it slides throughout, and its velocity changes by 4 χ (Maw, Barber and Fawcett 1976).
    for psi in [4.0 * chi - 1.0, 4.0 * chi - 0.5, 4.0 * chi, 8.0] {
        let change = psi - reference(psi, kappa);
        assert!((change / (4.0 * chi) - 1.0).abs() < 2e-4, "{change} from {psi}");
    }
    // Below it sticks at last, and from 1 on it leaves to where it came from.
    for psi in [1.0, 2.0, 4.0, 4.0 * chi - 1.1] {
        let psi2 = reference(psi, kappa);
        assert!(psi2 < 0.0 && psi - psi2 < 4.0 * chi * (1.0 - 1e-4), "{psi2} from {psi}");
    }
    // What comes along the normal slips only where it lifts off, as rings do that stick as long as they touch. To the width of
    // the annuli, of which the reference leaves second order.
    for kappa in [1.0, kappa, 1.5] {
        let without = rebound_without_slip(1.0, kappa, 2000);
        let small = reference(1e-4, kappa) * 1e4;
        assert!((small - without).abs() < 3e-3, "{small}, not {without}");
    }
    // Half as many annuli say the same to what their differences make one expect.
    for psi in [0.1, 0.5, 1.0, 2.0, 4.0] {
        let coarse = 2.0 * rebound(psi, kappa, N_ANNULI / 2) - rebound(psi, kappa, N_ANNULI / 4);
        assert!((coarse - reference(psi, kappa)).abs() < 1e-3, "{coarse} from {psi}");
    }
}

/// How far off the engine may be, as a part of ψ2; where that passes through zero, of a tenth of ψ1.
const TOLERANCE: f64 = 0.03;

/// Looks at the rebound at each ψ1.
fn compare(setup: Setup, all: &[f64]) {
    let kappa = kappa(setup.poisson);
    println!("{setup:?}\n  psi1      psi2   engine     spin   engine");
    for &psi in all {
        let expected = reference(psi, kappa);
        // The force across changes the velocity by 7/2 of itself and the spin by 5/2.
        let spin = (psi - expected) * kappa * 2.5 / 3.5;
        let left = engine::rebound(psi, setup);
        println!("{psi:6.2} {expected:9.4} {:8.4} {spin:8.4} {:8.4}", left.psi, left.spin);
        let most = TOLERANCE * expected.abs().max(0.1 * psi);
        assert!((left.psi - expected).abs() < most, "{}, not {expected} from {psi}", left.psi);
        assert!((left.spin / spin - 1.0).abs() < TOLERANCE, "{}, not {spin} from {psi}", left.spin);
        // Rounding.
        assert!(left.aside.abs() < 1e-9, "{} aside from {psi}", left.aside);
    }
}

#[test]
fn a_ball_leaves_a_plate_as_maw_barber_and_fawcett_say() {
    let setup = Setup { pair: Pair::OnPlate, poisson: POISSON, friction: 0.3 };
    let all = [
        0.03, 0.1, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 4.75, 5.0, 5.5, 6.0, 8.0,
        20.0,
    ];
    compare(setup, &all);
}

#[test]
fn the_rebound_is_that_of_any_pair_material_and_friction() {
    for (pair, poisson, friction) in [
        (Pair::OnLaterPlate, 0.3, 0.3),
        (Pair::Balls, 0.3, 0.3),
        (Pair::OnPlate, 0.0, 0.3),
        (Pair::OnPlate, 0.49, 0.3),
        (Pair::OnPlate, 0.3, 0.05),
        (Pair::OnPlate, 0.3, 1.5),
        (Pair::Balls, 0.2, 0.1),
    ] {
        compare(Setup { pair, poisson, friction }, &[0.5, 2.0, 3.5, 6.0]);
    }
}

#[test]
fn balls_that_spin_and_meet_askew_gain_no_energy() {
    let mut rng = Rng::new(3);
    for _ in 0..rng.cases(40) {
        let friction = rng.log_range(0.01, 2.0);
        let mut vector = || DVec3::from_array([(); 3].map(|()| rng.range(-1.0, 1.0)));
        let [along, aside] = [vector(), vector()];
        let apart = (DVec3::Z + 0.5 * aside).normalize() * (engine::RADIUS + engine::GAP);
        let mut world = engine::world(POISSON);
        let velocity = -0.02 * (apart.normalize() + along * 0.5);
        let a = world.add_body(engine::grain("a", -apart, -velocity, friction)).unwrap();
        let b = world.add_body(engine::grain("b", apart, velocity, friction)).unwrap();
        world.set_velocity(a, -velocity, vector()).unwrap();
        world.set_velocity(b, velocity, vector()).unwrap();
        let start = world.kinetic_energy();
        common::facets::steps(&mut world, 20);
        let left = (world.body(b).linear_velocity - world.body(a).linear_velocity).dot(apart);
        assert!(left > 0.0, "they have parted");
        // The sub-steps' own error along the normal, see the impacts of facets.
        let change = world.kinetic_energy() / start - 1.0;
        assert!(change < 1e-4, "{change} gained with friction {friction}");
    }
}
