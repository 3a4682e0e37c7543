//! Sets `cfg(software_vulkan)` for the tests that draw, and `cfg(window_system)` for those that drive a window: they are
//! reported as ignored where the programs that they need are missing, unless they must be there.

#[path = "../gpu/software_vulkan.rs"]
mod software_vulkan;
mod window_system;

fn main() {
    software_vulkan::set_cfg("../gpu/software_vulkan.rs");
    window_system::set_cfg("window_system.rs");
}
