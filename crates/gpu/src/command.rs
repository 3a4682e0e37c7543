//! One command: as part of a recording, or alone on memory from the host.

use tactum_shaders::rays::{Command, Groups, Memory, Meshes, Rounds};
use tactum_shaders::{Access, fold_groups};

use crate::buffers::{Buffers, Transfer};
use crate::error::Fault;
use crate::pipeline::{Pipeline, ROUND_STRIDE};
use crate::{Buffer, Gpu};

/// Bytes of the arguments of one indirect dispatch, with the number of items behind them.
const ARGUMENTS_STRIDE: u64 = 16;

/// Encodes a command into a pass; `round` is the place of its numbers in the uniform buffer.
pub fn encode(
    pass: &mut wgpu::ComputePass<'_>,
    pipelines: &[Pipeline],
    buffers: &Buffers,
    command: &Command,
    round: usize,
) {
    pass.set_pipeline(&pipelines[command.stage as usize].pipeline);
    pass.set_bind_group(0, buffers.group(command.stage), &[(round as u64 * ROUND_STRIDE) as u32]);
    match command.groups {
        Groups::Direct(n) => {
            let [x, y, z] = fold_groups(n);
            pass.dispatch_workgroups(x, y, z);
        }
        Groups::Items => pass.dispatch_workgroups_indirect(buffers.get(Buffer::Arguments), 0),
        Groups::LargeItems => {
            pass.dispatch_workgroups_indirect(buffers.get(Buffer::Arguments), ARGUMENTS_STRIDE);
        }
    }
}

impl Gpu {
    /// Runs one command on memory from the host: uploads what its stage binds, runs it, and reads back what it wrote.
    /// So a stage can be compared with its twin; meshes that were uploaded before play no part.
    pub fn run_command(
        &self,
        command: &Command,
        rounds: &Rounds,
        meshes: &Meshes,
        memory: &mut Memory,
    ) -> Result<(), Fault> {
        self.run_commands(std::slice::from_ref(command), rounds, meshes, memory)
    }

    /// The same for several commands, one after the other.
    pub fn run_commands(
        &self,
        commands: &[Command],
        rounds: &Rounds,
        meshes: &Meshes,
        memory: &mut Memory,
    ) -> Result<(), Fault> {
        let mut buffers = Buffers::new(&self.device);
        let bound = |access: Option<Access>| {
            let is_bound = |buffer: &Buffer| {
                let bindings = commands.iter().flat_map(|command| command.stage.stage().bindings);
                let mut wanted =
                    bindings.filter(|binding| access.is_none_or(|access| binding.access == access));
                wanted.any(|binding| binding.buffer == *buffer)
            };
            Buffer::ALL.into_iter().filter(is_bound).collect::<Vec<_>>()
        };
        for &buffer in bound(None).iter().chain([&Buffer::Arguments]) {
            let bytes = if buffer.is_mesh() { meshes.bytes(buffer) } else { memory.bytes(buffer) };
            buffers.reserve(&self.device, buffer, bytes.len() as u64);
            self.device.queue.write_buffer(buffers.get(buffer), 0, bytes);
        }
        buffers.write_rounds(&self.device, &rounds.rounds);
        buffers.bind(&self.device, &self.pipelines);
        self.device.check()?;
        let mut encoder =
            self.device.handle.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                label: Some("commands"),
                timestamp_writes: None,
            });
            for command in commands {
                encode(&mut pass, &self.pipelines, &buffers, command, command.round);
            }
        }
        self.read_back(encoder, &buffers, &bound(Some(Access::Write)), memory)
    }

    /// Submits what was recorded and copies buffers into memory of the host.
    fn read_back(
        &self,
        mut encoder: wgpu::CommandEncoder,
        buffers: &Buffers,
        written: &[Buffer],
        memory: &mut Memory,
    ) -> Result<(), Fault> {
        let total = written.iter().map(|&buffer| memory.bytes(buffer).len() as u64).sum();
        let readback = Transfer::readback("memory").reserve(&self.device, total);
        let mut at = 0;
        for &buffer in written {
            let n = memory.bytes(buffer).len() as u64;
            encoder.copy_buffer_to_buffer(buffers.get(buffer), 0, &readback, at, n);
            at += n;
        }
        encoder.map_buffer_on_submit(&readback, wgpu::MapMode::Read, ..total, |_| {});
        let submission = self.device.queue.submit([encoder.finish()]);
        self.device.read_mapped(&readback, total, submission, self.wait_limit(1), |mut bytes| {
            for &buffer in written {
                let target = memory.bytes_mut(buffer);
                let (found, rest) = bytes.split_at(target.len());
                target.copy_from_slice(found);
                bytes = rest;
            }
        })
    }
}
