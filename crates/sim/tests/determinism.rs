//! The same results again, on any number of threads and after a restart.

#![allow(clippy::unwrap_used)] // a test stops where its scene cannot be built

mod common;

use common::{ask, ball, cuboid, step, steps, with_settings, world_with_floor};
use glam::{DQuat, DVec3};
use tactum_geometry::Pose;
use tactum_geometry::overlap::overlap;
use tactum_sim::BodyId;
use tactum_sim::{BodyDesc, Settings, World};

/// Many small heaps of boxes and balls, falling: enough islands and contacts for the parallel paths.
fn heaps() -> World {
    let mut world = world_with_floor(Settings { max_sweeps: 30, ..Settings::default() }, 0.4);
    for heap in 0..40 {
        let at = DVec3::new(f64::from(heap % 8), f64::from(heap / 8), 0.0);
        for level in 0..4 {
            let turn = DQuat::from_euler(
                glam::EulerRot::XYZ,
                0.3 * f64::from(heap + level),
                0.2 * f64::from(level),
                0.1 * f64::from(heap),
            );
            let position = at
                + DVec3::new(0.03 * f64::from(level % 2), 0.02 * f64::from(heap % 3), 0.2)
                + DVec3::Z * (0.25 * f64::from(level));
            let desc = if level == 2 {
                ball("ball", 0.1, 1.0, position)
            } else {
                cuboid("box", DVec3::new(0.2, 0.15, 0.18), 1.0, DVec3::ZERO)
            };
            world.add_body(BodyDesc { w_from_shape: Pose::new(position, turn), ..desc }).unwrap();
        }
    }
    world
}

/// One pile of boxes side by side and above each other: an island that is solved on several threads.
fn pile() -> World {
    let mut world = world_with_floor(Settings { max_sweeps: 10, ..Settings::default() }, 0.4);
    for ix in 0..120 {
        let (i, j, k) = (ix % 6, ix / 6 % 5, ix / 30);
        let askew = DQuat::from_rotation_z(0.01 * f64::from(ix % 7));
        let position = DVec3::new(0.199 * f64::from(i), 0.199 * f64::from(j), 0.1 + 0.199 * f64::from(k));
        let desc = cuboid("box", DVec3::splat(0.2), 1.0, DVec3::ZERO);
        world.add_body(BodyDesc { w_from_shape: Pose::new(position, askew), ..desc }).unwrap();
    }
    world
}

/// The world after so many steps, and the contacts of its largest island.
fn run(start: &World, n_threads: usize, n_steps: usize) -> (World, u32) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
    pool.install(|| {
        let mut world = start.clone();
        let mut most = 0;
        for _ in 0..n_steps {
            let report = step(&mut world);
            most = report.islands.iter().map(|island| island.n_contacts).fold(most, u32::max);
        }
        (world, most)
    })
}

#[test]
fn one_and_several_threads_agree_bit_for_bit() {
    for (start, n_steps, least) in [(heaps(), 80, 3), (pile(), 20, 200)] {
        let (one, n_contacts) = run(&start, 1, n_steps);
        assert!(n_contacts >= least, "{n_contacts} contacts are too few for the parallel paths");
        for n_threads in [1, 2, 3] {
            let (other, _) = run(&start, n_threads, n_steps);
            assert_eq!(other.state_hash(), one.state_hash(), "{n_threads} threads");
            assert_eq!(other.snapshot(), one.snapshot());
        }
    }
}

#[test]
fn a_snapshot_repeats_the_steps_after_it() {
    let mut world = heaps();
    steps(&mut world, 40);
    let snapshot = world.snapshot();
    let mut restarted = with_settings(&world, *world.settings());
    assert_eq!(restarted.state_hash(), world.state_hash());
    steps(&mut world, 20);
    steps(&mut restarted, 20);
    assert_eq!(restarted.state_hash(), world.state_hash());
    let after = world.state_hash();
    world.restore(&snapshot).unwrap();
    assert_ne!(world.state_hash(), after);
    steps(&mut world, 20);
    assert_eq!(world.state_hash(), after);
}

/// The hash covers every number of the state.
#[test]
fn the_hash_sees_a_change_in_the_last_bit() {
    let mut world = heaps();
    steps(&mut world, 30);
    let hash = world.state_hash();
    let snapshot = world.snapshot();
    let next_up = |x: &mut f64| *x = x.next_up();
    type Change<'a> = &'a dyn Fn(&mut tactum_sim::Snapshot);
    let changes: [Change<'_>; 6] = [
        &|s| next_up(&mut s.bodies[7].position.x),
        &|s| next_up(&mut s.bodies[9].orientation.w),
        &|s| next_up(&mut s.bodies[100].angular_velocity.z),
        &|s| next_up(&mut s.memory.contacts[3].torque.y),
        &|s| next_up(&mut s.memory.contacts[0].places[1].z),
        &|s| s.step_count += 1,
    ];
    for (i, change) in changes.iter().enumerate() {
        let mut changed = snapshot.clone();
        change(&mut changed);
        world.restore(&changed).unwrap();
        assert_ne!(world.state_hash(), hash, "change {i}");
    }
}

/// Pairs come sorted, without repetition, and hold all that a test of all against all finds.
#[test]
fn the_broad_phase_finds_all_pairs_in_order() {
    for n in [5, 50, 400] {
        let mut world = world_with_floor(Settings::default(), 0.5);
        for i in 0..n {
            // A low-discrepancy cloud with about three neighbours each.
            let part = |p: f64| (f64::from(i) * p).fract();
            let position =
                DVec3::new(part(0.754_877), part(0.569_840), part(0.430_160)) * f64::from(n).cbrt();
            let turn = DQuat::from_rotation_x(f64::from(i));
            let desc = cuboid("box", DVec3::new(0.9, 0.5, 0.7), 1.0, DVec3::ZERO);
            let desc = BodyDesc {
                w_from_shape: Pose::new(position, turn),
                groups: 1 + u32::from(i % 7 == 0),
                mask: if i % 11 == 0 { 1 } else { 3 },
                ..desc
            };
            world.add_body(desc).unwrap();
        }
        let asked = ask(&mut world).overlaps;
        let keys = asked.iter().map(|question| (question.bodies, question.is_ahead));
        assert!(keys.is_sorted_by(|a, b| a < b), "sorted, each pair once as it is and once ahead at most");
        let here = asked.iter().filter(|question| !question.is_ahead);
        let found: Vec<[BodyId; 2]> = here.map(|question| question.bodies).collect();
        // Every pair that truly overlaps is there.
        let (mut n_pairs, mut n_overlaps) = (0, 0);
        for (b, of_b) in (0..).zip(world.bodies()) {
            for (a, of_a) in (0..b).zip(world.bodies()) {
                let pair = [BodyId(a), BodyId(b)];
                let measured = overlap(&of_a.shape, &of_a.w_from_shape(), &of_b.shape, &of_b.w_from_shape());
                let allowed = of_a.groups & of_b.mask != 0 && of_b.groups & of_a.mask != 0;
                n_pairs += 1;
                if allowed && measured.volume > 0.0 {
                    n_overlaps += 1;
                    assert!(found.binary_search(&pair).is_ok(), "{n} bodies: misses {pair:?}");
                }
                assert!(allowed || found.binary_search(&pair).is_err());
            }
        }
        assert!(n_overlaps > 0 && found.len() < n_pairs);
    }
}

/// The flat arrays hold what the bodies say, body by body, and nothing of what they held before.
#[test]
fn flat_arrays_hold_the_state_of_every_body() {
    let mut world = world_with_floor(Settings::default(), 0.5);
    let turn = DQuat::from_rotation_x(0.3);
    let desc = BodyDesc {
        w_from_shape: Pose::new(DVec3::new(1.0, 2.0, 3.0), turn),
        linear_velocity: DVec3::new(4.0, 5.0, 6.0),
        angular_velocity: DVec3::new(7.0, 8.0, 9.0),
        ..cuboid("box", DVec3::new(0.9, 0.5, 0.7), 1.0, DVec3::ZERO)
    };
    world.add_body(desc).unwrap();
    let mut arrays = tactum_sim::StateArrays { positions: vec![1.0; 100], ..Default::default() };
    world.read_state(&mut arrays);
    assert_eq!(arrays.positions, [0.0, 0.0, 0.0, 1.0, 2.0, 3.0]);
    assert_eq!(arrays.orientations[4..], turn.to_array());
    assert_eq!(arrays.linear_velocities[3..], [4.0, 5.0, 6.0]);
    assert_eq!(arrays.angular_velocities[3..], [7.0, 8.0, 9.0]);
}
