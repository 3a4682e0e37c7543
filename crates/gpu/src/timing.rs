//! How long a measurement took, and what it moved.

use std::time::Duration;

use tactum_shaders::rays::StageId;

use crate::device::Device;

/// Queries that a set can hold on every device.
const SET_QUERIES: u32 = wgpu::QUERY_SET_MAX_QUERIES;

/// What the last measurement took.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Chunks that the pairs were divided into.
    pub n_chunks: usize,
    /// Submissions to the device.
    pub n_submissions: usize,
    /// How often all was done again because there were more large triangles than places for them.
    pub n_redone: usize,
    /// Bytes sent to the device.
    pub bytes_up: u64,
    /// Bytes read back.
    pub bytes_down: u64,
    /// Wall time of checking, planning, writing and recording.
    pub encode: Duration,
    /// Wall time from the submission until the results were there.
    pub wait: Duration,
    /// Device time of each stage, all chunks and rounds together, in the order of first use. Empty unless stages are
    /// timed and the device can do so.
    pub stages: Vec<(StageId, Duration)>,
}

impl Report {
    /// Device time of all stages.
    pub fn device_time(&self) -> Duration {
        self.stages.iter().map(|(_, time)| *time).sum()
    }

    pub(crate) fn add(&mut self, stage: StageId, time: Duration) {
        match self.stages.iter_mut().find(|(known, _)| *known == stage) {
            Some((_, total)) => *total += time,
            None => self.stages.push((stage, time)),
        }
    }
}

/// A pair of timestamps around each command of a submission.
pub struct Timestamps {
    sets: Vec<wgpu::QuerySet>,
    stages: Vec<StageId>,
    resolved: wgpu::Buffer,
    readback: wgpu::Buffer,
}

impl Timestamps {
    /// Room for `n_commands` commands.
    pub fn new(device: &Device, n_commands: usize) -> Self {
        let sets = (2 * n_commands).div_ceil(SET_QUERIES as usize);
        let set = |_| {
            device.handle.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("stages"),
                ty: wgpu::QueryType::Timestamp,
                count: SET_QUERIES,
            })
        };
        let buffer = |usage| {
            device.handle.create_buffer(&wgpu::BufferDescriptor {
                label: Some("timestamps"),
                size: sets as u64 * u64::from(SET_QUERIES * wgpu::QUERY_SIZE),
                usage,
                mapped_at_creation: false,
            })
        };
        Self {
            sets: (0..sets).map(set).collect(),
            stages: Vec::with_capacity(n_commands),
            resolved: buffer(wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC),
            readback: buffer(wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ),
        }
    }

    /// Where the next command, one of `stage`, writes when it began and ended.
    pub fn next(&mut self, stage: StageId) -> wgpu::ComputePassTimestampWrites<'_> {
        let query = 2 * self.stages.len() as u32;
        self.stages.push(stage);
        wgpu::ComputePassTimestampWrites {
            query_set: &self.sets[(query / SET_QUERIES) as usize],
            beginning_of_pass_write_index: Some(query % SET_QUERIES),
            end_of_pass_write_index: Some(query % SET_QUERIES + 1),
        }
    }

    fn bytes(&self) -> u64 {
        2 * self.stages.len() as u64 * u64::from(wgpu::QUERY_SIZE)
    }

    /// Records that the times are to be read back.
    pub fn resolve(&self, encoder: &mut wgpu::CommandEncoder) {
        let mut left = 2 * self.stages.len() as u32;
        for (ix, set) in self.sets.iter().enumerate() {
            let n = left.min(SET_QUERIES);
            encoder.resolve_query_set(
                set,
                0..n,
                &self.resolved,
                ix as u64 * u64::from(SET_QUERIES * wgpu::QUERY_SIZE),
            );
            left -= n;
        }
        encoder.copy_buffer_to_buffer(&self.resolved, 0, &self.readback, 0, self.bytes());
        encoder.map_buffer_on_submit(&self.readback, wgpu::MapMode::Read, ..self.bytes(), |_| {});
    }

    /// Adds the times to a report, once the submission is done. A device may fail to write a time; it then counts as 0.
    pub fn report(&self, device: &Device, report: &mut Report) {
        let Ok(view) = self.readback.slice(..self.bytes()).get_mapped_range() else { return };
        let ns_per_tick = f64::from(device.queue.get_timestamp_period());
        for (times, &stage) in view.chunks_exact(16).zip(&self.stages) {
            let [begin, end] = [0, 8].map(|at| bytemuck::pod_read_unaligned::<u64>(&times[at..at + 8]));
            report.add(stage, Duration::from_nanos((end.saturating_sub(begin) as f64 * ns_per_tick) as u64));
        }
    }
}
