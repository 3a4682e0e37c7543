//! Pictures without a window.

use std::path::Path;

use crate::draw::{Canvas, DrawError, Picture, Quality, Renderer, instance};
use crate::legend::{Caption, Legend};

/// Format of pictures: colours as a screen shows them.
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// Pixels drawn for each pixel of the picture, along each side: four samples of each of four.
const OVERSAMPLING: u32 = 2;

/// Rows of a texture are read in multiples of this many bytes.
const ROW_ALIGNMENT: u32 = wgpu::COPY_BYTES_PER_ROW_ALIGNMENT;

/// Draws pictures into memory.
#[derive(Debug)]
pub struct Studio {
    canvas: Canvas,
    renderer: Renderer,
    legend: Legend,
}

/// A picture in memory, rows from above, four bytes a pixel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Width \[pixels\].
    pub width: u32,
    /// Height \[pixels\].
    pub height: u32,
    /// Red, green, blue, opacity.
    pub rgba: Vec<u8>,
}

impl Studio {
    /// Opens a device; `adapter` as in [`tactum_gpu::Options::adapter`].
    ///
    /// # Errors
    /// If there is none that can be used.
    pub fn open(adapter: Option<&str>) -> Result<Self, DrawError> {
        let canvas = Canvas::open(&instance(None), adapter, None)?;
        let renderer = Renderer::new(&canvas, FORMAT, Quality::FINE);
        let legend = Legend::new(&canvas, FORMAT);
        Ok(Self { canvas, renderer, legend })
    }

    /// The device.
    pub fn canvas(&self) -> &Canvas {
        &self.canvas
    }

    /// Draws a picture of the size that it states, finer than its pixels, with a caption.
    ///
    /// # Errors
    /// A size that the device does not have, or a device that fails.
    pub fn draw(&mut self, picture: &Picture<'_>, caption: &Caption) -> Result<Image, DrawError> {
        let [width, height] = picture.size;
        let max = self.canvas.max_side() / OVERSAMPLING;
        if width == 0 || height == 0 || width > max || height > max {
            return Err(DrawError::Size { width, height, max });
        }
        let large = Picture {
            size: picture.size.map(|n| n * OVERSAMPLING),
            viewport: picture.viewport.map(|n| n * OVERSAMPLING),
            clip: picture.clip.map(|n| n * OVERSAMPLING),
            scale: picture.scale * OVERSAMPLING as f32,
            ..*picture
        };
        let device = &self.canvas.device;
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("picture"),
            size: extent(large.size),
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: FORMAT,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        self.renderer.draw(&self.canvas, &mut encoder, &view, &large)?;
        self.legend.draw(&self.canvas, &mut encoder, &view, &large, caption);
        let bytes = self.read(encoder, &texture, large.size)?;
        Ok(Image { width, height, rgba: averaged(&bytes, picture.size) })
    }

    fn read(
        &self,
        mut encoder: wgpu::CommandEncoder,
        texture: &wgpu::Texture,
        [width, height]: [u32; 2],
    ) -> Result<Vec<u8>, DrawError> {
        let row = (4 * width).next_multiple_of(ROW_ALIGNMENT);
        let buffer = self.canvas.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("picture"),
            size: u64::from(row) * u64::from(height),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let layout =
            wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(row), rows_per_image: Some(height) };
        encoder.copy_texture_to_buffer(
            texture.as_image_copy(),
            wgpu::TexelCopyBufferInfo { buffer: &buffer, layout },
            extent([width, height]),
        );
        self.canvas.queue.submit([encoder.finish()]);
        buffer.slice(..).map_async(wgpu::MapMode::Read, |_| ());
        let fail = |error: &dyn std::fmt::Display| DrawError::Failed(error.to_string());
        self.canvas.wait()?;
        self.canvas.check()?;
        let bytes = buffer.slice(..).get_mapped_range().map_err(|error| fail(&error))?;
        let rows = bytes.chunks_exact(row as usize).flat_map(|whole| &whole[..4 * width as usize]);
        Ok(rows.copied().collect())
    }
}

fn extent([width, height]: [u32; 2]) -> wgpu::Extent3d {
    wgpu::Extent3d { width, height, depth_or_array_layers: 1 }
}

/// The picture with each square of pixels averaged to one.
fn averaged(bytes: &[u8], [width, height]: [u32; 2]) -> Vec<u8> {
    let n = OVERSAMPLING as usize;
    let row = 4 * width as usize * n;
    let mut small = Vec::with_capacity(4 * (width * height) as usize);
    for y in 0..height as usize {
        for x in 0..width as usize {
            for channel in 0..4 {
                let pixel = |k: usize| {
                    let (dx, dy) = (k % n, k / n);
                    u32::from(bytes[(y * n + dy) * row + 4 * (x * n + dx) + channel])
                };
                let sum: u32 = (0..n * n).map(pixel).sum();
                small.push(((sum + 2) / (n * n) as u32) as u8);
            }
        }
    }
    small
}

impl Image {
    /// The picture without opacity, three bytes a pixel.
    pub fn rgb(&self) -> Vec<u8> {
        self.rgba.chunks_exact(4).flat_map(|pixel| &pixel[..3]).copied().collect()
    }

    /// Writes the picture as a PNG file without transparency.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), DrawError> {
        let fail = |message: String| DrawError::Write { path: path.to_owned(), message };
        let file = std::fs::File::create(path).map_err(|error| fail(error.to_string()))?;
        let mut encoder = png::Encoder::new(std::io::BufWriter::new(file), self.width, self.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::High);
        let written = encoder.write_header().and_then(|mut writer| {
            writer.write_image_data(&self.rgb())?;
            writer.finish()
        });
        written.map_err(|error| fail(error.to_string()))
    }

    /// Reads a PNG file that [`Image::write`] has written.
    ///
    /// # Errors
    /// In words, if it is not such a file.
    pub fn read(path: &Path) -> Result<Self, String> {
        let file = std::fs::File::open(path).map_err(|error| error.to_string())?;
        let mut reader = png::Decoder::new(std::io::BufReader::new(file))
            .read_info()
            .map_err(|error| error.to_string())?;
        let size = reader.output_buffer_size().ok_or("a picture that is too large")?;
        let mut bytes = vec![0; size];
        let info = reader.next_frame(&mut bytes).map_err(|error| error.to_string())?;
        if info.color_type != png::ColorType::Rgb {
            return Err(format!("a picture of {:?} instead of three colours", info.color_type));
        }
        let rgba = bytes[..info.buffer_size()].chunks_exact(3).flat_map(|p| [p[0], p[1], p[2], 255]);
        Ok(Self { width: info.width, height: info.height, rgba: rgba.collect() })
    }
}
