//! The facet stages' twins, in 32 bits, against the exact method and closed forms.

use std::collections::BTreeSet;

use glam::{DQuat, DVec3};
use tactum_random::Rng;
use tactum_shaders::facets::layout::FacetRound;
use tactum_shaders::facets::{Memory, twin};

use super::super::{
    Candidates, Detail, FixedPair, Margins, PackedFacets, Placed, PlacedPair, Pressure, Query, RoundedMesh,
    Rounding, Touch, Unfit,
};
use super::{ball, hertz, on_plate, plate, query, rounded, touched};
use crate::Pose;
use crate::mesh::generate;

/// The twins' answer for one pair.
pub(super) struct Answer {
    pub touch: Result<Touch, Unfit>,
    memory: Memory,
    round: FacetRound,
}

fn margins(depth: f64, query: &Query) -> Margins {
    Margins { depth, gap: query.pressure.range(0.1), skin: 0.0 }
}

pub(super) fn by_twins(
    a: &RoundedMesh,
    at_a: &Pose,
    b: &RoundedMesh,
    at_b: &Pose,
    depth: f64,
    query: &Query,
) -> Answer {
    let mut memory = Memory::default();
    let first = [a, b].map(|mesh| memory.add_body(&PackedFacets::new(mesh).facets));
    let of = |mesh, pose, first| Placed { mesh, pose, first };
    let bodies = [of(a, at_a, first[0]), of(b, at_b, first[1])];
    let placed =
        PlacedPair::new(&bodies[0], &bodies[1], &margins(depth, query), query).expect("a law of the stages");
    memory.add_pair(placed.pair);
    let round = twin::run(&mut memory, true);
    let mut touch = placed.read(&memory.blocks[0], at_a, query);
    if let (Ok(touch), true) = (&mut touch, query.detail != Detail::Sums) {
        for ((candidate, found), polygon) in
            memory.candidates.iter().zip(&memory.touches).zip(&memory.polygons)
        {
            touch.facets.extend(placed.read_facet([a, b], candidate, (found, Some(polygon)), at_a, query));
        }
    }
    Answer { touch, memory, round }
}

/// Rounding of places over the depth, and a half more for the force: some 1e-7 of the size each, as one of many facets has it.
fn allowed(size: f64, depth: f64) -> f64 {
    2e-6 + 5e-7 * size / depth
}

/// Balls on plates and on each other, turned at random: what is not too shallow for the stages is off by a thousandth at most.
#[test]
fn what_is_deep_enough_is_answered_to_a_thousandth() {
    let mut rng = Rng::new(48);
    let (small, large, plate) = (ball(0.5, 320), ball(1.3, 1280), plate(4.0, 48));
    let (mut n_shallow, mut n_deep, mut worst) = (0, 0, [0.0_f64; 2]);
    for ix in 0..rng.cases(120) {
        let depth = rng.log_range(3e-5, 1e-3);
        let at_a = random_pose(&mut rng, DVec3::new(3.0, -1.0, 7.0));
        let (a, place, radius) = if ix % 2 == 0 {
            let on = DVec3::new(rng.range(-1.0, 1.0), rng.range(-1.0, 1.0), 0.0);
            (&plate, on_plate(0.5, depth).translation + on, 0.5)
        } else {
            let toward = random_pose(&mut rng, DVec3::ZERO).rotation * DVec3::Z;
            (&large, toward * (1.8 - depth), (0.5_f64.recip() + 1.3_f64.recip()).recip())
        };
        let at_b = random_pose(&mut rng, at_a.point(place));
        let found = by_twins(a, &at_a, &small, &at_b, 0.03, &hertz(1000.0));
        let exact = 4.0 / 3.0 * 1000.0 * radius.sqrt() * depth.powf(1.5);
        match found.touch {
            Ok(touch) => {
                let error = (touch.force.length() - exact).abs() / exact;
                n_deep += 1;
                worst = [worst[0].max(error), worst[1].max(error * depth)];
                assert!(error < 1e-3, "{error:e} at {depth:e}");
            }
            Err(Unfit::Shallow { deepest, needed }) => {
                assert!(deepest < needed);
                n_shallow += 1;
            }
            Err(other) => panic!("{other}"),
        }
    }
    println!("{n_deep} deep, {n_shallow} shallow, {:e} at worst, {:e} over the depth", worst[0], worst[1]);
    assert!(n_shallow > 10 && n_deep > 10);
}

#[test]
fn a_ball_on_a_plate_presses_as_hertz_has_it_in_32_bits() {
    let plate = plate(4.0, 12);
    let estimated = |triangles| rounded(generate::sphere(0.5, triangles).unwrap(), &Rounding::Estimated);
    let of_known_radius = [320, 1280, 5120].map(|triangles| (triangles, ball(0.5, triangles)));
    for (triangles, ball) in of_known_radius.into_iter().chain([(1280, estimated(1280))]) {
        for depth in [3e-4, 1e-3, 0.02] {
            let at = on_plate(0.5, depth);
            let ask = Query { detail: Detail::Polygons, ..hertz(1000.0) };
            let found = by_twins(&plate, &Pose::IDENTITY, &ball, &at, 0.03, &ask).touch.unwrap();
            let exact = 4.0 / 3.0 * 1000.0 * 0.5_f64.sqrt() * depth.powf(1.5);
            let error = (found.force - DVec3::Z * exact).length() / exact;
            // The integral of the force over the depth, which rounding of the depth changes by five thirds of what it does to the force.
            let energy: f64 = found.facets.iter().map(|facet| facet.touch.energy).sum();
            let off = (energy / (0.4 * exact * depth) - 1.0).abs();
            println!(
                "{triangles} facets, depth {depth}: {error:e}, energy {off:e}, {} touch",
                found.n_facets
            );
            assert!(error < allowed(1.0, depth).min(1e-3), "{error:e}");
            assert!(off < 5.0 / 3.0 * allowed(1.0, depth).min(1e-3), "{off:e}");
        }
    }
}

/// A pair that is placed for a stretch of sub-steps, on the world's axes, presses as one that is placed for a question.
#[test]
fn pairs_on_the_worlds_axes_press_as_those_on_axes_of_a_body() {
    let mut rng = Rng::new(15);
    let (small, plate) = (ball(0.5, 320), plate(4.0, 48));
    for _ in 0..rng.cases(20) {
        let depth = rng.log_range(3e-4, 1e-2);
        let at_a = random_pose(&mut rng, DVec3::new(300.0, -1.0, 7.0));
        let on = DVec3::new(rng.range(-1.0, 1.0), rng.range(-1.0, 1.0), 0.0);
        let at_b = random_pose(&mut rng, at_a.point(on_plate(0.5, depth).translation + on));
        let ask = hertz(1000.0);
        let exact = touched(&plate, &at_a, &small, &at_b, 0.03, &ask);
        let mut memory = Memory::default();
        let first = [&plate, &small].map(|mesh| memory.add_body(&PackedFacets::new(mesh).facets));
        let a = Placed { mesh: &plate, pose: &at_a, first: first[0] };
        let b = Placed { mesh: &small, pose: &at_b, first: first[1] };
        let fixed =
            FixedPair::new(&a, &b, &margins(0.03, &ask), &ask.pressure, true).expect("a law of the stages");
        memory.add_pair(fixed.pair);
        twin::run(&mut memory, false);
        let block = memory.blocks[0];
        let force = DVec3::from(block.force.map(f64::from));
        let moment = DVec3::from(block.moment.map(f64::from)) + (fixed.middle - ask.about).cross(force);
        let (allowed, size) = (allowed(fixed.size, depth), exact.force.length());
        assert!((force - exact.force).length() < allowed * size);
        // The world's origin is 300 m away.
        assert!((moment - exact.moment).length() < 300.0 * allowed * size);
    }
    let maugis = Pressure::MaugisDugdale { modulus: 1e4, work: 0.2, stress: 1e3 };
    let a = Placed { mesh: &plate, pose: &Pose::IDENTITY, first: 0 };
    let refused = FixedPair::new(&a, &a, &margins(0.03, &hertz(1.0)), &maugis, true);
    assert_eq!(refused, Err(Unfit::Law));
}

/// Every law, about a point off the contact; area, grip, polygons and all.
#[test]
fn touches_are_those_of_the_exact_method() {
    let (ball, plate) = (ball(0.5, 1280), plate(4.0, 48));
    for (law, overlap) in [
        (Pressure::Linear { stiffness: 1e5 }, 0.01),
        (Pressure::Hertz { modulus: 1e4 }, 0.01),
        (Pressure::Jkr { modulus: 1e4, work: 0.2 }, 0.01),
        (Pressure::Jkr { modulus: 1e4, work: 0.2 }, -5e-4),
    ] {
        let ask = Query { about: DVec3::new(0.3, -0.2, 0.7), detail: Detail::Polygons, ..query(law) };
        let at = on_plate(0.5, overlap);
        let exact = touched(&plate, &Pose::IDENTITY, &ball, &at, 0.02, &ask);
        let found = by_twins(&plate, &Pose::IDENTITY, &ball, &at, 0.02, &ask).touch.unwrap();
        let size = law.profile(0.01, 2.0, true).unwrap().force().abs();
        let allowed = allowed(1.0, overlap.abs());
        println!("{law:?}: {:e}", (found.force - exact.force).length() / size);
        assert!((found.force - exact.force).length() < allowed * size);
        assert!((found.moment - exact.moment).length() < allowed * size);
        assert!((found.area / exact.area - 1.0).abs() < allowed);
        assert!((found.deepest - exact.deepest).abs() < 1e-6);
        assert_eq!(found.doubts, exact.doubts);
        let grip = |touch: &Touch| touch.facets.iter().map(|facet| facet.touch.grip).sum::<f64>();
        assert!((grip(&found) / grip(&exact) - 1.0).abs() < allowed);
        let mut n_same = 0;
        for facet in &exact.facets {
            // Slivers may be there for one method only.
            let Some(other) = found.facets.iter().find(|other| other.facets == facet.facets) else {
                continue;
            };
            n_same += 1;
            let (one, other) = (&facet.touch, &other.touch);
            assert!((one.plane.center - other.plane.center).length() < 1e-6);
            assert!((one.nearest - other.nearest).length() < 1e-5, "{} {}", one.nearest, other.nearest);
            assert!((one.force - other.force).abs() < allowed * size);
            assert!((one.push - other.push).length() < allowed * size);
            assert!((one.moment - other.moment).length() < allowed * size * one.profile.reach);
            assert!((one.profile.contact - other.profile.contact).abs() < allowed * one.profile.contact);
        }
        assert!(n_same * 10 > exact.facets.len() * 9, "{n_same} of {}", exact.facets.len());
    }
}

fn random_pose(rng: &mut Rng, at: DVec3) -> Pose {
    let mut x = || rng.range(-1.0, 1.0);
    Pose::new(at, DQuat::from_xyzw(x(), x(), x(), x() + 1.5))
}

/// Ellipsoids at random, far from the world's origin: whatever touches is among the candidates, and both orders of the bodies agree.
#[test]
fn candidates_hold_all_that_touches_and_bodies_may_be_swapped() {
    let mut rng = Rng::new(47);
    let mut n_touching = 0;
    // Deeper than two that are at most 1.2 large can be in each other at 1.85: what is deeper than it is asked to is looked for by the list alone,
    // the stages have what they are asked.
    let depth = 0.6;
    for _ in 0..rng.cases(10) {
        let mut body = |n| {
            let axes = DVec3::new(rng.range(0.8, 1.2), rng.range(0.8, 1.2), rng.range(0.8, 1.2));
            rounded(generate::ellipsoid(axes, n).unwrap(), &Rounding::Estimated)
        };
        let (a, b) = (body(320), body(720));
        let far = DVec3::new(1e4, -3e4, 2e4);
        let toward = DVec3::new(rng.range(-1.0, 1.0), rng.range(-1.0, 1.0), rng.range(-1.0, 1.0)).normalize();
        let (at_a, at_b) = (random_pose(&mut rng, far), random_pose(&mut rng, far + toward * 1.85));
        let ask = Query { about: at_a.translation, detail: Detail::Polygons, ..hertz(1e5) };
        let exact = touched(&a, &at_a, &b, &at_b, depth, &ask);
        let one = by_twins(&a, &at_a, &b, &at_b, depth, &ask);
        let list: BTreeSet<[u32; 2]> = one.memory.candidates.iter().map(|c| [c.a, c.b]).collect();
        assert_eq!(list.len(), one.round.cap as usize);
        assert!(exact.facets.iter().all(|facet| list.contains(&facet.facets)));
        let known = Candidates::find(&a, &at_a, &b, &at_b, margins(depth, &ask));
        assert!(known.pairs().iter().all(|pair| list.contains(&pair.facets)));
        let one = one.touch.unwrap();
        let scale = exact.force.length().max(1.0);
        // Depths are some hundredths of the size.
        assert!((one.force - exact.force).length() < 1e-4 * scale, "{} {}", one.force, exact.force);
        let back = by_twins(&b, &at_b, &a, &at_a, depth, &ask).touch.unwrap();
        assert!((one.force + back.force).length() < 1e-4 * scale);
        assert!((one.moment + back.moment).length() < 1e-4 * scale);
        n_touching += usize::from(exact.n_facets > 0);
    }
    assert!(n_touching > 3, "{n_touching}");
}

/// A ball in a hollow that is not wider, plates in each other, Maugis' law, and numbers that are none.
#[test]
fn what_the_stages_cannot_say_is_left_to_the_processor() {
    let (box_a, box_b) = (plate(1.0, 12), plate(1.0, 12));
    let at = Pose::from_translation(DVec3::Z * 0.99);
    let exact = touched(&box_a, &Pose::IDENTITY, &box_b, &at, 0.03, &hertz(1e3));
    assert!(exact.doubts.two_flats.n > 0);
    let found = by_twins(&box_a, &Pose::IDENTITY, &box_b, &at, 0.03, &hertz(1e3)).touch;
    assert!(matches!(found, Err(Unfit::Refused { n }) if n > 0), "{found:?}");
    // Those that face each other and are apart, by more than their places are rounded by, are nobody's.
    for (gap, is_refused) in [(1e-2, false), (1e-4, false), (0.0, true)] {
        let at = Pose::new(DVec3::Z * (1.0 + gap), DQuat::from_rotation_z(0.3));
        let found = by_twins(&box_a, &Pose::IDENTITY, &box_b, &at, 0.03, &hertz(1e3)).touch;
        assert_eq!(matches!(found, Err(Unfit::Refused { .. })), is_refused, "{gap}: {found:?}");
        assert!(is_refused || found.unwrap() == Touch::default());
    }
    // A ball in a hollow that is wider by so little that 32 bits do not know the difference of their curvatures to a thousandth.
    let shell = |inner: f64| {
        let bowl = generate::bowl(inner, 1.3, 4000).unwrap();
        let curvature = |t: &[u32; 3]| {
            let inside = t.iter().all(|v| (bowl.vertices[*v as usize].length() - inner).abs() < 1e-9);
            Some(if inside { -inner.recip() } else { 0.0 })
        };
        let list = bowl.triangles.iter().map(curvature).collect();
        rounded(bowl, &Rounding::Triangles(list))
    };
    let ball = ball(1.0, 1280);
    let at = Pose::from_translation(DVec3::Z * -1e-2);
    for (wider, is_refused) in [(1e-5, true), (1e-3, false)] {
        let bowl = shell(1.0 + wider);
        let exact = touched(&bowl, &Pose::IDENTITY, &ball, &at, 0.03, &hertz(1e3));
        assert!(exact.force.length() > 0.0, "{wider}");
        let found = by_twins(&bowl, &Pose::IDENTITY, &ball, &at, 0.03, &hertz(1e3)).touch;
        assert_eq!(matches!(found, Err(Unfit::Refused { .. })), is_refused, "{wider}: {found:?}");
    }
    // By rounding alone it is not wider.
    let bowl = shell(1.0 + 1e-14);
    let exact = touched(&bowl, &Pose::IDENTITY, &ball, &at, 0.03, &hertz(1e3));
    assert!(exact.doubts.tight_sockets.n > 0, "{exact:?}");
    let place = |pose: &Pose, pressure: Pressure| {
        let of = |mesh, pose| Placed { mesh, pose, first: 0 };
        let ask = query(pressure);
        PlacedPair::new(&of(&box_a, &Pose::IDENTITY), &of(&box_b, pose), &margins(0.03, &ask), &ask)
            .map(|_| ())
    };
    let maugis = Pressure::MaugisDugdale { modulus: 1e4, work: 0.2, stress: 200.0 };
    assert_eq!(place(&at, maugis), Err(Unfit::Law));
    let law = Pressure::Hertz { modulus: 1e3 };
    assert_eq!(place(&at, law), Ok(()));
    assert_eq!(place(&Pose::from_translation(DVec3::NAN), law), Err(Unfit::Range));
    assert_eq!(place(&at, Pressure::Hertz { modulus: 1e300 }), Err(Unfit::Range));
    assert!(matches!(place(&at, Pressure::Hertz { modulus: -1.0 }), Err(Unfit::Pressure(_))));
}
