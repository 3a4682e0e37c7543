//! The software Vulkan driver that the tests of graphics devices run on, and the X server for those of the window.

use std::process::Command;

use anyhow::{Result, bail};

use crate::run::{is_installed, output, run};

#[path = "../../crates/gpu/software_vulkan.rs"]
#[allow(dead_code, reason = "shared with a build script that also watches the folders")]
mod software_vulkan;

#[path = "../../crates/view/window_system.rs"]
#[allow(dead_code, reason = "shared with a build script that also watches the environment")]
mod window_system;

/// Debian's and Ubuntu's packages: the driver and the loader; an X server without a screen, what drives it, and what
/// windows load.
const PACKAGES: [&str; 8] = [
    "mesa-vulkan-drivers",
    "libvulkan1",
    "xvfb",
    "xdotool",
    "libxkbcommon-x11-0",
    "libxcursor1",
    "libxi6",
    "libxrandr2",
];

const MISSING: &str = "a software Vulkan driver, Xvfb or xdotool is not installed; on Debian and Ubuntu the packages \
                       mesa-vulkan-drivers, xvfb and xdotool give them, and --install installs them";

fn are_all_there() -> bool {
    software_vulkan::is_installed() && window_system::is_installed()
}

/// Installs what is missing where `install` is wanted. Returns whether all is there.
pub fn ensure(install: bool) -> Result<bool> {
    if are_all_there() {
        return Ok(true);
    }
    if !install {
        return Ok(false);
    }
    if !is_installed("apt-get", &["--version"]) {
        bail!("{MISSING} through apt-get, which this system does not have");
    }
    run(apt_get()?.arg("update"))?;
    run(apt_get()?.args(["install", "--yes", "--no-install-recommends"]).args(PACKAGES))?;
    Ok(are_all_there())
}

/// The same, but without them the tests will be incomplete, and this says so.
pub fn ensure_or_warn(install: bool) -> Result<()> {
    if !ensure(install)? {
        eprintln!("NOTE: tests of graphics devices or of the window will be reported as ignored: {MISSING}");
    }
    Ok(())
}

/// The same, but what is missing is a failure.
pub fn require(install: bool) -> Result<()> {
    if !ensure(install)? {
        bail!(MISSING);
    }
    Ok(())
}

/// `apt-get`, through `sudo` where this is not the superuser.
fn apt_get() -> Result<Command> {
    let is_root = output(Command::new("id").arg("-u"))?.trim_ascii() == b"0";
    if is_root {
        return Ok(Command::new("apt-get"));
    }
    let mut command = Command::new("sudo");
    command.arg("apt-get");
    Ok(command)
}
