//! `tactum validate`: what it says of a device that is right, and of one that is not there.

mod stage;

use serde_json::Value;
use stage::{Ended, tactum};

fn validate(arguments: &[&str]) -> Ended {
    tactum(&[&["validate"], arguments].concat())
}

#[test]
#[cfg_attr(not(software_vulkan), ignore = "no software Vulkan driver is installed")]
fn a_software_driver_passes_every_check() {
    let adapters = tactum_gpu::adapters();
    let software = adapters.iter().position(tactum_gpu::Adapter::is_software).expect("a software driver");
    let output = validate(&["--quick", "--json", "--adapter", &software.to_string()]);
    let report: Value = serde_json::from_str(&output.stdout).expect("one JSON object");
    let checks = report["checks"].as_array().expect("checks");
    let failed: Vec<&Value> = checks.iter().filter(|check| check["passed"] != true).collect();
    assert!(failed.is_empty(), "{failed:#?}");
    assert_eq!(report["passed"], true);
    assert_eq!(report["is_software"], true);
    assert_eq!(output.code, 0);
    let of_facets = tactum_shaders::facets::STAGES.iter().map(|stage| stage.name);
    for stage in tactum_shaders::rays::STAGES.iter().map(|stage| stage.name).chain(of_facets) {
        let name = format!("stage {stage}");
        let check = checks.iter().find(|check| check["name"] == name.as_str());
        assert!(check.is_some_and(|check| check["cases"].as_u64() > Some(0)), "{name}");
    }
}

#[test]
fn a_device_that_is_not_there_exits_with_4_and_no_report() {
    let output = validate(&["--json", "--adapter", "no device has this name"]);
    assert_eq!(output.code, 4);
    assert!(output.stdout.is_empty());
    assert!(output.stderr.contains("error: no "));
}
