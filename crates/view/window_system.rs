//! Whether windows can be driven without a screen, judged by the programs that do it. Shared by the build script and the
//! project automation.

/// The X server without a screen, and the program that moves its mouse.
pub const PROGRAMS: [&str; 2] = ["Xvfb", "xdotool"];

/// For a build script: sets `cfg(window_system)` where the programs are installed, or must be: where the environment
/// variable `CI` is set the tests run in any case, and fail without them. `this_file` is where this file is, seen from the
/// package.
pub fn set_cfg(this_file: &str) {
    println!("cargo::rustc-check-cfg=cfg(window_system)");
    println!("cargo::rerun-if-env-changed=CI");
    println!("cargo::rerun-if-env-changed=PATH");
    println!("cargo::rerun-if-changed={this_file}");
    if std::env::var_os("CI").is_some() || is_installed() {
        println!("cargo::rustc-cfg=window_system");
    }
}

/// Whether all programs are found.
pub fn is_installed() -> bool {
    let folders: Vec<_> = std::env::var_os("PATH").iter().flat_map(std::env::split_paths).collect();
    PROGRAMS.iter().all(|program| folders.iter().any(|folder| folder.join(program).is_file()))
}
