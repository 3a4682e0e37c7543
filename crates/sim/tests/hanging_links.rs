//! Links of round meshes that hang in each other stay where they hang, by steps of any length.

#![allow(clippy::unwrap_used)] // a test stops where its scene cannot be built

mod common;

use std::sync::Arc;

use common::{SMOOTH, fixed, moving, step};
use glam::{DQuat, DVec3};
use tactum_geometry::mesh::generate;
use tactum_geometry::{Pose, Shape};
use tactum_sim::{BodyDesc, BodyId, Settings, World};

/// Middle circle and tube of a link \[m\].
const RADII: [f64; 2] = [0.04, 0.01];

/// A ring that is held and three that hang in it and in each other, all just in touch; the first of them is the one held.
fn chain(dt: f64) -> (World, Vec<BodyId>) {
    let mut world = World::new(Settings { dt, ..Settings::default() }).unwrap();
    let shape = Shape::from_mesh(generate::torus(RADII[0], RADII[1], 1000).unwrap()).unwrap();
    let smooth = shape.smooth_surface(SMOOTH).map(Arc::new);
    let ids = (0..4).map(|ix: u32| {
        let across = DQuat::from_rotation_x(90_f64.to_radians());
        let turn = DQuat::from_rotation_z(90_f64.to_radians() * f64::from(ix % 2)) * across;
        let pose = Pose::new(DVec3::NEG_Z * (2.0 * (RADII[0] - RADII[1]) * f64::from(ix)), turn);
        let link = match ix {
            0 => BodyDesc { w_from_shape: pose, ..fixed("held", shape.clone()) },
            _ => moving(shape.clone(), pose, DVec3::ZERO, DVec3::ZERO),
        };
        world.add_body(BodyDesc { smooth: smooth.clone(), friction: Some(0.3), ..link }).unwrap()
    });
    let ids = ids.collect();
    (world, ids)
}

/// Each sinks into the one above until their mean depth is the one that is held: of two edges that cross, as those of the facets do here, a third
/// of how far one is in the other.
#[test]
fn a_chain_hangs_where_it_is() {
    for dt in [1e-2, 2e-3, 1e-3] {
        let (mut world, ids) = chain(dt);
        let heights = |world: &World| ids.iter().map(|id| world.body(*id).position.z).collect::<Vec<_>>();
        let held = world.settings().target_depth * world.body(ids[1]).shape.mean_side();
        let before = heights(&world);
        let n = (0.3 / dt).round() as u32;
        let mut deepest = 0.0_f64;
        for _ in 0..n {
            deepest = deepest.max(step(&mut world).deepest());
        }
        let sunk: Vec<f64> = heights(&world).iter().zip(&before).map(|(now, before)| before - now).collect();
        for pair in sunk.windows(2) {
            let in_it = pair[1] - pair[0];
            assert!((0.0..=3.1 * held).contains(&in_it), "{dt}: {sunk:?}, {held} on average");
        }
        // On average, as what bends is reported, and a little more while they come to hang: seen 1.13.
        assert!(deepest <= 1.3 * held, "{dt}: {deepest}");
    }
}
