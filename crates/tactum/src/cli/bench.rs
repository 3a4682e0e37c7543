//! `tactum bench`.

use anyhow::{Result, bail};
use tactum::bench::{self, Measurement, Options};

use super::Exit;
use super::args::BenchArgs;
use super::console::Console;

/// Runs the benchmarks whose name contains the argument.
pub fn bench(args: &BenchArgs, console: &Console) -> Result<Exit> {
    let wanted = |name: &str| args.name.as_ref().is_none_or(|part| name.contains(part.as_str()));
    let benches: Vec<_> = bench::all().into_iter().filter(|bench| wanted(bench.name)).collect();
    if benches.is_empty() {
        let known: Vec<&str> = bench::all().iter().map(|bench| bench.name).collect();
        let asked = args.name.as_deref().unwrap_or_default();
        bail!("no benchmark's name contains '{asked}'; there are: {}", known.join(", "));
    }
    let options = Options { out: args.out.clone(), scenes: args.scenes.clone() };
    let mut measured = Vec::new();
    for bench in benches {
        console.note(&format!("{}: {}", bench.name, bench.what));
        measured.extend(bench.run(&options)?);
    }
    if args.json {
        console.result(&format!("{}\n", bench::to_json(&measured)));
    } else {
        console.result(&table(&measured));
    }
    Ok(Exit::Fine)
}

fn table(measured: &[Measurement]) -> String {
    let width = measured.iter().map(|m| m.case.chars().count()).max().unwrap_or(0).max(4);
    let mut text =
        format!("{:<8} {:<width$} {:<10} {:>12} {:>6}\n", "bench", "case", "method", "median ms", "runs");
    for m in measured {
        let median = if m.median_ms.is_nan() { "-".to_owned() } else { format!("{:.4}", m.median_ms) };
        let row = format!(
            "{:<8} {:<width$} {:<10} {:>12} {:>6}  {}",
            m.bench, m.case, m.method, median, m.runs, m.remark
        );
        text += row.trim_end();
        text += "\n";
    }
    text
}
