//! Which devices there are, which of them to use, and what they must grant.

use std::fmt;

use tactum_shaders::rays::layout::WORKGROUP;

use crate::error::OpenError;

/// Environment variable that names the adapter to use; see [`crate::Options::adapter`].
pub const ADAPTER_VARIABLE: &str = "TACTUM_ADAPTER";

/// Largest binding that is asked for, in bytes: where memory is plenty, larger ones would only hide a leak.
const MAX_BINDING: u64 = 1 << 30;

/// Kinds of devices, the preferred ones first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AdapterKind {
    /// A graphics card.
    Discrete,
    /// Graphics that share the processor's memory.
    Integrated,
    /// A graphics card seen through a virtual machine.
    Virtual,
    /// A device that does not say what it is.
    Other,
    /// A driver that computes on the processor.
    Software,
}

impl fmt::Display for AdapterKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Discrete => "discrete GPU",
            Self::Integrated => "integrated GPU",
            Self::Virtual => "virtual GPU",
            Self::Other => "unknown device",
            Self::Software => "software",
        })
    }
}

/// A device that stages can run on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Adapter {
    /// Name of the device, as its driver gives it.
    pub name: String,
    /// Name and version of the driver.
    pub driver: String,
    /// Graphics interface: `vulkan`, `metal` or `dx12`.
    pub backend: String,
    /// Kind of device.
    pub kind: AdapterKind,
    /// Largest storage buffer that a stage can see \[bytes\].
    pub max_binding: u64,
    /// Largest buffer \[bytes\].
    pub max_buffer: u64,
    /// Storage buffers that a stage can see.
    pub storage_buffers_per_stage: u32,
    /// Threads of a workgroup.
    pub threads_per_workgroup: u32,
    /// Workgroups along one side of a dispatch.
    pub workgroups_per_dimension: u32,
    /// Whether the device can tell how long each stage takes.
    pub has_timestamps: bool,
}

impl Adapter {
    /// Whether the device computes on the processor.
    pub fn is_software(&self) -> bool {
        self.kind == AdapterKind::Software
    }

    /// What a device says of itself; for whoever draws on it as well.
    pub fn of(adapter: &wgpu::Adapter) -> Self {
        let (info, limits) = (adapter.get_info(), adapter.limits());
        Self {
            driver: [info.driver, info.driver_info].join(" ").trim().to_owned(),
            name: info.name,
            backend: info.backend.to_string(),
            kind: match info.device_type {
                wgpu::DeviceType::DiscreteGpu => AdapterKind::Discrete,
                wgpu::DeviceType::IntegratedGpu => AdapterKind::Integrated,
                wgpu::DeviceType::VirtualGpu => AdapterKind::Virtual,
                wgpu::DeviceType::Other => AdapterKind::Other,
                wgpu::DeviceType::Cpu => AdapterKind::Software,
            },
            max_binding: limits.max_storage_buffer_binding_size,
            max_buffer: limits.max_buffer_size,
            storage_buffers_per_stage: limits.max_storage_buffers_per_shader_stage,
            threads_per_workgroup: limits.max_compute_invocations_per_workgroup,
            workgroups_per_dimension: limits.max_compute_workgroups_per_dimension,
            has_timestamps: adapter.features().contains(wgpu::Features::TIMESTAMP_QUERY),
        }
    }
}

impl fmt::Display for Adapter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}, {}, {})", self.name, self.kind, self.backend, self.driver)
    }
}

/// Whether this machine can have a device that is more than its processor. A false answer is certain and costs nothing,
/// unlike a list of [`adapters`], for which drivers are loaded.
pub fn may_have_hardware() -> bool {
    // On Linux every driver talks to the card through one of these.
    let files = ["/dev/dri", "/dev/nvidiactl", "/dev/dxg", "/dev/kgsl-3d0", "/dev/mali0"];
    !cfg!(target_os = "linux") || files.iter().any(|file| std::path::Path::new(file).exists())
}

/// All devices of this machine, in the order of its drivers; an index into this list chooses one.
pub fn adapters() -> Vec<Adapter> {
    found().iter().map(Adapter::of).collect()
}

pub(crate) fn found() -> Vec<wgpu::Adapter> {
    let backends = wgpu::Backends::VULKAN | wgpu::Backends::METAL | wgpu::Backends::DX12;
    let mut flags = wgpu::InstanceFlags::from_build_config();
    if !cfg!(debug_assertions) {
        // The stage that writes the arguments folds them within the limit, so checking them again would only cost a
        // dispatch each time.
        flags.remove(wgpu::InstanceFlags::VALIDATION_INDIRECT_CALL);
    }
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor {
        backends,
        flags: flags.with_env(),
        ..wgpu::InstanceDescriptor::new_without_display_handle()
    });
    pollster::block_on(instance.enumerate_adapters(backends))
}

/// The adapter to use: by index, by a part of its name or driver (in any case), or the one of the preferred kind.
///
/// # Errors
///
/// [`OpenError::NoAdapter`] if there is none at all, [`OpenError::NoMatch`] with the list if none is meant.
pub fn choose(found: &[Adapter], wanted: Option<&str>) -> Result<usize, OpenError> {
    if found.is_empty() {
        return Err(OpenError::NoAdapter);
    }
    let matches = |ix: usize| {
        wanted.is_none_or(|wanted| match wanted.parse() {
            Ok(wanted) => ix == wanted,
            Err(_) => found[ix].to_string().to_lowercase().contains(&wanted.to_lowercase()),
        })
    };
    (0..found.len()).filter(|&ix| matches(ix)).min_by_key(|&ix| (found[ix].kind, ix)).ok_or_else(|| {
        OpenError::NoMatch {
            wanted: wanted.unwrap_or_default().to_owned(),
            found: found.iter().map(ToString::to_string).collect(),
        }
    })
}

/// The limits to ask for: what WebGPU promises, and bindings as large as there are.
pub(crate) fn limits_for(name: &str, found: &wgpu::Limits) -> Result<wgpu::Limits, OpenError> {
    let promised = wgpu::Limits::default();
    let needed = [
        (
            "storage buffers per stage",
            found.max_storage_buffers_per_shader_stage.into(),
            promised.max_storage_buffers_per_shader_stage.into(),
        ),
        (
            "bytes of a storage binding",
            found.max_storage_buffer_binding_size,
            promised.max_storage_buffer_binding_size,
        ),
        ("bytes of a buffer", found.max_buffer_size, promised.max_buffer_size),
        ("threads of a workgroup", found.max_compute_invocations_per_workgroup.into(), WORKGROUP.into()),
        (
            "bytes of workgroup memory",
            found.max_compute_workgroup_storage_size.into(),
            promised.max_compute_workgroup_storage_size.into(),
        ),
        (
            "workgroups per dimension",
            found.max_compute_workgroups_per_dimension.into(),
            promised.max_compute_workgroups_per_dimension.into(),
        ),
    ];
    for (limit, found, needed) in needed {
        if found < needed {
            return Err(OpenError::LimitTooLow { adapter: name.to_owned(), limit, needed, found });
        }
    }
    let max_binding = found.max_storage_buffer_binding_size.min(found.max_buffer_size).min(MAX_BINDING);
    Ok(wgpu::Limits {
        max_storage_buffer_binding_size: max_binding,
        max_buffer_size: max_binding.max(promised.max_buffer_size),
        ..promised.or_worse_values_from(found)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn adapter(name: &str, kind: AdapterKind) -> Adapter {
        Adapter {
            name: name.to_owned(),
            driver: String::new(),
            backend: "vulkan".to_owned(),
            kind,
            max_binding: 1 << 27,
            max_buffer: 1 << 28,
            storage_buffers_per_stage: 8,
            threads_per_workgroup: 256,
            workgroups_per_dimension: 65_535,
            has_timestamps: false,
        }
    }

    fn some_adapters() -> Vec<Adapter> {
        vec![
            adapter("llvmpipe", AdapterKind::Software),
            adapter("Radeon", AdapterKind::Integrated),
            adapter("GeForce", AdapterKind::Discrete),
            adapter("GeForce 2", AdapterKind::Discrete),
        ]
    }

    #[test]
    fn hardware_comes_before_software() {
        let found = some_adapters();
        assert_eq!(choose(&found, None).unwrap(), 2);
        assert_eq!(choose(&found[..2], None).unwrap(), 1);
        assert_eq!(choose(&found[..1], None).unwrap(), 0);
    }

    #[test]
    fn an_adapter_is_chosen_by_index_or_part_of_its_name() {
        let found = some_adapters();
        assert_eq!(choose(&found, Some("0")).unwrap(), 0);
        assert_eq!(choose(&found, Some("LLVM")).unwrap(), 0);
        assert_eq!(choose(&found, Some("force 2")).unwrap(), 3);
    }

    #[test]
    fn a_wrong_choice_lists_what_there_is() {
        let message = choose(&some_adapters(), Some("Arc")).unwrap_err().to_string();
        assert!(message.contains("Arc") && message.contains("Radeon"), "{message}");
        assert!(matches!(choose(&some_adapters(), Some("4")), Err(OpenError::NoMatch { .. })));
        let message = choose(&[], Some("0")).unwrap_err().to_string();
        assert!(message.contains("mesa-vulkan-drivers"), "{message}");
    }

    #[test]
    fn too_low_limits_are_named_with_both_numbers() {
        let found = wgpu::Limits { max_storage_buffers_per_shader_stage: 4, ..wgpu::Limits::default() };
        let message = limits_for("old card", &found).unwrap_err().to_string();
        assert_eq!(message, "old card grants 4 storage buffers per stage, 8 are needed");
    }

    #[test]
    fn bindings_are_as_large_as_the_device_grants_but_no_larger_than_is_sensible() {
        let found = |bytes| wgpu::Limits {
            max_storage_buffer_binding_size: bytes,
            max_buffer_size: 1 << 40,
            ..wgpu::Limits::default()
        };
        let asked = |bytes| limits_for("", &found(bytes)).unwrap().max_storage_buffer_binding_size;
        assert_eq!(asked(1 << 27), 1 << 27);
        assert_eq!(asked(1 << 28), 1 << 28);
        assert_eq!(asked(1 << 35), MAX_BINDING);
    }
}
