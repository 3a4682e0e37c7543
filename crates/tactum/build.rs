//! Sets `cfg(software_vulkan)` for the tests that need a device.

#[path = "../gpu/software_vulkan.rs"]
mod software_vulkan;

fn main() {
    software_vulkan::set_cfg("../gpu/software_vulkan.rs");
}
