//! The checks of the project and the files it generates.

use anyhow::{Context, Result, bail};

use crate::fuzz;
use crate::run::{cargo, is_installed, output, root, run};

/// The files that are generated, by the arguments of `tactum` that print each.
const GENERATED: [(&str, &[&str]); 2] =
    [("assets/scene.schema.json", &["schema"]), ("docs/reference.md", &["schema", "--markdown"])];

/// All tests. Uses nextest where it is installed and adds the documentation examples, which nextest leaves out.
pub fn test(args: &[String]) -> Result<()> {
    let nextest = is_installed("cargo", &["nextest", "--version"]);
    let runner: &[&str] = if nextest { &["nextest", "run"] } else { &["test", "--lib", "--bins", "--tests"] };
    run(cargo(runner).arg("--workspace").args(args))?;
    if args.is_empty() {
        run(&mut cargo(&["test", "--workspace", "--doc"]))?;
    }
    Ok(())
}

/// How long random tests run with new cases after all others.
const FUZZ_SECONDS: u64 = 60;

/// Everything that must be green before a change lands, cheapest first; then what new random cases find, which is
/// reported only: they differ from run to run.
pub fn ci() -> Result<()> {
    run(&mut cargo(&["fmt", "--all", "--check"]))?;
    run(&mut cargo(&["clippy", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"]))?;
    // With the same features as before, so that dependencies are not checked again.
    run(cargo(&["doc", "--workspace", "--all-features", "--no-deps", "--document-private-items"])
        .env("RUSTDOCFLAGS", "-D warnings"))?;
    program_has_no_window()?;
    let missing = optional_checks()?;
    test(&[])?;
    fuzz::report(FUZZ_SECONDS);
    for tool in &missing {
        eprintln!("NOT RUN: {tool} is not installed here");
    }
    Ok(())
}

/// What only a window needs.
const WINDOW: [&str; 6] = ["winit", "egui", "egui-wgpu", "egui-winit", "egui_plot", "arboard"];

/// The program without a window is built without what a window needs, whatever features are on.
fn program_has_no_window() -> Result<()> {
    let tree =
        ["tree", "--package", "tactum", "--all-features", "--edges", "normal,build", "--target", "all"];
    let text = output(cargo(&tree).args(["--prefix", "none", "--format", "{p}"]))?;
    let text = String::from_utf8(text).context("cargo tree wrote something that is not text")?;
    let packages: Vec<&str> = text.lines().filter_map(|line| line.split(' ').next()).collect();
    if !packages.contains(&"wgpu") {
        bail!("cargo tree lists no wgpu for the program: is it read rightly?");
    }
    match packages.iter().find(|package| WINDOW.contains(package)) {
        Some(package) => bail!("the program `tactum` is built with {package}, which only a window needs"),
        None => Ok(()),
    }
}

/// Checks by tools that are not part of the toolchain; returns those that are not installed.
fn optional_checks() -> Result<Vec<&'static str>> {
    let mut missing = Vec::new();
    if is_installed("typos", &["--version"]) {
        run(std::process::Command::new("typos").current_dir(root()))?;
    } else {
        missing.push("typos");
    }
    if is_installed("cargo", &["deny", "--version"]) {
        run(&mut cargo(&["deny", "check", "bans", "licenses", "sources"]))?;
    } else {
        missing.push("cargo-deny");
    }
    Ok(missing)
}

/// Writes the generated files.
pub fn write_assets() -> Result<()> {
    for (file, arguments) in GENERATED {
        let path = root().join(file);
        std::fs::write(&path, printed(arguments)?)
            .with_context(|| format!("could not write {}", path.display()))?;
        eprintln!("wrote {file}");
    }
    Ok(())
}

/// What `tactum` prints.
fn printed(arguments: &[&str]) -> Result<Vec<u8>> {
    output(cargo(&["run", "--quiet", "--package", "tactum", "--"]).args(arguments))
}

/// `tactum bench` in a release build with the published rivals compiled in.
pub fn bench(args: &[String]) -> Result<()> {
    run(cargo(&["run", "--release", "--package", "tactum", "--features", "rivals", "--", "bench"]).args(args))
}
