//! Sets `cfg(software_vulkan)` for the tests that need a device.

mod software_vulkan;

fn main() {
    software_vulkan::set_cfg("software_vulkan.rs");
}
