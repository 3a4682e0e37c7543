//! `tactum validate`.

use anyhow::Result;
use tactum::device_check::{Check, Options, Report, run};

use super::Exit;
use super::args::ValidateArgs;
use super::console::Console;

/// Examines a device.
pub fn validate(args: &ValidateArgs, console: &Console) -> Result<Exit> {
    let options = Options { adapter: args.adapter.clone(), quick: args.quick };
    let report = match run(&options, |next| console.note(next)) {
        Ok(report) => report,
        Err(error) => {
            console.error(&error.to_string());
            return Ok(Exit::Device);
        }
    };
    if args.json {
        console.result(&format!("{}\n", serde_json::to_string(&report)?));
    } else {
        console.result(&table(&report));
    }
    Ok(if report.passed { Exit::Fine } else { Exit::Unexpected })
}

fn table(report: &Report) -> String {
    let checks = &report.checks;
    let width = |text: fn(&Check) -> String| {
        checks.iter().map(|check| text(check).chars().count()).max().unwrap_or(0)
    };
    let [name, cases, worst] = [width(|check| check.name.clone()), width(cases), width(worst)];
    let mut text = format!("{}\n\n", report.adapter);
    text += &format!("{:<name$}  {:<cases$}  {:<worst$}  {:<8}\n", "check", "cases", "worst", "limit");
    for check in checks {
        text += &format!(
            "{:<name$}  {:<cases$}  {:<worst$}  {:<8}  {}\n",
            check.name,
            self::cases(check),
            self::worst(check),
            figure(check.limit),
            if check.passed { "pass" } else { "FAIL" },
        );
        if let Some(trouble) = &check.trouble {
            text += &format!("    {trouble}\n");
        }
    }
    let n_failed = checks.iter().filter(|check| !check.passed).count();
    let outcome = match n_failed {
        0 => "all passed".to_owned(),
        n => format!("{n} FAILED"),
    };
    text += &format!("\n{} checks in {:.1} s: {outcome}\n", checks.len(), report.seconds);
    text
}

fn cases(check: &Check) -> String {
    format!("{} {}", check.cases, check.of)
}

fn worst(check: &Check) -> String {
    format!("{} {}", figure(check.worst), check.unit)
}

/// Whole numbers as they are, others to three digits.
fn figure(x: f64) -> String {
    if x.fract() == 0.0 && x.abs() < 1e6 { format!("{x}") } else { format!("{x:.2e}") }
}
