//! Whether a software Vulkan driver is installed, judged by the manifests that drivers leave for the Vulkan loader. Shared
//! by build scripts, which must not need the graphics interface itself, and the project automation.

use std::path::{Path, PathBuf};

/// Where drivers leave their manifests.
pub const FOLDERS: [&str; 4] = [
    "/usr/share/vulkan/icd.d",
    "/usr/local/share/vulkan/icd.d",
    "/etc/vulkan/icd.d",
    "/usr/local/etc/vulkan/icd.d",
];

/// Environment variables that name manifests instead.
pub const VARIABLES: [&str; 2] = ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"];

/// How the manifests of lavapipe and SwiftShader begin.
const SOFTWARE: [&str; 2] = ["lvp_icd", "vk_swiftshader"];

/// Environment variables that make a missing driver a failure.
const REQUIRED: [&str; 2] = ["CI", "TACTUM_REQUIRE_GPU"];

/// For a build script: sets `cfg(software_vulkan)` where a software driver is installed, or must be: tests that need one
/// are reported as ignored elsewhere. Where the environment variable `CI` or `TACTUM_REQUIRE_GPU` is set they run in any
/// case, and fail without a driver. `this_file` is where this file is, seen from the package.
pub fn set_cfg(this_file: &str) {
    println!("cargo::rustc-check-cfg=cfg(software_vulkan)");
    for variable in REQUIRED.iter().chain(&VARIABLES) {
        println!("cargo::rerun-if-env-changed={variable}");
    }
    // A folder that is missing makes cargo look again each time; so only one that comes later must be watched for.
    let watched: Vec<_> = FOLDERS.iter().filter(|folder| Path::new(folder).is_dir()).collect();
    for folder in if watched.is_empty() { FOLDERS.iter().take(1).collect() } else { watched } {
        println!("cargo::rerun-if-changed={folder}");
    }
    println!("cargo::rerun-if-changed={this_file}");
    if REQUIRED.iter().any(|variable| std::env::var_os(variable).is_some()) || is_installed() {
        println!("cargo::rustc-cfg=software_vulkan");
    }
}

/// Whether there is a manifest of a software driver.
pub fn is_installed() -> bool {
    manifests().iter().any(|path| is_software(path))
}

fn manifests() -> Vec<PathBuf> {
    for variable in VARIABLES {
        if let Some(list) = std::env::var_os(variable) {
            return std::env::split_paths(&list).collect();
        }
    }
    let folders = FOLDERS.iter().filter_map(|folder| std::fs::read_dir(folder).ok());
    folders.flatten().filter_map(|entry| Some(entry.ok()?.path())).collect()
}

fn is_software(manifest: &Path) -> bool {
    let name = manifest.file_name().unwrap_or_default().to_string_lossy();
    SOFTWARE.iter().any(|software| name.starts_with(software)) && manifest.exists()
}
