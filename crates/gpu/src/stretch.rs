//! Stretches of sub-steps: bodies, pairs and springs go up once, all sub-steps are recorded into one submission, and what they come to comes
//! back once.

use bytemuck::{Pod, cast_slice, pod_collect_to_vec};
use tactum_shaders::facets::layout::{FacetPair, FacetRound};
use tactum_shaders::facets::stretch::{Stretch, StretchEnd};
use tactum_shaders::facets::stretch_layout::{
    PairAction, PairMemory, PairSeen, Part as TouchPart, StretchState, cause,
};
use tactum_shaders::facets::{BEGIN_STRETCH, Buffer, SUBSTEP};

use crate::Gpu;
use crate::error::FacetError;
use crate::facets::{FacetStages, Part};

/// Places for candidates that every sub-step of a stretch looks at, at least. Each takes a thread whether there is a candidate or not, so that the list
/// is taken for half as long again as the last one was; one that turns out to be longer begins its stretch anew.
const FEW_PLACES: u32 = 1024;

impl Gpu {
    /// Goes through a stretch of sub-steps with bodies whose facets were uploaded.
    ///
    /// Where the list of candidates is too short it gets longer, and the stretch is begun anew.
    ///
    /// # Errors
    /// See [`FacetError`]. Stages are compiled by the first call.
    pub fn stretch(&mut self, stretch: &Stretch) -> Result<StretchEnd, FacetError> {
        self.check_facet_pairs(&stretch.pairs)?;
        if stretch.substeps.is_empty() {
            let (states, springs) =
                (vec![StretchState::default(); stretch.bodies.len()], stretch.springs.clone());
            let seen = vec![PairSeen::default(); stretch.pairs.len()];
            return Ok(StretchEnd { stop: cause::NONE, states, springs, seen, n_grown: 0 });
        }
        let mut stages = match self.facet_stages.take() {
            Some(stages) => stages,
            None => FacetStages::new(&self.device, self.options.facet_cap)?,
        };
        let outcome = stages.go(self, stretch);
        // Buffers that a fault may have left half written go with the stages.
        if outcome.is_ok() {
            self.facet_stages = Some(stages);
        }
        outcome
    }
}

impl FacetStages {
    fn go(&mut self, gpu: &Gpu, stretch: &Stretch) -> Result<StretchEnd, FacetError> {
        let mut numbered = Vec::with_capacity(stretch.pairs.len());
        let mut n_groups = 0_u64;
        for pair in &stretch.pairs {
            numbered.push(FacetPair { first_group: n_groups as u32, ..*pair });
            n_groups += u64::from(pair.n_groups());
        }
        self.keep_facets(gpu);
        let mut n_grown = 0;
        let mut places = self.n_places.min(self.cap);
        loop {
            let sizes = FacetRound {
                n_pairs: numbered.len() as u32,
                n_groups: n_groups as u32,
                cap: places,
                n_bodies: stretch.bodies.len() as u32,
                ..FacetRound::default()
            };
            self.make_room(gpu, n_groups, &sizes, 0)?;
            self.upload(gpu, stretch, &numbered)?;
            let (n_wanted, end) = self.submit_stretch(gpu, stretch, &sizes)?;
            if n_wanted <= places {
                self.n_places = n_wanted.saturating_add(n_wanted / 2).max(FEW_PLACES);
                return Ok(StretchEnd { n_grown, ..end });
            }
            if n_wanted > self.cap {
                self.grow(gpu, n_wanted);
                n_grown += 1;
            }
            places = self.cap;
        }
    }

    /// Brings the device to the start of a stretch.
    fn upload(&mut self, gpu: &Gpu, stretch: &Stretch, pairs: &[FacetPair]) -> Result<(), FacetError> {
        let (n_bodies, n_pairs) = (stretch.bodies.len() as u64, pairs.len() as u64);
        let of = |n: u64, bytes: usize| n * bytes as u64;
        for (buffer, needed) in [
            (Buffer::Parts, of(self.cap.into(), size_of::<TouchPart>())),
            (Buffer::States, of(n_bodies, size_of::<StretchState>())),
            (Buffer::Springs, of(2 * n_pairs, size_of::<PairMemory>())),
            (Buffer::Actions, of(n_pairs, size_of::<PairAction>())),
            (Buffer::Seen, of(n_pairs, size_of::<PairSeen>())),
        ] {
            let limit = gpu.device.max_binding();
            if needed > limit {
                return Err(FacetError::PairTooLarge { pair: 0, buffer, needed, limit });
            }
            self.buffers.reserve(&gpu.device, buffer, needed);
        }
        let device = &gpu.device;
        self.write(device, Buffer::Pairs, cast_slice(pairs));
        self.write(device, Buffer::Bodies, cast_slice(&stretch.bodies));
        self.write(device, Buffer::Links, cast_slice(&stretch.links));
        self.write(device, Buffer::Courses, cast_slice(&stretch.courses));
        self.write(device, Buffer::Springs, cast_slice(&stretch.springs));
        self.write(device, Buffer::Stop, cast_slice(&[cause::NONE]));
        Ok(())
    }

    /// All sub-steps in one submission: how many candidates they want, and what they come to.
    fn submit_stretch(
        &mut self,
        gpu: &Gpu,
        stretch: &Stretch,
        sizes: &FacetRound,
    ) -> Result<(u32, StretchEnd), FacetError> {
        let device = &gpu.device;
        let rounds: Vec<FacetRound> = stretch.substeps.iter().map(|of| of.sized_as(sizes)).collect();
        self.buffers.write_rounds(device, &rounds);
        self.buffers.bind(device, &self.pipelines);
        let n = rounds.len() as u32;
        let (n_pairs, n_bodies) = (u64::from(sizes.n_pairs), u64::from(sizes.n_bodies));
        let springs = |half: u32| half_of_springs(half, n_pairs);
        let parts: [Part; 4] = [
            (Buffer::Stop, 0, 8),
            (Buffer::States, 0, n_bodies * size_of::<StretchState>() as u64),
            (Buffer::Seen, 0, n_pairs * size_of::<PairSeen>() as u64),
            springs(n & 1),
        ];
        let mut encoder = device.handle.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        for buffer in [Buffer::States, Buffer::Seen] {
            encoder.clear_buffer(self.buffers.get(buffer), 0, None);
        }
        let begin = BEGIN_STRETCH.iter().map(|stage| (*stage, 0));
        self.buffers.encode(&mut encoder, &self.pipelines, begin, sizes);
        // Behind what stops the stretch there is room for it; whatever stops it later leaves another number where it was.
        let starts = self.buffers.get(Buffer::Starts);
        let at = 4 * u64::from(sizes.n_groups);
        encoder.copy_buffer_to_buffer(starts, at, self.buffers.get(Buffer::Stop), 4, 4);
        let substeps = (0..n).flat_map(|number| SUBSTEP.iter().map(move |stage| (*stage, number)));
        self.buffers.encode(&mut encoder, &self.pipelines, substeps, sizes);
        let found = self.submit(gpu, encoder, &parts, n as usize)?;
        let mut rest = found.as_slice();
        let mut next = |part: &Part| {
            let (bytes, others) = rest.split_at(part.2 as usize);
            rest = others;
            bytes
        };
        let numbers: Vec<u32> = words(next(&parts[0]));
        let mut end = StretchEnd {
            stop: numbers[0],
            states: words(next(&parts[1])),
            seen: words(next(&parts[2])),
            springs: words(next(&parts[3])),
            n_grown: 0,
        };
        let half = end.n_done(n) & 1;
        if half != n & 1 {
            // It stopped early: they lie in the other half of their buffer since.
            end.springs = words(&self.run(gpu, &[], sizes, &[springs(half)])?);
        }
        Ok((numbers[1], end))
    }
}

/// What is remembered of all pairs before sub-steps of even numbers, or of odd ones.
fn half_of_springs(half: u32, n_pairs: u64) -> Part {
    let bytes = n_pairs * size_of::<PairMemory>() as u64;
    (Buffer::Springs, u64::from(half) * bytes, bytes)
}

fn words<T: Pod>(bytes: &[u8]) -> Vec<T> {
    pod_collect_to_vec(bytes)
}
