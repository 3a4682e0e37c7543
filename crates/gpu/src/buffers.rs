//! The buffers that stages share, on the device.

use bytemuck::{Pod, bytes_of, cast_slice};
use tactum_shaders::rays::{Buffer, EMPTY_BOUNDS, STAGES, StageId};

use crate::device::Device;
use crate::pipeline::{Pipeline, ROUND_STRIDE};

use tactum_shaders::rays::layout::{ClusterTriangles, Round};

/// No buffer is smaller, so that each holds one element of whatever it is for.
pub const MIN_BYTES: u64 = 4096;

const _: () = assert!(MIN_BYTES >= size_of::<ClusterTriangles>() as u64);

/// Size of a buffer that holds `needed` bytes and replaces one of `old` bytes: doubling keeps the number of
/// replacements small.
pub fn grown(old: u64, needed: u64, limit: u64) -> u64 {
    needed.max((2 * old).min(limit)).max(MIN_BYTES).next_multiple_of(4)
}

/// One buffer of each kind, the rounds' numbers, and the groups that bind them to the stages.
pub struct Buffers {
    storage: Vec<wgpu::Buffer>,
    rounds: Rounds,
    groups: Vec<wgpu::BindGroup>,
    limit: u64,
}

impl Buffers {
    pub fn new(device: &Device) -> Self {
        Self {
            storage: Buffer::ALL.iter().map(|&buffer| storage(device, buffer, MIN_BYTES)).collect(),
            rounds: Rounds::new(device, "rounds"),
            groups: Vec::new(),
            limit: device.max_binding(),
        }
    }

    pub fn get(&self, buffer: Buffer) -> &wgpu::Buffer {
        &self.storage[buffer as usize]
    }

    pub fn group(&self, stage: StageId) -> &wgpu::BindGroup {
        &self.groups[stage as usize]
    }

    /// Makes a buffer at least `bytes` long. What it held is lost where it was too short.
    pub fn reserve(&mut self, device: &Device, buffer: Buffer, bytes: u64) {
        let old = self.get(buffer).size();
        if bytes > old {
            self.storage[buffer as usize] = storage(device, buffer, grown(old, bytes, self.limit));
            self.groups.clear();
        }
    }

    /// The same for a buffer whose content, `used` bytes, goes on to be needed.
    pub fn extend(&mut self, device: &Device, buffer: Buffer, used: u64, bytes: u64) {
        let old = self.get(buffer).clone();
        self.reserve(device, buffer, bytes);
        if *self.get(buffer) != old && used > 0 {
            let mut encoder =
                device.handle.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            encoder.copy_buffer_to_buffer(&old, 0, self.get(buffer), 0, used);
            device.queue.submit([encoder.finish()]);
        }
    }

    /// Forgets everything but the meshes.
    pub fn reset_scratch(&mut self, device: &Device) {
        for buffer in Buffer::ALL {
            if !buffer.is_mesh() {
                self.storage[buffer as usize] = storage(device, buffer, MIN_BYTES);
            }
        }
        self.groups.clear();
    }

    /// Uploads the rounds of all chunks, see [`Rounds::write`].
    pub fn write_rounds(&mut self, device: &Device, rounds: &[Round]) {
        if self.rounds.write(device, rounds) {
            self.groups.clear();
        }
    }

    /// Makes the groups anew where a buffer has changed since.
    pub fn bind(&mut self, device: &Device, pipelines: &[Pipeline]) {
        if self.groups.is_empty() {
            self.groups = (0..STAGES.len()).map(|ix| self.group_of(device, ix, &pipelines[ix])).collect();
        }
    }

    fn group_of(&self, device: &Device, stage_ix: usize, pipeline: &Pipeline) -> wgpu::BindGroup {
        let round = self.rounds.binding::<Round>();
        pipeline.group(device, &STAGES[stage_ix], round, |buffer| self.get(buffer))
    }
}

/// A storage buffer in the state that the first stage expects; a new buffer is all zeros.
fn storage(device: &Device, buffer: Buffer, bytes: u64) -> wgpu::Buffer {
    let mut usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
    if buffer == Buffer::Arguments {
        usage |= wgpu::BufferUsages::INDIRECT;
    }
    let label = format!("{buffer:?}");
    let made = device.handle.create_buffer(&wgpu::BufferDescriptor {
        label: Some(&label),
        size: bytes,
        usage,
        mapped_at_creation: false,
    });
    if buffer == Buffer::Bounds {
        let empty: Vec<u32> = EMPTY_BOUNDS.iter().copied().cycle().take(bytes as usize / 4).collect();
        device.queue.write_buffer(&made, 0, cast_slice(&empty));
    }
    made
}

/// The numbers of what is run, one round after the other at distances of [`ROUND_STRIDE`].
pub struct Rounds {
    buffer: wgpu::Buffer,
    label: &'static str,
}

impl Rounds {
    pub fn new(device: &Device, label: &'static str) -> Self {
        Self { buffer: Self::buffer(device, label, ROUND_STRIDE), label }
    }

    fn buffer(device: &Device, label: &str, bytes: u64) -> wgpu::Buffer {
        device.handle.create_buffer(&wgpu::BufferDescriptor {
            label: Some(label),
            size: bytes,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        })
    }

    /// Uploads rounds; round `i` starts at `i` times [`ROUND_STRIDE`]. Whether what was bound of them is to be bound anew.
    pub fn write<T: Pod>(&mut self, device: &Device, rounds: &[T]) -> bool {
        let mut bytes = vec![0; rounds.len() * ROUND_STRIDE as usize];
        for (slot, round) in bytes.chunks_exact_mut(ROUND_STRIDE as usize).zip(rounds) {
            slot[..size_of::<T>()].copy_from_slice(bytes_of(round));
        }
        let (old, needed) = (self.buffer.size(), bytes.len() as u64);
        if needed > old {
            self.buffer = Self::buffer(device, self.label, grown(old, needed, device.max_binding()));
        }
        device.queue.write_buffer(&self.buffer, 0, &bytes);
        needed > old
    }

    /// Any one of them, told apart by a dynamic offset.
    pub fn binding<T>(&self) -> wgpu::BindingResource<'_> {
        wgpu::BindingResource::Buffer(wgpu::BufferBinding {
            buffer: &self.buffer,
            offset: 0,
            size: wgpu::BufferSize::new(size_of::<T>() as u64),
        })
    }
}

/// A buffer to copy from or to that grows as needed and keeps nothing.
pub struct Transfer {
    buffer: Option<wgpu::Buffer>,
    label: &'static str,
    usage: wgpu::BufferUsages,
}

impl Transfer {
    /// For what goes to the device.
    pub fn input(label: &'static str) -> Self {
        Self { buffer: None, label, usage: wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST }
    }

    /// For what comes back.
    pub fn readback(label: &'static str) -> Self {
        Self { buffer: None, label, usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST }
    }

    pub fn reserve(&mut self, device: &Device, bytes: u64) -> wgpu::Buffer {
        let old = self.buffer.as_ref().map_or(0, wgpu::Buffer::size);
        if bytes > old {
            self.buffer = None;
        }
        self.buffer
            .get_or_insert_with(|| {
                device.handle.create_buffer(&wgpu::BufferDescriptor {
                    label: Some(self.label),
                    size: grown(old, bytes, device.max_binding()),
                    usage: self.usage,
                    mapped_at_creation: false,
                })
            })
            .clone()
    }

    pub fn reset(&mut self) {
        self.buffer = None;
    }
}
