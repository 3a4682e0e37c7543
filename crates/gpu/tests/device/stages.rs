//! Each stage on the device writes what its twin writes, bit for bit.

use crate::world::{self, World};
use tactum_gpu::{Gpu, Options};
use tactum_shaders::rays::layout::{
    Cluster, ContactBlock, LargeItem, MeshPlace, PairFrame, PairMeshes, Round, shell, state,
};
use tactum_shaders::rays::{
    Command, EMPTY_BOUNDS, Groups, Memory, Meshes, Method, Rounds, StageId, schedule, schedule_of, twin,
    with_levels,
};

/// Runs one command on the device and by its twin, which changes `memory`.
fn compare(gpu: &Gpu, command: &Command, rounds: &Rounds, meshes: &Meshes, memory: &mut Memory) {
    let mut device = memory.clone();
    gpu.run_command(command, rounds, meshes, &mut device).expect("the device works");
    twin::step(command, rounds, meshes, memory);
    for difference in tactum_shaders::rays::compare::compare(command, &device, memory) {
        assert_eq!(difference.first, None, "{} and its twin: {difference:?}", command.stage.stage().name);
    }
}

/// The next chunk starts with what the last one left.
fn assert_is_clean(memory: &Memory) {
    assert_eq!(memory.counters[..2], [0, 0]);
    assert!(memory.counts.iter().all(|&count| count == 0));
    assert!(memory.bounds.chunks_exact(EMPTY_BOUNDS.len()).all(|words| words == EMPTY_BOUNDS));
}

fn compare_all(world: &World, rays: u32, large_cap: u32) -> Memory {
    let gpu = world::open(Options::default());
    let n_pairs = world.pairs.len() as u32;
    let rounds = Rounds::new(n_pairs, rays, large_cap);
    let mut memory = world.memory(&rounds, large_cap);
    let commands = schedule(n_pairs, &rounds, true);
    for command in &commands {
        compare(&gpu, command, &rounds, &world.meshes, &mut memory);
    }
    for stage in [StageId::Clash, StageId::Cull, StageId::Align, StageId::LargeCrossings, StageId::Polygon] {
        assert!(commands.iter().any(|command| command.stage == stage), "{stage:?} never ran");
    }
    assert_is_clean(&memory);
    memory
}

/// The same by triangles.
fn compare_triangles(world: &World, large_cap: u32) -> Memory {
    let gpu = world::open(Options::default());
    let n_pairs = world.pairs.len() as u32;
    let rounds = Rounds::of(Method::Triangles, n_pairs, large_cap);
    let mut memory = world.memory(&rounds, large_cap);
    for command in &schedule_of(Method::Triangles, n_pairs, &rounds, false) {
        compare(&gpu, command, &rounds, &world.meshes, &mut memory);
    }
    assert!(memory.large_wanted() <= large_cap, "{}", memory.large_wanted());
    assert_is_clean(&memory);
    assert!(memory.spans.iter().all(|&word| word == 0));
    memory
}

fn n_full(memory: &Memory) -> usize {
    memory.blocks.iter().filter(|block| block.volume > 0.0).count()
}

#[test]
#[cfg_attr(not(software_vulkan), ignore = "no software Vulkan driver is installed")]
fn every_stage_equals_its_twin_bit_for_bit() {
    assert!(n_full(&compare_all(&World::random(24, 16, 1), 32, 1 << 16)) > 12);
}

#[test]
#[cfg_attr(not(software_vulkan), ignore = "no software Vulkan driver is installed")]
fn every_stage_equals_its_twin_where_rays_are_many() {
    assert!(n_full(&compare_all(&World::random(5, 20, 2), 128, 1 << 16)) > 2);
}

/// Those that no ray passes through are told apart, or not, by their triangles.
#[test]
#[cfg_attr(not(software_vulkan), ignore = "no software Vulkan driver is installed")]
fn every_stage_equals_its_twin_where_bodies_hardly_touch() {
    let memory = compare_all(&World::near(64, 12, 6), 16, 1 << 16);
    // The boxes of the others are found to be empty before.
    let is_told_apart =
        |(block, frame): &(&ContactBlock, &PairFrame)| (block.state & !frame.state) == state::EMPTY;
    let n_told_apart = memory.blocks.iter().zip(&memory.frames).filter(is_told_apart).count();
    let is_open = |block: &&ContactBlock| block.volume == 0.0 && block.state & state::EMPTY == 0;
    let n_open = memory.blocks.iter().filter(is_open).count();
    assert!(n_told_apart > 0 && n_open > 0 && n_full(&memory) > 0, "{n_told_apart} {n_open}");
}

#[test]
#[cfg_attr(not(software_vulkan), ignore = "no software Vulkan driver is installed")]
fn every_stage_of_triangles_equals_its_twin_bit_for_bit() {
    let memory = compare_triangles(&World::random(12, 6, 11), 1 << 17);
    assert!(n_full(&memory) > 6, "{}", n_full(&memory));
    let memory = compare_triangles(&World::near(32, 8, 12), 1 << 17);
    let n_empty = memory.frames.iter().filter(|frame| frame.state & state::EMPTY != 0).count();
    assert!(n_empty > 0 && n_full(&memory) > 6, "{n_empty} {}", n_full(&memory));
}

/// A row of a dispatch holds 65,535 workgroups.
#[test]
#[cfg_attr(not(software_vulkan), ignore = "no software Vulkan driver is installed")]
fn more_workgroups_than_a_row_holds_are_folded() {
    const N_PAIRS: u32 = 33_000;
    const N_LARGE: u32 = 66_000;
    let gpu = world::open(Options::default());
    let mut world = World::random(3, 4, 3);
    let rounds = Rounds::new(3, 32, N_LARGE);
    let mut memory = world.memory(&rounds, N_LARGE);
    // Most items were taken in vain; what is there to do comes in the second row of workgroups.
    for item in &mut memory.large {
        item.direction = 3;
    }
    let triangle = world.pairs[0].first[0] * 64;
    memory.large[N_LARGE as usize - 1] = LargeItem { side: 0, triangle, direction: 2, tile: 5 };
    memory.counters[1] = N_LARGE;
    for (stage, groups) in
        [(StageId::Dispatch, Groups::Direct(1)), (StageId::LargeCrossings, Groups::LargeItems)]
    {
        compare(&gpu, &Command { stage, round: 3, groups }, &rounds, &world.meshes, &mut memory);
    }
    assert_eq!(memory.arguments[4..], [65_535, 2, 1, N_LARGE]);
    assert!(memory.counts.iter().any(|&count| count != 0));

    world.pairs = world.pairs.iter().copied().cycle().take(N_PAIRS as usize).collect();
    world.frames = world.frames.iter().copied().cycle().take(N_PAIRS as usize).collect();
    let rounds = Rounds::new(N_PAIRS, 16, 1);
    let mut memory = world.memory(&Rounds { rounds: [Round { n_tiles: 0, ..rounds.rounds[2] }; 4] }, 1);
    let command = Command { stage: StageId::Cull, round: 2, groups: Groups::Direct(2 * N_PAIRS) };
    compare(&gpu, &command, &rounds, &world.meshes, &mut memory);
    assert!(memory.items.iter().any(|item| item.side > 65_535));
}

/// So near the box's face two crossings have the same place along the ray.
/// More boxes than the lists of those that go down a mesh's levels hold, a few of them wanted, or all.
#[test]
#[cfg_attr(not(software_vulkan), ignore = "no software Vulkan driver is installed")]
fn large_meshes_are_gone_down_level_by_level() {
    const SIDE: u32 = 200;
    let gpu = world::open(Options::default());
    let one = |ix: u32| {
        let [x, y] = [ix % SIDE, ix / SIDE].map(|x| x as f32);
        Cluster { lo: [x, y, 0.0], shell: shell::SAME, hi: [x + 1.0, y + 1.0, 1.0], pad: 0.0 }
    };
    let n = SIDE * SIDE;
    let clusters = with_levels(&(0..n).map(one).collect::<Vec<_>>());
    let meshes = Meshes { triangles: Vec::new(), clusters };
    let place = MeshPlace { first: 0, n, boxes: 0 };
    for (size, n_wanted) in [(0.5, 1), (2.5, 9), (50.5, 51 * 51), (199.5, n as usize)] {
        let identity = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];
        let frame = PairFrame {
            frame_from_a: identity,
            frame_from_b: identity,
            lo: [0.25; 3],
            hi: [0.25 + size, 0.25 + size, 0.75],
            scale: [1.0 / size, 1.0 / size, 2.0],
            reach: 1.0,
            ..PairFrame::default()
        };
        let pair = PairMeshes::of([place, MeshPlace { n: 0, ..place }]);
        let mut memory = Memory::of_pairs(&[pair], &[frame], 0, 1);
        let rounds = Rounds::of(Method::Triangles, 1, 1);
        let command = Command { stage: StageId::Cull, round: 1, groups: Groups::Direct(2) };
        compare(&gpu, &command, &rounds, &meshes, &mut memory);
        assert_eq!(memory.counters[0] as usize, n_wanted);
    }
}

#[test]
#[cfg_attr(not(software_vulkan), ignore = "no software Vulkan driver is installed")]
fn intervals_without_length_leave_no_ends_behind() {
    let gpu = world::open(Options::default());
    let world = World::random(1, 4, 4);
    let rounds = Rounds::new(1, 32, 1);
    let mut memory = world.memory(&rounds, 1);
    let (body_b, entry) = (1, 2);
    for (k, (depth, bits)) in
        [(1e-9f32, entry), (2e-9, entry | body_b), (4e-9, 0), (8e-9, body_b)].into_iter().enumerate()
    {
        memory.lists[k] = (depth.to_bits() & !3) | bits;
    }
    memory.counts[0] = 4;
    let tail = schedule(1, &rounds, false).into_iter().skip_while(|command| command.stage != StageId::Sweep);
    for command in tail {
        compare(&gpu, &command, &rounds, &world.meshes, &mut memory);
    }
    assert_is_clean(&memory);
}
