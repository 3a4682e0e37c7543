//! The device that draws.

use std::sync::{Arc, Mutex, PoisonError};

use tactum_gpu::{ADAPTER_VARIABLE, Adapter, OpenError};
use thiserror::Error;

/// Why nothing can be drawn.
#[derive(Debug, Error)]
pub enum DrawError {
    /// There is no device that can be used.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The device cannot draw in the window.
    #[error("{adapter} cannot draw in this window: {message}")]
    Surface {
        /// The device.
        adapter: String,
        /// What is wrong.
        message: String,
    },
    /// The picture is too large or empty.
    #[error("a picture of {width} by {height} pixels cannot be drawn: needed are 1 to {max} a side")]
    Size {
        /// Width asked for.
        width: u32,
        /// Height asked for.
        height: u32,
        /// The device's limit.
        max: u32,
    },
    /// There is more to draw than the device can hold at once.
    #[error("the {what} of a picture would take {needed} bytes, the device that draws can hold {limit}")]
    Full {
        /// What there is too much of.
        what: &'static str,
        /// Bytes that it takes.
        needed: u64,
        /// The device's limit.
        limit: u64,
    },
    /// A body has no surface that could be drawn.
    #[error("the body '{body}' cannot be drawn: its shape has no surface")]
    NoSurface {
        /// The body.
        body: String,
    },
    /// The device failed while it drew.
    #[error("the device that draws failed: {0}")]
    Failed(String),
    /// A picture cannot be read.
    #[error("cannot read the picture '{}': {message}", path.display())]
    Read {
        /// The file.
        path: std::path::PathBuf,
        /// What went wrong.
        message: String,
    },
    /// The picture cannot be written.
    #[error("cannot write the picture '{}': {message}", path.display())]
    Write {
        /// The file.
        path: std::path::PathBuf,
        /// What went wrong.
        message: String,
    },
}

/// A device that draws, and what it reports outside the order of calls.
#[derive(Debug)]
pub struct Canvas {
    /// The device.
    pub device: wgpu::Device,
    /// Its queue.
    pub queue: wgpu::Queue,
    /// What it says of itself.
    pub adapter: Adapter,
    faults: Arc<Mutex<Option<String>>>,
}

/// The interface to the drivers; `display` is the window system's, if there is to be a window.
pub fn instance(display: Option<Box<dyn wgpu::wgt::WgpuHasDisplayHandle>>) -> wgpu::Instance {
    let descriptor = match display {
        Some(display) => wgpu::InstanceDescriptor::new_with_display_handle(display),
        None => wgpu::InstanceDescriptor::new_without_display_handle(),
    };
    wgpu::Instance::new(wgpu::InstanceDescriptor {
        backends: wgpu::Backends::VULKAN | wgpu::Backends::METAL | wgpu::Backends::DX12,
        flags: wgpu::InstanceFlags::from_build_config().with_env(),
        ..descriptor
    })
}

impl Canvas {
    /// Opens the device that `wanted` names (see [`tactum_gpu::Options::adapter`]), or the preferred one; with a surface
    /// one that can draw there.
    ///
    /// # Errors
    /// If there is none, or it refuses.
    pub fn open(
        instance: &wgpu::Instance,
        wanted: Option<&str>,
        surface: Option<&wgpu::Surface<'_>>,
    ) -> Result<Self, DrawError> {
        let variable = std::env::var(ADAPTER_VARIABLE).ok().filter(|name| !name.is_empty());
        let mut found = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::all()));
        if let Some(surface) = surface {
            found.retain(|adapter| adapter.is_surface_supported(surface));
        }
        let list: Vec<Adapter> = found.iter().map(Adapter::of).collect();
        let chosen = tactum_gpu::choose(&list, wanted.or(variable.as_deref()))?;
        let (adapter, summary) = (&found[chosen], list[chosen].clone());
        let limits = adapter.limits();
        let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
            label: Some("tactum-view"),
            required_limits: wgpu::Limits {
                max_texture_dimension_2d: limits.max_texture_dimension_2d,
                max_buffer_size: limits.max_buffer_size.min(1 << 30),
                ..wgpu::Limits::downlevel_defaults().or_worse_values_from(&limits)
            },
            ..Default::default()
        }))
        .map_err(|error| OpenError::Device { adapter: summary.name.clone(), message: error.to_string() })?;
        let faults = Arc::new(Mutex::new(None));
        listen(&device, &faults);
        Ok(Self { device, queue, adapter: summary, faults })
    }

    /// Largest side of a picture \[pixels\].
    pub fn max_side(&self) -> u32 {
        self.device.limits().max_texture_dimension_2d
    }

    /// Gives the device up as if it had failed, for tests of what happens then.
    pub fn lose(&self) {
        put(&self.faults, "it was lost on purpose".to_owned());
        self.device.destroy();
    }

    /// Waits until everything handed to the device is done, but no longer than a device may take over one chunk of pairs (see
    /// [`tactum_gpu::wait_limit`]), which is far more work than a picture.
    ///
    /// # Errors
    /// A fault of the device, or that it was not done in time.
    pub fn wait(&self) -> Result<(), DrawError> {
        let limit = tactum_gpu::wait_limit(1);
        let done = self.device.poll(wgpu::PollType::Wait { submission_index: None, timeout: Some(limit) });
        self.check()?;
        match done {
            Ok(_) => Ok(()),
            Err(wgpu::PollError::Timeout) => {
                // A queue waits for its device, without any limit, before it closes: that of a device that hangs never does.
                std::mem::forget(self.queue.clone());
                put(&self.faults, format!("it was not done after {} s", limit.as_secs()));
                self.check()
            }
            Err(error) => Err(DrawError::Failed(error.to_string())),
        }
    }

    /// The first fault that the device has reported, if any.
    ///
    /// # Errors
    /// That fault.
    pub fn check(&self) -> Result<(), DrawError> {
        match self.faults.lock().unwrap_or_else(PoisonError::into_inner).clone() {
            Some(fault) => Err(DrawError::Failed(fault)),
            None => Ok(()),
        }
    }
}

/// Keeps a fault, unless there was one before.
fn put(faults: &Mutex<Option<String>>, text: String) {
    faults.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(text);
}

fn listen(device: &wgpu::Device, faults: &Arc<Mutex<Option<String>>>) {
    let at_error = Arc::clone(faults);
    device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| put(&at_error, error.to_string())));
    let at_loss = Arc::clone(faults);
    device.set_device_lost_callback(move |reason, message| {
        // A device that is given back at the end of the program is no fault.
        if reason != wgpu::DeviceLostReason::Destroyed {
            put(&at_loss, if message.is_empty() { format!("{reason:?}") } else { message });
        }
    });
}
