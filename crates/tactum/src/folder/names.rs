//! Names of the files in a folder of results.

use crate::files::UNFINISHED;
use crate::tables::TABLE_FILES;

/// Says which run a folder belongs to; whoever writes into the folder holds a lock on it.
pub const CARD: &str = "run.json";

/// The file by which the folder of a batch is known; whoever writes there holds a lock on it.
pub const BATCH_CARD: &str = "batch.json";

/// The report of a run.
pub const REPORT: &str = "report.json";

/// Whether a run wrote a file, or left it when it was killed; its card is another matter.
pub fn is_of_a_run(name: &str) -> bool {
    TABLE_FILES.contains(&name) || is_later(name, 0) || checkpoint_step(name) == Some(0)
}

/// Whether a file was written by a run after a step, or is left of one that was killed; tables hold earlier steps too.
pub fn is_later(name: &str, step: u64) -> bool {
    match name.strip_suffix(UNFINISHED) {
        Some(whole) => whole == REPORT || checkpoint_step(whole).is_some(),
        None => name == REPORT || checkpoint_step(name).is_some_and(|of| of > step),
    }
}

/// Name of the checkpoint after a step.
pub fn checkpoint_name(step: u64) -> String {
    format!("checkpoint-{step:08}.json")
}

/// The step after which a checkpoint of this name was written; none for other files.
pub fn checkpoint_step(name: &str) -> Option<u64> {
    let step = name.strip_prefix("checkpoint-")?.strip_suffix(".json")?.parse().ok()?;
    (checkpoint_name(step) == name).then_some(step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_checkpoints_sort_and_read_back() {
        assert_eq!(checkpoint_step("checkpoint-00000010.json"), Some(10));
        assert_eq!(checkpoint_step(&checkpoint_name(1_234_567_890)), Some(1_234_567_890));
        for other in ["checkpoint-10.json", "checkpoint-00000010.json.unfinished", "checkpoint-+0000010.json"]
        {
            assert_eq!(checkpoint_step(other), None, "{other}");
        }
    }
}
