//! Impacts of undamped balls by the stages of facets: what they keep of their energy.

mod worlds;

use tactum::backend::Backend;
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

    /// By how much the energy changed, as a part of it, and how many sub-steps the stages went through by themselves of all.
    fn lost(&self, backend: Backend) -> (f64, [u64; 2]) {
        let (mut world, mut detector) = (world(&self.scene()), detector(backend));
        let before = world.kinetic_energy();
        let mut counts = [0; 2];
        for _ in 0..STEPS {
            let step = step(&mut world, &mut detector);
            counts[0] += step.facets.substeps_alone;
            counts[1] += u64::from(step.report.expect("a step").substeps);
        }
        let after = world.kinetic_energy();
        assert!(world.bodies()[1].linear_velocity.z > 0.0, "it bounces");
        (after / before - 1.0, counts)
    }
}

#[test]
fn undamped_impacts_keep_their_energy_by_the_stages() {
    for radius in [0.05, 10.0] {
        for young in [1e6, 1e9, 2e11] {
            for (name, velocity, spin) in [
                ("head-on", [0.0, 0.0, -0.5], [0.0; 3]),
                ("spinning", [0.0, 0.0, -0.5], [3.0, 10.0, -5.0]),
                ("spinning fast", [0.0, 0.0, -0.5], [30.0, -90.0, 40.0]),
                ("slow and spinning", [0.0, 0.0, -0.02], [30.0, -90.0, 40.0]),
                ("grazing", [2.0, -1.0, -0.1], [0.0; 3]),
            ] {
                let impact = Impact { radius, young, velocity, spin, ..Impact::PLAIN };
                let (lost, [alone, all]) = impact.lost(Backend::Rays);
                let (exact, _) = impact.lost(Backend::Exact);
                println!(
                    "{radius} m, {young:e} Pa, {name}: {lost:.1e} ({exact:.1e} exactly), {alone} of {all} sub-steps alone"
                );
                assert!(lost.abs() < 1e-4);
            }
        }
    }
}
