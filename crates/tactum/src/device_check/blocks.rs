//! Whole measurements: against the twins', and the same bits in any order and division.

use tactum_gpu::{Gpu, Options};
use tactum_shaders::rays::compare::compare;
use tactum_shaders::rays::layout::ContactBlock;
use tactum_shaders::rays::{Command, Groups, Memory, Method, StageId};

use super::cases::Batch;
use super::{Check, CheckError, Context, Figure};
use crate::backend::StageRunner;
use crate::random::Random;

/// Rays a side.
const RAYS: u32 = 64;

/// Largest difference on hardware, as a part of the largest of its kind: a ray at the rim that one finds and the other
/// does not is one in the 4,096 of a direction.
const NUMBERS: f64 = 1e-3;

/// Scratch memory for a few pairs only.
const LITTLE_SCRATCH: u64 = 3 << 19;

pub fn check(context: &Context<'_>) -> Result<Vec<Check>, CheckError> {
    let mut checks = check_method(context, Method::Rays(RAYS), context.some(200))?;
    for check in check_method(context, Method::Triangles, context.some(40))? {
        checks.push(Check { name: format!("by triangles: {}", check.name), ..check });
    }
    Ok(checks)
}

fn check_method(context: &Context<'_>, method: Method, n: usize) -> Result<Vec<Check>, CheckError> {
    let batch = Batch::new(&context.shapes.pairs(n, 4));
    let mut gpu = upload(context.gpu()?, &batch)?;
    let found = measure(&mut gpu, &batch, method)?;
    let mut twins = StageRunner::twins();
    twins.upload_packed(&batch.meshes)?;
    let expected = twins.measure(&batch.pairs, &batch.frames, method)?;
    let mut checks = vec![against_twins(context, &found, &expected)];
    let mut same = |name: &str, blocks: &[ContactBlock]| {
        let cases = (found.len() as u64, "pairs");
        checks.push(Check::new(name, cases, Figure::faults(n_different(blocks, &found))));
    };
    same("same bits the second time", &measure(&mut gpu, &batch, method)?);
    let order = shuffled(batch.pairs.len());
    let blocks = measure(&mut gpu, &batch.ordered(&order), method)?;
    same("same bits in another order", &in_order(&blocks, &order));
    for (name, options) in [
        ("same bits in many chunks", Options { max_scratch: Some(LITTLE_SCRATCH), ..Options::default() }),
        ("same bits without room for large triangles", Options { large_cap: 1, ..Options::default() }),
    ] {
        let mut gpu = upload(context.open(options)?, &batch)?;
        same(name, &measure(&mut gpu, &batch, method)?);
    }
    Ok(checks)
}

fn upload(mut gpu: Gpu, batch: &Batch) -> Result<Gpu, CheckError> {
    gpu.upload_packed(&batch.meshes)?;
    Ok(gpu)
}

fn measure(gpu: &mut Gpu, batch: &Batch, method: Method) -> Result<Vec<ContactBlock>, CheckError> {
    let mut blocks = Vec::new();
    gpu.measure(&batch.pairs, &batch.frames, method, &mut blocks)?;
    Ok(blocks)
}

fn n_different(found: &[ContactBlock], expected: &[ContactBlock]) -> usize {
    let differ = |(a, b): &(&ContactBlock, &ContactBlock)| bytemuck::bytes_of(*a) != bytemuck::bytes_of(*b);
    found.iter().zip(expected).filter(differ).count() + found.len().abs_diff(expected.len())
}

fn against_twins(context: &Context<'_>, found: &[ContactBlock], expected: &[ContactBlock]) -> Check {
    let name = "measurements against the twins'";
    let cases = (expected.len() as u64, "pairs");
    if context.adapter.is_software() {
        let worst = n_different(found, expected) as f64;
        return Check::new(name, cases, Figure { worst, limit: 0.0, unit: "pairs differ" });
    }
    // One pair at a time: their sizes are too different for a common measure.
    let holding = |block: &ContactBlock| Memory { blocks: vec![*block], ..Memory::default() };
    let command = Command { stage: StageId::Assemble, round: 3, groups: Groups::Direct(1) };
    let worst = found
        .iter()
        .zip(expected)
        .flat_map(|(a, b)| compare(&command, &holding(a), &holding(b)))
        .fold(0.0, |worst: f64, difference| worst.max(difference.numbers));
    Check::new(name, cases, Figure { worst, limit: NUMBERS, unit: "of the largest" })
}

fn shuffled(n: usize) -> Vec<usize> {
    let mut random = Random::new(5);
    let mut keyed: Vec<(f64, usize)> = (0..n).map(|ix| (random.unit(), ix)).collect();
    keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
    keyed.into_iter().map(|(_, ix)| ix).collect()
}

/// Blocks of shuffled pairs, back in the pairs' own order.
fn in_order(blocks: &[ContactBlock], order: &[usize]) -> Vec<ContactBlock> {
    let mut sorted = vec![ContactBlock::empty(); blocks.len()];
    for (block, &ix) in blocks.iter().zip(order) {
        sorted[ix] = *block;
    }
    sorted
}
