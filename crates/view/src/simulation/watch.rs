//! Whether the files that a scene is made from have changed.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use tactum::inputs::{Inputs, Role};
use tactum::scene::{Scene, included_files};

/// Time between looks at the files.
pub const WATCH: Duration = Duration::from_millis(400);

/// The files of a scene as they were when it was opened.
#[derive(Default)]
pub struct Watch {
    scene: PathBuf,
    files: Vec<(PathBuf, Option<SystemTime>)>,
    looked: Option<Instant>,
}

impl Watch {
    /// All that a scene is made from. Of one that cannot be read, what it includes and what it was made from before: any of that may be
    /// what is broken.
    pub fn of(path: &Path, scene: Option<&Scene>, before: &Self) -> Self {
        let mut files = vec![path.to_owned()];
        match scene {
            // A mesh that is opened has a scene without a file.
            Some(scene) => {
                let inputs = Inputs::of_scene(scene);
                let files_of = inputs.files().filter(|(role, _)| *role != Role::Scene);
                files.extend(files_of.map(|(_, file)| file));
            }
            None => {
                files.extend(included_files(path));
                let known = before.files.iter().filter(|_| before.scene == path);
                files.extend(known.map(|(file, _)| file.clone()));
            }
        }
        files.sort();
        files.dedup();
        let files = files.into_iter().map(|path| (path.clone(), modified(&path))).collect();
        Self { scene: path.to_owned(), files, looked: Some(Instant::now()) }
    }

    /// The scene, if one of its files has changed since the last look.
    pub fn changed(&mut self) -> Option<PathBuf> {
        if self.looked.is_none_or(|looked| looked.elapsed() < WATCH) {
            return None;
        }
        self.looked = Some(Instant::now());
        let has_changed = |(path, time): &(PathBuf, Option<SystemTime>)| modified(path) != *time;
        // While an editor replaces a file there is none for a moment.
        let is_there = self.files.iter().all(|(path, _)| path.is_file());
        (is_there && self.files.iter().any(has_changed)).then(|| self.scene.clone())
    }
}

fn modified(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path).and_then(|data| data.modified()).ok()
}
