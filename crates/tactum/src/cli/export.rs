//! `tactum export`.

use anyhow::Result;
use std::path::Path;
use tactum::export::{
    Claim, ExportError, Sampling, Series, write_gltf, write_html, write_parquet, write_vtk,
};
use tactum::recorded::{Recorded, RecordedError};
use tactum_geometry::words;

use super::Exit;
use super::args::ExportArgs;
use super::console::Console;

/// Pictures a second of a motion, unless said otherwise: what a screen shows.
const FPS: f64 = 60.0;

/// Writes a recorded run for other programs.
pub fn export(args: &ExportArgs, console: &Console) -> Result<Exit> {
    let run = match open(&args.run, args.meshes.as_deref(), console) {
        Ok(run) => run,
        Err(exit) => return Ok(exit),
    };
    match write(args, &run, console) {
        Ok(()) => Ok(Exit::Fine),
        Err(error) => {
            console.error(&error.to_string());
            Ok(if error.is_of_writing() { Exit::Unwritten } else { Exit::BadInput })
        }
    }
}

/// Reads what a folder holds and says what is doubtful about it, or why it cannot be used.
pub fn open(folder: &Path, meshes: Option<&Path>, console: &Console) -> Result<Recorded, Exit> {
    match Recorded::open(folder, meshes) {
        Ok(run) => {
            run.doubts().iter().for_each(|text| console.warn(text));
            Ok(run)
        }
        Err(RecordedError::Scene(error)) => {
            console.scene_error(&error);
            Err(Exit::BadInput)
        }
        Err(error) => {
            console.error(&error.to_string());
            Err(Exit::BadInput)
        }
    }
}

fn write(args: &ExportArgs, run: &Recorded, console: &Console) -> Result<(), ExportError> {
    let sampling =
        if args.every_step { Sampling::EveryStep } else { Sampling::PerSecond(args.fps.unwrap_or(FPS)) };
    let claim = |path| Claim { path, overwrite: args.overwrite };
    if let Some(path) = &args.gltf {
        write_gltf(run, sampling, &claim(path))?;
        console.note(&format!("wrote {}", words::path(path)));
    }
    if let Some(path) = &args.vtk {
        let Series { n_frames, missing } = write_vtk(run, sampling, &claim(path))?;
        missing.iter().for_each(|text| console.warn(text));
        console.note(&format!(
            "wrote {} of {}",
            words::path(path),
            words::counted(n_frames, "time", "times")
        ));
    }
    if let Some(path) = &args.parquet {
        let names = write_parquet(run, &claim(path))?;
        console.note(&format!("wrote {} in {}", words::listed(&names), words::path(path)));
    }
    if let Some(path) = &args.html {
        write_html(run, &claim(path))?;
        console.note(&format!("wrote {}", words::path(path)));
    }
    Ok(())
}
