//! Whether a software Vulkan driver is installed, judged by the manifests that drivers leave for the Vulkan loader. Shared
//! by the build script, which must not need the graphics interface itself, and the project automation.

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
