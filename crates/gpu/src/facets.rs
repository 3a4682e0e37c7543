//! Touches of facets: bodies' facets stay on the device, pairs go up, a block for each comes back.

use std::ops::Range;

use bytemuck::{bytes_of, cast_slice, pod_collect_to_vec};
use tactum_shaders::facets::layout::{
    Candidate, Facet, FacetBlock, FacetPair, FacetPolygon, FacetRound, FacetTouch, GROUP, MAX_PARTNERS,
};
use tactum_shaders::facets::{Buffer, Memory, STAGES, Stage};
use tactum_shaders::{Access, Groups};

use crate::Gpu;
use crate::buffers::{MIN_BYTES, Transfer, grown};
use crate::device::Device;
use crate::error::{FacetError, Fault, OpenError, UploadError};
use crate::pipeline::{self, Pipeline};

/// Places for candidates to begin with: some hundred pairs of bodies that rest on each other.
const FIRST_CAP: u32 = 1 << 14;

/// What became of pairs of bodies.
#[derive(Clone, Debug, Default)]
pub struct FacetAnswers {
    /// The sums, a block for each pair.
    pub blocks: Vec<FacetBlock>,
    /// If facets are wanted: all candidates, by pair, then by A's facet, then by B's.
    pub candidates: Vec<Candidate>,
    /// The touch of each candidate.
    pub touches: Vec<FacetTouch>,
    /// The polygon of each candidate.
    pub polygons: Vec<FacetPolygon>,
}

/// The facet stages made ready for a device, with its buffers.
pub struct FacetStages {
    pipelines: Vec<Pipeline>,
    buffers: FacetBuffers,
    readback: Transfer,
    /// Facets and boxes on the device by now.
    n_facets: usize,
    /// Places for candidates by now.
    cap: u32,
}

struct FacetBuffers {
    storage: Vec<wgpu::Buffer>,
    round: wgpu::Buffer,
    groups: Vec<wgpu::BindGroup>,
    limit: u64,
}

impl FacetBuffers {
    fn new(device: &Device) -> Self {
        Self {
            storage: Buffer::ALL.iter().map(|&buffer| storage(device, buffer, MIN_BYTES)).collect(),
            round: device.handle.create_buffer(&wgpu::BufferDescriptor {
                label: Some("round of facets"),
                size: size_of::<FacetRound>() as u64,
                usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }),
            groups: Vec::new(),
            limit: device.max_binding(),
        }
    }

    fn get(&self, buffer: Buffer) -> &wgpu::Buffer {
        &self.storage[buffer as usize]
    }

    /// Makes a buffer at least `bytes` long. What it held is lost where it was too short.
    fn reserve(&mut self, device: &Device, buffer: Buffer, bytes: u64) {
        let old = self.get(buffer).size();
        if bytes > old {
            self.storage[buffer as usize] = storage(device, buffer, grown(old, bytes, self.limit));
            self.groups.clear();
        }
    }

    fn bind(&mut self, device: &Device, pipelines: &[Pipeline]) {
        if self.groups.is_empty() {
            self.groups =
                STAGES.iter().zip(pipelines).map(|(stage, at)| self.group(device, stage, at)).collect();
        }
    }

    fn group(&self, device: &Device, stage: &Stage, pipeline: &Pipeline) -> wgpu::BindGroup {
        let round = wgpu::BindGroupEntry { binding: 0, resource: self.round.as_entire_binding() };
        let storage = (1..).zip(stage.bindings).map(|(binding, entry)| wgpu::BindGroupEntry {
            binding,
            resource: self.get(entry.buffer).as_entire_binding(),
        });
        let entries: Vec<_> = std::iter::once(round).chain(storage).collect();
        device.handle.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(stage.name),
            layout: &pipeline.layout,
            entries: &entries,
        })
    }

    /// Records stages, by their places in [`STAGES`].
    fn encode(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        pipelines: &[Pipeline],
        stages: Range<usize>,
        round: &FacetRound,
    ) {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some("facets"),
            timestamp_writes: None,
        });
        for ix in stages {
            pass.set_pipeline(&pipelines[ix].pipeline);
            pass.set_bind_group(0, &self.groups[ix], &[0]);
            let [x, y, z] = Groups::fold((STAGES[ix].groups)(round));
            pass.dispatch_workgroups(x, y, z);
        }
    }
}

fn storage(device: &Device, buffer: Buffer, bytes: u64) -> wgpu::Buffer {
    let label = format!("{buffer:?}");
    device.handle.create_buffer(&wgpu::BufferDescriptor {
        label: Some(&label),
        size: bytes,
        usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}

impl Gpu {
    /// Adds a body's facets, which stay on the device; those that are no caps are [`Facet::default`]. Returns the place of the
    /// first.
    pub fn upload_facets(&mut self, facets: &[Facet]) -> Result<u32, UploadError> {
        let needed =
            (self.facets.facets.len() + facets.len()).next_multiple_of(GROUP as usize) * size_of::<Facet>();
        let limit = self.device.max_binding();
        if needed as u64 > limit {
            return Err(UploadError::Full { needed: needed as u64, limit });
        }
        Ok(self.facets.add_body(facets))
    }

    /// Says how pairs of bodies touch: block `i` is that of pair `i`, whatever [`FacetPair::first_group`] it has. With
    /// `with_facets`, candidates, touches and polygons come back too.
    ///
    /// Neither the order of the pairs nor their number changes a block, but for [`FacetBlock::n_wanted`]. After an error `answers` is empty.
    ///
    /// # Errors
    /// See [`FacetError`]. Stages are compiled by the first call.
    pub fn touch_facets(
        &mut self,
        pairs: &[FacetPair],
        with_facets: bool,
        answers: &mut FacetAnswers,
    ) -> Result<(), FacetError> {
        *answers = FacetAnswers::default();
        self.check_facet_pairs(pairs)?;
        let mut stages = match self.facet_stages.take() {
            Some(stages) => stages,
            None => FacetStages::new(&self.device)?,
        };
        let outcome = stages.answer_all(self, pairs, 0, with_facets, answers);
        match outcome {
            Ok(()) => self.facet_stages = Some(stages),
            // Buffers that a fault may have left half written go with the stages.
            Err(_) => *answers = FacetAnswers::default(),
        }
        outcome
    }

    fn check_facet_pairs(&self, pairs: &[FacetPair]) -> Result<(), FacetError> {
        let n_facets = self.facets.facets.len() as u64;
        for (ix, pair) in pairs.iter().enumerate() {
            for body in 0..2 {
                let end = u64::from(pair.first[body]) + u64::from(pair.n[body]);
                if end > n_facets || !pair.first[body].is_multiple_of(GROUP) {
                    return Err(FacetError::UnknownFacet { pair: ix, end, n_facets });
                }
            }
            if pair.n[1] > MAX_PARTNERS {
                return Err(FacetError::TooManyPartners { pair: ix, n: pair.n[1], limit: MAX_PARTNERS });
            }
        }
        Ok(())
    }

    /// Runs one stage on memory from the host: uploads what it binds, runs it, and reads back what it wrote. So a stage can be
    /// compared with its twin; facets that were uploaded before play no part.
    pub fn run_facet_stage(
        &mut self,
        stage: usize,
        round: &FacetRound,
        memory: &mut Memory,
    ) -> Result<(), FacetError> {
        let mut stages = FacetStages::new(&self.device)?;
        for binding in STAGES[stage].bindings {
            stages.write(&self.device, binding.buffer, memory.bytes(binding.buffer));
        }
        let written: Vec<Part> = STAGES[stage]
            .bindings
            .iter()
            .filter(|binding| binding.access == Access::Write)
            .map(|binding| (binding.buffer, 0, memory.bytes(binding.buffer).len() as u64))
            .collect();
        let found = stages.run(self, stage..stage + 1, round, &written)?;
        let mut rest = found.as_slice();
        for (buffer, _, n) in written {
            let (bytes, others) = rest.split_at(n as usize);
            memory.bytes_mut(buffer).copy_from_slice(bytes);
            rest = others;
        }
        Ok(())
    }
}

/// Bytes of a buffer to read back: where they begin, and how many there are.
type Part = (Buffer, u64, u64);

impl FacetStages {
    fn new(device: &Device) -> Result<Self, OpenError> {
        Ok(Self {
            pipelines: pipeline::build_facets(device)?,
            buffers: FacetBuffers::new(device),
            readback: Transfer::readback("facets"),
            n_facets: 0,
            cap: FIRST_CAP,
        })
    }

    fn write(&mut self, device: &Device, buffer: Buffer, bytes: &[u8]) {
        self.buffers.reserve(device, buffer, bytes.len() as u64);
        device.queue.write_buffer(self.buffers.get(buffer), 0, bytes);
    }

    /// Answers pairs, in two halves where a binding is too small for all of them. `first` is the place of the first among all.
    fn answer_all(
        &mut self,
        gpu: &Gpu,
        pairs: &[FacetPair],
        first: u32,
        with_facets: bool,
        answers: &mut FacetAnswers,
    ) -> Result<(), FacetError> {
        if pairs.is_empty() {
            return Ok(());
        }
        match self.answer(gpu, pairs, first, with_facets, answers) {
            Err(FacetError::PairTooLarge { .. }) if pairs.len() > 1 => {
                let (front, back) = pairs.split_at(pairs.len() / 2);
                self.answer_all(gpu, front, first, with_facets, answers)?;
                self.answer_all(gpu, back, first + front.len() as u32, with_facets, answers)
            }
            outcome => outcome,
        }
    }

    fn answer(
        &mut self,
        gpu: &Gpu,
        pairs: &[FacetPair],
        first: u32,
        with_facets: bool,
        answers: &mut FacetAnswers,
    ) -> Result<(), FacetError> {
        let mut numbered = Vec::with_capacity(pairs.len());
        let mut n_groups = 0_u64;
        for pair in pairs {
            numbered.push(FacetPair { first_group: n_groups as u32, ..*pair });
            n_groups += u64::from(pair.n_groups());
        }
        self.keep_facets(gpu);
        loop {
            let round = FacetRound {
                n_pairs: pairs.len() as u32,
                n_groups: n_groups as u32,
                cap: self.cap,
                with_polygons: with_facets.into(),
            };
            self.make_room(&gpu.device, n_groups, &round, first)?;
            self.write(&gpu.device, Buffer::Pairs, cast_slice(&numbered));
            let n_blocks = (pairs.len() * size_of::<FacetBlock>()) as u64;
            let parts = [(Buffer::Starts, 4 * n_groups, 4), (Buffer::Blocks, 0, n_blocks)];
            let found = self.run(gpu, 0..STAGES.len(), &round, &parts)?;
            let (wanted, blocks) = found.split_at(4);
            let n_wanted = pod_collect_to_vec::<u8, u32>(wanted)[0];
            if n_wanted > self.cap {
                // Some to spare where a binding has room for it. Saturated counts are refused for their size when room is made.
                let most = gpu.device.max_binding() / size_of::<FacetPolygon>() as u64;
                let spare = n_wanted.checked_next_power_of_two().unwrap_or(n_wanted);
                self.cap = n_wanted.max(spare.min(u32::try_from(most).unwrap_or(u32::MAX)));
                continue;
            }
            answers.blocks.extend(pod_collect_to_vec::<u8, FacetBlock>(blocks));
            if with_facets && n_wanted > 0 {
                self.read_facets(gpu, &round, n_wanted, first, answers)?;
            }
            return Ok(());
        }
    }

    /// Candidates, touches and polygons, which lie in their buffers since the last run.
    fn read_facets(
        &mut self,
        gpu: &Gpu,
        round: &FacetRound,
        n: u32,
        first: u32,
        answers: &mut FacetAnswers,
    ) -> Result<(), FacetError> {
        let [candidates, touches, polygons] =
            [size_of::<Candidate>(), size_of::<FacetTouch>(), size_of::<FacetPolygon>()]
                .map(|bytes| n as usize * bytes);
        let parts =
            [(Buffer::Candidates, candidates), (Buffer::Touches, touches), (Buffer::Polygons, polygons)];
        let found = self.run(gpu, 0..0, round, &parts.map(|(buffer, bytes)| (buffer, 0, bytes as u64)))?;
        let (head, rest) = found.split_at(candidates);
        let (middle, tail) = rest.split_at(touches);
        let of_all = |one: Candidate| Candidate { pair: one.pair.saturating_add(first), ..one };
        answers.candidates.extend(pod_collect_to_vec::<u8, Candidate>(head).into_iter().map(of_all));
        answers.touches.extend(pod_collect_to_vec::<u8, FacetTouch>(middle));
        answers.polygons.extend(pod_collect_to_vec::<u8, FacetPolygon>(tail));
        Ok(())
    }

    /// Brings the facets on the device up to those that were uploaded.
    fn keep_facets(&mut self, gpu: &Gpu) {
        if self.n_facets < gpu.facets.facets.len() {
            self.write(&gpu.device, Buffer::Facets, gpu.facets.bytes(Buffer::Facets));
            self.write(&gpu.device, Buffer::Boxes, gpu.facets.bytes(Buffer::Boxes));
            self.n_facets = gpu.facets.facets.len();
        }
    }

    fn make_room(
        &mut self,
        device: &Device,
        n_groups: u64,
        round: &FacetRound,
        pair: u32,
    ) -> Result<(), FacetError> {
        let (n_pairs, cap) = (u64::from(round.n_pairs), u64::from(round.cap));
        let of = |n: u64, bytes: usize| n * bytes as u64;
        let polygons = if round.with_polygons == 0 { 0 } else { cap };
        for (buffer, needed) in [
            (Buffer::Pairs, of(n_pairs, size_of::<FacetPair>())),
            (Buffer::Blocks, of(n_pairs, size_of::<FacetBlock>())),
            (Buffer::Counts, of(n_groups * u64::from(GROUP), 4)),
            (Buffer::Starts, of(n_groups + 1, 4)),
            (Buffer::Candidates, of(cap, size_of::<Candidate>())),
            (Buffer::Touches, of(cap, size_of::<FacetTouch>())),
            (Buffer::Polygons, of(polygons, size_of::<FacetPolygon>())),
        ] {
            let limit = device.max_binding();
            if needed > limit {
                self.cap = FIRST_CAP;
                return Err(FacetError::PairTooLarge { pair, buffer, needed, limit });
            }
            self.buffers.reserve(device, buffer, needed);
        }
        Ok(())
    }

    /// Runs stages, by their places in [`STAGES`], and reads back parts of buffers, one behind the other.
    fn run(
        &mut self,
        gpu: &Gpu,
        stages: Range<usize>,
        round: &FacetRound,
        parts: &[Part],
    ) -> Result<Vec<u8>, Fault> {
        let device = &gpu.device;
        device.queue.write_buffer(&self.buffers.round, 0, bytes_of(round));
        self.buffers.bind(device, &self.pipelines);
        device.check()?;
        let total = parts.iter().map(|part| part.2).sum();
        let readback = self.readback.reserve(device, total);
        let mut encoder = device.handle.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        if !stages.is_empty() {
            self.buffers.encode(&mut encoder, &self.pipelines, stages, round);
        }
        let mut at = 0;
        for &(buffer, start, n) in parts {
            encoder.copy_buffer_to_buffer(self.buffers.get(buffer), start, &readback, at, n);
            at += n;
        }
        encoder.map_buffer_on_submit(&readback, wgpu::MapMode::Read, ..total, |_| {});
        let commands = encoder.finish();
        device.check()?;
        let submission = device.queue.submit([commands]);
        device.read_mapped(&readback, total, submission, gpu.wait_limit(1), <[u8]>::to_vec)
    }
}
