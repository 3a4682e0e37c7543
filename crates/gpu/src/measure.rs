//! Measuring pairs: chunks of them, all in one submission.

use std::time::Instant;

use bytemuck::{cast_slice, pod_read_unaligned};
use tactum_shaders::rays::layout::{ContactBlock, PairFrame, PairMeshes, counter};
use tactum_shaders::rays::{Buffer, Capacity, Command, Method, Rounds, n_boxes, needs_axes, schedule_of};

use crate::chunk::{Bounds, Chunk, plan};
use crate::command;
use crate::error::{Fault, MeasureError};
use crate::timing::{Report, Timestamps};
use crate::{Gpu, HARDWARE_SCRATCH, RAYS, SOFTWARE_SCRATCH};

/// Where [`Buffer::Counters`] has the most large items that any round wanted, in bytes.
const LARGE_WANTED: u64 = 4 * counter::LARGE_WANTED as u64;

/// Pairs that share a submission, with what is to be done to them.
struct Batch<'a> {
    chunks: &'a [Chunk],
    pairs: &'a [PairMeshes],
    frames: &'a [PairFrame],
    commands: Vec<Vec<Command>>,
}

impl Gpu {
    /// Measures pairs: block `i` says what pair `i` has in common, where `frames[i]` places its two bodies.
    ///
    /// By rays, given by their number a side along the contact normal, half as many run along the other two axes; or by triangles, in
    /// the frames' axes. Neither the order of the pairs nor their number changes a block. After an error `blocks` is empty.
    pub fn measure(
        &mut self,
        pairs: &[PairMeshes],
        frames: &[PairFrame],
        method: impl Into<Method>,
        blocks: &mut Vec<ContactBlock>,
    ) -> Result<(), MeasureError> {
        let method = method.into();
        blocks.clear();
        self.report = Report::default();
        self.check(pairs, frames, method)?;
        let mut max_pairs = usize::MAX;
        loop {
            blocks.clear();
            let began = Instant::now();
            let chunks = self.plan(pairs, method, max_pairs)?;
            self.report.n_chunks = chunks.len();
            self.report.encode += began.elapsed();
            let most_wanted = match self.run_all(&chunks, pairs, frames, method, blocks) {
                Ok(most_wanted) => most_wanted,
                Err(fault) => {
                    blocks.clear();
                    self.reset();
                    return Err(fault.into());
                }
            };
            if most_wanted <= self.large_cap {
                return Ok(());
            }
            max_pairs = self.make_room(most_wanted, &chunks, max_pairs);
            self.report.n_redone += 1;
        }
    }

    /// Submits all chunks, and says how many places for large triangles any of them wanted. If there were fewer, the
    /// blocks are void.
    fn run_all(
        &mut self,
        chunks: &[Chunk],
        pairs: &[PairMeshes],
        frames: &[PairFrame],
        method: Method,
        blocks: &mut Vec<ContactBlock>,
    ) -> Result<u32, Fault> {
        let mut most_wanted = 0;
        for chunks in self.submissions(chunks) {
            let range = chunks[0].pairs.start..chunks[chunks.len() - 1].pairs.end;
            let batch = self.batch(chunks, &pairs[range.clone()], &frames[range], method);
            most_wanted = most_wanted.max(self.run(&batch, method, blocks)?);
        }
        for (stage, time) in &self.report.stages {
            self.stage_times.add(*stage, *time);
        }
        Ok(most_wanted)
    }

    /// Adds places for large triangles; where a binding cannot hold as many, chunks become smaller. Returns how many pairs
    /// a chunk may have from now on.
    fn make_room(&mut self, wanted: u32, chunks: &[Chunk], max_pairs: usize) -> usize {
        let enough = wanted.checked_next_power_of_two().unwrap_or(wanted);
        let bytes = Capacity { large_cap: enough, ..Capacity::default() }.bytes(Buffer::Large);
        let largest = chunks.iter().map(|chunk| chunk.pairs.len()).max().unwrap_or(1);
        if bytes > self.device.max_binding() && largest > 1 {
            return largest.div_ceil(2).min(max_pairs);
        }
        // A single pair for which no binding is large enough is refused when it is planned.
        self.large_cap = enough;
        max_pairs
    }

    fn check(&self, pairs: &[PairMeshes], frames: &[PairFrame], method: Method) -> Result<(), MeasureError> {
        if pairs.len() != frames.len() {
            return Err(MeasureError::Mismatch { n_pairs: pairs.len(), n_frames: frames.len() });
        }
        if let Method::Rays(rays) = method
            && (!rays.is_power_of_two() || !RAYS.contains(&rays))
        {
            return Err(MeasureError::Rays { rays });
        }
        let n_clusters = self.meshes.triangles.len() as u32;
        for (ix, pair) in pairs.iter().enumerate() {
            for body in 0..2 {
                let end = u64::from(pair.first[body]) + u64::from(pair.n[body]);
                if end > n_clusters.into() {
                    return Err(MeasureError::UnknownCluster { pair: ix, end, n_clusters });
                }
                let held = self.meshes.clusters.len();
                let end = u64::from(pair.boxes[body]) + u64::from(n_boxes(pair.n[body]));
                if end > held as u64 {
                    return Err(MeasureError::UnknownBox { pair: ix, end, n_boxes: held });
                }
            }
        }
        Ok(())
    }

    fn plan(
        &self,
        pairs: &[PairMeshes],
        method: Method,
        max_pairs: usize,
    ) -> Result<Vec<Chunk>, MeasureError> {
        let default = if self.adapter().is_software() { SOFTWARE_SCRATCH } else { HARDWARE_SCRATCH };
        let bounds = Bounds {
            max_binding: self.device.max_binding(),
            max_scratch: self.options.max_scratch.unwrap_or(default),
            max_pairs,
        };
        let n_tiles = Rounds::of(method, 1, self.large_cap).n_tiles();
        let empty = Capacity { n_pairs: 0, n_tiles, n_items: 0, large_cap: self.large_cap };
        plan(pairs, &empty, &bounds)
    }

    /// Chunks by submission: one takes as many as a readback buffer has room for.
    fn submissions<'a>(&self, chunks: &'a [Chunk]) -> Vec<&'a [Chunk]> {
        let max_pairs = self.device.handle.limits().max_buffer_size as usize
            / (size_of::<ContactBlock>() + size_of::<u32>());
        let mut first_pair = 0;
        chunks
            .chunk_by(|_, next| {
                let fits = next.pairs.end - first_pair <= max_pairs;
                if !fits {
                    first_pair = next.pairs.start;
                }
                fits
            })
            .collect()
    }

    fn batch<'a>(
        &self,
        chunks: &'a [Chunk],
        pairs: &'a [PairMeshes],
        frames: &'a [PairFrame],
        method: Method,
    ) -> Batch<'a> {
        let first = chunks[0].pairs.start;
        let commands = chunks
            .iter()
            .map(|chunk| {
                let frames = &frames[chunk.pairs.start - first..chunk.pairs.end - first];
                let n_pairs = chunk.capacity.n_pairs;
                schedule_of(method, n_pairs, &self.rounds(n_pairs, method), needs_axes(frames))
            })
            .collect();
        Batch { chunks, pairs, frames, commands }
    }

    fn rounds(&self, n_pairs: u32, method: Method) -> Rounds {
        Rounds::of(method, n_pairs, self.large_cap)
    }

    /// Submits a batch and appends its blocks. Returns the most places for large triangles that a chunk wanted.
    fn run(
        &mut self,
        batch: &Batch<'_>,
        method: Method,
        blocks: &mut Vec<ContactBlock>,
    ) -> Result<u32, Fault> {
        let began = Instant::now();
        self.prepare(batch, method);
        let n_block_bytes = batch.pairs.len() * size_of::<ContactBlock>();
        let n_bytes = n_block_bytes + batch.chunks.len() * size_of::<u32>();
        let readback = self.readback.reserve(&self.device, n_bytes as u64);
        let n_commands = batch.commands.iter().map(Vec::len).sum();
        let mut timestamps = self.is_timing.then(|| Timestamps::new(&self.device, n_commands));
        let mut encoder =
            self.device.handle.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        for ix in 0..batch.chunks.len() {
            self.encode(&mut encoder, batch, ix, &readback, timestamps.as_mut());
        }
        if let Some(timestamps) = &timestamps {
            timestamps.resolve(&mut encoder);
        }
        encoder.map_buffer_on_submit(&readback, wgpu::MapMode::Read, ..n_bytes as u64, |_| {});
        let commands = encoder.finish();
        self.device.check()?;
        self.report.encode += began.elapsed();
        let began = Instant::now();
        let submission = self.device.queue.submit([commands]);
        let mut most_wanted = 0;
        let limit = self.wait_limit(batch.chunks.len());
        self.device.read_mapped(&readback, n_bytes as u64, submission, limit, |bytes| {
            let (block_bytes, wanted) = bytes.split_at(n_block_bytes);
            blocks.extend_from_slice(cast_slice(block_bytes));
            most_wanted = wanted.chunks_exact(4).map(pod_read_unaligned).max().unwrap_or(0);
        })?;
        self.report.wait += began.elapsed();
        self.report.n_submissions += 1;
        self.report.bytes_down += n_bytes as u64;
        if let Some(timestamps) = &timestamps {
            timestamps.report(&self.device, &mut self.report);
        }
        Ok(most_wanted)
    }

    /// Makes room and writes what the host knows.
    fn prepare(&mut self, batch: &Batch<'_>, method: Method) {
        for buffer in Buffer::ALL {
            let bytes = batch.chunks.iter().map(|chunk| chunk.capacity.bytes(buffer)).max().unwrap_or(0);
            self.buffers.reserve(&self.device, buffer, bytes);
        }
        let rounds: Vec<_> = batch
            .chunks
            .iter()
            .flat_map(|chunk| self.rounds(chunk.capacity.n_pairs, method).rounds)
            .collect();
        self.buffers.write_rounds(&self.device, &rounds);
        self.buffers.bind(&self.device, &self.pipelines);
        let (pairs, frames): (&[u8], &[u8]) = (cast_slice(batch.pairs), cast_slice(batch.frames));
        let input = self.input.reserve(&self.device, (pairs.len() + frames.len()) as u64);
        self.device.queue.write_buffer(&input, 0, pairs);
        self.device.queue.write_buffer(&input, pairs.len() as u64, frames);
        self.report.bytes_up += (pairs.len() + frames.len() + size_of_val(rounds.as_slice())) as u64;
    }

    /// One chunk: its pairs go into the scratch memory, its blocks and how many large items it wanted out of it.
    fn encode(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        batch: &Batch<'_>,
        ix: usize,
        readback: &wgpu::Buffer,
        timestamps: Option<&mut Timestamps>,
    ) {
        let chunk = &batch.chunks[ix];
        let first = (chunk.pairs.start - batch.chunks[0].pairs.start) as u64;
        let [pair, frame, block] =
            [size_of::<PairMeshes>(), size_of::<PairFrame>(), size_of::<ContactBlock>()]
                .map(|bytes| bytes as u64);
        let n = chunk.pairs.len() as u64;
        let input = self.input.reserve(&self.device, 0);
        let frames_at = batch.pairs.len() as u64 * pair;
        encoder.copy_buffer_to_buffer(&input, first * pair, self.buffers.get(Buffer::Pairs), 0, n * pair);
        let frames = self.buffers.get(Buffer::Frames);
        encoder.copy_buffer_to_buffer(&input, frames_at + first * frame, frames, 0, n * frame);
        let counters = self.buffers.get(Buffer::Counters);
        encoder.clear_buffer(counters, LARGE_WANTED, Some(4));
        self.encode_commands(encoder, &batch.commands[ix], Rounds::N * ix, timestamps);
        encoder.copy_buffer_to_buffer(
            self.buffers.get(Buffer::Blocks),
            0,
            readback,
            first * block,
            n * block,
        );
        let wanted_at = batch.pairs.len() as u64 * block + 4 * ix as u64;
        encoder.copy_buffer_to_buffer(counters, LARGE_WANTED, readback, wanted_at, 4);
    }

    /// All commands in one pass, or where they are timed, a pass for each.
    fn encode_commands(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        commands: &[Command],
        first_round: usize,
        timestamps: Option<&mut Timestamps>,
    ) {
        let put = |pass: &mut wgpu::ComputePass<'_>, command: &Command| {
            command::encode(pass, &self.pipelines, &self.buffers, command, first_round + command.round);
        };
        let Some(timestamps) = timestamps else {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                label: Some("measure"),
                timestamp_writes: None,
            });
            for command in commands {
                put(&mut pass, command);
            }
            return;
        };
        for command in commands {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                label: Some(command.stage.stage().name),
                timestamp_writes: Some(timestamps.next(command.stage)),
            });
            put(&mut pass, command);
        }
    }

    /// Forgets scratch memory that a fault may have left half written.
    fn reset(&mut self) {
        self.buffers.reset_scratch(&self.device);
        self.input.reset();
        self.readback.reset();
    }
}
