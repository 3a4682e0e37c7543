//! Animated pictures: PNG files with several frames (APNG), which browsers play.

use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use crate::draw::DrawError;
use crate::offscreen::Image;

/// Pictures per simulated second.
pub const RATE: u16 = 30;

/// A film that is being written.
pub struct Film {
    writer: png::Writer<BufWriter<File>>,
    path: PathBuf,
    size: [u32; 2],
}

impl Film {
    /// Begins a film of so many pictures of a size; it plays at [`RATE`] and begins again at its end.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn create(path: &Path, [width, height]: [u32; 2], n_pictures: u32) -> Result<Self, DrawError> {
        let fail = |message: String| DrawError::Write { path: path.to_owned(), message };
        let file = File::create(path).map_err(|error| fail(error.to_string()))?;
        let mut encoder = png::Encoder::new(BufWriter::new(file), width, height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::High);
        let begun = encoder.set_animated(n_pictures, 0).and_then(|()| encoder.set_frame_delay(1, RATE));
        let writer = begun.and_then(|()| encoder.write_header()).map_err(|error| fail(error.to_string()))?;
        Ok(Self { writer, path: path.to_owned(), size: [width, height] })
    }

    /// Adds the next picture.
    ///
    /// # Errors
    /// If it has another size or cannot be written.
    pub fn add(&mut self, image: &Image) -> Result<(), DrawError> {
        let [width, height] = self.size;
        if [image.width, image.height] != self.size {
            let found = format!("{} by {}", image.width, image.height);
            return Err(self.fail(&format!("a picture of {found} pixels in a film of {width} by {height}")));
        }
        self.writer.write_image_data(&image.rgb()).map_err(|error| self.fail(&error.to_string()))
    }

    /// Ends the film.
    ///
    /// # Errors
    /// If pictures are missing, or the end cannot be written.
    pub fn finish(self) -> Result<(), DrawError> {
        let Self { writer, path, .. } = self;
        writer.finish().map_err(|error| DrawError::Write { path, message: error.to_string() })
    }

    fn fail(&self, message: &str) -> DrawError {
        DrawError::Write { path: self.path.clone(), message: message.to_owned() }
    }
}

/// Makes a film of pictures that were written one by one.
///
/// # Errors
/// If one cannot be read, sizes differ, or the film cannot be written.
pub fn join(pictures: &[PathBuf], path: &Path) -> Result<(), DrawError> {
    let read = |picture: &PathBuf| {
        Image::read(picture).map_err(|message| DrawError::Read { path: picture.clone(), message })
    };
    let Some(first) = pictures.first() else { return Ok(()) };
    let first = read(first)?;
    let mut film = Film::create(path, [first.width, first.height], pictures.len() as u32)?;
    film.add(&first)?;
    for picture in &pictures[1..] {
        film.add(&read(picture)?)?;
    }
    film.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(level: u8) -> Image {
        Image { width: 3, height: 2, rgba: [level, 0, 255 - level, 255].repeat(6) }
    }

    #[test]
    fn a_film_has_its_pictures_and_its_rate() {
        let folder = tempfile::tempdir().expect("a folder");
        let pictures: Vec<PathBuf> = (0..4_u8)
            .map(|n| {
                let path = folder.path().join(format!("{n}.png"));
                plain(60 * n).write(&path).expect("a picture");
                path
            })
            .collect();
        let path = folder.path().join("film.png");
        join(&pictures, &path).expect("a film");
        let file = std::io::BufReader::new(File::open(&path).expect("a file"));
        let mut reader = png::Decoder::new(file).read_info().expect("a picture");
        assert_eq!(reader.info().animation_control().map(|control| control.num_frames), Some(4));
        let mut bytes = vec![0; reader.output_buffer_size().expect("a size")];
        for n in 0..4_u8 {
            reader.next_frame(&mut bytes).expect("a picture");
            let control = reader.info().frame_control().expect("a frame");
            assert_eq!((control.delay_num, control.delay_den), (1, RATE));
            assert_eq!(bytes[..3], [60 * n, 0, 255 - 60 * n]);
        }
        // A film shows its first picture where films are not known.
        assert_eq!(Image::read(&path).expect("a picture"), plain(0));
    }

    #[test]
    fn pictures_of_other_sizes_and_missing_ones_are_no_film() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("film.png");
        let mut film = Film::create(&path, [4, 2], 2).expect("a file");
        let error = film.add(&plain(0)).expect_err("another size").to_string();
        assert!(error.contains("3 by 2") && error.contains("4 by 2"), "{error}");
        let error = join(&[folder.path().join("missing.png")], &path).expect_err("no file").to_string();
        assert!(error.contains("missing.png"), "{error}");
    }
}
