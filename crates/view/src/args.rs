//! Arguments of the program.

use std::path::PathBuf;

use clap::{ArgGroup, Parser};
use tactum::backend::BackendArgs;
use tactum_view::layers::Layers;

const AFTER: &str = "\
Without --png, --film, --gallery or --replay a window opens; F1 in it lists the keys.

Exit codes: 0 fine; 1 a replay ended in another state; 2 bad usage or input; 3 the simulation could not go on; 4 no device
that can draw. Results go to stdout, messages to stderr.";

/// Live viewer: contact patches, centres of pressure, forces, and why bodies hold.
#[derive(Debug, Parser)]
#[command(name = "tactum-view", version, after_help = AFTER)]
#[command(group = ArgGroup::new("picture").args(["png", "film", "gallery"]).multiple(true))]
pub struct Args {
    /// Scene file (TOML), a mesh (which lies on a floor), or a folder of scenes; default: the folder `scenes`, or scenes of the program's own
    pub scene: Option<PathBuf>,
    /// Write a picture instead of opening a window
    #[arg(long, value_name = "FILE")]
    pub png: Option<PathBuf>,
    /// Write an animated PNG (.png) instead, from the scene's start to --time, with 30 pictures per simulated second
    #[arg(long, value_name = "FILE", conflicts_with_all = ["png", "gallery", "replay"])]
    pub film: Option<PathBuf>,
    /// Simulated time of the picture, or of the film's end [s]; default: that of the scene's [view] for pictures, or else its duration
    #[arg(long, value_name = "S")]
    pub time: Option<f64>,
    /// Width and height of the picture, or of the window [pixels]
    #[arg(long, value_name = "WxH", value_parser = size, default_value = "1280x800")]
    pub size: [u32; 2],
    /// Layers to show, for example patch,force or +box,-force
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub layers: Option<Layers>,
    /// Write a picture of every scene of a folder into this one, and all of them small on one sheet, contact-sheet.png
    #[arg(long, value_name = "DIR", conflicts_with_all = ["png", "replay"])]
    pub gallery: Option<PathBuf>,
    /// Camera: direction about z from x and height above the horizon [degrees], and zoom, for example -60,30,1
    #[arg(long, value_name = "YAW,PITCH,ZOOM", requires = "picture", allow_hyphen_values = true, value_parser = look)]
    pub look: Option<[f64; 3]>,
    /// Outline the body of this name
    #[arg(long, value_name = "NAME", requires = "picture")]
    pub select: Option<String>,
    /// Look at the selected body, and show its contacts only
    #[arg(long, requires = "select")]
    pub close: bool,
    /// Opacity of bodies that move, 0 to 1
    #[arg(long, value_name = "X", value_parser = part)]
    pub opacity: Option<f32>,
    /// Opacity of bodies that do not move, 0 to 1
    #[arg(long, value_name = "X", value_parser = part)]
    pub fixed_opacity: Option<f32>,
    /// Factor on the length of arrows
    #[arg(long, value_name = "X", default_value_t = 1.0)]
    pub force_scale: f64,
    /// Dark surroundings
    #[arg(long)]
    pub dark: bool,
    /// Record every command of the window in a file
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// Do the commands of a log again, without a window; with --png a picture of the end
    #[arg(long, value_name = "FILE", conflicts_with = "time")]
    pub replay: Option<PathBuf>,
    /// Run the scene in the window for S seconds while the camera turns, close it, and print how fast it was drawn
    #[arg(long, value_name = "S", value_parser = seconds, conflicts_with_all = ["png", "film", "gallery", "replay"])]
    pub measure: Option<f64>,
    /// Give up the device that draws after N pictures, and the next one after M, to test what happens then
    #[arg(long, value_name = "N,M", value_delimiter = ',', hide = true)]
    pub lose_device_after: Vec<usize>,
    /// Keep a list of the window's widgets and where they are in a file (JSON), for programs that drive the window
    #[arg(long, value_name = "FILE", hide = true)]
    pub widget_list: Option<PathBuf>,
    #[command(flatten)]
    pub backend: BackendArgs,
}

fn size(text: &str) -> Result<[u32; 2], String> {
    let needed = || "needed are a width and a height, for example 1280x800".to_owned();
    let (width, height) = text.split_once('x').ok_or_else(needed)?;
    let side = |text: &str| text.parse::<u32>().ok().filter(|n| *n > 0).ok_or_else(needed);
    Ok([side(width)?, side(height)?])
}

fn look(text: &str) -> Result<[f64; 3], String> {
    let numbers: Vec<f64> = text.split(',').filter_map(|part| part.trim().parse().ok()).collect();
    match numbers[..] {
        [yaw, pitch, zoom] if numbers.iter().all(|x| x.is_finite()) && zoom > 0.0 => Ok([yaw, pitch, zoom]),
        _ => Err("needed are three numbers, the last one positive, for example -60,30,1".to_owned()),
    }
}

fn part(text: &str) -> Result<f32, String> {
    let needed = || "needed is a number from 0 to 1".to_owned();
    text.parse().ok().filter(|x| (0.0..=1.0).contains(x)).ok_or_else(needed)
}

fn seconds(text: &str) -> Result<f64, String> {
    let needed = || "needed is a number above 0 and up to 86400".to_owned();
    text.parse().ok().filter(|x| *x > 0.0 && *x <= 86_400.0).ok_or_else(needed)
}
