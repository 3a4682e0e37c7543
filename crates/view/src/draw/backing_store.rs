//! A copy of the whole window that stays from one picture to the next, so that only the part that has changed is drawn.

/// The copy.
#[derive(Debug)]
pub struct BackingStore {
    texture: wgpu::Texture,
    view: wgpu::TextureView,
}

impl BackingStore {
    /// An empty picture of a size \[pixels\].
    pub fn new(device: &wgpu::Device, [width, height]: [u32; 2], format: wgpu::TextureFormat) -> Self {
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("backing store"),
            size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        Self { texture, view }
    }

    /// Width and height \[pixels\].
    pub fn size(&self) -> [u32; 2] {
        [self.texture.width(), self.texture.height()]
    }

    /// What is drawn into.
    pub fn view(&self) -> &wgpu::TextureView {
        &self.view
    }

    /// Records the copying of the picture into a texture of its size and format.
    pub fn copy_to(&self, encoder: &mut wgpu::CommandEncoder, target: &wgpu::Texture) {
        let whole = self.texture.size();
        encoder.copy_texture_to_texture(self.texture.as_image_copy(), target.as_image_copy(), whole);
    }
}
