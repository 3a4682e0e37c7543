//! Each stage on the device writes what its twin writes, bit for bit.

use crate::world::{self, World};
use tactum_gpu::Options;
use tactum_shaders::layout::LIST_CAP;
use tactum_shaders::{Buffer, Command, Memory, Rounds, STAGES, StageId, record, twin};

/// A list that threads filled in any order, in a fixed one.
fn sort_lists(memory: &mut Memory) {
    for (list, count) in memory.lists.chunks_exact_mut(LIST_CAP as usize).zip(&memory.counts) {
        let n = (count & 0xffff) as usize;
        if n <= list.len() {
            list[..n].sort_unstable();
        } else {
            // Which crossings found room depends on the order, and nobody reads them.
            list.fill(0);
        }
    }
}

/// Brings what threads append into a fixed order, where a stage appends.
fn normalise(stage: StageId, memory: &mut Memory) {
    match stage {
        StageId::Cull => {
            let n = memory.counters[0] as usize;
            memory.items[..n].sort_unstable();
        }
        StageId::Bin => {
            let n = memory.large.len().min(memory.counters[1] as usize);
            memory.large[..n].sort_unstable();
            sort_lists(memory);
        }
        StageId::BinLarge => sort_lists(memory),
        _ => {}
    }
}

fn assert_same(command: &Command, device: &Memory, twin: &Memory) {
    for buffer in Buffer::ALL {
        let (found, expected) = (device.bytes(buffer), twin.bytes(buffer));
        assert_eq!(found.len(), expected.len());
        if let Some(at) = found.iter().zip(expected).position(|(a, b)| a != b) {
            panic!("{} and its twin differ in {buffer:?} from byte {at}", command.stage.stage().name);
        }
    }
}

/// Runs the list with the twins, and before each step the device on the same memory.
fn compare_step_by_step(world: &World, rays: u32, large_cap: u32) {
    let gpu = world::open(Options::default());
    let n_pairs = world.pairs.len() as u32;
    let rounds = Rounds::new(n_pairs, rays, large_cap);
    let mut memory = world.memory(&rounds, large_cap);
    let mut seen = Vec::new();
    for command in record(n_pairs, &rounds, true) {
        let mut device = memory.clone();
        gpu.run_command(&command, &rounds, &world.meshes, &mut device).unwrap();
        twin::step(&command, &rounds, &world.meshes, &mut memory);
        let mut expected = memory.clone();
        normalise(command.stage, &mut device);
        normalise(command.stage, &mut expected);
        assert_same(&command, &device, &expected);
        seen.push(command.stage);
    }
    for ix in 0..STAGES.len() {
        assert!(seen.iter().any(|&stage| stage as usize == ix), "{} never ran", STAGES[ix].name);
    }
    assert!(memory.blocks.iter().filter(|block| block.volume > 0.0).count() * 2 > world.pairs.len());
}

#[test]
#[cfg_attr(not(software_vulkan), ignore = "no software Vulkan driver is installed")]
fn every_stage_equals_its_twin_bit_for_bit() {
    compare_step_by_step(&World::random(40, 16, 1), 32, 1 << 16);
}

#[test]
#[cfg_attr(not(software_vulkan), ignore = "no software Vulkan driver is installed")]
fn every_stage_equals_its_twin_where_rays_are_many() {
    compare_step_by_step(&World::random(10, 20, 2), 128, 1 << 16);
}
