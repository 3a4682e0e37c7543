//! Sides that are flush: who holds a corner that goes over a border, and with how many springs.

use std::sync::Arc;

use glam::{DQuat, DVec3};

use super::super::{Matter, Motion, Passage, Surface, Tracks, Wanted, passage};
use crate::Pose;
use crate::mesh::generate;

/// Side of the cubes, and how deep the one is in the other \[m\].
const SIDE: f64 = 0.2;
const DEPTH: f64 = 3e-4;

/// What all corners press at a place beside, in depths of a corner.
fn pressing(found: &Passage) -> f64 {
    found.presses.iter().map(|press| press.push.z).sum::<f64>() / DEPTH
}

/// A cube on another one, shifted along x, so that two sides are flush but for `aside`, and rolled about x.
fn place(aside: f64, roll: f64) -> Pose {
    Pose::new(DVec3::new(0.05, aside, SIDE - DEPTH), DQuat::from_rotation_x(roll))
}

/// Led slowly across the place at which the sides are flush, to and fro, upright and leaning, it is pressed by four springs all the way: while corners are
/// in faces, while edges are across borders, and in between, where neither are by the depth times the angle.
#[test]
fn four_springs_press_across_a_flush_side() {
    let cube =
        Matter::Surface(Arc::new(Surface::new(&generate::cuboid(DVec3::splat(SIDE), 12).unwrap()).unwrap()));
    let still = Motion::at_rest(Pose::IDENTITY);
    for roll in [0.0, 1e-4, -1e-4, 1e-3, -1e-3] {
        for width in [1e-9, 1e-7, 1e-5] {
            let ways = (-50..50).chain((-50..=50).rev()).map(|i| width * f64::from(i) / 50.0);
            let mut at = place(-width, roll);
            let above = Pose { translation: at.translation + DVec3::Z * 1e-3, ..at };
            let down = Motion { start: above, end: at };
            let mut tracks =
                passage([&cube, &cube], [&still, &down], Some(&Tracks::default()), Wanted::Tracks).tracks;
            for aside in ways {
                let motion = Motion { start: at, end: place(aside, roll) };
                let found = passage([&cube, &cube], [&still, &motion], Some(&tracks), Wanted::Penalty);
                let springs = pressing(&found);
                // The step in which one takes over from another may count a part of both, or of none.
                assert!((springs - 4.0).abs() < 0.3, "{springs} springs at {aside} m, rolled by {roll}");
                (tracks, at) = (found.tracks, motion.end);
            }
        }
    }
}
