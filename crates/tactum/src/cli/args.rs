//! Arguments of the program.

use std::num::NonZeroU64;
use std::path::PathBuf;

use clap::{ArgGroup, Parser, Subcommand};
use tactum::backend::{BackendArgs, adapter_name};
use tactum::batch::Shard;
use tactum::scene::Override;
use tactum::tables::Tables;

const EXIT_CODES: &str = "\
Exit codes:
  0  fine; of `check` also files that can be used with warnings, of `query` also cases of which some were refused
  1  an [[expect]] of the scene was not met, a step was not solved and --fail-on-unsolved given, a check of a device failed, or
     the states of `replay` are not those of the run
  2  bad usage or input: a scene, mesh, checkpoint or list of cases that cannot be used, a folder that holds other or
     later results, a result that would take the place of what it is made from; of `repair` also a mesh that cannot be
     mended, and a file that is there already
  3  the simulation did not reach its end: a state that is not finite, a solver that did not converge within the
     scene's limit; what was reached is reported and written; of `batch` if this happened in any run. Also of the other commands: a signal (Ctrl-C, SIGTERM, SIGHUP)
     that was not ignored when the program started
  4  trouble with a device that no other way of computing covers
  5  a result could not be written, at the start or later: a disk is full, a folder, a file or stdout cannot be written to,
     a table or the folder was taken away meanwhile; what was computed until then is reported on stdout if that can be
     written to. A stdout that was closed before the program started cannot be told from /dev/null

Results go to stdout, progress and messages to stderr. A reader of stdout that goes away, as in `| head`, is no error.";

/// Rigid-body simulation with contact measured from intersection volumes.
#[derive(Debug, Parser)]
#[command(name = "tactum", version, after_help = EXIT_CODES, propagate_version = true)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
    /// Only results and errors: no progress, no warnings
    #[arg(long, global = true)]
    pub quiet: bool,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Simulate a scene
    #[command(after_help = EXIT_CODES)]
    Run(RunArgs),
    /// Do the run of a folder again and compare its states step by step
    #[command(after_help = EXIT_CODES)]
    Replay(ReplayArgs),
    /// Write the run of a folder for other programs: glTF, VTK, Parquet, a page of HTML
    #[command(after_help = EXIT_CODES)]
    Export(ExportArgs),
    /// Run a scene many times with other values, as a sweep file says
    #[command(after_help = EXIT_CODES)]
    Batch(BatchArgs),
    /// Put the shards of a batch together
    #[command(after_help = EXIT_CODES)]
    Merge(MergeArgs),
    /// Measure the overlaps of a list of posed mesh pairs
    #[command(after_help = EXIT_CODES)]
    Query(QueryArgs),
    /// Examine mesh or scene files: what is wrong, and where
    #[command(after_help = EXIT_CODES)]
    Check(CheckArgs),
    /// Mend a mesh file: holes, cracks, facets and shells that look the wrong way, surfaces that go through each other
    #[command(after_help = EXIT_CODES)]
    Repair(RepairArgs),
    /// List the devices that can cast rays
    Adapters,
    /// Examine a device: every stage against its twin and against exact overlaps, and what happens when it fails
    #[command(after_help = EXIT_CODES)]
    Validate(ValidateArgs),
    /// Measure how long things take
    Bench(BenchArgs),
    /// Print the JSON Schema of scene files
    Schema(SchemaArgs),
}

#[derive(Debug, clap::Args)]
pub struct SchemaArgs {
    /// All keys as pages for people, in Markdown
    #[arg(long)]
    pub markdown: bool,
}

#[derive(Debug, clap::Args)]
pub struct RunArgs {
    /// Scene file (TOML)
    pub scene: PathBuf,
    /// Simulated time from the scene's start [s]; default: the scene's duration
    #[arg(long, value_name = "S", conflicts_with = "steps", allow_negative_numbers = true)]
    pub time: Option<f64>,
    /// Number of steps from the scene's start
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = count)]
    pub steps: Option<u64>,
    /// Put another value in the place of the one at a path of the scene, as in body.box.friction=0.3, body.box.position[2]=1 or
    /// parameters.size=0.2; may be repeated
    #[arg(long, value_name = "PATH=VALUE", value_parser = override_of)]
    pub set: Vec<Override>,
    #[command(flatten)]
    pub backend: BackendArgs,
    /// Threads, as many as there are processors at most; default: that many. Results do not depend on it
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
    /// Folder for tables, report.json and checkpoints; one that holds results of another run is refused
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Replace the results that the folder holds; with --resume those after the checkpoint that would not be made again
    #[arg(long, requires = "out")]
    pub overwrite: bool,
    /// Tables to write: poses, contacts, joints, energy, sensors; default: all, or those of the run that is resumed
    #[arg(long, value_name = "LIST", requires = "out")]
    pub record: Option<Tables>,
    /// Write a checkpoint at the start and after every N steps. A run with --out that is ended by a signal writes one in any
    /// case
    #[arg(long, value_name = "N", requires = "out", allow_negative_numbers = true, value_parser = count_from_1)]
    pub checkpoint_every: Option<u64>,
    /// Go on from a checkpoint of the same scene, or from the newest one in a folder. With the folder of that run as --out
    /// its tables go on as well
    #[arg(long, value_name = "FILE|DIR")]
    pub resume: Option<PathBuf>,
    /// End with code 1 if a step ran out of sweeps with velocities off by more than a ten-thousandth of the bodies' speed and of what
    /// gravity gives in a step. Without it such steps are warned of
    #[arg(long)]
    pub fail_on_unsolved: bool,
    /// Print the report as one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, clap::Args)]
pub struct ReplayArgs {
    /// Folder of a run, as `run --out` has written it
    pub run: PathBuf,
    /// Folder that the paths of the scene's meshes start from; default: where the scene file was
    #[arg(long, value_name = "DIR")]
    pub meshes: Option<PathBuf>,
    /// Threads, as many as there are processors at most; default: that many. Results do not depend on it
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
    /// Print what came of it as one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, clap::Args)]
#[command(group = ArgGroup::new("what").args(["gltf", "vtk", "parquet", "html"]).required(true).multiple(true))]
pub struct ExportArgs {
    /// Folder of a run, as `run --out` has written it
    pub run: PathBuf,
    /// The motion as a binary glTF file (.glb), for Blender, viewers and browsers
    #[arg(long, value_name = "FILE", value_parser = glb)]
    pub gltf: Option<PathBuf>,
    /// Bodies and contacts in time as VTK files in a folder, for ParaView: bodies.pvd, contacts.pvd, static.vtp
    #[arg(long, value_name = "DIR")]
    pub vtk: Option<PathBuf>,
    /// The tables as Parquet files in a folder, for pandas, polars and pyarrow
    #[arg(long, value_name = "DIR")]
    pub parquet: Option<PathBuf>,
    /// A report for people: one page of HTML with plots, which needs no network
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Pictures a second of the motion, for --gltf and --vtk: about so many, never more than one a step; default: 60
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = rate)]
    pub fps: Option<f64>,
    /// A picture for every recorded step
    #[arg(long, conflicts_with = "fps")]
    pub every_step: bool,
    /// Folder that the paths of the scene's meshes start from; default: where the scene file was
    #[arg(long, value_name = "DIR")]
    pub meshes: Option<PathBuf>,
    /// Replace what is there
    #[arg(long)]
    pub overwrite: bool,
}

#[derive(Debug, clap::Args)]
pub struct BatchArgs {
    /// Sweep file (TOML)
    pub sweep: PathBuf,
    /// Folder for the results; one that holds results is refused
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Go on with the batch that the folder holds, or begin it; all files end as if it had not been cut off
    #[arg(long, conflicts_with = "overwrite")]
    pub resume: bool,
    /// Replace the batch that the folder holds
    #[arg(long)]
    pub overwrite: bool,
    /// Only every N-th run, from the K-th on; `tactum merge` puts the shards together
    #[arg(long, value_name = "K/N", default_value = "1/1")]
    pub shard: Shard,
    /// Write tables as comma-separated values too
    #[arg(long)]
    pub csv: bool,
    /// Steps between checkpoints of each run, from which --resume goes on; default: as the sweep says, or none
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub checkpoint_every: Option<NonZeroU64>,
    // Its auto is exact here: what a clock decides would not be the same after a pause.
    #[command(flatten)]
    pub backend: BackendArgs,
    /// Runs that step together on a thread, or on a device; results do not depend on it. Default: 1, on a device 256
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..))]
    pub together: Option<u16>,
    /// Threads, as many as there are processors at most; default: that many. Results do not depend on it
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
    /// Print what came of it as one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, clap::Args)]
pub struct MergeArgs {
    /// Folders of all shards of a batch
    #[arg(required = true, value_name = "SHARD")]
    pub shards: Vec<PathBuf>,
    /// Folder for the results of the whole batch
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Replace the batch that the folder holds
    #[arg(long)]
    pub overwrite: bool,
    /// Write tables as comma-separated values too
    #[arg(long)]
    pub csv: bool,
}

#[derive(Debug, clap::Args)]
pub struct QueryArgs {
    /// Cases (JSON, format overlap-cases/1)
    pub cases: PathBuf,
    /// File for the results; default: stdout
    #[arg(long, value_name = "RESULTS")]
    pub out: Option<PathBuf>,
    /// Folder with meshes, besides the folder of the cases and ../meshes; may be repeated
    #[arg(long, value_name = "DIR")]
    pub meshes: Vec<PathBuf>,
    #[command(flatten)]
    pub backend: BackendArgs,
}

#[derive(Debug, clap::Args)]
pub struct CheckArgs {
    /// Mesh files (obj, stl, ply, gltf, glb) or scene files (toml)
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub struct RepairArgs {
    /// Mesh file (obj, stl, ply, gltf, glb)
    #[arg(value_name = "IN")]
    pub input: PathBuf,
    /// File for the mended mesh; its ending says the format: obj, stl (binary) or ply
    #[arg(value_name = "OUT")]
    pub output: PathBuf,
    /// Distance below which vertices and edges at gaps are joined, in the unit of the file; default: 0.0005 of the mesh's size
    #[arg(long, value_name = "LENGTH", allow_negative_numbers = true)]
    pub tolerance: Option<f64>,
    /// Largest diameter of a hole that is filled, in the unit of the file; default: any that takes up to 0.35 of the area of the
    /// surface that it is in
    #[arg(long, value_name = "LENGTH", allow_negative_numbers = true)]
    pub max_hole: Option<f64>,
    /// Write every body into a file of its own, OUT_1, OUT_2 and so on; bodies that go through each other are not united
    #[arg(long)]
    pub split: bool,
    /// Replace files that are there
    #[arg(long)]
    pub overwrite: bool,
    /// Print what was done as one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, clap::Args)]
pub struct ValidateArgs {
    /// Device: a part of its name or its number in `tactum adapters`; default: hardware before software
    #[arg(long, value_name = "NAME", value_parser = adapter_name)]
    pub adapter: Option<String>,
    /// A tenth of the cases, and against exact overlaps none that is deeper than what rests
    #[arg(long)]
    pub quick: bool,
    /// Print the report as one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, clap::Args)]
pub struct BenchArgs {
    /// Benchmarks whose name contains this; default: all
    pub name: Option<String>,
    /// Folder for the tables and plots of the benchmark 'paper'
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Folder whose scenes the benchmark 'scenes' runs
    #[arg(long, value_name = "DIR", default_value = "scenes")]
    pub scenes: PathBuf,
    /// Print the medians as one JSON object
    #[arg(long)]
    pub json: bool,
}

fn rate(text: &str) -> Result<f64, String> {
    let rate = text.parse().ok().filter(|rate: &f64| rate.is_finite() && *rate > 0.0);
    rate.ok_or_else(|| "needed is a number above 0".to_owned())
}

/// A file name that says what is written into it.
fn glb(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    let is_glb = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("glb"));
    if is_glb {
        Ok(path)
    } else {
        Err("what is written is binary glTF: needed is a name that ends in .glb".to_owned())
    }
}

fn count(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("needed is a whole number from 0 to {}", u64::MAX))
}

fn count_from_1(text: &str) -> Result<u64, String> {
    let n = text.parse().ok().filter(|n| *n > 0);
    n.ok_or_else(|| format!("needed is a whole number from 1 to {}", u64::MAX))
}

fn override_of(text: &str) -> Result<Override, String> {
    Override::parse(text).map_err(|error| error.to_string())
}
