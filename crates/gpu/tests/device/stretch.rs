//! Stretches of sub-steps on the device against their twins, bit for bit.

use glam::{Mat3, Vec3};
use tactum_gpu::{Gpu, Options};
use tactum_shaders::facets::compare::compare;
use tactum_shaders::facets::layout::{Facet, FacetPair, FacetRound, law};
use tactum_shaders::facets::stretch::Stretch;
use tactum_shaders::facets::stretch_layout::{PairMemory, StretchBody, StretchPair, cause, link};
use tactum_shaders::facets::{BEGIN_STRETCH, Memory, SUBSTEP, StageId};

use crate::facets::{ball, rows};
use crate::world::{self, Random};

/// Half the distance between the balls of a body \[m\].
const ARM: f32 = 1.2;

/// Two balls in one, which touch another body in two patches.
fn twin_balls() -> Vec<Facet> {
    let shifted = |facet: &Facet, y: f32| {
        let shift = |x: [f32; 3]| [x[0], x[1] + y, x[2]];
        Facet {
            corner0: shift(facet.corner0),
            corner1: shift(facet.corner1),
            corner2: shift(facet.corner2),
            apex: shift(facet.apex),
            ..*facet
        }
    };
    let one = ball(8, 1.0);
    [-ARM, ARM].iter().flat_map(|y| one.iter().map(move |facet| shifted(facet, *y))).collect()
}

/// A row of bodies that hit each other, slide and roll; the first of them stands still.
fn row(n: u32, n_substeps: u32, seed: u64) -> (Vec<Facet>, Stretch) {
    let (facets, mut random) = (twin_balls(), Random(seed));
    let (mut stretch, length) = (Stretch::default(), 0.005);
    // Tilted so that some pairs touch with one of their balls only.
    let mut turn = || Mat3::from_rotation_z(0.025 * random.number()) * Mat3::from_rotation_y(random.number());
    let turns: Vec<Mat3> = (0..n).map(|_| turn()).collect();
    let place = |ix: u32| Vec3::X * (1.985 * ix as f32);
    for ix in 0..n {
        let is_dynamic = ix > 0;
        let moving = |x: Vec3| if is_dynamic { x.to_array() } else { [0.0; 3] };
        let first_link = stretch.links.len() as u32;
        stretch.links.extend(ix.checked_sub(1).map(|pair| link(pair, true)));
        stretch.links.extend((ix + 1 < n).then_some(link(ix, false)));
        stretch.bodies.push(StretchBody {
            velocity: moving(random.vector() * 0.1),
            inverse_mass: if is_dynamic { 1e-3 } else { 0.0 },
            spin: moving(random.vector() * 100.0),
            reach: ARM + 1.0,
            inertia: if is_dynamic { [1.1e-3, 2e-3, 0.9e-3] } else { [1.0; 3] },
            allowance: 1.0,
            products: if is_dynamic { [1e-4, -2e-4, 5e-5] } else { [0.0; 3] },
            lightness: if is_dynamic { 0.01 } else { 0.0 },
            acceleration: moving(Vec3::NEG_Z),
            first_link,
            torque: moving(random.vector() * 10.0),
            end_link: stretch.links.len() as u32,
            is_dynamic: is_dynamic.into(),
            ..StretchBody::default()
        });
    }
    for ix in 0..n - 1 {
        let [a, b] = [ix, ix + 1];
        let middle = 0.5 * (place(a) + place(b));
        let pair = FacetPair {
            frame_from_a: rows(&turns[a as usize], place(a) - middle),
            frame_from_b: rows(&turns[b as usize], place(b) - middle),
            first: [0; 2],
            n: [facets.len() as u32; 2],
            near: 0.12,
            depth: 0.1,
            gap: 0.05,
            first_group: 0,
            law: [law::HERTZ, law::JKR, law::LINEAR][ix as usize % 3],
            in_touch: 0,
            modulus: [1e5, 1e5, 4e6][ix as usize % 3],
            work: 0.3,
        };
        stretch.pairs.push(pair);
        stretch.courses.push(StretchPair {
            base_a: pair.frame_from_a,
            base_b: pair.frame_from_b,
            center_a: (place(a) - middle).into(),
            friction: [0.4, 0.0, 0.1][ix as usize / 3 % 3],
            center_b: (place(b) - middle).into(),
            shear: 0.8,
            bodies: [a, b],
            mass: 500.0,
            damping: 0.3,
            shear_root: 0.8,
            areal_normal: 2.0,
            areal_shear: 1.0,
            ..StretchPair::default()
        });
        stretch.springs.push(PairMemory::default());
    }
    let round = |index: u32| FacetRound {
        index,
        length,
        since_kick: length,
        time: length * index as f32,
        most_stiff: 1e9,
        most_damped: 1e9,
        ..FacetRound::default()
    };
    stretch.substeps = (0..n_substeps).map(round).collect();
    (facets, stretch)
}

/// The stages' memory at the start of a stretch, with places for so many candidates, and the sizes of its rounds.
fn begun(facets: &[Facet], stretch: &Stretch, cap: u32) -> (Memory, FacetRound) {
    let mut memory = Memory {
        bodies: stretch.bodies.clone(),
        links: stretch.links.clone(),
        courses: stretch.courses.clone(),
        springs: stretch.springs.clone(),
        ..Memory::default()
    };
    memory.add_body(facets);
    stretch.pairs.iter().for_each(|pair| memory.add_pair(*pair));
    let sizes = FacetRound { n_bodies: stretch.bodies.len() as u32, ..memory.prepare(cap, false) };
    memory.prepare_stretch(cap);
    (memory, sizes)
}

/// Each stage works on what the twins left of those before it.
fn compare_stages(gpu: &mut Gpu, memory: &mut Memory, stages: &[StageId], round: &FacetRound) {
    for id in stages {
        let (stage, mut device) = (id.stage(), memory.clone());
        gpu.run_facet_stage(*id as usize, round, &mut device).expect("the device works");
        (stage.twin)(memory, round);
        for difference in compare(stage, &device, memory) {
            assert_eq!(difference.first, None, "{} {}: {difference:?}", round.index, stage.name);
        }
    }
}

#[test]
#[cfg_attr(not(software_vulkan), ignore = "no software Vulkan driver is installed")]
fn every_stage_of_a_stretch_equals_its_twin_bit_for_bit() {
    let mut gpu = world::open(Options::default());
    let (facets, stretch) = row(20, 12, 1);
    let (mut memory, sizes) = begun(&facets, &stretch, 30_000);
    compare_stages(&mut gpu, &mut memory, &BEGIN_STRETCH, &sizes);
    assert!(memory.n_wanted() <= sizes.cap, "{} candidates", memory.n_wanted());
    for substep in &stretch.substeps {
        compare_stages(&mut gpu, &mut memory, &SUBSTEP, &substep.sized_as(&sizes));
    }
    assert_eq!(memory.stop, [cause::NONE]);
    let n = |f: &dyn Fn(&PairMemory) -> bool| memory.springs.iter().filter(|pair| f(pair)).count();
    let springs =
        |pair: &PairMemory| pair.patches[..pair.n as usize].iter().map(|patch| patch.n_springs).max();
    println!("{:?} pairs of so many patches", [0, 1, 2, 3, 4].map(|k| n(&|pair| pair.n == k)));
    assert!(n(&|pair| pair.n == 2) > 10 && n(&|pair| pair.n == 1) > 2, "pairs of one and two patches");
    assert!(n(&|pair| springs(pair) == Some(24)) > 4, "patches that grew many springs");
    assert!(n(&|pair| springs(pair) == Some(0)) > 4, "patches without friction");
    assert!(memory.seen.iter().filter(|seen| seen.n > 0).count() > 15);
}

/// In one submission, through places that grow and a device that was lost.
#[test]
#[cfg_attr(not(software_vulkan), ignore = "no software Vulkan driver is installed")]
fn whole_stretches_are_those_of_the_twins() {
    for (n_substeps, facet_cap) in [(7, 1), (8, 1 << 15)] {
        let (facets, stretch) = row(20, n_substeps, 2);
        let mut memory = Memory::default();
        memory.add_body(&facets);
        let twin = stretch.run_twins(&mut memory);
        assert_eq!((twin.n_done(n_substeps), twin.cause()), (n_substeps, cause::NONE));
        let mut gpu = world::open(Options { facet_cap, ..Options::default() });
        assert_eq!(gpu.upload_facets(&facets).expect("there is room"), 0);
        for ix in 0..2 {
            let found = gpu.stretch(&stretch).expect("the device works");
            assert_eq!(found.n_grown, u32::from(facet_cap == 1));
            assert!(found.stop == twin.stop && found.states == twin.states, "{facet_cap} {ix}");
            assert!(found.seen == twin.seen && same(&found.springs, &twin.springs));
            gpu.lose_device();
            gpu.reopen().expect("the device comes back");
        }
    }
}

/// Whether two remember the same, wherever there is anything.
fn same(a: &[PairMemory], b: &[PairMemory]) -> bool {
    let of = |pairs: &[PairMemory]| -> Vec<_> {
        let patch = |patch: &tactum_shaders::facets::stretch_layout::PatchMemory| {
            let springs = patch.springs[..patch.n_springs as usize].to_vec();
            (patch.point, patch.grip, patch.normal, springs)
        };
        let pair = |pair: &PairMemory| {
            (pair.in_touch, pair.patches[..pair.n as usize].iter().map(patch).collect::<Vec<_>>())
        };
        pairs.iter().map(pair).collect()
    };
    of(a) == of(b)
}

/// What a sub-step cannot do stops the stretch before it, with bodies and springs as the sub-step before has left them.
#[test]
#[cfg_attr(not(software_vulkan), ignore = "no software Vulkan driver is installed")]
fn what_stops_a_stretch_leaves_what_was_before() {
    let n = 12;
    let (facets, whole) = row(20, n, 3);
    let mut memory = Memory::default();
    memory.add_body(&facets);
    let mut gpu = world::open(Options::default());
    gpu.upload_facets(&facets).expect("there is room");
    for why in [cause::DOUBT, cause::STIFF, cause::WAY] {
        let mut stretch = whole.clone();
        match why {
            // Comes half a centimetre nearer in a sub-step, and is soon deeper than its candidates were looked for.
            cause::DOUBT => {
                stretch.bodies[4].velocity = [-1.0, 0.0, 0.0];
                stretch.pairs[3].depth = 0.045;
            }
            cause::STIFF => stretch.substeps.iter_mut().skip(5).for_each(|round| round.most_stiff = 1.0),
            _ => stretch.bodies[7].allowance = 0.01,
        }
        let found = gpu.stretch(&stretch).expect("the device works");
        let done = found.n_done(n);
        println!("{why}: {done} sub-steps");
        assert!(found.cause() == why && done > 0 && done < n, "{} after {done}", found.cause());
        let twin = stretch.run_twins(&mut memory);
        assert!(found.stop == twin.stop && found.states == twin.states);
        stretch.substeps.truncate(done as usize);
        let before = stretch.run_twins(&mut memory);
        assert_eq!(before.cause(), cause::NONE);
        assert!(before.states == found.states);
        assert!(before.seen == found.seen && same(&before.springs, &found.springs));
    }
}

/// Bodies that act too weakly for 32 bits stop nothing while they are apart, and the first sub-step in which they are not.
#[test]
#[cfg_attr(not(software_vulkan), ignore = "no software Vulkan driver is installed")]
fn faint_pairs_stop_a_stretch_when_they_touch() {
    let n = 12;
    let (facets, mut stretch) = row(2, n, 5);
    let mut memory = Memory::default();
    memory.add_body(&facets);
    let mut gpu = world::open(Options::default());
    gpu.upload_facets(&facets).expect("there is room");
    // Apart by some hundredths, at half a hundredth in a sub-step.
    let (pair, course) = (&mut stretch.pairs[0], &mut stretch.courses[0]);
    for x in [&mut pair.frame_from_b[0][3], &mut course.base_b[0][3], &mut course.center_b[0]] {
        *x += 0.04;
    }
    stretch.bodies[1].velocity = [-1.0, 0.0, 0.0];
    let free = stretch.run_twins(&mut memory);
    assert_eq!(free.cause(), cause::NONE);
    stretch.courses[0].is_faint = 1;
    let found = gpu.stretch(&stretch).expect("the device works");
    let done = found.n_done(n);
    assert!(found.cause() == cause::DOUBT && done > 0 && done < n, "{} after {done}", found.cause());
    let twin = stretch.run_twins(&mut memory);
    assert!(found.stop == twin.stop && found.states == twin.states);
    // As far as it came they did not touch; in the next one they would.
    let touches = |n_substeps: u32| {
        let mut part = stretch.clone();
        part.courses[0].is_faint = 0;
        part.substeps.truncate(n_substeps as usize);
        part.run_twins(&mut memory).seen[0].n
    };
    assert_eq!([done, done + 1].map(touches), [0, 1]);
}
