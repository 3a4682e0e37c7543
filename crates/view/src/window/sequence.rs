//! A sequence of pictures that is taken while time goes on.

use std::path::PathBuf;

use crate::frame::Frame;
use crate::paths::whole;

/// Simulated time between two pictures of a sequence \[s\].
const PICTURE_INTERVAL: f64 = 1.0 / crate::film::RATE as f64;

/// A sequence of pictures that is being taken.
#[derive(Debug)]
pub struct Sequence {
    /// Where they are put.
    pub folder: PathBuf,
    /// Those taken so far.
    pub pictures: Vec<PathBuf>,
    /// Width and height \[pixels\], the same for all whatever becomes of the window.
    pub size: [u32; 2],
    /// Simulated time from which on the next one is due \[s\].
    next: f64,
}

impl Sequence {
    /// Begins a sequence whose first picture is that of the next frame.
    ///
    /// # Errors
    /// If the folder cannot be made.
    pub fn begin(folder: PathBuf, size: [u32; 2]) -> Result<Self, String> {
        match std::fs::create_dir_all(&folder) {
            Ok(()) => Ok(Self { folder, pictures: Vec::new(), size, next: f64::NEG_INFINITY }),
            Err(error) => Err(format!("cannot make the folder '{}': {error}", folder.display())),
        }
    }

    /// The file of the next picture, if it is due: the time has come, or the scene began anew.
    pub fn due(&mut self, frame: &Frame) -> Option<PathBuf> {
        if frame.time < self.next && frame.after.is_some() {
            return None;
        }
        self.next = frame.time + PICTURE_INTERVAL * (1.0 - 1e-9);
        let path = self.folder.join(format!("{:06}.png", self.pictures.len()));
        self.pictures.push(path.clone());
        Some(path)
    }

    /// What there is to tell in the end.
    pub fn summary(&self) -> String {
        format!("took {} pictures in '{}'", self.pictures.len(), whole(&self.folder))
    }

    /// The file of the film that is made of the pictures.
    pub fn film(&self) -> PathBuf {
        let mut film = self.folder.clone().into_os_string();
        film.push(".png");
        film.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_due_at_their_rate_and_where_time_begins_anew() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("pictures");
        let mut sequence = Sequence::begin(path.clone(), [4, 3]).expect("a sequence");
        let mut at = |time: f64, after: Option<u64>| {
            let frame = Frame { time, after, ..Frame::default() };
            sequence.due(&frame).is_some()
        };
        let half = 0.5 * PICTURE_INTERVAL;
        let found = [at(0.0, None), at(half, Some(0)), at(2.0 * half, Some(1)), at(2.5 * half, Some(2))];
        assert_eq!(found, [true, false, true, false]);
        assert!(at(0.0, None) && !at(half, Some(0)));
        assert_eq!(sequence.pictures, ["000000.png", "000001.png", "000002.png"].map(|name| path.join(name)));
        assert_eq!(sequence.film(), folder.path().join("pictures.png"));
    }
}
