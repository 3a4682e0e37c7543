//! Many pictures on one sheet, so that all are seen at a glance.

use crate::offscreen::Image;

/// Width and height of each picture \[pixels\].
pub const TILE: [u32; 2] = [400, 250];

/// The file of a sheet.
pub const FILE: &str = "contact-sheet.png";

/// Pictures side by side.
const COLUMNS: usize = 6;

/// Pictures of the size [`TILE`].
#[derive(Debug, Default)]
pub struct Sheet(Vec<Image>);

impl Sheet {
    /// Adds a picture.
    pub fn add(&mut self, tile: Image) {
        self.0.push(tile);
    }

    /// All pictures in rows from the left, white where there is none.
    pub fn into_image(self) -> Image {
        let [tile_width, tile_height] = TILE.map(|n| n as usize);
        let n_columns = COLUMNS.min(self.0.len()).max(1);
        let n_rows = self.0.len().div_ceil(n_columns).max(1);
        let width = n_columns * tile_width;
        let mut rgba = vec![255; 4 * width * n_rows * tile_height];
        for (ix, tile) in self.0.iter().enumerate() {
            let corner = (ix / n_columns * tile_height) * width + ix % n_columns * tile_width;
            for (row, bytes) in tile.rgba.chunks_exact(4 * tile_width).take(tile_height).enumerate() {
                let at = 4 * (corner + row * width);
                rgba[at..at + bytes.len()].copy_from_slice(bytes);
            }
        }
        Image { width: width as u32, height: (n_rows * tile_height) as u32, rgba }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_laid_in_rows() {
        let mut sheet = Sheet::default();
        let [width, height] = TILE;
        for level in 0..8 {
            let rgba = vec![level; (4 * width * height) as usize];
            sheet.add(Image { width, height, rgba });
        }
        let image = sheet.into_image();
        assert_eq!([image.width, image.height], [6 * width, 2 * height]);
        let level = |column: u32, row: u32| {
            let at = (row * height + height / 2) * image.width + column * width + width / 2;
            image.rgba[4 * at as usize]
        };
        assert_eq!([level(0, 0), level(5, 0), level(0, 1), level(1, 1), level(2, 1)], [0, 5, 6, 7, 255]);
    }
}
