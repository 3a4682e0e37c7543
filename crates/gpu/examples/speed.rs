//! How long measurements take on this machine: `cargo run --release -p tactum-gpu --example speed [ADAPTER]`.

#[path = "../tests/device/world.rs"]
#[allow(dead_code, reason = "shared with the tests")]
mod world;

use std::time::{Duration, Instant};

use glam::{Mat3, Vec3};
use tactum_gpu::{Gpu, Options};
use tactum_shaders::rays::{Rounds, schedule, twin};
use world::{Random, World};

const RAYS: u32 = 32;
const RUNS: usize = 11;

/// Pairs of blobs of `8 k²` triangles that overlap by about `depth` of their radius.
fn pairs(n: usize, k: u32, depth: f32, aligned: bool) -> World {
    let mut world = World::default();
    let mesh = world.add_mesh(world::blob(k));
    let mut random = Random(1);
    for _ in 0..n {
        let turns = [random.rotation(), random.rotation()];
        let shift = (random.vector() + Vec3::splat(1e-3)).normalize() * (2.0 - depth);
        world.add_pair([mesh; 2], turns, shift, aligned);
    }
    world
}

/// The same mesh moved so far that only its bumps reach into the other.
fn shallow(k: u32) -> World {
    let mut world = World::default();
    let mesh = world.add_mesh(world::blob(k));
    world.add_pair([mesh; 2], [Mat3::IDENTITY, Mat3::from_rotation_z(0.7)], Vec3::new(0.0, 0.0, 1.9), false);
    world
}

fn median(mut run: impl FnMut() -> Duration) -> Duration {
    let mut times: Vec<_> = (0..RUNS).map(|_| run()).collect();
    times.sort_unstable();
    times[RUNS / 2]
}

fn twin_time(world: &World) -> Duration {
    let n_pairs = world.pairs.len() as u32;
    let rounds = Rounds::new(n_pairs, RAYS, 1 << 16);
    let mut memory = world.memory(&rounds, 1 << 16);
    let began = Instant::now();
    let commands = schedule(n_pairs, &rounds, tactum_shaders::rays::needs_axes(&world.frames));
    twin::run(&commands, &rounds, &world.meshes, &mut memory);
    began.elapsed()
}

fn time(name: &str, world: &World, options: &Options) -> Result<(), Box<dyn std::error::Error>> {
    let mut gpu = Gpu::open(options.clone())?;
    world.upload(&mut gpu);
    let mut blocks = Vec::new();
    let mut measure = |gpu: &mut Gpu| {
        let began = Instant::now();
        let outcome = gpu.measure(&world.pairs, &world.frames, RAYS, &mut blocks);
        outcome.map(|()| began.elapsed())
    };
    let first = measure(&mut gpu)?;
    let wall = median(|| measure(&mut gpu).unwrap_or_default());
    let report = gpu.report().clone();
    println!(
        "{name}: {wall:.3?} (encode {:.3?}, wait {:.3?}; first {first:.2?}), {} chunks, {} up, {} down, twins {:.3?}",
        report.encode,
        report.wait,
        report.n_chunks,
        report.bytes_up,
        report.bytes_down,
        twin_time(world)
    );
    if gpu.time_stages(true) {
        measure(&mut gpu)?;
        let report = gpu.report();
        print!("    on the device {:.3?}:", report.device_time());
        for (stage, time) in &report.stages {
            print!(" {} {time:.0?}", stage.stage().name);
        }
        println!();
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let options = Options { adapter: std::env::args().nth(1), ..Options::default() };
    let began = Instant::now();
    let gpu = Gpu::open(options.clone())?;
    println!("{}: opened in {:.0?}", gpu.adapter(), began.elapsed());
    for n in [1, 10, 100] {
        time(&format!("{n} pairs of 968 triangles"), &pairs(n, 11, 0.3, false), &options)?;
        time(&format!("{n} pairs of 968 triangles, axes known"), &pairs(n, 11, 0.3, true), &options)?;
    }
    time("100 pairs of cubes of 8 triangles", &pairs(100, 1, 0.3, true), &options)?;
    time("2 meshes of 100,352 triangles", &shallow(112), &options)
}
