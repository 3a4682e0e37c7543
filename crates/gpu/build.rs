//! Sets `cfg(software_vulkan)` where a software Vulkan driver is installed, or must be: tests that need one are reported
//! as ignored elsewhere. Where the environment variable `CI` or `TACTUM_REQUIRE_GPU` is set they run in any case, and
//! fail without a driver.

use std::path::{Path, PathBuf};

const MANIFESTS: [&str; 4] = [
    "/usr/share/vulkan/icd.d",
    "/usr/local/share/vulkan/icd.d",
    "/etc/vulkan/icd.d",
    "/usr/local/etc/vulkan/icd.d",
];

/// Variables that name driver manifests instead of the folders.
const DRIVER_VARIABLES: [&str; 2] = ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"];

/// Manifests of lavapipe and SwiftShader.
const SOFTWARE: [&str; 2] = ["lvp_icd", "vk_swiftshader"];

fn main() {
    println!("cargo::rustc-check-cfg=cfg(software_vulkan)");
    for variable in ["CI", "TACTUM_REQUIRE_GPU"].iter().chain(&DRIVER_VARIABLES) {
        println!("cargo::rerun-if-env-changed={variable}");
    }
    for folder in MANIFESTS {
        println!("cargo::rerun-if-changed={folder}");
    }
    let is_required =
        ["CI", "TACTUM_REQUIRE_GPU"].iter().any(|variable| std::env::var_os(variable).is_some());
    if is_required || manifests().iter().any(|path| is_software(path)) {
        println!("cargo::rustc-cfg=software_vulkan");
    }
}

fn manifests() -> Vec<PathBuf> {
    for variable in DRIVER_VARIABLES {
        if let Some(list) = std::env::var_os(variable) {
            return std::env::split_paths(&list).collect();
        }
    }
    let folders = MANIFESTS.iter().filter_map(|folder| std::fs::read_dir(folder).ok());
    folders.flatten().filter_map(|entry| Some(entry.ok()?.path())).collect()
}

fn is_software(manifest: &Path) -> bool {
    let name = manifest.file_name().unwrap_or_default().to_string_lossy();
    SOFTWARE.iter().any(|software| name.starts_with(software)) && manifest.exists()
}
