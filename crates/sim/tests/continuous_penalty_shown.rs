//! What viewers are told of continuous penalties.
#![allow(clippy::unwrap_used)] // a test stops where its scene cannot be built

mod common;

use common::penalty::{MASS, block, settings, step};
use common::{G, fixed};
use glam::DVec3;
use tactum_geometry::Shape;
use tactum_sim::{BodyDesc, PenaltyDetail, Settings, World};

/// A cube that comes down on a floor within a step, and one that stands there in many sub-steps: the features make up what is reported.
#[test]
fn features_make_up_what_is_reported_of_a_pair() {
    for (height, speed, dt, stiffness) in [(0.101, -0.5, 4e-3, 1e4), (0.1, 0.0, 1e-2, 1e7)] {
        let settings = Settings { gravity: DVec3::Z * -G, stiffness, damping: 5.0, ..settings(dt) };
        let mut world = World::new(settings).unwrap();
        world.add_body(BodyDesc { friction: Some(0.5), ..fixed("floor", Shape::HalfSpace) }).unwrap();
        let cube = block("cube", DVec3::splat(0.2), MASS, DVec3::Z * height);
        let velocity = DVec3::new(0.2, 0.0, speed);
        world.add_body(BodyDesc { linear_velocity: velocity, friction: Some(0.5), ..cube }).unwrap();
        let report = step(&mut world);
        let features: Vec<PenaltyDetail> = world.penalties().to_vec();
        let record = &report.contacts[0];
        let [n, u, w, ..] = record.impulse;
        let whole = record.normal * n + record.axes[0] * u + record.axes[1] * w;
        let sum: DVec3 = features.iter().map(|feature| feature.impulse).sum();
        assert!((sum - whole).length() < 1e-12 * whole.length(), "{sum} of {whole}");
        assert!(features.len() >= 4 * report.substeps as usize - 4, "{} features", features.len());
        for feature in &features {
            let [from, to] = feature.interval;
            assert!((0.0..1.0).contains(&from) && from < to && to < 1.0 + 1e-12, "{from} to {to}");
            assert!(feature.normal.z.abs() == 1.0 && feature.depth > 0.0);
        }
        if speed < 0.0 {
            // It has 1 mm to fall on the predicted way, which it goes with the velocity at the step's end.
            let expected = 1e-3 / ((G * dt - speed) * dt);
            let first = features.iter().map(|feature| feature.interval[0]).fold(1.0, f64::min);
            assert!((first - expected).abs() < 1e-9, "{first} for {expected}");
        }
        let details = world.contact_details();
        assert_eq!(details.len(), report.contacts.len());
        assert!(details[0].motion.presses);
        // The patch reaches from corner to corner, about their centre, which friction moves by a part of the half height.
        let corners = details[0].patch.hull().unwrap().corners();
        let reach = corners.map(glam::DVec2::length).fold(0.0, f64::max);
        assert!((0.0..0.05).contains(&(reach - 0.1 * 2.0_f64.sqrt())), "{reach} m");
        world.set_velocity(tactum_sim::BodyId(1), DVec3::ZERO, DVec3::ZERO).unwrap();
        assert!(world.penalties().is_empty() && world.contact_details().is_empty());
    }
}
