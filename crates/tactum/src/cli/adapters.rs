//! `tactum adapters`.

use tactum_gpu::Adapter;

use super::Exit;
use super::console::Console;

/// Lists the devices of this machine.
pub fn adapters(console: &Console) -> Exit {
    let found = tactum_gpu::adapters();
    if found.is_empty() {
        console.note(
            "no device found; on Debian the package mesa-vulkan-drivers gives one that computes on the processor",
        );
    }
    for (ix, adapter) in found.iter().enumerate() {
        console.result(&describe(ix, adapter));
    }
    Exit::Fine
}

fn describe(ix: usize, adapter: &Adapter) -> String {
    let mebibytes = |bytes: u64| bytes >> 20;
    format!(
        "{ix}  {adapter}\n   binding up to {} MiB, buffer up to {} MiB, {} storage buffers a stage, {} threads a workgroup, \
         {} workgroups a side, {} time stamps\n",
        mebibytes(adapter.max_binding),
        mebibytes(adapter.max_buffer),
        adapter.storage_buffers_per_stage,
        adapter.threads_per_workgroup,
        adapter.workgroups_per_dimension,
        if adapter.has_timestamps { "with" } else { "without" },
    )
}
