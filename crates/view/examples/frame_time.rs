//! How long a picture takes to draw: `cargo run --release -p tactum-view --example frame_time -- SCENE [TIME]`.
//!
//! Prints the median and the least wall time over some pictures of 1000 by 640 pixels, for the quality of each kind of window and with
//! parts left out, and where the system tells it the processor time of all threads. A window that the processor draws has
//! half the pixels along each side while things move. Times are of one machine; compare them
//! with each other only.

use std::path::PathBuf;
use std::time::Instant;

use glam::DVec2;
use tactum::backend::BackendOptions;
use tactum_view::draw::{Canvas, DrawError, Picture, Quality, Renderer, Style, instance};
use tactum_view::frame::Frame;
use tactum_view::marks::marks;
use tactum_view::motion::{floor_of, interesting};
use tactum_view::overlay::Overlay;
use tactum_view::pick::pick;
use tactum_view::simulation::Engine;
use tactum_view::still::{Look, look};
use tactum_view::timeline::Timeline;
use tactum_view::view::View;

const SIZE: [u32; 2] = [1000, 640];

const PICTURES: usize = 40;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let scene = PathBuf::from(args.next().unwrap_or_else(|| "scenes/salad.toml".to_owned()));
    let time: f64 = args.next().map_or(Ok(0.5), |text| text.parse())?;
    let mut engine = Engine::open(&scene, &BackendOptions::default())?;
    let floor = floor_of(engine.frame());
    while engine.world().time() < time {
        engine.step()?;
    }
    let frame = engine.frame().clone();
    let canvas = Canvas::open(&instance(None), None, None)?;
    println!("{} on {}", frame.model.scene, canvas.adapter);
    let view = View::default();
    let begin = Instant::now();
    let overlay = marks(&frame, &Timeline::default(), &view.mark_style());
    println!(
        "{} contacts: {} strokes, {} areas, {} arrows, found in {:.1} ms",
        frame.contacts.len(),
        overlay.strokes.len(),
        overlay.areas.len(),
        overlay.arrows.len(),
        1e3 * begin.elapsed().as_secs_f64()
    );
    println!("a body under the mouse is found in {:.3} ms", picking_time(&frame));
    let style = Style { floor, ..view.style() };
    let solid = Style { opacity: 1.0, ..style };
    let half = SIZE.map(|n| n / 2);
    let kinds = [
        ("moving", Quality::PLAIN, half),
        ("plain", Quality::PLAIN, SIZE),
        ("hardware", Quality::WINDOW, SIZE),
    ];
    for (name, quality, size) in kinds {
        let mut renderer = Renderer::new(&canvas, wgpu::TextureFormat::Rgba8Unorm, quality);
        let mut row = |part: &str, style: &Style, overlay: &Overlay, selected| -> Result<(), DrawError> {
            let before = processor_time();
            let [ms, least] = times(&canvas, &mut renderer, &frame, style, overlay, selected, size)?;
            let used = processor_time().zip(before).map(|(after, before)| (after - before) / PICTURES as f64);
            let used = used.map_or_else(String::new, |ms| format!("  {ms:7.1} ms of processors"));
            println!("{name:>8}  {part:<26} {ms:7.1} ms  {least:7.1} at least{used}");
            Ok(())
        };
        let none = Overlay::default();
        row("all", &style, &overlay, None)?;
        row("solid bodies", &solid, &overlay, None)?;
        row("without marks", &solid, &none, None)?;
        row("without shadows", &Style { shadows: false, ..solid }, &none, None)?;
        row("without grid, shadows", &Style { shadows: false, grid: false, ..solid }, &none, None)?;
        row("without ground either", &Style { shadows: false, floor: f64::NAN, ..solid }, &none, None)?;
        row("glass without shadows", &Style { shadows: false, ..style }, &none, None)?;
        row("all with an outline", &style, &overlay, Some(3))?;
    }
    Ok(())
}

/// Mean time to find the body at a place of the picture, over places all over it \[ms\].
fn picking_time(frame: &Frame) -> f64 {
    let size = DVec2::from(SIZE.map(f64::from));
    let camera = look(&Look::default(), &interesting(frame), size.x / size.y);
    let places = (0..20).flat_map(|i| (0..20).map(move |j| DVec2::new(f64::from(i), f64::from(j)) / 20.0));
    let begin = Instant::now();
    let found = places.filter(|place| pick(frame, &camera.ray(*place * size, size)).is_some()).count();
    println!("{found} of 400 places show a body");
    1e3 * begin.elapsed().as_secs_f64() / 400.0
}

/// Processor time of this program so far \[ms\], where the system has it in `/proc` in hundredths of a second.
fn processor_time() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = text.rsplit(')').next()?.split_whitespace().collect();
    let ticks = |ix: usize| fields.get(ix)?.parse::<f64>().ok();
    Some(10.0 * (ticks(11)? + ticks(12)?))
}

fn times(
    canvas: &Canvas,
    renderer: &mut Renderer,
    frame: &Frame,
    style: &Style,
    overlay: &Overlay,
    selected: Option<u32>,
    size: [u32; 2],
) -> Result<[f64; 2], DrawError> {
    let texture = canvas.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("picture"),
        size: wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8Unorm,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
        view_formats: &[],
    });
    let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
    let aspect = f64::from(size[0]) / f64::from(size[1]);
    let camera = look(&Look::default(), &interesting(frame), aspect);
    let [width, height] = size;
    let picture = Picture {
        frame,
        camera: &camera,
        style,
        overlay,
        selected,
        around: [0.0; 3],
        size,
        viewport: [0, 0, width, height],
        clip: [0, 0, width, height],
        scale: 1.0,
    };
    let mut times = Vec::new();
    for _ in 0..PICTURES {
        let begin = Instant::now();
        let mut encoder = canvas.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        renderer.draw(canvas, &mut encoder, &view, &picture)?;
        canvas.queue.submit([encoder.finish()]);
        canvas.wait()?;
        times.push(1e3 * begin.elapsed().as_secs_f64());
    }
    canvas.check()?;
    times.sort_by(f64::total_cmp);
    Ok([times[PICTURES / 2], times[0]])
}
