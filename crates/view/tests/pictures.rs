//! Pictures without a window, against references that were looked at.
//!
//! After a change that is meant to be seen: `TACTUM_BLESS=1 cargo test -p tactum-view --test pictures`, and look at the
//! files in `tests/references` before they are committed.

use std::path::{Path, PathBuf};
use std::process::Command;

use tactum::backend::{Backend, BackendOptions};
use tactum_view::layers::Layers;
use tactum_view::offscreen::{Image, Studio};
use tactum_view::palette::Theme;
use tactum_view::still::{Look, Options, Subject};

fn scene(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(format!("{name}.toml"))
}

fn reference(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/references").join(format!("{name}.png"))
}

/// Mean difference of a component, and the part of the pixels in which one differs by more than 40 of 255: drivers place
/// the borders of triangles differently, by a part of a pixel.
fn difference(a: &Image, b: &Image) -> (f64, f64) {
    assert_eq!((a.width, a.height), (b.width, b.height));
    let apart = |(x, y): (&u8, &u8)| f64::from(x.abs_diff(*y));
    let mean = a.rgba.iter().zip(&b.rgba).map(apart).sum::<f64>() / a.rgba.len() as f64;
    let pixels = a.rgba.chunks_exact(4).zip(b.rgba.chunks_exact(4));
    let far = pixels.filter(|(x, y)| x.iter().zip(*y).any(|pair| apart(pair) > 40.0)).count();
    (mean, far as f64 / f64::from(a.width * a.height))
}

fn draw(name: &str, time: f64, options: &Options) -> Image {
    let mut studio = Studio::open(None).unwrap_or_else(|error| panic!("{error}"));
    let backend = BackendOptions { backend: Backend::Exact, ..BackendOptions::default() };
    let subject = Subject::of(&scene(name), Some(time), &backend).unwrap_or_else(|error| panic!("{error}"));
    subject.draw(&mut studio, options, None).unwrap_or_else(|error| panic!("{error}"))
}

/// Too small for a legend.
const SMALL: [u32; 2] = [320, 200];

fn compare(name: &str, time: f64, layers: &str, theme: Theme) {
    let layers: Layers = layers.parse().expect("layers");
    matches(name, time, &Options { layers, theme, size: SMALL, ..Options::default() });
}

fn matches(name: &str, time: f64, options: &Options) {
    let image = draw(name, time, options);
    let path = reference(name);
    if std::env::var_os("TACTUM_BLESS").is_some() {
        image.write(&path).unwrap_or_else(|error| panic!("{error}"));
    }
    let expected = Image::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let (mean, far) = difference(&image, &expected);
    // One grey level in the mean, and one pixel in a hundred: a body that is missing or moved by two pixels exceeds both.
    if mean > 1.0 || far > 0.01 {
        let found = std::env::temp_dir().join(format!("tactum-view-{name}.png"));
        image.write(&found).unwrap_or_else(|error| panic!("{error}"));
        panic!(
            "{name} differs by {mean:.2} in the mean, {:.2} % of its pixels by much: see {}",
            100.0 * far,
            found.display()
        );
    }
}

macro_rules! pictures {
    ($($test:ident: $name:literal, $time:literal, $layers:literal, $theme:ident;)*) => {
        $(#[test]
        #[cfg_attr(not(software_vulkan), ignore = "needs a Vulkan driver; see `cargo xtask help`")]
        fn $test() {
            compare($name, $time, $layers, Theme::$theme);
        })*
    };
}

pictures! {
    a_disc_spins: "spin", 0.2, "patch,state,cop,torque,wireframe", Light;
    a_box_tips: "tip", 0.3, "+free_cop,+trail,+frame", Dark;
    bodies_stand: "stack10", 0.1, "patch,normal,box,regions,ellipse", Light;
}

/// With what the colours mean, and how large the cube is.
#[test]
#[cfg_attr(not(software_vulkan), ignore = "needs a Vulkan driver; see `cargo xtask help`")]
fn a_cube_slides() {
    matches("slide", 0.1, &Options { size: [640, 400], ..Options::default() });
}

/// A bowl is seen through where it hides what is in it, and a ball carries its pattern.
#[test]
#[cfg_attr(not(software_vulkan), ignore = "needs a Vulkan driver; see `cargo xtask help`")]
fn what_hides_shines_through() {
    matches("grains", 0.1, &Options { size: SMALL, ..Options::default() });
}

/// From below, through the ball: the polygons around the contact, the pressure in the middle and the ring that draws.
#[test]
#[cfg_attr(not(software_vulkan), ignore = "needs a Vulkan driver; see `cargo xtask help`")]
fn a_ball_hangs_by_its_facets() {
    let layers = "facets,pressure,points".parse().expect("layers");
    let look = Look { yaw: -60.0, pitch: -25.0, zoom: 2.5 };
    let select = Some("light".to_owned());
    matches(
        "hanging_balls",
        0.02,
        &Options { layers, look: Some(look), select, close: true, size: SMALL, ..Options::default() },
    );
}

/// A reference that is not the picture is not taken for it: the comparison sees a body less.
#[test]
#[cfg_attr(not(software_vulkan), ignore = "needs a Vulkan driver; see `cargo xtask help`")]
fn a_difference_is_seen() {
    let options = Options { size: [320, 200], ..Options::default() };
    let (early, late) = (draw("slide", 0.02, &options), draw("slide", 0.2, &options));
    let (mean, far) = difference(&early, &late);
    assert!(mean > 1.0 && far > 0.01, "{mean} {far}");
}

fn program(args: &[&str]) -> (i32, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_tactum-view")).args(args).output().expect("the program starts");
    (output.status.code().unwrap_or(-1), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
#[cfg_attr(not(software_vulkan), ignore = "needs a Vulkan driver; see `cargo xtask help`")]
fn the_program_writes_a_picture_of_its_size() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("picture.png");
    let file = path.to_str().expect("a name");
    let name = scene("spin");
    let name = name.to_str().expect("a name");
    let (code, text) =
        program(&[name, "--png", file, "--time", "0.05", "--size", "200x120", "--layers", "-shadows"]);
    assert_eq!(code, 0, "{text}");
    let image = Image::read(&path).expect("a picture");
    assert_eq!((image.width, image.height), (200, 120));
}

/// 0.2 s at 30 pictures a second are seven pictures, the first and the last ones included; the cube moves in them.
#[test]
#[cfg_attr(not(software_vulkan), ignore = "needs a Vulkan driver; see `cargo xtask help`")]
fn the_program_writes_a_film() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("film.png");
    let (name, file) = (scene("slide"), path.to_str().expect("a name"));
    let name = name.to_str().expect("a name");
    let (code, text) = program(&[name, "--film", file, "--time", "0.2", "--size", "160x100"]);
    assert!(code == 0 && text.contains("7 pictures"), "{code}: {text}");
    let bytes = std::io::BufReader::new(std::fs::File::open(&path).expect("a file"));
    let mut reader = png::Decoder::new(bytes).read_info().expect("a picture");
    assert_eq!(reader.info().animation_control().map(|control| control.num_frames), Some(7));
    let mut next = || {
        let mut bytes = vec![0; reader.output_buffer_size().expect("a size")];
        reader.next_frame(&mut bytes).expect("a picture");
        bytes
    };
    let (first, second) = (next(), next());
    assert!(first != second);
}

#[test]
#[cfg_attr(not(software_vulkan), ignore = "needs a Vulkan driver; see `cargo xtask help`")]
fn errors_have_words_and_exit_codes() {
    let name = scene("spin");
    let name = name.to_str().expect("a name");
    let cases: [(&[&str], i32, &str); 8] = [
        (&["missing.toml", "--png", "x.png"], 2, "missing.toml"),
        (&[name, "--film", "x.mp4"], 2, "would be a PNG file"),
        (&[name, "--png", "x.gif"], 2, "call it .png"),
        (&[name, "--png", "x.png", "--layers", "dots"], 2, "dots"),
        (&[name, "--png", "x.png", "--size", "0x3"], 2, "1280x800"),
        (&[name, "--png", "x.png", "--select", "nobody", "--time", "0"], 2, "nobody"),
        (&[name, "--png", "/no such folder/x.png", "--time", "0", "--size", "32x32"], 2, "no such folder"),
        (&[name, "--png", "x.png", "--adapter", "no such device"], 4, "no such device"),
    ];
    for (args, expected, words) in cases {
        let (code, text) = program(args);
        assert!(code == expected && text.contains(words), "{args:?}: {code}, {text}");
    }
}

/// No step is made and no device opened for a picture that could not be written.
#[test]
fn a_missing_folder_for_a_picture_is_told_at_once() {
    for option in ["--png", "--film"] {
        let output = Command::new(env!("CARGO_BIN_EXE_tactum-view"))
            .arg(scene("spin"))
            .args([option, "no such folder/x.png", "--adapter", "no device has this name"])
            .output()
            .expect("the program starts");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains("there is no folder 'no such folder'"), "{stderr}");
    }
}

#[test]
fn a_picture_does_not_take_the_place_of_its_scene() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let own = folder.path().join("scene.toml");
    std::fs::copy(scene("spin"), &own).expect("a copy");
    let before = std::fs::read(&own).expect("the scene");
    for option in ["--png", "--film"] {
        let output = Command::new(env!("CARGO_BIN_EXE_tactum-view"))
            .arg(&own)
            .arg(option)
            .arg(&own)
            .args(["--adapter", "no device has this name"])
            .output()
            .expect("the program starts");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains("would take the place of the scene"), "{stderr}");
        assert_eq!(std::fs::read(&own).expect("the scene"), before);
    }
}
