//! Candidates: nothing that touches is missing.

use glam::{DQuat, DVec3};
use tactum_random::Rng;

use super::super::{Candidates, Margins, Pressure, Query, RoundedMesh, Rounding, touch, touch_caps};
use super::{ball, hertz, plate, rounded};
use crate::Pose;
use crate::mesh::generate;

/// Every pair of facets, whether a candidate or not.
fn all_touching(a: &RoundedMesh, at_a: &Pose, b: &RoundedMesh, at_b: &Pose, law: &Pressure) -> Vec<[u32; 2]> {
    let a_from_b = at_a.relative(at_b);
    let mut found = Vec::new();
    for i in 0..a.n_facets() as u32 {
        for j in 0..b.n_facets() as u32 {
            let (cap_a, cap_b) = (a.cap(i).unwrap(), b.cap(j).unwrap().moved(&a_from_b));
            if let Ok(Some(_)) = touch_caps(cap_a, &cap_b, law, true) {
                found.push([i, j]);
            }
        }
    }
    found
}

fn body(rng: &mut Rng) -> RoundedMesh {
    let estimated = Rounding::Estimated;
    match rng.below(5) {
        0 => ball(1.0, 320),
        1 => rounded(generate::ellipsoid(DVec3::new(1.2, 1.0, 0.8), 320).unwrap(), &estimated),
        2 => plate(2.0, 108),
        3 => rounded(generate::torus(1.0, 0.4, 600).unwrap(), &estimated),
        _ => rounded(generate::cylinder(0.8, 1.2, 400).unwrap(), &estimated),
    }
}

fn turn(rng: &mut Rng) -> DQuat {
    let mut x = || rng.range(-1.0, 1.0);
    DQuat::from_xyzw(x(), x(), x(), x() + 1e-3).normalize()
}

fn direction(rng: &mut Rng) -> DVec3 {
    DVec3::new(rng.range(-1.0, 1.0), rng.range(-1.0, 1.0), rng.range(-1.0, 1.0)).normalize_or(DVec3::X)
}

#[test]
fn a_kept_list_holds_every_pair_that_touches() {
    let mut rng = Rng::new(41);
    let (mut n_touching, mut n_kept, mut n_awake, mut n_listed) = (0, 0, 0, 0);
    for case in 0..rng.cases(60) {
        let (a, b) = (body(&mut rng), body(&mut rng));
        let law = if case % 2 == 0 {
            Pressure::Hertz { modulus: 1000.0 }
        } else {
            Pressure::Jkr { modulus: 1e4, work: 0.2 }
        };
        // The least sum of curvatures of these bodies that act on each other is some 0.1.
        let margins = Margins { depth: 0.05, gap: law.range(0.1), skin: rng.range(0.0, 0.1) };
        let (at_a, toward, spin) =
            (Pose::new(direction(&mut rng), turn(&mut rng)), direction(&mut rng), turn(&mut rng));
        // Together until boxes of facets meet, and a little on.
        let at = |distance: f64| Pose::new(at_a.translation + toward * distance, spin);
        let touching = Margins { depth: 0.0, gap: 0.0, skin: 0.0 };
        let apart = (0..150).map(|i| 3.0 - 0.02 * f64::from(i));
        let mut met =
            apart.filter(|d| !Candidates::find(&a, &at_a, &b, &at(*d), touching).pairs().is_empty());
        let at_b = at(met.next().unwrap_or(0.0) - rng.range(0.0, 0.1));
        let list = Candidates::find(&a, &at_a, &b, &at_b, margins);
        assert!(!list.is_stale(&at_a, &at_b));
        for _ in 0..4 {
            // Both bodies move; how far against each other is the list's to say.
            let part = rng.range(0.0, 0.03);
            let move_by = |rng: &mut Rng, at: &Pose| {
                let spin = DQuat::from_axis_angle(direction(rng), part * rng.unit());
                Pose::new(at.translation + direction(rng) * part * rng.unit(), spin * at.rotation)
            };
            let (now_a, now_b) = (move_by(&mut rng, &at_a), move_by(&mut rng, &at_b));
            if list.is_stale(&now_a, &now_b) {
                continue;
            }
            n_kept += 1;
            let awake = list.awake(list.moved(&now_a, &now_b));
            n_awake += awake.len();
            n_listed += list.pairs().len();
            for pair in all_touching(&a, &now_a, &b, &now_b, &law) {
                // What is deeper or wider than was looked for is not promised.
                let cap_b = b.cap(pair[1]).unwrap().moved(&now_a.relative(&now_b));
                let cap_a = a.cap(pair[0]).unwrap();
                let touch = touch_caps(cap_a, &cap_b, &law, true).unwrap().unwrap();
                let is_promised = touch.plane.overlap <= margins.depth
                    && touch.gap_at_reach(cap_a, &cap_b) <= list.farthest_caps()
                    && [cap_a, &cap_b].iter().all(|cap| {
                        let r = cap.curvature.abs().recip();
                        touch.profile.reach <= 0.5 * (r - cap.bulge())
                    });
                n_touching += usize::from(is_promised);
                assert!(!is_promised || awake.binary_search(&pair).is_ok(), "case {case}: {pair:?}");
            }
        }
    }
    println!("{n_touching} touching pairs in {n_kept} positions, {n_awake} of {n_listed} candidates awake");
    assert!(n_touching > 200 && n_kept > 100);
}

#[test]
fn what_moved_is_at_least_what_any_point_moved() {
    let mut rng = Rng::new(42);
    for _ in 0..rng.cases(200) {
        let (a, b) = (plate(2.0, 12), plate(2.0, 12));
        let [at_a, at_b, now_a, now_b] = [0; 4].map(|_| Pose::new(direction(&mut rng), turn(&mut rng)));
        let list = Candidates::find(&a, &at_a, &b, &at_b, Margins { depth: 0.0, gap: 0.0, skin: 0.0 });
        let moved = list.moved(&now_a, &now_b);
        let (then, now) = (at_a.relative(&at_b), now_a.relative(&now_b));
        for x in &b.solid().mesh().vertices {
            assert!(then.point(*x).distance(now.point(*x)) <= moved * (1.0 + 1e-14));
        }
    }
}

#[test]
fn a_list_is_kept_for_all_its_skin_and_no_longer() {
    let (plate, ball) = (plate(4.0, 12), ball(0.5, 320));
    let margins = Margins { depth: 0.02, gap: 0.0, skin: 0.01 };
    let at = |z: f64| Pose::from_translation(DVec3::Z * z);
    let list = Candidates::find(&plate, &at(0.0), &ball, &at(0.99), margins);
    // Both together move as far as they like.
    assert!(!list.is_stale(&at(7.0), &at(7.99)));
    assert!(!list.is_stale(&at(0.0), &at(0.99 + 0.0099)));
    assert!(list.is_stale(&at(0.0), &at(0.99 + 0.0101)));
    let spun = |angle: f64| Pose::new(DVec3::Z * 0.99, DQuat::from_rotation_z(angle));
    assert!(!list.is_stale(&at(0.0), &spun(0.0199)) && list.is_stale(&at(0.0), &spun(0.0202)));
    let ask = Query { ..hertz(1000.0) };
    assert!(touch(&plate, &at(0.0), &ball, &at(0.9799), &list, &ask).is_err());
    assert!(touch(&plate, &at(0.0), &ball, &at(0.981), &list, &ask).is_ok());
}

/// Of a ball on a slab of kilometres it is the ball's way that counts, whichever of them comes first.
#[test]
fn a_ball_that_turns_on_a_plane_keeps_its_list_in_either_order() {
    let (slab, ball) =
        (rounded(generate::cuboid(DVec3::splat(1e4), 12).unwrap(), &Rounding::Uniform(0.0)), ball(0.5, 320));
    let top = Pose::from_translation(DVec3::Z * -5e3);
    let at = |angle: f64| Pose::new(DVec3::Z * 0.499, DQuat::from_rotation_x(angle));
    let margins = Margins { depth: 0.02, gap: 0.0, skin: 0.01 };
    let lists = [
        Candidates::find(&slab, &top, &ball, &at(0.0), margins),
        Candidates::find(&ball, &at(0.0), &slab, &top, margins),
    ];
    let ways = [lists[0].moved(&top, &at(0.01)), lists[1].moved(&at(0.01), &top)];
    // The chord of the turn at the radius, and the slab's digits.
    for way in ways {
        assert!((way / 5e-3 - 1.0).abs() < 1e-4, "{ways:?}");
    }
    assert!(!lists[1].is_stale(&at(0.019), &top) && lists[1].is_stale(&at(0.021), &top));
    assert_eq!(lists[0].pairs().len(), lists[1].pairs().len());
}
