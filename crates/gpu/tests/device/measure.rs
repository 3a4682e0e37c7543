//! Measurements on the device: the same bits as the twins', however the pairs are divided and ordered.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::world::{self, Random, World};
use tactum_gpu::{Fault, Gpu, MeasureError, Options, Report, UploadError};
use tactum_shaders::rays::layout::{Cluster, ClusterTriangles, ContactBlock, PairFrame, PairMeshes};
use tactum_shaders::rays::{Method, n_boxes};

fn measured(gpu: &mut Gpu, world: &World, method: impl Into<Method>) -> Vec<ContactBlock> {
    let mut blocks = Vec::new();
    gpu.measure(&world.pairs, &world.frames, method, &mut blocks).unwrap_or_else(|error| panic!("{error}"));
    blocks
}

/// Bit for bit, with the first pair that differs.
fn assert_same(found: &[ContactBlock], expected: &[ContactBlock]) {
    assert_eq!(found.len(), expected.len());
    for (ix, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!(
            bytemuck::bytes_of(found) == bytemuck::bytes_of(expected),
            "pair {ix}:\n{found:?}\n{expected:?}"
        );
    }
}

#[test]
#[cfg_attr(not(software_vulkan), ignore = "no software Vulkan driver is installed")]
fn a_measurement_equals_the_twins_bit_for_bit_each_time() {
    let world = World::random(24, 16, 3);
    let mut gpu = world::open(Options::default());
    world.upload(&mut gpu);
    for rays in [32, 64, 32] {
        assert_same(&measured(&mut gpu, &world, rays), &world.twin(rays));
        assert_eq!(gpu.report().n_chunks, 1);
        assert_eq!(gpu.report().n_submissions, 1);
    }
}

/// By triangles, too: one pair at a time, in another order, and with room for one meeting of clusters to begin with.
#[test]
#[cfg_attr(not(software_vulkan), ignore = "no software Vulkan driver is installed")]
fn neither_chunks_nor_order_nor_room_change_a_bit_of_what_triangles_say() {
    let world = World::near(12, 5, 21);
    let expected = world.twin_of(Method::Triangles);
    assert!(expected.iter().filter(|block| block.volume > 0.0).count() > 2);
    for (max_scratch, large_cap) in [(Some(1), 1 << 16), (None, 1)] {
        let mut gpu = world::open(Options { max_scratch, large_cap, ..Options::default() });
        world.upload(&mut gpu);
        assert_same(&measured(&mut gpu, &world, Method::Triangles), &expected);
        let (pairs, frames) =
            (world.pairs.iter().rev().copied().collect(), world.frames.iter().rev().copied().collect());
        let mut found = measured(&mut gpu, &World { pairs, frames, ..world.clone() }, Method::Triangles);
        found.reverse();
        assert_same(&found, &expected);
    }
}

#[test]
#[cfg_attr(not(software_vulkan), ignore = "no software Vulkan driver is installed")]
fn neither_chunks_nor_order_nor_places_for_large_triangles_change_a_bit() {
    let world = World::random(24, 12, 4);
    let expected = world.twin(32);
    for (max_scratch, large_cap) in [(Some(1), 1 << 16), (None, 1), (Some(3 << 18), 100)] {
        let mut gpu = world::open(Options { max_scratch, large_cap, ..Options::default() });
        world.upload(&mut gpu);
        let found = measured(&mut gpu, &world, 32);
        assert_eq!(gpu.report().n_chunks > 1, max_scratch.is_some());
        // Once more with the places that turned out to be wanted.
        let n_redone = usize::from(large_cap < 1 << 16);
        assert_eq!((gpu.report().n_redone, gpu.report().n_submissions), (n_redone, 1 + n_redone));
        assert_same(&found, &expected);

        let mut order: Vec<usize> = (0..world.pairs.len()).collect();
        let mut random = Random(5);
        order.sort_by_cached_key(|_| random.word());
        let shuffled = World {
            pairs: order.iter().map(|&ix| world.pairs[ix]).collect(),
            frames: order.iter().map(|&ix| world.frames[ix]).collect(),
            ..world.clone()
        };
        let found = measured(&mut gpu, &shuffled, 32);
        assert_eq!((gpu.report().n_redone, gpu.report().n_submissions), (0, 1));
        let reordered: Vec<_> = order.iter().map(|&ix| expected[ix]).collect();
        assert_same(&found, &reordered);
    }
}

/// A triangle may cover 65,536 of the rays along the normal alone, and more with the others: more than some drivers let
/// a thread loop.
#[test]
#[cfg_attr(not(software_vulkan), ignore = "no software Vulkan driver is installed")]
fn large_triangles_lose_no_ray_however_many_they_cover() {
    let world = World::random(2, 4, 8);
    let expected = world.twin(256);
    for large_cap in [1, 1000, 1 << 16] {
        let mut gpu = world::open(Options { large_cap, ..Options::default() });
        world.upload(&mut gpu);
        assert_same(&measured(&mut gpu, &world, 256), &expected);
    }
}

/// Rays through a stack of sheets cross more surfaces than a list holds; the scratch memory must be clean afterwards.
#[test]
#[cfg_attr(not(software_vulkan), ignore = "no software Vulkan driver is installed")]
fn full_lists_are_reported_and_leave_nothing_behind() {
    let mut world = World::random(20, 12, 6);
    let sheets: Vec<_> = (0..20)
        .flat_map(|k| {
            let place = move |x: glam::Vec3| glam::Vec3::new(x.x, x.y, 0.02 * x.z + 0.1 * (k as f32 - 10.0));
            world::cube().into_iter().map(move |triangle| triangle.map(place))
        })
        .collect();
    let stack = world.add_mesh(sheets);
    let [tilted, same] = [glam::Mat3::from_rotation_x(0.3), glam::Mat3::IDENTITY];
    world.add_pair([stack, 0], [same, tilted], glam::Vec3::new(0.1, 0.2, 0.3), true);
    let mut gpu = world::open(Options { max_scratch: Some(1 << 20), ..Options::default() });
    world.upload(&mut gpu);
    let expected = world.twin(32);
    assert!(expected[20].overflow > 0.0, "{:?}", expected[20]);
    for _ in 0..3 {
        assert_same(&measured(&mut gpu, &world, 32), &expected);
    }
}

#[test]
#[cfg_attr(not(software_vulkan), ignore = "no software Vulkan driver is installed")]
fn no_pairs_are_no_submission() {
    let mut gpu = world::open(Options::default());
    let mut blocks = World::random(1, 4, 8).twin(16);
    gpu.measure(&[], &[], 32, &mut blocks).unwrap();
    assert!(blocks.is_empty());
    assert_eq!(gpu.report().n_submissions, 0);
}

#[test]
#[cfg_attr(not(software_vulkan), ignore = "no software Vulkan driver is installed")]
fn a_lost_device_says_so_and_comes_back_with_its_meshes() {
    let world = World::random(20, 12, 9);
    let mut gpu = world::open(Options::default());
    world.upload(&mut gpu);
    let expected = measured(&mut gpu, &world, 32);
    gpu.lose_device();
    let mut blocks = expected.clone();
    for _ in 0..2 {
        let error = gpu.measure(&world.pairs, &world.frames, 32, &mut blocks).unwrap_err();
        assert!(matches!(error, MeasureError::Fault(Fault::Lost(_))), "{error:?}");
        assert!(blocks.is_empty());
    }
    gpu.reopen().unwrap();
    assert_same(&measured(&mut gpu, &world, 32), &expected);
}

#[test]
#[cfg_attr(not(software_vulkan), ignore = "no software Vulkan driver is installed")]
fn a_device_that_is_not_done_in_time_is_given_up() {
    let world = World::random(20, 12, 14);
    let waited = Duration::from_nanos(1);
    let mut gpu = world::open(Options { max_wait: Some(waited), ..Options::default() });
    world.upload(&mut gpu);
    let mut blocks = Vec::new();
    let error = gpu.measure(&world.pairs, &world.frames, 64, &mut blocks).unwrap_err();
    assert_eq!(error, MeasureError::Fault(Fault::TimedOut { waited }));
    assert!(blocks.is_empty());
    // It is not asked, and not waited for, again.
    let error = gpu.measure(&world.pairs, &world.frames, 64, &mut blocks).unwrap_err();
    assert!(
        matches!(&error, MeasureError::Fault(Fault::Lost(why)) if why.contains("not done after")),
        "{error}"
    );
    gpu.reopen().unwrap();
    let error = gpu.measure(&world.pairs, &world.frames, 64, &mut blocks).unwrap_err();
    assert_eq!(error, MeasureError::Fault(Fault::TimedOut { waited }));
}

#[test]
#[cfg_attr(not(software_vulkan), ignore = "no software Vulkan driver is installed")]
fn meshes_that_come_later_move_those_that_are_there() {
    let world = World::random(20, 24, 10);
    let mut gpu = world::open(Options::default());
    let (triangles, boxes) = (&world.meshes.triangles, &world.meshes.clusters);
    assert!(world.places.iter().any(|place| n_boxes(place.n) > place.n), "no mesh has boxes around boxes");
    for (ix, place) in world.places.iter().enumerate() {
        let [of_triangles, of_boxes] =
            [place.first, place.boxes].map(|first| first as usize..(first + place.n) as usize);
        assert_eq!(gpu.upload(&triangles[of_triangles], &boxes[of_boxes]).as_ref(), Ok(place));
        if ix == 1 {
            let pair = PairMeshes::of([world.places[0], world.places[1]]);
            gpu.measure(&[pair], &world.frames[..1], 32, &mut Vec::new()).unwrap();
        }
    }
    assert_same(&measured(&mut gpu, &world, 32), &world.twin(32));
}

#[test]
#[cfg_attr(not(software_vulkan), ignore = "no software Vulkan driver is installed")]
fn more_meshes_than_a_binding_holds_are_refused_and_change_nothing() {
    let world = World::random(5, 6, 11);
    let mut gpu = world::open(Options::default());
    world.upload(&mut gpu);
    let limit = gpu.adapter().max_binding.min(1 << 30);
    let n = limit as usize / size_of::<ClusterTriangles>();
    let (triangles, boxes) = (vec![world.meshes.triangles[0]; n], vec![world.meshes.clusters[0]; n]);
    let error = gpu.upload(&triangles, &boxes).unwrap_err();
    assert!(matches!(error, UploadError::Full { .. }), "{error}");
    assert_same(&measured(&mut gpu, &world, 32), &world.twin(32));
}

#[test]
#[cfg_attr(not(software_vulkan), ignore = "no software Vulkan driver is installed")]
fn wrong_requests_are_typed_errors() {
    let world = World::random(5, 6, 12);
    let mut gpu = world::open(Options::default());
    world.upload(&mut gpu);
    let n_clusters = world.meshes.triangles.len() as u32;
    let mut ask = |pairs: &[PairMeshes], frames: &[PairFrame], rays| {
        let mut blocks = vec![ContactBlock::empty(); 5];
        let error = gpu.measure(pairs, frames, rays, &mut blocks).unwrap_err();
        assert!(blocks.is_empty(), "{error}");
        error
    };
    let (pairs, frames) = (&world.pairs, &world.frames);
    assert_eq!(ask(pairs, &frames[1..], 32), MeasureError::Mismatch { n_pairs: 5, n_frames: 4 });
    for rays in [0, 8, 48, 2048] {
        assert_eq!(ask(pairs, frames, rays), MeasureError::Rays { rays });
    }
    let mut beyond = pairs.clone();
    beyond[3].first[1] = u32::MAX;
    let end = u64::from(u32::MAX) + u64::from(beyond[3].n[1]);
    assert_eq!(ask(&beyond, frames, 32), MeasureError::UnknownCluster { pair: 3, end, n_clusters });
    let mut beyond = pairs.clone();
    let n_held = world.meshes.clusters.len();
    beyond[2].boxes[0] = n_held as u32;
    let end = n_held as u64 + u64::from(n_boxes(beyond[2].n[0]));
    assert_eq!(ask(&beyond, frames, 32), MeasureError::UnknownBox { pair: 2, end, n_boxes: n_held });
    let boxes: &[Cluster] = &[];
    let error = gpu.upload(&world.meshes.triangles[..1], boxes).unwrap_err();
    assert_eq!(error, UploadError::Mismatch { n_triangles: 1, n_boxes: 0 });
    assert_same(&measured(&mut gpu, &world, 32), &world.twin(32));
}

#[test]
#[cfg_attr(not(software_vulkan), ignore = "no software Vulkan driver is installed")]
fn timing_changes_no_bit_and_times_every_stage() {
    let world = World::random(30, 12, 13);
    let mut gpu = world::open(Options { max_scratch: Some(300_000), ..Options::default() });
    world.upload(&mut gpu);
    let expected = measured(&mut gpu, &world, 32);
    assert!(gpu.report().stages.is_empty());
    assert!(gpu.time_stages(true), "the software driver has timestamps");
    assert_same(&measured(&mut gpu, &world, 32), &expected);
    let report = gpu.report().clone();
    let mut blocks = Vec::new();
    gpu.measure(&world.pairs[..3], &world.frames[..3], Method::Triangles, &mut blocks)
        .expect("the device works");
    let names = |report: &Report| report.stages.iter().map(|(stage, _)| *stage as usize).collect();
    let timed: [BTreeSet<usize>; 2] = [names(&report), names(gpu.report())];
    assert_eq!(timed[0].union(&timed[1]).count(), tactum_shaders::rays::STAGES.len());
    assert!(report.device_time() > Duration::ZERO && report.device_time() <= report.wait, "{report:?}");
    // So many chunks that their timestamps do not fit into one set of queries.
    assert!(report.n_chunks * 2 * 20 > 512, "{}", report.n_chunks);
}
