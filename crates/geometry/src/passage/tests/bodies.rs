//! Passages of whole bodies: what comes in goes out, sheets have two sides, nothing gets through.

use std::sync::Arc;

use glam::{DQuat, DVec3};
use tactum_random::Rng;

use super::super::{Matter, Motion, Passage, Surface, Tracks, Wanted, passage};
use super::vector;
use crate::mesh::generate;
use crate::{Pose, TriangleMesh};

fn matter(mesh: &TriangleMesh) -> Matter {
    Matter::Surface(Arc::new(Surface::new(mesh).unwrap()))
}

fn cube(side: f64) -> Matter {
    matter(&generate::cuboid(DVec3::splat(side), 12).unwrap())
}

fn fall(from: DVec3, to: DVec3) -> Motion {
    Motion { start: Pose::from_translation(from), end: Pose::from_translation(to) }
}

const STILL: Motion = Motion { start: Pose::IDENTITY, end: Pose::IDENTITY };

/// A square sheet of so many squares a side in the plane z = 0.
fn sheet(side: f64, n: usize) -> TriangleMesh {
    let at = |i: usize| side * (i as f64 / n as f64 - 0.5);
    let vertices = (0..=n).flat_map(|j| (0..=n).map(move |i| DVec3::new(at(i), at(j), 0.0))).collect();
    let ix = |i: usize, j: usize| (j * (n + 1) + i) as u32;
    let squares = (0..n).flat_map(|j| (0..n).map(move |i| (i, j)));
    let triangles = squares.flat_map(|(i, j)| {
        let [a, b, c, d] = [ix(i, j), ix(i + 1, j), ix(i + 1, j + 1), ix(i, j + 1)];
        [[a, b, c], [a, c, d]]
    });
    TriangleMesh { vertices, triangles: triangles.collect() }
}

fn push(found: &Passage) -> DVec3 {
    found.presses.iter().map(|press| press.push).sum()
}

/// What a passage leaves behind is what the next one starts from.
fn go(pair: [&Matter; 2], motion: &Motion, tracks: &Tracks) -> Passage {
    passage(pair, [&STILL, motion], Some(tracks), Wanted::Penalty)
}

#[test]
fn a_cube_that_falls_on_a_cube_is_held_at_its_corners() {
    let (below, above) = (cube(1.0), cube(0.5));
    let found = go([&below, &above], &fall(DVec3::Z * 0.76, DVec3::Z * 0.74), &Tracks::default());
    // Four corners, 1 cm at the end, since half of the motion: (0.5²/2) 0.02 each.
    assert!((push(&found) - DVec3::Z * 4.0 * 0.125 * 0.02).length() < 1e-15, "{}", push(&found));
    assert!((found.first.unwrap() - 0.5).abs() < 1e-14);
    assert_eq!(found.tracks.vertices.len(), 4);
    assert!(found.presses.iter().all(|press| (press.normal - DVec3::Z).length() < 1e-14));
    // It stays there for a while, and leaves.
    let rest = go([&below, &above], &fall(DVec3::Z * 0.74, DVec3::Z * 0.74), &found.tracks);
    assert!((push(&rest) - DVec3::Z * 4.0 * 0.01).length() < 1e-15);
    let back = go([&below, &above], &fall(DVec3::Z * 0.74, DVec3::Z * 0.8), &rest.tracks);
    assert!(back.tracks.is_empty(), "{:?}", back.tracks);
}

/// Of what is asked of A and B and of B and A one is the negative of the other.
#[test]
fn both_orders_push_alike() {
    let (a, b) = (cube(1.0), matter(&generate::sphere(0.5, 320).unwrap()));
    let tilted = Pose::new(DVec3::new(0.3, 0.2, 1.01), DQuat::from_euler(glam::EulerRot::XYZ, 0.3, 0.2, 0.1));
    let motion = Motion { start: tilted, end: Pose { translation: DVec3::new(0.32, 0.2, 0.95), ..tilted } };
    let one = passage([&a, &b], [&STILL, &motion], Some(&Tracks::default()), Wanted::Penalty);
    let other = passage([&b, &a], [&motion, &STILL], Some(&Tracks::default()), Wanted::Penalty);
    assert!(push(&one).z > 0.0);
    assert!(
        (push(&one) + push(&other)).length() < 1e-13 * push(&one).length(),
        "{} {}",
        push(&one),
        push(&other)
    );
    assert_eq!(one.tracks.len(), other.tracks.len());
}

/// Two bars across each other touch with their edges only: turned about their own axes, no corner is near.
#[test]
fn crossed_bars_are_held_by_their_edges() {
    let bar = matter(&generate::cuboid(DVec3::new(2.0, 0.2, 0.2), 12).unwrap());
    let quarter = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_4);
    let across = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2) * quarter;
    let lower = Motion::at_rest(Pose::new(DVec3::ZERO, quarter));
    let reach = 0.2 * 2.0_f64.sqrt();
    let at = |z: f64| Pose::new(DVec3::Z * (reach + z), across);
    let motion = Motion { start: at(0.01), end: at(-0.01) };
    let found = passage([&bar, &bar], [&lower, &motion], Some(&Tracks::default()), Wanted::Penalty);
    assert!((push(&found) - DVec3::Z * 0.125 * 0.02).length() < 1e-14, "{}", push(&found));
    assert_eq!((found.tracks.vertices.len(), found.tracks.edges.len()), (0, 1));
    let after = Motion { start: at(-0.01), end: at(0.01) };
    let back = passage([&bar, &bar], [&lower, &after], Some(&found.tracks), Wanted::Penalty);
    assert!(back.tracks.is_empty() && (push(&back) - push(&found)).length() < 1e-14);
}

/// A vertex that has come through a sheet is pushed back to the side it came from, whichever that is, for as long as it is over it.
#[test]
fn a_sheet_pushes_back_to_where_one_came_from() {
    let (plate, ball) = (matter(&sheet(2.0, 4)), matter(&generate::sphere(0.1, 80).unwrap()));
    for side in [1.0, -1.0] {
        let through = fall(DVec3::Z * 0.3 * side, DVec3::Z * -0.5 * side);
        let found = go([&plate, &ball], &through, &Tracks::default());
        assert!(push(&found).z * side > 0.1, "{}", push(&found));
        let further =
            go([&plate, &ball], &fall(through.end.translation, DVec3::Z * -0.7 * side), &found.tracks);
        assert!(push(&further).z * side > push(&found).z * side, "deeper for longer");
        assert_eq!(further.tracks.vertices.len(), found.tracks.vertices.len());
        let back = go([&plate, &ball], &fall(DVec3::Z * -0.7 * side, DVec3::Z * 0.3 * side), &further.tracks);
        assert!(back.tracks.is_empty(), "{:?}", back.tracks);
        // Past the rim it is free.
        let aside = go(
            [&plate, &ball],
            &fall(DVec3::Z * -0.7 * side, DVec3::X * 5.0 - DVec3::Z * 0.7 * side),
            &further.tracks,
        );
        assert!(aside.tracks.is_empty(), "{:?}", aside.tracks);
    }
}

/// Nothing gets through a thin plate, however fast: small bodies shot at it from any side, at up to a hundred of its thicknesses a step.
#[test]
fn no_shot_passes_a_thin_plate() {
    let thickness = 0.01;
    let plate = matter(&generate::cuboid(DVec3::new(4.0, 4.0, thickness), 12).unwrap());
    let shots = [
        matter(&generate::sphere(0.01, 20).unwrap()),
        cube(0.01),
        matter(&generate::cuboid(DVec3::new(0.05, 0.004, 0.004), 12).unwrap()),
    ];
    let mut rng = Rng::new(8);
    for i in 0..rng.cases(2000) {
        let shot = &shots[i % shots.len()];
        let from = DVec3::new(rng.range(-1.0, 1.0), rng.range(-1.0, 1.0), rng.range(0.05, 0.5));
        let way = DVec3::new(rng.range(-0.5, 0.5), rng.range(-0.5, 0.5), -rng.range(0.6, 1.0));
        let turns = [vector(&mut rng), vector(&mut rng)].map(|v| DQuat::from_scaled_axis(3.0 * v));
        let motion = Motion { start: Pose::new(from, turns[0]), end: Pose::new(from + way, turns[1]) };
        let found = go([&plate, shot], &motion, &Tracks::default());
        let n_vertices = match shot {
            Matter::Surface(surface) => surface.vertices().len(),
            Matter::HalfSpace => 0,
        };
        let held = found.tracks.vertices.iter().filter(|track| track.of_b).count();
        if motion.end.translation.z < -0.1 {
            assert_eq!(held, n_vertices, "all of it has come in from above and is held there");
            assert!(push(&found).z > 0.0);
        }
    }
}

/// A vertex that slides about in a body of many facets is held by one face at a time, and let go where it comes out.
#[test]
fn what_wanders_in_a_ball_is_held_as_long_as_it_is_inside() {
    let ball = matter(&generate::sphere(1.0, 320).unwrap());
    let Matter::Surface(surface) = &ball else { return };
    // A grain of which one corner is followed.
    let grain = matter(&generate::cuboid(DVec3::splat(1e-3), 12).unwrap());
    let mut rng = Rng::new(9);
    let mut n_inside = 0;
    for _ in 0..rng.cases(300) {
        let mut at = vector(&mut rng).normalize() * 1.1;
        let mut tracks = Tracks::default();
        for _ in 0..20 {
            let to = vector(&mut rng).normalize() * rng.range(0.8, 1.1);
            let to = at + 0.2 * (to - at);
            let found = go([&ball, &grain], &fall(at, to), &tracks);
            tracks = found.tracks;
            at = to;
            let Matter::Surface(small) = &grain else { return };
            for (ix, vertex) in (0..).zip(small.vertices()) {
                let is_held = tracks.vertices.iter().any(|track| track.of_b && track.vertex == ix);
                let is_inside = surface.holds(at + *vertex);
                assert_eq!(is_held, is_inside, "vertex {ix} at {}", at + *vertex);
                n_inside += usize::from(is_inside);
            }
        }
    }
    assert!(n_inside > 1000, "{n_inside}");
}

/// What overlaps to begin with is found, and held by the nearest face.
#[test]
fn what_starts_inside_is_held() {
    let (below, above) = (cube(1.0), cube(0.5));
    let motion = Motion::at_rest(Pose::from_translation(DVec3::Z * 0.74));
    let found = passage([&below, &above], [&STILL, &motion], None, Wanted::Penalty);
    assert!((push(&found) - DVec3::Z * 4.0 * 0.01).length() < 1e-14, "{}", push(&found));
    let instant = passage([&below, &above], [&STILL, &motion], None, Wanted::Instant);
    assert!((push(&instant) - push(&found)).length() < 1e-14);
}

/// The straight paths leave a true rotation by the height of its arc at most.
#[test]
fn arcs_are_as_high_as_they_are_said_to_be() {
    let mut rng = Rng::new(10);
    for _ in 0..rng.cases(200) {
        let axis = vector(&mut rng);
        let motion =
            Motion { start: Pose::IDENTITY, end: Pose::new(DVec3::ZERO, DQuat::from_scaled_axis(axis)) };
        let x = vector(&mut rng);
        let bound = motion.arc(x.length()) + 1e-15;
        for i in 0..=20 {
            let t = f64::from(i) / 20.0;
            let chord = x.lerp(motion.end.point(x), t);
            let arc = DQuat::from_scaled_axis(axis * t) * x;
            // Along the chord the two run at other speeds; across it the arc leaves it.
            let along = (motion.end.point(x) - x).normalize_or_zero();
            let gap = (arc - chord).reject_from_normalized(along);
            let gap = if along == DVec3::ZERO { arc.distance(chord) } else { gap.length() };
            assert!(gap <= bound, "{gap} m, not {bound} m");
        }
    }
}
