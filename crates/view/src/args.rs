//! Arguments of the program.

use std::path::PathBuf;

use clap::Parser;
use tactum::backend::{Backend, BackendOptions, DEFAULT_RAYS};
use tactum_view::layers::Layers;

const AFTER: &str = "\
Without --png, --film, --gallery or --replay a window opens; F1 in it lists the keys.

Exit codes: 0 fine; 1 a replay ended in another state; 2 bad usage or input; 3 the simulation could not go on; 4 no device
that can draw. Results go to stdout, messages to stderr.";

/// Live viewer: contact patches, centres of pressure, forces, and why bodies hold.
#[derive(Debug, Parser)]
#[command(name = "tactum-view", version, after_help = AFTER)]
pub struct Args {
    /// Scene file (TOML), or a folder of scenes; default: the folder `scenes`
    pub scene: Option<PathBuf>,
    /// Write a picture instead of opening a window
    #[arg(long, value_name = "FILE")]
    pub png: Option<PathBuf>,
    /// Write an animated PNG instead, from the scene's start to --time, with 30 pictures per simulated second
    #[arg(long, value_name = "FILE", conflicts_with_all = ["png", "gallery", "replay"])]
    pub film: Option<PathBuf>,
    /// Simulated time of the picture, or of the film's end [s]; default: the scene's duration
    #[arg(long, value_name = "S")]
    pub time: Option<f64>,
    /// Width and height of the picture, or of the window [pixels]
    #[arg(long, value_name = "WxH", value_parser = size, default_value = "1280x800")]
    pub size: [u32; 2],
    /// Layers to show, for example patch,force or +box,-force
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub layers: Option<Layers>,
    /// Write a picture of every scene of a folder into this one
    #[arg(long, value_name = "DIR", conflicts_with_all = ["png", "replay"])]
    pub gallery: Option<PathBuf>,
    /// Camera: direction about z from x and height above the horizon [degrees], and zoom, for example -60,30,1
    #[arg(long, value_name = "YAW,PITCH,ZOOM", allow_hyphen_values = true, value_parser = look)]
    pub look: Option<[f64; 3]>,
    /// Outline the body of this name
    #[arg(long, value_name = "NAME")]
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
    /// Give up the device that draws after N pictures, to test what happens then
    #[arg(long, value_name = "N", hide = true)]
    pub lose_device_after: Option<usize>,
    /// How overlaps are measured: auto, exact, gpu or rays
    #[arg(long, default_value = "auto", value_name = "NAME")]
    pub backend: Backend,
    /// Rays a side across a contact, for a backend that casts rays: 16, 32, 64, 128 or 256; default: 64
    #[arg(long, value_name = "N", value_parser = rays)]
    pub rays: Option<u32>,
    /// Device that draws and casts rays: a part of its name or its number in `tactum adapters`
    #[arg(long, value_name = "NAME")]
    pub adapter: Option<String>,
}

impl Args {
    /// How overlaps are measured, as options of the library.
    pub fn backend_options(&self) -> BackendOptions {
        BackendOptions {
            backend: self.backend,
            rays: self.rays.unwrap_or(DEFAULT_RAYS),
            adapter: self.adapter.clone(),
        }
    }
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

fn rays(text: &str) -> Result<u32, String> {
    let needed = || "needed is a power of two from 16 to 256".to_owned();
    text.parse().ok().filter(|n: &u32| n.is_power_of_two() && (16..=256).contains(n)).ok_or_else(needed)
}
