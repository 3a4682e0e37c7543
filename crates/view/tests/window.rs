//! A real window on an X server without a screen, driven by mouse and keys; what it did is read from its log.

mod stage;

use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::process::Command;

use glam::DVec2;
use serde_json::{Value, json};
use tactum_view::camera::Camera;
use tactum_view::pick::pick;
use tactum_view::simulation::{Engine, replay};

use stage::{MOMENT, Stage, exact, is_sim, middle, scene_file, start_server};

/// Places in the scene's part of a window of 1000 by 640 points.
mod at {
    /// The box of the scene `drop` at its start.
    pub const BOX: [u32; 2] = [600, 250];
    /// Somewhere on the floor.
    pub const FLOOR: [u32; 2] = [900, 60];
}

#[test]
#[cfg_attr(
    not(all(software_vulkan, window_system)),
    ignore = "needs a Vulkan driver, Xvfb and xdotool; see `cargo xtask help`"
)]
fn a_window_is_driven_by_mouse_and_keys() {
    let mut stage = Stage::open("drop");
    // Select by a click, and nothing by a click beside it.
    stage.click(at::BOX);
    stage.wait_for("a selected box", |log| log.iter().any(|entry| entry["view"]["select"] == 1));
    stage.click(at::FLOOR);
    stage.wait_for("an empty selection", |log| {
        log.iter().any(|entry| entry["view"].get("select") == Some(&Value::Null))
    });
    // Pull the box while the scene runs.
    stage.xdotool(&["keydown", "ctrl"]);
    stage.drag(at::BOX, [at::BOX[0] + 60, at::BOX[1] - 40]);
    stage.xdotool(&["keyup", "ctrl"]);
    stage.wait_for_sim("grab");
    stage.wait_for_sim("drag");
    stage.wait_for_sim("release");
    stage.click(at::FLOOR);
    stage.press("Run");
    stage.wait_for_sim("play");
    std::thread::sleep(2 * MOMENT);
    stage.key("space");
    stage.wait_for_sim("pause");
    stage.press("Step");
    stage.key("period");
    stage.wait_for("two steps", |log| log.iter().filter(|entry| is_sim(entry, "step")).count() == 2);
    // The slider of mu, which is below what a window of this height shows.
    stage.move_to([100, 400]);
    stage.xdotool(&["click", "--repeat", "5", "--delay", "50", "5"]);
    std::thread::sleep(2 * MOMENT);
    let [left, top, right, bottom] =
        stage.place("Slider", |text| text.starts_with("Coefficient of friction"), "mu");
    let y = f64::midpoint(top, bottom);
    // From the knob at mu = 0.5 of 1.5 to the right end.
    stage.drag(middle([left, y, left + (right - left) * 2.0 / 3.0, y]), middle([right - 4.0, y, right, y]));
    let set = |entry: &Value| entry["sim"]["set"]["friction"].as_f64().is_some_and(|mu| mu > 0.7);
    stage.wait_for("another friction", |log| log.iter().any(set));
    // Plots, kick, a new body, another size.
    stage.press("Plots");
    for title in ["Energy", "Overlap depth", "Solver", "Sweeps of the step", "Times"] {
        stage.click(stage.widget("CheckBox", title));
    }
    for plot in ["energy", "depth", "solver", "sweeps", "times"] {
        stage.wait_for(plot, |log| {
            log.iter().any(|entry| entry["view"]["plot"] == serde_json::json!([plot, true]))
        });
    }
    stage.key("Escape");
    ["1", "2", "3", "4", "5"].iter().for_each(|key| stage.key(key));
    stage.wait_for("closed plots", |log| {
        log.iter().filter(|entry| entry["view"]["plot"][1] == false).count() == 5
    });
    stage.key("b");
    stage.wait_for_sim("drop");
    stage.key("space");
    stage.xdotool(&["windowsize", "--sync", &stage.window, "800", "500"]);
    stage.wait_for("a size", |log| {
        log.iter().any(|entry| entry["view"]["resize"] == serde_json::json!([800, 500]))
    });
    stage.key("ctrl+q");
    stage.end();
    // The whole session again, without a window.
    let again = replay(&stage.log, &exact()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(again.is_equal(), Some(true), "{:?}", again.state_hash);
    assert_eq!(again.engine.world().bodies().len(), 5);
}

/// The plot of a joint is opened from the menu beside those of the scene, and a drive is told by its slider what to ask for.
#[test]
#[cfg_attr(
    not(all(software_vulkan, window_system)),
    ignore = "needs a Vulkan driver, Xvfb and xdotool; see `cargo xtask help`"
)]
fn joints_are_plotted_and_driven() {
    let stage = Stage::open("pinch");
    stage.press("Plots");
    for title in ["Energy", "left knuckle"] {
        stage.click(stage.widget("CheckBox", title));
    }
    for plot in [json!("energy"), json!({ "joint": 0 })] {
        stage.wait_for("a plot", |log| log.iter().any(|entry| entry["view"]["plot"] == json!([plot, true])));
    }
    stage.key("Escape");
    // Below what a window of this height shows.
    stage.move_to([100, 400]);
    stage.xdotool(&["click", "--repeat", "5", "--delay", "50", "5"]);
    std::thread::sleep(2 * MOMENT);
    let [left, top, right, bottom] =
        stage.place("Slider", |text| text.starts_with("What the drive asks for"), "a drive");
    let y = f64::midpoint(top, bottom);
    // From the knob at -2.5 degrees to an end of what goes all around.
    let knob = left + (right - left) * 0.493;
    stage.drag(middle([knob, y, knob, y]), middle([right - 4.0, y, right, y]));
    // Widgets are listed in no order: either finger's.
    let is_driven = |entry: &Value| entry["sim"]["set"]["drive"][1].as_f64().is_some_and(|x| x > 1.0);
    stage.wait_for("another target", |log| log.iter().any(is_driven));
}

/// The slider of the time step begins the scene anew once, when it is let go; what was recorded is written as tables.
#[test]
#[cfg_attr(
    not(all(software_vulkan, window_system)),
    ignore = "needs a Vulkan driver, Xvfb and xdotool; see `cargo xtask help`"
)]
fn the_time_step_is_changed_and_tables_are_written() {
    let mut stage = Stage::open("drop");
    stage.key("period");
    // Below what a window of this height shows.
    stage.move_to([100, 400]);
    stage.xdotool(&["click", "--repeat", "5", "--delay", "50", "5"]);
    std::thread::sleep(2 * MOMENT);
    let [left, top, right, bottom] = stage.place("Slider", |text| text.starts_with("Time step"), "dt");
    let y = f64::midpoint(top, bottom);
    // From the knob at 5 ms, by powers of ten between 0.1 and 20, to the left end.
    let knob = left + (right - left) * 0.74;
    stage.drag(middle([knob, y, knob, y]), middle([left + 6.0, y, left + 6.0, y]));
    let step = |entry: &Value| entry["sim"]["set"]["dt"].as_f64();
    stage.wait_for("another time step", |log| log.iter().any(|entry| step(entry).is_some()));
    for _ in 0..3 {
        stage.key("period");
    }
    stage.press("CSV");
    stage.wait_for_sim("tables");
    stage.place("Label", |text| text.starts_with("wrote figures.csv into '/"), "a message");
    stage.key("ctrl+q");
    stage.end();
    let chosen: Vec<f64> = stage.commands().iter().filter_map(step).collect();
    assert!(chosen.len() == 1 && chosen[0] < 0.002, "{chosen:?}");
    let again = replay(&stage.log, &exact()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(again.is_equal(), Some(true), "{:?}", again.state_hash);
    assert_eq!((again.engine.frame().dt, again.engine.frame().step()), (chosen[0], 3));
    for (table, n_lines) in [("poses.csv", 13), ("figures.csv", 5)] {
        let path = stage.folder.path().join("drop-001.tables").join(table);
        let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{table}: {error}"));
        assert_eq!(text.lines().count(), n_lines, "{text}");
    }
}

#[test]
#[cfg_attr(
    not(all(software_vulkan, window_system)),
    ignore = "needs a Vulkan driver, Xvfb and xdotool; see `cargo xtask help`"
)]
fn looking_back_and_going_on_takes_another_way() {
    let mut stage = Stage::open("stack10");
    for _ in 0..4 {
        stage.key("period");
    }
    stage.key("Left");
    stage.key("Left");
    stage.wait_for("an earlier frame", |log| log.iter().any(|entry| entry["view"]["show"].is_u64()));
    stage.key("period");
    stage.wait_for_sim("go_to");
    stage.key("ctrl+q");
    stage.end();
    let again = replay(&stage.log, &exact()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(again.is_equal(), Some(true));
    // Four steps, two of them taken back, and one.
    assert_eq!(again.engine.frame().step(), 3);
    assert_eq!(again.engine.n_steps(), 5);
}

/// Neither the table of a selected body nor a pull that meets nothing moves the view, and Home finds everything again.
#[test]
#[cfg_attr(
    not(all(software_vulkan, window_system)),
    ignore = "needs a Vulkan driver, Xvfb and xdotool; see `cargo xtask help`"
)]
fn the_view_stays_until_it_is_moved() {
    let mut stage = Stage::open("drop");
    let before = stage.place("Image", |text| text == "Scene", "Scene");
    stage.click(at::BOX);
    stage.wait_for("a selected box", |log| log.iter().any(|entry| entry["view"]["select"] == 1));
    stage.widget("Button", "Follow");
    assert_eq!(stage.place("Image", |text| text == "Scene", "Scene"), before);
    stage.xdotool(&["keydown", "ctrl"]);
    stage.drag(at::FLOOR, [at::FLOOR[0] - 90, at::FLOOR[1] + 40]);
    stage.xdotool(&["keyup", "ctrl"]);
    stage.place("Label", |text| text == "there is nothing to pull there", "a message");
    assert!(
        !stage.commands().iter().any(|entry| is_sim(entry, "grab") || entry["view"].get("look").is_some())
    );
    stage.key("c");
    stage.wait_for("a followed box", |log| log.iter().any(|entry| entry["view"]["follow"] == 1));
    stage.key("v");
    stage.wait_for("no panels", |log| log.iter().any(|entry| entry["view"]["panels"] == false));
    stage.key("Home");
    stage.wait_for("home", |log| log.iter().any(|entry| entry["view"].get("look").is_some()));
    stage.key("ctrl+q");
    stage.end();
}

/// Buttons of panels that lie over the scene are pressed, and do not let through what is below them; what a panel covers of a selected
/// body moves from below it.
#[test]
#[cfg_attr(
    not(all(software_vulkan, window_system)),
    ignore = "needs a Vulkan driver, Xvfb and xdotool; see `cargo xtask help`"
)]
fn panels_over_the_scene_take_the_mouse() {
    let mut stage = Stage::open("drop");
    stage.click(at::BOX);
    stage.wait_for("a selected box", |log| log.iter().any(|entry| entry["view"]["select"] == 1));
    stage.press("Follow");
    stage.wait_for("a followed box", |log| log.iter().any(|entry| entry["view"]["follow"] == 1));
    stage.key("1");
    // Of the two the one of the plot lies higher.
    let closing = |text: &str| text == "×";
    let plot = stage.place_where("Button", closing, "×", |place| place[1] < 200.0);
    stage.click(middle(plot));
    stage.wait_for("a closed plot", |log| {
        log.iter().any(|entry| entry["view"]["plot"] == json!(["energy", false]))
    });
    stage.click(middle(stage.place("Button", closing, "×")));
    stage.wait_for("nothing selected", |log| {
        log.iter().any(|entry| entry["view"].get("select") == Some(&Value::Null))
    });
    stage.key("ctrl+q");
    stage.end();
}

/// Pictures are taken while the scene runs, and make a film at the end.
#[test]
#[cfg_attr(
    not(all(software_vulkan, window_system)),
    ignore = "needs a Vulkan driver, Xvfb and xdotool; see `cargo xtask help`"
)]
fn a_film_is_taken() {
    let mut stage = Stage::open("slide");
    stage.press("Film");
    stage.press("Run");
    std::thread::sleep(4 * MOMENT);
    stage.press("Pause");
    stage.press("Film");
    let switched = |on: bool| {
        move |log: &[Value]| {
            log.iter().any(|entry| entry["view"].get("pictures").is_some_and(|f| f.is_string() == on))
        }
    };
    stage.wait_for("a film that begins", switched(true));
    stage.wait_for("a film that ends", switched(false));
    stage.key("ctrl+q");
    stage.end();
    let film = File::open(stage.folder.path().join("slide-001.pictures.png")).expect("a film");
    let reader = png::Decoder::new(BufReader::new(film)).read_info().expect("a picture");
    let n_pictures = reader.info().animation_control().map_or(0, |control| control.num_frames);
    let in_folder = stage.folder.path().join("slide-001.pictures").read_dir().expect("a folder").count();
    assert!(n_pictures > 2 && n_pictures as usize == in_folder, "{n_pictures} of {in_folder}");
}

/// Clicks at one place of the scene, each after the last has had its time.
const CLICKS: u32 = 8;

/// A click among a thousand bodies selects the one that is seen there.
#[test]
#[cfg_attr(
    not(all(software_vulkan, window_system)),
    ignore = "needs a Vulkan driver, Xvfb and xdotool; see `cargo xtask help`"
)]
fn the_right_one_of_a_thousand_bodies_is_selected() {
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenes/thousand.toml");
    let mut stage = Stage::open_with(&scene, &[]);
    let [x, y] = stage.widget("Image", "Scene");
    // The log tells where the camera is once it has been moved.
    stage.drag([x, y], [x + 60, y + 20]);
    let look = |log: &[Value]| log.iter().rev().find_map(|entry| entry["view"].get("look").cloned());
    stage.wait_for("another view", |log| look(log).is_some());
    let engine = Engine::open(&scene, &exact()).unwrap_or_else(|error| panic!("{error}"));
    let camera: Camera = serde_json::from_value(look(&stage.commands()).expect("a view")).expect("a camera");
    let mut n_hits = 0;
    for aside in [-60, 0, 60] {
        // The panel of a selected body takes room from the scene, more or less of it by what the body touches, and not at once:
        // a click that met another layout than the one that was read is made again.
        let is_found = (0..CLICKS).any(|_| {
            let place = stage.place("Image", |text| text == "Scene", "Scene");
            let [x, y] = middle(place);
            let [left, top, right, bottom] = place;
            let at = [x.saturating_add_signed(aside), y - 20];
            let size = DVec2::new(right - left, bottom - top);
            let ray = camera.ray(DVec2::new(f64::from(at[0]) - left, f64::from(at[1]) - top), size);
            let hit = pick(engine.frame(), &ray).map(|hit| hit.body);
            stage.click(at);
            let is_selected = |log: &[Value]| {
                let last = log.iter().rev().find_map(|entry| entry["view"].get("select"));
                last.map_or(hit.is_none(), |body| *body == serde_json::json!(hit))
            };
            let is_found = stage.finds_soon(is_selected);
            n_hits += usize::from(is_found && hit.is_some());
            is_found
        });
        assert!(is_found, "another body than the one under the mouse is selected: {:#?}", stage.commands());
    }
    assert!(n_hits >= 2, "{n_hits}");
    stage.key("ctrl+q");
    stage.end();
}

/// The window goes on with another device, and says so, when the one that draws is lost.
#[test]
#[cfg_attr(
    not(all(software_vulkan, window_system)),
    ignore = "needs a Vulkan driver, Xvfb and xdotool; see `cargo xtask help`"
)]
fn a_lost_device_is_replaced() {
    let mut stage = Stage::open_with(&scene_file("stack10"), &["--lose-device-after", "4"]);
    stage.key("space");
    stage.wait_for_sim("play");
    let told = "the device that draws failed: it was lost on purpose";
    stage.place("Label", |text| text.starts_with(told) && text.contains("; drawn by"), told);
    assert!(stage.messages().contains(&format!("error: {told}")), "{}", stage.messages());
    // Mouse and keys are heard, and pictures drawn, after it as before.
    stage.press("Pause");
    stage.wait_for_sim("pause");
    stage.press("Step");
    stage.wait_for_sim("step");
    stage.key("ctrl+q");
    stage.end();
    assert_eq!(stage.messages().matches("error").count(), 1, "{}", stage.messages());
}

/// A device that is lost as soon as it has taken the place of another ends the window, as trouble with a device.
#[test]
#[cfg_attr(
    not(all(software_vulkan, window_system)),
    ignore = "needs a Vulkan driver, Xvfb and xdotool; see `cargo xtask help`"
)]
fn a_device_that_is_lost_again_ends_the_window() {
    let mut stage = Stage::open_with(&scene_file("stack10"), &["--lose-device-after", "30,34"]);
    stage.key("space");
    stage.end_with(4);
    let told = "error: the device that draws failed: it was lost on purpose";
    assert_eq!(stage.messages().matches(told).count(), 2, "{}", stage.messages());
}

/// What is wrong with a scene is told in the window in the words of the program.
#[test]
#[cfg_attr(
    not(all(software_vulkan, window_system)),
    ignore = "needs a Vulkan driver, Xvfb and xdotool; see `cargo xtask help`"
)]
fn the_window_tells_what_the_program_tells() {
    let folder = tempfile::tempdir().expect("a folder");
    let [missing, bad] = ["missing.toml", "bad.toml"].map(|name| folder.path().join(name));
    let text = "duration = 1\n[[body]]\nname = \"part\"\nshape = { mesh = { file = \"open.obj\" } }\n";
    std::fs::write(&bad, text).expect("a scene");
    std::fs::write(folder.path().join("open.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").expect("a mesh");
    for scene in [missing, bad] {
        let output = Command::new(env!("CARGO_BIN_EXE_tactum-view"))
            .arg(&scene)
            .args(["--png", "x.png"])
            .current_dir(folder.path())
            // Without it libraries of the driver write messages of their own.
            .env("XDG_RUNTIME_DIR", folder.path())
            .output()
            .expect("the program runs");
        let text = String::from_utf8_lossy(&output.stderr);
        let text =
            text.lines().skip_while(|line| !line.starts_with("error: ")).collect::<Vec<_>>().join("\n");
        let told = text.strip_prefix("error: ").unwrap_or_else(|| panic!("{output:?}"));
        let mut stage = Stage::open_with(&scene, &[]);
        stage.place("Label", |label| label == told, told);
        stage.key("ctrl+q");
        stage.end();
    }
}

/// A window that is measured runs, closes by itself and says how fast it was drawn.
#[test]
#[cfg_attr(
    not(all(software_vulkan, window_system)),
    ignore = "needs a Vulkan driver, Xvfb and xdotool; see `cargo xtask help`"
)]
fn a_window_can_be_measured() {
    let (mut server, display) = start_server();
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/stack10.toml");
    let output = Command::new(env!("CARGO_BIN_EXE_tactum-view"))
        .arg(scene)
        .args(["--size", "600x400", "--measure", "2"])
        .env("DISPLAY", display)
        .env_remove("WAYLAND_DISPLAY")
        .output()
        .expect("the viewer runs");
    let _ = server.kill();
    let _ = server.wait();
    let text = String::from_utf8_lossy(&output.stdout);
    let rate: f64 = text.split_whitespace().next().and_then(|word| word.parse().ok()).unwrap_or(0.0);
    // Any machine draws several pictures in two seconds; how many is not for a test to say.
    assert!(output.status.success() && rate > 1.0 && text.contains("pictures a second"), "{output:?}");
}

/// Escape, and a click beside it, close a menu and leave the selection as it is; a number that is typed acts once, when it is whole.
#[test]
#[cfg_attr(
    not(all(software_vulkan, window_system)),
    ignore = "needs a Vulkan driver, Xvfb and xdotool; see `cargo xtask help`"
)]
fn menus_close_alone_and_typed_numbers_act_when_whole() {
    let stage = Stage::open("drop");
    stage.click(at::BOX);
    stage.wait_for("a selected box", |log| log.iter().any(|entry| entry["view"]["select"] == 1));
    let is_dropped =
        |log: &[Value]| log.iter().any(|entry| entry["view"].get("select") == Some(&Value::Null));
    stage.press("Plots");
    stage.key("Escape");
    std::thread::sleep(2 * MOMENT);
    stage.press("Plots");
    stage.click(at::FLOOR);
    std::thread::sleep(2 * MOMENT);
    assert!(!is_dropped(&stage.commands()), "{:?}", stage.commands());
    // Without a menu it is the selection that goes.
    stage.key("Escape");
    stage.wait_for("an empty selection", is_dropped);
    std::thread::sleep(2 * MOMENT);
    // The parameters are below the edge of the window.
    stage.move_to([100, 500]);
    stage.xdotool(&["click", "--repeat", "5", "--delay", "50", "5"]);
    std::thread::sleep(2 * MOMENT);
    // The last of three fields in a row.
    let is_along_z = |[left, ..]: [f64; 4]| left > 100.0;
    let is_gravity = |text: &str| text.starts_with("Acceleration of gravity");
    stage.click(middle(stage.place_where("SpinButton", is_gravity, "gravity along z", is_along_z)));
    stage.xdotool(&["type", "--delay", "100", "--", "-1.62"]);
    stage.key("Return");
    stage.wait_for_sim("set");
    std::thread::sleep(2 * MOMENT);
    let log = stage.commands();
    let set: Vec<&Value> = log.iter().filter(|entry| is_sim(entry, "set")).collect();
    assert!(matches!(set[..], [only] if only.to_string().contains("-1.62")), "{set:?}");
}

/// Under continuous penalties the selected body has a line for each of its features that were in another body in the step.
#[test]
#[cfg_attr(
    not(all(software_vulkan, window_system)),
    ignore = "needs a Vulkan driver, Xvfb and xdotool; see `cargo xtask help`"
)]
fn the_step_of_the_selected_body_is_shown_in_time() {
    let stage = Stage::open("penalty_slide");
    stage.click(at::BOX);
    stage.wait_for("a selected box", |log| log.iter().any(|entry| entry["view"]["select"] == 1));
    stage.press("Step");
    stage.wait_for_sim("step");
    // Each of the box's corners carries a fourth of it for 2 ms, upward, but for 14 % that braking moves from the back to the front:
    // mu m g times half the height, over the length.
    let weight = 9.81 * 0.002 / 4.0;
    let is_corner = |text: &str| {
        let impulse = text.strip_prefix("floor / box: ").and_then(|rest| rest.split(' ').next());
        impulse.and_then(|x| x.parse::<f64>().ok()).is_some_and(|x| (x / weight - 1.0).abs() < 0.14)
            && text.contains("along (0, 0, 1)")
    };
    stage.place("Label", is_corner, "a corner in the floor");
}
