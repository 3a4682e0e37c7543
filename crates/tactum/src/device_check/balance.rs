//! Rays through whole bodies: whatever the rounding, each enters a closed surface as often as it leaves it.

use glam::DQuat;
use tactum_shaders::rays::layout::{LIST_CAP, sum};
use tactum_shaders::rays::{Command, Groups, Memory, Rounds, StageId};

use super::cases::{Batch, LARGE_CAP};
use super::{Check, CheckError, Context, Figure};
use crate::random::Random;

/// Rays that meet a body, to be looked at, on hardware and on software.
const HARDWARE_RAYS: u64 = 100_000_000;
const SOFTWARE_RAYS: u64 = 10_000_000;

/// Rays a side across the third axis.
const RAYS: u32 = 256;

/// Pairs at once: their lists take 100 MiB.
const PAIRS: usize = 16;

/// The round that casts all rays.
const ROUND: usize = 3;

/// Rays by what became of them.
#[derive(Debug, Default)]
struct Tally {
    met: u64,
    void: u64,
    unbalanced: usize,
    open: usize,
}

pub fn check(context: &Context<'_>) -> Result<Vec<Check>, CheckError> {
    let wanted = if context.adapter.is_software() { SOFTWARE_RAYS } else { HARDWARE_RAYS };
    let wanted = context.some(wanted as usize) as u64;
    let gpu = context.gpu()?;
    let mut random = Random::new(7);
    let mut tally = Tally::default();
    let mut seed = 8;
    while tally.met - tally.void < wanted {
        // Bodies that are parallel to the rays have edges on them.
        let turn = |ix: usize| if ix.is_multiple_of(4) { DQuat::IDENTITY } else { random.rotation() };
        let batch = Batch::whole(&context.shapes.pairs_of_one_size(PAIRS, seed), turn);
        cast(&gpu, &batch, &mut tally)?;
        seed += 1;
    }
    let cases = (tally.met - tally.void, "rays");
    Ok(vec![
        Check::new(
            "rays that leave a body more often than they enter",
            cases,
            Figure::faults(tally.unbalanced),
        ),
        Check::new("rays that end inside a body", cases, Figure::faults(tally.open)),
    ])
}

fn cast(gpu: &tactum_gpu::Gpu, batch: &Batch, tally: &mut Tally) -> Result<(), CheckError> {
    let n_pairs = batch.pairs.len() as u32;
    let rounds = Rounds::new(n_pairs, RAYS, LARGE_CAP);
    let command = |stage, groups| Command { stage, round: ROUND, groups };
    let crossings = [
        command(StageId::Cull, Groups::Direct(2 * n_pairs)),
        command(StageId::Dispatch, Groups::Direct(1)),
        command(StageId::Crossings, Groups::Items),
        command(StageId::Dispatch, Groups::Direct(1)),
        command(StageId::LargeCrossings, Groups::LargeItems),
    ];
    let sums = [
        command(StageId::Sweep, Groups::Direct(n_pairs * rounds.rounds[ROUND].n_tiles)),
        command(StageId::Reduce, Groups::Direct(3 * n_pairs)),
    ];
    let mut memory: Memory = batch.memory(&rounds, LARGE_CAP);
    gpu.run_commands(&crossings, &rounds, &batch.meshes, &mut memory)?;
    // The bodies have fewer tiles of large triangles than that: a device that counts more has lost some.
    tally.open += memory.large_wanted().saturating_sub(LARGE_CAP) as usize;
    for count in memory.counts.iter().map(|count| count & 0xffff) {
        tally.met += u64::from(count > 0);
        tally.void += u64::from(count > LIST_CAP);
    }
    gpu.run_commands(&sums, &rounds, &batch.meshes, &mut memory)?;
    for sums in &memory.sums {
        tally.unbalanced += sums.sums[sum::NEGATIVE] as usize;
        tally.open += sums.sums[sum::OPEN] as usize;
    }
    Ok(())
}
