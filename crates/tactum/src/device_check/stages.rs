//! Each stage against its twin: a measurement is carried out step by step by the twins, and each step also by the device,
//! from the same memory.

use tactum_gpu::Gpu;
use tactum_shaders::rays::compare::compare;
use tactum_shaders::rays::{Method, Rounds, STAGES, needs_axes, schedule_of, twin};

use super::cases::{Batch, LARGE_CAP};
use super::{Check, CheckError, Context, Figure};

/// Largest difference of numbers, as a part of the largest of their kind, on hardware: a stage is some hundred 32-bit
/// operations deep, each good to 6e-8.
const NUMBERS: f64 = 1e-5;

/// Part of whole numbers and of lists that may differ on hardware: a crossing is rounded to the other side of a ray, or of
/// the box, about once in 1e4 to 1e5.
const WHOLE: f64 = 1e-3;

/// Pairs that are measured by triangles, whose twins take longer.
const N_BY_TRIANGLES: usize = 24;

/// Comparisons of one stage.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    commands: u64,
    words: usize,
    numbers: f64,
    whole: f64,
}

impl Tally {
    /// A dispatch of the stage begins.
    pub fn begin(&mut self) {
        self.commands += 1;
    }

    /// A buffer differs by so many words, by so much in numbers, by such a part of the whole numbers.
    pub fn add(&mut self, words: usize, numbers: f64, whole: f64) {
        self.words += words;
        self.numbers = self.numbers.max(numbers);
        self.whole = self.whole.max(whole);
    }
}

pub fn check(context: &Context<'_>) -> Result<Vec<Check>, CheckError> {
    let gpu = context.gpu()?;
    let mut tallies = vec![Tally::default(); STAGES.len()];
    for (n, rays, seed) in [(48, 32, 1), (8, 128, 2), (24, 64, 3)] {
        let batch = Batch::new(&context.shapes.pairs_of_one_size(context.some(n).max(8), seed));
        compare_all(&gpu, &batch, Method::Rays(rays), &mut tallies)?;
    }
    let batch = Batch::new(&context.shapes.pairs_of_one_size(context.some(N_BY_TRIANGLES).max(4), 4));
    compare_all(&gpu, &batch, Method::Triangles, &mut tallies)?;
    Ok(lines(context, STAGES.iter().map(|stage| stage.name).zip(&tallies)))
}

fn compare_all(gpu: &Gpu, batch: &Batch, method: Method, tallies: &mut [Tally]) -> Result<(), CheckError> {
    let n_pairs = batch.pairs.len() as u32;
    let rounds = &Rounds::of(method, n_pairs, LARGE_CAP);
    let mut memory = batch.memory(rounds, LARGE_CAP);
    for command in schedule_of(method, n_pairs, rounds, needs_axes(&batch.frames)) {
        let mut device = memory.clone();
        gpu.run_command(&command, rounds, &batch.meshes, &mut device)?;
        twin::step(&command, rounds, &batch.meshes, &mut memory);
        let tally = &mut tallies[command.stage as usize];
        tally.begin();
        for found in compare(&command, &device, &memory) {
            tally.add(found.words, found.numbers, found.whole);
        }
    }
    Ok(())
}

/// The lines of stages by name.
pub fn lines<'a>(
    context: &Context<'_>,
    tallies: impl Iterator<Item = (&'static str, &'a Tally)>,
) -> Vec<Check> {
    let mut checks = Vec::new();
    for (stage, tally) in tallies {
        let mut line = |what: &str, worst, limit, unit| {
            let name = format!("stage {stage}{what}");
            checks.push(Check::new(name, (tally.commands, "dispatches"), Figure { worst, limit, unit }));
        };
        if context.adapter.is_software() {
            line("", tally.words as f64, 0.0, "words differ");
        } else {
            line(", numbers", tally.numbers, NUMBERS, "of the largest");
            line(", counts and lists", tally.whole, WHOLE, "of them differ");
        }
    }
    checks
}
