//! `tactum repair`.

use anyhow::Result;
use tactum::repair::{RepairFileError, repair_file};
use tactum_geometry::mesh::repair::RepairSettings;
use tactum_geometry::words;

use super::Exit;
use super::args::RepairArgs;
use super::console::Console;

/// Mends a mesh file.
pub fn repair(args: &RepairArgs, console: &Console) -> Result<Exit> {
    let settings = RepairSettings { tolerance: args.tolerance, max_hole: args.max_hole, split: args.split };
    match repair_file(&args.input, &args.output, &settings, args.overwrite) {
        Ok(mended) => {
            for oddity in &mended.oddities {
                console.warn(&format!("{}: {oddity}", words::path(&args.input)));
            }
            console.result(&if args.json { mended.to_json() } else { mended.to_string() });
            Ok(Exit::Fine)
        }
        Err(error @ (RepairFileError::Write { .. } | RepairFileError::Folder(_))) => {
            console.error(&error.to_string());
            Ok(Exit::Unwritten)
        }
        Err(error) => Err(error.into()),
    }
}
