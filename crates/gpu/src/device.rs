//! An open device, and what it reports outside the order of calls.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::adapter::{self, Adapter};
use crate::error::{Fault, OpenError};

/// A device, its queue, and the faults they reported.
pub struct Device {
    pub handle: wgpu::Device,
    pub queue: wgpu::Queue,
    pub adapter: Adapter,
    reports: Arc<Reports>,
}

/// How a look at the device ended that found no result.
enum Stopped {
    TimedOut,
    Lost(String),
}

#[derive(Default)]
struct Reports {
    lost: Mutex<Option<String>>,
    fault: Mutex<Option<Fault>>,
}

impl Device {
    /// Opens the adapter that `wanted` names, or the preferred one.
    pub fn open(wanted: Option<&str>) -> Result<Self, OpenError> {
        let mut found = adapter::found();
        let list: Vec<Adapter> = found.iter().map(Adapter::of).collect();
        let ix = adapter::choose(&list, wanted)?;
        Self::of(&found.swap_remove(ix))
    }

    pub fn of(adapter: &wgpu::Adapter) -> Result<Self, OpenError> {
        let summary = Adapter::of(adapter);
        let required_limits = adapter::limits_for(&summary.name, &adapter.limits())?;
        let (handle, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
            label: Some("tactum"),
            required_features: adapter.features() & wgpu::Features::TIMESTAMP_QUERY,
            required_limits,
            ..Default::default()
        }))
        .map_err(|error| OpenError::Device { adapter: summary.name.clone(), message: error.to_string() })?;
        let reports = Arc::new(Reports::default());
        listen(&handle, &reports);
        Ok(Self { handle, queue, adapter: summary, reports })
    }

    /// Largest storage buffer that a stage can see, in bytes.
    pub fn max_binding(&self) -> u64 {
        self.handle.limits().max_storage_buffer_binding_size
    }

    /// Most bytes of a buffer.
    pub fn max_buffer(&self) -> u64 {
        self.handle.limits().max_buffer_size
    }

    /// Whether stages can be timed.
    pub fn has_timestamps(&self) -> bool {
        self.handle.features().contains(wgpu::Features::TIMESTAMP_QUERY)
    }

    /// The first fault since the last call, if any. A device that is lost stays so.
    pub fn check(&self) -> Result<(), Fault> {
        let Some(fault) = self.reports.first() else { return Ok(()) };
        // A lost device refuses commands before it says that it is lost.
        let _ = self.poll(wgpu::PollType::Poll);
        Err(self.reports.first().filter(|fault| matches!(fault, Fault::Lost(_))).unwrap_or(fault))
    }

    /// Waits until a submission is done, but no longer than `limit`. A device that is not done by then counts as lost.
    pub fn wait(&self, submission: wgpu::SubmissionIndex, limit: Duration) -> Result<(), Fault> {
        let outcome =
            self.poll(wgpu::PollType::Wait { submission_index: Some(submission), timeout: Some(limit) });
        self.check()?;
        outcome.map_err(|stopped| match stopped {
            Stopped::TimedOut => self.abandon(limit),
            Stopped::Lost(reason) => self.reports.lose(reason),
        })
    }

    fn poll(&self, how: wgpu::PollType) -> Result<(), Stopped> {
        // wgpu panics here when the device is lost while it is waited for.
        match catch_unwind(AssertUnwindSafe(|| self.handle.poll(how))) {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(wgpu::PollError::Timeout)) => Err(Stopped::TimedOut),
            Ok(Err(error)) => Err(Stopped::Lost(error.to_string())),
            Err(_) => Err(Stopped::Lost("it stopped while it was waited for".to_owned())),
        }
    }

    /// Gives up a device that hangs. Its queue is never closed: closing waits, without any limit, until all is done.
    fn abandon(&self, waited: Duration) -> Fault {
        std::mem::forget(self.queue.clone());
        let fault = Fault::TimedOut { waited };
        self.reports.lose(fault.to_string());
        fault
    }

    /// Waits for a buffer that was mapped with a submission, and hands its bytes to `read`.
    pub fn read_mapped<T>(
        &self,
        buffer: &wgpu::Buffer,
        bytes: u64,
        submission: wgpu::SubmissionIndex,
        limit: Duration,
        read: impl FnOnce(&[u8]) -> T,
    ) -> Result<T, Fault> {
        self.wait(submission, limit)?;
        let view =
            buffer.slice(..bytes).get_mapped_range().map_err(|error| Fault::Refused(error.to_string()))?;
        let found = read(&view);
        drop(view);
        buffer.unmap();
        Ok(found)
    }
}

impl Reports {
    /// Takes the oldest report of a fault; that of a loss comes first, and stays.
    fn first(&self) -> Option<Fault> {
        let fault = lock(&self.fault).take();
        lock(&self.lost).clone().map(Fault::Lost).or(fault)
    }

    fn lose(&self, reason: String) -> Fault {
        Fault::Lost(lock(&self.lost).get_or_insert(reason).clone())
    }
}

/// A report is a whole value, so one that was written by a thread that panicked later is as good as any.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn listen(device: &wgpu::Device, reports: &Arc<Reports>) {
    let at_loss = Arc::clone(reports);
    device.set_device_lost_callback(move |reason, message| {
        let text = if message.is_empty() { format!("{reason:?}") } else { message };
        at_loss.lose(text);
    });
    let at_error = Arc::clone(reports);
    device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
        let fault = match error {
            wgpu::Error::OutOfMemory { .. } => Fault::OutOfMemory,
            wgpu::Error::Validation { description, .. } | wgpu::Error::Internal { description, .. } => {
                Fault::Refused(description)
            }
        };
        lock(&at_error.fault).get_or_insert(fault);
    }));
}
