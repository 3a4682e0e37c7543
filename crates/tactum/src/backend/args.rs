//! Arguments about the back end, the same for every program.

use super::{Backend, BackendOptions, DEFAULT_RAYS};

/// How overlaps are measured, as arguments of a program.
#[derive(Clone, Debug, clap::Args)]
pub struct BackendArgs {
    /// How contacts are measured: auto, exact (on the processor), gpu (by rays or stages of facets, on a device), or rays (the same on the
    /// processor, to compare with)
    #[arg(long, default_value = "auto", value_name = "NAME")]
    pub backend: Backend,
    /// Rays a side across a contact, for a backend that casts rays: 16, 32, 64, 128 or 256; default: 64
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = rays)]
    pub rays: Option<u32>,
    /// Device: a part of its name or its number in `tactum adapters`; default: hardware before software
    #[arg(long, value_name = "NAME", value_parser = adapter_name)]
    pub adapter: Option<String>,
}

impl BackendArgs {
    /// The arguments as options of the library.
    pub fn options(&self) -> BackendOptions {
        BackendOptions {
            backend: self.backend,
            rays: self.rays.unwrap_or(DEFAULT_RAYS),
            adapter: self.adapter.clone(),
        }
    }
}

fn rays(text: &str) -> Result<u32, String> {
    let n = text.parse().ok().filter(|n: &u32| n.is_power_of_two() && (16..=256).contains(n));
    n.ok_or_else(|| "needed is a power of two from 16 to 256".to_owned())
}

/// A part of a device's name or its number; every name has an empty part, which is none.
pub fn adapter_name(text: &str) -> Result<String, String> {
    if text.trim().is_empty() {
        return Err("needed is a part of a device's name or its number in `tactum adapters`".to_owned());
    }
    Ok(text.to_owned())
}
