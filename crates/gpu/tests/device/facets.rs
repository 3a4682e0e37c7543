//! The facet stages on the device against their twins, bit for bit, and whole answers.

use glam::{Mat3, Vec3};
use tactum_gpu::{FacetAnswers, FacetDetail, FacetError, Gpu, Options};
use tactum_shaders::facets::compare::compare;
use tactum_shaders::facets::layout::{Facet, FacetPair, FacetRound, MAX_PARTNERS, doubt, law};
use tactum_shaders::facets::{Memory, STAGES, TOUCH, twin};

use crate::world::{self, Random, Triangle, blob, cube};

/// The cap of a sphere of a curvature through the corners of a triangle.
fn facet([a, b, c]: Triangle, curvature: f32) -> Facet {
    let (p, q) = (b - a, c - a);
    let normal = p.cross(q);
    let twice = normal.length();
    let normal = normal / twice;
    let arm = (q * p.dot(p) - p * q.dot(q)).cross(normal) / (2.0 * twice);
    let part = curvature * arm.length();
    let rise = part * arm.length() / (1.0 + (1.0 - part * part).sqrt());
    Facet {
        corner0: a.into(),
        curvature,
        corner1: b.into(),
        bulge: rise.abs(),
        corner2: c.into(),
        is_cap: 1,
        apex: (a + arm + normal * rise).into(),
        normal: normal.into(),
        axis: normal.into(),
        ..Facet::default()
    }
}

/// The same facets curved more one way than the other, by a part of what they are curved, and by other parts at other corners.
fn bent(mut facets: Vec<Facet>, part: f32) -> Vec<Facet> {
    for facet in &mut facets {
        let lean = Vec3::from(facet.normal) + 0.01 * Vec3::from(facet.corner0);
        let axis = lean.normalize();
        let ridge = axis.cross(Vec3::new(0.3, 0.5, 0.8)).normalize() * (part * facet.curvature).sqrt();
        facet.axis = axis.into();
        let swell = 0.01 * facet.bulge * lean;
        facet.swell = swell.extend(swell.x - swell.z).into();
        facet.swell_last = (swell.truncate() * part).into();
        facet.swell_middle = swell.y - swell.x;
        let sides = [0, 1, 2]
            .map(|i| [facet.corner0, facet.corner1, facet.corner2, facet.corner0][i..=i + 1].to_vec());
        facet.spread =
            sides.iter().map(|side| Vec3::from(side[0]).distance_squared(side[1].into())).sum::<f32>() / 72.0;
        [facet.ridge_x, facet.ridge_y, facet.ridge_z] = ridge.into();
    }
    facets
}

/// A ball of `8 k²` facets; with a negative radius, a hollow.
pub fn ball(k: u32, radius: f32) -> Vec<Facet> {
    let of = |t: Triangle| {
        let [a, b, c] = t.map(|x| x.normalize() * radius.abs());
        facet(if radius < 0.0 { [a, c, b] } else { [a, b, c] }, radius.recip())
    };
    blob(k).into_iter().map(of).collect()
}

fn plates() -> Vec<Facet> {
    let mut facets: Vec<Facet> = cube().into_iter().map(|t| facet(t, 0.0)).collect();
    // A triangle that is left out.
    facets[5] = Facet::default();
    facets
}

pub fn rows(turn: &Mat3, shift: Vec3) -> [[f32; 4]; 3] {
    std::array::from_fn(|k| turn.row(k).extend(shift[k]).into())
}

/// Balls, some of them bent, hollows and boxes on each other, a little apart, and deep in each other, by all laws.
fn world(n_pairs: usize, fine: u32, seed: u64) -> Memory {
    let mut memory = Memory::default();
    let bodies = [bent(ball(5, 1.0), 0.3), plates(), ball(fine, 1.0), ball(7, -1.0), bent(ball(9, 0.5), 0.7)];
    let first: Vec<u32> = bodies.iter().map(|body| memory.add_body(body)).collect();
    let mut random = Random(seed);
    for ix in 0..n_pairs {
        let kinds = [[0, 2], [1, 2], [3, 4], [2, 0], [1, 1], [1, 0], [0, 4], [0, 0]][ix % 8];
        // Farther is deeper in a hollow.
        let deeper = [0.0, 0.004, 0.03, 0.3][ix / 8 % 4] * if kinds[0] == 3 { -1.0 } else { 1.0 };
        let distance = [1.99, 1.98, 0.51, 1.95, 1.9, 1.98, 1.49, 1.98][ix % 8] - deeper;
        let toward = (random.vector() + Vec3::splat(1e-3)).normalize();
        let middle = toward * distance * 0.5;
        let turn = random.rotation();
        memory.add_pair(FacetPair {
            frame_from_a: rows(&Mat3::IDENTITY, -middle),
            frame_from_b: rows(&turn, middle),
            first: [first[kinds[0]], first[kinds[1]]],
            n: [bodies[kinds[0]].len() as u32, bodies[kinds[1]].len() as u32],
            near: 0.06,
            depth: 0.05,
            gap: 0.05,
            first_group: 0,
            law: [law::HERTZ, law::JKR, law::LINEAR][ix % 3],
            in_touch: (ix % 2) as u32,
            modulus: 1e5,
            work: 3.0,
        });
    }
    memory
}

/// Each stage works on what the twins left of those before it.
fn compare_all(gpu: &mut Gpu, memory: &mut Memory, round: &FacetRound) {
    for id in TOUCH {
        let (stage, mut device) = (id.stage(), memory.clone());
        gpu.run_facet_stage(id as usize, round, &mut device).expect("the device works");
        (stage.twin)(memory, round);
        for difference in compare(stage, &device, memory) {
            assert_eq!(difference.first, None, "{} and its twin: {difference:?}", stage.name);
        }
    }
}

#[test]
#[cfg_attr(not(software_vulkan), ignore = "no software Vulkan driver is installed")]
fn every_facet_stage_equals_its_twin_bit_for_bit() {
    let mut gpu = world::open(Options::default());
    for (n_pairs, fine, seed) in [(96, 8, 1), (16, 25, 2)] {
        let mut memory = world(n_pairs, fine, seed);
        let n_wanted = {
            let mut trial = memory.clone();
            twin::run(&mut trial, false).cap
        };
        let round = memory.prepare(n_wanted + 100, true);
        compare_all(&mut gpu, &mut memory, &round);
        assert_eq!(memory.n_wanted(), n_wanted);
        let n = |of: fn(&tactum_shaders::facets::layout::FacetBlock) -> u32| {
            memory.blocks.iter().map(of).sum::<u32>()
        };
        println!(
            "{n_wanted} candidates, {} touch, {} refused, {} large, {} deep",
            n(|block| block.n_facets),
            n(|block| block.n_refused),
            n(|block| block.doubts[doubt::BEYOND_HERTZ].n),
            n(|block| block.doubts[doubt::TOO_DEEP].n)
        );
        assert!(memory.blocks.iter().filter(|block| block.n_facets > 0).count() * 3 > n_pairs);
        assert!(n(|block| block.n_refused) > 0 && n(|block| block.doubts[doubt::BEYOND_HERTZ].n) > 0);
        let hollow = memory.touches.iter().zip(&memory.candidates).filter(|(touch, at)| {
            touch.n_corners > 0
                && memory.facets[memory.pairs[at.pair as usize].first[0] as usize].curvature < 0.0
        });
        assert!(hollow.count() > 0, "nothing touches a hollow");
    }
}

/// Too short a list leaves nothing half done, and says how long it has to be.
#[test]
#[cfg_attr(not(software_vulkan), ignore = "no software Vulkan driver is installed")]
fn lists_that_are_too_short_say_so_on_device_and_twin() {
    let mut gpu = world::open(Options::default());
    let mut memory = world(10, 8, 3);
    let n_wanted = twin::run(&mut memory.clone(), false).cap;
    let round = memory.prepare(n_wanted - 1, true);
    compare_all(&mut gpu, &mut memory, &round);
    assert!(memory.blocks.iter().all(|block| block.n_wanted == n_wanted && block.force == [0.0; 3]));
}

/// As many facets as a thread may have to look at: a driver that ends long loops would count fewer.
#[test]
#[cfg_attr(not(software_vulkan), ignore = "no software Vulkan driver is installed")]
fn a_thread_looks_at_all_the_facets_that_a_body_may_have() {
    let mut gpu = world::open(Options::default());
    let (few, many) = (plates(), ball(89, 1.0));
    let n_many = many.len() as u32;
    assert!(n_many <= MAX_PARTNERS && n_many + 8 * 90 > MAX_PARTNERS, "{n_many}");
    let mut memory = Memory::default();
    let first = [memory.add_body(&few), memory.add_body(&many)];
    let template = world(1, 4, 5).pairs[0];
    // So far that everything is near.
    memory.add_pair(FacetPair { first, n: [few.len() as u32, n_many], near: 10.0, ..template });
    let round = memory.prepare(0, false);
    let mut device = memory.clone();
    gpu.run_facet_stage(0, &round, &mut device).expect("the device works");
    (STAGES[0].twin)(&mut memory, &round);
    assert!(device.counts == memory.counts);
    assert_eq!(memory.starts[0], 11 * n_many);
    let body = gpu.upload_facets(&few).expect("there is room");
    let large = FacetPair { first: [body; 2], n: [12, MAX_PARTNERS + 1], ..template };
    let mut none = FacetAnswers::default();
    gpu.upload_facets(&many).expect("there is room");
    gpu.upload_facets(&few).expect("there is room");
    gpu.upload_facets(&many[..700]).expect("there is room");
    let refused = gpu.touch_facets(&[large], FacetDetail::Sums, &mut none);
    assert!(matches!(refused, Err(FacetError::TooManyPartners { pair: 0, .. })), "{refused:?}");
}

/// Two pairs whose polygons no binding holds together are answered one after the other.
#[test]
#[cfg_attr(not(software_vulkan), ignore = "no software Vulkan driver is installed")]
fn pairs_that_are_too_many_for_a_binding_are_divided() {
    let mut gpu = world::open(Options::default());
    let (few, many) = (plates(), ball(89, 1.0));
    let first = [&few, &many].map(|body| gpu.upload_facets(body).expect("there is room"));
    let template = world(2, 4, 5).pairs[1];
    let n = [few.len() as u32, many.len() as u32];
    let all_near = FacetPair { first, n, near: 10.0, ..template };
    let mut found = FacetAnswers::default();
    gpu.touch_facets(&[all_near, all_near], FacetDetail::Polygons, &mut found)
        .expect("each of them has room");
    assert_eq!(found.blocks[0].n_candidates, 11 * n[1]);
    assert_eq!(found.blocks[0], found.blocks[1]);
    assert!(found.blocks[0].n_facets > 0);
    let (front, back) = found.candidates.split_at(11 * n[1] as usize);
    assert!(front.len() == back.len() && found.polygons.len() == found.candidates.len());
    assert!(front.iter().all(|one| one.pair == 0) && back.iter().all(|one| one.pair == 1));
    let (front, back) = found.touches.split_at(front.len());
    assert!(front == back);
}

fn answers(gpu: &mut Gpu, memory: &Memory) -> FacetAnswers {
    let mut answers = FacetAnswers::default();
    gpu.touch_facets(&memory.pairs, FacetDetail::Polygons, &mut answers).expect("the device works");
    answers
}

/// Through places that grow, pairs in another order, one at a time, and a device that was lost.
#[test]
#[cfg_attr(not(software_vulkan), ignore = "no software Vulkan driver is installed")]
fn whole_answers_are_those_of_the_twins() {
    let mut gpu = world::open(Options::default());
    let mut memory = world(60, 16, 4);
    let facets = memory.facets.clone();
    assert_eq!(gpu.upload_facets(&facets).expect("there is room"), 0);
    let round = twin::run(&mut memory, true);
    assert!(round.cap > 1 << 14, "{} candidates need no more places than there are at first", round.cap);
    for _ in 0..2 {
        let found = answers(&mut gpu, &memory);
        assert!(found.blocks == memory.blocks);
        assert_eq!(found.candidates, memory.candidates);
        assert_eq!((found.touches, found.polygons), (memory.touches.clone(), memory.polygons.clone()));
        gpu.lose_device();
        gpu.reopen().expect("the device comes back");
    }
    let mut one = FacetAnswers::default();
    for (pair, block) in memory.pairs.iter().zip(&memory.blocks).take(9) {
        gpu.touch_facets(&[*pair], FacetDetail::Sums, &mut one).expect("the device works");
        assert_eq!((one.blocks[0].force, one.blocks[0].moment), (block.force, block.moment));
        assert!(one.touches.is_empty());
    }
    gpu.touch_facets(&[], FacetDetail::Polygons, &mut one).expect("nothing to do");
    assert!(one.blocks.is_empty());
    let wrong = FacetPair { n: [1 << 20, 1], ..memory.pairs[0] };
    let refused = gpu.touch_facets(&[memory.pairs[0], wrong], FacetDetail::Sums, &mut one);
    assert!(matches!(refused, Err(FacetError::UnknownFacet { pair: 1, .. })), "{refused:?}");
}
