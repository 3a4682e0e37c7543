//! Sets `cfg(software_vulkan)` where a software Vulkan driver is installed, or must be: tests that need one are reported
//! as ignored elsewhere. Where the environment variable `CI` or `TACTUM_REQUIRE_GPU` is set they run in any case, and
//! fail without a driver.

mod software_vulkan;

/// Environment variables that make a missing driver a failure.
const REQUIRED: [&str; 2] = ["CI", "TACTUM_REQUIRE_GPU"];

fn main() {
    println!("cargo::rustc-check-cfg=cfg(software_vulkan)");
    for variable in REQUIRED.iter().chain(&software_vulkan::VARIABLES) {
        println!("cargo::rerun-if-env-changed={variable}");
    }
    // A folder that is missing makes cargo look again each time; so only one that comes later must be watched for.
    let folders = software_vulkan::FOLDERS;
    let watched: Vec<_> = folders.iter().filter(|folder| std::path::Path::new(folder).is_dir()).collect();
    for folder in if watched.is_empty() { folders.iter().take(1).collect() } else { watched } {
        println!("cargo::rerun-if-changed={folder}");
    }
    println!("cargo::rerun-if-changed=software_vulkan.rs");
    if REQUIRED.iter().any(|variable| std::env::var_os(variable).is_some()) || software_vulkan::is_installed()
    {
        println!("cargo::rustc-cfg=software_vulkan");
    }
}
