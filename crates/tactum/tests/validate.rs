//! `tactum validate`: what it says of a device that is right, and of one that is not there.

use std::process::{Command, Output};

use serde_json::Value;

fn validate(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tactum"))
        .arg("validate")
        .args(arguments)
        .output()
        .expect("the program starts")
}

#[test]
#[cfg_attr(not(software_vulkan), ignore = "no software Vulkan driver is installed")]
fn a_software_driver_passes_every_check() {
    let adapters = tactum_gpu::adapters();
    let software = adapters.iter().position(tactum_gpu::Adapter::is_software).expect("a software driver");
    let output = validate(&["--quick", "--json", "--adapter", &software.to_string()]);
    let text = String::from_utf8_lossy(&output.stdout);
    let report: Value = serde_json::from_str(&text).expect("one JSON object");
    let checks = report["checks"].as_array().expect("checks");
    let failed: Vec<&Value> = checks.iter().filter(|check| check["passed"] != true).collect();
    assert!(failed.is_empty(), "{failed:#?}");
    assert_eq!(report["passed"], true);
    assert_eq!(report["is_software"], true);
    assert_eq!(output.status.code(), Some(0));
    for stage in tactum_shaders::STAGES {
        let name = format!("stage {}", stage.name);
        let check = checks.iter().find(|check| check["name"] == name.as_str());
        assert!(check.is_some_and(|check| check["cases"].as_u64() > Some(0)), "{name}");
    }
}

#[test]
fn a_device_that_is_not_there_exits_with_4_and_no_report() {
    let output = validate(&["--json", "--adapter", "no device has this name"]);
    assert_eq!(output.status.code(), Some(4));
    assert!(output.stdout.is_empty());
    assert!(String::from_utf8_lossy(&output.stderr).contains("error: no "));
}
