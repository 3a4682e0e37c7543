//! The software Vulkan driver that the tests of graphics devices run on.

use std::process::Command;

use anyhow::{Result, bail};

use crate::run::{is_installed, output, run};

#[path = "../../crates/gpu/software_vulkan.rs"]
#[allow(dead_code, reason = "shared with a build script that also watches the folders")]
mod software_vulkan;

/// Debian's and Ubuntu's packages: the driver and the loader.
const PACKAGES: [&str; 2] = ["mesa-vulkan-drivers", "libvulkan1"];

const MISSING: &str = "no software Vulkan driver is installed; on Debian and Ubuntu the package mesa-vulkan-drivers \
                       gives one, and --install installs it";

/// Installs the driver where it is missing and `install` is wanted. Returns whether there is one.
pub fn ensure(install: bool) -> Result<bool> {
    if software_vulkan::is_installed() {
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
    Ok(software_vulkan::is_installed())
}

/// The same, but without a driver the tests will be incomplete, and this says so.
pub fn ensure_or_warn(install: bool) -> Result<()> {
    if !ensure(install)? {
        eprintln!("NOTE: tests of graphics devices will be reported as ignored: {MISSING}");
    }
    Ok(())
}

/// The same, but a missing driver is a failure.
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
