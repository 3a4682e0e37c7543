//! Impacts of undamped balls by the stages of facets: what they keep of their energy.

mod worlds;

use tactum::backend::Backend;
use tactum_sim::World;
use worlds::{detector, step, world};

/// Steps in which it comes and goes.
const STEPS: u32 = 40;

/// A ball that comes down on a plate without weight.
struct Impact {
    radius: f64,
    young: f64,
    velocity: [f64; 3],
    spin: [f64; 3],
    friction: f64,
}

impl Impact {
    const PLAIN: Self =
        Self { radius: 0.05, young: 1e6, velocity: [0.0, 0.0, -0.5], spin: [0.0; 3], friction: 0.0 };

    fn scene(&self) -> String {
        let Self { radius: r, young, velocity, spin, friction } = self;
        // A tenth of the radius apart; there, to about the middle, and back again.
        let dt = 0.4 * r / velocity[2].abs() / f64::from(STEPS);
        let [x, y] = [0.013, -0.027].map(|part| part * r);
        let at = [x + 0.1 * r * velocity[0] / velocity[2], y + 0.1 * r * velocity[1] / velocity[2], 1.1 * r];
        format!(
            r#"
            dt = {dt}
            duration = 1
            gravity = [0, 0, 0]

            [contact]
            law = "facets"
            young = {young}
            poisson = 0.3
            friction = {friction}
            restitution = 1

            [[body]]
            name = "plate"
            kind = "static"
            shape = {{ box = [{}, {}, {r}] }}
            position = [0, 0, {}]

            [[body]]
            name = "ball"
            shape = {{ sphere = {r} }}
            position = {at:?}
            orientation = {{ euler_deg = [10, 50, 20] }}
            linear_velocity = {velocity:?}
            angular_velocity = {spin:?}
            "#,
            12.0 * r,
            12.0 * r,
            -0.5 * r,
        )
    }

    /// By how much the energy of the ball's flight changed and that of all, as parts of them, and how many sub-steps the stages went through by
    /// themselves of all.
    fn lost(&self, backend: Backend) -> ([f64; 2], [u64; 2]) {
        let (mut world, mut detector) = (world(&self.scene()), detector(backend));
        let energies = |world: &World| {
            let ball = &world.bodies()[1];
            [0.5 * ball.mass.mass * ball.linear_velocity.length_squared(), world.kinetic_energy()]
        };
        let before = energies(&world);
        let mut counts = [0; 2];
        for _ in 0..STEPS {
            let step = step(&mut world, &mut detector);
            counts[0] += step.facets.substeps_alone;
            counts[1] += u64::from(step.report.expect("a step").substeps);
        }
        assert!(world.bodies()[1].linear_velocity.z > 0.0, "it bounces");
        let after = energies(&world);
        ([0, 1].map(|k| after[k] / before[k] - 1.0), counts)
    }
}

const HEAD_ON: [f64; 3] = [0.0, 0.0, -0.5];

/// How a ball comes down, and how it spins.
const WAYS: [(&str, [f64; 3], [f64; 3]); 5] = [
    ("head-on", HEAD_ON, [0.0; 3]),
    ("spinning", HEAD_ON, [3.0, 10.0, -5.0]),
    ("spinning fast", HEAD_ON, [30.0, -90.0, 40.0]),
    ("slowly, spinning fast", [0.0, 0.0, -0.05], [30.0, -90.0, 40.0]),
    ("grazing", [2.0, -1.0, -0.1], [0.0; 3]),
];

/// Without friction nothing of the spin is to be had: what flies keeps its energy, and all together do.
#[test]
fn undamped_impacts_keep_their_energy_by_the_stages() {
    for (radius, young) in [(0.05, 1e6), (0.05, 1e9), (0.05, 2e10), (10.0, 1e6), (10.0, 1e9), (10.0, 2e10)] {
        for (name, velocity, spin) in WAYS {
            let impact = Impact { radius, young, velocity, spin, ..Impact::PLAIN };
            let ([flight, all], [alone, n]) = impact.lost(Backend::Rays);
            println!(
                "{radius} m, {young:e} Pa, {name}: {flight:.1e}, all {all:.1e}, {alone} of {n} sub-steps alone"
            );
            assert!(flight.abs() < 1e-4 && all.abs() < 1e-4);
        }
    }
}

/// What friction takes is the same by the stages as by the exact method.
#[test]
fn friction_takes_as_much_by_the_stages() {
    for (radius, young) in [(0.05, 1e6), (0.05, 1e9), (10.0, 1e6)] {
        for (name, velocity, spin) in WAYS {
            let impact = Impact { radius, young, velocity, spin, friction: 0.3 };
            let [([_, staged], _), ([_, exact], _)] =
                [Backend::Rays, Backend::Exact].map(|by| impact.lost(by));
            println!("{radius} m, {young:e} Pa, {name}: {staged:.6e}, exactly {exact:.6e}");
            assert!((staged - exact).abs() < 1e-4 && staged < 1e-4);
        }
    }
}
