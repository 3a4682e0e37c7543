//! Touches of facets: bodies' facets stay on the device, pairs go up, a block for each comes back.

use bytemuck::{cast_slice, pod_collect_to_vec};
use tactum_shaders::facets::layout::{
    Candidate, Facet, FacetBlock, FacetPair, FacetPolygon, FacetRound, FacetTouch, GROUP, MAX_PARTNERS,
};
use tactum_shaders::facets::{Buffer, Memory, STAGES, Stage, StageId, TOUCH};
use tactum_shaders::fold_groups;

use crate::Gpu;
use crate::buffers::{MIN_BYTES, Rounds, Transfer, grown};
use crate::device::Device;
use crate::error::{FacetError, Fault, OpenError, UploadError};
use crate::pipeline::{self, Pipeline, ROUND_STRIDE};

/// What is wanted of pairs of bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FacetDetail {
    /// The sums over their facets.
    Sums,
    /// The touch of each candidate besides.
    Touches,
    /// The polygon of each as well.
    Polygons,
}

/// What became of pairs of bodies.
#[derive(Clone, Debug, Default)]
pub struct FacetAnswers {
    /// The sums, a block for each pair.
    pub blocks: Vec<FacetBlock>,
    /// If touches are wanted: all candidates, by pair, then by A's facet, then by B's.
    pub candidates: Vec<Candidate>,
    /// The touch of each candidate.
    pub touches: Vec<FacetTouch>,
    /// The polygon of each candidate, if polygons are wanted.
    pub polygons: Vec<FacetPolygon>,
    /// How often the list of candidates was too short, got longer, and all that was asked with it was done again.
    pub n_grown: u32,
}

/// The facet stages made ready for a device, with its buffers.
pub struct FacetStages {
    pub pipelines: Vec<Pipeline>,
    pub buffers: FacetBuffers,
    readback: Transfer,
    /// Facets and boxes on the device by now.
    n_facets: usize,
    /// Places for candidates by now.
    pub cap: u32,
    /// Places for candidates that the next stretch of sub-steps looks at.
    pub n_places: u32,
    /// Candidates whose touches come back at once with the sums: as many as there were lately.
    n_expected: u32,
}

/// The buffers of the facet stages, and the groups that bind them.
pub struct FacetBuffers {
    storage: Vec<wgpu::Buffer>,
    /// What the stages work on.
    rounds: Rounds,
    groups: Vec<wgpu::BindGroup>,
    limit: u64,
}

impl FacetBuffers {
    fn new(device: &Device) -> Self {
        Self {
            storage: Buffer::ALL.iter().map(|&buffer| storage(device, buffer, MIN_BYTES)).collect(),
            rounds: Rounds::new(device, "rounds of facets"),
            groups: Vec::new(),
            limit: device.max_binding(),
        }
    }

    pub fn get(&self, buffer: Buffer) -> &wgpu::Buffer {
        &self.storage[buffer as usize]
    }

    /// Makes a buffer at least `bytes` long. What it held is lost where it was too short.
    pub fn reserve(&mut self, device: &Device, buffer: Buffer, bytes: u64) {
        let old = self.get(buffer).size();
        if bytes > old {
            self.storage[buffer as usize] = storage(device, buffer, grown(old, bytes, self.limit));
            self.groups.clear();
        }
    }

    /// Uploads rounds, see [`Rounds::write`].
    pub fn write_rounds(&mut self, device: &Device, rounds: &[FacetRound]) {
        if self.rounds.write(device, rounds) {
            self.groups.clear();
        }
    }

    /// Makes the groups anew where a buffer has changed since.
    pub fn bind(&mut self, device: &Device, pipelines: &[Pipeline]) {
        if self.groups.is_empty() {
            let group = |(stage, pipeline): (&Stage, &Pipeline)| {
                let round = self.rounds.binding::<FacetRound>();
                pipeline.group(device, stage, round, |buffer| self.get(buffer))
            };
            self.groups = STAGES.iter().zip(pipelines).map(group).collect();
        }
    }

    /// Records stages, and for each the round of a number among those that were uploaded.
    pub fn encode(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        pipelines: &[Pipeline],
        steps: impl Iterator<Item = (StageId, u32)>,
        round: &FacetRound,
    ) {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some("facets"),
            timestamp_writes: None,
        });
        for (stage, number) in steps {
            pass.set_pipeline(&pipelines[stage as usize].pipeline);
            pass.set_bind_group(0, &self.groups[stage as usize], &[number * ROUND_STRIDE as u32]);
            let [x, y, z] = fold_groups(stage.n_groups(round));
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

    /// Says how pairs of bodies touch, in as much detail as is wanted: block `i` is that of pair `i`, whatever
    /// [`FacetPair::first_group`] it has.
    ///
    /// Neither the order of the pairs nor their number changes a block, but for [`FacetBlock::n_wanted`]. After an error `answers` is empty.
    ///
    /// # Errors
    /// See [`FacetError`]. Stages are compiled by the first call.
    pub fn touch_facets(
        &mut self,
        pairs: &[FacetPair],
        detail: FacetDetail,
        answers: &mut FacetAnswers,
    ) -> Result<(), FacetError> {
        *answers = FacetAnswers::default();
        self.check_facet_pairs(pairs)?;
        let mut stages = match self.facet_stages.take() {
            Some(stages) => stages,
            None => FacetStages::new(&self.device, self.options.facet_cap)?,
        };
        let outcome = stages.answer_all(self, pairs, 0, detail, answers);
        match outcome {
            Ok(()) => self.facet_stages = Some(stages),
            // Buffers that a fault may have left half written go with the stages.
            Err(_) => *answers = FacetAnswers::default(),
        }
        outcome
    }

    pub(crate) fn check_facet_pairs(&self, pairs: &[FacetPair]) -> Result<(), FacetError> {
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
        let mut stages = FacetStages::new(&self.device, self.options.facet_cap)?;
        for binding in STAGES[stage].bindings {
            stages.write(&self.device, binding.buffer, memory.bytes(binding.buffer));
        }
        let written: Vec<Part> =
            STAGES[stage].written().map(|buffer| (buffer, 0, memory.bytes(buffer).len() as u64)).collect();
        let found = stages.run(self, &[StageId::ALL[stage]], round, &written)?;
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
pub type Part = (Buffer, u64, u64);

/// What is read back of so many candidates.
fn parts_of(n: u32, detail: FacetDetail) -> impl Iterator<Item = Part> {
    let of = |buffer, size: usize| (buffer, 0, u64::from(n) * size as u64);
    let touches = (detail >= FacetDetail::Touches).then_some([
        of(Buffer::Candidates, size_of::<Candidate>()),
        of(Buffer::Touches, size_of::<FacetTouch>()),
    ]);
    let polygons =
        (detail >= FacetDetail::Polygons).then_some(of(Buffer::Polygons, size_of::<FacetPolygon>()));
    touches.into_iter().flatten().chain(polygons)
}

impl FacetAnswers {
    /// Takes over what was read back of `n_read` candidates, of which there are `n`; `first` is the place of the first pair among all.
    fn add(&mut self, bytes: &[u8], n_read: u32, n: u32, first: u32, detail: FacetDetail) {
        let mut rest = bytes;
        for (buffer, _, n_bytes) in parts_of(n_read, detail) {
            let (part, others) = rest.split_at(n_bytes as usize);
            rest = others;
            let part = &part[..part.len() / (n_read as usize).max(1) * n as usize];
            match buffer {
                Buffer::Candidates => {
                    let of_all = |one: Candidate| Candidate { pair: one.pair.saturating_add(first), ..one };
                    self.candidates.extend(pod_collect_to_vec::<u8, Candidate>(part).into_iter().map(of_all));
                }
                Buffer::Touches => self.touches.extend(pod_collect_to_vec::<u8, FacetTouch>(part)),
                _ => self.polygons.extend(pod_collect_to_vec::<u8, FacetPolygon>(part)),
            }
        }
    }
}

impl FacetStages {
    pub fn new(device: &Device, cap: u32) -> Result<Self, OpenError> {
        Ok(Self {
            pipelines: pipeline::build_facets(device)?,
            buffers: FacetBuffers::new(device),
            readback: Transfer::readback("facets"),
            n_facets: 0,
            cap,
            n_places: u32::MAX,
            n_expected: 0,
        })
    }

    pub fn write(&mut self, device: &Device, buffer: Buffer, bytes: &[u8]) {
        self.buffers.reserve(device, buffer, bytes.len() as u64);
        device.queue.write_buffer(self.buffers.get(buffer), 0, bytes);
    }

    /// Answers pairs, in two halves where a binding is too small for all of them. `first` is the place of the first among all.
    fn answer_all(
        &mut self,
        gpu: &Gpu,
        pairs: &[FacetPair],
        first: u32,
        detail: FacetDetail,
        answers: &mut FacetAnswers,
    ) -> Result<(), FacetError> {
        if pairs.is_empty() {
            return Ok(());
        }
        match self.answer(gpu, pairs, first, detail, answers) {
            Err(FacetError::PairTooLarge { .. }) if pairs.len() > 1 => {
                let (front, back) = pairs.split_at(pairs.len() / 2);
                self.answer_all(gpu, front, first, detail, answers)?;
                self.answer_all(gpu, back, first + front.len() as u32, detail, answers)
            }
            outcome => outcome,
        }
    }

    fn answer(
        &mut self,
        gpu: &Gpu,
        pairs: &[FacetPair],
        first: u32,
        detail: FacetDetail,
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
                with_polygons: (detail >= FacetDetail::Polygons).into(),
                ..FacetRound::default()
            };
            self.make_room(gpu, n_groups, &round, first)?;
            self.write(&gpu.device, Buffer::Pairs, cast_slice(&numbered));
            let n_blocks = (pairs.len() * size_of::<FacetBlock>()) as u64;
            // No more at once than a buffer for reading holds.
            let of_each: u64 = parts_of(1, FacetDetail::Polygons).map(|(_, _, bytes)| bytes).sum();
            let most = gpu.device.max_buffer().saturating_sub(n_blocks + 4) / of_each;
            let n_expected = self.n_expected.min(self.cap).min(u32::try_from(most).unwrap_or(u32::MAX));
            let mut parts = vec![(Buffer::Starts, 4 * n_groups, 4), (Buffer::Blocks, 0, n_blocks)];
            parts.extend(parts_of(n_expected, detail));
            let found = self.run(gpu, &TOUCH, &round, &parts)?;
            let n_wanted = pod_collect_to_vec::<u8, u32>(&found[..4])[0];
            if n_wanted > self.cap {
                self.grow(gpu, n_wanted);
                answers.n_grown += 1;
                continue;
            }
            let (blocks, of_candidates) = found[4..].split_at(n_blocks as usize);
            answers.blocks.extend(pod_collect_to_vec::<u8, FacetBlock>(blocks));
            if n_wanted <= n_expected {
                answers.add(of_candidates, n_expected, n_wanted, first, detail);
            } else if detail > FacetDetail::Sums {
                // They lie in their buffers since the last run, each of which a buffer for reading holds.
                let mut found = Vec::new();
                for part in parts_of(n_wanted, detail) {
                    found.extend(self.run(gpu, &[], &round, &[part])?);
                }
                answers.add(&found, n_wanted, n_wanted, first, detail);
            }
            self.n_expected = if detail > FacetDetail::Sums { n_wanted.next_multiple_of(GROUP) } else { 0 };
            return Ok(());
        }
    }

    /// Makes the list of candidates long enough for so many, with some to spare where a binding has room for it. Saturated counts are
    /// refused for their size when room is made.
    pub fn grow(&mut self, gpu: &Gpu, n_wanted: u32) {
        let most = gpu.device.max_binding() / size_of::<FacetPolygon>() as u64;
        let spare = n_wanted.checked_next_power_of_two().unwrap_or(n_wanted);
        self.cap = n_wanted.max(spare.min(u32::try_from(most).unwrap_or(u32::MAX)));
    }

    /// Brings the facets on the device up to those that were uploaded.
    pub fn keep_facets(&mut self, gpu: &Gpu) {
        if self.n_facets < gpu.facets.facets.len() {
            self.write(&gpu.device, Buffer::Facets, gpu.facets.bytes(Buffer::Facets));
            self.write(&gpu.device, Buffer::Boxes, gpu.facets.bytes(Buffer::Boxes));
            self.n_facets = gpu.facets.facets.len();
        }
    }

    pub fn make_room(
        &mut self,
        gpu: &Gpu,
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
            let limit = gpu.device.max_binding();
            if needed > limit {
                self.cap = gpu.options.facet_cap;
                return Err(FacetError::PairTooLarge { pair, buffer, needed, limit });
            }
            self.buffers.reserve(&gpu.device, buffer, needed);
        }
        Ok(())
    }

    /// Runs stages, and reads back parts of buffers, one behind the other.
    pub fn run(
        &mut self,
        gpu: &Gpu,
        stages: &[StageId],
        round: &FacetRound,
        parts: &[Part],
    ) -> Result<Vec<u8>, Fault> {
        let device = &gpu.device;
        self.buffers.write_rounds(device, &[*round]);
        self.buffers.bind(device, &self.pipelines);
        let mut encoder = device.handle.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        if !stages.is_empty() {
            let steps = stages.iter().map(|stage| (*stage, 0));
            self.buffers.encode(&mut encoder, &self.pipelines, steps, round);
        }
        self.submit(gpu, encoder, parts, 1)
    }

    /// Submits what was recorded, which may take as long as so many chunks, and reads back parts of buffers, one behind the other.
    pub fn submit(
        &mut self,
        gpu: &Gpu,
        mut encoder: wgpu::CommandEncoder,
        parts: &[Part],
        n_chunks: usize,
    ) -> Result<Vec<u8>, Fault> {
        let device = &gpu.device;
        device.check()?;
        let total = parts.iter().map(|part| part.2).sum();
        let readback = self.readback.reserve(device, total);
        let mut at = 0;
        for &(buffer, start, n) in parts {
            encoder.copy_buffer_to_buffer(self.buffers.get(buffer), start, &readback, at, n);
            at += n;
        }
        encoder.map_buffer_on_submit(&readback, wgpu::MapMode::Read, ..total, |_| {});
        let commands = encoder.finish();
        device.check()?;
        let submission = device.queue.submit([commands]);
        device.read_mapped(&readback, total, submission, gpu.wait_limit(n_chunks), <[u8]>::to_vec)
    }
}
