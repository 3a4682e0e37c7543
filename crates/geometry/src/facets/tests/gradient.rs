//! Force and moment of two bodies against how the energy between them changes when they move.

use glam::{DQuat, DVec3};
use tactum_random::Rng;

use super::{hertz, rounded, touched};
use crate::Pose;
use crate::facets::{Pressure, Query, RoundedMesh, Rounding};
use crate::mesh::generate;

/// Shift and turn over which energies are compared, over the size.
const STEP: f64 = 1e-6;

/// By how much force and moment on B are off the slopes of the energy between them, over the force and over force times size.
fn off(a: &RoundedMesh, b: &RoundedMesh, at_b: &Pose, depth: f64, ask: &Query) -> [f64; 2] {
    let ask = Query { about: at_b.translation, ..*ask };
    let found = touched(a, &Pose::IDENTITY, b, at_b, depth, &ask);
    let energy = |pose: &Pose| touched(a, &Pose::IDENTITY, b, pose, depth, &ask).energy;
    let slope = |at: &dyn Fn(f64) -> Pose| (energy(&at(-STEP)) - energy(&at(STEP))) / (2.0 * STEP);
    let (place, turn) = (at_b.translation, at_b.rotation);
    let force = DVec3::AXES.map(|axis| slope(&|x| Pose::new(place + axis * x, turn)));
    let moment = DVec3::AXES.map(|axis| slope(&|x| Pose::new(place, DQuat::from_axis_angle(axis, x) * turn)));
    let size = found.force.length();
    [(found.force - DVec3::from(force)).length() / size, (found.moment - DVec3::from(moment)).length() / size]
}

/// Ellipsoids on each other, on plates and in hollows, shallow to deep, coarse and fine.
#[test]
fn what_acts_is_the_slope_of_the_energy() {
    let mut rng = Rng::new(8);
    let plate = rounded(generate::cuboid(DVec3::new(8.0, 8.0, 2.0), 12).unwrap(), &Rounding::Estimated);
    for triangles in [80, 1280] {
        let body = rounded(
            generate::ellipsoid(DVec3::new(1.0, 0.75, 0.9), triangles).unwrap(),
            &Rounding::Estimated,
        );
        for pressure in [hertz(1000.0).pressure, Pressure::Linear { stiffness: 1e4 }] {
            let ask = Query { pressure, ..hertz(1000.0) };
            for depth in [0.01, 0.05, 0.2] {
                for (other, on_plate) in [(&body, false), (&plate, true)] {
                    let mut way =
                        || DVec3::new(rng.range(-1.0, 1.0), rng.range(-1.0, 1.0), rng.range(-1.0, 1.0));
                    let turn = DQuat::from_scaled_axis(way() * 2.0);
                    let side = if on_plate { DVec3::Z } else { way().normalize() };
                    // Approached along the side until they are that deep.
                    let at = |gap: f64| Pose::new(side * gap, turn);
                    let (mut low, mut high) = (1.0, 4.0);
                    for _ in 0..50 {
                        let middle = 0.5 * (low + high);
                        let deep = touched(other, &Pose::IDENTITY, &body, &at(middle), 0.3, &ask).deepest;
                        if deep > depth { low = middle } else { high = middle }
                    }
                    let found = off(other, &body, &at(low), 0.3, &ask);
                    // What differences over the step leave, and rounding of the energy over the step.
                    assert!(
                        found.into_iter().all(|off| off < 2e-8),
                        "{triangles} {depth} {on_plate}: {found:?}"
                    );
                }
            }
        }
    }
}
